import BlockingClient
import JSONRPC

/// The reason why a call failed.
///
/// On iOS these calls hardly ever fail; here the daemon may not be running.
public enum WidgetCenterError: Error, Hashable, Sendable, LocalizedError {
  /// No daemon answers at `path`.
  case daemonUnavailable(path: String)
  /// Somebody else may be behind the socket: nothing was sent.
  ///
  /// `message` says who, and what to do.
  case untrustedSocket(message: String)
  /// The answer did not come in time.
  ///
  /// The request may still take effect.
  case timedOut
  /// The daemon refused the request, with the `code` and the `message` of the protocol.
  case refused(code: Int, message: String)
  /// The two sides do not speak the same protocol.
  case protocolViolation(message: String)

  /// A sentence for a person, lower case at the start, without a full stop.
  public var errorDescription: String? {
    switch self {
    case .daemonUnavailable(let path): "no daemon is listening on \(path)"
    case .untrustedSocket(let message): message
    case .timedOut: "the daemon did not answer in time"
    case .refused(_, let message): message
    case .protocolViolation(let message): "the daemon's answer cannot be read: \(message)"
    }
  }

  init(_ error: ClientError) {
    switch error {
    case .noDaemon(let path), .cannotConnect(let path, _), .pathTooLong(let path, _),
      .connectionLost(let path):
      self = .daemonUnavailable(path: path)
    case .notTrusted(let path, let doubt):
      self = .untrustedSocket(message: "\(doubt.message(path)); \(doubt.remedy)")
    case .sendTimedOut, .answerTimedOut: self = .timedOut
    case .requestTooLarge(let bytes, let bytesMax):
      self = .protocolViolation(
        message: "the request has \(bytes) bytes, \(bytesMax) is the most")
    case .protocolViolation(let message): self = .protocolViolation(message: message)
    case .refused(let error): self = .refused(code: error.code, message: error.message)
    }
  }
}
