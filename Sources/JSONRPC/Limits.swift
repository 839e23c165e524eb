/// The limits of the wire, with unit and reason.
package enum RPCLimits {
  /// Messages in one batch.
  ///
  /// Each of a few bytes may cost an answer of a hundred: without a limit, one
  /// frame of `[1,1,1…]` would make an answer fifty times its size.
  package static let batchElementsMax = 1024

  /// Bytes a framer keeps reserved between lines.
  ///
  /// A connection that once sent a frame of megabytes
  /// gives the memory back; a thousand connections keep 16 MiB.
  package static let frameBytesKept = 16 * 1024
}
