/// One change by a modifier.
package indirect enum ViewProperty: Hashable, Sendable {
  /// A style that texts below inherit where they say nothing else.
  case text(TextStyle)
  case tint(Paint)
  case padding(Insets)
  case frame(FrameLimits)
  case background(Paint, ShapeOutline)
  case clip(ShapeOutline)
  case border(Paint, width: Double)
  case shadow(Paint, radius: Double, x: Double, y: Double)
  case opacity(Double)
  case hidden
  case offset(x: Double, y: Double)
  case position(x: Double, y: Double)
  case rotation(degrees: Double)
  case scale(x: Double, y: Double)
  case aspectRatio(Double?, isFilling: Bool)
  case fixedSize(horizontal: Bool, vertical: Bool)
  case layoutPriority(Double)
  case lineLimit(Int)
  case lineSpacing(Double)
  case textAlignment(EdgePlace)
  case textCase(isUpper: Bool)
  case truncatesMiddle
  case labelHidden
  case redacted(isPrivacy: Bool)
  case unredacted
  case disabled
  // For everybody, not for the eye.
  case accessibilityLabel(String)
  case accessibilityHidden
  case privacySensitive
  case help(String)
  case widgetURL(String)
  case containerBackground(Paint)
  /// A picture behind the whole widget.
  case containerLayer(ViewNode, AlignmentPair)
  case accentable
}

/// Points on each side.
package struct Insets: Hashable, Sendable {
  package var top: Double
  package var leading: Double
  package var bottom: Double
  package var trailing: Double
}

/// The room that a frame gives; `nil`: the content decides.
package struct FrameLimits: Hashable, Sendable {
  package var width: Double?
  package var height: Double?
  package var minWidth: Double?
  package var maxWidth: Double?
  package var minHeight: Double?
  package var maxHeight: Double?
  package var alignment = AlignmentPair.center
}
