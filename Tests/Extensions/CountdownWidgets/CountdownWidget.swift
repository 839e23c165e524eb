import SwiftUI
import WidgetKit

@main
struct CountdownWidget: Widget {
  var body: some WidgetConfiguration {
    AppIntentConfiguration(
      kind: "Countdown", intent: CountdownIntent.self, provider: CountdownProvider()
    ) { entry in
      CountdownView(entry: entry)
    }
    .configurationDisplayName("Countdown")
    .description("The time until an event.")
    .supportedFamilies([
      .systemSmall, .systemMedium, .accessoryRectangular, .accessoryInline,
    ])
    .disfavoredLocations([.standBy], for: [.systemSmall])
    .promptsForUserConfiguration()
  }
}

struct CountdownEntry: TimelineEntry {
  enum State { case waiting, running, over }

  let date: Date
  let title: String
  let theme: Theme
  let start: Date
  let end: Date

  var state: State {
    if date < start { return .waiting }
    return date < end ? .running : .over
  }

  var relevance: TimelineEntryRelevance? {
    TimelineEntryRelevance(
      score: state == .running ? 100 : 1,
      duration: state == .running ? end.timeIntervalSince(start) : 0)
  }
}

struct CountdownProvider: AppIntentTimelineProvider {
  typealias Entry = CountdownEntry
  typealias Intent = CountdownIntent

  func placeholder(in context: Context) -> CountdownEntry {
    CountdownEntry(
      date: .now, title: "Launch", theme: .night, start: .now, end: .now + 3600)
  }

  func snapshot(for configuration: CountdownIntent, in context: Context) async -> CountdownEntry {
    entry(configuration, at: .now, from: .now)
  }

  func timeline(
    for configuration: CountdownIntent, in context: Context
  ) async -> Timeline<CountdownEntry> {
    let now = Date.now
    let first = entry(configuration, at: now, from: now)
    // On purpose not in the order of their dates.
    return Timeline(
      entries: [
        entry(configuration, at: first.end, from: now),
        entry(configuration, at: first.start, from: now),
        first,
      ], policy: .never)
  }

  func relevance() async -> WidgetRelevance<CountdownIntent> {
    let intent = CountdownIntent()
    let start = Date.now.addingTimeInterval(1800)
    return WidgetRelevance([
      WidgetRelevanceAttribute(
        configuration: intent, context: .date(from: start, to: start.addingTimeInterval(600)))
    ])
  }

  private func entry(
    _ configuration: CountdownIntent, at date: Date, from now: Date
  ) -> CountdownEntry {
    let start = configuration.date ?? now.addingTimeInterval(600)
    return CountdownEntry(
      date: date, title: configuration.title, theme: configuration.theme, start: start,
      end: start.addingTimeInterval(Double(configuration.minutes) * 60))
  }
}
