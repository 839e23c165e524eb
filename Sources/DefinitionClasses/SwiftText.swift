/// Lines of Swift, indented by the blocks around them.
struct SwiftText {
  private(set) var text = ""
  private var depth = 0

  mutating func line(_ line: String = "") {
    if !line.isEmpty { text += String(repeating: "  ", count: depth) + line }
    text += "\n"
  }

  /// A documentation comment; a title of several lines becomes one.
  mutating func comment(_ comment: String) {
    line("/// " + comment.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  /// Lines in braces after `head`.
  mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
    line(head + " {")
    depth += 1
    body(&self)
    depth -= 1
    line("}")
  }

  /// A literal of a text of many lines, with as many `#` as the text needs.
  ///
  /// Its lines stand at the margin: an indentation would belong to the text.
  mutating func longLiteral(_ head: String, _ content: String) {
    var marks = "#"
    while content.contains("\"\"\"" + marks) || content.contains("\\" + marks) { marks += "#" }
    line(head + marks + "\"\"\"")
    for line in content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      text += line + "\n"
    }
    text += "\"\"\"" + marks + "\n"
  }
}

/// A name as Swift takes it anywhere: a keyword needs the marks.
func marked(_ name: String) -> String { "`\(name)`" }

/// A literal of a text.
func literal(_ text: String) -> String {
  var literal = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": literal += "\\" + String(scalar)
    case "\n": literal += "\\n"
    case _ where scalar.value < 0x20 || scalar.value == 0x7F:
      literal += "\\u{" + String(scalar.value, radix: 16) + "}"
    default: literal.unicodeScalars.append(scalar)
    }
  }
  return literal + "\""
}

/// The name with its first letter as at the beginning of a sentence.
func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
