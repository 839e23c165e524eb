import Documents
import IntentRouter
import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// Tests dynamic parameters, whose values come from the provider.
@Suite struct OptionsTests {
  private static func document(_ text: String, _ kind: CatalogSource.Kind, _ file: String)
    -> CatalogSource
  {
    CatalogSource(
      file: file, document: readYAML(text, file: file).value ?? LocatedValue(.null, line: 1),
      kind: kind)
  }

  private static let sources = [
    document(
      """
      name: ShowLamp
      parameters:
        - {name: home, type: object, dynamic: true, default: {identifier: h1, display: Villa}}
        - {name: lamp, type: object, dynamic: true, required: true, prompt: "Which lamp of ${count}?",
           disambiguation: "There are ${count} lamps called ‘${lamp}’."}
      """, .intent, "ShowLamp/intent.yaml"),
    document(
      """
      language: en
      intents:
        ShowLamp:
          data:
            - sentences: ["show lamp {lamp}", "show a lamp"]
              lists: {lamp: {wildcard: true}}
      """, .sentences, "ShowLamp/en.yaml"),
  ]

  private static let manifest = Harness.manifest(
    "lamp.yaml",
    """
    kind: org.example.lamp
    name: Lamp
    families: [systemSmall]
    intent: ShowLamp
    provider: {exec: [./lamp], timeout: 5s}
    """)

  private static let lamps =
    #"{"options":[{"identifier":"l1","display":"Hall lamp"},{"identifier":"l2","display":"Hall light"},{"title":"Desk","value":{"identifier":"l3","display":"Desk"}}]}"#

  /// Collects the requests for options, in their order.
  private final class Asked {
    var requests: [JSONValue] = []
  }

  private let asked = Asked()

  private func harness(_ options: String? = OptionsTests.lamps) -> Harness {
    Harness(
      files: ConfigurationFiles(catalog: Self.sources, manifests: [Self.manifest]),
      provider: { [asked] run in
        guard run.method == "options" else { return Harness.texts(run) }
        do {
          asked.requests.append(try JSONValue(parsing: run.request))
        } catch {
          Issue.record(error)
        }
        return options.map { .answered(Array($0.utf8)) }
      })
  }

