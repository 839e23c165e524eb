import Timekeeping

/// The claims of providers at the latest order: a use that follows is compared with them.
struct LatestClaims: Sendable {
  private var found: [StackDonation.Claim] = []
  /// The moment of the order; `nil` if there was none, or if it was forgotten.
  private var date: WallTime?

  mutating func note(_ claims: [StackDonation.Claim], at now: WallTime) {
    assert(claims.count <= Limits.claimCountMax, "more claims than a donation keeps")
    found = claims
    date = now
  }

  mutating func forget() { self = LatestClaims() }

  /// The claims, unless they are older than `Limits.rotationTick` or of another clock.
  func current(at now: WallTime) -> [StackDonation.Claim]? {
    guard let date, date <= now, now < date.advanced(byMilliseconds: Limits.rotationTick) else {
      return nil
    }
    return found
  }
}
