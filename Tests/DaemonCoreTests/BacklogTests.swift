import JSON
import Testing
import Timekeeping
import VirtualTime

@testable import DaemonCore

/// Everybody gets a turn: what a client sends beyond its share waits, in its order, and others are
/// served in between.
struct BacklogTests {
  /// A request that takes a whole share: nothing matches it, and what was meant is looked for.
  private func nonsense(_ id: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"intent.send","params":{"text":"what nobody understands"}}"#
  }

  private func batch(_ ids: ClosedRange<Int>) -> String {
    "[\(ids.map(nonsense).joined(separator: ","))]"
  }

  private let ping = #"{"jsonrpc":"2.0","id":"p","method":"daemon.ping"}"#

  private func ids(_ lines: [String]) throws -> [[JSONValue?]] {
    try lines.map { line in
      let value = try JSONValue(parsing: line)
      return (value.arrayValue ?? [value]).map { $0["id"] }
    }
  }

  @Test func `a batch is cut where the client's share ends, and others are answered meanwhile`()
    throws
  {
    var harness = Harness()
    let greedy = harness.connect()
    let other = harness.connect()
    #expect(harness.send(batch(1...20), to: greedy) == [])
    #expect(try ids(harness.send(ping, to: other)) == [["p"]])
    harness.pass(0)
    #expect(try ids(harness.received(by: greedy)) == [(1...20).map { .int(Int64($0)) }])
  }

  @Test func `lines behind a batch wait for its end, and are handled in their order`() throws {
    var harness = Harness()
    let greedy = harness.connect()
    func widget(_ id: Int, _ method: String, _ params: String) -> String {
      #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }
    let lines = [
      batch(1...3), ping, nonsense(4),
      widget(5, "widget.add", #"{"kind":"org.example.clock","id":"c"}"#), nonsense(6),
      widget(7, "widget.remove", #"{"id":"c"}"#),
    ]
    harness.send(lines.joined(separator: "\n"), to: greedy)
    harness.pass(0)
    let heard = try ids(harness.received(by: greedy))
    // The answers that wait for the disk come a turn later, and so does a receipt.
    #expect(heard.filter { $0 != [5] && $0 != [nil] } == [[1, 2, 3], ["p"], [4], [6], [7]])
    #expect(heard.contains([5]))
    #expect(harness.tables[.widget]?["c"] == nil)
  }

  @Test func `bytes that come while a backlog waits go behind it`() throws {
    var harness = Harness()
    let greedy = harness.connect()
    harness.inbox = [
      .received(greedy, Array((nonsense(1) + "\n" + nonsense(2) + "\n{\"jsonrpc\":\"2.0\",").utf8)),
      .received(greedy, Array("\"id\":3,\"method\":\"daemon.ping\"}\n".utf8)),
      .received(greedy, Array((ping + "\n").utf8)),
    ]
    harness.turn()
    harness.pass(0)
    #expect(try ids(harness.received(by: greedy)) == [[1], [2], [3], ["p"]])
  }

  @Test func `a thousand clients make no turn long`() throws {
    var harness = Harness()
    let clients = (0..<100).map { _ in harness.connect() }
    harness.inbox = clients.map { .received($0, Array((nonsense(1) + "\n").utf8)) }
    harness.turn()
    let first = clients.count { !harness.received(by: $0).isEmpty }
    // Those of what came now, and those of what was put off in the same turn.
    #expect(first <= Limits.freshWorkMax / Limits.connectionWorkMax + 3)
    harness.pass(0)
    #expect(clients.count { !harness.received(by: $0).isEmpty } == clients.count - first)
  }

  @Test func `a stop refuses what waits, and carries nothing out`() throws {
    var harness = Harness()
    let greedy = harness.connect()
    let add =
      #"{"jsonrpc":"2.0","id":9,"method":"widget.add","params":{"kind":"org.example.clock","id":"c"}}"#
    harness.send(batch(1...20) + "\n" + add, to: greedy)
    #expect(harness.received(by: greedy) == [])
    harness.handle(.stopRequested)
    let lines = try harness.received(by: greedy).map { try JSONValue(parsing: $0) }
    let codes = lines.first?.arrayValue?.map { $0["error"]?["data"]?["name"]?.stringValue ?? "" }
    #expect(codes?.count == 20)
    #expect(codes?.first == "noMatch")
    #expect(codes?.last == "stopping")
    #expect(lines.last?["id"] == 9)
    #expect(lines.last?["error"]?["data"]?["name"] == "stopping")
    #expect(harness.hasStopped)
    #expect(harness.tables[.widget]?["c"] == nil)
  }

  @Test func `a client that only stopped sending gets its answers, one that is gone does not`()
    throws
  {
    var harness = Harness()
    let greedy = harness.connect()
    harness.send(batch(1...5), to: greedy)
    var owes = false
    harness.measure { owes = $0.owes(greedy) }
    #expect(owes)
    harness.pass(0)
    harness.measure { owes = $0.owes(greedy) }
    #expect(!owes)

    harness.send(
      batch(1...5)
        + "\n{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"widget.add\",\"params\":{\"kind\":\"org.example.clock\",\"id\":\"c\"}}",
      to: greedy)
    harness.handle(.disconnected(greedy))
    harness.pass(0)
    #expect(harness.tables[.widget]?["c"] == nil)
  }

  @Test func `nothing is read from a client with much that waits, until none does`() {
    var harness = Harness()
    let greedy = harness.connect()
    harness.send(batch(1...3), to: greedy)
    #expect(harness.paused == [])
    let line = nonsense(1) + String(repeating: " ", count: 1_000)
    var heard = harness.send(
      Array(repeating: line, count: 70).joined(separator: "\n"), to: greedy)
    #expect(harness.paused == [greedy])
    var bytes = 0
    harness.measure { bytes = $0.backlogBytes(of: greedy) }
    #expect(bytes > Limits.backlogBytesMax)
    harness.pass(0)
    #expect(harness.paused == [])
    heard += harness.received(by: greedy)
    #expect(heard.count == 71)
    harness.measure { bytes = $0.backlogBytes }
    #expect(bytes == 0)
  }

  @Test func `requests with one key take effect once, though they wait`() throws {
    var harness = Harness()
    let greedy = harness.connect()
    let keyed = [7, 8].map {
      #"{"jsonrpc":"2.0","id":\#($0),"method":"widget.add","params":{"kind":"org.example.clock","idempotencyKey":"k"}}"#
    }
    var heard = harness.send(
      ([nonsense(1), nonsense(2)] + keyed).joined(separator: "\n"), to: greedy)
    harness.pass(0)
    heard += harness.received(by: greedy)
    let answers = try heard.map { try JSONValue(parsing: $0) }
    #expect(Set(answers.compactMap { $0["id"]?.intValue }) == [1, 2, 7, 8])
    #expect(harness.tables[.widget]?.count == 1)
  }

  @Test func `the files are read in a row a few times, and then at a slow pace`() throws {
    var harness = Harness()
    let client = harness.connect()
    let ask = #"{"jsonrpc":"2.0","id":1,"method":"daemon.reloadConfiguration"}"#
    var answered = 0
    for _ in 0..<20 { answered += harness.send(ask, to: client).count }
    // The first time was at the start.
    #expect(answered == Int(Limits.configurationBurst) - 1)
    harness.pass(2)
    #expect(harness.received(by: client).count == 20 - answered, "one reading answers all")
    harness.pass(60)
    #expect(harness.send(ask, to: client).count == 1)
  }

  @Test func `long lists are changed a few times in a row, and then at a slow pace`() throws {
    var harness = Harness()
    let client = harness.connect()
    let long: JSONValue = .array((0..<60_000).map { .string("value \($0)") })
    for _ in 0..<5 {
      let answer = try harness.call(
        "intent.setList", ["name": "cities", "values": long], from: client)
      #expect(answer["count"] == 60_000)
    }
    let refused = try harness.call(
      "intent.setList", ["name": "cities", "values": long], from: client)
    #expect(refused["data"]?["name"] == "limitReached")
    #expect(refused["data"]?["seconds"] == 12)
    // It is not read any more: it has a mistake, which nobody finds. A short one is.
    let wrong: JSONValue = .array((0..<60_000).map { .int($0) })
    let unread = try harness.call(
      "intent.setList", ["name": "cities", "values": wrong], from: client)
    #expect(unread["data"]?["name"] == "limitReached")
    let short = try harness.call(
      "intent.setList", ["name": "cities", "values": [7]], from: client)
    #expect(short["code"] == -32602)
    harness.pass(12)
    #expect(
      try harness.call("intent.setList", ["name": "cities", "values": ["Rome"]], from: client)[
        "count"] == 1)
  }

  @Test func `parameters of more values than a request may have are refused`() throws {
    var harness = Harness()
    let client = harness.connect()
    let many: JSONValue = .array(Array(repeating: 1, count: Limits.valueCountMax))
    let refused = try harness.call("daemon.ping", ["a": many], from: client)
    #expect(refused["code"] == -32602)
    #expect(refused["data"]?["max"] == .int(Int64(Limits.valueCountMax)))
    let keys = (0...Limits.keyCountMax).map { JSONObject.Member(key: "k\($0)", value: 1) }
    let wide = try harness.call(
      "intent.send", ["intent": "ShowWeather", "parameters": .object(JSONObject(keys))],
      from: client)
    #expect(wide["data"]?["parameter"] == "parameters", "\(wide)")
  }
}
