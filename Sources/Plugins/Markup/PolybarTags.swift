/// Reads polybar's inline tags: `%{F#ff0000}hot%{F-} %{A1:firefox:}web%{A}`.
///
/// Source: polybar's wiki, "Formatting", and polybar(5), "Format tags".
package struct PolybarTags {
  package private(set) var text = StyledText()
  /// The commands of the text, for `sh -c`, by button: 1 left, 2 middle, 3 right, 4 and 5 scrolling.
  ///
  /// In polybar a command belongs to a part of the text; here the first one of a button belongs to
  /// all of it.
  package private(set) var commands: [Int: String] = [:]
  /// Sentences without their periods.
  package private(set) var warnings: [String] = []

  private var style: TextStyle
  private let base: TextStyle

  private init(base: TextStyle) {
    self.base = base
    style = base
  }

  /// Reads `text`; O(length).
  package static func read(_ text: String, base: TextStyle = TextStyle()) -> PolybarTags {
    var reader = PolybarTags(base: base)
    reader.read(Array(text.utf8))
    return reader
  }

  private mutating func read(_ bytes: [UInt8]) {
    var start = 0
    var index = 0
    while index + 1 < bytes.count {
      guard bytes[index] == UInt8(ascii: "%"), bytes[index + 1] == UInt8(ascii: "{") else {
        index += 1
        continue
      }
      text.append(String(decoding: bytes[start..<index], as: UTF8.self), style)
      index = readTags(bytes, from: index + 2)
      start = index
    }
    text.append(String(decoding: bytes[start...], as: UTF8.self), style)
  }

  private mutating func warn(_ message: String) {
    guard warnings.count < PluginLimits.warningCountMax, !warnings.contains(message) else { return }
    warnings.append(message)
  }

  /// Reads the tags up to `}`, and returns the index behind it.
  private mutating func readTags(_ bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "}"): return index + 1
      case UInt8(ascii: " "): index += 1
      case UInt8(ascii: "A"): index = readAction(bytes, from: index + 1)
      default:
        let end =
          bytes[index...].firstIndex { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: " ") }
          ?? bytes.count
        apply(String(decoding: bytes[index..<end], as: UTF8.self))
        index = end
      }
    }
    warn("a tag %{…} is not closed; the text behind it is left out")
    return index
  }

  /// Reads `1:command:` or nothing, which ends an action; a colon in the command is `\:`.
  private mutating func readAction(_ bytes: [UInt8], from start: Int) -> Int {
    var index = start
    var button = 1
    if index < bytes.count, (UInt8(ascii: "1")...UInt8(ascii: "8")).contains(bytes[index]) {
      button = Int(bytes[index] - UInt8(ascii: "0"))
      index += 1
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return index }
    index += 1
    var command: [UInt8] = []
    while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
      if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count,
        bytes[index + 1] == UInt8(ascii: ":")
      {
        index += 1
      }
      command.append(bytes[index])
      index += 1
    }
    guard index < bytes.count else {
      warn("the command of a tag %{A…} is not ended with a colon; it is ignored")
      return index
    }
    note(String(decoding: command, as: UTF8.self), button)
    return index + 1
  }

  private mutating func note(_ command: String, _ button: Int) {
    guard !command.isEmpty else { return }
    if command.first == "#" {
      warn("the action \(command) is one of polybar itself; it is ignored")
    } else if button > 5 {
      warn("the command of a double click is ignored")
    } else if commands[button] != nil {
      warn("button \(button) has more than one command; the first is taken for all of the text")
    } else {
      commands[button] = command
    }
  }

  private mutating func apply(_ tag: String) {
    switch tag {
    case "+u", "!u": style.isUnderlined = tag == "+u" || !style.isUnderlined
    case "-u": style.isUnderlined = false
    case "R": swap(&style.color, &style.background)
    case "F-": style.color = base.color
    case "B-": style.background = base.background
    default:
      switch tag.first {
      case "F": style.color = color(tag) ?? style.color
      case "B": style.background = color(tag) ?? style.background
      // The colours of lines, fonts by number, offsets, sides, overlines and resets of the bar.
      case "u", "o", "T", "O", "l", "c", "r", "P", "+", "-", "!": break
      default: warn("the tag %{\(tag)} is none of polybar; it is ignored")
      }
    }
  }

  private mutating func color(_ tag: String) -> PluginColor? {
    let color = ColorText.read(String(tag.dropFirst()), hasAlphaFirst: true)
    if color == nil { warn("the tag %{\(tag)} has no colour; it is ignored") }
    return color
  }
}
