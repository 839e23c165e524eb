/// What a document may cost.
///
/// Reaching a limit is an issue that names the file, never silent growth.
enum Limits {
  /// Bytes of one YAML file.
  ///
  /// The largest file that ships is a tenth of this.
  static let documentBytesMax = 1 << 20
  /// Levels of lists and maps inside each other.
  static let depthMax = 64
  /// Values in one document after aliases are written out: an alias of an alias of an alias… grows
  /// exponentially while the file stays small.
  static let expandedNodesMax = 200_000
  /// Characters of a person's text that a message repeats.
  static let quotedCharactersMax = 60
}
