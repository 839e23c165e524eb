/// The limits of an extension that is taken in.
package enum Limits {
  /// Files of an extension, at most: five times the largest known, with its assets.
  package static let fileCountMax = 10_000
  /// Bytes of a Swift file that is read for its imports, at most.
  package static let sourceBytesMax = 4 << 20
  /// Bytes of a file that is copied, at most: a widget has 30 MB of memory on iOS.
  package static let copyBytesMax = 32 << 20
  /// Folders inside each other, at most.
  package static let depthMax = 32
}
