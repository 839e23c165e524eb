public import Foundation

/// Colours that pass into each other.
///
/// Source: SwiftUI.
public struct Gradient: Hashable, Sendable {
  /// A colour at a place from 0 to 1.
  public struct Stop: Hashable, Sendable {
    /// The colour.
    public var color: Color
    /// The place.
    public var location: CGFloat

    /// Puts `color` at `location`.
    public init(color: Color, location: CGFloat) {
      self.color = color
      self.location = location
    }
  }

  /// The colours in their order.
  public var stops: [Stop]

  /// Makes a gradient of colours at places.
  public init(stops: [Stop]) { self.stops = stops }

  /// Makes a gradient of colours at equal distances.
  public init(colors: [Color]) {
    let last = max(colors.count - 1, 1)
    stops = colors.enumerated().map { index, color in
      Stop(color: color, location: CGFloat(index) / CGFloat(last))
    }
  }

  var paintStops: [PaintStop] {
    stops.map { PaintStop(color: $0.color.value, location: Double($0.location)) }
  }
}

extension Gradient: PaintedStyle {
  package var paint: Paint {
    .linear(stops: paintStops, start: PaintPoint(x: 0.5, y: 0), end: PaintPoint(x: 0.5, y: 1))
  }
}

/// A gradient of the standard form.
public struct AnyGradient: PaintedStyle, Hashable {
  private let gradient: Gradient

  /// Keeps `gradient`.
  public init(_ gradient: Gradient) { self.gradient = gradient }

  package var paint: Paint {
    gradient.stops.count == 1 ? .color(gradient.stops[0].color.value) : gradient.paint
  }
}

/// A place of an area: 0 is the leading or the upper edge, 1 the other.
public struct UnitPoint: Hashable, Sendable {
  /// From the leading edge.
  public var x: CGFloat
  /// From the upper edge.
  public var y: CGFloat

  /// The first corner.
  public init() { self.init(x: 0, y: 0) }

  /// Makes a place.
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }

  /// The first corner.
  public static let zero = UnitPoint(x: 0, y: 0)
  /// The middle.
  public static let center = UnitPoint(x: 0.5, y: 0.5)
  /// The middle of the leading edge.
  public static let leading = UnitPoint(x: 0, y: 0.5)
  /// The middle of the trailing edge.
  public static let trailing = UnitPoint(x: 1, y: 0.5)
  /// The middle of the upper edge.
  public static let top = UnitPoint(x: 0.5, y: 0)
  /// The middle of the lower edge.
  public static let bottom = UnitPoint(x: 0.5, y: 1)
  /// The upper leading corner.
  public static let topLeading = UnitPoint(x: 0, y: 0)
  /// The upper trailing corner.
  public static let topTrailing = UnitPoint(x: 1, y: 0)
  /// The lower leading corner.
  public static let bottomLeading = UnitPoint(x: 0, y: 1)
  /// The lower trailing corner.
  public static let bottomTrailing = UnitPoint(x: 1, y: 1)

  var paintPoint: PaintPoint { PaintPoint(x: Double(x), y: Double(y)) }
}

/// An angle.
public struct Angle: Hashable, Comparable, Sendable {
  /// The angle in radians.
  public var radians: Double
  /// The angle in degrees.
  public var degrees: Double {
    get { radians * 180 / .pi }
    set { radians = newValue * .pi / 180 }
  }

  /// No angle.
  public init() { radians = 0 }

  /// Makes an angle of radians.
  public init(radians: Double) { self.radians = radians }

  /// Makes an angle of degrees.
  public init(degrees: Double) { radians = degrees * .pi / 180 }

  /// Makes an angle of radians.
  public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }

  /// Makes an angle of degrees.
  public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }

  /// No angle.
  public static let zero = Angle()

  /// Compares by size.
  public static func < (a: Angle, b: Angle) -> Bool { a.radians < b.radians }

  /// Adds two angles.
  public static func + (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians + b.radians) }

  /// Subtracts an angle.
  public static func - (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians - b.radians) }

  /// Turns an angle around.
  public static prefix func - (a: Angle) -> Angle { Angle(radians: -a.radians) }
}

/// A gradient along a line.
public struct LinearGradient: PaintedStyle {
  package let paint: Paint

  /// Makes a gradient from `startPoint` to `endPoint`.
  public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
    paint = .linear(
      stops: gradient.paintStops, start: startPoint.paintPoint, end: endPoint.paintPoint)
  }

  /// Makes a gradient from `startPoint` to `endPoint`.
  public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
    self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
  }

  /// Makes a gradient from `startPoint` to `endPoint`.
  public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
    self.init(gradient: Gradient(stops: stops), startPoint: startPoint, endPoint: endPoint)
  }
}

/// A gradient from a centre outwards.
public struct RadialGradient: PaintedStyle {
  package let paint: Paint

