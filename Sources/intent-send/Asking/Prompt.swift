import Glibc

/// Questions to the person at the terminal.
///
/// They go to standard error, so that standard output has the answer alone.
enum Prompt {
  /// Whether there is a person who can answer.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Prints `text` and reads a line; `nil` at the end of input.
  static func line(_ text: String) -> String? {
    Output.complain(text)
    guard let line = readLine() else {
      Output.complain("\n")
      return nil
    }
    return line
  }

  /// Asks for a yes or a no; an empty line is the `standard` answer, and the end of input is a no.
  static func confirms(_ question: String, standard: Bool) -> Bool {
    answer(question, standard: standard) ?? false
  }

  /// Asks for a yes or a no; an empty line is the `standard` answer, and `nil` the end of input.
  ///
  /// Anything else is asked again.
  static func answer(_ question: String, standard: Bool) -> Bool? {
    while let line = line("\(question) \(standard ? "[Y/n]" : "[y/N]") ") {
      switch line.lowercased().filter({ !$0.isWhitespace }) {
      case "": return standard
      case "y", "yes": return true
      case "n", "no": return false
      default: continue
      }
    }
    return nil
  }
}
