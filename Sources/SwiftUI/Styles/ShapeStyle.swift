public import Foundation

/// A way to paint a shape or a text.
///
/// Source: SwiftUI.
public protocol ShapeStyle: Sendable {
  /// The style that it becomes in an environment.
  associatedtype Resolved: ShapeStyle = Never
  /// Returns the style for an environment.
  func resolve(in environment: EnvironmentValues) -> Resolved
}

/// A style that is a paint already, whatever it resolves into.
package protocol PaintSource: ShapeStyle {
  var paint: Paint { get }
}

/// A style that is a paint already, and resolves into no other.
package protocol PaintedStyle: PaintSource where Resolved == Never {}

extension ShapeStyle where Resolved == Never {
  /// No code resolves a style that is a paint already.
  public func resolve(in environment: EnvironmentValues) -> Never {
    preconditionFailure("a style of SwiftUI resolves into no other")
  }
}

extension Never: ShapeStyle {}

extension Paint {
  /// The paint of a style.
  package init<S: ShapeStyle>(_ style: S) { self.init(style, depth: 0) }

  private init(_ style: any ShapeStyle, depth: Int) {
    if let style = style as? any PaintSource {
      self = style.paint
    } else if depth < Limits.styleDepthMax {
      self.init(style.resolve(in: .current), depth: depth + 1)
    } else {
      self = .hierarchical(0)
    }
  }
}

/// A style whose type is forgotten.
public struct AnyShapeStyle: PaintedStyle, Hashable {
  package let paint: Paint

  /// Keeps `style` without its type.
  public init<S: ShapeStyle>(_ style: S) { paint = Paint(style) }

  /// Keeps `style` without its type.
  public init<S: ShapeStyle>(erasing style: S) { paint = Paint(style) }

  init(paint: Paint) { self.paint = paint }
}

/// A level of the colour that is inherited.
public struct HierarchicalShapeStyle: PaintedStyle, Hashable {
  let level: Int

  package var paint: Paint { .hierarchical(level) }

  /// The colour itself.
  public static let primary = HierarchicalShapeStyle(level: 0)
  /// The second level.
  public static let secondary = HierarchicalShapeStyle(level: 1)
  /// The third level.
  public static let tertiary = HierarchicalShapeStyle(level: 2)
  /// The fourth level.
  public static let quaternary = HierarchicalShapeStyle(level: 3)
  /// The fifth level.
  public static let quinary = HierarchicalShapeStyle(level: 4)
}

/// The colour that is inherited.
public struct ForegroundStyle: PaintedStyle {
  /// Makes the style.
  public init() {}
  package var paint: Paint { .hierarchical(0) }
}

/// The background of the surroundings.
public struct BackgroundStyle: PaintedStyle {
  /// Makes the style.
  public init() {}
  package var paint: Paint { .color(.named(.background)) }
}

/// The colour of links and controls.
public struct TintShapeStyle: PaintedStyle {
  /// Makes the style.
  public init() {}
  package var paint: Paint { .tint }
}

/// The colour of lines between parts.
public struct SeparatorShapeStyle: PaintedStyle {
  /// Makes the style.
  public init() {}
  package var paint: Paint { .color(.named(.separator)) }
}

/// The colour of fills that lie on a background.
public struct FillShapeStyle: PaintedStyle {
  /// Makes the style.
  public init() {}
  package var paint: Paint { .color(.named(.fill)) }
}

/// The colour of links.
public struct LinkShapeStyle: PaintedStyle {
  /// Makes the style.
  public init() {}
  package var paint: Paint { .color(.named(.blue)) }
}

/// The colour of a placeholder.
public struct PlaceholderTextShapeStyle: PaintedStyle {
  /// Makes the style.
  public init() {}
  package var paint: Paint { .color(.named(.tertiary)) }
}

/// A translucent plate.
public struct Material: PaintedStyle, Hashable {
  let strength: Double

  package var paint: Paint { .material(strength) }

