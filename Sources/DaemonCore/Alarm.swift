import Timekeeping

/// The one wake-up that the shell was asked for.
struct Alarm: Sendable {
  /// The moment that was asked for last; `nil`: none was, or `reset` forgot it.
  private(set) var armedAt: Instant?

  /// Forgets the wake-up: it came, or the clock changed.
  mutating func reset() { armedAt = nil }

  /// Asks for a wake-up at `next`, unless it is armed for that moment; `nil` asks for none.
  mutating func arm(at next: Instant?, into effects: inout [Effect]) {
    guard next != armedAt else { return }
    // Wall-clock dates drift against the monotonic clock by microseconds from turn to turn; that is
    // not worth a new timer.
    if let next, let armedAt, next >= armedAt, next.milliseconds(since: armedAt) <= 1 { return }
    armedAt = next
    effects.append(.wakeUp(at: next))
  }
}
