import IntentRouter
import JSON
import Testing

/// Tests the texts of intents that are written by language.
@Suite struct IntentLanguageTests {
  private static let intent: JSONValue = [
    "name": "SetLamp", "title": ["en": "Set the lamp", "zh-CN": "设置灯"],
    "description": ["en": "Its colour.", "zh-CN": "灯的颜色。"], "confirm": true,
    "parameters": [
      [
        "name": "colour", "title": ["en": "Colour", "zh-CN": "颜色"], "required": true,
        "type": "enumeration", "prompt": ["en": "Which colour?", "zh-CN": "什么颜色？"],
        "cases": [
          ["name": "warm", "title": ["en": "Warm white", "zh-CN": "暖白"]],
          ["name": "cold", "title": ["en": "Cold white", "zh-CN": "冷白"]],
        ],
      ]
    ],
  ]

  private func load(_ intent: JSONValue = intent) -> (IntentCatalog, [String]) {
    let loaded = IntentCatalog.load([
      CatalogSource(file: "SetLamp/intent.yaml", document: located(intent), kind: .intent)
    ])
    return (loaded.catalog, loaded.issues.map(\.message))
  }

  private func need(
    _ values: [String: JSONValue], in languages: [String]
  ) throws -> IntentNeed {
    let (catalog, issues) = load()
    #expect(issues == [])
    guard
      case .needs(let need) = catalog.resolution(
        name: "SetLamp", parameters: values, in: languages)
    else { throw Missing() }
    return need
  }

  private struct Missing: Error {}

  @Test(
    arguments: [
      (["zh_CN"], "什么颜色？", ["暖白", "冷白"]),
      (["de", "en"], "Which colour?", ["Warm white", "Cold white"]),
      ([], "Which colour?", ["Warm white", "Cold white"]),
    ] as [([String], String, [String])])
  func `a question and its choices come in the language of who is asked`(
    languages: [String], prompt: String, titles: [String]
  ) throws {
    let need = try need([:], in: languages)
    #expect(need.prompt == prompt)
    #expect(need.choices.map(\.title) == titles)
    #expect(need.choices.map(\.value) == ["warm", "cold"])
  }

  @Test func `a title answers in any of its languages`() throws {
    let (catalog, _) = load()
    for title in ["暖白", "warm white", "warm"] {
      let resolved = catalog.resolve(name: "SetLamp", parameters: ["colour": .string(title)])
      #expect(try resolved.get().parameters["colour"] == "warm")
    }
  }

  @Test func `a confirmation has the title in the language of who is asked`() throws {
    #expect(try need(["colour": "warm"], in: ["zh"]).prompt == "设置灯?")
    #expect(try need(["colour": "warm"], in: ["fr"]).prompt == "Set the lamp?")
  }

  @Test func `a definition has its texts in a language`() throws {
    let (catalog, _) = load()
    let definition = try #require(catalog.definition(named: "SetLamp"))
    #expect(definition.title == "Set the lamp" && definition.description == "Its colour.")
    let chinese = definition.localized(in: ["zh-CN"])
    #expect(chinese.title == "设置灯" && chinese.description == "灯的颜色。")
    #expect(chinese.parameters[0].title == "颜色")
    #expect(chinese.parameters[0].cases.map(\.title) == ["暖白", "冷白"])
  }

  @Test func `a mistake in a text is told, and the intent is there`() {
    let (catalog, issues) = load([
      "name": "SetLamp", "title": ["english": "A", "en": "B"], "description": [:],
      "parameters": [["name": "room", "prompt": ["en": [1]], "title": ["en": "A", "EN": "B"]]],
    ])
    #expect(catalog.definitions.map(\.title) == ["B"])
    #expect(
      issues == [
        "'title' has the language 'english'", "'description' has 0 languages",
        "'title' has the language 'EN' twice", "'prompt' in en is an array",
      ])
  }
}
