/// The bytes of JSON's grammar, by name.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let plus: UInt8 = 0x2B
  static let comma: UInt8 = 0x2C
  static let minus: UInt8 = 0x2D
  static let dot: UInt8 = 0x2E
  static let slash: UInt8 = 0x2F
  static let zero: UInt8 = 0x30
  static let nine: UInt8 = 0x39
  static let colon: UInt8 = 0x3A
  static let upperE: UInt8 = 0x45
  static let openBracket: UInt8 = 0x5B
  static let backslash: UInt8 = 0x5C
  static let closeBracket: UInt8 = 0x5D
  static let lowerB: UInt8 = 0x62
  static let lowerE: UInt8 = 0x65
  static let lowerF: UInt8 = 0x66
  static let lowerN: UInt8 = 0x6E
  static let lowerR: UInt8 = 0x72
  static let lowerT: UInt8 = 0x74
  static let lowerU: UInt8 = 0x75
  static let openBrace: UInt8 = 0x7B
  static let closeBrace: UInt8 = 0x7D
}

/// Eight bytes at a time: tests on a word that holds eight characters.
///
/// The classic carry trick: `(x - 0x01…) & ~x` has the top bit of each byte that was zero. A borrow
/// can set wrong bits only *above* a right one, so the lowest set bit is always exact.
enum EightBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }

  /// Marks `"`, `\` and control characters; the lowest mark is exact.
  @inline(__always)
  static func needingEscape(_ word: UInt64) -> UInt64 {
    let quotes = zeroBytes(word ^ (ones &* UInt64(ASCII.quote)))
    let backslashes = zeroBytes(word ^ (ones &* UInt64(ASCII.backslash)))
    let controls = (word &- (ones &* UInt64(ASCII.space))) & ~word
    return (quotes | backslashes | controls) & tops
  }

  /// Marks the bytes that `needingEscape` marks, and every byte outside ASCII.
  @inline(__always)
  static func endingPlainRun(_ word: UInt64) -> UInt64 {
    needingEscape(word) | (word & tops)
  }
}
