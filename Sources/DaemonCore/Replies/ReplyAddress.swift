package import JSONRPC

/// The destination of an answer: the client, the request, and the batch.
package struct ReplyAddress: Hashable, Sendable {
  package var connection: ConnectionID
  /// The id of the request; `nil` for a notification, which is not answered.
  package var id: RequestID?
  /// The batch that the answer is a part of; `nil`: none.
  package var batch: UInt64?
  /// The number of the request in `RememberedRequests`; `nil`: it came without a key.
  package var request: UInt64?
}
