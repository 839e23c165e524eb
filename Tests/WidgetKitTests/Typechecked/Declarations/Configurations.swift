import WidgetKit

// Widgets, their configurations, and each modifier of a configuration.

private struct Moment: TimelineEntry { let date: Date }

private struct Provider: TimelineProvider {
  func placeholder(in context: Context) -> Moment { Moment(date: .now) }
  func getSnapshot(in context: Context, completion: @escaping @Sendable (Moment) -> Void) {}
  func getTimeline(
    in context: Context, completion: @escaping @Sendable (Timeline<Moment>) -> Void
  ) {}
}

private struct OldProvider: IntentTimelineProvider {
  func placeholder(in context: Context) -> Moment { Moment(date: .now) }
  func getSnapshot(
    for configuration: INIntent, in context: Context,
    completion: @escaping @Sendable (Moment) -> Void
  ) {}
  func getTimeline(
    for configuration: INIntent, in context: Context,
    completion: @escaping @Sendable (Timeline<Moment>) -> Void
  ) {}
}

private struct NewProvider: AppIntentTimelineProvider {
  func placeholder(in context: Context) -> Moment { Moment(date: .now) }
  func snapshot(for configuration: ChooseColour, in context: Context) async -> Moment {
    Moment(date: .now)
  }
  func timeline(for configuration: ChooseColour, in context: Context) async -> Timeline<Moment> {
    Timeline(entries: [], policy: .never)
  }
}

struct Static: Widget {
  let kind = "static"
  var body: some WidgetConfiguration {
    StaticConfiguration(kind: kind, provider: Provider()) { entry in
      Text(entry.date, style: .time)
      Image(systemName: "clock")
    }
    .configurationDisplayName("Key")
    .configurationDisplayName(Text("Text"))
    .configurationDisplayName(String("String"))
    .configurationDisplayName(LocalizedStringResource("Resource"))
    .description("Key")
    .description(Text("Text"))
    .description(String("String"))
    .description(LocalizedStringResource("Resource"))
    .supportedFamilies([.systemSmall])
  }
}

struct Modified: Widget {
  var body: some WidgetConfiguration {
    StaticConfiguration(kind: "modified", provider: Provider()) { _ in EmptyView() }
      .contentMarginsDisabled()
      .containerBackgroundRemovable()
      .containerBackgroundRemovable(false)
      .onBackgroundURLSessionEvents(matching: "session") { (_: String, completion: () -> Void) in
        completion()
      }
      .onBackgroundURLSessionEvents { _, completion in completion() }
      .onBackgroundURLSessionEvents(matching: { $0.hasPrefix("a") }) { _, _ in }
      .backgroundTask(.urlSession("session")) {}
  }
}

struct Placed: Widget {
  var body: some WidgetConfiguration {
    StaticConfiguration(kind: "placed", provider: Provider()) { _ in EmptyView() }
      .disfavoredLocations(
        [.homeScreen, .lockScreen, .standBy, .iPhoneWidgetsOnMac, .carPlay], for: [.systemSmall]
      )
      .promptsForUserConfiguration()
      .pushHandler(Handler.self)
      .associatedKind("other")
      .supplementalActivityFamilies([.small, .medium])
      .supportedMountingStyles([.recessed, .elevated])
      .widgetTexture(.glass)
  }

  struct Handler: WidgetPushHandler {
    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {}
  }
}

struct Old: Widget {
  var body: some WidgetConfiguration {
    IntentConfiguration(kind: "old", intent: INIntent.self, provider: OldProvider()) { entry in
      Text(entry.date, style: .date)
    }
  }
}

struct New: Widget {
  var body: some WidgetConfiguration {
    AppIntentConfiguration(kind: "new", provider: NewProvider()) { entry in
      Text(entry.date, style: .date)
    }
  }
}

struct Explicit: Widget {
  var body: some WidgetConfiguration {
    AppIntentConfiguration(kind: "new", intent: ChooseColour.self, provider: NewProvider()) {
      Text($0.date, style: .date)
    }
  }
}

struct Composed: Widget {
  var body: some WidgetConfiguration { Inner() }

  struct Inner: WidgetConfiguration {
    var body: some WidgetConfiguration {
      StaticConfiguration(kind: "inner", provider: Provider()) { _ in EmptyView() }
    }
  }
}

struct Conditional: WidgetBundle {
  var isNew: Bool { true }

  @WidgetBundleBuilder
  var body: some Widget {
    Static()
    if isNew {
      New()
    } else {
      Old()
    }
    if #available(iOS 99, *) {
      Explicit()
    }
    others
  }

  @WidgetBundleBuilder
  private var others: some Widget {
    Composed()
    Relevant()
  }
}

/// Of watchOS: entries that are shown while they are relevant.
struct Relevant: Widget {
  var body: some WidgetConfiguration {
    RelevanceConfiguration(kind: "relevant", provider: RelevantProvider()) { entry in
      Text(entry.title)
    }
    .configurationDisplayName("Relevant")
  }
}

struct RelevantMoment: RelevanceEntry { let title: String }

struct RelevantProvider: RelevanceEntriesProvider {
  func relevance() async -> WidgetRelevance<ChooseColour> {
    WidgetRelevance([
      WidgetRelevanceAttribute(configuration: ChooseColour(), context: .date(.now)),
      WidgetRelevanceAttribute(configuration: ChooseColour(), group: .named("group")),
    ])
  }
  func entry(configuration: ChooseColour, context: Context) async throws -> RelevantMoment {
    let _: CGSize = context.displaySize
    let _: Bool = context.isPreview
    return RelevantMoment(title: configuration.colour ?? "")
  }
  func placeholder(context: Context) -> RelevantMoment { RelevantMoment(title: "") }
}

@MainActor func mains() -> [() -> Void] { [Static.main, Conditional.main] }

#Preview(as: .systemSmall) {
  Static()
} timeline: {
  Moment(date: .now)
  if true {
    Moment(date: .distantFuture)
  }
}

#Preview("Name", as: .systemSmall) {
  Static()
} timelineProvider: {
  Provider()
}

#Preview(as: .systemMedium, using: ChooseColour()) {
  New()
} timelineProvider: {
  NewProvider()
}
