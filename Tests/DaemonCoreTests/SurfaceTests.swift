import Habits
import IntentProtocol
import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// Tests surfaces, which are sent changes and nothing else, and host apps and taps.
@Suite struct SurfaceTests {
  /// Makes a daemon with the loaded widgets `clock` (systemSmall) and `inline` (accessoryInline).
  ///
  /// `app` is the client that added them, `bar` another client.
  private func world() throws -> (harness: Harness, app: ConnectionID, bar: ConnectionID) {
    var harness = Harness(provider: Harness.texts)
    let app = harness.connect()
    let bar = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: app)
    try harness.call(
      "widget.add", ["kind": "org.example.clock", "id": "inline", "family": "accessoryInline"],
      from: app)
    return (harness, app, bar)
  }

  private func push(
    _ harness: inout Harness, _ id: String, _ text: String, from app: ConnectionID
  ) throws {
    let timeline = try JSONValue(parsing: Harness.timeline(#"{"text":"\#(text)"}"#))
    try harness.call("widget.push", ["id": .string(id), "timeline": timeline], from: app)
  }

  /// Returns each update as `id text`, as `-id` for a removed widget, and a stack in brackets.
  private func updates(_ harness: inout Harness, _ bar: ConnectionID) throws -> [String] {
    try harness.received(by: bar).map { try JSONValue(parsing: $0) }
      .filter { $0["method"] == "surface.update" }
      .map { line in
        let params = line["params"]
        var parts =
          params?["widgets"]?.arrayValue?.map {
            "\($0["id"]?.stringValue ?? "?") \($0["entry"]?["content"]?["text"]?.stringValue ?? "-")"
          } ?? []
        parts += params?["removed"]?.arrayValue?.map { "-\($0.stringValue ?? "?")" } ?? []
        if let stack = params?["stack"]?.arrayValue {
          parts.append("[\(stack.compactMap(\.stringValue).joined(separator: " "))]")
        }
        return parts.joined(separator: ", ")
      }
  }

  @Test func `a surface is sent its widgets and then every change, once`() throws {
    var (harness, app, bar) = try world()
    let attached = try harness.call("surface.attach", from: bar)
    #expect(attached["surface"] == "s1")
    #expect(attached["widgets"]?.arrayValue?.count == 2)
    try push(&harness, "clock", "one", from: app)
    #expect(try updates(&harness, bar) == ["clock one"])
    try push(&harness, "clock", "one", from: app)
    try harness.call("intent.donate", ["intent": "ShowAgenda"], from: app)
    harness.pass(3_600)
    #expect(try updates(&harness, bar) == [])
    try harness.call("widget.remove", ["id": "inline"], from: app)
    #expect(try updates(&harness, bar) == ["-inline"])
  }

  @Test func `a surface is sent only its families and widgets`() throws {
    var (harness, app, bar) = try world()
    let other = harness.connect()
    let attached = try harness.call("surface.attach", ["families": ["accessoryInline"]], from: bar)
    #expect(attached["widgets"]?.arrayValue?.map { $0["id"] ?? .null } == ["inline"])
    try harness.call("surface.attach", ["widgets": ["clock"]], from: other)
    try push(&harness, "clock", "one", from: app)
    #expect(try updates(&harness, bar) == [])
    #expect(try updates(&harness, other) == ["clock one"])
    // The widget leaves the families that the bar shows: removed there, unchanged elsewhere.
    try harness.call("widget.configure", ["id": "inline", "family": "systemSmall"], from: app)
    #expect(try updates(&harness, bar) == ["-inline"])
    try harness.call("widget.remove", ["id": "inline"], from: app)
    try harness.call("widget.remove", ["id": "clock"], from: app)
    #expect(try updates(&harness, bar) == [])
    // The widget that joined the family was loaded: its provider's entry replaced the pushed one.
    #expect(try updates(&harness, other) == ["clock org.example.clock", "-clock"])
  }

  @Test func `a hidden surface is sent nothing, and gets the changes when it is visible again`()
    throws
  {
    var (harness, app, bar) = try world()
    try harness.call("surface.attach", from: bar)
    try harness.call("surface.visibility", ["visible": false], from: bar)
    try push(&harness, "clock", "one", from: app)
    try push(&harness, "clock", "two", from: app)
    try harness.call("widget.remove", ["id": "inline"], from: app)
    // A widget is placed and removed while the surface is hidden.
    try harness.call("widget.add", ["kind": "org.example.news"], from: app)
    try harness.call("widget.remove", ["id": "news"], from: app)
    #expect(try updates(&harness, bar) == [])
    try harness.call("surface.visibility", ["visible": true], from: bar)
    #expect(try updates(&harness, bar) == ["clock two, -inline"])
    try harness.call("surface.visibility", ["visible": true], from: bar)
    #expect(try updates(&harness, bar) == [])
  }

  @Test func `a stack shows its limit, and is turned with the others of its name`() throws {
    var (harness, app, bar) = try world()
    try harness.call("widget.add", ["kind": "org.example.news", "id": "news"], from: app)
    let other = harness.connect()
    let alone = harness.connect()
    let wish: JSONValue = ["stack": true, "limit": 1, "name": "bar"]
    let attached = try harness.call("surface.attach", wish, from: bar)
    #expect(attached["stack"] == ["clock"])
    #expect(attached["widgets"]?.arrayValue?.map { $0["id"] ?? .null } == ["clock"])
    try harness.call("surface.attach", ["stack": true], from: alone)
    // A widget that has no place is not told of.
    try push(&harness, "inline", "unseen", from: app)
    #expect(try updates(&harness, bar) == [])
    #expect(try harness.call("surface.rotate", ["name": "bar"], from: app)["surfaces"] == 1)
    #expect(try updates(&harness, bar) == ["inline unseen, [inline]"])
    // The next one of the name is turned already, and both go on together.
    let second = try harness.call("surface.attach", wish, from: other)
    #expect(second["stack"] == ["inline"])
    #expect(try harness.call("surface.rotate", ["by": 4], from: bar)["surfaces"] == 1)
    #expect(
      try harness.call("surface.rotate", ["name": "bar", "by": -1], from: bar)["surfaces"] == 2)
    #expect(try updates(&harness, bar).last?.hasSuffix("[inline]") == true)
    #expect(try updates(&harness, other).last?.hasSuffix("[clock]") == true)
    // The widget that comes on top of the order is seen again.
    try harness.call("intent.send", ["text": "what's on today"], from: app)
    let seen = try updates(&harness, other)
    #expect(seen.contains { $0.hasSuffix("[suggestion:org.example.agenda]") }, "\(seen)")
    // Nobody turned this one.
    let orders = try updates(&harness, alone).filter { $0.contains("[") }
    #expect(
      orders == [
        "suggestion:org.example.agenda -, [suggestion:org.example.agenda clock inline news]"
      ])
  }

  @Test func `a surface gets the parts of contents that it wants`() throws {
    var (harness, app, bar) = try world()
    // A GIF of one pixel.
    let image =
      #"{"data":"R0lGODlhAQABAIAAAP8AAAAA/ywAAAAAAQABAAACAkQBADs=","alt":"a"}"#
    let content =
      #"{"text":"t","image":\#(image),"items":[{"text":"a","image":\#(image),"alternate":{"text":"b","image":\#(image)}}]}"#
    let timeline = try JSONValue(parsing: Harness.timeline(content))
    try harness.call("widget.push", ["id": "clock", "timeline": timeline], from: app)
    func shown(_ wants: JSONValue) throws -> String? {
      let answer = try harness.call(
        "surface.attach", ["widgets": ["clock"], "wants": wants], from: bar)
      return answer["widgets"]?.arrayValue?.first?["entry"]?["content"]?.serialized
    }
    let without = #"{"text":"t","items":[{"text":"a","alternate":{"text":"b"}}]}"#
    #expect(try shown(.null)?.contains(#""image""#) == true)
    #expect(try shown(["items", "images"]) == shown(.null))
    #expect(try shown(["items"]) == without)
    #expect(try shown(["images"])?.contains("items") == false)
    #expect(try shown([]) == #"{"text":"t"}"#)
    // Updates, too, and another surface in the same turn has all of it.
    let other = harness.connect()
    try harness.call("surface.attach", ["widgets": ["clock"]], from: other)
    let next = try JSONValue(
      parsing: Harness.timeline(content.replacing(#""t""#, with: #""u""#)))
    try harness.call("widget.push", ["id": "clock", "timeline": next], from: app)
    let few = harness.received(by: bar).joined()
    #expect(few.contains(#"{"text":"u"}"#))
    #expect(!few.contains("image"))
    let all = harness.received(by: other).joined()
    #expect(all.ranges(of: #""hash":"#).count == 3, "\(all)")
  }

  @Test(arguments: [
    (#"{"name":"a b"}"#, "name"), (#"{"name":""}"#, "name"), (#"{"limit":1}"#, "limit"),
    (#"{"stack":true,"limit":0}"#, "limit"), (#"{"wants":["views"]}"#, "wants"),
  ])
  func `a wish that a surface cannot have is refused`(params: String, name: String) throws {
    var (harness, _, bar) = try world()
    let error = try harness.call("surface.attach", try JSONValue(parsing: params), from: bar)
    #expect(error["data"]?["parameter"]?.stringValue == name)
    let none = try harness.call("surface.rotate", [:], from: bar)
    #expect(none["message"]?.stringValue?.contains("shows no stack") == true)
  }

  @Test func `updates are held back from a surface that does not read`() throws {
    var (harness, app, bar) = try world()
    try harness.call("surface.attach", from: bar)
    harness.handle(.backedUp(bar))
    for text in ["one", "two", "three"] { try push(&harness, "clock", text, from: app) }
    #expect(try updates(&harness, bar) == [])
    harness.handle(.drained(bar))
    #expect(try updates(&harness, bar) == ["clock three"])
  }

  @Test func `a surface with a stack is sent the order when it changes`() throws {
    var (harness, app, bar) = try world()
    let attached = try harness.call("surface.attach", ["stack": true], from: bar)
    #expect(attached["stack"] == ["clock", "inline"])
    try harness.call("intent.send", ["text": "what's on today"], from: app)
    #expect(
      try updates(&harness, bar) == [
        "suggestion:org.example.agenda -, [suggestion:org.example.agenda clock inline]",
        "suggestion:org.example.agenda org.example.agenda",
      ])
    try harness.call("stack.dismiss", ["id": "clock"], from: app)
    #expect(try updates(&harness, bar) == ["[suggestion:org.example.agenda inline clock]"])
    // The suggestion ends after one hour and the dismissal after four; its effect on learning
    // stays.
    harness.pass(4 * 3_600)
    #expect(
      try updates(&harness, bar).filter { $0.contains("[") }.last?.hasSuffix("[inline clock]")
        == true)
  }

  @Test func `a look at a stack is learned from, a stack that is always in sight is not`() throws {
    var (harness, _, bar) = try world()
    try harness.call("surface.attach", ["stack": true], from: bar)
    func look(_ harness: inout Harness, seconds: Int64) throws -> Int {
      try harness.call("surface.visibility", ["visible": true], from: bar)
      harness.pass(seconds)
      try harness.call("surface.visibility", ["visible": false], from: bar)
      return harness.daemon.engine.stackModel.donations.count { $0.act == .dwell }
    }
    try harness.call("surface.visibility", ["visible": false], from: bar)
    #expect(try look(&harness, seconds: 2) == 0)
    #expect(try look(&harness, seconds: 20) == 1)
    #expect(try look(&harness, seconds: 400) == 1)
    #expect(harness.daemon.engine.stackModel.donations.first?.kind == "org.example.clock")
  }

  @Test func `a long id is quoted in part`() throws {
    var (harness, app, _) = try world()
    let id = String(repeating: "x", count: 5_000)
    for method in ["stack.explain", "stack.dismiss", "widget.remove", "widget.timeline"] {
      let error = try harness.call(method, ["id": .string(id)], from: app)
      #expect(error["data"]?["name"] == "unknownWidget", "\(method)")
      #expect((error["message"]?.stringValue ?? id).utf8.count < 200, "\(method)")
    }
    for params in [["kind": .string(id)], ["kind": "org.example.clock", "id": .string(id + "!")]]
      as [JSONValue]
    {
      let error = try harness.call("widget.add", params, from: app)
      #expect((error["message"]?.stringValue ?? id).utf8.count < 200)
    }
    let error = try harness.call("stack.order", [id: 1], from: app)
    #expect((error["message"]?.stringValue ?? id).utf8.count < 200)
  }

  @Test func `private mode outlasts a restart, and the journal names no acts`() throws {
    var (harness, app, _) = try world()
    harness.launcher = { _ in .started(application: "browser.desktop", processID: 7) }
    try harness.call("widget.add", ["kind": "org.example.agenda"], from: app)
    try harness.call("donation.setPrivate", from: app)
    try harness.call("widget.tap", ["id": "agenda"], from: app)
    var next = Harness(stored: harness.stored, provider: Harness.texts)
    let client = next.connect()
    #expect(try next.call("daemon.status", from: client)["private"] == true)
    #expect(try next.call("daemon.status", from: client)["donations"] == 0)
    let entries = try next.call("daemon.history", from: client)["entries"]?.arrayValue ?? []
    let tap = entries.first { $0["event"] == "tap" }
    #expect(tap?["private"] == true)
    #expect(tap?["widget"] == nil)
  }

  @Test func `a forgotten act is not learned from, now or after a restart`() throws {
    var (harness, app, _) = try world()
    for _ in 1...3 { try harness.call("stack.dismiss", ["id": "clock"], from: app) }
    #expect(try harness.call("daemon.status", from: app)["donations"] == 3)
    let before = harness.daemon.engine.stackModel
    var same = Harness(stored: harness.stored, provider: Harness.texts)
    #expect(same.daemon.engine.stackModel.habits == before.habits)
    let forgotten = try harness.call(
      "donation.forget", ["kind": "org.example.clock"], from: app)
    #expect(forgotten["donations"] == 3)
    #expect(harness.daemon.engine.stackModel.habits == BehaviourModel())
    same = Harness(stored: harness.stored, provider: Harness.texts)
    #expect(same.daemon.engine.stackModel.donationCount == 0)
  }

  @Test func `a wrong attachment leaves nothing behind`() throws {
    var (harness, _, bar) = try world()
    #expect(try harness.refusal("surface.visibility", ["visible": true], from: bar) == "-32602")
    for params in [
      ["families": ["huge"]], ["families": "systemSmall"], ["stack": "yes"], ["visible": 1],
      ["widgets": [7]],
    ] as [JSONValue] {
      #expect(try harness.refusal("surface.attach", params, from: bar) == "-32602")
    }
    #expect(
      try harness.refusal("surface.attach", ["widgets": ["nobody"]], from: bar)
        == "-32020 unknownWidget")
    #expect(try harness.call("daemon.status", from: bar)["surfaces"] == 0)
    try harness.call("surface.attach", from: bar)
    try harness.call("surface.attach", ["stack": true], from: bar)
    #expect(try harness.call("daemon.status", from: bar)["surfaces"] == 1)
    #expect(try harness.refusal("surface.visibility", [:], from: bar) == "-32602")
    let other = harness.connect()
    #expect(try harness.refusal("stack.order", ["surface": "s9"], from: other) == "-32602")
    #expect(
      try harness.call("stack.order", ["surface": "s1"], from: other)["widgets"]?.arrayValue?.count
        == 2)
    harness.handle(.disconnected(bar))
    #expect(try harness.call("daemon.status", from: other)["surfaces"] == 0)
  }

  // MARK: Host apps and taps

  private func weather(_ harness: inout Harness, _ client: ConnectionID) throws {
    try harness.call(
      "widget.add", ["kind": "org.example.weather", "parameters": ["city": "Xi'an & co"]],
      from: client)
    _ = harness.received(by: client)
  }

  @Test func `an app's requests are free in the foreground and paid for in the background`() throws
  {
    var (harness, app, _) = try world()
    try weather(&harness, app)
    func causes(_ answer: JSONValue) -> [String] {
      answer["receipts"]?.arrayValue?.map {
        "\($0["widget"]?.stringValue ?? "") \($0["cause"]?.stringValue ?? "") \($0["state"]?.stringValue ?? "")"
      } ?? []
    }
    #expect(try harness.refusal("app.state", ["state": "foreground"], from: app) == "-32602")
    #expect(
      try harness.call("app.register", ["app": "org.example.Weather"], from: app)["kinds"]
        == ["org.example.weather"])
    // An app's requests are free only for the kinds it owns.
    #expect(
      causes(try harness.call("widget.reloadAll", from: app)) == ["weather hostBackground accepted"]
    )
    #expect(
      causes(try harness.call("widget.reloadAll", from: app)) == ["weather hostBackground deferred"]
    )
    try harness.call("app.state", ["state": "foreground"], from: app)
    #expect(
      causes(try harness.call("widget.reloadAll", from: app)) == ["weather hostForeground accepted"]
    )
    #expect(try harness.refusal("app.state", ["state": "asleep"], from: app) == "-32602")
    #expect(try harness.refusal("app.register", ["app": "../x"], from: app) == "-32602")
    let other = harness.connect()
    #expect(causes(try harness.call("widget.reloadAll", from: other)).count == 3)
  }

  @Test
  func
    `the first requester gets the receipt's updates, and a waiting client does not take them over`()
    throws
  {
    var harness = Harness()
    let app = harness.connect()
    let other = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock"], from: app)
    harness.send(
      #"{"jsonrpc":"2.0","id":1,"method":"widget.receipt","params":{"id":"r1","wait":true}}"#,
      to: other)
    harness.handle(.backedUp(app))
    try harness.answer("org.example.clock", Harness.timeline("{}"))
    let receipt =
      #"{"id":"r1","widget":"clock","kind":"org.example.clock","cause":"placed","requestedAt":"2026-11-20T08:00:00Z","state":"done"}"#
    #expect(
      harness.received(by: app)
        == [#"{"jsonrpc":"2.0","method":"receipt.update","params":{"receipt":\#(receipt)}}"#])
    #expect(
      harness.received(by: other)
        == [#"{"jsonrpc":"2.0","id":1,"result":{"receipt":\#(receipt)}}"#])
  }

  @Test func `a tap goes to the connected app, else its desktop entry is started`() throws {
    var (harness, app, bar) = try world()
    try weather(&harness, app)
    let tap = #"{"jsonrpc":"2.0","id":1,"method":"widget.tap","params":{"id":"weather"}}"#
    #expect(harness.send(tap, to: bar) == [])
    let url = "weather://city/Xi%27an%20%26%20co"
    #expect(
      harness.launches.map(\.request)
        == [LaunchRequest(target: .application("org.example.Weather"), url: url)])
    try harness.launched(.started(application: "org.example.Weather.desktop", processID: 99))
    #expect(
      harness.received(by: bar) == [
        #"{"jsonrpc":"2.0","id":1,"result":{"opened":"desktop","application":"org.example.Weather.desktop","pid":99,"url":"\#(url)"}}"#
      ])
    harness.send(tap, to: bar)
    try harness.launched(.failed(reason: "no-handler", message: "there is no such application"))
    #expect(
      harness.received(by: bar) == [
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32031,"message":"there is no such application","data":{"name":"launchFailed","reason":"no-handler"}}}"#
      ])
    // Started applications are counted.
    let metrics = try harness.call("daemon.metrics", from: bar)["text"]?.stringValue
    #expect(metrics?.contains("\nintentd_launches_total 1\n") == true)
    try harness.call("app.register", ["app": "org.example.Weather"], from: app)
    #expect(
      try harness.call("widget.tap", ["id": "weather"], from: bar).serialized
        == #"{"opened":"app","application":"org.example.Weather","url":"\#(url)"}"#)
    #expect(
      harness.received(by: app) == [
        #"{"jsonrpc":"2.0","method":"app.open","params":{"widget":"weather","kind":"org.example.weather","family":"systemSmall","url":"\#(url)"}}"#
      ])
    #expect(harness.launches.isEmpty)
  }

  @Test func `an item opens its own URL, and refreshes the widget where it says so`() throws {
    var (harness, app, _) = try world()
    let news = #"{"items":[{"text":"a","url":"https://a.example/"},{"text":"b","refresh":true}]}"#
    harness.provider = { _ in nil }
    try harness.call("widget.add", ["kind": "org.example.news"], from: app)
    try harness.answer(
      "org.example.news", Harness.timeline(news, #","url":"mailto:x@example.org""#))
    harness.launcher = { request in
      .started(application: request.url ?? "none", processID: 1)
    }
    func opened(_ params: JSONValue) throws -> String? {
      try harness.call("widget.tap", params, from: app)["application"]?.stringValue
    }
    #expect(try opened(["id": "news", "item": 0]) == "https://a.example/")
    #expect(harness.running.isEmpty)
    #expect(try opened(["id": "news", "item": 1]) == "mailto:x@example.org")
    #expect(harness.running.count == 1)
    #expect(try opened(["id": "news"]) == "mailto:x@example.org")
    #expect(try harness.refusal("widget.tap", ["id": "news", "item": 2], from: app) == "-32602")
    #expect(try harness.refusal("widget.tap", ["id": "news", "item": -1], from: app) == "-32602")
  }

  @Test(arguments: [
    ("javascript:alert(1)", "-32014 schemeDenied"), ("file:///etc/passwd", "-32014 schemeDenied"),
    ("not a url", "-32013 invalidURL"),
    // No app owns this kind, so only links for a browser or a mailer are opened.
    ("weather://city/Rome", "-32030 nothingToOpen"),
    ("mailto:a@example.org?attach=/etc/passwd", "-32013 invalidURL"),
    ("http://0x7f.1/", "-32013 invalidURL"),
  ])
  func `a URL that is not to be opened opens nothing`(_ url: String, _ code: String) throws {
    var (harness, app, _) = try world()
    harness.provider = { _ in nil }
    try harness.call("widget.add", ["kind": "org.example.news"], from: app)
    try harness.answer("org.example.news", Harness.timeline("{}", #","url":"\#(url)""#))
    #expect(try harness.refusal("widget.tap", ["id": "news"], from: app) == code)
    #expect(harness.launches.isEmpty)
    #expect(try harness.refusal("widget.tap", ["id": "clock"], from: app) == "-32030 nothingToOpen")
    #expect(
      try harness.refusal("widget.tap", ["id": "nobody"], from: app) == "-32020 unknownWidget")
    #expect(try uses(&harness, app) == [])
  }

  /// The events in the history that say that the person used a widget, and the number of donations.
  private func uses(_ harness: inout Harness, _ client: ConnectionID) throws -> [String] {
    let entries = try harness.call("daemon.history", from: client)["entries"]?.arrayValue ?? []
    let donations = try harness.call("daemon.status", from: client)["donations"]?.intValue ?? -1
    return entries.compactMap { $0["event"]?.stringValue }.filter { $0 == "tap" }
      + (donations == 0 ? [] : ["\(donations) donations"])
  }

  @Test func `a tap whose application does not start is no use of the widget`() throws {
    var (harness, app, _) = try world()
    try harness.call(
      "widget.add", ["kind": "org.example.weather", "parameters": ["city": "Rome"]], from: app)
    harness.launcher = { _ in .failed(reason: "no-handler", message: "no such application") }
    #expect(
      try harness.refusal("widget.tap", ["id": "weather"], from: app) == "-32031 launchFailed")
    #expect(try uses(&harness, app) == [])
    harness.launcher = { _ in .started(application: "weather.desktop", processID: 9) }
    try harness.call("widget.tap", ["id": "weather"], from: app)
    #expect(try uses(&harness, app) == ["tap", "1 donations"])
  }

  @Test func `a tap may only refresh the widget`() throws {
    var (harness, app, _) = try world()
    harness.provider = { _ in nil }
    try harness.call("widget.add", ["kind": "org.example.news"], from: app)
    try harness.answer("org.example.news", Harness.timeline(#"{"refresh":true}"#))
    #expect(
      try harness.call("widget.tap", ["id": "news"], from: app).serialized
        == #"{"opened":"nothing"}"#)
    #expect(harness.running.map(\.kind) == ["org.example.news"])
    #expect(try uses(&harness, app) == ["tap", "1 donations"])
  }

  @Test(
    arguments: [
      ("{\"identifier\":\"r 7\",\"display\":\"Hall\"}", "https://rooms.example/r%207"),
      ("{\"name\":\"Rome\",\"latitude\":41.9}", "https://rooms.example/Rome"),
      ("[\"a/b\",{\"identifier\":\"c\"}]", "https://rooms.example/a%2Fb,c"),
      ("2.5", "https://rooms.example/2.5"), ("true", "https://rooms.example/true"),
      ("null", "https://rooms.example/"),
    ])
  func `every parameter has its text in a manifest's URL`(_ value: String, _ url: String) throws {
    let parameters: JSONObject = ["room": try JSONValue(parsing: value)]
    #expect(Daemon.fill("https://rooms.example/{room}", parameters) == url)
  }

  @Test func `a place in a manifest's URL that no parameter fills is reported`() throws {
    var harness = Harness()
    harness.files.manifests.append(
      Harness.manifest(
        "rain.yaml",
        """
        kind: rain
        name: Rain
        families: [systemSmall]
        intent: ShowWeather
        provider: {exec: [./rain]}
        url: https://rain.example/{cty}?city={city}
        """))
    harness.files.manifests.append(
      Harness.manifest(
        "plain.yaml",
        """
        kind: plain
        name: Plain
        families: [systemSmall]
        provider: {exec: [./plain]}
        url: https://plain.example/{city}
        """))
    let client = harness.connect()
    let answer = try harness.call("daemon.reloadConfiguration", from: client)
    #expect(
      answer["issues"]?.arrayValue?.map { $0["message"]?.stringValue } == [
        "url has {city}, and the kind, which has no intent, has no such parameter",
        "url has {cty}, and ShowWeather has no such parameter; did you mean 'city'?",
      ])
    #expect(answer["kinds"] == 6)
  }

  // MARK: Configuration

  @Test func `a broken manifest is reported and its last good kind stays in force`() throws {
    let broken = Harness.manifest(
      "clock.yaml", "kind: org.example.clock\nname: Clock\nfamilies: []\nprovider: {exec: [./c]}")
    for isReadable in [true, false] {
      var (harness, app, _) = try world()
      harness.files.manifests.removeAll { $0.file == "clock.yaml" }
      if isReadable {
        harness.files.manifests.append(broken)
      } else {
        harness.files.issues = [
          DocumentIssue(file: "clock.yaml", line: 3, message: "it is no YAML", expected: "YAML")
        ]
      }
      let answer = try harness.call("daemon.reloadConfiguration", from: app)
      #expect(answer["kinds"] == 4)
      #expect(answer["issues"]?.arrayValue?.count == 1)
      #expect(answer["issues"]?.arrayValue?.first?["file"] == "clock.yaml")
      let list = try harness.call("widget.list", ["kind": "org.example.clock"], from: app)
      #expect(list["widgets"]?.arrayValue?.map { $0["orphaned"] ?? .null } == [false, false])
      #expect(try harness.call("daemon.status", from: app)["issues"] == answer["issues"])
      // The kind is removed once its file is.
      harness.files = Harness.configuration
      harness.files.manifests.removeAll { $0.file == "clock.yaml" }
      #expect(try harness.call("daemon.reloadConfiguration", from: app)["kinds"] == 3)
      #expect(try harness.call("daemon.status", from: app)["orphaned"] == 2)
    }
  }

  @Test func `two manifests of one kind: the first wins, the second is a warning`() throws {
    var (harness, app, _) = try world()
    harness.files.manifests.append(
      Harness.manifest(
        "other.yaml",
        "kind: org.example.clock\nname: Other\nfamilies: [systemSmall]\nprovider: {exec: [x]}"))
    let answer = try harness.call("daemon.reloadConfiguration", from: app)
    #expect(answer["kinds"] == 4)
    #expect(answer["issues"]?.arrayValue?.map { $0["severity"] ?? .null } == ["warning"])
    #expect(harness.daemon.engine.kinds["org.example.clock"]?.name == "Clock")
  }

  @Test func `a folder that cannot be read does not make every intent forgotten`() throws {
    var (harness, app, _) = try world()
    harness.files.catalog = []
    harness.files.issues = [
      DocumentIssue(file: "intents", line: 0, message: "permission denied", expected: "a folder")
    ]
    #expect(try harness.call("daemon.reloadConfiguration", from: app)["intents"] == 5)
    harness.files.issues = []
    #expect(try harness.call("daemon.reloadConfiguration", from: app)["intents"] == 0)
  }

  @Test func `requests that meet a reload of the configuration are all answered by it`() throws {
    var (harness, app, bar) = try world()
    let line = #"{"jsonrpc":"2.0","id":1,"method":"daemon.reloadConfiguration"}"#
    harness.handle(
      .received(app, Array("\(line)\n\(line)\n".utf8)), .received(bar, Array("\(line)\n".utf8)))
    #expect(harness.received(by: app).filter { $0.contains(#""result":{"kinds":4"#) }.count == 2)
    #expect(harness.received(by: bar).count == 1)
    #expect(harness.log.filter { $0.event == "configuration.loaded" }.count == 2)
  }

  @Test func `a surface's session is passed on before its runs, and mistakes name no value`() throws
  {
    var harness = Harness(provider: Harness.texts)
    let bar = harness.connect()
    try harness.call(
      "surface.attach",
      ["session": ["SWAYSOCK": "/s", "DISPLAY": ":0", "I3SOCK": "", "NIRI_SOCKET": nil]], from: bar)
    #expect(
      harness.sessions
        == [SurfaceSession(variables: [.init(.display, ":0"), .init(.sway, "/s")], isDark: nil)])
    try harness.call("surface.attach", ["appearance": "dark"], from: bar)
    #expect(harness.sessions.last == SurfaceSession(variables: nil, isDark: true))
    try harness.call("surface.attach", from: bar)
    #expect(harness.sessions.count == 2)
    let long = String(repeating: "s", count: 4_097)
    let wrong: [JSONValue] = [
      ["DISPLY": ":0"], ["PATH": "/tmp"], ["DISPLAY": 0], ["DISPLAY": ":0\n"],
      ["SWAYSOCK": .string(long)], [":0"],
    ]
    for session in wrong {
      let error = try harness.call("surface.attach", ["session": session], from: bar)
      #expect(error["code"] == -32602)
      #expect(error["data"]?["parameter"] == "session")
      #expect(error["message"]?.stringValue?.contains("sss") == false)
    }
    #expect(harness.sessions.count == 2)
  }
}
