/// What an area or a text is painted with; colours that differ in the dark are still names.
package indirect enum Paint: Hashable, Sendable {
  case color(ColorValue)
  case linear(stops: [PaintStop], start: PaintPoint, end: PaintPoint)
  case radial(stops: [PaintStop], center: PaintPoint, startRadius: Double, endRadius: Double)
  /// Around a centre, from an angle to another, in degrees clockwise from three o'clock.
  case angular(stops: [PaintStop], center: PaintPoint, start: Double, end: Double)
  /// A level of the colour that is inherited: 0 is the colour itself.
  case hierarchical(Int)
  /// The colour of links and controls.
  case tint
  /// A translucent plate of a strength from 0 to 1.
  case material(Double)
  case faded(Paint, Double)

  /// The same, more transparent.
  package func faded(by opacity: Double) -> Paint {
    guard opacity < 1 else { return self }
    if case .color(let value) = self { return .color(.faded(value, opacity)) }
    return .faded(self, opacity)
  }
}

/// A colour at a place of a gradient, from 0 to 1.
package struct PaintStop: Hashable, Sendable {
  package var color: ColorValue
  package var location: Double
}

/// A place of an area: 0 is the leading or the upper edge, 1 the other.
package struct PaintPoint: Hashable, Sendable {
  package var x: Double
  package var y: Double
}

/// A colour that may be another one in the dark.
package indirect enum ColorValue: Hashable, Sendable {
  case rgb(RGB)
  case named(NamedColor)
  case faded(ColorValue, Double)
  case mixed(ColorValue, ColorValue, Double)
  /// One for light and one for dark surroundings.
  case pair(light: RGB, dark: RGB)
  /// A colour of the author's assets; their name.
  case asset(String)

  /// The colour in surroundings of a scheme.
  package func resolved(in scheme: ColorScheme) -> RGB {
    switch self {
    case .rgb(let color): return color
    case .named(let name): return name.color(in: scheme)
    case .faded(let color, let opacity):
      var resolved = color.resolved(in: scheme)
      resolved.alpha *= opacity
      return resolved
    case .mixed(let a, let b, let fraction):
      return a.resolved(in: scheme).mixed(with: b.resolved(in: scheme), by: fraction)
    case .pair(let light, let dark): return scheme == .light ? light : dark
    case .asset(let name):
      if let found = AssetCatalog.color(named: name) { return found.resolved(in: scheme) }
      // As on iOS: an accent is blue unless the author says so, and a colour without a value is clear.
      return (name == "AccentColor" ? NamedColor.blue : .clear).color(in: scheme)
    }
  }
}

/// Red, green, blue and opacity, each from 0 to 1.
package struct RGB: Hashable, Sendable {
  package var red: Double
  package var green: Double
  package var blue: Double
  package var alpha = 1.0

  package init(_ red: Double, _ green: Double, _ blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Makes a colour of `0xRRGGBB`.
  package init(hex: UInt32, alpha: Double = 1) {
    self.init(
      Double(hex >> 16 & 255) / 255, Double(hex >> 8 & 255) / 255, Double(hex & 255) / 255,
      alpha: alpha)
  }

  func mixed(with other: RGB, by fraction: Double) -> RGB {
    func part(_ a: Double, _ b: Double) -> Double { a + (b - a) * fraction }
    return RGB(
      part(red, other.red), part(green, other.green), part(blue, other.blue),
      alpha: part(alpha, other.alpha))
  }

  /// `#rrggbb`, or `#rrggbbaa` where it is not opaque.
  package var hex: String {
    let opaque = "#" + Self.digits(red) + Self.digits(green) + Self.digits(blue)
    let opacity = Self.digits(alpha)
    return opacity == "ff" ? opaque : opaque + opacity
  }

  private static func digits(_ part: Double) -> String {
    let byte = UInt8((min(max(part.isNaN ? 0 : part, 0), 1) * 255).rounded())
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: [digits[Int(byte >> 4)], digits[Int(byte & 15)]], as: UTF8.self)
  }
}

/// The colours that the system names.
///
/// Source: Human Interface Guidelines, "Color", the default values for light and dark.
package enum NamedColor: String, Hashable, Sendable, CaseIterable {
  case red, orange, yellow, green, mint, teal, cyan, blue, indigo, purple, pink, brown, gray
  case black, white, clear
  case primary, secondary, tertiary, quaternary, quinary
  case gray2, gray3, gray4, gray5, gray6, darkGray
  case background, secondaryBackground, tertiaryBackground, groupedBackground
  case fill, secondaryFill, tertiaryFill, quaternaryFill, separator, opaqueSeparator

  private var hexes: (light: UInt32, dark: UInt32) {
    switch self {
    case .red: (0xFF3B30, 0xFF453A)
    case .orange: (0xFF9500, 0xFF9F0A)
    case .yellow: (0xFFCC00, 0xFFD60A)
    case .green: (0x34C759, 0x30D158)
    case .mint: (0x00C7BE, 0x63E6E2)
    case .teal: (0x30B0C7, 0x40CBE0)
    case .cyan: (0x32ADE6, 0x64D2FF)
    case .blue: (0x007AFF, 0x0A84FF)
    case .indigo: (0x5856D6, 0x5E5CE6)
    case .purple: (0xAF52DE, 0xBF5AF2)
    case .pink: (0xFF2D55, 0xFF375F)
    case .brown: (0xA2845E, 0xAC8E68)
    case .gray: (0x8E8E93, 0x8E8E93)
    case .black, .clear: (0x000000, 0x000000)
    case .white: (0xFFFFFF, 0xFFFFFF)
    case .primary: (0x000000, 0xFFFFFF)
    case .secondary, .tertiary, .quaternary, .quinary: (0x3C3C43, 0xEBEBF5)
    case .background: (0xFFFFFF, 0x1C1C1E)
    case .secondaryBackground: (0xF2F2F7, 0x2C2C2E)
    case .tertiaryBackground: (0xFFFFFF, 0x3A3A3C)
    case .groupedBackground: (0xF2F2F7, 0x1C1C1E)
    case .gray2: (0xAEAEB2, 0x636366)
    case .gray3: (0xC7C7CC, 0x48484A)
    case .gray4: (0xD1D1D6, 0x3A3A3C)
    case .gray5: (0xE5E5EA, 0x2C2C2E)
    case .gray6: (0xF2F2F7, 0x1C1C1E)
    case .darkGray: (0x555555, 0x555555)
    case .fill, .secondaryFill, .tertiaryFill, .quaternaryFill: (0x787880, 0x787880)
    case .opaqueSeparator: (0xC6C6C8, 0x38383A)
    case .separator: (0x3C3C43, 0x545458)
    }
  }

  private var opacity: Double {
    switch self {
    case .clear: 0
    case .secondary: 0.6
    case .tertiary: 0.3
    case .quaternary: 0.18
    case .quinary: 0.1
    case .fill: 0.2
    case .secondaryFill: 0.16
    case .tertiaryFill: 0.12
    case .quaternaryFill: 0.08
    case .separator: 0.29
    default: 1
    }
  }

  func color(in scheme: ColorScheme) -> RGB {
    let hexes = hexes
    return RGB(hex: scheme == .light ? hexes.light : hexes.dark, alpha: opacity)
  }

  /// The names for levels of the colour of text.
  static let levels: [NamedColor] = [.primary, .secondary, .tertiary, .quaternary, .quinary]
}
