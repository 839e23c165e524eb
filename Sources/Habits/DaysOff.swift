import Timekeeping

/// A person's days off: the weekend, and days that they named.
///
/// A named day is lived like the last day of the weekend, whatever weekday it is: trams run like
/// that, too.
package struct DaysOff: Hashable, Sendable {
  /// By weekday, 0 = Monday.
  package private(set) var weekend: Set<Int>
  /// Local dates in days since 1970-01-01; apart from each other, in order.
  private var spans: [ClosedRange<Int>] = []
  /// Days of every year: 32 · month + day.
  private var yearly: Set<Int> = []

  package init(weekend: Set<Int> = [5, 6]) { self.weekend = weekend }

  /// Saturdays and Sundays.
  package static let weekends = DaysOff()

  package func isWeekend(_ day: Int) -> Bool { weekend.contains(Weekday.number(of: day)) }

  private var hasNamedDays: Bool { !spans.isEmpty || !yearly.isEmpty }

  /// Whether a local date, in days since 1970-01-01, is off.
  ///
  /// O(log named days).
  package func isOff(_ day: Int) -> Bool {
    isWeekend(day) || hasNamedDays && isNamed(day)
  }

  /// The weekday whose habits are those of a local date: its own, or on a named day the weekend's
  /// last.
  package func weekday(livedOn day: Int) -> Int {
    let weekday = Weekday.number(of: day)
    guard hasNamedDays, !weekend.contains(weekday), isNamed(day) else { return weekday }
    return lastOfWeekend
  }

  /// The last day of the weekend: Saturday of Friday and Saturday, Monday of Sunday and Monday;
  /// Sunday where there is no weekend.
  private var lastOfWeekend: Int {
    weekend.filter { !weekend.contains(($0 + 1) % 7) }.max() ?? 6
  }

  private func isNamed(_ day: Int) -> Bool {
    if !yearly.isEmpty {
      let date = CivilDate(daysSinceEpoch: day)
      if yearly.contains(date.month * 32 + date.day) { return true }
    }
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].upperBound < day { low = middle + 1 } else { high = middle }
    }
    return low < spans.count && spans[low].contains(day)
  }

  // MARK: Naming days

  /// Takes `2026-12-25`, `2026-12-24/2027-01-02` (both included), `12-25` or `12-24/01-02` (every
  /// year).
  ///
  /// - Returns: false for anything else, for a span that ends before it begins, and for one of more
  ///   than `Limits.dayOffSpanMax` days.
  package mutating func name(_ text: String) -> Bool {
    let ends = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let first = ends.first, let last = ends.last, ends.count <= 2 else { return false }
    if let from = Self.day(first), let to = Self.day(last) {
      guard from <= to, to - from < Limits.dayOffSpanMax else { return false }
      add(from...to)
      return true
    }
    guard let from = Self.dayOfYear(first), let to = Self.dayOfYear(last) else { return false }
    // Over the turn of the year when it ends before it begins.
    var day = from
    while true {
      let date = CivilDate(daysSinceEpoch: day)
      yearly.insert(date.month * 32 + date.day)
      if day == to { return true }
      day = day == Self.leapYear.upperBound ? Self.leapYear.lowerBound : day + 1
    }
  }

  /// A mistake in named days that can be told more exactly than "no days".
  package enum NamingProblem: Hashable, Sendable {
    /// `turned`: the same with the earlier day first.
    case endsBeforeItBegins(turned: String)
    /// `first`: as much of it as one entry may have.
    case tooLong(days: Int, first: String)
  }

  /// The mistake in days that `name` does not take; `nil`: they are no days at all.
  package static func problem(with text: String) -> NamingProblem? {
    let ends = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2, let from = day(ends[0]), let to = day(ends[1]) else { return nil }
    guard from <= to else { return .endsBeforeItBegins(turned: "\(ends[1])/\(ends[0])") }
    guard to - from >= Limits.dayOffSpanMax else { return nil }
    let last = WallTime(seconds: Int64(from + Limits.dayOffSpanMax - 1) * 86_400).rfc3339
    return .tooLong(days: to - from + 1, first: "\(ends[0])/\(last.prefix(10))")
  }

  private mutating func add(_ span: ClosedRange<Int>) {
    var merged = span
    spans.removeAll { other in
      guard other.lowerBound <= merged.upperBound + 1, merged.lowerBound <= other.upperBound + 1
      else {
        return false
      }
      merged =
        min(merged.lowerBound, other.lowerBound)...max(merged.upperBound, other.upperBound)
      return true
    }
    spans.insert(merged, at: spans.firstIndex { $0.lowerBound > merged.lowerBound } ?? spans.count)
  }

  /// All days of 2000, which has a 29th of February.
  private static let leapYear =
    CivilDate(year: 2000, month: 1, day: 1)
    .daysSinceEpoch...CivilDate(
      year: 2000, month: 12, day: 31
    ).daysSinceEpoch

  /// Reads a date such as `2026-12-25`.
  private static func day(_ text: String) -> Int? {
    guard let parts = numbers(text, [4, 2, 2]) else { return nil }
    return day(year: parts[0], month: parts[1], day: parts[2])
  }

  /// `12-25`, as a day of 2000.
  private static func dayOfYear(_ text: String) -> Int? {
    guard let parts = numbers(text, [2, 2]) else { return nil }
    return day(year: 2000, month: parts[0], day: parts[1])
  }

  private static func day(year: Int, month: Int, day: Int) -> Int? {
    let date = CivilDate(year: year, month: month, day: day)
    guard (1...12).contains(month), day >= 1, day <= date.daysInMonth else { return nil }
    return date.daysSinceEpoch
  }

  /// Numbers of these many digits with `-` between them.
  private static func numbers(_ text: String, _ digits: [Int]) -> [Int]? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == digits.count else { return nil }
    var numbers: [Int] = []
    for (part, count) in zip(parts, digits) {
      guard part.utf8.count == count, part.utf8.allSatisfy({ (48...57).contains($0) }),
        let number = Int(part)
      else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
