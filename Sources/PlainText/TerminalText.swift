/// Text that standard output and standard error take, and the only type that they take.
///
/// Nothing in it steers a terminal but what this program puts there on purpose. `printable` cleans
/// what others wrote at the place where a line is made, where it is known which part is foreign.
/// That is one call for each name, title and message, and one will be forgotten. So the same rule
/// holds once more at the edge: `StandardDescriptors.write` takes no `String`, and each way to make
/// a `TerminalText` cleans its text. A forgotten call is then an ugly line (`\x1B]52;…`), and not a
/// command to the terminal.
///
/// Colours are the one thing that both we and others might write. The initialiser lets exactly the
/// sequences of `Rendition` through, where the caller prints colours at all: the worst that a
/// forgotten call can do is a red word.
package struct TerminalText: Hashable, Sendable {
  /// The text as it is written.
  package private(set) var text: String

  private init(safe text: String) { self.text = text }

  /// Makes text of lines.
  ///
  /// Line feeds and tabs stay; everything else that `printable` would replace or remove becomes a
  /// visible escape. With `hasColours` the sequences of `Rendition` stay, and a rendition that is
  /// still on at the end of the text ends there. O(length).
  package init(_ text: String, hasColours: Bool = false) {
    var last = Rendition.normal
    self.text = rewritten(text) { rest, _, safe in
      guard let scalar = rest.first else { return 0 }
      if hasColours, scalar == "\u{1B}", let rendition = Rendition(startOf: rest) {
        last = rendition
        safe += rendition.sequence
        return rendition.sequence.unicodeScalars.count
      }
      safe += scalar == "\n" || scalar == "\t" ? String(scalar) : visibleEscape(of: scalar)
      return 1
    }
    if last != .normal { self.text += Rendition.normal.sequence }
  }

  /// Makes text of lines of JSON, as `printableJSON` does.
  package init(json: String) { text = printableJSON(json) }

  /// Makes lines for a bar.
  ///
  /// The rule holds for them too, but U+200B stays: it stands between two characters that polybar
  /// or conky would read as a command, and an escape there would be seen. O(length).
  package init(bar text: String) {
    self.text = rewritten(text) { rest, _, safe in
      guard let scalar = rest.first else { return 0 }
      safe += scalar == "\n" || scalar == "\u{200B}" ? String(scalar) : visibleEscape(of: scalar)
      return 1
    }
  }

  /// Makes the sequence of a terminal's control.
  package init(_ control: TerminalControl) { text = control.sequence }

  package static func += (text: inout TerminalText, more: TerminalText) { text.text += more.text }

  package static func + (text: TerminalText, more: TerminalText) -> TerminalText {
    TerminalText(safe: text.text + more.text)
  }
}

/// The renditions that the programs set: colours and emphasis.
///
/// Source: ECMA-48, Select Graphic Rendition.
package enum Rendition: UInt8, CaseIterable, Hashable, Sendable {
  case normal = 0
  case strong = 1
  case faint = 2
  case reversed = 7
  case red = 31
  case green = 32
  case yellow = 33

  /// The bytes that set it.
  package var sequence: String { "\u{1B}[\(rawValue)m" }

  /// The rendition whose sequence `text` starts with; `nil` if it starts with none.
  fileprivate init?(startOf text: Substring.UnicodeScalarView) {
    let found = Self.allCases.first { text.starts(with: $0.sequence.unicodeScalars) }
    guard let found else { return nil }
    self = found
  }
}

/// A command to the terminal that a program draws on.
///
/// Source: ECMA-48, and the private modes of xterm.
package enum TerminalControl: Hashable, Sendable {
  /// Takes the screen: one of its own, no cursor, no wrapping at the end of a line.
  ///
  /// No case gives it back: the program also has to when a signal ends it, and writes the bytes
  /// itself.
  case takeScreen
  case clearScreen
  /// Goes to the start of a row, counted from 1.
  case row(Int)
  case eraseRestOfRow
  case endRendition

  fileprivate var sequence: String {
    switch self {
    case .takeScreen: "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    case .clearScreen: "\u{1B}[2J"
    case .row(let number): "\u{1B}[\(number);1H"
    case .eraseRestOfRow: "\u{1B}[K"
    case .endRendition: Rendition.normal.sequence
    }
  }
}
