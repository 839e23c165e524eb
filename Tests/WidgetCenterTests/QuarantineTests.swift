import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests providers that fail or loop, which are not asked for a while, and those that need the
/// network, which wait for it.
@Suite struct QuarantineTests {
  private func events(_ driver: EngineDriver) -> [String] { driver.notes.map(\.event) }

  /// Makes an engine with a clock whose provider has just failed ten times in a row.
  private func failing() throws -> EngineDriver {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1, ReloadTests.answer("good", policy: #""atEnd""#))
    for token in 2...11 as ClosedRange<UInt64> {
      _ = try driver.reload("clock", .reload)
      _ = driver.fail(token, .exited(code: 1))
    }
    return driver
  }

  @Test func `ten failures in a row put a provider into quarantine for an hour`() throws {
    var driver = try failing()
    #expect(events(driver) == ["reload.failed", "provider.quarantined"])
    #expect(driver.notes.last?.fields["reason"] == "10 runs in a row failed")
    #expect(driver.view("clock")["quarantinedUntil"] == "2026-11-20T09:00:00Z")
    #expect(driver.text("clock") == "good")
    #expect(
      try driver.reload("clock", .hostForeground).first?.contains(
        "the provider is in quarantine until 2026-11-20T09:00:00Z: 10 runs in a row failed") == true
    )
    #expect(driver.pass(3_599) == [])
    // The quarantine ends by itself and the provider is tried again; the last good entry stayed.
    let lines = driver.pass(30)
    #expect(lines.contains("09:00:00 changed clock"))
    #expect(lines.filter { $0.hasSuffix("run #12 clock") }.count == 1)
    #expect(driver.view("clock")["quarantinedUntil"] == nil)
    // Now one more failure is enough for a quarantine.
    _ = driver.fail(12, .exited(code: 1))
    #expect(driver.engine.quarantines["clock"]?.reason == "11 runs in a row failed")
    #expect(driver.engine.countersByKind["clock"]?.quarantines == 2)
  }

  private func budget(_ driver: EngineDriver) throws -> JSONObject {
    try driver.engine.budgetView(of: "clock", at: driver.now.wall)
  }

