/// Limits that are part of the contract between daemon and clients (`docs/PROTOCOL.md`, Limits).
package enum WireLimits {
  /// Bytes in one incoming line, its newline not counted: a timeline of 1,440 entries fits with
  /// room.
  package static let frameBytesMax = 4 * 1024 * 1024
  /// Bytes that may wait for one client to read before its requests are refused and its updates
  /// held back.
  package static let queuedBytesMax = 1024 * 1024
  /// Messages in one batch.
  package static let batchCountMax = 1_000
  /// Entries in one timeline: one a minute for a day.
  package static let timelineEntryCountMax = 1_440
  /// Widgets that one request may remove: their timelines are kept for a while.
  package static let removedWidgetCountMax = 256
  /// Bytes of an idempotency key: room for a UUID, or for a name and a number.
  package static let idempotencyKeyBytesMax = 64
  /// Bytes of an activation token; compositors make some 40, X11's tools at most some 200.
  package static let activationTokenBytesMax = 512
  /// Bytes of a value in `session` of `surface.attach`: the longest path (PATH_MAX of Linux).
  package static let sessionValueBytesMax = 4_096
}
