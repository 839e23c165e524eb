package import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// A whole line for a client that may leave once the turn's transaction is on disk.
package struct PendingReply: Hashable, Sendable {
  package var address: ReplyAddress
  /// The result, as JSON; for a notification (which has no `address.id`) a whole line.
  package var bytes: [UInt8]
  package var notification: DaemonNotification?
}

/// A batch whose answers are not all there yet.
struct PendingBatch: Hashable, Sendable {
  var connection: ConnectionID
  var missing: Int
  var parts: [[UInt8]] = []
}

/// A request that is answered when receipts have ended.
struct Waiter: Sendable {
  var address: ReplyAddress
  var receipts: [ReceiptID]
  /// So many of them, from the first on, have ended or were deferred.
  var settledCount = 0
  /// What the answer starts with; `receipts` and `entry` are added to it.
  var result: JSONObject
  /// The widget whose entry the answer carries.
  var entryOf: String?
  /// Widgets whose entries it carries as a list.
  var entriesOf: [String] = []
  /// The answer is a single `receipt`, not a list.
  var isSingle = false
}

/// A receipt that answers to come will name.
struct AwaitedReceipt: Sendable {
  var receipt: Receipt
  var count = 1
}

/// Answers: at once, after the transaction, or when receipts have ended; each request exactly once.
extension Daemon {
  mutating func answer(_ address: ReplyAddress, _ result: JSONObject) {
    answer(address) { JSONValue.object(result).write(into: &$0) }
  }

  mutating func answer(_ address: ReplyAddress, _ body: (inout [UInt8]) -> Void) {
    guard let id = address.id else { return }
    if address.batch == nil, address.connection == currentConnection {
      appendResult(id: id, to: &currentReplies, body)
      return
    }
    var line: [UInt8] = []
    appendResult(id: id, to: &line, newline: false, body)
    deliver(line, address)
  }

  /// `evenWithoutID`: an unreadable request is answered with id null.
  mutating func refuse(_ address: ReplyAddress, _ error: RPCError, evenWithoutID: Bool = false) {
    counters.refusals += 1
    guard address.id != nil || evenWithoutID else { return }
    var line: [UInt8] = []
    appendError(id: address.id, error, to: &line, newline: false)
    deliver(line, address)
  }

  /// Answers once everything this turn wrote is durable.
  ///
  /// Without anything to write that is at once, in order.
  mutating func answerWhenDurable(_ address: ReplyAddress, _ result: JSONObject) {
    guard address.id != nil else { return }
    var bytes: [UInt8] = []
    JSONValue.object(result).write(into: &bytes)
    answerWhenDurable(address, json: bytes)
  }

  /// The same with a result that is JSON already.
  mutating func answerWhenDurable(_ address: ReplyAddress, json bytes: [UInt8]) {
    guard address.id != nil else { return }
    sessions[address.connection]?.heldBytes += bytes.count
    turnReplies.append(PendingReply(address: address, bytes: bytes, notification: nil))
  }

  mutating func notifyWhenDurable(
    _ connection: ConnectionID, _ notification: DaemonNotification, _ params: JSONObject
  ) {
    var line: [UInt8] = []
    appendNotification(method: notification.rawValue, params: .object(params), to: &line)
    turnReplies.append(
      PendingReply(
        address: ReplyAddress(connection: connection, id: nil, batch: nil), bytes: line,
        notification: notification))
  }

