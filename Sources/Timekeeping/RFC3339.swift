/// A day of the proleptic Gregorian calendar, without a time zone.
package struct CivilDate: Hashable, Sendable {
  package var year: Int
  /// 1…12.
  package var month: Int
  /// 1…31.
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The number of days since 1970-01-01; negative before it.
  ///
  /// Source: the 400-year era arithmetic of the Gregorian calendar.
  package var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Makes the day that lies `daysSinceEpoch` days after 1970-01-01.
  package init(daysSinceEpoch: Int) {
    let shifted = daysSinceEpoch + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days in this month, 28…31.
  package var daysInMonth: Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    default: 31
    }
  }
}

extension WallTime {
  /// Reads an RFC 3339 date with any offset: `2026-11-20T21:00:00Z`, `…21:00:00.250+08:00`.
  ///
  /// Accepts lower-case `t` and `z` and a space for `T`; drops digits past the millisecond; reads a
  /// leap second (`:60`) as the next second. Returns `nil` for any other text, for a day that does
  /// not exist, and for a date outside the years 0 to 9999 in UTC, which `rfc3339` could not write.
  package init?(rfc3339 text: String) {
    var text = text
    guard let milliseconds = text.withUTF8({ Self.milliseconds(rfc3339: $0) }) else { return nil }
    self.init(milliseconds: milliseconds)
  }

  package init?(rfc3339 text: Substring) { self.init(rfc3339: String(text)) }

  private static func milliseconds(rfc3339 bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard bytes.count >= 20, bytes.count <= 64 else { return nil }
    func number(_ start: Int, _ count: Int) -> Int? {
      var value = 0
      for index in start..<(start + count) {
        guard index < bytes.count, bytes[index] >= 48, bytes[index] <= 57 else { return nil }
        value = value * 10 + Int(bytes[index] - 48)
      }
      return value
    }
    guard let year = number(0, 4), bytes[4] == UInt8(ascii: "-"),
      let month = number(5, 2), bytes[7] == UInt8(ascii: "-"), let day = number(8, 2),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t")
        || bytes[10] == UInt8(ascii: " "),
      let hour = number(11, 2), bytes[13] == UInt8(ascii: ":"),
      let minute = number(14, 2), bytes[16] == UInt8(ascii: ":"), let second = number(17, 2)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard (1...12).contains(month), day >= 1, day <= date.daysInMonth, hour <= 23, minute <= 59,
      second <= 60
    else { return nil }

    var index = 19
    var fraction = 0
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      var digits = 0
      while index < bytes.count, bytes[index] >= 48, bytes[index] <= 57 {
        if digits < 3 { fraction = fraction * 10 + Int(bytes[index] - 48) }
        digits += 1
        index += 1
      }
      guard digits > 0 else { return nil }
      for _ in stride(from: digits, to: 3, by: 1) { fraction *= 10 }
    }

    guard index < bytes.count else { return nil }
    var offsetMinutes = 0
    switch bytes[index] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      guard index + 1 == bytes.count else { return nil }
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard index + 6 == bytes.count, let hours = number(index + 1, 2),
        bytes[index + 3] == UInt8(ascii: ":"), let minutes = number(index + 4, 2), hours <= 23,
        minutes <= 59
      else { return nil }
      offsetMinutes = (hours * 60 + minutes) * (bytes[index] == UInt8(ascii: "-") ? -1 : 1)
    default: return nil
    }
    let seconds =
      date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - offsetMinutes * 60
    let milliseconds = Int64(seconds) * 1000 + Int64(fraction)
    guard (Self.writableMin...Self.writableMax).contains(milliseconds) else { return nil }
    return milliseconds
  }

  /// 0000-01-01T00:00:00Z in milliseconds: the first moment whose year has four digits.
  private static let writableMin: Int64 = -62_167_219_200_000
  /// 9999-12-31T23:59:59.999Z in milliseconds: the last moment whose year has four digits.
  private static let writableMax: Int64 = 253_402_300_799_999

  /// The date in UTC as RFC 3339, `2026-11-20T21:00:00Z`; with milliseconds only if they are not 0.
  ///
  /// A moment outside the years 0…9999 is clamped to them.
  package var rfc3339: String {
    let clamped = min(max(milliseconds, Self.writableMin), Self.writableMax)
    let day = Int((clamped >= 0 ? clamped : clamped - 86_399_999) / 86_400_000)
    let rest = Int(clamped - Int64(day) * 86_400_000)
    let date = CivilDate(daysSinceEpoch: day)
    let fraction = rest % 1000
    let count = fraction == 0 ? 20 : 24
    return String(unsafeUninitializedCapacity: count) { text in
      func put(_ value: Int, _ width: Int, at start: Int, then mark: Unicode.Scalar) {
        var value = value
        for index in stride(from: start + width - 1, through: start, by: -1) {
          text[index] = UInt8(ascii: "0") + UInt8(value % 10)
          value /= 10
        }
        text[start + width] = UInt8(ascii: mark)
      }
      put(date.year, 4, at: 0, then: "-")
      put(date.month, 2, at: 5, then: "-")
      put(date.day, 2, at: 8, then: "T")
      put(rest / 3_600_000, 2, at: 11, then: ":")
      put(rest / 60_000 % 60, 2, at: 14, then: ":")
      put(rest / 1000 % 60, 2, at: 17, then: fraction == 0 ? "Z" : ".")
      if fraction != 0 { put(fraction, 3, at: 20, then: "Z") }
      return count
    }
  }
}
