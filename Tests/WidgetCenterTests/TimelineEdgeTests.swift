import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests the oddities of real providers and of clocks in the middle of a timeline.
///
/// The day starts at 08:00 UTC.
@Suite struct TimelineEdgeTests {
  /// Returns a timeline with entries so many seconds after 08:00, each of which shows its number.
  private func timeline(_ seconds: [Int64], policy: String = #""never""#) -> String {
    let start = WallTime(seconds: 1_795_161_600)
    let entries = seconds.map {
      #"{"date":"\#(start.advanced(bySeconds: $0).rfc3339)","content":{"text":"\#($0)"}}"#
    }
    return #"{"entries":[\#(entries.joined(separator: ","))],"policy":\#(policy)}"#
  }

  private func loaded(_ answer: String) throws -> EngineDriver {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1, answer)
    return driver
  }

  @Test func `an entry a minute for a day is shown a minute each, without any run`() throws {
    var driver = try loaded(timeline((0..<1_440).map { $0 * 60 }))
    let changes = driver.pass(86_400)
    #expect(changes.count == 1_439)
    #expect(changes.first == "08:01:00 changed clock")
    #expect(changes.last == "07:59:00 changed clock")
    #expect(driver.text("clock") == "86340")
    #expect(driver.engine.countersByKind["clock"]?.runs == 1)
  }

  @Test func `entries seconds and milliseconds apart come at their own time`() throws {
    var driver = try loaded(
      #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"a"}},{"date":"2026-11-20T08:00:06Z","content":{"text":"b"}},{"date":"2026-11-20T08:00:06.250Z","content":{"text":"c"}}],"policy":"never"}"#
    )
    #expect(driver.text("clock") == "a")
    #expect(driver.pass(5) == [])
    #expect(driver.pass(2) == ["08:00:06 changed clock", "08:00:06.250 changed clock"])
    #expect(driver.text("clock") == "c")
  }

  @Test func `a provider that answers after the next request serves the first, and is asked again`()
    throws
  {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.pass(20)
    #expect(try driver.reload("clock", .intent) == ["r2 accepted"])
    // The answer may be older than the second request.
    #expect(driver.answer(1, timeline([0])) == ["r1 done", "run #2 clock", "changed clock"])
    #expect(driver.answer(2, timeline([0])) == ["r2 done"])
  }

  @Test func `an answer that comes after its deadline is a timeout and changes nothing`() throws {
    var driver = try loaded(timeline([0]))
    _ = try driver.reload("clock", .reload)
    #expect(driver.pass(30) == ["08:00:30 cancel #2"])
    #expect(
      driver.fail(2, .cancelled) == [
        "r2 dropped: the provider did not answer within 30s", "changed clock",
      ])
    #expect(driver.answer(2, timeline([10])) == [])
    #expect(driver.text("clock") == "0")
    #expect(driver.view("clock")["stale"] == true)
  }

  @Test func `of two answers of a provider the first counts`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1, timeline([0]))
    #expect(driver.answer(1, timeline([1])) == [])
    #expect(driver.fail(1, .exited(code: 1)) == [])
    #expect(driver.text("clock") == "0")
    #expect(driver.view("clock")["error"] == nil)
  }

  @Test func `after a date before the last entry means that date, and the rest is replaced`() throws
  {
    var driver = try loaded(
      timeline([0, 600, 3_600, 7_200], policy: #"{"after":"2026-11-20T08:30:00Z"}"#))
    let lines = driver.pass(1_850)
    #expect(lines.first == "08:10:00 changed clock")
    #expect(lines.filter { $0.hasSuffix("run #2 clock") }.count == 1)
    #expect(driver.answer(2, timeline([1_700])) == ["changed clock"])
    #expect(driver.pass(7_200) == [])
    #expect(driver.text("clock") == "1700")
  }

  @Test func `after a date past the last entry leaves that entry until then`() throws {
    var driver = try loaded(timeline([0, 600], policy: #"{"after":"2026-11-20T10:00:00Z"}"#))
    #expect(driver.pass(7_199) == ["08:10:00 changed clock"])
    #expect(driver.text("clock") == "600")
    #expect(driver.pass(330).first?.hasSuffix("run #2 clock") == true)
  }

  @Test func `entries that are all over show the newest, and the first may be hours old`() throws {
    var driver = try loaded(timeline([-86_400, -3_600, -7_200]))
    #expect(driver.text("clock") == "-3600")
    #expect(driver.pass(86_400) == [])
  }

  @Test func `an answer without entries keeps the shown entry, or shows nothing where nothing was`()
    throws
  {
    var driver = try loaded(#"{"entries":[],"policy":"atEnd"}"#)
    #expect(driver.view("clock")["entry"] == nil)
    #expect(driver.pass(300) == ["08:05:00 run #2 clock"])
    _ = driver.answer(2, timeline([0]))
    _ = try driver.reload("clock", .reload)
    #expect(driver.answer(3, #"{"entries":[],"policy":"never"}"#) == ["r2 done"])
    #expect(driver.text("clock") == "0")
  }

  // MARK: Days and zones

  @Test func `midnight in the middle of a timeline is a moment like any other`() throws {
    // The entries are at 23:59:59 and at 00:00:00 of the next day.
    var driver = try loaded(timeline([0, 57_599, 57_600]))
    #expect(
      driver.pass(57_700) == ["23:59:59 changed clock", "00:00:00 changed clock"])
    #expect(driver.view("clock")["entry"]?["date"] == "2026-11-21T00:00:00Z")
  }

  @Test func `dates with an offset are moments: the zone may change between them`() throws {
    var driver = try loaded(
      #"{"entries":[{"date":"2026-11-20T09:00:00+01:00","content":{"text":"a"}},{"date":"2026-11-20T03:30:00-05:00","content":{"text":"b"}},{"date":"2026-11-20T17:45:00+09:00","content":{"text":"c"}}],"policy":"never"}"#
    )
    #expect(driver.text("clock") == "a")
    #expect(driver.setZone(hours: 9) == ["run #2 clock"])
    #expect(
      driver.pass(2_700) == [
        "08:00:30 cancel #2", "08:30:00 changed clock", "08:45:00 changed clock",
      ])
    #expect(driver.text("clock") == "c")
  }

  @Test func `another time zone asks every provider again, free of budget, once`() throws {
    var driver = try loaded(timeline([0]))
    #expect(driver.setZone(hours: 2) == ["run #2 clock"])
    _ = driver.answer(2, timeline([0]))
    #expect(driver.setZone(hours: 2) == [])
    let view = try driver.engine.budgetView(of: "clock", at: driver.now.wall)
    #expect(view["balance"] == 12.0)
    #expect(view["exempt"]?["timeChange"] == 1)
  }

  @Test func `a leap day and the hour that daylight saving takes are moments like any other`()
    throws
  {
    // 2028-02-29, and the night of 2027-03-28 in Central Europe: 01:59 is followed by 03:00.
    for (first, second) in [
      ("2028-02-28T23:59:59Z", "2028-02-29T00:00:00Z"),
      ("2028-02-29T23:59:59Z", "2028-03-01T00:00:00Z"),
      ("2027-03-28T01:59:59+01:00", "2027-03-28T03:00:00+02:00"),
      ("2027-10-31T02:59:59+02:00", "2027-10-31T02:00:00+01:00"),
    ] {
      let left = try #require(WallTime(rfc3339: first))
      let right = try #require(WallTime(rfc3339: second))
      #expect(right.milliseconds(since: left) == 1_000, "\(first)")
    }
  }

  // MARK: Clocks

  /// Makes an engine with forty widgets, all due at 08:10.
  private func forty() throws -> EngineDriver {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    for index in 1...40 {
      _ = try driver.place("weather", EngineDriver.city("\(index)"))
      _ = driver.answer(
        UInt64(index), ReloadTests.answer("a", policy: #"{"after":"2026-11-20T08:10:00Z"}"#))
    }
    return driver
  }

  @Test func `after a night asleep each widget is reloaded once, not all at once`() throws {
    var driver = try forty()
    // The machine slept: the wall clock went on and the monotonic clock stopped.
    #expect(driver.setClock(by: 10 * 3_600).filter { $0.contains("run") } == [])
    var runs = 0
    var token: UInt64 = 40
    for _ in 0..<31 {
      let started = driver.pass(1).filter { $0.contains("run") }.count
      #expect(started <= 4)
      runs += started
      while let next = driver.engine.runningTokens.first {
        token += 1
        let more = driver.answer(
          next.number, ReloadTests.answer("b", policy: #"{"after":"2026-11-21T08:10:00Z"}"#))
        runs += more.filter { $0.contains("run") }.count
      }
    }
    #expect(runs == 40)
    #expect(driver.pass(3_600).filter { $0.contains("run") } == [])
  }

  @Test func `set forwards by a month, due widgets reload once and the others keep their dates`()
    throws
  {
    var driver = try forty()
    _ = driver.setClock(by: 30 * 86_400)
    let waits = driver.engine.timelines.values.compactMap {
      $0.dueAt?.milliseconds(since: driver.now.wall)
    }
    #expect(waits.count == 40)
    #expect(waits.allSatisfy { (1...30_000).contains($0) })
  }

  @Test func `set back, timelines of another present are reloaded, free of budget`() throws {
    var driver = try forty()
    _ = driver.setClock(by: -30 * 86_400)
    let due = driver.engine.timelines.values.map { ($0.dueAt, $0.dueCause) }
    #expect(due.allSatisfy { $0.1 == .timeChange })
    #expect(due.allSatisfy { ($0.0?.milliseconds(since: driver.now.wall) ?? .max) <= 30_000 })
    _ = driver.pass(1)
    for shared in driver.engine.timelines.values {
      #expect(shared.budget.balance(at: driver.now.wall) == 12)
    }
  }
}
