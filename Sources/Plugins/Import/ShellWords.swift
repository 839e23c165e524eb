/// Splits a command as `sh` does, and says whether it takes a shell to run it.
///
/// Bars hand each command to `sh -c`. Most commands are a program and its arguments, which need no
/// second process: those become words. Everything that a shell would expand, redirect or run by
/// itself stays with the shell, and where there is a doubt it does, too.
///
/// Source: POSIX.1-2017, Shell Command Language, 2.2 quoting and 2.3 token recognition.
package enum ShellWords {
  /// A command as it was read.
  package enum Reading: Hashable, Sendable {
    /// A program and its arguments; none: the command is empty.
    case words([String])
    /// It has syntax of the shell.
    case shell
    /// No shell could run it: the reason.
    case unreadable(String)
  }

  /// Reads a command; `home` is put in the place of `~`, without it such a word is the shell's.
  ///
  /// O(length).
  package static func read(_ command: String, home: String? = nil) -> Reading {
    guard !command.utf8.contains(0) else { return .unreadable("it has a NUL byte") }
    guard command.utf8.count <= PluginLimits.importCommandBytesMax else {
      return .unreadable("it has more than \(PluginLimits.importCommandBytesMax) bytes")
    }
    var splitter = Splitter(Array(trimmed(command).unicodeScalars), home: home)
    let reading = splitter.read()
    guard case .words(let words) = reading, let program = words.first else { return reading }
    let isOfShell = program.isEmpty || builtins.contains(program) || isAssignment(program)
    return isOfShell || words.count > PluginLimits.importWordCountMax ? .shell : reading
  }

  /// Returns what to execute for a command: its words, or a shell with the command.
  ///
  /// `nil` for a command that is empty or that no shell could run.
  package static func arguments(_ command: String, home: String? = nil) -> [String]? {
    switch read(command, home: home) {
    case .words(let words): words.isEmpty ? nil : words
    case .shell: ["/bin/sh", "-c", command]
    case .unreadable: nil
    }
  }

  /// The command without white space around it, which no shell sees.
  static func trimmed(_ command: String) -> String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }
    var scalars = command.unicodeScalars.drop(while: isBlank)
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    return String(scalars)
  }

  private static func isAssignment(_ word: String) -> Bool {
    guard let equals = word.firstIndex(of: "=") else { return false }
    return isVariableName(word[..<equals])
  }

  /// Whether a shell, and a manifest, can set a variable of this name.
  static func isVariableName(_ name: some StringProtocol) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      byte == 95 || (48...57).contains(byte) || (65...90).contains(byte)
        || (97...122).contains(byte)
    }
  }

  /// Reserved words, and commands that are part of a shell or mean something else in it.
  ///
  /// `echo` is one: that of dash reads backslashes, and the program does not. `test`, `true`,
  /// `false` and `printf` are programs too, and mean the same.
  private static let builtins: Set<String> = [
    "!", "case", "do", "done", "elif", "else", "esac", "fi", "for", "if", "in", "then", "until",
    "while", "{", "}", "function", "select", "time", ".", ":", "alias", "bg", "break", "builtin",
    "cd", "chdir", "command", "continue", "declare", "echo", "eval", "exec", "exit", "export", "fc",
    "fg", "getopts", "hash", "jobs", "kill", "let", "local", "pwd", "read", "readonly", "return",
    "set", "shift", "shopt", "source", "times", "trap", "type", "typeset", "ulimit", "umask",
    "unalias", "unset", "wait",
  ]
}

/// Walks over a command once.
private struct Splitter {
  private let scalars: [Unicode.Scalar]
  private let home: String?
  private var place = 0
  private var words: [String] = []
  private var word = String.UnicodeScalarView()
  private var isInWord = false

  init(_ scalars: [Unicode.Scalar], home: String?) {
    self.scalars = scalars
    self.home = home
  }

  mutating func read() -> ShellWords.Reading {
    while place < scalars.count {
      let scalar = scalars[place]
      place += 1
      switch scalar {
      case " ", "\t": endWord()
      case "'":
        guard readSingleQuotes() else { return .unreadable("a quote ' does not end") }
      case "\"":
        switch readDoubleQuotes() {
        case .words: break
        case let other: return other
        }
      case "\\":
        // A backslash at the end means something else in each shell.
        guard place < scalars.count else { return .shell }
        if scalars[place] != "\n" { append(scalars[place]) }
        place += 1
      case "~" where !isInWord:
        guard let home, place == scalars.count || "/ \t".unicodeScalars.contains(scalars[place])
        else { return .shell }
        isInWord = true
        word.append(contentsOf: home.unicodeScalars)
      case "#" where !isInWord: return .shell
      case "\n", "\r", "|", "&", ";", "<", ">", "(", ")", "$", "`", "*", "?", "[", "]", "{", "}":
        return .shell
      default: append(scalar)
      }
    }
    endWord()
    return .words(words)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    isInWord = true
    word.append(scalar)
  }

  private mutating func endWord() {
    guard isInWord else { return }
    words.append(String(word))
    word = String.UnicodeScalarView()
    isInWord = false
  }

  private mutating func readSingleQuotes() -> Bool {
    isInWord = true
    while place < scalars.count {
      let scalar = scalars[place]
      place += 1
      if scalar == "'" { return true }
      word.append(scalar)
    }
    return false
  }

  /// Reads up to the second quote; the result is empty words unless that cannot be done.
  private mutating func readDoubleQuotes() -> ShellWords.Reading {
    isInWord = true
    while place < scalars.count {
      let scalar = scalars[place]
      place += 1
      switch scalar {
      case "\"": return .words([])
      case "$", "`": return .shell
      case "\\":
        guard place < scalars.count else { return .unreadable("a quote \" does not end") }
        let next = scalars[place]
        place += 1
        if next == "\n" { continue }
        if !"$`\"\\".unicodeScalars.contains(next) { word.append(scalar) }
        word.append(next)
      default: word.append(scalar)
      }
    }
    return .unreadable("a quote \" does not end")
  }
}
