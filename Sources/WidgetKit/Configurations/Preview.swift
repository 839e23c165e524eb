public import ActivityKit
public import SwiftUI

/// Shows the entries of a widget in Xcode; expands to nothing here.
///
/// Source: WidgetKit.
@freestanding(declaration)
public macro Preview<W: Widget>(
  _ name: String? = nil, as family: WidgetFamily, widget: @escaping @MainActor () -> W,
  @PreviewTimelineBuilder timeline: @escaping @MainActor () async -> [any TimelineEntry]
) = #externalMacro(module: "PreviewMacros", type: "PreviewMacro")

/// Shows what a provider makes in Xcode; expands to nothing here.
@freestanding(declaration)
public macro Preview<W: Widget, Provider: TimelineProvider>(
  _ name: String? = nil, as family: WidgetFamily, widget: @escaping @MainActor () -> W,
  timelineProvider: @escaping @MainActor () -> Provider
) = #externalMacro(module: "PreviewMacros", type: "PreviewMacro")

/// Shows what a provider makes of a configuration in Xcode; expands to nothing here.
@freestanding(declaration)
public macro Preview<W: Widget, Provider: AppIntentTimelineProvider>(
  _ name: String? = nil, as family: WidgetFamily, using intent: Provider.Intent,
  widget: @escaping @MainActor () -> W, timelineProvider: @escaping @MainActor () -> Provider
) = #externalMacro(module: "PreviewMacros", type: "PreviewMacro")

/// Shows the states of a Live Activity in Xcode; expands to nothing here.
@freestanding(declaration)
public macro Preview<Attributes: ActivityAttributes, W: Widget>(
  _ name: String? = nil, as viewKind: ActivityPreviewViewKind, using attributes: Attributes,
  widget: @escaping @MainActor () -> W,
  @PreviewActivityBuilder<Attributes> contentStates:
    @escaping @MainActor () async -> [Attributes.ContentState]
) = #externalMacro(module: "PreviewMacros", type: "PreviewMacro")

extension ActivityAttributes {
  /// Shows a Live Activity in Xcode, as older code asks for it; empty here.
  @MainActor
  public func previewContext(
    _ state: ContentState, isStale: Bool = false, viewKind: ActivityPreviewViewKind
  ) -> some View { EmptyView() }
}

/// Builds the entries of a preview.
@resultBuilder
public enum PreviewTimelineBuilder {
  /// Takes an entry.
  public static func buildExpression(_ entry: any TimelineEntry) -> [any TimelineEntry] { [entry] }
  /// Takes entries.
  public static func buildExpression(_ entries: [any TimelineEntry]) -> [any TimelineEntry] {
    entries
  }
  /// Takes entries together.
  public static func buildBlock(_ entries: [any TimelineEntry]...) -> [any TimelineEntry] {
    entries.flatMap { $0 }
  }
  /// Takes the entries of an `if`.
  public static func buildOptional(_ entries: [any TimelineEntry]?) -> [any TimelineEntry] {
    entries ?? []
  }
  /// Takes the entries of a loop.
  public static func buildArray(_ entries: [[any TimelineEntry]]) -> [any TimelineEntry] {
    entries.flatMap { $0 }
  }
}

/// Builds the states of a preview.
@resultBuilder
public enum PreviewActivityBuilder<Attributes: ActivityAttributes> {
  /// Takes states together.
  public static func buildBlock(
    _ states: Attributes.ContentState...
  ) -> [Attributes.ContentState] { states }
}

/// The places of a Live Activity.
public struct ActivityPreviewViewKind: Sendable {
  /// The places of the island.
  public enum DynamicIslandPreviewViewState: Sendable { case compact, expanded, minimal }

  /// The lock screen.
  public static let content = ActivityPreviewViewKind()
  /// The island.
  public static func dynamicIsland(
    _ state: DynamicIslandPreviewViewState
  ) -> ActivityPreviewViewKind { Self() }
}
