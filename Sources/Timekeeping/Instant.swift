/// A moment on the monotonic clock, used for waiting.
///
/// The clock never jumps. Its values mean nothing after a restart of the machine: never store them.
public struct Instant: Hashable, Comparable, Sendable {
  /// Nanoseconds since an arbitrary start.
  public var nanoseconds: Int64

  /// Makes the instant that lies `nanoseconds` after the clock's arbitrary start.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whether `left` is the earlier one.
  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the instant `milliseconds` later.
  ///
  /// Saturates instead of overflowing.
  package func advanced(byMilliseconds milliseconds: Int64) -> Instant {
    let (scaled, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    let step = overflow ? (milliseconds < 0 ? Int64.min : Int64.max) : scaled
    let (sum, sumOverflow) = nanoseconds.addingReportingOverflow(step)
    return Instant(nanoseconds: sumOverflow ? (step < 0 ? Int64.min : Int64.max) : sum)
  }

  /// Returns the milliseconds from `earlier` to `self`; negative if `self` is before `earlier`.
  ///
  /// Rounds up, so that a timer of this length never fires too early. Saturates.
  package func milliseconds(since earlier: Instant) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    if overflow { return nanoseconds < earlier.nanoseconds ? Int64.min : Int64.max }
    return difference > 0 ? (difference - 1) / 1_000_000 + 1 : difference / 1_000_000
  }
}

/// A moment on the wall clock, used for dates.
///
/// Somebody may set that clock forwards or backwards.
public struct WallTime: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  /// Makes the moment that lies `milliseconds` after 1970-01-01T00:00:00Z.
  @inlinable
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Makes the moment that lies `seconds` after 1970-01-01T00:00:00Z.
  ///
  /// Traps on overflow.
  package init(seconds: Int64) { self.milliseconds = seconds * 1000 }

  /// Whether `left` is the earlier one.
  @inlinable
  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Returns the moment `step` milliseconds later.
  ///
  /// Saturates instead of overflowing.
  package func advanced(byMilliseconds step: Int64) -> WallTime {
    let (sum, overflow) = milliseconds.addingReportingOverflow(step)
    return WallTime(milliseconds: overflow ? (step < 0 ? Int64.min : Int64.max) : sum)
  }

  /// Returns the moment `step` seconds later.
  ///
  /// Saturates instead of overflowing.
  package func advanced(bySeconds step: Int64) -> WallTime {
    let (scaled, overflow) = step.multipliedReportingOverflow(by: 1000)
    return advanced(byMilliseconds: overflow ? (step < 0 ? Int64.min : Int64.max) : scaled)
  }

  /// Returns the milliseconds from `earlier` to `self`; negative if `self` is before `earlier`.
  ///
  /// Saturates instead of overflowing.
  package func milliseconds(since earlier: WallTime) -> Int64 {
    let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
    return overflow ? (milliseconds < earlier.milliseconds ? Int64.min : Int64.max) : difference
  }
}

/// Both clocks, read once at the start of a turn and passed to all code that runs in it.
package struct Now: Hashable, Sendable {
  package var monotonic: Instant
  package var wall: WallTime

  package init(monotonic: Instant, wall: WallTime) {
    self.monotonic = monotonic
    self.wall = wall
  }

  /// Returns the instant at which the wall clock will show `date`, if nobody sets it before then.
  package func instant(of date: WallTime) -> Instant {
    monotonic.advanced(byMilliseconds: date.milliseconds(since: wall))
  }
}
