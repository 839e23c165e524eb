import Habits
import Testing
import Timekeeping

/// Tests the days off that a person names.
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
    // Weekends are off without being named, in any order of the named days.
    #expect(table.isOff(Self.day("2026-11-21")))
    #expect(!table.isOff(Self.day("2026-11-20")))
    #expect(
      Self.table("2027-04-05/2027-04-12", "2027-03-29/2027-04-09")
        == Self.table("2027-03-29/2027-04-09", "2027-04-05/2027-04-12"))
  }

  @Test func `a text that names no days is refused`() {
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

  @Test func `a named day counts like the last day of the weekend`() {
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

  @Test func `without named days the calendar decides`() {
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
}
