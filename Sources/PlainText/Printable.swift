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
/// | a noncharacter, such as U+FFFF | a visible escape, `\u{FFFF}` |
/// | a bidi control: marks, embeddings, overrides, isolates | nothing |
/// | a zero-width, filler or tag character, a soft hyphen, interlinear annotation | nothing |
/// | a joiner or a variation selector | itself inside an emoji or where a script needs it, else nothing |
/// | tags behind a black flag | themselves in the flags of England, Scotland and Wales, else nothing |
/// | a combining mark | itself; nothing once `PlainTextLimits.combiningMarkCountMax` stand in a row |
///
/// Closed pairs of bidi controls go too: text is cut to the width of a column after this function,
/// and a cut would open them. Text from right to left still shows as such, since its letters say so.
/// An unassigned code point stays: it may be a letter or an emoji of a later Unicode than ours, and
/// a terminal draws a box for it. The result of a result is the same text. O(length).
package func printable(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  var printed = String.UnicodeScalarView()
  var judge = ScalarJudge()
  var hasCarriageReturn = false
  var rest = text.unicodeScalars[...]
  while let scalar = rest.first {
    switch judge.judge(rest) {
    case .plain: printed.append(scalar)
    case .space:
      // CR LF is one line break.
      if !(hasCarriageReturn && scalar == "\n") { printed.append(" ") }
      judge.noteWritten(" ")
    case .control:
      appendEscape(of: scalar, to: &printed)
      judge.noteWritten(printed.last)
    case .hidden: break
    }
    hasCarriageReturn = scalar == "\r"
    rest.removeFirst()
  }
  return String(printed)
}

/// Makes each line of `text` safe to print, and returns the lines.
package func printableLines(_ text: String) -> [String] {
  text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
    printable(String($0))
  }
}

/// Returns `text` as one line in which everything that `printable` replaces or removes is a visible
/// escape: `\x0A`, `\x1B`, `\u{202E}`.
///
/// For the log, whose reader wants to know what a name really is. O(length).
package func escaped(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  var escaped = String.UnicodeScalarView()
  var judge = ScalarJudge()
  var rest = text.unicodeScalars[...]
  while let scalar = rest.first {
    if judge.judge(rest) == .plain {
      escaped.append(scalar)
    } else {
      appendEscape(of: scalar, to: &escaped)
      judge.noteWritten(escaped.last)
    }
    rest.removeFirst()
  }
  return String(escaped)
}

/// Makes JSON safe to print on a terminal without changing its values.
///
/// JSON has its own escape for any character (`\u009B`), so nothing is lost: each character that
/// `printable` replaces or removes is written so, but for the line breaks between two values. A
/// JSON text has such characters in its strings alone. O(length).
package func printableJSON(_ json: String) -> String {
  if json.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A }) { return json }
  var safe = String.UnicodeScalarView()
  var judge = ScalarJudge()
  var rest = json.unicodeScalars[...]
  while let scalar = rest.first {
    if judge.judge(rest) == .plain {
      safe.append(scalar)
    } else if scalar == "\n" {
      safe.append(scalar)
      judge.noteWritten(scalar)
    } else {
      for unit in String(scalar).utf16 {
        safe.append(contentsOf: "\\u".unicodeScalars)
        safe.append(contentsOf: hexadecimal(UInt32(unit), digitsMin: 4, isUppercase: false))
      }
      judge.noteWritten(safe.last)
    }
    rest.removeFirst()
  }
  return String(safe)
}

/// Appends the visible escape of a scalar: `\x1B` below U+0100, else `\u{202E}`.
func appendEscape(of scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
  if scalar.value < 0x100 {
    text.append(contentsOf: "\\x".unicodeScalars)
    text.append(contentsOf: hexadecimal(scalar.value, digitsMin: 2, isUppercase: true))
  } else {
    text.append(contentsOf: "\\u{".unicodeScalars)
    text.append(contentsOf: hexadecimal(scalar.value, digitsMin: 4, isUppercase: true))
    text.append("}")
  }
}

private func hexadecimal(
  _ value: UInt32, digitsMin: Int, isUppercase: Bool
) -> String.UnicodeScalarView {
  let digits = String(value, radix: 16, uppercase: isUppercase)
  return (String(repeating: "0", count: max(0, digitsMin - digits.count)) + digits).unicodeScalars
}
