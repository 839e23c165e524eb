import JSON

/// What the arguments mean, before swift-argument-parser sees them.
///
/// The first argument that is no option decides. With white space in it, or a character no command's
/// name has, it is a sentence (`intent-send "help me"`, `intent-send 查看天气`); a command's name is that command; any
/// other word is a mistake, never guessed to be a sentence, so that a typing error has no effect.
/// After `--` everything is a sentence. Options may stand before the word.
enum Invocation: Hashable {
  /// Arguments for the parser, subcommand first.
  case command([String])
  case usage(Failure)

  /// Options with a value that may stand before a command or sentence.
  private static let leadingValueOptions = [
    "--socket", "--timeout", "--language", "--generate-completion-script",
  ]

  init(_ arguments: [String], commands: [String]) {
    // Shells ask for completions with this first; what follows is not ours to judge.
    if let first = arguments.first, first.hasPrefix("---completion") {
      self = .command(arguments)
      return
    }
    guard let index = Self.firstWord(in: arguments) else {
      self = arguments.isEmpty ? .usage(.nothingSaid) : .command(arguments)
      return
    }
    let word = arguments[index]
    let before = arguments[..<index]
    let after = arguments[(index + 1)...]

    if word == "--" {
      self = .command(["send"] + before + ["--"] + after)
    } else if Self.isSentence(word) {
      // Last, behind `--`, when it looks like an option.
      self = .command(
        word.hasPrefix("-")
          ? ["send"] + before + after + ["--", word] : ["send"] + before + [word] + after)
    } else if commands.contains(word) {
      self = .command([word] + before + after)
    } else {
      self = .usage(.unknownCommand(word, words: [word] + after, commands: commands))
    }
  }

  /// The index of the first argument that is neither an option nor an option's value.
  private static func firstWord(in arguments: [String]) -> Int? {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      if argument == "--" || isSentence(argument) || !argument.hasPrefix("-") { return index }
      index += leadingValueOptions.contains(argument) ? 2 : 1
    }
    return nil
  }

  private static func isSentence(_ argument: String) -> Bool {
    let isOptionWithValue =
      argument.hasPrefix("--")
      && argument.prefix { !$0.isWhitespace }.contains("=")
    guard !isOptionWithValue else { return false }
    return argument.isEmpty || argument.contains(where: \.isWhitespace)
      || !argument.utf8.allSatisfy { $0 < 0x80 }
  }
}

/// `words` as one argument, quoted for a shell.
func shellQuoted(_ words: some Sequence<String>) -> String {
  let text = words.joined(separator: " ")
  guard text.contains(where: { "\"$`\\!".contains($0) }) else { return "\"\(text)\"" }
  let escaped = text.split(separator: "'", omittingEmptySubsequences: false)
    .joined(separator: "'\\''")
  return "'\(escaped)'"
}
