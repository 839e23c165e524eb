import JSON
import Plugins
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Menus that are opened: the run that a script wants for it, and the request that waits.
@Suite struct MenuTests {
  private static func kind(
    _ kind: String, _ format: PluginFormat, every interval: Int64 = 3_600_000,
    runsWhenOpened: Bool = true, isStream: Bool = false
  ) -> WidgetKind {
    var provider = ProviderDeclaration(exec: ["./\(kind)"], directory: "/widgets")
    provider.plugin = PluginDeclaration(format, .every(interval))
    provider.plugin?.runsWhenOpened = runsWhenOpened
    provider.plugin?.isStream = isStream
    return WidgetKind(kind: kind, name: kind, families: [.systemSmall], provider: provider)
  }

  private static let kinds = [
    kind("menu", .argos), kind("plain", .argos, runsWhenOpened: false),
    kind("feed", .swiftbar, isStream: true), kind("block", .i3blocks),
  ]

  /// A daemon with a widget of each kind, all of which have run; nobody watches.
  private func world() throws -> (Harness, ConnectionID) {
    var harness = Harness()
    harness.measure { daemon in
      var output = EngineOutput()
      daemon.engine.setKinds(
        Self.kinds, at: WallTime(seconds: 1_795_161_600), into: &output)
    }
    let client = harness.connect()
    for kind in Self.kinds.map(\.kind) {
      try harness.call("widget.add", ["kind": .string(kind), "id": .string(kind)], from: client)
    }
    try harness.printed("menu", Self.text("first"))
    try harness.printed("plain", Self.text("first"))
    try harness.printed("block", "first")
    try harness.frame("feed", Self.text("first"))
    _ = harness.received(by: client)
    return (harness, client)
  }

  private static func text(_ item: String) -> String { "title\n---\n\(item)\n" }

  /// The runs of the widget `menu` that are under way, as what they are told.
  private func running(_ harness: Harness) -> [String] {
    harness.running.filter { $0.kind == "menu" }.map { run in
      "\(run.plugin?.reason == .menuOpened ? "menuOpened" : "other")"
        + " \(run.plugin?.isMenuOpen == true)"
    }
  }

  /// Sends the request; returns what is answered at once.
  private func open(
    _ number: Int, _ harness: inout Harness, _ client: ConnectionID, of id: String = "menu"
  ) throws -> [String] {
    let request: JSONObject = [
      "jsonrpc": "2.0", "id": .int(Int64(number)), "method": "widget.openMenu",
      "params": ["id": .string(id)],
    ]
    return try harness.send(JSONValue.object(request).serialized, to: client).map(told)
  }

  /// Returns `1 done first`: the request, its run and the first item.
  private func told(_ line: String) throws -> String {
    let answer = try JSONValue(parsing: line)
    let number = answer["id"]?.serialized ?? ""
    guard let result = answer["result"] else {
      return "\(number) \(answer["error"]?["data"]?["name"]?.stringValue ?? "")"
    }
    let items = result["widget"]?["entry"]?["content"]?["items"]?.arrayValue
    return
      "\(number) \(result["run"]?.stringValue ?? "") \(items?.first?["text"]?.stringValue ?? "")"
  }

