import Timekeeping

/// Decides when a transaction begins: at once, or a moment later together with more requests.
///
/// On a slow disk, clients that all wait for answers fall into two groups: one group writes while
/// the other waits, and every `fsync` serves half of them. So after a slow transaction the next one
/// waits until as many requests have come as were open when the slow one ended, or until a quarter
/// of its duration has passed, at most `Limits.commitHoldMax`. A lone client is never held back,
/// nor is any client on a fast disk.
struct CommitPacing: Sendable {
  /// Answers that wait when the next transaction begins, if no client needs longer than before.
  private var expectedReplyCount = 0
  /// The moment until which the next transaction may be held back; `nil`: it is not held back.
  private(set) var holdUntil: Instant?

  /// Notes that a transaction which began at `start` is on disk.
  ///
  /// `replies` answers waited for it, and `waiting` answers wait for the next one already.
  mutating func ended(startedAt start: Instant, replies: Int, waiting: Int, at now: Instant) {
    let took = now.nanoseconds - start.nanoseconds
    guard took >= Limits.slowTransaction else {
      holdUntil = nil
      return
    }
    expectedReplyCount = replies + waiting
    holdUntil = Instant(nanoseconds: now.nanoseconds + min(took / 4, Limits.commitHoldMax))
  }

  /// Returns whether a transaction for which `replies` answers wait is held back at `now`; ends the
  /// hold if it is not.
  mutating func holds(_ replies: Int, at now: Instant) -> Bool {
    guard let until = holdUntil, now < until, replies > 0, replies < expectedReplyCount else {
      holdUntil = nil
      return false
    }
    return true
  }
}
