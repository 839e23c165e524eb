package import JSON
package import Timekeeping

/// A time at which a manifest wants its widget suggested to a person who has not placed it.
///
/// Source: SiriKit, `INRelevantShortcut` with a date: a widget for a while, then none.
package struct SuggestedWindow: Hashable, Sendable {
  /// On which local days a daily window opens.
  package enum Days: Hashable, Sendable {
    case every, workdays, daysOff
    /// 0 = Monday … 6 = Sunday.
    case weekdays(Set<Int>)
  }

  /// The time of the window: once, or on some days.
  package enum Span: Hashable, Sendable {
    case once(from: WallTime, to: WallTime)
    /// Minutes of the local day; a `to` that is not after `from` is one of the next day.
    case daily(from: Int, to: Int, Days)
  }

  /// The parameters of the suggested widget: values of the kind's intent.
  package var parameters: JSONObject
  package var span: Span
  package var kind: RelevanceKind
  /// The parameters as a configuration; `nil`: they are none, and the code that knows the intents
  /// reports it.
  package var configuration: WidgetConfiguration?
  /// The line in the manifest, for messages.
  package var line: Int

  package init(
    parameters: JSONObject = [:], span: Span, kind: RelevanceKind = .default, line: Int = 0
  ) {
    self.parameters = parameters
    self.span = span
    self.kind = kind
    self.line = line
  }
}

/// The local calendar as far as the engine knows it.
struct LocalDays {
  /// Milliseconds that local time is ahead of UTC.
  let zoneOffset: Int64
  /// Whether the local date, in days since 1970-01-01, is a day off.
  let isOff: (Int) -> Bool

  private static let dayLength: Int64 = 86_400_000

  func day(of moment: WallTime) -> Int {
    let local = moment.advanced(byMilliseconds: zoneOffset).milliseconds
    let (quotient, remainder) = local.quotientAndRemainder(dividingBy: Self.dayLength)
    return Int(remainder < 0 ? quotient - 1 : quotient)
  }

  func date(_ day: Int, minutes: Int) -> WallTime {
    WallTime(milliseconds: Int64(day) * Self.dayLength + Int64(minutes) * 60_000)
      .advanced(byMilliseconds: -zoneOffset)
  }

  func contains(_ day: Int, _ days: SuggestedWindow.Days) -> Bool {
    switch days {
    case .every: true
    case .workdays: !isOff(day)
    case .daysOff: isOff(day)
    case .weekdays(let weekdays): weekdays.contains(Weekday.number(of: day))
    }
  }
}

extension SuggestedWindow {
  /// The window as it is open at `moment`; `nil` while it is closed.
  func open(at moment: WallTime, _ calendar: LocalDays) -> RelevantWindow? {
    switch span {
    case .once(let from, let to):
      let window = RelevantWindow(from: from, to: to, kind: kind)
      return window.covers(moment) ? window : nil
    case .daily(let from, let to, let days):
      let today = calendar.day(of: moment)
      // A window that opened yesterday may be open after midnight.
      for day in [today, today - 1] where calendar.contains(day, days) {
        let window = RelevantWindow(
          from: calendar.date(day, minutes: from),
          to: calendar.date(to > from ? day : day + 1, minutes: to), kind: kind)
        if window.covers(moment) { return window }
      }
      return nil
    }
  }

  /// When it opens next, as far as the coming week tells; `nil`: not within it.
  func nextOpening(after moment: WallTime, _ calendar: LocalDays) -> WallTime? {
    switch span {
    case .once(let from, _): return from > moment ? from : nil
    case .daily(let from, _, let days):
      let today = calendar.day(of: moment)
      for day in today...today + Limits.suggestedDaysAhead where calendar.contains(day, days) {
        let date = calendar.date(day, minutes: from)
        if date > moment { return date }
      }
      return nil
    }
  }
}
