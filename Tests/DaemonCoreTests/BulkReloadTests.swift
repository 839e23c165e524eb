import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Reloads of more widgets than one turn starts: they start in slices, one answer names all, and
/// other clients are served between the slices.
struct BulkReloadTests {
  private static let count = 1_000
  /// The numbers of widgets that share a timeline.
  ///
  /// They lie apart, and one group crosses a slice's end.
  private static let alike = Array(0..<140) + Array(990..<1_000)

  /// Makes a daemon with the widgets `w0`…, some of which share a timeline, and two clients.
  private func world(
    provider: @escaping (ProviderRun) -> ProviderOutcome? = { _ in nil }
  ) -> (harness: Harness, tool: ConnectionID, other: ConnectionID) {
    var state = StoredState()
    for number in 0..<Self.count {
      let key = Self.alike.contains(number) ? Self.alike[0] : number
      let intent = #"{"name":"ShowWeather","parameters":{"city":"Rome"}}"#
      let widget = """
        {"kind":"org.example.weather","family":"systemSmall","intent":\(intent),"configurationKey":"\(key)",
        "suggestion":false,"position":\(number),"placedAt":"2026-11-20T08:00:00Z"}
        """
      let timeline = """
        {"intent":\(intent),"failures":0,"fetchedAt":"2026-11-20T08:00:00Z",
        "timeline":\(Harness.timeline(#"{"text":"\#(key)"}"#))}
        """
      state.tables[.widget, default: []].append(.init(key: "w\(number)", bytes: Array(widget.utf8)))
      if key == number {
        state.tables[.timeline, default: []].append(
          .init(
            key: "org.example.weather\u{1F}systemSmall\u{1F}\(key)", bytes: Array(timeline.utf8)))
      }
    }
    var harness = Harness(stored: state, provider: provider)
    harness.pass(0)
    let tool = harness.connect()
    let other = harness.connect()
    return (harness, tool, other)
  }

  private func ask(_ method: String, _ id: Int, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
  }

  private func receipts(_ line: String?) throws -> [JSONValue] {
    try JSONValue(parsing: line ?? "")["result"]?["receipts"]?.arrayValue ?? []
  }

  @Test(arguments: ["widget.reloadAll", "widget.reload", "url.open"])
  func `a thousand reloads are asked for in slices, and named in one answer`(_ method: String)
    throws
  {
    var (harness, tool, other) = world()
    harness.storeMode = .waits
    let params = [
      "widget.reload": #"{"kind":"org.example.weather"}"#,
      "url.open": #"{"url":"swiftbar://refreshallplugins"}"#,
    ]
    harness.send(ask(method, 1, params[method] ?? "{}"), to: tool)
    var turns = 1
    var made = harness.daemon.widgetEngine.receipts.count
    while made < Self.count {
      #expect(harness.send(ask("daemon.ping", 9), to: other).count == 1)
      let now = harness.daemon.widgetEngine.receipts.count
      // The widgets that share a timeline may come on top of a slice.
      #expect(now - made <= Limits.widgetsInSliceMax + Self.alike.count)
      made = now
      turns += 1
      try #require(turns < 100, "the reloads do not end")
    }
    #expect(turns >= Self.count / (Limits.widgetsInSliceMax + Self.alike.count))
    // The daemon does not acknowledge before the transaction is on disk.
    #expect(harness.received(by: tool) == [])
    harness.storeMode = .commits
    try harness.commit()
    harness.pass(0)
    let lines = harness.received(by: tool)
    let named = try receipts(lines.first)
    #expect(Set(named.compactMap { $0["widget"]?.stringValue }).count == Self.count)
    #expect(Set(named.compactMap { $0["id"]?.stringValue }).count == Self.count)
    #expect(harness.tables[.receipt]?.count == Self.count)
    let wrong = harness.daemon.checkInvariants(isThorough: true)
    #expect(wrong == [])
  }

