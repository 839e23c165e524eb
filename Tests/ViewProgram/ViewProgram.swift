// A widget as an app of iOS has it, which is shown on the page: the tests start it with a daemon.

import AppIntents
import SwiftUI
import WidgetKit

struct Forecast: TimelineEntry {
  let date: Date
}

struct ForecastProvider: TimelineProvider {
  func placeholder(in context: Context) -> Forecast { Forecast(date: Date()) }
  func getSnapshot(in context: Context, completion: @escaping (Forecast) -> Void) {
    completion(Forecast(date: Date()))
  }
  func getTimeline(in context: Context, completion: @escaping (Timeline<Forecast>) -> Void) {
    completion(Timeline(entries: [Forecast(date: Date())], policy: .never))
  }
}

struct Ring: AppIntent {
  static var title: LocalizedStringResource = "Ring"
  func perform() async throws -> some IntentResult { .result() }
}

struct Mute: AppIntent {
  static var title: LocalizedStringResource = "Mute"
  func perform() async throws -> some IntentResult { .result() }
}

struct ForecastView: View {
  @Environment(\.colorScheme) private var scheme
  @Environment(\.widgetFamily) private var family

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      HStack(spacing: 4) {
        Image(systemName: scheme == .dark ? "moon.stars.fill" : "sun.max.fill")
          .foregroundStyle(.yellow)
        Text("Beijing").font(.subheadline).bold()
        Spacer()
        Text(scheme == .dark ? "night" : "day").font(.caption).foregroundStyle(.secondary)
      }
      Text("23°").font(.system(size: 34, weight: .light, design: .rounded))
      if family != .systemSmall {
        Gauge(value: 0.4) { Text("Rain 40 %") }
          .gaugeStyle(.accessoryLinearCapacity)
          .tint(.blue)
          .font(.caption)
      }
      HStack(spacing: 6) {
        // Its date is long gone, so its words count up for ever.
        Text(Date(timeIntervalSince1970: 1_700_000_000), style: .relative)
        Spacer()
        Link("More", destination: URL(string: "weather://city/Beijing")!)
        if family != .systemSmall {
          Button("Ring", intent: Ring())
          Toggle(isOn: true, intent: Mute()) { Text("Mute") }.labelsHidden()
        }
      }
      .font(.caption)
    }
    .containerBackground(for: .widget) {
      LinearGradient(
        colors: scheme == .dark
          ? [Color(red: 0.05, green: 0.07, blue: 0.2), Color(red: 0.15, green: 0.2, blue: 0.4)]
          : [Color(red: 0.55, green: 0.78, blue: 1), Color(red: 0.85, green: 0.93, blue: 1)],
        startPoint: .top, endPoint: .bottom)
    }
  }
}

@main
struct ForecastWidget: Widget {
  var body: some WidgetConfiguration {
    StaticConfiguration(kind: "forecast", provider: ForecastProvider()) { _ in ForecastView() }
      .configurationDisplayName("Forecast")
      .supportedFamilies([.systemSmall, .systemMedium, .systemLarge])
  }
}
