import Timekeeping

/// The features of all candidates at a moment, and their weighted sums.
extension BehaviourModel {
  /// Scores the candidates.
  ///
  /// `slots` has −1 for a candidate that was never used. `kinds` are the candidates' kinds; `nil`
  /// if all candidates are known.
  package func judge(
    _ slots: [Int32], kinds: [String]?, _ situation: BehaviourSituation
  ) -> BehaviourPrediction {
    var prediction = BehaviourPrediction(slots: slots)
    guard !slots.isEmpty else { return prediction }
    let context = situation.context
    prediction.features.reserveCapacity(slots.count)
    prediction.cells.reserveCapacity(slots.count)
    for (index, slot) in slots.enumerated() {
      let use = kinds.map { usesByKind[$0[index]] ?? 0 } ?? 0
      let (features, cells) = features(of: Int(slot), usesOfKind: use, situation)
      prediction.features.append(features)
      prediction.cells.append(cells)
    }
    let bias = slots.map { $0 < 0 ? 0 : items.bias[Int($0)] }
    prediction.bias = bias
    let rows = learners.map { $0.weights(context) }
    let weights = mixedWeights(context)
    prediction.learnerWeights = rows
    prediction.weights = weights
    prediction.scores = prediction.sums(weights)
    return prediction
  }

  /// Returns for many items what `BehaviourPrediction.explanation(at:)` returns for one: by cause,
  /// the difference from the average candidate.
  ///
  /// - `slots`: the slot of each item, −1 for one that was never used.
  /// - `counts`: the number of candidates that each item stands for; 0 leaves it out of the
  ///   average.
  /// - `kindsOfItems`: the index in `kinds` of each item.
  /// - `situation`: the situation of this model in its present state.
  ///
  /// O(items + kinds).
  package func causes(
    of slots: [Int32], counts: [Double], kinds: [String], kindsOfItems: [Int32],
    in situation: BehaviourSituation
  ) -> [SIMD8<Double>] {
    let weights = mixedWeights(situation.context)
    // The weights of the features, by cause.
    let lanes = BehaviourCause.allCases.map { cause in
      var lane = SIMD16<Double>.zero
      for feature in BehaviourFeature.allCases where feature.cause == cause {
        lane[feature.rawValue] = weights[feature.rawValue]
      }
      return lane
    }
    func causes(of slot: Int, _ usesOfKind: Double) -> SIMD8<Double> {
      let features = features(of: slot, usesOfKind: usesOfKind, situation).0
      var causes = SIMD8<Double>.zero
      for (index, lane) in lanes.enumerated() { causes[index] = (features * lane).sum() }
      if slot >= 0 { causes[BehaviourCause.often.rawValue] += items.bias[slot] }
      return causes
    }
    // Items that were never used differ by their kind only.
    var unused: [SIMD8<Double>?] = Array(repeating: nil, count: kinds.count)
    var sum = SIMD8<Double>.zero
    var total = 0.0
    var found: [SIMD8<Double>] = []
    found.reserveCapacity(slots.count)
    for (index, slot) in slots.enumerated() {
      let kind = Int(kindsOfItems[index])
      let one: SIMD8<Double>
      if slot >= 0 {
        one = causes(of: Int(slot), 0)
      } else if let known = unused[kind] {
        one = known
      } else {
        one = causes(of: -1, usesByKind[kinds[kind]] ?? 0)
        unused[kind] = one
      }
      sum += one * counts[index]
      total += counts[index]
      found.append(one)
    }
    let mean = sum / max(1, total)
    for index in found.indices { found[index] -= mean }
    return found
  }

  private func mixedWeights(_ context: BehaviourContext) -> SIMD16<Double> {
    var weights = SIMD16<Double>.zero
    for (learner, share) in zip(learners, BehaviourLearner.trust(in: learners)) {
      weights += learner.weights(context) * share
    }
    return weights
  }

