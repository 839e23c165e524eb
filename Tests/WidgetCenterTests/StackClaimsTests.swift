import Habits
import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Claims are looked up in turns, and an order of prepared claims is the order that is computed at
/// once.
struct StackClaimsTests {
  private static let count = 1_500
  /// Claims that the tests look up in one turn.
  private static let inTurn = 500

  /// Makes an engine with thousands of widgets whose entries declare scores of 1…97 for ten
  /// minutes, and other scores after that; `isRead`: their timelines have been read.
  private func crowd(isRead: Bool = true) throws -> EngineDriver {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    let now = driver.now.wall
    let widgets = (0..<Self.count).map { number in
      Widget(
        id: "w\(number)", kind: "weather", family: .systemSmall,
        configuration: EngineDriver.city("\(number)"), isSuggestion: false,
        position: Int64(number), placedAt: now)
    }
    driver.engine.restore(
      widgets: widgets,
      timelines: widgets.enumerated().map { number, widget in
        let text = """
          {"entries":[\(entry(now, score: 1 + number * 31 % 97)),
          \(entry(now.advanced(bySeconds: 600), score: 1 + number * 17 % 97))],"policy":"never"}
          """
        return .init(
          widget.timelineKey, ["fetchedAt": .string(now.rfc3339), "scoreMax": 97],
          entries: Array(text.utf8)[...])
      }, receipts: [], at: now)
    var output = EngineOutput()
    driver.engine.resume(at: now, into: &output)
    if isRead { read(&driver) }
    return driver
  }

  private func entry(_ date: WallTime, score: Int) -> String {
    #"{"date":"\#(date.rfc3339)","relevance":{"score":\#(score)},"content":{}}"#
  }

  private func read(_ driver: inout EngineDriver) {
    while driver.engine.work.unreadCount > 0 {
      var output = EngineOutput()
      driver.engine.advance(at: driver.now, into: &output)
    }
  }

  /// Prepares an order of now in turns, and returns how many turns it took.
  private func prepare(_ driver: inout EngineDriver) throws -> Int {
    for turn in 1...100 {
      let before = driver.engine.claimLookUps.forOrders
      var room = Self.inTurn
      let isReady = driver.engine.prepareStack(families: nil, at: driver.now.wall, room: &room)
      let count = driver.engine.claimLookUps.forOrders - before
      #expect(room == Self.inTurn - count)
      #expect(room >= 0)
      if isReady { return turn }
    }
    Issue.record("the order is never ready")
    return 0
  }

  /// Returns the ranking of an engine that remembers no claim.
  private func rankedAnew(_ driver: EngineDriver, at moment: WallTime) -> [StackPlace] {
    var forgetful = driver.engine
    forgetful.claims.forgetAll()
    return forgetful.ranking(families: nil, at: moment)
  }

  /// Returns the first place at which two orders differ; `nil`: they are the same.
  private func difference(_ left: [StackPlace], _ right: [StackPlace]) -> String? {
    guard left != right else { return nil }
    let index = zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return "at \(index ?? min(left.count, right.count)), of \(left.count) and \(right.count)"
  }

  @Test func `after a start the claims are known once the timelines are read`() throws {
    var driver = try crowd(isRead: false)
    var room = Int.max
    var isReady = driver.engine.prepareStack(families: nil, at: driver.now.wall, room: &room)
    #expect(!isReady)
    #expect(driver.engine.claimLookUps.forOrders == 0, "an unread timeline is not looked through")
    var forecast = driver.engine.forecast(families: nil, at: driver.now.wall)
    isReady = driver.engine.prepare(&forecast, room: &room)
    #expect(!isReady)
    read(&driver)
    #expect(try prepare(&driver) == 1)
    #expect(driver.engine.claimLookUps.forOrders == 0)
    let order = driver.engine.stack(families: nil, at: driver.now.wall)
    #expect(difference(order, rankedAnew(driver, at: driver.now.wall)) == nil)
    #expect(order.first?.id == "w25", "25 · 31 % 97 is 96")
    #expect(driver.engine.checkInvariants(isThorough: false) == [])
  }

