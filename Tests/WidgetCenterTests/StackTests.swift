import Habits
import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests the order of the smart stack and its reasons.
@Suite struct StackTests {
  /// Returns a timeline with one entry that is relevant for a day.
  private func relevant(
    _ score: Double, at date: WallTime = WallTime(milliseconds: 1_795_161_600_000),
    duration: Double = 86_400
  ) -> String {
    #"{"entries":[{"date":"\#(date.rfc3339)","relevance":{"score":\#(score),"duration":\#(duration)},"content":{}}],"policy":"never"}"#
  }

  /// Makes an engine with widgets `a`, `b`… of different kinds, placed in this order, with these
  /// answers.
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

  private func ranking(_ driver: EngineDriver) -> [String] {
    driver.engine.ranking(families: nil, at: driver.now.wall).map(\.id)
  }

  private func explain(_ driver: EngineDriver, _ id: String) -> [String] {
    let places = driver.engine.ranking(families: nil, at: driver.now.wall)
    guard let place = places.first(where: { $0.id == id }) else { return ["not in the stack"] }
    return driver.engine.reasons(for: place, at: driver.now.wall).map {
      "\($0.cause.name) \($0.value): \($0.because)"
    }
  }

  @Test func `without claims or habits the order is that of placing`() throws {
    let driver = try placed([Self.nothing, Self.nothing, Self.nothing])
    #expect(ranking(driver) == ["a", "b", "c"])
    #expect(explain(driver, "a") == [])
  }

