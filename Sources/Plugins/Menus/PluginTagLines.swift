/// The lines of a plugin's file that have tags, with their numbers.
///
/// A file may be a program of a megabyte. Only these lines of it are kept.
package struct PluginTagLines: Hashable, Sendable {
  /// The lines, each with a line break behind it; at most `PluginLimits.tagLinesBytesMax` bytes.
  package var text = ""
  /// The number of each line in its file, from 1.
  package var numbers: [Int] = []

  package init() {}

  /// Finds the lines with the beginning of a tag of xbar, BitBar or SwiftBar.
  ///
  /// In any case of letters, as the reader of tags has them. A line that does not fit any more is
  /// left out; a shorter one behind it may still fit. O(bytes).
  package init(in bytes: [UInt8]) {
    var kept: [UInt8] = []
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard Self.hasTag(line), kept.count + line.count < PluginLimits.tagLinesBytesMax else {
        continue
      }
      kept += line
      kept.append(UInt8(ascii: "\n"))
      numbers.append(number)
    }
    text = String(decoding: kept, as: UTF8.self)
  }

  private static let openings = TagText.prefixes.map { Array("<\($0)".utf8) }

  private static func hasTag(_ line: ArraySlice<UInt8>) -> Bool {
    var rest = line
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if openings.contains(where: { rest.starts(with: $0, by: Self.isLetter) }) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Returns whether a byte of a file is the lower-case one of an opening, in either case.
  private static func isLetter(_ byte: UInt8, _ lower: UInt8) -> Bool {
    byte == lower || ((65...90).contains(byte) && byte + 32 == lower)
  }
}
