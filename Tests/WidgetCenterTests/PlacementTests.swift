import Habits
import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests placing, configuring, suggesting, removing and restoring widgets, and kinds that come and
/// go.
@Suite struct PlacementTests {
  private static let weather = EngineDriver.kind("org.example.weather", intent: "ShowWeather")
  private let beijing = EngineDriver.city("Beijing")
  private let rome = EngineDriver.city("Rome")

  private func answer(_ text: String, policy: String = #""never""#) -> String {
    ReloadTests.answer(text, policy: policy)
  }

  private func refusal(_ body: () throws -> [String]) -> WidgetError? {
    #expect(throws: WidgetError.self) { try body() }
  }

  // MARK: Placing

  @Test func `an id is made from the kind's last word`() throws {
    var driver = EngineDriver(kinds: [Self.weather])
    for _ in 1...3 { _ = try driver.place("org.example.weather", beijing) }
    #expect(driver.engine.order == ["weather", "weather-2", "weather-3"])
    _ = try driver.remove("weather-2")
    _ = try driver.place("org.example.weather", beijing)
    #expect(driver.engine.order == ["weather", "weather-3", "weather-2"])
  }

  @Test func `a widget that cannot be placed is refused with a hint`() throws {
    var driver = EngineDriver(kinds: [Self.weather])
    _ = try driver.place("org.example.weather", id: "w", beijing)
    let unknown = refusal { try driver.place("org.example.wether") }
    #expect(unknown?.code == .unknownKind)
    #expect(unknown?.suggestions == ["org.example.weather"])
    let family = refusal { try driver.place("org.example.weather", family: .systemLarge) }
    #expect(family?.code == .unsupportedFamily)
    #expect(family?.suggestions == ["systemSmall", "accessoryInline"])
    #expect(refusal { try driver.place("org.example.weather", id: "w") }?.code == .widgetExists)
    for id in ["", "a b", "ä", "suggestion:x", String(repeating: "x", count: 129)] {
      #expect(refusal { try driver.place("org.example.weather", id: id) }?.code == .invalidID)
    }
    #expect(refusal { try driver.configure("v") }?.code == .unknownWidget)
    #expect(refusal { try driver.configure("w", family: .systemLarge) }?.code == .unsupportedFamily)
    #expect(refusal { try driver.remove("v") }?.code == .unknownWidget)
    #expect(refusal { try driver.reload("v", .reload) }?.code == .unknownWidget)
    #expect(refusal { try driver.dismiss("v") }?.code == .unknownWidget)
    #expect(driver.engine.widgets.count == 1)
    #expect(driver.engine.receipts.count == 1)
  }

