import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests the number of reloads a day: by views, in the learning period, by the hour of the day, and
/// by the rules of one widget.
@Suite struct ReloadRulesTests {
  private static func ranged(_ change: (inout ReloadRules) -> Void = { _ in }) -> WidgetKind {
    var kind = EngineDriver.kind("clock")
    kind.reload = ReloadRules(activeHours: .always)
    change(&kind.reload)
    return kind
  }

  private func budget(_ driver: EngineDriver, _ id: String = "clock") throws -> JSONObject {
    try driver.engine.budgetView(of: id, at: driver.now.wall)
  }

  @Test func `an unseen widget gets forty reloads a day, one that is seen often seventy`() {
    let rules = ReloadRules()
    #expect(rules.perDay(views: 0, isLearning: false) == 40)
    #expect(rules.perDay(views: 8, isLearning: false) == 55)
    #expect(rules.perDay(views: 16, isLearning: false) == 70)
    #expect(rules.perDay(views: 1_000, isLearning: false) == 70)
    #expect(rules.perDay(views: 0, isLearning: true) == 60)
    let fixed = ReloadRules(perDay: 24...24)
    #expect(fixed.perDay(views: 99, isLearning: true) == 24)
  }

  @Test func `views are counted once in ten minutes, and fade by half in a day`() {
    var views = ViewCount()
    let start = WallTime(seconds: 1_795_161_600)
    for second in 0..<600 as Range<Int64> { views.add(at: start.advanced(bySeconds: second)) }
    #expect(views.perDay(at: start) == 0.693)
    views.add(at: start.advanced(bySeconds: 600))
    #expect(views.perDay(at: start.advanced(bySeconds: 600)) > 1.3)
    let later = start.advanced(bySeconds: 600 + 86_400)
    #expect(abs(views.perDay(at: later) - 0.693) < 0.01)
    #expect(views.perDay(at: start.advanced(bySeconds: 100 * 86_400)) == 0)
    let stored = ViewCount(views.json)
    #expect(stored == views)
  }

  @Test
  func
    `what is seen every hour has the most of its range after some days, what is hidden the least`()
    throws
  {
    var driver = EngineDriver(kinds: [Self.ranged { $0.learning = 0 }])
    _ = try driver.place("clock")
    _ = driver.answer(1)
    #expect(try budget(driver)["perDay"]?.intValue ?? 0 < 45)
    _ = driver.pass(5 * 86_400)
    #expect(try budget(driver)["perDay"] == 70)
    _ = driver.watch()
    _ = driver.pass(20 * 86_400)
    #expect(try budget(driver)["perDay"] == 40)
  }

  @Test func `a new widget is reloaded half as often again for three days`() throws {
    var driver = EngineDriver(kinds: [Self.ranged()], isWatched: false)
    _ = try driver.place("clock")
    _ = driver.answer(1)
    #expect(try budget(driver)["perDay"] == 60)
    #expect(try budget(driver)["capacity"] == 15)
    #expect(try budget(driver)["learningUntil"] == "2026-11-23T08:00:00Z")
    _ = driver.pass(3 * 86_400 - 1)
    #expect(try budget(driver)["perDay"] == 60)
    _ = driver.pass(1)
    #expect(try budget(driver)["perDay"] == 40)
    #expect(try budget(driver)["learningUntil"] == nil)
  }

  // MARK: Hours