  /// A finished answer without its line break: into its batch, or out.
  mutating func deliver(_ answer: [UInt8], _ address: ReplyAddress) {
    guard sessions[address.connection] != nil else {
      if let batch = address.batch { batches[batch] = nil }
      return
    }
    guard let batch = address.batch else {
      emit(answer, to: address.connection)
      return
    }
    guard var pending = batches[batch] else { return }
    pending.parts.append(answer)
    pending.missing -= 1
    guard pending.missing == 0 else {
      sessions[address.connection]?.heldBytes += answer.count
      batches[batch] = pending
      return
    }
    batches[batch] = nil
    sessions[address.connection]?.heldBytes -= pending.parts.dropLast().reduce(0) { $0 + $1.count }
    var line: [UInt8] = [UInt8(ascii: "[")]
    for (index, part) in pending.parts.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      line.append(contentsOf: part)
    }
    line.append(UInt8(ascii: "]"))
    emit(line, to: address.connection)
  }

  private mutating func emit(_ line: [UInt8], to connection: ConnectionID) {
    if connection == currentConnection {
      currentReplies.append(contentsOf: line)
      currentReplies.append(UInt8(ascii: "\n"))
    } else {
      outgoing.append((connection, line + [UInt8(ascii: "\n")]))
    }
  }

  // MARK: Waiting for receipts

  /// Answers with `result` now (once durable), or with the receipts as they ended.
  mutating func answer(
    _ address: ReplyAddress, _ result: JSONObject, receipts: [ReceiptID], wait: Bool,
    entryOf widget: String?, entriesOf widgets: [String] = [], isSingle: Bool = false, at now: Now
  ) throws(RPCError) {
    own(receipts, address)
    guard wait, address.id != nil else {
      answerWhenDurable(address, result)
      return
    }
    try reserveWaiting(address)
    lastWaiter += 1
    let waiter = Waiter(
      address: address, receipts: receipts, result: result, entryOf: widget, entriesOf: widgets,
      isSingle: isSingle)
    holdForAnswer(receipts)
    waiters[lastWaiter] = waiter
    if isSettled(lastWaiter) {
      waiters[lastWaiter] = nil
      finish(waiter, at: now)
      return
    }
    for receipt in receipts {
      let leader = engine.leader(of: receipt)?.id ?? receipt
      waitersByReceipt[leader, default: []].append(lastWaiter)
    }
  }

  /// From now on this client hears what becomes of these.
  mutating func own(_ receipts: [ReceiptID], _ address: ReplyAddress) {
    for receipt in receipts where !(engine.receipts[receipt]?.hasEnded ?? true) {
      // Who only waits for somebody else's request does not take it over.
      if receiptOwners[receipt] == nil { receiptOwners[receipt] = address.connection }
    }
  }

  /// An answer to come names these: the engine may forget them before.
  mutating func holdForAnswer(_ ids: [ReceiptID]) {
    for id in ids {
      if awaited[id] != nil {
        awaited[id]?.count += 1
      } else if let receipt = engine.receipts[id] {
        awaited[id] = AwaitedReceipt(receipt: receipt)
      }
    }
  }

  /// These as they are now; the answer that waited for them is made.
  mutating func stopAwaiting(_ ids: [ReceiptID]) -> [Receipt] {
    ids.compactMap { id in
      guard let known = awaited[id] else { return engine.receipts[id] }
      awaited[id] =
        known.count > 1 ? AwaitedReceipt(receipt: known.receipt, count: known.count - 1) : nil
      return known.receipt
    }
  }

  /// Counts a request that will be answered later; refused beyond the limit.
  mutating func reserveWaiting(_ address: ReplyAddress) throws(RPCError) {
    guard let count = sessions[address.connection]?.waitingCount else { return }
    guard count < Limits.waitingCountMax else {
      throw RPCError(
        .tooManyWaiting,
        "\(Limits.waitingCountMax) requests of this connection wait already; let some finish",
        details: ["max": .int(Int64(Limits.waitingCountMax))])
    }
    sessions[address.connection]?.waitingCount += 1
  }

  /// Receipts moved: tell who asked, and answer who waited.
  mutating func receiptsChanged(_ changed: [Receipt], at now: Now) {
    for receipt in changed {
      if !awaited.isEmpty { awaited[receipt.id]?.receipt = receipt }
      if let owner = receiptOwners[receipt.id], sessions[owner] != nil {
        // Also to a client that does not read: it may wait for nothing else, and asks for nothing more meanwhile.
        notifyWhenDurable(owner, .receiptUpdate, ["receipt": .object(receipt.json)])
      }
      if receipt.hasEnded { receiptOwners[receipt.id] = nil }
    }
    for receipt in changed {
      guard let candidates = waitersByReceipt[receipt.id] else { continue }
      var still: [UInt64] = []
      for candidate in candidates {
        guard let waiter = waiters[candidate] else { continue }
        if isSettled(candidate) {
          waiters[candidate] = nil
          finish(waiter, at: now)
        } else {
          still.append(candidate)
        }
      }
      waitersByReceipt[receipt.id] = still.isEmpty ? nil : still
    }
  }

  /// Every receipt has ended, or was deferred: nobody should wait for hours unasked.
  ///
  /// What was found settled is not looked at again: ten thousand receipts would be looked at ten thousand times.
  private mutating func isSettled(_ number: UInt64) -> Bool {
    guard let index = waiters.index(forKey: number) else { return false }
    var count = waiters.values[index].settledCount
    let total = waiters.values[index].receipts.count
    while count < total {
      let state = engine.leader(of: waiters.values[index].receipts[count])?.state
      if case .accepted? = state { break }
      count += 1
    }
    waiters.values[index].settledCount = count
    return count == total
  }

  private mutating func finish(_ waiter: Waiter, at now: Now) {
    releaseWaiting(waiter.address)
    var result = waiter.result
    let receipts = stopAwaiting(waiter.receipts).map { JSONValue.object(engine.view(of: $0)) }
    if waiter.isSingle {
      result["receipt"] = receipts.first
    } else {
      result["receipts"] = .array(receipts)
    }
    if let widget = waiter.entryOf, let view = engine.view(of: widget, at: now.wall) {
      result["entry"] = view["entry"]
      result["stale"] = view["stale"]
      if let error = view["error"] { result["error"] = error }
    }
    if !waiter.entriesOf.isEmpty {
      result["entries"] = .array(
        waiter.entriesOf.compactMap { widget in
          guard let view = engine.view(of: widget, at: now.wall) else { return nil }
          var entry: JSONObject = ["widget": .string(widget), "entry": view["entry"] ?? .null]
          entry["stale"] = view["stale"]
          if let error = view["error"] { entry["error"] = error }
          return .object(entry)
        })
    }
    answerWhenDurable(waiter.address, result)
  }

  /// Whether this client still has an answer coming: a half-closed connection stays open for it.
  package func owes(_ connection: ConnectionID) -> Bool {
    guard let session = sessions[connection] else { return false }
    if session.waitingCount > 0 { return true }
    func isTheirs(_ reply: PendingReply) -> Bool { reply.address.connection == connection }
    return turnReplies.contains(where: isTheirs)
      || transactionUnderWay?.replies.contains(where: isTheirs) ?? false
      || awaitingConfiguration.contains { $0.connection == connection }
  }

  mutating func releaseWaiting(_ address: ReplyAddress) {
    guard let count = sessions[address.connection]?.waitingCount, count > 0 else { return }
    sessions[address.connection]?.waitingCount = count - 1
  }
}
