import JSON
import JSONRPC
import WidgetCenter

/// A request that is answered when each of its receipts has ended or was deferred.
struct Waiter: Sendable {
  var address: ReplyAddress
  var receipts: [ReceiptID]
  /// The beginning of the answer; `receipts` and `entry` are added to it.
  var result: JSONObject
  /// The widget whose entry the answer carries.
  var entryOf: String?
  /// The widgets whose entries the answer carries as a list.
  var entriesOf: [String] = []
  /// Whether the answer has a single `receipt` and not a list.
  var isSingle = false
  /// The widget that the answer shows as it is when it leaves.
  var viewOf: String?
  /// How that widget is shown there; `nil`: compact.
  var look: WidgetLook?
  /// Whether code ran for it, which nothing undoes: it is not refused, whatever becomes of the
  /// store.
  var isPerformed = false
  /// The number of the transaction that has what the request changed.
  var transaction: UInt64 = 0
}

/// The clients that follow a receipt: its owner gets notifications, waiters get their answers.
///
/// This part also keeps copies of receipts that later answers will name, since the engine may
/// forget a receipt before. The engine is passed `inout` only to avoid a copy; it is not changed.
struct ReceiptWaiters: Sendable {
  private struct Waiting: Sendable {
    var waiter: Waiter
    /// The number of receipts, from the first on, that have ended or were deferred.
    var settledCount = 0
  }

  /// The present state of a receipt, and the number of later answers that will name it.
  private struct Kept: Sendable {
    var receipt: Receipt
    var count = 1
  }

  private var waiting: [UInt64: Waiting] = [:]
  private var lastNumber: UInt64 = 0
  /// Numbers of waiters by receipt; a receipt that was joined to another stands under its leader.
  private var numbersByReceipt: [ReceiptID: [UInt64]] = [:]
  private var owners: [ReceiptID: ConnectionID] = [:]
  private var kept: [ReceiptID: Kept] = [:]

  // MARK: Owners

  /// Makes the client the owner of these receipts: it gets their `receipt.update` notifications.
  ///
  /// The first requester keeps ownership; later waiters only listen.
  mutating func subscribe(
    _ connection: ConnectionID, to receipts: [ReceiptID], _ engine: inout WidgetEngine
  ) {
    for receipt in receipts where !(engine.receipts[receipt]?.hasEnded ?? true) {
      if owners[receipt] == nil { owners[receipt] = connection }
    }
  }

  // MARK: Copies for answers to come

  /// Keeps a copy of these receipts until `letGo` is called for the answer that names them.
  mutating func keep(_ ids: [ReceiptID], _ engine: inout WidgetEngine) {
    for id in ids {
      if let index = kept.index(forKey: id) {
        kept.values[index].count += 1
      } else if let receipt = engine.receipts[id] {
        kept[id] = Kept(receipt: receipt)
      }
    }
  }

  /// Returns the current state of these receipts and releases the copies that `keep` made.
  mutating func letGo(_ ids: [ReceiptID], _ engine: inout WidgetEngine) -> [Receipt] {
    ids.compactMap { id in
      guard let known = kept[id] else { return engine.receipts[id] }
      kept[id] = known.count > 1 ? Kept(receipt: known.receipt, count: known.count - 1) : nil
      return known.receipt
    }
  }

  // MARK: Waiters

  /// Lets a request wait for its receipts.
  ///
  /// - Returns: the waiter itself when all of them are settled already.
  mutating func add(_ waiter: Waiter, _ engine: inout WidgetEngine) -> Waiter? {
    keep(waiter.receipts, &engine)
    lastNumber += 1
    waiting[lastNumber] = Waiting(waiter: waiter)
    if isSettled(lastNumber, &engine) {
      waiting[lastNumber] = nil
      return waiter
    }
    for receipt in waiter.receipts {
      let leader = engine.leader(of: receipt)?.id ?? receipt
      numbersByReceipt[leader, default: []].append(lastNumber)
    }
    return nil
  }