  /// The facts that all candidates share at one moment.
  struct SharedFacts: Sendable {
    let count: Double
    let itemCount: Double
    let remaining: (week: Double, hour: Double)
    let week: Double
    let hour: Double
    let lately: Double
    let last20: Double
    let halfHourShare: Double
    let weekdayShare: Double
    let pauseShare: Double
    let streakItem: Int
    let streakValue: Double
    /// The hit rate at each age, which the finer tables fall back to.
    let rateByAge: [Double]

    init(of model: BehaviourModel, _ context: BehaviourContext) {
      let items = model.items
      let halfHour = context.moment.halfHour
      count = Double(model.history.count)
      itemCount = Double(items.recency.count)
      remaining = items.remaining(at: context.now)
      week = items.thisWeek.sum * remaining.week
      hour = items.thisHour.sum * remaining.hour
      lately = items.lately.sum
      last20 = items.last20.sum
      let all = model.allByHalfHour[halfHour] + model.allByHalfHour[48 + halfHour]
      halfHourShare =
        (model.allByHalfHour[context.dayOff * 48 + halfHour] + 0.5 * (all + 1.0 / 48) / (count + 1))
        / (count + 0.5)
      weekdayShare = (model.allByWeekday[context.moment.weekday] + 0.5) / (count + 3.5)
      pauseShare = (model.allByPause[context.pauseBucket] + 0.5) / (count + 2.5)
      if context.previous >= 0 {
        let streak = context.previous * 24 + context.streakContext
        streakItem = Int(items.streakItems[streak])
        let cell = Int(items.streakLengths[streak])
        let hits = model.hitsByStreak.hits[cell]
        streakValue =
          BehaviourMath.ln((hits + 0.2) / (model.hitsByStreak.seen[cell] - hits + 0.4)) + 3
      } else {
        streakItem = -1
        streakValue = 0
      }
      rateByAge = (0..<24).map { model.hitsByAge.rate($0, expecting: 0.02, weight: 1) }
    }
  }

  private func features(
    of slot: Int, usesOfKind: Double, _ situation: BehaviourSituation
  ) -> (SIMD16<Double>, BehaviourCells) {
    let votes = situation.votes
    let shared = situation.shared
    let context = situation.context
    let isKnown = slot >= 0
    let halfHour = context.moment.halfHour
    let count = isKnown ? items.counts[slot] : 0
    let vote = isKnown ? votes.byItem[slot] : .zero
    // An item that was never used counts as half a use, and up to a whole one if its kind is used.
    let borrowed = count > 0 ? 0 : 0.5 * usesOfKind / (shared.count + 1)
    let share = (count + 0.5 + borrowed) / (shared.count + 0.5 * shared.itemCount)
    let week = isKnown ? items.thisWeek[slot] * shared.remaining.week : 0
    let hour = isKnown ? items.thisHour[slot] * shared.remaining.hour : 0
    let lately = isKnown ? items.lately[slot] : 0
    let last20 = ((isKnown ? items.last20[slot] : 0) + 0.3 * share) / (shared.last20 + 0.3)
    let follows = (vote[0] + last20) / (votes.sums[0] + 1)
    let followsTwo = (vote[1] + 0.7 * follows) / (votes.sums[1] + 0.7)
    let sequence = (vote[5] + followsTwo) / (votes.sums[5] + 1)
    let atHalfHour =
      isKnown
      ? Double(items.byHalfHour[slot * 96 + context.dayOff * 48 + halfHour]) : 0
    let onWeekday = isKnown ? Double(items.byWeekday[slot * 7 + context.moment.weekday]) : 0
    let afterPause = isKnown ? Double(items.byPause[slot * 5 + context.pauseBucket]) : 0
    let rank = isKnown ? Double(items.ranks[slot]) : shared.itemCount
    let cells = BehaviourCells(
      rank: Int(rank), elapsed: isKnown && count > 0 ? context.now - items.lastUses[slot] : nil)
    let typical = shared.rateByAge[Int(cells.age)]
    let total = count + 2
    var features = BehaviourMath.ln(
      SIMD16(
        share,
        (week + 0.5 * share) / (shared.week + 0.5),
        (lately + 0.2 * share) / (shared.lately + 0.2),
        follows,
        sequence,
        (atHalfHour / shared.halfHourShare + 2) / total,
        (onWeekday / shared.weekdayShare + 2) / total,
        hitsByRank.rate(cells.rankAndAge, expecting: typical, weight: 2),
        (afterPause / shared.pauseShare + 2) / total,
        (vote[2] + 0.5 * last20) / (votes.sums[2] + 0.5),
        (vote[4] + last20) / (votes.sums[4] + 1),
        1,
        1 + rank,
        hitsByRhythm.rate(Int(cells.rhythm), expecting: typical, weight: 2),
        (hour + 0.4 * share) / (shared.hour + 0.4),
        (vote[3] + 0.5 * last20) / (votes.sums[3] + 0.5)
      ))
    if isKnown, slot == shared.streakItem {
      features[BehaviourFeature.streak.rawValue] = shared.streakValue
    }
    features[BehaviourFeature.rank.rawValue] *= -1
    return (features, cells)
  }
}

