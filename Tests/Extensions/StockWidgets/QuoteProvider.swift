import Foundation
import WidgetKit

struct Quote: Identifiable, Decodable {
  var id: String { symbol }
  let symbol: String
  let name: String
  let price: Decimal
  let change: Double
  let history: [Double]
}

struct QuoteService {
  let quotes: [Quote]

  func quotes(for symbols: [String]) async throws -> [Quote] {
    symbols.isEmpty
      ? quotes
      : symbols.compactMap { symbol in
        quotes.first { $0.symbol == symbol }
      }
  }

  static let sample = QuoteService(
    quotes: try! JSONDecoder().decode([Quote].self, from: Data(json.utf8)))

  private static let json = """
    [
      {"symbol": "ACME", "name": "Acme & Sons", "price": 182.5, "change": 0.012,
       "history": [178, 179.5, 181, 180, 182.5]},
      {"symbol": "GLBX", "name": "Globex", "price": 40.25, "change": -0.034,
       "history": [43, 42, 41.5, 40, 40.25]},
      {"symbol": "INI", "name": "Initech <Holding>", "price": 7, "change": 0,
       "history": [7, 7, 7, 7, 7]}
    ]
    """
}

struct QuoteEntry: TimelineEntry {
  let date: Date
  let quotes: [Quote]
  let showsChange: Bool
  var error: String?
}

struct QuoteProvider: AppIntentTimelineProvider {
  let service: QuoteService

  func placeholder(in context: Context) -> QuoteEntry {
    QuoteEntry(date: .now, quotes: Array(service.quotes.prefix(1)), showsChange: true)
  }

  func snapshot(for configuration: WatchlistIntent, in context: Context) async -> QuoteEntry {
    await entry(configuration)
  }

  func timeline(for configuration: WatchlistIntent, in context: Context) async -> Timeline<
    QuoteEntry
  > {
    let entry = await entry(configuration)
    let next = Calendar.current.date(
      byAdding: .minute, value: entry.error == nil ? 15 : 5, to: .now)!
    return Timeline(entries: [entry], policy: .after(next))
  }

  private func entry(_ configuration: WatchlistIntent) async -> QuoteEntry {
    do {
      let quotes = try await service.quotes(for: configuration.symbols ?? [])
      return QuoteEntry(date: .now, quotes: quotes, showsChange: configuration.showsChange)
    } catch {
      return QuoteEntry(
        date: .now, quotes: [], showsChange: false, error: error.localizedDescription)
    }
  }
}
