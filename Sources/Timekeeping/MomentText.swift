/// Reads moments as people type them, in their own time zone.
package enum MomentText {
  /// The day that a time without a date, such as `18:30`, belongs to.
  package enum Day: Hashable, Sendable {
    /// Today; tomorrow if that time of today is past.
    case coming
    /// Today; yesterday if that time of today is still to come.
    case past
  }

  /// Reads a moment in one of four forms; returns `nil` for any other text.
  ///
  /// - RFC 3339 with an offset;
  /// - a local day, `2026-11-23`, which means its midnight;
  /// - a local day and time, `2026-11-23 18:30`, with a space or a `T` between them;
  /// - a local time, `18:30`, whose day `day` decides.
  ///
  /// `secondsEast` returns by how many seconds local time is ahead of UTC at a moment. When a
  /// change of the clock skips or repeats a local time, the result is one of the two possible
  /// moments.
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
