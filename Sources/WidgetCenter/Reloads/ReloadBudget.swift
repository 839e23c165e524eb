package import Timekeeping

/// A token bucket of budgeted reloads, and the spacing between them.
///
/// A token pays for one reload. `perDay` tokens come back over the day, most of them in the active
/// hours. The bucket holds a quarter of a day's tokens, and at least one, so that a quiet night
/// cannot be spent in one burst. A reload that succeeded costs one; exempt causes cost nothing. A
/// wall clock that is set backwards never takes tokens away.
package struct ReloadBudget: Hashable, Sendable {
  /// Tokens that come back in a day; 1 or more.
  package private(set) var perDay: Int
  /// Milliseconds between budgeted reloads.
  package var spacing: Int64
  /// When in the day tokens come back.
  package private(set) var hours: RefillHours
  /// The balance at `refilledAt`, in thousandths of a token.
  private var milliTokens: Int64
  private var refilledAt: WallTime
  /// The moment of the last budgeted reload, from which `spacing` counts; `nil`: there was none.
  package private(set) var lastSpentAt: WallTime?

  package init(perDay: Int, spacing: Int64, hours: RefillHours = .even, at now: WallTime) {
    precondition(perDay > 0, "a budget of nothing is the policy never")
    self.perDay = perDay
    self.spacing = spacing
    self.hours = hours
    milliTokens = Self.capacity(perDay: perDay) * 1000
    refilledAt = now
  }

  /// Reloads that the full bucket holds; 1 or more.
  package var capacity: Int64 { Self.capacity(perDay: perDay) }

  private static func capacity(perDay: Int) -> Int64 {
    max(1, Int64(perDay) / Limits.bucketsPerDay)
  }

  /// Reloads that come back in an hour, on average over the day.
  package var refillPerHour: Double { Double(perDay) / 24 }

  /// Reloads that come back in an hour such as that of `moment`.
  package func refillPerHour(at moment: WallTime) -> Double {
    Double(perDay) * hours.sharePerHour(at: moment)
  }

  /// Reloads that could be paid for at `now`, with fractions.
  package func balance(at now: WallTime) -> Double {
    Double(milliTokens(at: now)) / 1000
  }

  private func milliTokens(at now: WallTime) -> Int64 {
    guard refilledAt < now else { return min(capacity * 1000, milliTokens) }
    let start = max(refilledAt, now.advanced(byMilliseconds: -86_400_000))
    let refill = hours.weighted(from: start, to: now) * Int64(perDay) / (hours.wholeDay / 1000)
    return min(capacity * 1000, milliTokens + refill)
  }

  /// When a budgeted reload may run: `now` or later, with the reason when later.
  ///
  /// A reload that is not spaced needs a token alone. `saving`: why the budget is halved now.
  package func earliest(
    at now: WallTime, isSpaced: Bool = true, saving: SavingCause? = nil
  ) -> (date: WallTime, reason: String?) {
    var date = now
    var reason: String?
    if isSpaced, let lastSpentAt, lastSpentAt <= now {
      let spaced = lastSpentAt.advanced(byMilliseconds: spacing)
      if spaced > date {
        date = spaced
        reason = "reloads of this kind are at least \(DurationText.write(spacing)) apart"
      }
    }
    if milliTokens(at: now) < 1000 {
      let refilled = nextToken(after: now)
      if refilled > date {
        date = refilled
        let halved = saving.map { ", \($0.reason)," } ?? ""
        reason = "the budget of \(perDay) reloads a day\(halved) is spent for now"
      }
    }
    return (date, reason)
  }

  /// When the bucket holds a whole reload more than at `now`; `nil` when it is full.
  package func nextRefill(at now: WallTime) -> WallTime? {
    let held = milliTokens(at: now)
    guard held < capacity * 1000 else { return nil }
    return moment(of: (held / 1000 + 1) * 1000, held: held, at: now)
  }

  private func nextToken(after now: WallTime) -> WallTime {
    moment(of: 1000, held: milliTokens(at: now), at: now)
  }

  /// When `wanted` thousandths are there, of which `held` are at `now`.
  private func moment(of wanted: Int64, held: Int64, at now: WallTime) -> WallTime {
    let perUnit = Int64(perDay)
    let missing = (wanted - held) * (hours.wholeDay / 1000)
    return hours.moment(after: now, weighted: (missing + perUnit - 1) / perUnit)
  }

  /// Pays for a budgeted reload that succeeded; one that `isFree` only starts the spacing anew.
  package mutating func spend(isFree: Bool = false, at now: WallTime) {
    milliTokens = max(0, milliTokens(at: now) - (isFree ? 0 : 1000))
    refilledAt = now
    lastSpentAt = now
  }

  /// Brings dates ahead of a clock that was set back to `now`, so that tokens come back again.
  package mutating func clockChanged(at now: WallTime) {
    refilledAt = min(refilledAt, now)
    lastSpentAt = lastSpentAt.map { min($0, now) }
  }

  /// Takes new rules: the new rate holds from now on, and saved tokens stay as far as they fit.
  package mutating func configure(
    perDay: Int, spacing: Int64, hours: RefillHours = .even, at now: WallTime
  ) {
    guard perDay != self.perDay || spacing != self.spacing || hours != self.hours else { return }
    let saved = milliTokens(at: now)
    self.perDay = perDay
    self.spacing = spacing
    self.hours = hours
    milliTokens = min(saved, capacity * 1000)
    refilledAt = now
  }

  /// Restores the stored `balance` of `date`.
  package mutating func restore(balance: Double, at date: WallTime, lastSpentAt: WallTime?) {
    milliTokens = max(0, min(capacity * 1000, Int64((min(max(balance, 0), 1e9) * 1000).rounded())))
    refilledAt = date
    self.lastSpentAt = lastSpentAt
  }
}
