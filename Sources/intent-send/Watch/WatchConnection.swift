import BlockingClient
import IntentProtocol
import JSON
import JSONRPC

/// The connection of `intent-send watch`: requests are sent without waiting, answers come as they
/// come, so that a slow daemon never holds up the screen.
struct WatchConnection {
  /// A message of the daemon.
  enum Incoming {
    case attached(JSONValue)
    case updated(JSONValue)
    case status(JSONValue)
    /// A question about a link that waits for a yes.
    case question(JSONValue)
    /// A receipt of a reload that was asked for on this connection.
    case receipt(JSONValue)
    /// The answer to an action of the person, or its refusal.
    case done(WatchModel.Action, Result<JSONValue, RPCError>)
  }

  /// The purpose of a request.
  private enum Purpose {
    case attach, status
    case action(WatchModel.Action)
  }

  private let socket: UnixSocket
  private var reader: MessageReader
  private var lastID: Int64 = 0
  private var waiting: [Int64: Purpose] = [:]

  /// Milliseconds that the daemon may take to read a request.
  private static let sendMilliseconds: Int64 = 2_000

  /// Connects, and asks for the stack and for the mistakes of the configuration.
  init(connectingTo path: String) throws(ClientError) {
    socket = try UnixSocket(
      connectingTo: path, before: .after(milliseconds: Self.sendMilliseconds))
    reader = MessageReader(socket)
    var surface: JSONObject = ["stack": true, "configuration": true, "questions": true]
    surface["session"] = ownSession()
    try send(.surfaceAttach, surface, for: .attach)
    try send(.daemonStatus, [:], for: .status)
  }

  var descriptor: Int32 { socket.descriptor }

  /// Sends what an action asks the daemon for.
  mutating func send(_ action: WatchModel.Action) throws(ClientError) {
    switch action {
    case .tap(let id, let item):
      var params: JSONObject = ["id": .string(id)]
      params["item"] = item.map { .int($0) }
      try send(.widgetTap, params, for: .action(action))
    case .dismiss(let id): try send(.stackDismiss, ["id": .string(id)], for: .action(action))
    case .reload(let id): try send(.widgetReload, ["id": .string(id)], for: .action(action))
    case .reloadAll: try send(.widgetReloadAll, [:], for: .action(action))
    case .undo: try send(.widgetRestore, [:], for: .action(action))
    case .answer(let token, let isYes):
      try send(
        .intentSend,
        [
          "resume": .string(token), "choice": .string(isYes ? "yes" : "no"),
          "source": "intent-send",
        ], for: .action(action))
    case .quit, .suspend, .redraw: break
    }
  }

  /// Tells the daemon whether somebody can see the screen.
  mutating func setVisible(_ isVisible: Bool) throws(ClientError) {
    try send(.surfaceVisibility, ["visible": .bool(isVisible)], for: nil)
  }

  /// Returns the next message that has arrived; `nil` if there is none.
  mutating func next() throws(ClientError) -> Incoming? {
    while let message = try reader.next(before: .after(milliseconds: 0)) {
      switch message {
      case .notification(let method, let params):
        switch DaemonNotification(rawValue: method) {
        case .surfaceUpdate: return .updated(params)
        case .receiptUpdate: return .receipt(params["receipt"] ?? .null)
        // Like the status, it has the mistakes of the configuration.
        case .configurationUpdate: return .status(params)
        case .intentQuestion: return .question(params)
        case .appOpen, .appWidgetsChanged, .none: continue
        }
      case .result(let id, let value):
        if let incoming = try take(id, .success(value)) { return incoming }
      case .refusal(.null, let error): throw .refused(error)
      case .refusal(let id, let error):
        if let incoming = try take(id, .failure(error)) { return incoming }
      }
    }
    return nil
  }

  private mutating func take(
    _ id: RequestID, _ result: Result<JSONValue, RPCError>
  ) throws(ClientError) -> Incoming? {
    guard case .integer(let number) = id, let purpose = waiting.removeValue(forKey: number) else {
      return nil
    }
    switch (purpose, result) {
    case (.attach, .success(let value)): return .attached(value)
    case (.attach, .failure(let error)): throw .refused(error)
    case (.status, .success(let value)): return .status(value)
    case (.status, .failure): return nil
    case (.action(let action), let result): return .done(action, result)
    }
  }

  private mutating func send(
    _ method: Method, _ params: JSONObject, for purpose: Purpose?
  ) throws(ClientError) {
    lastID += 1
    waiting[lastID] = purpose
    try socket.send(
      requestLine(id: lastID, method: method.rawValue, params: .object(params)),
      before: .after(milliseconds: Self.sendMilliseconds))
  }
}
