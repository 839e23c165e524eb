public import Foundation

/// An outline of lines and curves; it is accepted, and has no picture.
///
/// Source: SwiftUI.
public struct Path: Equatable, Sendable, LosslessStringConvertible {
  /// The last place of the outline.
  public private(set) var currentPoint: CGPoint?
  /// The area that the outline has touched.
  public private(set) var boundingRect: CGRect = .zero

  /// Makes an empty outline.
  public init() {}

  /// Makes the outline of a rectangle.
  public init(_ rect: CGRect) { boundingRect = rect }

  /// Makes the outline of an ellipse.
  public init(ellipseIn rect: CGRect) { boundingRect = rect }

  /// Makes the outline of a rectangle with round corners.
  public init(
    roundedRect rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous
  ) {
    boundingRect = rect
  }

  /// Makes the outline of a rectangle with round corners.
  public init(
    roundedRect rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous
  ) {
    boundingRect = rect
  }

  /// Makes the outline that a closure draws.
  public init(_ callback: (inout Path) -> Void) { callback(&self) }

  /// No outline is read from a text.
  public init?(_ string: String) { return nil }

  /// The area of the outline.
  public var description: String { "\(boundingRect)" }
  /// Whether nothing was drawn.
  public var isEmpty: Bool { currentPoint == nil && boundingRect == .zero }
  /// The outline itself.
  public var cgPath: Path { self }

  private mutating func touch(_ point: CGPoint) { currentPoint = point }

  /// Begins at a place.
  public mutating func move(to end: CGPoint) { touch(end) }

  /// Draws a line.
  public mutating func addLine(to end: CGPoint) { touch(end) }

  /// Draws lines.
  public mutating func addLines(_ lines: [CGPoint]) { if let last = lines.last { touch(last) } }

  /// Draws a curve.
  public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) { touch(end) }

  /// Draws a curve.
  public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
    touch(end)
  }

  /// Draws a rectangle.
  public mutating func addRect(_ rect: CGRect) { boundingRect = rect }

  /// Draws rectangles.
  public mutating func addRects(_ rects: [CGRect]) { if let last = rects.last { addRect(last) } }

  /// Draws a rectangle with round corners.
  public mutating func addRoundedRect(
    in rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous
  ) {
    addRect(rect)
  }

  /// Draws an ellipse.
  public mutating func addEllipse(in rect: CGRect) { addRect(rect) }

  /// Draws a part of a circle.
  public mutating func addArc(
    center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool
  ) {
    touch(center)
  }

  /// Draws a part of a circle.
  public mutating func addRelativeArc(
    center: CGPoint, radius: CGFloat, startAngle: Angle, delta: Angle
  ) {
    touch(center)
  }

  /// Draws a part of a circle between two lines.
  public mutating func addArc(tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat) {
    touch(tangent2End)
  }

  /// Draws another outline.
  public mutating func addPath(_ path: Path) { if let point = path.currentPoint { touch(point) } }

  /// Draws a line to the beginning.
  public mutating func closeSubpath() {}

  /// Whether a place is inside.
  public func contains(_ point: CGPoint, eoFill: Bool = false) -> Bool {
    boundingRect.contains(point)
  }

  /// The outline from a part of its length to another.
  public func trimmedPath(from: CGFloat, to: CGFloat) -> Path { self }

  /// The outline, shifted.
  public func offsetBy(dx: CGFloat, dy: CGFloat) -> Path { self }

  /// The outline of a line along it.
  public func strokedPath(_ style: StrokeStyle) -> Path { self }
}

extension Path: Shape {
  /// The outline itself.
  public func path(in rect: CGRect) -> Path { self }
}
