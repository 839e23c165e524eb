import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Work for ten thousand widgets at once is spread over turns, and none of it is lost.
struct SliceTests {
  private static let count = 10_000

  /// Makes an engine with ten thousand widgets whose entries switch at one moment and whose reloads
  /// are due at one moment.
  ///
  /// `dueIn` is the number of seconds until the reloads are due; `nil` means never.
  private func crowd(dueIn: Int64? = nil) throws -> EngineDriver {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    let day = driver.now.wall
    let text = """
      {"entries":[{"date":"\(day.rfc3339)","content":{"title":"now"}},
      {"date":"\(day.advanced(bySeconds: 60).rfc3339)","content":{"title":"next"}}],
      "policy":"never"}
      """
    let timeline = try JSONValue(parsing: text)
    let widgets = (0..<Self.count).map { number in
      Widget(
        id: "w\(number)", kind: "weather", family: .systemSmall,
        configuration: EngineDriver.city("\(number)"), isSuggestion: false,
        position: Int64(number), placedAt: day)
    }
    var record: JSONObject = ["timeline": timeline, "fetchedAt": .string(day.rfc3339)]
    if let dueIn { record["dueAt"] = .string(day.advanced(bySeconds: dueIn).rfc3339) }
    driver.engine.restore(
      widgets: widgets, timelines: widgets.map { .init($0.timelineKey, .object(record)) },
      receipts: [], at: day)
    var output = EngineOutput()
    driver.engine.resume(at: day, into: &output)
    #expect(output.runs.isEmpty)
    return driver
  }

  @Test func `ten thousand entry switches are many small turns, all at their time`() throws {
    var driver = try crowd()
    let due = driver.now.wall.advanced(bySeconds: 60)
    driver.advance(to: due)
    var changed: Set<String> = []
    var turns = 0
    while let deadline = driver.engine.nextDeadline(at: driver.now),
      deadline <= driver.now.monotonic
    {
      var output = EngineOutput()
      driver.engine.advance(at: driver.now, into: &output)
      #expect(output.changedWidgets.count <= Limits.sliceCount)
      changed.formUnion(output.changedWidgets)
      turns += 1
      try #require(turns < 1_000, "the work does not end")
    }
    #expect(changed.count == Self.count)
    #expect(turns == (Self.count + Limits.sliceCount - 1) / Limits.sliceCount)
    #expect(driver.engine.checkInvariants(isThorough: false) == [])
  }

  @Test func `restored timelines are read in slices, and can be seen before`() throws {
    let before = try crowd()
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    var records: [WidgetEngine.RestoredTimeline] = []
    for (key, shared) in before.engine.timelines {
      var bytes: [UInt8] = []
      shared.record(at: driver.now.wall).write(into: &bytes)
      let read = try JSONValue.parse(bytes, leaving: "timeline")
      let left: ArraySlice<UInt8> = try #require(read.left)
      records.append(.init(key, read.value, entries: left))
    }
    driver.engine.restore(
      widgets: Array(before.engine.widgets.values), timelines: records, receipts: [],
      at: driver.now.wall)
    var output = EngineOutput()
    driver.engine.resume(at: driver.now.wall, into: &output)
    #expect(output.changedWidgets.isEmpty)
    #expect(driver.engine.work.unreadCount == Self.count)
    // A client can read a widget before its slice was read.
    #expect(driver.view("w77")["entry"]?["content"]?["title"] == "now")
    let key = try #require(driver.engine.widgets["w77"]?.timelineKey)
    #expect(driver.engine.timelines[key]?.isUnread == true)
    #expect(
      driver.engine.timelines[key]?.record(at: driver.now.wall)
        == before.engine.timelines[key]?.record(at: driver.now.wall))

