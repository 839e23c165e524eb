import DaemonCore
import JSON
import WidgetCenter

/// The promises that the daemon made to clients.
///
/// Each request that changes something makes a claim: "the widget w3 exists and shows Oslo". The
/// claim is pending while the daemon has the request, *kept* once a result came (from then on it
/// must hold on disk, after any crash), void if it was refused: then nothing of it may be on disk,
/// after any crash. It is *unsure* if the connection or the process failed before an answer; then
/// both states are right. A later kept claim
/// about the same thing replaces the earlier ones. Which one is later is not always known: see
/// `Entry.surelyFollows`.
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

  enum Standing: Hashable, Sendable {
    case pending, kept, unsure
    /// The store refused it; only donations stay in the ledger then.
    case refused
  }

  private struct Entry: Sendable {
    /// In the order of sending.
    var sequence: UInt64
    /// The connection on which it was sent.
    var sender: ConnectionID
    var claim: Claim
    var standing: Standing
    /// The last claim that had been sent when this one was answered.
    var answeredAfter: UInt64?
    /// The request may have waited for files, so that it took effect behind later ones.
    var mayHaveWaited = false
    /// The first sending of a request that was sent again with its key: it may have taken effect
    /// then, and the answer came from what the daemon remembered.
    var firstSending: Sending?

    /// Whether it took effect after `other`, whatever the daemon did with the two.
    ///
    /// Requests of one connection take effect in the order of sending, but for one that waits for
    /// files. Connections take turns, so that of two of them only one that was answered surely comes
    /// before one that is sent later.
    func surelyFollows(_ other: Entry) -> Bool {
      guard let otherAnsweredAfter = other.answeredAfter else { return false }
      let sending = firstSending ?? Sending(sequence: sequence, sender: sender)
      if otherAnsweredAfter < sending.sequence { return true }
      return other.sender == sending.sender && other.sequence < sending.sequence
        && !other.mayHaveWaited && !mayHaveWaited
    }
  }

  /// The place of a request in the order of sending, and its connection.
  private struct Sending: Sendable {
    var sequence: UInt64
    var sender: ConnectionID
  }

  private var lastSequence: UInt64 = 0
  /// The claims by subject: the newest kept one, then the others, oldest first.
  private var claims: [String: [Entry]] = [:]
  private var donations: [Entry] = []
  /// The first sending of each donation, by its tag.
  private var firstSendings: [String: Sending] = [:]
  private var forgettings: [Entry] = []
  /// The restorations that may have brought a widget back: those without an answer.
  private var restorations: [Entry] = []
  /// The receipts that a client got.
  private(set) var receipts: Set<String> = []

  /// The daemon has the request from now on.
  mutating func begin(_ claim: Claim, from sender: ConnectionID) -> UInt64 {
    lastSequence += 1
    var entry = Entry(
      sequence: lastSequence, sender: sender, claim: claim, standing: .pending)
    switch claim {
    case .nothing: break
    case .widget(let id, _, _): claims["widget \(id)", default: []].append(entry)
    case .list(let name, _): claims["list \(name)", default: []].append(entry)
    case .donation(let tag):
      entry.firstSending = firstSendings[tag]
      if entry.firstSending == nil {
        firstSendings[tag] = Sending(sequence: lastSequence, sender: sender)
      }
      // The same request is sent again.
      donations.removeAll { $0.standing == .refused && $0.claim == claim }
      donations.append(entry)
    case .forgotten: forgettings.append(entry)
    case .restored: restorations.append(entry)
    }
    return lastSequence
  }

  /// The daemon answered the request, or never will.
  mutating func settle(
    _ sequence: UInt64, _ claim: Claim, _ standing: Standing, mayHaveWaited: Bool = false
  ) {
    settle(sequence, claim, standing, mayHaveWaited, answeredAfter: lastSequence)
  }

  /// The answer to the request will not be known, and it may take effect at any time from now on:
  /// it may wait in its client's backlog.
  mutating func giveUp(_ sequence: UInt64, _ claim: Claim) {
    settle(sequence, claim, .unsure, false, answeredAfter: nil)
  }

  private mutating func settle(
    _ sequence: UInt64, _ claim: Claim, _ standing: Standing, _ mayHaveWaited: Bool,
    answeredAfter: UInt64?
  ) {
    switch claim {
    case .nothing: break
    case .widget(let id, _, _):
      settle("widget \(id)", sequence, standing, mayHaveWaited, answeredAfter)
    case .list(let name, _):
      settle("list \(name)", sequence, standing, mayHaveWaited, answeredAfter)
    case .donation:
      guard let index = donations.lastIndex(where: { $0.sequence == sequence }) else { return }
      donations[index].standing = standing
      donations[index].answeredAfter = answeredAfter
    case .forgotten:
      guard let index = forgettings.lastIndex(where: { $0.sequence == sequence }) else { return }
      forgettings[index].standing = standing
      forgettings[index].answeredAfter = answeredAfter
      if standing == .kept {
        donations.removeAll { $0.sequence < sequence && $0.standing != .kept }
      }
    case .restored:
      guard let index = restorations.lastIndex(where: { $0.sequence == sequence }) else { return }
      restorations[index].standing = standing
      if standing == .kept { restorations.remove(at: index) }
    }
  }

  private mutating func settle(
    _ key: String, _ sequence: UInt64, _ standing: Standing, _ mayHaveWaited: Bool,
    _ answeredAfter: UInt64?
  ) {
    guard let index = claims[key]?.firstIndex(where: { $0.sequence == sequence }) else { return }
    claims[key]?[index].standing = standing
    claims[key]?[index].answeredAfter = answeredAfter
    claims[key]?[index].mayHaveWaited = mayHaveWaited
    if standing == .kept { keep(claims[key]?.remove(at: index), key) }
  }

  /// Puts a kept claim first, in place of the ones that it surely follows.
  private mutating func keep(_ kept: Entry?, _ key: String) {
    guard let kept else { return }
    var others = claims[key] ?? []
    if let first = others.first, first.standing == .kept {
      if first.surelyFollows(kept) { return }
      others[0].standing = .unsure
    }
    claims[key] = [kept] + others.filter { !kept.surelyFollows($0) }
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

  /// The request was refused because it could not be saved, so nothing of it is there.
  mutating func refuse(_ sequence: UInt64, _ claim: Claim) {
    if case .donation = claim {
      // An earlier request with the same key may have been done.
      let isAgain = donations.contains { $0.claim == claim && $0.sequence != sequence }
      settle(sequence, claim, isAgain ? .unsure : .refused)
    } else {
      void(sequence, claim)
    }
  }

  mutating func promise(receipts ids: [String]) { receipts.formUnion(ids) }

  /// A widget that the daemon named itself: known only from the result.
  mutating func keep(widget id: String, for sender: ConnectionID) {
    lastSequence += 1
    claims["widget \(id)"] = [
      Entry(
        sequence: lastSequence, sender: sender, claim: .widget(id: id, exists: true, value: nil),
        standing: .kept, answeredAfter: lastSequence)
    ]
  }

  /// A widget is there again since the request with this number.
  mutating func keep(
    widget id: String, restoredBy sequence: UInt64, for sender: ConnectionID
  ) {
    keep(
      Entry(
        sequence: sequence, sender: sender, claim: .widget(id: id, exists: true, value: nil),
        standing: .kept, answeredAfter: lastSequence),
      "widget \(id)")
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
      guard let claim = claims[key]?.first?.claim ?? Self.absence(key) else { continue }
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

  /// The claim about a subject of which all requests were refused.
  private static func absence(_ key: String) -> Claim? {
    let words = key.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    return words[0] == "widget"
      ? .widget(id: String(words[1]), exists: false, value: nil)
      : .list(name: String(words[1]), values: [])
  }

  private func widgetViolation(_ id: String, _ record: JSONValue?, _ place: String) -> String? {
    guard let entries = claims["widget \(id)"] else { return nil }
    let isKept = entries.first?.standing == .kept
    // Nobody was told that it exists.
    if !isKept, record == nil { return nil }
    let isAllowed = entries.contains { entry in
      guard case .widget(_, let exists, let value) = entry.claim else { return false }
      guard exists == (record != nil) else { return false }
      guard exists, let value else { return true }
      let members = record?["intent"]?["parameters"]?.objectValue?.members ?? []
      return members.contains { $0.value.stringValue == value }
    }
    if isAllowed { return nil }
    // A restoration without an answer may have brought it back.
    let first = entries.first
    if record != nil,
      restorations.contains(where: { !isKept || first?.surelyFollows($0) != true })
    {
      return nil
    }
    let told = entries.map { "\($0.claim) \($0.standing)" }.joined(separator: ", ")
    return
      "\(place) the widget \(id) is \(record?.serialized ?? "not there"), but clients were told: \(told)"
  }

  private func listViolation(_ name: String, _ store: FakeStore) -> String? {
    guard let entries = claims["list \(name)"] else { return nil }
    let values = store.record(.setting, "list/\(name)")?.arrayValue?.compactMap(\.stringValue)
    if entries.first?.standing != .kept, values == nil { return nil }
    for entry in entries {
      if case .list(_, let promised) = entry.claim, promised == values { return nil }
    }
    return
      "the list \(name) on disk is \(values?.description ?? "not there"), which is not what clients were told"
  }

  /// `since`: only the donation at this place and later ones.
  private func donationViolation(_ store: FakeStore, since start: Int? = nil) -> String? {
    let kept = forgettings.filter { $0.standing == .kept }
    for entry in donations[(start ?? 0)...] {
      guard case .donation(let tag) = entry.claim else { continue }
      let count = store.tags[tag, default: 0]
      let isThere = count > 0
      if count > 1 { return "the donation \(tag) is in the journal \(count) times" }
      if entry.standing == .refused, isThere {
        return "the donation \(tag) was refused and is in the journal"
      }
      if isThere, kept.contains(where: { $0.surelyFollows(entry) }) {
        return "the donation \(tag) was forgotten and is still in the journal"
      }
      if !isThere, entry.standing == .kept,
        forgettings.allSatisfy({ entry.surelyFollows($0) })
      {
        return "the donation \(tag) was taken and is not in the journal"
      }
    }
    return nil
  }
}
