import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests misbehaving clients: each gets a clear answer or the end of its connection, and no other
/// client is disturbed.
struct WireTests {
  /// Runs `body` with a daemon and a well-behaved neighbour, which must get its answers before,
  /// during and after `body`.
  private func withDaemon(_ body: (Sandbox, Program, WireClient) throws -> Void) throws {
    try withSandbox { sandbox in
      let daemon = try sandbox.startDaemon()
      let neighbour = try sandbox.connect()
      try neighbour.call("daemon.ping")
      try body(sandbox, daemon, neighbour)
      try neighbour.call("daemon.ping")
      #expect(!daemon.hasEnded())
      try sandbox.stop(daemon)
    }
  }

  private static let ping = #"{"jsonrpc":"2.0","id":"after","method":"daemon.ping"}"#
  private static let pong = #"{"jsonrpc":"2.0","id":"after","result":{}}"#

  @Test(
    arguments: [
      // In turn: bytes that are no JSON, JSON that is no request, requests for unknown things.
      (Array("\u{0}\u{1}\u{7f} garbage".utf8), -32700), ([0xff, 0xfe, 0x80], -32700),
      (Array(#"{"jsonrpc":"2.0","id":1,"method":"daemon."#.utf8), -32700),
      (
        Array(#"{"jsonrpc":"2.0","id":1,"method":"daemon.ping","params":{"a":"#.utf8) + [
          0xc3, 0x28, 0x22, 0x7d, 0x7d,
        ], -32700
      ),
      (Array("{}".utf8), -32600), (Array("[]".utf8), -32600), (Array("3".utf8), -32600),
      (Array(#"{"jsonrpc":"2.0","id":1,"method":3}"#.utf8), -32600),
      (Array(#"{"jsonrpc":"1.0","id":1,"method":"daemon.ping"}"#.utf8), -32600),
      (Array(#"{"jsonrpc":"2.0","id":{},"method":"daemon.ping"}"#.utf8), -32600),
      (Array(#"{"jsonrpc":"2.0","id":1,"method":"daemon.pong"}"#.utf8), -32601),
      (Array(#"{"jsonrpc":"2.0","id":1,"method":""}"#.utf8), -32601),
      (Array(#"{"jsonrpc":"2.0","id":1,"method":"widget.add","params":{"kind":7}}"#.utf8), -32602),
      (Array(#"{"jsonrpc":"2.0","id":1,"method":"widget.add","params":["kind"]}"#.utf8), -32602),
      (Array(#"{"jsonrpc":"2.0","id":1,"method":"widget.add"}"#.utf8), -32602),
      (
        Array(#"{"jsonrpc":"2.0","id":1,"method":"widget.tap","params":{"id":"x","itme":1}}"#.utf8),
        -32602
      ),
      (
        Array(#"{"jsonrpc":"2.0","id":1,"method":"daemon.history","params":{"limit":1e99}}"#.utf8),
        -32602
      ),
      (Array(String(repeating: "[", count: 100_000).utf8), -32700),
    ] as [([UInt8], Int64)])
  func `a line that cannot be served is refused by its code and the next one is served`(
    bytes: [UInt8], code: Int64
  ) throws {
    try withDaemon { sandbox, _, _ in
      let client = try sandbox.connect()
      try client.send(bytes + [10] + Array(Self.ping.utf8) + [10])
      let refusal = try #require(try client.message())
      #expect(refusal["error"]?["code"] == .int(code), "\(refusal.serialized)")
      #expect(refusal["error"]?["message"]?.stringValue?.isEmpty == false)
      #expect(try client.line() == Self.pong)
    }
  }

  @Test func `a frame of five mebibytes is refused once and skipped`() throws {
    try withDaemon { sandbox, daemon, neighbour in
      let client = try sandbox.connect()
      let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
      for _ in 0..<80 {
        try client.send(chunk)
        try neighbour.call("daemon.ping")
      }
      try client.send([10] + Array(Self.ping.utf8) + [10])
      let refusal = try #require(try client.message())
      #expect(refusal["id"] == .null)
      #expect(refusal["error"]?["code"] == -32000)
      #expect(refusal["error"]?["data"]?["bytesMax"] == 4_194_304)
      #expect(try client.line() == Self.pong)
      #expect(Processes.residentBytes(of: daemon.pid) < 200 << 20)
    }
  }

  @Test func `a frame as long as a frame may be is served`() throws {
    try withDaemon { sandbox, _, _ in
      let client = try sandbox.connect()
      let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 4_194_304 - Self.ping.utf8.count)
      try client.send(Array(Self.ping.utf8) + spaces + [10])
      #expect(try client.line() == Self.pong)
    }
  }

  @Test func `a request that comes byte by byte is the same request`() throws {
    try withDaemon { sandbox, _, neighbour in
      let client = try sandbox.connect()
      for byte in Array(Self.ping.utf8) + [10] {
        try client.send([byte])
        // The neighbour's answer proves that the daemon has read this byte in a turn.
        try neighbour.call("daemon.ping")
      }
      #expect(try client.line() == Self.pong)
    }
  }

  @Test func `a batch is answered in one line without its notifications`() throws {
    try withDaemon { sandbox, _, _ in
      let client = try sandbox.connect()
      try client.send(
        line: """
          [{"jsonrpc":"2.0","id":1,"method":"daemon.ping"},{"jsonrpc":"2.0","method":"daemon.ping"},\
          {"jsonrpc":"2.0","id":2,"method":"widget.list"},3,{"jsonrpc":"2.0","id":4,"method":"no.such"}]
          """)
      let answers = try #require(try client.message()?.arrayValue)
      #expect(answers.count == 4)
      #expect(answers.first { $0["id"] == 1 }?["result"] == [:])
      #expect(answers.first { $0["id"] == 2 }?["result"] == ["widgets": []])
      #expect(answers.first { $0["id"] == .null }?["error"]?["code"] == -32600)
      #expect(answers.first { $0["id"] == 4 }?["error"]?["code"] == -32601)

      // A batch of notifications has no answer: the next line belongs to the ping.
      try client.send(line: #"[{"jsonrpc":"2.0","method":"daemon.ping"}]"#)
      try client.send(line: Self.ping)
      #expect(try client.line() == Self.pong)

      let one = #"{"jsonrpc":"2.0","id":1,"method":"daemon.ping"}"#
      try client.send(line: "[" + Array(repeating: one, count: 1_000).joined(separator: ",") + "]")
      #expect(try client.message()?.arrayValue?.count == 1_000)
      try client.send(line: "[" + Array(repeating: one, count: 1_001).joined(separator: ",") + "]")
      #expect(try client.message()?["error"]?["code"] == -32600)
    }
  }

  @Test func `a client that never reads costs a bounded queue and nobody else's time`() throws {
    try withDaemon { sandbox, daemon, neighbour in
      let client = try sandbox.connect()
      let count = 200_000
      var bytes: [UInt8] = []
      for id in 0..<count {
        bytes += Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"daemon.ping"}"#.utf8)
        bytes.append(10)
      }
      var sent = 0
      var residentMax = 0
      // Push until the daemon reads no byte during a hundred answers to the neighbour.
      var refusals = 0
      while sent < bytes.count, refusals < 100 {
        let step = try client.sendSome(bytes[sent..<min(sent + 65_536, bytes.count)])
        sent += step
        refusals = step == 0 ? refusals + 1 : 0
        try neighbour.call("daemon.ping")
        residentMax = max(residentMax, Processes.residentBytes(of: daemon.pid))
      }
      #expect(sent < bytes.count, "the daemon took everything although nobody read the answers")
      #expect(residentMax < 200 << 20)

      // Once the client reads, each request has exactly one answer, in order. A busy machine may read
      // more than one piece between two turns; what is beyond the limit then is refused.
      let rest = Array(bytes[sent...])
      let descriptor = client.descriptor
      let sender = Thread {
        var left = rest[...]
        while !left.isEmpty {
          let count = left.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
          if count <= 0 { return }
          left = left.dropFirst(count)
        }
      }
      sender.start()
      var wrong: [String] = []
      for id in 0..<count {
        let line = try client.line() ?? ""
        let isRefusal = line.hasPrefix(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32001,"#)
        if !isRefusal, line != #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"# { wrong.append(line) }
      }
      #expect(wrong.isEmpty, "\(wrong.count), the first is \(wrong.first?.prefix(300) ?? "")")
      #expect(Processes.residentBytes(of: daemon.pid) < 200 << 20)
    }
  }

  @Test func `a client that asks for much and never reads is refused, not buffered`() throws {
    try withDaemon { sandbox, daemon, neighbour in
      try sandbox.widget("note", script: "sleep 600", provider: "timeout: 10m")
      try neighbour.call("daemon.reloadConfiguration")
      try neighbour.call("widget.add", ["kind": "note", "id": "note"])
      let text = String(repeating: "0123456789", count: 20_000)
      try neighbour.call(
        "widget.push",
        [
          "id": "note",
          "timeline": [
            "entries": [["date": "2020-01-01T00:00:00Z", "content": ["text": .string(text)]]]
          ],
        ])
      let client = try sandbox.connect()
      // An answer has 200 kB, so the requests in one read of the daemon would make 300 MB.
      let request = Array(#"{"jsonrpc":"2.0","id":1,"method":"widget.list"}"#.utf8) + [10]
      let bytes = [UInt8]((0..<20_000).lazy.flatMap { _ in request })
      var sent = 0
      var idle = 0
      var residentMax = 0
      while sent < bytes.count, idle < 50 {
        let step = try client.sendSome(bytes[sent...])
        sent += step
        idle = step == 0 ? idle + 1 : 0
        try neighbour.call("daemon.ping")
        residentMax = max(residentMax, Processes.residentBytes(of: daemon.pid))
      }
      #expect(residentMax < 200 << 20, "\(residentMax >> 20) MiB")
    }
  }

  @Test func `a surface that never reads gets the newest state when it does`() throws {
    try withDaemon { sandbox, daemon, neighbour in
      try sandbox.widget("note", script: "sleep 600", provider: "timeout: 10m")
      try neighbour.call("daemon.reloadConfiguration")
      try neighbour.call("widget.add", ["kind": "note", "id": "note"])
      let surface = try sandbox.connect()
      try surface.call("surface.attach")
      let filler = String(repeating: "x", count: 100_000)
      for number in 0..<200 {
        try neighbour.call(
          "widget.push",
          [
            "id": "note",
            "timeline": [
              "entries": [
                [
                  "date": "2020-01-01T00:00:00Z",
                  "content": ["title": .string("number \(number)"), "text": .string(filler)],
                ]
              ]
            ],
          ])
      }
      #expect(Processes.residentBytes(of: daemon.pid) < 200 << 20)
      var updates = 0
      var title: String?
      while title != "number 199" {
        let update = try surface.notification("surface.update")
        title = update["widgets"]?.arrayValue?.first?["entry"]?["content"]?["title"]?.stringValue
        updates += 1
      }
      #expect(updates < 200, "updates were kept for a client that did not read")
    }
  }

  @Test func `a hundred clients that connect and vanish leave nothing behind`() throws {
    try withDaemon { sandbox, daemon, neighbour in
      let before = Processes.descriptorCount(of: daemon.pid)
      let path = sandbox.socket
      for round in 0..<4 {
        inParallel(25) { index in
          do throws(WireError) {
            let client = try WireClient(path)
            switch (round + index) % 5 {
            case 0: break
            case 1: try client.send(Array(#"{"jsonrpc":"2.0","id":1,"meth"#.utf8))
            case 2: try client.ask("daemon.status")
            case 3: try client.ask("widget.reloadAll", ["wait": true])
            default:
              // Closing with unread bytes resets the connection.
              try client.ask("daemon.status")
              try client.ask("gallery.list")
            }
            client.close()
          } catch {
            Issue.record("client \(index): \(error)")
          }
        }
        try neighbour.call("daemon.ping")
      }
      try eventually("every connection is forgotten") {
        try neighbour.call("daemon.status")["connections"] == 1
      }
      try eventually("every descriptor is closed") {
        Processes.descriptorCount(of: daemon.pid) <= before
      }
    }
  }

  @Test func `a process' connection beyond its share is refused and closed`() throws {
    try withDaemon { sandbox, _, neighbour in
      var clients: [WireClient] = []
      var refused: WireClient?
      // The neighbour is a connection of this process, too.
      for _ in 0..<256 {
        let client = try sandbox.connect()
        clients.append(client)
        if clients.count % 128 == 0 { try clients[clients.count - 100].call("daemon.ping") }
      }
      refused = clients.removeLast()
      #expect(try refused?.message()?["error"]?["code"] == -32002)
      #expect(try refused?.line() == nil)
      try clients.last?.call("daemon.ping")
      clients.removeAll()
      try eventually("there is room again") {
        try neighbour.call("daemon.status")["connections"] == 1
      }
      try sandbox.connect().call("daemon.ping")
    }
  }

  @Test func `a daemon that may open no more descriptors turns clients away and recovers`() throws {
    try withSandbox { sandbox in
      let daemon = try sandbox.start(
        "/bin/sh", ["-c", #"ulimit -n 64; exec "$0""#, Programs.daemon])
      try sandbox.waitUntilServing(daemon)
      let neighbour = try sandbox.connect()
      try neighbour.call("daemon.ping")
      var clients = try (0..<100).map { _ in try sandbox.connect() }
      try neighbour.call("daemon.ping")
      #expect(try clients[99].line() == nil, "it is turned away, not left waiting")
      try eventually("the log says why") { daemon.errors.contains("LimitNOFILE") }
      #expect(daemon.errors.components(separatedBy: "accept.failed").count == 2, "once")
      clients.removeAll()
      try eventually("there is room again") {
        try neighbour.call("daemon.status")["connections"] == 1
      }
      try sandbox.connect().call("daemon.ping")
      try sandbox.stop(daemon)
    }
  }

  @Test func `requests that wait have a limit and the others go on`() throws {
    try withDaemon { sandbox, _, neighbour in
      try sandbox.widget("slow", script: "sleep 600", provider: "timeout: 10m")
      try neighbour.call("daemon.reloadConfiguration")
      try neighbour.call("widget.add", ["kind": "slow", "id": "slow"])
      let client = try sandbox.connect()
      var ids: [Int64] = []
      for _ in 0..<257 {
        ids.append(try client.ask("widget.reload", ["id": "slow", "wait": true]))
      }
      let refusal = try #require(try client.message())
      #expect(refusal["id"] == .int(ids[256]))
      #expect(refusal["error"]?["code"] == -32003)
      try client.call("daemon.status")
      // When the widget is removed, all waiting clients get an answer.
      try neighbour.call("widget.remove", ["id": "slow"])
      var open = Set(ids.dropLast())
      while !open.isEmpty {
        let message = try #require(try client.message(), "the connection ended")
        if let id = message["id"]?.intValue { open.remove(id) }
      }
    }
  }

  @Test func `a client that has sent its last byte still gets every answer`() throws {
    try withDaemon { sandbox, _, neighbour in
      try sandbox.widget("slow", script: "sleep 0.3\n" + Sandbox.answer(title: "at last"))
      try neighbour.call("daemon.reloadConfiguration")
      let client = try sandbox.connect()
      try client.send(line: #"{"jsonrpc":"2.0","id":1,"method":"daemon.ping"}"#)
      try client.send(
        line:
          #"{"jsonrpc":"2.0","id":2,"method":"widget.add","params":{"kind":"slow","id":"slow"}}"#)
      try client.send(
        line:
          #"{"jsonrpc":"2.0","id":3,"method":"widget.reload","params":{"id":"slow","wait":true}}"#)
      try client.send(line: #"{"jsonrpc":"2.0","id":4,"method":"daemon.reloadConfiguration"}"#)
      client.endSending()
      let answers = try client.rest().map { try JSONValue(parsing: $0) }
      #expect(Set(answers.compactMap { $0["id"]?.intValue }) == [1, 2, 3, 4])
      #expect(answers.allSatisfy { $0["error"] == nil })
      let reload = answers.first { $0["id"] == 3 }
      let state = reload?["result"]?["receipts"]?.arrayValue?.first?["state"]
      #expect(state == "done" || state == "coalesced", "\(reload?.serialized ?? "")")
    }
  }

  @Test func `a client that ends its input later is disconnected at once`() throws {
    try withSandbox { sandbox in
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("daemon.ping")
      client.endSending()
      // No other event happens in this daemon that could make it notice.
      #expect(try client.line() == nil)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a request without a line break at the end of the input is no request`() throws {
    try withDaemon { sandbox, _, _ in
      let client = try sandbox.connect()
      try client.send(Array(Self.ping.utf8))
      client.endSending()
      #expect(try client.rest() == [])
    }
  }
}
