/// Makes `text` safe to print, as one line of a terminal, a log or a bar.
///
/// Titles, texts, errors, file names and ids come from providers, manifests and other programs,
/// which are not trusted. All that we print of them goes through this function. It leaves nothing
/// that steers a terminal, reorders other text or hides in it:
///
/// | in the text | becomes |
/// |---|---|
/// | a line break (also CR LF, VT, FF, NEL, U+2028, U+2029), a tab | one space |
/// | any other control character: C0, DEL, C1 | a visible escape, `\x1B` |
/// | a bidi control: marks, embeddings, overrides, isolates | nothing |
/// | a zero-width, filler or tag character, a soft hyphen | nothing |
/// | a joiner or a variation selector | itself inside an emoji or where a script needs it, else nothing |
/// | a combining mark | itself; nothing once `PlainTextLimits.combiningMarkCountMax` stand in a row |
///
/// Closed pairs of bidi controls go too: text is cut to the width of a column after this function,
/// and a cut would open them. Text from right to left still shows as such, since its letters say so.
/// The result of a result is the same text. O(length).
package func printable(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  var filter = PrintableFilter()
  for scalar in text.unicodeScalars { filter.take(scalar) }
  return filter.end()
}

/// Makes each line of `text` safe to print, and returns the lines.
package func printableLines(_ text: String) -> [String] {
  text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
    printable(String($0))
  }
}

/// Makes JSON safe to print on a terminal without changing its values.
///
/// JSON has its own escape for any character (`\u009B`), so nothing is lost: DEL, the controls of
/// C1, line separators and bidi controls are written so. A JSON text has them in its strings alone,
/// and those of C0 are escaped anyway. O(length).
package func printableJSON(_ json: String) -> String {
  func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
  guard json.unicodeScalars.contains(where: steers) else { return json }
  var safe = String.UnicodeScalarView()
  for scalar in json.unicodeScalars {
    guard steers(scalar) else {
      safe.append(scalar)
      continue
    }
    let digits = String(scalar.value, radix: 16)
    let zeros = String(repeating: "0", count: 4 - digits.count)
    safe.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
  }
  return String(safe)
}

/// Passes the scalars of one text that may be printed, in order.
private struct PrintableFilter {
  private var kept = String.UnicodeScalarView()
  /// The last scalar that was kept, and whether it can be followed by a joiner or a selector.
  private var last: Unicode.Scalar?
  private var markCount = 0
  private var hasCarriageReturn = false

  mutating func take(_ scalar: Unicode.Scalar) {
    let endsLine = hasCarriageReturn
    hasCarriageReturn = scalar == "\r"
    switch scalar.value {
    case 0x20..<0x7F: keep(scalar)
    case 0x0A where endsLine: break
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: keep(" ")
    case ..<0x20, 0x7F..<0xA0: escape(scalar)
    default: takeWide(scalar)
    }
  }

  mutating func end() -> String {
    // A joiner joins the scalar before it to one behind it; at the end there is none.
    while let joiner = kept.last, joiner == .zeroWidthJoiner || joiner == .zeroWidthNonJoiner {
      kept.removeLast()
    }
    return String(kept)
  }

  /// Takes a scalar beyond ASCII and C1.
  private mutating func takeWide(_ scalar: Unicode.Scalar) {
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint {
      if mayFollowLast(scalar) { keep(scalar) }
      return
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark:
      guard markCount < PlainTextLimits.combiningMarkCountMax else { return }
      markCount += 1
      kept.append(scalar)
      last = scalar
    case .format:
      // The number signs of Arabic and their like have a shape; other format characters have none.
      if scalar.isPrependedSign { keep(scalar) }
    default: keep(scalar)
    }
  }

  /// Returns whether an invisible character belongs to the character before it.
  private func mayFollowLast(_ scalar: Unicode.Scalar) -> Bool {
    guard let last else { return false }
    switch scalar.value {
    case 0x200D: return last.isPictorial || last.isVirama
    case 0x200C: return last.isVirama || last.isCursive
    case 0xFE00...0xFE0F: return !last.properties.isDefaultIgnorableCodePoint && last != " "
    case 0xE0100...0xE01EF: return last.properties.isIdeographic
    case 0x180B...0x180D, 0x180F: return (0x1820...0x18AA).contains(last.value)
    default: return false
    }
  }

  private mutating func keep(_ scalar: Unicode.Scalar) {
    kept.append(scalar)
    last = scalar
    markCount = 0
  }

  /// Writes a control character as `\x` and two digits.
  private mutating func escape(_ scalar: Unicode.Scalar) {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    for visible in "\\x".unicodeScalars { keep(visible) }
    keep(digits[Int(scalar.value >> 4)])
    keep(digits[Int(scalar.value & 15)])
  }
}

extension Unicode.Scalar {
  fileprivate static let zeroWidthNonJoiner: Unicode.Scalar = "\u{200C}"
  fileprivate static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"

  /// Whether a joiner behind it makes one emoji of two.
  fileprivate var isPictorial: Bool {
    value == 0xFE0F || value > 0xFF && (properties.isEmoji || properties.isEmojiModifier)
  }

  /// Whether it is a virama, behind which joiners choose the form of the letters.
  fileprivate var isVirama: Bool { properties.canonicalCombiningClass == .virama }

  /// Whether it is of a script whose letters join, where a non-joiner separates them.
  fileprivate var isCursive: Bool {
    switch value {
    case 0x0600...0x08FF, 0x1800...0x18AF, 0xFB50...0xFDFF, 0xFE70...0xFEFC: true
    default: false
    }
  }

  /// Whether it is a format character that is drawn: a sign before Arabic, Syriac or Kaithi digits.
  fileprivate var isPrependedSign: Bool {
    switch value {
    case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: true
    default: false
    }
  }
}
