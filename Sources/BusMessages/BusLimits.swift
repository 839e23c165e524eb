/// The limits of what is read from a bus.
///
/// Everybody in the session can send messages, and an answer is as long as its sender wants.
package struct BusLimits: Hashable, Sendable {
  /// Containers in each other; D-Bus has 64 at most.
  package var depthMax = 16
  /// Values in one message.
  package var valueCountMax = 4_096
  /// Bytes of all texts of one message.
  package var bytesMax = 64 << 10

  package init() {}
}
