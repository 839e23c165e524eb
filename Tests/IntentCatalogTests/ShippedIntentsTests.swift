import Documents
import Foundation
import IntentRouter
import JSON
import Testing

/// The folder `Intents/` as it ships, read once.
private struct ShippedIntents: Sendable {
  struct Example: Sendable {
    var intent: String
    var language: String
    var sentence: String
    /// The expected parameters; `nil` if the sentence must not be recognised as the intent.
    var parameters: [String: JSONValue]?
    /// The parameter that must be asked for.
    var asked: String?
  }

  var sources: [CatalogSource] = []
  var documentIssues: [DocumentIssue] = []
  var catalog = IntentCatalog()
  var catalogIssues: [DocumentIssue] = []
  var examples: [Example] = []
  var folders: [String: Set<String>] = [:]

  static let shared = ShippedIntents()

  private init() {
    let root = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Intents").path(percentEncoded: false)
    let paths = (FileManager.default.subpaths(atPath: root) ?? []).sorted()
    for path in paths {
      guard let kind = CatalogSource.Kind(path: path) else { continue }
      let parts = path.split(separator: "/")
      folders[String(parts[0]), default: []].insert(String(parts[parts.count - 1]))
      guard let data = FileManager.default.contents(atPath: "\(root)/\(path)") else { continue }
      let document = readYAML(String(decoding: data, as: UTF8.self), file: path)
      documentIssues += document.issues
      guard let value = document.value else { continue }
      sources.append(CatalogSource(file: path, document: value, kind: kind))
      if kind == .examples { readExamples(value) }
    }
    (catalog, catalogIssues) = IntentCatalog.load(sources)
  }

  private mutating func readExamples(_ document: LocatedValue) {
    let json = document.json
    let intent = json["intent"]?.stringValue ?? "?"
    for language in json["examples"]?.objectValue?.members ?? [] {
      func add(_ sentence: String, _ parameters: [String: JSONValue]?, asked: String? = nil) {
        examples.append(
          Example(
            intent: intent, language: language.key, sentence: sentence, parameters: parameters,
            asked: asked))
      }
      for example in language.value["match"]?.arrayValue ?? [] {
        if let sentence = example.stringValue { add(sentence, [:]) }
        if let sentence = example["sentence"]?.stringValue {
          let members = example["parameters"]?.objectValue?.members ?? []
          add(sentence, Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) }))
        }
      }
      for example in language.value["asks"]?.arrayValue ?? [] {
        add(
          example["sentence"]?.stringValue ?? "?", nil,
          asked: example["parameter"]?.stringValue ?? "?")
      }
      for sentence in language.value["noMatch"]?.arrayValue ?? [] {
        add(sentence.stringValue ?? "?", nil)
      }
    }
  }
}

private let shipped = ShippedIntents.shared

@Suite struct ShippedIntentsTests {
  private static let names = [
    "ShowAgenda", "ShowSunTimes", "ShowSystemStatus", "ShowWeather", "ShowWorldClock",
  ]

  @Test func `every file reads and loads without an issue`() {
    #expect(shipped.documentIssues.map(\.description) == [])
    #expect(shipped.catalogIssues.map(\.description) == [])
    #expect(shipped.catalog.definitions.map(\.name) == Self.names)
    #expect(shipped.catalog.languages == ["en", "zh-CN"])
  }

