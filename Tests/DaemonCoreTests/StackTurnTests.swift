import JSON
import Testing
import Timekeeping
import VirtualTime
import WidgetCenter

@testable import DaemonCore

/// Orders of thousands of widgets are prepared in turns, and each is the order of the moment at
/// which it is answered.
struct StackTurnTests {
  private static let count = 1_500

  /// Makes a daemon with widgets `w0`…, in turn small and medium, which declare a score for ten
  /// minutes and another one after that, and two clients.
  ///
  /// The daemon has just restored the widgets, or with `isRead` read their timelines too.
  private func world(
    isRead: Bool = true
  ) -> (harness: Harness, bar: ConnectionID, other: ConnectionID) {
    var state = StoredState()
    for number in 0..<Self.count {
      let intent = #"{"name":"ShowWeather","parameters":{"city":"Rome"}}"#
      let family = number.isMultiple(of: 2) ? "systemSmall" : "systemMedium"
      let widget = """
        {"kind":"org.example.weather","family":"\(family)","intent":\(intent),"configurationKey":"\(number)",
        "suggestion":false,"position":\(number),"placedAt":"2026-11-20T08:00:00Z"}
        """
      let entries = [("00", number * 31 % 97), ("10", number * 17 % 97)].map { minute, score in
        #"{"date":"2026-11-20T08:\#(minute):00Z","relevance":{"score":\#(1 + score)},"content":{}}"#
      }
      let timeline = """
        {"intent":\(intent),"failures":0,"scoreMax":97,"fetchedAt":"2026-11-20T08:00:00Z",
        "timeline":{"entries":[\(entries.joined(separator: ","))],"policy":"never"}}
        """
      state.tables[.widget, default: []].append(.init(key: "w\(number)", bytes: Array(widget.utf8)))
      state.tables[.timeline, default: []].append(
        .init(
          key: "org.example.weather\u{1F}\(family)\u{1F}\(number)", bytes: Array(timeline.utf8)))
    }
    var harness = Harness(stored: state)
    if isRead { harness.pass(0) }
    let bar = harness.connect()
    let other = harness.connect()
    return (harness, bar, other)
  }

  private func ask(_ method: String, _ id: Int, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
  }

  /// Returns the answer to the request `id` among the lines, which may be a list of ids.
  private func ids(_ lines: [String], _ id: Int64, _ member: String = "ids") throws -> [String] {
    let answers = try lines.map { try JSONValue(parsing: $0) }.filter { $0["id"] == .int(id) }
    let answer = try #require(answers.first)
    let list = try #require(answer["result"]?[member]?.arrayValue)
    return list.compactMap { $0.stringValue ?? $0["id"]?.stringValue }
  }

  /// Returns the order at a moment, which nothing was prepared for.
  private func order(
    _ harness: Harness, _ family: WidgetFamily? = nil, at moment: WallTime? = nil
  ) -> [String] {
    harness.daemon.widgetEngine.ranking(
      families: family.map { WidgetFamilies([$0]) }, at: moment ?? harness.now.wall
    ).map(\.id)
  }

  /// Returns the first place at which two long lists differ; `nil`: they are the same.
  private func difference(_ left: [String], _ right: [String]) -> String? {
    guard left != right else { return nil }
    let index = zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return "at \(index ?? min(left.count, right.count)), of \(left.count) and \(right.count)"
  }

  /// Runs the turns that are due now, and returns the claims that each looked up.
  private func workOff(_ harness: inout Harness) -> [Int] {
    let start = harness.lookUps.count - 1
    harness.pass(0)
    let counts = harness.lookUps[start...]
    return zip(counts.dropFirst(), counts).map { $0 - $1 }
  }

  /// Sets the clock forwards to when every claim is another, and takes the news of it away.
  private func endClaims(_ harness: inout Harness) {
    harness.setClock(to: harness.now.wall.advanced(bySeconds: 600))
  }

