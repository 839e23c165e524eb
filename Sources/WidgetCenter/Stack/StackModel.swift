import DequeModule
package import Habits
import Timekeeping

/// The habits that the stack has learned, and the donations that it has learned them from.
///
/// The model is a function of the kept donations in their order, and of nothing else. So a restart
/// gives the same model, and a model that forgot something is equal to one that never saw it. When
/// donations go, the model learns the rest anew, a slice at a time (`catchUp`).
package struct StackModel: Hashable, Sendable {
  private struct Kept: Hashable, Sendable {
    var number: Int64
    var donation: StackDonation
  }

  package private(set) var habits = BehaviourModel()
  package private(set) var claimWeights = ClaimWeights()
  /// Oldest first; their numbers ascend.
  private var kept = Deque<Kept>()
  /// How many of `kept` the model has learned from.
  private var learnedCount = 0
  private var lastNumber: Int64 = 0
  private var sentAwayFound = SentAwayFound()

  /// How often an item was sent away in a row, and when last.
  struct SentAway: Hashable, Sendable {
    var count: Int
    var last: WallTime
  }

  /// The result of `sentAway`, with the donations that it is of.
  ///
  /// It follows from the donations, so no two models differ by it.
  private struct SentAwayFound: Hashable, Sendable {
    var upTo: Int64 = 0
    var count = 0
    var items: [String: SentAway] = [:]

    mutating func note(_ donation: StackDonation) {
      if donation.act == .dismissal {
        items[donation.item] = SentAway(
          count: (items[donation.item]?.count ?? 0) + 1, last: donation.at)
      } else if donation.act.isUse, !items.isEmpty {
        items[donation.item] = nil
      }
    }

    static func == (left: Self, right: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  package init() {}

  package var donationCount: Int { kept.count }
  /// Whether donations wait to be learned from.
  package var isBehind: Bool { learnedCount < kept.count }
  package var donations: [StackDonation] { kept.map(\.donation) }

  /// Some donations with their numbers in the store: the one at `start` (0 is the oldest), and
  /// every `step`-th after it.
  package func numberedDonations(
    everyFrom start: Int, step: Int
  ) -> [(number: Int64, donation: StackDonation)] {
    stride(from: start, to: kept.count, by: step).map { (kept[$0].number, kept[$0].donation) }
  }

  /// The latest donation about an item, among the latest thousand.
  func latestDonation(of item: String) -> StackDonation? {
    kept.suffix(Limits.searchedDonationCountMax).last { $0.donation.item == item }?.donation
  }

  /// The latest use of each item that an intent configures, the latest first; at most `countMax`.
  ///
  /// It looks through the latest `Limits.searchedDonationCountMax` donations.
  func latestIntents(_ countMax: Int) -> [StackDonation] {
    var found: [StackDonation] = []
    var items: Set<String> = []
    // By index: most of them are looked at and not copied.
    var index = kept.count
    let end = max(0, kept.count - Limits.searchedDonationCountMax)
    while index > end, found.count < countMax {
      index -= 1
      guard kept[index].donation.act.isUse, kept[index].donation.configuration.intent != nil,
        items.insert(kept[index].donation.item).inserted
      else { continue }
      found.append(kept[index].donation)
    }
    return found
  }

  /// Items that were sent away since they were used last: how often in a row, and when last.
  ///
  /// It looks through the latest `Limits.searchedDonationCountMax` donations, once for each new
  /// donation.
  mutating func sentAway() -> [String: SentAway] {
    if sentAwayFound.upTo == lastNumber, sentAwayFound.count == kept.count {
      return sentAwayFound.items
    }
    var found = SentAwayFound(upTo: lastNumber, count: kept.count)
    // By index: most of them are looked at and not copied.
    for index in max(0, kept.count - Limits.searchedDonationCountMax)..<kept.count
    where kept[index].donation.act == .dismissal || !found.items.isEmpty {
      found.note(kept[index].donation)
    }
    sentAwayFound = found
    return found.items
  }

  /// Adds one donation to the result of `sentAway` instead of looking through all again.
  private mutating func followSentAway(_ donation: StackDonation) {
    guard sentAwayFound.upTo == lastNumber - 1, sentAwayFound.count == kept.count - 1 else {
      return
    }
    // A dismissal that is no longer among the searched donations counted in the result.
    let left = kept.count - 1 - Limits.searchedDonationCountMax
    if left >= 0, kept[left].donation.act == .dismissal { return }
    sentAwayFound.upTo = lastNumber
    sentAwayFound.count = kept.count
    sentAwayFound.note(donation)
  }

  /// Keeps a donation and learns from it.
  ///
  /// - Returns: its number, and the numbers of those that are too old to be kept any longer.
  package mutating func donate(_ donation: StackDonation) -> (number: Int64, dropped: [Int64]) {
    lastNumber += 1
    let isUpToDate = !isBehind
    kept.append(Kept(number: lastNumber, donation: donation))
    followSentAway(donation)
    var dropped: [Int64] = []
    if kept.count > Limits.donationCountMax {
      dropped = kept.prefix(Limits.donationPruneCount).map(\.number)
      kept.removeFirst(dropped.count)
      startAnew()
    } else if isUpToDate {
      learn(donation)
    }
    return (lastNumber, dropped)
  }

  /// Puts the stored donations back; `catchUp` learns from them.
  package mutating func restore(_ records: [(number: Int64, donation: StackDonation)]) {
    kept = Deque(
      records.sorted { $0.number < $1.number }.map {
        Kept(number: $0.number, donation: $0.donation)
      }
    )
    lastNumber = max(lastNumber, kept.last?.number ?? 0)
    startAnew()
  }

  /// Takes donations away and begins anew with the rest.
  ///
  /// - Returns: the numbers of those that are gone.
  package mutating func forget(_ isForgotten: (StackDonation) -> Bool) -> [Int64] {
    let gone = kept.filter { isForgotten($0.donation) }.map(\.number)
    guard !gone.isEmpty else { return [] }
    kept.removeAll { isForgotten($0.donation) }
    startAnew()
    return gone
  }

  /// Takes the donation of that number away and begins anew with the rest; returns whether there
  /// was one.
  package mutating func forget(number: Int64) -> Bool {
    guard let index = kept.lastIndex(where: { $0.number == number }) else { return false }
    kept.remove(at: index)
    startAnew()
    return true
  }

  /// Learns from waiting donations until about `costMax` items are compared.
  package mutating func catchUp(costMax: Int = .max) {
    var cost = 0
    while isBehind, cost < costMax {
      learn(kept[learnedCount].donation)
      cost += habits.itemCount + Limits.relearningCostOfUse
    }
  }

  private mutating func startAnew() {
    habits = BehaviourModel()
    claimWeights = ClaimWeights()
    learnedCount = 0
  }

  private mutating func learn(_ donation: StackDonation) {
    learnedCount += 1
    var situation: BehaviourSituation?
    if donation.act.isUse, !donation.claims.isEmpty {
      let known = habits.latestItems(Limits.comparedItemCountMax)
      var candidates = known.map { BehaviourCandidate($0, kind: "") }
      for claim in donation.claims where !known.contains(claim.item) {
        candidates.append(BehaviourCandidate(claim.item, kind: claim.kind))
      }
      if !candidates.contains(where: { $0.item == donation.item }) {
        candidates.append(BehaviourCandidate(donation.item, kind: donation.kind))
      }
      let seen = BehaviourSituation(of: habits, at: donation.moment)
      situation = seen
      let wanted = habits.predict(candidates, in: seen).scores
      claimWeights.learn(
        used: donation.item, claims: donation.claims, items: candidates.map(\.item), wanted: wanted)
    }
    habits.learn(
      donation.item, kind: donation.kind, donation.act, at: donation.moment, situation)
  }
}
