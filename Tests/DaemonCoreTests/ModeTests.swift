import IntentProtocol
import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Tests widgets that are compact on one surface and expanded on another.
@Suite struct ModeTests {
  private static let kinds: [ManifestSource] = [
    Harness.manifest(
      "tasks.yaml",
      """
      kind: org.example.tasks
      name: Tasks
      families: [systemMedium]
      modes: [compact, expanded]
      provider: {exec: [./tasks]}
      url: https://tasks.example/all
      """),
    Harness.manifest(
      "plain.yaml",
      """
      kind: org.example.plain
      name: Plain
      families: [systemMedium]
      provider: {exec: [./plain]}
      """),
  ]

  /// What the provider says: the mode, and the number of the answer.
  private static func answer(_ run: ProviderRun, _ number: Int) -> ProviderOutcome {
    let isExpanded = String(decoding: run.request, as: UTF8.self).contains(#""mode":"expanded""#)
    let mode = isExpanded ? "expanded" : "compact"
    let text =
      #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"\#(mode) \#(number)","items":[{"text":"a","url":"https://tasks.example/\#(mode)"}]}}],"policy":"never","preferredHeight":\#(isExpanded ? 240 : 90)}"#
    return .answered(Array(text.utf8))
  }

  /// Two widgets, of a kind with modes and one without, and the client of a person's tool.
  private func world() throws -> (harness: Harness, tool: ConnectionID) {
    var count = 0
    var harness = Harness(
      files: ConfigurationFiles(catalog: Harness.shippedIntents, manifests: Self.kinds),
      provider: { run in
        count += 1
        return Self.answer(run, count)
      })
    let tool = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.tasks", "id": "tasks"], from: tool)
    try harness.call("widget.add", ["kind": "org.example.plain", "id": "plain"], from: tool)
    return (harness, tool)
  }

  private static let sizes: JSONValue = [
    "compact": ["width": 359, "height": 110], "expanded": ["width": 359, "height": 616],
  ]

  private func attach(
    _ harness: inout Harness, _ more: JSONObject = [:], modes: JSONValue? = ModeTests.sizes
  ) throws -> ConnectionID {
    let page = harness.connect()
    var params = more
    params["modes"] = modes
    let answer = try harness.call("surface.attach", .object(params), from: page)
    #expect(answer["surface"] != nil, "\(answer.serialized)")
    return page
  }

  /// Returns the widgets of the updates that a surface got: `id mode height: text`.
  private func updates(_ harness: inout Harness, _ page: ConnectionID) throws -> [String] {
    try harness.received(by: page).flatMap { text -> [String] in
      let line = try JSONValue(parsing: text)
      guard line["method"] == "surface.update" else { return [] }
      return (line["params"]?["widgets"]?.arrayValue ?? []).map(Self.words)
    }
  }

  private static func words(_ widget: JSONValue) -> String {
    let id = widget["id"]?.stringValue ?? "-"
    let mode = widget["mode"]?.stringValue ?? "-"
    let height = widget["height"]?.intValue.map { String($0) } ?? "-"
    return "\(id) \(mode) \(height): \(widget["entry"]?["content"]?["text"]?.stringValue ?? "-")"
  }

  // MARK: One widget, two surfaces

  @Test func `a widget is expanded on one surface and compact on another`() throws {
    var (harness, tool) = try world()
    let page = try attach(&harness, ["name": "page"])
    let panel = try attach(&harness, ["name": "panel"])
    let old = try attach(&harness, modes: nil)
    let answer = try harness.call(
      "widget.setMode", ["id": "tasks", "mode": "expanded", "name": "page", "wait": true],
      from: tool)
    #expect(answer["widget"].map(Self.words) == "tasks expanded 240: expanded 3")
    #expect(answer["surfaces"] == ["page"])
    #expect(answer["receipt"]?["state"] == "done")
    #expect(answer["receipt"]?["cause"] == "mode")
    #expect(try updates(&harness, page).last == "tasks expanded 240: expanded 3")
    #expect(try updates(&harness, panel) == [])
    #expect(try updates(&harness, old) == [])

    try harness.call("widget.reload", ["id": "tasks"], from: tool)
    #expect(try updates(&harness, page) == ["tasks expanded 240: expanded 5"])
    #expect(try updates(&harness, panel) == ["tasks compact 110: compact 4"])
    #expect(try updates(&harness, old) == ["tasks - -: compact 4"])

    let back = try harness.call(
      "widget.setMode", ["id": "tasks", "mode": "compact", "name": "page"], from: tool)
    #expect(back["widget"].map(Self.words) == "tasks compact 110: compact 4")
    #expect(back["receipt"] == nil)
    #expect(try updates(&harness, page) == ["tasks compact 110: compact 4"])
    // Nobody shows it expanded any more, so it is not made for that.
    try harness.call("widget.reload", ["id": "tasks"], from: tool)
    #expect(try updates(&harness, page) == ["tasks compact 110: compact 6"])
    try harness.call(
      "widget.setMode", ["id": "tasks", "mode": "expanded", "name": "page"], from: tool)
    #expect(
      try updates(&harness, page).last == "tasks expanded 240: expanded 7")
  }

