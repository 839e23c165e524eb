import JSON
import Plugins
import Testing
import Timekeeping

@testable import WidgetCenter

/// Plugins that stay running: one process a kind, while somebody watches.
@Suite struct PluginStreamTests {
  private static func kind(
    _ name: String = "song", _ format: PluginFormat = .waybar, restart: Int64? = nil,
    signal: Int? = nil, program: String = "provider", condition: [String] = []
  ) -> WidgetKind {
    var kind = EngineDriver.kind(name, program: program)
    kind.provider.plugin = PluginDeclaration(format, .once)
    kind.provider.plugin?.isStream = true
    kind.provider.plugin?.restart = restart
    kind.provider.plugin?.signal = signal
    kind.provider.plugin?.condition = condition
    return kind
  }

  /// A driver with one placed widget, whose stream printed `one`.
  private static func placed(
    _ kind: WidgetKind = kind(), isWatched: Bool = true
  ) throws -> EngineDriver {
    var driver = EngineDriver(kinds: [kind], isWatched: isWatched)
    #expect(try driver.place(kind.kind, id: "w").contains("run #1 \(kind.kind)"))
    #expect(driver.engine.runningCount == 0, "a stream takes no slot")
    #expect(driver.frame(1, "one") == ["r1 done", "changed w"])
    return driver
  }

  private static func title(_ driver: EngineDriver, _ id: String = "w") -> String? {
    driver.view(id)["entry"]?["content"]?["title"]?.stringValue
  }

  // MARK: Watching

  @Test func `a stream runs while a surface shows it, and ends when nobody has for ten seconds`()
    throws
  {
    var driver = try Self.placed()
    #expect(driver.pass(3_600) == [])
    #expect(driver.watch() == [])
    #expect(driver.pass(9) == [])
    #expect(driver.watch(Watch()) == [], "somebody looks again in time")
    #expect(driver.pass(3_600) == [])
    _ = driver.watch()
    #expect(driver.pass(10) == ["10:00:19 cancel #1"])
    #expect(driver.fail(1, .cancelled) == [], "it was told to, and has not failed")
    #expect(driver.pass(3_600) == [])
    #expect(driver.view("w")["stale"] == false)
    #expect(driver.watch(Watch()) == ["run #2 song"])
    #expect(Self.title(driver) == "one", "the last content is shown meanwhile")
    #expect(driver.frame(2, "two") == ["changed w"])
  }

  @Test func `a push that answers its last request ends one that nobody watches`() throws {
    var driver = EngineDriver(kinds: [Self.kind()], isWatched: false)
    #expect(try driver.place("song", id: "w").contains("run #1 song"))
    let pushed = #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"title":"mine"}}]}"#
    #expect(try driver.push("w", pushed).contains("r1 done"))
    #expect(driver.pass(60) == ["08:00:10 cancel #1"], "ten seconds, not its whole timeout")
  }

  @Test func `a surface that comes while it is being ended has it started again`() throws {
    var driver = try Self.placed()
    _ = driver.watch()
    _ = driver.pass(10)
    #expect(driver.watch(Watch()) == [], "two processes at once would write to one bar")
    #expect(driver.frame(1, "late") == [])
    #expect(driver.fail(1, .cancelled) == ["run #2 song"])
  }

  @Test func `frames cost no budget, have no history, and are written with what nobody waits for`()
    throws
  {
    var driver = try Self.placed()
    let full = try driver.engine.budgetView(of: "w", at: driver.now.wall)["balance"]
    for number in 1...400 {
      #expect(driver.frame(1, "\(number)") == ["changed w"])
      #expect(driver.notes == [])
    }
    #expect(driver.frame(1, "400") == [], "the same again is no news")
    #expect(try driver.engine.budgetView(of: "w", at: driver.now.wall)["balance"] == full)
    var output = EngineOutput()
    driver.engine.streamPrinted(RunToken(1), [65], at: driver.now, into: &output)
    #expect(output.dirtyTimelines.isEmpty && output.routineTimelines.count == 1)
    #expect(output.dirtyReceipts.isEmpty)
  }

