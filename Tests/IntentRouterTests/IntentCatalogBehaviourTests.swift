import JSON
import Testing

@testable import IntentRouter

private let weather: JSONValue = [
  "name": "ShowWeather", "title": "Weather", "description": "",
  "parameters": [
    [
      "name": "city", "list": "cities", "required": true, "otherValues": true,
      "otherValuesExclude": ["tomorrow"],
    ],
    ["name": "hours", "type": "integer"],
  ],
  "routes": ["weather://city/{city}", "forecast:{city}?h={hours}"],
]
private let lamp: JSONValue = [
  "name": "SetLamp", "title": "Lamp", "description": "",
  "parameters": [
    ["name": "room", "list": "rooms", "required": true], ["name": "on", "type": "boolean"],
  ],
]
private let lists: JSONValue = [
  "lists": [
    "cities": [
      "values": [
        ["in": "Beijing", "out": "Beijing"], ["in": "北京", "out": "Beijing"],
        ["in": "Zürich", "out": "Zurich"], ["in": "New York", "out": "New York"],
      ]
    ],
    "rooms": ["values": ["kitchen", "hall"]],
  ]
]
private let english: JSONValue = [
  "language": "en",
  "intents": [
    "ShowWeather": [
      "data": [["sentences": ["weather in {cities:city}", "weather in {any:city}"]]]
    ],
    "SetLamp": ["data": [["sentences": ["light in {rooms:room}"], "slots": ["on": true]]]],
  ],
  "lists": ["any": ["wildcard": true]],
]
private let chinese: JSONValue = [
  "language": "zh-CN", "settings": ["ignore_whitespace": true],
  "intents": ["ShowWeather": ["data": [["sentences": ["{cities:city}天气"]]]]],
]
private let examples: JSONValue = [
  "intent": "ShowWeather",
  "examples": [
    "en": [
      "match": [
        ["sentence": "weather in Beijing", "parameters": ["city": "Beijing"]],
        "show me the forecast of New York",
      ]
    ],
    "zh-CN": ["match": ["北京天气"]],
  ],
]

private func catalog() -> IntentCatalog {
  let (catalog, issues) = IntentCatalog.load([
    CatalogSource(file: "en.yaml", document: located(english), kind: .sentences),
    CatalogSource(file: "examples.yaml", document: located(examples), kind: .examples),
    CatalogSource(file: "weather.yaml", document: located(weather), kind: .intent),
    CatalogSource(file: "lamp.yaml", document: located(lamp), kind: .intent),
    CatalogSource(file: "zh-CN.yaml", document: located(chinese), kind: .sentences),
    CatalogSource(file: "lists.yaml", document: located(lists), kind: .list),
  ])
  #expect(issues.isEmpty, "\(issues.map(\.description))")
  return catalog
}

private func intent(_ recognition: Recognition) -> Intent? {
  guard case .matched(let best, _) = recognition else { return nil }
  return best.intent
}

@Suite struct IntentCatalogBehaviourTests {
  let beijing = Intent(name: "ShowWeather", parameters: ["city": "Beijing"])

  // MARK: Sentences

  @Test func `an empty catalogue matches nothing`() {
    #expect(IntentCatalog().recognize("hello", languages: ["en"]) == .unmatched(suggestions: []))
  }

