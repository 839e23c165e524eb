import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// The rules for registered apps: what they hear of their widgets, when, and which they configure.
@Suite struct AppWidgetTests {
  private static let app = "org.example.Weather"

  /// A daemon with one widget of the app and one of no app, the app, and a person's client.
  private func world() throws -> (harness: Harness, person: ConnectionID, app: ConnectionID) {
    var harness = Harness(provider: Harness.texts)
    let person = harness.connect()
    try harness.call(
      "widget.add", ["kind": "org.example.weather", "parameters": ["city": "Rome"]], from: person)
    try harness.call("widget.add", ["kind": "org.example.clock"], from: person)
    let app = harness.connect()
    return (harness, person, app)
  }

  private func register(_ app: ConnectionID, _ harness: inout Harness) throws -> JSONValue {
    try harness.call("app.register", ["app": .string(Self.app)], from: app)
  }

  /// The changes that a client was told since the last call, as `placed weather Rome`; `more` where
  /// the daemon said that there are others.
  private func told(_ connection: ConnectionID, _ harness: inout Harness) throws -> [String] {
    var told: [String] = []
    for line in harness.received(by: connection) {
      let message = try JSONValue(parsing: line)
      guard message["method"] == "app.widgetsChanged" else { continue }
      #expect(message["params"]?["app"] == .string(Self.app))
      for change in message["params"]?["changes"]?.arrayValue ?? [] {
        let widget = change["widget"]
        let words = [
          change["change"], widget?["id"], widget?["intent"]?["parameters"]?["city"],
        ]
        told.append(words.compactMap { $0?.stringValue }.joined(separator: " "))
      }
      if message["params"]?["more"] == true { told.append("more") }
    }
    return told
  }

  @Test func `the answer to a registration has the app's widgets and no others`() throws {
    var (harness, _, app) = try world()
    #expect(
      try register(app, &harness)["widgets"]?.serialized
        == #"[{"id":"weather","kind":"org.example.weather","family":"systemSmall","#
        + #""intent":{"name":"ShowWeather","parameters":{"city":"Rome"}},"suggestion":false}]"#)
  }

  @Test func `an app hears of its widgets as a person places, configures and removes them`() throws
  {
    var (harness, person, app) = try world()
    _ = try register(app, &harness)
    try harness.call(
      "widget.add",
      ["kind": "org.example.weather", "id": "home", "parameters": ["city": "Oslo"]], from: person)
    #expect(try told(app, &harness) == ["placed home Oslo"])
    try harness.call(
      "widget.configure", ["id": "home", "parameters": ["city": "Bergen"]], from: person)
    #expect(try told(app, &harness) == ["configured home Bergen"])
    try harness.call("widget.configure", ["id": "home", "family": "systemMedium"], from: person)
    #expect(try told(app, &harness) == ["moved home Bergen"])
    try harness.call("widget.remove", ["id": "home"], from: person)
    #expect(try told(app, &harness) == ["removed home Bergen"])
    try harness.call("widget.restore", from: person)
    #expect(try told(app, &harness) == ["placed home Bergen"])
    try harness.call(
      "intent.send", ["intent": "ShowWeather", "parameters": ["city": "Cairo"]],
      from: person)
    #expect(try told(app, &harness) == ["placed suggestion:org.example.weather Cairo"])
  }

  @Test func `an app hears nothing of others' widgets, and nothing of content and rules`() throws {
    var (harness, person, app) = try world()
    _ = try register(app, &harness)
    try harness.call(
      "widget.configure", ["id": "clock", "family": "accessoryInline"], from: person)
    try harness.call("widget.remove", ["id": "clock"], from: person)
    try harness.call("widget.reload", ["id": "weather"], from: person)
    try harness.call(
      "widget.configure", ["id": "weather", "reload": ["perDay": "24"]], from: person)
    #expect(try told(app, &harness) == [])
  }

