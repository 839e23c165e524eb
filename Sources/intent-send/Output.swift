import Glibc
import JSON
import PlainText
import ProgramStart

/// Writes data to standard output and messages to standard error.
///
/// Whatever the text has, a terminal that shows it is not steered: see `TerminalText`.
enum Output {
  /// Writes text to standard output.
  static func print(_ text: String) {
    write(TerminalText(text, hasColours: style.isColoured))
  }

  /// Writes to standard output.
  ///
  /// If nobody reads it any more, the program exits with status 0.
  static func write(_ text: TerminalText) {
    guard !text.text.isEmpty else { return }
    if let code = StandardDescriptors.write(text, to: .data) { end(unwritable: code) }
  }

  /// Ends the program after an error `code` of standard output.
  static func end(unwritable code: Int32) -> Never {
    if code == EPIPE { exit(ProgramStatus.done.rawValue) }
    complain("intent-send: cannot write the answer: \(systemMessage(code))\n")
    exit(ProgramStatus.failed.rawValue)
  }

  /// Writes a value to standard output as one line of JSON.
  static func print(_ value: JSONValue) { Self.print([value]) }

  /// Writes values to standard output as lines of JSON.
  ///
  /// Characters that steer a terminal or reorder text are written as escapes of JSON, into a pipe
  /// too: the bytes are the same everywhere, and a program that reads them gets the same values.
  static func print(_ values: [JSONValue]) {
    write(TerminalText(json: values.map { $0.serialized + "\n" }.joined()))
  }

  /// Writes to standard error.
  static func complain(_ text: String) {
    let text = TerminalText(text, hasColours: style.isColoured)
    // Best effort: there is no other place for the message.
    _ = StandardDescriptors.write(text, to: .messages)
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
    let rendition: Rendition
    switch tone {
    case .plain: return text
    case .strong: rendition = .strong
    case .faint: rendition = .faint
    case .success: rendition = .green
    case .warning: rendition = .yellow
    case .failure: rendition = .red
    }
    return isColoured && !text.isEmpty ? Self.set(rendition, text) : text
  }

  /// Marks the selected row; no colour, so `NO_COLOR` leaves it, too.
  func reversed(_ text: String) -> String { Self.set(.reversed, text) }

  private static func set(_ rendition: Rendition, _ text: String) -> String {
    "\(rendition.sequence)\(text)\(Rendition.normal.sequence)"
  }
}
