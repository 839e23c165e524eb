import Intents
import SwiftUI
import WidgetKit

struct Departure: Identifiable {
  let id: Int
  let line: String
  let destination: String
  let date: Date
  let platform: String
  var isCancelled = false
}

struct BoardEntry: TimelineEntry {
  let date: Date
  let configuration: ShowBoardIntent
  let departures: [Departure]
}

struct BoardProvider: IntentTimelineProvider {
  func placeholder(in context: Context) -> BoardEntry {
    BoardEntry(
      date: Date(), configuration: ShowBoardIntent(),
      departures: Timetable.departures(after: Date(), direction: .inbound))
  }

  func getSnapshot(
    for configuration: ShowBoardIntent, in context: Context,
    completion: @escaping (BoardEntry) -> ()
  ) {
    completion(entry(configuration, at: Date()))
  }

  func getTimeline(
    for configuration: ShowBoardIntent, in context: Context,
    completion: @escaping (Timeline<Entry>) -> ()
  ) {
    let now = Date()
    // An entry for each departure that leaves the board.
    let departures = Timetable.departures(after: now, direction: configuration.direction)
    let dates = [now] + departures.prefix(3).map(\.date)
    let timeline = Timeline(
      entries: dates.map { entry(configuration, at: $0) },
      policy: .after(dates.last ?? now))
    completion(timeline)
  }

  func recommendations() -> [IntentRecommendation<ShowBoardIntent>] {
    Timetable.stops.map { stop in
      let intent = ShowBoardIntent()
      intent.stop = stop
      intent.rows = 2
      return IntentRecommendation(
        intent: intent, description: "Departures from \(stop.displayString)")
    }
  }

  private func entry(_ configuration: ShowBoardIntent, at date: Date) -> BoardEntry {
    BoardEntry(
      date: date, configuration: configuration,
      departures: Timetable.departures(after: date, direction: configuration.direction))
  }
}

struct BoardView: View {
  @Environment(\.widgetFamily) var family
  let entry: BoardEntry

  private var rows: Int {
    min(family == .systemSmall ? 2 : 5, entry.configuration.rows?.intValue ?? 3)
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      HStack {
        Image(systemName: "tram.fill")
        Text(entry.configuration.stop?.displayString ?? "Choose a stop")
          .font(.headline)
          .lineLimit(1)
        if let zone = entry.configuration.stop?.zone {
          Text("Zone \(zone)").font(.caption2)
        }
      }
      Divider()
      ForEach(entry.departures.prefix(rows)) { departure in
        row(departure)
      }
      Spacer(minLength: 0)
    }
    .padding()
    .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
    .background(Color(red: 0.1, green: 0.15, blue: 0.2))
    .foregroundColor(.white)
  }

  private func row(_ departure: Departure) -> some View {
    HStack {
      Text(departure.line)
        .font(.caption.bold())
        .frame(minWidth: 24)
        .padding(2)
        .background(RoundedRectangle(cornerRadius: 4).fill(Color.orange))
      Text(departure.destination)
        .strikethrough(departure.isCancelled, color: .red)
      Spacer()
      if entry.configuration.showsPlatforms == true && family != .systemSmall {
        Text(departure.platform).font(.caption).foregroundColor(.secondary)
      }
      Text(departure.date, style: .time).font(.caption).monospacedDigit()
    }
  }
}

@main
struct TransitWidget: Widget {
  let kind: String = "TransitWidget"

  var body: some WidgetConfiguration {
    IntentConfiguration(kind: kind, intent: ShowBoardIntent.self, provider: BoardProvider()) {
      entry in
      BoardView(entry: entry)
    }
    .configurationDisplayName("Departures")
    .description("The next departures from a stop.")
    .supportedFamilies([.systemSmall, .systemMedium])
  }
}
