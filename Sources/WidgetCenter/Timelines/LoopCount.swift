import Timekeeping

/// Counts the runs of one timeline that were too close together: a bucket that leaks as many as fit
/// into it in `Limits.loopWindow`.
struct LoopCount: Hashable, Sendable {
  private var level = 0.0
  private var lastAt: Instant?

  /// Counts a run.
  ///
  /// - Returns: whether there were more than `most` without the time to leak.
  mutating func isLoop(startingAt now: Instant, _ most: Double) -> Bool {
    let elapsed = lastAt.map { max(0, now.milliseconds(since: $0)) } ?? 0
    level = max(0, level - Double(elapsed) * most / Double(Limits.loopWindow)) + 1
    lastAt = now
    return level > most
  }
}
