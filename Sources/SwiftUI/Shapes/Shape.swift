public import Foundation

/// An outline.
///
/// Source: SwiftUI.
@MainActor @preconcurrency
public protocol Shape: View, Sendable {
  /// Returns the outline in an area.
  nonisolated func path(in rect: CGRect) -> Path
}

/// An outline that can be made smaller.
@MainActor @preconcurrency
public protocol InsettableShape: Shape {
  /// The smaller outline.
  associatedtype InsetShape: InsettableShape
  /// Makes the outline smaller on each side.
  nonisolated func inset(by amount: CGFloat) -> InsetShape
}

/// An outline that has a picture.
package protocol OutlinedShape {
  var outline: ShapeOutline { get }
}

extension Shape {
  /// The shape, filled with the colour that is inherited.
  public var body: _ShapeView<Self, ForegroundStyle> {
    _ShapeView(shape: self, style: ForegroundStyle())
  }

  nonisolated var outlineOfPicture: ShapeOutline {
    (self as? any OutlinedShape)?.outline ?? .other
  }
}

/// A shape that is filled, or drawn as a line.
public struct _ShapeView<Content, Style> {
  let shape: Content
  let style: Style
  var isStroke = false
  var lineWidth = 1.0
}

extension _ShapeView: View, TreeView where Content: Shape, Style: ShapeStyle {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    let paint = Paint(style)
    let outline = shape.outlineOfPicture
    if outline == .other {
      evaluation.warn("\(type(of: shape)) has no picture; its room stays empty")
    }
    let picture = ShapePicture(
      outline: outline, fill: isStroke ? nil : paint, stroke: isStroke ? paint : nil,
      lineWidth: lineWidth)
    evaluation.append(ViewNode(.shape(picture)))
  }

  /// Draws the outline on top of the fill.
  public nonisolated func stroke<S: ShapeStyle>(
    _ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true
  ) -> some View {
    overlay(
      _ShapeView<Content, S>(
        shape: shape, style: content, isStroke: true, lineWidth: Double(lineWidth)))
  }

  /// Draws the outline on top of the fill.
  public nonisolated func strokeBorder<S: ShapeStyle>(
    _ content: S = .foreground, lineWidth: CGFloat = 1, antialiased: Bool = true
  ) -> some View {
    stroke(content, lineWidth: lineWidth)
  }
}

/// How a line is drawn.
public struct StrokeStyle: Equatable, Sendable {
  /// Points across.
  public var lineWidth: CGFloat
  /// The ends of lines.
  public var lineCap: CGLineCap
  /// The corners of lines.
  public var lineJoin: CGLineJoin
  /// Where a corner becomes flat.
  public var miterLimit: CGFloat
  /// Points of dashes and gaps.
  public var dash: [CGFloat]
  /// Where the dashes begin.
  public var dashPhase: CGFloat

  /// Makes a style.
  public init(
    lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter,
    miterLimit: CGFloat = 10, dash: [CGFloat] = [], dashPhase: CGFloat = 0
  ) {
    self.lineWidth = lineWidth
    self.lineCap = lineCap
    self.lineJoin = lineJoin
    self.miterLimit = miterLimit
    self.dash = dash
    self.dashPhase = dashPhase
  }
}

/// The ends of lines.
public enum CGLineCap: Int32, Hashable, Sendable {
  case butt
  case round
  case square
}

/// The corners of lines.
public enum CGLineJoin: Int32, Hashable, Sendable {
  case miter
  case round
  case bevel
}

/// How an outline that crosses itself is filled.
public struct FillStyle: Equatable, Sendable {
  /// Whether areas inside twice are outside.
  public var isEOFilled: Bool
  /// Whether edges are smooth.
  public var isAntialiased: Bool

  /// Makes a style.
  public init(eoFill: Bool = false, antialiased: Bool = true) {
    isEOFilled = eoFill
    isAntialiased = antialiased
  }
}

extension Shape {
  /// Fills the shape.
  public nonisolated func fill<S: ShapeStyle>(
    _ content: S, style: FillStyle = FillStyle()
  ) -> _ShapeView<Self, S> {
    _ShapeView(shape: self, style: content)
  }

  /// Fills the shape with the colour that is inherited.
  public nonisolated func fill(
    style: FillStyle = FillStyle()
  ) -> _ShapeView<Self, ForegroundStyle> {
    _ShapeView(shape: self, style: ForegroundStyle())
  }

  /// Draws the outline.
  public nonisolated func stroke<S: ShapeStyle>(
    _ content: S, lineWidth: CGFloat = 1
  ) -> _ShapeView<Self, S> {
    _ShapeView(shape: self, style: content, isStroke: true, lineWidth: Double(lineWidth))
  }

