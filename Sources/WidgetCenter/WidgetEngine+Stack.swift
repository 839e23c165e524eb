import JSON
package import Timekeeping

/// The smart stack: what providers declare and what the person does, in one order.
///
/// The score is a sum, in logarithms of odds:
/// - habits (often, lately, time of day, weekday, afterwards): how much the person wants it now, against
///   the average of the stack (`BehaviourModel`), −8…8 each.
/// - relevance: the declared score over the highest that this *kind* ever declared, times how much its
///   word counts (`ProviderVoices`), 0…4. Scores of different providers are never compared. Source:
///   WidgetKit, `TimelineEntryRelevance`.
/// - a declared score ≤ 0: −75 and nothing else. It never rises above a widget that has nothing to say.
/// - intent just sent, for fifteen minutes: 100, and 50 more for each widget that was asked for earlier.
/// - a dismissal, for four hours: −200.
/// - stays: what keeps the top of a stack from flapping (`StackRotation`).
/// Equal scores keep the order of placing.
extension WidgetEngine {
  /// The order at a moment, as if nobody had looked before. O(n log n + n · habits).
  package func ranking(families: Set<WidgetFamily>?, at moment: WallTime) -> [StackPlace] {
    let candidates = candidates(families)
    let habits = habitParts(of: candidates, at: moment)
    let promotions = recent.promotions(at: moment)
    var places: [StackPlace] = []
    places.reserveCapacity(candidates.count)
    // A place is large: what is sorted are keys.
    var keys: [(score: Int64, position: Int, index: Int)] = []
    keys.reserveCapacity(candidates.count)
    func add(_ place: StackPlace, at position: Int) {
      keys.append((place.thousandths, position, places.count))
      places.append(place)
    }
    var newest: (place: StackPlace, position: Int, promoted: WallTime)?
    for (index, candidate) in candidates.enumerated() {
      let place = place(
        candidate.widget, habits.isEmpty ? .zero : habits[index], promotions, at: moment)
      guard candidate.widget.isSuggestion else {
        add(place, at: candidate.position)
        continue
      }
      let promoted =
        recent.promotion(candidate.widget.id, at: moment) ?? candidate.widget.placedAt
      if newest.map({ $0.promoted <= promoted }) ?? true {
        newest = (place, candidate.position, promoted)
      }
    }
    if let newest { add(newest.place, at: newest.position) }
    keys.sort { $0.score == $1.score ? $0.position < $1.position : $0.score > $1.score }
    return keys.map { places[$0.index] }
  }

  /// The order for those who look now: the top changes only when it is time to.
  package mutating func stack(families: Set<WidgetFamily>?, at now: WallTime) -> [StackPlace] {
    var places = ranking(families: families, at: now)
    noteClaims(places, at: now)
    let key = families.map { $0.map(\.rawValue).sorted().joined(separator: " ") } ?? ""
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
        top.parts[StackCause.stays.rawValue] = lead + 1
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

  private func candidates(_ families: Set<WidgetFamily>?) -> [(widget: Widget, position: Int)] {
    var found: [(widget: Widget, position: Int)] = []
    found.reserveCapacity(order.count)
    for (position, id) in order.enumerated() {
      guard let widget = widgets[id], families?.contains(widget.family) ?? true else { continue }
      found.append((widget, position))
    }
    return found
  }

  func moment(_ wall: WallTime) -> BehaviourMoment {
    BehaviourMoment(wall: wall, offsetSeconds: Int(zoneOffset / 1_000))
  }

  /// Lanes of what habits say about each candidate; none while nothing is known.
  private func habitParts(
    of candidates: [(widget: Widget, position: Int)], at wall: WallTime
  ) -> [SIMD16<Int64>] {
    guard stackModel.habits.itemCount > 0, candidates.count > 1 else { return [] }
    let prediction = stackModel.habits.predict(
      candidates.map { BehaviourCandidate($0.widget.item, kind: $0.widget.kind) },
      at: moment(wall))
    return prediction.causeParts().map { parts in
      var lanes = SIMD16<Int64>.zero
      for cause in BehaviourCause.allCases {
        let value = min(8, max(-8, parts[cause.rawValue]))
        lanes[cause.stackCause.rawValue] = Int64((value * 1000).rounded())
      }
      return lanes
    }
  }

  /// What the provider of a widget says now, as a share of the most that its kind ever said.
  ///
  /// `score`: as it said it.
  func claim(
    of widget: Widget, at moment: WallTime
  ) -> (strength: Double, score: Double, most: Double, until: WallTime)? {
    guard let declared = timelines[widget.timelineKey]?.timeline?.relevance(at: moment) else {
      return nil
    }
    let most = max(scoreMaxByKind[widget.kind] ?? 0, declared.score)
    return (
      most > 0 ? min(1, declared.score / most) : 0, declared.score, most, declared.until
    )
  }

  mutating func noteScale(_ shared: SharedTimeline) {
    guard shared.scoreMax > 0 else { return }
    scoreMaxByKind[shared.key.kind] = max(
      scoreMaxByKind[shared.key.kind] ?? 0, shared.scoreMax)
  }

  /// `promotions`: when the person asked for widgets that are still promoted, earliest first.
  private func place(
    _ widget: Widget, _ habits: SIMD16<Int64>, _ promotions: [WallTime], at moment: WallTime
  ) -> StackPlace {
    var place = StackPlace(id: widget.id)
    let claim = claim(of: widget, at: moment)
    let promotion = promotions.isEmpty ? nil : recent.promotion(widget.id, at: moment)
    if let claim, claim.score <= 0 {
      place.set(.relevance, promotion == nil ? -75 : 0)
    } else {
      place.parts = habits
      if let claim {
        place.set(.relevance, claim.strength * stackModel.voices.weight(of: widget.kind))
      }
    }
    if let promotion {
      let earlier = promotions.firstIndex(of: promotion) ?? 0
      place.set(.intentJustSent, Double(100 + 50 * earlier))
    }
    if recent.dismissedUntil(widget.id, at: moment) != nil { place.set(.dismissed, -200) }
    return place
  }

  /// Remembers the loudest claims of an order: a use that follows is compared with them.
  private mutating func noteClaims(_ places: [StackPlace], at now: WallTime) {
    var found: [StackDonation.Claim] = []
    for place in places.prefix(4 * Limits.claimCountMax) where place.value(.relevance) > 0 {
      guard found.count < Limits.claimCountMax, let widget = widgets[place.id],
        let claim = claim(of: widget, at: now)
      else { continue }
      let item = widget.item
      if found.contains(where: { $0.item == item }) { continue }
      found.append(.init(item: item, kind: widget.kind, strength: claim.strength))
    }
    claims = (found, now)
  }

  /// What providers claim now: as the last order saw it, or else looked up.
  mutating func currentClaims(at now: WallTime) -> [StackDonation.Claim] {
    if let claims, claims.at <= now, now < claims.at.advanced(byMilliseconds: Limits.rotationTick) {
      return claims.found
    }
    noteClaims(ranking(families: nil, at: now), at: now)
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
