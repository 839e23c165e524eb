import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests widgets that come compact and expanded.
@Suite struct ModeTests {
  private static let look = WidgetLook(
    mode: .expanded, modes: WidgetMode.allCases,
    maximumSize: DisplaySize(width: 359, height: 600), compactHeight: 110)

  private static func kind(_ modes: [WidgetMode] = WidgetMode.allCases) -> WidgetKind {
    var kind = EngineDriver.kind("agenda")
    kind.modes = modes
    return kind
  }

  private static func answer(_ text: String, policy: String = "\"never\"", more: String = "")
    -> String
  {
    #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"\#(text)"}}],"policy":\#(policy)\#(more)}"#
  }

  /// The widget `agenda`, loaded in the compact mode.
  private func world() throws -> EngineDriver {
    var driver = EngineDriver(kinds: [Self.kind()])
    _ = try driver.place("agenda")
    _ = driver.answer(1, Self.answer("short"))
    return driver
  }

  private func text(_ driver: EngineDriver, _ look: WidgetLook? = nil) -> String? {
    let view = driver.engine.view(of: "agenda", as: look, at: driver.now.wall)
    return view?["entry"]?["content"]?["text"]?.stringValue
  }

  private func request(_ driver: EngineDriver) throws -> JSONValue {
    try JSONValue(parsing: try #require(driver.runs.first).request)
  }

  // MARK: The two timelines

  @Test func `a widget that is expanded first is loaded for that mode, free of budget`() throws {
    var driver = try world()
    #expect(
      try driver.setMode(.expanded, "agenda", on: "page") == ["r2 accepted", "run #2 agenda"])
    let request = try request(driver)
    #expect(request["mode"] == "expanded")
    #expect(request["maximumSize"]?.serialized == #"{"width":359,"height":616}"#)
    #expect(
      driver.answer(2, Self.answer("long", more: #","preferredHeight":280"#))
        == ["r2 done", "changed agenda expanded"])
    #expect(text(driver) == "short")
    #expect(text(driver, Self.look) == "long")
    let view = try #require(driver.engine.view(of: "agenda", as: Self.look, at: driver.now.wall))
    #expect(view["mode"] == "expanded")
    #expect(view["height"] == 280)
    let budget = try driver.engine.budgetView(of: "agenda", in: .expanded, at: driver.now.wall)
    #expect(budget["balance"] == 12.0)
  }

  @Test func `what was made for a mode is shown at once when it is chosen again`() throws {
    var driver = try world()
    _ = try driver.setMode(.expanded, "agenda", on: "page")
    _ = driver.answer(2, Self.answer("long"))
    #expect(try driver.setMode(.compact, "agenda", on: "page") == [])
    #expect(try driver.setMode(.expanded, "agenda", on: "page") == [])
    #expect(text(driver, Self.look) == "long")
  }

  @Test func `a second wish while the mode is loaded waits for the same run`() throws {
    var driver = try world()
    _ = try driver.setMode(.expanded, "agenda", on: "page")
    #expect(
      try driver.setMode(.expanded, "agenda", on: "panel") == ["r3 coalesced into r2"])
    #expect(
      driver.answer(2, Self.answer("long")) == ["r2 done", "changed agenda expanded"])
  }

  @Test func `a request for a reload is one for both modes`() throws {
    var driver = try world()
    _ = try driver.setMode(.expanded, "agenda", on: "page")
    _ = driver.watch(Watch(expanded: ["agenda"]))
    _ = driver.answer(2, Self.answer("long"))
    #expect(
      try driver.reload("agenda", .reload)
        == ["r3 accepted", "run #3 agenda", "run #4 agenda"])
    #expect(
      driver.runs.map { String(decoding: $0.request, as: UTF8.self).contains("expanded") }
        == [false, true])
    #expect(driver.answer(4, Self.answer("longer")) == ["changed agenda expanded"])
    #expect(driver.answer(3, Self.answer("shorter")) == ["r3 done", "changed agenda compact"])
  }

  @Test func `an expanded timeline that nobody sees waits until it is seen`() throws {
    var driver = try world()
    _ = try driver.setMode(.expanded, "agenda", on: "page")
    _ = driver.answer(2, Self.answer("long", policy: #"{"after":"2026-11-20T09:00:00Z"}"#))
    #expect(driver.pass(7_200) == [])
    // The compact one goes on being seen, and is reloaded alone.
    #expect(try driver.reload("agenda", .reload) == ["r3 accepted", "run #3 agenda"])
    _ = driver.answer(3, Self.answer("shorter"))
    #expect(driver.watch(Watch(expanded: ["agenda"])) == ["run #4 agenda"])
    #expect(try request(driver)["mode"] == "expanded")
  }

  @Test func `the expanded timeline has no say in the stack`() throws {
    var driver = try world()
    _ = try driver.place("agenda", id: "other", family: .accessoryInline)
    _ = driver.answer(
      2,
      #"{"entries":[{"date":"2026-11-20T08:00:00Z","relevance":{"score":10},"content":{}}],"policy":"never"}"#
    )
    #expect(driver.stack() == ["other", "agenda"])
    _ = try driver.setMode(.expanded, "agenda", on: "page")
    _ = driver.answer(
      3,
      #"{"entries":[{"date":"2026-11-20T08:00:00Z","relevance":{"score":99},"content":{"text":"x"}}],"policy":"never"}"#
    )
    #expect(driver.stack() == ["other", "agenda"])
  }

  @Test func `widgets alike share the expanded timeline as well`() throws {
    var driver = try world()
    _ = try driver.place("agenda", id: "twin")
    _ = driver.answer(2, Self.answer("short"))
    _ = try driver.setMode(.expanded, "agenda", on: "page")
    _ = driver.answer(3, Self.answer("long"))
    #expect(try driver.setMode(.expanded, "twin", on: "page") == [])
    #expect(
      driver.engine.view(of: "twin", as: Self.look, at: driver.now.wall)?["entry"]?["content"]
        == ["text": "long"])
    _ = try driver.remove("agenda")
    #expect(driver.engine.timelines.count == 2)
    _ = try driver.remove("twin")
    #expect(driver.engine.timelines.isEmpty)
  }

  // MARK: Kinds

  @Test func `a kind that is compact only says so`() throws {
    var driver = EngineDriver(kinds: [Self.kind([.compact])])
    _ = try driver.place("agenda")
    #expect(try request(driver)["mode"] == nil)
    _ = driver.answer(1, Self.answer("short"))
    let error = #expect(throws: WidgetError.self) {
      try driver.setMode(.expanded, "agenda", on: "page")
    }
    #expect(error?.code == .unsupportedMode)
    #expect(try driver.setMode(.compact, "agenda", on: "page") == [])
  }

  @Test func `a kind that loses the mode collapses its widgets, and keeps what they show`() throws {
    var driver = try world()
    _ = try driver.setMode(.expanded, "agenda", on: "page")
    _ = driver.answer(2, Self.answer("long"))
    _ = driver.setKinds([])
    #expect(driver.engine.isExpanded("agenda", in: .name("page")))
    var output = EngineOutput()
    driver.engine.setKinds([Self.kind([.compact])], at: driver.now.wall, into: &output)
    driver.engine.followKinds(at: driver.now.wall, into: &output)
    #expect(!driver.engine.isExpanded("agenda", in: .name("page")))
    #expect(driver.engine.timelines.count == 1)
    #expect(text(driver) == "short")
    _ = driver.setKinds([Self.kind()])
    #expect(!driver.engine.isExpanded("agenda", in: .name("page")))
  }

  @Test func `a widget that is configured anew is loaded in the modes that somebody sees`() throws {
    var driver = EngineDriver(kinds: [Self.kind()])
    _ = try driver.place("agenda", id: "agenda", EngineDriver.city("Oslo"))
    _ = driver.answer(1, Self.answer("short"))
    _ = try driver.setMode(.expanded, "agenda", on: "page")
    _ = driver.answer(2, Self.answer("long"))
    #expect(
      try driver.configure("agenda", EngineDriver.city("Rome"))
        == ["r3 accepted", "run #3 agenda", "run #4 agenda", "changed agenda"])
    _ = driver.answer(3, Self.answer("short"))
    _ = driver.answer(4, Self.answer("long"))
    _ = try driver.setMode(.compact, "agenda", on: "page")
    #expect(
      try driver.configure("agenda", EngineDriver.city("Oslo"))
        == ["r4 accepted", "run #5 agenda", "changed agenda"])
    #expect(driver.engine.timelines.count == 1)
  }

  // MARK: What is kept

  @Test func `choices of names survive a restart, with what was made for the mode`() throws {
    var driver = try world()
    _ = try driver.setMode(.expanded, "agenda", on: "page", "DP-1")
    _ = try driver.setMode(.expanded, "agenda", in: [.attachment(7)])
    _ = driver.answer(2, Self.answer("long", more: #","preferredHeight":280"#))
    var fresh = try driver.restarted(kinds: [Self.kind()])
    #expect(fresh.resume() == ["changed agenda compact", "changed agenda expanded"])
    #expect(fresh.engine.isExpanded("agenda", in: .name("page")))
    #expect(fresh.engine.isExpanded("agenda", in: .name("DP-1")))
    #expect(!fresh.engine.isExpanded("agenda", in: .attachment(7)))
    let view = fresh.engine.view(of: "agenda", as: Self.look, at: fresh.now.wall)
    #expect(view?["entry"]?["content"] == ["text": "long"])
    #expect(view?["height"] == 280)
  }

  @Test func `a load that a crash ended is made by the next process, for the same mode`() throws {
    var driver = try world()
    _ = try driver.setMode(.expanded, "agenda", on: "page")
    var fresh = try driver.restarted(kinds: [Self.kind()])
    #expect(fresh.resume() == ["run #1 agenda", "changed agenda compact"])
    #expect(try request(fresh)["mode"] == "expanded")
    let lines = fresh.answer(1, Self.answer("long"))
    #expect(lines.contains("r2 done"))
  }

  @Test func `choices of surfaces without a name end with them`() throws {
    var driver = try world()
    _ = try driver.setMode(.expanded, "agenda", in: [.attachment(7), .attachment(8)])
    _ = driver.answer(2, Self.answer("long"))
    var output = EngineOutput()
    driver.engine.keepExpanded(on: [8, 9], at: driver.now.wall, into: &output)
    #expect(!driver.engine.isExpanded("agenda", in: .attachment(7)))
    #expect(driver.engine.isExpanded("agenda", in: .attachment(8)))
    #expect(driver.engine.checkInvariants(isThorough: true) == [])
  }

  @Test func `a removed widget comes back expanded where it was`() throws {
    var driver = try world()
    _ = try driver.setMode(.expanded, "agenda", on: "page")
    _ = driver.answer(2, Self.answer("long"))
    _ = try driver.transcript { engine, now, output in
      try engine.removeForPerson(["agenda"], at: now, into: &output)
    }
    #expect(driver.engine.expandedWidgets.isEmpty)
    let lines = try driver.transcript { engine, now, output in
      _ = try engine.undo(at: now, into: &output)
    }
    #expect(lines == ["run #3 agenda", "changed agenda", "changed agenda compact"])
    #expect(try request(driver)["mode"] == "expanded")
    #expect(driver.engine.isExpanded("agenda", in: .name("page")))
  }

  @Test func `a widget is expanded on so many surfaces and no more`() throws {
    var driver = try world()
    let names = (0..<Limits.expandedSurfaceCountMax).map { ModePlace.name("s\($0)") }
    _ = try driver.setMode(.expanded, "agenda", in: names)
    let error = #expect(throws: WidgetError.self) {
      try driver.setMode(.expanded, "agenda", on: "one-more")
    }
    #expect(error?.code == .tooManySurfaces)
    #expect(try driver.setMode(.expanded, "agenda", on: "s0").last?.contains("coalesced") == true)
  }

  @Test func `keys of before there were modes are those of compact timelines`() throws {
    let old = TimelineKey(kind: "a.b", family: .systemSmall, configuration: "Show|city=Oslo")
    #expect(old.text == "a.b\u{1F}systemSmall\u{1F}Show|city=Oslo")
    #expect(TimelineKey(text: old.text) == old)
    var expanded = old
    expanded.mode = .expanded
    #expect(expanded.text == old.text + "\u{1F}expanded")
    #expect(TimelineKey(text: expanded.text) == expanded)
    #expect(TimelineKey(text: old.text + "\u{1F}compact") == nil)
    #expect(TimelineKey(text: old.text + "\u{1F}huge") == nil)
    #expect(old < expanded)
  }

  // MARK: Sizes

  @Test func `another size makes its mode anew, of kinds with modes alone`() throws {
    var driver = EngineDriver(kinds: [Self.kind(), EngineDriver.kind("clock")])
    _ = try driver.place("agenda")
    _ = driver.answer(1, Self.answer("short"))
    _ = try driver.place("clock")
    _ = driver.answer(2, Self.answer("time"))
    let sizes = [WidgetMode.expanded: DisplaySize(width: 400, height: 700)]
    func resize(_ sizes: [WidgetMode: DisplaySize]) -> [String] {
      driver.transcript { engine, now, output in
        engine.setModeSizes(sizes, at: now, into: &output)
      }
    }
    // Nothing is made for the expanded mode yet, and the compact one has its size.
    #expect(resize(sizes) == [])
    #expect(driver.notes.map(\.event) == ["surroundings"])
    #expect(resize(sizes) == [])
    #expect(driver.notes.isEmpty)
    _ = try driver.setMode(.expanded, "agenda", on: "page")
    #expect(try request(driver)["maximumSize"]?.serialized == #"{"width":400,"height":700}"#)
    _ = driver.answer(3, Self.answer("long"))
    _ = driver.watch(Watch(expanded: ["agenda"]))
    #expect(resize([.compact: DisplaySize(width: 400, height: 110)]) == ["run #4 agenda"])
    #expect(try request(driver)["mode"] == "compact")
    _ = driver.answer(4, Self.answer("short"))
    // A size of its own counts for one widget.
    let own = [WidgetMode.expanded: DisplaySize(width: 200, height: 300)]
    let resized = driver.transcript { engine, now, output in
      engine.setModeSizes(own, of: "agenda", at: now, into: &output)
    }
    #expect(resized == ["run #5 agenda"])
    #expect(try request(driver)["maximumSize"]?.serialized == #"{"width":200,"height":300}"#)
  }

  @Test func `sizes and text size survive a restart`() throws {
    var driver = try world()
    var output = EngineOutput()
    driver.engine.setModeSizes(
      [.expanded: DisplaySize(width: 400, height: 700)], at: driver.now.wall, into: &output)
    let kept = try #require(output.settings["surroundings"])
    var fresh = WidgetEngine()
    let reread = try JSONValue(parsing: kept.serialized)
    let isRead = fresh.restoreSetting("surroundings", reread)
    #expect(isRead)
    #expect(fresh.settings["surroundings"] == kept)
  }

  @Test(
    arguments: [
      (nil, 600), (1, 110), (109, 110), (110, 110), (111, 111), (599, 599), (600, 600), (601, 600),
    ] as [(Int64?, Int64)])
  func `the height is between the compact one and the maximum`(preferred: Int64?, height: Int64) {
    #expect(Self.look.height(preferred: preferred) == height)
    var compact = Self.look
    compact.mode = .compact
    #expect(compact.height(preferred: preferred) == 110)
  }

  @Test(
    arguments: [
      (#"{"entries":[],"preferredHeight":280}"#, 280),
      (#"{"entries":[],"preferredHeight":280.2}"#, 281),
      (#"{"entries":[],"preferredHeight":1e9}"#, 16_384),
      (#"{"entries":[],"preferredHeight":null}"#, nil), (#"{"entries":[]}"#, nil),
    ] as [(String, Int64?)])
  func `an answer may carry the height that its content wants`(text: String, height: Int64?) throws
  {
    let answer = try ProviderAnswer.read(JSONValue(parsing: text)).get()
    #expect(answer.preferredHeight == height)
  }

  @Test(arguments: ["0", "0.9", "-1", #""tall""#, "[280]", "true"])
  func `another height is refused with words`(said: String) throws {
    let value = try JSONValue(parsing: #"{"entries":[],"preferredHeight":\#(said)}"#)
    let error = #expect(throws: TimelineError.self) { try ProviderAnswer.read(value).get() }
    #expect(error?.path == "preferredHeight")
    #expect(error?.message.contains("in points, such as 280") == true)
  }
}

/// Tests the heights of widgets on phones.
@Suite struct TodaySizeTests {
  @Test func `the compact height follows the text size, whatever the place`() {
    let heights: [Int64] = [95, 100, 105, 110, 120, 135, 140, 140, 140, 140, 140, 140]
    for entryPoint in TodaySize.EntryPoint.allCases {
      for screen in TodaySize.Screen.allCases {
        for orientation in TodaySize.Orientation.allCases {
          let place = TodaySize(entryPoint, screen, orientation)
          #expect(TextSize.allCases.map { place.compact($0).height } == heights)
        }
      }
    }
  }

  @Test func `the largest expanded height follows entry point, screen and orientation`() {
    // By the entry point, then for the screens from 4.7 to 6.5 inches; upright, then sideways.
    let expected: [TodaySize.EntryPoint: ([Int64?], [Int64?])] = [
      .today: ([616, 616, 616, 616, 616], [352, 352, 352, 352, 352]),
      .notifications: ([528, 528, 528, 528, 528], [264, 264, 264, 264, 264]),
      .icon: ([nil, nil, nil, nil, nil], [nil, nil, nil, nil, nil]),
    ]
    for entryPoint in TodaySize.EntryPoint.allCases {
      func heights(_ orientation: TodaySize.Orientation) -> [Int64?] {
        TodaySize.Screen.allCases.map { TodaySize(entryPoint, $0, orientation).expanded?.height }
      }
      #expect(heights(.portrait) == expected[entryPoint]?.0)
      #expect(heights(.landscape) == expected[entryPoint]?.1)
    }
  }

  @Test func `a widget is as wide as the column of its screen`() {
    let widths = TodaySize.Screen.allCases.map { TodaySize(.today, $0).compact(.large).width }
    #expect(widths == [359, 398, 359, 398, 398])
  }

  @Test func `sizes that a surface says go before those of its place`() {
    let said = DisplaySize(width: 500, height: 900)
    let room = ModeRoom(sizes: [.expanded: said], today: TodaySize(.notifications))
    #expect(room.size(of: .expanded, for: .large) == said)
    #expect(room.size(of: .compact, for: .xxLarge) == DisplaySize(width: 500, height: 135))
    let place = ModeRoom(today: TodaySize(.icon))
    #expect(place.size(of: .expanded, for: .large) == nil)
    #expect(place.size(of: .compact, for: .large) == DisplaySize(width: 359, height: 110))
  }

  @Test func `an expanded widget is never lower than a compact one`() {
    let room = ModeRoom(sizes: [.expanded: DisplaySize(width: 300, height: 120)])
    #expect(room.size(of: .expanded, for: .large)?.height == 120)
    #expect(room.size(of: .expanded, for: .xxxLarge)?.height == 140)
  }

  @Test func `room for one widget replaces the room for all`() {
    let all = ModeRoom(today: TodaySize(.today, .inches5_5))
    let one = ModeRoom(sizes: [.compact: DisplaySize(width: 200, height: 90)])
    let room = all.replaced(by: one, for: .large)
    #expect(room.size(of: .compact, for: .large) == DisplaySize(width: 200, height: 90))
    #expect(room.size(of: .expanded, for: .large) == nil)
    let larger = all.replaced(
      by: ModeRoom(sizes: [.expanded: DisplaySize(width: 398, height: 700)]), for: .small)
    #expect(larger.size(of: .compact, for: .small) == DisplaySize(width: 398, height: 100))
    #expect(larger.size(of: .expanded, for: .small)?.height == 700)
  }
}
