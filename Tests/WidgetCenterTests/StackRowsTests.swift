import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// What orders remember gives the order that looking everything up gives.
@Suite struct StackRowsTests {
  private func relevant(_ score: Double, at date: WallTime, seconds: Int) -> String {
    #"{"entries":[{"date":"\#(date.rfc3339)","relevance":{"score":\#(score),"duration":\#(seconds)},"content":{}}],"policy":"never"}"#
  }

  /// The order as remembered, after holding it against one that remembers nothing.
  private func order(_ driver: inout EngineDriver) -> [String] {
    _ = driver.engine.stack(families: nil, at: driver.now.wall)
    #expect(driver.engine.stackRows != nil)
    #expect(driver.engine.checkInvariants(isThorough: true) == [])
    let remembered = driver.engine.ranking(families: nil, at: driver.now.wall)
    var forgetful = driver.engine
    forgetful.stackRows = nil
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

  @Test func `orders follow widgets, claims, scales, clocks and what is learned or forgotten`()
    throws
  {
    var driver = EngineDriver(kinds: ["a", "b", "c"].map { EngineDriver.kind($0) })
    for (index, name) in ["a", "b", "c"].enumerated() {
      _ = try driver.place(name)
      _ = driver.answer(
        UInt64(index + 1), relevant(name == "b" ? 4 : 0.001, at: driver.now.wall, seconds: 3_600))
    }
    #expect(order(&driver) == ["a", "b", "c"])

    // A new claim; the same claim of a kind that has said more since; the end of a claim.
    var output = EngineOutput()
    for (score, expected) in [(8.0, ["a", "b", "c"]), (0.0, ["a", "c", "b"])] {
      guard
        case .success(let timeline) = WidgetEngine.readAnswer(
          Array(relevant(score, at: driver.now.wall, seconds: 1_800).utf8))
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

    // What is learned, also of an item that was not known; what is forgotten.
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
    // Past the engine, which would look at the order first.
    let item = try #require(driver.engine.widgets["b"]?.item)
    _ = driver.engine.stackModel.donate(
      StackDonation(item: item, kind: "b", act: .tap, at: driver.now.wall))
    // As many items as before, in other slots.
    #expect(driver.engine.stackModel.habits.slotsVersion == before)
    _ = order(&driver)

    // Widgets come and go.
    _ = try driver.engine.remove("a", at: driver.now.wall, into: &output)
    #expect(Set(order(&driver)) == ["b", "c"])
  }

  @Test func `sixteen logarithms are the ones that each lane has alone`() {
    var x = 1e-9
    while x < 1e9 {
      let many = BehaviourMath.ln(SIMD16(repeating: x))
      #expect(many[0] == BehaviourMath.ln(x) && many[15] == many[0])
      x *= 1.003
    }
  }

  @Test func `causes of many are the explanations of each`() {
    var model = BehaviourModel()
    let now = BehaviourMoment(wall: WallTime(seconds: 1_795_161_600), offsetSeconds: 0)
    for number in 0..<40 {
      let moment = BehaviourMoment(
        wall: now.wall.advanced(bySeconds: Int64(number) * 3_000), offsetSeconds: 0)
      model.learn("item\(number * number % 7)", kind: "k", .tap, at: moment)
    }
    model.learn("item1", kind: "k", .dismissal, at: now)
    let items = model.itemsByRecency + ["never", "never of another kind"]
    let kinds = ["k", "other"]
    let kindsOfItems = items.indices.map { Int32($0 == items.count - 1 ? 1 : 0) }
    let later = BehaviourMoment(wall: now.wall.advanced(bySeconds: 200_000), offsetSeconds: 0)
    let causes = model.causes(
      of: items.map { model.slot(of: $0) }, counts: items.map { _ in 1 }, kinds: kinds,
      kindsOfItems: kindsOfItems, in: BehaviourSituation(of: model, at: later))
    let prediction = model.predict(
      zip(items, kindsOfItems).map { BehaviourCandidate($0, kind: kinds[Int($1)]) }, at: later)
    for index in items.indices {
      for (cause, value) in prediction.explanation(at: index).causes {
        #expect(abs(causes[index][cause.rawValue] - value) < 1e-9)
      }
    }
  }
}
