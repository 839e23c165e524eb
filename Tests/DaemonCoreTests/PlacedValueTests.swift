import Documents
import IntentRouter
import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// Tests what a sentence that leaves something out takes from the placed widgets, and what is asked
/// when a widget is placed.
@Suite struct PlacedValueTests {
  private func place(
    _ city: String, _ harness: inout Harness, _ client: ConnectionID,
    family: String = "systemSmall"
  ) throws {
    try harness.call(
      "widget.add",
      [
        "kind": "org.example.weather", "family": .string(family),
        "parameters": ["city": .string(city)],
      ], from: client)
  }

  @Test func `the only placed value is taken, and the answer says of which widget`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try place("Rome", &harness, client)
    // The same city in another family is the same value.
    try place("Rome", &harness, client, family: "systemMedium")
    let dry = try harness.call("intent.recognize", ["text": "weather"], from: client)
    #expect(
      dry.serialized
        == #"{"matched":true,"intent":{"name":"ShowWeather","parameters":{"city":"Rome"}},"fromWidgets":{"city":"weather"},"widgets":["weather","weather-2"],"language":"en","template":"[<show>] <weather> [<now>]"}"#
    )
    let sent = try harness.call("intent.send", ["text": "weather"], from: client)
    #expect(sent["intent"]?["parameters"]?["city"] == "Rome")
    #expect(sent["fromWidgets"] == ["city": "weather"])
    #expect(sent["widgets"]?.arrayValue?.count == 2)
    #expect(sent["language"] == "en")
    // A direct call takes no value from widgets.
    let called = try harness.call("intent.send", ["intent": "ShowWeather"], from: client)
    #expect(called["needs"]?["parameter"] == "city")
  }

  @Test func `two placed values become a question, with the first values of the list`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try place("Rome", &harness, client)
    try place("Oslo", &harness, client)
    // A suggestion is no widget that the person placed.
    try harness.call("intent.send", ["text": "weather in Lima"], from: client)
    for method in ["intent.recognize", "intent.send"] {
      let asked = try harness.call(method, ["text": "show weather"], from: client)
      let need = try #require(asked["needs"])
      #expect(need["reason"] == "value")
      #expect(need["prompt"] == "Which city?")
      #expect(
        need["choices"]?.arrayValue?.compactMap { $0["title"]?.stringValue } == ["Rome", "Oslo"])
      #expect(need["otherValues"] == true)
      #expect(need["values"]?.arrayValue?.first == "Beijing")
      #expect(need["valueCount"]?.intValue ?? 0 > 100)
      guard method == "intent.send" else { continue }
      let token = try #require(need["token"])
      let done = try harness.call("intent.send", ["resume": token, "choice": "2"], from: client)
      #expect(done["intent"]?["parameters"]?["city"] == "Oslo")
    }
  }

  @Test func `the known values of a sentence choose among the widgets`() throws {
    func source(_ text: String, _ kind: CatalogSource.Kind, _ file: String) -> CatalogSource {
      CatalogSource(
        file: file, document: readYAML(text, file: file).value ?? LocatedValue(.null, line: 1),
        kind: kind)
    }
    let files = ConfigurationFiles(
      catalog: [
        source(
          """
          name: ShowTram
          parameters:
            - {name: stop, list: stops, required: true}
            - {name: line, type: integer, required: true}
          """, .intent, "ShowTram/intent.yaml"),
        source(
          """
          language: en
          intents:
            ShowTram:
              data:
                - sentences: ["trams [at {stops:stop}]"]
          lists: {stops: {values: [Square, Station]}}
          """, .sentences, "ShowTram/en.yaml"),
        source("lists: {stops: {values: [Square, Station]}}", .list, "lists/stops.yaml"),
      ],
      manifests: [
        Harness.manifest(
          "tram.yaml",
          """
          kind: tram
          name: Tram
          families: [systemSmall]
          intent: ShowTram
          provider: {exec: [./tram]}
          """)
      ])
    var harness = Harness(files: files, provider: Harness.texts)
    let client = harness.connect()
    for (stop, line) in [("Square", 3), ("Station", 7), ("Station", 8)] as [(JSONValue, JSONValue)]
    {
      try harness.call(
        "widget.add", ["kind": "tram", "parameters": ["stop": stop, "line": line]], from: client)
    }
    let square = try harness.call("intent.send", ["text": "trams at Square"], from: client)
    #expect(square["intent"]?["parameters"] == ["line": 3, "stop": "Square"])
    let station = try harness.call("intent.send", ["text": "trams at Station"], from: client)
    #expect(station["needs"]?["parameter"] == "line")
    #expect(station["needs"]?["choices"] == nil, "numbers would be taken for places in the list")
    let token = try #require(station["needs"]?["token"])
    let done = try harness.call("intent.send", ["resume": token, "choice": 8], from: client)
    #expect(done["intent"]?["parameters"] == ["line": 8, "stop": "Station"])
  }

  @Test func `a widget is placed or changed after a question, if the client can ask`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    #expect(
      try harness.refusal("widget.add", ["kind": "org.example.weather"], from: client)
        == "-32012 invalidParameter", "without 'ask' nothing is asked")
    let asked = try harness.call(
      "widget.add", ["kind": "org.example.weather", "id": "home", "ask": true], from: client)
    let token = try #require(asked["needs"]?["token"])
    #expect(harness.daemon.engine.widgets.isEmpty)
    #expect(
      try harness.refusal("intent.send", ["resume": token, "choice": 7], from: client)
        == "-32012 invalidParameter", "a wrong answer leaves the question open")
    let placed = try harness.call("intent.send", ["resume": token, "choice": "rome"], from: client)
    #expect(placed["widget"]?["id"] == "home")
    #expect(placed["widget"]?["intent"]?["parameters"]?["city"] == "Rome")
    #expect(placed["receipt"]?["cause"] == "placed")

    let complete = try harness.call(
      "widget.configure", ["id": "home", "parameters": ["city": "oslo"], "ask": true], from: client)
    #expect(complete["widget"]?["intent"]?["parameters"]?["city"] == "Oslo")
    let open = try harness.call(
      "widget.configure", ["id": "home", "parameters": [:], "ask": true], from: client)
    let again = try #require(open["needs"]?["token"])
    let changed = try harness.call("intent.send", ["resume": again, "choice": 1], from: client)
    #expect(changed["widget"]?["intent"]?["parameters"]?["city"] == "Oslo", "its own city is first")
    let clock = try harness.call(
      "widget.add", ["kind": "org.example.clock", "ask": true], from: client)
    #expect(clock["widget"]?["id"] == "clock")
  }

  @Test func `an unmatched sentence with one clear reading says which`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let slip = try harness.call(
      "intent.send", ["text": "show wether for Rome", "strict": true], from: client)
    #expect(slip["data"]?["meant"] == "show weather for Rome")
    let nonsense = try harness.call("intent.send", ["text": "play some music"], from: client)
    #expect(nonsense["data"]?["meant"] == nil)
  }

  @Test func `the list of intents has examples, and what a list takes`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let intents = try harness.call("intent.list", from: client)["intents"]?.arrayValue ?? []
    let weather = try #require(intents.first { $0["name"] == "ShowWeather" })
    #expect(weather["examples"]?["en"]?.arrayValue?.count == 2)
    #expect(weather["examples"]?["zh-CN"]?.arrayValue?.count == 2)
    let city = try #require(weather["parameters"]?.arrayValue?.first)
    #expect(city["otherValues"] == true)
    #expect(city["values"]?.arrayValue?.count == IntentRouter.Limits.toldValuesMax)
    #expect(city["valueCount"]?.intValue ?? 0 > 100)
  }
}
