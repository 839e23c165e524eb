import Habits
import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests the windows in which a widget is relevant: their form and their effect in the stack.
@Suite struct RelevantWindowTests {
  private static func date(_ clock: String) -> WallTime {
    WallTime(rfc3339: "2026-11-20T\(clock)Z") ?? WallTime(milliseconds: .min)
  }

  private static func window(
    _ from: String, _ to: String, _ kind: RelevanceKind = .default
  ) -> RelevantWindow {
    RelevantWindow(from: date(from), to: date(to), kind: kind)
  }

  /// Returns a timeline with one entry that declares only `windows` and `score`.
  private static func answer(_ windows: [RelevantWindow], score: Double? = nil) -> String {
    var entry: JSONObject = ["date": "2026-11-20T00:00:00Z", "content": [:]]
    if let score { entry["relevance"] = ["score": .double(score), "duration": 864_000] }
    let value: JSONValue = [
      "entries": [.object(entry)], "relevance": .array(windows.map(\.json)), "policy": "never",
    ]
    return value.serialized
  }

  private static let nothing = answer([])

  /// Makes an engine at 08:00 with widgets `a`, `b`… of different kinds, with these answers.
  private func placed(_ answers: [String]) throws -> EngineDriver {
    let names = ["a", "b", "c", "d", "e"].prefix(answers.count)
    var driver = EngineDriver(kinds: names.map { EngineDriver.kind($0) })
    for (index, name) in names.enumerated() {
      _ = try driver.place(name)
      _ = driver.answer(UInt64(index + 1), answers[index])
    }
    return driver
  }

  /// Makes an engine with widgets `a`, `b`… of one kind, each with a configuration of its own.
  private func ofOneKind(_ answers: [String]) throws -> EngineDriver {
    let names = ["a", "b", "c", "d", "e"].prefix(answers.count)
    var driver = EngineDriver(kinds: [EngineDriver.kind("k", intent: "ShowWeather")])
    for (index, name) in names.enumerated() {
      _ = try driver.place("k", id: name, EngineDriver.city(name))
      _ = driver.answer(UInt64(index + 1), answers[index])
    }
    return driver
  }

  private func ranking(_ driver: EngineDriver) -> [String] {
    driver.engine.ranking(families: nil, at: driver.now.wall).map(\.id)
  }

  private func place(_ driver: EngineDriver, _ id: String) throws -> StackPlace {
    let places = driver.engine.ranking(families: nil, at: driver.now.wall)
    return try #require(places.first { $0.id == id })
  }

  private func relevance(_ driver: EngineDriver, _ id: String) throws -> Double {
    try place(driver, id).value(.relevance)
  }

  private func sentence(_ driver: EngineDriver, _ id: String) throws -> String {
    driver.engine.sentence(for: try place(driver, id), at: driver.now.wall)
  }

  // MARK: Reading

