/// Makes `text` safe to print, as one line of a terminal, a log or a bar.
///
/// Titles, texts, errors, file names and ids come from providers, manifests and other programs,
/// which are not trusted. All that we print of them goes through this function; `escaped` does the
/// same for the log, and `printableJSON` for JSON. It leaves nothing that steers a terminal,
/// reorders other text or hides in it:
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
/// and a cut would open them. Text from right to left still shows as such, since its letters say
/// so. An unassigned code point stays: it may be a letter or an emoji of a later Unicode than ours,
/// and a terminal draws a box for it. The result of a result is the same text. O(length).
package func printable(_ text: String) -> String {
  rewritten(text) { rest, verdict, printed in
    guard let scalar = rest.first else { return 0 }
    switch verdict {
    case .plain, .hidden: break
    case .space: printed += " "
    case .control: printed += visibleEscape(of: scalar)
    }
    // CR LF is one line break.
    return scalar == "\r" && rest.dropFirst().first == "\n" ? 2 : 1
  }
}

/// Makes each line of `text` safe to print, and returns the lines, empty ones too.
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
  rewritten(text) { rest, _, escaped in
    if let scalar = rest.first { escaped += visibleEscape(of: scalar) }
    return 1
  }
}

/// Makes JSON safe to print on a terminal without changing its values.
///
/// JSON has its own escape for any character (`\u009B`), so nothing is lost: each character that
/// `printable` replaces or removes is written so. Line feeds stay, since they stand between two
/// values. `json` is as `JSON` writes it, with every other such character inside a string; a tab or
/// a carriage return between two values would become an escape there, which is no JSON. O(length).
package func printableJSON(_ json: String) -> String {
  rewritten(json) { rest, _, safe in
    guard let scalar = rest.first else { return 0 }
    if scalar == "\n" {
      safe += "\n"
    } else {
      for unit in String(scalar).utf16 { safe += "\\u" + hexadecimal(UInt32(unit), digitsMin: 4) }
    }
    return 1
  }
}

/// Returns the visible escape of a scalar: `\x1B` below U+0100, else `\u{202E}`.
func visibleEscape(of scalar: Unicode.Scalar) -> String {
  let isShort = scalar.value < 0x100
  let digits = hexadecimal(scalar.value, digitsMin: isShort ? 2 : 4).uppercased()
  return isShort ? "\\x" + digits : "\\u{" + digits + "}"
}

private func hexadecimal(_ value: UInt32, digitsMin: Int) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: max(0, digitsMin - digits.count)) + digits
}

/// Returns `text` with something else in the place of each scalar that is not plain.
///
/// `rewrite` gets the text from such a scalar on, and the verdict on it; it appends what stands in
/// its place, and returns the number of scalars that this replaces, at least 1. Runs of ASCII,
/// which most text consists of, are copied at once. O(length).
func rewritten(
  _ text: String,
  _ rewrite: (Substring.UnicodeScalarView, ScalarJudge.Verdict, inout String) -> Int
) -> String {
  // Most text is one run of it.
  if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
  var result = ""
  var judge = ScalarJudge()
  var rest = text.unicodeScalars[...]
  while let scalar = rest.first {
    let end =
      text.utf8[rest.startIndex...].firstIndex { $0 < 0x20 || $0 >= 0x7F } ?? text.endIndex
    if end > rest.startIndex {
      // A substring would be appended as any sequence of characters is.
      result += String(text[rest.startIndex..<end])
      judge.noteWritten(rest[..<end].last)
      rest = rest[end...]
      continue
    }
    let verdict = judge.judge(rest)
    guard verdict != .plain else {
      result.unicodeScalars.append(scalar)
      rest.removeFirst()
      continue
    }
    let lengthBefore = result.utf8.count
    rest.removeFirst(rewrite(rest, verdict, &result))
    if result.utf8.count > lengthBefore { judge.noteWritten(result.unicodeScalars.last) }
  }
  return result
}
