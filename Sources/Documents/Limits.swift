/// The limits of one document.
///
/// A document that reaches a limit gets an issue that names the file.
enum Limits {
  /// Bytes of a YAML file, at most: ten times the largest that ships.
  static let documentBytesMax = 1 << 20
  /// Levels of nested lists and maps, at most.
  static let depthMax = 64
  /// Values in one document after its aliases are expanded, at most.
  ///
  /// Aliases of aliases grow exponentially while the file stays small.
  static let expandedNodesMax = 200_000
  /// Code points that a message quotes from the file, at most.
  static let quotedScalarsMax = 60
}
