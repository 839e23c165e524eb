import Foundation

/// The timeline of one city: an entry a minute for the next hour.
///
/// Two ways to show time, side by side. The minute is text, so each minute is an entry: the daemon
/// shows it when it is due and nothing runs here. What only counts down (to midnight there) is a
/// date node, which the surface keeps ticking by itself.
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
    // When people there are at work one may want to call them.
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

  /// Says what is wrong and what would help; a wrong time would be worse than none.
  private func unknownCity(at now: Date) -> Timeline {
    let content = Content(
      title: city, text: [.text("no time zone is known for “\(city)”")], short: "?",
      symbol: "questionmark.circle", className: ["unknown-city"],
      tooltip: "it is not in lists/cities.yaml, and no zone has its name", items: [])
    // The list may have grown by tomorrow.
    let tomorrow = now.addingTimeInterval(86_400).formatted(.iso8601)
    return Timeline(
      entries: [Entry(date: now.formatted(.iso8601), content: content, url: url)],
      policy: .after(tomorrow))
  }

  private var url: String {
    let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
    return "clock://city/" + (city.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")
  }

  /// `UTC+5:30`, and how far that is from the clock of the person who looks.
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
