import Documents
import IntentRouter
import JSON
import Testing
import Timekeeping

@testable import DaemonCore

/// Tests which widgets a donation is about.
@Suite struct DonationTests {
  private static let lamp = CatalogSource(
    file: "SetLamp/intent.yaml",
    document: readYAML(
      """
      name: SetLamp
      parameters:
        - {name: lamp}
        - {name: level, type: integer, default: 50}
      combinations:
        - {parameters: [lamp], title: "Light ${lamp}"}
        - {parameters: [lamp, level], title: "Set ${lamp} to ${level}"}
      """, file: "SetLamp/intent.yaml"
    ).value ?? LocatedValue(.null, line: 1), kind: .intent)

  private static let manifest = Harness.manifest(
    "lamp.yaml",
    """
    kind: lamp
    name: Lamp
    families: [systemSmall]
    intent: SetLamp
    provider: {exec: [./lamp]}
    app: org.example.Lamp
    """)

  private static func starts(_ request: LaunchRequest) -> LaunchOutcome? {
    .started(application: "org.example.Lamp.desktop", processID: 7)
  }

  private func donate(_ parameters: JSONValue) throws -> JSONValue {
    var harness = Harness(
      files: ConfigurationFiles(catalog: [Self.lamp], manifests: [Self.manifest]),
      provider: Harness.texts)
    let client = harness.connect()
    for (id, values) in [
      ("hall40", ["lamp": "Hall", "level": 40]), ("hall", ["lamp": "Hall"]),
      ("attic", ["lamp": "Attic"]),
    ] as [(String, JSONValue)] {
      try harness.call(
        "widget.add", ["kind": "lamp", "id": .string(id), "parameters": values], from: client)
    }
    return try harness.call(
      "intent.donate", ["intent": "SetLamp", "parameters": parameters], from: client)
  }

  @Test func `only the parameters of the combination that was given count`() throws {
    let one = try donate(["lamp": "hall"])
    #expect(one["combination"] == ["lamp"])
    #expect(one["widgets"] == ["hall40", "hall"])
    let two = try donate(["lamp": "HALL", "level": 40])
    #expect(two["combination"] == ["lamp", "level"])
    #expect(two["widgets"] == ["hall40"])
    let standard = try donate(["lamp": "Hall", "level": 50])
    #expect(standard["widgets"] == ["hall"], "the default is a value like another")
  }

  @Test func `a donation that fits no combination is about no widget`() throws {
    let none = try donate(["level": 40])
    #expect(none["combination"] == .null)
    #expect(none["widgets"] == [])
  }

  @Test func `without combinations a donation is about the widgets with exactly its parameters`()
    throws
  {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    for city in ["Rome", "Oslo"] {
      try harness.call(
        "widget.add",
        [
          "kind": "org.example.weather", "id": .string(city), "parameters": ["city": .string(city)],
        ],
        from: client)
    }
    let answer = try harness.call(
      "intent.donate", ["intent": "ShowWeather", "parameters": ["city": "rome"]], from: client)
    #expect(answer["widgets"] == ["Rome"])
    #expect(answer["combination"] == nil)
  }

  // MARK: Windows of manifests

  private func harness(suggest: String) -> Harness {
    let manifest = Harness.manifest(
      "lamp.yaml",
      """
      kind: lamp
      name: Lamp
      families: [systemSmall]
      intent: SetLamp
      provider: {exec: [./lamp]}
      suggest:
        - \(suggest)
      """)
    return Harness(
      files: ConfigurationFiles(catalog: [Self.lamp], manifests: [manifest]),
      provider: Harness.texts)
  }

  @Test func `a suggestion of a manifest becomes an intent, and survives a restart`() throws {
    var harness = harness(suggest: "{from: 08:00, to: 10:00, parameters: {lamp: Hall}}")
    let client = harness.connect()
    let widgets = try harness.call("widget.list", from: client)["widgets"]?.arrayValue ?? []
    #expect(widgets.map { $0["id"] } == ["suggestion:lamp"])
    #expect(widgets.first?["intent"]?["parameters"] == ["lamp": "Hall", "level": 50])
    var again = Harness(
      files: harness.files, stored: harness.stored,
      at: harness.now.wall.advanced(bySeconds: 7_199), provider: Harness.texts)
    let other = again.connect()
    func count(_ harness: inout Harness, _ client: ConnectionID) throws -> Int? {
      try harness.call("widget.list", from: client)["widgets"]?.arrayValue?.count
    }
    #expect(try count(&again, other) == 1)
    again.pass(1)
    #expect(try count(&again, other) == 0)
  }

