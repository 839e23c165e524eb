/// A moment on the monotonic clock, for waiting: it never jumps, and means nothing after a restart.
public struct Instant: Hashable, Comparable, Sendable {
  /// Nanoseconds since an arbitrary start.
  public var nanoseconds: Int64

  /// So many nanoseconds after the start.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whether `left` is the earlier one.
  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Saturates instead of overflowing.
  package func advanced(byMilliseconds milliseconds: Int64) -> Instant {
    let (scaled, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    let step = overflow ? (milliseconds < 0 ? Int64.min : Int64.max) : scaled
    let (sum, sumOverflow) = nanoseconds.addingReportingOverflow(step)
    return Instant(nanoseconds: sumOverflow ? (step < 0 ? Int64.min : Int64.max) : sum)
  }

  /// Whole milliseconds from `earlier` to `self`, rounded up, negative if `self` is before it.
  package func milliseconds(since earlier: Instant) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    if overflow { return nanoseconds < earlier.nanoseconds ? Int64.min : Int64.max }
    return difference > 0 ? (difference - 1) / 1_000_000 + 1 : difference / 1_000_000
  }
}

/// A moment on the wall clock, for dates: it can be set forwards and backwards.
public struct WallTime: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  /// So many milliseconds after 1970-01-01T00:00:00Z.
  @inlinable
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package init(seconds: Int64) { self.milliseconds = seconds * 1000 }

  /// Whether `left` is the earlier one.
  @inlinable
  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Saturates instead of overflowing.
  package func advanced(byMilliseconds step: Int64) -> WallTime {
    let (sum, overflow) = milliseconds.addingReportingOverflow(step)
    return WallTime(milliseconds: overflow ? (step < 0 ? Int64.min : Int64.max) : sum)
  }

  package func advanced(bySeconds step: Int64) -> WallTime {
    let (scaled, overflow) = step.multipliedReportingOverflow(by: 1000)
    return advanced(byMilliseconds: overflow ? (step < 0 ? Int64.min : Int64.max) : scaled)
  }

  /// Milliseconds from `earlier` to `self`; negative if `self` is before it.
  ///
  /// Saturates.
  package func milliseconds(since earlier: WallTime) -> Int64 {
    let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
    return overflow ? (milliseconds < earlier.milliseconds ? Int64.min : Int64.max) : difference
  }
}

/// Both clocks, read once at the start of a turn and passed to everything that happens in it.
package struct Now: Hashable, Sendable {
  package var monotonic: Instant
  package var wall: WallTime

  package init(monotonic: Instant, wall: WallTime) {
    self.monotonic = monotonic
    self.wall = wall
  }

  /// The instant at which the wall clock will show `date`, if nobody sets it meanwhile.
  package func instant(of date: WallTime) -> Instant {
    monotonic.advanced(byMilliseconds: date.milliseconds(since: wall))
  }
}
