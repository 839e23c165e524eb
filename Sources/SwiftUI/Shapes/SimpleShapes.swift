public import Foundation

/// A rectangle.
///
/// Source: SwiftUI.
public struct Rectangle: InsettableShape, OutlinedShape {
  /// Makes the shape.
  public nonisolated init() {}

  /// The outline in `rect`.
  public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }

  /// The outline; the picture does not make it smaller.
  public nonisolated func inset(by amount: CGFloat) -> Self { self }

  package nonisolated var outline: ShapeOutline { .rectangle }
}

extension Shape where Self == Rectangle {
  /// A rectangle.
  public static var rect: Rectangle { Rectangle() }
}

/// A circle in the middle of its area.
///
/// Source: SwiftUI.
public struct Circle: InsettableShape, OutlinedShape {
  /// Makes the shape.
  public nonisolated init() {}

  /// The outline in `rect`.
  public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }

  /// The outline; the picture does not make it smaller.
  public nonisolated func inset(by amount: CGFloat) -> Self { self }

  package nonisolated var outline: ShapeOutline { .circle }
}

extension Shape where Self == Circle {
  /// A circle in the middle of its area.
  public static var circle: Circle { Circle() }
}

/// An ellipse.
///
/// Source: SwiftUI.
public struct Ellipse: InsettableShape, OutlinedShape {
  /// Makes the shape.
  public nonisolated init() {}

  /// The outline in `rect`.
  public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }

  /// The outline; the picture does not make it smaller.
  public nonisolated func inset(by amount: CGFloat) -> Self { self }

  package nonisolated var outline: ShapeOutline { .ellipse }
}

extension Shape where Self == Ellipse {
  /// An ellipse.
  public static var ellipse: Ellipse { Ellipse() }
}

/// The outline of the widget.
///
/// Source: SwiftUI.
public struct ContainerRelativeShape: InsettableShape, OutlinedShape {
  /// Makes the shape.
  public nonisolated init() {}

  /// The outline in `rect`.
  public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }

  /// The outline; the picture does not make it smaller.
  public nonisolated func inset(by amount: CGFloat) -> Self { self }

  package nonisolated var outline: ShapeOutline { .container }
}

extension Shape where Self == ContainerRelativeShape {
  /// The outline of the widget.
  public static var containerRelative: ContainerRelativeShape { ContainerRelativeShape() }
}

/// A rectangle whose short sides are half circles.
///
/// Source: SwiftUI.
public struct Capsule: InsettableShape, OutlinedShape {
  /// How round the corners are.
  public var style: RoundedCornerStyle

  /// Makes the shape.
  public nonisolated init(style: RoundedCornerStyle = .continuous) { self.style = style }

  /// The outline in `rect`.
  public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }

  /// The outline; the picture does not make it smaller.
  public nonisolated func inset(by amount: CGFloat) -> Self { self }

  package nonisolated var outline: ShapeOutline { .capsule }
}

extension Shape where Self == Capsule {
  /// A rectangle whose short sides are half circles.
  public static var capsule: Capsule { Capsule() }

  /// A rectangle whose short sides are half circles.
  public static func capsule(style: RoundedCornerStyle) -> Capsule { Capsule(style: style) }
}

/// A rectangle with round corners.
///
/// Source: SwiftUI.
public struct RoundedRectangle: InsettableShape, OutlinedShape {
  /// The size of a corner.
  public var cornerSize: CGSize
  /// How round the corners are.
  public var style: RoundedCornerStyle

  /// Makes the shape.
  public nonisolated init(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
    self.cornerSize = cornerSize
    self.style = style
  }

  /// Makes the shape.
  public nonisolated init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
    self.init(cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
  }

  /// The outline in `rect`.
  public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }

  /// The outline; the picture does not make it smaller.
  public nonisolated func inset(by amount: CGFloat) -> RoundedRectangle {
    RoundedRectangle(cornerRadius: max(cornerSize.width - amount, 0), style: style)
  }

  package nonisolated var outline: ShapeOutline {
    .rounded(Double(max(cornerSize.width, cornerSize.height)))
  }
}

extension Shape where Self == RoundedRectangle {
  /// A rectangle with round corners.
  public static func rect(
    cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous
  ) -> RoundedRectangle {
    RoundedRectangle(cornerRadius: cornerRadius, style: style)
  }
}

/// A rectangle with corners of several radii.
///
/// Source: SwiftUI.
public struct UnevenRoundedRectangle: InsettableShape, OutlinedShape {
  /// The radii.
  public var cornerRadii: RectangleCornerRadii
  /// How round the corners are.
  public var style: RoundedCornerStyle

  /// Makes the shape.
  public nonisolated init(
    cornerRadii: RectangleCornerRadii, style: RoundedCornerStyle = .continuous
  ) {
    self.cornerRadii = cornerRadii
    self.style = style
  }

  /// Makes the shape.
  public nonisolated init(
    topLeadingRadius: CGFloat = 0, bottomLeadingRadius: CGFloat = 0,
    bottomTrailingRadius: CGFloat = 0, topTrailingRadius: CGFloat = 0,
    style: RoundedCornerStyle = .continuous
  ) {
    self.init(
      cornerRadii: RectangleCornerRadii(
        topLeading: topLeadingRadius, bottomLeading: bottomLeadingRadius,
        bottomTrailing: bottomTrailingRadius, topTrailing: topTrailingRadius), style: style)
  }

  /// The outline in `rect`.
  public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }

  /// The outline; the picture does not make it smaller.
  public nonisolated func inset(by amount: CGFloat) -> Self { self }

  package nonisolated var outline: ShapeOutline { cornerRadii.outline }
}
