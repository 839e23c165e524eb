import Timekeeping

/// How many claims were looked up: for orders of the stack, and for uses with which claims are
/// kept.
package struct ClaimLookUps: Hashable, Sendable {
  package var forOrders = 0
  package var forUses = 0

  package init() {}

  package static func - (left: ClaimLookUps, right: ClaimLookUps) -> ClaimLookUps {
    var difference = left
    difference.forOrders -= right.forOrders
    difference.forUses -= right.forUses
    return difference
  }
}

/// The relevance that each timeline declares, and between which moments it declares that.
///
/// Timelines are found by their small number. A claim follows from the content of its timeline and
/// from the moment. Whoever refreshes the shown entry of a timeline notes its claim, and an order
/// looks up the rest (`WidgetEngine+Stack`).
struct StackClaims: Sendable {
  struct Claim: Hashable, Sendable {
    var declared: DeclaredRelevance
    /// The most that the timeline itself ever declared.
    var scale: RelevanceScale
    /// The claim holds from this moment on, and before `until`.
    var from: WallTime
    var until: WallTime

    func holds(at moment: WallTime) -> Bool { from <= moment && moment < until }

    /// The share, 0…1, of the most that its kind (`scale`) or the timeline ever declared.
    func strength(in scale: RelevanceScale) -> Double {
      var most = scale
      most.formUnion(self.scale)
      return most.strength(of: declared)
    }

    /// `next`: the moment at which it may change by itself; `nil`: there is none.
    init(
      declared: DeclaredRelevance, scale: RelevanceScale, from: WallTime, until next: WallTime?
    ) {
      self.declared = declared
      self.scale = scale
      self.from = from
      until = next ?? WallTime(milliseconds: .max)
    }

    /// A claim that holds at no moment.
    static let none = Claim(
      declared: DeclaredRelevance(), scale: RelevanceScale(), from: WallTime(milliseconds: .max),
      until: WallTime(milliseconds: .min))
  }

  private struct Entry: Sendable {
    var claim = Claim.none
    /// Counts how often the claim was forgotten, because the timeline has another content.
    var version: UInt32 = 0
  }

  /// By the numbers of the timelines.
  private var entries: [Entry] = []
  /// How often claims were looked up since the start.
  private(set) var lookUps = ClaimLookUps()

  subscript(timeline: Int32) -> Claim {
    entries.indices.contains(Int(timeline)) ? entries[Int(timeline)].claim : .none
  }

  func holds(_ timeline: Int32, at moment: WallTime) -> Bool {
    entries.indices.contains(Int(timeline)) && entries[Int(timeline)].claim.holds(at: moment)
  }

  /// Notes what a timeline declares.
  mutating func note(_ claim: Claim, of timeline: Int32) {
    makeRoom(for: timeline)
    entries[Int(timeline)].claim = claim
  }

  /// Notes a claim that was looked up.
  mutating func noteLookUp(_ claim: Claim, of timeline: Int32) {
    lookUps.forOrders += 1
    note(claim, of: timeline)
  }

  /// Counts the look-ups that were made in a copy since it was made.
  mutating func countLookUps(of copy: StackClaims) { lookUps = copy.lookUps }

  /// Counts the look-ups since `before` as those for a use.
  mutating func countLookUpsOfUse(since before: ClaimLookUps) {
    lookUps.forUses += lookUps.forOrders - before.forOrders
    lookUps.forOrders = before.forOrders
  }

  /// Forgets the claim of a timeline that has another content now, or is another timeline.
  mutating func forget(_ timeline: Int32) {
    makeRoom(for: timeline)
    entries[Int(timeline)].claim = .none
    entries[Int(timeline)].version &+= 1
  }

  /// Forgets all claims: they follow from something else that changed.
  mutating func forgetAll() {
    for index in entries.indices { forget(Int32(index)) }
  }

  /// Takes the claims over that `other`, from which this copy was made, has forgotten since.
  mutating func follow(_ other: StackClaims) {
    lookUps = other.lookUps
    for (index, entry) in other.entries.enumerated() {
      if index == entries.count {
        entries.append(entry)
      } else if entries[index].version != entry.version {
        entries[index] = entry
      }
    }
  }

  private mutating func makeRoom(for timeline: Int32) {
    while entries.count <= Int(timeline) { entries.append(Entry()) }
  }
}
