import Habits
import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests the suggestions of manifests: at most one at a time, until its window ends or it is
/// dismissed.
@Suite struct SuggestedWindowTests {
  private static func date(_ clock: String, day: Int = 20) -> WallTime {
    WallTime(rfc3339: "2026-11-\(day)T\(clock)Z") ?? WallTime(milliseconds: .min)
  }

  private static func window(
    _ from: String, _ to: String, _ kind: RelevanceKind = .default,
    _ days: SuggestedWindow.Days = .every, city: String? = nil
  ) -> SuggestedWindow {
    func minutes(_ clock: String) -> Int {
      let parts = clock.split(separator: ":").compactMap { Int($0) }
      return parts[0] * 60 + parts[1]
    }
    var window = SuggestedWindow(
      span: .daily(from: minutes(from), to: minutes(to), days), kind: kind)
    window.configuration = city.map { EngineDriver.city($0) } ?? WidgetConfiguration.none
    return window
  }

  private static func kind(_ name: String, _ windows: SuggestedWindow...) -> WidgetKind {
    var kind = EngineDriver.kind(name, intent: "ShowWeather")
    kind.suggest = windows
    return kind
  }

  /// An answer with something to show.
  private static let shows =
    #"{"entries":[{"date":"2026-11-20T00:00:00Z","content":{"text":"light"}}],"policy":"never"}"#

  /// Returns the order with the sentences of its reasons.
  private func order(_ driver: EngineDriver, at moment: WallTime? = nil) -> [String] {
    let moment = moment ?? driver.now.wall
    return driver.engine.ranking(families: nil, at: moment).map {
      "\($0.id): \(driver.engine.sentence(for: $0, at: moment))"
    }
  }

  /// Returns the present suggestion with its configuration; `nil` if there is none.
  private func suggested(_ driver: EngineDriver) -> String? {
    let found = driver.engine.widgets.values.filter(\.isSuggestion)
    #expect(found.count <= 1)
    return found.first.map { "\($0.kind) \($0.configuration.key)" }
  }

  // MARK: When a window is open

  private static func calendar(hours: Int64 = 0) -> LocalDays {
    LocalDays(zoneOffset: hours * 3_600_000) { Weekday.number(of: $0) >= 5 }
  }

  @Test func `a daily window opens on its days, in local time`() {
    // The 20th is a Friday.
    let cases: [(SuggestedWindow, hours: Int64, clock: String, day: Int, isOpen: Bool)] = [
      (Self.window("07:00", "09:00"), 0, "06:59:59", 20, false),
      (Self.window("07:00", "09:00"), 0, "07:00:00", 20, true),
      (Self.window("07:00", "09:00"), 0, "08:59:59", 20, true),
      (Self.window("07:00", "09:00"), 0, "09:00:00", 20, false),
      (Self.window("07:00", "09:00"), 2, "06:00:00", 20, true),
      (Self.window("07:00", "09:00"), -5, "08:00:00", 20, false),
      (Self.window("22:00", "02:00"), 0, "01:59:00", 20, true),
      (Self.window("22:00", "02:00"), 0, "02:00:00", 20, false),
      (Self.window("22:00", "24:00"), 0, "23:59:59", 20, true),
      (Self.window("07:00", "09:00", .default, .workdays), 0, "08:00:00", 20, true),
      (Self.window("07:00", "09:00", .default, .workdays), 0, "08:00:00", 21, false),
      (Self.window("07:00", "09:00", .default, .daysOff), 0, "08:00:00", 21, true),
      (Self.window("07:00", "09:00", .default, .weekdays([4])), 0, "08:00:00", 20, true),
      (Self.window("07:00", "09:00", .default, .weekdays([5])), 0, "08:00:00", 20, false),
      // Friday's night lasts into Saturday; a window on Fridays does not include Thursday's night.
      (Self.window("22:00", "02:00", .default, .weekdays([4])), 0, "01:00:00", 21, true),
      (Self.window("22:00", "02:00", .default, .weekdays([4])), 0, "01:00:00", 20, false),
    ]
    for (window, hours, clock, day, isOpen) in cases {
      let open = window.open(at: Self.date(clock, day: day), Self.calendar(hours: hours))
      #expect((open != nil) == isOpen, "\(window.span) at \(clock) of the \(day)th, \(hours)")
      if let open { #expect(open.covers(Self.date(clock, day: day))) }
    }
  }

  @Test func `the next opening is the first one after the moment`() {
    func next(_ window: SuggestedWindow, _ clock: String, hours: Int64 = 0) -> WallTime? {
      window.nextOpening(after: Self.date(clock), Self.calendar(hours: hours))
    }
    #expect(next(Self.window("07:00", "09:00"), "06:00:00") == Self.date("07:00:00"))
    #expect(next(Self.window("07:00", "09:00"), "07:00:00") == Self.date("07:00:00", day: 21))
    #expect(
      next(Self.window("07:00", "09:00"), "06:00:00", hours: 2) == Self.date("05:00:00", day: 21))
    let workdays = Self.window("07:00", "09:00", .default, .workdays)
    #expect(next(workdays, "08:00:00") == Self.date("07:00:00", day: 23))
    let friday = Self.window("07:00", "09:00", .default, .weekdays([4]))
    #expect(next(friday, "08:00:00") == Self.date("07:00:00", day: 27))
    let once = SuggestedWindow(
      span: .once(from: Self.date("10:00:00"), to: Self.date("11:00:00")))
    #expect(next(once, "08:00:00") == Self.date("10:00:00"))
    #expect(next(once, "10:00:00") == nil)
    #expect(once.open(at: Self.date("10:30:00"), Self.calendar())?.to == Self.date("11:00:00"))
    #expect(once.open(at: Self.date("11:00:00"), Self.calendar()) == nil)
  }