  private func request(_ text: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"intent.send","params":{"text":"\#(text)"}}"#
  }

  @Test func `words for a dynamic parameter are one of the provider's values`() throws {
    var harness = harness()
    let client = harness.connect()
    let answer = try harness.call("intent.send", ["text": "show lamp desk"], from: client)
    #expect(
      answer["intent"]?["parameters"]?["lamp"] == ["identifier": "l3", "display": "Desk"])
    let request = try #require(asked.requests.first)
    #expect(request["request"] == "options")
    #expect(request["parameter"] == "lamp")
    #expect(request["search"] == "desk")
    #expect(request["intent"]?["name"] == "ShowLamp")
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `ambiguous words lead to a question, and the answer needs no second request`()
    throws
  {
    var harness = harness()
    let client = harness.connect()
    let question = try harness.call("intent.send", ["text": "show lamp hall"], from: client)
    #expect(question["needs"]?["reason"] == "disambiguation")
    #expect(question["needs"]?["prompt"] == "There are 2 lamps called ‘hall’.")
    #expect(question["needs"]?["choices"]?.arrayValue?.count == 2)
    let token = try #require(question["needs"]?["token"])
    let done = try harness.call("intent.send", ["resume": token, "choice": 2], from: client)
    #expect(
      done["intent"]?["parameters"]?["lamp"] == ["identifier": "l2", "display": "Hall light"])
    #expect(asked.requests.count == 1)
  }

  @Test func `a widget is placed with one of the provider's values`() throws {
    var harness = harness()
    let client = harness.connect()
    let asked = try harness.call(
      "widget.add", ["kind": "org.example.lamp", "ask": true], from: client)
    #expect(asked["needs"]?["prompt"] == "Which lamp of 3?")
    let token = try #require(asked["needs"]?["token"])
    let placed = try harness.call("intent.send", ["resume": token, "choice": "desk"], from: client)
    #expect(placed["widget"]?["intent"]?["parameters"]?["lamp"]?["identifier"] == "l3")
    // Words are looked up among them, which a client that cannot ask has to do itself.
    let said = try harness.call(
      "widget.add",
      ["kind": "org.example.lamp", "parameters": ["lamp": "hall lamp"], "ask": true], from: client)
    #expect(said["widget"]?["intent"]?["parameters"]?["lamp"]?["identifier"] == "l1")
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a missing value is offered as the provider's values`() throws {
    var harness = harness()
    let client = harness.connect()
    let question = try harness.call("intent.send", ["text": "show a lamp"], from: client)
    #expect(question["needs"]?["reason"] == "value")
    #expect(question["needs"]?["prompt"] == "Which lamp of 3?")
    let titles = question["needs"]?["choices"]?.arrayValue?.compactMap { $0["title"]?.stringValue }
    #expect(titles == ["Hall lamp", "Hall light", "Desk"])
    let token = try #require(question["needs"]?["token"])
    let done = try harness.call("intent.send", ["resume": token, "choice": "desk"], from: client)
    #expect(done["intent"]?["parameters"]?["lamp"]?["identifier"] == "l3")
  }

  @Test func `an unknown value is refused with similar values`() throws {
    var harness = harness()
    let client = harness.connect()
    let refusal = try harness.refusal("intent.send", ["text": "show lamp dusk"], from: client)
    #expect(refusal == "-32012 invalidParameter")
    // A value with an identifier, which an app chose before, is not looked up again.
    let chosen: JSONValue = ["lamp": ["identifier": "x9", "display": "Old"]]
    let done = try harness.call(
      "intent.send", ["intent": "ShowLamp", "parameters": chosen], from: client)
    #expect(done["intent"]?["parameters"]?["lamp"]?["identifier"] == "x9")
  }

  @Test(arguments: [
    #"{"entries":[]}"#, "nonsense", #"{"options":[{}]}"#,
    #"{"options":["\#(String(repeating: "a", count: 300))"]}"#,
    #"{"options":[\#((0..<1_001).map { "\"\($0)\"" }.joined(separator: ","))]}"#,
  ])
  func `an intent is sent even if the provider gives no values`(answer: String) throws {
    var harness = harness(answer)
    let client = harness.connect()
    let done = try harness.call("intent.send", ["text": "show lamp hall"], from: client)
    #expect(done["intent"]?["parameters"]?["lamp"]?["display"] == "hall")
    #expect(harness.log.contains { $0.event == "options.failed" })
    let history = try harness.call("daemon.history", from: client).serialized
    #expect(history.contains("options.failed"))
  }

  @Test func `a provider that is silent is stopped at its deadline`() throws {
    var harness = harness(nil)
    let client = harness.connect()
    harness.send(request("show lamp hall"), to: client)
    let run = try #require(harness.running.first)
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
    harness.pass(6)
    #expect(harness.cancelled == [run.token])
    #expect(harness.log.contains { $0.fields.contains { $0.value == "it did not answer in time" } })
    #expect(harness.daemon.engine.widgets.count == 1, "it went on without")
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `the number of option requests at once is limited, and the others go on without`()
    throws
  {
    var harness = harness(nil)
    let client = harness.connect()
    for _ in 0..<6 { harness.send(request("show lamp hall"), to: client) }
    #expect(harness.daemon.engine.optionTokens.count == 4)
    #expect(harness.daemon.engine.widgets.count == 1)
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
    harness.handle(.disconnected(client))
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a waiting client is answered when the daemon stops`() throws {
    var harness = harness(nil)
    let client = harness.connect()
    harness.send(request("show lamp hall"), to: client)
    harness.handle(.stopRequested)
    #expect(harness.received(by: client).contains { $0.contains("\"error\"") })
    #expect(harness.daemon.questions.tokens.isEmpty)
  }

  @Test func `values that come while the daemon stops begin no run`() throws {
    var harness = harness(nil)
    let client = harness.connect()
    harness.send(request("show lamp hall"), to: client)
    let token = try #require(harness.running.first).token
    // The stop waits for the transaction.
    harness.storeMode = .waits
    harness.send(
      #"{"jsonrpc":"2.0","id":2,"method":"donation.setPrivate","params":{"on":true}}"#, to: client)
    harness.handle(.stopRequested)
    #expect(!harness.hasStopped)
    harness.handle(.provider(token, .answered(Array(Self.lamps.utf8))))
    #expect(harness.daemon.engine.widgets.isEmpty)
    #expect(harness.received(by: client).contains { $0.contains("\"stopping\"") })
    while harness.underWay != nil { try harness.commit() }
    #expect(harness.hasStopped)
  }
}
