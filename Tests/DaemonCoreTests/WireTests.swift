import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Tests bytes in and lines out: framing, batches, refusals.
@Suite struct WireTests {
  private static let ping = #"{"jsonrpc":"2.0","id":1,"method":"daemon.ping"}"#

  @Test func `a request is answered on one line`() {
    var harness = Harness()
    let client = harness.connect()
    #expect(harness.send(Self.ping, to: client) == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#])
  }

  @Test(arguments: [
    Self.ping, #"{"jsonrpc":"2.0","id":1,"method":"daemon.ping","params":{}}"#,
    #"{"id":1,"method":"daemon.ping","jsonrpc":"2.0"}"#, "[\(Self.ping)]",
  ])
  func `a ping is answered while the daemon starts and while it stops, however it is written`(
    _ ping: String
  ) throws {
    let answer = #"{"jsonrpc":"2.0","id":1,"result":{}}"#
    let expected = [ping.hasPrefix("[") ? "[\(answer)]" : answer]
    var starting = Harness(isStarted: false)
    let early = starting.connect()
    #expect(starting.send(ping, to: early) == expected)
    #expect(try starting.call("daemon.status", from: early)["code"] == -32042)

    var stopping = Harness()
    stopping.storeMode = .waits
    let late = stopping.connect()
    stopping.send(
      #"{"jsonrpc":"2.0","method":"widget.add","params":{"kind":"org.example.clock"}}"#, to: late)
    stopping.handle(.stopRequested)
    #expect(stopping.send(ping, to: late) == expected)
    #expect(try stopping.call("daemon.status", from: late)["code"] == -32042)
  }

  @Test func `bytes in any split get the same replies`() {
    let input = """
      {"jsonrpc":"2.0","id":1,"method":"daemon.ping"}\r
      {"jsonrpc":"2.0","id":"zwö","method":"widget.add","params":{"kind":"org.example.clock"}}

      {"jsonrpc":"2.0","method":"widget.reload","params":{"id":"clock"}}
      [{"jsonrpc":"2.0","id":3,"method":"daemon.ping"},{"jsonrpc":"2.0","id":4,"method":"widget.remove","params":{"id":"clock"}}]
      nonsense
      {"jsonrpc":"2.0","id":5,"method":"widget.list"}

      """
    let bytes = Array(input.utf8)
    func replies(_ pieces: [ArraySlice<UInt8>]) -> [String] {
      var harness = Harness()
      let client = harness.connect()
      for piece in pieces { harness.handle(.received(client, Array(piece))) }
      return harness.received(by: client)
    }
    let whole = Set(replies([bytes[...]]))
    #expect(whole.count == 7)
    // Compare without order: replies that need the disk leave a turn later, so the order depends on
    // the split.
    for split in stride(from: 0, through: bytes.count, by: 3) {
      #expect(Set(replies([bytes[..<split], bytes[split...]])) == whole, "split at \(split)")
    }
    #expect(Set(replies(bytes.indices.map { bytes[$0...$0] })) == whole)
  }

  @Test func `a batch is answered on one line once all of its answers are there`() throws {
    var harness = Harness()
    harness.storeMode = .waits
    let client = harness.connect()
    let batch = """
      [{"jsonrpc":"2.0","id":1,"method":"widget.add","params":{"kind":"org.example.clock"}},\
      {"jsonrpc":"2.0","id":2,"method":"daemon.ping"},{"jsonrpc":"2.0","method":"daemon.ping"},\
      {"jsonrpc":"2.0","id":3,"method":"widget.reload","params":{"id":"clock","wait":true}},\
      {"jsonrpc":"2.0","id":4,"method":"nonsense"},7]
      """
    #expect(harness.send(batch, to: client) == [])
    try harness.commit()
    #expect(harness.received(by: client) == [])
    try harness.answer("org.example.clock", Harness.timeline("{}"))
    try harness.answer("org.example.clock", Harness.timeline("{}"))
    while harness.underWay != nil { try harness.commit() }
    let lines = harness.received(by: client)
    let batches = try lines.map { try JSONValue(parsing: $0) }.compactMap(\.arrayValue)
    #expect(batches.count == 1)
    let ids = batches.first?.map { $0["id"]?.serialized ?? "" } ?? []
    #expect(Set(ids) == ["1", "2", "3", "4", "null"])
    #expect(ids.count == 5)
  }

  @Test func `notifications get no answer, not even a refusal`() {
    var harness = Harness()
    let client = harness.connect()
    for text in [
      #"{"jsonrpc":"2.0","method":"daemon.ping"}"#,
      #"{"jsonrpc":"2.0","method":"daemon.ping","params":{}}"#,
      #"{"jsonrpc":"2.0","method":"nonsense"}"#,
      #"{"jsonrpc":"2.0","method":"widget.remove","params":{"id":"nobody"}}"#,
      #"{"jsonrpc":"2.0","method":"widget.list"}"#,
      #"{"jsonrpc":"2.0","method":"widget.receipt","params":{"id":"r1","wait":true}}"#,
      #"[{"jsonrpc":"2.0","method":"daemon.ping"},{"jsonrpc":"2.0","method":"nonsense"}]"#,
      #"{"jsonrpc":"2.0","id":7,"result":{}}"#,
    ] {
      #expect(harness.send(text, to: client) == [], "\(text)")
    }
    // But notifications have their effect.
    harness.send(
      #"{"jsonrpc":"2.0","method":"widget.add","params":{"kind":"org.example.clock"}}"#, to: client)
    #expect(harness.daemon.engine.order == ["clock"])
  }

  @Test(arguments: [
    ("nonsense", "-32700 null"),
    (#"{"jsonrpc":"2.0","id":1,"method":"daemon.ping""#, "-32700 null"),
    ("[1,2", "-32700 null"),
    ("7", "-32600 null"),
    ("[]", "-32600 null"),
    ("{}", "-32600 null"),
    (#"{"jsonrpc":"1.0","id":1,"method":"daemon.ping"}"#, "-32600 1"),
    (#"{"id":1,"method":"daemon.ping"}"#, "-32600 1"),
    (#"{"jsonrpc":"2.0","id":1}"#, "-32600 1"),
    (#"{"jsonrpc":"2.0","id":1,"method":7}"#, "-32600 1"),
    (#"{"jsonrpc":"2.0","id":[],"method":"daemon.ping"}"#, "-32600 null"),
    (#"{"jsonrpc":"2.0","id":1,"method":"daemon.ping","params":7}"#, "-32600 1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"daemon.pong"}"#, "-32601 1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"daemon.ping","params":[7]}"#, "-32602 1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"daemon.ping","params":{"a":7}}"#, "-32602 1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"widget.remove"}"#, "-32602 1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"widget.remove","params":{"id":7}}"#, "-32602 1"),
  ])
  func `every mistake has its code and goes to the id that made it`(
    _ text: String, _ expected: String
  ) throws {
    var harness = Harness()
    let client = harness.connect()
    let lines = harness.send(text, to: client)
    #expect(lines.count == 1)
    let answer = try JSONValue(parsing: try #require(lines.first))
    let code = try #require(answer["error"]?["code"]?.serialized)
    #expect("\(code) \(answer["id"]?.serialized ?? "absent")" == expected)
    #expect(answer["error"]?["message"]?.stringValue?.isEmpty == false)
    // The connection still works.
    #expect(harness.send(Self.ping, to: client).count == 1)
  }

  @Test func `a wrong parameter is named, with what was expected and what was probably meant`()
    throws
  {
    var harness = Harness()
    let client = harness.connect()
    #expect(
      try harness.call("widget.add", ["kindd": "a"], from: client).serialized
        == #"{"code":-32602,"message":"invalid parameters: unknown parameter 'kindd'; did you mean 'kind'?; expected this method takes kind, family, parameters, id, ask, wait, language, languages","data":{"parameter":"kindd","expected":"this method takes kind, family, parameters, id, ask, wait, language, languages"}}"#
    )
    let unknown = try harness.call("widget.lst", from: client)
    #expect(
      unknown["message"]?.stringValue?.hasPrefix(
        "no method is called 'widget.lst'; did you mean 'widget.list'") == true)
    #expect(unknown["data"]?["suggestions"]?.arrayValue?.first == "widget.list")
  }

  @Test func `a batch of 1,000 is served, one of 1,001 is not`() throws {
    var harness = Harness()
    let client = harness.connect()
    func batch(_ count: Int) -> String {
      "[" + Array(repeating: Self.ping, count: count).joined(separator: ",") + "]"
    }
    let served = harness.send(batch(1_000), to: client)
    #expect(try JSONValue(parsing: try #require(served.first)).arrayValue?.count == 1_000)
    for count in [1_001, 1_024, 1_025] {
      let refused = harness.send(batch(count), to: client)
      #expect(try JSONValue(parsing: try #require(refused.first))["error"]?["code"] == -32600)
      #expect(refused.count == 1)
    }
  }

  @Test func `an oversized line is refused once and the connection goes on`() throws {
    var harness = Harness()
    let client = harness.connect()
    let frame = #"{"jsonrpc":"2.0","id":1,"method":"daemon.ping","params":{}"#
    let spaces = String(repeating: " ", count: 4_194_304 - frame.utf8.count - 1)
    #expect(harness.send(frame + spaces + "}", to: client).count == 1)
    let lines = harness.send(frame + spaces + " }", to: client)
    #expect(
      lines == [
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"the line is longer than 4194304 bytes and was skipped; send less at once","data":{"name":"frameTooLarge","bytesMax":4194304}}}"#
      ])
    #expect(harness.send(Self.ping, to: client).count == 1)
  }

  // MARK: Connections

  @Test func `another user's connection is closed and never heard`() {
    var harness = Harness()
    let stranger = harness.connect(uid: 0)
    #expect(harness.closed[stranger] == "another user")
    #expect(harness.send(Self.ping, to: stranger) == [])
    let owner = harness.connect()
    #expect(harness.send(Self.ping, to: owner).count == 1)
  }

  @Test func `the 1,025th connection is refused and closed, and a closed connection makes room`() {
    var harness = Harness()
    var clients: [ConnectionID] = []
    for number in 1...1_024 { clients.append(harness.connect(pid: Int32(number))) }
    #expect(harness.closed.isEmpty)
    let extra = harness.connect(pid: 2_000)
    #expect(
      harness.received(by: extra) == [
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"1024 clients are connected already; close one","data":{"name":"tooManyConnections","max":1024}}}"#
      ])
    #expect(harness.closed[extra] == "too many connections")
    harness.handle(.disconnected(clients[0]))
    let next = harness.connect(pid: 2_000)
    #expect(harness.closed[next] == nil)
  }

  @Test func `a client that does not read is refused, and served again when it has read`() throws {
    var harness = Harness()
    let client = harness.connect()
    let other = harness.connect()
    harness.handle(.backedUp(client))
    #expect(try harness.refusal("widget.list", from: client) == "-32001 queueFull")
    #expect(try harness.call("widget.list", from: other)["widgets"] == [])
    harness.handle(.drained(client))
    #expect(try harness.call("widget.list", from: client)["widgets"] == [])
  }

  @Test func `answers of a batch count against the queue before they leave`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.news"], from: client)
    let long = String(repeating: "x", count: 100_000)
    try harness.call(
      "widget.push",
      [
        "id": "news", "timeline": try JSONValue(parsing: Harness.timeline(#"{"text":"\#(long)"}"#)),
      ],
      from: client)
    let requests = (1...20).map {
      #"{"jsonrpc":"2.0","id":\#($0),"method":"widget.timeline","params":{"id":"news"}}"#
    }
    _ = harness.received(by: client)
    let lines = harness.send("[\(requests.joined(separator: ","))]", to: client)
    let line = try #require(lines.first)
    let answers = try #require(try JSONValue(parsing: line).arrayValue)
    #expect(answers.count == 20)
    #expect(answers.filter { $0["error"]?["data"]?["name"] == "queueFull" }.count == 9)
    #expect(harness.send(requests[0], to: client).first?.contains("queueFull") == false)
  }

  @Test func `256 requests may wait, the next is refused and nothing was done for it`() throws {
    var harness = Harness()
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock"], from: client)
    for id in 1...256 {
      let line =
        #"{"jsonrpc":"2.0","id":"w\#(id)","method":"widget.receipt","params":{"id":"r1","wait":true}}"#
      #expect(harness.send(line, to: client) == [])
    }
    #expect(
      try harness.refusal("widget.receipt", ["id": "r1", "wait": true], from: client)
        == "-32003 tooManyWaiting")
    let receipts = harness.daemon.engine.receipts.count
    for (method, params) in [
      ("widget.reload", ["id": "clock", "wait": true]), ("widget.tap", ["id": "clock"]),
      ("intent.send", ["intent": "ShowAgenda", "wait": true]),
      ("url.open", ["url": "agenda://today", "wait": true]),
      ("widget.reloadAll", ["wait": true]),
    ] as [(String, JSONValue)] {
      #expect(try harness.refusal(method, params, from: client) == "-32003 tooManyWaiting")
    }
    #expect(harness.daemon.engine.receipts.count == receipts)
    #expect(harness.daemon.engine.order == ["clock"])
    // Another client may still wait, and when the run ends all are answered.
    let other = harness.connect()
    #expect(
      harness.send(
        #"{"jsonrpc":"2.0","id":1,"method":"widget.receipt","params":{"id":"r1","wait":true}}"#,
        to: other) == [])
    try harness.answer("org.example.clock", Harness.timeline("{}"))
    #expect(harness.received(by: client).filter { $0.contains(#""id":"w"#) }.count == 256)
    #expect(
      try harness.call("widget.receipt", ["id": "r1", "wait": true], from: client)["receipt"] != nil
    )
  }

