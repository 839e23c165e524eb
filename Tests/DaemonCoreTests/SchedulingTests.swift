import IntentRouter
import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Tests scheduling as clients see it: watching, rules, quarantine, the network, changing kinds.
@Suite struct SchedulingTests {
  /// Answers each run at once with `policy` and keeps the requests.
  private final class Asked {
    var requests: [JSONValue] = []
  }

  private func world(
    policy: String = #"{"after":"2026-11-20T08:10:00Z"}"#
  ) throws -> (harness: Harness, client: ConnectionID, asked: Asked) {
    let asked = Asked()
    var harness = Harness { run in
      do {
        asked.requests.append(try JSONValue(parsing: run.request))
      } catch {
        Issue.record("a request that is no JSON")
      }
      return .answered(Array(Harness.timeline(#"{"text":"\#(run.kind)"}"#, policy: policy).utf8))
    }
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: client)
    return (harness, client, asked)
  }

  private func runs(_ harness: Harness, _ kind: String = "org.example.clock") -> Int {
    harness.daemon.widgetEngine.countersByKind[kind]?.runs ?? 0
  }

  private func events(_ harness: inout Harness, _ client: ConnectionID) throws -> [String] {
    try harness.call("daemon.history", ["limit": 100], from: client)["entries"]?.arrayValue?
      .compactMap { $0["event"]?.stringValue } ?? []
  }

  // MARK: Watching

  @Test
  func
    `without a surface nothing is reloaded, with one what is due is, after the cached entry went out`()
    throws
  {
    var (harness, _, _) = try world()
    harness.pass(86_400)
    #expect(runs(harness) == 1)
    let bar = harness.connect()
    harness.provider = { _ in nil }
    let attached = try harness.call("surface.attach", from: bar)
    #expect(
      attached["widgets"]?.arrayValue?.first?["entry"]?["content"]?["text"] == "org.example.clock")
    #expect(runs(harness) == 2)
    try harness.answer("org.example.clock", Harness.timeline(#"{"text":"new"}"#))
    #expect(harness.received(by: bar).count == 1)
  }

  @Test func `hidden surfaces and those that left do not watch`() throws {
    var (harness, _, _) = try world(policy: #""atEnd""#)
    let bar = harness.connect()
    try harness.call("surface.attach", ["visible": false], from: bar)
    harness.pass(3_600)
    #expect(runs(harness) == 1)
    try harness.call("surface.visibility", ["visible": true], from: bar)
    #expect(runs(harness) == 2)
    harness.pass(299)
    #expect(runs(harness) == 2)
    harness.pass(1)
    #expect(runs(harness) == 3)
    try harness.call("surface.visibility", ["visible": false], from: bar)
    harness.pass(3_600)
    #expect(runs(harness) == 3)
    try harness.call("surface.visibility", ["visible": true], from: bar)
    #expect(runs(harness) == 4)
    harness.handle(.disconnected(bar))
    harness.pass(3_600)
    #expect(runs(harness) == 4)
  }

  @Test
  func `a client that reads widgets watches them for an hour, an app that lists them does not`()
    throws
  {
    var (harness, client, _) = try world(policy: #""atEnd""#)
    harness.pass(3_600)
    let app = harness.connect()
    try harness.call("app.register", ["app": "org.example.Weather"], from: app)
    try harness.call("widget.list", from: app)
    #expect(runs(harness) == 1)
    for method in ["widget.list", "stack.order", "stack.explain"] {
      let before = runs(harness)
      try harness.call(method, from: client)
      #expect(runs(harness) == before + 1, "\(method)")
      harness.pass(86_400)
      #expect(
        (before + 10...before + 14).contains(runs(harness)), "\(method): \(runs(harness) - before)")
    }
    try harness.call("widget.timeline", ["id": "clock"], from: client)
    #expect(try harness.call("daemon.status", from: client)["watched"] == 0)
  }

  // MARK: Surroundings

  @Test func `the properties of a surface reach the provider`() throws {
    var (harness, _, asked) = try world()
    let bar = harness.connect()
    try harness.call(
      "surface.attach",
      [
        "locale": "de_DE", "textSize": "xxLarge", "profile": "bar",
        "displaySizes": ["systemSmall": ["width": 320, "height": 200]],
      ], from: bar)
    let request = try #require(asked.requests.last)
    #expect(asked.requests.count == 2)
    #expect(request["locale"] == "de_DE")
    #expect(request["textSize"] == "xxLarge")
    #expect(request["displaySize"]?.serialized == #"{"width":320,"height":200}"#)
    // The next start knows the properties before any surface connects.
    let fresh = Harness(stored: harness.stored, provider: Harness.texts)
    #expect(fresh.daemon.widgetEngine.locale == "de_DE")
    #expect(fresh.daemon.widgetEngine.textSize == .xxLarge)
    #expect(fresh.log.allSatisfy { $0.level != .error })
  }

  @Test(
    arguments: [
      ["textSize": "huge"], ["textSize": 3], ["locale": "../x"], ["locale": ""],
      ["profile": "watch"],
      ["displaySizes": ["systemSmall": 3]], ["displaySizes": ["huge": ["width": 1, "height": 1]]],
      ["displaySizes": ["systemSmall": ["width": 0, "height": 1]]],
    ] as [JSONValue])
  func `wrong properties are refused, and the client is no surface then`(_ params: JSONValue) throws
  {
    var (harness, client, asked) = try world()
    #expect(try harness.refusal("surface.attach", params, from: client) == "-32602")
    #expect(try harness.call("daemon.status", from: client)["surfaces"] == 0)
    #expect(asked.requests.count == 1)
  }

  // MARK: Rules of one widget

  @Test func `a widget's own rules are set, kept and taken back`() throws {
    var (harness, client, _) = try world()
    let receipts = try harness.call(
      "widget.configure", ["id": "clock", "reload": ["perDay": 24, "activeHours": "7-23"]],
      from: client)
    #expect(receipts["receipt"] == nil)
    #expect(runs(harness) == 1)
    let rules =
      #"{"perDay":24,"minimumInterval":"5m","learning":"3d","unchangedIsFree":false,"activeHours":"7-23"}"#
    #expect(
      try harness.call("widget.budget", ["id": "clock"], from: client)["rules"]?.serialized == rules
    )
    var fresh = Harness(stored: harness.stored, provider: Harness.texts)
    let other = fresh.connect()
    #expect(
      try fresh.call("widget.budget", ["id": "clock"], from: other)["rules"]?.serialized == rules)
    try fresh.call("widget.configure", ["id": "clock", "reload": [:]], from: other)
    #expect(
      try fresh.call("widget.budget", ["id": "clock"], from: other)["rules"]?["perDay"] == "40-70")
    #expect(
      try fresh.refusal("widget.configure", ["id": "clock", "reload": ["perDay": 0]], from: other)
        == "-32602")
    #expect(
      try fresh.refusal("widget.configure", ["id": "nobody", "reload": [:]], from: other)
        == "-32020 unknownWidget")
  }

  @Test func `the causes of spending are known after a restart`() throws {
    let (harness, _, _) = try world()
    var fresh = Harness(stored: harness.stored, provider: Harness.texts)
    let client = fresh.connect()
    let runs =
      try fresh.call("widget.budget", ["id": "clock"], from: client)["runs"]?.arrayValue ?? []
    #expect(runs.map { $0["cause"] } == ["placed"])
  }

  @Test func `records of an earlier version are read with defaults`() throws {
    let widget =
      #"{"kind":"org.example.clock","family":"systemSmall","intent":null,"configurationKey":"","suggestion":false,"position":1,"placedAt":"2026-11-01T08:00:00Z"}"#
    let timeline =
      #"{"intent":null,"failures":0,"scoreMax":0.0,"budget":{"balance":3.5,"at":"2026-11-20T07:59:00Z","lastSpentAt":null},"timeline":{"entries":[{"date":"2026-11-20T07:00:00Z","content":{"text":"old"}}],"policy":"never"},"fetchedAt":"2026-11-20T07:00:00Z"}"#
    let stored = StoredState(tables: [
      .widget: [.init(key: "clock", bytes: Array(widget.utf8))],
      .timeline: [
        .init(key: "org.example.clock\u{1F}systemSmall\u{1F}", bytes: Array(timeline.utf8))
      ],
    ])
    var harness = Harness(stored: stored, provider: Harness.texts)
    #expect(harness.log.allSatisfy { $0.level != .error })
    let client = harness.connect()
    let budget = try harness.call("widget.budget", ["id": "clock"], from: client)
    #expect(budget["perDay"] == 40)
    #expect((3.5...3.6).contains(budget["balance"]?.doubleValue ?? 0))
    let text = try harness.call("widget.list", from: client)["widgets"]?.arrayValue?.first?[
      "entry"]?["content"]?["text"]
    #expect(text == "old")
  }

  // MARK: Quarantine and network

  @Test func `a quarantine appears in the journal, the log, the status and the metrics`() throws {
    var (harness, client, _) = try world()
    harness.provider = { _ in .failed(ProviderFailure(.exited(code: 1))) }
    for _ in 0..<10 { try harness.call("widget.reload", ["id": "clock"], from: client) }
    let status = try harness.call("daemon.status", from: client)
    #expect(status["quarantined"]?.arrayValue?.first?["kind"] == "org.example.clock")
    #expect(status["quarantined"]?.arrayValue?.first?["cause"] == "failing")
    #expect(try events(&harness, client).contains("provider.quarantined"))
    #expect(harness.log.contains { $0.event == "provider.quarantined" && $0.level == .warning })
    let metrics = try harness.call("daemon.metrics", from: client)["text"]?.stringValue ?? ""
    #expect(metrics.contains("\nintentd_providers_quarantined 1\n"))
    #expect(metrics.contains(#"intentd_provider_quarantines_total{kind="org.example.clock"} 1"#))
    harness.provider = Harness.texts
    harness.pass(3_600)
    #expect(try harness.call("daemon.status", from: client)["quarantined"] == [])
    #expect(try events(&harness, client).contains("provider.released"))
  }

  private static func online(_ name: String = "org.example.clock") -> ManifestSource {
    Harness.manifest(
      "clock.yaml",
      "kind: \(name)\nname: Clock\nfamilies: [systemSmall]\nprovider: {exec: [./clock]}\nneeds: network"
    )
  }

  @Test func `a kind that needs the network waits for it`() throws {
    var (harness, client, _) = try world(policy: #""atEnd""#)
    harness.files.manifests = [Self.online()]
    harness.handle(.reloadRequested)
    try harness.call("surface.attach", from: client)
    harness.handle(.networkChanged(isUp: false))
    #expect(try harness.call("daemon.status", from: client)["network"] == "down")
    let before = runs(harness)
    harness.pass(7_200)
    #expect(runs(harness) == before)
    harness.handle(.networkChanged(isUp: true))
    #expect(runs(harness) == before + 1)
    #expect(try events(&harness, client).filter { $0 == "network" }.count == 2)
  }

  @Test func `before the start the network and the zone are only noted`() throws {
    var harness = Harness(isStarted: false)
    harness.handle(.zoneChanged(secondsEast: 3_600), .networkChanged(isUp: false), .started)
    #expect(harness.isReady)
    #expect(harness.daemon.widgetEngine.zoneOffset == 3_600_000)
    #expect(!harness.daemon.widgetEngine.networkIsUp)
    let client = harness.connect()
    #expect(try events(&harness, client) == ["configuration"])
  }

  @Test func `another time zone reloads watched widgets`() throws {
    var (harness, client, _) = try world()
    try harness.call("surface.attach", from: client)
    harness.handle(.zoneChanged(secondsEast: 7_200))
    #expect(runs(harness) == 2)
    harness.handle(.zoneChanged(secondsEast: 7_200))
    #expect(runs(harness) == 2)
    // Another zone may have the same offset today, and none in summer.
    harness.handle(.zoneChanged(secondsEast: 7_200, hasOtherRules: true))
    #expect(runs(harness) == 3)
  }

  // MARK: Kinds that change

  private func manifest(_ kind: String, _ more: String) -> ManifestSource {
    Harness.manifest(
      "weather.yaml",
      "kind: \(kind)\nname: Weather\nfamilies: [systemSmall]\nprovider: {exec: [./weather]}\n\(more)"
    )
  }

  private func weather() throws -> (harness: Harness, client: ConnectionID) {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call(
      "widget.add",
      ["kind": "org.example.weather", "id": "home", "parameters": ["city": "Beijing"]],
      from: client)
    return (harness, client)
  }

  private func home(_ harness: inout Harness, _ client: ConnectionID) throws -> JSONValue {
    try #require(try harness.call("widget.list", from: client)["widgets"]?.arrayValue?.first)
  }

  @Test func `a renamed kind takes its widgets along, also after a restart`() throws {
    var (harness, client) = try weather()
    let renamed = manifest("org.example.sky", "intent: ShowWeather\naliases: [org.example.weather]")
    let stored = harness.stored
    harness.files.manifests = [renamed]
    harness.handle(.reloadRequested)
    let widget = try home(&harness, client)
    #expect(widget["kind"] == "org.example.sky")
    #expect(widget["orphaned"] == false)
    #expect(widget["intent"]?["parameters"]?["city"] == "Beijing")
    #expect(harness.log.contains { $0.event == "widget.migrated" })
    var fresh = Harness(files: harness.files, stored: stored, provider: Harness.texts)
    let other = fresh.connect()
    #expect(try home(&fresh, other)["kind"] == "org.example.sky")
    #expect(try home(&fresh, other)["entry"]?["content"]?["text"] != nil)
  }

  @Test func `without an alias a widget is orphaned and comes back unchanged`() throws {
    var (harness, client) = try weather()
    let before = try home(&harness, client)
    let files = harness.files
    harness.files.manifests = [manifest("org.example.sky", "intent: ShowWeather")]
    harness.handle(.reloadRequested)
    #expect(try home(&harness, client)["orphaned"] == true)
    harness.files = files
    harness.handle(.reloadRequested)
    #expect(try home(&harness, client) == before)
  }

  @Test func `a kind that needs no configuration any more drops it with a report`() throws {
    var (harness, client) = try weather()
    harness.files.manifests = [manifest("org.example.weather", "")]
    harness.handle(.reloadRequested)
    #expect(try home(&harness, client)["intent"] == nil)
    #expect(try home(&harness, client)["orphaned"] == false)
    let report = try harness.call("daemon.history", ["limit": 100], from: client)["entries"]?
      .arrayValue?
      .first { $0["event"] == "widget.migrated" }
    #expect(report?["dropped"]?.serialized == #"{"city":"Beijing"}"#)
    #expect(report?["fromIntent"]?["name"] == "ShowWeather")
  }

  /// Returns an intent `ShowWeather` with these parameters.
  private func intent(_ parameters: String) -> [CatalogSource] {
    let document = Harness.manifest(
      "ShowWeather/intent.yaml", "name: ShowWeather\ntitle: Weather\nparameters:\n\(parameters)"
    ).document
    return [CatalogSource(file: "ShowWeather/intent.yaml", document: document, kind: .intent)]
  }

  @Test func `parameters are kept by name and type, others are dropped and reported`() throws {
    var (harness, client) = try weather()
    // The parameter keeps its name, gets another type and a default for it.
    harness.files.catalog = intent(
      "  - {name: city, type: integer, default: 7}\n  - {name: units, type: string}")
    harness.files.manifests = [manifest("org.example.weather", "intent: ShowWeather")]
    harness.handle(.reloadRequested)
    let widget = try home(&harness, client)
    #expect(widget["orphaned"] == false)
    #expect(widget["intent"]?["parameters"]?["city"] != "Beijing")
    let report = try harness.call("daemon.history", ["limit": 100], from: client)["entries"]?
      .arrayValue?
      .first { $0["event"] == "widget.migrated" }
    #expect(report?["dropped"]?["city"] == "Beijing")
  }

  @Test
  func
    `what cannot be filled in leaves the widget orphaned with its entry, until it is configured`()
    throws
  {
    var (harness, client) = try weather()
    let files = harness.files
    harness.files.catalog = intent("  - {name: region, type: string, required: true}")
    harness.files.manifests = [manifest("org.example.weather", "intent: ShowWeather")]
    harness.handle(.reloadRequested)
    var widget = try home(&harness, client)
    #expect(widget["orphaned"] == true)
    #expect(widget["problem"]?.stringValue?.contains("region") == true)
    #expect(widget["entry"]?["content"]?["text"] == "org.example.weather")
    #expect(widget["intent"]?["parameters"]?["city"] == "Beijing")
    #expect(harness.log.contains { $0.event == "widget.orphaned" })
    let stored = harness.stored
    // Configuring the widget makes it work again.
    try harness.call(
      "widget.configure", ["id": "home", "parameters": ["region": "North"]], from: client)
    widget = try home(&harness, client)
    #expect(widget["orphaned"] == false)
    #expect(widget["problem"] == nil)
    // Restoring the old intent also makes it work again, with the old city.
    var fresh = Harness(files: files, stored: stored, provider: Harness.texts)
    let other = fresh.connect()
    widget = try home(&fresh, other)
    #expect(widget["orphaned"] == false)
    #expect(widget["intent"]?["parameters"]?["city"] == "Beijing")
  }
}
