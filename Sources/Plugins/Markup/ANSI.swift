/// Reads text with the escape sequences of a terminal.
///
/// Colours and emphasis (SGR) become styles; every other sequence is removed, its content too: it
/// would steer a terminal, and is no text anywhere else. Source: ECMA-48; xterm's control
/// sequences.
package enum ANSI {
  /// Returns the text in its styles; a reset goes back to `base`; O(length).
  package static func read(_ text: String, base: TextStyle = TextStyle()) -> StyledText {
    // Most text has neither of the bytes with which a sequence begins: ESC, and the first of a C1.
    guard text.utf8.contains(where: { $0 == 0x1B || $0 == 0xC2 }),
      text.unicodeScalars.contains(where: { $0 == "\u{1B}" || isC1($0) })
    else {
      return StyledText(text, base)
    }
    var reader = Reader(base: base)
    reader.read(Array(text.unicodeScalars))
    return reader.result
  }

  /// Whether it is the form of ESC and a letter in one character, such as CSI.
  static func isC1(_ scalar: Unicode.Scalar) -> Bool { (0x80...0x9F).contains(scalar.value) }

  private struct Reader {
    let base: TextStyle
    var style: TextStyle
    var isReversed = false
    var result = StyledText()

    init(base: TextStyle) {
      self.base = base
      style = base
    }

    mutating func read(_ scalars: [Unicode.Scalar]) {
      var piece = ""
      var index = 0
      while index < scalars.count {
        let scalar = scalars[index]
        guard scalar == "\u{1B}" || ANSI.isC1(scalar) else {
          piece.unicodeScalars.append(scalar)
          index += 1
          continue
        }
        // ESC and a letter from @ to _ are one character of C1.
        var kind = scalar.value
        index += 1
        if scalar == "\u{1B}" {
          guard index < scalars.count else { break }
          kind = scalars[index].value
          guard (0x40...0x5F).contains(kind) else {
            while index < scalars.count, (0x20...0x2F).contains(scalars[index].value) { index += 1 }
            if index < scalars.count, (0x30...0x7E).contains(scalars[index].value) { index += 1 }
            continue
          }
          kind += 0x40
          index += 1
        }
        switch kind {
        case 0x9B:
          let start = index
          while index < scalars.count, (0x20...0x3F).contains(scalars[index].value) { index += 1 }
          let parameters = scalars[start..<index]
          guard index < scalars.count, (0x40...0x7E).contains(scalars[index].value) else {
            continue
          }
          if scalars[index] == "m" {
            append(&piece)
            apply(String(String.UnicodeScalarView(parameters)))
          }
          index += 1
        case 0x90, 0x98, 0x9D...0x9F:
          index = endOfString(scalars, from: index)
        default: continue
        }
      }
      append(&piece)
    }

    /// Returns the index behind a string that ends with ST or BEL; without one it is all the rest.
    private func endOfString(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
      var index = start
      while index < scalars.count {
        let scalar = scalars[index]
        index += 1
        if scalar.value == 0x07 || scalar.value == 0x9C { return index }
        if scalar == "\u{1B}", index < scalars.count, scalars[index] == "\\" { return index + 1 }
      }
      return index
    }

    private mutating func append(_ piece: inout String) {
      var style = style
      if isReversed { swap(&style.color, &style.background) }
      result.append(piece, style)
      piece = ""
    }

    private mutating func apply(_ parameters: String) {
      // Sequences with a private prefix or an intermediate are no SGR.
      guard
        parameters.unicodeScalars.allSatisfy({
          ("0"..."9" as ClosedRange).contains($0)
            || $0 == ";" || $0 == ":"
        })
      else { return }
      var fields = parameters.split(separator: ";", omittingEmptySubsequences: false)[...]
      while let field = fields.popFirst() {
        let parts = field.split(separator: ":", omittingEmptySubsequences: false)
        let code = parts.first.map { $0.isEmpty ? 0 : Int($0) ?? -1 } ?? 0
        switch code {
        case 0:
          style = base
          isReversed = false
        case 1: style.isBold = true
        case 3: style.isItalic = true
        case 4: style.isUnderlined = parts.count < 2 || parts[1] != "0"
        case 7: isReversed = true
        case 9: style.isStruck = true
        case 21: style.isUnderlined = true
        case 22: style.isBold = false
        case 23: style.isItalic = false
        case 24: style.isUnderlined = false
        case 27: isReversed = false
        case 29: style.isStruck = false
        case 30...37: style.color = ANSIPalette.color(code - 30)
        case 38: style.color = color(parts.dropFirst(), &fields) ?? style.color
        case 39: style.color = base.color
        case 40...47: style.background = ANSIPalette.color(code - 40)
        case 48: style.background = color(parts.dropFirst(), &fields) ?? style.background
        case 49: style.background = base.background
        // The colour of the line under the text is not shown, but its fields are no codes.
        case 58: _ = color(parts.dropFirst(), &fields)
        case 90...97: style.color = ANSIPalette.color(code - 90 + 8)
        case 100...107: style.background = ANSIPalette.color(code - 100 + 8)
        default: break
        }
      }
    }

    /// Reads `5;N` or `2;R;G;B`, or the same with colons; the fields that it takes are removed.
    private func color(
      _ parts: ArraySlice<Substring>, _ fields: inout ArraySlice<Substring>
    ) -> PluginColor? {
      if !parts.isEmpty {
        // With colons a field for the colour space may stand before the channels: `2::R:G:B`.
        let numbers = parts.map { Int($0) }
        if numbers.count == 2, numbers[0] == 5 { return numbers[1].flatMap(ANSIPalette.color) }
        guard numbers[0] == 2, numbers.count >= 4 else { return nil }
        return ANSIPalette.color(Array(numbers.dropFirst(numbers.count == 4 ? 1 : 2).prefix(3)))
      }
      switch fields.popFirst() {
      case "5": return fields.popFirst().flatMap { Int($0) }.flatMap(ANSIPalette.color)
      case "2":
        let numbers = fields.prefix(3).map { Int($0) }
        fields = fields.dropFirst(3)
        return ANSIPalette.color(numbers)
      default: return nil
      }
    }
  }
}

/// The 256 colours of a terminal.
///
/// Source: xterm's `256colres.h` and default resources.
enum ANSIPalette {
  private static let first = [
    "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
    "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
  ]
  private static let steps: [UInt8] = [0, 95, 135, 175, 215, 255]

  /// Returns a colour by its number, from 0 to 255: 16 named ones, a cube, and greys.
  static func color(_ number: Int) -> PluginColor? {
    switch number {
    case 0..<16: PluginColor(light: first[number])
    case 16..<232:
      PluginColor(
        light: ColorText.hexadecimal([36, 6, 1].map { steps[(number - 16) / $0 % 6] }))
    case 232..<256:
      PluginColor(
        light: ColorText.hexadecimal([UInt8](repeating: UInt8(8 + (number - 232) * 10), count: 3)))
    default: nil
    }
  }

  /// Returns the colour of red, green and blue, each from 0 to 255.
  static func color(_ channels: [Int?]) -> PluginColor? {
    let bytes = channels.compactMap { $0.flatMap(UInt8.init(exactly:)) }
    return bytes.count == 3 ? PluginColor(light: ColorText.hexadecimal(bytes)) : nil
  }
}