  @Test
  func `an active hour gives back four times what a quiet one does, and a day what a day gives`() {
    let mask = ActiveHours.between(8, 20).mask(learned: RefillHours.everyHour)
    #expect(mask.nonzeroBitCount == 12)
    let hours = RefillHours(mask: mask, zoneOffset: 0)
    let midnight = WallTime(seconds: 1_795_132_800)
    let eight = midnight.advanced(bySeconds: 8 * 3_600)
    #expect(hours.sharePerHour(at: eight) == 4 * hours.sharePerHour(at: midnight))
    let day = midnight.advanced(bySeconds: 86_400)
    #expect(hours.weighted(from: midnight, to: day) == hours.wholeDay)
    // A refill in two parts gives the same, wherever the day is cut.
    for cut in stride(from: Int64(0), to: 86_400_000, by: 7_654_321) {
      let middle = midnight.advanced(byMilliseconds: cut)
      #expect(
        hours.weighted(from: midnight, to: middle) + hours.weighted(from: middle, to: day)
          == hours.wholeDay)
      let amount = hours.weighted(from: midnight, to: middle)
      #expect(
        hours.weighted(from: midnight, to: hours.moment(after: midnight, weighted: amount))
          == amount)
    }
    // East of Greenwich, eight o'clock local time is earlier.
    let east = RefillHours(mask: mask, zoneOffset: 2 * 3_600_000)
    #expect(
      east.sharePerHour(at: eight.advanced(bySeconds: -7_200)) == hours.sharePerHour(at: eight))
    #expect(
      east.sharePerHour(at: eight.advanced(bySeconds: -7_201)) == hours.sharePerHour(at: midnight))
  }

  @Test func `hours past midnight are read, and other texts are refused`() {
    #expect(ActiveHours(text: "22-6")?.mask(learned: 0) == 0b1100_0000_0000_0000_0011_1111)
    #expect(ActiveHours(text: "0-24")?.mask(learned: 0) == RefillHours.everyHour)
    for text in ["7", "7-", "-7", "25-3", "7-25", "x-y", "7-7", ""] {
      #expect(ActiveHours(text: text) == nil, "\(text)")
    }
  }

  @Test func `the bucket of a quiet night fills in the morning`() {
    let midnight = WallTime(seconds: 1_795_132_800)
    let mask = ActiveHours.between(8, 20).mask(learned: RefillHours.everyHour)
    var budget = ReloadBudget(
      perDay: 60, spacing: 1_000, hours: RefillHours(mask: mask, zoneOffset: 0), at: midnight)
    for _ in 0..<15 { budget.spend(at: midnight) }
    // The bucket gets one reload an hour at night and four an hour by day.
    #expect(budget.balance(at: midnight.advanced(bySeconds: 4 * 3_600)) == 4)
    #expect(budget.balance(at: midnight.advanced(bySeconds: 9 * 3_600)) == 12)
    #expect(budget.earliest(at: midnight).date == midnight.advanced(bySeconds: 3_600))
    #expect(budget.nextRefill(at: midnight) == midnight.advanced(bySeconds: 3_600))
  }

  @Test func `the hours in which the person looks are learned, evenly until they are known`() {
    var hours = ViewHours()
    let midnight = WallTime(seconds: 1_795_132_800)
    for day in 0..<4 as Range<Int64> {
      for hour in 9..<18 as Range<Int64> {
        hours.add(at: midnight.advanced(bySeconds: day * 86_400 + hour * 3_600), zoneOffset: 0)
      }
    }
    #expect(hours.mask == RefillHours.everyHour)
    for day in 4..<40 as Range<Int64> {
      for hour in 9..<18 as Range<Int64> {
        for _ in 0..<2 {
          hours.add(at: midnight.advanced(bySeconds: day * 86_400 + hour * 3_600), zoneOffset: 0)
        }
      }
    }
    #expect(hours.mask == ActiveHours.between(9, 18).mask(learned: 0))
    #expect(ViewHours(hours.json)?.mask == hours.mask)
    // The same moments are one hour later in local time further east.
    var east = ViewHours()
    for day in 0..<40 as Range<Int64> {
      for _ in 0..<12 {
        east.add(at: midnight.advanced(bySeconds: day * 86_400 + 23 * 3_600), zoneOffset: 3_600_000)
      }
    }
    #expect(east.mask == 1)
  }

  // MARK: Rules of one widget

  @Test func `a widget can have rules of its own, and gives them back`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1)
    #expect(try driver.setReload("clock", ["perDay": 200, "minimumInterval": "1m"]) == [])
    #expect(try budget(driver)["perDay"] == 200)
    #expect(try budget(driver)["spacing"] == 60.0)
    let fresh = try driver.restarted(kinds: [EngineDriver.kind("clock")])
    #expect(try budget(fresh)["perDay"] == 200)
    _ = try driver.setReload("clock", [:])
    #expect(try budget(driver)["perDay"] == 48)
    #expect(try budget(driver)["spacing"] == 300.0)
  }

  @Test func `more budget brings deferred reloads forward`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("clock", perDay: 4)])
    _ = try driver.place("clock")
    _ = driver.answer(1)
    _ = try driver.reload("clock", .hostBackground)
    _ = driver.answer(2)
    #expect(
      try driver.reload("clock", .hostBackground).first?.hasPrefix("r3 deferred until 14:00")
        == true)
    #expect(try driver.setReload("clock", ["perDay": 1_440]) == [])
    #expect(driver.pass(320) == ["08:05:00 run #3 clock"])
  }

  @Test func `of widgets that share a timeline the most generous rules hold`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = try driver.place("clock", id: "second")
    _ = try driver.setReload("clock", ["perDay": 10, "minimumInterval": "10m"])
    _ = try driver.setReload(
      "second", ["perDay": 100, "minimumInterval": "20m", "unchangedIsFree": true])
    let view = try budget(driver)
    #expect(view["perDay"] == 100)
    #expect(view["spacing"] == 600.0)
    #expect(view["rules"]?["unchangedIsFree"] == true)
  }

  @Test(
    arguments: [
      ["perDay": 0], ["perDay": "70-40"], ["perDay": "many"], ["minimumInterval": "0s"],
      ["learning": "60d"], ["activeHours": "always-never"], ["unchangedIsFree": 1],
      ["color": "red"],
      ["perDay": [1, 2, 3]], ["minimumInterval": true],
    ] as [JSONObject])
  func `impossible rules are refused`(_ rules: JSONObject) {
    #expect(throws: ReloadRuleError.self) { try ReloadOverrides(rules) }
  }

  @Test func `rules are written as they are read`() throws {
    let rules: JSONObject = [
      "perDay": "40-70", "minimumInterval": "5m", "learning": "3d", "unchangedIsFree": true,
      "activeHours": "22-6",
    ]
    #expect(try ReloadOverrides(rules).json == rules)
  }

  // MARK: Unchanged

  /// Returns a timeline with an entry at this minute past eight, with this text.
  private func entry(_ minute: Int, _ text: String, policy: String = #""never""#) -> String {
    let padded = minute < 10 ? "0\(minute)" : "\(minute)"
    return
      #"{"entries":[{"date":"2026-11-20T08:\#(padded):00Z","content":{"text":"\#(text)"}}],"policy":\#(policy)}"#
  }

  @Test(arguments: [true, false])
  func `an answer that shows the same is free where the kind says so`(_ isFree: Bool) throws {
    var kind = EngineDriver.kind("clock")
    kind.reload.unchangedIsFree = isFree
    var driver = EngineDriver(kinds: [kind])
    _ = try driver.place("clock")
    _ = driver.answer(1, entry(0, "same"))
    _ = driver.pass(300)
    _ = try driver.reload("clock", .hostBackground)
    // The date changed and the content did not: surfaces are sent nothing.
    #expect(driver.answer(2, entry(5, "same")) == ["r2 done"])
    #expect(try budget(driver)["balance"] == .double(isFree ? 12 : 11))
    #expect(driver.notes.last?.fields["unchanged"] == true)
    #expect(driver.notes.last?.fields["cost"] == .int(isFree ? 0 : 1))
    // A free reload still keeps the spacing.
    #expect(
      try driver.reload("clock", .hostBackground).first?.hasPrefix("r3 deferred until 08:10")
        == true)
    _ = driver.pass(300)
    #expect(driver.answer(3, entry(10, "other")) == ["r3 done", "changed clock"])
    #expect(driver.notes.last?.fields["cost"] == 1)
  }

  @Test func `the same now and something else later is a change`() throws {
    let now = WallTime(seconds: 1_795_161_600)
    func timeline(_ texts: (Int64, String)...) -> Timeline {
      Timeline(
        entries: texts.map {
          TimelineEntry(date: now.advanced(bySeconds: $0.0), content: ["text": .string($0.1)])
        }, policy: .never)
    }
    let old = timeline((-60, "a"), (60, "b"))
    #expect(old.showsSame(as: timeline((-7_200, "x"), (0, "a"), (60, "b")), from: now))
    #expect(!old.showsSame(as: timeline((0, "a"), (61, "b")), from: now))
    #expect(!old.showsSame(as: timeline((0, "a"), (60, "c")), from: now))
    #expect(!old.showsSame(as: timeline((0, "a")), from: now))
    #expect(!old.showsSame(as: timeline(), from: now))
    #expect(old.showsSame(as: timeline((60, "b")), from: now.advanced(bySeconds: 60)))
  }

  @Test func `the causes of spending are listed, the newest first, also after a restart`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1, entry(0, "one"))
    _ = try driver.reload("clock", .hostBackground)
    _ = driver.answer(2, entry(0, "two"))
    let runs = try budget(driver)["runs"]?.arrayValue ?? []
    #expect(runs.map { $0["cause"] } == ["hostBackground", "placed"])
    #expect(runs.map { $0["cost"] } == [1, 0])
    #expect(try budget(driver)["spent"]?.serialized == #"{"hostBackground":1}"#)
    #expect(try budget(driver)["exempt"]?.serialized == #"{"placed":1}"#)
  }
}
