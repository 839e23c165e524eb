import Glibc
import JSON
import PlainText
import ProgramStart
import Timekeeping

/// A question to the person at the terminal, on standard error.
enum Question {
  /// Whether there is a person who can answer.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks until one of the letters is the answer; `nil` at the end of input and for an empty line.
  static func answer(_ question: String, _ letters: [String]) -> String? {
    while true {
      complain("\(question) ")
      guard let line = readLine() else {
        complain("\n")
        return nil
      }
      let said = line.lowercased().filter { !$0.isWhitespace }
      guard !said.isEmpty else { return nil }
      if let letter = letters.first(where: { said.hasPrefix($0) }) { return letter }
    }
  }

  /// The moment of an answer.
  static var now: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Writes to standard error.
  static func complain(_ text: String) {
    // Best effort: there is no other place for a message.
    _ = StandardDescriptors.write(TerminalText(text), to: .messages)
  }

  /// Prints a refusal, as text or as the JSON of a tool; returns its status.
  static func report(_ refusal: ToolRefusal, asJSON: Bool) -> Int32 {
    if asJSON {
      Terminal.emit(
        Terminal.line(
          of: [
            "ok": false, "problem": .string(refusal.message),
            "advice": .array(refusal.advice.map { .string($0) }),
          ]))
    } else {
      let first = refusal.isAnswer ? refusal.message : "\(Terminal.programName): \(refusal.message)"
      let lines = [first] + refusal.advice.map { "  \($0)" }
      complain(lines.map { printable($0) + "\n" }.joined())
    }
    return refusal.status
  }
}
