import PlainText

/// Makes styled text of a title, as its parameters and its family want.
struct MenuText {
  let format: PluginFormat
  var style = TextStyle()
  /// Characters that are shown; `nil` or 0: all.
  var lengthMax: Int?
  var isTrimmed = true
  /// Whether escape sequences set colours; where they do not, they are left out.
  var hasANSI: Bool
  var hasEmojiCodes = true
  /// Whether words between colons are SwiftBar's symbols, which leaves no emoji codes.
  var hasSymbols: Bool
  var hasMarkup: Bool
  /// Whether `\n`, `\t` and `\\` are escapes.
  var hasEscapes: Bool

  init(format: PluginFormat) {
    self.format = format
    hasANSI = format != .swiftbar
    hasSymbols = format == .swiftbar
    hasMarkup = format == .argos
    hasEscapes = format != .xbar
  }

  /// Returns the text, and all of it for a tooltip if it was cut; empty if nothing is left of it.
  func read(_ title: String, warning: (String) -> Void) -> (text: StyledText, full: String?) {
    var title = title
    if title.utf8.count > PluginLimits.lineBytesMax {
      warning(
        "the text has \(title.utf8.count) bytes; it is cut after \(PluginLimits.lineBytesMax)")
      title = title.prefix(bytes: PluginLimits.lineBytesMax)
    }
    if isTrimmed { title = title.trimmed }
    if hasEscapes { title = unescaped(title) }
    if hasEmojiCodes, !hasSymbols { title = EmojiCodes.replaced(in: title) }
    var text = ANSI.read(title, base: style)
    if !hasANSI { text = StyledText(text.plain, style) }
    if hasMarkup { text = marked(text, warning: warning) }
    // A line of blanks, or of characters that nobody sees, shows nothing.
    guard printable(text.plain).contains(where: { !$0.isWhitespace }) else {
      return (StyledText(), nil)
    }
    return shortened(text)
  }

  /// Reads Pango's markup in each piece that escape sequences leave.
  private func marked(_ text: StyledText, warning: (String) -> Void) -> StyledText {
    var result = StyledText()
    for run in text.runs {
      let piece = Pango.read(run.text, base: run.style)
      if let message = piece.warning { warning(message) }
      for run in piece.text.runs { result.append(run.text, run.style) }
    }
    return result
  }

  /// Cuts the text after `lengthMax` characters, with an ellipsis.
  private func shortened(_ text: StyledText) -> (text: StyledText, full: String?) {
    guard let lengthMax, lengthMax > 0 else { return (text, nil) }
    let full = printable(text.plain)
    guard full.count > lengthMax else { return (text, nil) }
    var result = StyledText()
    var room = lengthMax
    for run in text.runs where room > 0 {
      let piece = printable(run.text)
      result.append(String(piece.prefix(room)), run.style)
      room -= min(room, piece.count)
    }
    result.append("…", result.runs.last?.style ?? style)
    return (result, full)
  }

  /// Returns the text with its escapes read: `\n`, `\t`, `\\`; in SwiftBar also `\e[`.
  private func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.first else {
        result.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "n"): result.append(10)
      case UInt8(ascii: "t"): result.append(9)
      case UInt8(ascii: "\\"): result.append(next)
      case UInt8(ascii: "e") where format == .swiftbar && rest.dropFirst().first == 0x5B:
        result.append(0x1B)
      default:
        result.append(byte)
        continue
      }
      rest.removeFirst()
    }
    return String(decoding: result, as: UTF8.self)
  }
}
