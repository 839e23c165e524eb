/// Moments as people type them, read in their time zone.
package enum MomentText {
  /// Which day a time of day alone, `18:30`, is of.
  package enum Day: Hashable, Sendable {
    /// Today, or tomorrow once it is past.
    case coming
    /// Today, or yesterday while it is still to come.
    case past
  }

  /// Reads RFC 3339, and in local time a day (`2026-11-23`, its midnight), a day and a time (`2026-11-23 18:30`, with `T`
  /// or a space) or a time alone (`18:30`); `nil` for anything else.
  ///
  /// `secondsEast`: how far local time is ahead of UTC at a moment. Where a change of the clock leaves a local time
  /// out, or has it twice, one of the two moments is taken.
  package static func read(
    _ text: String, now: WallTime, day: Day = .coming, secondsEast: (WallTime) -> Int
  ) -> WallTime? {
    if let date = WallTime(rfc3339: text) { return date }
    func moment(ofCivil civil: WallTime) -> WallTime {
      let near = civil.advanced(bySeconds: -Int64(secondsEast(civil)))
      return civil.advanced(bySeconds: -Int64(secondsEast(near)))
    }
    for ending in ["T00:00:00Z", ":00Z", "Z"] {
      if let civil = WallTime(rfc3339: text + ending) { return moment(ofCivil: civil) }
    }
    let today = now.advanced(bySeconds: Int64(secondsEast(now))).rfc3339.prefix { $0 != "T" }
    guard text.utf8.count == 5, let civil = WallTime(rfc3339: "\(today)T\(text):00Z") else {
      return nil
    }
    let found = moment(ofCivil: civil)
    switch day {
    case .coming where found < now: return moment(ofCivil: civil.advanced(bySeconds: 86_400))
    case .past where found > now: return moment(ofCivil: civil.advanced(bySeconds: -86_400))
    case .coming, .past: return found
    }
  }
}
