import Habits
import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// An order from remembered rows equals an order that is computed from nothing.
@Suite struct StackRowsTests {
  private func relevant(_ score: Double, at date: WallTime, seconds: Int) -> String {
    #"{"entries":[{"date":"\#(date.rfc3339)","relevance":{"score":\#(score),"duration":\#(seconds)},"content":{}}],"policy":"never"}"#
  }

  /// Returns the order from remembered rows, after comparing it with one that is computed from
  /// nothing.
  private func order(_ driver: inout EngineDriver) -> [String] {
    _ = driver.engine.stack(families: nil, at: driver.now.wall)
    #expect(driver.engine.checkInvariants(isThorough: true) == [])
    let remembered = driver.engine.ranking(families: nil, at: driver.now.wall)
    var forgetful = driver.engine
    forgetful.claims.forgetAll()
    forgetful.placed = PlacedWidgets()
    for id in driver.engine.order {
      guard let widget = driver.engine.widgets[id],
        let number = driver.engine.timelines[widget.timelineKey]?.number
      else { continue }
      forgetful.placed.append(widget, on: number)
    }
    #expect(remembered == forgetful.ranking(families: nil, at: driver.now.wall))
    return remembered.map(\.id)
  }

  @Test func `in one moment orders follow items that come without being used`() throws {
    var driver = EngineDriver(kinds: ["a", "b", "c"].map { EngineDriver.kind($0) })
    for (index, name) in ["a", "b", "c"].enumerated() {
      _ = try driver.place(name)
      _ = driver.answer(
        UInt64(index + 1), relevant(0.001, at: driver.now.wall, seconds: 3_600))
    }
    var output = EngineOutput()
    driver.engine.record(.tap, of: "a", at: driver.now.wall, into: &output)
    #expect(order(&driver).first == "a")
    // The clock stands still.
    let wasKnown = driver.engine.stackModel.habits.slotCount
    driver.engine.record(.dwell, of: "c", at: driver.now.wall, into: &output)
    try #require(driver.engine.stackModel.habits.slotCount > wasKnown)
    #expect(order(&driver) == ["a", "c", "b"])
    driver.engine.record(.tap, of: "b", at: driver.now.wall, into: &output)
    #expect(Set(order(&driver)) == ["a", "b", "c"])
  }

  @Test func `orders follow widgets, claims, scales, clocks, learning and forgetting`()
    throws
  {
    var driver = EngineDriver(kinds: ["a", "b", "c"].map { EngineDriver.kind($0) })
    for (index, name) in ["a", "b", "c"].enumerated() {
      _ = try driver.place(name)
      _ = driver.answer(
        UInt64(index + 1), relevant(name == "b" ? 4 : 0.001, at: driver.now.wall, seconds: 3_600))
    }
    #expect(order(&driver) == ["a", "b", "c"])

    // In turn: a new claim, the same claim after the kind declared a higher score, a claim's end.
    var output = EngineOutput()
    for (score, expected) in [(8.0, ["a", "b", "c"]), (0.0, ["a", "c", "b"])] {
      guard
        case .success(let answer) = WidgetEngine.readAnswer(
          Array(relevant(score, at: driver.now.wall, seconds: 1_800).utf8)),
        let timeline = answer.timeline
      else {
        Issue.record("an answer that was written here cannot be read")
        return
      }
      _ = try driver.engine.push(
        timeline, to: "b", cause: .reload, at: driver.now.wall, into: &output)
      #expect(order(&driver) == expected)
    }
    _ = driver.pass(1_801)
    #expect(order(&driver) == ["a", "c", "b"])
    _ = driver.pass(3_600)
    #expect(order(&driver) == ["a", "b", "c"])

    // Then learning, also of an unknown item, and forgetting.
    for _ in 0..<3 {
      driver.engine.record(.tap, of: "c", at: driver.now.wall, into: &output)
      _ = driver.pass(60)
    }
    #expect(order(&driver).first == "c")
    driver.engine.record(.tap, of: "a", at: driver.now.wall, into: &output)
    _ = order(&driver)
    let before = driver.engine.stackModel.habits.slotsVersion
    _ = driver.engine.forgetDonations({ $0.kind == "c" }, at: driver.now.wall, into: &output)
    driver.engine.catchUpWithDonations()
    // Call the model directly: the engine would compute the order first.
    let item = try #require(driver.engine.widgets["b"]?.item)
    _ = driver.engine.stackModel.donate(
      StackDonation(item: item, kind: "b", act: .tap, at: driver.now.wall))
    // There are as many items as before, in other slots.
    #expect(driver.engine.stackModel.habits.slotsVersion == before)
    _ = order(&driver)

    // Widgets come and go.
    _ = try driver.engine.remove("a", at: driver.now.wall, into: &output)
    #expect(Set(order(&driver)) == ["b", "c"])
  }
}
