public import ActivityKit
public import SwiftUI

/// The views of a Live Activity; they compile, and get no manifest.
///
/// Source: WidgetKit.
public struct ActivityConfiguration<Attributes> {}

extension ActivityConfiguration: WidgetConfiguration where Attributes: ActivityAttributes {
  /// It has none.
  public typealias Body = Never

  /// Takes the views of a Live Activity.
  public nonisolated init<Content: View>(
    for attributesType: Attributes.Type,
    @ViewBuilder content: @escaping (ActivityViewContext<Attributes>) -> Content,
    dynamicIsland: @escaping (ActivityViewContext<Attributes>) -> DynamicIsland
  ) {}
}

/// The values that the views of a Live Activity show.
public struct ActivityViewContext<Attributes: ActivityAttributes> {
  /// The name for programs.
  public let activityID: String
  /// The part that stays the same.
  public let attributes: Attributes
  /// The state.
  public let state: Attributes.ContentState
  /// Whether the state is out of date.
  public let isStale: Bool
}

/// The views of the island of a phone.
public struct DynamicIsland {
  /// Takes the views.
  public init<Expanded, Leading: View, Trailing: View, Minimal: View>(
    @DynamicIslandExpandedContentBuilder expanded:
      @escaping () -> DynamicIslandExpandedContent<Expanded>,
    @ViewBuilder compactLeading: @escaping () -> Leading,
    @ViewBuilder compactTrailing: @escaping () -> Trailing,
    @ViewBuilder minimal: @escaping () -> Minimal
  ) where Expanded: View {}

  /// Sets the URL of a tap.
  public func widgetURL(_ url: URL?) -> DynamicIsland { self }
  /// Sets the colour of the edge.
  public func keylineTint(_ color: Color?) -> DynamicIsland { self }
  /// Sets the margins.
  public func contentMargins(
    _ edges: Edge.Set = .all, _ length: Double, for mode: DynamicIslandMode
  ) -> DynamicIsland { self }
}

/// The forms of the island.
public struct DynamicIslandMode: Hashable, Sendable {
  private let name: String
  /// Large.
  public static let expanded = DynamicIslandMode(name: "expanded")
  /// Small, on the left.
  public static let compactLeading = DynamicIslandMode(name: "compactLeading")
  /// Small, on the right.
  public static let compactTrailing = DynamicIslandMode(name: "compactTrailing")
  /// The smallest.
  public static let minimal = DynamicIslandMode(name: "minimal")
}

/// The places of the large island.
public struct DynamicIslandExpandedRegionPosition: Hashable, Sendable {
  private let name: String
  /// On the left.
  public static let leading = DynamicIslandExpandedRegionPosition(name: "leading")
  /// On the right.
  public static let trailing = DynamicIslandExpandedRegionPosition(name: "trailing")
  /// In the middle.
  public static let center = DynamicIslandExpandedRegionPosition(name: "center")
  /// Below.
  public static let bottom = DynamicIslandExpandedRegionPosition(name: "bottom")
}

/// A view at a place of the large island.
public struct DynamicIslandExpandedRegion<Content: View> {
  /// Takes the view.
  public init(
    _ position: DynamicIslandExpandedRegionPosition, priority: Double = 0,
    @ViewBuilder content: @escaping () -> Content
  ) {}

  /// Sets the margins.
  public func contentMargins(
    _ edges: Edge.Set = .all, _ length: Double
  ) -> DynamicIslandExpandedRegion<Content> { self }
}

/// The views of the large island.
public struct DynamicIslandExpandedContent<Content: View> {}

/// Builds the views of the large island, with `if` and `switch`.
@resultBuilder
public enum DynamicIslandExpandedContentBuilder {
  /// The views, which nothing shows.
  public typealias Views = DynamicIslandExpandedContent<EmptyView>

  /// Takes the view of a place.
  public static func buildExpression<Content: View>(
    _ region: DynamicIslandExpandedRegion<Content>
  ) -> Views { Views() }
  /// Takes views as they are.
  public static func buildExpression<Content: View>(
    _ content: DynamicIslandExpandedContent<Content>
  ) -> Views { Views() }
  /// Takes views together.
  public static func buildBlock(_ views: Views...) -> Views { Views() }
  /// Takes the views of an `if`.
  public static func buildOptional(_ views: Views?) -> Views { Views() }
  /// Takes the views of an `if`.
  public static func buildEither(first views: Views) -> Views { Views() }
  /// Takes the views of an `else`.
  public static func buildEither(second views: Views) -> Views { Views() }
  /// Takes the views of an `if #available`.
  public static func buildLimitedAvailability(_ views: Views) -> Views { Views() }
}
