import Habits
import JSON
package import Timekeeping

/// The smart stack: one order from the providers' claims and the person's acts.
///
/// The score is a sum, in logarithms of odds:
/// - habits (often, lately, time of day, weekday, afterwards): how much the person wants it now,
///   against the average of the stack (`BehaviourModel`), −8…8 each.
/// - relevance: what is declared, by score and by window, as a share of the most that this *kind*
///   ever declared (`RelevanceScale`), times how much its word counts (`ClaimWeights`), 0…4. Scores
///   of different providers are never compared. Source: WidgetKit, `TimelineEntryRelevance`.
/// - a declared score ≤ 0: −75 and nothing else. It never rises above a widget that has nothing to
///   say.
/// - intent just sent, for fifteen minutes: 100, and 50 more for each widget that was asked for
///   earlier.
/// - a dismissal, for four hours: −200.
/// - stays: what keeps the top of a stack from flapping (`StackRotation`).
/// Equal scores keep the order of placing.
extension WidgetEngine {
  /// Returns the order at a moment, without the damping of the top.
  ///
  /// O(n log n + n · habits), and O(entries) for each claim that has to be looked up.
  package func ranking(families: WidgetFamilies?, at moment: WallTime) -> [StackPlace] {
    var known = claims
    var room = Int.max
    _ = lookUp(families, at: moment, in: &known, room: &room)
    var copy = self
    return copy.rank(families, at: moment, by: known).places
  }

  /// The places of an order and the indices of their rows in `StackRows`.
  struct Order {
    var places: [StackPlace] = []
    var rows: [Int32] = []
  }

  /// The order at a moment, by claims that hold then.
  mutating func rank(
    _ families: WidgetFamilies?, at moment: WallTime, by claims: borrowing StackClaims
  ) -> Order {
    let habits = stackModel.habits
    placed.findSlots(in: habits)
    var candidates: [Int32] = []
    candidates.reserveCapacity(order.count)
    for (index, row) in placed.stack.rows.enumerated() where families?.contains(row.family) ?? true
    {
      if row.isSuggestion, isWithheld(order[index], at: moment) { continue }
      candidates.append(Int32(index))
    }
    var parts = HabitParts.none
    if habits.itemCount > 0, candidates.count > 1 {
      let situation = placed.situation(of: habits, at: surroundings.moment(moment))
      parts = HabitParts(of: candidates, placed.stack, habits, in: situation)
    }
    return rank(candidates, at: moment, by: claims, parts)
  }

  private func rank(
    _ candidates: [Int32], at moment: WallTime, by claims: borrowing StackClaims,
    _ habits: HabitParts
  ) -> Order {
    let promotions = recent.promotions(at: moment)
    let kinds = placed.stack.kinds.names.map {
      (scale: scales[$0], weight: stackModel.claimWeights.weight(of: $0))
    }
    // Sort small keys, because a place is large.
    var keys: [(score: Int32, candidate: Int32)] = []
    keys.reserveCapacity(candidates.count)
    var parts: [SIMD16<Int32>] = []
    parts.reserveCapacity(candidates.count)
    var newest: (candidate: Int32, promoted: WallTime)?
    for (candidate, index) in candidates.enumerated() {
      let row = placed.stack.rows[Int(index)]
      var place = StackPlace.Parts()
      let promotion =
        promotions.isEmpty ? nil : recent.promotion(order[Int(index)], at: moment)
      let claim = claims[row.timeline]
      if claim.declared.isRefusal {
        place.set(.relevance, promotion == nil ? StackScore.refusal : 0)
      } else {
        place.lanes = habits[row.item]
        if !claim.declared.isSilent {
          let kind = kinds[Int(row.kind)]
          place.set(.relevance, claim.strength(in: kind.scale) * kind.weight)
        }
      }
      if let promotion {
        let earlier = Double(promotions.firstIndex(of: promotion) ?? 0)
        place.set(
          .intentJustSent, StackScore.intentJustSent + StackScore.perEarlierIntent * earlier)
      }
      if recent.hasDismissals, recent.dismissedUntil(order[Int(index)], at: moment) != nil {
        place.set(.dismissed, StackScore.dismissal)
      }
      parts.append(place.lanes)
      guard row.isSuggestion else {
        keys.append((place.thousandths, Int32(candidate)))
        continue
      }
      let promoted = recent.promotion(order[Int(index)], at: moment) ?? row.placedAt
      if newest.map({ $0.promoted <= promoted }) ?? true {
        newest = (Int32(candidate), promoted)
      }
    }
    if let newest {
      let score = StackPlace.Parts(lanes: parts[Int(newest.candidate)]).thousandths
      keys.append((score, newest.candidate))
    }
    keys.sort { $0.score == $1.score ? $0.candidate < $1.candidate : $0.score > $1.score }
    var ranked = Order()
    ranked.places.reserveCapacity(keys.count)
    ranked.rows.reserveCapacity(keys.count)
    for key in keys {
      let index = candidates[Int(key.candidate)]
      ranked.rows.append(index)
      ranked.places.append(
        StackPlace(
          id: order[Int(index)],
          parts: StackPlace.Parts(lanes: parts[Int(key.candidate)])))
    }
    return ranked
  }

  /// The order now, which looks up every claim that does not hold.
  private mutating func currentRanking(families: WidgetFamilies?, at now: WallTime) -> Order {
    var room = Int.max
    _ = lookUpClaims(families, at: now, room: &room)
    let claims = claims
    return rank(families, at: now, by: claims)
  }

