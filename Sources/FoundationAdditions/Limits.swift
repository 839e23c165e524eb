/// The limits of this module, each with its unit and reason.
enum Limits {
  /// Bytes of a group's name: the longest name of a file.
  static let groupNameBytesMax = 255
  /// Digits of a width or a precision in a format: a text of a translator, so nobody means more.
  static let formatDigitCountMax = 2
  /// Bytes of a file of translations, and of one of user defaults: larger ones are a mistake.
  static let fileBytesMax = 16 * 1_024 * 1_024
}
