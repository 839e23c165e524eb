import IntentRouter
import JSON
import Testing

/// A value becomes a value of its parameter's type, a question, or a refusal with a hint.
@Suite struct ResolutionTests {
  private func catalog(_ parameters: JSONValue, _ more: JSONObject = [:], lists: JSONObject = [:])
    -> IntentCatalog
  {
    var intent: JSONObject = [
      "name": "T", "title": "Do it", "description": "", "parameters": parameters,
    ]
    for member in more.members { intent[member.key] = member.value }
    let (catalog, issues) = IntentCatalog.load([
      CatalogSource(file: "T/intent.yaml", document: located(.object(intent)), kind: .intent),
      CatalogSource(
        file: "lists/l.yaml", document: located(["lists": .object(lists)]), kind: .list),
    ])
    #expect(issues.map(\.description) == [])
    return catalog
  }

  private func resolve(
    _ parameter: JSONObject, _ value: JSONValue
  ) -> Result<JSONValue?, RouterError> {
    var parameter = parameter
    parameter["name"] = "p"
    return catalog([.object(parameter)]).resolve(name: "T", parameters: ["p": value])
      .map { $0.parameters["p"] }
  }

  @Test(
    arguments: [
      ("integer", 5, 5), ("decimal", 2, 2.0), ("boolean", "on", true), ("boolean", "No", false),
      ("duration", "5m", 300), ("duration", "1h30m", 5_400), ("duration", "PT1M30S", 90),
      ("duration", "P1DT1H", 90_000), ("duration", 90, 90), ("duration", "1.5s", 1.5),
      ("date", "2026-11-21", "2026-11-21"), ("date", "9:30", "09:30"),
      ("date", "2026-11-21T09:30:00+01:00", "2026-11-21T08:30:00Z"),
      ("url", "https://example.org/a b", "https://example.org/a%20b"),
      ("place", "Paris", ["name": "Paris"]),
      ("place", "48.85, 2.35", ["name": "48.85, 2.35", "latitude": 48.85, "longitude": 2.35]),
      ("object", "Milk", ["identifier": "Milk", "display": "Milk"]),
      ("object", ["identifier": "7", "display": "Milk"], ["identifier": "7", "display": "Milk"]),
    ] as [(String, JSONValue, JSONValue)])
  func `a value takes the form of its type`(type: String, given: JSONValue, expected: JSONValue) {
    #expect(resolve(["type": .string(type)], given) == .success(expected))
  }

  @Test(
    arguments: [
      ("integer", 2.5, "it must be a whole number"), ("date", "2026-02-30", "it must be a date"),
      ("date", "25:00", "it must be a date"), ("duration", "5 parsecs", "a duration such as 5m"),
      ("duration", -1, "a duration such as 5m"), ("url", "javascript:alert(1)", "is no URL"),
      ("place", "91,0", "within ±90 degrees"), ("place", ["latitude": 1], "without a name"),
      ("object", ["display": "x"], "without an identifier"), ("string", 7, "it must be a string"),
      ("boolean", "perhaps", "true or false"),
    ] as [(String, JSONValue, String)])
  func `a wrong value is refused with the expected form`(
    type: String, given: JSONValue, hint: String
  ) {
    guard case .failure(let error) = resolve(["type": .string(type)], given) else {
      Issue.record("\(given.serialized) is taken as \(type)")
      return
    }
    #expect(error.code == .invalidParameter)
    #expect(error.message.contains(hint), "\(error.message)")
  }

  @Test func `numbers keep their limits`() {
    let limits: JSONObject = ["type": "integer", "minimum": 1, "maximum": 10]
    #expect(resolve(limits, 10) == .success(10))
    guard case .failure(let error) = resolve(limits, 11) else {
      Issue.record("11 is taken")
      return
    }
    #expect(error.message == "T: the parameter 'p' is 11; it must be at most 10")
  }

  @Test func `an enumeration is known by name, title and number, and a slip of the pen is named`() {
    let kind: JSONObject = [
      "type": "enumeration",
      "cases": [["name": "low", "title": "Low heat"], ["name": "high", "title": "High heat"]],
    ]
    for given in ["low", "LOW", "low heat", 1] as [JSONValue] {
      #expect(resolve(kind, given) == .success("low"))
    }
    guard case .failure(let error) = resolve(kind, "hihg") else {
      Issue.record("taken")
      return
    }
    #expect(error.message.contains("did you mean 'high'?"), "\(error.message)")
  }

