import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests unwatched widgets, which do not reload, and widgets that come into view and continue.
///
/// The day starts at 08:00.
@Suite struct WatchingTests {
  private static let relevant =
    #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"a"},"relevance":{"score":5}}],"policy":{"after":"2026-11-20T08:10:00Z"}}"#

  private func answer(_ text: String = "a", after time: String = "08:10") -> String {
    ReloadTests.answer(text, policy: #"{"after":"2026-11-20T\#(time):00Z"}"#)
  }

  /// Makes an engine with an unwatched clock that was loaded at 08:00 and is due at 08:10.
  private func loaded() throws -> EngineDriver {
    var driver = EngineDriver(isWatched: false)
    #expect(try driver.place("clock") == ["r1 accepted", "run #1 clock", "changed clock"])
    _ = driver.answer(1, answer())
    return driver
  }

  @Test func `an unwatched widget is loaded once, and then left alone`() throws {
    var driver = try loaded()
    #expect(driver.pass(30 * 86_400) == [])
    #expect(driver.view("clock")["nextReload"] == nil)
    #expect(driver.view("clock")["held"] == "unwatched")
    #expect(driver.engine.countersByKind["clock"]?.runs == 1)
  }

  @Test func `on becoming visible it is due at once, and only once`() throws {
    var driver = try loaded()
    _ = driver.pass(86_400)
    #expect(driver.watch(Watch(families: [.accessoryInline])) == [])
    #expect(driver.watch(Watch(families: [.systemSmall])) == ["run #2 clock"])
    #expect(driver.view("clock")["held"] == nil)
    #expect(driver.watch(Watch(families: [.systemSmall]), Watch()) == [])
    #expect(driver.answer(2, answer("b")) == ["changed clock"])
  }

  @Test func `seen before it is due, it is reloaded when it is due`() throws {
    var driver = try loaded()
    #expect(driver.watch(Watch(widgets: ["clock"])) == [])
    #expect(driver.due("clock")?.hasPrefix("08:10") == true)
    // The surface hides before the clock is due: nothing happens.
    #expect(driver.watch() == [])
    #expect(driver.pass(3_600) == [])
    // A surface that shows other families does not watch the clock.
    #expect(driver.watch(Watch(families: [.systemLarge], widgets: ["clock"])) == [])
    #expect(driver.watch(Watch(families: [.systemSmall], widgets: ["clock"])) == ["run #2 clock"])
  }

  @Test func `one run serves all surfaces that show it`() throws {
    var driver = try loaded()
    #expect(driver.watch(Watch(), Watch(widgets: ["clock"]), Watch()) == [])
    let lines = driver.pass(615)
    #expect(lines.filter { $0.contains("run") }.count == 1)
    #expect(driver.answer(2, answer("b", after: "08:30")) == ["changed clock"])
    #expect(driver.watch(Watch(widgets: ["clock"])) == [])
    #expect(driver.pass(1_300).filter { $0.contains("run") }.count == 1)
  }

  @Test func `a read counts as watching for an hour`() throws {
    var driver = try loaded()
    #expect(driver.read("clock", "nobody") == [])
    #expect(driver.pass(630).filter { $0.hasSuffix("run #2 clock") }.count == 1)
    _ = driver.answer(2, answer("b", after: "08:50"))
    #expect(driver.pass(2_500).filter { $0.hasSuffix("run #3 clock") }.count == 1)
    _ = driver.answer(3, answer("c", after: "09:20"))
    // An hour after the read, the clock is unwatched again.
    #expect(driver.pass(86_400) == [])
    // The clock is overdue: the client gets the old entry, then the clock reloads.
    #expect(driver.read("clock") == ["run #4 clock"])
    #expect(driver.read("clock") == [])
  }

  @Test func `a widget with relevance is kept fresh enough for its place in the stack`() throws {
    var driver = EngineDriver(isWatched: false)
    _ = try driver.place("clock")
    _ = driver.answer(1, Self.relevant)
    #expect(driver.due("clock") == "09:00:00")
    #expect(driver.pass(3_599) == [])
    #expect(driver.pass(1) == ["09:00:00 run #2 clock"])
  }

  @Test func `a request never waits for a watching surface`() throws {
    var driver = try loaded()
    #expect(try driver.reload("clock", .hostBackground) == ["r2 accepted", "run #2 clock"])
    _ = driver.answer(2, answer())
    #expect(
      try driver.reload("clock", .hostBackground)
        == ["r3 deferred until 08:05:00: reloads of this kind are at least 5m apart"])
    #expect(driver.pass(310) == ["08:05:00 run #3 clock"])
    #expect(driver.answer(3, answer()) == ["r3 done"])
    #expect(try driver.reload("clock", .intent) == ["r4 accepted", "run #4 clock"])
  }

