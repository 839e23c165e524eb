/// The limits of printed text.
enum PlainTextLimits {
  /// Combining marks on one character; more would be drawn over the lines above and below.
  ///
  /// Written languages need six at most (Tibetan, Hebrew with its accents).
  static let combiningMarkCountMax = 8
}
