public import Foundation

/// A font of text.
///
/// Source: SwiftUI.
public struct Font: Hashable, Sendable {
  /// A size by its use.
  public enum TextStyle: CaseIterable, Hashable, Sendable {
    case largeTitle
    case title
    case title2
    case title3
    case headline
    case subheadline
    case body
    case callout
    case footnote
    case caption
    case caption2
    case extraLargeTitle
    case extraLargeTitle2

    /// Points at the usual size of text.
    ///
    /// Source: Human Interface Guidelines, "Typography", the size Large.
    var points: Double {
      switch self {
      case .extraLargeTitle: 36
      case .largeTitle: 34
      case .title, .extraLargeTitle2: 28
      case .title2: 22
      case .title3: 20
      case .headline, .body: 17
      case .callout: 16
      case .subheadline: 15
      case .footnote: 13
      case .caption: 12
      case .caption2: 11
      }
    }
  }

  /// The weight of strokes.
  public struct Weight: Hashable, Sendable {
    /// From 100 to 900, as CSS has it.
    let number: Int

    /// The thinnest.
    public static let ultraLight = Weight(number: 100)
    /// Thinner than light.
    public static let thin = Weight(number: 200)
    /// Light.
    public static let light = Weight(number: 300)
    /// The usual.
    public static let regular = Weight(number: 400)
    /// A little heavier.
    public static let medium = Weight(number: 500)
    /// Between medium and bold.
    public static let semibold = Weight(number: 600)
    /// Bold.
    public static let bold = Weight(number: 700)
    /// Heavier than bold.
    public static let heavy = Weight(number: 800)
    /// The heaviest.
    public static let black = Weight(number: 900)
  }

  /// The form of letters.
  public enum Design: Hashable, Sendable {
    case `default`
    case serif
    case rounded
    case monospaced
  }

  /// The width of letters; it has no picture.
  public struct Width: Hashable, Sendable {
    /// The width, 0 for the usual.
    public var value: CGFloat

    /// Makes a width.
    public init(_ value: CGFloat) { self.value = value }

    /// Narrow.
    public static let compressed = Width(-0.2)
    /// A little narrow.
    public static let condensed = Width(-0.1)
    /// The usual.
    public static let standard = Width(0)
    /// Wide.
    public static let expanded = Width(0.1)
  }

  /// The distance of lines.
  public enum Leading: Hashable, Sendable {
    case standard
    case tight
    case loose
  }

  /// Points, before the person's choice of size.
  var points: Double
  /// Whether the size follows the person's choice.
  var isScaled: Bool
  var weight: Weight?
  var design: Design?
  var isItalic = false
  var hasSmallCaps = false
  var hasMonospacedDigits = false
  var leading = Leading.standard

  init(points: Double, isScaled: Bool, weight: Weight? = nil, design: Design? = nil) {
    self.points = points
    self.isScaled = isScaled
    self.weight = weight
    self.design = design
  }

  private func with(_ change: (inout Font) -> Void) -> Font {
    var font = self
    change(&font)
    return font
  }

  /// The largest title.
  public static let largeTitle = Font.system(.largeTitle)
  /// A title.
  public static let title = Font.system(.title)
  /// A second title.
  public static let title2 = Font.system(.title2)
  /// A third title.
  public static let title3 = Font.system(.title3)
  /// A headline.
  public static let headline = Font.system(.headline)
  /// Below a headline.
  public static let subheadline = Font.system(.subheadline)
  /// Running text.
  public static let body = Font.system(.body)
  /// A remark.
  public static let callout = Font.system(.callout)
  /// A footnote.
  public static let footnote = Font.system(.footnote)
  /// A caption.
  public static let caption = Font.system(.caption)
  /// A small caption.
  public static let caption2 = Font.system(.caption2)

  /// The font of the system for a use.
  public static func system(
    _ style: TextStyle, design: Design? = nil, weight: Weight? = nil
  ) -> Font {
    Font(
      points: style.points, isScaled: true,
      weight: weight ?? (style == .headline ? .semibold : nil),
      design: design)
  }

  /// The font of the system in a size.
  public static func system(
    size: CGFloat, weight: Weight? = nil, design: Design? = nil
  ) -> Font {
    Font(points: Double(size), isScaled: false, weight: weight, design: design)
  }

  /// A font by its name; its picture is the font of the system.
  public static func custom(_ name: String, size: CGFloat) -> Font {
    Font(points: Double(size), isScaled: true)
  }

  /// A font by its name; its picture is the font of the system.
  public static func custom(_ name: String, size: CGFloat, relativeTo textStyle: TextStyle) -> Font
  {
    Font(points: Double(size), isScaled: true)
  }

  /// A font by its name; its picture is the font of the system.
  public static func custom(_ name: String, fixedSize: CGFloat) -> Font {
    Font(points: Double(fixedSize), isScaled: false)
  }

  /// The font, bold.
  public func bold() -> Font { with { $0.weight = .bold } }

  /// The font, slanted.
  public func italic() -> Font { with { $0.isItalic = true } }

  /// The font in a weight.
  public func weight(_ weight: Weight) -> Font { with { $0.weight = weight } }

  /// The font; the width has no picture.
  public func width(_ width: Width) -> Font { self }

  /// The font with lines at a distance.
  public func leading(_ leading: Leading) -> Font { with { $0.leading = leading } }

  /// The font with letters of one width.
  public func monospaced() -> Font { with { $0.design = .monospaced } }

  /// The font with digits of one width.
  public func monospacedDigit() -> Font { with { $0.hasMonospacedDigits = true } }

  /// The font with small capitals.
  public func smallCaps() -> Font { with { $0.hasSmallCaps = true } }

  /// The font with small capitals for lower-case letters.
  public func lowercaseSmallCaps() -> Font { smallCaps() }

  /// The font with small capitals for upper-case letters.
  public func uppercaseSmallCaps() -> Font { smallCaps() }
}
