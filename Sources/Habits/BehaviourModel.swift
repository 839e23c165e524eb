import Timekeeping

/// A model of what one person does with the items of one stack: it predicts what is wanted now, and
/// learns from each act.
///
/// An item is anything with a name: a widget, an intent. Sixteen features a candidate
/// (`BehaviourFeature`), each the logarithm of an estimated share or ratio, are summed with
/// weights; the softmax of the sums is how likely each candidate is next. The weights are learned
/// on the way by three learners that start from different habits of people in general
/// (`BehaviourPriors`); each counts for as much as it has been right so far.
///
/// No training step, no clock, no randomness: the same donations in the same order give an equal
/// model. Memory is constant for each item (about 1 KiB) and each stack (`Limits.historyCountMax`).
/// `predict` and `learn` are O(candidates), plus a walk over at most `Limits.voteCountMax` past
/// uses.
package struct BehaviourModel: Hashable, Sendable {
  /// Whether the item used last is never the next one (the recorder collapses repeats).
  let collapsesRepeats: Bool

  // The weights and hit rates that were learned of people's habits in general.
  var learners: [BehaviourLearner]
  var hitsByRank: HitTable
  var hitsByAge: HitTable
  var hitsByRhythm: HitTable
  var hitsByStreak = HitTable(cells: 16)

  // The items, by slot.
  var items = BehaviourItems()

  // The stack as a whole.
  var history = BehaviourHistory()
  var allByHalfHour = [Double](repeating: 0, count: 96)
  var allByWeekday = [Double](repeating: 0, count: 7)
  var allByPause = [Double](repeating: 0, count: 5)
  var usesByKind: [String: Double] = [:]

  /// - Parameter collapsesRepeats: the item used last is no candidate, since its next use would not
  ///   be recorded.
  package init(collapsesRepeats: Bool = false) {
    self.collapsesRepeats = collapsesRepeats
    learners = BehaviourPriors.learners
    hitsByRank = HitTable(cells: 16 * 24)
    hitsByAge = HitTable(cells: 24)
    hitsByRhythm = HitTable(cells: 24 * 9)
    for rank in 0..<16 {
      let typical = rank < 12 ? Double(rank) : [13.0, 19, 31, 50][rank - 12]
      for age in 0..<24 { hitsByRank.start(rank * 24 + age, hits: 0.9 / (1 + typical), seen: 2) }
    }
  }

  /// A model of these donations, in this order, and of nothing else: what remains after some were
  /// forgotten.
  package static func rebuilt(
    from donations: some Sequence<BehaviourDonation>, collapsesRepeats: Bool = false
  ) -> BehaviourModel {
    var model = BehaviourModel(collapsesRepeats: collapsesRepeats)
    for donation in donations { model.learn(donation) }
    return model
  }

  /// Uses learned so far.
  package var useCount: Int { history.count }
  /// Items known, at most `Limits.itemCountMax`.
  package var itemCount: Int { items.recency.count }
  /// The items known, the one used last first; at most `count`.
  ///
  /// O(count).
  package func latestItems(_ count: Int) -> [String] {
    items.recency.prefix(count).map { items.names[Int($0)] }
  }

  /// The same as slots.
  package func latestSlots(_ count: Int) -> ArraySlice<Int32> { items.recency.prefix(count) }

  /// Slots that are in use or free.
  package var slotCount: Int { items.names.count }
  /// Returns the item of a slot, which must be one in use.
  package func name(of slot: Int32) -> String { items.names[Int(slot)] }

  /// A version that changes when an item comes or goes; results of `slot(of:)` hold until then.
  package var slotsVersion: Int { items.slotsVersion }
  /// Returns the dense index of an item; −1 if it was never used.
  package func slot(of item: String) -> Int32 { items.slots[item] ?? -1 }

  /// How much each candidate is wanted at `moment`.
  ///
  /// A candidate that was never used is judged by what holds for all items: it has a finite score,
  /// below what is used now and then, a little higher if its kind is used.
  package func predict(
    _ candidates: [BehaviourCandidate], at moment: BehaviourMoment
  ) -> BehaviourPrediction {
    predict(candidates, in: BehaviourSituation(of: self, at: moment))
  }

  package func predict(
    _ candidates: [BehaviourCandidate], in situation: BehaviourSituation
  ) -> BehaviourPrediction {
    judge(
      candidates.map { items.slots[$0.item] ?? -1 }, kinds: candidates.map(\.kind), situation)
  }

  /// The same for all items known; its candidates are `latestItems(.max)`, without the first if
  /// repeats are collapsed.
  package func predictAll(at moment: BehaviourMoment) -> BehaviourPrediction {
    judge(learnable, kinds: nil, BehaviourSituation(of: self, at: moment))
  }

  private var learnable: [Int32] {
    collapsesRepeats && history.count > 0 ? Array(items.recency.dropFirst()) : items.recency
  }

  /// The items that a use is compared with: those used last, and the used one.
  private func rivals(of used: Int32?) -> [Int32] {
    let all = learnable
    guard all.count > Limits.rivalCountMax else { return all }
    var some = Array(all.prefix(Limits.rivalCountMax))
    if let used, Int(items.ranks[Int(used)]) >= some.count { some.append(used) }
    return some
  }

  /// Learns from a donation: its item, act and moment.
  package mutating func learn(_ donation: BehaviourDonation) {
    learn(donation.item, kind: donation.kind, donation.act, at: donation.moment)
  }

  /// Predicts, compares with what the person did, and remembers it.
  ///
  /// A `moment` before the last one counts as the same time as the last: clocks are set back.
  package mutating func learn(
    _ item: String, kind: String, _ act: BehaviourAct, at moment: BehaviourMoment
  ) {
    learn(item, kind: kind, act, at: moment, nil)
  }

  /// `situation`: of this model at that moment, if it was looked at.
  package mutating func learn(
    _ item: String, kind: String, _ act: BehaviourAct, at moment: BehaviourMoment,
    _ situation: BehaviourSituation?
  ) {
    guard act.isUse else {
      let slot = self.takeSlot(of: item)
      if act == .dismissal {
        items.bias[slot] = max(-Self.biasMax, items.bias[slot] - Self.dismissalStep)
      } else if items.bias[slot] < Self.dwellMax {
        // Dwelling lifts only so far: a widget is also looked at because it is on top.
        items.bias[slot] += Self.dwellStep
      }
      return
    }
    let situation = situation ?? BehaviourSituation(of: self, at: moment)
    let context = situation.context
    if history.count > 0 {
      let prediction = judge(rivals(of: items.slots[item]), kinds: nil, situation)
      compare(prediction, with: items.slots[item], context)
    }
    let slot = self.takeSlot(of: item)
    learnStreak(slot, context)
    remember(slot, context)
    usesByKind[kind, default: 0] += 1
    if usesByKind.count > Limits.itemCountMax { usesByKind = [kind: 1] }
  }

  /// The slot of an item; a new item takes a new one, or that of the item not used for the longest
  /// time.
  private mutating func takeSlot(of item: String) -> Int {
    if let slot = items.slots[item] { return Int(slot) }
    if items.recency.count >= Limits.itemCountMax {
      history.forget(items.evictOldest())
    }
    return items.add(item)
  }

  /// How far a dismissal lowers an item's score, and a dwell lifts it; chosen, since the data has
  /// neither.
  private static let dismissalStep = 0.25
  private static let dwellStep = 0.02
  private static let dwellMax = 0.5
  private static let biasMax = 3.0
}

