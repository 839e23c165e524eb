import DaemonCore
import IntentRouter
import JSON
import Testing

/// Tests in which language clients are answered.
@Suite struct LanguageTests {
  /// The daemon's locale is en_US; one kind has its name in two languages, the others in one.
  private func world() -> Harness {
    var files = Harness.configuration
    files.manifests[2] = Harness.manifest(
      "clock.yaml",
      """
      kind: org.example.clock
      name: {en: Clock, zh-CN: 时钟}
      description: {en: The time, zh-CN: 时间}
      families: [systemSmall, accessoryInline]
      provider: {exec: [./clock]}
      """)
    return Harness(files: files, provider: Harness.texts)
  }

  private func names(_ kinds: JSONValue?) -> [String] {
    (kinds?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
  }

  @Test func `a gallery comes in the languages that a client names`() throws {
    var harness = world()
    let client = harness.connect()
    for (params, names) in [
      ([:], ["Agenda", "Clock", "News", "Weather"]),
      (["language": "zh"], ["Agenda", "时钟", "News", "Weather"]),
      (["languages": ["de", "zh_CN", "en"]], ["Agenda", "时钟", "News", "Weather"]),
      (["languages": ["de", "*"]], ["Agenda", "Clock", "News", "Weather"]),
    ] as [(JSONValue, [String])] {
      let kinds = try harness.call("gallery.list", params, from: client)["kinds"]
      #expect(self.names(kinds) == names)
    }
    let kinds = try harness.call("gallery.list", ["language": "zh"], from: client)["kinds"]
    #expect(kinds?.arrayValue?[1]["description"] == "时间")
    #expect(kinds?.arrayValue?[3]["parameters"]?.arrayValue?.first?["title"] == "城市")
  }

  @Test func `without a named language the locale of the client's surface counts`() throws {
    var harness = world()
    let chinese = harness.connect()
    let other = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: other)
    let attached = try harness.call("surface.attach", ["locale": "zh_CN"], from: chinese)
    #expect(names(attached["widgets"]) == ["时钟"])
    let listed = try harness.call("widget.list", from: chinese)
    #expect(names(listed["widgets"]) == ["时钟"])
    let english = try harness.call("widget.list", ["language": "en"], from: chinese)
    #expect(names(english["widgets"]) == ["Clock"])
    let titles = try harness.call("intent.list", from: chinese)["intents"]?.arrayValue?
      .compactMap { $0["title"]?.stringValue }
    #expect(titles?.contains("天气") == true)
  }

  @Test func `two surfaces get one change, each with the name in its language`() throws {
    var harness = world()
    let app = harness.connect()
    let (chinese, english) = (harness.connect(), harness.connect())
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: app)
    try harness.call("surface.attach", ["locale": "zh_CN"], from: chinese)
    try harness.call("surface.attach", ["locale": "en_GB"], from: english)
    _ = (harness.received(by: chinese), harness.received(by: english))
    let timeline = try JSONValue(parsing: Harness.timeline(#"{"text":"new"}"#))
    try harness.call("widget.push", ["id": "clock", "timeline": timeline], from: app)
    for (surface, name) in [(chinese, "时钟"), (english, "Clock")] {
      let updates = try harness.received(by: surface).map { try JSONValue(parsing: $0) }
        .filter { $0["method"] == "surface.update" }
      #expect(updates.count == 1)
      #expect(names(updates.first?["params"]?["widgets"]) == [name])
    }
  }

  @Test func `a kept order of the stack does not leave in another language`() throws {
    var harness = world()
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: client)
    func order(_ params: JSONValue) throws -> [String] {
      names(try harness.call("stack.order", params, from: client)["widgets"])
    }
    #expect(try order([:]) == ["Clock"])
    #expect(try order(["language": "zh"]) == ["时钟"])
    #expect(try order([:]) == ["Clock"])
    let surface = try harness.call("surface.attach", ["locale": "zh_CN"], from: client)["surface"]
    #expect(try order([:]) == ["时钟"], "the daemon's locale is now that of the surface")
    #expect(try order(["surface": surface ?? .null, "language": "en"]) == ["Clock"])
  }

  @Test func `a question comes in the language of the sentence, else of who asks`() throws {
    var harness = world()
    let client = harness.connect()
    func prompt(_ method: String, _ params: JSONValue) throws -> JSONValue? {
      try harness.call(method, params, from: client)["needs"]?["prompt"]
    }
    #expect(try prompt("intent.send", ["intent": "ShowWeather"]) == "Which city?")
    #expect(
      try prompt("intent.send", ["intent": "ShowWeather", "language": "zh-CN"]) == "哪个城市？")
    #expect(
      try prompt(
        "widget.add", ["kind": "org.example.weather", "ask": true, "languages": ["zh"]])
        == "哪个城市？")
    try harness.call("surface.attach", ["locale": "zh_CN"], from: client)
    #expect(try prompt("widget.add", ["kind": "org.example.weather", "ask": true]) == "哪个城市？")
    // A second question of one intent keeps the language of the first.
    #expect(
      try prompt("intent.send", ["intent": "ShowWeather", "language": "en"]) == "Which city?")
  }
}