  @Test func `a budget tells when a widget reloads by itself, and why`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    #expect(try budget(driver)["nextReason"] == "it runs now: placed")
    _ = driver.answer(1, ReloadTests.answer("good", policy: #"{"after":"2026-11-20T10:00:00Z"}"#))
    #expect(try budget(driver)["nextReason"] == "its policy")
    #expect(try budget(driver)["nextReload"]?.stringValue?.hasPrefix("2026-11-20T10:0") == true)
    #expect(try budget(driver)["failures"] == nil)
    for token in [2, 3] as [UInt64] {
      _ = try driver.reload("clock", .reload)
      _ = driver.fail(token, .exited(code: 1))
    }
    let failed = try budget(driver)
    #expect(failed["nextReload"] == "2026-11-20T08:02:00Z")
    #expect(failed["nextReason"] == "a retry, 2 runs in a row failed")
    #expect(failed["failures"] == 2)
    #expect(failed["error"]?.stringValue?.isEmpty == false)
    let runs = failed["runs"]?.arrayValue ?? []
    #expect(runs.map { $0["error"] == failed["error"] } == [true, true, false])
    // A failed run costs no budget and is not counted.
    #expect(failed["exempt"] == ["placed": 1])
    _ = try driver.push("clock", ReloadTests.answer("pushed", policy: #""never""#))
    #expect(try budget(driver)["nextReload"] == nil)
    #expect(
      try budget(driver)["nextReason"] == "its policy is never: it waits until somebody asks")
  }

  @Test func `in quarantine no reload is promised before its end`() throws {
    var driver = try failing()
    for _ in 0..<2 {
      let view = try budget(driver)
      for name in ["nextAt", "nextReload"] {
        let date = try #require(view[name]?.stringValue)
        #expect(date >= "2026-11-20T09:00:00Z", "\(name)")
        #expect(date < "2026-11-20T09:00:30Z", "\(name)")
      }
      #expect(view["reason"] == "its provider is in quarantine")
      #expect(view["nextReason"] == "its provider is in quarantine")
      // The same holds for a deferred request.
      _ = try driver.reload("clock", .hostForeground)
    }
    let leader = try #require(driver.engine.timelines.values.first?.deferred.first)
    _ = try driver.reload("clock", .hostForeground)
    let joined = try #require(driver.engine.receipts.values.max { $0.id < $1.id })
    let view = driver.engine.view(of: joined)
    #expect(view["state"] == "coalesced")
    #expect(view["leader"]?["id"] == .string(leader.text))
    #expect(view["leader"]?["state"] == "deferred")
    #expect(view["leader"]?["until"]?.stringValue?.hasPrefix("2026-11-20T09:00:") == true)
    #expect(view["leader"]?["reason"]?.stringValue?.contains("quarantine") == true)
  }

  @Test func `the person's own request is tried in spite of failures, and a success releases`()
    throws
  {
    var driver = try failing()
    let waiting = try driver.reload("clock", .hostBackground)
    #expect(waiting.first?.hasPrefix("r12 deferred until 09:00") == true)
    #expect(try driver.reload("clock", .reload) == ["r13 accepted", "run #12 clock"])
    #expect(driver.answer(12, ReloadTests.answer("new")).contains("r13 done"))
    #expect(events(driver).contains("provider.released"))
    #expect(driver.engine.quarantines.isEmpty)
    #expect(driver.engine.receipts[ReceiptID(number: 12)]?.state == .done)
  }

  @Test
  func `a success in quarantine has the other widgets of the kind tried at once, not together`()
    throws
  {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    for (index, city) in ["Rome", "Oslo", "Lima"].enumerated() {
      _ = try driver.place("weather", EngineDriver.city(city))
      _ = driver.answer(UInt64(index + 1), ReloadTests.answer("good"))
    }
    for (index, id) in ["weather", "weather-2", "weather-3"].enumerated() {
      _ = try driver.reload(id, .reload)
      _ = driver.fail(UInt64(index + 4), .exited(code: 1))
    }
    for token in 7...13 as ClosedRange<UInt64> {
      _ = try driver.reload("weather", .reload)
      _ = driver.fail(token, .exited(code: 1))
    }
    // The first retry of the other widgets waits for the end of the quarantine.
    #expect(driver.pass(600).filter { $0.contains(" run ") } == [])
    _ = try driver.reload("weather", .reload)
    #expect(driver.answer(14, ReloadTests.answer("new")).contains("r14 done"))
    let runs = driver.pass(30).filter { $0.contains(" run ") }
    #expect(runs.count == 2, "\(runs)")
  }

  @Test func `one success ends a row of failures, whichever widget it was`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    _ = try driver.place("weather", EngineDriver.city("Rome"))
    _ = try driver.place("weather", EngineDriver.city("Oslo"))
    _ = driver.answer(1)
    _ = driver.answer(2)
    var token: UInt64 = 2
    for _ in 0..<5 {
      for _ in 0..<5 {
        _ = try driver.reload("weather", .reload)
        token += 1
        _ = driver.fail(token, .exited(code: 1))
      }
      _ = try driver.reload("weather-2", .reload)
      token += 1
      _ = driver.answer(token)
    }
    #expect(driver.engine.quarantines.isEmpty)
  }

  @Test func `a new program ends the quarantine`() throws {
    var driver = try failing()
    #expect(
      driver.setKinds([EngineDriver.kind("clock", program: "better")])
        == ["run #12 clock", "changed clock"])
    _ = driver.fail(12, .exited(code: 1))
    #expect(driver.engine.quarantines.isEmpty)
  }

