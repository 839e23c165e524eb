/// A range of keys of a damaged table, both ends excluded, that the repair has not read yet.
///
/// A walk ends at a page that cannot be read, though there may be good pages behind it. A look-up
/// of a key in the middle of the range reaches those by another way down the tree, and walks on
/// from there.
struct KeyGap {
  /// The key before the range, as bytes that compare as the keys of the table do.
  var low: [UInt8]
  /// The key behind the range, in the same form.
  var high: [UInt8]

  /// A key about half way between the two; `nil` when there is none that eight bytes can tell
  /// apart.
  ///
  /// It keeps the bytes that both begin with, and takes the mean of the next eight bytes as a
  /// number.
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

  /// Turns a row's number into bytes that compare as the numbers do.
  static func bytes(of sequence: Int64) -> [UInt8] {
    let number = UInt64(bitPattern: sequence) ^ (1 << 63)
    return (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  /// Turns such bytes back into the row's number.
  static func sequence(of bytes: [UInt8]) -> Int64 {
    Int64(bitPattern: number(bytes, from: 0) ^ (1 << 63))
  }
}
