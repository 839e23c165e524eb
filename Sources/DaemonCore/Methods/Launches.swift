import IntentProtocol
import JSON

/// An application that is being started, by the reason for its start.
enum PendingLaunch: Hashable, Sendable {
  /// A tap on a widget; its client waits for the answer.
  case tap(ReplyAddress, Tap)
  /// A callback of an `x-callback-url`; no client waits.
  ///
  /// `outcome` is its word in the journal.
  case callback(outcome: String)
}

/// What the person tapped.
struct Tap: Hashable, Sendable {
  var widget: String
  var kind: String
  /// The index of the item; `nil`: the widget itself.
  var item: Int64?
  /// The URL that is opened.
  var url: String?

  /// Returns the answer with the URL at its end.
  func answer(_ opened: JSONObject) -> JSONObject {
    var answer = opened
    answer["url"] = url.map { .string($0) }
    return answer
  }
}

/// The launches whose outcome has not arrived yet.
struct Launches: Sendable {
  private var pending: [LaunchToken: PendingLaunch] = [:]
  private var lastNumber: UInt64 = 0

  /// Begins a launch and numbers it.
  mutating func begin(_ launch: PendingLaunch) -> LaunchToken {
    lastNumber += 1
    let token = LaunchToken(lastNumber)
    pending[token] = launch
    return token
  }

  /// Ends a launch; `nil` when it is not awaited any more.
  mutating func end(_ token: LaunchToken) -> PendingLaunch? { pending.removeValue(forKey: token) }

  /// Takes all launches in the order in which they began.
  mutating func removeAll() -> [PendingLaunch] {
    let all = pending.sorted { $0.key.number < $1.key.number }.map(\.value)
    pending = [:]
    return all
  }

  /// The clients that wait, one for each tap.
  var connections: [ConnectionID] { addresses.map(\.connection) }

  /// The taps that wait.
  var addresses: [ReplyAddress] {
    pending.values.compactMap { launch in
      if case .tap(let address, _) = launch { address } else { nil }
    }
  }
}