  @Test func `parameters that the intent does not take are reported with their line`() throws {
    var harness = harness(
      suggest: "{from: 08:00, to: 10:00, parameters: {lamp: Hall, colour: red}}")
    let client = harness.connect()
    #expect(try harness.call("widget.list", from: client)["widgets"] == [])
    let issues =
      try harness.call("daemon.reloadConfiguration", from: client)["issues"]?.arrayValue ?? []
    #expect(issues.count == 1)
    #expect(issues.first?["file"] == "lamp.yaml")
    #expect(issues.first?["line"] == 7)
    #expect(issues.first?["message"]?.stringValue?.contains("colour") == true)
  }

  @Test func `a warning about the last good manifest names no line of the new one`() throws {
    var harness = harness(
      suggest: "{from: 08:00, to: 10:00, parameters: {lamp: Hall, colour: red}}")
    let client = harness.connect()
    harness.files.manifests = [
      Harness.manifest("lamp.yaml", "kind: lamp\nfamilies: [systemSmall]\nprovider: {exec: 5}")
    ]
    let issues =
      try harness.call("daemon.reloadConfiguration", from: client)["issues"]?.arrayValue ?? []
    let warning = try #require(issues.first { $0["severity"] == "warning" })
    #expect(warning["line"] == 0)
    let message = warning["message"]?.stringValue ?? ""
    #expect(
      message.hasPrefix("in the last good version of this manifest, which holds for now: suggest."))
    #expect(issues.contains { $0["severity"] == "error" && $0["line"] == 3 })
  }

  @Test func `a last good manifest suggests no parameter that its intent has lost`() throws {
    var harness = harness(suggest: "{from: 08:00, to: 10:00, parameters: {lamp: Hall}}")
    let client = harness.connect()
    #expect(try harness.call("widget.list", from: client)["widgets"]?.arrayValue?.count == 1)
    try harness.call("stack.dismiss", ["id": "suggestion:lamp"], from: client)
    harness.pass(86_400)
    #expect(try harness.call("widget.list", from: client)["widgets"]?.arrayValue?.count == 1)
    try harness.call("widget.remove", ["id": "suggestion:lamp"], from: client)
    let document = readYAML(
      "name: SetLamp\nparameters:\n  - {name: room}", file: "SetLamp/intent.yaml")
    harness.files.catalog = [
      CatalogSource(
        file: "SetLamp/intent.yaml", document: document.value ?? LocatedValue(.null, line: 1),
        kind: .intent)
    ]
    harness.files.manifests = [Harness.manifest("lamp.yaml", "kind: lamp\nprovider: {exec: 5}")]
    try harness.call("daemon.reloadConfiguration", from: client)
    #expect(try harness.call("widget.list", from: client)["widgets"] == [])
  }

  // MARK: Forgetting

  @Test func `forgetting an unknown kind is refused, with similar names`() throws {
    var harness = Harness(
      files: ConfigurationFiles(catalog: [Self.lamp], manifests: [Self.manifest]),
      provider: Harness.texts)
    let client = harness.connect()
    let error = try harness.call("donation.forget", ["kind": "lmap"], from: client)
    #expect(
      error["message"]
        == "nothing was done with the kind 'lmap', and no manifest offers it; did you mean 'lamp'?")
    #expect(error["code"] == -32021)
    #expect(error["data"]?["suggestions"] == ["lamp"])
    let long = try harness.call(
      "donation.forget", ["kind": .string(String(repeating: "x", count: 5_000))], from: client)
    #expect((long["message"]?.stringValue ?? "").count < 200)
    // This kind exists, but nothing was done with it.
    #expect(try harness.call("donation.forget", ["kind": "lamp"], from: client)["donations"] == 0)
    // No manifest offers this kind any more, but its donations can still be forgotten, once.
    harness.launcher = Self.starts
    try harness.call(
      "widget.add", ["kind": "lamp", "id": "hall", "parameters": ["lamp": "Hall"]], from: client)
    try harness.call("widget.tap", ["id": "hall"], from: client)
    try harness.call("widget.remove", ["id": "hall"], from: client)
    harness.files.manifests = []
    try harness.call("daemon.reloadConfiguration", from: client)
    let forgotten = try harness.call("donation.forget", ["kind": "lamp"], from: client)
    #expect(forgotten["donations"] == 1)
  }

  /// Returns the history as a client gets it, newest first.
  private func history(_ harness: inout Harness, _ client: ConnectionID) throws -> [JSONValue] {
    try harness.call("daemon.history", ["limit": 1_000], from: client)["entries"]?.arrayValue ?? []
  }

  private func runs(_ harness: inout Harness, _ client: ConnectionID) throws -> Int? {
    try harness.call("widget.budget", ["id": "hall"], from: client)["runs"]?.arrayValue?.count
  }

  /// Makes a daemon with the widget `hall`, whose provider ran once.
  private func withLamp() throws -> (harness: Harness, client: ConnectionID) {
    var harness = Harness(
      files: ConfigurationFiles(catalog: [Self.lamp], manifests: [Self.manifest]),
      provider: Harness.texts)
    harness.launcher = Self.starts
    let client = harness.connect()
    try harness.call(
      "widget.add", ["kind": "lamp", "id": "hall", "parameters": ["lamp": "Hall"]], from: client)
    return (harness, client)
  }

  @Test func `forgetting starts no run twice`() throws {
    var (harness, client) = try withLamp()
    try harness.call("widget.reload", ["id": "hall"], from: client)
    #expect(try runs(&harness, client) == 2)
    for _ in 1...3 {
      try harness.call(
        "intent.donate", ["intent": "SetLamp", "parameters": ["lamp": "Hall"]], from: client)
      try harness.call("donation.forget", ["since": "2026-11-20T07:00:00Z"], from: client)
      #expect(try runs(&harness, client) == 2)
    }
  }

  @Test(arguments: [["kind": "lamp"], ["intent": "SetLamp"], ["all": true]] as [JSONValue])
  func `a forgotten act is in no line of the history`(_ params: JSONValue) throws {
    var (harness, client) = try withLamp()
    // The first is shown by a widget, the second becomes a suggestion.
    for lamp in ["Hall", "Attic"] {
      try harness.call(
        "intent.send", ["intent": "SetLamp", "parameters": ["lamp": .string(lamp)]], from: client)
    }
    try harness.call("widget.tap", ["id": "hall"], from: client)
    let before = try history(&harness, client).map(\.serialized)
    #expect(before.contains { $0.contains(#""cause":"intent""#) })
    #expect(before.contains { $0.contains("suggestion:lamp") })
    try harness.call("donation.forget", params, from: client)
    let after = try history(&harness, client).map(\.serialized)
    // Later rows (the removal of the suggestion) are in the history.
    let forgotten = try #require(after.firstIndex { $0.contains(#""event":"forgotten""#) })
    for line in after[(forgotten + 1)...] {
      #expect(!line.contains(#""cause":"intent""#) && !line.contains("suggestion:"))
      #expect(!line.contains(#""event":"tap""#) && !line.contains(#""event":"intent""#))
    }
    #expect(after.contains { $0.contains(#""cause":"placed""#) && $0.contains("hall") })
  }

  @Test func `forgetting an unknown intent is refused, with similar names`() throws {
    var (harness, client) = try withLamp()
    let error = try harness.call("donation.forget", ["intent": "SetLam"], from: client)
    #expect(error["code"] == -32011)
    #expect(error["message"]?.stringValue?.contains("did you mean 'SetLamp'") == true)
    #expect(
      try harness.call("donation.forget", ["intent": "SetLamp"], from: client)["donations"] == 0)
  }

  @Test func `an intent of private mode is not on top after its end`() throws {
    var (harness, client) = try withLamp()
    func why() throws -> String {
      try harness.call("stack.explain", ["id": "hall"], from: client).serialized
    }
    try harness.call("donation.setPrivate", ["on": true], from: client)
    try harness.call(
      "intent.send", ["intent": "SetLamp", "parameters": ["lamp": "Hall"]], from: client)
    #expect(try why().contains("you asked for it"))
    try harness.call("donation.setPrivate", ["on": false], from: client)
    #expect(try !why().contains("you asked for it"))
  }

  @Test(arguments: [false, true])
  func `receipts of private mode are removed at its end, also after a restart`(isRestarted: Bool)
    throws
  {
    var (harness, client) = try withLamp()
    try harness.call(
      "intent.send", ["intent": "SetLamp", "parameters": ["lamp": "Hall"]], from: client)
    let before = Set((harness.tables[.receipt] ?? [:]).keys)
    harness.pass(60)
    try harness.call("donation.setPrivate", ["on": true], from: client)
    for lamp in ["Hall", "Attic"] {
      try harness.call(
        "intent.send", ["intent": "SetLamp", "parameters": ["lamp": .string(lamp)]], from: client)
    }
    #expect((harness.tables[.receipt] ?? [:]).count == before.count + 2)
    if isRestarted {
      harness = Harness(
        files: harness.files, stored: harness.stored, at: harness.now.wall, provider: Harness.texts)
      client = harness.connect()
    }
    try harness.call("donation.setPrivate", ["on": false], from: client)
    harness.pass(1)
    #expect(Set((harness.tables[.receipt] ?? [:]).keys) == before)
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `the store is asked to leave no trace of what was forgotten or private`() throws {
    var (harness, client) = try withLamp()
    try harness.call("widget.tap", ["id": "hall"], from: client)
    try harness.call("widget.reload", ["id": "hall"], from: client)
    #expect(harness.scrubCount == 0)
    try harness.call("donation.forget", ["all": true], from: client)
    let forgotten = harness.scrubCount
    #expect(forgotten > 0)
    try harness.call("donation.setPrivate", ["on": true], from: client)
    try harness.call("widget.tap", ["id": "hall"], from: client)
    let during = harness.scrubCount
    try harness.call("donation.setPrivate", ["on": false], from: client)
    #expect(harness.scrubCount > during)
  }

  @Test func `null does not turn private mode on`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let error = try harness.call("donation.setPrivate", ["on": .null], from: client)
    #expect(error["code"] == -32602)
    #expect(
      error["message"] == "invalid parameters: parameter 'on' is null; expected true or false")
    #expect(try harness.call("daemon.status", from: client)["private"] == false)
    #expect(try harness.call("donation.setPrivate", [:], from: client)["private"] == true)
  }

  // MARK: The highest score that a kind declared

  /// Places a clock that declares `score` and returns its member `why`.
  private func why(_ score: Int, _ harness: inout Harness) throws -> String {
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "c"], from: client)
    let date = harness.now.wall.rfc3339
    let entry: JSONValue = [
      "date": .string(date), "content": ["text": "noon"],
      "relevance": ["score": .int(Int64(score)), "duration": 600],
    ]
    try harness.call(
      "widget.push", ["id": "c", "timeline": ["entries": [entry], "policy": "never"]],
      from: client)
    let answer = try harness.call("stack.explain", ["id": "c"], from: client)
    try harness.call("widget.remove", ["id": "c"], from: client)
    return answer["widgets"]?.arrayValue?.first?["why"]?.stringValue ?? answer.serialized
  }

  private func restarted(_ harness: Harness) -> Harness {
    Harness(files: harness.files, stored: harness.stored, at: harness.now.wall)
  }

  @Test
  func `the highest score of a kind outlives its widget and a restart, until it is forgotten`()
    throws
  {
    func most(_ score: Int, _ harness: inout Harness) throws -> Bool {
      try why(10, &harness).contains("says 10, of at most \(score) so far")
    }
    var harness = Harness()
    #expect(try why(1_000, &harness).contains("says 1000, of at most 1000 so far"))
    #expect(try most(1_000, &harness))
    harness = restarted(harness)
    #expect(try most(1_000, &harness))
    harness = restarted(harness)
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
    var client = harness.connect()
    // Forgetting another kind, or recent acts, keeps the highest score.
    for params in [["kind": "org.example.weather"], ["since": "2026-11-20T07:00:00Z"]]
      as [JSONValue]
    {
      try harness.call("donation.forget", params, from: client)
    }
    harness = restarted(harness)
    #expect(try most(1_000, &harness))
    for params in [["kind": "org.example.clock"], ["all": true]] as [JSONValue] {
      _ = try why(1_000, &harness)
      client = harness.connect()
      try harness.call("donation.forget", params, from: client)
      #expect(try most(10, &harness))
      harness = restarted(harness)
      #expect(try most(10, &harness))
    }
  }
}
