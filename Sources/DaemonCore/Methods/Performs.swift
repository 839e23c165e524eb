import IntentProtocol
import IntentRouter
import JSON
import WidgetCenter

/// An intent that a program performs now, and the request that waits for it.
struct PendingPerform: Sendable {
  var intent: Intent
  var origin: Daemon.Origin
  /// The kind whose program performs it.
  var kind: String
  /// Whether the request waits for the reloads behind it, too.
  var wait: Bool
  var address: ReplyAddress
  /// The intents performed before it, because each named the next.
  var earlier: [PerformedIntent] = []
}

/// The intents that programs perform now.
///
/// They live in memory, and each has a row in the store from before its run until after it. A row
/// that a start finds is that of an intent nobody knows the end of: the start says so, and performs
/// nothing again.
struct Performs: Sendable {
  private var pending: [RunToken: PendingPerform] = [:]
  /// The widgets whose buttons asked for what a start found unfinished.
  private var lostWidgets: [String] = []

  mutating func begin(_ token: RunToken, _ perform: PendingPerform) { pending[token] = perform }

  /// Ends a run; `nil`: nobody waits for it any more, or it is none of these.
  mutating func end(_ token: RunToken) -> PendingPerform? {
    pending.isEmpty ? nil : pending.removeValue(forKey: token)
  }

  /// Takes all of them, in the order of their runs.
  mutating func removeAll() -> [(token: RunToken, perform: PendingPerform)] {
    let all = pending.sorted { $0.key < $1.key }.map { (token: $0.key, perform: $0.value) }
    pending = [:]
    return all
  }

  mutating func noteLost(_ widget: String) {
    if !lostWidgets.contains(widget) { lostWidgets.append(widget) }
  }

  mutating func takeLostWidgets() -> [String] {
    defer { lostWidgets = [] }
    return lostWidgets
  }

  var isEmpty: Bool { pending.isEmpty }
  var tokens: Set<RunToken> { Set(pending.keys) }
  /// The clients that wait, one for each request.
  var connections: [ConnectionID] { addresses.map(\.connection) }
  /// The requests that wait.
  var addresses: [ReplyAddress] { pending.values.map(\.address) }

  func contains(_ token: RunToken) -> Bool { pending[token] != nil }
}

/// The end of an intent that a program performed, as the answer to its sender tells it.
struct PerformedIntent: Sendable {
  enum State: Sendable {
    case done
    /// It was not done, or its code says that it failed.
    case failed
    /// Nobody knows how much of it was done.
    case unknown
    /// It was sent to the widgets that show it, since no program performs it.
    case sent
  }

  var intent: Intent
  var kind: String?
  var state: State
  /// A sentence for the person, of one that is not done.
  var message: String?
  var dialog: String?
  var value: JSONValue?
  var url: String?
  /// `app` or `desktop`: who opens the URL; `nil`: nobody does.
  var opened: String?
  var warnings: [String] = []

  /// The members about this one alone.
  var view: JSONObject {
    var view: JSONObject = [:]
    view["kind"] = kind.map { .string($0) }
    view["state"] = .string("\(state)")
    view["message"] = message.map { .string($0) }
    view["dialog"] = dialog.map { .string($0) }
    view["value"] = value
    view["url"] = url.map { .string($0) }
    view["opened"] = opened.map { .string($0) }
    if !warnings.isEmpty { view["warnings"] = .array(warnings.map { .string($0) }) }
    return view
  }

  /// The member `performed` of an answer: the first, with those that followed it as `next`.
  static func view(of steps: [PerformedIntent]) -> JSONObject {
    var view = steps.first?.view ?? [:]
    let next = steps.dropFirst().map { step -> JSONValue in
      var members: JSONObject = ["intent": .object(step.intent.view)]
      members.members += step.view.members
      return .object(members)
    }
    if !next.isEmpty { view["next"] = .array(next) }
    return view
  }
}
