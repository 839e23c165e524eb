// A widget with a button and a toggle, whose code keeps what it did with the group of its app.

import AppIntents
import SwiftUI
import WidgetKit

struct Count: TimelineEntry {
  let date: Date
  var count = Store.count
  var isOn = Store.isOn
}

/// What the widget and its intents share.
enum Store {
  private static var defaults: UserDefaults? { UserDefaults(suiteName: "group.org.example.bells") }

  static var count: Int {
    get { defaults?.integer(forKey: "count") ?? 0 }
    set { defaults?.set(newValue, forKey: "count") }
  }

  static var isOn: Bool {
    get { defaults?.bool(forKey: "isOn") ?? false }
    set { defaults?.set(newValue, forKey: "isOn") }
  }
}

struct AddOne: AppIntent {
  static var title: LocalizedStringResource = "Add one"

  func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
    if Store.count >= 3 { throw CountError.tooMany }
    Store.count += 1
    return .result(value: Store.count, dialog: "It is \(Store.count).")
  }
}

enum CountError: LocalizedError {
  case tooMany
  var errorDescription: String? { "three are enough" }
}

struct Switch: SetValueIntent {
  static var title: LocalizedStringResource = "Switch"
  @Parameter(title: "On") var value: Bool

  func perform() async throws -> some IntentResult {
    Store.isOn = value
    return .result()
  }
}

/// Begins, and then the program ends.
struct Fall: AppIntent {
  static var title: LocalizedStringResource = "Fall"

  func perform() async throws -> some IntentResult {
    Store.count += 10
    if Store.count > 0 { fatalError("the floor is wet") }
    return .result()
  }
}

/// Takes longer than anybody waits.
struct Ponder: AppIntent {
  static var title: LocalizedStringResource = "Ponder"

  func perform() async throws -> some IntentResult {
    Store.count += 100
    try await Task.sleep(nanoseconds: 600_000_000_000)
    return .result()
  }
}

struct CountProvider: TimelineProvider {
  func placeholder(in context: Context) -> Count { Count(date: .now, count: 0, isOn: false) }
  func getSnapshot(in context: Context, completion: @escaping (Count) -> Void) {
    completion(Count(date: .now))
  }
  func getTimeline(in context: Context, completion: @escaping (Timeline<Count>) -> Void) {
    completion(Timeline(entries: [Count(date: .now)], policy: .after(.now + 3_600)))
  }
}

struct Counter: Widget {
  var body: some WidgetConfiguration {
    StaticConfiguration(kind: "counter", provider: CountProvider()) { entry in
      VStack {
        Text("Count \(entry.count)")
        Button("Add", intent: AddOne())
        Toggle("Light", isOn: entry.isOn, intent: Switch())
        Button("Fall", intent: Fall())
      }
      .containerBackground(.fill.tertiary, for: .widget)
    }
    .configurationDisplayName("Counter")
    .supportedFamilies([.systemSmall, .systemMedium])
  }
}