  @Test func `relevance lifts a widget for as long as it lasts`() throws {
    var driver = try placed([Self.nothing, relevant(3, duration: 600), Self.nothing])
    #expect(ranking(driver) == ["b", "a", "c"])
    #expect(
      explain(driver, "b") == [
        "relevance 2.0: its provider says 3, of at most 3 so far, until 08:10"
      ])
    _ = driver.pass(600)
    #expect(ranking(driver) == ["a", "b", "c"])
  }

  @Test func `an answer with the same claims as the last one keeps the order`() throws {
    var driver = try placed([relevant(2), Self.nothing])
    let key = try #require(driver.engine.widgets["a"]?.timelineKey)
    let silent =
      #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"new":1}}],"policy":"never"}"#
    func ordersAnew(_ answer: String) throws -> Bool {
      var output = EngineOutput()
      let read = try #require(WidgetEngine.readAnswer(Array(answer.utf8)).get().timeline)
      driver.engine.accept(
        WidgetEngine.Answer(read), for: key, cause: .policy, at: driver.now.wall, into: &output)
      return output.stackChanged
    }
    #expect(try !ordersAnew(relevant(2)))
    #expect(try !ordersAnew(Self.nothing))
    #expect(try ordersAnew(relevant(1)))
    #expect(try ordersAnew(relevant(9)))
    #expect(try ordersAnew(silent))
    #expect(try !ordersAnew(silent))
    #expect(try ordersAnew(relevant(9)))
  }

  @Test func `scales of different providers are not compared`() throws {
    var driver = try placed([relevant(1_000_000), relevant(1), Self.nothing])
    // Both declare the highest score that they ever declared.
    #expect(ranking(driver) == ["a", "b", "c"])
    _ = try driver.reload("a", .reload)
    _ = driver.answer(4, relevant(500_000))
    // Half of one's highest score is less than the other's highest.
    #expect(ranking(driver) == ["b", "a", "c"])
    #expect(
      explain(driver, "a") == [
        "relevance 1.0: its provider says 500000, of at most 1000000 so far, until 2026-11-21 08:00"
      ])
  }

  @Test
  func `the claims of a kind count after its widget is removed, for a limited number of kinds`()
    throws
  {
    var driver = try placed([relevant(80), relevant(1), Self.nothing])
    _ = try driver.remove("a")
    _ = try driver.place("a")
    _ = driver.answer(4, relevant(20))
    #expect(
      explain(driver, "a") == [
        "relevance 0.5: its provider says 20, of at most 80 so far, until 2026-11-21 08:00"
      ])
    var scales = RelevanceScales()
    let scheduled = RelevanceScale(score: 80, window: .scheduled)
    let noted = [
      scales.note(scheduled, of: "a"), scales.note(RelevanceScale(score: 79), of: "a"),
    ]
    #expect(noted == [true, false])
    let news = [scales.takeNews(), scales.takeNews()]
    #expect(news == [true, false])
    #expect(scales.json == ["a": ["score": 80.0, "window": "scheduled"]])
    #expect(RelevanceScales(scales.json)?["a"] == scheduled)
    for damaged in [["a": ["score": "much"]], ["a": ["score": 1, "window": "?"]], []] as [JSONValue]
    {
      #expect(RelevanceScales(damaged) == nil)
    }
    // The number of kept scales is limited, and a placed kind keeps its own.
    for number in 0..<(Limits.scaleCountMax * 2) {
      _ = driver.setKinds(["a", "b", "c", "k\(number)"].map { EngineDriver.kind($0) })
      _ = try driver.place("k\(number)", id: "passing")
      let token = try #require(driver.engine.runningTokens.last)
      _ = driver.answer(token.number, relevant(1))
      _ = try driver.remove("passing")
      #expect(driver.engine.scales.count <= Limits.scaleCountMax + 4)
    }
    #expect(driver.engine.scales.count > Limits.scaleCountMax / 2)
    #expect(driver.engine.scales["a"].score == 80)
  }

  @Test func `a suggestion of private mode leaves no score behind`() throws {
    let kind = EngineDriver.kind("w", intent: "ShowWeather")
    var driver = EngineDriver(kinds: [kind])
    var output = EngineOutput()
    driver.engine.setPrivate(true, at: driver.now.wall, into: &output)
    _ = try driver.suggest(kind, EngineDriver.city("Oslo"))
    _ = driver.answer(1, relevant(80))
    #expect(explain(driver, "suggestion:w").first?.contains("80, of at most 80") == true)
    #expect(driver.engine.settings["scales"] == [:])
    _ = try driver.place("w", id: "mine", EngineDriver.city("Oslo"))
    _ = driver.answer(2, relevant(40))
    #expect(driver.engine.settings["scales"] == ["w": ["score": 80.0]])
  }

  @Test func `a score of zero or less never rises, whatever was tapped`() throws {
    for score in [0.0, -1, -1e6] {
      var driver = try placed([relevant(score), Self.nothing, relevant(1)])
      for _ in 1...50 { driver.act(.tap, "a") }
      driver.act(.intent, "a")
      #expect(ranking(driver) == ["c", "b", "a"])
      // Only the refusal counts, so the widget is below each one without a claim.
      #expect(explain(driver, "a").count == 1)
      #expect(explain(driver, "a").first?.hasPrefix("relevance -75.0: its provider says") == true)
    }
  }

  @Test func `an intent just sent comes first, of two the later one, for fifteen minutes`() throws {
    var driver = try placed([relevant(9), relevant(-1), Self.nothing])
    driver.act(.intent, "b", promotes: true)
    #expect(driver.stack() == ["b", "a", "c"])
    _ = driver.pass(1)
    driver.act(.intent, "c", promotes: true)
    #expect(driver.stack() == ["c", "b", "a"])
    _ = driver.pass(898)
    #expect(driver.stack() == ["c", "b", "a"])
    _ = driver.pass(2)
    // The habit is left of the intent, and the refusal is in force again.
    #expect(ranking(driver).last == "b")
    #expect(!explain(driver, "c").contains { $0.hasPrefix("intent just sent") })
  }

  @Test
  func `of two intents a moment apart the later one is first, whatever the other's score`()
    throws
  {
    var driver = try placed([relevant(9), Self.nothing])
    for _ in 1...5 { driver.act(.tap, "a") }
    driver.act(.intent, "a", promotes: true)
    _ = driver.pass(1)
    driver.act(.intent, "b", promotes: true)
    #expect(driver.stack() == ["b", "a"])
  }

  @Test func `a used widget rises, and says so in numbers and in words`() throws {
    var driver = try placed([Self.nothing, Self.nothing])
    for _ in 1...3 {
      driver.act(.tap, "b")
      _ = driver.pass(60)
    }
    #expect(ranking(driver) == ["b", "a"])
    #expect(explain(driver, "b").contains { $0.hasPrefix("often") && $0.contains("3 times") })
    let places = driver.engine.ranking(families: nil, at: driver.now.wall)
    #expect(driver.engine.sentence(for: places[0], at: driver.now.wall) == "you used it 3 times")
    #expect(
      driver.engine.sentence(for: places[1], at: driver.now.wall) == "you have not used it yet")
  }

  @Test func `a habit of mornings counts in the morning, and words say so`() throws {
    var driver = try placed([Self.nothing, Self.nothing])
    // From Monday on, the person uses `b` at eight and `a` at twenty.
    driver.advance(to: WallTime(milliseconds: 1_795_420_800_000))
    for _ in 1...11 {
      driver.act(.tap, "b")
      _ = driver.pass(12 * 3600)
      driver.act(.tap, "a")
      _ = driver.pass(12 * 3600)
    }
    let morning = driver.now.wall
    let evening = morning.advanced(bySeconds: 12 * 3600)
    #expect(driver.engine.ranking(families: nil, at: morning).map(\.id) == ["b", "a"])
    #expect(driver.engine.ranking(families: nil, at: evening).map(\.id).first == "a")
    let first = driver.engine.ranking(families: nil, at: morning)[0]
    #expect(
      driver.engine.sentence(for: first, at: morning).hasPrefix(
        "you used it on 5 of the last 5 weekday mornings"))
  }

  @Test func `the contributions add up to the score`() throws {
    var driver = try placed([relevant(2), relevant(0), Self.nothing, relevant(7), relevant(1)])
    var random = Random(state: 11)
    for _ in 1...200 {
      let id = ["a", "b", "c", "d", "e"][Int(random.next() % 5)]
      switch random.next() % 4 {
      case 0: driver.act(.tap, id)
      case 1: driver.act(.intent, id, promotes: random.next() % 2 == 0)
      case 2: _ = try driver.dismiss(id)
      default: _ = driver.pass(Int64(random.next() % 1_000))
      }
      let places = driver.engine.stack(families: nil, at: driver.now.wall)
      for place in places {
        let sum = driver.engine.reasons(for: place, at: driver.now.wall).reduce(0) { $0 + $1.value }
        #expect(abs(sum - place.score) < 0.0005, "\(place)")
      }
      #expect(places.map(\.score) == places.map(\.score).sorted(by: >))
      #expect(Set(places.map(\.id)).count == 5)
    }
  }

  @Test func `a dismissed widget stays down for four hours, or until it is asked for or tapped`()
    throws
  {
    var driver = try placed([relevant(5), Self.nothing])
    _ = try driver.dismiss("a")
    #expect(driver.stack() == ["b", "a"])
    #expect(
      explain(driver, "a").last
        == "dismissed -200.0: you sent it away; it stays down until 12:00")
    _ = driver.pass(4 * 3600 - 1)
    #expect(driver.stack() == ["b", "a"])
    _ = driver.pass(1)
    #expect(ranking(driver) == ["a", "b"])
    _ = try driver.dismiss("a")
    driver.act(.intent, "a")
    #expect(driver.stack() == ["b", "a"])
    driver.act(.tap, "a")
    #expect(ranking(driver) == ["a", "b"])
    _ = try driver.dismiss("a")
    driver.act(.intent, "a", promotes: true)
    #expect(driver.stack() == ["a", "b"])
  }

  @Test func `the stack has one suggestion at most, the newest, and a dismissed one is gone`()
    throws
  {
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

  // MARK: Rotation

  @Test func `the top stays for three minutes, then goes to a widget that leads clearly`() throws {
    var driver = try placed([Self.nothing, Self.nothing])
    #expect(driver.stack() == ["a", "b"])
    _ = try driver.push("b", relevant(1))
    #expect(ranking(driver) == ["b", "a"])
    #expect(driver.stack() == ["a", "b"])
    let stays = driver.engine.stack(families: nil, at: driver.now.wall)[0]
    #expect(stays.value(.stays) == 2.001)
    #expect(stays.score > 2)
    _ = driver.pass(179)
    #expect(driver.stack() == ["a", "b"])
    _ = driver.pass(1)
    #expect(driver.stack() == ["b", "a"])
  }

  @Test func `the top does not change under the hand of the person`() throws {
    var driver = try placed([Self.nothing, Self.nothing, Self.nothing])
    _ = driver.stack()
    _ = driver.pass(600)
    _ = try driver.push("b", relevant(1))
    driver.act(.tap, "c")
    #expect(driver.stack().first == "a")
    _ = driver.pass(29)
    #expect(driver.stack().first == "a")
    _ = driver.pass(1)
    #expect(driver.stack().first != "a")
  }

  @Test func `two nearly equal widgets do not take turns`() throws {
    var driver = try placed([Self.nothing, Self.nothing])
    _ = driver.stack()
    var tops: [String] = []
    for round in 0..<40 {
      let (a, b) = round % 2 == 0 ? (99.0, 100.0) : (100.0, 99.0)
      _ = try driver.push("a", relevant(a, duration: 864_000))
      _ = try driver.push("b", relevant(b, duration: 864_000))
      _ = driver.pass(600)
      tops.append(driver.stack()[0])
    }
    #expect(Set(tops) == ["a"])
  }

  @Test func `a widget that is dismissed or refuses leaves the top at once`() throws {
    var driver = try placed([Self.nothing, Self.nothing])
    _ = driver.stack()
    _ = try driver.dismiss("a")
    #expect(driver.stack() == ["b", "a"])
    _ = try driver.push("b", relevant(0))
    driver.act(.tap, "a")
    #expect(driver.stack() == ["a", "b"])
  }

  // MARK: Weights of claims

  @Test func `a provider that always claims loses its weight, and one that is right keeps it`()
    throws
  {
    var driver = try placed([relevant(1_000, duration: 8_640_000), Self.nothing, Self.nothing])
    for day in 0..<14 {
      // `b` claims when it is used, and only then.
      _ = try driver.push("b", relevant(5, at: driver.now.wall, duration: 3_000))
      _ = driver.stack()
      driver.act(.tap, "b")
      _ = driver.pass(3600)
      _ = driver.stack()
      driver.act(.tap, "c")
      _ = try driver.push("a", relevant(Double(1_000 * (day + 2)), duration: 8_640_000))
      _ = driver.pass(23 * 3600)
    }
    let claimWeights = driver.engine.stackModel.claimWeights
    #expect(claimWeights.weight(of: "a") < 1)
    #expect(claimWeights.weight(of: "b") > 2 * claimWeights.weight(of: "a"))
    #expect(claimWeights.weight(of: "c") == ClaimWeights.weightAtFirst)
    #expect(ranking(driver).first != "a")
    #expect(explain(driver, "a").contains { $0.contains("it counts little") })
  }

  @Test func `a score above 0 never refuses, however small it is`() throws {
    let driver = try placed([relevant(Double.leastNonzeroMagnitude), Self.nothing])
    #expect(ranking(driver) == ["a", "b"])
    var small = try placed([relevant(60), Self.nothing])
    _ = small.pass(600)
    let answer = try WidgetEngine.readAnswer(
      Array(relevant(Double.leastNonzeroMagnitude, at: small.now.wall).utf8)
    ).get()
    let tiny = try #require(answer.timeline)
    var output = EngineOutput()
    _ = try small.engine.push(
      tiny, to: "a", cause: .reload, at: small.now.wall, into: &output)
    #expect(ranking(small) == ["a", "b"])
  }

  @Test func `a removed widget is on top of no stack`() throws {
    var driver = try placed([relevant(1), Self.nothing])
    #expect(driver.stack() == ["a", "b"])
    var output = EngineOutput()
    try driver.engine.remove("a", at: driver.now.wall, into: &output)
    #expect(driver.stack() == ["b"])
    _ = try driver.place("a")
    #expect(driver.stack() == ["b", "a"])
  }
}
