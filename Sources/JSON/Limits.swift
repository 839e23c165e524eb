/// Limits of what is said about documents and requests.
enum Limits {
  /// UTF-8 bytes of an issue's message, and of what was expected: a key or a value that a message
  /// names may be as long as its file.
  static let issueTextBytesMax = 4_096
  /// Issues of one file that are told: a file may have as many mistakes as lines.
  static let issueCountOfFileMax = 100
  /// Languages of a text in a document.
  static let languageOfTextCountMax = 32
  /// Scalars of a text that a message quotes.
  static let quotedScalarsMax = 80
  /// Values of an intent that a question names.
  static let questionValuesMax = 8
}
