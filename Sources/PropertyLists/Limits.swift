/// The limits of one file.
///
/// A file that reaches a limit gets an issue that names it.
enum Limits {
  /// Bytes of a file, at most: ten times the largest that ships.
  static let documentBytesMax = 1 << 20
  /// Levels of nested lists and maps, at most.
  static let depthMax = 64
  /// Bytes of a text of a definition file, at most: those of a parameter's value.
  static let textBytesMax = 4_096
}
