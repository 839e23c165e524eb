import Documents
import IntentRouter
import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// Tests the effects of an opened URL: intents, callbacks to other apps, verbs of plugin hosts.
@Suite struct URLTests {
  private static let note = CatalogSource(
    file: "TakeNote/intent.yaml",
    document: readYAML(
      """
      name: TakeNote
      title: Note
      description: A note
      parameters:
        - {name: text, required: true}
      routes:
        - note://{text}
        - {url: "note://x-callback-url/take?text={text}", callbacks: [drafts]}
      """, file: "TakeNote/intent.yaml"
    ).value ?? LocatedValue(.null, line: 1), kind: .intent)

  private func harness(
    provider: @escaping (ProviderRun) -> ProviderOutcome? = Harness.texts
  ) -> Harness {
    Harness(
      files: ConfigurationFiles(
        catalog: Harness.shippedIntents + [Self.note], manifests: Harness.manifests),
      provider: provider)
  }

  private func callback(_ query: String, action: String = "ShowWeather?city=Rome") -> JSONValue {
    ["url": .string("intentd://x-callback-url/\(action)&\(query)"), "app": "org.example.Notes"]
  }

  // MARK: The app that is called back

  @Test func `the named app gets the result through its desktop entry`() throws {
    var harness = harness()
    let client = harness.connect()
    let answer = try harness.call(
      "url.open", callback("x-source=Notes&x-success=notes://ok?id=7%23top"), from: client)
    #expect(answer["intent"]?["name"] == "ShowWeather")
    #expect(
      harness.launches.map(\.request) == [
        LaunchRequest(
          target: .application("org.example.Notes"),
          url: "notes://ok?id=7&intent=ShowWeather&result=org.example.weather#top")
      ])
    try harness.launched(.started(application: "org.example.Notes.desktop", processID: 5))
    let history = try harness.call("daemon.history", from: client)["entries"]?.arrayValue ?? []
    let events = history.map { "\($0["event"]?.stringValue ?? "")" }
    #expect(
      events.filter { ["callback", "launched"].contains($0) }.sorted() == ["callback", "launched"])
    #expect(history.contains { $0["source"] == "Notes" })
    #expect(
      !JSONValue.array(history).serialized.contains("id=7"), "the app's own parameters are kept")
  }

  @Test func `a registered app gets the result on its connection`() throws {
    var harness = harness()
    let app = harness.connect()
    try harness.call("app.register", ["app": "org.example.Notes"], from: app)
    try harness.call(
      "url.open", ["url": "intentd://x-callback-url/ShowWeather?city=Rome&x-success=anything:ok"],
      from: app)
    let opened = harness.received(by: app).filter { $0.contains("app.open") }
    #expect(
      opened == [
        #"{"jsonrpc":"2.0","method":"app.open","params":{"url":"anything:ok?intent=ShowWeather&result=org.example.weather","callback":"success"}}"#
      ])
    #expect(harness.launches.isEmpty)
  }

  @Test func `naming a connected app reaches that connection and no other app`() throws {
    var harness = harness()
    let notes = harness.connect()
    let other = harness.connect()
    try harness.call("app.register", ["app": "org.example.Notes"], from: notes)
    try harness.call("app.register", ["app": "org.example.Other"], from: other)
    let client = harness.connect()
    try harness.call("url.open", callback("x-success=notes://ok"), from: client)
    #expect(harness.received(by: notes).contains { $0.contains("notes://ok?intent=ShowWeather") })
    #expect(!harness.received(by: other).contains { $0.contains("notes://ok") })
  }

  @Test
  func `an unknown app is called back only if the route allows it, and otherwise nothing is done`()
    throws
  {
    var harness = harness()
    let client = harness.connect()
    for url in [
      "intentd://x-callback-url/ShowWeather?city=Rome&x-success=notes://ok",
      "note://x-callback-url/take?text=a&x-success=notes://ok",
      "note://x-callback-url/take?text=a&x-success=drafts://ok&x-error=notes://no",
      "intentd://x-callback-url/ShowWeather?city=Rome&x-cancel=notes://no",
    ] {
      #expect(
        try harness.refusal("url.open", ["url": .string(url)], from: client)
          == "-32018 callbackDenied")
      #expect(
        try harness.refusal("intent.send", ["url": .string(url)], from: client)
          == "-32018 callbackDenied")
    }
    let history = try harness.call("daemon.history", from: client)["entries"]?.arrayValue ?? []
    #expect(!history.contains { $0["event"] == "intent" })
    #expect(harness.launches.isEmpty)
    for url in [
      "note://x-callback-url/take?text=a&x-success=drafts://ok",
      "intentd://x-callback-url/TakeNote?text=a&x-success=drafts://ok",
    ] {
      try harness.call("url.open", ["url": .string(url)], from: client)
      #expect(
        harness.launches.last?.request
          == LaunchRequest(target: .handler(scheme: "drafts"), url: "drafts://ok?intent=TakeNote"))
    }
  }

  @Test(arguments: [
    "https://example.org/", "intentd://intent/ShowAgenda", "javascript:x", "file:///x",
    "mailto:a@b",
    "swiftbar://refreshallplugins",
  ])
  func `such a URL is refused even for a known app`(url: String) throws {
    var harness = harness()
    let app = harness.connect()
    try harness.call("app.register", ["app": "org.example.Notes"], from: app)
    let item = ProfiledURL.encoding([.init(name: "x-success", value: url)])
    #expect(
      try harness.refusal(
        "url.open", ["url": .string("intentd://x-callback-url/ShowWeather?city=Rome&\(item)")],
        from: app)
        == "-32018 callbackDenied")
    #expect(harness.launches.isEmpty)
  }

  // MARK: The choice and the time of the callback

  @Test func `the callback waits for the reload, even if a client waits too, and comes once`()
    throws
  {
    var harness = harness(provider: { _ in nil })
    let client = harness.connect()
    try harness.call("url.open", callback("x-success=notes://ok&x-error=notes://no"), from: client)
    #expect(harness.launches.isEmpty)
    try harness.answer(
      "org.example.weather", Harness.timeline(#"{"title":"Rome","text":"18°\nsunny & warm"}"#))
    #expect(
      harness.launches.map(\.request.url) == [
        "notes://ok?intent=ShowWeather&title=Rome&result=18%C2%B0%20sunny%20%26%20warm"
      ])
    try harness.call("widget.reloadAll", from: client)
    try harness.answer("org.example.weather", Harness.timeline(#"{"text":"19°"}"#))
    #expect(harness.launches.count == 1)
  }

  @Test func `an intent that no widget shows succeeds at once`() throws {
    var harness = harness()
    let client = harness.connect()
    try harness.call(
      "url.open", callback("x-success=notes://ok", action: "TakeNote?text=a"), from: client)
    #expect(harness.launches.map(\.request.url) == ["notes://ok?intent=TakeNote"])
  }

  @Test func `a provider that fails is an error without its diagnostics`() throws {
    var harness = harness(provider: { _ in nil })
    let client = harness.connect()
    try harness.call("url.open", callback("x-success=notes://ok&x-error=notes://no"), from: client)
    try harness.fail("org.example.weather", .exited(code: 3))
    #expect(
      harness.launches.map(\.request.url) == [
        "notes://no?errorCode=1&errorMessage=ShowWeather%3A%20the%20widget%27s%20provider%20failed"
      ])
  }

  @Test func `a refusal is an error for both, with its code`() throws {
    var harness = harness()
    let client = harness.connect()
    for (action, code) in [
      ("ShowWether?city=Rome", -32011), ("ShowWeather?town=Rome", -32012),
      ("ShowWeather?city=", -32012),
    ] {
      let refusal = try harness.refusal(
        "url.open", callback("x-error=notes://no?t=SECRET", action: action), from: client)
      #expect(refusal.hasPrefix("\(code) "))
      let url = try #require(harness.launches.last?.request.url)
      #expect(url.hasPrefix("notes://no?t=SECRET&errorCode=\(code)&errorMessage="), "\(url)")
      #expect(!url.dropFirst(30).contains("SECRET"), "\(url)")
    }
    // The URL names no callback.
    let before = harness.launches.count
    _ = try harness.refusal(
      "url.open", callback("x-success=notes://ok", action: "Nope?a=b"), from: client)
    #expect(harness.launches.count == before)
  }

  @Test func `taking the widget away meanwhile cancels`() throws {
    var harness = harness(provider: { _ in nil })
    let client = harness.connect()
    try harness.call(
      "widget.add", ["kind": "org.example.weather", "id": "w", "parameters": ["city": "Rome"]],
      from: client)
    try harness.call(
      "url.open", callback("x-success=notes://ok&x-error=notes://no&x-cancel=notes://stopped"),
      from: client)
    try harness.call("widget.remove", ["id": "w"], from: client)
    #expect(harness.launches.map(\.request.url) == ["notes://stopped"])
  }

  @Test func `an intent that needs a confirmation is not done by a link`() throws {
    let source = CatalogSource(
      file: "Delete/intent.yaml",
      document: readYAML(
        """
        name: Delete
        title: Delete
        description: Deletes
        confirm: true
        routes: ["trash://empty", {url: "trash://x-callback-url/empty", callbacks: [drafts]}]
        """, file: "Delete/intent.yaml"
      ).value ?? LocatedValue(.null, line: 1), kind: .intent)
    var harness = Harness(files: ConfigurationFiles(catalog: [source], manifests: []))
    let client = harness.connect()
    for url in [
      "trash://empty", "intentd://intent/Delete", "trash://x-callback-url/empty",
      "trash://x-callback-url/empty?x-success=drafts:ok&x-error=drafts:no",
    ] {
      let answer = try harness.call("url.open", ["url": .string(url)], from: client)
      #expect(answer["widgets"] == nil, "\(url) is done: \(answer.serialized)")
    }
    #expect(harness.launches.map { $0.request.url?.prefix(9) } == ["drafts:no"])
    let history = try harness.call("daemon.history", from: client)["entries"]?.arrayValue ?? []
    #expect(!history.contains { $0["event"] == "intent" })
  }

  // MARK: Limits

  @Test func `ten callbacks at once, then five a second`() throws {
    var harness = harness()
    let client = harness.connect()
    // Some reloads are put off by the budget, and that is called back too.
    func open() throws -> Bool {
      try harness.call(
        "url.open", callback("x-success=notes://ok&x-error=notes://no"), from: client)["intent"]
        != nil
    }
    for _ in 0..<10 { #expect(try open()) }
    #expect(
      try harness.refusal("url.open", callback("x-success=notes://ok"), from: client)
        == "-32023 limitReached")
    // A URL without a callback is not limited.
    #expect(try harness.call("url.open", callback("x-source=a"), from: client)["intent"] != nil)
    harness.pass(1)
    for _ in 0..<5 { #expect(try open()) }
    #expect(try !open())
    #expect(harness.launches.count == 15)
  }

  @Test func `a long result is cut, and a result that is too long for a URL is left out`() throws {
    let text = String(repeating: "é", count: 5_000)
    var harness = harness(provider: { _ in
      .answered(Array(Harness.timeline(#"{"text":"\#(text)"}"#).utf8))
    })
    let client = harness.connect()
    try harness.call("url.open", callback("x-success=notes://ok"), from: client)
    let url = try #require(harness.launches.last?.request.url)
    #expect(
      try ProfiledURL.parse(url).get().queryItems.last?.value == String(repeating: "é", count: 512))
    let long = "notes://ok?" + String(repeating: "a", count: 2_037)
    let wide = String(repeating: "é", count: 512)
    harness.provider = { _ in
      .answered(Array(Harness.timeline(#"{"title":"\#(wide)","text":"\#(wide)"}"#).utf8))
    }
    try harness.call("url.open", callback("x-success=\(long)"), from: client)
    #expect(harness.launches.last?.request.url == long)
  }

  @Test func `a callback that still waits when the daemon stops is not made`() throws {
    var harness = harness(provider: { _ in nil })
    let client = harness.connect()
    try harness.call("url.open", callback("x-success=notes://ok&x-error=notes://no"), from: client)
    harness.handle(.stopRequested)
    #expect(harness.hasStopped)
    #expect(harness.launches.isEmpty)
  }

  // MARK: Plugin hosts

  private func reloaded(_ url: String, _ harness: inout Harness, _ client: ConnectionID) throws
    -> [String]
  {
    let answer = try harness.call("url.open", ["url": .string(url)], from: client)
    return (answer["receipts"]?.arrayValue ?? []).compactMap { $0["widget"]?.stringValue }
  }

  private func withWidgets() throws -> (Harness, ConnectionID) {
    var harness = harness()
    let client = harness.connect()
    for (kind, id) in [("clock", "c1"), ("clock", "c2"), ("news", "n")] {
      try harness.call(
        "widget.add", ["kind": .string("org.example.\(kind)"), "id": .string(id)], from: client)
    }
    return (harness, client)
  }

  @Test(arguments: [
    ("swiftbar://refreshallplugins", ["c1", "c2", "n"]),
    ("bitbar://refreshPlugin?name=*", ["c1", "c2", "n"]),
    ("swiftbar://refreshplugin?name=ORG.example.Clock", ["c1", "c2"]),
    ("swiftbar://refreshplugin?name=news", ["n"]),
    ("swiftbar://refreshplugin?plugin=clock.yaml", ["c1", "c2"]),
    ("xbar://app.xbarapp.com/refreshPlugin?path=/widgets/clock", ["c1", "c2"]),
    ("swiftbar://refreshplugin?index=1", ["c1", "c2"]), ("swiftbar://refreshplugin?index=3", []),
  ])
  func `a plugin host's refresh reloads the widgets of the kind`(url: String, ids: [String]) throws
  {
    var (harness, client) = try withWidgets()
    #expect(try reloaded(url, &harness, client) == ids)
    // `intent.send` with the same URL has the same effect.
    let answer = try harness.call("intent.send", ["url": .string(url)], from: client)
    #expect((answer["receipts"]?.arrayValue ?? []).compactMap { $0["widget"]?.stringValue } == ids)
  }

  @Test func `an id counts before a name, and a name before a file`() throws {
    var harness = Harness(
      files: ConfigurationFiles(
        catalog: [],
        manifests: [
          Harness.manifest(
            "a.yaml", "kind: tide\nname: Sea\nfamilies: [systemSmall]\nprovider: {exec: [./x]}"),
          Harness.manifest(
            "b.yaml",
            "kind: other\nname: Tide\nfamilies: [systemSmall]\nprovider: {exec: [./sea.1m.sh]}"),
          Harness.manifest(
            "tide.yaml", "kind: third\nname: C\nfamilies: [systemSmall]\nprovider: {exec: [./b.sh]}"
          ),
        ]), provider: Harness.texts)
    let client = harness.connect()
    for kind in ["tide", "other", "third"] {
      try harness.call("widget.add", ["kind": .string(kind), "id": .string(kind)], from: client)
    }
    #expect(try reloaded("swiftbar://refreshplugin?name=TIDE", &harness, client) == ["tide"])
    #expect(try reloaded("swiftbar://refreshplugin?name=sea", &harness, client) == ["tide"])
    #expect(try reloaded("swiftbar://refreshplugin?name=sea.1m.sh", &harness, client) == ["other"])
    #expect(
      try reloaded("swiftbar://refreshplugin?name=/widgets/sea.1m.sh", &harness, client) == [
        "other"
      ])
    #expect(
      try reloaded("swiftbar://refreshplugin?name=b", &harness, client) == ["other", "third"])
  }

  @Test func `links reload ten times at once, then five times a second`() throws {
    var (harness, client) = try withWidgets()
    for _ in 0..<10 {
      #expect(try reloaded("swiftbar://refreshplugin?name=news", &harness, client) == ["n"])
    }
    #expect(
      try harness.refusal("url.open", ["url": "swiftbar://refreshallplugins"], from: client)
        == "-32023 limitReached")
    harness.pass(1)
    #expect(try reloaded("swiftbar://refreshallplugins", &harness, client).count == 3)
  }

  @Test
  func `parameters that other hosts put into a plugin's environment are reported and left out`()
    throws
  {
    var (harness, client) = try withWidgets()
    let answer = try harness.call(
      "url.open", ["url": "swiftbar://refreshplugin?name=news&LD_PRELOAD=/x.so", "wait": true],
      from: client)
    #expect(answer["ignored"] == ["LD_PRELOAD"])
    #expect(answer["kinds"] == ["org.example.news"])
    #expect(answer["receipts"]?.arrayValue?.first?["state"] == "done")
  }

  @Test(arguments: [
    ("swiftbar://addplugin?src=https://example.org/x.sh", "-32019 unsupportedVerb"),
    ("xbar://app.xbarapp.com/openPlugin?path=a", "-32019 unsupportedVerb"),
    ("swiftbar://disableplugin?name=news", "-32019 unsupportedVerb"),
    ("swiftbar://refreshplugin?name=nws", "-32021 unknownKind"),
    ("swiftbar://refreshplugin?index=4", "-32021 unknownKind"),
    ("swiftbar://refreshplugin", "-32012 invalidParameter"),
  ])
  func `a verb that cannot be done is refused with a typed error`(url: String, refusal: String)
    throws
  {
    var (harness, client) = try withWidgets()
    #expect(try harness.refusal("url.open", ["url": .string(url)], from: client) == refusal)
  }
}
