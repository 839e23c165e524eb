import DaemonCore
import JSON
import JSONRPC
import Timekeeping

/// One client of the daemon and the answers that it still expects.
///
/// When its connection ends, it connects again and goes on.
struct FakeClient: Sendable {
  enum Role: String, CaseIterable, Sendable { case shell, surface, host, producer, operatorTool }

  let role: Role
  var connection: ConnectionID?
  /// Whether it belongs to another user; the daemon must send it nothing.
  var isStranger = false
  /// Whether it sent bytes whose answer cannot be predicted.
  var isWild = false
  var isHalfClosed = false
  var isVanished = false
  /// The daemon asked to close the connection.
  var isClosing = false

  /// Chunks leave in order.
  var lastDeliveryAt = Instant(nanoseconds: 0)
  /// Chunks that arrived while the shell did not read from it.
  var held: [Chunk] = []
  var lastRequest = 0

  var outstanding: [RequestID: Outstanding] = [:]
  /// Requests that were answered: an answer to one of these is a second one.
  var answered: Set<RequestID> = []
  /// Lines that cannot be read are answered with id null.
  var nullAnswersExpected = 0

  /// The beginning of a long line, whose rest follows.
  var unfinished: [UInt8] = []

  var readsSlowly = false
  var queuedBytes = 0
  var isBackedUp = false
  /// Whether the daemon was told that the client does not read.
  var isKnownBackedUp = false

  /// The entries that a surface was told to show, by widget.
  var shown: [String: Shown] = [:]
  /// The widgets of the app that it registered as; `nil`: it is no app.
  private(set) var app: AppMirror?
  /// The latest request that registered it; the answer to an earlier one in a batch may come after
  /// it.
  private var appAsOf: UInt64 = 0
  /// Whether it ever asked for views; only then may it be sent one.
  private(set) var wantsViews = false
  var isSurface = false
  var isStack = false
  private(set) var isVisible = true
  /// The latest request that set the visibility.
  ///
  /// An answer to an earlier one, a long list, may come after it.
  private var visibleAsOf: UInt64 = 0

  struct Shown: Hashable, Sendable {
    /// As it was written.
    var content: [UInt8]?
    var isStale: Bool
    /// As it was written; `nil`: the entry has none, or the surface does not want it.
    var view: [UInt8]?
    /// `nil`: the surface says nothing of modes.
    var mode: String?
    var height: Int64?
  }

  struct Outstanding: Sendable {
    var method: String
    var claim: Ledger.Claim
    var sequence: UInt64
    var sentAt: Instant
    var params: JSONObject
  }

  init(role: Role) { self.role = role }

  /// Notes a request that it sends.
  mutating func noteSent(_ method: String, _ params: JSONObject) {
    guard method == "surface.attach" else { return }
    if params["wants"]?.arrayValue?.contains("view") == true { wantsViews = true }
  }

  mutating func noteVisibility(_ request: Outstanding) {
    guard request.sequence >= visibleAsOf else { return }
    visibleAsOf = request.sequence
    isVisible = request.params["visible"]?.boolValue ?? true
  }

  /// Takes the answer to a registration; `isInBatch`: it waited for others.
  mutating func noteRegistration(
    _ request: Outstanding, _ result: JSONValue, isInBatch: Bool
  ) {
    guard request.sequence >= appAsOf else { return }
    appAsOf = request.sequence
    app = AppMirror(result, isLate: isInBatch)
  }

  /// Takes an `app.widgetsChanged`.
  ///
  /// - Returns: a sentence about what is wrong with it; `nil`: nothing.
  mutating func takeAppChange(_ params: JSONValue) -> String? {
    guard let known = app?.app else { return nil }
    // It may be another app already, and the answer that says so waits for the others of its batch.
    let isChanging = outstanding.values.contains {
      $0.method == "app.register" && $0.params["app"] != .string(known)
    }
    if isChanging { app?.doubt() }
    if isChanging, params["app"] != .string(known) { return nil }
    return app?.take(params)
  }

  /// The connection is over: nothing is expected of it any more.
  mutating func forgetConnection() {
    let role = role
    let lastRequest = lastRequest
    self = FakeClient(role: role)
    self.lastRequest = lastRequest
  }
}

/// Bytes that reach the daemon at once, and the answers to expect for them.
package struct Chunk: Sendable {
  var bytes: [UInt8]
  var expectations: [Expectation] = []
}

/// The answer that a complete line entitles its sender to.
struct Expectation: Sendable {
  /// `nil`: an answer with id null.
  var id: RequestID?
  var method: String
  var claim: Ledger.Claim = .nothing
  var params: JSONObject = [:]
}