  @Test func `the ten thousandth widget is placed, the next is not`() throws {
    var engine = WidgetEngine()
    var output = EngineOutput()
    let now = WallTime(seconds: 0)
    engine.setKinds([EngineDriver.kind("clock")], at: now, into: &output)
    for number in 1...10_000 {
      _ = try engine.add(
        kind: "clock", family: nil, configuration: .none, id: "c\(number)", at: now, into: &output)
    }
    let error = #expect(throws: WidgetError.self) {
      try engine.add(
        kind: "clock", family: nil, configuration: .none, id: nil, at: now, into: &output)
    }
    #expect(error?.code == .limitReached)
  }

  // MARK: Configuring

  @Test func `another configuration is another timeline, loaded at once`() throws {
    var driver = EngineDriver(kinds: [Self.weather])
    _ = try driver.place("org.example.weather", beijing)
    _ = driver.answer(1, answer("3°"))
    #expect(
      try driver.configure("weather", rome)
        == ["r2 accepted", "run #2 org.example.weather", "changed weather"])
    #expect(driver.text("weather") == nil)
    #expect(driver.answer(2, answer("18°")) == ["r2 done", "changed weather"])
    #expect(driver.engine.timelines.count == 1)
    #expect(
      try driver.configure("weather", family: .accessoryInline)
        == ["r3 accepted", "run #3 org.example.weather", "changed weather"])
  }

  @Test func `a running provider that no widget needs is stopped, and is no failure`() throws {
    var driver = EngineDriver(kinds: [Self.weather])
    _ = try driver.place("org.example.weather", beijing)
    #expect(
      try driver.configure("weather", rome) == [
        "r2 accepted", "r1 dropped: the widget was removed or configured anew",
        "run #2 org.example.weather", "cancel #1", "changed weather",
      ])
    #expect(driver.fail(1, .cancelled) == [])
    #expect(driver.engine.timelines.count == 1)
    #expect(driver.engine.countersByKind["org.example.weather"]?.failures == 0)
  }

  @Test func `configured as it was, a widget keeps its entry and its budget`() throws {
    var driver = EngineDriver(kinds: [Self.weather])
    _ = try driver.place("org.example.weather", beijing)
    _ = driver.answer(1, answer("3°"))
    _ = try driver.reload("weather", .hostBackground)
    _ = driver.answer(2, answer("3°"))
    _ = try driver.configure("weather", beijing)
    #expect(driver.text("weather") == "3°")
    #expect(try driver.engine.budgetView(of: "weather", at: driver.now.wall)["balance"] == 11.0)
    #expect(driver.answer(3, answer("4°")) == ["r3 done", "changed weather"])
  }

  @Test func `configured as it was while its provider runs, nothing is stopped`() throws {
    var driver = EngineDriver(kinds: [Self.weather])
    _ = try driver.place("org.example.weather", beijing)
    #expect(try driver.configure("weather", beijing) == ["r2 accepted", "changed weather"])
    #expect(
      driver.answer(1, answer("3°"))
        == ["r1 done", "run #2 org.example.weather", "changed weather"])
    #expect(driver.answer(2, answer("3°")) == ["r2 done"])
  }

  // MARK: Removing

  @Test func `a removed widget stops its run and drops its receipts`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = try driver.reload("clock", .reload)
    #expect(
      try driver.remove("clock") == [
        "r1 dropped: the widget was removed or configured anew",
        "r2 dropped: the widget was removed or configured anew", "cancel #1", "removed clock",
      ])
    #expect(driver.fail(1, .cancelled) == [])
    #expect(driver.engine.timelines.isEmpty)
    #expect(driver.pass(86_400) == [])
  }

  @Test func `a receipt ends with the last widget of its timeline, whoever asked`() throws {
    for isCancelled in [true, false] {
      var driver = EngineDriver(kinds: [Self.weather])
      _ = try driver.place("org.example.weather", id: "a", beijing)
      _ = try driver.place("org.example.weather", id: "b", beijing)
      #expect(try driver.remove("a") == ["removed a"])
      #expect(
        try driver.remove("b") == [
          "r1 dropped: the widget was removed or configured anew",
          "r2 dropped: the widget was removed or configured anew", "cancel #1", "removed b",
        ])
      #expect((isCancelled ? driver.fail(1, .cancelled) : driver.answer(1, answer("3°"))) == [])
      #expect(driver.engine.timelines.isEmpty)
    }
  }

  @Test func `placed again while the old run is being stopped, the new widget has its own`() throws
  {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = try driver.remove("clock")
    #expect(try driver.place("clock") == ["r2 accepted", "changed clock"])
    #expect(driver.fail(1, .cancelled) == ["run #2 clock"])
    #expect(driver.view("clock")["stale"] == false)
    #expect(driver.view("clock")["error"] == nil)
    #expect(driver.answer(2, answer("one")) == ["r2 done", "changed clock"])
    #expect(driver.engine.countersByKind["clock"]?.failures == 0)
  }

  // MARK: Kinds

  @Test func `a widget whose kind vanished stays, orphaned, and comes back with it`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1, answer("one", policy: #""atEnd""#))
    #expect(driver.setKinds([]) == ["changed clock"])
    #expect(driver.view("clock")["orphaned"] == true)
    #expect(driver.text("clock") == "one")
    #expect(
      try driver.reload("clock", .reload)
        == ["r2 dropped: no manifest offers the kind clock at the moment"])
    #expect(driver.pass(3_600) == [])
    #expect(driver.setKinds([EngineDriver.kind("clock")]) == ["run #2 clock", "changed clock"])
    #expect(driver.view("clock")["orphaned"] == false)
  }

  @Test func `a kind that comes back keeps the due time it had`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1, answer("one", policy: #"{"after":"2026-11-20T09:00:00Z"}"#))
    let due = driver.due("clock")
    _ = driver.setKinds([])
    #expect(driver.setKinds([EngineDriver.kind("clock")]) == ["changed clock"])
    #expect(driver.due("clock") == due)
    #expect(driver.pass(7_200).first?.hasSuffix("run #2 clock") == true)
  }

  @Test func `a reload that waited for a slot when its kind vanished runs when the kind returns`()
    throws
  {
    let names = ["a", "b", "c", "d", "e"]
    let kinds = names.map { EngineDriver.kind($0) }
    var driver = EngineDriver(kinds: kinds)
    for (index, name) in names.enumerated() {
      _ = try driver.place(name)
      _ = driver.answer(UInt64(index + 1), answer("x", policy: #""atEnd""#))
    }
    // The slots are in use at 08:05, when e is due.
    #expect(driver.pass(297) == [])
    for name in names.prefix(4) { _ = try driver.reload(name, .reload) }
    #expect(driver.pass(3) == [])
    #expect(driver.setKinds(Array(kinds.prefix(4))) == ["changed e"])
    _ = driver.fail(6, .cancelled)
    #expect(driver.setKinds(kinds) == ["run #10 e", "changed e"])
  }

  @Test func `a new provider is asked at once, a new budget holds at once`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1, answer("one"))
    #expect(driver.setKinds([EngineDriver.kind("clock", program: "better")]) == ["run #2 clock"])
    _ = driver.answer(2, answer("one"))
    #expect(driver.setKinds([EngineDriver.kind("clock", perDay: 8, program: "better")]) == [])
    let budget = try driver.engine.budgetView(of: "clock", at: driver.now.wall)
    #expect(budget["balance"] == 2.0)
  }

  // MARK: Suggestions

  @Test func `an intent that no widget is configured for fills the kind's one slot`() throws {
    var driver = EngineDriver(kinds: [Self.weather])
    let id = "suggestion:org.example.weather"
    #expect(
      try driver.suggest(Self.weather, beijing)
        == ["r1 accepted", "run #1 org.example.weather", "changed \(id)"])
    _ = driver.answer(1, answer("3°"))
    #expect(driver.view(id)["suggestion"] == true)
    // The same intent again uses the same slot and another run.
    #expect(
      try driver.suggest(Self.weather, beijing) == ["r2 accepted", "run #2 org.example.weather"])
    _ = driver.answer(2, answer("3°"))
    // An intent for another city replaces the suggestion.
    #expect(
      try driver.suggest(Self.weather, rome)
        == ["r3 accepted", "run #3 org.example.weather", "changed \(id)"])
    #expect(driver.engine.widgets.count == 1)
    #expect(driver.view(id)["intent"]?["parameters"]?["city"] == "Rome")
    #expect(driver.view(id)["entry"] == nil)
  }

  @Test func `an unused suggestion is removed after an hour`() throws {
    var driver = EngineDriver(kinds: [Self.weather])
    let id = "suggestion:org.example.weather"
    _ = try driver.suggest(Self.weather, beijing)
    _ = driver.answer(1, answer("3°"))
    #expect(driver.pass(3_599) == [])
    driver.act(.tap, id)
    #expect(driver.pass(3_599) == [])
    #expect(driver.pass(1) == ["09:59:59 removed \(id)"])
    #expect(driver.engine.timelines.isEmpty)
  }

  @Test func `a suggestion that is placed keeps its entry and is no suggestion any more`() throws {
    var driver = EngineDriver(kinds: [Self.weather])
    _ = try driver.suggest(Self.weather, beijing)
    _ = driver.answer(1, answer("3°"))
    #expect(
      try driver.place("org.example.weather", beijing) == [
        "r2 accepted", "run #2 org.example.weather", "changed weather",
        "removed suggestion:org.example.weather",
      ])
    #expect(driver.text("weather") == "3°")
    #expect(driver.engine.order == ["weather"])
  }

  @Test func `a suggestion that is placed while it loads is not stopped`() throws {
    var driver = EngineDriver(kinds: [Self.weather])
    _ = try driver.suggest(Self.weather, beijing)
    let lines = try driver.place("org.example.weather", beijing)
    #expect(lines == ["r2 accepted", "changed weather", "removed suggestion:org.example.weather"])
    #expect(
      driver.answer(1, answer("3°"))
        == ["r1 done", "run #2 org.example.weather", "changed weather"])
  }

  // MARK: Restart

  @Test func `after a restart the cached entries are shown and due times hold`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1, answer("one", policy: #"{"after":"2026-11-20T09:00:00Z"}"#))
    _ = try driver.reload("clock", .hostBackground)
    _ = driver.answer(2, answer("two", policy: #"{"after":"2026-11-20T09:00:00Z"}"#))
    let due = driver.engine.timelines.values.first?.dueAt
    var fresh = try driver.restarted(kinds: [EngineDriver.kind("clock")], after: 60)
    #expect(fresh.resume() == ["changed clock"])
    // The number of what it shows is given anew.
    #expect(
      fresh.view("clock").serialized.replacing(/"revision":[0-9]+,/, with: "")
        == driver.view("clock").serialized.replacing(/"revision":[0-9]+,/, with: ""))
    #expect(fresh.engine.timelines.values.first?.dueAt == due)
    #expect(fresh.engine.receipts == driver.engine.receipts)
    let now = fresh.now.wall
    #expect(
      try fresh.engine.budgetView(of: "clock", at: now)["nextAt"]
        == driver.engine.budgetView(of: "clock", at: now)["nextAt"])
    #expect(try fresh.reload("clock", .reload).first == "r3 accepted")
  }

  @Test func `overdue reloads are spread over half a minute`() throws {
    let kinds = (1...40).map { EngineDriver.kind("k\($0)") }
    var driver = EngineDriver(kinds: kinds)
    for (index, kind) in kinds.enumerated() {
      _ = try driver.place(kind.kind)
      _ = driver.answer(UInt64(index + 1), answer("x", policy: #""atEnd""#))
    }
    var fresh = try driver.restarted(kinds: kinds, after: 86_400)
    let shown = fresh.resume()
    #expect(shown.filter { $0.hasPrefix("run") }.isEmpty)
    let waits = try fresh.engine.timelines.values.map {
      try #require($0.dueAt).milliseconds(since: fresh.now.wall)
    }
    #expect(waits.allSatisfy { (0..<30_000).contains($0) })
    #expect(Set(waits.map { $0 / 3_000 }).count >= 8)
  }

  @Test func `requests that were acknowledged and not done are taken up again`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("a"), EngineDriver.kind("b")])
    _ = try driver.place("a")
    _ = try driver.place("b")
    _ = driver.answer(1, answer("a"))
    _ = try driver.reload("a", .hostBackground)
    _ = driver.answer(3, answer("a"))
    _ = try driver.reload("a", .hostBackground)
    // r2 is running, and r4 is deferred until 08:05.
    var fresh = try driver.restarted(
      kinds: [EngineDriver.kind("a"), EngineDriver.kind("b")], after: 60)
    #expect(fresh.resume() == ["run #1 b", "changed a"])
    #expect(fresh.answer(1, answer("b")) == ["r2 done", "changed b"])
    #expect(fresh.pass(240) == ["08:05:00 run #2 a"])
    #expect(fresh.answer(2, answer("a")) == ["r4 done"])
  }

  @Test func `a request whose widget is gone after the restart is dropped`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    var fresh = EngineDriver()
    let receipts = Array(driver.engine.receipts.values)
    fresh.engine.restore(widgets: [], timelines: [], receipts: receipts, at: fresh.now.wall)
    #expect(fresh.resume() == ["r1 dropped: the widget was removed"])
  }

  @Test func `a widget whose first load never ended is loaded after the restart`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    var fresh = try driver.restarted(kinds: [EngineDriver.kind("clock")])
    #expect(fresh.resume() == ["run #1 clock"])
    #expect(fresh.answer(1, answer("one")) == ["r1 done", "changed clock"])
  }
}
