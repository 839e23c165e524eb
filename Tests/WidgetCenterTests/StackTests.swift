import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// The order of the smart stack and its reasons.
@Suite struct StackTests {
  /// One entry that is relevant for a day.
  private func relevant(_ score: Double, duration: Double = 86_400) -> String {
    #"{"entries":[{"date":"2026-11-20T08:00:00Z","relevance":{"score":\#(score),"duration":\#(duration)},"content":{}}],"policy":"never"}"#
  }

  /// Widgets `a`, `b`… of kinds of their own, in this order, each with the answer its provider gave.
  private func placed(_ answers: [String]) throws -> EngineDriver {
    let names = ["a", "b", "c", "d", "e"].prefix(answers.count)
    var driver = EngineDriver(kinds: names.map { EngineDriver.kind($0) })
    for (index, name) in names.enumerated() {
      _ = try driver.place(name)
      _ = driver.answer(UInt64(index + 1), answers[index])
    }
    return driver
  }

  private static let nothing = #"{"entries":[],"policy":"never"}"#

  private func explain(_ driver: EngineDriver, _ id: String) -> [String] {
    let places = driver.engine.stack(families: nil, at: driver.now.wall)
    return places.first { $0.id == id }?.contributions.map {
      "\($0.name) \($0.value): \($0.because)"
    } ?? ["not in the stack"]
  }

  @Test func `with nothing to say the order is that of placing`() throws {
    let driver = try placed([Self.nothing, Self.nothing, Self.nothing])
    #expect(driver.stack() == ["a", "b", "c"])
    #expect(explain(driver, "a") == [])
  }

