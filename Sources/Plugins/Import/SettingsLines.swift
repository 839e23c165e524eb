/// A file of sections and `key=value` lines, as i3blocks, polybar and genmon have them.
struct SettingsLines {
  /// The rules in which the programs differ.
  enum Dialect {
    /// i3blocks: nothing is stripped, `#` begins a comment.
    case verbatim
    /// polybar, genmon: white space around keys and values and a pair of quotes are no part of
    /// them; `;` and `#` begin a comment.
    case trimmed
  }

  struct Entry: Hashable {
    var key: String
    var value: String
    /// From 1.
    var line: Int
  }

  struct Section: Hashable {
    var name: String
    /// From 1; 0 for the lines before the first section.
    var line: Int
    var file: String
    var entries: [Entry] = []

    /// The value that is written last.
    subscript(key: String) -> Entry? { entries.last { $0.key == key } }
  }

  /// The lines before the first section, then the sections.
  private(set) var sections: [Section]
  /// Whether the last section has no name that can be read, so that its entries belong to none.
  private var isNameless = false

  /// Reads lines; a line that is neither a section nor `key=value` is noted.
  ///
  /// Entries behind the name of a section that does not end belong to none: those of one block
  /// would give the block before it another command.
  ///
  /// O(bytes).
  init(_ bytes: [UInt8], _ file: String, _ dialect: Dialect, into reading: inout ImportReading) {
    sections = [Section(name: "", line: 0, file: file)]
    var rest = bytes[...]
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
    var number = 0
    for bytes in rest.split(separator: 0x0a, omittingEmptySubsequences: false) {
      number += 1
      guard number <= PluginLimits.importLineCountMax else {
        reading.note(
          file, line: number, "only the first \(PluginLimits.importLineCountMax) lines are read")
        break
      }
      let end = bytes.last == 0x0d ? bytes.dropLast() : bytes
      add(String(decoding: end, as: UTF8.self), number, file, dialect, &reading)
    }
  }

  private mutating func add(
    _ whole: String, _ number: Int, _ file: String, _ dialect: Dialect,
    _ reading: inout ImportReading
  ) {
    let stripped = ShellWords.trimmed(whole)
    guard let first = stripped.unicodeScalars.first, first != "#",
      dialect == .verbatim || first != ";"
    else { return }
    if first == "[" {
      isNameless = !stripped.hasSuffix("]")
      guard !isNameless else {
        reading.note(
          file, line: number,
          "the name of a section does not end with ']'; its lines up to the next section are left"
            + " out")
        return
      }
      sections.append(
        Section(name: String(stripped.dropFirst().dropLast()), line: number, file: file))
      return
    }
    guard let equals = whole.unicodeScalars.firstIndex(of: "=") else {
      reading.note(file, line: number, "the line is no key=value and no [section]")
      return
    }
    guard !isNameless else { return }
    var key = String(whole[..<equals])
    var value = String(whole[whole.unicodeScalars.index(after: equals)...])
    if dialect == .trimmed {
      key = ShellWords.trimmed(key)
      value = Self.unquoted(ShellWords.trimmed(value))
    }
    sections[sections.count - 1].entries.append(Entry(key: key, value: value, line: number))
  }

  private static func unquoted(_ value: String) -> String {
    guard value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
    return String(value.dropFirst().dropLast())
  }
}