  // MARK: The engine

  @Test func `a widget is suggested from the beginning of its window to its end, and runs once`()
    throws
  {
    var driver = EngineDriver(kinds: [Self.kind("sun", Self.window("08:30", "10:00", city: "Oslo"))]
    )
    #expect(suggested(driver) == nil)
    // Without an event and without a surface, the engine wakes by itself.
    #expect(driver.pass(1_799) == [])
    #expect(
      driver.pass(1) == ["08:30:00 run #1 sun", "08:30:00 changed suggestion:sun"])
    #expect(suggested(driver) == "sun Oslo")
    _ = driver.answer(1, Self.shows)
    #expect(driver.pass(5_399) == [])
    #expect(driver.pass(1) == ["10:00:00 removed suggestion:sun"])
    #expect(suggested(driver) == nil)
    // The window opens again on the next day.
    #expect(driver.pass(81_000).count == 2)
    #expect(suggested(driver) == "sun Oslo")
  }

  @Test func `it stands above widgets without claims, and a sentence says why`() throws {
    var driver = EngineDriver(kinds: [
      EngineDriver.kind("clock"),
      Self.kind("sun", Self.window("08:30", "10:00", .scheduled, city: "Oslo")),
    ])
    _ = try driver.place("clock")
    _ = driver.pass(1_800)
    _ = driver.answer(2, Self.shows)
    let places = driver.engine.ranking(families: nil, at: driver.now.wall)
    #expect(places.map(\.id) == ["suggestion:sun", "clock"])
    #expect(places[0].score == 2)
    #expect(
      driver.engine.sentence(for: places[0], at: driver.now.wall)
        == "its provider says it is scheduled until 10:00")
  }

  @Test
  func `asked for another moment, a suggestion has the windows of then and a placed widget none`()
    throws
  {
    var driver = EngineDriver(kinds: [
      Self.kind("rain", Self.window("08:00", "09:00", .scheduled, city: "Rome")),
      Self.kind(
        "sun", Self.window("08:00", "10:00", city: "Oslo"),
        Self.window("20:00", "21:00", .scheduled, city: "Oslo"),
        Self.window("22:00", "23:00", city: "Lima")),
    ])
    // Placing accepts the suggestion, and the next one is suggested.
    _ = try driver.place("rain", EngineDriver.city("Rome"))
    for _ in 0..<3 {
      for token in driver.engine.runningTokens { _ = driver.answer(token.number, Self.shows) }
    }
    #expect(suggested(driver) == nil)
    _ = driver.setClock(by: 0)
    for token in driver.engine.runningTokens { _ = driver.answer(token.number, Self.shows) }
    _ = driver.stack()
    let placed = "rain: nothing speaks for or against it: it keeps its place"
    let silent = "suggestion:sun: nothing speaks for or against it: it keeps its place"
    let cases: [(clock: String, day: Int, order: [String])] = [
      ("08:30:00", 20, ["suggestion:sun: its provider says it is relevant until 10:00", placed]),
      ("12:00:00", 20, [placed, silent]),
      ("20:30:00", 20, ["suggestion:sun: its provider says it is scheduled until 21:00", placed]),
      // At that time another window is open.
      ("22:30:00", 20, [placed, silent]),
      ("09:00:00", 21, ["suggestion:sun: its provider says it is relevant until 10:00", placed]),
      ("21:00:00", 21, [placed, silent]),
      ("20:59:00", 30, ["suggestion:sun: its provider says it is scheduled until 21:00", placed]),
    ]
    for (clock, day, expected) in cases {
      let found = order(driver, at: Self.date(clock, day: day))
      #expect(found == expected, "\(clock) of the \(day)th")
    }
    // Another time zone moves the windows.
    _ = driver.setZone(hours: 1)
    #expect(
      order(driver, at: Self.date("19:30:00"))[0].contains("it is scheduled until 21:00"))
  }

  @Test
  func `a suggestion is removed when its window is over in another zone, or no longer declared`()
    throws
  {
    let sun = Self.kind("sun", Self.window("08:00", "10:00", city: "Oslo"))
    var driver = EngineDriver(kinds: [sun])
    _ = driver.pass(1)
    _ = driver.answer(1, Self.shows)
    #expect(suggested(driver) == "sun Oslo")
    _ = driver.setZone(hours: 3)
    _ = driver.pass(1)
    #expect(suggested(driver) == nil)
    _ = driver.setZone(hours: 0)
    _ = driver.pass(1)
    #expect(suggested(driver) == "sun Oslo")
    _ = driver.transcript { engine, now, output in
      engine.setKinds([Self.kind("sun")], at: now, into: &output)
    }
    _ = driver.pass(1)
    #expect(suggested(driver) == nil)
  }

  // MARK: With nothing to show

  @Test func `a suggestion is in the order once it has something to show`() throws {
    var driver = EngineDriver(kinds: [
      EngineDriver.kind("clock"), Self.kind("sun", Self.window("08:00", "10:00", city: "Oslo")),
    ])
    _ = try driver.place("clock")
    #expect(suggested(driver) == "sun Oslo")
    #expect(driver.engine.isWithheld("suggestion:sun"))
    #expect(!driver.engine.isWithheld("clock"))
    #expect(driver.stack() == ["clock"])
    _ = driver.answer(
      1,
      #"{"entries":[{"date":"2026-11-20T09:00:00Z","content":{"text":"light"}}],"policy":"never"}"#)
    #expect(driver.stack() == ["clock"])
    _ = driver.pass(3_599)
    #expect(driver.stack() == ["clock"])
    #expect(driver.pass(1) == ["09:00:00 changed suggestion:sun"])
    #expect(!driver.engine.isWithheld("suggestion:sun"))
    #expect(driver.stack() == ["suggestion:sun", "clock"])
  }

  @Test func `a suggestion without an entry makes room, and is tried again after ten minutes`()
    throws
  {
    var driver = EngineDriver(kinds: [
      Self.kind("sun", Self.window("08:00", "09:00", .scheduled, city: "Oslo")),
      Self.kind("rain", Self.window("08:00", "10:00", city: "Rome")),
    ])
    _ = driver.fail(1, .exited(code: 1))
    #expect(suggested(driver) == "rain Rome")
    // An answer without entries gives nothing to show, either.
    _ = driver.answer(2)
    #expect(suggested(driver) == nil)
    #expect(driver.stack() == [])
    #expect(driver.pass(599) == [])
    #expect(driver.pass(1).first == "08:10:00 run #3 sun")
    _ = driver.answer(3, Self.shows)
    #expect(driver.stack() == ["suggestion:sun"])
    // The shown entry stays, whatever the next run's outcome.
    _ = try driver.reload("suggestion:sun", .reload)
    _ = driver.fail(4, .exited(code: 1))
    #expect(driver.stack() == ["suggestion:sun"])
  }

  @Test func `a widget that the person asked for is shown with its error`() throws {
    let kind = Self.kind("sun")
    var driver = EngineDriver(kinds: [kind])
    _ = try driver.suggest(kind, EngineDriver.city("Oslo"))
    #expect(driver.stack() == ["suggestion:sun"])
    _ = driver.fail(1, .exited(code: 1))
    #expect(driver.stack() == ["suggestion:sun"])
    #expect(!driver.engine.isWithheld("suggestion:sun"))
    #expect(driver.view("suggestion:sun")["error"] != nil)
  }

  @Test func `a kind in quarantine suggests nothing`() throws {
    var driver = EngineDriver(kinds: [Self.kind("sun", Self.window("08:00", "12:00", city: "Oslo"))]
    )
    var runs = 0
    while let token = driver.engine.runningTokens.first, runs < 20 {
      runs += 1
      _ = driver.fail(token.number, .exited(code: 1))
      _ = driver.pass(600)
    }
    #expect(runs == Limits.failuresToQuarantine)
    #expect(suggested(driver) == nil)
    _ = driver.pass(3_600)
    #expect(suggested(driver) == "sun Oslo")
  }

  @Test func `a placed widget is not suggested, and placing a suggestion accepts it`() throws {
    let kind = Self.kind("sun", Self.window("08:30", "10:00", city: "Oslo"))
    var driver = EngineDriver(kinds: [kind])
    _ = try driver.place("sun", EngineDriver.city("Oslo"))
    _ = driver.pass(7_200)
    #expect(suggested(driver) == nil)
    driver = EngineDriver(kinds: [kind])
    _ = try driver.place("sun", EngineDriver.city("Rome"))
    _ = driver.pass(1_800)
    #expect(suggested(driver) == "sun Oslo")
    _ = try driver.place("sun", id: "mine", EngineDriver.city("Oslo"))
    #expect(suggested(driver) == nil)
    _ = driver.pass(3_600)
    #expect(suggested(driver) == nil)
  }

  @Test func `of several windows the strongest is suggested, and then the next`() throws {
    var driver = EngineDriver(kinds: [
      Self.kind("a", Self.window("08:00", "12:00", .informational, city: "A")),
      Self.kind("b", Self.window("08:00", "09:00", .scheduled, city: "B")),
      Self.kind(
        "c", Self.window("08:00", "10:00", city: "C"), Self.window("08:00", "10:00", city: "D")),
    ])
    #expect(suggested(driver) == "b B")
    _ = driver.pass(3_600)
    #expect(suggested(driver) == "c C")
    _ = driver.pass(3_600)
    #expect(suggested(driver) == "a A")
    _ = driver.pass(7_200)
    #expect(suggested(driver) == nil)
  }

  @Test func `a dismissed suggestion stays away for a day, then two, then four`() throws {
    var driver = EngineDriver(kinds: [Self.kind("sun", Self.window("08:00", "09:00", city: "Oslo"))]
    )
    var days: [Int] = []
    for day in 0..<40 {
      // Check once a day, each time a minute later, so that a pause of whole days is over.
      if suggested(driver) != nil {
        days.append(day)
        _ = try driver.dismiss("suggestion:sun")
        #expect(suggested(driver) == nil)
      }
      _ = driver.pass(86_400 + 60)
    }
    #expect(days == [0, 1, 3, 7, 15, 31])
    // The dismissals were learned; forgetting undoes them.
    let bias = driver.engine.stackModel.donations.count
    #expect(bias == 6)
    var output = EngineOutput()
    _ = driver.engine.forgetDonations({ _ in true }, at: driver.now.wall, into: &output)
    _ = driver.setClock(by: 0)
    driver.advance(to: Self.date("08:00:00", day: 20).advanced(bySeconds: 60 * 86_400))
    _ = driver.setClock(by: 0)
    #expect(suggested(driver) == "sun Oslo")
  }

  @Test func `a use ends the pause of a dismissed suggestion`() throws {
    var driver = EngineDriver(kinds: [Self.kind("sun", Self.window("08:00", "09:00", city: "Oslo"))]
    )
    for _ in 0..<3 {
      _ = try driver.dismiss("suggestion:sun")
      var output = EngineOutput()
      driver.engine.donate(
        .intent, kind: "sun", configuration: EngineDriver.city("Oslo"), at: driver.now.wall,
        into: &output)
      _ = driver.pass(86_400)
      #expect(suggested(driver) == "sun Oslo")
    }
  }

  @Test func `using a suggestion keeps it for an hour at least`() throws {
    var driver = EngineDriver(kinds: [Self.kind("sun", Self.window("08:00", "09:00", city: "Oslo"))]
    )
    _ = driver.answer(1, Self.shows)
    _ = driver.pass(600)
    driver.act(.tap, "suggestion:sun")
    _ = driver.pass(2_999)
    #expect(suggested(driver) == "sun Oslo")
    _ = driver.pass(1)
    #expect(suggested(driver) == "sun Oslo")
    // The window is over, and so is its claim.
    let places = driver.engine.ranking(families: nil, at: driver.now.wall)
    #expect(places[0].value(.relevance) == 0)
    _ = driver.pass(600)
    #expect(suggested(driver) == nil)
  }

  @Test func `another zone, a clock that was set and other manifests move the windows`() throws {
    var driver = EngineDriver(kinds: [Self.kind("sun", Self.window("18:00", "19:00", city: "Oslo"))]
    )
    #expect(suggested(driver) == nil)
    _ = driver.setZone(hours: 10)
    #expect(suggested(driver) == "sun Oslo")
    _ = driver.setClock(by: -3_600)
    #expect(suggested(driver) == nil)
    _ = driver.setClock(by: 3_600)
    #expect(suggested(driver) == "sun Oslo")
    _ = driver.setKinds([])
    #expect(suggested(driver) == nil)
    #expect(driver.engine.nextDeadline(at: driver.now).map { $0 > driver.now.monotonic } ?? true)
    _ = driver.setKinds([Self.kind("sun", Self.window("17:00", "23:00", city: "Rome"))])
    #expect(suggested(driver) == "sun Rome")
  }

  @Test func `habits come before windows, and private mode has windows alone`() throws {
    let kinds = [
      EngineDriver.kind("clock"), EngineDriver.kind("mail"),
      Self.kind("sun", Self.window("09:00", "10:00", city: "Oslo")),
    ]
    for isPrivate in [false, true] {
      var driver = EngineDriver(kinds: kinds)
      _ = try driver.place("clock")
      var output = EngineOutput()
      for _ in 0..<8 {
        driver.engine.donate(
          .intent, kind: "mail", configuration: .none, at: driver.now.wall, into: &output)
        _ = driver.pass(60)
      }
      driver.engine.setPrivate(isPrivate, at: driver.now.wall, into: &output)
      _ = driver.pass(3_600)
      #expect(suggested(driver) == (isPrivate ? "sun Oslo" : "mail "))
    }
  }

  @Test func `a habit takes the place of a window's suggestion, once`() throws {
    var driver = EngineDriver(kinds: [
      Self.kind("sun", Self.window("08:00", "20:00", city: "Oslo")),
      EngineDriver.kind("weather", intent: "ShowWeather"),
    ])
    _ = driver.pass(1)
    _ = driver.answer(1, Self.shows)
    #expect(suggested(driver) == "sun Oslo")
    for _ in 1...4 {
      _ = driver.transcript { engine, now, output in
        engine.donate(
          .intent, kind: "weather", configuration: EngineDriver.city("Rome"), at: now, into: &output
        )
        engine.proposeSuggestion(at: now, into: &output)
      }
    }
    #expect(suggested(driver) == "weather Rome")
    let placedAt = driver.engine.widgets["suggestion:weather"]?.placedAt
    _ = driver.pass(7_200)
    #expect(suggested(driver) == "weather Rome")
    #expect(driver.engine.widgets["suggestion:weather"]?.placedAt == placedAt)
  }

  @Test func `a provider that lost its weight suggests nothing`() throws {
    // The window is open all day, and the person uses the clock instead.
    var driver = EngineDriver(kinds: [
      EngineDriver.kind("clock"),
      Self.kind(
        "sun", Self.window("00:00", "12:00", .scheduled, city: "Oslo"),
        Self.window("12:00", "24:00", .scheduled, city: "Oslo")),
    ])
    _ = try driver.place("clock")
    var days = 0
    while suggested(driver) != nil, days < 60 {
      days += 1
      for _ in 0..<3 {
        for token in driver.engine.runningTokens { _ = driver.answer(token.number, Self.shows) }
        _ = driver.stack()
        driver.act(.tap, "clock")
        _ = driver.pass(3_600)
      }
      _ = driver.pass(75_600)
    }
    #expect((3..<30).contains(days), "\(days)")
    #expect(driver.engine.stackModel.claimWeights.weight(of: "sun") < Limits.suggestionWeightMin)
  }

  @Test func `the purpose of a suggestion is kept with it`() throws {
    var driver = EngineDriver(kinds: [Self.kind("sun", Self.window("08:00", "09:00", city: "Oslo"))]
    )
    let widget = try #require(driver.engine.widgets["suggestion:sun"])
    #expect(widget.window == RelevantWindow(from: Self.date("08:00:00"), to: Self.date("09:00:00")))
    #expect(
      Widget(id: widget.id, record: try JSONValue(parsing: widget.record.serialized)) == widget)
    // With another configuration it is another suggestion.
    _ = try driver.configure("suggestion:sun", EngineDriver.city("Rome"))
    #expect(driver.engine.widgets["suggestion:sun"]?.window == nil)
  }

  // MARK: Random events

  @Test(arguments: Array(1...12) as [UInt64])
  func `in any order of events, one window at most suggests, in its time, and orders are complete`(
    _ seed: UInt64
  ) throws {
    var random = Random(state: seed)
    let cities = ["Rome", "Oslo", "Lima"]
    let kinds = ["a", "b", "c"].map { name in
      Self.kind(
        name, Self.window("08:00", "09:00", .scheduled, city: cities[Int(random.next() % 3)]),
        Self.window("08:30", "12:30", city: cities[Int(random.next() % 3)]),
        Self.window(
          "20:00", "02:00", .informational, .workdays, city: cities[Int(random.next() % 3)]))
    }
    var driver = EngineDriver(kinds: kinds)
    func pick(_ count: UInt64) -> Int { Int(random.next() % count) }
    var seen = 0
    for _ in 0..<300 {
      let ids = driver.engine.order
      let id = ids.isEmpty ? nil : ids[pick(UInt64(ids.count))]
      let token = driver.engine.runningTokens.first?.number ?? 0
      let now = driver.now.wall
      switch pick(12) {
      case 0:
        let kind = kinds[pick(3)].kind
        if ids.count < 8, driver.engine.kinds[kind] != nil {
          _ = try driver.place(kind, EngineDriver.city(cities[pick(3)]))
        }
      case 1: if let id { _ = try driver.remove(id) }
      case 2: if let id { _ = try driver.dismiss(id) }
      case 3: if let id { driver.act([.tap, .intent][pick(2)], id, promotes: pick(3) == 0) }
      case 4, 5:
        let from = now.advanced(bySeconds: Int64(pick(7_200)) - 3_600)
        let window = RelevantWindow(
          from: from, to: from.advanced(bySeconds: Int64(pick(7_200)) + 1),
          kind: RelevanceKind.allCases[pick(3)])
        let score = [nil, 0, Double(pick(100))][pick(3)]
        if let id { _ = try driver.push(id, Self.answer(window, score: score, at: now)) }
      case 6:
        switch pick(3) {
        case 0: _ = driver.answer(token)
        case 1: _ = driver.answer(token, Self.shows)
        default: _ = driver.fail(token, .exited(code: 1))
        }
      case 7: _ = driver.setClock(by: Int64(pick(20_000)) - 10_000)
      case 8: _ = driver.setZone(hours: Int64(pick(24)) - 12)
      case 9: _ = driver.setKinds(kinds.filter { _ in pick(4) > 0 })
      default: _ = driver.pass(Int64(pick(7_200)))
      }
      // The driver compares the remembered rows of an order with computed ones.
      #expect(driver.stack().count <= driver.engine.order.count)
      let suggestions = driver.engine.widgets.values.filter(\.isSuggestion)
      #expect(suggestions.count <= 1, "seed \(seed)")
      if let window = suggestions.first?.window {
        seen += 1
        #expect(window.from <= driver.now.wall, "seed \(seed)")
      }
    }
    #expect(seen > 10, "seed \(seed)")
  }

  private static func answer(_ window: RelevantWindow, score: Double?, at now: WallTime) -> String {
    var entry: JSONObject = ["date": .string(now.rfc3339), "content": [:]]
    if let score { entry["relevance"] = ["score": .double(score), "duration": 1_800] }
    let value: JSONValue = [
      "entries": [.object(entry)], "relevance": [window.json], "policy": "never",
    ]
    return value.serialized
  }
}
