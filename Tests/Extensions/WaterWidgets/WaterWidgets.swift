import AppIntents
import SwiftUI
import WidgetKit

struct WaterEntry: TimelineEntry {
  let date: Date
  let glasses: Int
  let goal: Int
  let remindersOn: Bool

  var fraction: Double { min(1, Double(glasses) / Double(goal)) }
}

struct Provider: TimelineProvider {
  func placeholder(in context: Context) -> WaterEntry {
    WaterEntry(date: Date(), glasses: 3, goal: 8, remindersOn: true)
  }

  func getSnapshot(in context: Context, completion: @escaping (WaterEntry) -> Void) {
    completion(context.isPreview ? placeholder(in: context) : WaterStore.shared.entry(at: Date()))
  }

  func getTimeline(in context: Context, completion: @escaping (Timeline<WaterEntry>) -> Void) {
    let now = Date()
    let midnight = Calendar.current.startOfDay(for: now).addingTimeInterval(86_400)
    let entries = [
      WaterStore.shared.entry(at: now),
      WaterEntry(
        date: midnight, glasses: 0, goal: WaterStore.shared.goal,
        remindersOn: WaterStore.shared.remindersOn),
    ]
    completion(Timeline(entries: entries, policy: .after(midnight)))
  }
}

struct WaterWidgetEntryView: View {
  @Environment(\.widgetFamily) var family
  var entry: Provider.Entry

  var body: some View {
    switch family {
    case .accessoryCircular:
      Gauge(value: entry.fraction) {
        Image(systemName: "drop.fill")
      } currentValueLabel: {
        Text("\(entry.glasses)")
      }
      .gaugeStyle(.accessoryCircular)
      .widgetLabel("Water")
      .containerBackground(.clear, for: .widget)
    case .systemMedium:
      HStack(spacing: 16) {
        ring
        VStack(alignment: .leading, spacing: 8) {
          Text("\(entry.glasses) of \(entry.goal) glasses").font(.headline)
          buttons
          Toggle(isOn: entry.remindersOn, intent: ReminderIntent()) {
            Label("Reminders", systemImage: "bell")
          }
          .toggleStyle(.button)
        }
      }
      .containerBackground(.background, for: .widget)
    default:
      VStack {
        ring
        buttons
      }
      .containerBackground(.background, for: .widget)
    }
  }

  private var ring: some View {
    ZStack {
      Circle().stroke(Color.blue.opacity(0.2), lineWidth: 8)
      Circle()
        .trim(from: 0, to: entry.fraction)
        .stroke(.blue, style: StrokeStyle(lineWidth: 8, lineCap: .round))
        .rotationEffect(.degrees(-90))
        .animation(.default, value: entry.fraction)
      Text("\(entry.glasses)")
        .font(.title.bold())
        .contentTransition(.numericText())
        .invalidatableContent()
    }
    .frame(width: 64, height: 64)
  }

  private var buttons: some View {
    HStack {
      Button(intent: DrinkIntent(glasses: -1)) {
        Image(systemName: "minus")
      }
      .disabled(entry.glasses == 0)
      .accessibilityLabel("Take one back")
      Button(intent: DrinkIntent(glasses: 1)) {
        Label("Drink", systemImage: "plus")
      }
      .buttonStyle(.borderedProminent)
    }
    .tint(.blue)
  }
}

@main
struct WaterWidget: Widget {
  let kind: String = "WaterWidget"

  var body: some WidgetConfiguration {
    StaticConfiguration(kind: kind, provider: Provider()) { entry in
      WaterWidgetEntryView(entry: entry)
    }
    .configurationDisplayName("Water")
    .description("Counts the glasses of a day.")
    .supportedFamilies([.systemSmall, .systemMedium, .accessoryCircular])
  }
}

struct WaterWidget_Previews: PreviewProvider {
  static var previews: some View {
    WaterWidgetEntryView(entry: WaterEntry(date: Date(), glasses: 5, goal: 8, remindersOn: false))
      .previewContext(WidgetPreviewContext(family: .systemSmall))
  }
}
