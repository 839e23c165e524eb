/// Reads moments as people type them, in their own time zone.
///
/// ```
/// moment   = RFC 3339 | "now" | span | [day] ["at"] [time] | ["at"] time day
/// day      = "today" | "tomorrow" | "yesterday" | ["next" | "last" | "on"] weekday
///          | 2026-11-23
/// time     = 18:30 | 18:30:05 | 8am | 8:30 pm | "noon" | "midnight"
/// span     = ["in" | "+" | "-"] length ["ago"]
/// length   = number unit {number unit}, as 2h, 1h30m, 2 hours, an hour
/// ```
///
/// Case and extra spaces do not matter. The words are English, as the options of the programs are.
package enum MomentText {
  /// The direction in which a text points that could mean two moments: `18:30`, `monday`, `2h`.
  package enum Day: Hashable, Sendable {
    /// The next such time or day, a span from now on.
    case coming
    /// The last such time or day, a span before now.
    case past
  }

  /// The longest span, in milliseconds: a hundred years.
  package static let spanMax: Int64 = 36_525 * 86_400_000

  /// Reads a moment; returns `nil` for a text that is none.
  ///
  /// - A day without a time means its midnight: `tomorrow` is when tomorrow begins.
  /// - A time without a day, and a weekday, mean the next one or the last one, as `day` says; the
  ///   present counts as both. `next monday` is the first one after today, `last monday` the last
  ///   one before today.
  /// - A span's days have 24 hours each, whatever the clocks do.
  ///
  /// `secondsEast` returns by how many seconds local time is ahead of UTC at a moment. When a
  /// change of the clock skips or repeats a local time, the result is one of the two possible
  /// moments.
  // It does not escape. `withoutActuallyEscaping` would say so, but it compiles the length of the
  // source's path into the program, so that builds in two folders were two programs.
  package static func read(
    _ text: String, now: WallTime, day: Day = .coming,
    secondsEast: @escaping (WallTime) -> Int
  ) -> WallTime? {
    if let date = WallTime(rfc3339: text) { return date }
    return LocalClock(now: now, secondsEast: secondsEast).read(Words(text), day)
  }

  /// Reads a length of time, such as `90s`, `1h30m` or `2 hours`, in milliseconds.
  ///
  /// `nil` for any other text, for a number without its unit, and for more than `spanMax`.
  package static func span(_ text: String) -> Int64? { Words(text).length }
}

/// The words of a text in lower case, taken from the front.
private struct Words {
  private var words: ArraySlice<String>

  init(_ text: String) {
    // "2026-11-23T18:30" is a day and a time, too.
    words =
      text.lowercased().split(whereSeparator: \.isWhitespace).flatMap { word -> [String] in
        let parts = word.split(separator: "t", maxSplits: 1, omittingEmptySubsequences: false)
        let isDate =
          parts.count == 2 && parts[0].utf8.count == 10 && parts[0].first?.isNumber == true
        return isDate ? parts.map(String.init) : [String(word)]
      }[...]
  }

  var isEmpty: Bool { words.isEmpty }

  /// Takes the first word if it is `word`.
  mutating func take(_ word: String) -> Bool {
    guard words.first == word else { return false }
    words.removeFirst()
    return true
  }

  /// Takes the first word if `read` makes something of it.
  mutating func take<Value>(_ read: (String) -> Value?) -> Value? {
    guard let word = words.first, let value = read(word) else { return nil }
    words.removeFirst()
    return value
  }

  /// Takes the last word if it is `word`.
  mutating func takeLast(_ word: String) -> Bool {
    guard words.last == word else { return false }
    words.removeLast()
    return true
  }

  /// Takes a sign at the front of the first word: −1, 1 or none.
  mutating func takeSign() -> Int64? {
    guard let word = words.first, let sign = word.first, sign == "-" || sign == "+" else {
      return nil
    }
    words[words.startIndex].removeFirst()
    if words.first?.isEmpty == true { words.removeFirst() }
    return sign == "-" ? -1 : 1
  }

  // MARK: Times

  /// Takes a time of day, in seconds since midnight.
  mutating func takeTime() -> Int? {
    if take("noon") { return 12 * 3_600 }
    if take("midnight") { return 0 }
    let kept = words
    guard var word = take({ $0 }) else { return nil }
    var half = ["am", "pm"].first { word.hasSuffix($0) }
    if let half {
      word.removeLast(half.count)
    } else {
      half = take { $0 == "am" || $0 == "pm" ? $0 : nil }
    }
    guard let seconds = Self.seconds(ofTime: word, half) else {
      words = kept
      return nil
    }
    return seconds
  }

