package import Timekeeping

/// A line of a crontab: minute, hour, day of the month, month, day of the week.
///
/// Source: crontab(5). Its moments are those of local time.
package struct CronLine: Hashable, Sendable {
  /// A bit for each minute of an hour, hour of a day, day of a month (bit 1 is the first), month
  /// (bit 1 is January), and day of a week (bit 0 is Sunday).
  private var minutes: UInt64
  private var hours: UInt32
  private var days: UInt32
  private var months: UInt16
  private var weekdays: UInt8
  /// Whether the field of days, or that of weekdays, begins with `*`: then the other one decides.
  private var hasAnyDay: Bool
  private var hasAnyWeekday: Bool

  /// Reads lines that `|` joins, as in `<swiftbar.schedule>`; a moment of any of them counts.
  ///
  /// `nil` if one of them is no line of five fields, or if there are none, or more than
  /// `PluginLimits.cronLineCountMax`.
  package static func lines(_ text: String) -> [CronLine]? {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count <= PluginLimits.cronLineCountMax else { return nil }
    let lines = parts.compactMap { CronLine(String($0)) }
    return lines.count == parts.count ? lines : nil
  }

  /// Reads five fields with blanks between them, or one of `@hourly`, `@daily`, `@midnight`,
  /// `@weekly`, `@monthly`, `@yearly`, `@annually`; `nil` for anything else.
  ///
  /// A field is `*`, a number, a range, each with a step (`*/15`, `8-18/2`, `3/10` up to the end),
  /// or a list of these with commas. Months and days of the week may be English names of three
  /// letters, in any case; 7 is Sunday, too. `?` is `*`. O(length).
  package init?(_ text: String) {
    var fields = text.lowercased().split { $0 == " " || $0 == "\t" }.map(String.init)
    if fields.count == 1, let meaning = Self.nicknames[fields[0]] {
      fields = meaning.split(separator: " ").map(String.init)
    }
    guard fields.count == 5,
      let minutes = Self.bits(fields[0], 0...59), let hours = Self.bits(fields[1], 0...23),
      let days = Self.bits(fields[2], 1...31),
      let months = Self.bits(fields[3], 1...12, names: Self.monthNames, firstName: 1),
      let weekdays = Self.bits(fields[4], 0...7, names: Self.dayNames, firstName: 0)
    else { return nil }
    self.minutes = minutes
    self.hours = UInt32(hours)
    self.days = UInt32(days)
    self.months = UInt16(months)
    self.weekdays = UInt8((weekdays | weekdays >> 7) & 0x7F)
    hasAnyDay = fields[2].hasPrefix("*") || fields[2] == "?"
    hasAnyWeekday = fields[4].hasPrefix("*") || fields[4] == "?"
  }

  /// Returns the first moment of any of `lines` after `moment`; `nil`: none in the years to come.
  package static func next(
    of lines: [CronLine], after moment: WallTime, secondsEast: (WallTime) -> Int
  ) -> WallTime? {
    lines.compactMap { $0.next(after: moment, secondsEast: secondsEast) }.min()
  }

  /// Returns the first moment after `moment`: the start of a minute in local time.
  ///
  /// `secondsEast` returns by how many seconds local time is ahead of UTC at a moment. A local time
  /// that a change of the clock skips is taken an hour beside it, and one that comes twice is taken
  /// once. `nil` if no day within `PluginLimits.cronDaysMax` fits, as for the 30th of February.
  /// O(days up to it).
  package func next(after moment: WallTime, secondsEast: (WallTime) -> Int) -> WallTime? {
    let local = moment.advanced(bySeconds: Int64(secondsEast(moment))).milliseconds
    let minute = Self.floorDivided(local, 60_000)
    let today = Int(Self.floorDivided(minute, 1_440))
    var first = Int(minute - Int64(today) * 1_440) + 1
    for day in today...(today + PluginLimits.cronDaysMax) {
      defer { first = 0 }
      guard fits(day: day) else { continue }
      for hour in (first / 60)..<max(first / 60, 24) where hours >> hour & 1 == 1 {
        for minute in 0..<60 where minutes >> minute & 1 == 1 {
          guard hour * 60 + minute >= first else { continue }
          let civil = WallTime(seconds: Int64(day) * 86_400 + Int64(hour * 60 + minute) * 60)
          let near = civil.advanced(bySeconds: -Int64(secondsEast(civil)))
          let found = civil.advanced(bySeconds: -Int64(secondsEast(near)))
          // In the hour that comes twice, the first one may lie behind `moment` already.
          if found > moment { return found }
        }
      }
    }
    return nil
  }

  /// Returns whether the line runs on a day, in days since 1970-01-01.
  private func fits(day: Int) -> Bool {
    let date = CivilDate(daysSinceEpoch: day)
    guard months >> date.month & 1 == 1 else { return false }
    let fitsDay = days >> date.day & 1 == 1
    // 1970-01-01 was a Thursday.
    let weekday = ((day + 4) % 7 + 7) % 7
    let fitsWeekday = weekdays >> weekday & 1 == 1
    // crontab(5): when both are given, either one is enough.
    return hasAnyDay || hasAnyWeekday ? fitsDay && fitsWeekday : fitsDay || fitsWeekday
  }

  /// Returns a bit for each number that a field names; `nil` if it is none.
  private static func bits(
    _ field: String, _ range: ClosedRange<Int>, names: [String] = [], firstName: Int = 0
  ) -> UInt64? {
    func number(_ text: Substring) -> Int? {
      if let index = names.firstIndex(of: String(text)) { return index + firstName }
      guard !text.isEmpty, text.utf8.count <= 4, text.utf8.allSatisfy({ (48...57).contains($0) }),
        let value = Int(text), range.contains(value)
      else { return nil }
      return value
    }
    var bits: UInt64 = 0
    for part in field.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      var step = 1
      if halves.count == 2 {
        guard let value = Int(halves[1]), (1...60).contains(value), halves[1].first != "+" else {
          return nil
        }
        step = value
      }
      var low = range.lowerBound
      var high = range.upperBound
      if halves[0] != "*", halves[0] != "?" {
        let ends = halves[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = number(ends[0]) else { return nil }
        low = start
        if ends.count == 2 {
          guard let end = number(ends[1]), end >= start else { return nil }
          high = end
        } else if halves.count == 1 {
          high = start
        }
      }
      for value in stride(from: low, through: high, by: step) { bits |= 1 << UInt64(value) }
    }
    return bits
  }

  private static func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }

  private static let nicknames = [
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
  ]
  private static let monthNames = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
}
