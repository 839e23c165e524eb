package import Timekeeping

/// A token bucket of budgeted reloads, and the spacing between them.
///
/// Tokens come back evenly over the day, `perDay` of them; the bucket holds at most a quarter of a day's
/// worth (but one), so that a quiet night cannot be spent in one burst. A reload that succeeded costs one;
/// exempt causes cost nothing. The wall clock set backwards never takes tokens away.
package struct ReloadBudget: Hashable, Sendable {
  package private(set) var perDay: Int
  /// Milliseconds between budgeted reloads.
  package var spacing: Int64
  /// In thousandths of a reload, at `refilledAt`.
  private var milliTokens: Int64
  private var refilledAt: WallTime
  package private(set) var lastSpentAt: WallTime?

  package init(perDay: Int, spacing: Int64, at now: WallTime) {
    precondition(perDay > 0, "a budget of nothing is the policy never")
    self.perDay = perDay
    self.spacing = spacing
    milliTokens = Self.capacity(perDay: perDay) * 1000
    refilledAt = now
  }

  /// Reloads the full bucket holds.
  package var capacity: Int64 { Self.capacity(perDay: perDay) }

  private static func capacity(perDay: Int) -> Int64 { max(1, Int64(perDay) / 4) }

  package var refillPerHour: Double { Double(perDay) / 24 }

  /// Reloads that could be paid for at `now`, with fractions.
  package func balance(at now: WallTime) -> Double {
    Double(milliTokens(at: now)) / 1000
  }

  private func milliTokens(at now: WallTime) -> Int64 {
    let elapsed = min(max(0, now.milliseconds(since: refilledAt)), 86_400_000)
    return min(capacity * 1000, milliTokens + elapsed * Int64(perDay) * 1000 / 86_400_000)
  }

  /// When a budgeted reload may run: `now` or later, with the reason when later.
  package func earliest(at now: WallTime) -> (date: WallTime, reason: String?) {
    var date = now
    var reason: String?
    if let lastSpentAt, lastSpentAt <= now {
      let spaced = lastSpentAt.advanced(byMilliseconds: spacing)
      if spaced > date {
        date = spaced
        reason = "reloads of this kind are at least \(DurationText.write(spacing)) apart"
      }
    }
    let missing = 1000 - milliTokens(at: now)
    if missing > 0 {
      let perToken = Int64(perDay) * 1000
      let wait = (missing * 86_400_000 + perToken - 1) / perToken
      let refilled = now.advanced(byMilliseconds: wait)
      if refilled > date {
        date = refilled
        reason = "the budget of \(perDay) reloads a day is spent for now"
      }
    }
    return (date, reason)
  }

  /// A budgeted reload succeeded.
  package mutating func spend(at now: WallTime) {
    milliTokens = max(0, milliTokens(at: now) - 1000)
    refilledAt = now
    lastSpentAt = now
  }

  /// The clock was set: what lies ahead of it now counts from now, so that tokens come back again.
  package mutating func clockChanged(at now: WallTime) {
    refilledAt = min(refilledAt, now)
    lastSpentAt = lastSpentAt.map { min($0, now) }
  }

  /// The manifest changed: the new rate holds from now on, what was saved stays as far as it fits.
  package mutating func configure(perDay: Int, spacing: Int64, at now: WallTime) {
    let saved = milliTokens(at: now)
    self.perDay = perDay
    self.spacing = spacing
    milliTokens = min(saved, capacity * 1000)
    refilledAt = now
  }

  /// Restores what was stored: `balance` at `date`.
  package mutating func restore(balance: Double, at date: WallTime, lastSpentAt: WallTime?) {
    milliTokens = max(0, min(capacity * 1000, Int64((min(max(balance, 0), 1e9) * 1000).rounded())))
    refilledAt = date
    self.lastSpentAt = lastSpentAt
  }
}