  @Test func `one process serves all families and configurations`() throws {
    var driver = try Self.placed()
    #expect(
      try driver.place("song", id: "v", family: .accessoryInline)
        == ["r2 accepted", "r2 done", "changed v"], "it shows the last frame at once")
    #expect(Self.title(driver, "v") == "one")
    _ = try driver.place("song", id: "x", EngineDriver.city("Rome"))
    #expect(driver.frame(1, "two") == ["changed v", "changed w", "changed x"])
    // One of them is enough to keep it.
    _ = driver.watch(Watch(widgets: ["x"]))
    #expect(driver.pass(60) == [])
    #expect(try driver.remove("x") == ["removed x"])
    #expect(driver.pass(10).map { $0.dropFirst(9) } == ["cancel #1"])
  }

  @Test func `a stream begins also when every slot is taken`() throws {
    var driver = EngineDriver(kinds: [Self.kind(), EngineDriver.kind("clock")])
    for number in 1...12 {
      _ = try driver.place("clock", id: "c\(number)", EngineDriver.city("\(number)"))
    }
    #expect(!driver.engine.hasRoom(for: .person))
    #expect(try driver.place("song", id: "w").contains("run #9 song"))
  }

  @Test func `an empty frame hides it until the next one`() throws {
    var driver = try Self.placed()
    #expect(driver.frame(1, "") == ["changed w"])
    #expect(Self.title(driver) == nil)
    #expect(driver.frame(1, "two") == ["changed w"])
  }

  // MARK: Ends

  @Test func `one that ends at once rests twice as long each time, and says why`() throws {
    var driver = EngineDriver(kinds: [Self.kind()])
    #expect(try driver.place("song", id: "w").contains("run #1 song"))
    let reason = "the plugin is to stay running, and ended with exit code 3"
    #expect(
      driver.print(1, "", exitStatus: 3, stderr: "no player\n").prefix(1)
        == ["r1 dropped: \(reason)"])
    #expect(driver.view("w")["stale"] == true)
    #expect(driver.view("w")["error"]?.stringValue?.contains(reason) == true)
    var token: UInt64 = 2
    for pause: Int64 in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
      #expect(driver.pass(pause - 1) == [])
      #expect(driver.pass(1).map { $0.dropFirst(9) } == ["run #\(token) song"])
      _ = driver.print(token, "", exitStatus: 3)
      token += 1
    }
    // One that ran for a while begins anew.
    #expect(driver.pass(300).map { $0.dropFirst(9) } == ["run #\(token) song"])
    #expect(driver.frame(token, "one") == ["changed w"])
    #expect(driver.view("w")["stale"] == false)
    _ = driver.pass(10)
    #expect(driver.fail(token, .signaled(signal: 9)) == ["changed w"])
    #expect(driver.notes.map(\.event) == ["reload.failed"])
    #expect(driver.view("w")["stale"] == true)
    #expect(Self.title(driver) == "one")
    #expect(driver.pass(1).map { $0.dropFirst(9) } == ["run #\(token + 1) song"])
  }

  @Test func `its manifest says the least pause, and one that ends well has not failed`() throws {
    var driver = try Self.placed(Self.kind(restart: 5_000))
    #expect(driver.print(1, "") == [])
    #expect(driver.view("w")["stale"] == false)
    #expect(driver.pass(4) == [])
    #expect(driver.pass(1) == ["08:00:05 run #2 song"])
    _ = driver.frame(2, "two")
    #expect(driver.print(2, "") == [])
    #expect(driver.pass(5).map { $0.dropFirst(9) } == ["run #3 song"], "no longer pause")
    #expect(driver.print(3, "", exitStatus: 1) == ["changed w"])
    #expect(driver.pass(5).map { $0.dropFirst(9) } == ["run #4 song"])
    _ = driver.print(4, "", exitStatus: 1)
    #expect(driver.pass(9) == [])
    #expect(driver.pass(1).map { $0.dropFirst(9) } == ["run #5 song"])
  }

  @Test func `one of Waybar that ends well has shown all, and one of polybar begins again`() throws
  {
    var once = try Self.placed(Self.kind())
    #expect(once.print(1, "") == [])
    #expect(once.view("w")["stale"] == false)
    #expect(once.notes == [])
    #expect(once.pass(3_600) == [])
    #expect(Self.title(once) == "one")
    #expect(try once.reload("w", .reload).contains("run #2 song"))
    #expect(once.print(2, "", exitStatus: 1).contains("changed w"), "a bad end is a failure")

    var tail = try Self.placed(Self.kind("song", .polybar))
    for token: UInt64 in 1...4 {
      #expect(tail.print(token, "") == [])
      #expect(tail.view("w")["stale"] == false)
      #expect(tail.pass(1).map { $0.dropFirst(9) } == ["run #\(token + 1) song"])
      _ = tail.frame(token + 1, "one\n")
    }
  }

  @Test func `one that ended is not started again while nobody watches`() throws {
    var driver = try Self.placed()
    _ = driver.watch()
    _ = driver.fail(1, .signaled(signal: 9))
    #expect(driver.pass(3_600) == [])
    #expect(driver.watch(Watch()) == ["run #2 song"])
  }

  @Test func `a pause holds for a surface that comes meanwhile, and not for a person`() throws {
    var driver = try Self.placed(Self.kind(restart: 60_000))
    _ = driver.fail(1, .signaled(signal: 9))
    _ = driver.watch()
    #expect(driver.watch(Watch()) == [])
    #expect(driver.pass(59) == [])
    #expect(try driver.reload("w", .reload) == ["r2 accepted", "run #2 song"])
    #expect(driver.frame(2, "two") == ["r2 done", "changed w"])
    #expect(driver.pass(3_600) == [])
  }

  @Test func `one that ends before its first frame, again and again, is told of seldom`() throws {
    var driver = try Self.placed()
    var told = 0
    var token: UInt64 = 1
    for _ in 1...32 {
      _ = driver.fail(token, .signaled(signal: 9))
      told += driver.notes.count
      while driver.pass(1).isEmpty {}
      token += 1
    }
    #expect(told == 6)
  }

  @Test func `a condition that does not hold hides it and is no failure`() throws {
    var driver = EngineDriver(kinds: [Self.kind(condition: ["true"])])
    _ = try driver.place("song", id: "w")
    #expect(driver.frame(1, "") == ["r1 done", "changed w"], "it is hidden from now on")
    #expect(driver.print(1, "") == [])
    #expect(driver.view("w")["stale"] == false)
    #expect(driver.pass(1).map { $0.dropFirst(9) } == ["run #2 song"])
  }

  // MARK: Requests

  @Test(arguments: [ReloadCause.reload, .signal])
  func `a reload and a signal begin anew`(_ cause: ReloadCause) throws {
    var driver = try Self.placed(Self.kind(signal: 8))
    #expect(try driver.reload("w", cause) == ["r2 accepted", "cancel #1"])
    #expect(try driver.reload("w", cause) == ["r3 coalesced into r2"])
    #expect(driver.frame(1, "old") == [], "it is of the process that is being ended")
    #expect(driver.print(1, "", exitStatus: 143) == ["run #2 song"])
    #expect(driver.runs.first?.plugin?.reason == .request)
    #expect(driver.view("w")["stale"] == false)
    #expect(driver.frame(2, "new") == ["r2 done", "changed w"])
  }

  @Test(arguments: [PluginFormat.xbar, .swiftbar, .argos])
  func `an item with refresh begins a menu anew, also in the pause after a crash`(
    _ format: PluginFormat
  ) throws {
    var driver = try Self.placed(Self.kind("song", format, restart: 60_000))
    #expect(try driver.reload("w", .tap) == ["r2 accepted", "cancel #1"])
    #expect(driver.fail(1, .cancelled) == ["run #2 song"])
    #expect(driver.frame(2, "two") == ["r2 done", "changed w"])
    _ = driver.fail(2, .signaled(signal: 9))
    #expect(driver.pass(59) == [])
    #expect(try driver.reload("w", .tap) == ["r3 accepted", "run #3 song"])
    #expect(driver.frame(3, "three") == ["r3 done", "changed w"])
    // The pause after the next crash is the first again.
    _ = driver.fail(3, .signaled(signal: 9))
    #expect(driver.pass(59) == [])
    #expect(driver.pass(1).map { $0.dropFirst(9) } == ["run #4 song"])
  }

  @Test func `a stream says since when it runs, while it does, and why it is hidden`() throws {
    var driver = try Self.placed(Self.kind("song", .i3blocks, condition: ["true"]))
    func since() throws -> JSONValue? {
      let budget = try driver.engine.budgetView(of: "w", at: driver.now.wall)
      let timeline = try JSONValue(
        parsing: driver.engine.timelineView(of: "w", at: driver.now.wall))
      #expect(timeline["runningSince"] == budget["runningSince"])
      #expect(budget["schedule"] == "stream")
      return budget["runningSince"]
    }
    _ = driver.pass(60)
    #expect(try since() == "2026-11-20T08:00:00Z")
    _ = driver.frame(1, "")
    #expect(driver.view("w")["hidden"] == "noOutput")
    _ = try driver.reload("w", .reload)
    #expect(try since() == nil, "it is being ended")
    _ = driver.fail(1, .cancelled)
    #expect(try since() == "2026-11-20T08:01:00Z")
    _ = driver.frame(2, "")
    _ = driver.print(2, "", isUnmet: true)
    #expect(try since() == nil)
    #expect(driver.view("w")["hidden"] == "condition")
  }

  @Test func `frames that were left out are told, and go with their process`() throws {
    var driver = try Self.placed()
    func note(_ notice: StreamNotice) -> Bool? {
      driver.engine.noteStream(RunToken(1), notice, at: driver.now.wall)?.isNews
    }
    func omitted() throws -> JSONValue? {
      try driver.engine.budgetView(of: "w", at: driver.now.wall)["omittedFrames"]
    }
    #expect(try omitted() == nil)
    #expect(note(.leftOut(frameCount: 3)) == false)
    #expect(try omitted() == ["count": 3, "since": "2026-11-20T08:00:00Z"])
    #expect(driver.engine.floodingView(countMax: 20) == [])
    _ = driver.pass(10)
    #expect(note(.floods) == true)
    #expect(note(.floods) == false)
    #expect(note(.leftOut(frameCount: 9)) == false)
    let view: JSONValue = [
      "kind": "song", "count": 9, "since": "2026-11-20T08:00:00Z",
      "floodsSince": "2026-11-20T08:00:10Z",
    ]
    #expect(driver.engine.floodingView(countMax: 20) == [view])
    #expect(driver.engine.floodingView(countMax: 0) == [])
    #expect(try omitted()?["count"] == 9)
    _ = driver.fail(1, .signaled(signal: 9))
    #expect(try omitted() == nil)
    #expect(driver.engine.floodingView(countMax: 20) == [])
  }

  @Test(arguments: [ReloadCause.tap, .intent, .hostForeground, .timeChange])
  func `other requests leave a stream that runs as it is`(_ cause: ReloadCause) throws {
    var driver = try Self.placed()
    #expect(try driver.reload("w", cause) == ["r2 accepted", "r2 done"])
  }

  @Test func `without a surface it runs until the first frame, and ten seconds more`() throws {
    var driver = EngineDriver(kinds: [Self.kind()], isWatched: false)
    #expect(try driver.place("song", id: "w").contains("run #1 song"))
    #expect(driver.pass(20) == [])
    #expect(driver.frame(1, "one") == ["r1 done", "changed w"])
    #expect(driver.pass(9) == [])
    #expect(driver.pass(1) == ["08:00:30 cancel #1"])
    _ = driver.fail(1, .cancelled)
    #expect(driver.pass(3_600) == [])
    #expect(driver.view("w")["held"]?.stringValue == "unwatched")
    // A look of a client starts it once.
    #expect(driver.read("w") == ["run #2 song"])
    #expect(driver.pass(10).map { $0.dropFirst(9) } == ["cancel #2"])
  }

  @Test func `who waits for a stream that says nothing is told so`() throws {
    var driver = EngineDriver(kinds: [Self.kind()])
    _ = try driver.place("song", id: "w")
    #expect(driver.pass(29) == [])
    #expect(
      driver.pass(1) == [
        "08:00:30 r1 dropped: the plugin printed nothing within 30s; it stays running, and its next"
          + " frame is shown when it comes"
      ])
    #expect(driver.frame(1, "one") == ["changed w"])
  }

  @Test func `a request for a widget that is removed goes with it`() throws {
    var driver = EngineDriver(kinds: [Self.kind()])
    _ = try driver.place("song", id: "w")
    #expect(
      try driver.remove("w") == [
        "r1 dropped: the widget was removed or configured anew", "removed w",
      ])
    #expect(driver.pass(10).map { $0.dropFirst(9) } == ["cancel #1"])
    #expect(driver.fail(1, .cancelled) == [])
  }

  // MARK: Manifests

  @Test func `another program replaces the one that runs`() throws {
    var driver = try Self.placed()
    #expect(driver.setKinds([Self.kind(program: "other")]) == ["cancel #1"])
    #expect(driver.fail(1, .cancelled) == ["run #2 song"])
    #expect(driver.runs.first?.provider.exec == ["other"])
    #expect(driver.frame(2, "two") == ["changed w"])
  }

  @Test func `a manifest that goes ends it, and one that comes back starts it`() throws {
    var driver = try Self.placed()
    #expect(driver.setKinds([]) == ["cancel #1", "changed w"])
    #expect(driver.fail(1, .cancelled) == [])
    #expect(driver.pass(60) == [])
    #expect(driver.setKinds([Self.kind()]).contains("run #2 song"))
  }

  @Test func `a kind may become a stream and stop to be one`() throws {
    var once = Self.kind()
    once.provider.plugin?.isStream = false
    var driver = EngineDriver(kinds: [once])
    #expect(try driver.place("song", id: "w").contains("run #1 song"))
    // Its run ends while the manifest says otherwise by now.
    _ = driver.setKinds([Self.kind()])
    #expect(driver.print(1, "one").contains("run #2 song"))
    #expect(driver.frame(2, "two").contains("changed w"))
    #expect(try driver.reload("w", .reload).contains("cancel #2"))
    let back = driver.setKinds([once])
    #expect(back.contains { $0.contains("dropped: its manifest offers no stream any more") })
    #expect(driver.fail(2, .cancelled) == [])
    #expect(Self.title(driver) == "two")
  }

  @Test func `content of an earlier process is stale until the first frame`() throws {
    let driver = try Self.placed()
    var next = try driver.restarted(kinds: [Self.kind()], after: 30)
    _ = next.resume()
    #expect(next.view("w")["stale"] == true)
    #expect(Self.title(next) == "one")
    #expect(next.engine.streamCount == 1)
    #expect(next.frame(1, "one") == ["changed w"])
    #expect(next.view("w")["stale"] == false)
  }

  @Test func `a clock that is set back does not hide the frames from before`() throws {
    var driver = try Self.placed()
    _ = driver.setClock(by: -3_600)
    #expect(Self.title(driver) == "one")
    #expect(driver.frame(1, "two") == ["changed w"])
  }

  @Test func `tokens of no stream are ignored`() throws {
    var driver = try Self.placed()
    #expect(driver.frame(7, "x") == [])
    #expect(driver.print(7, "x") == [])
    _ = driver.fail(1, .signaled(signal: 9))
    #expect(driver.frame(1, "x") == [], "it ended")
    #expect(driver.fail(1, .signaled(signal: 9)) == [], "a second end changes nothing")
  }

  @Test func `more streams than there may be rest, and say so`() throws {
    let kinds = (1...65).map { Self.kind("k\($0)") }
    var driver = EngineDriver(kinds: kinds)
    for kind in kinds.dropLast() { _ = try driver.place(kind.kind, id: kind.kind) }
    #expect(driver.engine.streamCount == 64)
    #expect(try driver.place("k65", id: "w").contains { $0.contains("64 plugins that stay") })
    #expect(driver.engine.streamCount == 64)
  }
}
