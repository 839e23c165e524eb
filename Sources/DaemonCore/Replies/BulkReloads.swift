import IntentProtocol
import JSON
import JSONRPC
import WidgetCenter

/// A request for more reloads than one turn makes, and its progress.
struct BulkReload: Sendable {
  var address: ReplyAddress
  /// The widgets to reload; those that share a timeline follow each other.
  var ids: [String]
  /// The app that asked, as it was then; `nil`: a client that is no app.
  var app: HostApp?
  /// Why; `nil`: as `app` asks for each widget.
  var cause: ReloadCause?
  /// Members of the answer beside the receipts.
  var about: JSONObject
  var wait: Bool
  /// The index in `ids` of the first widget that was not reloaded yet.
  var next = 0
  var receipts: [Receipt] = []
  /// Each receipt as JSON; empty when the answer waits for the receipts' ends.
  var texts: [[UInt8]] = []
}

/// The bulk reloads under way, oldest first.
struct BulkReloads: Sendable {
  private var queue: [BulkReload] = []

  var isEmpty: Bool { queue.isEmpty }
  /// The clients that wait, one for each request.
  var connections: [ConnectionID] { addresses.map(\.connection) }
  /// The requests that wait.
  var addresses: [ReplyAddress] { queue.map(\.address) }

  /// Refuses a client that has `Limits.bulkReloadCountMax` bulk reloads under way.
  func checkMayBegin(_ connection: ConnectionID) throws(RPCError) {
    let count = queue.count { $0.address.connection == connection }
    guard count >= Limits.bulkReloadCountMax else { return }
    throw RPCError(
      .tooManyWaiting,
      "\(Limits.bulkReloadCountMax) requests of this connection for very many reloads are under way; let one finish",
      details: ["max": .int(Int64(Limits.bulkReloadCountMax))])
  }

  mutating func append(_ bulk: BulkReload) { queue.append(bulk) }

  /// Takes the oldest bulk reload out; the caller appends it again when it is not complete.
  mutating func takeFirst() -> BulkReload? { queue.isEmpty ? nil : queue.removeFirst() }
}
