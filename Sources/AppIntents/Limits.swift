/// What this module takes and says at most.
enum Limits {
  /// Values that an error names for a person.
  static let namedValueCountMax = 8
}
