/// An `Exec` value as words of text and field codes.
///
/// ```
/// h1 "--url=%u" 100%%      unquote        h1 · --url=%u · 100%%
///                          find codes     [h1] [--url= %u] [100%]
///                          expand         later, per word, into finished arguments
/// ```
/// Words are split before any code is expanded, and expanded text is never read again: a URL can
/// neither add an argument nor contain a code. In launchers that expand first, a `"` in a URL ends
/// the quotes around it. Unquoting is that of a shell without expansion, as in GLib: real entries
/// use single quotes, partly quoted words and `#` comments, although the specification has none of
/// them.
struct ExecLine: Hashable {
  /// A field code: `%` and this letter.
  enum FieldCode: UInt8, Hashable {
    case url = 0x75  // u
    case urls = 0x55  // U
    case file = 0x66  // f
    case files = 0x46  // F
    case icon = 0x69  // i
    case name = 0x63  // c
    case location = 0x6B  // k

    /// Whether the code expands to the opened URL or file; an `Exec` has at most one such code.
    var isTarget: Bool {
      switch self {
      case .url, .urls, .file, .files: true
      case .icon, .name, .location: false
      }
    }

    var takesURL: Bool { self == .url || self == .urls }

    /// The codes that once expanded to parts of a file's name, the mini icon or the device, and now
    /// expand to nothing.
    static let deprecated: Set<UInt8> = Set("dDnNvm".utf8)
  }

  enum Piece: Hashable {
    case text(String)
    case code(FieldCode)
    /// A deprecated code, which expands to nothing.
    ///
    /// A word of such codes alone is dropped.
    case nothing
  }

  /// One argument, before expansion.
  struct Word: Hashable {
    var pieces: [Piece]

    var codes: [FieldCode] {
      pieces.compactMap { piece in
        if case .code(let code) = piece { code } else { nil }
      }
    }

    /// Whether the word has a code, a deprecated one included.
    var hasCode: Bool {
      pieces.contains { piece in
        if case .text = piece { false } else { true }
      }
    }

    /// The text of a word without codes; else `nil`.
    var literal: String? { hasCode ? nil : text }

    /// The text of the word without its codes.
    var text: String {
      pieces.reduce(into: "") { text, piece in
        if case .text(let part) = piece { text += part }
      }
    }
  }

  /// The longest `Exec`, in bytes: far below the kernel's limit for one argument (128 KiB).
  static let bytesMax = 32 << 10

  /// The program: a name to find on `PATH`, or an absolute path.
  let program: String
  private let unquotedArguments: [[UInt8]]

  /// Removes the quotes and checks the program.
  ///
  /// An entry that fails here cannot be used, and the caller tries another one. `arguments()` finds
  /// wrong field codes, once this entry is chosen.
  static func parse(_ exec: String) -> Result<ExecLine, LaunchRefusal> {
    guard exec.utf8.count <= bytesMax else {
      return .failure(
        LaunchRefusal(.noHandler, "Exec has \(exec.utf8.count) bytes; at most \(bytesMax) run"))
    }
    return unquoted(Array(exec.utf8)).flatMap { words in
      guard let first = words.first, !first.isEmpty else {
        return .failure(LaunchRefusal(.noHandler, "Exec names no program"))
      }
      guard case .success(let pieces) = pieces(first),
        let program = Word(pieces: pieces).literal
      else {
        return .failure(
          LaunchRefusal(
            .noHandler,
            "Exec's program '\(String(decoding: first, as: UTF8.self))' has a field code in it"))
      }
      guard !program.utf8.contains(UInt8(ascii: "=")) else {
        return .failure(
          LaunchRefusal(.noHandler, "Exec's program '\(program)' has a '=' in it; use env"))
      }
      let slash = UInt8(ascii: "/")
      guard program.utf8.first == slash || !program.utf8.contains(slash) else {
        return .failure(
          LaunchRefusal(
            .noHandler, "Exec's program '\(program)' must be a name or an absolute path"))
      }
      return .success(ExecLine(program: program, unquotedArguments: Array(words.dropFirst())))
    }
  }

