import Glibc
import JSON

/// Standard output and error: data to the one, words to the other.
enum Output {
  /// Writes to standard output.
  ///
  /// When nobody reads it any more, the program has done its work: it exits 0.
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

  /// One line of JSON.
  static func print(_ value: JSONValue) { print(value.serialized + "\n") }

  /// Writes to standard error.
  static func complain(_ text: String) {
    // Best effort: there is nobody left to tell.
    _ = write(text, to: STDERR_FILENO)
  }

  /// Writes everything; the error's number when that fails.
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

  /// Colour only for a person, who did not say no (https://no-color.org).
  static var style: Style {
    let isWanted =
      isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR").map(\.isEmpty) ?? true
      && environment("TERM") != "dumb"
    return Style(isColoured: isWanted)
  }
}

/// A variable of the environment.
func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// The few ways in which text stands out on a terminal.
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

/// `text` without what could steer a terminal: control characters become U+FFFD, line breaks and tabs a space.
///
/// Titles and texts come from providers, which are not trusted.
func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
    return text
  }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\r": continue
    case "\n", "\t": result.append(" ")
    default:
      result.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
  }
  return String(result)
}

/// The same line by line, for text that may have several.
func printableLines(_ text: String) -> [String] {
  text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
    printable(String($0))
  }
}
