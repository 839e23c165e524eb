import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests answers that nothing is new.
@Suite struct NoDataTests {
  private static let noData = #"{"result":"noData"}"#

  private func answer(_ policy: String, _ content: String = #"{"text":"one"}"#) -> String {
    #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":\#(content)}],"policy":\#(policy)}"#
  }

  /// An engine with a widget that shows `one` since 08:00.
  private func shown(_ policy: String, isFree: Bool = false, _ content: String? = nil) throws
    -> EngineDriver
  {
    var kind = EngineDriver.kind("clock")
    kind.reload.unchangedIsFree = isFree
    var driver = EngineDriver(kinds: [kind])
    _ = try driver.place("clock", id: "w")
    _ = driver.answer(1, content.map { answer(policy, $0) } ?? answer(policy))
    return driver
  }

  @Test func `no surface hears of an answer without data, and the entry stays`() throws {
    var driver = try shown(#"{"after":"2026-11-20T08:30:00Z"}"#)
    #expect(driver.pass(1_900).contains { $0.hasSuffix("run #2 clock") })
    #expect(driver.answer(2, Self.noData) == [])
    #expect(driver.text("w") == "one")
    #expect(driver.view("w")["stale"] == false)
  }

  @Test func `an interval goes on from the answer without data`() throws {
    var driver = try shown(#"{"after":"2026-11-20T08:30:00Z"}"#)
    _ = driver.pass(1_900)
    let answeredAt = driver.now.wall
    _ = driver.answer(2, Self.noData)
    let next = try #require(driver.view("w")["nextReload"]?.stringValue)
    let wait = try #require(WallTime(rfc3339: next)).milliseconds(since: answeredAt)
    #expect(wait >= 1_800_000)
    #expect(wait <= 1_800_000 + Limits.policyJitterMax)
    _ = driver.pass(2_000)
    _ = driver.answer(3, Self.noData)
    #expect(driver.engine.timelines.values.first?.timeline?.policy != .never)
    let again = try #require(driver.view("w")["nextReload"]?.stringValue)
    let second = try #require(WallTime(rfc3339: again)).milliseconds(since: driver.now.wall)
    #expect(second >= 1_800_000 && second <= 1_800_000 + Limits.policyJitterMax)
  }

  @Test(arguments: [(#""never""#, nil as String?), (#""atEnd""#, "08:05:00")])
  func `the other policies go on as they are`(policy: String, due: String?) throws {
    var driver = try shown(policy)
    _ = try driver.reload("w", .reload)
    _ = driver.answer(2, Self.noData)
    #expect(driver.due("w") == due)
  }

  @Test func `a policy beside no data replaces the old one`() throws {
    var driver = try shown(#""never""#)
    _ = try driver.reload("w", .reload)
    _ = driver.answer(2, #"{"result":"noData","policy":{"after":"2026-11-20T09:00:00Z"}}"#)
    #expect(driver.due("w")?.hasPrefix("09:0") == true)
    #expect(driver.text("w") == "one")
  }

  @Test(arguments: [true, false])
  func `it costs a reload, or nothing where unchanged answers are free`(isFree: Bool) throws {
    var driver = try shown(#"{"after":"2026-11-20T08:30:00Z"}"#, isFree: isFree)
    _ = driver.pass(1_900)
    let before = try #require(
      driver.engine.timelines.values.first?.budget.balance(at: driver.now.wall))
    _ = driver.answer(2, Self.noData)
    let shared = try #require(driver.engine.timelines.values.first)
    #expect(before - shared.budget.balance(at: driver.now.wall) == (isFree ? 0 : 1))
    #expect(shared.recentRuns.last?.hasNoData == true)
    #expect(shared.recentRuns.last?.cost == (isFree ? 0 : 1))
  }

  @Test func `content that was confirmed is stale later`() throws {
    var driver = try shown(
      #"{"after":"2026-11-20T08:30:00Z"}"#, #"{"text":"one","staleAfter":2400}"#)
    _ = driver.pass(1_900)
    _ = driver.answer(2, Self.noData)
    let confirmedAt = driver.now.wall
    #expect(driver.pass(1_000).isEmpty, "08:40, when it would have been stale, is past")
    #expect(driver.view("w")["stale"] == false)
    var fresh = try driver.restarted(kinds: Array(driver.engine.kinds.values))
    _ = fresh.resume()
    #expect(fresh.view("w")["stale"] == false)
    let shared = try #require(fresh.engine.timelines.values.first)
    #expect(shared.isStale(at: confirmedAt.advanced(bySeconds: 2_399)) == false)
    #expect(shared.isStale(at: confirmedAt.advanced(bySeconds: 2_400)))
  }

  @Test func `a run that nobody was promised is for no transaction, any other is`() throws {
    var driver = try shown(#"{"after":"2026-11-20T08:30:00Z"}"#)
    _ = driver.pass(1_900)
    var output = EngineOutput()
    driver.engine.runEnded(
      RunToken(2), .success(Array(Self.noData.utf8)), at: driver.now, into: &output)
    #expect(output.dirtyTimelines == [])
    #expect(output.routineTimelines == [])
    #expect(output.unhurriedTimelines.count == 1)
    #expect(output.journal == [])
    #expect(output.dirtyReceipts == [])
    _ = try driver.reload("w", .reload)
    output = EngineOutput()
    driver.engine.runEnded(
      RunToken(3), .success(Array(Self.noData.utf8)), at: driver.now, into: &output)
    #expect(output.dirtyTimelines.count == 1)
    #expect(output.journal.map(\.event) == ["reload.done"])
    #expect(output.receipts.first?.json["noData"] == true)
  }

  @Test func `a failure ends with an answer without data, and that is told`() throws {
    var driver = try shown(#"{"after":"2026-11-20T08:30:00Z"}"#)
    _ = driver.pass(1_900)
    _ = driver.answer(2, #"{"result":"failed","reason":"no key"}"#)
    #expect(driver.view("w")["error"] == "the provider failed: no key")
    #expect(driver.view("w")["stale"] == true)
    _ = driver.pass(70)
    #expect(driver.answer(3, Self.noData) == ["changed w"])
    #expect(driver.notes.map(\.event) == ["reload.done"])
    #expect(driver.view("w")["stale"] == false)
  }

  @Test func `a widget without content says that its provider has no data yet`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "w")
    #expect(driver.answer(1, Self.noData) == ["r1 done", "changed w"])
    #expect(driver.view("w")["hidden"] == "noData")
    #expect(driver.view("w")["entry"] == nil)
    _ = try driver.reload("w", .reload)
    _ = driver.answer(2, answer(#""never""#))
    #expect(driver.view("w")["hidden"] == nil)
    #expect(driver.text("w") == "one")
  }
}