  /// Returns the words after the program, with their field codes parsed.
  func arguments() -> Result<[Word], LaunchRefusal> {
    var words: [Word] = []
    for argument in unquotedArguments {
      switch Self.pieces(argument) {
      case .success(let pieces): words.append(Word(pieces: pieces))
      case .failure(let refusal): return .failure(refusal)
      }
    }
    return .success(words)
  }

  /// Splits at blanks and removes the quotes.
  private static func unquoted(_ exec: [UInt8]) -> Result<[[UInt8]], LaunchRefusal> {
    typealias Byte = KeyFile.Byte
    var words: [[UInt8]] = []
    var word: [UInt8]?
    var index = 0
    while index < exec.count {
      let byte = exec[index]
      index += 1
      switch byte {
      case Byte.space, Byte.tab, Byte.lineFeed, Byte.carriageReturn:
        if let finished = word { words.append(finished) }
        word = nil
      case Byte.hash where word == nil:
        while index < exec.count, exec[index] != Byte.lineFeed { index += 1 }
      case Byte.backslash:
        guard index < exec.count else {
          return .failure(LaunchRefusal(.noHandler, "Exec ends in a lone backslash"))
        }
        word = (word ?? []) + [exec[index]]
        index += 1
      case Byte.singleQuote, Byte.doubleQuote:
        guard let end = endOfQuotes(exec, from: index, quote: byte) else {
          return .failure(
            LaunchRefusal(
              .noHandler, "Exec has a \(Character(UnicodeScalar(byte))) that is never closed"))
        }
        word = (word ?? []) + quotedText(exec[index..<end], quote: byte)
        index = end + 1
      default:
        word = (word ?? []) + [byte]
      }
    }
    if let finished = word { words.append(finished) }
    return .success(words)
  }

  private static func endOfQuotes(_ exec: [UInt8], from start: Int, quote: UInt8) -> Int? {
    var index = start
    while index < exec.count {
      if exec[index] == quote { return index }
      // A backslash escapes nothing in single quotes.
      if exec[index] == KeyFile.Byte.backslash, quote == KeyFile.Byte.doubleQuote { index += 1 }
      index += 1
    }
    return nil
  }

  /// Removes escapes: in double quotes `\` escapes `"`, `` ` ``, `$` and `\`, and stays before any
  /// other byte.
  private static func quotedText(_ text: ArraySlice<UInt8>, quote: UInt8) -> [UInt8] {
    typealias Byte = KeyFile.Byte
    guard quote == Byte.doubleQuote, text.contains(Byte.backslash) else { return Array(text) }
    var result: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      let escapes =
        text[index] == Byte.backslash && index + 1 < text.endIndex
        && [Byte.doubleQuote, Byte.backquote, Byte.dollar, Byte.backslash].contains(text[index + 1])
      if escapes { index += 1 }
      result.append(text[index])
      index += 1
    }
    return result
  }

  private static func pieces(_ word: [UInt8]) -> Result<[Piece], LaunchRefusal> {
    var pieces: [Piece] = []
    var text: [UInt8] = []
    func endText() {
      if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
      text = []
    }
    var index = 0
    while index < word.count {
      let byte = word[index]
      index += 1
      guard byte == KeyFile.Byte.percent else {
        text.append(byte)
        continue
      }
      guard index < word.count else {
        return .failure(LaunchRefusal(.badFieldCode, "Exec has a lone %; write %% for a percent"))
      }
      let letter = word[index]
      index += 1
      if letter == KeyFile.Byte.percent {
        text.append(letter)
      } else if let code = FieldCode(rawValue: letter) {
        endText()
        pieces.append(.code(code))
      } else if FieldCode.deprecated.contains(letter) {
        endText()
        pieces.append(.nothing)
      } else {
        let shown = String(decoding: word[(index - 1)...].prefix(4), as: UTF8.self).prefix(1)
        return .failure(
          LaunchRefusal(.badFieldCode, "Exec has the unknown field code %\(shown)"))
      }
    }
    endText()
    return .success(pieces)
  }
}
