import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Lists of more widgets than one turn describes: a slice leaves in each turn, the slices make
/// whole lines, and other clients are served in between.
struct PagedListTests {
  private static let count = 1_000

  /// Makes a daemon with widgets `w0`… that show their number and are not due, and two clients.
  private func world() -> (harness: Harness, bar: ConnectionID, other: ConnectionID) {
    var state = StoredState()
    for number in 0..<Self.count {
      let intent = #"{"name":"ShowWeather","parameters":{"city":"Rome"}}"#
      let widget = """
        {"kind":"org.example.weather","family":"systemSmall","intent":\(intent),"configurationKey":"\(number)",
        "suggestion":false,"position":\(number),"placedAt":"2026-11-20T08:00:00Z"}
        """
      let timeline = """
        {"intent":\(intent),"failures":0,"fetchedAt":"2026-11-20T08:00:00Z",
        "timeline":\(Harness.timeline(#"{"text":"\#(number)"}"#))}
        """
      state.tables[.widget, default: []].append(.init(key: "w\(number)", bytes: Array(widget.utf8)))
      state.tables[.timeline, default: []].append(
        .init(
          key: "org.example.weather\u{1F}systemSmall\u{1F}\(number)", bytes: Array(timeline.utf8)))
    }
    var harness = Harness(stored: state)
    harness.pass(0)
    let bar = harness.connect()
    let other = harness.connect()
    return (harness, bar, other)
  }

  private func ask(_ method: String, _ id: Int, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
  }

  /// Returns the widgets of each line, in the order of lines: `1: w0 w1 …`, `update: w5`.
  private func told(_ lines: [String]) throws -> [String] {
    try lines.map { text in
      let line = try JSONValue(parsing: text)
      let widgets = (line["result"] ?? line["params"])?["widgets"]?.arrayValue ?? []
      let name = line["id"]?.intValue.map { String($0) } ?? "update"
      return "\(name): \(widgets.compactMap { $0["id"]?.stringValue }.joined(separator: " "))"
    }
  }

  private static let all = (0..<count).map { "w\($0)" }.joined(separator: " ")