  /// Draws the outline.
  public nonisolated func stroke<S: ShapeStyle>(
    _ content: S, style: StrokeStyle
  ) -> _ShapeView<Self, S> {
    stroke(content, lineWidth: style.lineWidth)
  }

  /// Draws the outline in the colour that is inherited.
  public nonisolated func stroke(lineWidth: CGFloat = 1) -> _ShapeView<Self, ForegroundStyle> {
    stroke(ForegroundStyle(), lineWidth: lineWidth)
  }

  /// Draws the outline in the colour that is inherited.
  public nonisolated func stroke(style: StrokeStyle) -> _ShapeView<Self, ForegroundStyle> {
    stroke(ForegroundStyle(), lineWidth: style.lineWidth)
  }

  /// The outline from a part of its length to another.
  public nonisolated func trim(from start: CGFloat = 0, to end: CGFloat = 1) -> some Shape {
    TrimmedShape(shape: self, start: Double(start), end: Double(end))
  }

  /// The shape, shifted; it has no picture of its own.
  public nonisolated func offset(x: CGFloat = 0, y: CGFloat = 0) -> some Shape { self }

  /// The shape, turned; it has no picture of its own.
  public nonisolated func rotation(_ angle: Angle, anchor: UnitPoint = .center) -> some Shape {
    self
  }

  /// The shape, larger or smaller; it has no picture of its own.
  public nonisolated func scale(_ scale: CGFloat, anchor: UnitPoint = .center) -> some Shape {
    self
  }
}

extension InsettableShape {
  /// Draws the outline inside of its area.
  public nonisolated func strokeBorder<S: ShapeStyle>(
    _ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true
  ) -> some View {
    _ShapeView(shape: self, style: content, isStroke: true, lineWidth: Double(lineWidth))
  }

  /// Draws the outline inside of its area.
  public nonisolated func strokeBorder<S: ShapeStyle>(
    _ content: S, style: StrokeStyle, antialiased: Bool = true
  ) -> some View {
    strokeBorder(content, lineWidth: style.lineWidth)
  }

  /// Draws the outline inside of its area, in the colour that is inherited.
  public nonisolated func strokeBorder(lineWidth: CGFloat = 1, antialiased: Bool = true)
    -> some View
  {
    strokeBorder(ForegroundStyle(), lineWidth: lineWidth)
  }
}

/// A part of the length of an outline; a part of a circle has a picture.
struct TrimmedShape<Base: Shape>: Shape, OutlinedShape {
  let shape: Base
  let start: Double
  let end: Double

  nonisolated init(shape: Base, start: Double, end: Double) {
    self.shape = shape
    self.start = start
    self.end = end
  }

  nonisolated func path(in rect: CGRect) -> Path { shape.path(in: rect) }

  nonisolated var outline: ShapeOutline {
    let whole = shape.outlineOfPicture
    if start <= 0, end >= 1 { return whole }
    return whole == .circle
      ? .arc(from: min(max(start, 0), 1), to: min(max(end, 0), 1)) : whole
  }
}

/// A shape whose type is forgotten.
public struct AnyShape: Shape, OutlinedShape {
  private let shape: any Shape

  /// Keeps `shape` without its type.
  public nonisolated init<S: Shape>(_ shape: S) { self.shape = shape }

  /// The outline of the shape.
  public nonisolated func path(in rect: CGRect) -> Path { shape.path(in: rect) }

  package nonisolated var outline: ShapeOutline { (shape as? any OutlinedShape)?.outline ?? .other }
}

/// How round a corner is.
public enum RoundedCornerStyle: Hashable, Sendable {
  case circular
  case continuous
}

/// The radii of the corners of a rectangle.
public struct RectangleCornerRadii: Equatable, Sendable {
  /// The upper leading corner.
  public var topLeading: CGFloat
  /// The lower leading corner.
  public var bottomLeading: CGFloat
  /// The lower trailing corner.
  public var bottomTrailing: CGFloat
  /// The upper trailing corner.
  public var topTrailing: CGFloat

  /// Makes radii.
  public init(
    topLeading: CGFloat = 0, bottomLeading: CGFloat = 0, bottomTrailing: CGFloat = 0,
    topTrailing: CGFloat = 0
  ) {
    self.topLeading = topLeading
    self.bottomLeading = bottomLeading
    self.bottomTrailing = bottomTrailing
    self.topTrailing = topTrailing
  }

  var outline: ShapeOutline {
    .rounded(
      topLeft: Double(topLeading), topRight: Double(topTrailing),
      bottomRight: Double(bottomTrailing), bottomLeft: Double(bottomLeading))
  }
}
