import FoundationAdditions

/// Dates of parameters: `2026-11-21`, `09:30`, or both as RFC 3339.
enum WrittenDate {
  /// Returns the parts of a date, of a time, or of both in the person's time zone.
  static func components(of text: String) -> DateComponents? {
    let calendar = Calendar.current
    if let moment = moment(of: text) {
      var parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: moment)
      parts.calendar = calendar
      parts.timeZone = calendar.timeZone
      return parts
    }
    var parts = DateComponents(calendar: calendar)
    let days = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    let times = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    if days.count == 3, let year = days[0], let month = days[1], let day = days[2] {
      (parts.year, parts.month, parts.day) = (year, month, day)
    } else if times.count == 2 || times.count == 3, let hour = times[0], let minute = times[1] {
      (parts.hour, parts.minute) = (hour, minute)
      if times.count == 3 { parts.second = times[2] }
    } else {
      return nil
    }
    return parts
  }

  /// Returns the moment: of a date its beginning, of a time that of today.
  static func date(of text: String) -> Date? {
    if let moment = moment(of: text) { return moment }
    guard var parts = components(of: text) else { return nil }
    let calendar = Calendar.current
    if parts.year == nil {
      let today = calendar.dateComponents([.year, .month, .day], from: Date())
      (parts.year, parts.month, parts.day) = (today.year, today.month, today.day)
    }
    return calendar.date(from: parts)
  }

  private static func moment(of text: String) -> Date? {
    let forms = [
      Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
    ]
    for form in forms {
      do {
        return try form.parse(text)
      } catch {
        // Not of this form: it is of the other one, or a date or a time alone.
        continue
      }
    }
    return nil
  }
}