    var turns = 0
    while driver.engine.work.unreadCount > 0 {
      #expect(driver.engine.nextDeadline(at: driver.now) == driver.now.monotonic)
      var output = EngineOutput()
      driver.engine.advance(at: driver.now, into: &output)
      #expect(output.changedWidgets.count <= Limits.sliceCount)
      turns += 1
      try #require(turns < 1_000, "the work does not end")
    }
    #expect(driver.engine.timelines.values.allSatisfy { !$0.isUnread })
    #expect(
      driver.engine.nextDeadline(at: driver.now)
        == driver.now.monotonic.advanced(byMilliseconds: 60_000))
  }

  @Test func `ten thousand reloads that are due are asked for in many small turns`() throws {
    var driver = try crowd(dueIn: 30)
    driver.advance(to: driver.now.wall.advanced(bySeconds: 30))
    var asked = 0
    var turns = 0
    while driver.engine.nextDeadline(at: driver.now) == driver.now.monotonic {
      var output = EngineOutput()
      driver.engine.advance(at: driver.now, into: &output)
      let count = driver.engine.queuedCount + driver.engine.runningCount
      #expect(count - asked <= Limits.sliceCount)
      asked = count
      turns += 1
      try #require(turns < 1_000, "the work does not end")
    }
    #expect(asked == Self.count)
    #expect(turns == (Self.count + Limits.sliceCount - 1) / Limits.sliceCount)
  }

  @Test func `a clock that is set is followed slice by slice`() throws {
    var driver = try crowd()
    var changed: Set<String> = []
    for line in driver.setClock(by: 90) where line.hasPrefix("changed ") {
      changed.insert(String(line.dropFirst("changed ".count)))
    }
    #expect(changed.count <= Limits.sliceCount, "one slice")
    while driver.engine.nextDeadline(at: driver.now) == driver.now.monotonic {
      var output = EngineOutput()
      driver.engine.advance(at: driver.now, into: &output)
      #expect(output.changedWidgets.count <= Limits.sliceCount)
      changed.formUnion(output.changedWidgets)
    }
    #expect(changed.count == Self.count)
    #expect(driver.view("w5")["entry"]?["content"]?["title"] == "next")
    #expect(driver.engine.checkInvariants(isThorough: false) == [])
  }

  @Test func `a stored timeline that cannot be read is reloaded`() throws {
    let kept = try crowd()
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    let keys = kept.engine.timelines.keys.sorted()
    let damaged = keys[Self.count / 2]
    driver.engine.restore(
      widgets: Array(kept.engine.widgets.values),
      timelines: keys.map { key in
        .init(
          key, ["failures": 0],
          entries: Array((key == damaged ? "[]" : #"{"entries":[],"policy":"never"}"#).utf8)[...])
      }, receipts: [], at: driver.now.wall)
    var output = EngineOutput()
    driver.engine.resume(at: driver.now.wall, into: &output)
    while driver.engine.work.unreadCount > 0 {
      driver.engine.advance(at: driver.now, into: &output)
    }
    #expect(output.runs.count == 1)
    #expect(driver.engine.timelines[damaged]?.isIdle == false)
  }

  @Test
  func
    `another language reaches ten thousand widgets slice by slice, and through the end of the process`()
    throws
  {
    var driver = try crowd()
    var output = EngineOutput()
    driver.engine.setWatches([Watch()], at: driver.now.wall, into: &output)
    while driver.engine.nextDeadline(at: driver.now) == driver.now.monotonic {
      driver.engine.advance(at: driver.now, into: &output)
    }
    let settled = driver.engine
    output = EngineOutput()
    driver.engine.setSurroundings(.init(locale: "de_DE"), at: driver.now.wall, into: &output)
    #expect(output.dirtyTimelines.isEmpty)
    let kept = try #require(output.settings["surroundings"])
    #expect(kept["reloading"] == "locale")

    var asked: Set<TimelineKey> = []
    var last: JSONValue?
    while driver.engine.nextDeadline(at: driver.now) == driver.now.monotonic {
      output = EngineOutput()
      driver.engine.advance(at: driver.now, into: &output)
      #expect(output.dirtyTimelines.count <= Limits.sliceCount)
      asked.formUnion(output.dirtyTimelines)
      last = output.settings["surroundings"] ?? last
    }
    #expect(asked.count == Self.count)
    #expect(driver.engine.queuedCount + driver.engine.runningCount == Self.count)
    #expect(last?["reloading"] == nil && last?["locale"] == "de_DE")
    #expect(driver.engine.checkInvariants(isThorough: false) == [])

    // The process died in the middle: what was kept tells the next one to begin anew.
    var next = settled
    let isRead = next.restoreSetting("surroundings", kept)
    #expect(isRead)
    output = EngineOutput()
    next.resume(at: driver.now.wall, into: &output)
    while next.nextDeadline(at: driver.now) == driver.now.monotonic {
      next.advance(at: driver.now, into: &output)
    }
    #expect(next.queuedCount + next.runningCount == Self.count)
  }

  @Test
  func
    `a new provider is asked for ten thousand widgets slice by slice, and through the end of the process`()
    throws
  {
    var driver = try crowd()
    var output = EngineOutput()
    driver.engine.setWatches([Watch()], at: driver.now.wall, into: &output)
    while driver.engine.nextDeadline(at: driver.now) == driver.now.monotonic {
      driver.engine.advance(at: driver.now, into: &output)
    }
    let settled = driver.engine
    let better = EngineDriver.kind("weather", intent: "ShowWeather", program: "better")
    output = EngineOutput()
    driver.engine.setKinds([better], at: driver.now.wall, into: &output)
    #expect(output.dirtyTimelines.isEmpty)
    let kept = try #require(output.settings["surroundings"])
    #expect(kept["upgrading"] == ["weather"])

    var asked: Set<TimelineKey> = []
    var last: JSONValue?
    while driver.engine.nextDeadline(at: driver.now) == driver.now.monotonic {
      output = EngineOutput()
      driver.engine.advance(at: driver.now, into: &output)
      #expect(output.dirtyTimelines.count <= Limits.sliceCount)
      asked.formUnion(output.dirtyTimelines)
      last = output.settings["surroundings"] ?? last
    }
    #expect(asked.count == Self.count)
    #expect(driver.engine.queuedCount + driver.engine.runningCount == Self.count)
    #expect(try #require(last)["upgrading"] == nil)
    #expect(driver.engine.checkInvariants(isThorough: false) == [])

    // The process died in the middle: what was kept tells the next one to begin anew.
    var next = settled
    next.kinds = driver.engine.kinds
    let isRead = next.restoreSetting("surroundings", kept)
    #expect(isRead)
    output = EngineOutput()
    next.resume(at: driver.now.wall, into: &output)
    while next.nextDeadline(at: driver.now) == driver.now.monotonic {
      next.advance(at: driver.now, into: &output)
    }
    #expect(next.queuedCount + next.runningCount == Self.count)
  }

  @Test
  func `a kind that goes and comes back leaves and takes up ten thousand widgets slice by slice`()
    throws
  {
    var driver = try crowd()
    let kind = EngineDriver.kind("weather", intent: "ShowWeather")
    for offered in [[], [kind]] {
      var changed: Set<String> = []
      var turns = 0
      var output = EngineOutput()
      driver.engine.setKinds(offered, at: driver.now.wall, into: &output)
      #expect(output.changedWidgets.isEmpty)
      #expect(driver.view("w9999")["orphaned"] == .bool(offered.isEmpty))
      while driver.engine.nextDeadline(at: driver.now) == driver.now.monotonic {
        output = EngineOutput()
        driver.engine.advance(at: driver.now, into: &output)
        #expect(output.changedWidgets.count <= Limits.sliceCount)
        changed.formUnion(output.changedWidgets)
        turns += 1
        try #require(turns < 1_000, "the work does not end")
      }
      #expect(changed.count == Self.count)
      #expect(driver.engine.checkInvariants(isThorough: false) == [])
    }
  }

  @Test func `ten thousand widgets come into view and go out of it slice by slice`() throws {
    // The reloads are due later: then only watched widgets reload.
    var driver = try crowd(dueIn: 7_200)
    let key = try #require(driver.engine.widgets["w9999"]?.timelineKey)
    for watches in [[], [Watch(families: [.systemSmall])], [], [Watch()]] {
      var output = EngineOutput()
      driver.engine.setWatches(watches, at: driver.now.wall, into: &output)
      #expect(driver.engine.work.hasSweeps)
      var turns = 0
      while driver.engine.nextDeadline(at: driver.now) == driver.now.monotonic {
        driver.engine.advance(at: driver.now, into: &output)
        turns += 1
        try #require(turns < 1_000, "the work does not end")
      }
      #expect(turns >= Self.count / Limits.sliceCount)
      #expect(driver.engine.checkInvariants(isThorough: false) == [])
      let views = try #require(driver.engine.timelines[key]?.views.perDay(at: driver.now.wall))
      #expect(views > 0 || watches.isEmpty)
      let number = try #require(driver.engine.timelines[key]?.number)
      #expect((driver.engine.deadlines.reload(of: number) != nil) == !watches.isEmpty)
      #expect(driver.engine.deadlines.reloadCount == (watches.isEmpty ? 0 : Self.count))
    }
  }
}
