import DaemonCore
import JSON
import WidgetCenter

/// The promises that the daemon made to clients.
///
/// Each request that changes something makes a claim: "the widget w3 exists and shows Oslo". The
/// claim is pending while the daemon has the request, *kept* once a result came (from then on it
/// must hold on disk, after any crash), void if it was refused, and *unsure* if the connection, the
/// process or the disk failed before an answer; then both states are right. A later kept claim
/// about the same thing replaces the earlier ones that were settled. One that is pending still may
/// wait for files that are being read, and take effect after it.
struct Ledger: Sendable {
  enum Claim: Hashable, Sendable {
    case nothing
    /// `value`: the intent's parameter, where one is given.
    case widget(id: String, exists: Bool, value: String?)
    /// A widget that was removed is there again; the result says which.
    case restored
    case list(name: String, values: [String])
    /// An intent with this `source` is in the journal.
    case donation(tag: String)
    /// No intent that was there before is.
    case forgotten
  }

  enum Standing: Hashable, Sendable { case pending, kept, unsure }

  private struct Entry: Sendable {
    var sequence: UInt64
    var claim: Claim
    var standing: Standing
  }

  private var lastSequence: UInt64 = 0
  /// The claims by subject: the newest kept one, then the others, oldest first.
  private var claims: [String: [Entry]] = [:]
  private var donations: [Entry] = []
  private var forgettings: [Entry] = []
  /// The restorations that may have brought a widget back: those without an answer.
  private var restorations: [Entry] = []
  /// The receipts that a client got.
  private(set) var receipts: Set<String> = []

  /// The daemon has the request from now on.
  mutating func begin(_ claim: Claim) -> UInt64 {
    lastSequence += 1
    let entry = Entry(sequence: lastSequence, claim: claim, standing: .pending)
    switch claim {
    case .nothing: break
    case .widget(let id, _, _): claims["widget \(id)", default: []].append(entry)
    case .list(let name, _): claims["list \(name)", default: []].append(entry)
    case .donation: donations.append(entry)
    case .forgotten: forgettings.append(entry)
    case .restored: restorations.append(entry)
    }
    return lastSequence
  }

  mutating func settle(_ sequence: UInt64, _ claim: Claim, _ standing: Standing) {
    switch claim {
    case .nothing: break
    case .widget(let id, _, _): settle("widget \(id)", sequence, standing)
    case .list(let name, _): settle("list \(name)", sequence, standing)
    case .donation:
      guard let index = donations.lastIndex(where: { $0.sequence == sequence }) else { return }
      donations[index].standing = standing
    case .forgotten:
      guard let index = forgettings.lastIndex(where: { $0.sequence == sequence }) else { return }
      forgettings[index].standing = standing
      if standing == .kept {
        donations.removeAll { $0.sequence < sequence && $0.standing != .kept }
      }
    case .restored:
      guard let index = restorations.lastIndex(where: { $0.sequence == sequence }) else { return }
      restorations[index].standing = standing
      if standing == .kept { restorations.remove(at: index) }
    }
  }

  private mutating func settle(_ key: String, _ sequence: UInt64, _ standing: Standing) {
    guard var entries = claims[key],
      let index = entries.firstIndex(where: { $0.sequence == sequence })
    else { return }
    if standing != .kept {
      entries[index].standing = standing
    } else if let first = entries.first, first.standing == .kept, first.sequence > sequence {
      // Asked earlier, answered later: nobody outside knows which of the two took effect last.
      entries[index].standing = .unsure
    } else {
      var kept = entries.remove(at: index)
      kept.standing = .kept
      entries = [kept] + entries[..<index].filter { $0.standing == .pending } + entries[index...]
    }
    claims[key] = entries
  }

  /// The request was refused and changed nothing.
  mutating func void(_ sequence: UInt64, _ claim: Claim) {
    switch claim {
    case .nothing: break
    case .widget(let id, _, _): claims["widget \(id)"]?.removeAll { $0.sequence == sequence }
    case .list(let name, _): claims["list \(name)"]?.removeAll { $0.sequence == sequence }
    // Acts before the refusal may be in the journal.
    case .donation: settle(sequence, claim, .unsure)
    case .forgotten: forgettings.removeAll { $0.sequence == sequence }
    case .restored: restorations.removeAll { $0.sequence == sequence }
    }
  }

  mutating func promise(receipts ids: [String]) { receipts.formUnion(ids) }

