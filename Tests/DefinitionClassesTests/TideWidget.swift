import Foundation
import Intents
import SwiftUI
import WidgetKit

// A widget as an extension has it: known to compile with generated classes.

struct TideEntry: TimelineEntry {
  let date: Date
  let configuration: ShowTidesIntent
}

struct TideProvider: IntentTimelineProvider {
  func placeholder(in context: Context) -> TideEntry {
    TideEntry(date: .now, configuration: ShowTidesIntent())
  }

  func getSnapshot(
    for configuration: ShowTidesIntent, in context: Context,
    completion: @escaping (TideEntry) -> Void
  ) {
    completion(TideEntry(date: .now, configuration: configuration))
  }

  func getTimeline(
    for configuration: ShowTidesIntent, in context: Context,
    completion: @escaping (Timeline<TideEntry>) -> Void
  ) {
    let entry = TideEntry(date: .now, configuration: configuration)
    completion(Timeline(entries: [entry], policy: .atEnd))
  }
}

struct TideView: View {
  let entry: TideEntry

  var body: some View {
    VStack {
      if let harbour = entry.configuration.harbour { Text(harbour.displayString) }
      switch entry.configuration.unit {
      case .unknown, .metres: Text("m")
      case .feet: Text("ft")
      }
      if entry.configuration.showsMoon?.boolValue ?? false { Image(systemName: "moon") }
    }
  }
}

struct TideWidget: Widget {
  var body: some WidgetConfiguration {
    IntentConfiguration(
      kind: "tides", intent: ShowTidesIntent.self, provider: TideProvider()
    ) { entry in
      TideView(entry: entry)
    }
    .configurationDisplayName("Tides")
  }
}
