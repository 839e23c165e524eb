/// The limits of a trial, most of them of one that is repeated at each save.
enum TrialLimits {
  /// Milliseconds between two looks at the files of a widget.
  static let watchMilliseconds: Int32 = 200
  /// Files of a widget that are looked at.
  static let watchedFileCountMax = 2_000
  /// Levels of folders below the manifest's that are looked into.
  static let watchedDepthMax = 3
  /// Runs in a row that change a file, after which the program is taken for the one that writes it.
  static let runsThatWriteMax = 3
  /// Bytes that a report shows of an answer that cannot be read.
  static let shownOutputBytesMax = 2_000
  /// Bytes of a program that is looked at to see what it is: one with debug information has 100 MB.
  static let programBytesMax = 1 << 29
  /// Items of which a report says what a tap does: more than a widget shows.
  static let shownTapCountMax = 32
}
