/// The emphasis that SwiftUI takes from a key: `**bold**`, `*italic*`, `_italic_`, `~~struck~~`,
/// `` `code` `` and `[words](url)`.
///
/// Of `^[words](inflect: true)` the words stay as they are: nothing here knows the grammar of
/// languages.
///
/// Only pairs on one line count; everything else is text as it stands. One pass, without nesting
/// but of emphasis in emphasis.
enum InlineMarkdown {
  static func append(_ text: String, style: TextStyle, to runs: inout [TextRun]) {
    guard text.utf8.contains(where: isMark) else {
      if !text.isEmpty { runs.append(TextRun(.text(text), style: style)) }
      return
    }
    var rest = text[...]
    var plain = ""
    while let character = rest.first {
      if let (inner, after, change) = span(at: rest) {
        flush(&plain, style, &runs)
        var changed = style
        change(&changed)
        append(String(inner), style: changed, to: &runs)
        rest = after
      } else if let (words, url, after) = link(at: rest) {
        flush(&plain, style, &runs)
        runs.append(TextRun(.text(String(words)), style: style, link: String(url)))
        rest = after
      } else if let (words, after) = attributed(at: rest) {
        flush(&plain, style, &runs)
        append(String(words), style: style, to: &runs)
        rest = after
      } else {
        plain.append(character)
        rest = rest.dropFirst()
      }
    }
    flush(&plain, style, &runs)
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "`"),
      UInt8(ascii: "["):
      true
    default: false
    }
  }

  private static func flush(
    _ plain: inout String, _ style: TextStyle, _ runs: inout [TextRun]
  ) {
    guard !plain.isEmpty else { return }
    runs.append(TextRun(.text(plain), style: style))
    plain = ""
  }

  private typealias Change = (inout TextStyle) -> Void

  private static func span(
    at text: Substring
  ) -> (inner: Substring, after: Substring, change: Change)? {
    let marks: [(String, Change)] = [
      ("**", { $0.weight = .bold }), ("__", { $0.weight = .bold }),
      ("~~", { $0.strikethrough = .init(isActive: true) }),
      ("*", { $0.isItalic = true }), ("_", { $0.isItalic = true }),
      ("`", { $0.design = .monospaced }),
    ]
    for (mark, change) in marks where text.hasPrefix(mark) {
      let body = text.dropFirst(mark.count)
      // `snake_case` and `2 * 3` are no emphasis.
      guard let first = body.first, !first.isWhitespace, !first.isNewline,
        let end = body.firstRange(of: mark), end.lowerBound > body.startIndex,
        let last = body[..<end.lowerBound].last, !last.isWhitespace,
        !body[..<end.lowerBound].contains("\n"),
        mark.first != "_" || isWordStart(text) && isWordEnd(body[end.upperBound...])
      else { continue }
      return (body[..<end.lowerBound], body[end.upperBound...], change)
    }
    return nil
  }

  private static func isWordStart(_ text: Substring) -> Bool {
    guard text.startIndex > text.base.startIndex else { return true }
    let before = text.base[text.base.index(before: text.startIndex)]
    return !before.isLetter && !before.isNumber
  }

  private static func isWordEnd(_ rest: Substring) -> Bool {
    rest.first.map { !$0.isLetter && !$0.isNumber } ?? true
  }

  private static func attributed(
    at text: Substring
  ) -> (words: Substring, after: Substring)? {
    guard text.hasPrefix("^["), let close = text.firstRange(of: "](") else { return nil }
    let rest = text[close.upperBound...]
    guard let end = rest.firstIndex(of: ")") else { return nil }
    return (text.dropFirst(2)[..<close.lowerBound], rest[rest.index(after: end)...])
  }

  private static func link(
    at text: Substring
  ) -> (words: Substring, url: Substring, after: Substring)? {
    guard text.first == "[", let close = text.firstRange(of: "](") else { return nil }
    let rest = text[close.upperBound...]
    guard let end = rest.firstIndex(of: ")"), rest[..<end].contains(":"),
      !rest[..<end].contains(where: \.isWhitespace)
    else { return nil }
    return (
      text[text.index(after: text.startIndex)..<close.lowerBound], rest[..<end],
      rest[rest.index(after: end)...]
    )
  }
}
