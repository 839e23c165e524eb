import Glibc
import JSON
import PlainText

/// Writes data to standard output and messages to standard error.
enum Output {
  /// Writes to standard output.
  ///
  /// If nobody reads it any more, the program exits with status 0.
  static func print(_ text: String) {
    guard !text.isEmpty else { return }
    if let code = write(text, to: STDOUT_FILENO) { end(unwritable: code) }
  }

  /// Ends the program after an error `code` of standard output.
  static func end(unwritable code: Int32) -> Never {
    if code == EPIPE { exit(ProgramStatus.done.rawValue) }
    complain("intent-send: cannot write the answer: \(systemMessage(code))\n")
    exit(ProgramStatus.failed.rawValue)
  }

  /// Writes a value to standard output as one line of JSON.
  static func print(_ value: JSONValue) { print([value]) }

  /// Writes values to standard output as lines of JSON.
  ///
  /// On a terminal, what would steer it or reorder the text is written as the escapes of JSON. A
  /// program that reads the lines gets the same values either way.
  static func print(_ values: [JSONValue]) {
    let lines = values.map { $0.serialized + "\n" }.joined()
    print(isatty(STDOUT_FILENO) == 1 ? printableJSON(lines) : lines)
  }

  /// Writes to standard error.
  static func complain(_ text: String) {
    // Best effort: there is no other place for the message.
    _ = write(text, to: STDERR_FILENO)
  }

  /// Writes the whole text; returns `errno` if that fails, else `nil`.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(
          descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
        if count >= 0 {
          written += count
        } else if errno == EAGAIN {
          var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&entry, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  /// The columns of standard output: `COLUMNS`, if the environment has it, else those of the
  /// terminal; `nil` for a pipe or a file.
  static var columns: Int? {
    var size = winsize()
    if let chosen = environment("COLUMNS").flatMap({ Int($0) }), chosen > 0 {
      return min(max(chosen, columnsMin), columnsMax)
    }
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return max(Int(size.ws_col), columnsMin)
  }

  /// Columns below which text is not broken further; such a terminal breaks it itself.
  private static let columnsMin = 20
  /// Columns up to which `COLUMNS` counts.
  private static let columnsMax = 10_000

  /// The style of standard output: colour on a terminal unless `NO_COLOR` is set
  /// (https://no-color.org).
  static var style: Style {
    let isWanted =
      isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR").map(\.isEmpty) ?? true
      && environment("TERM") != "dumb"
    return Style(isColoured: isWanted)
  }
}

/// Returns a variable of the environment; `nil` if it is not set.
func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// How a text is meant, which decides its colour on a terminal.
enum Tone: Hashable {
  case plain, strong, faint
  /// All is well.
  case success
  /// Something needs a look.
  case warning
  /// Something is broken, or cannot wait.
  case failure
}

/// Emphasises text on a terminal, or leaves it plain.
struct Style: Hashable {
  var isColoured: Bool

  static let plain = Style(isColoured: false)

  func strong(_ text: String) -> String { toned(text, .strong) }
  func faint(_ text: String) -> String { toned(text, .faint) }
  func warning(_ text: String) -> String { toned(text, .warning) }

  func toned(_ text: String, _ tone: Tone) -> String {
    let code: String
    switch tone {
    case .plain: return text
    case .strong: code = "1"
    case .faint: code = "2"
    case .success: code = "32"
    case .warning: code = "33"
    case .failure: code = "31"
    }
    return isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// Marks the selected row; no colour, so `NO_COLOR` leaves it, too.
  func reversed(_ text: String) -> String { "\u{1B}[7m\(text)\u{1B}[0m" }
}
