import PlainText

/// The line of a provider's standard error that tells a person why a run failed.
///
/// It is the last line that says something, because programs print the reason at the end. A line
/// that only names `--help` is a hint, so the line before it counts. Colours and other escape
/// sequences are removed, where `printable` would show them.
package enum ErrorLine {
  /// Returns the line, at most `Limits.errorLineBytesMax` bytes of UTF-8; `nil`: nothing was said.
  ///
  /// - Parameter diagnostics: the end of the standard error.
  /// - Returns: one line without control characters.
  package static func last(of diagnostics: String) -> String? {
    var hint: String?
    let lines = diagnostics.unicodeScalars.split { $0 == "\n" || $0 == "\r" }
    // A Swift program ends by a signal after these words; other threads may still write lines.
    let words = "Fatal error:"
    if let fatal = lines.reversed().lazy.map(clean).first(where: { $0.contains(words) }) {
      return shortened(fatal)
    }
    for line in lines.suffix(Limits.errorLineCountMax).reversed() {
      let text = clean(line)
      guard !text.isEmpty else { continue }
      guard text.utf8.count < 120, text.contains("--help") else { return shortened(text) }
      hint = hint ?? text
    }
    return hint.map { shortened($0) }
  }

  /// Returns all lines of a text as one, at most `Limits.failureReasonBytesMax` bytes of UTF-8;
  /// `nil`: it says nothing.
  ///
  /// - Returns: one line without control characters.
  static func joined(_ text: String) -> String? {
    let start = text.unicodeScalars.prefix(Limits.judgedOutputBytesMax)
    let lines = start.split { $0 == "\n" || $0 == "\r" }.map(clean).filter { !$0.isEmpty }
    guard !lines.isEmpty else { return nil }
    return shortened(lines.joined(separator: " "), to: Limits.failureReasonBytesMax)
  }

  private static func clean(_ line: Substring.UnicodeScalarView) -> String {
    var kept = String.UnicodeScalarView()
    var rest = line
    while let scalar = rest.popFirst() {
      switch scalar.value {
      case 0x1B: skipEscape(&rest)
      case 0x9B: skipControlSequence(&rest)
      case 0x09: kept.append(" ")
      case 0...0x1F, 0x7F...0x9F: break
      default: kept.append(scalar)
      }
    }
    var text = printable(String(kept)).unicodeScalars[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Skips the rest of an escape sequence whose ESC was read.
  ///
  /// Source: ECMA-48, and the operating system commands of xterm.
  private static func skipEscape(_ rest: inout Substring.UnicodeScalarView) {
    guard let kind = rest.popFirst() else { return }
    switch kind {
    case "[": skipControlSequence(&rest)
    case "]", "P", "X", "^", "_":
      // A text until BEL or ESC \.
      while let scalar = rest.popFirst() {
        if scalar.value == 0x07 { return }
        if scalar.value == 0x1B {
          if rest.first == "\\" { rest.removeFirst() }
          return
        }
      }
    case " "..."/":
      // Intermediate characters stand before the one that ends the sequence.
      while let scalar = rest.popFirst(), (0x20...0x2F).contains(scalar.value) {}
    default: break
    }
  }

  private static func skipControlSequence(_ rest: inout Substring.UnicodeScalarView) {
    while let scalar = rest.popFirst() {
      if !(0x20...0x3F).contains(scalar.value) { return }
    }
  }

  private static func shortened(
    _ text: String, to bytesMax: Int = Limits.errorLineBytesMax
  ) -> String {
    guard text.utf8.count > bytesMax else { return text }
    let mark = "…"
    var kept = ""
    for character in text {
      guard kept.utf8.count + character.utf8.count + mark.utf8.count <= bytesMax else { break }
      kept.append(character)
    }
    return kept + mark
  }
}