  @Test func `a sentence gives the intent with its fixed slots`() {
    #expect(
      intent(catalog().recognize("Light in KITCHEN!", languages: ["en"]))
        == Intent(name: "SetLamp", parameters: ["room": "kitchen", "on": true]))
  }

  @Test(arguments: [
    (["zh"], true), (["zh-CN"], true), (["zh_CN.UTF-8"], true), (["ZH-cn"], true),
    (["zh-Hans-CN"], true), (["de", "zh"], true), (["C"], true), ([], true), (["en"], false),
    (["en_GB.UTF-8"], false), (["en", "zh"], true),
  ])
  func `a language is found by every way to write it`(languages: [String], matches: Bool) {
    let found = intent(catalog().recognize("北京 天气", languages: languages))
    #expect((found == beijing) == matches)
  }

  @Test func `the first language with a match wins`() {
    guard
      case .matched(let best, _) = catalog().recognize(
        "weather in Beijing", languages: ["zh", "en"])
    else {
      Issue.record("no match")
      return
    }
    #expect(best.language == "en")
    #expect(best.template == "weather in {cities:city}")
  }

  @Test
  func `a listed value goes before a wildcard, and the wildcard's answer is resolved as well`() {
    guard case .matched(_, let all) = catalog().recognize("weather in zürich", languages: ["en"])
    else {
      Issue.record("no match")
      return
    }
    #expect(all.map(\.wildcards) == [0, 1])
    #expect(all.map(\.intent.parameters) == [["city": "Zurich"], ["city": "Zurich"]])
  }

  @Test(arguments: [
    ("weather in Smallville", "Smallville"), ("weather in Punta del Este", "Punta del Este"),
    ("weather in Smallville tomorrow", nil), ("weather in Beijing and so on", nil),
    ("weather in Bejing", nil), ("weather in one two three four five", nil),
  ])
  func `words that are in no list are taken only when they may be a value`(
    sentence: String, city: String?
  ) {
    let found = intent(catalog().recognize(sentence, languages: ["en"]))
    #expect(found?.parameters["city"]?.stringValue == city)
  }

  @Test(arguments: [
    ("", RouterError.Code.emptySentence), ("  ?! ", .emptySentence),
    (String(repeating: "a", count: 1_025), .sentenceTooLong),
  ])
  func `a sentence that says nothing or too much is refused`(
    sentence: String, code: RouterError.Code
  ) {
    guard case .refused(let error) = catalog().recognize(sentence, languages: []) else {
      Issue.record("not refused")
      return
    }
    #expect(error.code == code)
    #expect(intent(catalog().recognize(String(repeating: "a", count: 1_024), languages: [])) == nil)
  }

  @Test(arguments: [
    ("wether in Bejing", "weather in Beijing"), ("wether in new york", "weather in New York"),
    ("show forecast of Beijing", "show me the forecast of Beijing"),
    ("in New Yrok weather", "weather in New York"),
  ])
  func `a sentence that is nearly right is corrected, with the city that was meant`(
    sentence: String, suggestion: String
  ) {
    guard case .unmatched(let suggestions) = catalog().recognize(sentence, languages: ["en"]) else {
      Issue.record("matched")
      return
    }
    #expect(suggestions.first == suggestion)
    #expect(suggestions.count <= 3)
  }

  // MARK: Direct calls

  @Test(arguments: ["Beijing", "beijing", "北京", " BEIJING "])
  func `a direct call gives what a sentence gives`(city: String) {
    #expect(
      catalog().resolve(name: "ShowWeather", parameters: ["city": .string(city)]).success == beijing
    )
  }

  @Test func `every mistake in a call is told apart and explained`() {
    func refusal(_ name: String, _ parameters: [String: JSONValue]) -> RouterError? {
      catalog().resolve(name: name, parameters: parameters).failure
    }
    #expect(
      refusal("ShowWether", [:])
        == RouterError(
          .unknownIntent, "unknown intent 'ShowWether'; did you mean 'ShowWeather'?",
          suggestions: ["ShowWeather"]))
    #expect(
      refusal("ShowWeather", ["ctiy": "Beijing"])
        == RouterError(
          .unknownParameter, "unknown parameter of ShowWeather 'ctiy'; did you mean 'city'?",
          suggestions: ["city"]))
    #expect(refusal("ShowWeather", [:])?.code == .missingParameter)
    #expect(refusal("ShowWeather", ["city": nil])?.code == .missingParameter)
    #expect(refusal("ShowWeather", ["city": 5])?.code == .invalidParameter)
    #expect(refusal("ShowWeather", ["city": "\u{7}"])?.code == .invalidParameter)
    #expect(refusal("ShowWeather", ["city": " "])?.code == .invalidParameter)
    #expect(refusal("ShowWeather", ["city": "Beijing", "hours": 1.5])?.code == .invalidParameter)
    #expect(
      refusal("SetLamp", ["room": "kitchn"])
        == RouterError(
          .invalidParameter,
          "SetLamp: the parameter 'room' cannot be 'kitchn'; did you mean 'kitchen'?",
          suggestions: ["kitchen"]))
  }

  // MARK: URLs

  @Test(arguments: [
    "weather://city/Beijing", "weather://city/Beijing/", "WEATHER://CITY/beijing",
    "weather://city/%E5%8C%97%E4%BA%AC", "weather://city/北京",
    "intentd://intent/ShowWeather?city=Beijing",
    "forecast:Beijing", "weather://city/Beijing?units=metric#now",
  ])
  func `every way to write the URL is the same intent`(url: String) {
    #expect(catalog().route(url: url).success == beijing)
  }

  @Test func `a query fills the parameters it names`() {
    for url in ["weather://city/Beijing?hours=3", "forecast:Beijing?h=3"] {
      #expect(catalog().route(url: url).success?.parameters == ["city": "Beijing", "hours": 3])
    }
    #expect(
      catalog().route(url: "intentd://intent/ShowWeather?city=a+b").success?.parameters["city"]
        == "a+b")
  }

  @Test(arguments: [
    ("javascript:alert(1)", RouterError.Code.deniedScheme), ("file:///etc/passwd", .deniedScheme),
    ("weather", .invalidURL), ("", .invalidURL), ("weather://city/a/b", .noRoute),
    ("weather://town/Beijing", .noRoute), ("weather:city/Beijing", .noRoute),
    ("intentd://intent/", .noRoute), ("intentd://widget/ShowWeather", .noRoute),
    ("intentd://intent/ShowWether", .unknownIntent),
    ("intentd://intent/ShowWeather?town=x", .unknownParameter),
    ("intentd://intent/ShowWeather", .missingParameter),
    ("intentd://intent/ShowWeather?city=a&city=b", .invalidParameter),
    ("intentd://intent/ShowWeather?city=a&hours=many", .invalidParameter),
    ("weather://city/%FF", .invalidParameter), ("weather://city/%00", .invalidParameter),
  ])
  func `a URL that is no intent is refused with the reason`(url: String, code: RouterError.Code) {
    #expect(catalog().route(url: url).failure?.code == code)
  }

  @Test(arguments: [
    Intent(name: "ShowWeather", parameters: ["city": "Beijing"]),
    Intent(name: "ShowWeather", parameters: ["city": "São Paulo/Süd & more?", "hours": 4]),
    Intent(name: "SetLamp", parameters: ["room": "hall", "on": false]),
  ])
  func `an intent and its URL are each other's`(intent: Intent) throws {
    let url = try #require(catalog().url(for: intent))
    #expect(catalog().route(url: url).success == intent)
  }

  @Test func `the first route that fits makes the URL`() {
    #expect(catalog().url(for: beijing) == "weather://city/Beijing")
    #expect(
      catalog().url(for: Intent(name: "SetLamp", parameters: ["room": "hall"]))
        == "intentd://intent/SetLamp?room=hall")
    #expect(catalog().url(for: Intent(name: "Nothing")) == nil)
  }

  // MARK: Lists

  @Test func `a list that is replaced holds in sentences, calls and every language`() {
    var catalog = catalog()
    #expect(catalog.setList(name: "rooms", values: ["garage", "小 房"]).success == 2)
    #expect(intent(catalog.recognize("light in garage", languages: ["en"])) != nil)
    #expect(intent(catalog.recognize("light in kitchen", languages: ["en"])) == nil)
    #expect(catalog.resolve(name: "SetLamp", parameters: ["room": "kitchen"]).success == nil)
    #expect(catalog.setList(name: "cities", values: ["灯 城"]).success == 1)
    #expect(intent(catalog.recognize("灯城天气", languages: ["zh"]))?.parameters == ["city": "灯 城"])
  }

  @Test func `a list that is replaced is read nearly, and nothing is compiled`() throws {
    func nearGrammars(_ catalog: IntentCatalog) -> [ObjectIdentifier] {
      catalog.grammars.map { ObjectIdentifier($0.near(catalog.lists, OtherLists())) }
    }
    var catalog = catalog()
    let laidOut = nearGrammars(catalog)
    let compiled = catalog.grammars.map(ObjectIdentifier.init)
    #expect(catalog.setList(name: "rooms", values: ["garage"]).success == 1)
    let answer = catalog.readNearly("light in garagge", languages: ["en"]).answer
    #expect(answer.readings.first?.sentence == "light in garage")
    #expect(catalog.grammars.map(ObjectIdentifier.init) == compiled)
    #expect(nearGrammars(catalog) == laidOut)
  }

  @Test func `values are added to and removed from those of the documents`() {
    let untouched = catalog()
    var catalog = untouched
    func room(_ text: String) -> JSONValue? {
      intent(catalog.recognize("light in \(text)", languages: ["en"]))?.parameters["room"]
    }
    var edit = ListEdit().changed(
      adding: [.init(spoken: "Attic"), .init(spoken: "den", out: "study")], removing: ["KITCHEN"])
    #expect(catalog.setList(name: "rooms", edit).success == 3)
    #expect(room("attic") == "Attic" && room("den") == "study" && room("kitchen") == nil)
    #expect(room("hall") == "hall")
    edit = edit.changed(
      adding: [.init(spoken: "Den", out: "library")], removing: ["attic", "hall"])
    #expect(catalog.setList(name: "rooms", edit).success == 1)
    #expect(room("den") == "library" && room("attic") == nil && room("hall") == nil)
    edit = edit.changed(adding: [.init(spoken: "kitchen")], removing: [])
    #expect(catalog.setList(name: "rooms", edit).success == 2)
    #expect(room("kitchen") == "kitchen")
    // An edit is the same after a restart.
    #expect(ListEdit(edit.json) == edit)
    var fresh = untouched
    #expect(fresh.setList(name: "rooms", edit).success == 2)
    #expect(fresh.values(ofList: "rooms") == ["library", "kitchen"])
    // An edit after a replacement changes the replacement.
    let other = ListEdit(replacement: [.init(spoken: "a"), .init(spoken: "b")])
      .changed(adding: [.init(spoken: "c")], removing: ["a"])
    #expect(catalog.setList(name: "rooms", other).success == 2)
    #expect(catalog.values(ofList: "rooms") == ["b", "c"])
    #expect(
      catalog.setList(
        name: "rooms",
        ListEdit().changed(
          adding: [.init(spoken: "x", out: .string(String(repeating: "y", count: 1_024)))],
          removing: [])
      ).failure?.code == .invalidValue)
    #expect(ListEdit(["one", 2]) == nil && ListEdit(["add": 3]) == nil)
  }

  @Test func `a list has limits, and a refusal leaves it as it was`() {
    var catalog = catalog()
    func code(_ name: String, _ values: [String]) -> RouterError.Code? {
      catalog.setList(name: name, values: values).failure?.code
    }
    #expect(code("roms", []) == .unknownList)
    #expect(code("rooms", ["a", "  "]) == .invalidValue)
    #expect(code("rooms", ["a\nb"]) == .invalidValue)
    #expect(code("rooms", [String(repeating: "x", count: 257)]) == .invalidValue)
    #expect(code("rooms", Array(repeating: "x", count: 100_001)) == .tooManyValues)
    #expect(catalog.values(ofList: "rooms") == ["kitchen", "hall"])
    #expect(code("rooms", [String(repeating: "x", count: 256)]) == nil)
  }

  @Test func `ten thousand names cost no more matching steps than ten`() {
    var catalog = catalog()
    #expect(
      catalog.setList(name: "rooms", values: (0..<100_000).map { "room \($0)" }).success != nil)
    #expect(
      intent(catalog.recognize("light in room 99999", languages: ["en"]))?.parameters["room"]
        == "room 99999")
  }

  // MARK: Loading

  @Test func `a document with mistakes loads in part, and every issue names its place`() {
    let broken: JSONValue = [
      "name": "Broken", "title": "B", "description": "", "paramters": [],
      "parameters": [["name": "x", "type": "integr"], ["name": "y"], ["name": "y"]],
      "routes": ["broken://{z}", "weather://city/{y}", "not a url", "broken://{y}"],
    ]
    let (catalog, issues) = IntentCatalog.load([
      CatalogSource(file: "w", document: located(weather), kind: .intent),
      CatalogSource(file: "l", document: located(lists), kind: .list),
      CatalogSource(file: "b", document: located(broken), kind: .intent),
      CatalogSource(file: "w2", document: located(weather), kind: .intent),
      CatalogSource(file: "e", document: located(english), kind: .sentences),
    ])
    #expect(
      issues.map(\.description) == [
        "b:1: warning: an intent has the unknown key 'paramters'; expected 'parameters'",
        "b:1: error: the type of the parameter 'x' is 'integr'; expected string, integer, decimal, boolean, enumeration, date, duration, url, place, object",
        "b:1: error: the parameter 'y' is there twice; expected each parameter once",
        "b:1: error: the route 'broken://{z}' names the parameter 'z'; expected a parameter of Broken",
        "b:1: error: the route 'weather://city/{y}' is taken by ShowWeather; expected another route",
        "b:1: error: the route 'not a url' is not a URL that can be opened; write it like weather://city/{city}; expected a URL pattern",
        "w2:1: error: the intent 'ShowWeather' is defined already; expected another name; the first is at w:1",
        "e:1: error: there are sentences for 'SetLamp', which no intent.yaml defines; expected an intent of that name",
      ])
    #expect(catalog.definitions.map(\.name) == ["Broken", "ShowWeather"])
    #expect(catalog.definition(named: "Broken")?.routes.map(\.pattern) == ["broken://{y}"])
    #expect(intent(catalog.recognize("weather in Beijing", languages: [])) == beijing)
  }

  @Test func `a path tells the role of a file`() {
    #expect(CatalogSource.Kind(path: "Intents/ShowWeather/intent.yaml") == .intent)
    #expect(CatalogSource.Kind(path: "ShowWeather/zh-CN.yaml") == .sentences)
    #expect(CatalogSource.Kind(path: "ShowWeather/examples.yaml") == .examples)
    #expect(CatalogSource.Kind(path: "lists/cities.yaml") == .list)
    #expect(CatalogSource.Kind(path: "README.md") == nil)
    #expect(CatalogSource.Kind(path: "schema/intent.schema.json") == nil)
  }

  // MARK: The same configuration

  @Test func `text is the same without case and however it is composed`() {
    func key(_ value: JSONValue) -> String {
      Intent(name: "A", parameters: ["x": value]).canonicalKey
    }
    #expect(key("Zürich") == key("zu\u{308}RICH"))
    #expect(key("Ἀθῆναι") == key("ἈΘΗ͂ΝΑΙ"))
    #expect(key(5) == key(5.0))
    #expect(key(5) != key("5"))
    #expect(key("a") != key("b"))
    #expect(
      Intent(name: "A", parameters: ["x": nil]).canonicalKey == Intent(name: "A").canonicalKey)
    #expect(Intent(name: "A").canonicalKey != Intent(name: "B").canonicalKey)
  }
}

