import Timekeeping

/// Numbers the entries that widgets come to show, so that a tap can say which one the person saw.
///
/// One sequence serves all widgets: a number is given once in the life of a daemon, also when a
/// widget is removed and another gets its id. It begins at the clock, so that a number of the daemon
/// before this one is not given again either, unless the clock was set back. Programs in which a
/// number has 53 bits, such as those in JavaScript, can read each.
struct Revisions: Sendable {
  /// The highest moment, in milliseconds since 1970, that a number is taken from: a clock that is
  /// wrong by thousands of years must not use the numbers up.
  private static let clockMax: Int64 = 1 << 52

  private var last: Int64 = 0

  /// Returns a number higher than all before it.
  mutating func next(at now: WallTime) -> Int64 {
    last = max(last + 1, min(now.milliseconds, Self.clockMax))
    return last
  }
}