  /// Hardly there.
  public static let ultraThin = Material(strength: 0.3)
  /// Thin.
  public static let thin = Material(strength: 0.45)
  /// Of the usual thickness.
  public static let regular = Material(strength: 0.6)
  /// Thick.
  public static let thick = Material(strength: 0.75)
  /// Nearly opaque.
  public static let ultraThick = Material(strength: 0.9)
  /// That of bars.
  public static let bar = Material(strength: 0.75)
}

/// A style that is more transparent.
public struct _OpacityShapeStyle<Style: ShapeStyle>: PaintedStyle {
  let style: Style
  let opacity: Double
  package var paint: Paint { Paint(style).faded(by: opacity) }
}

extension ShapeStyle {
  /// The style, more transparent.
  public func opacity(_ opacity: Double) -> some ShapeStyle {
    _OpacityShapeStyle(style: self, opacity: opacity)
  }

  /// The second level of the style.
  public var secondary: some ShapeStyle { opacity(0.75) }
  /// The third level of the style.
  public var tertiary: some ShapeStyle { opacity(0.5) }
  /// The fourth level of the style.
  public var quaternary: some ShapeStyle { opacity(0.35) }
  /// The fifth level of the style.
  public var quinary: some ShapeStyle { opacity(0.2) }

  /// The style; a shadow of a style has no picture.
  public func shadow(_ style: ShadowStyle) -> some ShapeStyle { self }

  /// The style; blending has no picture.
  public func blendMode(_ mode: BlendMode) -> some ShapeStyle { self }
}

/// A shadow of a style.
public struct ShadowStyle: Hashable, Sendable {
  /// A shadow behind.
  public static func drop(
    color: Color = Color(.sRGBLinear, white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0,
    y: CGFloat = 0
  ) -> ShadowStyle { ShadowStyle() }
  /// A shadow inside.
  public static func inner(
    color: Color = Color(.sRGBLinear, white: 0, opacity: 0.55), radius: CGFloat, x: CGFloat = 0,
    y: CGFloat = 0
  ) -> ShadowStyle { ShadowStyle() }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  /// The colour itself.
  public static var primary: HierarchicalShapeStyle { .primary }
  /// The second level.
  public static var secondary: HierarchicalShapeStyle { .secondary }
  /// The third level.
  public static var tertiary: HierarchicalShapeStyle { .tertiary }
  /// The fourth level.
  public static var quaternary: HierarchicalShapeStyle { .quaternary }
  /// The fifth level.
  public static var quinary: HierarchicalShapeStyle { .quinary }
}

extension ShapeStyle where Self == ForegroundStyle {
  /// The colour that is inherited.
  public static var foreground: ForegroundStyle { ForegroundStyle() }
}

extension ShapeStyle where Self == BackgroundStyle {
  /// The background of the surroundings.
  public static var background: BackgroundStyle { BackgroundStyle() }
}

extension ShapeStyle where Self == TintShapeStyle {
  /// The colour of links and controls.
  public static var tint: TintShapeStyle { TintShapeStyle() }
}

extension ShapeStyle where Self == SeparatorShapeStyle {
  /// The colour of lines between parts.
  public static var separator: SeparatorShapeStyle { SeparatorShapeStyle() }
}

extension ShapeStyle where Self == FillShapeStyle {
  /// The colour of fills that lie on a background.
  public static var fill: FillShapeStyle { FillShapeStyle() }
}

extension ShapeStyle where Self == LinkShapeStyle {
  /// The colour of links.
  public static var link: LinkShapeStyle { LinkShapeStyle() }
}

extension ShapeStyle where Self == PlaceholderTextShapeStyle {
  /// The colour of a placeholder.
  public static var placeholder: PlaceholderTextShapeStyle { PlaceholderTextShapeStyle() }
}

extension ShapeStyle where Self == Material {
  /// Hardly there.
  public static var ultraThinMaterial: Material { .ultraThin }
  /// Thin.
  public static var thinMaterial: Material { .thin }
  /// Of the usual thickness.
  public static var regularMaterial: Material { .regular }
  /// Thick.
  public static var thickMaterial: Material { .thick }
  /// Nearly opaque.
  public static var ultraThickMaterial: Material { .ultraThick }
  /// That of bars.
  public static var bar: Material { .bar }
}