extension Result {
  var success: Success? {
    guard case .success(let value) = self else { return nil }
    return value
  }

  var failure: Failure? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}

@Suite struct NumbersOfLanguagesTests {
  @Test func `each language says numbers in its own words, also those of a list that all share`() {
    func sentences(_ language: String, _ templates: JSONValue) -> CatalogSource {
      let document: JSONValue = [
        "language": .string(language), "intents": ["Go": ["data": [["sentences": templates]]]],
        "lists": ["mine": ["range": ["from": 0, "to": 9]]],
      ]
      return CatalogSource(file: "\(language).yaml", document: located(document), kind: .sentences)
    }
    let templates: JSONValue = ["go {mine:n}", "run {all:n}", "jump {0..9:n}"]
    var (catalog, issues) = IntentCatalog.load(
      [
        CatalogSource(
          file: "intent.yaml",
          document: located(["name": "Go", "parameters": [["name": "n", "type": "integer"]]]),
          kind: .intent),
        CatalogSource(
          file: "lists.yaml",
          document: located(["lists": ["all": ["range": ["from": 0, "to": 9]]]]), kind: .list),
        sentences("de", templates), sentences("en", templates), sentences("fr", templates),
      ],
      spelling: { numbers, language in numbers.map { ["\(language)number\($0 / 10)"] } })
    #expect(issues == [])
    for language in ["de", "en", "fr"] {
      for word in ["go", "run", "jump"] {
        for (sentence, isKnown) in [
          ("\(word) \(language)number7", true), ("\(word) xxnumber7", false),
        ] {
          var isMatch = false
          if case .matched(let best, _) = catalog.recognize(sentence, languages: [language]) {
            isMatch = best.intent.parameters == ["n": 7]
          }
          #expect(isMatch == isKnown, "\(sentence)")
        }
      }
    }
    // Values that replace a range hold in all languages.
    #expect(catalog.setList(name: "all", values: ["8"]) == .success(1))
    for language in ["de", "en", "fr"] {
      guard case .matched = catalog.recognize("run 8", languages: [language]) else {
        Issue.record("'run 8' is not understood in \(language)")
        continue
      }
      if case .matched = catalog.recognize("run 7", languages: [language]) {
        Issue.record("'run 7' is understood in \(language)")
      }
    }
  }
}
