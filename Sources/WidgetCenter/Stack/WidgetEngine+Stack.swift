import JSON
package import Timekeeping

/// The smart stack: what providers declare and what the person does, in one order.
///
/// The score is a sum, in logarithms of odds:
/// - habits (often, lately, time of day, weekday, afterwards): how much the person wants it now, against
///   the average of the stack (`BehaviourModel`), −8…8 each.
/// - relevance: what is declared, by score and by window, as a share of the most that this *kind* ever
///   declared (`RelevanceScale`), times how much its word counts (`ProviderVoices`), 0…4. Scores of
///   different providers are never compared. Source: WidgetKit, `TimelineEntryRelevance`.
/// - a declared score ≤ 0: −75 and nothing else. It never rises above a widget that has nothing to say.
/// - intent just sent, for fifteen minutes: 100, and 50 more for each widget that was asked for earlier.
/// - a dismissal, for four hours: −200.
/// - stays: what keeps the top of a stack from flapping (`StackRotation`).
/// Equal scores keep the order of placing.
extension WidgetEngine {
  /// The order at a moment, as if nobody had looked before.
  ///
  /// O(n log n + n · habits).
  package func ranking(families: WidgetFamilies?, at moment: WallTime) -> [StackPlace] {
    var rows = stackRows ?? StackRows(order, widgets)
    refresh(&rows, at: moment)
    return ranking(&rows, families: families, at: moment).places
  }

  /// Places, and the rows of `StackRows` that they stand for.
  private struct Order {
    var places: [StackPlace] = []
    var rows: [Int32] = []
  }

  /// The same, remembering what the next one needs too.
  private mutating func currentRanking(
    families: WidgetFamilies?, at now: WallTime
  ) -> Order {
    var rows = stackRows ?? StackRows(order, widgets)
    stackRows = nil
    refresh(&rows, at: now)
    let order = ranking(&rows, families: families, at: now)
    stackRows = rows
    return order
  }

  private func refresh(_ rows: inout StackRows, at moment: WallTime) {
    // No closure looks: it would hold a copy of the engine.
    for index in rows.outdated(at: moment) {
      guard let place = timelines.index(forKey: rows.key(index)) else {
        rows.note(index, nil, from: moment, until: nil)
        continue
      }
      let shared = timelines.values[place]
      rows.note(
        index, claim(of: shared, at: moment), from: moment,
        until: nextChange(of: shared, after: moment))
    }
    rows.findSlots(in: stackModel.habits)
  }

  private func ranking(
    _ rows: inout StackRows, families: WidgetFamilies?, at moment: WallTime
  ) -> Order {
    var candidates: [Int32] = []
    candidates.reserveCapacity(rows.rows.count)
    for (index, row) in rows.rows.enumerated() where families?.contains(row.family) ?? true {
      if row.isSuggestion, isWithheld(rows.ids[index], at: moment) { continue }
      candidates.append(Int32(index))
    }
    let habits = HabitParts(of: candidates, &rows, stackModel.habits, at: self.moment(moment))
    let promotions = recent.promotions(at: moment)
    let weights = rows.kinds.map { stackModel.voices.weight(of: $0) }
    // A place is large: what is sorted are keys.
    var keys: [(score: Int32, candidate: Int32)] = []
    keys.reserveCapacity(candidates.count)
    var parts: [SIMD16<Int32>] = []
    parts.reserveCapacity(candidates.count)
    var newest: (candidate: Int32, promoted: WallTime)?
    for (candidate, index) in candidates.enumerated() {
      let row = rows.rows[Int(index)]
      var place = StackPlace.Parts()
      let promotion =
        promotions.isEmpty ? nil : recent.promotion(rows.ids[Int(index)], at: moment)
      if let claim = rows.claim(row) {
        if claim.declared.isRefusal {
          place.set(.relevance, promotion == nil ? -75 : 0)
        } else {
          place.lanes = habits[row.item]
          place.set(.relevance, claim.strength * weights[Int(row.kind)])
        }
      } else {
        place.lanes = habits[row.item]
      }
      if let promotion {
        place.set(.intentJustSent, Double(100 + 50 * (promotions.firstIndex(of: promotion) ?? 0)))
      }
      if recent.hasDismissals, recent.dismissedUntil(rows.ids[Int(index)], at: moment) != nil {
        place.set(.dismissed, -200)
      }
      parts.append(place.lanes)
      guard row.isSuggestion else {
        keys.append((place.thousandths, Int32(candidate)))
        continue
      }
      let promoted = recent.promotion(rows.ids[Int(index)], at: moment) ?? row.placedAt
      if newest.map({ $0.promoted <= promoted }) ?? true {
        newest = (Int32(candidate), promoted)
      }
    }
    if let newest {
      let score = StackPlace.Parts(lanes: parts[Int(newest.candidate)]).thousandths
      keys.append((score, newest.candidate))
    }
    keys.sort { $0.score == $1.score ? $0.candidate < $1.candidate : $0.score > $1.score }
    var order = Order()
    order.places.reserveCapacity(keys.count)
    order.rows.reserveCapacity(keys.count)
    for key in keys {
      let index = candidates[Int(key.candidate)]
      order.rows.append(index)
      order.places.append(
        StackPlace(
          id: rows.ids[Int(index)],
          parts: StackPlace.Parts(lanes: parts[Int(key.candidate)])))
    }
    return order
  }

