import Timekeeping

/// The time between the announcement that the machine sleeps and its waking.
///
/// In that time everything that changes is written at once: a machine that sleeps may lose its power
/// before it wakes.
struct SleepWatch: Hashable, Sendable {
  /// When sleep was announced; `nil` while the machine is awake.
  private var announcedAt: Instant?
  /// Whether the machine still waits for the daemon.
  private(set) var isAwaited = false

  /// Whether the machine is about to sleep.
  ///
  /// An announcement holds for `Limits.sleepNoticeMax` of the clock that stands still in sleep: its
  /// end may never be told.
  func isComing(at now: Instant) -> Bool {
    announcedAt.map { now < $0.advanced(byMilliseconds: Limits.sleepNoticeMax) } ?? false
  }

  mutating func announce(at now: Instant) {
    announcedAt = now
    isAwaited = true
  }

  /// Notes that the machine need not wait any longer.
  mutating func release() { isAwaited = false }

  /// Notes that the machine is awake.
  mutating func wake() {
    announcedAt = nil
    isAwaited = false
  }
}
