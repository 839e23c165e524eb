import SwiftUI
import WidgetKit

/// The phase of the moon, for the lock screen.
struct MoonPhase {
  /// From 0, the new moon, to 1, the next one.
  let fraction: Double

  init(at date: Date) {
    let month = 29.530588853 * 86_400
    let newMoon = Date(timeIntervalSince1970: 947_182_440)
    let passed = date.timeIntervalSince(newMoon).truncatingRemainder(dividingBy: month)
    fraction = passed / month
  }

  var illumination: Double { (1 - cos(fraction * 2 * .pi)) / 2 }

  var symbol: String {
    switch fraction {
    case ..<0.03, 0.97...: "moonphase.new.moon"
    case ..<0.22: "moonphase.waxing.crescent"
    case ..<0.28: "moonphase.first.quarter"
    case ..<0.47: "moonphase.waxing.gibbous"
    case ..<0.53: "moonphase.full.moon"
    case ..<0.72: "moonphase.waning.gibbous"
    case ..<0.78: "moonphase.last.quarter"
    default: "moonphase.waning.crescent"
    }
  }

  var name: LocalizedStringResource {
    fraction < 0.5 ? "Waxing moon" : "Waning moon"
  }
}

struct MoonEntry: TimelineEntry {
  let date: Date
  var phase: MoonPhase { MoonPhase(at: date) }
}

@MainActor
final class MoonProvider: @preconcurrency TimelineProvider {
  func placeholder(in context: Context) -> MoonEntry { MoonEntry(date: .distantPast) }

  nonisolated func getSnapshot(
    in context: Context, completion: @escaping @Sendable (MoonEntry) -> Void
  ) {
    completion(MoonEntry(date: .now))
  }

  nonisolated func getTimeline(
    in context: Context, completion: @escaping @Sendable (Timeline<MoonEntry>) -> Void
  ) {
    let now = Date()
    let entries = stride(from: 0, through: 24, by: 6).map { hours in
      MoonEntry(date: now.addingTimeInterval(hours * 3_600))
    }
    completion(Timeline(entries: entries, policy: .after(now.addingTimeInterval(86_400))))
    // Twice, as it happens; the first one counts.
    completion(Timeline(entries: [], policy: .never))
  }
}

struct MoonView: View {
  @Environment(\.widgetFamily) private var family
  @Environment(\.showsWidgetLabel) private var showsLabel
  let entry: MoonEntry

  private var percent: String {
    entry.phase.illumination.formatted(.percent.precision(.fractionLength(0)))
  }

  var body: some View {
    switch family {
    case .accessoryCircular:
      ZStack {
        AccessoryWidgetBackground()
        Image(systemName: entry.phase.symbol)
          .font(.title)
          .widgetAccentable()
      }
      .accessibilityLabel(Text(entry.phase.name))
    case .accessoryCorner:
      Image(systemName: entry.phase.symbol)
        .widgetLabel {
          Gauge(value: entry.phase.illumination) { Text("Light") }
            .tint(.yellow)
            .gaugeStyle(.accessoryLinear)
        }
    case .accessoryRectangular:
      VStack(alignment: .leading) {
        Label {
          Text(entry.phase.name)
        } icon: {
          Image(systemName: entry.phase.symbol)
        }
        .font(.headline)
        .widgetAccentable()
        Gauge(value: entry.phase.illumination) {
          Text("Light")
        } currentValueLabel: {
          Text(percent)
        } minimumValueLabel: {
          Text("0")
        } maximumValueLabel: {
          Text("100")
        }
        .gaugeStyle(.accessoryLinearCapacity)
      }
    case .accessoryInline:
      Text(Image(systemName: entry.phase.symbol)) + Text(" ") + Text(percent).bold()
    default:
      EmptyView()
    }
  }
}

struct MoonWidget: Widget {
  var body: some WidgetConfiguration {
    StaticConfiguration(kind: "moon.phase", provider: MoonProvider()) { entry in
      MoonView(entry: entry)
        .containerBackground(for: .widget) { Color.clear }
    }
    .configurationDisplayName("Moon")
    .description("The phase of the moon.")
    .supportedFamilies([
      .accessoryCircular, .accessoryRectangular, .accessoryInline, .accessoryCorner,
    ])
  }
}

@main
enum Main {
  static func main() {
    if #available(iOS 16, watchOS 9, *) {
      MoonWidget.main()
    }
  }
}
