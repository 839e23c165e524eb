import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests kinds that are renamed or lose a family: placed widgets follow and keep their state.
@Suite struct MigrationTests {
  private func renamed(families: [WidgetFamily] = [.systemSmall, .accessoryInline]) -> WidgetKind {
    var kind = EngineDriver.kind("time", families: families)
    kind.aliases = ["uhr", "clock"]
    return kind
  }

  private func loaded(isWatched: Bool = true) throws -> EngineDriver {
    var driver = EngineDriver(isWatched: isWatched)
    _ = try driver.place("clock")
    _ = driver.answer(1, ReloadTests.answer("one"))
    _ = try driver.reload("clock", .hostBackground)
    _ = driver.answer(2, ReloadTests.answer("two"))
    return driver
  }

  @Test func `a renamed kind takes its widgets along, with what they show and may spend`() throws {
    var driver = try loaded()
    _ = driver.setKinds([renamed()])
    #expect(driver.view("clock")["orphaned"] == true)
    #expect(driver.followKinds() == ["run #3 time", "changed clock"])
    #expect(
      driver.notes.first?.fields.serializedForTests
        == #"{"widget":"clock","fromKind":"clock","kind":"time"}"#)
    #expect(driver.view("clock")["kind"] == "time")
    #expect(driver.view("clock")["orphaned"] == false)
    #expect(driver.text("clock") == "two")
    #expect(try driver.engine.budgetView(of: "clock", at: driver.now.wall)["balance"] == 11.0)
    #expect(driver.answer(3, ReloadTests.answer("three")) == ["changed clock"])
    #expect(driver.engine.timelines.count == 1)
    // A second call finds nothing to follow.
    #expect(driver.followKinds() == [])
  }

  @Test func `an alias that is an offered kind is ignored`() throws {
    var driver = try loaded()
    _ = driver.setKinds([renamed(), EngineDriver.kind("clock")])
    #expect(driver.followKinds() == [])
    #expect(driver.view("clock")["kind"] == "clock")
  }

  @Test func `of two kinds with one alias the first by name has it`() throws {
    var driver = try loaded(isWatched: false)
    var other = EngineDriver.kind("another")
    other.aliases = ["clock"]
    _ = driver.setKinds([renamed(), other])
    _ = driver.followKinds()
    #expect(driver.view("clock")["kind"] == "another")
  }

  @Test func `a kind that loses a family gives its widgets one of the same sort`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = try driver.place("clock", id: "inline", family: .accessoryInline)
    _ = driver.answer(1, ReloadTests.answer("small"))
    _ = driver.answer(2, ReloadTests.answer("inline"))
    _ = driver.setKinds([EngineDriver.kind("clock", families: [.systemMedium, .accessoryCircular])])
    _ = driver.followKinds()
    #expect(driver.notes.map { $0.fields["family"] } == ["systemMedium", "accessoryCircular"])
    #expect(driver.view("clock")["family"] == "systemMedium")
    #expect(driver.view("inline")["family"] == "accessoryCircular")
    #expect(driver.text("clock") == "small")
    _ = driver.setKinds([EngineDriver.kind("clock", families: [.systemMedium])])
    _ = driver.followKinds()
    #expect(driver.view("inline")["family"] == "systemMedium")
    #expect(driver.engine.order == ["clock", "inline"])
  }

  @Test func `renamed while unwatched, the new provider is asked once a surface watches`() throws {
    var driver = try loaded(isWatched: false)
    _ = driver.setKinds([renamed()])
    #expect(driver.followKinds() == ["changed clock"])
    #expect(driver.text("clock") == "two")
    #expect(driver.watch(Watch()) == ["run #3 time"])
  }

  @Test func `renamed while its provider runs, the old run is stopped and nothing is lost`() throws
  {
    var driver = try loaded()
    _ = try driver.reload("clock", .reload)
    _ = driver.setKinds([renamed()])
    let lines = driver.followKinds()
    #expect(lines.contains("cancel #3"))
    #expect(lines.contains("run #4 time"))
    _ = driver.fail(3, .cancelled)
    #expect(driver.answer(4, ReloadTests.answer("new")) == ["changed clock"])
    #expect(driver.engine.timelines.count == 1)
  }

  @Test func `after a restart a widget finds its kind under the new name`() throws {
    let driver = try loaded()
    var fresh = try driver.restarted(kinds: [renamed()])
    _ = fresh.followKinds()
    #expect(fresh.text("clock") == "two")
    #expect(fresh.view("clock")["kind"] == "time")
  }

  // MARK: Configurations

  @Test func `parameters that still exist are kept, the others are reported`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    _ = try driver.place("weather", EngineDriver.city("Rome"))
    _ = driver.answer(1, ReloadTests.answer("18°"))
    let lines = driver.transcript { engine, now, output in
      engine.migrate(
        "weather", to: EngineDriver.city("Roma"), dropped: ["units": "K"], at: now, into: &output)
    }
    #expect(lines == ["run #2 weather", "changed weather"])
    #expect(driver.notes.first?.event == "widget.migrated")
    #expect(driver.notes.first?.fields["dropped"]?["units"] == "K")
    #expect(driver.text("weather") == "18°")
  }

  @Test
  func
    `a widget that cannot be asked says why, keeps its entry, and comes back when it is configured`()
    throws
  {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    _ = try driver.place("weather", EngineDriver.city("Rome"))
    _ = driver.answer(1, ReloadTests.answer("18°", policy: #"{"after":"2026-11-20T08:10:00Z"}"#))
    _ = try driver.reload("weather", .hostBackground)
    _ = driver.answer(2, ReloadTests.answer("18°", policy: #"{"after":"2026-11-20T08:10:00Z"}"#))
    _ = try driver.reload("weather", .hostBackground)
    let lines = driver.transcript { engine, now, output in
      engine.setProblem("it needs a region", of: "weather", at: now, into: &output)
    }
    #expect(
      lines == ["r3 dropped: it has to be configured anew: it needs a region", "changed weather"])
    #expect(driver.view("weather")["orphaned"] == true)
    #expect(driver.view("weather")["problem"] == "it needs a region")
    #expect(driver.text("weather") == "18°")
    #expect(driver.pass(86_400) == [])
    #expect(
      try driver.reload("weather", .reload)
        == ["r4 dropped: it has to be configured anew: it needs a region"])
    let fresh = try driver.restarted(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    #expect(fresh.view("weather")["problem"] == "it needs a region")
    #expect(try driver.configure("weather", EngineDriver.city("Oslo")).contains("run #3 weather"))
    #expect(driver.view("weather")["problem"] == nil)
  }
}

extension JSONObject {
  fileprivate var serializedForTests: String { JSONValue.object(self).serialized }
}
