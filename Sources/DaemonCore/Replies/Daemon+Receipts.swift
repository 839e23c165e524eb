import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Answers requests whose receipts the client may follow: at once, or when the receipts are
/// settled, which means that each has ended or was deferred.
///
/// Here the outbox, the waiters and the engine meet.
extension Daemon {
  /// Answers with `result`; with `wait`, only when the receipts are settled, and with their states.
  ///
  /// Both answers leave once they are durable. `widget` and `widgets` name the widgets whose
  /// entries the waiting answer has, too; `placed` is the widget that it shows as it is then.
  mutating func answer(
    _ address: ReplyAddress, _ result: JSONObject, receipts: [ReceiptID], wait: Bool,
    entryOf widget: String?, entriesOf widgets: [String] = [], isSingle: Bool = false,
    viewOf placed: String? = nil, as look: WidgetLook? = nil, at now: Now
  ) throws(RPCError) {
    receiptWaiters.subscribe(address.connection, to: receipts, &engine)
    guard wait, address.id != nil else {
      outbox.answerWhenDurable(address, result)
      return
    }
    try outbox.reserveWaiting(address)
    outbox.noteTaken(address, result)
    let waiter = Waiter(
      address: address, receipts: receipts, result: result, entryOf: widget, entriesOf: widgets,
      isSingle: isSingle, viewOf: placed, look: look, transaction: writes.nextNumber)
    if let settled = receiptWaiters.add(waiter, &engine) { finish(settled, at: now) }
  }

  /// Answers once it is durable, without waiting for the receipts; `body` appends the result.
  mutating func answer(
    _ address: ReplyAddress, receipts: [ReceiptID], _ body: (inout [UInt8]) -> Void
  ) {
    receiptWaiters.subscribe(address.connection, to: receipts, &engine)
    outbox.answerWhenDurable(address, body)
  }

  /// Tells the owners of receipts that changed, and answers the requests that waited for them.
  mutating func receiptsChanged(_ changed: [Receipt], at now: Now) {
    let (updates, settled) = receiptWaiters.follow(changed, &engine)
    for (owner, receipt) in updates {
      outbox.notifyWhenDurable(owner, .receiptUpdate, ["receipt": .object(receipt.json)])
    }
    for waiter in settled { finish(waiter, at: now) }
  }

  mutating func finish(_ waiter: Waiter, at now: Now) {
    outbox.releaseWaiting(waiter.address)
    var result = waiter.result
    let receipts = receiptWaiters.letGo(waiter.receipts, &engine).map {
      JSONValue.object(engine.view(of: $0))
    }
    if waiter.isSingle {
      result["receipt"] = receipts.first
    } else {
      result["receipts"] = .array(receipts)
    }
    if let widget = waiter.viewOf,
      let view = engine.view(
        of: widget, as: waiter.look, at: now.wall, in: languages(of: waiter.address.connection))
    {
      result["widget"] = .object(view)
    }
    if let widget = waiter.entryOf, let view = engine.view(of: widget, at: now.wall) {
      result["entry"] = view["entry"]
      result["stale"] = view["stale"]
      result["error"] = view["error"]
      result["stderr"] = view["stderr"]
    }
    if !waiter.entriesOf.isEmpty {
      result["entries"] = .array(
        waiter.entriesOf.compactMap { widget in
          guard let view = engine.view(of: widget, at: now.wall) else { return nil }
          var entry: JSONObject = ["widget": .string(widget), "entry": view["entry"] ?? .null]
          entry["stale"] = view["stale"]
          entry["error"] = view["error"]
          entry["stderr"] = view["stderr"]
          return .object(entry)
        })
    }
    outbox.answerWhenDurable(waiter, result)
  }
}