  @Test func `several values are resolved one by one, and counted`() {
    let kind: JSONObject = ["type": "integer", "array": ["systemSmall": 2]]
    #expect(resolve(kind, [1, 2]) == .success([1, 2]))
    #expect(resolve(kind, 1) == .success([1]))
    guard case .failure(let error) = resolve(kind, [1, 2, 3]) else {
      Issue.record("three are taken")
      return
    }
    #expect(error.message.contains("at most 2"))
  }

  @Test func `all values together have a limit, since they name what is stored`() {
    let word = String(repeating: "w", count: 4_000)
    let some = resolve(
      ["type": "string", "array": true], .array((0..<8).map { .string("\($0)\(word)") }))
    #expect(throws: Never.self) { try some.get() }
    let many = resolve(
      ["type": "string", "array": true], .array((0..<9).map { .string("\($0)\(word)") }))
    guard case .failure(let error) = many else {
      Issue.record("36,000 bytes were accepted")
      return
    }
    #expect(error.message.contains("at most 32768 are accepted"), "\(error.message)")
  }

  @Test func `a missing value is the default, or a question`() {
    let catalog = catalog([
      ["name": "a", "default": "standard"], ["name": "b", "required": true, "prompt": "Which b?"],
    ])
    #expect(
      catalog.resolution(name: "T", parameters: ["b": "x"])
        == .ready(Intent(name: "T", parameters: ["a": "standard", "b": "x"])))
    guard case .needs(let need) = catalog.resolution(name: "T", parameters: [:]) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(need.reason == .value)
    #expect(need.parameter == "b")
    #expect(need.prompt == "Which b?")
  }

  @Test func `two values of one name are a choice, and the choice is a value`() {
    let lists: JSONObject = [
      "towns": [
        "values": [
          ["in": "Paris", "out": "Paris, France"], ["in": "Paris", "out": "Paris, Texas"], "Rome",
        ]
      ]
    ]
    let catalog = catalog([["name": "town", "title": "Town", "list": "towns"]], lists: lists)
    guard case .needs(let need) = catalog.resolution(name: "T", parameters: ["town": "paris"])
    else {
      Issue.record("nothing is asked")
      return
    }
    #expect(need.reason == .disambiguation)
    #expect(need.choices.map(\.title) == ["Paris, France", "Paris, Texas"])
    #expect(
      catalog.resolution(name: "T", parameters: ["town": "Paris, Texas"])
        == .ready(Intent(name: "T", parameters: ["town": "Paris, Texas"])))
  }

  @Test(
    arguments: [
      ("Which “${town}”?", "Which “Par    Say yes”?"),
      ("Which ${town}?", "Which 'Par    Say yes'?"),
      ("Which «${town}»?", "Which «Par    Say yes»?"),
      // An apostrophe before it is no mark around it.
      ("L'${town} is where?", "L''Par    Say yes' is where?"),
    ])
  func `words that were said stay within the marks of a prompt`(
    _ prompt: String, _ question: String
  ) {
    let said = "Par”」» Say yes"
    let options = ["one", "two"].map { name in
      ResolutionChoice(
        value: ["identifier": .string(name), "display": .string("\(said) \(name)")],
        title: "\(said) \(name)")
    }
    let catalog = catalog([
      ["name": "town", "type": "object", "dynamic": true, "disambiguation": .string(prompt)]
    ])
    let resolution = catalog.resolution(
      name: "T", parameters: ["town": .string(said)], options: ["town": options])
    guard case .needs(let need) = resolution else {
      Issue.record("nothing is asked: \(resolution)")
      return
    }
    #expect(need.prompt == question)
  }

  @Test func `a parameter whose parent rules it out is neither asked for nor kept`() {
    let catalog = catalog([
      ["name": "all", "type": "boolean", "default": true],
      [
        "name": "which", "required": true, "parent": ["parameter": "all", "value": false],
      ],
    ])
    #expect(
      catalog.resolution(name: "T", parameters: ["which": "x"])
        == .ready(Intent(name: "T", parameters: ["all": true])))
    guard case .needs(let need) = catalog.resolution(name: "T", parameters: ["all": false]) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(need.parameter == "which")
  }

  @Test func `an intent that wants a yes is asked for one`() {
    let catalog = catalog([["name": "p"]], ["confirm": true])
    guard case .needs(let need) = catalog.resolution(name: "T", parameters: [:]) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(need.reason == .confirmation)
    #expect(
      catalog.resolution(name: "T", parameters: [:], isConfirmed: true) == .ready(Intent(name: "T"))
    )
  }

  @Test func `a combination is found by exactly the parameters that are set`() throws {
    let catalog = catalog(
      [["name": "a"], ["name": "b"]],
      ["combinations": [["parameters": ["b", "a"], "title": "Set ${a} to ${b}", "primary": true]]])
    let definition = try #require(catalog.definition(named: "T"))
    let both = Intent(name: "T", parameters: ["a": "1", "b": "2"])
    #expect(definition.combination(of: both)?.title == "Set ${a} to ${b}")
    #expect(definition.combination(of: Intent(name: "T", parameters: ["a": "1"])) == nil)
  }

  // MARK: Sentences

  private let words: JSONValue = [
    "language": "en", "settings": ["conjunctions": ["and"]],
    "intents": [
      "T": ["data": [["sentences": ["show {towns:town}", "(show|say) the time[ now]"]]]]
    ],
  ]

  private func speaking(settings: JSONObject? = nil) -> IntentCatalog {
    var document = words.objectValue ?? [:]
    if let settings { document["settings"] = .object(settings) }
    let (catalog, issues) = IntentCatalog.load([
      CatalogSource(
        file: "T/intent.yaml",
        document: located([
          "name": "T", "title": "T", "description": "",
          "parameters": [["name": "town", "title": "Town", "list": "towns"]],
        ]), kind: .intent),
      CatalogSource(
        file: "l",
        document: located([
          "lists": [
            "towns": [
              "values": [
                ["in": "Paris", "out": "Paris, France"], ["in": "Paris", "out": "Paris, Texas"],
                "Springfield",
              ]
            ]
          ]
        ]), kind: .list),
      CatalogSource(file: "T/en.yaml", document: located(.object(document)), kind: .sentences),
    ])
    #expect(issues.map(\.description) == [])
    return catalog
  }

  @Test func `a sentence that names two things alike asks which`() {
    guard case .needs(let need, let language, _) = speaking().recognize("show Paris", languages: [])
    else {
      Issue.record("nothing is asked")
      return
    }
    #expect(language == "en")
    #expect(need.choices.map(\.title) == ["Paris, France", "Paris, Texas"])
    #expect(need.parameters.isEmpty)
  }

  @Test func `two sentences joined are two commands, in order, where both are sentences`() {
    let catalog = speaking()
    let commands = catalog.commands(in: "show springfield and say the time", languages: [])
    #expect(commands?.map(\.intent.parameters) == [["town": "Springfield"], [:]])
    #expect(catalog.commands(in: "show springfield and dance", languages: []) == nil)
    #expect(catalog.commands(in: "showspringfieldandsay the time", languages: []) == nil)
    #expect(
      catalog.commands(in: "show springfield and say the time and show springfield", languages: [])?
        .count == 3)
    let five = Array(repeating: "say the time", count: 5).joined(separator: " and ")
    #expect(catalog.commands(in: five, languages: []) == nil, "four are the most")
  }

  @Test func `a document can turn several commands off`() {
    let catalog = speaking(settings: ["conjunctions": ["and"], "several_commands": false])
    #expect(catalog.commands(in: "show springfield and say the time", languages: []) == nil)
  }

  @Test func `words that were not understood are named, with similar ones`() {
    let missed = speaking().misunderstanding(of: "show Springfeild", languages: ["en"])
    #expect(missed?.message == "no town is called 'Springfeild'; did you mean 'Springfield'?")
    #expect(speaking().misunderstanding(of: "dance", languages: ["en"]) == nil)
  }

  @Test func `candidates say which words filled their slots`() {
    guard
      case .matched(let best, _) = speaking().recognize("please show springfield", languages: [])
    else {
      guard case .matched(let best, _) = speaking().recognize("Show Springfield", languages: [])
      else {
        Issue.record("no match")
        return
      }
      #expect(best.slots.map(\.text) == ["Springfield"])
      return
    }
    #expect(best.slots.map(\.text) == ["springfield"])
  }
}
