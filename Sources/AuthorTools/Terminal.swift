import Glibc
import JSON
import PlainText
import ProgramStart

/// Standard output of the tools for authors.
enum Terminal {
  /// The program that a person runs them with, which begins their messages.
  static let programName = "intent-send"

  /// Writes all of a text to standard output.
  ///
  /// Ends the program with status 1 where that is impossible, as on a full disk: no report is
  /// reached any more. A reader that went away ends nothing here: `TrialWatch` sees that too, and a
  /// single run ends by itself.
  static func emit(_ text: TerminalText) {
    guard let code = StandardDescriptors.write(text, to: .data), code != EPIPE else { return }
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    let message = TerminalText("\(programName): cannot write the report: \(reason)\n")
    // Best effort: there is no other place for the message.
    _ = StandardDescriptors.write(message, to: .messages)
    exit(1)
  }

  /// Returns a value as a line of JSON, the same on a terminal and in a pipe.
  static func line(of value: JSONValue) -> TerminalText {
    TerminalText(json: value.serialized + "\n")
  }
}
