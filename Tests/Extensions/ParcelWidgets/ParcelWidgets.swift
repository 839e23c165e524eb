import SwiftUI
import WidgetKit

@main
struct ParcelWidgets: WidgetBundle {
  var body: some Widget {
    ParcelWidget()
    if ProcessInfo.processInfo.environment["PARCELS_BETA"] != nil {
      BetaWidget()
    }
    if #available(iOSApplicationExtension 16.1, *) {
      DeliveryActivity()
    }
    if #available(iOS 18.0, *) {
      ScanControl()
      QuietControl()
    }
  }
}

struct ParcelEntry: TimelineEntry {
  let date: Date
  let parcel: Parcel?
}

struct ParcelProvider: AppIntentTimelineProvider {
  func placeholder(in context: Context) -> ParcelEntry {
    ParcelEntry(date: .now, parcel: Parcel.all.first)
  }

  func snapshot(for configuration: TrackParcel, in context: Context) async -> ParcelEntry {
    ParcelEntry(date: .now, parcel: configuration.parcel)
  }

  func timeline(for configuration: TrackParcel, in context: Context) async -> Timeline<ParcelEntry>
  {
    let entry = await snapshot(for: configuration, in: context)
    return Timeline(
      entries: [entry], policy: entry.parcel == nil ? .never : .after(.now.addingTimeInterval(900)))
  }
}

struct ParcelWidget: Widget {
  var body: some WidgetConfiguration {
    AppIntentConfiguration(
      kind: "parcel", intent: TrackParcel.self, provider: ParcelProvider()
    ) { entry in
      ParcelView(parcel: entry.parcel)
        .containerBackground(Color.brown.gradient, for: .widget)
    }
    .configurationDisplayName("Parcel")
    .description("Where a parcel is.")
    .supportedFamilies([.systemSmall, .systemMedium])
  }
}

struct BetaWidget: Widget {
  var body: some WidgetConfiguration {
    AppIntentConfiguration(
      kind: "beta", intent: TrackParcel.self, provider: ParcelProvider()
    ) { _ in
      Text("Beta")
    }
  }
}

struct ParcelView: View {
  let parcel: Parcel?

  var body: some View {
    if let parcel {
      VStack(alignment: .leading) {
        Label(parcel.name, systemImage: "shippingbox.fill").font(.headline)
        StatusSteps(status: parcel.status)
        Spacer()
        if case .out(let eta) = parcel.status {
          Text("Arrives in \(Text(eta, style: .relative).bold())").font(.footnote)
        } else {
          Text(parcel.status.title).font(.footnote)
        }
        Button("Mark as received", intent: ReceiveParcel(parcel: parcel)).font(.caption)
      }
      .widgetURL(URL(string: "parcels://parcel/\(parcel.id)"))
    } else {
      ContentUnavailableView("No parcel", systemImage: "shippingbox")
    }
  }
}

struct StatusSteps: View {
  let status: Parcel.Status

  var body: some View {
    HStack(spacing: 3) {
      ForEach(0..<3) { step in
        Capsule()
          .fill(step <= status.step ? AnyShapeStyle(.tint) : AnyShapeStyle(.quaternary))
          .frame(height: 5)
      }
    }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel("Step \(status.step + 1) of 3")
  }
}
