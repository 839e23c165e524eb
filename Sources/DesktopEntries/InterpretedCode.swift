/// Finds an `Exec` that would make the URL a part of a program: `sh -c "open %u"`.
///
/// No quoting helps there: the shell reads the expanded string as a script, and `weather:$(reboot)`
/// is a valid URL. `sh -c 'open "$1"' sh %u` is safe: the URL is an argument of the script, not a
/// part of it. The search looks at each word, because wrappers (`env`, `nice`, `flatpak run
/// --command=sh`) can put an interpreter anywhere.
enum InterpretedCode {
  static func refusal(program: String, arguments: [ExecLine.Word]) -> LaunchRefusal? {
    let words = [ExecLine.Word(pieces: [.text(program)])] + arguments
    for (index, word) in words.enumerated() {
      guard let literal = word.literal, let interpreter = interpreter(in: literal) else { continue }
      if hasCodeInScript(words[(index + 1)...], interpreter) {
        return LaunchRefusal(
          .shellInjection,
          "Exec puts a field code into a script for \(literal): pass it as an argument instead")
      }
    }
    return nil
  }

  private struct Interpreter {
    /// The letters of the options whose value or next word is a script.
    var scriptOptions: String
    /// The letters of the options that take the next word as another value.
    var valueOptions = ""
    /// Whether operands may stand before the options; else the options end at the first.
    var hasOperandsFirst = false
  }

  private static let shell = Interpreter(scriptOptions: "c", valueOptions: "oO")

  private static let interpreters: [String: Interpreter] = {
    var table: [String: Interpreter] = [:]
    for name in [
      "sh", "bash", "dash", "ash", "zsh", "ksh", "ksh93", "mksh", "lksh", "pdksh", "oksh", "yash",
      "posh", "rbash", "rzsh", "csh", "tcsh", "fish", "elvish", "nu", "xonsh", "pwsh",
    ] { table[name] = shell }
    // These pass the script to a shell, and the name of a user or a file may come first.
    for name in ["su", "runuser", "script", "sg", "flock"] {
      table[name] = Interpreter(scriptOptions: "c", hasOperandsFirst: true)
    }
    table["env"] = Interpreter(scriptOptions: "S", valueOptions: "uC")
    table["python"] = Interpreter(scriptOptions: "c", valueOptions: "WX")
    table["perl"] = Interpreter(scriptOptions: "eE", valueOptions: "I")
    table["ruby"] = Interpreter(scriptOptions: "e", valueOptions: "Ir")
    table["node"] = Interpreter(scriptOptions: "ep", valueOptions: "r")
    table["lua"] = Interpreter(scriptOptions: "e", valueOptions: "l")
    table["php"] = Interpreter(scriptOptions: "rBRE", valueOptions: "d")
    return table
  }()

  private static let longScriptOptions = ["--command", "--eval", "--print", "--split-string"]
  private static let longValueOptions = ["--rcfile", "--init-file", "--user", "--group"]

  /// Returns the interpreter that a word names: `/usr/bin/bash`, `python3.11`, `--command=sh`.
  private static func interpreter(in word: String) -> Interpreter? {
    var word = Substring(word)
    let isWrapped = word.hasPrefix("--command=")
    if isWrapped { word = word.dropFirst("--command=".count) }
    let name = word.split(separator: "/").last.map(String.init) ?? ""
    var unversioned = Substring(name)
    while let last = unversioned.last, "0123456789.-".contains(last) { unversioned.removeLast() }
    guard var found = interpreters[name] ?? interpreters[String(unversioned)] else { return nil }
    if isWrapped { found.hasOperandsFirst = true }
    return found
  }

  private static func hasCodeInScript(
    _ words: ArraySlice<ExecLine.Word>, _ interpreter: Interpreter
  ) -> Bool {
    var isScriptNext = false
    var isValueNext = false
    for word in words {
      let text = word.text
      if isValueNext {
        isValueNext = false
      } else if text.utf8.starts(with: "--".utf8) {
        // A bare `--` counts too: the script comes after it.
        let name = String(text.prefix { $0 != "=" })
        let hasValue = name.utf8.count < text.utf8.count
        if longScriptOptions.contains(name) {
          if hasValue, word.hasCode { return true }
          isScriptNext = !hasValue
        } else if longValueOptions.contains(name), !hasValue {
          isValueNext = true
        }
      } else if let sign = text.utf8.first, "-+".utf8.contains(sign), text.utf8.count > 1 {
        // Compare bytes: a letter followed by a combining accent is still that letter to the
        // interpreter.
        if text.utf8.contains(where: interpreter.scriptOptions.utf8.contains) {
          // Some interpreters take the script in the same word: `-c"open %u"`.
          if word.hasCode { return true }
          isScriptNext = true
        }
        if let last = text.utf8.last, interpreter.valueOptions.utf8.contains(last) {
          isValueNext = true
        }
      } else if isScriptNext {
        if word.hasCode { return true }
        guard interpreter.hasOperandsFirst else { return false }
        isScriptNext = false
      } else if !interpreter.hasOperandsFirst {
        return false
      }
    }
    return false
  }
}