/// A model's view of a moment before it looks at any candidate.
///
/// This is the larger part of the work, and valid for all predictions until the model learns more.
package struct BehaviourSituation: Sendable {
  let context: BehaviourContext
  fileprivate let votes: BehaviourVotes
  fileprivate let shared: BehaviourModel.SharedFacts

  /// O(uses looked at).
  package init(of model: BehaviourModel, at moment: BehaviourMoment) {
    context = BehaviourContext(of: model, at: moment)
    votes = BehaviourVotes(of: model, context)
    shared = BehaviourModel.SharedFacts(of: model, context)
  }
}

/// The cells of an item in the tables of hit rates.
struct BehaviourCells: Hashable, Sendable {
  /// 0…15.
  var rank: UInt8
  /// 0…23, in steps of e^(1/1.7) from five seconds.
  var age: UInt8
  /// Hours within the day, times 9, plus days, at most 8.
  var rhythm: UInt8

  var rankAndAge: Int { Int(rank) * 24 + Int(age) }

  /// `elapsed`: milliseconds since the last use, `nil` if there was none.
  init(rank: Int, elapsed: Int64?) {
    self.rank = UInt8(rank < 12 ? rank : rank < 16 ? 12 : rank < 24 ? 13 : rank < 40 ? 14 : 15)
    guard let elapsed else {
      age = 23
      rhythm = 8
      return
    }
    let seconds = max(0, elapsed / 1000)
    age = Self.ageBounds.bucket(seconds)
    rhythm = UInt8(seconds % 86_400 / 3600 * 9 + min(8, seconds / 86_400))
  }

  private static let ageBounds = AgeBounds()

  /// Seconds at which each age begins: a search in them is cheaper than a logarithm.
  private struct AgeBounds {
    let starts: [Int64] = (0..<23).map { step in
      let start = 5 * BehaviourMath.exp(Double(step) / 1.7)
      return Int64(start.rounded(.up))
    }

    func bucket(_ seconds: Int64) -> UInt8 {
      var low = 0
      var high = starts.count
      while low < high {
        let middle = (low + high) / 2
        if starts[middle] <= seconds { low = middle + 1 } else { high = middle }
      }
      return UInt8(low)
    }
  }
}

/// The votes of past uses for each item at a moment.
struct BehaviourVotes: Sendable {
  /// By slot: 0 followed the previous item, 1 followed the previous two, 2 similar moments, 3 same
  /// hour and weekday, 4 in this session, 5 followed the previous three.
  private(set) var byItem: [SIMD8<Double>]
  private(set) var sums = SIMD8<Double>.zero

