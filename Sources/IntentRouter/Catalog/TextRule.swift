/// Refuses texts that trap a reader: a person, a terminal, or the program that gets the text.
///
/// A value reaches providers, which are often scripts. A page can put one into a link, a program
/// into a list. So every value that says what an intent is about keeps these rules, whoever gave it.
package enum TextRule {
  /// The problem of a text with characters that cannot be seen, or that change how the text around
  /// them is read; `nil` when it has none.
  ///
  /// Follows the name of what has it: "has the invisible character U+202E; …".
  package static func invisible(in text: String) -> String? {
    guard let found = text.unicodeScalars.first(where: isInvisible) else { return nil }
    guard found.value != 0xFFFD else {
      return "has bytes that are no UTF-8 (U+FFFD); write it in UTF-8"
    }
    return
      "has the invisible character U+\(hexadecimal(found.value, digits: 4)); letters, digits, signs and spaces of one line are accepted"
  }

  /// The problem of a text that a program could take for something else than a value: an option, as
  /// `--help`, or a path out of its folder, as `../../etc`; `nil` when it has none.
  ///
  /// A minus before anything but a letter or another minus is accepted (`-5`), as are dots that are
  /// no step of a path (`wait...`).
  package static func treachery(in text: String) -> String? {
    let bytes = text.utf8
    if bytes.first == UInt8(ascii: "-"), let second = bytes.dropFirst().first,
      second == UInt8(ascii: "-") || (second | 0x20) &- 0x61 < 26
    {
      return
        "begins as an option of a program does ('\(text.prefix(20))'); a text that does not begin with '--', nor with '-' and a letter, is accepted"
    }
    guard hasDots(bytes) else { return nil }
    let steps = text.split(whereSeparator: { $0 == "/" || $0 == "\\" })
    guard steps.contains("..") else { return nil }
    return
      "leads out of a folder ('\(text.prefix(20))'); a text without the step '..' is accepted"
  }

  private static func hasDots(_ bytes: String.UTF8View) -> Bool {
    var wasDot = false
    for byte in bytes {
      let isDot = byte == UInt8(ascii: ".")
      if isDot, wasDot { return true }
      wasDot = isDot
    }
    return false
  }

  /// Controls, line separators, overrides and isolates of direction, tags, the byte order mark, and
  /// the mark of bytes that were no UTF-8.
  ///
  /// Joiners and the marks U+200E and U+200F stay: Persian, Hindi and emoji need them.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB, 0xFFFD,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}
