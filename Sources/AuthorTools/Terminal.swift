import Glibc
import JSON
import PlainText

/// Standard output of the tools for authors.
enum Terminal {
  /// Writes all of a text to standard output.
  ///
  /// Ends the program with status 1 where that is impossible, as on a full disk: no report is
  /// reached any more. A reader that went away ends nothing here.
  static func emit(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        // Nobody reads the report: `TrialWatch` sees that too, and a single run ends by itself.
        if errno == EPIPE { return }
        end(unwritable: errno)
      }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Returns a value as a line of JSON, which does not steer the terminal that it is printed on.
  static func line(of value: JSONValue) -> String {
    let line = value.serialized + "\n"
    return isatty(STDOUT_FILENO) == 1 ? printableJSON(line) : line
  }

  private static func end(unwritable code: Int32) -> Never {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    let message = Array("intentd: cannot write the report: \(reason)\n".utf8)
    // Best effort: there is no other place for the message.
    _ = message.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
  }
}
