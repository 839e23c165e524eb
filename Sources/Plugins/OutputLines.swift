import PlainText

/// The lines of an output, cleaned and cut at the limits.
struct OutputLines {
  /// A line and its number, from 1.
  struct Line {
    var number: Int
    var text: String
  }

  private(set) var lines: [Line] = []

  /// Reads the lines of `output`; O(bytes).
  ///
  /// A carriage return before the end of a line is dropped, and bytes that are no UTF-8 are replaced;
  /// each change is told in `reading`.
  /// Lines are cut after `lineBytesMax` bytes.
  init(
    _ output: [UInt8], into reading: inout PluginReading,
    lineBytesMax: Int = PluginLimits.lineBytesMax
  ) {
    var number = 0
    for bytes in output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard number <= PluginLimits.lineCountMax else {
        // The part after the last line feed is no line.
        if number == PluginLimits.lineCountMax + 1, bytes.isEmpty { break }
        reading.warn(
          line: number, "only the first \(PluginLimits.lineCountMax) lines of an output are read")
        break
      }
      var part = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
      if part.count > lineBytesMax {
        reading.warn(
          line: number,
          "the line has \(part.count) bytes; it is cut after \(lineBytesMax)")
        part = part.prefix(lineBytesMax)
        // Do not cut a character in two.
        while let last = part.last, last & 0xc0 == 0x80 { part = part.dropLast() }
        if let last = part.last, last >= 0xc0 { part = part.dropLast() }
      }
      if part.contains(0) {
        reading.warn(line: number, "the line has NUL bytes, which are left out")
        part = ArraySlice(part.filter { $0 != 0 })
      }
      guard let text = String(validating: part, as: UTF8.self) else {
        reading.warn(line: number, "the line is not UTF-8; the bytes that are not are replaced")
        lines.append(Line(number: number, text: String(decoding: part, as: UTF8.self)))
        continue
      }
      lines.append(Line(number: number, text: text))
    }
    if lines.last?.text.isEmpty == true { lines.removeLast() }
  }
}
