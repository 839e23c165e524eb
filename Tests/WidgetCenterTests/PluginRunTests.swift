import JSON
import Plugins
import Testing
import Timekeeping

@testable import WidgetCenter

/// Plugins run by the interval that the person wrote, and only while a surface shows them.
@Suite struct PluginRunTests {
  private static func kind(
    _ schedule: PluginSchedule, _ format: PluginFormat = .text, name: String = "cpu",
    signal: Int? = nil
  ) -> WidgetKind {
    var kind = EngineDriver.kind(name)
    kind.provider.plugin = PluginDeclaration(format, schedule)
    kind.provider.plugin?.signal = signal
    return kind
  }

  /// A driver with one placed widget, whose first run printed `one`.
  private static func placed(_ kind: WidgetKind, isWatched: Bool = true) throws -> EngineDriver {
    var driver = EngineDriver(kinds: [kind], isWatched: isWatched)
    #expect(try driver.place(kind.kind, id: "w").contains("run #1 \(kind.kind)"))
    _ = driver.print(1, "one")
    return driver
  }

  @Test func `an interval begins at the end of a run, so that runs never overlap`() throws {
    var driver = try Self.placed(Self.kind(.every(5_000)))
    #expect(driver.pass(4) == [])
    #expect(driver.pass(1) == ["08:00:05 run #2 cpu"])
    // It takes seven seconds.
    #expect(driver.pass(7) == [])
    #expect(driver.print(2, "two") == ["changed w"])
    #expect(driver.pass(4) == [])
    #expect(driver.pass(1) == ["08:00:17 run #3 cpu"])
  }

  @Test func `runs shorter than half the interval keep in step with it`() throws {
    var driver = try Self.placed(Self.kind(.every(10_000)))
    #expect(driver.pass(10) == ["08:00:10 run #2 cpu"])
    _ = driver.pass(4)
    _ = driver.print(2, "two")
    #expect(driver.pass(6) == ["08:00:20 run #3 cpu"])
    _ = driver.pass(3)
    // One that failed has no pause of its own here.
    _ = driver.print(3, "", exitStatus: 1)
    #expect(driver.pass(7) == ["08:00:30 run #4 cpu"])
    _ = driver.pass(5)
    _ = driver.print(4, "four")
    #expect(driver.pass(9) == [])
    #expect(driver.pass(1) == ["08:00:45 run #5 cpu"])
    // A run that somebody asked for is due at no moment.
    _ = driver.print(5, "five")
    _ = driver.pass(2)
    _ = try driver.reload("w", .reload)
    _ = driver.pass(1)
    _ = driver.print(6, "six")
    #expect(driver.pass(9) == [])
    #expect(driver.pass(1) == ["08:00:58 run #7 cpu"])
  }

  @Test func `a widget without content says why it is hidden, and the status when it runs`() throws
  {
    var driver = try Self.placed(Self.kind(.every(5_000)))
    func budget(_ name: String) throws -> JSONValue? {
      try driver.engine.budgetView(of: "w", at: driver.now.wall)[name]
    }
    #expect(driver.view("w")["hidden"] == nil)
    #expect(try budget("hidden") == nil)
    #expect(try budget("schedule") == "every 5s")
    _ = driver.pass(5)
    _ = driver.print(2, "")
    #expect(driver.view("w")["hidden"] == "noOutput")
    #expect(try budget("hidden") == "noOutput")
    _ = driver.pass(5)
    _ = driver.print(3, "", isUnmet: true)
    #expect(driver.view("w")["hidden"] == "condition")
    _ = driver.pass(5)
    _ = driver.print(4, "", exitStatus: 1)
    #expect(driver.view("w")["hidden"] == "noOutput", "the last good one counts")
    _ = driver.pass(5)
    _ = driver.print(5, "two")
    #expect(driver.view("w")["hidden"] == nil)
  }

