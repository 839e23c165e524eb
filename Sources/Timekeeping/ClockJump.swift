/// Detects that the machine slept or that somebody set the wall clock, by comparing three clocks.
///
/// The monotonic clock stops while the machine sleeps; the boot-time clock and the wall clock go
/// on. The kernel reports both events too, but not in a container and not when a virtual machine
/// was stopped and moved. So the daemon also calls `notice` in each turn: the clocks are read
/// anyway.
package struct ClockJump: Sendable {
  /// The largest difference between two clocks that is no jump, in milliseconds.
  ///
  /// It covers the time that passes between reading one clock and the next.
  package static let unnoticedMax: Int64 = 1_000

  private var before: (now: Now, boot: Instant)?

  package init() {}

  /// Returns whether the boot-time or the wall clock jumped against the monotonic one since the
  /// last call.
  ///
  /// The first call returns false: it has nothing to compare with.
  ///
  /// A wall clock that is corrected slowly (at most 1 ms in 2 s, as NTP does) does not count as a
  /// jump.
  package mutating func notice(_ now: Now, boot: Instant) -> Bool {
    defer { before = (now, boot) }
    guard let before else { return false }
    let passed = now.monotonic.milliseconds(since: before.now.monotonic)
    let unnoticed = Self.unnoticedMax + max(0, passed) / 1_000
    let slept = boot.milliseconds(since: before.boot) - passed
    let wall = now.wall.milliseconds(since: before.now.wall)
    let (difference, overflow) = wall.subtractingReportingOverflow(passed)
    return overflow || slept > unnoticed || difference > unnoticed || difference < -unnoticed
  }
}
