/// The line at the beginning of a file that says which program wrote it.
///
/// An intent is a file of its name, and two programs may have intents of one name: the mark is how the
/// second one sees that the file is not its own. It is the first line, and in a definition file a
/// comment behind the XML declaration.
package struct WriterMark: Hashable, Sendable {
  private static let start = "Written by `"
  private static let end = " manifest`"

  private let program: String

  /// Makes the mark of a program, by its name.
  package init(program: String) {
    // The name is quoted in a line.
    self.program = String(program.map { $0.isNewline || $0 == "`" ? " " : $0 })
  }

  private var words: String {
    "\(Self.start)\(program)\(Self.end), which replaces all of it but 'confirm' and 'links'."
  }

  /// Returns a text with the mark; of XML without a line for its declaration, the text as it is.
  package func marked(_ text: String) -> String {
    guard text.hasPrefix("<") else { return "# \(words)\n\(text)" }
    guard text.hasPrefix("<?xml"), let end = text.firstIndex(of: "\n") else { return text }
    // Two hyphens would end the comment of XML.
    let words = words.split(separator: "--", omittingEmptySubsequences: false)
    return
      "\(text[...end])<!-- \(words.joined(separator: "- -")) -->\n\(text[text.index(after: end)...])"
  }

  /// Returns the name of the program that wrote a file; `nil`: the file does not say so.
  package static func writer(of text: String) -> String? {
    for line in text.split(separator: "\n", maxSplits: 2).prefix(2) {
      guard line.hasPrefix("# ") || line.hasPrefix("<!-- "),
        let start = line.firstRange(of: Self.start),
        let end = line[start.upperBound...].firstRange(of: Self.end)
      else { continue }
      return String(line[start.upperBound..<end.lowerBound])
    }
    return nil
  }

  /// The text to write in the place of `old`, which is there; `nil`: it is a file of somebody else.
  ///
  /// A file without a mark is taken if it is what this program wrote before there were marks. The
  /// lines `confirm` and `links` of an intent are the author's own, and stay.
  package func replacement(of old: String, by new: String) -> String? {
    guard let writer = Self.writer(of: old) else {
      return old == Self.unmarked(new) ? new : nil
    }
    guard writer == Self.writer(of: new) else { return nil }
    let kept = old.split(separator: "\n").filter {
      $0.hasPrefix("confirm:") || $0.hasPrefix("links:")
    }
    guard !kept.isEmpty, let name = new.firstRange(of: "\nname: "),
      let end = new[name.upperBound...].firstIndex(of: "\n")
    else { return new }
    let lines = kept.map { "\($0)\n" }.joined()
    return "\(new[...end])\(lines)\(new[new.index(after: end)...])"
  }

  /// Whether a file of this program is there.
  package func isMark(of text: String) -> Bool {
    Self.writer(of: text) == Self.writer(of: marked(""))
  }

  private static func unmarked(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset > 1 || writer(of: String($0.element)) == nil }
      .map { $0.element }.joined(separator: "\n")
  }
}