  /// The order for clients that look now: the top changes only when it is time.
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
      let mayStay = top.score > StackScore.stayMin && leader.value(.intentJustSent) == 0
      if mayStay,
        rotation.holds(lead: Double(lead) / 1000, interactedAt: recent.interactedAt, at: now)
      {
        top.parts.lanes[StackCause.stays.rawValue] = lead + 1
        places.remove(at: index)
        places.insert(top, at: 0)
        return places
      }
    }
    rotations.put(leader.id, onTopOf: key, at: now)
    return places
  }

  /// Starts or stops looking at the order now and then, while a visible surface shows it.
  package mutating func setStackIsVisible(_ isVisible: Bool, at now: WallTime) {
    rotations.setVisible(isVisible, at: now)
  }

  // MARK: Pieces of the score

  /// The claim for a widget now, as a share of the most that its kind ever declared.
  func claim(of widget: Widget, at moment: WallTime) -> RelevanceClaim? {
    guard let index = timelines.index(forKey: widget.timelineKey) else { return nil }
    return claim(of: timelines.values[index], at: moment)
  }

  private func claim(of shared: SharedTimeline, at moment: WallTime) -> RelevanceClaim? {
    let declared = declared(by: shared, at: moment)
    guard !declared.isSilent else { return nil }
    var scale = scales[shared.key.kind]
    scale.formUnion(shared.scale)
    return RelevanceClaim(
      strength: scale.strength(of: declared), declared: declared,
      most: max(scale.score, declared.score ?? 0))
  }

  /// Keeps the strongest claims of an order, with which the next use is compared.
  private mutating func noteClaims(_ order: Order, at now: WallTime) {
    var found: [StackDonation.Claim] = []
    let stack = placed.stack
    for (place, index) in zip(order.places, order.rows).prefix(4 * Limits.claimCountMax)
    where place.value(.relevance) > 0 {
      guard found.count < Limits.claimCountMax else { break }
      let row = stack.rows[Int(index)]
      let item = stack.items.names[Int(row.item)]
      if found.contains(where: { $0.item == item }) { continue }
      let kind = stack.kinds.names[Int(row.kind)]
      found.append(
        .init(item: item, kind: kind, strength: claims[row.timeline].strength(in: scales[kind])))
    }
    latestClaims.note(found, at: now)
  }

  /// Returns the claims of providers now: those of the last order, or else looked up.
  ///
  /// Returns none while timelines are still unread, or while more claims would have to be looked up
  /// than `Limits.claimLookUpsOfUseMax`; the weights of claims then learn nothing from the use.
  mutating func currentClaims(at now: WallTime) -> [StackDonation.Claim] {
    if let claims = latestClaims.current(at: now) { return claims }
    guard work.unreadCount == 0,
      !hasMoreToLookUp(than: Limits.claimLookUpsOfUseMax, at: now)
    else { return [] }
    let before = claims.lookUps
    noteClaims(currentRanking(families: nil, at: now), at: now)
    claims.countLookUpsOfUse(since: before)
    return latestClaims.current(at: now) ?? []
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

/// The judgement of habits on the items of a stack, in thousandths by `StackCause`, against the
/// average of its widgets.
private struct HabitParts {
  /// By item, in the order in which the candidates show them.
  private var lanes: [SIMD16<Int32>]

  /// By the number of an item: its index in `lanes`, −1 for items of no candidate.
  private var places: [Int32]

  /// All are zero: nothing is known, or there is nothing to choose from.
  static let none = HabitParts(lanes: [], places: [])

  private init(lanes: [SIMD16<Int32>], places: [Int32]) {
    self.lanes = lanes
    self.places = places
  }

  init(
    of candidates: [Int32], _ stack: borrowing StackRows, _ habits: BehaviourModel,
    in situation: BehaviourSituation
  ) {
    places = [Int32](repeating: -1, count: stack.items.names.count)
    var slots: [Int32] = []
    slots.reserveCapacity(candidates.count)
    var kindsOfItems: [Int32] = []
    kindsOfItems.reserveCapacity(candidates.count)
    // How many widgets show each item: families share a prediction.
    var counts: [Double] = []
    counts.reserveCapacity(candidates.count)
    for index in candidates {
      let row = stack.rows[Int(index)]
      if places[Int(row.item)] < 0 {
        // In the order of the candidates, on which the last digits of the average depend.
        places[Int(row.item)] = Int32(slots.count)
        slots.append(stack.slot(of: row.item))
        kindsOfItems.append(row.kind)
        counts.append(0)
      }
      counts[Int(places[Int(row.item)])] += 1
    }
    lanes = habits.causes(
      of: slots, counts: counts, kinds: stack.kinds.names, kindsOfItems: kindsOfItems,
      in: situation
    ).map { Self.thousandths($0) }
  }

  subscript(item: Int32) -> SIMD16<Int32> {
    lanes.isEmpty ? .zero : lanes[Int(places[Int(item)])]
  }

  /// The lane of each cause of the habits, and the lane of the stack that it becomes.
  ///
  /// Kept, since the list of another module's cases is made anew on each access.
  private static let lanesOfCauses = BehaviourCause.allCases.map {
    ($0.rawValue, $0.stackCause.rawValue)
  }

  /// Limits causes to −8…8, so that no habit outweighs a request of the person.
  private static func thousandths(_ causes: SIMD8<Double>) -> SIMD16<Int32> {
    let cut = causes.clamped(lowerBound: SIMD8(repeating: -8), upperBound: SIMD8(repeating: 8))
    var lanes = SIMD16<Int32>.zero
    for (from, to) in Self.lanesOfCauses {
      // Adding 1.5 · 2^52 leaves the nearest integer in the low bits, where a call for each would
      // cost more.
      let bits = (cut[from] * 1000 + 6_755_399_441_055_744).bitPattern
      lanes[to] = Int32(truncatingIfNeeded: bits)
    }
    return lanes
  }
}
