/// The limits of this module, each with its unit and reason.
enum Limits {
  /// Seconds for which a moment is relevant: WidgetKit does not say, and an hour is a visit.
  static let relevantMomentSeconds: Double = 3_600
  /// Seconds after the end of the input in which answers that are due may still come.
  static let farewellSeconds: Double = 30
  /// Bytes of a request; the daemon sends no longer frame.
  static let requestBytesMax = 4 * 1_024 * 1_024
  /// Bytes that are read from the input at once.
  static let readBytes = 64 * 1_024
  /// Bytes of the picture of an entry, for light and dark together, as the daemon takes it.
  static let pictureBytesMax = 64 * 1_024
  /// Bytes of the pictures of a timeline: half of what an answer may have.
  static let picturesBytesMax = 2 * 1_024 * 1_024
  /// Values of a list for sentences; an app has more songs than anybody says.
  static let listValueCountMax = 10_000
  /// Columns of a terminal that does not say how many it has.
  static let terminalColumns = 80
  /// Options of a parameter that are answered; the daemon takes no more.
  static let optionCountMax = 1_000
  /// Configurations that a manifest tells of, at most: a person reads them.
  static let recommendationCountMax = 16
  /// Values that an error names for a person.
  static let namedValueCountMax = 8
}
