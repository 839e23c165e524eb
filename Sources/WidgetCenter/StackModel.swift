import DequeModule
import Timekeeping

/// What the stack has learned, and the donations that it has learned it from.
///
/// The model is a function of the kept donations, in their order, and of nothing else. So a restart
/// gives the same model, and one that forgot something is equal to one that never saw it. Whatever takes
/// donations away has the rest learned anew, a slice at a time (`catchUp`).
package struct StackModel: Hashable, Sendable {
  private struct Kept: Hashable, Sendable {
    var number: Int64
    var donation: StackDonation
  }

  package private(set) var habits = BehaviourModel()
  package private(set) var voices = ProviderVoices()
  /// Oldest first; their numbers ascend.
  private var kept = Deque<Kept>()
  /// How many of `kept` the model has learned from.
  private var learnedCount = 0
  private var lastNumber: Int64 = 0

  package init() {}

  package var donationCount: Int { kept.count }
  /// Donations wait to be learned from.
  package var isBehind: Bool { learnedCount < kept.count }
  package var donations: [StackDonation] { kept.map(\.donation) }

  /// Some, with the numbers under which they are stored: the one at `start` (0 is the oldest), and every
  /// `step`-th after it.
  package func numberedDonations(
    everyFrom start: Int, step: Int
  ) -> [(number: Int64, donation: StackDonation)] {
    stride(from: start, to: kept.count, by: step).map { (kept[$0].number, kept[$0].donation) }
  }

  /// The latest donation about an item, among the latest thousand.
  func latestDonation(of item: String) -> StackDonation? {
    kept.suffix(Limits.searchedDonationCountMax).last { $0.donation.item == item }?.donation
  }

  /// Items that were sent away since they were used last: how often in a row, and when last.
  ///
  /// By the latest thousand donations.
  func sentAway() -> [String: (count: Int, last: WallTime)] {
    var found: [String: (count: Int, last: WallTime)] = [:]
    // By index: most of them are looked at and not copied.
    for index in max(0, kept.count - Limits.searchedDonationCountMax)..<kept.count {
      let act = kept[index].donation.act
      if act == .dismissal {
        let donation = kept[index].donation
        found[donation.item] = ((found[donation.item]?.count ?? 0) + 1, donation.at)
      } else if act.isUse, !found.isEmpty {
        found[kept[index].donation.item] = nil
      }
    }
    return found
  }

  /// Keeps a donation and learns from it.
  ///
  /// - Returns: its number, and the numbers of those that are too old to be kept any longer.
  package mutating func donate(_ donation: StackDonation) -> (number: Int64, dropped: [Int64]) {
    lastNumber += 1
    let isUpToDate = !isBehind
    kept.append(Kept(number: lastNumber, donation: donation))
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

  /// Puts back what the store kept; `catchUp` learns from it.
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

  /// Learns from donations that wait, for about this many items compared.
  package mutating func catchUp(costMax: Int = .max) {
    var cost = 0
    while isBehind, cost < costMax {
      learn(kept[learnedCount].donation)
      cost += habits.itemCount + 50
    }
  }

  private mutating func startAnew() {
    habits = BehaviourModel()
    voices = ProviderVoices()
    learnedCount = 0
  }

  private mutating func learn(_ donation: StackDonation) {
    learnedCount += 1
    if donation.act.isUse, !donation.claims.isEmpty {
      let known = habits.latestItems(Limits.comparedItemCountMax)
      var candidates = known.map { BehaviourCandidate($0, kind: "") }
      for claim in donation.claims where !known.contains(claim.item) {
        candidates.append(BehaviourCandidate(claim.item, kind: claim.kind))
      }
      if !candidates.contains(where: { $0.item == donation.item }) {
        candidates.append(BehaviourCandidate(donation.item, kind: donation.kind))
      }
      let wanted = habits.predict(candidates, at: donation.moment).scores
      voices.learn(
        used: donation.item, claims: donation.claims, items: candidates.map(\.item), wanted: wanted)
    }
    habits.learn(donation.item, kind: donation.kind, donation.act, at: donation.moment)
  }
}