  init(of model: BehaviourModel, _ context: BehaviourContext) {
    byItem = Array(repeating: .zero, count: model.items.names.count)
    guard model.history.count > 0 else { return }
    countFollowers(model, context)
    countSimilarMoments(model, context)
    guard context.gap < 1800 else { return }
    let history = model.history
    for index in max(history.sessionStart, history.count - 65)..<history.count {
      add(4, Int(history[index].slot), 1)
    }
  }

  private mutating func add(_ lane: Int, _ slot: Int, _ weight: Double) {
    guard slot >= 0 else { return }
    byItem[slot][lane] += weight
    sums[lane] += weight
  }

  private mutating func countFollowers(_ model: BehaviourModel, _ context: BehaviourContext) {
    let history = model.history
    let oldest = history.oldest
    var index = history[history.count - 1].before
    var weight = 1.0
    var weightOfTwo = 1.0
    var weightOfThree = 1.0
    var seen = 0
    while index >= oldest, seen < Limits.followCountMax {
      let next = history[index + 1]
      if seen < 48 {
        let near = nearness(context.pause, next.pause)
        add(0, Int(next.slot), weight * near * near)
        weight *= 0.97
      }
      if context.beforePrevious >= 0, index > oldest,
        Int(history[index - 1].slot) == context.beforePrevious
      {
        add(1, Int(next.slot), weightOfTwo)
        weightOfTwo *= 0.97
        if context.thirdLast >= 0, index > oldest + 1,
          Int(history[index - 2].slot) == context.thirdLast
        {
          add(5, Int(next.slot), weightOfThree)
          weightOfThree *= 0.97
        }
      }
      seen += 1
      index = history[index].before
    }
  }

  /// e^(−0.3 · |difference of ln(pause + 10)|).
  private func nearness(_ a: Double, _ b: Double) -> Double { a < b ? a / b : b / a }

  private mutating func countSimilarMoments(_ model: BehaviourModel, _ context: BehaviourContext) {
    let history = model.history
    let oldest = max(history.oldest, history.count - Limits.voteCountMax)
    let moment = context.moment
    let weekday = Int8(moment.weekday)
    let halfHour = Int8(moment.halfHour)
    let ages = Self.fadingByAge
    let wide = Self.wideByDistance
    let narrow = Self.narrowByDistance
    var slotBefore: Int32 = oldest > 0 && oldest > history.oldest ? history[oldest - 1].slot : -2
    for index in oldest..<history.count {
      let use = history[index]
      defer { slotBefore = use.slot }
      var distance = Int(use.halfHour &- halfHour)
      if distance < 0 { distance = -distance }
      if distance > 24 { distance = 48 - distance }
      guard distance <= 7 else { continue }
      let age = min((context.now - use.time) / 21_600_000, Int64(ages.count - 1))
      let near = nearness(context.pause, use.pause)
      var weight = wide[distance] * ages[Int(age)]
      let sameWeekday = use.weekday == weekday
      let sameKindOfDay = use.isDayOff == moment.isDayOff
      if distance <= 3 {
        let factor = sameWeekday ? 4.0 : sameKindOfDay ? 1.0 : 0.2
        add(3, Int(use.slot), narrow[distance] * ages[Int(age)] * near * factor)
      }
      weight *= near * near * near
      if sameWeekday { weight *= 3 } else if !sameKindOfDay { weight *= 0.4 }
      if Int(slotBefore) == context.previous { weight *= 4 }
      add(2, Int(use.slot), weight)
    }
  }

  /// e^(−age / 60 days), in steps of six hours, to two years.
  private static let fadingByAge: [Double] = (0..<2_920).map {
    BehaviourMath.exp(-Double($0) / 240)
  }
  /// Bells over the distance in half-hours.
  private static let wideByDistance: [Double] = (0..<8).map {
    BehaviourMath.exp(-0.5 * Double($0 * $0) / 6.25)
  }
  private static let narrowByDistance: [Double] = (0..<4).map {
    BehaviourMath.exp(-0.5 * Double($0 * $0) / 1.5)
  }
}
