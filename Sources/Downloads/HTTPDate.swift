package import Timekeeping

extension WallTime {
  /// Reads a date of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`, and the two forms of old servers.
  ///
  /// Source: RFC 9110, section 5.6.7. A year of two digits is the one within fifty years of `now`.
  package init?(http text: String, now: WallTime) {
    guard text.utf8.count <= 40 else { return nil }
    var words = text.split { $0 == " " || $0 == "," || $0 == "-" }.dropFirst()
    // `Sun Nov  6 08:49:37 1994`: the month comes first, and the year last.
    if let first = words.first, Self.month(first) != nil {
      guard words.count == 4 else { return nil }
      words =
        [
          words[words.startIndex + 1], first, words[words.startIndex + 3],
          words[words.startIndex + 2],
        ][...]
    } else {
      guard words.count == 5, words.last == "GMT" || words.last == "UTC" else { return nil }
    }
    let start = words.startIndex
    guard let day = Self.number(words[start], 1...2), let month = Self.month(words[start + 1]),
      var year = Self.number(words[start + 2], 2...4)
    else { return nil }
    if year < 100 {
      let thisYear = CivilDate(daysSinceEpoch: Int(now.milliseconds / 86_400_000)).year
      year += thisYear / 100 * 100
      if year > thisYear + 50 { year -= 100 }
    }
    let time = words[start + 3].split(separator: ":", omittingEmptySubsequences: false)
    let date = CivilDate(year: year, month: month, day: day)
    guard time.count == 3, let hour = Self.number(time[0], 2...2),
      let minute = Self.number(time[1], 2...2), let second = Self.number(time[2], 2...2),
      day >= 1, day <= date.daysInMonth, hour <= 23, minute <= 59, second <= 60
    else { return nil }
    let seconds = date.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + second
    self.init(milliseconds: Int64(seconds) * 1_000)
  }

  private static func month(_ text: Substring) -> Int? {
    let names = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    return names.firstIndex(of: text.lowercased()).map { $0 + 1 }
  }

  private static func number(_ text: Substring, _ digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ 48...57 ~= $0 }) else {
      return nil
    }
    return Int(text)
  }
}

/// When a server wants to be asked again.
///
/// Source: RFC 9110, section 10.2.3.
package enum RetryAfter {
  /// Reads the value of `Retry-After`, seconds or a date; `nil` if it is neither.
  ///
  /// A moment that has passed is now, and one beyond a day is a day: a server must not keep a widget
  /// from its data for ever by one answer.
  package static func moment(_ text: String, now: WallTime) -> WallTime? {
    let latest = now.advanced(byMilliseconds: DownloadLimits.retryAfterMillisecondsMax)
    if !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) {
      let seconds = Int64(text) ?? Int64.max
      guard seconds < DownloadLimits.retryAfterMillisecondsMax / 1_000 else { return latest }
      return now.advanced(bySeconds: seconds)
    }
    return WallTime(http: text, now: now).map { min(max($0, now), latest) }
  }
}
