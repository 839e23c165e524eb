import Foundation

/// The timeline of one city: an entry for each minute of the next hour.
///
/// It shows time in two ways. The clock is text, so each minute is an entry; the daemon shows it
/// when it is due, and this provider does not run. The countdown to midnight is a live date, which
/// the surface keeps current.
struct WorldClock {
  var city: String

  func timeline(from now: Date) -> Timeline {
    guard let zone = CityList.zone(of: city) else { return unknownCity(at: now) }
    // Whole minutes, so that an entry appears with the minute it names.
    let minute = Date(timeIntervalSince1970: (now.timeIntervalSince1970 / 60).rounded(.down) * 60)
    return Timeline(
      entries: (0..<60).map { entry(at: minute.addingTimeInterval(60 * Double($0)), in: zone) },
      policy: .atEnd)
  }

  private func entry(at date: Date, in zone: TimeZone) -> Entry {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents([.hour, .minute, .weekday], from: date)
    guard let hour = parts.hour, let minute = parts.minute, let weekday = parts.weekday,
      let midnight = calendar.nextDate(
        after: date, matching: DateComponents(hour: 0), matchingPolicy: .nextTime)
    else { preconditionFailure("the Gregorian calendar has hours, minutes and a next midnight") }
    let time = twoDigits(hour) + ":" + twoDigits(minute)
    let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][weekday - 1]
    // The clock is more relevant during office hours, when a person may want to call.
    let isWorking = (2...6).contains(weekday) && (9..<17).contains(hour)
    return Entry(
      date: date.formatted(.iso8601),
      relevance: Relevance(score: isWorking ? 30 : 10),
      content: Content(
        title: city,
        text: [
          .text("\(day) \(time)"),
          .date(LiveDate(date: midnight.formatted(.iso8601), style: "relative")),
        ],
        short: time,
        symbol: (6..<18).contains(hour) ? "sun.max" : "moon",
        className: [isWorking ? "working-hours" : "off-hours"],
        tooltip: "\(zone.identifier), \(offsetText(zone, at: date))",
        items: [Item(text: "\(offsetText(zone, at: date))", url: url)]),
      url: url)
  }

  /// Returns a timeline that says that the city is unknown and what to do.
  private func unknownCity(at now: Date) -> Timeline {
    let content = Content(
      title: city, text: [.text("no time zone is known for “\(city)”")], short: "?",
      symbol: "questionmark.circle", className: ["unknown-city"],
      tooltip: "it is not in lists/cities.yaml, and no zone has its name", items: [])
    // Ask again tomorrow: the list may have this city by then.
    let tomorrow = now.addingTimeInterval(86_400).formatted(.iso8601)
    return Timeline(
      entries: [Entry(date: now.formatted(.iso8601), content: content, url: url)],
      policy: .after(tomorrow))
  }

  private var url: String {
    let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
    return "clock://city/" + (city.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")
  }

  /// Returns the offset, `UTC+5:30`, and the difference from the person's local time.
  private func offsetText(_ zone: TimeZone, at date: Date) -> String {
    let here = zone.secondsFromGMT(for: date) - TimeZone.current.secondsFromGMT(for: date)
    let difference =
      here == 0 ? "same time as here" : "\(hours(abs(here))) h \(here > 0 ? "ahead" : "behind")"
    let seconds = zone.secondsFromGMT(for: date)
    return "UTC\(seconds < 0 ? "−" : "+")\(hours(abs(seconds))), \(difference)"
  }

  private func hours(_ seconds: Int) -> String {
    let minutes = seconds / 60 % 60
    return "\(seconds / 3600)" + (minutes == 0 ? "" : ":" + twoDigits(minutes))
  }

  private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
