import SwiftUI
import WidgetKit

struct Habit: Codable, Identifiable, Hashable {
  let id: Int
  let name: String
  let color: String
  /// Days of the month on which it was done.
  let done: [Int]
}

struct HabitEntry: TimelineEntry {
  let date: Date
  let habits: [Habit]
  var isPlaceholder = false
}

class HabitProvider: TimelineProvider {
  private lazy var habits: [Habit] = load()

  func placeholder(in context: Context) -> HabitEntry {
    HabitEntry(
      date: Date(), habits: [Habit(id: 0, name: "Read", color: "34c759", done: [1, 2, 3])],
      isPlaceholder: true)
  }

  func getSnapshot(in context: Context, completion: @escaping (HabitEntry) -> ()) {
    completion(HabitEntry(date: Date(), habits: habits))
  }

  func getTimeline(in context: Context, completion: @escaping (Timeline<HabitEntry>) -> ()) {
    let habits = self.habits
    DispatchQueue.global(qos: .userInitiated).async {
      let calendar = Calendar.current
      let today = calendar.startOfDay(for: Date())
      let entries = (0..<2).compactMap { day in
        calendar.date(byAdding: .day, value: day, to: today).map {
          HabitEntry(date: $0, habits: habits)
        }
      }
      DispatchQueue.main.async {
        completion(Timeline(entries: entries, policy: .atEnd))
      }
    }
  }

  private func load() -> [Habit] {
    guard let url = Bundle.main.url(forResource: "habits", withExtension: "json"),
      let data = try? Data(contentsOf: url),
      let habits = try? JSONDecoder().decode([Habit].self, from: data)
    else { return [] }
    return habits
  }
}

@main
struct HabitWidget: Widget {
  private let kind = "Habit Grid"

  public var body: some WidgetConfiguration {
    StaticConfiguration(kind: kind, provider: HabitProvider()) { entry in
      if #available(iOS 17.0, *) {
        HabitGridView(entry: entry)
          .containerBackground(Color("WidgetBackground"), for: .widget)
      } else {
        HabitGridView(entry: entry)
          .padding()
          .background()
      }
    }
    .configurationDisplayName("Habits")
    .description("A month of habits at a glance.")
    .supportedFamilies(HabitWidget.families)
  }

  private static var families: [WidgetFamily] {
    guard #available(iOS 15.0, *) else {
      return [.systemSmall, .systemLarge]
    }
    return [.systemSmall, .systemLarge, .systemExtraLarge]
  }
}
