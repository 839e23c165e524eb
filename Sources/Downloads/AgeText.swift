/// The age of a copy in words.
package enum AgeText {
  /// Returns `5 seconds`, `3 minutes`, `2 hours` or `4 days`; an age below 0, of a clock that was set
  /// back, is `0 seconds`.
  package static func words(milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds / 1_000)
    let (count, unit): (Int64, String) =
      switch seconds {
      case ..<120: (seconds, "second")
      case ..<7_200: (seconds / 60, "minute")
      case ..<172_800: (seconds / 3_600, "hour")
      default: (seconds / 86_400, "day")
      }
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }
}
