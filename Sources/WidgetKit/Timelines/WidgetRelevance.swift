/// When a widget is relevant, whatever it shows; a constant, so threads may share it.
///
/// Source: WidgetKit.
public struct WidgetRelevance<Configuration>: @unchecked Sendable {
  package let attributes: [WidgetRelevanceAttribute<Configuration>]

  /// Makes it of attributes, the most important first.
  public init(_ attributes: [WidgetRelevanceAttribute<Configuration>]) {
    self.attributes = attributes
  }
}

/// One reason for which a widget is relevant; a constant, so threads may share it.
///
/// Source: WidgetKit.
public struct WidgetRelevanceAttribute<Configuration>: @unchecked Sendable {
  package let configuration: Configuration?
  package let context: RelevantContext?
  package let group: WidgetRelevanceGroup?

  private init(
    _ configuration: Configuration?, _ context: RelevantContext?, _ group: WidgetRelevanceGroup?
  ) {
    self.configuration = configuration
    self.context = context
    self.group = group
  }
}

extension WidgetRelevanceAttribute where Configuration == Void {
  /// A reason of a widget without a configuration.
  public init(context: RelevantContext) { self.init(nil, context, nil) }
  /// A group of a widget without a configuration.
  public init(group: WidgetRelevanceGroup) { self.init(nil, nil, group) }
}

extension WidgetRelevanceAttribute where Configuration: WidgetConfigurationIntent {
  /// A reason of a configuration.
  public init(configuration: Configuration, context: RelevantContext) {
    self.init(configuration, context, nil)
  }
  /// A group of a configuration.
  public init(configuration: Configuration, group: WidgetRelevanceGroup) {
    self.init(configuration, nil, group)
  }
}

extension WidgetRelevanceAttribute where Configuration: INIntent {
  /// A reason of a configuration.
  public init(configuration: Configuration, context: RelevantContext) {
    self.init(configuration, context, nil)
  }
  /// A group of a configuration.
  public init(configuration: Configuration, group: WidgetRelevanceGroup) {
    self.init(configuration, nil, group)
  }
}

/// Widgets of which one is enough.
public struct WidgetRelevanceGroup: Hashable, Sendable {
  private let name: String
  /// A group with a name.
  public static func named(_ name: String) -> WidgetRelevanceGroup { Self(name: "named \(name)") }
  /// No group.
  public static let ungrouped = WidgetRelevanceGroup(name: "ungrouped")
  /// The system's own choice.
  public static let automatic = WidgetRelevanceGroup(name: "automatic")
}

/// A time or a situation in which something is relevant.
///
/// Source: AppIntents and RelevanceKit.
public struct RelevantContext: Hashable, Sendable {
  /// How much a span of time matters.
  public enum DateKind: String, Hashable, Sendable {
    case `default`
    case informational
    case scheduled
  }

  package let interval: DateInterval?
  package let kind: DateKind

  private init(_ interval: DateInterval?, _ kind: DateKind = .default) {
    self.interval = interval
    self.kind = kind
  }

  /// About a moment: the hour that begins with it.
  public static func date(_ date: Date) -> RelevantContext {
    RelevantContext(DateInterval(start: date, duration: Limits.relevantMomentSeconds))
  }
  /// A span of time.
  public static func date(from startDate: Date, to endDate: Date) -> RelevantContext {
    RelevantContext(DateInterval(start: startDate, end: max(startDate, endDate)))
  }
  /// A span of time.
  public static func date(range: ClosedRange<Date>) -> RelevantContext {
    .date(from: range.lowerBound, to: range.upperBound)
  }
  /// A span of time of a kind.
  public static func date(interval: DateInterval, kind: DateKind) -> RelevantContext {
    RelevantContext(interval, kind)
  }
  /// A span of time of a kind.
  public static func date(range: ClosedRange<Date>, kind: DateKind) -> RelevantContext {
    RelevantContext(DateInterval(start: range.lowerBound, end: range.upperBound), kind)
  }

  /// A place that the system knows; nothing here knows places.
  public enum InferredLocation: Hashable, Sendable { case home, work, school, gym, commute }
  /// At a place; nothing here knows places.
  public static func location(inferred: InferredLocation) -> RelevantContext { Self(nil) }
  /// Sleep; nothing here knows of it.
  public enum SleepState: Hashable, Sendable { case bedtime, wakeup }
  /// Around sleep; nothing here knows of it.
  public static func sleep(_ state: SleepState) -> RelevantContext { Self(nil) }
  /// Movement; nothing here knows of it.
  public enum FitnessState: Hashable, Sendable { case workoutActive, activityRingsIncomplete }
  /// Around movement; nothing here knows of it.
  public static func fitness(_ state: FitnessState) -> RelevantContext { Self(nil) }
}

/// An intent, and when it is relevant; a constant, so threads may share it.
public struct RelevantIntent: @unchecked Sendable {
  package let intent: any AppIntent
  package let widgetKind: String
  package let relevance: RelevantContext

  /// Makes it.
  public init<Intent: WidgetConfigurationIntent>(
    _ intent: Intent, widgetKind: String, relevance: RelevantContext
  ) {
    self.intent = intent
    self.widgetKind = widgetKind
    self.relevance = relevance
  }
}

/// The relevant intents; a provider's `relevance()` says the same here, and is read.
public final class RelevantIntentManager: Sendable {
  /// The only one.
  public static let shared = RelevantIntentManager()
  /// Replaces them.
  public func updateRelevantIntents(_ relevantIntents: [RelevantIntent]) async throws {}
}

/// An entry that is shown while it is relevant; it compiles, and nothing shows it.
public protocol RelevanceEntry: Sendable {}

/// What such an entry's provider is told of the surroundings.
public struct RelevanceEntriesProviderContext: Sendable {
  /// The points of the widget.
  public let displaySize: CGSize
  /// Whether the entry is for a gallery.
  public let isPreview: Bool
}

/// An object that makes such entries; it compiles, and nothing asks it.
public protocol RelevanceEntriesProvider {
  /// The type of the configuration.
  associatedtype Configuration: WidgetConfigurationIntent
  /// The type of the entries.
  associatedtype Entry: RelevanceEntry
  /// The surroundings that the provider is told of.
  typealias Context = RelevanceEntriesProviderContext
  /// Returns when which configuration is relevant.
  func relevance() async -> WidgetRelevance<Configuration>
  /// Makes an entry.
  func entry(configuration: Configuration, context: Context) async throws -> Entry
  /// Returns an entry without data.
  func placeholder(context: Context) -> Entry
}
