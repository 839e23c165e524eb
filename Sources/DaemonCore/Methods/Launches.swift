import IntentProtocol
import JSON

/// An application that is being started, by the reason for its start.
enum PendingLaunch: Hashable, Sendable {
  /// A tap on a widget; its client waits for the answer.
  case tap(ReplyAddress, Tap)
  /// The program of a click on a plugin; the client waits for the answer, unless another launch of
  /// the same tap gives it.
  case command(ReplyAddress?, Tap)
  /// A callback of an `x-callback-url`; no client waits.
  ///
  /// `outcome` is its word in the journal.
  case callback(outcome: String)
  /// The URL with which an intent answered that a program performed; no client waits.
  case performed(intent: String)
}

extension PendingLaunch {
  /// The client that waits for it; `nil`: none does.
  var address: ReplyAddress? {
    switch self {
    case .tap(let address, _): address
    case .command(let address, _): address
    case .callback, .performed: nil
    }
  }
}

/// What the person tapped.
struct Tap: Hashable, Sendable {
  var widget: String
  var kind: String
  /// The path to the item; empty: the widget itself.
  var item: [Int64] = []
  var button = 1
  /// The URL that is opened.
  var url: String?
  /// The program that is run.
  var program: String?
  /// The values that it sets; `nil`: it sets none.
  var set: JSONObject?
  /// The name of the intent that it sends.
  var intent: String?
  /// Whether a line is written to the standard input of the plugin, which stays running.
  var writesLine = false

  /// Returns the answer with the URL, the program and the line at its end.
  func answer(_ opened: JSONObject) -> JSONObject {
    var answer = opened
    answer["url"] = url.map { .string($0) }
    answer["program"] = program.map { .string($0) }
    if writesLine { answer["wrote"] = true }
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
  var addresses: [ReplyAddress] { pending.values.compactMap(\.address) }
}
