/// A Swift file as the linter sees it: its lines with blanked comments and strings.
///
/// Comments and the insides of string literals become spaces. So a ban does not match a sentence
/// about the banned feature, and columns stay. Interpolations count as text; reviewers look at code
/// in them.
struct SwiftSource {
  /// The path, relative to the project.
  let path: String
  /// The lines as they are written, for tests that read comments.
  let lines: [Substring]
  /// The same lines with blanked comments and strings.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    code = Self.blanked(text).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// The module: the name of the folder below `Sources`.
  var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// The modules that the file imports, with their lines.
  var imports: [(module: String, line: Int)] {
    code.enumerated().compactMap { index, line in
      guard line.contains(word: "import "), let match = line.firstMatch(of: Self.importPattern)
      else { return nil }
      return (String(match.output.1), index + 1)
    }
  }

  nonisolated(unsafe) private static let importPattern =
    // A regular expression is not Sendable; this one never changes.
    /^(?:(?:public|package|internal|private|@\w+) )*import (?:\w+ )?(\w+)/

  /// The bytes with which a comment or a string begins.
  private static let openers: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "#")]

  /// Returns `text` with spaces for comments and the insides of strings; newlines stay.
  static func blanked(_ text: String) -> String {
    var output: [UInt8] = []
    let input = Array(text.utf8)
    output.reserveCapacity(input.count)
    var index = 0

    func has(_ word: String, at place: Int) -> Bool {
      let bytes = word.utf8
      return place + bytes.count <= input.count && input[place...].starts(with: bytes)
    }
    func blank(_ count: Int) {
      for byte in input[index..<min(index + count, input.count)] {
        output.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
      }
      index += count
    }
    func copy(_ count: Int) {
      output += input[index..<min(index + count, input.count)]
      index += count
    }

    while index < input.count {
      if !Self.openers.contains(input[index]) {
        copy(1)
      } else if has("//", at: index) {
        while index < input.count, input[index] != UInt8(ascii: "\n") { blank(1) }
      } else if has("/*", at: index) {
        var depth = 0
        repeat {
          if has("/*", at: index) {
            depth += 1
            blank(2)
          } else if has("*/", at: index) {
            depth -= 1
            blank(2)
          } else {
            blank(1)
          }
        } while depth > 0 && index < input.count
      } else if let quote = openingQuote(in: input, at: index) {
        copy(quote.opening.utf8.count)
        while index < input.count, !has(quote.closing, at: index) {
          // A backslash escapes nothing in a raw string.
          blank(!quote.isRaw && input[index] == UInt8(ascii: "\\") ? 2 : 1)
        }
        copy(quote.closing.utf8.count)
      } else {
        copy(1)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func openingQuote(
    in input: [UInt8], at index: Int
  ) -> (opening: String, closing: String, isRaw: Bool)? {
    let rest = input[index...]
    let hashes = String(repeating: "#", count: rest.prefix { $0 == UInt8(ascii: "#") }.count)
    for quote in ["\"\"\"", "\""] where rest.starts(with: (hashes + quote).utf8) {
      return (hashes + quote, quote + hashes, !hashes.isEmpty)
    }
    return nil
  }
}
