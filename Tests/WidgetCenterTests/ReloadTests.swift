import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests when providers run and the effects of their outcomes, as transcripts.
///
/// The day starts at 08:00.
@Suite struct ReloadTests {
  /// Returns a timeline with one entry at 08:00 with this text.
  static func answer(_ text: String, policy: String = #""never""#) -> String {
    #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"\#(text)"}}],"policy":\#(policy)}"#
  }

  /// Makes an engine with a placed clock that has its first entry; run 1 and receipt r1 have ended.
  private func loaded(
    _ kind: WidgetKind = EngineDriver.kind("clock"), policy: String = #""never""#
  ) throws -> EngineDriver {
    var driver = EngineDriver(kinds: [kind])
    _ = try driver.place(kind.kind, id: "clock")
    _ = driver.answer(1, Self.answer("one", policy: policy))
    return driver
  }

  @Test func `a placed widget is loaded at once`() throws {
    var driver = EngineDriver()
    #expect(try driver.place("clock") == ["r1 accepted", "run #1 clock", "changed clock"])
    #expect(driver.text("clock") == nil)
    #expect(driver.answer(1, Self.answer("one")) == ["r1 done", "changed clock"])
    #expect(driver.text("clock") == "one")
  }

  @Test func `a run passes everything that the provider needs`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    driver.engine.locale = "de_DE"
    var output = EngineOutput()
    _ = try driver.engine.add(
      kind: "weather", family: .accessoryInline, configuration: EngineDriver.city("Beijing"),
      id: nil, at: driver.now.wall, into: &output)
    driver.engine.advance(at: driver.now, into: &output)
    let run = try #require(output.runs.first)
    #expect(run.family == .accessoryInline)
    #expect(run.provider == ProviderDeclaration(exec: ["provider"]))
    #expect(
      String(decoding: run.request, as: UTF8.self)
        == #"{"request":"timeline","kind":"weather","family":"accessoryInline","displaySize":{"width":234,"height":26},"isPreview":false,"locale":"de_DE","textSize":"large","intent":{"name":"ShowWeather","parameters":{"city":"Beijing"}},"now":"2026-11-20T08:00:00Z"}"#
    )
  }

  // MARK: Coalescing

  @Test func `requests that meet a running provider share the run after it`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    #expect(try driver.reload("clock", .reload) == ["r2 accepted"])
    #expect(try driver.reload("clock", .intent) == ["r3 coalesced into r2"])
    #expect(driver.answer(1, Self.answer("one")) == ["r1 done", "run #2 clock", "changed clock"])
    #expect(driver.answer(2, Self.answer("two")) == ["r2 done", "changed clock"])
    #expect(driver.engine.leader(of: ReceiptID(number: 3))?.state == .done)
  }

  @Test func `requests that wait for a slot share one run`() throws {
    let kinds = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
    var driver = EngineDriver(kinds: kinds.map { EngineDriver.kind($0) })
    for kind in kinds { _ = try driver.place(kind) }
    #expect(try driver.reload("i", .reload) == ["r10 coalesced into r9"])
    #expect(driver.answer(1) == ["r1 done", "run #9 i"])
    #expect(driver.answer(9) == ["r9 done"])
  }

  @Test func `one run serves every widget of one kind, family and configuration`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    let beijing = EngineDriver.city("Beijing")
    #expect(
      try driver.place("weather", id: "a", beijing) == [
        "r1 accepted", "run #1 weather", "changed a",
      ])
    #expect(try driver.place("weather", id: "b", beijing) == ["r2 accepted", "changed b"])
    #expect(
      try driver.place("weather", id: "c", family: .accessoryInline, beijing)
        == ["r3 accepted", "run #2 weather", "changed c"])
    #expect(
      driver.answer(1, Self.answer("3°")) == [
        "r1 done", "run #3 weather", "changed a", "changed b",
      ])
    #expect(driver.answer(3, Self.answer("3°")) == ["r2 done"])
    #expect(driver.text("b") == "3°")
    #expect(driver.text("c") == nil)
  }

  @Test func `unchanged content is no change`() throws {
    var driver = try loaded()
    _ = try driver.reload("clock", .reload)
    #expect(driver.answer(2, Self.answer("one")) == ["r2 done"])
    _ = try driver.reload("clock", .reload)
    #expect(driver.answer(3, Self.answer("two")) == ["r3 done", "changed clock"])
  }

  // MARK: Budget

  @Test func `a person's requests are free, an app's in the background cost budget`()
    throws
  {
    var driver = try loaded()
    for (index, cause) in [ReloadCause.reload, .intent, .tap, .hostForeground].enumerated() {
      let run = UInt64(index + 2)
      #expect(
        try driver.reload("clock", cause) == ["r\(run) accepted", "run #\(run) clock"])
      #expect(driver.answer(run, Self.answer("one")) == ["r\(run) done"])
    }
    let budget = try driver.engine.budgetView(of: "clock", at: driver.now.wall)
    #expect(budget["balance"]?.doubleValue == 12)
    _ = try driver.reload("clock", .hostBackground)
    _ = driver.answer(6, Self.answer("one"))
    var view = try driver.engine.budgetView(of: "clock", at: driver.now.wall)
    #expect(view["runs"]?.arrayValue?.count == 6)
    view["runs"] = []
    #expect(
      JSONValue.object(view).serialized
        == #"{"id":"clock","capacity":12,"balance":11.0,"perDay":48,"refillPerHour":2.0,"spacing":300.0,"nextAt":"2026-11-20T08:05:00Z","reason":"reloads of this kind are at least 5m apart","nextRefill":"2026-11-20T08:30:00Z","viewsPerDay":0.69,"rules":{"perDay":48,"minimumInterval":"5m","learning":"3d","unchangedIsFree":false,"activeHours":"always"},"spent":{"hostBackground":1},"exempt":{"intent":1,"tap":1,"placed":1,"reload":1,"hostForeground":1},"failed":{},"runs":[],"nextReason":"its policy is never: it waits until somebody asks","sharedBy":["clock"]}"#
    )
  }

  @Test func `a request that comes too early is deferred with the reason, and done at its time`()
    throws
  {
    var driver = try loaded()
    _ = try driver.reload("clock", .hostBackground)
    _ = driver.answer(2, Self.answer("one"))
    #expect(driver.pass(60) == [])
    #expect(
      try driver.reload("clock", .hostBackground)
        == ["r3 deferred until 08:05:00: reloads of this kind are at least 5m apart"])
    #expect(try driver.reload("clock", .hostBackground) == ["r4 coalesced into r3"])
    #expect(driver.due("clock") == "08:05:00")
    #expect(driver.pass(239) == [])
    #expect(driver.pass(1) == ["08:05:00 run #3 clock"])
    #expect(driver.answer(3, Self.answer("two")) == ["r3 done", "changed clock"])
  }

  @Test func `a spent budget defers until it has a reload again`() throws {
    var driver = try loaded(EngineDriver.kind("clock", spacing: 1, perDay: 4))
    _ = try driver.reload("clock", .hostBackground)
    _ = driver.answer(2, Self.answer("one"))
    #expect(
      try driver.reload("clock", .hostBackground)
        == ["r3 deferred until 14:00:00: the budget of 4 reloads a day is spent for now"])
    #expect(driver.pass(6 * 3600) == ["14:00:00 run #3 clock"])
  }

  @Test func `a person's request serves a deferred one too`() throws {
    var driver = try loaded()
    _ = try driver.reload("clock", .hostBackground)
    _ = driver.answer(2, Self.answer("one"))
    _ = try driver.reload("clock", .hostBackground)
    #expect(try driver.reload("clock", .reload) == ["r4 accepted", "run #3 clock"])
    #expect(driver.answer(3, Self.answer("two")) == ["r4 done", "r3 done", "changed clock"])
    #expect(driver.pass(86_400) == [])
  }

  @Test func `a pushed timeline serves deferred requests`() throws {
    var driver = try loaded()
    _ = try driver.reload("clock", .hostBackground)
    _ = driver.answer(2, Self.answer("one"))
    _ = try driver.reload("clock", .hostBackground)
    #expect(
      try driver.push("clock", Self.answer("pushed")) == ["r3 done", "r4 done", "changed clock"])
    #expect(driver.pass(86_400) == [])
  }

  @Test func `a timeline can be pushed while its provider runs, and the run still counts`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    #expect(
      try driver.push("clock", Self.answer("pushed")) == ["r1 done", "r2 done", "changed clock"])
    #expect(driver.answer(1, Self.answer("run")) == ["changed clock"])
    #expect(driver.text("clock") == "run")
  }

  // MARK: Policy

  @Test func `at the end means when the last entry's date comes`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(
      1,
      #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"a"}},{"date":"2026-11-20T09:00:00Z","content":{"text":"b"}}],"policy":"atEnd"}"#
    )
    #expect(driver.due("clock") == "09:00:00")
    #expect(driver.pass(3_599) == [])
    #expect(driver.pass(1) == ["09:00:00 run #2 clock", "09:00:00 changed clock"])
  }

  @Test func `at the end of a timeline that is over means after the spacing`() throws {
    let driver = try loaded(policy: #""atEnd""#)
    #expect(driver.due("clock") == "08:05:00")
  }

  @Test func `never means never`() throws {
    var driver = try loaded()
    #expect(driver.due("clock") == nil)
    #expect(driver.pass(30 * 86_400) == [])
  }

  /// The jitter is up to a twentieth of the wait, at most five minutes, and differs between
  /// widgets.
  @Test(arguments: [(10, 500), (3_600, 180_000), (86_400, 300_000)] as [(Int64, Int64)])
  func `after a date means after it, never before, and not all at once`(
    _ seconds: Int64, _ jitterMax: Int64
  ) throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", spacing: 1, perDay: 4_000)])
    let date = driver.now.wall.advanced(bySeconds: seconds)
    var jitters: Set<Int64> = []
    for index in 1...40 {
      _ = try driver.place("weather", EngineDriver.city("\(index)"))
      _ = driver.answer(
        UInt64(index), Self.answer("one", policy: #"{"after":"\#(date.rfc3339)"}"#))
    }
    for shared in driver.engine.timelines.values {
      let jitter = try #require(shared.dueAt).milliseconds(since: date)
      #expect(jitter >= 0)
      #expect(jitter < jitterMax)
      jitters.insert(jitter)
    }
    #expect(jitters.count > 10)
  }

  @Test func `a provider that always says now is held to the spacing`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    let greedy = Self.answer("one", policy: #"{"after":"2026-11-20T07:00:00Z"}"#)
    // The first load was free, so one paid run may follow at once.
    #expect(driver.answer(1, greedy) == ["r1 done", "run #2 clock", "changed clock"])
    #expect(driver.answer(2, greedy) == [])
    var runs: [String] = []
    for token in 3...20 as ClosedRange<UInt64> {
      runs += driver.pass(300)
      _ = driver.answer(token, greedy)
    }
    #expect(runs.first == "08:05:00 run #3 clock")
    #expect(runs.count <= 18)
    // In an hour and a half there were the full bucket of 12, and 3 refilled reloads.
    #expect(driver.engine.countersByKind["clock"]?.runs ?? 0 <= 1 + 12 + 3)
  }

  @Test func `an empty timeline keeps the shown entry, and its policy holds`() throws {
    var driver = try loaded(policy: #""atEnd""#)
    _ = try driver.reload("clock", .reload)
    #expect(
      driver.answer(2, #"{"entries":[],"policy":{"after":"2026-11-20T08:10:00Z"}}"#) == ["r2 done"])
    #expect(driver.text("clock") == "one")
    #expect(driver.due("clock").map { $0 >= "08:10:00" && $0 < "08:10:30" } == true)
  }

  @Test func `the shown entry stays until the new timeline begins`() throws {
    var driver = try loaded()
    _ = try driver.reload("clock", .reload)
    #expect(
      driver.answer(
        2,
        #"{"entries":[{"date":"2026-11-20T08:10:00Z","content":{"text":"two"}}],"policy":"never"}"#)
        == ["r2 done"])
    #expect(driver.text("clock") == "one")
    #expect(driver.pass(600) == ["08:10:00 changed clock"])
    #expect(driver.text("clock") == "two")
  }

  // MARK: Failures

  @Test func `a failure keeps the last good entry and gives its reason`() throws {
    var driver = try loaded()
    _ = try driver.reload("clock", .reload)
    #expect(
      driver.fail(2, .exited(code: 3))
        == ["r2 dropped: the provider ended with exit code 3", "changed clock"])
    #expect(driver.text("clock") == "one")
    #expect(driver.view("clock")["stale"] == true)
    #expect(driver.view("clock")["error"] == "the provider ended with exit code 3")
    #expect(driver.pass(60) == ["08:01:00 run #3 clock"])
    #expect(driver.answer(3, Self.answer("one")) == ["changed clock"])
    #expect(driver.view("clock")["stale"] == false)
    #expect(driver.view("clock")["error"] == nil)
  }

  @Test func `the last line of standard error goes with the failure wherever it is told`() throws {
    var driver = try loaded()
    _ = try driver.reload("clock", .reload)
    _ = driver.fail(2, .exited(code: 1), stderr: "Traceback\n  …\nKeyError: 'city'\n")
    #expect(driver.view("clock")["stderr"] == "KeyError: 'city'")
    #expect(driver.engine.receipts[ReceiptID(number: 2)]?.json["stderr"] == "KeyError: 'city'")
    let note = driver.notes.first { $0.decision == .reloadFailed }
    #expect(note?.fields["stderr"] == "KeyError: 'city'")
    let budget = try driver.engine.budgetView(of: "clock", at: driver.now.wall)
    #expect(budget["stderr"] == "KeyError: 'city'")
    #expect(budget["failingSince"] == "2026-11-20T08:00:00Z")
    #expect(budget["runs"]?.arrayValue?.first?["stderr"] == "KeyError: 'city'")
    #expect(budget["failed"]?.serialized == #"{"reload":1}"#)

    _ = driver.pass(60)
    _ = driver.answer(3, "no JSON", stderr: "curl: not found\n")
    #expect(driver.view("clock")["stderr"] == "curl: not found")
    let (list, count) = driver.engine.failingView(countMax: 1)
    #expect(count == 1)
    #expect(list.first?["stderr"] == "curl: not found")
    #expect(list.first?["failures"] == 2)
    #expect(list.first?["since"] == "2026-11-20T08:00:00Z")

    _ = driver.pass(120)
    _ = driver.answer(4, Self.answer("one"), stderr: "a warning\n")
    #expect(driver.view("clock")["stderr"] == nil)
    #expect(driver.engine.failingView(countMax: 1).count == 0)
    let after = try driver.engine.budgetView(of: "clock", at: driver.now.wall)
    #expect(after["failed"]?.serialized == #"{"reload":1,"retry":1}"#)
    #expect(after["spent"]?.serialized == #"{"retry":1}"#)
    #expect(after["failingSince"] == nil)
  }

  @Test func `a provider that goes on failing is asked less and less, once an hour at last`() throws
  {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    var waits: [Int64] = []
    for token in 1...9 as ClosedRange<UInt64> {
      _ = driver.fail(token, .signaled(signal: 9))
      let due = try #require(driver.engine.timelines.values.first?.dueAt)
      waits.append(due.milliseconds(since: driver.now.wall) / 60_000)
      #expect(driver.pass(waits.last.map { $0 * 60 - 1 } ?? 0) == [])
      #expect(driver.pass(1).count == 1)
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    _ = driver.answer(10, Self.answer("at last"))
    _ = try driver.reload("clock", .reload)
    _ = driver.fail(11, .exited(code: 1))
    let due = try #require(driver.engine.timelines.values.first?.dueAt)
    #expect(due.milliseconds(since: driver.now.wall) == 60_000)
  }

  @Test(arguments: [
    ("", "the provider's answer cannot be used: it is empty"),
    ("hello", "the provider's answer cannot be used: it is not JSON but the text 'hello'; print"),
    ("{}", "the provider's answer cannot be used: entries is missing; expected a list of entries"),
    (
      #"{"entries":[{"date":"soon","content":{}}]}"#,
      #"the provider's answer cannot be used: entries[0].date is "soon""#
    ),
  ])
  func `an answer that is no timeline is a failure`(_ answer: String, _ reason: String) throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    let lines = driver.answer(1, answer)
    #expect(lines.first?.hasPrefix("r1 dropped: \(reason)") == true, "\(lines)")
  }

  @Test func `a provider that does not answer is stopped, and that is a timeout`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    #expect(driver.pass(29) == [])
    #expect(driver.pass(1) == ["08:00:30 cancel #1"])
    #expect(
      driver.fail(1, .cancelled)
        == ["r1 dropped: the provider did not answer within 30s", "changed clock"])
    #expect(driver.answer(1, Self.answer("too late")) == [])
    #expect(driver.text("clock") == nil)
  }

  @Test func `only the first outcome of a run counts, and only of a run there was`() throws {
    var driver = try loaded()
    #expect(driver.answer(1, Self.answer("again")) == [])
    #expect(driver.fail(1, .exited(code: 1)) == [])
    #expect(driver.answer(7, Self.answer("nobody")) == [])
    #expect(driver.text("clock") == "one")
    #expect(driver.view("clock")["stale"] == false)
  }

  @Test func `content past its time is stale, without a new run`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(
      1,
      #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"a","staleAfter":600}}],"policy":"never"}"#
    )
    #expect(driver.pass(599) == [])
    #expect(driver.pass(1) == ["08:10:00 changed clock"])
    #expect(driver.view("clock")["stale"] == true)
  }

  // MARK: Slots

  @Test func `four runs at once and four for a person, and those that wait for one come first`()
    throws
  {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]
    var driver = EngineDriver(kinds: names.map { EngineDriver.kind($0) })
    for (index, name) in names.enumerated() {
      _ = try driver.place(name)
      _ = driver.answer(UInt64(index + 1))
    }
    for name in names.prefix(4) { _ = try driver.reload(name, .hostBackground) }
    #expect(driver.engine.runningCount == 4)
    #expect(try driver.reload("k", .hostForeground) == ["r16 accepted"])
    for (index, name) in names[4..<8].enumerated() {
      #expect(
        try driver.reload(name, .tap) == ["r\(17 + index) accepted", "run #\(16 + index) \(name)"])
    }
    #expect(driver.engine.runningCount == 8)
    #expect(try driver.reload("i", .hostBackground) == ["r21 accepted"])
    #expect(try driver.reload("j", .intent) == ["r22 accepted"])
    // A waiting reload moves up when the person asks for it too.
    #expect(try driver.reload("i", .tap) == ["r23 coalesced into r21"])
    // A slot that comes free is for anybody; the reserved ones are for persons.
    #expect(driver.answer(16) == ["r17 done", "run #20 j"])
    #expect(driver.answer(17) == ["r18 done", "run #21 i"])
    #expect(driver.answer(18) == ["r19 done"])
    #expect(driver.answer(12) == ["r12 done", "run #22 k"])
    #expect(driver.answer(21) == ["r21 done"])
  }

  /// Kinds whose providers hang until the driver ends their runs, and the tokens of their runs.
  private func hanging(_ count: Int, timeout: Int64 = 600_000) throws -> EngineDriver {
    let names = (1...count).map { "h\($0)" } + ["a", "b"]
    var driver = EngineDriver(
      kinds: names.map { name in
        var kind = EngineDriver.kind(name)
        kind.provider.timeout = timeout
        return kind
      })
    for (index, name) in names.enumerated() {
      _ = try driver.place(name)
      _ = driver.answer(UInt64(index + 1))
    }
    return driver
  }

  @Test func `four providers that hang hold no person up, and anybody else for five seconds`()
    throws
  {
    var driver = try hanging(4)
    for name in ["h1", "h2", "h3", "h4"] { _ = try driver.reload(name, .hostBackground) }
    #expect(try driver.reload("a", .hostBackground) == ["r11 accepted"])
    #expect(try driver.reload("b", .reload) == ["r12 accepted", "run #11 b"])
    #expect(driver.pass(4) == [])
    #expect(driver.pass(1) == ["08:00:05 run #12 a"])
    #expect(driver.engine.overlongCount == 5)
    // They go on, and their answers count.
    #expect(driver.answer(7) == ["r7 done"])
    #expect(driver.engine.overlongCount == 4)
  }

  @Test func `as many as can be hang for a person, and another one waits five seconds at most`()
    throws
  {
    var driver = try hanging(8)
    for number in 1...8 { _ = try driver.reload("h\(number)", .reload) }
    #expect(try driver.reload("a", .tap) == ["r19 accepted"])
    #expect(driver.pass(5) == ["08:00:05 run #19 a"])
  }

  @Test func `a timeline whose run has no slot is not run a second time`() throws {
    var driver = try hanging(1)
    _ = try driver.reload("h1", .reload)
    _ = driver.pass(60)
    #expect(try driver.reload("h1", .reload) == ["r5 accepted"])
    #expect(driver.engine.runningCount == 1)
    #expect(driver.answer(4).contains("run #5 h1"))
  }

  @Test func `the oldest of too many runs without a slot ends for the newest`() throws {
    var driver = try hanging(34)
    func tokens(_ lines: [String]) -> [String] {
      lines.filter { $0.contains("cancel") }
    }
    for number in 1...32 {
      _ = try driver.reload("h\(number)", .hostBackground)
      if number % 4 == 0 { #expect(tokens(driver.pass(5)) == []) }
    }
    #expect(driver.engine.overlongCount == 32)
    for number in 33...34 { _ = try driver.reload("h\(number)", .hostBackground) }
    // Two more are slow, so the first two end. Until they have, the new ones keep their slots.
    #expect(tokens(driver.pass(5)) == ["08:00:45 cancel #37", "08:00:45 cancel #38"])
    #expect(driver.engine.overlongCount == 32)
    #expect(
      driver.fail(37, .cancelled).first
        == "r37 dropped: the provider was stopped: it had run longer than 5s, as 32 newer runs do")
    #expect(driver.engine.overlongCount == 32)
    #expect(driver.notes.contains { $0.decision == .reloadFailed })
    // One of the others ends by itself, which is as good.
    _ = driver.answer(40)
    #expect(driver.engine.overlongCount == 32)
    #expect(driver.answer(38) == ["r38 done"])
    #expect(driver.engine.overlongCount == 31)
    #expect(driver.engine.runningCount == 31)
  }

  @Test func `a run that has no slot is still overdue at its time`() throws {
    var driver = try hanging(1, timeout: 20_000)
    _ = try driver.reload("h1", .reload)
    #expect(driver.pass(20) == ["08:00:20 cancel #4"])
    #expect(driver.fail(4, .cancelled).first?.contains("did not answer within 20s") == true)
  }

  @Test func `a link pays from the budget, keeps no spacing, and is no person's request`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("clock", perDay: 48)])
    _ = try driver.place("clock")
    _ = driver.answer(1)
    for number in 2...13 {
      #expect(
        try driver.reload("clock", .link) == ["r\(number) accepted", "run #\(number) clock"])
      _ = driver.answer(
        UInt64(number), Self.answer("\(number)", policy: #""never""#))
    }
    #expect(
      try driver.reload("clock", .link) == [
        "r14 deferred until 08:30:00: the budget of 48 reloads a day is spent for now"
      ])
    #expect(driver.notes.map(\.decision) == [.reloadDeferred])
    // The history has the first that waits; thousands more would push everything else out.
    #expect(try driver.reload("clock", .link) == ["r15 coalesced into r14"])
    #expect(driver.notes.map(\.decision) == [])
    #expect(try driver.reload("clock", .reload) == ["r16 accepted", "run #14 clock"])
  }

  // MARK: The clock

  @Test func `a clock that is set shows the entry of its new time`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(
      1,
      #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"a"}},{"date":"2026-11-20T09:00:00Z","content":{"text":"b"}},{"date":"2026-11-20T10:00:00Z","content":{"text":"c"}}],"policy":"atEnd"}"#
    )
    #expect(driver.setClock(by: 3_600) == ["changed clock"])
    #expect(driver.text("clock") == "b")
    #expect(driver.setClock(by: -3_600) == ["changed clock"])
    #expect(driver.text("clock") == "a")
    #expect(driver.setClock(by: 7_200) == ["changed clock"])
    #expect(driver.text("clock") == "c")
    // The overdue reload runs within half a minute, not at once.
    #expect(driver.pass(30).filter { $0.hasSuffix("run #2 clock") }.count == 1)
  }

  @Test func `receipts that ended are forgotten, the oldest first, beyond 2,000`() throws {
    var driver = try loaded()
    var forgotten: [String] = []
    for number in 2...2_003 {
      var output = EngineOutput()
      _ = try driver.engine.requestReload(
        of: "clock", cause: .interval, at: driver.now.wall, into: &output)
      driver.engine.advance(at: driver.now, into: &output)
      driver.engine.runEnded(
        RunToken(UInt64(number)), .success(Array(Self.answer("one").utf8)), at: driver.now,
        into: &output)
      forgotten += output.forgottenReceipts.map(\.text)
    }
    #expect(forgotten == ["r1", "r2", "r3"])
    #expect(driver.engine.receipts.count == 2_000)
  }
}