  @Test func `a first load is tried again although no surface watches`() throws {
    var driver = EngineDriver(isWatched: false)
    _ = try driver.place("clock")
    _ = driver.fail(1, .exited(code: 1))
    #expect(driver.pass(60) == ["08:01:00 run #2 clock"])
    // After later failures the retry waits for a watching surface.
    _ = driver.answer(2, answer())
    _ = try driver.reload("clock", .reload)
    _ = driver.fail(3, .exited(code: 1))
    #expect(driver.pass(86_400) == [])
    #expect(driver.watch(Watch()) == ["run #4 clock"])
  }

  @Test func `hidden while it waits for a slot, it is not run`() throws {
    let names = ["a", "b", "c", "d", "e"]
    var driver = EngineDriver(kinds: names.map { EngineDriver.kind($0) })
    for (index, name) in names.enumerated() {
      _ = try driver.place(name)
      _ = driver.answer(UInt64(index + 1), ReloadTests.answer("x", policy: #""atEnd""#))
    }
    for name in names.prefix(4) { _ = try driver.reload(name, .reload) }
    // e is due at 08:05 and waits for a slot: the four running ones take half a minute.
    _ = driver.pass(29)
    for token in 6...9 as ClosedRange<UInt64> { _ = driver.fail(token, .exited(code: 1)) }
    for name in names.prefix(4) { _ = try driver.reload(name, .reload) }
    #expect(driver.engine.runningCount == 4)
    var output = EngineOutput()
    driver.engine.ask(
      TimelineKey(kind: "e", family: .systemSmall, configuration: ""), .policy, receipt: nil,
      at: driver.now.wall.advanced(bySeconds: 300), into: &output)
    #expect(driver.engine.queuedCount == 1)
    #expect(driver.watch() == [])
    #expect(driver.fail(10, .exited(code: 1)).filter { $0.contains("run") } == [])
    #expect(
      driver.watch(Watch(families: [.systemSmall])).filter { $0.hasSuffix(" e") } == ["run #14 e"])
  }

  @Test func `after a restart nothing runs before a surface watches`() throws {
    var driver = try loaded()
    _ = driver.pass(600)
    var fresh = try driver.restarted(
      kinds: [EngineDriver.kind("clock")], after: 86_400, isWatched: false)
    #expect(fresh.resume() == ["changed clock"])
    #expect(fresh.pass(86_400) == [])
    #expect(fresh.watch(Watch()) == ["run #1 clock"])
  }

  @Test func `a new program is not asked before a surface watches`() throws {
    var driver = try loaded()
    #expect(driver.setKinds([EngineDriver.kind("clock", program: "better")]) == [])
    #expect(driver.watch(Watch()) == ["run #2 clock"])
  }

  // MARK: Surroundings

  @Test func `another language, text size or surface size reloads watched widgets, for free`()
    throws
  {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = try driver.place("clock", id: "inline", family: .accessoryInline)
    _ = driver.answer(1)
    _ = driver.answer(2)
    #expect(
      driver.setSurroundings(.init(locale: "de_DE")) == ["run #3 clock", "run #4 clock"])
    _ = driver.answer(3)
    _ = driver.answer(4)
    #expect(driver.setSurroundings(.init(locale: "de_DE")) == [])
    #expect(driver.setSurroundings(.init(textSize: .xxLarge)) == ["run #5 clock", "run #6 clock"])
    _ = driver.answer(5)
    _ = driver.answer(6)
    // Only widgets of the family with the new size reload.
    let size = [WidgetFamily.systemSmall: DisplaySize(width: 200, height: 100)]
    #expect(driver.setSurroundings(.init(displaySizes: size)) == ["run #7 clock"])
    _ = driver.answer(7)
    #expect(
      driver.setSurroundings(.init(locale: "de_DE", textSize: .xxLarge, displaySizes: size)) == [])
    let view = try driver.engine.budgetView(of: "clock", at: driver.now.wall)
    #expect(view["balance"] == 12.0)
    #expect(view["exempt"]?.serialized == #"{"placed":1,"locale":1,"textSize":1,"displaySize":1}"#)
    #expect(driver.engine.displaySize(of: .systemSmall) == DisplaySize(width: 200, height: 100))
    #expect(driver.engine.displaySize(of: .accessoryInline) == DisplaySize(width: 234, height: 26))
  }

  @Test func `an unwatched widget is asked in the new language when it comes into view`() throws {
    var driver = EngineDriver(isWatched: false)
    _ = try driver.place("clock")
    _ = driver.answer(1)
    #expect(driver.setSurroundings(.init(locale: "zh_CN")) == [])
    #expect(driver.pass(86_400) == [])
    #expect(driver.watch(Watch()) == ["run #2 clock"])
  }

  @Test
  func `a surface's properties are known after a restart, and another language then is a change`()
    throws
  {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1)
    var stored: JSONValue?
    _ = driver.transcript { engine, now, output in
      engine.setSurroundings(
        .init(
          locale: "fr_FR", textSize: .small,
          displaySizes: [.systemLarge: DisplaySize(width: 9, height: 8)]),
        at: now, into: &output)
      stored = output.settings["surroundings"]
    }
    _ = driver.answer(2, answer())
    var fresh = try driver.restarted(kinds: [EngineDriver.kind("clock")])
    let surroundings = try #require(stored)
    let isRestored = fresh.engine.restoreSetting("surroundings", surroundings)
    #expect(isRestored)
    #expect(fresh.engine.locale == "fr_FR")
    #expect(fresh.engine.textSize == .small)
    #expect(fresh.engine.displaySize(of: .systemLarge) == DisplaySize(width: 9, height: 8))
    #expect(fresh.resume() == ["changed clock"])
    // Without a surface's language, the environment's present language holds.
    var other = try driver.restarted(kinds: [EngineDriver.kind("clock")])
    let isRead = other.engine.restoreSetting(
      "surroundings",
      ["locale": "it_IT", "localeSaid": false, "textSize": "large", "displaySizes": [:]])
    #expect(isRead)
    #expect(other.engine.locale == "en_US")
    #expect(other.resume() == ["run #1 clock", "changed clock"])
    for broken in [["locale": 1], [:], ["locale": "x", "textSize": "huge"], "x"] as [JSONValue] {
      let isRead = other.engine.restoreSetting("surroundings", broken)
      #expect(!isRead, "\(broken)")
    }
  }

  @Test func `the sizes of known surfaces`() {
    #expect(WidgetFamily.systemMedium.displaySize == DisplaySize(width: 338, height: 158))
    #expect(
      SurfaceProfile.smallPhone.size(of: .systemLarge) == DisplaySize(width: 321, height: 324))
    #expect(SurfaceProfile.bar.size(of: .accessoryInline) == DisplaySize(width: 240, height: 24))
    for profile in SurfaceProfile.allCases {
      #expect(profile.displaySizes.count == WidgetFamily.allCases.count)
    }
    for bad in [["width": 0, "height": 1], ["width": 1], ["width": 1, "height": 16_385]]
      as [JSONValue]
    {
      #expect(DisplaySize(bad) == nil)
    }
  }
}