  @Test func `a script that only runs when asked is hidden until then, others are not yet`() throws
  {
    for (schedule, hidden) in [(PluginSchedule.never, "notAsked" as JSONValue?), (.once, nil)] {
      var driver = EngineDriver(kinds: [Self.kind(schedule)])
      _ = try driver.place("cpu", id: "w")
      #expect(driver.view("w")["hidden"] == hidden)
    }
    var own = EngineDriver(kinds: [EngineDriver.kind("clock")])
    _ = try own.place("clock", id: "w")
    #expect(own.view("w")["hidden"] == nil)
    #expect(try own.engine.budgetView(of: "w", at: own.now.wall)["schedule"] == nil)
  }

  @Test func `a long value of the state comes back whole`() throws {
    var driver = try Self.placed(Self.kind(.every(5_000), .i3blocks))
    let text = String(repeating: "x", count: 16_000)
    _ = driver.pass(5)
    _ = driver.print(2, #"{"full_text":"a","_long":"\#(text)"}"#)
    _ = driver.pass(5)
    #expect(driver.runs.last?.plugin?.variables == [.init(name: "_long", value: text)])
  }

  @Test func `a widget's status has its last run, and says when its kind is gone`() throws {
    let kind = Self.kind(.every(5_000))
    var driver = try Self.placed(kind)
    _ = driver.pass(5)
    _ = driver.print(2, "one")
    func budget() throws -> JSONObject {
      try driver.engine.budgetView(of: "w", at: driver.now.wall)
    }
    let runs = try budget()["runs"]?.arrayValue ?? []
    #expect(runs.map { $0["cause"] } == ["interval", "placed"])
    #expect(runs.first?["unchanged"] == true)
    #expect(runs.first?["at"] == .string(driver.now.wall.rfc3339))
    _ = driver.setKinds([])
    #expect(try budget()["held"]?.stringValue?.contains("intent-send remove w") == true)
    _ = driver.setKinds([kind])
    #expect(try budget()["held"] == nil)
    #expect(driver.engine.unknownWidget("cpu").message.hasSuffix("intent-send add cpu"))
  }

  @Test func `after a failure and an unmet condition the next run has an interval of its own`()
    throws
  {
    var kind = Self.kind(.every(60_000), .polybar)
    kind.provider.plugin?.retry = 5_000
    kind.provider.plugin?.recheck = 2_000
    var driver = try Self.placed(kind)
    #expect(driver.pass(59) == [])
    #expect(driver.pass(1) == ["08:01:00 run #2 cpu"])
    _ = driver.print(2, "no", exitStatus: 1)
    #expect(driver.pass(4) == [])
    #expect(driver.pass(1) == ["08:01:05 run #3 cpu"])
    _ = driver.print(3, "", isUnmet: true)
    #expect(driver.pass(2) == ["08:01:07 run #4 cpu"])
    _ = driver.print(4, "good\n")
    #expect(driver.pass(59) == [])
    #expect(driver.pass(1) == ["08:02:07 run #5 cpu"])
    // Shown in a format of its own, it has failed all the same.
    kind.provider.plugin?.look = PluginLook()
    kind.provider.plugin?.look?.failFormat = "no: {text}"
    var other = try Self.placed(kind)
    _ = other.pass(60)
    #expect(other.print(2, "x", exitStatus: 1) == ["changed w"])
    #expect(other.view("w")["entry"]?["content"]?["title"] == "no: x")
    #expect(other.pass(5) == ["08:01:05 run #3 cpu"])
  }

  @Test func `a script of SwiftBar that is always visible shows its name instead of nothing`()
    throws
  {
    let tags = "# <swiftbar.alwaysVisible>true</swiftbar.alwaysVisible>"
    let source = PluginSource(
      path: "/p/cpu.5s.sh", format: .swiftbar, tags: PluginTagLines(in: Array(tags.utf8)))
    var driver = try Self.placed(try #require(WidgetKind.read(source).kind))
    #expect(driver.pass(5) == ["08:00:05 run #2 cpu"])
    #expect(driver.print(2, "") == ["changed w"])
    #expect(driver.view("w")["entry"]?["content"]?["title"] == "cpu")
    var hidden = try Self.placed(
      try #require(WidgetKind.read(PluginSource(path: "/p/cpu.5s.sh", format: .swiftbar)).kind))
    _ = hidden.pass(5)
    _ = hidden.print(2, "")
    #expect(hidden.view("w")["entry"]?.isNull != false)
  }

  @Test func `the history names no next run of a script that nobody watches`() throws {
    var driver = try Self.placed(Self.kind(.every(5_000)), isWatched: false)
    func next() throws -> JSONValue? {
      try #require(driver.notes.first { $0.decision == .reloadDone }).fields["next"]
    }
    #expect(try next() == .null)
    _ = driver.watch(Watch())
    _ = try driver.reload("w", .reload)
    _ = driver.print(2, "two")
    #expect(try next() == "2026-11-20T08:00:05Z")
    let timeline = try JSONValue(parsing: driver.engine.timelineView(of: "w", at: driver.now.wall))
    #expect(timeline["schedule"] == "every 5s")
  }

  @Test func `a value for a variable that the script does not name is told`() throws {
    let tags = "# <xbar.var>string(CITY=Oslo): City.</xbar.var>"
    var source = PluginSource(
      path: "/p/cpu.5s.sh", format: .xbar, tags: PluginTagLines(in: Array(tags.utf8)))
    source.values = ["CTY": "Rome", "OTHER": "x"]
    #expect(
      WidgetKind.read(source).issues.map(\.message) == [
        "its values have 'CTY', which no tag of the script names; did you mean 'CITY'?"
      ])
    source.values = ["CTY": "Rome", "CITY": "Rome"]
    #expect(WidgetKind.read(source).issues == [])
  }

  @Test func `a run is judged by the manifest of its start, and one of the new follows`() throws {
    var driver = try Self.placed(Self.kind(.every(5_000)))
    #expect(driver.pass(5) == ["08:00:05 run #2 cpu"])
    var changed = Self.kind(.every(60_000), .waybar)
    changed.provider.timeout = 7_000
    #expect(driver.setKinds([changed]) == [])
    let text = #"{"text":"two"}"#
    #expect(driver.print(2, text) == ["run #3 cpu", "changed w"])
    #expect(driver.view("w")["entry"]?["content"]?["title"]?.stringValue == text)
    #expect(driver.runs.first?.provider == changed.provider)
    // The manifest of the start is right also when the kind is gone at the end.
    _ = driver.setKinds([])
    #expect(driver.print(3, #"{"text":"three"}"#) == ["changed w"])
    #expect(driver.view("w")["entry"]?["content"]?["title"] == "three")
  }

  @Test func `a run that is too slow names the limit it was started with`() throws {
    var slow = EngineDriver.kind("clock")
    slow.provider.timeout = 20_000
    var driver = EngineDriver(kinds: [slow])
    _ = try driver.place("clock", id: "w")
    _ = driver.setKinds([EngineDriver.kind("clock", program: "other")])
    #expect(driver.pass(20) == ["08:00:20 cancel #1"])
    let lines = driver.fail(1, .cancelled)
    #expect(lines.first == "r1 dropped: \(ProviderFailure(.timedOut(after: 20_000)).message)")
    #expect(lines.contains("run #2 clock"))
    // It is none of the failures in a row of the new provider.
    var token: UInt64 = 2
    for _ in 1..<Limits.failuresToQuarantine {
      _ = driver.fail(token, .exited(code: 1))
      #expect(driver.engine.quarantineBook["clock"] == nil)
      token += 1
      _ = try driver.reload("w", .reload)
    }
    _ = driver.fail(token, .exited(code: 1))
    #expect(driver.engine.quarantineBook["clock"] != nil)
  }

  @Test func `an interval costs no budget and never leads to a quarantine`() throws {
    var driver = try Self.placed(Self.kind(.every(1_000)))
    let full = try driver.engine.budgetView(of: "w", at: driver.now.wall)["balance"]
    for token: UInt64 in 2...400 {
      #expect(driver.pass(1).map { $0.dropFirst(9) } == ["run #\(token) cpu"])
      #expect(driver.print(token, "\(token)") == ["changed w"])
      #expect(driver.notes == [], "a run by an interval has no history")
    }
    #expect(driver.engine.quarantines.isEmpty)
    #expect(try driver.engine.budgetView(of: "w", at: driver.now.wall)["balance"] == full)
  }

  @Test func `nothing runs while no surface shows it, and at once when one does`() throws {
    var driver = try Self.placed(Self.kind(.every(5_000)))
    _ = driver.watch()
    #expect(driver.pass(3_600) == [])
    #expect(driver.view("w")["held"]?.stringValue == "unwatched")
    #expect(driver.watch(Watch()) == ["run #2 cpu"])
    _ = driver.print(2, "two")
    _ = driver.watch()
    #expect(driver.pass(3) == [])
    #expect(driver.watch(Watch()) == [], "it is not overdue yet")
    #expect(driver.pass(2) == ["09:00:05 run #3 cpu"])
  }

  @Test func `a client that reads it without a surface runs it once when it is due`() throws {
    var driver = try Self.placed(Self.kind(.every(5_000)), isWatched: false)
    #expect(driver.read("w") == [])
    #expect(driver.pass(600) == [])
    #expect(driver.read("w") == ["run #2 cpu"])
    _ = driver.print(2, "two")
    #expect(driver.pass(600) == [])
    #expect(driver.read("w") == ["run #3 cpu"])
  }

  @Test func `a script that fails keeps its interval, its last content, and its history short`()
    throws
  {
    var driver = try Self.placed(Self.kind(.every(5_000)))
    var told = 0
    for token: UInt64 in 2...41 {
      #expect(driver.pass(5).map { $0.dropFirst(9) } == ["run #\(token) cpu"])
      _ = driver.print(token, "half", exitStatus: 3, stderr: "no sensor\n")
      told += driver.notes.count
    }
    #expect(told == 1)
    #expect(driver.engine.quarantines.isEmpty)
    #expect(driver.view("w")["entry"]?["content"]?["title"]?.stringValue == "one")
    #expect(driver.view("w")["stale"] == true)
    #expect(driver.view("w")["error"]?.stringValue == "the provider ended with exit code 3")
    #expect(driver.view("w")["stderr"]?.stringValue == "no sensor")
    #expect(driver.pass(5) == ["08:03:25 run #42 cpu"])
    #expect(driver.print(42, "well") == ["changed w"])
    #expect(driver.view("w")["stale"] == false)
  }

  @Test func `a script that fails again and again is told of once an hour`() throws {
    var driver = try Self.placed(Self.kind(.every(60_000)))
    var told: [Int] = []
    for minute in 1...130 {
      _ = driver.pass(60)
      // Each second run is well.
      _ = driver.print(UInt64(minute + 1), "half", exitStatus: Int32(minute % 2))
      if !driver.notes.isEmpty { told.append(minute) }
    }
    #expect(told == [1, 61, 121])
  }

  @Test func `a run by an interval for which somebody waits has a history`() throws {
    let names = ["a", "b", "c", "d"]
    let slow = names.map { Self.kind(.once, name: $0) }
    var driver = EngineDriver(kinds: slow + [Self.kind(.every(2_000))])
    _ = try driver.place("cpu", id: "w")
    // A run that takes a while has no quick slot the next time.
    _ = driver.pass(1)
    _ = driver.print(1, "one")
    for name in names { _ = try driver.place(name, id: name) }
    // All slots are in use, so the run of the interval waits, and an app in the background joins.
    #expect(driver.pass(3) == [])
    #expect(try driver.reload("w", .hostBackground) == ["r6 accepted"])
    #expect(driver.print(2, "a").contains("run #6 cpu"))
    #expect(driver.print(6, "two") == ["r6 done", "changed w"])
    #expect(driver.notes.map(\.fields).map { $0["cause"]?.stringValue } == ["interval"])
  }

  @Test func `a script that is over at once runs although every slot is in use`() throws {
    let names = ["a", "b", "c", "d"]
    let slow = names.map { Self.kind(.once, name: $0) }
    var driver = EngineDriver(kinds: slow + [Self.kind(.every(2_000))])
    _ = try driver.place("cpu", id: "w")
    _ = driver.print(1, "one")
    // They keep their slots for five seconds.
    #expect(driver.pass(1) == [])
    for name in names { _ = try driver.place(name, id: name) }
    #expect(driver.pass(1) == ["08:00:02 run #6 cpu"])
    // This time it takes a second, so it waits for a slot like any other.
    #expect(driver.pass(1) == [])
    #expect(driver.print(6, "two") == ["changed w"])
    #expect(driver.pass(2) == [])
    #expect(driver.print(2, "a").contains("run #7 cpu"))
  }

  @Test func `an output without text takes the entry away until the next run`() throws {
    var driver = try Self.placed(Self.kind(.every(5_000)))
    _ = driver.pass(5)
    #expect(driver.print(2, "") == ["changed w"])
    #expect(driver.view("w")["entry"] == nil)
    #expect(driver.view("w")["stale"] == false)
    _ = driver.pass(5)
    #expect(driver.print(3, "back") == ["changed w"])
    _ = driver.pass(5)
    #expect(driver.print(4, "back") == [], "the same text is no change")
  }

  @Test func `once is once, and never is never`() throws {
    var driver = try Self.placed(Self.kind(.once))
    #expect(driver.pass(86_400) == [])
    #expect(try driver.reload("w", .reload) == ["r2 accepted", "run #2 cpu"])
    #expect(driver.print(2, "one") == ["r2 done"])
    #expect(driver.pass(86_400) == [])
  }

  @Test func `a script that waits for a click runs neither at being placed nor at a start`() throws
  {
    var kind = Self.kind(.never, .i3blocks, signal: 3)
    kind.provider.plugin?.look = PluginLook()
    kind.provider.plugin?.look?.text = "off"
    var driver = EngineDriver(kinds: [kind])
    #expect(!(try driver.place("cpu", id: "w")).contains { $0.hasPrefix("run") })
    func title() -> JSONValue? { driver.view("w")["entry"]?["content"]?["title"] }
    #expect(title() == "off")
    for cause: ReloadCause in [.configuration, .locale, .displaySize, .timeChange] {
      #expect(!(try driver.reload("w", cause)).contains { $0.hasPrefix("run") }, "\(cause)")
    }
    #expect(driver.pass(86_400) == [])
    #expect(try driver.reload("w", .signal).contains("run #1 cpu"))
    #expect(driver.print(1, "on").contains("changed w"))
    #expect(title() == "on")
    #expect(try driver.reload("w", .tap).contains("run #2 cpu"))
    #expect(driver.print(2, "").contains("changed w"), "nothing printed is the text again")
    #expect(title() == "off")

    var other = EngineDriver(kinds: [Self.kind(.never)])
    _ = try other.place("cpu", id: "w")
    #expect(other.view("w")["entry"] == nil, "without a text it is hidden")
    var next = try other.restarted(kinds: [Self.kind(.never)], after: 60)
    #expect(!next.resume().contains { $0.hasPrefix("run") })
    #expect(next.pass(60) == [])
    #expect(try next.reload("w", .reload).contains("run #1 cpu"))
  }

  @Test func `after a restart once runs at the first look, and never does not`() throws {
    for (schedule, runs) in [
      (.once, ["run #1 cpu"]), (.never, []), (.every(3_600_000), []),
    ] as [(PluginSchedule, [String])] {
      let kind = Self.kind(schedule)
      var driver = EngineDriver(kinds: [kind])
      _ = try driver.place("cpu", id: "w")
      if schedule == .never { _ = try driver.reload("w", .reload) }
      _ = driver.print(1, "one")
      var next = try driver.restarted(kinds: [kind], after: 60, isWatched: false)
      #expect(next.resume() == ["changed w"])
      #expect(next.pass(60) == [])
      #expect(next.view("w")["stale"] == (schedule == .never ? false : true))
      #expect(next.watch(Watch()) == runs)
    }
  }

  @Test func `what a run was told is why it runs, and the state of the last one`() throws {
    var driver = try Self.placed(Self.kind(.every(5_000), .i3blocks))
    func last() -> PluginRequest? { driver.runs.last?.plugin }
    _ = driver.pass(5)
    #expect(driver.runs.last?.request == [])
    #expect(last()?.reason == .schedule)
    driver.keep(state: ["_count": 3, "name": "eth0", "bad name": 1, "list": [1]], of: "w")
    _ = driver.print(2, "two")
    driver.keep(state: ["_count": 3, "name": "eth0", "bad name": 1, "list": [1]], of: "w")
    _ = driver.pass(5)
    #expect(
      last()?.variables == [
        .init(name: "_count", value: "3"), .init(name: "name", value: "eth0"),
        .init(name: "list", value: "[1]"),
      ])
    _ = driver.print(3, "three")
    let click = PluginRequest(.click, variables: [.init(name: "BLOCK_BUTTON", value: "1")])
    #expect(try driver.click("w", click) == ["r2 accepted", "run #4 cpu"])
    #expect(last() == click)
    _ = driver.print(4, "four")
    _ = try driver.reload("w", .reload)
    #expect(last() == PluginRequest(.request))
  }

  @Test func `a signal reaches the kinds that name it, also in a loop of their own`() throws {
    var driver = EngineDriver(kinds: [
      Self.kind(.once, name: "a", signal: 8), Self.kind(.once, name: "b", signal: 9),
      Self.kind(.once, name: "c"),
    ])
    for (index, name) in ["a", "b", "c"].enumerated() {
      _ = try driver.place(name, id: name)
      _ = driver.print(UInt64(index + 1), "x")
    }
    #expect(driver.engine.widgets(withSignal: 8) == ["a"])
    #expect(driver.engine.widgets(withSignal: 1) == [])
    #expect(try driver.reload("a", .signal) == ["r4 accepted", "run #4 a"])
    #expect(driver.runs.last?.plugin?.reason == .signal)
  }

  @Test func `a clock that is set runs what it makes overdue, and what has no entry by it`() throws
  {
    var driver = try Self.placed(Self.kind(.every(60_000)))
    // The entry is of tomorrow now.
    #expect(driver.setClock(by: -86_400) == ["run #2 cpu", "changed w"])
    _ = driver.print(2, "two")
    #expect(driver.pass(60).map { $0.dropFirst(9) } == ["run #3 cpu"])
    _ = driver.print(3, "three")
    #expect(driver.setClock(by: 7_200) == ["run #4 cpu"])
    var once = try Self.placed(Self.kind(.once))
    #expect(once.setClock(by: -86_400) == ["run #2 cpu", "changed w"])
    #expect(once.setClock(by: 7_200) == [])
  }

  @Test
  func `content of an earlier process is stale until the next run, and told to be fresh then`()
    throws
  {
    let kind = Self.kind(.every(5_000))
    var next = try Self.placed(kind).restarted(kinds: [kind], after: 60)
    #expect(next.resume() == ["run #1 cpu", "changed w"])
    #expect(next.view("w")["stale"] == true)
    // Since it was got: nobody knows when that process would have run it next.
    #expect(next.view("w")["staleSince"]?.stringValue == "2026-11-20T08:00:00Z")
    #expect(next.print(1, "one") == ["changed w"])
    #expect(next.view("w")["stale"] == false)
  }

}