  /// Reads `18:30`, `18:30:05`, or with `half` (am, pm) `8` and `8:30` too.
  private static func seconds(ofTime word: String, _ half: String?) -> Int? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard (half == nil ? 2 : 1)...3 ~= parts.count, (1...2).contains(parts[0].utf8.count),
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil
    }
    guard numbers.count == parts.count, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
      return nil
    }
    var hour = numbers[0]
    if let half {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half == "pm" ? 12 : 0)
    }
    guard hour < 24 else { return nil }
    let rest = numbers.dropFirst()
    return hour * 3_600 + (rest.first ?? 0) * 60 + (rest.dropFirst().first ?? 0)
  }

  // MARK: Lengths

  private static let units: [String: Int64] = [
    "ms": 1, "s": 1_000, "sec": 1_000, "secs": 1_000, "second": 1_000, "seconds": 1_000,
    "m": 60_000, "min": 60_000, "mins": 60_000, "minute": 60_000, "minutes": 60_000,
    "h": 3_600_000, "hr": 3_600_000, "hrs": 3_600_000, "hour": 3_600_000, "hours": 3_600_000,
    "d": 86_400_000, "day": 86_400_000, "days": 86_400_000,
    "w": 604_800_000, "week": 604_800_000, "weeks": 604_800_000,
  ]

  /// The length that all words together are, in milliseconds; `nil`: they are none.
  var length: Int64? {
    let joined = words.map { $0 == "a" || $0 == "an" ? "1" : $0 }.joined()
    var rest = joined[...]
    var total = 0.0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0 == "." || ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { ("a"..."z").contains($0) }
      rest = rest.dropFirst(name.count)
      guard digits.first != ".", let number = Double(digits), let unit = Self.units[String(name)]
      else { return nil }
      total += number * Double(unit)
    }
    return total <= Double(MomentText.spanMax) ? Int64(total.rounded()) : nil
  }
}

/// The present, and the local days and times around it.
private struct LocalClock {
  let now: WallTime
  let secondsEast: (WallTime) -> Int

  /// The local day of the present, in days since 1970-01-01.
  private var today: Int {
    let local = now.advanced(bySeconds: Int64(secondsEast(now))).milliseconds
    return Int((Double(local) / 86_400_000).rounded(.down))
  }

  private func moment(_ day: Int, _ second: Int) -> WallTime {
    let civil = WallTime(seconds: Int64(day) * 86_400 + Int64(second))
    let near = civil.advanced(bySeconds: -Int64(secondsEast(civil)))
    return civil.advanced(bySeconds: -Int64(secondsEast(near)))
  }

  func read(_ words: Words, _ day: MomentText.Day) -> WallTime? {
    guard !words.isEmpty else { return nil }
    var words = words
    if words.take("now") { return words.isEmpty ? now : nil }
    return span(words, day) ?? dayAndTime(words, day)
  }

  /// Reads `2h`, `-2h`, `in 2h` and `2h ago`.
  private func span(_ words: Words, _ day: MomentText.Day) -> WallTime? {
    var words = words
    var sign: Int64 = day == .coming ? 1 : -1
    if let own = words.takeSign() {
      sign = own
    } else if words.take("in") {
      sign = 1
    } else if words.takeLast("ago") {
      sign = -1
    }
    return words.length.map { now.advanced(byMilliseconds: sign * $0) }
  }

  private func dayAndTime(_ words: Words, _ day: MomentText.Day) -> WallTime? {
    var words = words
    var named = takeDay(&words)
    let isTimeWanted = words.take("at")
    let time = words.takeTime()
    if named == nil, time != nil { named = takeDay(&words) }
    guard words.isEmpty, time != nil || (named != nil && !isTimeWanted) else { return nil }
    let second = time ?? 0
    switch named {
    case .day(let number)?: return moment(number, second)
    case .weekday(let ahead)?: return nearest(moment(today + ahead, second), second, ahead, 7, day)
    case nil: return nearest(moment(today, second), second, 0, 1, day)
    }
  }

  /// Returns `found`, `ahead` days from today, or the same time a period of days before or after.
  private func nearest(
    _ found: WallTime, _ second: Int, _ ahead: Int, _ period: Int, _ day: MomentText.Day
  ) -> WallTime {
    switch day {
    case .coming where found < now: moment(today + ahead + period, second)
    case .past where found > now: moment(today + ahead - period, second)
    case .coming, .past: found
    }
  }

  private enum NamedDay {
    case day(Int)
    /// The first such weekday from today on, so many days ahead: 0 to 6.
    case weekday(Int)
  }

  private func takeDay(_ words: inout Words) -> NamedDay? {
    if words.take("today") { return .day(today) }
    if words.take("tomorrow") { return .day(today + 1) }
    if words.take("yesterday") { return .day(today - 1) }
    if let date = words.take({ WallTime(rfc3339: "\($0)T00:00:00Z") }) {
      return .day(Int(date.milliseconds / 86_400_000))
    }
    let kept = words
    let isNext = words.take("next")
    let isLast = !isNext && words.take("last")
    if !isNext, !isLast { _ = words.take("on") }
    guard let weekday = words.take(Self.weekday) else {
      words = kept
      return nil
    }
    let ahead = (weekday - Weekday.number(of: today) + 7) % 7
    if isNext { return .day(today + (ahead == 0 ? 7 : ahead)) }
    if isLast { return .day(today + ahead - 7) }
    return .weekday(ahead)
  }

  /// Reads a weekday's name or its first three letters.
  private static func weekday(_ word: String) -> Int? {
    Weekday.names.firstIndex { $0 == word || $0.prefix(3) == word }
  }
}
