import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Reloads very many widgets: each turn makes one slice of their receipts, and one answer names
/// all.
///
/// The answer gives the state that the receipts have when it is made, and updates follow it: a
/// client never hears of a receipt that was not named to it before. Widgets of one timeline stay in
/// one slice, since they share a run.
extension Daemon {
  /// Returns whether `count` reloads are too many for one turn.
  func takesTurns(reloads count: Int) -> Bool { count > options.widgetsInSliceMax }

  mutating func beginBulkReload(
    _ ids: [String], askedBy app: HostApp?, cause: ReloadCause?, about: JSONObject, wait: Bool,
    _ address: ReplyAddress
  ) throws(RPCError) {
    try bulkReloads.checkMayBegin(address.connection)
    try outbox.reserveWaiting(address)
    var places: [TimelineKey: Int] = [:]
    var groups: [[String]] = []
    for id in ids {
      guard let key = engine.widgets[id]?.timelineKey else { continue }
      if let place = places[key] {
        groups[place].append(id)
      } else {
        places[key] = groups.count
        groups.append([id])
      }
    }
    bulkReloads.append(
      BulkReload(
        address: address, ids: groups.flatMap { $0 }, app: app, cause: cause, about: about,
        wait: wait))
  }

  /// Makes the next slice of receipts; several bulk reloads alternate, one slice a turn.
  mutating func continueBulkReloads(at now: Now, into effects: inout [Effect]) {
    guard phase == .running, var bulk = bulkReloads.takeFirst() else { return }
    do throws(RPCError) {
      try promiseChange()
    } catch {
      refuse(bulk, error)
      return
    }
    var output = EngineOutput()
    let end = endOfSlice(bulk)
    while bulk.next < end {
      let id = bulk.ids[bulk.next]
      bulk.next += 1
      do throws(WidgetError) {
        let cause = bulk.cause ?? reloadCause(of: id, askedBy: bulk.app)
        let receipt = try engine.requestReload(of: id, cause: cause, at: now.wall, into: &output)
        bulk.receipts.append(receipt)
        receiptWaiters.keep([receipt.id], &engine)
        if !bulk.wait { bulk.texts.append(json(receipt)) }
      } catch {
        // The widget was removed meanwhile and gets no receipt.
      }
    }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
    if bulk.next < bulk.ids.count {
      bulkReloads.append(bulk)
    } else {
      finish(bulk, at: now)
    }
  }

  /// Refuses every bulk reload that is not complete, because the daemon stops.
  mutating func endBulkReloads(_ refusal: RPCError) {
    while let bulk = bulkReloads.takeFirst() { refuse(bulk, refusal) }
  }

  /// Refuses a bulk reload; the reloads of its earlier slices go on.
  private mutating func refuse(_ bulk: BulkReload, _ error: RPCError) {
    _ = receiptWaiters.letGo(bulk.receipts.map(\.id), &engine)
    outbox.releaseWaiting(bulk.address)
    outbox.refuse(bulk.address, error)
  }

  private func endOfSlice(_ bulk: BulkReload) -> Int {
    var end = min(bulk.ids.count, bulk.next + options.widgetsInSliceMax)
    while end < bulk.ids.count,
      engine.widgets[bulk.ids[end]]?.timelineKey == engine.widgets[bulk.ids[end - 1]]?.timelineKey
    {
      end += 1
    }
    return end
  }

  private mutating func finish(_ bulk: BulkReload, at now: Now) {
    outbox.releaseWaiting(bulk.address)
    let ids = bulk.receipts.map(\.id)
    if bulk.wait {
      defer { _ = receiptWaiters.letGo(ids, &engine) }
      do throws(RPCError) {
        try answer(
          bulk.address, bulk.about, receipts: ids, wait: true, entryOf: nil, at: now)
      } catch {
        outbox.refuse(bulk.address, error)
      }
      return
    }
    let named = receiptWaiters.letGo(ids, &engine)
    receiptWaiters.subscribe(bulk.address.connection, to: ids, &engine)
    guard bulk.address.id != nil else { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(bulk.texts.reduce(64) { $0 + $1.count + 1 })
    var result = SlicedObject("receipts", after: bulk.about, to: &bytes)
    for (index, made) in bulk.receipts.enumerated() {
      result.append(to: &bytes) {
        $0.raw(named[index] == made ? bulk.texts[index] : json(named[index]))
      }
    }
    result.close(to: &bytes)
    outbox.answerWhenDurable(bulk.address, bytes)
  }

  private func json(_ receipt: Receipt) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(160)
    JSONValue.object(engine.view(of: receipt)).write(into: &bytes)
    return bytes
  }
}
