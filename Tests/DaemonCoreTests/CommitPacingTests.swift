import Testing
import Timekeeping

@testable import DaemonCore

/// When a transaction waits a moment so that more replies share its `fsync`.
struct CommitPacingTests {
  private static let millisecond: Int64 = 1_000_000
  private static let endedAt: Int64 = 100 * millisecond

  /// A pacing after a transaction of `took` nanoseconds with `replies`, at whose end `waiting` more
  /// waited.
  private func pacing(after took: Int64, replies: Int, waiting: Int) -> CommitPacing {
    var pacing = CommitPacing()
    pacing.ended(
      startedAt: Instant(nanoseconds: Self.endedAt - took), replies: replies, waiting: waiting,
      at: Instant(nanoseconds: Self.endedAt))
    return pacing
  }

  private func holds(_ pacing: CommitPacing, _ replies: Int, after nanoseconds: Int64) -> Bool {
    var pacing = pacing
    return pacing.holds(replies, at: Instant(nanoseconds: Self.endedAt + nanoseconds))
  }

  @Test func `after a slow transaction the next one waits for as many as were in play`() {
    let pacing = pacing(after: 4 * Self.millisecond, replies: 3, waiting: 2)
    for replies in 1...4 { #expect(holds(pacing, replies, after: 0), "\(replies) replies") }
    for replies in 5...6 { #expect(!holds(pacing, replies, after: 0), "\(replies) replies") }
  }

  @Test func `it waits a quarter of the slow transaction's time, and 2 ms at most`() {
    for (took, wait) in [(3, 750_000), (4, 1_000_000), (8, 2_000_000), (1_000, 2_000_000)] {
      let pacing = pacing(after: Int64(took) * Self.millisecond, replies: 2, waiting: 2)
      #expect(holds(pacing, 1, after: Int64(wait) - 1), "\(took) ms")
      #expect(!holds(pacing, 1, after: Int64(wait)), "\(took) ms")
      #expect(pacing.holdUntil == Instant(nanoseconds: Self.endedAt + Int64(wait)), "\(took) ms")
    }
  }

  @Test func `a fast transaction holds nobody back`() {
    let pacing = pacing(after: 3 * Self.millisecond - 1, replies: 3, waiting: 2)
    #expect(!holds(pacing, 1, after: 0))
    #expect(pacing.holdUntil == nil)
  }

  @Test func `a lone client, and writes that nobody waits for, are not held back`() {
    #expect(!holds(pacing(after: 9 * Self.millisecond, replies: 1, waiting: 0), 1, after: 0))
    #expect(!holds(pacing(after: 9 * Self.millisecond, replies: 3, waiting: 3), 0, after: 0))
  }

  @Test func `once let go, a transaction is not held back again`() {
    var pacing = pacing(after: 9 * Self.millisecond, replies: 2, waiting: 2)
    let first = pacing.holds(4, at: Instant(nanoseconds: Self.endedAt))
    let second = pacing.holds(1, at: Instant(nanoseconds: Self.endedAt + 1))
    #expect(!first && !second)
  }
}