  /// Makes a gradient between two radii in points.
  public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
    paint = .radial(
      stops: gradient.paintStops, center: center.paintPoint, startRadius: Double(startRadius),
      endRadius: Double(endRadius))
  }

  /// Makes a gradient between two radii in points.
  public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
    self.init(
      gradient: Gradient(colors: colors), center: center, startRadius: startRadius,
      endRadius: endRadius)
  }

  /// Makes a gradient between two radii in points.
  public init(stops: [Gradient.Stop], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
    self.init(
      gradient: Gradient(stops: stops), center: center, startRadius: startRadius,
      endRadius: endRadius)
  }
}

/// A gradient around a centre.
public struct AngularGradient: PaintedStyle {
  package let paint: Paint

  /// Makes a gradient from an angle to another.
  public init(
    gradient: Gradient, center: UnitPoint, startAngle: Angle = .zero, endAngle: Angle = .zero
  ) {
    paint = .angular(
      stops: gradient.paintStops, center: center.paintPoint, start: startAngle.degrees,
      end: endAngle.degrees)
  }

  /// Makes a gradient from an angle to another.
  public init(colors: [Color], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
    self.init(
      gradient: Gradient(colors: colors), center: center, startAngle: startAngle,
      endAngle: endAngle)
  }

  /// Makes a gradient from an angle to another.
  public init(stops: [Gradient.Stop], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
    self.init(
      gradient: Gradient(stops: stops), center: center, startAngle: startAngle, endAngle: endAngle)
  }

  /// Makes a gradient of a whole turn.
  public init(gradient: Gradient, center: UnitPoint, angle: Angle = .zero) {
    self.init(
      gradient: gradient, center: center, startAngle: angle, endAngle: angle + .degrees(360))
  }

  /// Makes a gradient of a whole turn.
  public init(colors: [Color], center: UnitPoint, angle: Angle = .zero) {
    self.init(gradient: Gradient(colors: colors), center: center, angle: angle)
  }

  /// Makes a gradient of a whole turn.
  public init(stops: [Gradient.Stop], center: UnitPoint, angle: Angle = .zero) {
    self.init(gradient: Gradient(stops: stops), center: center, angle: angle)
  }
}

/// A gradient from the centre of an area to its edge; its picture is round.
public struct EllipticalGradient: PaintedStyle {
  package let paint: Paint

  /// Makes a gradient between two parts of the size.
  public init(
    gradient: Gradient, center: UnitPoint = .center, startRadiusFraction: CGFloat = 0,
    endRadiusFraction: CGFloat = 0.5
  ) {
    paint = .radial(
      stops: gradient.paintStops, center: center.paintPoint, startRadius: 0, endRadius: 100)
  }

  /// Makes a gradient between two parts of the size.
  public init(
    colors: [Color], center: UnitPoint = .center, startRadiusFraction: CGFloat = 0,
    endRadiusFraction: CGFloat = 0.5
  ) {
    self.init(gradient: Gradient(colors: colors), center: center)
  }
}

extension LinearGradient: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) { evaluation.append(ViewNode(.fill(paint))) }
}

extension RadialGradient: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) { evaluation.append(ViewNode(.fill(paint))) }
}

extension AngularGradient: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) { evaluation.append(ViewNode(.fill(paint))) }
}

extension EllipticalGradient: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) { evaluation.append(ViewNode(.fill(paint))) }
}

extension ShapeStyle where Self == LinearGradient {
  /// A gradient along a line.
  public static func linearGradient(
    _ gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint
  ) -> LinearGradient {
    LinearGradient(gradient: gradient, startPoint: startPoint, endPoint: endPoint)
  }

  /// A gradient along a line.
  public static func linearGradient(
    colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint
  ) -> LinearGradient {
    LinearGradient(colors: colors, startPoint: startPoint, endPoint: endPoint)
  }

  /// A gradient along a line.
  public static func linearGradient(
    stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint
  ) -> LinearGradient {
    LinearGradient(stops: stops, startPoint: startPoint, endPoint: endPoint)
  }
}

extension ShapeStyle where Self == RadialGradient {
  /// A gradient from a centre outwards.
  public static func radialGradient(
    colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat
  ) -> RadialGradient {
    RadialGradient(colors: colors, center: center, startRadius: startRadius, endRadius: endRadius)
  }
}

extension ShapeStyle where Self == AngularGradient {
  /// A gradient around a centre.
  public static func angularGradient(
    colors: [Color], center: UnitPoint, startAngle: Angle, endAngle: Angle
  ) -> AngularGradient {
    AngularGradient(colors: colors, center: center, startAngle: startAngle, endAngle: endAngle)
  }

  /// A gradient of a whole turn.
  public static func conicGradient(
    colors: [Color], center: UnitPoint, angle: Angle = .zero
  ) -> AngularGradient {
    AngularGradient(colors: colors, center: center, angle: angle)
  }
}
