import JSON
import Testing
import Timekeeping
import VirtualTime
import WidgetCenter

@testable import DaemonCore

/// Tests that the latest removal or dismissal can be undone, and for how long.
@Suite struct UndoTests {
  /// A daemon with two weather widgets, `a` and `b`, that have content.
  private func household(_ provider: @escaping (ProviderRun) -> ProviderOutcome? = Harness.texts)
    throws -> (Harness, ConnectionID)
  {
    var harness = Harness(provider: provider)
    let client = harness.connect()
    for (id, city) in [("a", "Rome"), ("b", "Oslo")] {
      try harness.call(
        "widget.add",
        [
          "kind": "org.example.weather", "id": .string(id), "parameters": ["city": .string(city)],
        ], from: client)
    }
    return (harness, client)
  }

  private func widgets(_ harness: inout Harness, _ client: ConnectionID) throws -> JSONValue {
    let list = try harness.call("widget.list", from: client).serialized
    return try JSONValue(parsing: Harness.withoutRevisions(list))["widgets"] ?? .null
  }

  private func restarted(_ harness: Harness) -> Harness {
    Harness(stored: harness.stored, at: harness.now.wall, provider: Harness.texts)
  }

  @Test
  func `a removed widget comes back with its place, its rules and its content, without a run`()
    throws
  {
    var (harness, client) = try household()
    try harness.call(
      "widget.configure", ["id": "a", "reload": ["perDay": "24-48"]], from: client)
    let before = try widgets(&harness, client)
    let budget = try harness.call("widget.budget", ["id": "a"], from: client)
    let receipts = harness.daemon.engine.receipts.count
    try harness.call("widget.remove", ["id": "a"], from: client)
    #expect(harness.tables[.widget]?["a"] == nil)
    harness.pass(599)
    let answer = try harness.call("widget.restore", from: client)
    #expect(answer.serialized == #"{"undone":"removed","widgets":["a"]}"#)
    #expect(try widgets(&harness, client) == before)
    #expect(harness.daemon.engine.receipts.count == receipts, "it was not asked for again")
    #expect(harness.tables[.widget]?["a"] != nil, "it is on disk before the answer")
    let after = try harness.call("widget.budget", ["id": "a"], from: client)
    #expect(after["rules"] == budget["rules"])
    #expect(after["balance"] == budget["balance"])
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
    #expect(
      try harness.refusal("widget.restore", from: client) == "-32027 nothingToUndo",
      "an act is undone once")
  }

  @Test func `after ten minutes nothing is left of a removed widget`() throws {
    var (harness, client) = try household()
    try harness.call("widget.remove", ["id": "a"], from: client)
    #expect(Self.undo(harness).contains("Rome"))
    harness.pass(600)
    #expect(Self.undo(harness) == "[]")
    #expect(try harness.refusal("widget.restore", from: client) == "-32027 nothingToUndo")
  }

  @Test func `an act that is too old is forgotten on disk, too, when it is undone first`() throws {
    var (harness, client) = try household()
    try harness.call("widget.remove", ["id": "a"], from: client)
    // The clock was set, and the daemon hears of it later.
    harness.clock.setWall(by: 3_600_000)
    #expect(try harness.refusal("widget.restore", from: client) == "-32027 nothingToUndo")
    harness.pass(2)
    #expect(Self.undo(harness) == "[]")
  }

  private static func undo(_ harness: Harness) -> String {
    String(decoding: harness.tables[.setting]?["undo"] ?? [], as: UTF8.self)
  }

  @Test func `several widgets are removed together or not at all, and come back together`() throws {
    var (harness, client) = try household()
    let before = try widgets(&harness, client)
    #expect(
      try harness.refusal("widget.remove", ["ids": ["a", "nobody"]], from: client)
        == "-32020 unknownWidget")
    #expect(try widgets(&harness, client) == before)
    let removed = try harness.call("widget.remove", ["ids": ["b", "a", "b"]], from: client)
    #expect(removed.serialized == #"{"removed":["b","a","b"]}"#)
    #expect(try widgets(&harness, client) == [])
    #expect(try harness.call("widget.restore", from: client)["widgets"] == ["b", "a"])
    #expect(try widgets(&harness, client) == before, "the order of placing is the old one")
    for params in [[:], ["id": "a", "ids": ["b"]]] as [JSONValue] {
      #expect(try harness.refusal("widget.remove", params, from: client) == "-32602")
    }
  }

  @Test func `acts are undone from the last one back, also by the next daemon`() throws {
    var (harness, client) = try household()
    let before = try widgets(&harness, client)
    try harness.call("widget.remove", ["id": "a"], from: client)
    try harness.call("widget.remove", ["id": "b"], from: client)
    var next = restarted(harness)
    let reader = next.connect()
    #expect(try next.call("widget.restore", from: reader)["widgets"] == ["b"])
    next = restarted(next)
    let last = next.connect()
    #expect(try next.call("widget.restore", from: last)["widgets"] == ["a"])
    #expect(try widgets(&next, last) == before)
    #expect(next.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a dismissal that was undone counts no more, in the order and in the habits`() throws {
    var (harness, client) = try household()
    try harness.call("intent.send", ["text": "weather in Rome"], from: client)
    let order = try harness.call("stack.explain", from: client)
    let donations = try harness.call("daemon.status", from: client)["donations"]
    try harness.call("stack.dismiss", ["id": "a"], from: client)
    #expect(try harness.call("stack.explain", from: client) != order)
    let answer = try harness.call("widget.restore", from: client)
    #expect(answer.serialized == #"{"undone":"dismissed","widgets":["a"]}"#)
    #expect(try harness.call("stack.explain", from: client) == order)
    #expect(try harness.call("daemon.status", from: client)["donations"] == donations)
    var next = restarted(harness)
    let reader = next.connect()
    #expect(try next.call("stack.explain", from: reader) == order, "a restart replays both")
  }

  @Test func `a suggestion that was sent away comes back, with what it showed`() throws {
    var (harness, client) = try household()
    try harness.call("intent.send", ["text": "weather in Lima"], from: client)
    let id = "suggestion:org.example.weather"
    let before = try widgets(&harness, client)
    try harness.call("stack.dismiss", ["id": .string(id)], from: client)
    let answer = try harness.call("widget.restore", from: client)
    #expect(answer.serialized == #"{"undone":"dismissed","widgets":["\#(id)"]}"#)
    #expect(try widgets(&harness, client) == before)
    // It still goes after an hour without a touch.
    harness.pass(3_601)
    #expect(harness.daemon.engine.widgets[id] == nil)

    // Another suggestion in its place stays.
    try harness.call("intent.send", ["text": "weather in Lima"], from: client)
    try harness.call("stack.dismiss", ["id": .string(id)], from: client)
    try harness.call("intent.send", ["text": "weather in Paris"], from: client)
    #expect(try harness.refusal("widget.restore", from: client) == "-32027 nothingToUndo")
    #expect(harness.daemon.engine.widgets[id]?.configuration.parameters["city"] == "Paris")
  }

  @Test func `a widget comes back under another id when its own is taken`() throws {
    var (harness, client) = try household()
    try harness.call("widget.remove", ["id": "a"], from: client)
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "a"], from: client)
    let answer = try harness.call("widget.restore", from: client)
    #expect(
      answer.serialized == #"{"undone":"removed","widgets":["a-2"],"renamed":{"a":"a-2"}}"#)
    #expect(harness.daemon.engine.widgets["a-2"]?.kind == "org.example.weather")
  }

  @Test func `a widget whose run is being stopped is asked for again`() throws {
    var (harness, client) = try household()
    harness.provider = { _ in nil }
    try harness.call("widget.reload", ["id": "a"], from: client)
    let first = try #require(harness.running.first?.token)
    // Both in one turn: the run has been told to stop, and has not ended yet.
    harness.send(
      #"[{"jsonrpc":"2.0","id":"x","method":"widget.remove","params":{"id":"a"}},{"jsonrpc":"2.0","id":"y","method":"widget.restore"}]"#,
      to: client)
    #expect(harness.cancelled == [first])
    #expect(harness.running.count == 1, "another run follows the stopped one")
    #expect(harness.running.first?.token != first)
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a widget whose kind changed meanwhile follows it`() throws {
    var (harness, client) = try household()
    try harness.call("widget.remove", ["id": "a"], from: client)
    harness.files.manifests = [
      Harness.manifest(
        "weather.yaml",
        """
        kind: org.example.forecast
        aliases: [org.example.weather]
        name: Forecast
        families: [systemMedium]
        intent: ShowWeather
        provider: {exec: [./weather]}
        """)
    ]
    try harness.call("daemon.reloadConfiguration", from: client)
    try harness.call("widget.restore", from: client)
    #expect(harness.daemon.engine.widgets["a"]?.kind == "org.example.forecast")
    #expect(harness.daemon.engine.widgets["a"]?.family == .systemMedium)
  }

  @Test func `what was done in private mode is undone in memory only, and not after it`() throws {
    var (harness, client) = try household()
    try harness.call("donation.setPrivate", ["on": true], from: client)
    try harness.call("widget.remove", ["id": "a"], from: client)
    try harness.call("stack.dismiss", ["id": "b"], from: client)
    #expect(!Self.undo(harness).contains("Rome"))
    var next = restarted(harness)
    let reader = next.connect()
    #expect(
      try next.refusal("widget.restore", from: reader) == "-32027 nothingToUndo",
      "a restart knows nothing of it")
    #expect(try harness.call("widget.restore", from: client)["undone"] == "dismissed")
    let rows = harness.stored.journal.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(rows.last?.contains(#""event":"undone","private":true"#) == true, "\(rows)")
    try harness.call("donation.setPrivate", ["on": false], from: client)
    #expect(try harness.refusal("widget.restore", from: client) == "-32027 nothingToUndo")
    #expect(harness.daemon.engine.widgets["a"] == nil)
  }

  @Test func `forgetting takes what could be undone with it`() throws {
    var (harness, client) = try household()
    try harness.call("widget.remove", ["id": "a"], from: client)
    let scrubs = harness.scrubCount
    try harness.call("donation.forget", ["since": "2026-11-20T07:00:00Z"], from: client)
    #expect(Self.undo(harness) == "[]")
    #expect(harness.scrubCount > scrubs, "no file keeps a byte of it")
    #expect(try harness.refusal("widget.restore", from: client) == "-32027 nothingToUndo")
  }

  @Test func `the last sixteen acts are kept, and long timelines are loaded anew`() throws {
    var (harness, client) = try household()
    let long = String(repeating: "x", count: 70_000)
    try harness.call(
      "widget.push",
      [
        "id": "a",
        "timeline": [
          "entries": [["date": "2026-11-20T08:00:00Z", "content": ["text": .string(long)]]],
          "policy": "never",
        ],
      ], from: client)
    try harness.call("widget.remove", ["id": "a"], from: client)
    #expect(Self.undo(harness).utf8.count < 70_000)
    try harness.call("widget.restore", from: client)
    let entry = try widgets(&harness, client)
    #expect(entry.arrayValue?.first?["entry"]?["content"]?["text"] == "org.example.weather")

    for _ in 0..<20 { try harness.call("stack.dismiss", ["id": "b"], from: client) }
    for _ in 0..<16 {
      #expect(try harness.call("widget.restore", from: client)["undone"] == "dismissed")
    }
    #expect(try harness.refusal("widget.restore", from: client) == "-32027 nothingToUndo")
  }

  @Test func `a clock that was set back gives no act more than ten minutes`() throws {
    var (harness, client) = try household()
    try harness.call("widget.remove", ["id": "a"], from: client)
    harness.setClock(to: harness.now.wall.advanced(bySeconds: -86_400))
    harness.pass(601)
    #expect(try harness.refusal("widget.restore", from: client) == "-32027 nothingToUndo")
  }

  @Test func `a removed widget has a history, and one that never was has none`() throws {
    var (harness, client) = try household()
    #expect(
      try harness.refusal("daemon.history", ["widget": "nobody"], from: client)
        == "-32020 unknownWidget")
    try harness.call("widget.remove", ["id": "a"], from: client)
    let entries = try harness.call("daemon.history", ["widget": "a"], from: client)["entries"]
    #expect(entries?.arrayValue?.first?["event"] == "widget.removed")
  }
}
