import ActivityKit
import WidgetKit

// Code that Apple's WidgetKit refuses and that this one has to refuse too, each line with the words of
// the compiler. A widget that compiles here and not in Xcode would be no widget for iOS.

private struct Moment: TimelineEntry { let date: Date }
private struct ChooseColour: WidgetConfigurationIntent {
  static let title: LocalizedStringResource = "Choose Colour"
}
private struct Ring: AppIntent {
  static let title: LocalizedStringResource = "Ring"
  func perform() async throws -> some IntentResult { .result() }
}

// MARK: Values

private func takeSendable(_ value: some Sendable) {}
private func takeHashable(_ value: some Hashable) {}

private func policies(_ policy: TimelineReloadPolicy) {
  // error: does not conform to the 'Sendable' protocol
  takeSendable(policy)
  // error: conform to 'Hashable'
  takeHashable(policy)
  // error: initializer is inaccessible
  _ = TimelineReloadPolicy()
  switch policy {
  // error: cannot appear in an expression
  case .after(let date): print(date)
  default: break
  }
}

private func values() {
  // error: does not conform to the 'Sendable' protocol
  takeSendable(TimelineEntryRelevance(score: 1))
  // error: has no member 'allCases'
  _ = WidgetFamily.allCases
  // error: initializer is inaccessible
  _ = WidgetCenter()
  // error: requires that 'Date' conform to 'TimelineEntry'
  _ = Timeline(entries: [Date()], policy: .never)
}

// MARK: Providers

// error: does not conform to protocol 'AppIntentTimelineProvider'
private struct ThrowingProvider: AppIntentTimelineProvider {
  func placeholder(in context: Context) -> Moment { Moment(date: .now) }
  func snapshot(for configuration: ChooseColour, in context: Context) async throws -> Moment {
    Moment(date: .now)
  }
  func timeline(for configuration: ChooseColour, in context: Context) async -> Timeline<Moment> {
    Timeline(entries: [], policy: .never)
  }
}

// error: does not conform to protocol 'TimelineProvider'
private struct HalfProvider: TimelineProvider {
  func placeholder(in context: Context) -> Moment { Moment(date: .now) }
  func getSnapshot(in context: Context, completion: @escaping (Moment) -> Void) {}
}

// error: does not conform to protocol 'AppIntentTimelineProvider'
private struct RingProvider: AppIntentTimelineProvider {
  func placeholder(in context: Context) -> Moment { Moment(date: .now) }
  func snapshot(for configuration: Ring, in context: Context) async -> Moment {
    Moment(date: .now)
  }
  func timeline(for configuration: Ring, in context: Context) async -> Timeline<Moment> {
    Timeline(entries: [], policy: .never)
  }
}

// MARK: Configurations

private struct Provider: AppIntentTimelineProvider {
  func placeholder(in context: Context) -> Moment { Moment(date: .now) }
  func snapshot(for configuration: ChooseColour, in context: Context) async -> Moment {
    Moment(date: .now)
  }
  func timeline(for configuration: ChooseColour, in context: Context) async -> Timeline<Moment> {
    Timeline(entries: [], policy: .never)
  }
}

private struct OtherIntent: Widget {
  var body: some WidgetConfiguration {
    // error: be equivalent
    AppIntentConfiguration(kind: "other", intent: Other.self, provider: Provider()) { _ in
      EmptyView()
    }
  }

  struct Other: WidgetConfigurationIntent { static let title: LocalizedStringResource = "Other" }
}

private struct StaticWithIntent: Widget {
  var body: some WidgetConfiguration {
    // error: requires that 'Provider' conform to 'TimelineProvider'
    StaticConfiguration(kind: "static", provider: Provider()) { _ in EmptyView() }
  }
}

private struct WithoutView: Widget {
  var body: some WidgetConfiguration {
    // error: requires that 'String' conform to 'View'
    AppIntentConfiguration(kind: "text", provider: Provider()) { _ in "no view" }
  }
}

private struct ViewBundle: WidgetBundle {
  var body: some Widget {
    // error: no exact matches
    Text("no widget")
  }
}

private struct LoopBundle: WidgetBundle {
  var body: some Widget {
    // error: control flow statement
    for _ in 0..<2 { WithoutView() }
  }
}

private final class Store { var count = 0 }

private struct MutableEntry: RelevanceEntry {
  // error: has non-Sendable type 'Store'
  let store: Store
}

// MARK: Intents and activities

// error: does not conform to protocol 'AppIntent'
private struct WithoutTitle: AppIntent {
  func perform() async throws -> some IntentResult { .result() }
}

// error: does not conform to protocol 'CaseDisplayRepresentable'
private enum Shade: String, AppEnum {
  case light
  static let typeDisplayRepresentation: TypeDisplayRepresentation = "Shade"
}

private struct Unhashable: Codable { var value = 0 }

// error: does not conform to protocol 'ActivityAttributes'
private struct BadAttributes: ActivityAttributes {
  typealias ContentState = Unhashable
}

private struct BadToggle: View {
  var body: some View {
    // error: expected argument type 'Bool'
    Toggle("Ring", isOn: 3, intent: Ring())
  }
}
