import AppIntents
import SwiftUI
import WidgetKit

@main
struct StockWidgets: WidgetBundle {
  var body: some Widget {
    WatchlistWidget()
  }
}

struct WatchlistWidget: Widget {
  var body: some WidgetConfiguration {
    AppIntentConfiguration(
      kind: "watchlist", intent: WatchlistIntent.self, provider: QuoteProvider(service: .sample)
    ) { entry in
      WatchlistView(entry: entry)
        .containerBackground(.black, for: .widget)
        .environment(\.colorScheme, .dark)
    }
    .configurationDisplayName("Watchlist")
    .description("Prices of chosen stocks.")
    .supportedFamilies([.systemSmall, .systemMedium, .systemLarge])
  }
}

struct WatchlistIntent: WidgetConfigurationIntent {
  static let title: LocalizedStringResource = "Watchlist"

  @Parameter(
    title: "Symbols", size: [.systemSmall: 1, .systemMedium: 3, .systemLarge: 5],
    optionsProvider: SymbolOptions())
  var symbols: [String]?

  @Parameter(title: "Show changes", default: true)
  var showsChange: Bool

  init() {}

  struct SymbolOptions: DynamicOptionsProvider {
    func results() async throws -> [String] { QuoteService.sample.quotes.map(\.symbol) }
  }
}