  @Test func `a surface that says nothing of modes is told what it always was`() throws {
    var (harness, _) = try world()
    let old = harness.connect()
    let answer = try harness.call("surface.attach", from: old)
    let view = answer["widgets"]?.arrayValue?.first
    for name in ["mode", "modes", "height", "maximumSize"] { #expect(view?[name] == nil) }
  }

  @Test func `each surface says which modes it has room for`() throws {
    var (harness, _) = try world()
    let page = harness.connect()
    let answer = try harness.call(
      "surface.attach",
      [
        "modes": Self.sizes,
        "widgetModes": ["tasks": ["compact": ["width": 200, "height": 90]]],
      ], from: page)
    let views = answer["widgets"]?.arrayValue ?? []
    #expect(
      views.map(Self.words) == ["tasks compact 90: compact 1", "plain compact 110: compact 2"])
    #expect(views.map { $0["modes"] } == [["compact"], ["compact"]])
    #expect(
      try harness.refusal(
        "widget.setMode", ["id": "tasks", "mode": "expanded"], from: page)
        == "-32050 unsupportedMode")
  }

  @Test func `a tap is on what the person saw in that mode`() throws {
    var (harness, tool) = try world()
    let page = try attach(&harness, ["name": "page"])
    let answer = try harness.call(
      "widget.setMode", ["id": "tasks", "mode": "expanded", "wait": true], from: page)
    let revision = try #require(answer["widget"]?["revision"])
    harness.launcher = { _ in .started(application: "browser", processID: 4711) }
    try harness.call(
      "widget.tap", ["id": "tasks", "item": 0, "revision": revision], from: page)
    #expect(harness.launches.isEmpty)
    let compact = try harness.call("widget.list", from: tool)["widgets"]?.arrayValue?.first
    let lower = try #require(compact?["revision"])
    #expect(lower != revision)
    let opened = try harness.call(
      "widget.tap", ["id": "tasks", "item": 0, "mode": "expanded"], from: page)
    #expect(opened["url"] == "https://tasks.example/expanded")
    let small = try harness.call(
      "widget.tap", ["id": "tasks", "item": 0, "revision": lower], from: page)
    #expect(small["url"] == "https://tasks.example/compact")
    #expect(
      try harness.refusal(
        "widget.tap", ["id": "tasks", "revision": lower, "mode": "expanded"], from: page)
        == "-32032 entryChanged")
  }

  /// A widget `tasks` with one item compact and three expanded, and the revisions of both.
  private func worldWithItems() throws -> (
    harness: Harness, tool: ConnectionID, compact: JSONValue, expanded: JSONValue
  ) {
    func answer(_ items: String) -> ProviderOutcome {
      .answered(Array(Harness.timeline(#"{"text":"list","items":[\#(items)]}"#).utf8))
    }
    var harness = Harness(
      files: ConfigurationFiles(catalog: Harness.shippedIntents, manifests: Self.kinds),
      provider: { run in
        String(decoding: run.request, as: UTF8.self).contains(#""mode":"expanded""#)
          ? answer(
            #"""
            {"text":"less","set":{"rows":null}},
            {"text":"Rome","intent":{"name":"ShowWeather","parameters":{"city":"Rome"}}},
            {"text":"page","url":"https://tasks.example/page"}
            """#)
          : answer(#"{"text":"more","set":{"rows":6}}"#)
      })
    let tool = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.tasks", "id": "tasks"], from: tool)
    let page = try attach(&harness, ["name": "page"])
    let answer = try harness.call(
      "widget.setMode", ["id": "tasks", "mode": "expanded", "wait": true], from: page)
    let list = try harness.call("widget.list", from: tool)["widgets"]?.arrayValue?.first
    return (
      harness, tool, try #require(list?["revision"]), try #require(answer["widget"]?["revision"])
    )
  }

  @Test(arguments: [true, false])
  func `a tap does what the item of that mode says`(namesMode: Bool) throws {
    var (harness, tool, compact, expanded) = try worldWithItems()
    harness.launcher = { _ in .started(application: "browser", processID: 4711) }
    func tap(_ item: Int64, _ mode: String) throws -> JSONValue {
      var params: JSONObject = ["id": "tasks", "item": .int(item)]
      if namesMode {
        params["mode"] = .string(mode)
      } else {
        params["revision"] = mode == "expanded" ? expanded : compact
      }
      return try harness.call("widget.tap", .object(params), from: tool)
    }
    #expect(try tap(2, "expanded")["url"] == "https://tasks.example/page")
    #expect(try tap(1, "expanded")["intent"]?["parameters"]?["city"] != nil)
    #expect(try tap(1, "compact")["data"]?["parameter"] == "item")
    // The reload after this tap makes content anew, which is the same as before.
    #expect(try tap(0, "expanded")["values"] == [:])
    #expect(try tap(0, "compact")["values"] == ["rows": 6])
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a client that is no surface follows the choice of the surface it names`() throws {
    var (harness, tool, compact, expanded) = try worldWithItems()
    func items(_ method: String, _ params: JSONObject) throws -> Int? {
      let answer = try harness.call(method, .object(params), from: tool)
      let shown =
        answer["entries"]?.arrayValue?.first ?? answer["widget"]?["entry"]
        ?? answer["widgets"]?.arrayValue?.first?["entry"]
      return shown?["content"]?["items"]?.arrayValue?.count
    }
    let named: [(String, JSONObject)] = [
      ("widget.timeline", ["id": "tasks"]), ("widget.list", ["kind": "org.example.tasks"]),
      ("widget.openMenu", ["id": "tasks"]),
    ]
    for (method, params) in named {
      #expect(try items(method, params) == 1, "\(method)")
      for (name, value, count) in [
        ("name", "page", 3), ("name", "other", 1), ("mode", "expanded", 3), ("mode", "compact", 1),
      ] {
        var asked = params
        asked[name] = .string(value)
        #expect(try items(method, asked) == count, "\(method) \(name) \(value)")
      }
    }
    let list = try harness.call("widget.list", ["name": "page"], from: tool)["widgets"]
    #expect(list?.arrayValue?.first?["mode"] == "expanded")
    #expect(list?.arrayValue?.first?["revision"] == expanded)
    // The mode that is named wins over the surface, and the revision over its choice.
    harness.launcher = { _ in .started(application: "browser", processID: 4711) }
    func tap(_ params: JSONObject) throws -> JSONValue {
      var params = params
      params["id"] = "tasks"
      return try harness.call("widget.tap", .object(params), from: tool)
    }
    #expect(try tap(["item": 2, "name": "page"])["url"] == "https://tasks.example/page")
    #expect(try tap(["item": 2, "name": "other"])["data"]?["parameter"] == "item")
    #expect(
      try tap(["item": 2, "name": "page", "mode": "compact"])["data"]?["parameter"] == "item")
    #expect(try tap(["item": 0, "name": "other", "revision": expanded])["values"] == [:])
    #expect(try tap(["item": 0, "name": "page", "revision": compact])["values"] == ["rows": 6])
  }

  @Test func `what a client reads expanded is reloaded when it is due`() throws {
    var (harness, tool) = try world()
    let page = try attach(&harness, ["name": "page"])
    try harness.call(
      "widget.setMode", ["id": "tasks", "mode": "expanded", "name": "page"], from: tool)
    harness.handle(.disconnected(page))
    harness.pass(2 * 86_400)
    func text() throws -> JSONValue? {
      try harness.call("widget.timeline", ["id": "tasks", "name": "page"], from: tool)["entries"]?
        .arrayValue?.first?["content"]?["text"]
    }
    // Nobody watches it now, so its part of the reload waits.
    try harness.call("widget.reload", ["id": "tasks"], from: tool)
    #expect(try text() == "expanded 3")
    #expect(try text() == "expanded 5")
  }

  @Test func `a tap in a mode that the widget never had is refused`() throws {
    var (harness, tool) = try world()
    #expect(
      try harness.refusal(
        "widget.tap", ["id": "tasks", "item": 0, "mode": "expanded"], from: tool)
        == "-32050 unsupportedMode")
    #expect(harness.launches.isEmpty)
  }

  // MARK: Sizes

  @Test func `sizes follow text size, entry point, screen and orientation`() throws {
    var (harness, tool) = try world()
    let phone = harness.connect()
    func attach(_ params: JSONValue) throws -> [String] {
      let answer = try harness.call("surface.attach", params, from: phone)
      return (answer["widgets"]?.arrayValue ?? []).prefix(1).map { widget in
        "\(widget["height"]?.serialized ?? "-") \(widget["maximumSize"]?.serialized ?? "-")"
      }
    }
    #expect(
      try attach(["entryPoint": "today", "name": "phone"])
        == [#"110 {"width":359,"height":110}"#])
    try harness.call(
      "widget.setMode", ["id": "tasks", "mode": "expanded", "name": "phone"], from: tool)
    #expect(
      try attach(["screen": "5.5in", "orientation": "landscape", "name": "phone"])
        == [#"240 {"width":398,"height":352}"#])
    #expect(
      try attach(["entryPoint": "notifications", "name": "phone"])
        == [#"240 {"width":359,"height":528}"#])
    // The menu of an icon has room for compact widgets only; the choice is kept all the same.
    #expect(
      try attach(["entryPoint": "icon", "name": "phone"]) == [#"110 {"width":359,"height":110}"#])
    #expect(
      try attach(["entryPoint": "today", "textSize": "xxLarge", "name": "phone"])
        == [#"240 {"width":359,"height":616}"#])
  }

  @Test func `another text size is told to surfaces whose heights follow it`() throws {
    var (harness, _) = try world()
    let phone = harness.connect()
    try harness.call("surface.attach", ["entryPoint": "today", "widgets": ["plain"]], from: phone)
    let other = harness.connect()
    try harness.call("surface.attach", ["textSize": "xSmall", "visible": false], from: other)
    #expect(try updates(&harness, phone).first?.hasPrefix("plain compact 95:") == true)
  }

  @Test func `the request says the largest room that a surface has`() throws {
    var requests: [String] = []
    var harness = Harness(
      files: ConfigurationFiles(catalog: Harness.shippedIntents, manifests: Self.kinds),
      provider: { run in
        let request = String(decoding: run.request, as: UTF8.self)
        requests.append(request)
        return Self.answer(run, requests.count)
      })
    let tool = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.tasks", "id": "tasks"], from: tool)
    #expect(
      requests.last?.contains(#""mode":"compact","maximumSize":{"width":359,"height":110}"#) == true
    )
    _ = try attach(
      &harness, ["name": "large"],
      modes: [
        "compact": ["width": 300, "height": 110], "expanded": ["width": 300, "height": 400],
      ])
    #expect(requests.count == 2)
    #expect(requests.last?.contains(#""maximumSize":{"width":300,"height":110}"#) == true)
    // A smaller one beside it makes nothing anew.
    _ = try attach(
      &harness, ["name": "small"],
      modes: [
        "compact": ["width": 200, "height": 100], "expanded": ["width": 200, "height": 200],
      ])
    #expect(requests.count == 2)
    let small = try harness.call(
      "widget.setMode", ["id": "tasks", "mode": "expanded", "name": "small", "wait": true],
      from: tool)
    #expect(
      requests.last?.contains(#""mode":"expanded","maximumSize":{"width":300,"height":400}"#)
        == true)
    #expect(small["widget"].map(Self.words) == "tasks expanded 200: expanded 3")
  }

  @Test(
    arguments: [
      (["modes": [:]], "modes"), (["modes": ["huge": ["width": 1, "height": 1]]], "modes"),
      (["modes": ["compact": ["width": 0, "height": 1]]], "modes"),
      (["modes": ["compact": 7]], "modes"), (["modes": 7], "modes"),
      (
        [
          "modes": [
            "compact": ["width": 9, "height": 90], "expanded": ["width": 9, "height": 80],
          ]
        ], "modes"
      ),
      (["widgetModes": ["tasks": 7]], "widgetModes"),
      (["widgetModes": ["tasks": [:]]], "widgetModes"),
      (["entryPoint": "todday"], "entryPoint"), (["screen": "7in"], "screen"),
      (["orientation": "up"], "orientation"),
    ] as [(JSONValue, String)])
  func `a room that cannot be is refused with words`(params: JSONValue, name: String) throws {
    var (harness, tool) = try world()
    let error = try harness.call("surface.attach", params, from: tool)
    #expect(error["data"]?["parameter"] == .string(name), "\(error.serialized)")
    #expect(error["data"]?["expected"] != nil)
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `room for a widget that is not placed is refused`() throws {
    var (harness, tool) = try world()
    #expect(
      try harness.refusal(
        "surface.attach", ["widgetModes": ["taks": ["compact": ["width": 9, "height": 9]]]],
        from: tool) == "-32020 unknownWidget")
    let many = (0...Limits.widgetsWithModesMax).map { JSONObject.Member(key: "w\($0)", value: [:]) }
    #expect(
      try harness.refusal(
        "surface.attach", ["widgetModes": .object(JSONObject(many))], from: tool) == "-32602")
  }

  // MARK: Refusals

  @Test func `a mode that cannot be is refused with words`() throws {
    var (harness, tool) = try world()
    func refusal(_ params: JSONValue) throws -> String {
      try harness.refusal("widget.setMode", params, from: tool)
    }
    #expect(try refusal(["id": "nobody", "mode": "expanded"]) == "-32020 unknownWidget")
    #expect(try refusal(["id": "tasks", "mode": "huge"]) == "-32602")
    #expect(try refusal(["id": "tasks"]) == "-32602")
    #expect(try refusal(["id": "plain", "mode": "expanded"]) == "-32050 unsupportedMode")
    // Nobody shows it.
    #expect(try refusal(["id": "tasks", "mode": "expanded"]) == "-32050 unsupportedMode")
    #expect(
      try refusal(["id": "tasks", "mode": "expanded", "name": "page"]) == "-32051 unknownSurface")
    #expect(
      try refusal(["id": "tasks", "mode": "expanded", "name": "a page"]) == "-32602")
    #expect(
      try refusal(["id": "tasks", "mode": "expanded", "surface": "s1"]) == "-32602")
    _ = try attach(&harness, ["name": "page"])
    #expect(
      try refusal(["id": "tasks", "mode": "expanded", "name": "pgae"]) == "-32051 unknownSurface")
    let icon = harness.connect()
    try harness.call("surface.attach", ["entryPoint": "icon", "name": "icon"], from: icon)
    #expect(
      try refusal(["id": "tasks", "mode": "expanded", "name": "icon"]) == "-32050 unsupportedMode")
    // Of all surfaces that show it, those with room are meant.
    let answer = try harness.call(
      "widget.setMode", ["id": "tasks", "mode": "expanded"], from: tool)
    #expect(answer["surfaces"] == ["page"])
  }

  // MARK: What is kept

  @Test func `choices of names survive a restart, others end with their surface`() throws {
    var (harness, tool) = try world()
    let page = try attach(&harness, ["name": "page"])
    let unnamed = try attach(&harness)
    try harness.call("widget.setMode", ["id": "tasks", "mode": "expanded"], from: tool)
    #expect(try updates(&harness, page).last == "tasks expanded 240: expanded 3")
    #expect(try updates(&harness, unnamed).last == "tasks expanded 240: expanded 3")
    harness.handle(.disconnected(unnamed))
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])

    var again = Harness(
      files: harness.files, stored: harness.stored, at: harness.now.wall,
      provider: { _ in nil })
    let later = again.connect()
    let answer = try again.call(
      "surface.attach", ["modes": Self.sizes, "name": "page"], from: later)
    #expect(
      answer["widgets"]?.arrayValue?.first.map(Self.words) == "tasks expanded 240: expanded 3")
    let other = again.connect()
    let plain = try again.call("surface.attach", ["modes": Self.sizes], from: other)
    #expect(plain["widgets"]?.arrayValue?.first.map(Self.words) == "tasks compact 110: compact 1")
    #expect(again.running.isEmpty)
    // The name that nobody has now can be taken back.
    again.handle(.disconnected(later))
    let back = try again.call(
      "widget.setMode", ["id": "tasks", "mode": "compact", "name": "page"], from: other)
    #expect(back["surfaces"] == [])
    #expect(
      try again.refusal(
        "widget.setMode", ["id": "tasks", "mode": "compact", "name": "page"], from: other)
        == "-32051 unknownSurface")
  }

  @Test func `a choice that could not be stored did not happen`() throws {
    var (harness, tool) = try world()
    let page = try attach(&harness, ["name": "page"])
    harness.storeMode = .fails(Harness.diskFull)
    #expect(
      try harness.refusal(
        "widget.setMode", ["id": "tasks", "mode": "expanded", "name": "page"], from: tool)
        == "-32040 storeUnavailable")
    harness.storeMode = .commits
    _ = harness.received(by: page)
    harness.pass(120)
    let answer = try harness.call(
      "surface.attach", ["modes": Self.sizes, "name": "page"], from: page)
    #expect(
      answer["widgets"]?.arrayValue?.first.map(Self.words)?.hasPrefix("tasks compact") == true)
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a kind that loses the mode collapses its widgets for the surfaces`() throws {
    var (harness, tool) = try world()
    let page = try attach(&harness, ["name": "page"])
    try harness.call(
      "widget.setMode", ["id": "tasks", "mode": "expanded", "name": "page"], from: tool)
    _ = try updates(&harness, page)
    let compactOnly = Harness.manifest(
      "tasks.yaml",
      """
      kind: org.example.tasks
      name: Tasks
      families: [systemMedium]
      provider: {exec: [./tasks]}
      """)
    harness.files = ConfigurationFiles(
      catalog: Harness.shippedIntents, manifests: [compactOnly, Self.kinds[1]])
    try harness.call("daemon.reloadConfiguration", from: tool)
    #expect(try updates(&harness, page).last?.hasPrefix("tasks compact 110: compact") == true)
    #expect(
      try harness.refusal("widget.timeline", ["id": "tasks", "mode": "expanded"], from: tool)
        == "-32050 unsupportedMode")
  }

  @Test func `a removed widget that comes back is expanded where it was`() throws {
    var (harness, tool) = try world()
    let page = try attach(&harness, ["name": "page"])
    try harness.call(
      "widget.setMode", ["id": "tasks", "mode": "expanded", "name": "page"], from: tool)
    try harness.call("widget.remove", ["id": "tasks"], from: tool)
    _ = harness.received(by: page)
    try harness.call("widget.restore", from: tool)
    #expect(try updates(&harness, page).last == "tasks expanded 240: expanded 4")
    try harness.call("widget.reload", ["id": "tasks"], from: tool)
    #expect(try updates(&harness, page).last == "tasks expanded 240: expanded 6")
  }

  @Test func `timeline and budget of each mode can be read`() throws {
    var (harness, tool) = try world()
    #expect(
      try harness.refusal("widget.budget", ["id": "tasks", "mode": "expanded"], from: tool)
        == "-32050 unsupportedMode")
    _ = try attach(&harness, ["name": "page"])
    try harness.call("widget.setMode", ["id": "tasks", "mode": "expanded"], from: tool)
    let timeline = try harness.call(
      "widget.timeline", ["id": "tasks", "mode": "expanded"], from: tool)
    #expect(
      timeline["entries"]?.arrayValue?.first?["content"]?["text"] == "expanded 3")
    let budget = try harness.call(
      "widget.budget", ["id": "tasks", "mode": "expanded"], from: tool)
    #expect(budget["exempt"] == ["mode": 1])
    let compact = try harness.call("widget.budget", ["id": "tasks"], from: tool)
    #expect(compact["exempt"]?["mode"] == nil)
    let gallery = try harness.call("gallery.list", from: tool)["kinds"]?.arrayValue ?? []
    #expect(gallery.map { $0["modes"] } == [nil, ["compact", "expanded"]])
  }
}