  @Test func `a script that wants it runs for its menu, and the answer has what it printed`() throws
  {
    var (harness, client) = try world()
    #expect(try open(1, &harness, client) == [])
    #expect(running(harness) == ["menuOpened true"])
    harness.storeMode = .waits
    try harness.printed("menu", Self.text("second"))
    let lines = harness.received(by: client)
    #expect(try lines.map(told) == ["1 done second"], "it waits for no disk")
    // The revision of the answer is the one that a tap names.
    let revision = try JSONValue(parsing: try #require(lines.first))["result"]?["widget"]?[
      "revision"]
    #expect(
      try harness.refusal(
        "widget.tap", ["id": "menu", "item": 0, "revision": try #require(revision)], from: client)
        == "-32030 nothingToOpen")
    // The next run by its interval knows of no menu.
    try harness.call("surface.attach", ["visible": true], from: client)
    harness.pass(3_600)
    #expect(running(harness) == ["other false"])
    let history = try harness.call("daemon.history", from: client).serialized
    #expect(!history.contains("\"menu\",\"unchanged\"") && !history.contains("\"cause\":\"menu\""))
  }

  @Test func `a menu waits two seconds for its script, and then has the last items`() throws {
    var (harness, client) = try world()
    #expect(try open(1, &harness, client) == [])
    harness.pass(1)
    #expect(harness.received(by: client) == [])
    harness.pass(1)
    #expect(try harness.received(by: client).map(told) == ["1 late first"])
    // The run goes on, and serves whoever opens the menu meanwhile.
    #expect(running(harness) == ["menuOpened true"])
    #expect(try open(2, &harness, client) == [])
    #expect(running(harness) == ["menuOpened true"])
    try harness.printed("menu", Self.text("second"))
    #expect(try harness.received(by: client).map(told) == ["2 done second"])
    #expect(running(harness) == [])
  }

  @Test func `a menu that is opened again and again leads to no quarantine`() throws {
    var (harness, client) = try world()
    for number in 1...100 {
      #expect(try open(number, &harness, client) == [])
      try harness.printed("menu", Self.text("\(number)"))
      #expect(try harness.received(by: client).map(told) == ["\(number) done \(number)"])
    }
    let status = try harness.call("daemon.status", from: client)
    #expect(status["quarantined"]?.arrayValue?.isEmpty ?? true)
  }

  @Test func `a script that fails leaves the last items, and says so`() throws {
    var (harness, client) = try world()
    #expect(try open(1, &harness, client) == [])
    try harness.printed("menu", "no\n", exitStatus: 1)
    let line = try #require(harness.received(by: client).first)
    #expect(try told(line) == "1 failed first")
    #expect(line.contains("\"error\":"))
  }

  @Test func `a run that was not told of the menu is followed by one that is`() throws {
    var (harness, client) = try world()
    try harness.call("widget.reload", ["id": "menu"], from: client)
    #expect(running(harness) == ["other false"])
    #expect(try open(1, &harness, client) == [])
    #expect(try open(2, &harness, client) == [])
    try harness.printed("menu", Self.text("second"))
    #expect(!harness.received(by: client).contains { $0.contains("\"run\"") })
    #expect(running(harness) == ["menuOpened true"])
    try harness.printed("menu", Self.text("third"))
    #expect(
      try harness.received(by: client).filter { $0.contains("\"run\"") }.map(told)
        == ["1 done third", "2 done third"])
    #expect(running(harness) == [])
  }

  @Test(arguments: ["plain", "feed", "block"])
  func `a menu that needs no run is answered at once`(_ id: String) throws {
    var (harness, client) = try world()
    let before = harness.running.count
    let answer = try open(1, &harness, client, of: id)
    #expect(answer == [id == "block" ? "1 none " : "1 none first"])
    #expect(harness.running.count == before)
    #expect(try open(2, &harness, client, of: "nobody") == ["2 unknownWidget"])
  }

  @Test func `a script whose interval is over because nobody watched runs first`() throws {
    var (harness, client) = try world()
    harness.pass(8_000)
    #expect(!harness.running.contains { $0.kind == "plain" })
    #expect(try open(1, &harness, client, of: "plain") == [])
    try harness.printed("plain", Self.text("second"))
    #expect(try harness.received(by: client).map(told) == ["1 done second"])
    #expect(!harness.running.contains { $0.kind == "plain" })
  }

  @Test func `a widget that is removed, and a daemon that stops, refuse an open menu`() throws {
    var (harness, client) = try world()
    #expect(try open(1, &harness, client) == [])
    try harness.call("widget.remove", ["id": "menu"], from: client)
    harness.pass(2)
    #expect(try harness.received(by: client).map(told) == ["1 unknownWidget"])
    var (other, person) = try world()
    #expect(try open(1, &other, person) == [])
    other.handle(.stopRequested)
    #expect(try other.received(by: person).map(told) == ["1 stopping"])
    var (third, gone) = try world()
    #expect(try open(1, &third, gone) == [])
    third.handle(.disconnected(gone))
    third.pass(2)
    #expect(third.received(by: gone) == [])
  }
}
