import WidgetKit

// Entries, timelines and their providers, with the signatures of WidgetKit.

private struct DatedEntry: TimelineEntry { let date: Date }

private struct RelevantEntry: TimelineEntry {
  var date: Date
  var relevance: TimelineEntryRelevance?
}

private func entries(_ entry: some TimelineEntry) -> (Date, TimelineEntryRelevance?) {
  (entry.date, entry.relevance)
}

private func relevance() throws {
  var relevance = TimelineEntryRelevance(score: 1)
  relevance = TimelineEntryRelevance(score: 1, duration: 60)
  let score: Float = relevance.score
  let duration: TimeInterval = relevance.duration
  relevance.score = score
  relevance.duration = duration
  let _: any Hashable & Codable = relevance
}

private func timelines() {
  let timeline = Timeline(entries: [DatedEntry(date: Date())], policy: .atEnd)
  let _: [DatedEntry] = timeline.entries
  let policy: TimelineReloadPolicy = timeline.policy
  let _: Bool = policy == .never
  let _: (Date) -> TimelineReloadPolicy = TimelineReloadPolicy.after
}

/// As of the SDK of iOS 18.
private struct SendableProvider: TimelineProvider {
  typealias Entry = DatedEntry
  func placeholder(in context: Context) -> DatedEntry { DatedEntry(date: Date()) }
  func getSnapshot(in context: Context, completion: @escaping @Sendable (DatedEntry) -> Void) {}
  func getTimeline(
    in context: Context, completion: @escaping @Sendable (Timeline<DatedEntry>) -> Void
  ) {}
  func relevance() async -> WidgetRelevance<Void> { WidgetRelevance([]) }
}

/// As of the SDK of iOS 16.
private struct PlainProvider: TimelineProvider {
  func placeholder(in context: TimelineProviderContext) -> DatedEntry { DatedEntry(date: Date()) }
  func getSnapshot(
    in context: TimelineProviderContext, completion: @escaping (DatedEntry) -> Void
  ) { completion(placeholder(in: context)) }
  func getTimeline(
    in context: TimelineProviderContext, completion: @escaping (Timeline<DatedEntry>) -> Void
  ) {}
}

private final class ClassProvider: TimelineProvider {
  typealias Entry = RelevantEntry
  func placeholder(in context: Context) -> RelevantEntry { RelevantEntry(date: .now) }
  func getSnapshot(in context: Context, completion: @escaping (Entry) -> ()) {}
  func getTimeline(in context: Context, completion: @escaping (Timeline<Entry>) -> ()) {}
}

private struct IntentProvider: IntentTimelineProvider {
  func recommendations() -> [IntentRecommendation<INIntent>] {
    [
      IntentRecommendation(intent: INIntent(), description: "Key"),
      IntentRecommendation(intent: INIntent(), description: String("Text")),
      IntentRecommendation(intent: INIntent(), description: Text("Text")),
    ]
  }
  func placeholder(in context: Context) -> DatedEntry { DatedEntry(date: Date()) }
  func getSnapshot(
    for configuration: INIntent, in context: Context,
    completion: @escaping @Sendable (DatedEntry) -> Void
  ) {}
  func getTimeline(
    for configuration: INIntent, in context: Context,
    completion: @escaping @Sendable (Timeline<DatedEntry>) -> Void
  ) {}
  func relevance() async -> WidgetRelevance<INIntent> { WidgetRelevance([]) }
}

struct ChooseColour: WidgetConfigurationIntent {
  static let title: LocalizedStringResource = "Choose Colour"
  @Parameter(title: "Colour") var colour: String?
}

private struct AppIntentProvider: AppIntentTimelineProvider {
  func recommendations() -> [AppIntentRecommendation<ChooseColour>] {
    [
      AppIntentRecommendation(intent: ChooseColour(), description: "Key"),
      AppIntentRecommendation(intent: ChooseColour(), description: String("Text")),
      AppIntentRecommendation(intent: ChooseColour(), description: Text("Text")),
    ]
  }
  func placeholder(in context: Context) -> DatedEntry { DatedEntry(date: Date()) }
  func snapshot(for configuration: ChooseColour, in context: Context) async -> DatedEntry {
    placeholder(in: context)
  }
  func timeline(for configuration: ChooseColour, in context: Context) async -> Timeline<DatedEntry>
  { Timeline(entries: [], policy: .never) }
  func relevance() async -> WidgetRelevance<ChooseColour> { WidgetRelevance([]) }
}

/// The default implementations are enough.
private struct ShortProvider: AppIntentTimelineProvider {
  func placeholder(in context: Context) -> DatedEntry { DatedEntry(date: Date()) }
  func snapshot(for configuration: ChooseColour, in context: Context) -> DatedEntry {
    placeholder(in: context)
  }
  func timeline(for configuration: ChooseColour, in context: Context) -> Timeline<DatedEntry> {
    Timeline(entries: [], policy: .never)
  }
}

private func context(_ context: TimelineProviderContext) {
  let _: WidgetFamily = context.family
  let _: Bool = context.isPreview
  let _: CGSize = context.displaySize
  let variants: TimelineProviderContext.EnvironmentVariants = context.environmentVariants
  let _: [ColorScheme]? = variants.colorScheme
  let _: [CGFloat]? = variants.displayScale
  let _: [Locale]? = variants[\.locale]
}
