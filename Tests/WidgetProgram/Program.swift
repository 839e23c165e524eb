// A program as an app of iOS has it: the tests start it and speak the extension protocol with it.

import AppIntents
import SwiftUI
import WidgetKit
import os

@main
struct Program: WidgetBundle {
  var body: some Widget {
    Plain()
    Counter()
    if #available(iOS 17.0, *) {
      Configured()
    }
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
