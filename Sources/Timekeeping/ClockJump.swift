/// Notices that the machine slept or that its wall clock was set, from what three clocks say at each look.
///
/// Monotonic time stands still while the machine sleeps; time since boot goes on, and so does the wall clock. The kernel
/// tells of both by itself, but not everywhere: a container, a machine that was stopped and moved. So this looks again,
/// at no cost, whenever there is something to do anyway.
package struct ClockJump: Sendable {
  /// Milliseconds by which clocks may part: less is the time between reading one and the next.
  package static let unnoticedMax: Int64 = 1_000

  private var before: (now: Now, boot: Instant)?

  package init() {}

  /// Whether a clock jumped against the monotonic one since the last call; the first call only remembers.
  ///
  /// A clock that is corrected slowly (at most one part in two thousand) does not jump.
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
