/// The words of dates.
package enum LiveText {
  /// The text of a live date at a moment.
  package static func text(of live: LiveDate, at now: Date) -> String {
    let moment = live.end.map { min(now, $0) } ?? now
    let distance = live.date.timeIntervalSince(moment)
    switch live.style {
    case .timer: return clock(abs(distance))
    case .relative: return parts(distance).joined(separator: " ")
    case .offset:
      let sign = abs(distance) < 1 ? "" : distance < 0 ? "+" : "−"
      return sign + parts(distance).joined(separator: " ")
    }
  }

  /// `1:05:00`, or `5:00`.
  static func clock(_ seconds: TimeInterval) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "0:00" }
    let whole = max(Int(seconds.rounded(.down)), 0)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }

  /// The two largest units of a distance.
  private static func parts(_ distance: TimeInterval) -> [String] {
    guard distance.isFinite, abs(distance) < 1e12 else { return ["0 s"] }
    let whole = Int(abs(distance))
    let units = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")]
    guard let first = units.firstIndex(where: { whole >= $0.0 }) else { return ["0 s"] }
    var rest = whole
    return units[first...].prefix(2).compactMap { size, name in
      defer { rest %= size }
      return rest >= size ? "\(rest / size) \(name)" : nil
    }
  }

  /// A day, or a time of day, in the language of an environment.
  static func moment(_ date: Date, isTime: Bool, in environment: EnvironmentValues) -> String {
    style(date: isTime ? .omitted : .long, time: isTime ? .shortened : .omitted, environment)
      .format(date)
  }

  /// `9:00 – 10:30`, with the days where they differ.
  static func interval(start: Date, end: Date, in environment: EnvironmentValues) -> String {
    let isOneDay = environment.calendar.isDate(start, inSameDayAs: end)
    let style = style(date: isOneDay ? .omitted : .abbreviated, time: .shortened, environment)
    return "\(style.format(start)) – \(style.format(end))"
  }

  private static func style(
    date: Date.FormatStyle.DateStyle, time: Date.FormatStyle.TimeStyle,
    _ environment: EnvironmentValues
  ) -> Date.FormatStyle {
    Date.FormatStyle(
      date: date, time: time, locale: environment.locale, calendar: environment.calendar,
      timeZone: environment.timeZone)
  }
}
