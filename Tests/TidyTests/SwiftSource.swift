/// A Swift file as the linter sees it: its lines, with everything blanked that is no code.
///
/// Comments and the insides of string literals become spaces, so that a ban neither fires on a sentence
/// about the banned thing nor moves columns. Interpolations count as text: code that hides there is
/// seen by people.
struct SwiftSource {
  /// Relative to the project.
  let path: String
  /// As written, for comments that explain what follows.
  let lines: [Substring]
  /// The same lines, blanked.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    code = Self.blanked(text).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// The folder below `Sources`.
  var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// The modules that the file imports, with the line.
  var imports: [(module: String, line: Int)] {
    code.enumerated().compactMap { index, line in
      guard line.contains(word: "import "), let match = line.firstMatch(of: Self.importPattern)
      else { return nil }
      return (String(match.output.1), index + 1)
    }
  }

  nonisolated(unsafe) private static let importPattern =
    // A regular expression cannot be Sendable; this one is never changed.
    /^(?:(?:public|package|internal|private|@\w+) )*import (?:\w+ )?(\w+)/

  /// What a comment or a string begins with.
  private static let openers: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "#")]

  /// `text` with spaces for comments and the insides of strings; newlines stay.
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
          // In a raw string a backslash is only a backslash.
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
