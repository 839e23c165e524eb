import Documents
import IntentRouter
import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// Tests the questions of intents and the answers that complete them.
@Suite struct QuestionTests {
  @Test func `a missing value is asked for, and the answer completes the intent`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let asked = try harness.call("intent.send", ["intent": "ShowWeather"], from: client)
    let need = try #require(asked["needs"])
    #expect(need["reason"] == "value")
    #expect(need["parameter"] == "city")
    #expect(harness.daemon.engine.widgets.isEmpty, "nothing is done before")
    let token = try #require(need["token"])
    let done = try harness.call("intent.send", ["resume": token, "choice": "rome"], from: client)
    #expect(done["intent"]?["parameters"]?["city"] == "Rome")
    #expect(done["widgets"]?.arrayValue?.count == 1)
    #expect(
      try harness.refusal("intent.send", ["resume": token, "choice": "rome"], from: client)
        == "-32602", "an answered question is gone")
  }

  @Test func `a wrong answer leaves the question open`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let asked = try harness.call("intent.send", ["intent": "ShowWeather"], from: client)
    let token = try #require(asked["needs"]?["token"])
    #expect(
      try harness.refusal("intent.send", ["resume": token, "choice": 7], from: client)
        == "-32012 invalidParameter")
    let done = try harness.call("intent.send", ["resume": token, "choice": "Rome"], from: client)
    #expect(done["intent"]?["name"] == "ShowWeather")
  }

  @Test func `a sender that asks for it hears of a slip, and the question stays open`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let asked = try harness.call("intent.send", ["intent": "ShowWeather"], from: client)
    #expect(asked["needs"]?["type"] == "string")
    let token = try #require(asked["needs"]?["token"])
    let slip = try harness.call(
      "intent.send", ["resume": token, "choice": "Bejing", "ask": true], from: client)
    #expect(
      slip["data"]
        == ["name": "invalidParameter", "suggestions": ["Beijing"], "meant": "Beijing"],
      "\(slip.serialized)")
    // A city that is near to none, and the same answer without `ask`, are taken as they are.
    for (choice, isAsked) in [("Timbuktu", true), ("Bejing", false)] as [(String, Bool)] {
      let again = try harness.call("intent.send", ["intent": "ShowWeather"], from: client)
      let done = try harness.call(
        "intent.send",
        [
          "resume": try #require(again["needs"]?["token"]), "choice": .string(choice),
          "ask": .bool(isAsked),
        ], from: client)
      #expect(done["intent"]?["parameters"]?["city"]?.stringValue == choice)
    }
    let done = try harness.call(
      "intent.send", ["resume": token, "choice": "beijing", "ask": true], from: client)
    #expect(done["intent"]?["parameters"]?["city"] == "Beijing")
  }

  @Test func `a question is forgotten after five minutes, and the oldest when there are too many`()
    throws
  {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    func ask(_ harness: inout Harness) throws -> JSONValue {
      try #require(
        try harness.call("intent.send", ["intent": "ShowWeather"], from: client)["needs"]?["token"])
    }
    let first = try ask(&harness)
    harness.pass(299)
    let second = try ask(&harness)
    harness.pass(2)
    #expect(
      try harness.refusal("intent.send", ["resume": first, "choice": "Rome"], from: client)
        == "-32602")
    for _ in 0..<DaemonCore.Limits.pendingQuestionCountMax { _ = try ask(&harness) }
    #expect(harness.daemon.questions.count == DaemonCore.Limits.pendingQuestionCountMax)
    #expect(
      try harness.refusal("intent.send", ["resume": second, "choice": "Rome"], from: client)
        == "-32602")
  }

  @Test func `two commands of one sentence are both done and both answered`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let answer = try harness.call(
      "intent.send", ["text": "show weather for Beijing and the agenda"], from: client)
    let names = answer["intents"]?.arrayValue?.compactMap { $0["intent"]?["name"]?.stringValue }
    #expect(names == ["ShowWeather", "ShowAgenda"])
    let history = try harness.call("daemon.history", from: client).serialized
    #expect(history.contains("ShowWeather") && history.contains("ShowAgenda"))
    let dry = try harness.call(
      "intent.recognize", ["text": "show weather for Beijing and the agenda"], from: client)
    #expect(dry["matched"] == false, "a dry run is of one sentence")
  }

  @Test func `the routing decision says where an intent goes, and why`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    func routing(_ harness: inout Harness) throws -> JSONValue? {
      try harness.call("intent.recognize", ["text": "weather in Rome"], from: client)["routing"]
    }
    let before = try #require(try routing(&harness))
    #expect(before["suggestion"] == "org.example.weather")
    #expect(
      before["why"] == "no widget is configured so; one of org.example.weather is suggested")
    try harness.call(
      "widget.add", ["kind": "org.example.weather", "parameters": ["city": "Rome"]], from: client)
    let after = try #require(try routing(&harness))
    #expect(after["widgets"] == ["weather"])
    #expect(after["why"] == "1 widget is configured exactly so")
    #expect(after["suggestion"]?.isNull == true)
  }

  @Test func `a sentence with one wrong name is refused with that name`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let dry = try harness.call(
      "intent.recognize", ["text": "when does the sun rise in Bejing"], from: client)
    #expect(dry["matched"] == false)
    #expect(dry["misunderstood"]?["nearest"] == "Beijing", "\(dry.serialized)")
  }

  @Test(
    arguments: [
      // The words of a template are no city, even if another template has its gap there.
      ("what is the weather", nil, nil), ("show clock", nil, nil),
      ("show me the weather", nil, nil),
      ("weather in Pariss", "Pariss", "Paris"),
      ("what is the weather in Parris today", "Parris", "Paris"),
      ("show weather of Lodnon now", "Lodnon", "London"),
    ] as [(String, String?, String?)])
  func `only the words that stand for a value are taken for one`(
    _ sentence: String, _ text: String?, _ nearest: String?
  ) throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let dry = try harness.call("intent.recognize", ["text": .string(sentence)], from: client)
    #expect(dry["misunderstood"]?["text"]?.stringValue == text, "\(dry.serialized)")
    #expect(dry["misunderstood"]?["nearest"]?.stringValue == nearest)
  }

  @Test func `a sentence uses the context that comes with it`() throws {
    func source(_ kind: CatalogSource.Kind, _ file: String, _ text: String) -> CatalogSource {
      CatalogSource(
        file: file, document: readYAML(text, file: file).value ?? LocatedValue(.null, line: 1),
        kind: kind)
    }
    let room = source(
      .intent, "ShowRoom/intent.yaml", "{name: ShowRoom, parameters: [{name: room}]}")
    let sentences = source(
      .sentences, "ShowRoom/en.yaml",
      """
      language: en
      intents:
        ShowRoom:
          data:
            - sentences: [what is it like here]
              requires_context: {room: {slot: true}}
              excludes_context: {muted: true}
      """)
    var harness = Harness(
      files: ConfigurationFiles(catalog: [room, sentences], manifests: []),
      provider: Harness.texts)
    let client = harness.connect()
    func recognized(_ context: JSONValue?, _ harness: inout Harness) throws -> JSONValue {
      var params: JSONObject = ["text": "What is it like here?"]
      params["context"] = context
      return try harness.call("intent.recognize", .object(params), from: client)
    }
    #expect(
      try recognized(["room": "attic"], &harness)["intent"]?["parameters"] == ["room": "attic"])
    #expect(try recognized(nil, &harness)["matched"] == false)
    #expect(try recognized(["room": "attic", "muted": true], &harness)["matched"] == false)
    let sent = try harness.call(
      "intent.send", ["text": "what is it like here", "context": ["room": "hall"]], from: client)
    #expect(sent["intent"]?["parameters"]?["room"] == "hall")
    #expect(try recognized(["room": ["hall"]], &harness)["code"] == -32602)
    let many = JSONObject((0..<33).map { .init(key: "k\($0)", value: 1) })
    #expect(try recognized(.object(many), &harness)["code"] == -32602)
  }
}
