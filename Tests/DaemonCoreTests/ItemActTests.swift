import Documents
import IntentRouter
import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Tests items whose tap sets values of the widget, or sends an intent.
@Suite struct ItemActTests {
  private static let items = #"""
    {"title":"List","items":[
      {"text":"more","set":{"rows":6}},
      {"text":"less","set":{"rows":null}},
      {"text":"wrong","set":{"rows":[6]}},
      {"text":"weather","intent":{"name":"ShowWeather","parameters":{"city":"Oslo"}}},
      {"text":"which?","intent":{"name":"ShowWeather"}},
      {"text":"none","intent":{"name":"NoSuchIntent"}},
      {"text":"lock","intent":{"name":"Lock","parameters":{"door":"back"}}},
      {"text":"pay","intent":{"name":"Pay","parameters":{"sum":"5"}}},
      {"text":"off","disabled":true,"set":{"rows":6}},
      {"text":"both","set":{"rows":9},"url":"https://example.org/"}]}
    """#

  private static func intent(_ name: String, _ rest: String) -> CatalogSource {
    let text = "name: \(name)\ntitle: \(name) it\ndescription: An intent\n\(rest)"
    return CatalogSource(
      file: "\(name)/intent.yaml",
      document: readYAML(text, file: "\(name)/intent.yaml").value ?? LocatedValue(.null, line: 1),
      kind: .intent)
  }

  /// A daemon with the widget `w`, whose items are above; runs are answered by the test.
  private func world() throws -> (Harness, ConnectionID) {
    var files = Harness.configuration
    files.catalog += [
      Self.intent("Lock", "links: ask\nparameters:\n  - {name: door, required: true}"),
      Self.intent("Pay", "links: never\nparameters: [{name: sum}]"),
    ]
    files.manifests.append(
      Harness.manifest(
        "note.yaml", "kind: org.example.note\nname: Note\nfamilies: [systemSmall]\n"))
    var harness = Harness(files: files)
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "w"], from: client)
    try harness.answer("org.example.clock", Harness.timeline(Self.items))
    return (harness, client)
  }

  private func tap(
    _ item: Int64, _ id: String = "w", in harness: inout Harness, _ client: ConnectionID
  ) throws -> JSONValue {
    try harness.call("widget.tap", ["id": .string(id), "item": .int(item)], from: client)
  }

  private func request(_ harness: Harness, _ kind: String) throws -> JSONValue? {
    try harness.running.last { $0.kind == kind }.map { try JSONValue(parsing: $0.request) }
  }

  @Test func `a tap that sets a value opens nothing and reloads the widget with it`() throws {
    var (harness, client) = try world()
    let answer = try tap(0, in: &harness, client)
    #expect(answer["opened"] == "nothing")
    #expect(answer["values"] == ["rows": 6])
    #expect(answer["receipt"]?["state"] == "accepted")
    #expect(answer["receipt"]?["cause"] == "tap")
    #expect(harness.launches.isEmpty)
    #expect(try request(harness, "org.example.clock")?["values"] == ["rows": 6])
    let shown = try harness.call("widget.list", from: client)["widgets"]?.arrayValue?.first
    #expect(shown?["values"] == ["rows": 6])
    #expect(shown?["entry"]?["content"]?["title"] == "List")
    let history = try harness.call("daemon.history", from: client)["entries"]?.arrayValue ?? []
    #expect(history.first { $0["event"] == "tap" }?["set"] == ["rows": 6])
    try harness.answer("org.example.clock", Harness.timeline(Self.items))
    #expect(try tap(1, in: &harness, client)["values"] == [:])
    #expect(try request(harness, "org.example.clock")?["values"] == nil)
  }

  @Test func `values that were answered are on disk, and a refused commit takes them back`() throws
  {
    var (harness, client) = try world()
    _ = try tap(0, in: &harness, client)
    var next = Harness(files: harness.files, stored: harness.stored, at: harness.now.wall)
    let again = next.connect()
    let shown = try next.call("widget.list", from: again)["widgets"]?.arrayValue?.first
    #expect(shown?["values"] == ["rows": 6])
    #expect(try request(next, "org.example.clock")?["values"] == ["rows": 6])
    next.storeMode = .waits
    next.send(
      #"{"jsonrpc":"2.0","id":70,"method":"widget.tap","params":{"id":"w","item":9}}"#, to: again)
    #expect(next.daemon.widgetEngine.widgets["w"]?.values.json == ["rows": 9])
    next.storeMode = .commits
    try next.failCommit()
    #expect(next.daemon.widgetEngine.widgets["w"]?.values.json == ["rows": 6])
  }

  @Test func `an item that cannot do what it says is refused and changes nothing`() throws {
    var (harness, client) = try world()
    let wrong = try tap(2, in: &harness, client)
    #expect(wrong["data"]?["name"] == "nothingToOpen")
    #expect(
      wrong["message"]
        == "item [2] of 'w' does nothing, since its set has an array for 'rows', and takes texts, numbers, true, false and null"
    )
    #expect(try tap(5, in: &harness, client)["data"]?["name"] == "unknownIntent")
    #expect(try tap(8, in: &harness, client)["data"]?["name"] == "nothingToOpen", "it is disabled")
    let history = try harness.call("daemon.history", from: client)["entries"]?.arrayValue ?? []
    #expect(!history.contains { $0["event"] == "tap" })
    #expect(harness.daemon.widgetEngine.widgets["w"]?.values.isEmpty == true)
  }

  @Test func `what was pushed to a widget without a provider sets nothing`() throws {
    var (harness, client) = try world()
    try harness.call("widget.add", ["kind": "org.example.note", "id": "n"], from: client)
    try harness.call(
      "widget.push",
      ["id": "n", "timeline": try JSONValue(parsing: Harness.timeline(Self.items))], from: client)
    let refused = try tap(0, "n", in: &harness, client)
    #expect(refused["data"]?["name"] == "nothingToOpen")
    #expect(refused["message"]?.stringValue?.contains("shows what is pushed to it") == true)
    // Its intents are as good as any.
    #expect(try tap(3, "n", in: &harness, client)["opened"] == "intent")
  }

  @Test func `a tap sends an intent as the person, and reloads the widget when it is done`() throws
  {
    var (harness, client) = try world()
    let answer = try tap(3, in: &harness, client)
    #expect(answer["opened"] == "intent")
    #expect(answer["intent"]?["name"] == "ShowWeather")
    #expect(answer["widgets"]?.arrayValue?.first?["suggestion"] == true)
    #expect(harness.running.map(\.kind) == ["org.example.weather"], "first the intent's widget")
    try harness.answer("org.example.weather", Harness.timeline(#"{"text":"3°"}"#))
    #expect(harness.running.map(\.kind) == ["org.example.clock"], "then the one that was tapped")
    let history = try harness.call("daemon.history", from: client)["entries"]?.arrayValue ?? []
    #expect(history.first { $0["event"] == "intent" }?["source"] == "tap:w")
    #expect(history.first { $0["event"] == "tap" }?["intent"] == "ShowWeather")
  }

  @Test func `the questions of an intent come with the answer to the tap`() throws {
    var (harness, client) = try world()
    let asked = try tap(4, in: &harness, client)
    #expect(asked["needs"]?["parameter"] == "city")
    let token = try #require(asked["needs"]?["token"])
    #expect(harness.running.isEmpty)
    let sent = try harness.call(
      "intent.send", ["resume": token, "choice": "Oslo"], from: client)
    #expect(sent["opened"] == "intent")
    #expect(sent["intent"]?["parameters"]?["city"] != nil)
    try harness.answer("org.example.weather", Harness.timeline(#"{"text":"3°"}"#))
    #expect(harness.running.map(\.kind) == ["org.example.clock"])
  }

  @Test func `an intent asks where a link would ask, and is refused where no link makes it`() throws
  {
    var (harness, client) = try world()
    let asked = try tap(6, in: &harness, client)
    #expect(asked["needs"]?["reason"] == "confirmation")
    #expect(asked["needs"]?["prompt"] == "'Clock' asks for: Lock it (door 'back'). Do it?")
    let token = try #require(asked["needs"]?["token"])
    let done = try harness.call("intent.send", ["resume": token, "choice": "yes"], from: client)
    #expect(done["intent"]?["name"] == "Lock")
    #expect(harness.running.map(\.kind) == ["org.example.clock"], "nothing is to be waited for")
    #expect(try tap(7, in: &harness, client)["data"]?["name"] == "linkRefused")
  }

  @Test func `set comes before a URL`() throws {
    var (harness, client) = try world()
    #expect(try tap(9, in: &harness, client)["values"] == ["rows": 9])
    #expect(harness.launches.isEmpty)
  }

  @Test func `a run without news of a policy makes no transaction`() throws {
    let after = #"{"after":"2026-11-20T08:20:00Z"}"#
    var answers = [Harness.timeline(#"{"text":"a"}"#, policy: after)]
    var harness = Harness { _ in
      .answered(Array((answers.popLast() ?? #"{"result":"noData"}"#).utf8))
    }
    let client = harness.connect()
    try harness.call("surface.attach", ["visible": true], from: client)
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "w"], from: client)
    harness.pass(60)
    _ = harness.received(by: client)
    let before = (harness.commitCount, harness.committedByteCount, harness.sends.count)
    harness.pass(1_400)
    let shared = try #require(harness.daemon.widgetEngine.timelines.values.first)
    #expect(shared.recentRuns.count == 2)
    #expect(shared.recentRuns.last?.hasNoData == true)
    #expect(harness.commitCount == before.0)
    #expect(harness.committedByteCount == before.1)
    #expect(harness.sends.count == before.2)
    // The next transaction has it.
    try harness.call("widget.add", ["kind": "org.example.news"], from: client)
    let row = try #require(
      harness.tables[.timeline]?.first { $0.key.hasPrefix("org.example.clock") })
    #expect(try JSONValue(parsing: row.value)["confirmed"] == true)
  }

  @Test func `a stop writes what no transaction had`() throws {
    let after = #"{"after":"2026-11-20T08:20:00Z"}"#
    var answers = [Harness.timeline(#"{"text":"a"}"#, policy: after)]
    var harness = Harness { _ in
      .answered(Array((answers.popLast() ?? #"{"result":"noData"}"#).utf8))
    }
    let client = harness.connect()
    try harness.call("surface.attach", ["visible": true], from: client)
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "w"], from: client)
    harness.pass(1_400)
    harness.handle(.stopRequested)
    #expect(harness.hasStopped)
    let row = try #require(harness.tables[.timeline]?.first)
    let record = try JSONValue(parsing: row.value)
    #expect(record["confirmed"] == true)
    #expect(record["budget"]?["lastSpentAt"]?.stringValue?.hasPrefix("2026-11-20T08:2") == true)
  }
}
