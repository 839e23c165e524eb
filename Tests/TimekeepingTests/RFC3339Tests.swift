import Testing
import Timekeeping

/// Checks dates as text on both sides of each edge.
///
/// GNU date gave the expected moments.
@Suite struct RFC3339Tests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0),
      ("1969-12-31T23:59:59.999Z", -1),
      ("2026-11-20T21:00:00Z", 1_795_208_400_000),
      ("2026-11-20t21:00:00z", 1_795_208_400_000),
      ("2026-11-20 21:00:00Z", 1_795_208_400_000),
      ("2026-11-21T05:00:00+08:00", 1_795_208_400_000),
      ("2026-11-20T11:30:00-09:30", 1_795_208_400_000),
      ("2026-11-20T21:00:00-00:00", 1_795_208_400_000),
      ("2026-11-21T20:59:00+23:59", 1_795_208_400_000),
      ("2026-11-20T21:00:00.2Z", 1_795_208_400_200),
      ("2026-11-20T21:00:00.25Z", 1_795_208_400_250),
      ("2026-11-20T21:00:00.250Z", 1_795_208_400_250),
      ("2026-11-20T21:00:00.2509999Z", 1_795_208_400_250),
      ("2026-11-20T21:00:00.25+08:00", 1_795_179_600_250),
      // A leap second is the next second.
      ("2016-12-31T23:59:60Z", 1_483_228_800_000),
      // Years divisible by 4 are leap years, those by 100 are not, those by 400 are.
      ("2024-02-29T00:00:00Z", 1_709_164_800_000),
      ("2000-02-29T00:00:00Z", 951_782_400_000),
      ("2000-03-01T00:00:00Z", 951_868_800_000),
      ("1900-02-28T23:59:59Z", -2_203_891_201_000),
      ("1900-03-01T00:00:00Z", -2_203_891_200_000),
      ("0000-01-01T00:00:00Z", -62_167_219_200_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ] as [(String, Int64)])
  func `a date gives its moment`(_ text: String, _ milliseconds: Int64) {
    #expect(WallTime(rfc3339: text) == WallTime(milliseconds: milliseconds))
  }

  @Test(arguments: [
    // The date is before the year 0 in UTC, or after 9999.
    "0000-01-01T00:00:00+14:00", "9999-12-31T23:59:59-00:01",
    "", "2026-11-20", "2026-11-20T21:00Z", "2026-11-20T21:00:00", "2026-11-20T21:00:00 Z",
    "2026-11-20T21:00:00Z ", " 2026-11-20T21:00:00Z", "2026-11-20T21:00:00ZZ",
    "2026-11-20X21:00:00Z", "2026/11/20T21:00:00Z", "2026-11-20T21.00.00Z",
    "26-11-20T21:00:00.000Z", "+2026-11-20T21:00:00Z", "-026-11-20T21:00:00Z",
    "2026-00-20T21:00:00Z", "2026-13-20T21:00:00Z", "2026-11-00T21:00:00Z",
    "2026-11-31T21:00:00Z", "2026-12-32T21:00:00Z", "2026-02-29T00:00:00Z",
    "2024-02-30T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
    "2026-11-20T24:00:00Z", "2026-11-20T21:60:00Z", "2026-11-20T21:00:61Z",
    "2026-11-20T21:00:00.Z", "2026-11-20T21:00:00.5", "2026-11-20T21:00:00.5x",
    "2026-11-20T21:00:00,5Z", "2026-11-20T21:00:00+8:00", "2026-11-20T21:00:00+0800",
    "2026-11-20T21:00:00+08", "2026-11-20T21:00:00+24:00", "2026-11-20T21:00:00+08:60",
    "2026-11-20T21:00:00+08:0", "2026-11-20T21:00:00+08:000", "2026-11-20T21:00:00+08-00",
    "２026-11-20T21:00:00Z", "1795208400",
    // A text of 64 bytes is read; this one has 65.
    "2026-11-20T21:00:00.00000000000000000000000000000000000000000000Z",
  ])
  func `any other text is no date`(_ text: String) {
    #expect(WallTime(rfc3339: text) == nil)
  }

  @Test func `a fraction may be long, up to 64 bytes for the whole date`() {
    let zeros = String(repeating: "0", count: 43)
    #expect(WallTime(rfc3339: "2026-11-20T21:00:00.\(zeros)Z") == WallTime(seconds: 1_795_208_400))
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"),
      (-1, "1969-12-31T23:59:59.999Z"),
      (-1000, "1969-12-31T23:59:59Z"),
      (1_795_208_400_000, "2026-11-20T21:00:00Z"),
      (1_795_208_400_001, "2026-11-20T21:00:00.001Z"),
      (1_795_208_400_250, "2026-11-20T21:00:00.250Z"),
      (951_782_399_999, "2000-02-28T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00Z"),
      // A moment outside the years 0 to 9999 gives the nearest date inside.
      (-62_167_219_200_001, "0000-01-01T00:00:00Z"),
      (Int64.min, "0000-01-01T00:00:00Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (253_402_300_800_000, "9999-12-31T23:59:59.999Z"),
      (Int64.max, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func `a moment is written in UTC, with milliseconds only when there are any`(
    _ milliseconds: Int64, _ text: String
  ) {
    #expect(WallTime(milliseconds: milliseconds).rfc3339 == text)
  }

  @Test func `every day of 800 years is the day after the one before, and survives a round trip`() {
    var date = CivilDate(year: 1600, month: 1, day: 1)
    let first = date.daysSinceEpoch
    #expect(first == -135_140)
    for days in first...(first + 292_194) {
      let isLeap = date.year % 400 == 0 || (date.year % 4 == 0 && date.year % 100 != 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      // Compare without `#expect`: 292,194 expectations would take seconds.
      guard date.daysSinceEpoch == days, CivilDate(daysSinceEpoch: days) == date,
        date.daysInMonth == lengths[date.month - 1]
      else {
        Issue.record("day \(days) is not \(date), whose month has \(lengths[date.month - 1]) days")
        return
      }
      if date.day < lengths[date.month - 1] {
        date.day += 1
      } else if date.month < 12 {
        (date.month, date.day) = (date.month + 1, 1)
      } else {
        date = CivilDate(year: date.year + 1, month: 1, day: 1)
      }
    }
    #expect(date == CivilDate(year: 2400, month: 1, day: 2))
  }

  @Test func `a written moment is read back as the same moment`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      let moment = WallTime(
        milliseconds: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
      guard WallTime(rfc3339: moment.rfc3339) == moment else {
        Issue.record("\(moment) is written \(moment.rfc3339) and read as another moment")
        return
      }
    }
  }
}