  @Test func `when all claims have ended, an order is prepared in turns`() throws {
    var driver = try crowd()
    driver.advance(to: driver.now.wall.advanced(bySeconds: 600))
    #expect(try prepare(&driver) == 3)
    let order = driver.engine.stack(families: nil, at: driver.now.wall)
    #expect(driver.engine.claimLookUps.forOrders == Self.count, "each once")
    #expect(difference(order, rankedAnew(driver, at: driver.now.wall)) == nil)
    #expect(order.first?.id == "w57", "57 · 17 % 97 is 96")
  }

  @Test func `the order of another moment is prepared in turns and follows what changes meanwhile`()
    throws
  {
    var driver = try crowd()
    let moment = driver.now.wall.advanced(bySeconds: 900)
    var forecast = driver.engine.forecast(families: nil, at: moment)
    var room = Self.inTurn
    var isReady = driver.engine.prepare(&forecast, room: &room)
    #expect(!isReady)
    #expect(room == 0)
    // One that was looked up already, and one that was not, say something else now; one goes, and
    // one comes, which takes the number of its timeline.
    for id in ["w7", "w1277"] {
      _ = try driver.push(
        id,
        #"{"entries":[\#(entry(driver.now.wall.advanced(bySeconds: 800), score: 5_000))],"policy":"never"}"#
      )
    }
    _ = try driver.remove("w3")
    _ = try driver.place("weather", id: "new", EngineDriver.city("another"))
    var turns = 1
    while !isReady {
      room = Self.inTurn
      isReady = driver.engine.prepare(&forecast, room: &room)
      turns += 1
      try #require(turns < 9)
    }
    #expect(turns == 4, "of the last turn are one that changed and one that came")
    let order = driver.engine.order(of: forecast)
    #expect(difference(order, rankedAnew(driver, at: moment)) == nil)
    #expect(order.prefix(2).map(\.id) == ["w7", "w1277"])
    #expect(driver.engine.claimLookUps.forOrders <= Self.count + 3)
    // The order of now is another one.
    let now = driver.engine.ranking(families: nil, at: driver.now.wall)
    #expect(difference(order, now) != nil)
  }

  @Test func `a use looks up few claims, and is kept without claims when there are more`() throws {
    var driver = try crowd()
    driver.advance(to: driver.now.wall.advanced(bySeconds: 600))
    var output = EngineOutput()
    driver.engine.record(.tap, of: "w5", at: driver.now.wall, into: &output)
    #expect(driver.engine.stackModel.donations.last?.claims == [])
    #expect(driver.engine.claimLookUps.forUses == 0)
    _ = try prepare(&driver)
    driver.engine.claims.forget(0)
    driver.engine.record(.tap, of: "w5", at: driver.now.wall, into: &output)
    #expect(driver.engine.stackModel.donations.last?.claims.count == Limits.claimCountMax)
    #expect(driver.engine.claimLookUps.forUses == 1)
  }

  @Test func `a scale that grows makes each claim of its kind weaker; none is looked up`() throws {
    var driver = try crowd()
    _ = driver.engine.stack(families: nil, at: driver.now.wall)
    let before = driver.engine.claimLookUps
    _ = try driver.push(
      "w7", #"{"entries":[\#(entry(driver.now.wall, score: 5_000))],"policy":"never"}"#)
    _ = driver.engine.stack(families: nil, at: driver.now.wall)
    #expect(driver.engine.claimLookUps == before)
    let order = driver.engine.ranking(families: nil, at: driver.now.wall)
    #expect(order.first?.id == "w7")
    #expect(difference(order, rankedAnew(driver, at: driver.now.wall)) == nil)
  }
}
