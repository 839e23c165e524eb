import SwiftUI
import WidgetKit

struct WatchlistView: View {
  @Environment(\.widgetFamily) private var family
  let entry: QuoteEntry

  var body: some View {
    if let error = entry.error {
      Label(error, systemImage: "exclamationmark.triangle")
    } else if family == .systemSmall, let quote = entry.quotes.first {
      VStack(alignment: .leading, spacing: 4) {
        Text(quote.symbol).font(.headline)
        Sparkline(values: quote.history)
          .stroke(quote.tint, lineWidth: 2)
          .frame(height: 40)
        price(quote)
      }
      .widgetURL(quote.url)
    } else {
      VStack(spacing: 0) {
        ForEach(entry.quotes) { quote in
          Link(destination: quote.url) { row(quote) }
          if quote.id != entry.quotes.last?.id {
            Divider()
          }
        }
        Spacer()
        Text("Updated \(entry.date, style: .relative) ago")
          .font(.caption2)
          .foregroundStyle(.tertiary)
      }
    }
  }

  private func row(_ quote: Quote) -> some View {
    HStack {
      VStack(alignment: .leading) {
        Text(verbatim: quote.symbol).bold()
        Text(verbatim: quote.name).font(.caption).foregroundStyle(.secondary).lineLimit(1)
      }
      Spacer()
      Sparkline(values: quote.history)
        .stroke(quote.tint, style: StrokeStyle(lineWidth: 1, lineJoin: .round))
        .frame(width: 48, height: 16)
      price(quote)
    }
    .padding(.vertical, 6)
  }

  private func price(_ quote: Quote) -> some View {
    VStack(alignment: .trailing) {
      Text(quote.price, format: .currency(code: "USD")).monospacedDigit().privacySensitive()
      if entry.showsChange {
        Text(quote.change, format: .percent.precision(.fractionLength(1)))
          .font(.caption)
          .padding(.horizontal, 4)
          .background(quote.tint, in: .capsule)
      }
    }
  }
}

extension Quote {
  fileprivate var tint: Color { change < 0 ? .red : change > 0 ? .green : .gray }
  fileprivate var url: URL { URL(string: "stocks://quote/\(symbol)")! }
}

struct Sparkline: Shape {
  let values: [Double]

  func path(in rect: CGRect) -> Path {
    Path { path in
      guard let low = values.min(), let high = values.max(), values.count > 1 else { return }
      let height = max(high - low, 1)
      for (index, value) in values.enumerated() {
        let point = CGPoint(
          x: rect.minX + rect.width * CGFloat(index) / CGFloat(values.count - 1),
          y: rect.maxY - rect.height * CGFloat((value - low) / height))
        index == 0 ? path.move(to: point) : path.addLine(to: point)
      }
    }
  }
}