  @Test(arguments: ["surface.attach", "widget.list", "stack.order", "stack.explain"])
  func `a list of a thousand is sent a slice a turn`(_ method: String) throws {
    var (harness, bar, other) = world()
    // Hold the disk's answer back: it would be a turn of its own.
    harness.storeMode = .waits
    let before = harness.sends.count
    #expect(harness.send(ask(method, 1), to: bar).count == 0)
    var pieces = 1
    var widgetCounts = 0
    while harness.unfinished[bar] != nil {
      try #require(pieces < 100, "the answer does not end")
      let start = harness.unfinished[bar]?.count ?? 0
      // Other clients are served between two slices.
      #expect(harness.send(ask("daemon.ping", 9), to: other).count == 1)
      let end = harness.unfinished[bar] ?? []
      let said = String(decoding: end.dropFirst(start), as: UTF8.self)
      let count = said.ranges(of: #""orphaned":"#).count
      #expect(count <= Limits.widgetsInSliceMax)
      widgetCounts += count
      pieces += 1
    }
    #expect(pieces >= Self.count / Limits.widgetsInSliceMax)
    #expect(harness.sends[before...].filter { $0.connection == bar }.count == pieces)
    #expect(try told(harness.received(by: bar)) == ["1: \(Self.all)"])
  }

  @Test func `nothing comes into the middle of a line, and all of it comes after`() throws {
    var (harness, bar, _) = world()
    #expect(harness.send(ask("surface.attach", 1), to: bar).count == 0)
    let push = #"{"id":"w0","timeline":\#(Harness.timeline(#"{"text":"new"}"#))}"#
    #expect(harness.send(ask("widget.push", 2, push), to: bar) == [])
    #expect(harness.send(ask("daemon.ping", 3), to: bar) == [])
    #expect(harness.send(ask("widget.remove", 4, #"{"id":"w999"}"#), to: bar) == [])
    harness.pass(0)
    let lines = harness.received(by: bar)
    let rest = Self.all.split(separator: " ").dropLast().joined(separator: " ")
    #expect(try told(lines) == ["1: \(rest)", "2: ", "3: ", "4: ", "update: w0"])
    #expect(lines.last?.contains("new") == true)
    #expect(lines.last?.contains(#""removed":["w999"]"#) == true)
  }

  @Test func `several lists of one client follow each other, and those of two take turns`() throws {
    var (harness, bar, other) = world()
    harness.handle(
      .received(bar, Array("\(ask("widget.list", 1))\n\(ask("widget.list", 2))\n".utf8)),
      .received(other, Array("\(ask("stack.order", 3))\n".utf8)))
    harness.pass(0)
    #expect(try told(harness.received(by: bar)) == ["1: \(Self.all)", "2: \(Self.all)"])
    #expect(try told(harness.received(by: other)) == ["3: \(Self.all)"])
    let turns = harness.sends.filter { $0.connection == bar || $0.connection == other }
      .map(\.connection)
    #expect(turns.starts(with: [bar, other, bar, other]))
  }

  @Test func `a client that attaches again during a long list gets the last request's list`() throws
  {
    var (harness, bar, _) = world()
    let few = ask("surface.attach", 2, #"{"widgets":["w7","w8"]}"#)
    harness.handle(.received(bar, Array("\(ask("surface.attach", 1))\n\(few)\n".utf8)))
    harness.pass(0)
    #expect(try told(harness.received(by: bar)) == ["1: \(Self.all)", "2: w7 w8"])
  }

  @Test func `a client that does not read is sent nothing until it reads`() throws {
    var (harness, bar, other) = world()
    harness.storeMode = .waits
    harness.send(ask("widget.list", 1), to: bar)
    func saidToBar(_ harness: Harness) -> Int {
      harness.sends.count { $0.connection == bar }
    }
    let sent = saidToBar(harness)
    harness.handle(.backedUp(bar))
    harness.pass(60)
    harness.send(ask("daemon.ping", 2), to: other)
    #expect(saidToBar(harness) == sent)
    // Read the member outside of `#expect`, which would print the whole daemon.
    var owes = harness.daemon.owes(bar)
    #expect(owes)
    harness.handle(.drained(bar))
    harness.pass(0)
    #expect(try told(harness.received(by: bar)) == ["1: \(Self.all)"])
    owes = harness.daemon.owes(bar)
    #expect(!owes)
  }

  @Test func `a list in a batch comes on the batch's line`() throws {
    var (harness, bar, _) = world()
    harness.storeMode = .waits
    let early = harness.send("[\(ask("widget.list", 1)),\(ask("daemon.ping", 2))]", to: bar)
    #expect(early.count == 0)
    harness.pass(0)
    let lines = harness.received(by: bar)
    #expect(lines.count == 1)
    let answers = try JSONValue(parsing: lines.first ?? "").arrayValue ?? []
    #expect(answers.map { $0["id"] ?? .null } == [2, 1])
    #expect(answers.last?["result"]?["widgets"]?.arrayValue?.count == Self.count)
  }

  @Test func `a client that leaves in the middle is forgotten`() throws {
    var (harness, bar, other) = world()
    harness.send(ask("widget.list", 1), to: bar)
    harness.send("[\(ask("widget.list", 1))]", to: other)
    harness.handle(.disconnected(bar), .disconnected(other))
    let sent = harness.sends.count
    harness.pass(1)
    #expect(harness.sends.count == sent)
    #expect(harness.daemon.pagedLists.isEmpty)
    #expect(harness.daemon.outbox.openBatchCount == 0)
  }

  @Test func `a daemon that stops ends the line that it began and refuses the others`() throws {
    var (harness, bar, _) = world()
    let both = ask("widget.list", 1) + "\n" + ask("widget.list", 2) + "\n"
    harness.handle(.received(bar, Array(both.utf8)), .stopRequested)
    #expect(harness.hasStopped)
    let lines = harness.received(by: bar)
    #expect(try told(lines) == ["1: \(Self.all)", "2: "])
    #expect(lines.last?.contains("the daemon is stopping") == true)
    let wrong = harness.daemon.checkInvariants(isThorough: false)
    #expect(wrong == [])
  }

  @Test func `a client that is sent many widgets counts as reading each once`() throws {
    var (harness, bar, _) = world()
    harness.send(ask("widget.list", 1), to: bar)
    harness.pass(0)
    let unread = harness.daemon.widgetEngine.timelines.values.count { $0.readUntil == nil }
    #expect(unread == 0)
    let hours = try #require(harness.tables[.setting]?["viewHours"])
    let counts = try JSONValue(parsing: hours)["counts"]?.arrayValue ?? []
    #expect(counts.compactMap(\.doubleValue).reduce(0, +) == 1)
  }
}
