import Glibc
import JSON

/// Writes data to standard output and messages to standard error.
enum Output {
  /// Writes to standard output.
  ///
  /// If nobody reads it any more, the program exits with status 0.
  static func print(_ text: String) {
    guard !text.isEmpty else { return }
    switch write(text, to: STDOUT_FILENO) {
    case .none: return
    case .some(EPIPE): exit(ProgramStatus.done.rawValue)
    case .some(let code):
      complain("intent-send: cannot write the answer: \(systemMessage(code))\n")
      exit(ProgramStatus.failed.rawValue)
    }
  }

  /// Writes a value to standard output as one line of JSON.
  static func print(_ value: JSONValue) { print(value.serialized + "\n") }

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

/// Emphasises text on a terminal, or leaves it plain.
struct Style: Hashable {
  var isColoured: Bool

  static let plain = Style(isColoured: false)

  func strong(_ text: String) -> String { wrapped(text, "1") }
  func faint(_ text: String) -> String { wrapped(text, "2") }
  func warning(_ text: String) -> String { wrapped(text, "33") }

  private func wrapped(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