  @Test func `a change is told once it is on disk, and several of a widget as one`() throws {
    var (harness, person, app) = try world()
    _ = try register(app, &harness)
    harness.storeMode = .waits
    harness.send(
      #"""
      {"jsonrpc":"2.0","id":"a","method":"widget.configure","params":{"id":"weather","parameters":{"city":"Oslo"}}}
      """#, to: person)
    #expect(try told(app, &harness) == [])
    // These wait for the next transaction.
    for (id, city) in [("b", "Bergen"), ("c", "Cairo")] {
      harness.send(
        #"{"jsonrpc":"2.0","id":"\#(id)","method":"widget.configure","#
          + #""params":{"id":"weather","parameters":{"city":"\#(city)"}}}"#, to: person)
    }
    try harness.commit()
    #expect(try told(app, &harness) == ["configured weather Oslo"])
    try harness.commit()
    #expect(try told(app, &harness) == ["configured weather Cairo"])
  }

  @Test func `a change that could not be saved is told to nobody`() throws {
    var (harness, person, app) = try world()
    _ = try register(app, &harness)
    harness.storeMode = .waits
    harness.send(
      #"{"jsonrpc":"2.0","id":"a","method":"widget.remove","params":{"id":"weather"}}"#, to: person)
    // It registers while the removal is in memory alone.
    let late = harness.connect()
    #expect(try register(late, &harness)["widgets"]?.arrayValue?.count == 1)
    harness.storeMode = .commits
    try harness.failCommit()
    harness.pass(5)
    #expect(try told(app, &harness) == [])
    #expect(try told(late, &harness) == [])
    try harness.call("widget.remove", ["id": "weather"], from: person)
    #expect(try told(app, &harness) == ["removed weather Rome"])
    #expect(try told(late, &harness) == ["removed weather Rome"])
  }

  @Test func `a kind that comes to another app takes its widgets along`() throws {
    var (harness, _, app) = try world()
    _ = try register(app, &harness)
    let other = harness.connect()
    try harness.call("app.register", ["app": "org.example.Sky"], from: other)
    let manifest = """
      kind: org.example.weather
      name: Weather
      families: [systemSmall]
      intent: ShowWeather
      provider: {exec: [./weather]}
      app: org.example.Sky
      """
    harness.files.manifests[0] = Harness.manifest("weather.yaml", manifest)
    harness.handle(.configuration(harness.files))
    #expect(try told(app, &harness) == ["removed weather Rome"])
    let line = try #require(harness.received(by: other).first)
    let changes = try JSONValue(parsing: line)["params"]?["changes"]?.arrayValue
    #expect(changes?.map { $0["change"] } == ["placed"])
  }

  @Test func `an app that does not read is told afterwards that it missed something`() throws {
    var (harness, person, app) = try world()
    _ = try register(app, &harness)
    harness.handle(.backedUp(app))
    for family in ["systemMedium", "systemSmall"] {
      try harness.call(
        "widget.configure", ["id": "weather", "family": .string(family)], from: person)
    }
    #expect(try told(app, &harness) == [])
    harness.handle(.drained(app))
    #expect(try told(app, &harness) == ["more"])
    try harness.call("widget.remove", ["id": "weather"], from: person)
    #expect(try told(app, &harness) == ["removed weather Rome"])
  }

  @Test func `of very many changes the first are told, and that there are more`() throws {
    var (harness, person, app) = try world()
    let count = DaemonCore.Limits.toldAppWidgetCountMax
    _ = try register(app, &harness)
    harness.storeMode = .waits
    for number in 0...count {
      harness.send(
        #"{"jsonrpc":"2.0","id":\#(number),"method":"widget.add","params":"#
          + #"{"kind":"org.example.weather","id":"w\#(number)","parameters":{"city":"Rome"}}}"#,
        to: person)
    }
    harness.storeMode = .commits
    try harness.commit()
    let told = try told(app, &harness)
    // The first transaction had one of them.
    #expect(told.count == count + 1)
    #expect(told.first == "placed w0 Rome")
    #expect(told.last == "placed w\(count) Rome")
    let answer = try register(app, &harness)
    #expect(answer["widgets"]?.arrayValue?.count == count)
    #expect(answer["more"] == true)
  }

  // MARK: Configuring

  @Test func `an app configures its own widget, and the history says so`() throws {
    var (harness, person, app) = try world()
    _ = try register(app, &harness)
    let answer = try harness.call(
      "widget.configure", ["id": "weather", "parameters": ["city": "Oslo"]], from: app)
    #expect(answer["widget"]?["intent"]?["parameters"]?["city"] == "Oslo")
    #expect(try told(app, &harness) == ["configured weather Oslo"])
    /// The apps that configured the widget, the latest first.
    func configured(_ harness: inout Harness) throws -> [JSONValue?] {
      let history = try harness.call("daemon.history", ["widget": "weather"], from: person)
      return (history["entries"]?.arrayValue ?? []).filter { $0["event"] == "widget.configured" }
        .map { $0["app"] }
    }
    #expect(try configured(&harness) == [.string(Self.app)])
    // A person's client is no app.
    try harness.call("widget.configure", ["id": "weather", "family": "systemMedium"], from: person)
    #expect(try configured(&harness) == [nil, .string(Self.app)])
  }

  @Test func `an app configures no widget of others, and no rules`() throws {
    var (harness, _, app) = try world()
    _ = try register(app, &harness)
    #expect(
      try harness.call(
        "widget.configure", ["id": "clock", "family": "accessoryInline"], from: app
      ).serialized == """
        {"code":-32033,"message":"'clock' is a widget of no app, and org.example.Weather may \
        configure its own alone; its kinds are those whose manifests say app: org.example.Weather",\
        "data":{"name":"foreignWidget","app":null}}
        """)
    #expect(
      try harness.refusal(
        "widget.configure", ["id": "weather", "reload": ["perDay": "1440"]], from: app) == "-32602")
    #expect(harness.daemon.widgetEngine.widgets["weather"]?.reload.isEmpty == true)
  }

  @Test func `an app in the background configures at a pace`() throws {
    var (harness, _, app) = try world()
    _ = try register(app, &harness)
    let families = ["systemMedium", "systemSmall"]
    func configure(_ number: Int, _ harness: inout Harness) throws -> JSONValue {
      try harness.call(
        "widget.configure", ["id": "weather", "family": .string(families[number % 2])], from: app)
    }
    for number in 0..<Int(DaemonCore.Limits.appConfigurationBurst) {
      #expect(try configure(number, &harness)["widget"] != nil)
    }
    let refused = try configure(0, &harness)
    #expect(refused["data"]?["name"] == "limitReached")
    #expect(refused["data"]?["seconds"] == 60)
    // The person looks at the app.
    try harness.call("app.state", ["state": "foreground"], from: app)
    #expect(try configure(0, &harness)["widget"] != nil)
    try harness.call("app.state", ["state": "background"], from: app)
    harness.pass(60)
    #expect(try configure(1, &harness)["widget"] != nil)
    #expect(try configure(0, &harness)["data"]?["name"] == "limitReached")
  }

  // MARK: Groups

  @Test func `an app gets the folder of its group, which is made before it hears of it`() throws {
    var (harness, _, app) = try world()
    let manifest = """
      kind: org.example.weather
      name: Weather
      families: [systemSmall]
      intent: ShowWeather
      provider: {exec: [./weather]}
      app: org.example.Weather
      group: org.example.sky
      """
    harness.files.manifests[0] = Harness.manifest("weather.yaml", manifest)
    harness.handle(.configuration(harness.files))
    #expect(
      try register(app, &harness)["groups"] == ["org.example.sky": "/groups/org.example.sky"])
    #expect(harness.madeGroups == ["org.example.sky"])
    let other = harness.connect()
    let answer = try harness.call("app.register", ["app": "org.example.Other"], from: other)
    #expect(answer["groups"] == nil)
  }
}