  @Test func `requests that waited for its end are spread over half a minute`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    for index in 1...20 {
      _ = try driver.place("weather", EngineDriver.city("\(index)"))
      _ = driver.answer(UInt64(index))
    }
    for token in 21...30 as ClosedRange<UInt64> {
      _ = try driver.reload("weather", .reload)
      _ = driver.fail(token, .exited(code: 1))
    }
    for index in 2...20 { _ = try driver.reload("weather-\(index)", .hostForeground) }
    let due = Set(
      driver.engine.timelines.values.filter { !$0.deferred.isEmpty }.compactMap(\.dueAt))
    #expect(due.count > 10)
    #expect(due.allSatisfy { $0 >= driver.now.wall.advanced(bySeconds: 3_600) })
    #expect(due.allSatisfy { $0 < driver.now.wall.advanced(bySeconds: 3_630) })
  }

  // MARK: Loops

  @Test func `a tight loop ends in quarantine, but not for what a person does`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1)
    var token: UInt64 = 1
    while driver.engine.quarantines.isEmpty, token < 100 {
      _ = try driver.reload("clock", .hostForeground)
      token += 1
      _ = driver.answer(token)
      _ = driver.pass(1)
    }
    // With one run a second, three in thirty leak out of the counter.
    #expect((31...36).contains(token))
    #expect(driver.engine.quarantines["clock"]?.cause == .looping)
    #expect(try driver.reload("clock", .hostForeground).first?.contains("in quarantine") == true)
    #expect(try driver.reload("clock", .reload).first?.contains("coalesced") == true)
    #expect(try driver.reload("clock", .tap).contains("run #\(token + 1) clock"))
    _ = driver.answer(token + 1)
    // The quarantine ends by itself after a quarter of an hour.
    _ = driver.pass(930)
    #expect(driver.engine.quarantines.isEmpty)
    #expect(try driver.reload("clock", .hostForeground).contains("run #\(token + 2) clock"))
  }

  @Test(arguments: [ReloadCause.tap, .intent])
  func `a person who is fast is no loop, whatever the program asked for between`(
    cause: ReloadCause
  ) throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1)
    for token in 2...200 as ClosedRange<UInt64> {
      _ = try driver.reload("clock", token % 20 == 0 ? .hostForeground : cause)
      _ = driver.answer(token)
      _ = driver.pass(1)
    }
    #expect(driver.engine.quarantines.isEmpty)
  }

  @Test(arguments: [ReloadCause.tap, .intent])
  func `a program that does what a person does is let run 240 times, and then waits`(
    cause: ReloadCause
  ) throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    var token: UInt64 = 1
    while driver.engine.quarantines.isEmpty, token < 1_000 {
      // It asks in its own run, so the next one follows at once.
      _ = try driver.reload("clock", cause)
      _ = driver.answer(token)
      token += 1
    }
    #expect((238...242).contains(token), "\(token)")
    let quarantine = try #require(driver.engine.quarantines["clock"])
    #expect(quarantine.cause == .looping)
    #expect(
      quarantine.reason
        == "it was run more than 240 times by taps or intents, less than a second or two apart")
    _ = driver.answer(token)
    #expect(try driver.reload("clock", cause).first?.contains("in quarantine") == true)
    #expect(try driver.reload("clock", .hostForeground).first?.contains("run #") == false)
    let later = driver.pass(930)
    #expect(driver.engine.quarantines.isEmpty)
    #expect(later.contains { $0.contains(" run #") })
  }

  @Test func `a quarantine that lets a person through does not let a loop of taps through`() throws
  {
    var driver = try failing()
    var token: UInt64 = 12
    while driver.engine.quarantines["clock"]?.holdsPersonal == false, token < 1_000 {
      _ = try driver.reload("clock", .tap)
      _ = driver.fail(token, .exited(code: 1))
      token += 1
    }
    #expect(token < 260, "\(token)")
    #expect(try driver.reload("clock", .tap).contains { $0.contains("run #") } == false)
  }

  @Test func `a run every ten seconds is no loop`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1)
    for token in 2...400 as ClosedRange<UInt64> {
      _ = driver.pass(10)
      _ = try driver.reload("clock", .reload)
      _ = driver.answer(token)
    }
    #expect(driver.engine.quarantines.isEmpty)
  }

  @Test func `a quarantine that a wrong clock began ends in time`() throws {
    var driver = try failing()
    _ = driver.setClock(by: -30 * 86_400)
    #expect(driver.engine.quarantines["clock"]?.until == driver.now.wall.advanced(bySeconds: 3_600))
    _ = driver.pass(3_640)
    #expect(driver.engine.quarantines.isEmpty)
  }

  // MARK: Network

  private static var online: WidgetKind {
    var kind = EngineDriver.kind("clock")
    kind.needsNetwork = true
    return kind
  }

  private let after = #"{"after":"2026-11-20T08:10:00Z"}"#

  @Test func `a widget that needs the network waits for it, and then reloads at once`() throws {
    var driver = EngineDriver(kinds: [Self.online])
    _ = try driver.place("clock")
    _ = driver.answer(1, ReloadTests.answer("a", policy: after))
    #expect(driver.setNetwork(isUp: false) == [])
    #expect(driver.view("clock")["held"] == "network")
    #expect(driver.pass(7_200) == [])
    #expect(driver.setNetwork(isUp: true) == ["run #2 clock"])
    // No reload was due meanwhile, so none starts.
    _ = driver.answer(2, ReloadTests.answer("a", policy: #"{"after":"2026-11-20T18:00:00Z"}"#))
    _ = driver.setNetwork(isUp: false)
    #expect(driver.setNetwork(isUp: true) == [])
  }

  @Test func `a reload that failed without the network is tried as soon as it is back`() throws {
    var driver = EngineDriver(kinds: [Self.online])
    _ = try driver.place("clock")
    _ = driver.answer(1, ReloadTests.answer("a", policy: after))
    for token in 2...7 as ClosedRange<UInt64> {
      _ = try driver.reload("clock", .reload)
      _ = driver.fail(token, .exited(code: 1))
    }
    _ = driver.setNetwork(isUp: false)
    // The retry waits for half an hour of back-off, or for the network.
    #expect(driver.pass(60) == [])
    #expect(driver.setNetwork(isUp: true) == ["run #8 clock"])
  }

  @Test func `a person's request is tried without the network, an app's waits an hour at most`()
    throws
  {
    var driver = EngineDriver(kinds: [Self.online])
    _ = try driver.place("clock")
    _ = driver.answer(1, ReloadTests.answer("a"))
    _ = driver.setNetwork(isUp: false)
    #expect(try driver.reload("clock", .intent) == ["r2 accepted", "run #2 clock"])
    _ = driver.answer(2, ReloadTests.answer("a"))
    #expect(
      try driver.reload("clock", .hostBackground)
        == ["r3 deferred until 09:00:00: the provider needs the network, which is down"])
    #expect(driver.pass(3_600) == ["09:00:00 run #3 clock"])
    #expect(driver.answer(3, ReloadTests.answer("a")) == ["r3 done"])
    _ = try driver.reload("clock", .hostForeground)
    #expect(driver.setNetwork(isUp: true) == ["run #4 clock"])
  }

  @Test func `a second request waits for the network with the first, and no shorter`() throws {
    var driver = EngineDriver(kinds: [Self.online])
    _ = try driver.place("clock")
    _ = driver.answer(1, ReloadTests.answer("a"))
    _ = driver.setNetwork(isUp: false)
    _ = try driver.reload("clock", .hostBackground)
    _ = driver.pass(600)
    #expect(try driver.reload("clock", .hostBackground) == ["r3 coalesced into r2"])
    #expect(driver.pass(2_999) == [])
    #expect(driver.pass(1) == ["09:00:00 run #2 clock"])
    #expect(driver.answer(2, ReloadTests.answer("a")) == ["r2 done"])
  }

  @Test func `widgets that need no network ignore it`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    _ = driver.answer(1, ReloadTests.answer("a", policy: after))
    _ = driver.setNetwork(isUp: false)
    #expect(driver.pass(700).first?.hasSuffix("run #2 clock") == true)
  }
}