  /// Follows receipts that changed.
  ///
  /// - Returns: their owners, in the order of the receipts, and the waiters whose receipts are all
  ///   settled now.
  mutating func follow(
    _ changed: [Receipt], _ engine: inout WidgetEngine
  ) -> (updates: [(owner: ConnectionID, receipt: Receipt)], settled: [Waiter]) {
    var updates: [(owner: ConnectionID, receipt: Receipt)] = []
    for receipt in changed {
      if !kept.isEmpty { kept[receipt.id]?.receipt = receipt }
      if let owner = owners[receipt.id] { updates.append((owner, receipt)) }
      if receipt.hasEnded { owners[receipt.id] = nil }
    }
    var settled: [Waiter] = []
    for receipt in changed {
      guard let numbers = numbersByReceipt[receipt.id] else { continue }
      var still: [UInt64] = []
      for number in numbers where waiting.index(forKey: number) != nil {
        if isSettled(number, &engine) {
          if let ended = waiting.removeValue(forKey: number) { settled.append(ended.waiter) }
        } else {
          still.append(number)
        }
      }
      numbersByReceipt[receipt.id] = still.isEmpty ? nil : still
    }
    return (updates, settled)
  }

  /// Takes all waiters in the order in which they came, and forgets every copy: the daemon stops.
  mutating func removeAll() -> [Waiter] {
    let all = waiting.sorted { $0.key < $1.key }.map(\.value.waiter)
    waiting = [:]
    numbersByReceipt = [:]
    kept = [:]
    return all
  }

  /// Takes all waiters out, in the order in which they came, after `engine` was restored from the
  /// store; receipts that it does not have lose their owners.
  mutating func startOver(_ engine: inout WidgetEngine) -> [Waiter] {
    owners = owners.filter { engine.receipts[$0.key]?.hasEnded == false }
    return removeAll()
  }

  /// Returns whether every receipt of a waiter has ended or was deferred.
  ///
  /// A deferred receipt counts, because a client must not wait for hours without having asked for
  /// it. Receipts that were found settled are not checked again: ten thousand receipts would need
  /// ten thousand times ten thousand checks.
  private mutating func isSettled(_ number: UInt64, _ engine: inout WidgetEngine) -> Bool {
    guard let index = waiting.index(forKey: number) else { return false }
    var count = waiting.values[index].settledCount
    let total = waiting.values[index].waiter.receipts.count
    while count < total {
      let state = engine.leader(of: waiting.values[index].waiter.receipts[count])?.state
      if case .accepted? = state { break }
      count += 1
    }
    waiting.values[index].settledCount = count
    return count == total
  }
}

// MARK: - Checks

extension ReceiptWaiters {
  /// Whether there are no waiters, owners or copies.
  var isEmpty: Bool {
    waiting.isEmpty && numbersByReceipt.isEmpty && owners.isEmpty && kept.isEmpty
  }
  /// The clients that wait, one for each request.
  var connections: [ConnectionID] { addresses.map(\.connection) }
  /// The requests that wait.
  var addresses: [ReplyAddress] { waiting.values.map(\.waiter.address) }

  /// Returns sentences about waiters that no receipt will wake, and copies that no answer needs.
  ///
  /// With `keepsForOthers`, another part needs copies.
  func checkInvariants(_ engine: borrowing WidgetEngine, keepsForOthers: Bool) -> [String] {
    var wrong: [String] = []
    for (number, entry) in waiting {
      var isAwaited = false
      for (receipt, numbers) in numbersByReceipt where numbers.contains(number) {
        if engine.receipts[receipt]?.hasEnded == false { isAwaited = true }
      }
      if !isAwaited {
        wrong.append(
          "a request waits for receipts that will not call it: \(entry.waiter.receipts.map(\.text))"
        )
      }
    }
    if waiting.isEmpty, !keepsForOthers, !kept.isEmpty {
      wrong.append("\(kept.count) receipts are kept for answers, and none waits")
    }
    return wrong
  }
}
