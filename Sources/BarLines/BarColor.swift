package import JSON

/// A colour as a bar gets it.
///
/// Content of others names colours. A colour that is no `#rrggbb` or `#rrggbbaa` is none: nothing
/// of its text is copied into a line, where it could end a tag and begin another.
package struct BarColor: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8
  /// 255 is opaque.
  package var alpha: UInt8

  /// The colour of text that is not current and has no colour of its own: a grey that can be read
  /// on light and on dark bars.
  package static let stale = BarColor(red: 0x88, green: 0x88, blue: 0x88, alpha: 0xFF)

  package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 0xFF) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Reads `#rrggbb` or `#rrggbbaa`; `nil` for any other text.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 7 || bytes.count == 9, bytes[0] == UInt8(ascii: "#") else { return nil }
    var channels: [UInt8] = []
    for index in stride(from: 1, to: bytes.count, by: 2) {
      guard let high = Self.digit(bytes[index]), let low = Self.digit(bytes[index + 1]) else {
        return nil
      }
      channels.append(high << 4 | low)
    }
    self.init(
      red: channels[0], green: channels[1], blue: channels[2],
      alpha: channels.count == 4 ? channels[3] : 0xFF)
  }

  /// Reads a colour of the content: a text, or an object with one for light and one for dark
  /// surroundings; `nil` if it is none.
  package init?(_ value: JSONValue?, isDark: Bool) {
    let chosen = value?[isDark ? "dark" : "light"] ?? value
    guard let text = chosen?.stringValue, let color = BarColor(text) else { return nil }
    self = color
  }

  /// `#rrggbb`.
  package var opaque: String { "#" + hex(red) + hex(green) + hex(blue) }
  /// `#rrggbb`, or `#rrggbbaa` where it is not opaque.
  package var alphaLast: String { alpha == 0xFF ? opaque : opaque + hex(alpha) }
  /// `#rrggbb`, or `#aarrggbb` where it is not opaque.
  package var alphaFirst: String {
    alpha == 0xFF ? opaque : "#" + hex(alpha) + hex(red) + hex(green) + hex(blue)
  }

  /// Half of the way to the grey of what is not current.
  package var dimmed: BarColor {
    func mixed(_ channel: UInt8, _ grey: UInt8) -> UInt8 {
      UInt8((Int(channel) + Int(grey)) / 2)
    }
    return BarColor(
      red: mixed(red, Self.stale.red), green: mixed(green, Self.stale.green),
      blue: mixed(blue, Self.stale.blue), alpha: alpha)
  }

  private func hex(_ channel: UInt8) -> String {
    let digits = String(channel, radix: 16)
    return digits.utf8.count == 1 ? "0" + digits : digits
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
