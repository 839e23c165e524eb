import JSON
import PlainText

/// Decides whether the arguments are a command or a sentence, before swift-argument-parser reads
/// them.
///
/// The first argument that is no option decides:
/// - with white space, or a character that no command name has, it is a sentence
///   (`intent-send "help me"`, `intent-send 查看天气`);
/// - the name of a command is that command;
/// - a word like the name of a command (`staus`) is in doubt: it is a sentence if an intent
///   understands it, and else a mistake that has no effect;
/// - any other word begins a sentence (`intent-send weather`), and the words after it go on with it.
///
/// After `--` everything is a sentence. Options may stand before the word. No arguments at all, or
/// only options that every command has, are the command `show`.
enum Invocation: Hashable {
  /// The arguments for the parser, subcommand first.
  case command([String])
  /// A sentence or a mistyped command: the arguments as either, and the mistake.
  case doubt(sentence: [String], command: [String], Failure)
  case usage(Failure)

  /// The options with a value that may stand before a command or a sentence.
  private static let leadingValueOptions = [
    "--socket", "--timeout", "--language", "--generate-completion-script",
  ]

  init(_ arguments: [String], commands: [String]) {
    // A shell asks for completions with this word first. Pass the rest on unchanged.
    if let first = arguments.first, first.hasPrefix("---completion") {
      self = .command(arguments)
      return
    }
    guard let index = Self.firstWord(in: arguments) else {
      // `--help`, `--version` and completion scripts belong to the program itself.
      let isAlone = !arguments.contains { $0.hasPrefix("-") && !Self.isShared($0) }
      self = .command(isAlone ? ["show"] + arguments : arguments)
      return
    }
    let word = arguments[index]
    let before = arguments[..<index]
    let after = arguments[(index + 1)...]

    if word == "--" {
      self = .command(["send"] + before + ["--"] + after)
    } else if Self.isSentence(word), word.hasPrefix("-") {
      // A sentence that looks like an option goes last, behind `--`.
      self = .command(["send"] + before + after + ["--", word])
    } else if Self.isSentence(word) {
      self = .command(["send"] + before + Self.joined(arguments[index...]))
    } else if commands.contains(word) {
      self = .command([word] + before + after)
    } else {
      let sentence = ["send"] + before + Self.joined(arguments[index...])
      let near = nearest(to: word, among: commands)
      self =
        near.isEmpty
        ? .command(sentence)
        : .doubt(
          sentence: sentence, command: [word] + before + after, .unknownCommand(word, near: near))
    }
  }

  /// Returns whether an argument is an option of every command.
  private static func isShared(_ argument: String) -> Bool {
    argument == "--json" || argument == "--socket" || argument.hasPrefix("--socket=")
  }

  /// Makes one argument of the words that a sentence begins with; options after it stay.
  private static func joined(_ arguments: ArraySlice<String>) -> [String] {
    let words = arguments.prefix { !$0.hasPrefix("-") }
    return [words.joined(separator: " ")] + arguments.dropFirst(words.count)
  }

  /// Returns the index of the first argument that is neither an option nor an option's value.
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

/// Returns words as a shell reads them: those with other characters than names have in quotes.
func shellLine(_ words: some Sequence<String>) -> String {
  words.map { word in
    let isPlain =
      !word.isEmpty
      && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=@%+,".contains($0) }
    return isPlain ? word : shellQuoted([word])
  }.joined(separator: " ")
}
