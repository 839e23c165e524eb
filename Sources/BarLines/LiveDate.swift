package import JSON
package import Timekeeping

/// A date that ticks where it is shown: as its text at a moment, and the moment at which that text
/// changes.
///
/// A surface that sleeps until then wakes only when somebody sees a difference: an hour before the
/// date once a minute, a day before it once an hour.
package struct LiveDate: Hashable, Sendable {
  /// The ways to write it.
  package enum Style: String, CaseIterable, Hashable, Sendable {
    /// `in 5 min`, `now`, `2 h ago`.
    case relative
    /// `05:00`, `1:05:00`; the same before and after the date.
    case timer
    /// `+5 min`, `-2 h`.
    case offset
  }

  package var date: WallTime
  package var style: Style

  package init(_ date: WallTime, _ style: Style) {
    self.date = date
    self.style = style
  }

  /// Reads `{"date":…,"style":…}`; `nil` if the value has no date.
  ///
  /// Another style is `relative`.
  package init?(_ value: JSONValue) {
    guard let date = value["date"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }) else {
      return nil
    }
    self.init(date, value["style"]?.stringValue.flatMap(Style.init) ?? .relative)
  }

  /// Returns the text at a moment.
  package func text(at now: WallTime) -> String {
    let seconds = seconds(at: now)
    let size = seconds.magnitude
    switch style {
    case .relative:
      guard size >= Self.nowSeconds else { return "now" }
      return seconds > 0 ? "in \(Self.span(size))" : "\(Self.span(size)) ago"
    case .timer:
      let clock = "\(twoDigits(size / 60 % 60)):\(twoDigits(size % 60))"
      return size >= 3_600 ? "\(size / 3_600):\(clock)" : clock
    case .offset: return "\(seconds < 0 ? "-" : "+")\(Self.span(size))"
    }
  }

  /// Returns the first moment after `now` at which the text is another one; `nil` if the clock
  /// cannot show it.
  package func nextChange(after now: WallTime) -> WallTime? {
    let seconds = seconds(at: now)
    // Beyond a hundred million years; the sums below could overflow.
    guard seconds.magnitude < 1 << 52 else { return nil }
    let unit = style == .timer ? 1 : Self.unit(Int64(clamping: seconds.magnitude))
    // The next whole seconds, counted down, that read differently.
    let next: Int64
    if style == .relative, seconds.magnitude < Self.nowSeconds {
      next = -Int64(Self.nowSeconds)
    } else if seconds > 0 {
      next = seconds / unit * unit - 1
    } else {
      next = seconds / unit * unit - unit
    }
    // They are cut towards zero: those to come begin at .999, those past at .000.
    let moment = date.advanced(byMilliseconds: next >= 0 ? -(next * 1_000 + 999) : -next * 1_000)
    return moment > now ? moment : nil
  }

  /// Renders a span in its largest whole unit: `45 s`, `3 min`, `2 h`, `5 d`.
  package static func span(_ seconds: UInt64) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3_600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  /// Seconds before and after a date for which it is now.
  private static let nowSeconds: UInt64 = 5

  /// The seconds of the unit in which a span of `seconds` is written.
  private static func unit(_ seconds: Int64) -> Int64 {
    switch seconds {
    case ..<60: 1
    case ..<3_600: 60
    case ..<86_400: 3_600
    default: 86_400
    }
  }

  /// Whole seconds until the date, cut towards zero; negative after it.
  private func seconds(at now: WallTime) -> Int64 { date.milliseconds(since: now) / 1_000 }

  private func twoDigits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// The age of content that is not current, in whole minutes: it is read, not timed.
enum ContentAge {
  /// Returns `less than a minute`, `3 min`, `2 h` or `5 d`; a date to come has no age.
  static func text(since date: WallTime, at now: WallTime) -> String {
    let seconds = max(0, now.milliseconds(since: date) / 1_000)
    return seconds < 60 ? "less than a minute" : LiveDate.span(UInt64(seconds))
  }

  /// Returns the first moment after `now` at which the text is another one; `nil` if the clock
  /// cannot show it.
  static func nextChange(since date: WallTime, after now: WallTime) -> WallTime? {
    let age = now.milliseconds(since: date)
    let minute = date.advanced(byMilliseconds: 60_000)
    guard age >= 60_000 else { return minute > now ? minute : nil }
    let unit: Int64 = age < 3_600_000 ? 60_000 : age < 86_400_000 ? 3_600_000 : 86_400_000
    let next = date.advanced(byMilliseconds: (age / unit + 1) * unit)
    return next > now ? next : nil
  }
}
