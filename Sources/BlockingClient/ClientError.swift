package import JSONRPC

/// The reason why a request has no result: the daemon gave no answer, or it refused.
package enum ClientError: Error, Hashable, Sendable {
  /// Nothing listens at `path`.
  case noDaemon(path: String)
  /// The connection failed for another reason; `EAGAIN`: the daemon's queue of new connections was
  /// full until the deadline.
  case cannotConnect(path: String, errno: Int32)
  /// The path has more than the `bytesMax` bytes that the kernel takes.
  case pathTooLong(path: String, bytesMax: Int)
  /// Somebody else may be behind the socket at `path`: nothing was sent.
  case notTrusted(path: String, PeerDoubt)
  /// The connection ended before the answer.
  case connectionLost(path: String)
  /// The daemon did not read all bytes of the request before the deadline.
  ///
  /// It may have a part of the line, so the connection can take no other request.
  case sendTimedOut
  /// No answer to `method` came before the deadline.
  ///
  /// The request may still take effect.
  case answerTimedOut(method: String)
  /// The request has `bytes` bytes; a line of the protocol may have `bytesMax`.
  case requestTooLarge(bytes: Int, bytesMax: Int)
  /// The daemon sent a line that the protocol does not allow; `message` describes it.
  case protocolViolation(message: String)
  /// The daemon refused the request with this JSON-RPC error.
  case refused(RPCError)
}
