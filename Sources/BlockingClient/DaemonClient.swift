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
    let id = try send(method, params, before: deadline)
    guard let result = try answer(to: id, before: deadline) else {
      throw .answerTimedOut(method: method)
    }
    return result
  }

  /// Sends a method, and waits for its result as long as the daemon is there: for code of a program,
  /// whose time-out the daemon knows and keeps.
  ///
  /// After each `silenceMilliseconds` without the answer the daemon is asked for a sign of life,
  /// and has as long again to give it.
  package mutating func request(
    patiently method: String, _ params: JSONValue? = nil, silenceMilliseconds: Int64
  ) throws(ClientError) -> JSONValue {
    let id = try send(method, params, before: .after(milliseconds: silenceMilliseconds))
    while true {
      let deadline = MonotonicDeadline.after(milliseconds: silenceMilliseconds)
      if let result = try answer(to: id, before: deadline) { return result }
      let proof = MonotonicDeadline.after(milliseconds: silenceMilliseconds)
      let ping = try send(Method.daemonPing.rawValue, nil, before: proof)
      switch try answer(to: id, orSignOfLife: ping, before: proof) {
      case .answer(let result): return result
      case .alive: continue
      case .silence: throw .answerTimedOut(method: method)
      }
    }
  }

  private mutating func send(
    _ method: String, _ params: JSONValue?, before deadline: MonotonicDeadline
  ) throws(ClientError) -> RequestID {
    lastID += 1
    let line = try requestLine(id: lastID, method: method, params: params)
    do throws(ClientError) {
      try socket.send(line, before: deadline)
    } catch .connectionLost {
      // Read on: before it closed the connection, the daemon may have sent the reason.
    }
    return .integer(lastID)
  }

  private mutating func answer(
    to id: RequestID, before deadline: MonotonicDeadline
  ) throws(ClientError) -> JSONValue? {
    guard case .answer(let result) = try answer(to: id, orSignOfLife: nil, before: deadline)
    else { return nil }
    return result
  }

  private enum Waited {
    case answer(JSONValue)
    /// The daemon answered the ping, or refused it, and is still at the request.
    case alive
    case silence
  }

  private mutating func answer(
    to id: RequestID, orSignOfLife ping: RequestID?, before deadline: MonotonicDeadline
  ) throws(ClientError) -> Waited {
    while let message = try reader.next(before: deadline) {
      switch message {
      case .result(id, let value): return .answer(value)
      case .refusal(id, let error): throw .refused(error)
      case .refusal(.null, let error):
        // It answers the last line that was sent: the request, or the ping after it.
        guard ping == nil else { return .alive }
        throw .refused(error)
      case .result(let other, _), .refusal(let other, _):
        if other == ping { return .alive }
      // It answers an earlier request, whose caller stopped waiting.
      case .notification(let method, let params):
        if notifications.count == Self.notificationsKeptMax { notifications.removeFirst() }
        notifications.append((method, params))
      }
    }
    return .silence
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