  @Test func `nothing is kept for a client that left, and its runs end`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.send(
      #"{"jsonrpc":"2.0","id":1,"method":"widget.add","params":{"kind":"org.example.clock"}}"#,
      to: client)
    harness.send(
      #"[{"jsonrpc":"2.0","id":2,"method":"widget.reload","params":{"id":"clock","wait":true}}]"#,
      to: client)
    harness.handle(.disconnected(client))
    try harness.answer("org.example.clock", Harness.timeline("{}"))
    try harness.answer("org.example.clock", Harness.timeline("{}"))
    #expect(harness.received(by: client) == [])
    #expect(harness.daemon.outbox.openBatchCount == 0)
    #expect(harness.daemon.receiptWaiters.isEmpty)
    #expect(harness.send(Self.ping, to: client) == [])
  }

  @Test func `before the store is read every request is refused, and the connection stays`() throws
  {
    var harness = Harness(isStarted: false)
    let client = harness.connect()
    #expect(try harness.refusal("widget.list", from: client) == "-32042 stopping")
    harness.handle(.started)
    #expect(harness.isReady)
    #expect(try harness.call("widget.list", from: client)["widgets"] == [])
  }

  @Test func `the refusal of a widget's id says what an id may be`() throws {
    var harness = Harness()
    let client = harness.connect()
    let error = try harness.call(
      "widget.add", ["kind": "org.example.clock", "id": "my clock"], from: client)
    #expect(error["code"] == -32602)
    #expect(
      error["data"]
        == [
          "parameter": "id", "expected": "letters, digits, '.', '-' and '_', at most 128",
        ])
  }
}
