import IntentProtocol
package import JSON
package import JSONRPC

/// A message from the daemon to a client.
package enum IncomingMessage: Hashable, Sendable {
  case result(id: RequestID, JSONValue)
  /// A refusal; `id` is `.null` when the daemon could not read the id of the refused request.
  case refusal(id: RequestID, RPCError)
  case notification(method: String, params: JSONValue)

  /// Parses one line; throws `.protocolViolation` if it is no message.
  package init(reading line: Span<UInt8>) throws(ClientError) {
    let envelope = Envelope(reading: line)
    switch envelope.kind {
    case .notification:
      let method =
        envelope.methodText
        ?? line.extracting(envelope.method).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      self = .notification(method: method, params: try Self.value(envelope.params, in: line))
    case .response:
      let id = envelope.id ?? .null
      guard let range = envelope.error else {
        self = .result(id: id, try Self.value(envelope.result, in: line))
        return
      }
      guard let error = RPCError(try Self.value(range, in: line)) else {
        throw .protocolViolation(message: "its error has no code and message")
      }
      self = .refusal(id: id, error)
    case .request, .batch:
      throw .protocolViolation(message: "it sent a request; only answers were expected")
    case .invalid(let error):
      throw .protocolViolation(message: error.message)
    }
  }

  private static func value(
    _ range: Range<Int>?, in line: Span<UInt8>
  ) throws(ClientError) -> JSONValue {
    guard let range else { return .null }
    do throws(JSONError) {
      return try JSONValue(parsing: line.extracting(range))
    } catch {
      throw .protocolViolation(message: error.message)
    }
  }
}

/// Reads messages from a socket, one after the other.
///
/// Belongs to one thread.
package struct MessageReader {
  private let socket: UnixSocket
  private var framer = LineFramer(frameBytesMax: Self.answerBytesMax)
  private var buffer = [UInt8](repeating: 0, count: 32 * 1024)
  /// The messages of the last reading, oldest first; those before `nextIndex` were returned.
  private var waiting: [Result<IncomingMessage, ClientError>] = []
  private var nextIndex = 0

  /// The largest answer, in bytes.
  ///
  /// The daemon never queues that much for one client, so a longer line is not the daemon's.
  package static let answerBytesMax = 64 * 1024 * 1024

  package init(_ socket: UnixSocket) { self.socket = socket }

  /// Returns the next message; `nil` if none came before `deadline`.
  ///
  /// Throws `.connectionLost` when the daemon closed the connection, and `.protocolViolation` for a
  /// line that is no message.
  package mutating func next(
    before deadline: MonotonicDeadline
  ) throws(ClientError) -> IncomingMessage? {
    while nextIndex == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      nextIndex = 0
      switch try socket.receive(into: &buffer, before: deadline) {
      case .timedOut: return nil
      case .ended: throw .connectionLost(path: socket.path)
      case .bytes(let count): take(count)
      }
    }
    nextIndex += 1
    return try waiting[nextIndex - 1].get()
  }

  /// Whether `next` would return without reading from the socket.
  package var hasWaiting: Bool { nextIndex < waiting.count }

  private mutating func take(_ count: Int) {
    var messages: [Result<IncomingMessage, ClientError>] = []
    // `buffer` is swapped out of `self`: `framer` cannot change while `self.buffer` is read.
    var bytes: [UInt8] = []
    swap(&bytes, &buffer)
    framer.feed(bytes.span.extracting(0..<count)) { line in
      do throws(ClientError) {
        messages.append(.success(try IncomingMessage(reading: line)))
      } catch {
        messages.append(.failure(error))
      }
    } oversized: {
      messages.append(
        .failure(.protocolViolation(message: "a line is longer than \(Self.answerBytesMax) bytes")))
    }
    swap(&bytes, &buffer)
    waiting += messages
  }
}

/// Returns a request as one line of the protocol, with its `\n`.
///
/// Throws `.requestTooLarge` beyond `WireLimits.frameBytesMax`, the most that the daemon takes.
package func requestLine(
  id: Int64, method: String, params: JSONValue?
) throws(ClientError) -> [UInt8] {
  var line: [UInt8] = []
  appendRequest(id: .integer(id), method: method, params: params, to: &line)
  guard line.count - 1 <= WireLimits.frameBytesMax else {
    throw .requestTooLarge(bytes: line.count - 1, bytesMax: WireLimits.frameBytesMax)
  }
  return line
}
