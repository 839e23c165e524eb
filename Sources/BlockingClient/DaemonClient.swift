package import IntentProtocol
package import JSON
import JSONRPC

/// A connection on which one thread asks and waits for the answer.
///
/// Notifications that arrive meanwhile are kept, and handed out by `notification(before:)`.
package struct DaemonClient: ~Copyable {
  package let socket: UnixSocket
  private var reader: MessageReader
  private var lastID: Int64 = 0
  private var notifications: [(method: String, params: JSONValue)] = []

  /// Notifications kept while an answer is awaited; older ones go first.
  package static let notificationsKeptMax = 1_024

  package init(
    connectingTo path: String, timeoutMilliseconds: Int64 = 5_000
  ) throws(ClientError) {
    socket = try UnixSocket(
      connectingTo: path, before: .after(milliseconds: timeoutMilliseconds))
    reader = MessageReader(socket)
  }

  /// Sends `method` and waits for its result.
  package mutating func request(
    _ method: Method, _ params: JSONValue? = nil, timeoutMilliseconds: Int64
  ) throws(ClientError) -> JSONValue {
    try request(named: method.rawValue, params, timeoutMilliseconds: timeoutMilliseconds)
  }

  /// Sends a method by its name, known or not, and waits for its result.
  package mutating func request(
    named method: String, _ params: JSONValue? = nil, timeoutMilliseconds: Int64
  ) throws(ClientError) -> JSONValue {
    let deadline = MonotonicDeadline.after(milliseconds: timeoutMilliseconds)
    lastID += 1
    let id = RequestID.integer(lastID)
    let line = try requestLine(id: lastID, method: method, params: params)
    do throws(ClientError) {
      try socket.send(line, before: deadline)
    } catch .connectionLost {
      // The daemon may have said why before it closed: read on.
    }
    while let message = try reader.next(before: deadline) {
      switch message {
      case .result(id, let value): return value
      // Refusals without an id are about what was sent last: nothing else is under way.
      case .refusal(id, let error), .refusal(.null, let error): throw .refused(error)
      // Answers to requests that were given up.
      case .result, .refusal: continue
      case .notification(let method, let params):
        if notifications.count == Self.notificationsKeptMax { notifications.removeFirst() }
        notifications.append((method, params))
      }
    }
    throw .answerTimedOut(method: method)
  }

  /// The next notification; `nil` when none came before the deadline.
  package mutating func notification(
    before deadline: MonotonicDeadline
  ) throws(ClientError) -> (method: String, params: JSONValue)? {
    if !notifications.isEmpty { return notifications.removeFirst() }
    while let message = try reader.next(before: deadline) {
      switch message {
      case .notification(let method, let params): return (method, params)
      case .refusal(.null, let error): throw .refused(error)
      case .result, .refusal: continue
      }
    }
    return nil
  }

  /// Whether `notification` would return without waiting.
  package var hasNotification: Bool { !notifications.isEmpty || reader.hasWaiting }
}
