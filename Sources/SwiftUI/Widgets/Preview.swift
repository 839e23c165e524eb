/// Shows a view in Xcode; expands to nothing here.
///
/// Source: SwiftUI.
@freestanding(declaration)
public macro Preview(
  _ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View
) = #externalMacro(module: "PreviewMacros", type: "PreviewMacro")

/// Shows a view with traits in Xcode; expands to nothing here.
@freestanding(declaration)
public macro Preview(
  _ name: String? = nil, traits: PreviewTrait<Preview.ViewTraits>,
  _ additionalTraits: PreviewTrait<Preview.ViewTraits>...,
  @ViewBuilder body: @escaping @MainActor () -> any View
) = #externalMacro(module: "PreviewMacros", type: "PreviewMacro")

/// A preview in Xcode; there are none here.
public struct Preview: Sendable {
  /// The sorts of traits of a view.
  public enum ViewTraits: Sendable {}
}

/// How Xcode shows a preview.
public struct PreviewTrait<T>: Sendable {
  /// Upright.
  public static var portrait: PreviewTrait<T> { Self() }
  /// On its left side.
  public static var landscapeLeft: PreviewTrait<T> { Self() }
  /// On its right side.
  public static var landscapeRight: PreviewTrait<T> { Self() }
  /// In as much room as the view wants.
  public static var sizeThatFitsLayout: PreviewTrait<T> { Self() }
  /// The usual room.
  public static var defaultLayout: PreviewTrait<T> { Self() }
  /// In so much room.
  public static func fixedLayout(width: CGFloat, height: CGFloat) -> PreviewTrait<T> { Self() }
}
