import ArgumentParser
import DaemonCore
import Glibc
import Habits
import JSON
import Timekeeping
import WidgetCenter

/// Measures the smart stack: learning, computing an order, and answering from a computed order.
struct StackSpeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stack",
    abstract: "Learning from a donation, and the order, of 50, 100 and many widgets.")

  @Option(help: "Widgets of the large stack.")
  var widgets = 10_000

  private static let kind = "org.example.weather"
  private static let now = WallTime(seconds: 1_795_161_600)

  func run() {
    var numbers = Numbers()
    var small = engine(widgets: 100, uses: 2_000, &numbers)
    let moment = Self.now.advanced(bySeconds: 2_000 * 900)
    let order = best(of: 200) { _ = small.ranking(families: nil, at: moment) }
    let learn = learning(items: 50, &numbers)
    var large = engine(widgets: widgets, uses: widgets, &numbers)
    var later = Self.now.advanced(bySeconds: Int64(widgets) * 900)
    let topTen = best(of: 10) {
      later = later.advanced(bySeconds: 60)
      var output = EngineOutput()
      large.record(
        .tap, of: "w\(Int.random(in: 0..<widgets, using: &numbers))", at: later, into: &output)
      _ = large.stack(families: nil, at: later).prefix(10)
    }
    report([
      "widgets": Double(widgets), "learn_50_ns": learn, "order_100_ns": order,
      "cached_100_ns": cached(widgets: 100), "top_after_donation_ms": topTen / 1e6,
    ])
    _ = small.stack(families: nil, at: moment)
  }

  /// Runs `body` `count` times and returns the shortest processor time, in nanoseconds.
  private func best(of count: Int, _ body: () -> Void) -> Double {
    var best = Double.infinity
    for _ in 0..<count {
      let start = nanoseconds()
      body()
      best = min(best, nanoseconds() - start)
    }
    return best
  }

  private static func record(_ number: Int) -> Widget {
    let city: JSONObject = ["city": .string("city \(number)")]
    return Widget(
      id: "w\(number)", kind: kind, family: .systemSmall,
      configuration: WidgetConfiguration(
        intent: "ShowWeather", parameters: city, key: "{\"city\":\"city \(number)\"}"),
      isSuggestion: false, position: Int64(number), placedAt: now)
  }

  /// Makes an engine whose widgets have one relevant entry each, and which learned from `uses`
  /// uses.
  private func engine(widgets: Int, uses: Int, _ numbers: inout Numbers) -> WidgetEngine {
    var engine = WidgetEngine()
    let placed = (0..<widgets).map { Self.record($0) }
    let timeline: JSONValue = [
      "entries": [
        [
          "date": .string(Self.now.rfc3339), "content": ["title": "entry"],
          "relevance": ["score": 3, "duration": 100_000_000],
        ]
      ], "policy": "never",
    ]
    engine.restore(
      widgets: placed,
      timelines: placed.map {
        .init(
          $0.timelineKey,
          ["timeline": timeline, "fetchedAt": .string(Self.now.rfc3339), "scoreMax": 9]
        )
      }, receipts: [], at: Self.now)
    for use in 0..<uses {
      let number =
        uses == widgets
        ? use
        : min(widgets - 1, Int(Double(widgets) * pow(Double.random(in: 0..<1, using: &numbers), 3)))
      var output = EngineOutput()
      engine.donate(
        .tap, kind: Self.kind, configuration: placed[number].configuration,
        at: Self.now.advanced(bySeconds: Int64(use) * 900), into: &output)
    }
    engine.catchUpWithDonations()
    return engine
  }

  /// Measures learning from one donation while `items` items are known.
  ///
  /// Returns nanoseconds, the mean of a thousand donations.
  private func learning(items: Int, _ numbers: inout Numbers) -> Double {
    var model = StackModel()
    func donation(_ number: Int) -> StackDonation {
      let item = Int.random(in: 0..<items, using: &numbers)
      return StackDonation(
        item: "w\(item)", kind: Self.kind, act: .tap,
        at: Self.now.advanced(bySeconds: Int64(number) * 900))
    }
    for number in 0..<2_000 { _ = model.donate(donation(number)) }
    let more = (2_000..<3_000).map { donation($0) }
    let start = nanoseconds()
    for donation in more { _ = model.donate(donation) }
    return (nanoseconds() - start) / Double(more.count)
  }

  /// Measures a request that the core answers from a computed order.
  ///
  /// Returns nanoseconds, the mean of thousands of requests.
  private func cached(widgets: Int) -> Double {
    var daemon = Daemon(options: Daemon.Options(userID: 1, processID: 1, version: "speed"))
    let now = Now(monotonic: Instant(nanoseconds: 1_000_000_000), wall: Self.now)
    var rows = StoredState()
    rows.tables[.widget] = (0..<widgets).map { number in
      var bytes: [UInt8] = []
      Self.record(number).record.write(into: &bytes)
      return .init(key: "w\(number)", bytes: bytes)
    }
    var effects: [Effect] = []
    let client = ConnectionID(1)
    for event in [
      .started, .store(.loaded(rows)), .configuration(ConfigurationFiles()), .turnEnded,
      .connected(client, Peer(userID: 1, processID: 1)),
    ] as [Event] {
      daemon.handle(event, at: now, into: &effects)
    }
    let line = Array(
      #"{"jsonrpc":"2.0","id":1,"method":"stack.order","params":{"limit":10}}"#.utf8 + [10])
    let requests = [UInt8](repeatElement(line, count: 64).joined())
    var best = Double.infinity
    for _ in 0..<200 {
      effects.removeAll()
      let start = nanoseconds()
      daemon.handle(.received(client, requests), at: now, into: &effects)
      best = min(best, nanoseconds() - start)
      daemon.handle(.turnEnded, at: now, into: &effects)
      daemon.handle(.drained(client), at: now, into: &effects)
    }
    return best / 64
  }
}
