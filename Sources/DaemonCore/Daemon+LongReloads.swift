import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// A request for more reloads than one turn makes, and how far it is.
struct LongReload: Sendable {
  var address: ReplyAddress
  /// Widgets that share a timeline follow each other.
  var ids: [String]
  var cause: ReloadCause
  /// What the answer says beside the receipts.
  var about: JSONObject
  var wait: Bool
  var next = 0
  var receipts: [Receipt] = []
  /// Each receipt as JSON; none when the answer waits for their ends.
  var texts: [[UInt8]] = []
}

/// `reloadAll` of very many widgets: receipts are made in slices, one a turn, and named in one answer.
///
/// The answer says what the receipts have become by then, and updates about them follow it: nobody hears of a receipt
/// that was not named to them. Widgets of one timeline stay in one slice, since they share a run.
extension Daemon {
  /// Whether so many reloads take turns.
  func takesTurns(reloads count: Int) -> Bool { count > options.widgetsInPieceMax }

  mutating func beginLongReload(
    _ ids: [String], _ cause: ReloadCause, about: JSONObject, wait: Bool, _ address: ReplyAddress
  ) throws(RPCError) {
    guard
      longReloads.count(where: { $0.address.connection == address.connection })
        < Limits.longReloadCountMax
    else {
      throw RPCError(
        .tooManyWaiting,
        "\(Limits.longReloadCountMax) requests of this connection for very many reloads are under way; let one finish",
        details: ["max": .int(Int64(Limits.longReloadCountMax))])
    }
    try reserveWaiting(address)
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
    longReloads.append(
      LongReload(
        address: address, ids: groups.flatMap { $0 }, cause: cause, about: about, wait: wait))
  }

  /// Makes the next receipts; of several such requests each has its turn.
  mutating func continueLongReloads(at now: Now, into effects: inout [Effect]) {
    guard phase == .running, !longReloads.isEmpty else { return }
    var long = longReloads.removeFirst()
    var output = EngineOutput()
    let end = endOfSlice(long)
    while long.next < end {
      let id = long.ids[long.next]
      long.next += 1
      do throws(WidgetError) {
        let receipt = try engine.requestReload(
          of: id, cause: long.cause, at: now.wall, into: &output)
        long.receipts.append(receipt)
        holdForAnswer([receipt.id])
        if !long.wait { long.texts.append(json(receipt)) }
      } catch {
        // It was removed meanwhile.
      }
    }
    engine.advance(at: now, into: &output)
    take(output, at: now, into: &effects)
    if long.next < long.ids.count {
      longReloads.append(long)
    } else {
      finish(long, at: now)
    }
  }

  /// The daemon leaves: what was asked for and not begun is refused.
  mutating func endLongReloads(_ refusal: RPCError) {
    for long in longReloads {
      releaseWaiting(long.address)
      refuse(long.address, refusal)
    }
    longReloads = []
  }

  private func endOfSlice(_ long: LongReload) -> Int {
    var end = min(long.ids.count, long.next + options.widgetsInPieceMax)
    while end < long.ids.count,
      engine.widgets[long.ids[end]]?.timelineKey == engine.widgets[long.ids[end - 1]]?.timelineKey
    {
      end += 1
    }
    return end
  }

  private mutating func finish(_ long: LongReload, at now: Now) {
    releaseWaiting(long.address)
    let ids = long.receipts.map(\.id)
    if long.wait {
      defer { _ = stopAwaiting(ids) }
      do throws(RPCError) {
        try answer(
          long.address, long.about, receipts: ids, wait: true, entryOf: nil, at: now)
      } catch {
        refuse(long.address, error)
      }
      return
    }
    let named = stopAwaiting(ids)
    own(ids, long.address)
    guard long.address.id != nil else { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(long.texts.reduce(64) { $0 + $1.count + 1 })
    var about = long.about
    about["receipts"] = []
    JSONValue.object(about).write(into: &bytes)
    // The list and the object end again behind it.
    bytes.removeLast(2)
    for (index, made) in long.receipts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += named[index] == made ? long.texts[index] : json(named[index])
    }
    bytes += [UInt8(ascii: "]"), UInt8(ascii: "}")]
    answerWhenDurable(long.address, json: bytes)
  }

  private func json(_ receipt: Receipt) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(160)
    JSONValue.object(engine.view(of: receipt)).write(into: &bytes)
    return bytes
  }
}