  @Test func `relevance lifts a widget for as long as it lasts`() throws {
    var driver = try placed([Self.nothing, relevant(3, duration: 600), Self.nothing])
    #expect(driver.stack() == ["b", "a", "c"])
    #expect(
      explain(driver, "b") == [
        "relevance 1.0: its provider says 3, of at most 3 so far, until 2026-11-20T08:10:00Z"
      ])
    _ = driver.pass(600)
    #expect(driver.stack() == ["a", "b", "c"])
  }

  @Test func `scales of different providers are not compared`() throws {
    var driver = try placed([relevant(1_000_000), relevant(1), Self.nothing])
    // Both say the most they ever said.
    #expect(driver.stack() == ["a", "b", "c"])
    _ = try driver.reload("a", .reload)
    _ = driver.answer(4, relevant(500_000))
    // Half of its most is less than all of the other's.
    #expect(driver.stack() == ["b", "a", "c"])
    #expect(
      explain(driver, "a") == [
        "relevance 0.5: its provider says 500000, of at most 1000000 so far, until 2026-11-21T08:00:00Z"
      ])
  }

  @Test func `a score of zero or less never rises, whatever was tapped`() throws {
    for score in [0.0, -1, -1e9] {
      var driver = try placed([relevant(score), Self.nothing, relevant(1)])
      for _ in 1...50 { driver.engine.recordTap("a", at: driver.now.wall) }
      driver.engine.recordIntent("a", promotes: false, at: driver.now.wall)
      #expect(driver.stack() == ["c", "b", "a"])
      // Nothing but the refusal counts, so that it lies below any widget that merely has nothing to say.
      #expect(explain(driver, "a").count == 1)
      #expect(explain(driver, "a").first?.hasPrefix("relevance -10.0: its provider says") == true)
    }
  }

  @Test func `an intent just sent comes first, of two the later one, for fifteen minutes`() throws {
    var driver = try placed([relevant(9), relevant(-1), Self.nothing])
    driver.engine.recordIntent("b", promotes: true, at: driver.now.wall)
    #expect(driver.stack() == ["b", "a", "c"])
    _ = driver.pass(1)
    driver.engine.recordIntent("c", promotes: true, at: driver.now.wall)
    #expect(driver.stack() == ["c", "b", "a"])
    _ = driver.pass(898)
    #expect(driver.stack() == ["c", "b", "a"])
    _ = driver.pass(1)
    #expect(driver.stack() == ["c", "a", "b"])
    _ = driver.pass(1)
    // What is left of it is the habit.
    #expect(driver.stack() == ["a", "c", "b"])
    #expect(explain(driver, "c").count == 1)
  }

  @Test func `of two intents a moment apart the later one is first, whatever else speaks for the other`() throws {
    var driver = try placed([relevant(9), Self.nothing])
    for _ in 1...5 { driver.engine.recordTap("a", at: driver.now.wall) }
    driver.engine.recordIntent("a", promotes: true, at: driver.now.wall)
    driver.engine.recordIntent(
      "b", promotes: true, at: driver.now.wall.advanced(byMilliseconds: 1))
    #expect(driver.stack() == ["b", "a"])
  }

  @Test func `what an app reports lifts a little and does not go first`() throws {
    var driver = try placed([relevant(1), Self.nothing, Self.nothing])
    driver.engine.recordIntent("c", promotes: false, at: driver.now.wall)
    #expect(driver.stack() == ["a", "c", "b"])
    #expect(
      explain(driver, "c") == ["intents 0.25: you asked for it lately (1 times, halving every 6 h)"])
  }

  @Test func `taps count, and fade by half in six hours`() throws {
    var driver = try placed([Self.nothing, Self.nothing])
    for _ in 1...3 { driver.engine.recordTap("b", at: driver.now.wall) }
    #expect(driver.stack() == ["b", "a"])
    #expect(
      explain(driver, "b") == ["taps 0.375: you tapped it lately (3 taps, halving every 6 h)"])
    _ = driver.pass(6 * 3600)
    #expect(
      explain(driver, "b") == ["taps 0.3: you tapped it lately (1.5 taps, halving every 6 h)"])
    _ = driver.pass(10 * 86_400)
    #expect(explain(driver, "b") == [])
    #expect(driver.stack() == ["a", "b"])
  }

  @Test func `the contributions add up to the score`() throws {
    var driver = try placed([relevant(2), relevant(0), Self.nothing, relevant(7), relevant(1)])
    var random = Random(state: 11)
    for _ in 1...200 {
      let id = ["a", "b", "c", "d", "e"][Int(random.next() % 5)]
      switch random.next() % 4 {
      case 0: driver.engine.recordTap(id, at: driver.now.wall)
      case 1: driver.engine.recordIntent(id, promotes: random.next() % 2 == 0, at: driver.now.wall)
      case 2: _ = try driver.dismiss(id)
      default: _ = driver.pass(Int64(random.next() % 1_000))
      }
      let places = driver.engine.stack(families: nil, at: driver.now.wall)
      for place in places {
        let sum = place.contributions.reduce(0) { $0 + $1.value }
        #expect(abs(sum - place.score) < 0.0005, "\(place)")
      }
      #expect(places.map(\.score) == places.map(\.score).sorted(by: >))
      #expect(Set(places.map(\.id)).count == 5)
    }
  }

  @Test func `a dismissed widget stays down for four hours, or until it is asked for or tapped`() throws {
    var driver = try placed([relevant(5), Self.nothing])
    _ = try driver.dismiss("a")
    #expect(driver.stack() == ["b", "a"])
    #expect(
      explain(driver, "a").first
        == "dismissed -100.0: you sent it away; it stays down until 2026-11-20T12:00:00Z")
    _ = driver.pass(4 * 3600 - 1)
    #expect(driver.stack() == ["b", "a"])
    _ = driver.pass(1)
    #expect(driver.stack() == ["a", "b"])
    _ = try driver.dismiss("a")
    driver.engine.recordIntent("a", promotes: false, at: driver.now.wall)
    #expect(driver.stack() == ["b", "a"])
    driver.engine.recordTap("a", at: driver.now.wall)
    #expect(driver.stack() == ["a", "b"])
    _ = try driver.dismiss("a")
    driver.engine.recordIntent("a", promotes: true, at: driver.now.wall)
    #expect(driver.stack() == ["a", "b"])
  }

  @Test func `the stack has one suggestion at most, the newest, and a dismissed one is gone`() throws {
    let kinds = ["a", "b"].map { EngineDriver.kind($0, intent: "Show") }
    var driver = EngineDriver(kinds: kinds)
    _ = try driver.place("a", EngineDriver.city("Rome"))
    _ = try driver.suggest(kinds[0], EngineDriver.city("Oslo"))
    #expect(driver.stack() == ["suggestion:a", "a"])
    _ = driver.pass(1)
    _ = try driver.suggest(kinds[1], EngineDriver.city("Oslo"))
    #expect(driver.stack() == ["suggestion:b", "a"])
    #expect(try driver.dismiss("suggestion:b").contains("removed suggestion:b"))
    #expect(driver.stack() == ["suggestion:a", "a"])
  }

  @Test func `a surface sees the families it asked for`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "small", family: .systemSmall)
    _ = try driver.place("clock", id: "inline", family: .accessoryInline)
    #expect(driver.stack(families: [.accessoryInline]) == ["inline"])
    #expect(driver.stack(families: []) == [])
    #expect(driver.stack() == ["small", "inline"])
  }
}