  /// A widget that the daemon named itself: known only from the result.
  mutating func keep(widget id: String) {
    lastSequence += 1
    claims["widget \(id)"] = [
      Entry(
        sequence: lastSequence, claim: .widget(id: id, exists: true, value: nil), standing: .kept)
    ]
  }

  /// A widget is there again since the request with this number.
  mutating func keep(widget id: String, restoredBy sequence: UInt64) {
    var entries = claims["widget \(id)"] ?? []
    // A later claim that was kept already says more.
    guard entries.first.map({ $0.standing != .kept || $0.sequence < sequence }) ?? true else {
      return
    }
    entries.removeAll { $0.sequence < sequence && $0.standing != .pending }
    entries.insert(
      Entry(
        sequence: sequence, claim: .widget(id: id, exists: true, value: nil), standing: .kept),
      at: 0)
    claims["widget \(id)"] = entries
  }

  // MARK: Holding it against a disk

  /// Returns how a promise about the subject of `claim` is broken; `nil` if it is not.
  func violation(of claim: Claim, on store: FakeStore) -> String? {
    switch claim {
    case .nothing: nil
    case .widget(let id, _, _): widgetViolation(id, store.record(.widget, id), "on disk")
    case .list(let name, _): listViolation(name, store)
    case .donation(let tag):
      donationViolation(store, since: donations.lastIndex { $0.claim == .donation(tag: tag) })
    case .forgotten: donationViolation(store)
    case .restored: nil
    }
  }

  func violation(ofReceipts ids: [String], on store: FakeStore) -> String? {
    for id in ids where store.tables[.receipt]?[id] == nil && !store.agedReceipts.contains(id) {
      return "the receipt \(id) was promised and is not on disk"
    }
    return nil
  }

  /// Compares all promises with the disk and with the widgets of a restarted daemon; returns the
  /// broken ones.
  func violations(on store: FakeStore, widgets: [String: Widget]) -> [String] {
    var found: [String] = []
    for key in claims.keys.sorted() {
      guard let claim = claims[key]?.first?.claim else { continue }
      if let broken = violation(of: claim, on: store) { found.append(broken) }
      if case .widget(let id, _, _) = claim,
        let broken = widgetViolation(id, widgets[id]?.record, "in the restarted daemon")
      {
        found.append(broken)
      }
    }
    if let broken = donationViolation(store) { found.append(broken) }
    if let broken = violation(ofReceipts: receipts.sorted(), on: store) { found.append(broken) }
    return found
  }

  private func widgetViolation(_ id: String, _ record: JSONValue?, _ place: String) -> String? {
    guard let entries = claims["widget \(id)"], entries.first?.standing == .kept else { return nil }
    let isAllowed = entries.contains { entry in
      guard case .widget(_, let exists, let value) = entry.claim else { return false }
      guard exists == (record != nil) else { return false }
      guard exists, let value else { return true }
      let members = record?["intent"]?["parameters"]?.objectValue?.members ?? []
      return members.contains { $0.value.stringValue == value }
    }
    if isAllowed { return nil }
    // A restoration without an answer may have brought it back.
    if record != nil, restorations.contains(where: { $0.sequence > entries[0].sequence }) {
      return nil
    }
    let told = entries.map { "\($0.claim) \($0.standing)" }.joined(separator: ", ")
    return
      "\(place) the widget \(id) is \(record?.serialized ?? "not there"), but clients were told: \(told)"
  }

  private func listViolation(_ name: String, _ store: FakeStore) -> String? {
    guard let entries = claims["list \(name)"], entries.first?.standing == .kept else { return nil }
    let values = store.record(.setting, "list/\(name)")?.arrayValue?.compactMap(\.stringValue)
    for entry in entries {
      if case .list(_, let promised) = entry.claim, promised == values { return nil }
    }
    return
      "the list \(name) on disk is \(values?.description ?? "not there"), which is not what clients were told"
  }

  /// `since`: only the donation at this place and later ones.
  private func donationViolation(_ store: FakeStore, since start: Int? = nil) -> String? {
    let lastKept = forgettings.last { $0.standing == .kept }?.sequence ?? 0
    let lastAny = forgettings.last?.sequence ?? 0
    for entry in donations[(start ?? 0)...] {
      guard case .donation(let tag) = entry.claim else { continue }
      let isThere = store.tags[tag, default: 0] > 0
      if entry.sequence < lastKept, isThere {
        return "the donation \(tag) was forgotten and is still in the journal"
      }
      if entry.sequence > lastAny, entry.standing == .kept, !isThere {
        return "the donation \(tag) was taken and is not in the journal"
      }
    }
    return nil
  }
}
