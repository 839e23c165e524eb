/// Reads the ways in which scripts write a colour, and makes one of them: `#rrggbb[aa]`.
package enum ColorText {
  /// Returns the colour that `text` names; `nil`: it names none.
  ///
  /// Read are the colour names of CSS, `#RGB`, `#RGBA`, `#RRGGBB`, `#RRGGBBAA`, Pango's `#RRRGGGBBB`
  /// and `#RRRRGGGGBBBB`, `rgb()` and `rgba()`, and two of them as `light,dark`. With
  /// `hasAlphaFirst` four and eight digits are polybar's `#ARGB` and `#AARRGGBB`. Letters are of any
  /// case. An opaque colour has six digits. Source: CSS Color Module Level 4; polybar's wiki,
  /// "Colors"; PangoColor. O(length).
  package static func read(_ text: String, hasAlphaFirst: Bool = false) -> PluginColor? {
    guard text.utf8.count <= PluginLimits.colorBytesMax else { return nil }
    let text = text.lowercased()
    let halves = split(text)
    guard halves.count <= 2 else { return nil }
    let colors = halves.compactMap { one(trimmed($0), hasAlphaFirst) }
    guard colors.count == halves.count, let light = colors.first else { return nil }
    return PluginColor(light: light, dark: colors.count == 2 ? colors[1] : nil)
  }

  /// Returns the colour of three channels, each from 0 to 255.
  static func hexadecimal(_ channels: [UInt8]) -> String {
    var text = "#"
    for channel in channels {
      let digits = String(channel, radix: 16)
      text += digits.utf8.count == 1 ? "0" + digits : digits
    }
    return text
  }

  /// Returns the parts between commas that stand outside of parentheses.
  private static func split(_ text: String) -> [Substring] {
    var depth = 0
    return text.split(omittingEmptySubsequences: false) { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character == "," && depth == 0
    }
  }

  private static func one(_ text: Substring, _ hasAlphaFirst: Bool) -> String? {
    if text.first == "#" { return digits(Array(text.utf8.dropFirst()), hasAlphaFirst) }
    if text == "transparent" { return "#00000000" }
    if let end = text.firstIndex(of: "("), text.last == ")" {
      guard text[..<end] == "rgb" || text[..<end] == "rgba" else { return nil }
      return function(text[text.index(after: end)...].dropLast())
    }
    return ColorNames.table[String(text)].map { "#" + $0 }
  }

  private static func digits(_ digits: [UInt8], _ hasAlphaFirst: Bool) -> String? {
    guard digits.allSatisfy(isDigit) else { return nil }
    var channels: [String]
    switch digits.count {
    case 3, 4: channels = digits.map { String(decoding: [$0, $0], as: UTF8.self) }
    case 6, 8: channels = pairs(digits, of: 2)
    // The first two digits of three or four are the upper eight bits of a channel.
    case 9: channels = pairs(digits, of: 3)
    case 12: channels = pairs(digits, of: 4)
    default: return nil
    }
    if hasAlphaFirst, channels.count == 4 { channels.append(channels.removeFirst()) }
    if channels.count == 4, channels[3] == "ff" { channels.removeLast() }
    return "#" + channels.joined()
  }

  /// Returns the first two digits of each group of `length`.
  private static func pairs(_ digits: [UInt8], of length: Int) -> [String] {
    stride(from: 0, to: digits.count, by: length)
      .map { String(decoding: digits[$0..<$0 + 2], as: UTF8.self) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }

  /// Reads the arguments of `rgb(…)`: three channels and an opacity, divided by commas, blanks or /.
  private static func function(_ arguments: Substring) -> String? {
    let words = arguments.split { $0 == "," || $0 == " " || $0 == "/" }
    guard words.count == 3 || words.count == 4 else { return nil }
    var channels: [UInt8] = []
    for (index, word) in words.enumerated() {
      let isPercentage = word.last == "%"
      guard let number = Double(isPercentage ? word.dropLast() : word), number.isFinite else {
        return nil
      }
      let whole = isPercentage ? 100.0 : index == 3 ? 1 : 255
      channels.append(UInt8((min(max(number / whole, 0), 1) * 255).rounded()))
    }
    if channels.count == 4, channels[3] == 255 { channels.removeLast() }
    return hexadecimal(channels)
  }
}

/// Returns `text` without the blanks at its ends.
func trimmed(_ text: Substring) -> Substring {
  var text = text
  while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
  while let last = text.last, last == " " || last == "\t" { text.removeLast() }
  return text
}
