// A program as an app of iOS has it: the tests start it and speak the extension protocol with it.

import AppIntents
import OSLog
import SwiftUI
import WidgetKit

@main
struct Program: WidgetBundle {
  var body: some Widget {
    Plain()
    Counter()
    if #available(iOS 17.0, *) {
      Configured()
      Garden()
    }
    Unruly(way: "unsorted")
    Unruly(way: "empty")
    Unruly(way: "past")
    Unruly(way: "twice")
    Unruly(way: "queue")
    Unruly(way: "dropped")
    Unruly(way: "kept")
    Unruly(way: "crashing-view")
  }
}

struct Moment: TimelineEntry {
  let date: Date
  var text = ""
}

/// Does what its configuration says, right or wrong.
struct Act: WidgetConfigurationIntent {
  static var title: LocalizedStringResource = "Act"
  @Parameter(title: "What", default: "show") var what: String
}

struct ActProvider: AppIntentTimelineProvider {
  func placeholder(in context: Context) -> Moment { Moment(date: Date(), text: "placeholder") }
  func snapshot(for configuration: Act, in context: Context) async -> Moment {
    Moment(date: Date(), text: context.isPreview ? "preview" : "snapshot")
  }
  func timeline(for configuration: Act, in context: Context) async -> Timeline<Moment> {
    switch configuration.what {
    case "print":
      print("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"a forgery\"}")
      fflush(stdout)
    case "crash": fatalError("the provider crashes on purpose")
    case "wait": try? await Task.sleep(nanoseconds: 60_000_000_000)
    default: break
    }
    return Timeline(
      entries: [Moment(date: Date(), text: configuration.what)],
      policy: .after(Date().addingTimeInterval(3_600)))
  }
}

struct Configured: Widget {
  var body: some WidgetConfiguration {
    AppIntentConfiguration(kind: "configured", intent: Act.self, provider: ActProvider()) { entry in
      VStack {
        Text(entry.text)
        Button("Again", intent: Ring(times: 2))
      }
      .containerBackground(.fill.tertiary, for: .widget)
    }
    .configurationDisplayName("Configured")
    .description("Does what its configuration says.")
    .supportedFamilies([.systemSmall, .systemMedium])
  }
}

/// Completes in a way of its own.
struct Unruly: Widget {
  var way = "unsorted"

  var body: some WidgetConfiguration {
    StaticConfiguration(kind: way, provider: UnrulyProvider(way: way)) { entry in
      Text(shown(entry))
    }
  }
}

private func shown(_ entry: Moment) -> String {
  if entry.text == "crash" { fatalError("the view crashes on purpose") }
  return entry.text
}

struct UnrulyProvider: TimelineProvider {
  static var kept: [Any] = []

  let way: String

  func placeholder(in context: Context) -> Moment { Moment(date: Date(), text: way) }
  func getSnapshot(in context: Context, completion: @escaping (Moment) -> Void) {
    completion(placeholder(in: context))
  }

  func getTimeline(in context: Context, completion: @escaping (Timeline<Moment>) -> Void) {
    let hours = { (hours: Double) in
      Moment(date: Date().addingTimeInterval(hours * 3_600), text: "\(Int(hours))")
    }
    let timeline = Timeline(entries: [hours(0)], policy: .atEnd)
    switch way {
    case "unsorted": completion(Timeline(entries: [3, 1, 2].map(hours), policy: .atEnd))
    case "empty": completion(Timeline(entries: [], policy: .after(hours(1).date)))
    case "past": completion(Timeline(entries: [-5, -2].map(hours), policy: .never))
    case "twice":
      completion(timeline)
      completion(Timeline(entries: [hours(9)], policy: .never))
    case "queue":
      Thread {
        DispatchQueue(label: "own").asyncAfter(deadline: .now() + 0.05) {
          completion(Timeline(entries: [Moment(date: Date(), text: "0")], policy: .atEnd))
        }
      }
      .start()
    case "kept": Self.kept.append(completion)
    case "crashing-view":
      completion(Timeline(entries: [Moment(date: Date(), text: "crash")], policy: .never))
    default: break
    }
  }
}

struct Ring: AppIntent {
  static var title: LocalizedStringResource = "Ring"
  @Parameter(title: "Times") var times: Int
  init() {}
  init(times: Int) { self.times = times }
  func perform() async throws -> some IntentResult & ProvidesDialog {
    if times > 9 { throw TooOften() }
    return .result(dialog: "Rang \(times) times.")
  }
}

struct TooOften: LocalizedError {
  var errorDescription: String? { "that is too often" }
}

class PlainProvider: TimelineProvider {
  private let logger = Logger(subsystem: "org.example", category: "plain")

  func placeholder(in context: Context) -> Moment { Moment(date: Date()) }
  func getSnapshot(in context: Context, completion: @escaping (Moment) -> ()) {
    completion(Moment(date: Date(), text: "snapshot"))
  }
  func getTimeline(in context: Context, completion: @escaping (Timeline<Moment>) -> ()) {
    logger.error("asked for \(context.family)")
    DispatchQueue.main.async {
      completion(Timeline(entries: [Moment(date: .now, text: "main")], policy: .never))
    }
  }
}

struct Plain: Widget {
  let kind = "Plain Widget"
  var body: some WidgetConfiguration {
    StaticConfiguration(kind: kind, provider: PlainProvider()) { entry in
      Text(entry.text)
    }
    .configurationDisplayName("Plain")
  }
}

struct Shortcuts: AppShortcutsProvider {
  static var appShortcuts: [AppShortcut] {
    AppShortcut(
      intent: Ring(), phrases: ["Ring the bell with \(.applicationName)"], shortTitle: "Ring",
      systemImageName: "bell")
  }
}

#Preview(as: .systemSmall) {
  Plain()
} timeline: {
  Moment(date: .now)
}

#Preview("A view") { Text("x") }
