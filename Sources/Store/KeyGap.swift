/// A stretch of keys of a damaged table, both ends excluded, of which nothing is known yet.
///
/// A page that cannot be read ends every walk that meets it. Behind it there may be good pages: a look-up
/// of a key in the middle of the stretch comes to them by another way, and walks on from there.
struct KeyGap {
  /// How keys compare in their table: byte by byte.
  var low: [UInt8]
  var high: [UInt8]

  /// A key between the two, about half way; `nil` when they are next to each other, as far as this can tell.
  ///
  /// What they have in common stays; the next eight bytes are taken as a number.
  var middle: [UInt8]? {
    let common = zip(low, high).prefix { $0 == $1 }.count
    let start = Self.number(low, from: common)
    let end = Self.number(high, from: common)
    guard end > start, end - start > 1 else { return nil }
    let number = start + (end - start) / 2
    let middle =
      high.prefix(common) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    return Array(middle)
  }

  private static func number(_ bytes: [UInt8], from start: Int) -> UInt64 {
    (start..<start + 8).reduce(0) { $0 << 8 | ($1 < bytes.count ? UInt64(bytes[$1]) : 0) }
  }

  /// A row's number as bytes that compare as numbers do.
  static func bytes(of sequence: Int64) -> [UInt8] {
    let number = UInt64(bitPattern: sequence) ^ (1 << 63)
    return (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  /// The other way round.
  static func sequence(of bytes: [UInt8]) -> Int64 {
    Int64(bitPattern: number(bytes, from: 0) ^ (1 << 63))
  }
}
