import DequeModule
import JSON
import Timekeeping

/// The receipts of all reload requests: it opens, settles and forgets them.
///
/// A receipt that has not ended is kept for as long as its run may come. Of the ended ones the
/// latest `Limits.endedReceiptCountMax` are kept, so that `widget.receipt` can still tell what
/// became of them.
struct ReceiptBook: Sendable {
  /// All receipts that are remembered.
  private(set) var byID: [ReceiptID: Receipt] = [:]
  /// Ended receipts, the one that ended first at the front.
  private var ended = Deque<ReceiptID>()
  private var lastNumber: Int64 = 0

  subscript(id: ReceiptID) -> Receipt? { byID[id] }

  /// The receipts that have not ended, in the order of their numbers.
  ///
  /// O(receipts).
  var unfinished: [Receipt] {
    byID.values.filter { !$0.hasEnded }.sorted { $0.id < $1.id }
  }

  /// Opens the receipt of a new request, in the state `accepted`.
  mutating func open(
    for widget: Widget, _ cause: ReloadCause, at now: WallTime, into output: inout EngineOutput
  ) -> Receipt {
    lastNumber += 1
    let receipt = Receipt(
      id: ReceiptID(number: lastNumber), widget: widget.id, kind: widget.kind, cause: cause,
      requestedAt: now)
    assert(byID[receipt.id] == nil, "a receipt's number is given once")
    byID[receipt.id] = receipt
    output.dirtyReceipts.insert(receipt.id)
    return receipt
  }

  /// Moves a receipt to `state`; a receipt that has ended, or is in that state, stays as it is.
  ///
  /// `stderr` is what the provider of a failed run last wrote to standard error; `hasNoData` says
  /// that a run which is done brought nothing new.
  mutating func settle(
    _ id: ReceiptID, _ state: Receipt.State, stderr: String? = nil, hasNoData: Bool = false,
    into output: inout EngineOutput
  ) {
    guard var receipt = byID[id], receipt.state != state, !receipt.hasEnded else { return }
    receipt.state = state
    receipt.stderr = stderr
    receipt.hasNoData = hasNoData
    byID[id] = receipt
    output.receipts.append(receipt)
    output.dirtyReceipts.insert(id)
    guard receipt.hasEnded else { return }
    ended.append(id)
    while ended.count > Limits.endedReceiptCountMax {
      forget(ended.removeFirst(), into: &output)
    }
  }

  /// Forgets the ended receipts that `isForgotten` names, before their time.
  mutating func forgetEnded(
    into output: inout EngineOutput, where isForgotten: (Receipt) -> Bool
  ) {
    let gone = ended.filter { byID[$0].map(isForgotten) ?? false }
    guard !gone.isEmpty else { return }
    let all = Set(gone)
    ended.removeAll { all.contains($0) }
    for id in gone { forget(id, into: &output) }
  }

  private mutating func forget(_ id: ReceiptID, into output: inout EngineOutput) {
    byID[id] = nil
    output.dirtyReceipts.remove(id)
    output.forgottenReceipts.append(id)
  }

  /// Puts back what the store kept.
  mutating func restore(_ receipts: [Receipt]) {
    for receipt in receipts.sorted(by: { $0.id < $1.id }) {
      lastNumber = max(lastNumber, receipt.id.number)
      byID[receipt.id] = receipt
      if receipt.hasEnded { ended.append(receipt.id) }
    }
  }

  /// The receipt whose run serves `id`: its own, or the one that it was coalesced into.
  func leader(of id: ReceiptID) -> Receipt? {
    var current = byID[id]
    var steps = 0
    while let receipt = current, case .coalesced(let other) = receipt.state,
      steps < Limits.coalescedStepCountMax
    {
      current = byID[other]
      steps += 1
    }
    return current
  }

  /// The receipt as it goes over the wire.
  ///
  /// A receipt that was coalesced into one that was put off or dropped, or brought nothing new, has that one's state as
  /// `leader`.
  func view(of receipt: Receipt) -> JSONObject {
    var object = receipt.json
    guard case .coalesced = receipt.state, let leader = leader(of: receipt.id) else {
      return object
    }
    switch leader.state {
    case .deferred, .dropped,
      .done where leader.hasNoData:
      let told: Set = ["id", "state", "until", "reason", "stderr", "noData"]
      object["leader"] = .object(JSONObject(leader.json.members.filter { told.contains($0.key) }))
    case .accepted, .done, .coalesced: break
    }
    return object
  }

  /// The unfinished receipts, and of the ended ones those whose number divided by `step` leaves
  /// `start`.
  func sample(everyFrom start: Int, step: Int) -> [(ReceiptID, Receipt)] {
    // By index, and by number: a receipt that is not asked for is neither looked up nor copied.
    byID.indices.lazy.filter { index in
      let number = byID.keys[index].number
      return Int(number) % step == start || !byID.values[index].hasEnded
    }.map { (byID.keys[$0], byID.values[$0]) }
  }

  /// A sentence for everything that is wrong; empty in a sound book.
  ///
  /// `waiting`: the receipts that a run is going to end. O(receipts).
  func checkInvariants(waiting: Set<ReceiptID>) -> [String] {
    var wrong: [String] = []
    let ended = Set(ended)
    if ended.count != self.ended.count { wrong.append("a receipt has ended twice") }
    if ended.count > Limits.endedReceiptCountMax {
      wrong.append("\(ended.count) ended receipts are kept")
    }
    for id in waiting where byID[id] == nil {
      wrong.append("the receipt \(id.text) waits for a run and does not exist")
    }
    for (id, receipt) in byID {
      if receipt.hasEnded != ended.contains(id) {
        wrong.append(
          "the receipt \(id.text) is \(receipt.state) and \(receipt.hasEnded ? "not " : "")counted as ended"
        )
      }
      if !receipt.hasEnded, !waiting.contains(id) {
        wrong.append("the receipt \(id.text) is \(receipt.state), and no run will end it")
      }
      if id.number > lastNumber { wrong.append("the receipt \(id.text) has a number to come") }
    }
    return wrong
  }
}
