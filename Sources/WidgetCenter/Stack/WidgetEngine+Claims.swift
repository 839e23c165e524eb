package import Timekeeping

/// Looks up what timelines declare, so that an order finds it: all at once, or some in each turn.
///
/// After a start the claims are noted as the timelines are read, a slice a turn
/// (`WidgetEngine+Slices`). From then on only a few have to be looked up for an order: those of new
/// widgets, and those that ended a moment ago. Many have to be after a clock was set, and for the
/// order of another moment.
extension WidgetEngine {
  /// Looks up claims for an order of these families (`nil`: all) now, at most `room` of them, which
  /// falls by their number.
  ///
  /// - Returns: whether the order can be made; `false`: there is more to look up, or timelines have
  ///   to be read before.
  package mutating func prepareStack(
    families: WidgetFamilies?, at now: WallTime, room: inout Int
  ) -> Bool {
    work.unreadCount == 0 && lookUpClaims(families, at: now, room: &room)
  }

  mutating func lookUpClaims(
    _ families: WidgetFamilies?, at moment: WallTime, room: inout Int
  ) -> Bool {
    // Taken out meanwhile, so that they are changed in place.
    var known = StackClaims()
    swap(&known, &claims)
    defer { swap(&known, &claims) }
    return lookUp(families, at: moment, in: &known, room: &room)
  }

  /// Whether an order of all families has to look up more than so many claims.
  func hasMoreToLookUp(than count: Int, at moment: WallTime) -> Bool {
    var room = count
    for row in placed.stack.rows where !claims.holds(row.timeline, at: moment) {
      guard room > 0 else { return true }
      room -= 1
    }
    return false
  }

  func lookUp(
    _ families: WidgetFamilies?, at moment: WallTime, in claims: inout StackClaims,
    room: inout Int
  ) -> Bool {
    for row in placed.stack.rows where families?.contains(row.family) ?? true {
      guard !claims.holds(row.timeline, at: moment) else { continue }
      guard room > 0 else { return false }
      room -= 1
      guard let key = deadlines.key(of: row.timeline), let index = timelines.index(forKey: key)
      else {
        assertionFailure("a row of the stack is on no timeline")
        continue
      }
      let shared = timelines.values[index]
      claims.noteLookUp(
        StackClaims.Claim(
          declared: declared(by: shared, at: moment), scale: shared.scale, from: moment,
          until: nextChange(of: shared, after: moment)), of: row.timeline)
    }
    return true
  }

  // MARK: Another moment

  /// Begins an order at another moment; `prepare` comes before `order`.
  package func forecast(families: WidgetFamilies?, at moment: WallTime) -> StackForecast {
    StackForecast(families: families, moment: moment, claims: claims)
  }

  /// Looks up claims for the order at another moment, at most `room` of them, which falls by their
  /// number.
  ///
  /// - Returns: whether the order can be made, by the widgets and timelines of now.
  package mutating func prepare(_ forecast: inout StackForecast, room: inout Int) -> Bool {
    guard work.unreadCount == 0 else { return false }
    forecast.claims.follow(claims)
    defer { claims.countLookUps(of: forecast.claims) }
    return lookUp(forecast.families, at: forecast.moment, in: &forecast.claims, room: &room)
  }

  /// The order that `forecast` was prepared for.
  package mutating func order(of forecast: StackForecast) -> [StackPlace] {
    rank(forecast.families, at: forecast.moment, by: forecast.claims).places
  }

  /// How often claims were looked up since the start.
  package var claimLookUps: ClaimLookUps { claims.lookUps }
}

/// An order at another moment while it is prepared: what the timelines will declare, or declared
/// then.
package struct StackForecast: Sendable {
  let families: WidgetFamilies?
  let moment: WallTime
  /// A copy of the engine's claims, in which those that do not hold at `moment` are looked up.
  fileprivate(set) var claims: StackClaims
}
