import SwiftUI

/// An object that makes the timelines of a widget without a configuration.
///
/// Source: WidgetKit.
public protocol TimelineProvider {
  /// The type of the entries.
  associatedtype Entry: TimelineEntry
  /// The surroundings that the provider is told of.
  typealias Context = TimelineProviderContext

  /// Returns an entry without data, at once.
  func placeholder(in context: Context) -> Entry
  /// Makes an entry for a gallery.
  @preconcurrency
  func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)
  /// Makes a timeline.
  @preconcurrency
  func getTimeline(
    in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
  /// Returns when the widget is relevant, whatever it shows.
  func relevance() async -> WidgetRelevance<Void>
}

extension TimelineProvider {
  /// Never of itself.
  public func relevance() async -> WidgetRelevance<Void> { WidgetRelevance([]) }
}

/// An object that makes the timelines of a widget that an intent of SiriKit configures.
///
/// Source: WidgetKit.
public protocol IntentTimelineProvider {
  /// The type of the entries.
  associatedtype Entry: TimelineEntry
  /// The type of the configuration.
  associatedtype Intent: INIntent
  /// The surroundings that the provider is told of.
  typealias Context = TimelineProviderContext

  /// Returns configurations for places where nobody configures.
  func recommendations() -> [IntentRecommendation<Intent>]
  /// Returns an entry without data, at once.
  func placeholder(in context: Context) -> Entry
  /// Makes an entry for a gallery.
  @preconcurrency
  func getSnapshot(
    for configuration: Intent, in context: Context,
    completion: @escaping @Sendable (Entry) -> Void)
  /// Makes a timeline.
  @preconcurrency
  func getTimeline(
    for configuration: Intent, in context: Context,
    completion: @escaping @Sendable (Timeline<Entry>) -> Void)
  /// Returns when the widget is relevant, whatever it shows.
  func relevance() async -> WidgetRelevance<Intent>
}

extension IntentTimelineProvider {
  /// None.
  public func recommendations() -> [IntentRecommendation<Intent>] { [] }
  /// Never of itself.
  public func relevance() async -> WidgetRelevance<Intent> { WidgetRelevance([]) }
}

/// An object that makes the timelines of a widget that an app intent configures.
///
/// Source: WidgetKit.
public protocol AppIntentTimelineProvider {
  /// The type of the entries.
  associatedtype Entry: TimelineEntry
  /// The type of the configuration.
  associatedtype Intent: WidgetConfigurationIntent
  /// The surroundings that the provider is told of.
  typealias Context = TimelineProviderContext

  /// Returns configurations for places where nobody configures.
  func recommendations() -> [AppIntentRecommendation<Intent>]
  /// Returns an entry without data, at once.
  func placeholder(in context: Context) -> Entry
  /// Makes an entry for a gallery.
  func snapshot(for configuration: Intent, in context: Context) async -> Entry
  /// Makes a timeline.
  func timeline(for configuration: Intent, in context: Context) async -> Timeline<Entry>
  /// Returns when the widget is relevant, whatever it shows.
  func relevance() async -> WidgetRelevance<Intent>
}

extension AppIntentTimelineProvider {
  /// None.
  public func recommendations() -> [AppIntentRecommendation<Intent>] { [] }
  /// Never of itself.
  public func relevance() async -> WidgetRelevance<Intent> { WidgetRelevance([]) }
}

/// A configuration that a provider recommends.
public struct IntentRecommendation<T: INIntent>: Identifiable {
  /// A number of the configuration.
  public let id = UUID()
  package let intent: T
  package let description: Text

  /// Recommends a configuration.
  public init(intent: T, description: Text) {
    self.intent = intent
    self.description = description
  }
  /// Recommends a configuration.
  public init(intent: T, description: LocalizedStringKey) {
    self.init(intent: intent, description: Text(description))
  }
  /// Recommends a configuration.
  @_disfavoredOverload
  public init<S: StringProtocol>(intent: T, description: S) {
    self.init(intent: intent, description: Text(description))
  }
}

/// A configuration that a provider recommends.
public struct AppIntentRecommendation<Intent: WidgetConfigurationIntent>: Identifiable {
  /// A number of the configuration.
  public let id = UUID()
  package let intent: Intent
  package let description: Text

  /// Recommends a configuration.
  public init(intent: Intent, description: Text) {
    self.intent = intent
    self.description = description
  }
  /// Recommends a configuration.
  public init(intent: Intent, description: LocalizedStringKey) {
    self.init(intent: intent, description: Text(description))
  }
  /// Recommends a configuration.
  @_disfavoredOverload
  public init(intent: Intent, description: LocalizedStringResource) {
    self.init(intent: intent, description: Text(description))
  }
  /// Recommends a configuration.
  @_disfavoredOverload
  public init<S: StringProtocol>(intent: Intent, description: S) {
    self.init(intent: intent, description: Text(description))
  }
}
