import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests the values that taps set on a widget.
@Suite struct WidgetValueTests {
  private static let one =
    #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"one"}}],"policy":"never"}"#
  private static let two =
    #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"two"}}],"policy":"never"}"#

  private func set(
    _ values: JSONObject, _ id: String, in driver: inout EngineDriver
  ) throws -> [String] {
    try driver.transcript { engine, now, output in
      _ = try engine.setValues(values, of: id, at: now, into: &output)
    }
  }

  private func values(of run: ProviderRun?) throws -> JSONValue? {
    try JSONValue(parsing: try #require(run).request)["values"]
  }

  @Test func `a tap sets values, which the next request has, and null takes one away`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "w")
    #expect(try values(of: driver.runs.first) == nil)
    _ = driver.answer(1, Self.one)
    let lines = try set(["rows": 6, "page": 2], "w", in: &driver)
    #expect(lines == ["run #2 clock", "changed w"])
    #expect(try values(of: driver.runs.first) == ["page": 2, "rows": 6])
    #expect(driver.text("w") == "one", "it goes on showing its entry")
    #expect(driver.answer(2, Self.two) == ["r2 done", "changed w"])
    #expect(driver.text("w") == "two")
    _ = try set(["rows": nil], "w", in: &driver)
    #expect(try values(of: driver.runs.first) == ["page": 2])
    #expect(driver.view("w")["values"] == ["page": 2])
    _ = try set(["page": nil], "w", in: &driver)
    #expect(try values(of: driver.runs.first) == nil)
    #expect(driver.view("w")["values"] == nil)
  }

  @Test func `the reload of a tap is free`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "w")
    _ = driver.answer(1, Self.one)
    let before = driver.engine.timelines.values.first?.budget.balance(at: driver.now.wall)
    for number in 1...20 {
      _ = try set(["rows": .int(Int64(number))], "w", in: &driver)
      _ = driver.answer(UInt64(number + 1), Self.one)
    }
    #expect(driver.engine.timelines.count == 1)
    #expect(driver.engine.timelines.values.first?.budget.balance(at: driver.now.wall) == before)
  }

  @Test func `widgets alike with other values have timelines of their own`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "a")
    _ = driver.answer(1, Self.one)
    _ = try driver.place("clock", id: "b")
    _ = driver.answer(2, Self.one)
    #expect(driver.engine.timelines.count == 1)
    _ = try set(["rows": 6], "a", in: &driver)
    _ = driver.answer(3, Self.two)
    #expect(driver.engine.timelines.count == 2)
    #expect(driver.text("a") == "two")
    #expect(driver.text("b") == "one")
    _ = try set(["rows": 6], "b", in: &driver)
    #expect(driver.engine.timelines.count == 1, "with the same values they are alike again")
    #expect(driver.text("b") == "two")
  }

  @Test func `values survive a restart, and go with another configuration`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("weather", intent: "ShowWeather")])
    _ = try driver.place("weather", id: "w", EngineDriver.city("Oslo"))
    _ = driver.answer(1, Self.one)
    _ = try set(["rows": 6], "w", in: &driver)
    _ = driver.answer(2, Self.two)
    var fresh = try driver.restarted(kinds: Array(driver.engine.kinds.values))
    _ = fresh.resume()
    #expect(fresh.view("w")["values"] == ["rows": 6])
    #expect(fresh.text("w") == "two")
    _ = try fresh.configure("w", family: .accessoryInline)
    #expect(fresh.view("w")["values"] == ["rows": 6])
    _ = try fresh.configure("w", EngineDriver.city("Oslo"))
    #expect(fresh.view("w")["values"] == ["rows": 6], "the same configuration keeps them")
    _ = try fresh.configure("w", EngineDriver.city("Rome"))
    #expect(fresh.view("w")["values"] == nil)
    #expect(fresh.engine.widgets["w"]?.record["values"] == nil)
  }

  @Test func `a widget that was removed comes back with its values`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "w")
    _ = driver.answer(1, Self.one)
    _ = try set(["rows": 6], "w", in: &driver)
    _ = driver.answer(2, Self.two)
    let record = try #require(driver.engine.widgets["w"]?.record)
    #expect(Widget(id: "w", record: record)?.values.json == ["rows": 6])
    #expect(Widget(id: "w", record: record)?.timelineKey == driver.engine.widgets["w"]?.timelineKey)
  }

  @Test func `more than a kilobyte together is refused, and nothing changes`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "w")
    _ = driver.answer(1, Self.one)
    // {"a":"…"} has eight bytes around its text.
    let long = JSONValue.string(String(repeating: "x", count: 1_016))
    _ = try set(["a": long], "w", in: &driver)
    let before = driver.engine.widgets["w"]
    let error = #expect(throws: WidgetError.self) {
      try set(["b": 1], "w", in: &driver)
    }
    #expect(error?.code == .tooManyValues)
    #expect(error?.message.contains("1024 bytes at most") == true, "\(error?.message ?? "")")
    #expect(driver.engine.widgets["w"] == before)
    #expect(throws: WidgetError.self) {
      try set(["a": .string(String(repeating: "x", count: 1_017))], "w", in: &driver)
    }
    _ = try set(["a": nil, "b": 1], "w", in: &driver)
    #expect(driver.view("w")["values"] == ["b": 1])
  }

  static let mistakes: [(String, String?)] = [
    (#"{"rows":6}"#, nil), (#"{"rows":null,"a":"x","b":true,"c":1.5}"#, nil),
    ("{}", "is empty"), ("[]", "is an array"), ("7", "is a number"),
    (#"{"":1}"#, "has a name of 0 characters, of 1 to 64"),
    (#"{"größe 2":1}"#, nil),
    (#"{"a\u001b[2J":1}"#, #"has a name with characters that do not show, 'a\x1B[2J'"#),
    (#"{"a\u202eb":1}"#, #"has a name with characters that do not show, 'a\u{202E}b'"#),
    (#"{"a\nb":1}"#, #"has a name with characters that do not show, 'a\x0Ab'"#),
    (#"{"a":[1]}"#, "has an array for 'a', and takes texts, numbers, true, false and null"),
    (#"{"a":{}}"#, "has an object for 'a', and takes texts, numbers, true, false and null"),
  ]

  @Test(arguments: mistakes)
  func `a set has few values, of which none holds others`(text: String, mistake: String?) throws {
    #expect(WidgetValues.mistake(in: try JSONValue(parsing: text)) == mistake)
  }

  @Test func `an item does one thing, and the review says which`() throws {
    let now = try #require(WallTime(rfc3339: "2026-11-20T08:00:00Z"))
    let text = """
      {"entries":[{"date":"2026-11-20T08:00:00Z","content":{"items":[
        {"text":"a","set":{"rows":6},"intent":{"name":"A"},"url":"a:b"},
        {"text":"b","intent":{"name":"A"},"action":{"url":"a:b"}},
        {"text":"c","set":{"rows":[]}}]}}],"policy":"never"}
      """
    let value = try JSONValue(parsing: text)
    let said = AnswerReview.warnings(
      on: value, read: try ProviderAnswer.read(value).get(), arrivedAt: now)
    #expect(
      said == [
        "entries[0].content.items[0].intent is ignored beside 'set'",
        "entries[0].content.items[0].url is ignored beside 'set'",
        "entries[0].content.items[1].action is ignored beside 'intent'",
        "entries[0].content.items[2].set is {\"rows\":[]}; expected an object of 1 to 32 values such as {\"rows\":6}, at most 1024 bytes, of texts, numbers, true, false, and null, which takes one away",
      ])
    #expect(try ItemAct.read(["text": "a", "set": ["rows": 6], "url": "a:b"]) == .set(["rows": 6]))
    #expect(
      try ItemAct.read(["text": "a", "intent": ["name": "A"]])
        == .intent(name: "A", parameters: [:]))
    #expect(try ItemAct.read(["text": "a", "set": nil, "url": "a:b"]) == nil)
    #expect(throws: ItemActError.self) { try ItemAct.read(["set": 5]) }
    #expect(throws: ItemActError.self) { try ItemAct.read(["intent": "A"]) }
    #expect(throws: ItemActError.self) { try ItemAct.read(["intent": ["name": "A", "city": "x"]]) }
  }
}
