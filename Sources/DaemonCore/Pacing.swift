import Timekeeping

/// A token bucket: one token each `interval`, and at most `burst` at once.
///
/// It keeps a page from starting many applications or providers, and a client from asking for long
/// work again and again.
struct Pacing: Hashable, Sendable {
  /// Nanoseconds in which one token comes back.
  let interval: Int64
  let burst: Int64
  /// The moment at which the bucket is full again; `nil`: it is full.
  private var fullAt: Instant?

  init(interval: Int64, burst: Int64) {
    self.interval = interval
    self.burst = burst
  }

  /// Takes tokens; `false` when there are not so many, and none is taken then.
  mutating func take(_ count: Int64 = 1, at now: Instant) -> Bool {
    assert(count <= burst, "so many tokens never come together")
    guard moment(for: count, at: now) <= now else { return false }
    let full = max(fullAt ?? now, now)
    fullAt = Instant(nanoseconds: full.nanoseconds + count * interval)
    return true
  }

  /// The moment from which on there are so many tokens, if none is taken until then.
  func moment(for count: Int64 = 1, at now: Instant) -> Instant {
    let full = max(fullAt ?? now, now)
    return max(now, Instant(nanoseconds: full.nanoseconds - (burst - count) * interval))
  }
}