  @Test func `an update about a receipt comes after the answer that names it`() throws {
    var (harness, tool, _) = world { _ in
      .answered(Array(Harness.timeline(#"{"text":"new"}"#).utf8))
    }
    var lines = harness.send(ask("widget.reloadAll", 1), to: tool)
    harness.pass(60)
    lines += harness.received(by: tool)
    let first = try JSONValue(parsing: lines.first ?? "")
    #expect(first["id"] == 1)
    let named = try receipts(lines.first)
    var states = Dictionary(
      uniqueKeysWithValues: named.map { ($0["id"]?.stringValue ?? "", $0["state"]?.stringValue) })
    for line in lines.dropFirst() {
      let receipt = try #require(try JSONValue(parsing: line)["params"]?["receipt"])
      states[receipt["id"]?.stringValue ?? ""] = receipt["state"]?.stringValue
    }
    #expect(states.count == Self.count)
    // Widgets that share a timeline share one run.
    #expect(states.values.count { $0 == "done" } == Self.count - Self.alike.count + 1)
    #expect(states.values.count { $0 == "coalesced" } == Self.alike.count - 1)
  }

  @Test func `a waiting client is answered when all have ended`() throws {
    var (harness, tool, _) = world { _ in
      .answered(Array(Harness.timeline(#"{"text":"new"}"#).utf8))
    }
    var lines = harness.send(ask("widget.reloadAll", 1, #"{"wait":true}"#), to: tool)
    harness.pass(60)
    lines += harness.received(by: tool)
    let answer = lines.last { $0.contains(#""id":1,"#) }
    let states = try receipts(answer).compactMap { $0["state"]?.stringValue }
    #expect(states.count == Self.count)
    #expect(!states.contains("accepted"))
  }

  @Test func `an answer names every receipt, though more end than are remembered`() throws {
    var (harness, tool, other) = world { _ in
      .answered(Array(Harness.timeline(#"{"text":"new"}"#).utf8))
    }
    var lines: [String] = []
    // These are four times the widgets, and twice the receipts that the daemon remembers.
    for number in 1...4 {
      let client = number < 4 ? tool : other
      harness.handle(
        .received(
          client, Array((ask("widget.reloadAll", number, #"{"wait":true}"#) + "\n").utf8)))
    }
    harness.pass(3_600)
    lines += harness.received(by: tool) + harness.received(by: other)
    for number in 1...4 {
      let answer = lines.first { $0.contains("\"id\":\(number),\"result\"") }
      #expect(try receipts(answer).count == Self.count, "request \(number)")
    }
    let wrong = harness.daemon.checkInvariants(isThorough: true)
    #expect(wrong == [])
  }

  @Test func `a connection has a few such requests under way, and is refused more`() throws {
    var (harness, tool, _) = world()
    harness.storeMode = .waits
    let lines = (1...8).map { ask("widget.reloadAll", $0) }.joined(separator: ",")
    harness.handle(.received(tool, Array("[\(lines)]\n".utf8)))
    harness.storeMode = .commits
    try harness.commit()
    harness.pass(1)
    let answers = try JSONValue(parsing: harness.received(by: tool).first ?? "").arrayValue ?? []
    #expect(answers.count { $0["error"]?["code"] == -32003 } == 8 - Limits.bulkReloadCountMax)
    #expect(answers.count { $0["result"] != nil } == Limits.bulkReloadCountMax)
  }

  @Test func `the reloads of a client that leaves still run, and the client is forgotten`() throws {
    var (harness, tool, other) = world()
    harness.storeMode = .waits
    harness.send(ask("widget.reloadAll", 1), to: tool)
    harness.send("[\(ask("widget.reloadAll", 1))]", to: other)
    harness.handle(.disconnected(tool), .disconnected(other))
    harness.storeMode = .commits
    try harness.commit()
    harness.pass(1)
    #expect(harness.daemon.bulkReloads.isEmpty)
    #expect(harness.daemon.outbox.openBatchCount == 0)
    let made = harness.daemon.widgetEngine.receipts.count
    #expect(made == 2 * Self.count)
    let wrong = harness.daemon.checkInvariants(isThorough: true)
    #expect(wrong == [])
  }

  @Test func `a stopping daemon refuses the reloads that it has not started`() {
    var (harness, tool, _) = world()
    harness.handle(
      .received(tool, Array((ask("widget.reloadAll", 1) + "\n").utf8)), .stopRequested)
    #expect(harness.hasStopped)
    let lines = harness.received(by: tool)
    #expect(lines.count == 1)
    #expect(lines.first?.contains("the daemon is stopping") == true)
  }
}
