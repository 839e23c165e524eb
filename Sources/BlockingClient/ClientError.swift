package import JSONRPC

/// Why the daemon gave no answer, or which answer it gave instead of a result.
package enum ClientError: Error, Hashable, Sendable {
  /// Nothing listens at `path`.
  case noDaemon(path: String)
  case cannotConnect(path: String, errno: Int32)
  case pathTooLong(path: String, bytesMax: Int)
  /// The connection ended before the answer.
  case connectionLost(path: String)
  /// The daemon took no more bytes before the deadline.
  case sendTimedOut
  /// No answer to `method` before the deadline. The request may still take effect.
  case answerTimedOut(method: String)
  /// The request is longer than a line may be.
  case requestTooLarge(bytes: Int, bytesMax: Int)
  /// What came back is not the protocol; `message` says what.
  case protocolViolation(message: String)
  /// The daemon refused.
  case refused(RPCError)
}
