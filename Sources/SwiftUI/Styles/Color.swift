public import Foundation

/// A colour; many are another one in the dark.
///
/// Source: SwiftUI.
public struct Color: Hashable, Sendable, CustomStringConvertible {
  let value: ColorValue

  init(value: ColorValue) { self.value = value }

  /// How the parts of a colour are meant.
  public enum RGBColorSpace: Hashable, Sendable {
    case sRGB
    case sRGBLinear
    case displayP3
  }

  /// Makes a colour of red, green and blue, each from 0 to 1.
  public init(
    _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double,
    opacity: Double = 1
  ) {
    value = .rgb(
      RGB(
        Self.encoded(red, colorSpace), Self.encoded(green, colorSpace),
        Self.encoded(blue, colorSpace), alpha: opacity))
  }

  /// Makes a grey from black, 0, to white, 1.
  public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
    self.init(colorSpace, red: white, green: white, blue: white, opacity: opacity)
  }

  /// Makes a colour of hue, saturation and brightness, each from 0 to 1.
  public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
    func part(_ n: Double) -> Double {
      let k = (n + hue * 6).truncatingRemainder(dividingBy: 6)
      return brightness - brightness * saturation * max(0, min(k, 4 - k, 1))
    }
    value = .rgb(RGB(part(5), part(3), part(1), alpha: opacity))
  }

  /// The colour of that name in the assets.
  public init(_ name: String, bundle: Bundle? = nil) {
    AssetCatalog.note(bundle)
    value = .asset(name)
  }

  /// The colour of a resource.
  public init(_ resource: ColorResource) { self.init(resource.name, bundle: resource.bundle) }

  /// The part of sRGB that a part of `space` is.
  private static func encoded(_ part: Double, _ space: RGBColorSpace) -> Double {
    guard space == .sRGBLinear else { return part }
    return part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055
  }

  /// The colour, more transparent.
  public func opacity(_ opacity: Double) -> Color { Color(value: .faded(value, opacity)) }

  /// The colour with a part of another one in it.
  public func mix(with other: Color, by fraction: Double) -> Color {
    Color(value: .mixed(value, other.value, fraction))
  }

  /// The colour, a little lighter at the top; here it is the colour itself.
  public var gradient: AnyGradient { AnyGradient(Gradient(colors: [self])) }

  /// The values of the colour in an environment.
  public func resolve(in environment: EnvironmentValues) -> Resolved {
    let color = value.resolved(in: environment.colorScheme)
    return Resolved(
      red: Float(color.red), green: Float(color.green), blue: Float(color.blue),
      opacity: Float(color.alpha))
  }

  /// Makes a colour of resolved values.
  public init(_ resolved: Resolved) {
    self.init(
      red: Double(resolved.red), green: Double(resolved.green), blue: Double(resolved.blue),
      opacity: Double(resolved.opacity))
  }

  /// The values of a colour.
  public struct Resolved: ShapeStyle, PaintedStyle, Hashable, Codable {
    /// Red, from 0 to 1.
    public var red: Float
    /// Green, from 0 to 1.
    public var green: Float
    /// Blue, from 0 to 1.
    public var blue: Float
    /// Opacity, from 0 to 1.
    public var opacity: Float

    /// Makes a colour of its parts.
    public init(
      colorSpace: RGBColorSpace = .sRGB, red: Float, green: Float, blue: Float, opacity: Float = 1
    ) {
      self.red = red
      self.green = green
      self.blue = blue
      self.opacity = opacity
    }

    package var paint: Paint { .color(Color(self).value) }
  }

  /// The colour as it was made.
  public var description: String {
    if case .named(let name) = value { return name.rawValue }
    return value.resolved(in: .light).hex
  }

  /// Red.
  public static let red = Color(value: .named(.red))
  /// Orange.
  public static let orange = Color(value: .named(.orange))
  /// Yellow.
  public static let yellow = Color(value: .named(.yellow))
  /// Green.
  public static let green = Color(value: .named(.green))
  /// Mint.
  public static let mint = Color(value: .named(.mint))
  /// Teal.
  public static let teal = Color(value: .named(.teal))
  /// Cyan.
  public static let cyan = Color(value: .named(.cyan))
  /// Blue.
  public static let blue = Color(value: .named(.blue))
  /// Indigo.
  public static let indigo = Color(value: .named(.indigo))
  /// Purple.
  public static let purple = Color(value: .named(.purple))
  /// Pink.
  public static let pink = Color(value: .named(.pink))
  /// Brown.
  public static let brown = Color(value: .named(.brown))
  /// Grey.
  public static let gray = Color(value: .named(.gray))
  /// Black.
  public static let black = Color(value: .named(.black))
  /// White.
  public static let white = Color(value: .named(.white))
  /// No colour.
  public static let clear = Color(value: .named(.clear))
  /// The colour of text.
  public static let primary = Color(value: .named(.primary))
  /// The colour of text that matters less.
  public static let secondary = Color(value: .named(.secondary))
  /// The colour of links and controls.
  public static let accentColor = Color(value: .asset("AccentColor"))
}

extension Color: ShapeStyle, PaintSource {
  package var paint: Paint { .color(value) }
}

extension Color: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.append(ViewNode(.fill(.color(value))))
  }
}

extension ShapeStyle where Self == Color {
  /// Red.
  public static var red: Color { .red }
  /// Orange.
  public static var orange: Color { .orange }
  /// Yellow.
  public static var yellow: Color { .yellow }
  /// Green.
  public static var green: Color { .green }
  /// Mint.
  public static var mint: Color { .mint }
  /// Teal.
  public static var teal: Color { .teal }
  /// Cyan.
  public static var cyan: Color { .cyan }
  /// Blue.
  public static var blue: Color { .blue }
  /// Indigo.
  public static var indigo: Color { .indigo }
  /// Purple.
  public static var purple: Color { .purple }
  /// Pink.
  public static var pink: Color { .pink }
  /// Brown.
  public static var brown: Color { .brown }
  /// Grey.
  public static var gray: Color { .gray }
  /// Black.
  public static var black: Color { .black }
  /// White.
  public static var white: Color { .white }
  /// No colour.
  public static var clear: Color { .clear }
  /// The colour of links and controls.
  public static var accentColor: Color { .accentColor }
}

/// The name of a colour in the assets.
///
/// A bundle never changes after it was made, so any thread may read it.
public struct ColorResource: Hashable, @unchecked Sendable {
  let name: String
  let bundle: Bundle

  /// Makes the name.
  public init(name: String, bundle: Bundle) {
    self.name = name
    self.bundle = bundle
  }
}

/// The name of an image in the assets.
///
/// A bundle never changes after it was made, so any thread may read it.
public struct ImageResource: Hashable, @unchecked Sendable {
  let name: String
  let bundle: Bundle

  /// Makes the name.
  public init(name: String, bundle: Bundle) {
    self.name = name
    self.bundle = bundle
  }
}