  @Test func `every intent has its four files`() {
    for name in Self.names {
      #expect(
        shipped.folders[name] == ["intent.yaml", "en.yaml", "zh-CN.yaml", "examples.yaml"],
        "\(name)")
    }
  }

  @Test func `every intent has the keys of the schema, and its folder's name`() {
    for source in shipped.sources where source.kind == .intent {
      let keys = source.document.json.objectValue?.members.map(\.key) ?? []
      #expect(
        Set(keys).isSuperset(of: ["name", "title", "description", "routes"]), "\(source.file)")
      #expect(
        Set(keys).isSubset(of: ["name", "title", "description", "parameters", "routes"]),
        "\(source.file)")
      #expect(
        source.document["name"]?.json.stringValue
          == source.file.split(separator: "/").first.map(String.init))
    }
  }

  @Test func `every intent is shown in both languages, with what it must and must not match`() {
    for name in Self.names {
      for language in ["en", "zh-CN"] {
        let examples = shipped.examples.filter { $0.intent == name && $0.language == language }
        #expect(examples.filter { $0.parameters != nil }.count >= 5, "\(name) \(language)")
        #expect(examples.filter { $0.parameters == nil }.count >= 3, "\(name) \(language)")
      }
    }
  }

  @Test func `every sentence that must match gives its intent and parameters, and no other intent`()
  {
    for example in shipped.examples {
      guard let parameters = example.parameters else { continue }
      let expected = Intent(name: example.intent, parameters: parameters)
      guard
        case .matched(let best, let all) = shipped.catalog.recognize(
          example.sentence, languages: [example.language])
      else {
        Issue.record("\(example.language): '\(example.sentence)' is not recognised")
        continue
      }
      #expect(
        best.intent == expected, "\(example.language): '\(example.sentence)' by '\(best.template)'")
      #expect(
        all.allSatisfy { $0.intent.name == example.intent },
        "'\(example.sentence)' is also \(all.map { "\($0.intent.name): \($0.template)" })")
    }
  }

  @Test func `no sentence that must not match is recognised, whatever the language`() {
    for example in shipped.examples where example.parameters == nil {
      for languages in [[example.language], []] {
        if case .matched(let best, _) = shipped.catalog.recognize(
          example.sentence, languages: languages)
        {
          // Another intent may recognise the sentence, but this one must not.
          #expect(
            best.intent.name != example.intent,
            "'\(example.sentence)' is \(best.intent.parameters) by '\(best.template)'")
        }
      }
    }
  }

  @Test func `every sentence that leaves something out is asked for that, and no other is`() {
    for example in shipped.examples where example.parameters == nil {
      let recognition = shipped.catalog.recognize(
        example.sentence, languages: [example.language])
      if case .needs(let need, _, _) = recognition {
        #expect(need.reason == .value, "'\(example.sentence)'")
        #expect(need.parameter == example.asked, "'\(example.sentence)'")
        #expect(need.intent == example.intent || example.asked == nil, "'\(example.sentence)'")
        #expect(need.takesOthers && need.choices.isEmpty && need.toldOf >= 150)
        #expect(need.told.first == "Beijing")
      } else {
        #expect(example.asked == nil, "'\(example.sentence)' is not understood")
      }
    }
  }

  @Test func `a language that the sender did not name is tried after those that it did`() {
    guard
      case .matched(let best, _) = shipped.catalog.recognize("显示北京天气", languages: ["en", "*"])
    else {
      Issue.record("it is not recognised")
      return
    }
    #expect(best.language == "zh-CN")
    guard case .unmatched = shipped.catalog.recognize("显示北京天气", languages: ["en"]) else {
      Issue.record("another language than the named one was tried")
      return
    }
    // The first language in the list wins, and nonsense is answered in the sender's language.
    for (languages, expected) in [(["zh-CN", "*"], "zh-CN"), (["*"], "en"), (["xx", "*"], "en")] {
      guard case .unmatched(let near) = shipped.catalog.recognize("blah", languages: languages)
      else {
        Issue.record("'blah' is recognised")
        continue
      }
      let isChinese = near.first?.unicodeScalars.contains { $0.value > 0x4E00 } == true
      #expect(isChinese == (expected == "zh-CN"), "\(languages): \(near)")
    }
  }

  @Test(arguments: [
    ("show wether for Beijing", "show weather for Beijing"),
    ("wheather in Paris", "weather in Paris"),
    ("show weather for Bejing", "show weather for Beijing"),
    ("show me the wether in Pariss", "show me the weather in Paris"),
    ("what tme is it in tokyo", "what time is it in Tokyo"),
    ("show my agneda", "show my agenda"), ("when is sunst in Cairo", "when is sunset in Cairo"),
    ("show sytem status", "show system status"),
  ])
  func `a slip with one clear reading is known`(sentence: String, meant: String) {
    #expect(Self.meant(by: sentence) == meant)
  }

  @Test(arguments: [
    "play some music", "show weather for tomorrow", "blah", "shw", "show weather Beijing and Rome",
    // It may be Nanjing or Nanning.
    "show weather for Nanying", "how is the meeting in Paris",
  ])
  func `a sentence that is in doubt has no clear reading`(sentence: String) {
    #expect(Self.meant(by: sentence) == nil)
  }

  private static func meant(by sentence: String) -> String? {
    guard
      case .unmatched(let suggestions) = shipped.catalog.recognize(
        sentence, languages: ["en", "*"])
    else { return nil }
    return shipped.catalog.meant(by: sentence, suggestions: suggestions, languages: ["en", "*"])
  }

  @Test func `every listed city is understood in both languages and by URL`() throws {
    let cities = try #require(shipped.catalog.values(ofList: "cities")).compactMap(\.stringValue)
    #expect(cities.count >= 150)
    for city in cities {
      let expected = Intent(name: "ShowWeather", parameters: ["city": .string(city)])
      for (sentence, language) in [("weather in \(city)", "en"), ("显示\(city)天气", "zh-CN")] {
        guard
          case .matched(let best, _) = shipped.catalog.recognize(sentence, languages: [language])
        else {
          Issue.record("'\(sentence)' is not recognised")
          continue
        }
        #expect(best.intent == expected)
      }
      let url = try #require(shipped.catalog.url(for: expected))
      #expect(try shipped.catalog.route(url: url).get() == expected)
    }
  }

  @Test func `every listed city has a place in the world, and its names lead to it`() throws {
    let source = try #require(shipped.sources.first { $0.file == "lists/cities.yaml" })
    let values = source.document["lists"]?["cities"]?["values"]?.json.arrayValue ?? []
    var placed: Set<String> = []
    for value in values {
      let out = try #require(value["out"]?.stringValue)
      guard let metadata = value["metadata"] else {
        #expect(placed.contains(out), "\(out) has another name before its place")
        continue
      }
      #expect(placed.insert(out).inserted, "\(out) has two places")
      let zone = metadata["zone"]?.stringValue ?? ""
      #expect(zone.contains("/"), "\(out)")
      #expect(abs(metadata["latitude"]?.doubleValue ?? 99) <= 90, "\(out)")
      #expect(abs(metadata["longitude"]?.doubleValue ?? 999) <= 180, "\(out)")
    }
  }

  @Test(arguments: [
    ("weather://city/Beijing", "intentd://intent/ShowWeather?city=Beijing"),
    ("sun://city/Cairo", "intentd://intent/ShowSunTimes?city=Cairo"),
    ("clock://city/%E4%B8%9C%E4%BA%AC", "intentd://intent/ShowWorldClock?city=Tokyo"),
    ("system://status", "intentd://intent/ShowSystemStatus"),
    ("agenda://today", "intentd://intent/ShowAgenda"),
  ])
  func `a route and the generic URL are the same intent`(route: String, generic: String) throws {
    #expect(
      try shipped.catalog.route(url: route).get() == shipped.catalog.route(url: generic).get())
  }

  @Test func `every example's intent has a URL that gives it back`() throws {
    for example in shipped.examples {
      guard let parameters = example.parameters else { continue }
      let intent = Intent(name: example.intent, parameters: parameters)
      let url = try #require(shipped.catalog.url(for: intent), "\(intent)")
      #expect(try shipped.catalog.route(url: url).get() == intent, "\(url)")
      // A route that ships makes the URL wherever it can carry all parameters.
      #expect(!url.hasPrefix("intentd:"), "\(url)")
    }
  }

  @Test(arguments: [
    ("wether for Bejing", "en", "weather forecast for Beijing"),
    ("show weather for Bejing", "en", "show weather for Beijing"),
    ("when is sunst in Cairo", "en", "when is sunset in Cairo"),
    ("what tme is it in tokyo", "en", "what time is it in Tokyo"),
    ("show my agneda", "en", "show my agenda"), ("上海天汽", "zh-CN", "显示上海天气"),
  ])
  func `a near miss is answered with the sentence that was meant`(
    sentence: String, language: String, suggestion: String
  ) {
    guard
      case .unmatched(let suggestions) = shipped.catalog.recognize(sentence, languages: [language])
    else {
      Issue.record("'\(sentence)' is recognised")
      return
    }
    #expect(suggestions.contains(suggestion), "\(suggestions)")
  }
}