  @Test(arguments: [#"{"ids":true}"#, #"{"ids":true,"at":"2026-11-20T08:01:00Z"}"#])
  func `after a start the order comes when the timelines are read, a slice a turn`(
    _ params: String
  ) throws {
    var (harness, bar, other) = world(isRead: false)
    #expect(harness.send(ask("stack.order", 1, params), to: bar) == [])
    var turns = 0
    while harness.daemon.widgetEngine.claimLookUps.forOrders == 0, turns < 10 {
      guard harness.clock.takeWakeUp() else { break }
      harness.handle(.wakeUp)
      // Other clients are served meanwhile.
      #expect(harness.send(ask("daemon.ping", 9), to: other).count == 1)
      #expect(harness.received(by: bar) == [])
      turns += 1
    }
    #expect(turns == 10)
    let counts = workOff(&harness)
    #expect(counts.allSatisfy { $0 == 0 }, "reading a timeline notes its claim")
    #expect(counts.count >= Self.count / WidgetCenter.Limits.sliceCount - 2 * turns)
    let told = try ids(harness.received(by: bar), 1)
    #expect(told.first == "w25")
    #expect(difference(told, order(harness)) == nil)
  }

  @Test func `when all claims have ended, an order looks some up in each turn`() throws {
    var (harness, bar, other) = world()
    let start = harness.lookUps.count - 1
    let wall = harness.now.wall.advanced(bySeconds: 600)
    harness.clock.setWall(by: 600_000)
    harness.handle(
      .clockChanged, .received(bar, Array((ask("stack.order", 1, #"{"ids":true}"#) + "\n").utf8)))
    #expect(harness.received(by: bar) == [])
    // A request that needs no more than the waiting one is answered with it.
    harness.handle(.received(other, Array((ask("stack.order", 2, #"{"limit":2}"#) + "\n").utf8)))
    harness.pass(0)
    let counts = zip(harness.lookUps[(start + 1)...], harness.lookUps[start...]).map { $0 - $1 }
    #expect(counts.max() == Limits.claimsInTurnMax)
    #expect(counts.reduce(0, +) <= Self.count, "no claim twice, and sweeps refresh some")
    let told = try ids(harness.received(by: bar), 1)
    #expect(difference(told, order(harness, at: wall)) == nil)
    #expect(try ids(harness.received(by: other), 2, "widgets") == ["w57", "w154"])
    #expect(order(harness).prefix(2) == ["w57", "w154"])
  }

  @Test func `orders of other moments wait for each other, and follow what changes meanwhile`()
    throws
  {
    var (harness, bar, other) = world()
    let start = harness.lookUps.count - 1
    let moments = (1...3).map { "2026-11-20T08:1\($0):00Z" }
    let requests = moments.enumerated().map { number, moment in
      ask("stack.order", number + 1, #"{"ids":true,"at":"\#(moment)"}"#) + "\n"
    }
    harness.handle(.received(bar, Array(requests.joined().utf8)))
    #expect(harness.received(by: bar) == [])
    let timeline =
      #"{"entries":[{"date":"2026-11-20T08:09:00Z","relevance":{"score":5000},"content":{}}],"policy":"never"}"#
    let push = ask("widget.push", 4, #"{"id":"w8","timeline":\#(timeline)}"#)
    let remove = ask("widget.remove", 5, #"{"id":"w7"}"#)
    harness.send(push + "\n" + remove, to: other)
    harness.pass(0)
    let counts = zip(harness.lookUps[(start + 1)...], harness.lookUps[start...]).map { $0 - $1 }
    #expect(counts.max() == Limits.claimsInTurnMax)
    let lines = harness.received(by: bar)
    for (number, moment) in moments.enumerated() {
      let moment = try #require(WallTime(rfc3339: moment))
      let found = try ids(lines, Int64(number + 1))
      #expect(difference(found, order(harness, at: moment)) == nil)
      #expect(found.first == "w8")
      #expect(found.count == Self.count - 1)
    }
  }

  @Test func `a stack that attaches before its order is prepared is answered with it`() throws {
    var (harness, bar, other) = world(isRead: false)
    harness.send(ask("surface.attach", 1, #"{"stack":true}"#), to: bar)
    harness.send(ask("widget.remove", 2, #"{"id":"w7"}"#), to: other)
    #expect(harness.send(ask("surface.visibility", 3, #"{"visible":false}"#), to: bar).count == 1)
    harness.send(ask("surface.visibility", 4, #"{"visible":true}"#), to: bar)
    harness.pass(0)
    let lines = harness.received(by: bar)
    let expected = order(harness)
    let stack = try ids(lines, 1, "stack")
    let widgets = try ids(lines, 1, "widgets")
    #expect(difference(stack, expected) == nil)
    #expect(difference(widgets, expected) == nil)
    #expect(expected.count == Self.count - 1)
    #expect(lines.filter { $0.contains("surface.update") } == [], "the answer says it all")
    // From then on it is told what changes.
    harness.send(ask("widget.remove", 5, #"{"id":"w8"}"#), to: other)
    harness.pass(0)
    let update = try #require(harness.received(by: bar).last)
    #expect(update.contains(#""removed":["w8"]"#))
  }

  @Test func `a client that attaches twice meanwhile shows what it asked for last`() throws {
    var (harness, bar, other) = world(isRead: false)
    harness.send(ask("surface.attach", 1, #"{"stack":true}"#), to: bar)
    #expect(harness.send(ask("surface.attach", 2, #"{"widgets":["w7","w8"]}"#), to: bar) == [])
    harness.pass(0)
    let lines = harness.received(by: bar)
    #expect(lines.count == 2)
    #expect(lines.last?.contains(#""id":2"#) == true, "as they were asked for")
    #expect(try ids(lines, 1, "stack").count == Self.count)
    #expect(try ids(lines, 2, "widgets") == ["w7", "w8"])
    harness.send(ask("widget.remove", 3, #"{"id":"w9"}"#), to: other)
    harness.send(ask("widget.remove", 4, #"{"id":"w8"}"#), to: other)
    harness.pass(0)
    let updates = harness.received(by: bar)
    #expect(updates.count == 1)
    #expect(updates.first?.contains(#""removed":["w8"]"#) == true)
  }

  @Test func `stacks of several families are told their order in turns`() throws {
    var (harness, bar, other) = world()
    harness.send(
      ask("surface.attach", 1, #"{"stack":true,"families":["systemSmall"]}"#), to: bar)
    harness.send(
      ask("surface.attach", 1, #"{"stack":true,"families":["systemMedium"]}"#), to: other)
    harness.pass(0)
    _ = harness.received(by: bar) + harness.received(by: other)
    endClaims(&harness)
    harness.pass(0)
    let told = try [bar, other].map { client in
      try harness.received(by: client).compactMap {
        try JSONValue(parsing: $0)["params"]?["stack"]?.arrayValue?.compactMap(\.stringValue)
      }.last ?? []
    }
    #expect(difference(told[0], order(harness, .systemSmall)) == nil)
    #expect(difference(told[1], order(harness, .systemMedium)) == nil)
  }

  @Test func `an order that waits is refused when the daemon stops, and dropped with its client`()
    throws
  {
    var (harness, bar, other) = world(isRead: false)
    harness.send(ask("stack.order", 1), to: bar)
    harness.send(ask("surface.attach", 2, #"{"stack":true}"#), to: other)
    // Read the member outside of `#expect`, which would print the whole daemon.
    let owes = harness.daemon.owes(bar)
    #expect(owes)
    harness.handle(.disconnected(other))
    harness.handle(.stopRequested)
    #expect(harness.received(by: bar).last?.contains("the daemon is stopping") == true)
    #expect(harness.hasStopped)
    let wrong = harness.daemon.checkInvariants(isThorough: false)
    #expect(wrong == [])
  }

  @Test func `very many ids that a client reads are noted in slices`() throws {
    var (harness, bar, _) = world()
    func readCount() -> Int {
      harness.daemon.widgetEngine.timelines.values.count { $0.readUntil != nil }
    }
    let lines = harness.send(ask("stack.order", 1, #"{"ids":true}"#), to: bar)
    #expect(try ids(lines, 1).count == Self.count)
    var read = readCount()
    #expect(read <= WidgetCenter.Limits.sliceCount)
    while harness.clock.takeWakeUp() {
      harness.handle(.wakeUp)
      let now = readCount()
      #expect(now - read <= WidgetCenter.Limits.sliceCount)
      read = now
    }
    #expect(read == Self.count)
    let hours = try #require(harness.tables[.setting]?["viewHours"])
    let counts = try JSONValue(parsing: hours)["counts"]?.arrayValue ?? []
    #expect(counts.compactMap(\.doubleValue).reduce(0, +) == 1, "it is one look")
  }
}
