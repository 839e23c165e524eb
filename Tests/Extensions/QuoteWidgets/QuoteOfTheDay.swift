import SwiftUI
import WidgetKit

struct SimpleEntry: TimelineEntry {
  let date: Date
  let quote: Quotation
  let daysLeft: Int
}

struct Quotation {
  let text: LocalizedStringKey
  let author: String

  static let all = [
    Quotation(text: "quote.wind", author: "Seneca"),
    Quotation(text: "Well begun is **half** done.", author: "Aristotle"),
  ]
}

struct Provider: TimelineProvider {
  func placeholder(in context: Context) -> SimpleEntry {
    SimpleEntry(date: Date(), quote: Quotation.all[0], daysLeft: 1)
  }

  func getSnapshot(in context: Context, completion: @escaping (SimpleEntry) -> ()) {
    let entry = SimpleEntry(date: Date(), quote: Quotation.all[0], daysLeft: 1)
    completion(entry)
  }

  func getTimeline(in context: Context, completion: @escaping (Timeline<Entry>) -> ()) {
    var entries: [SimpleEntry] = []

    // A quotation a day, from the midnight that has passed.
    let today = Calendar.current.startOfDay(for: Date())
    for dayOffset in 0..<3 {
      let entryDate = Calendar.current.date(byAdding: .day, value: dayOffset, to: today)!
      let day = Calendar.current.ordinality(of: .day, in: .era, for: entryDate) ?? 0
      let entry = SimpleEntry(
        date: entryDate, quote: Quotation.all[day % Quotation.all.count], daysLeft: 2 - dayOffset)
      entries.append(entry)
    }
    print("\(entries.count) entries")

    let timeline = Timeline(entries: entries, policy: .atEnd)
    completion(timeline)
  }
}

struct QuoteOfTheDayEntryView: View {
  @Environment(\.widgetFamily) var family
  @Environment(\.dynamicTypeSize) var typeSize
  var entry: Provider.Entry

  var body: some View {
    switch family {
    case .accessoryInline:
      Text(entry.quote.author)
    default:
      VStack(alignment: .leading, spacing: 8) {
        Image(systemName: "quote.opening").foregroundStyle(.tint).accessibilityHidden(true)
        Text(entry.quote.text)
          .font(.system(.body, design: .serif).italic())
          .lineSpacing(4)
          .minimumScaleFactor(typeSize.isAccessibilitySize ? 0.5 : 0.8)
        Spacer()
        HStack {
          Text(verbatim: "— \(entry.quote.author)").font(.caption)
          Spacer()
          Text("^[\(entry.daysLeft) quote](inflect: true) left", tableName: "Counts")
            .font(.caption2)
        }
        Text(String(localized: "count.days \(entry.daysLeft)", comment: "Days that are left."))
          .font(.caption2)
      }
      .tint(.brown)
    }
  }
}

@main
struct QuoteOfTheDay: Widget {
  let kind: String = "QuoteOfTheDay"

  var body: some WidgetConfiguration {
    StaticConfiguration(kind: kind, provider: Provider()) { entry in
      QuoteOfTheDayEntryView(entry: entry)
        .padding()
        .background(Color(UIColor.secondarySystemBackground))
    }
    .configurationDisplayName("Quote of the Day")
    .description("widget.description")
    .supportedFamilies([.systemSmall, .systemMedium, .accessoryInline])
  }
}

struct QuoteOfTheDay_Previews: PreviewProvider {
  static var previews: some View {
    QuoteOfTheDayEntryView(
      entry: SimpleEntry(date: Date(), quote: Quotation.all[1], daysLeft: 0)
    )
    .previewContext(WidgetPreviewContext(family: .systemSmall))
  }
}
