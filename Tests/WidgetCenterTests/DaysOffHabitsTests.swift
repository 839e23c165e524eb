import Habits
import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests habits on days off that a person names.
@Suite struct DaysOffHabitsTests {
  private static func table(_ names: String..., weekend: Set<Int> = [5, 6]) -> DaysOff {
    var table = DaysOff(weekend: weekend)
    for name in names {
      let isRead = table.name(name)
      #expect(isRead, "\(name)")
    }
    return table
  }

  /// Makes an engine after a month, from a Monday on: the person looks at trains on workdays at
  /// eight and at comics at the weekend.
  private func aMonth(_ daysOff: DaysOff = .weekends) throws -> EngineDriver {
    var driver = EngineDriver(kinds: [EngineDriver.kind("trains"), EngineDriver.kind("comics")])
    var output = EngineOutput()
    driver.engine.setDaysOff(daysOff, into: &output)
    _ = try driver.place("trains")
    _ = try driver.place("comics")
    driver.advance(to: WallTime(rfc3339: "2026-11-23T08:00:00Z") ?? driver.now.wall)
    for day in 0..<30 {
      driver.act(.tap, day % 7 < 5 ? "trains" : "comics")
      _ = driver.pass(86_400)
    }
    // Now it is Wednesday, the 23rd of December.
    return driver
  }

  private func top(_ driver: EngineDriver) throws -> (id: String, why: String) {
    let place = try #require(driver.engine.ranking(families: nil, at: driver.now.wall).first)
    return (place.id, driver.engine.sentence(for: place, at: driver.now.wall))
  }

  @Test func `on a named day the habits of days off count, not those of the weekday`() throws {
    var driver = try aMonth()
    #expect(driver.now.wall.rfc3339 == "2026-12-23T08:00:00Z")
    #expect(try top(driver) == ("trains", "you used it on 5 of the last 5 weekday mornings"))
    var output = EngineOutput()
    driver.engine.setDaysOff(Self.table("12-23/01-02"), into: &output)
    #expect(output.stackChanged)
    #expect(try top(driver) == ("comics", "you used it on 5 of the last 5 day-off mornings"))
    // More private days do not become workdays.
    for _ in 0..<3 {
      driver.act(.tap, "comics")
      _ = driver.pass(86_400)
      #expect(try top(driver).id == "comics")
    }
    // After them it is a workday again.
    driver.advance(to: WallTime(rfc3339: "2027-01-06T08:00:00Z") ?? driver.now.wall)
    #expect(try top(driver).id == "trains")
  }

  @Test func `a habit of Wednesdays alone does not hold on a Wednesday off`() throws {
    var driver = EngineDriver(kinds: ["mail", "club", "comics"].map { EngineDriver.kind($0) })
    for kind in ["mail", "club", "comics"] { _ = try driver.place(kind) }
    driver.advance(to: WallTime(rfc3339: "2026-11-23T08:00:00Z") ?? driver.now.wall)
    for day in 0..<58 {
      driver.act(.tap, day % 7 == 2 ? "club" : day % 7 < 5 ? "mail" : "comics")
      _ = driver.pass(86_400)
    }
    #expect(driver.now.wall.rfc3339 == "2027-01-20T08:00:00Z")
    #expect(try top(driver).id == "club")
    var output = EngineOutput()
    driver.engine.setDaysOff(Self.table("2027-01-20"), into: &output)
    #expect(try top(driver).id == "comics")
  }

  @Test func `a donation keeps the kind of its day, whatever is named later`() throws {
    let table = Self.table("2026-11-25", "12-01")
    let driver = try aMonth(table)
    let donations = driver.engine.stackModel.donations
    // The uses of trains on the 25th of November and the 1st of December were on days off.
    #expect(donations.filter { $0.isDayOff && $0.kind == "trains" }.map(\.weekday) == [6, 6])
    var later = driver
    var output = EngineOutput()
    later.engine.setDaysOff(.weekends, into: &output)
    #expect(later.engine.stackModel.habits == driver.engine.stackModel.habits)
    // Donations that are read back give the same model, without a table of named days.
    let read = try donations.map {
      try #require(StackDonation(record: JSONValue(parsing: $0.record.serialized)))
    }
    #expect(read == donations)
    var model = StackModel()
    model.restore(read.enumerated().map { (number: Int64($0.offset + 1), donation: $0.element) })
    model.catchUp()
    #expect(model.habits == driver.engine.stackModel.habits)
    #expect(model.habits != (try aMonth().engine.stackModel.habits))
  }

  @Test func `donations of versions without named days have weekends`() throws {
    for (date, isOff, weekday) in [("2026-11-20", false, 4), ("2026-11-21", true, 5)] {
      let donation = try #require(
        StackDonation(
          record: [
            "kind": "mail", "act": "tap", "at": .string("\(date)T08:00:00Z"),
            "configurationKey": "",
          ]))
      #expect(donation.isDayOff == isOff)
      #expect(donation.weekday == weekday)
    }
    #expect(
      StackDonation(
        record: [
          "kind": "mail", "act": "tap", "at": "2026-11-20T08:00:00Z", "configurationKey": "",
          "weekday": 7,
        ]) == nil)
  }

  @Test func `windows of suggestions go by the same table`() throws {
    var kind = EngineDriver.kind("trains")
    var window = SuggestedWindow(span: .daily(from: 480, to: 540, .workdays))
    window.configuration = WidgetConfiguration.none
    kind.suggest = [window]
    // It is Friday, at eight.
    var driver = EngineDriver(kinds: [])
    var output = EngineOutput()
    driver.engine.setDaysOff(Self.table("2026-11-20"), into: &output)
    #expect(driver.setKinds([kind]) == [])
    driver.engine.setDaysOff(.weekends, into: &output)
    #expect(driver.setKinds([kind]) == ["run #1 trains", "changed suggestion:trains"])
  }
}