/// An item that may be shown, and its kind.
package struct BehaviourCandidate: Hashable, Sendable {
  package var item: String
  package var kind: String

  package init(_ item: String, kind: String) {
    self.item = item
    self.kind = kind
  }
}

/// A moment as the model sees it, once for all candidates.
struct BehaviourContext: Sendable {
  let moment: BehaviourMoment
  /// Milliseconds since 1970, not before the last use.
  let now: Int64
  /// Seconds since the last use; a million before the first.
  let gap: Double
  /// (gap + 10)^0.3: kernels over pauses are its powers.
  let pause: Double
  let pauseBucket: Int
  let countBucket: Int
  /// 0 on workdays, 1 on days off.
  let dayOff: Int
  let previous: Int
  let beforePrevious: Int
  let thirdLast: Int

  init(of model: BehaviourModel, at moment: BehaviourMoment) {
    self.moment = moment
    let count = model.history.count
    let last = count > 0 ? model.history[count - 1] : nil
    let now = max(moment.wall.milliseconds, last?.time ?? .min)
    self.now = now
    let elapsed = last.map { Double(now) - Double($0.time) } ?? 1e9
    let gap = elapsed / 1000
    self.gap = gap
    pause = BehaviourMath.exp(0.3 * BehaviourMath.ln(gap + 10))
    pauseBucket = gap < 60 ? 0 : gap < 300 ? 1 : gap < 1800 ? 2 : gap < 10_800 ? 3 : 4
    countBucket =
      count < 8 ? 0 : count < 32 ? 1 : count < 128 ? 2 : count < 512 ? 3 : count < 2048 ? 4 : 5
    dayOff = moment.isDayOff ? 1 : 0
    previous = Int(last?.slot ?? -1)
    beforePrevious = count > 1 ? Int(model.history[count - 2].slot) : -1
    thirdLast = count > 2 ? Int(model.history[count - 3].slot) : -1
  }

  /// The streak's context within the previous item: the two hours, and whether it is a day off.
  var streakContext: Int { dayOff * 12 + moment.halfHour / 4 }
}
