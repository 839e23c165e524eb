import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Days off that a person names, and habits on them.
@Suite struct DaysOffTests {
  private static func day(_ text: String) -> Int {
    let numbers = text.split(separator: "-").compactMap { Int($0) }
    return CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]).daysSinceEpoch
  }

  private static func table(_ names: String..., weekend: Set<Int> = [5, 6]) -> DaysOff {
    var table = DaysOff(weekend: weekend)
    for name in names {
      let isRead = table.name(name)
      #expect(isRead, "\(name)")
    }
    return table
  }

  @Test func `days are named one by one, in spans, and for every year`() {
    let table = Self.table(
      "2026-12-25", "2027-03-29/2027-04-09", "2027-04-05/2027-04-12", "05-01", "12-30/01-02",
      "02-29")
    let cases: [(String, Bool)] = [
      ("2026-12-24", false), ("2026-12-25", true), ("2025-12-25", false), ("2027-03-26", false),
      ("2027-03-29", true), ("2027-04-09", true), ("2027-04-12", true), ("2027-04-13", false),
      ("2029-05-01", true), ("2029-05-02", false), ("2026-12-29", false), ("2026-12-30", true),
      ("2026-12-31", true), ("2027-01-01", true), ("2030-01-02", true), ("2030-01-03", false),
      ("2028-02-29", true), ("2027-03-01", false),
    ]
    for (text, isOff) in cases { #expect(table.isOff(Self.day(text)) == isOff, "\(text)") }
    // Weekends are off without being named, whatever the order of naming.
    #expect(table.isOff(Self.day("2026-11-21")))
    #expect(!table.isOff(Self.day("2026-11-20")))
    #expect(
      Self.table("2027-04-05/2027-04-12", "2027-03-29/2027-04-09")
        == Self.table("2027-03-29/2027-04-09", "2027-04-05/2027-04-12"))
  }

  @Test func `what names no days is refused`() {
    let wrong = [
      "", "christmas", "2026-2-3", "2026-02-29", "2026-13-01", "13-01", "02-30", "12/25", "2026",
      "2026-12-25/", "/2026-12-25", "2026-12-25/2026-12-24", "2026-12-25/12-26",
      "2026-01-01/2027-01-02", "2026-01-01/2026-01-02/2026-01-03", "20261225", "+026-12-25",
    ]
    for text in wrong {
      var table = DaysOff.weekends
      let isRead = table.name(text)
      #expect(!isRead, "\(text)")
      #expect(table == .weekends)
    }
    var table = DaysOff.weekends
    let isRead = table.name("2026-01-01/2027-01-01")
    #expect(isRead, "366 days are a year")
  }

  @Test func `a named day is lived like the last day of the weekend`() {
    // The 20th is a Friday.
    let friday = Self.day("2026-11-20")
    #expect(Self.table("2026-11-20").weekday(livedOn: friday) == 6)
    #expect(Self.table("2026-11-21").weekday(livedOn: friday + 1) == 5)
    #expect(Self.table("2026-11-22", weekend: [4, 5]).weekday(livedOn: friday + 2) == 5)
    #expect(Self.table("2026-11-20", weekend: [6, 0]).weekday(livedOn: friday) == 0)
    #expect(Self.table("2026-11-20", weekend: []).weekday(livedOn: friday) == 6)
    #expect(!DaysOff(weekend: []).isOff(friday + 1))
    #expect(DaysOff.weekends.weekday(livedOn: friday) == 4)
    let moment = BehaviourMoment(
      wall: WallTime(seconds: 1_795_161_600), offsetSeconds: 0, daysOff: DaysOff(weekend: [4, 5]))
    #expect((moment.weekday, moment.isDayOff) == (4, true))
  }

  @Test func `with nothing named days are what the calendar says`() {
    for day in stride(from: -1_000, to: 40_000, by: 1) {
      let moment = BehaviourMoment(
        wall: WallTime(seconds: Int64(day) * 86_400 + 3_600), offsetSeconds: 0)
      let weekday = ((day + 3) % 7 + 7) % 7
      guard (moment.day, moment.weekday, moment.isDayOff) == (day, weekday, weekday >= 5) else {
        Issue.record("day \(day) is \(moment)")
        return
      }
    }
  }

  // MARK: Habits

  /// A month in which trains are looked at on workdays at eight, and comics at the weekend, from a Monday on.
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
    // Wednesday, the 23rd of December.
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
    // Private days do not become workdays by going on.
    for _ in 0..<3 {
      driver.act(.tap, "comics")
      _ = driver.pass(86_400)
      #expect(try top(driver).id == "comics")
    }
    // And when they are over, it is a workday again, as before.
    driver.advance(to: WallTime(rfc3339: "2027-01-06T08:00:00Z") ?? driver.now.wall)
    #expect(try top(driver).id == "trains")
  }

  @Test func `what is done on Wednesdays alone is not done on one that is off`() throws {
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

  @Test func `a donation keeps what its day was, whatever is named later`() throws {
    let table = Self.table("2026-11-25", "12-01")
    let driver = try aMonth(table)
    let donations = driver.engine.stackModel.donations
    // On the 25th of November and the 1st of December trains were taken on days off.
    #expect(donations.filter { $0.isDayOff && $0.kind == "trains" }.map(\.weekday) == [6, 6])
    var later = driver
    var output = EngineOutput()
    later.engine.setDaysOff(.weekends, into: &output)
    #expect(later.engine.stackModel.habits == driver.engine.stackModel.habits)
    // Read back it is the same model, for whoever knows of no such days.
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

  @Test func `donations of before days could be named have weekends`() throws {
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
    // Friday, at eight.
    var driver = EngineDriver(kinds: [])
    var output = EngineOutput()
    driver.engine.setDaysOff(Self.table("2026-11-20"), into: &output)
    #expect(driver.setKinds([kind]) == [])
    driver.engine.setDaysOff(.weekends, into: &output)
    #expect(driver.setKinds([kind]) == ["run #1 trains", "changed suggestion:trains"])
  }
}
