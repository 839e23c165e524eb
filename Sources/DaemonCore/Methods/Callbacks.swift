import IntentRouter
import Timekeeping
import WidgetCenter

/// The app to call back and its URLs, decided before the intent is handled.
struct CallbackTicket: Hashable, Sendable {
  enum Target: Hashable, Sendable {
    /// The app that asks, through its connection or its desktop entry.
    case application(String)
    /// The app that the person chose for the callback's scheme.
    case chosen
  }

  var target: Target
  var success: ProfiledURL?
  var error: ProfiledURL?
  var cancel: ProfiledURL?
  /// Lets the app that is called back take the focus; `nil`: the client has none.
  var activationToken: String?
}

/// The outcome of an intent, which decides the one callback that is opened.
enum CallbackOutcome: Hashable, Sendable {
  case success([ProfiledURL.QueryItem])
  case error(code: Int, message: String)
  case cancel

  var name: String {
    switch self {
    case .success: "success"
    case .error: "error"
    case .cancel: "cancel"
    }
  }
}

/// A callback that waits for the reloads of its intent.
struct PendingCallback: Hashable, Sendable {
  var ticket: CallbackTicket
  var intent: String
  var receipts: [ReceiptID]
  /// The widget whose entry is the result; `nil`: there is none.
  var widget: String?
}

/// The callbacks that wait, and the pace of the actions that links trigger.
struct Callbacks: Sendable {
  /// The callbacks that wait, in the order of their requests, at most `Limits.callbackCountMax`.
  private var pending: [PendingCallback] = []
  private var pacing = Pacing(interval: Limits.linkInterval, burst: Limits.linkBurst)
  /// The pace of reloads by URLs of plugin hosts.
  private var pluginPacing = Pacing(interval: Limits.linkInterval, burst: Limits.linkBurst)

  var isEmpty: Bool { pending.isEmpty }

  /// Returns whether one more callback may be requested now; each call takes a token of the pace.
  mutating func mayAdd(at now: Instant) -> Bool {
    pending.count < Limits.callbackCountMax && pacing.take(at: now)
  }

  mutating func add(_ callback: PendingCallback) { pending.append(callback) }

  /// Takes all callbacks in their order; those that still wait go back with `add`.
  mutating func removeAll() -> [PendingCallback] {
    let all = pending
    pending = []
    return all
  }

  /// Drops the callbacks of requests that the restored engine knows nothing of.
  mutating func startOver(_ engine: borrowing WidgetEngine) {
    var kept: [PendingCallback] = []
    for callback in pending {
      var isKnown = true
      for id in callback.receipts where engine.receipts[id] == nil { isKnown = false }
      if isKnown { kept.append(callback) }
    }
    pending = kept
  }

  /// Returns whether a plugin host's URL may reload now; each call takes a token of the pace.
  mutating func pacePlugins(at now: Instant) -> Bool { pluginPacing.take(at: now) }

  /// Returns sentences about callbacks beyond the limit, and callbacks that no receipt will settle.
  func checkInvariants(_ engine: borrowing WidgetEngine) -> [String] {
    var wrong: [String] = []
    if pending.count > Limits.callbackCountMax {
      wrong.append("\(pending.count) callbacks wait, of \(Limits.callbackCountMax) at most")
    }
    for callback in pending {
      var isUnderWay = false
      for id in callback.receipts where engine.leader(of: id)?.state == .accepted {
        isUnderWay = true
      }
      if !isUnderWay { wrong.append("a callback waits for receipts that will not call it") }
    }
    return wrong
  }
}