  /// The order for those who look now: the top changes only when it is time to.
  package mutating func stack(families: WidgetFamilies?, at now: WallTime) -> [StackPlace] {
    let order = currentRanking(families: families, at: now)
    noteClaims(order, at: now)
    var places = order.places
    let key = families.map { $0.members.map(\.rawValue).sorted().joined(separator: " ") } ?? ""
    guard let leader = places.first else { return [] }
    if let rotation = rotations[key], rotation.top != leader.id,
      let index = places.firstIndex(where: { $0.id == rotation.top })
    {
      var top = places[index]
      let lead = leader.thousandths - top.thousandths
      let mayStay = top.score > -50 && leader.value(.intentJustSent) == 0
      if mayStay,
        rotation.holds(lead: Double(lead) / 1000, interactedAt: recent.interactedAt, at: now)
      {
        top.parts.lanes[StackCause.stays.rawValue] = lead + 1
        places.remove(at: index)
        places.insert(top, at: 0)
        return places
      }
    }
    if rotations[key]?.top != leader.id {
      if rotations.count > 32 { rotations = [:] }
      rotations[key] = StackRotation(top: leader.id, since: now)
    }
    return places
  }

  /// Whether a visible surface shows the order, which then is looked at now and then.
  package mutating func setStackIsVisible(_ isVisible: Bool, at now: WallTime) {
    guard isVisible != (nextRotation != nil) else { return }
    nextRotation = isVisible ? now.advanced(byMilliseconds: Limits.rotationTick) : nil
  }

  // MARK: Pieces of the score

  func moment(_ wall: WallTime) -> BehaviourMoment {
    BehaviourMoment(wall: wall, offsetSeconds: Int(zoneOffset / 1_000), daysOff: daysOff)
  }

  /// What the provider of a widget says now, as a share of the most that its kind ever said.
  func claim(of widget: Widget, at moment: WallTime) -> RelevanceClaim? {
    guard let index = timelines.index(forKey: widget.timelineKey) else { return nil }
    return claim(of: timelines.values[index], at: moment)
  }

  func claim(of shared: SharedTimeline, at moment: WallTime) -> RelevanceClaim? {
    let declared = declared(by: shared, at: moment)
    guard !declared.isSilent else { return nil }
    var scale = scales[shared.key.kind]
    scale.formUnion(shared.scale)
    return RelevanceClaim(
      strength: scale.strength(of: declared), declared: declared,
      most: max(scale.score, declared.score ?? 0))
  }

  /// Remembers the loudest claims of an order: a use that follows is compared with them.
  private mutating func noteClaims(_ order: Order, at now: WallTime) {
    var found: [StackDonation.Claim] = []
    guard let stackRows else { return }
    for (place, index) in zip(order.places, order.rows).prefix(4 * Limits.claimCountMax)
    where place.value(.relevance) > 0 {
      guard found.count < Limits.claimCountMax else { break }
      let row = stackRows.rows[Int(index)]
      guard let claim = stackRows.claim(row) else { continue }
      let item = stackRows.items[Int(row.item)]
      if found.contains(where: { $0.item == item }) { continue }
      found.append(
        .init(item: item, kind: stackRows.kinds[Int(row.kind)], strength: claim.strength))
    }
    claims = (found, now)
  }

  /// What providers claim now: as the last order saw it, or else looked up.
  mutating func currentClaims(at now: WallTime) -> [StackDonation.Claim] {
    if let claims, claims.at <= now, now < claims.at.advanced(byMilliseconds: Limits.rotationTick) {
      return claims.found
    }
    noteClaims(currentRanking(families: nil, at: now), at: now)
    return claims?.found ?? []
  }
}

extension BehaviourCause {
  var stackCause: StackCause {
    switch self {
    case .often: .often
    case .lately: .lately
    case .timeOfDay: .timeOfDay
    case .weekday: .weekday
    case .afterwards: .afterwards
    }
  }
}

/// What habits say about the items of a stack, in thousandths by `StackCause`, against the average of its widgets.
private struct HabitParts {
  /// By item.
  private var lanes: [SIMD16<Int32>]

  /// All are zero while nothing is known, and where there is nothing to choose from.
  init(
    of candidates: [Int32], _ rows: inout StackRows, _ habits: BehaviourModel,
    at moment: BehaviourMoment
  ) {
    guard habits.itemCount > 0, candidates.count > 1 else {
      lanes = []
      return
    }
    // How many widgets show each item: families share a prediction.
    var counts = [Double](repeating: 0, count: rows.items.count)
    for index in candidates { counts[Int(rows.rows[Int(index)].item)] += 1 }
    lanes = habits.causes(
      of: rows.slots, counts: counts, kinds: rows.kinds, kindsOfItems: rows.kindsOfItems,
      in: rows.situation(of: habits, at: moment)
    ).map { Self.thousandths($0) }
  }

  subscript(item: Int32) -> SIMD16<Int32> { lanes.isEmpty ? .zero : lanes[Int(item)] }

  /// Cut at −8…8, so that no habit outweighs what the person just asked for.
  private static func thousandths(_ causes: SIMD8<Double>) -> SIMD16<Int32> {
    let cut = causes.clamped(lowerBound: SIMD8(repeating: -8), upperBound: SIMD8(repeating: 8))
    var lanes = SIMD16<Int32>.zero
    for cause in BehaviourCause.allCases {
      // Adding 1.5 · 2^52 leaves the nearest integer in the low bits, where a call for each would cost more.
      let bits = (cut[cause.rawValue] * 1000 + 6_755_399_441_055_744).bitPattern
      lanes[cause.stackCause.rawValue] = Int32(truncatingIfNeeded: bits)
    }
    return lanes
  }
}
