package import IntentProtocol
package import JSON
import JSONRPC

/// A connection on which one thread sends a request and waits for its answer.
///
/// Notifications that arrive during the wait are kept; `notification(before:)` returns them.
package struct DaemonClient: ~Copyable {
  package let socket: UnixSocket
  private var reader: MessageReader
  private var lastID: Int64 = 0
  private var notifications: [(method: String, params: JSONValue)] = []

  /// The largest number of notifications that are kept; beyond it the oldest is dropped.
  package static let notificationsKeptMax = 1_024

  /// Connects, as `UnixSocket` does.
  ///
  /// The timeout matters only while the daemon's queue of new connections is full; five seconds are
  /// longer than any turn of a daemon that works.
  package init(
    connectingTo path: String, timeoutMilliseconds: Int64 = 5_000
  ) throws(ClientError) {
    socket = try UnixSocket(
      connectingTo: path, before: .after(milliseconds: timeoutMilliseconds))
    reader = MessageReader(socket)
  }

  /// Sends `method` and returns its result.
  ///
  /// The timeout holds for sending and waiting together. After `.sendTimedOut`, close the
  /// connection.
  package mutating func request(
    _ method: Method, _ params: JSONValue? = nil, timeoutMilliseconds: Int64
  ) throws(ClientError) -> JSONValue {
    try request(named: method.rawValue, params, timeoutMilliseconds: timeoutMilliseconds)
  }

  /// Sends a method by its name, whether or not this client knows it, and returns its result.
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
      // Read on: before it closed the connection, the daemon may have sent the reason.
    }
    while let message = try reader.next(before: deadline) {
      switch message {
      case .result(id, let value): return value
      // A refusal without an id answers this request: the client sends one request at a time.
      case .refusal(id, let error), .refusal(.null, let error): throw .refused(error)
      // These answer earlier requests, whose callers stopped waiting.
      case .result, .refusal: continue
      case .notification(let method, let params):
        if notifications.count == Self.notificationsKeptMax { notifications.removeFirst() }
        notifications.append((method, params))
      }
    }
    throw .answerTimedOut(method: method)
  }

  /// Returns the next notification; `nil` if none came before the deadline.
  ///
  /// Throws `.refused` if the daemon refuses the connection, which it says without an id.
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
