import IntentProtocol
package import JSON
package import JSONRPC

/// What a client may receive.
package enum IncomingMessage: Hashable, Sendable {
  case result(id: RequestID, JSONValue)
  /// `id` is `.null` when the daemon could not tell which request it refuses.
  case refusal(id: RequestID, RPCError)
  case notification(method: String, params: JSONValue)

  /// Reads one line.
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

/// Reads messages off a socket, one after the other.
///
/// Belongs to one thread.
package struct MessageReader {
  private let socket: UnixSocket
  private var framer = LineFramer(frameBytesMax: Self.answerBytesMax)
  private var buffer = [UInt8](repeating: 0, count: 32 * 1024)
  /// Read and not asked for yet, oldest first.
  private var waiting: [Result<IncomingMessage, ClientError>] = []
  private var nextIndex = 0

  /// Bytes in one answer.
  ///
  /// The daemon holds back what goes past its queue; this is far beyond that.
  package static let answerBytesMax = 64 * 1024 * 1024

  package init(_ socket: UnixSocket) { self.socket = socket }

  /// The next message.
  ///
  /// `nil` when none came before `deadline`. Throws `.connectionLost` when the daemon closed the
  /// connection, and `.protocolViolation` for a line that is no message.
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

  /// Whether `next` would return without looking at the socket.
  package var hasWaiting: Bool { nextIndex < waiting.count }

  private mutating func take(_ count: Int) {
    var messages: [Result<IncomingMessage, ClientError>] = []
    // Taken out meanwhile: the framer and the buffer are both parts of `self`.
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

/// Appends `method` as one line, unless it is longer than the daemon reads.
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