  @Test func `windows are read beside the entries, and written as they were`() throws {
    let text = """
      {"entries":[{"date":"2026-11-20T21:00:00Z","content":{}}],"relevance":[\
      {"from":"2026-11-20T21:00:00Z","to":"2026-11-20T22:00:00Z","kind":"informational"},\
      {"from":"2026-11-20T21:30:00Z","to":"2026-11-20T21:45:00Z","kind":"scheduled"}],"policy":"never"}
      """
    let read = try Timeline.read(JSONValue(parsing: text)).get()
    #expect(read.warnings == [])
    #expect(
      read.timeline.windows == [
        Self.window("21:00:00", "22:00:00", .informational),
        Self.window("21:30:00", "21:45:00", .scheduled),
      ])
    #expect(read.timeline.json.serialized == text)
    let unsorted = try Timeline.read(
      JSONValue(
        parsing: """
          {"entries":[],"policy":"never","relevance":[
            {"from":"2026-11-20T22:00:00Z","to":"2026-11-20T23:00:00Z"},
            {"from":"2026-11-20T21:00:00Z","to":"2026-11-20T22:00:00Z","kind":null}]}
          """)
    ).get().timeline
    #expect(
      unsorted.windows == [
        Self.window("21:00:00", "22:00:00"), Self.window("22:00:00", "23:00:00"),
      ])
  }

  @Test func `a mistake in a window is named with its path and what was expected`() throws {
    let right = #""from":"2026-11-20T21:00:00Z","to":"2026-11-20T22:00:00Z""#
    let cases: [(relevance: String, path: String, message: String)] = [
      (
        "{}", "relevance",
        #"relevance is an object; expected a list of windows such as {"from": date, "to": date, "kind": "scheduled"}"#
      ),
      (
        "[7]", "relevance[0]",
        "relevance[0] is a number; expected an object with from, to and kind"
      ),
      (
        #"[{\#(right)},{"to":"2026-11-20T22:00:00Z"}]"#, "relevance[1].from",
        "relevance[1].from is missing; expected an RFC 3339 date such as 2026-11-20T21:00:00Z"
      ),
      (
        #"[{"from":"2026-11-20T21:00:00Z","to":"10 pm"}]"#, "relevance[0].to",
        #"relevance[0].to is "10 pm"; expected an RFC 3339 date such as 2026-11-20T21:00:00Z"#
      ),
      (
        #"[{"from":"2026-11-20T21:00:00Z","to":"2026-11-20T21:00:00Z"}]"#, "relevance[0].to",
        "relevance[0].to is 2026-11-20T21:00:00Z, and its from is 2026-11-20T21:00:00Z; expected a later date"
      ),
      (
        #"[{\#(right),"kind":"schedueld"}]"#, "relevance[0].kind",
        #"relevance[0].kind is "schedueld"; did you mean 'scheduled'?; expected one of informational, default, scheduled"#
      ),
      (
        #"[{\#(right),"kind":3}]"#, "relevance[0].kind",
        "relevance[0].kind is 3; expected one of informational, default, scheduled"
      ),
    ]
    for (relevance, path, message) in cases {
      let error = #expect(throws: TimelineError.self) {
        try Timeline.read(
          JSONValue(parsing: #"{"entries":[],"relevance":\#(relevance),"policy":"never"}"#)
        ).get()
      }
      #expect(error?.path == path)
      #expect(error?.message == message)
    }
  }

  @Test func `256 windows are read, one more is not`() throws {
    func answer(_ count: Int) -> JSONValue {
      [
        "entries": [], "policy": "never",
        "relevance": .array(
          (0..<count).map { _ in Self.window("21:00:00", "22:00:00").json }),
      ]
    }
    #expect(try Timeline.read(answer(256)).get().timeline.windows.count == 256)
    let error = #expect(throws: TimelineError.self) { try Timeline.read(answer(257)).get() }
    #expect(error?.message == "the timeline has 257 relevant windows; at most 256 are allowed")
  }

  @Test func `of open windows the strongest counts, and of equal ones the longest`() {
    let timeline = Timeline(
      entries: [], policy: .never,
      windows: [
        Self.window("10:00:00", "20:00:00", .informational),
        Self.window("12:00:00", "14:00:00", .scheduled),
        Self.window("13:00:00", "15:00:00", .scheduled), Self.window("11:00:00", "16:00:00"),
      ])
    let expected: [(String, RelevanceKind?, String)] = [
      ("09:59:59", nil, ""), ("10:00:00", .informational, "20:00:00"),
      ("11:00:00", .default, "16:00:00"), ("12:00:00", .scheduled, "14:00:00"),
      ("13:00:00", .scheduled, "15:00:00"), ("14:59:59", .scheduled, "15:00:00"),
      ("15:00:00", .default, "16:00:00"), ("16:00:00", .informational, "20:00:00"),
      ("20:00:00", nil, ""),
    ]
    for (clock, kind, end) in expected {
      let open = timeline.window(at: Self.date(clock))
      #expect(open?.kind == kind, "\(clock)")
      if kind != nil { #expect(open?.to == Self.date(end), "\(clock)") }
    }
    var dates: [WallTime] = []
    var moment = Self.date("00:00:00")
    while let next = timeline.nextWindowChange(after: moment) {
      dates.append(next)
      moment = next
    }
    #expect(
      dates
        == ["10", "11", "12", "13", "14", "15", "16", "20"].map { Self.date("\($0):00:00") })
  }

  // MARK: The scale

  @Test func `within a provider the kind of a window decides, and within a kind the score`() {
    let scale = RelevanceScale(score: 100, window: .scheduled)
    func strength(_ kind: RelevanceKind?, _ score: Double?) -> Double {
      scale.strength(
        of: DeclaredRelevance(
          score: score, window: kind.map { Self.window("10:00:00", "11:00:00", $0) }))
    }
    let rising = [
      strength(nil, nil), strength(nil, 1), strength(nil, 50), strength(.informational, nil),
      strength(.informational, 99), strength(.default, nil), strength(.default, 1),
      strength(.default, 99), strength(.scheduled, nil), strength(.scheduled, 1),
      strength(.scheduled, 100),
    ]
    #expect(rising == rising.sorted())
    #expect(Set(rising).count == rising.count)
    #expect(rising.first == 0 && rising.last == 1)
    // A window never lowers a widget, whatever its score.
    for score in [1.0, 40, 100] {
      #expect(strength(.informational, score) > strength(nil, score))
    }
    // The strength has a maximum of 1, and a refusal stays one inside a window.
    #expect(strength(.scheduled, 1e300) == 1)
    #expect(strength(.scheduled, 0) == 0)
    #expect(strength(.scheduled, -5) == 0)
  }

  @Test func `a kind of window that a provider never uses takes no room on its scale`() {
    let scheduled = DeclaredRelevance(window: Self.window("10:00:00", "11:00:00", .scheduled))
    let informational = DeclaredRelevance(
      window: Self.window("10:00:00", "11:00:00", .informational))
    #expect(RelevanceScale().strength(of: DeclaredRelevance(score: 7)) == 1)
    #expect(RelevanceScale(window: .scheduled).strength(of: scheduled) == 1)
    #expect(RelevanceScale(window: .informational).strength(of: informational) == 1)
    #expect(abs(RelevanceScale(window: .scheduled).strength(of: informational) - 1.0 / 3) < 1e-12)
    #expect(RelevanceScale(score: 5, window: .scheduled).strength(of: scheduled) == 0.75)
    #expect(
      RelevanceScale(score: 5, window: .scheduled).strength(of: DeclaredRelevance(score: 5)) == 0.25
    )
  }

  // MARK: The stack

  @Test func `widgets of one kind are in the order of their windows, then of their scores`() throws
  {
    let driver = try ofOneKind([
      Self.answer([], score: 100),
      Self.answer([Self.window("07:00:00", "09:00:00", .informational)], score: 10),
      Self.answer([Self.window("07:00:00", "09:00:00")], score: 5),
      Self.answer([Self.window("07:00:00", "09:00:00")], score: 50),
      Self.answer([Self.window("07:00:00", "09:00:00", .scheduled)]),
    ])
    #expect(ranking(driver) == ["e", "d", "c", "b", "a"])
  }

  @Test func `a window lifts from its beginning to its end, and the engine wakes for both`() throws
  {
    var driver = try placed([
      Self.nothing, Self.answer([Self.window("08:10:00", "08:30:00", .scheduled)]),
    ])
    #expect(ranking(driver) == ["a", "b"])
    var woken: [(clock: String, order: [String])] = []
    let end = driver.now.wall.advanced(bySeconds: 3_600)
    while let deadline = driver.engine.nextDeadline(at: driver.now) {
      let wait = deadline.milliseconds(since: driver.now.monotonic)
      guard driver.now.wall.advanced(byMilliseconds: wait) < end else { break }
      driver.advance(to: driver.now.wall.advanced(byMilliseconds: wait))
      var output = EngineOutput()
      driver.engine.advance(at: driver.now, into: &output)
      if output.stackChanged {
        woken.append((String(driver.now.wall.rfc3339.dropFirst(11).prefix(5)), ranking(driver)))
      }
    }
    #expect(woken.map(\.clock) == ["08:10", "08:30"])
    #expect(woken.map(\.order) == [["b", "a"], ["a", "b"]])
  }

  @Test func `a plain sentence gives the provider's claim and its end`() throws {
    var driver = try placed([
      Self.answer([Self.window("08:00:00", "09:30:00", .scheduled)]),
      Self.answer([Self.window("07:00:00", "08:15:00")]),
      Self.answer([Self.window("07:00:00", "09:00:00", .informational)], score: 60),
      Self.answer([Self.window("07:00:00", "09:00:00", .scheduled)], score: -1),
    ])
    #expect(try sentence(driver, "a") == "its provider says it is scheduled until 09:30")
    #expect(try sentence(driver, "b") == "its provider says it is relevant until 08:15")
    #expect(
      try sentence(driver, "c")
        == "its provider says it is worth knowing until 09:00, and 60, of at most 60 so far, until 2026-11-30 00:00"
    )
    #expect(
      try sentence(driver, "d") == "its provider says -1: not relevant until 2026-11-30 00:00")
    #expect(ranking(driver).last == "d")
    #expect(try relevance(driver, "a") == 2)
    #expect(try relevance(driver, "c") == 2)
    // A widget with windows claims nothing outside of them.
    _ = driver.pass(1_800)
    #expect(try relevance(driver, "b") == 0)
  }

  @Test func `an answer with the same windows is unchanged, and one with others is not`() throws {
    var driver = try placed([Self.answer([Self.window("07:00:00", "09:00:00")]), Self.nothing])
    func isUnchanged(_ answer: String) throws -> Bool {
      _ = try driver.push("a", answer)
      return driver.notes.last { $0.event == "reload.done" }?.fields["unchanged"] == true
    }
    #expect(try isUnchanged(Self.answer([Self.window("07:00:00", "09:00:00")])))
    // The start of an open window, and windows that are over, make no difference.
    #expect(
      try isUnchanged(
        Self.answer([Self.window("07:30:00", "09:00:00"), Self.window("06:00:00", "08:00:00")])))
    #expect(try !isUnchanged(Self.answer([Self.window("07:00:00", "09:00:00", .scheduled)])))
    #expect(try !isUnchanged(Self.answer([Self.window("07:00:00", "09:00:01", .scheduled)])))
    #expect(try !isUnchanged(Self.nothing))
    #expect(try isUnchanged(Self.nothing))
    // An answer without entries keeps the shown entry, and its windows replace the old ones.
    let windows = try JSONValue(parsing: Self.answer([Self.window("08:00:00", "08:20:00")]))
    let bare: JSONValue = [
      "entries": [], "policy": "never", "relevance": windows["relevance"] ?? .null,
    ]
    #expect(try !isUnchanged(bare.serialized))
    #expect(ranking(driver) == ["a", "b"])
    #expect(try isUnchanged(#"{"entries":[],"policy":"never"}"#))
    #expect(try relevance(driver, "a") > 0)
    #expect(driver.engine.timelines.values.contains { $0.timeline?.entries.count == 1 })
  }

  @Test func `windows and the scale survive a restart`() throws {
    let driver = try ofOneKind([
      Self.answer([Self.window("07:00:00", "09:00:00")], score: 4),
      Self.answer([Self.window("06:00:00", "07:00:00", .scheduled)], score: 8),
    ])
    var restarted = try driver.restarted(kinds: [EngineDriver.kind("k", intent: "ShowWeather")])
    _ = restarted.resume()
    #expect(ranking(restarted) == ranking(driver))
    #expect(try relevance(restarted, "a") == relevance(driver, "a"))
    // (2 + ½) of 4.
    #expect(try relevance(driver, "a") == 1.25)
  }

  @Test func `unwatched widgets with windows reload like those with scores`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("a")], isWatched: false)
    _ = try driver.place("a")
    _ = driver.answer(
      1,
      #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{}}],"relevance":[\#(Self.window("20:00:00", "21:00:00").json.serialized)],"policy":{"after":"2026-11-20T08:10:00Z"}}"#
    )
    #expect(driver.due("a") == "09:00:00")
  }

  // MARK: Weights of claims

  @Test func `a provider that always claims a schedule loses its weight`() throws {
    let always = RelevantWindow(
      from: Self.date("00:00:00"), to: Self.date("00:00:00").advanced(bySeconds: 8_640_000),
      kind: .scheduled)
    var driver = try placed([Self.answer([always]), Self.nothing, Self.nothing])
    for _ in 0..<14 {
      let now = driver.now.wall
      let hour = RelevantWindow(from: now, to: now.advanced(bySeconds: 3_000), kind: .default)
      _ = try driver.push("b", Self.answer([hour]))
      _ = driver.stack()
      driver.act(.tap, "b")
      _ = driver.pass(3_600)
      _ = driver.stack()
      driver.act(.tap, "c")
      _ = driver.pass(23 * 3_600)
    }
    let claimWeights = driver.engine.stackModel.claimWeights
    #expect(claimWeights.weight(of: "a") < 1)
    #expect(claimWeights.weight(of: "b") > 2 * claimWeights.weight(of: "a"))
    #expect(ranking(driver).first != "a")
    #expect(try sentence(driver, "a").contains("it counts little"))
  }
}
