/// The limits of one definition file; a file beyond them gets an issue.
enum Limits {
  /// Intents, enumerations, types, cases or codes of one list, at most: ten times the largest file
  /// known.
  static let listCountMax = 1_000
  /// Bytes of a name, at most: twice the longest known.
  static let nameBytesMax = 128
}
