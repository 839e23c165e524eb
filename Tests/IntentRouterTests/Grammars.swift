import IntentRouter
import JSON

/// Documents for tests, written as JSON values: every value is said to be on line 1.
func located(_ value: JSONValue) -> LocatedValue {
  let node: LocatedValue.Node =
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .double(let number): .double(number)
    case .string(let text): .string(text)
    case .array(let values): .array(values.map(located))
    case .object(let object):
      .object(object.members.map { .init(key: $0.key, line: 1, value: located($0.value)) })
    }
  return LocatedValue(node, line: 1)
}

/// A catalogue with one intent `T` that has the string parameters `a`, `b` and `n`, and these
/// templates.
struct Grammar {
  var templates: [String]
  var rules: JSONObject = [:]
  var lists: JSONObject = [:]
  var settings: JSONObject = [:]
  var skipWords: [String] = []

  init(
    _ templates: String..., rules: JSONObject = [:], lists: JSONObject = [:],
    settings: JSONObject = [:], skipWords: [String] = []
  ) {
    self.templates = templates
    self.rules = rules
    self.lists = lists
    self.settings = settings
    self.skipWords = skipWords
  }

  func load() -> (catalog: IntentCatalog, issues: [DocumentIssue]) {
    let intent: JSONValue = [
      "name": "T", "title": "T", "description": "",
      "parameters": [
        ["name": "a"], ["name": "b"], ["name": "n", "type": "decimal"],
      ],
    ]
    let document: JSONValue = [
      "language": "en", "settings": .object(settings),
      "skip_words": .array(skipWords.map(JSONValue.string)),
      "intents": ["T": ["data": [["sentences": .array(templates.map(JSONValue.string))]]]],
      "expansion_rules": .object(rules), "lists": .object(lists),
    ]
    return IntentCatalog.load([
      CatalogSource(file: "T/intent.yaml", document: located(intent), kind: .intent),
      CatalogSource(file: "T/en.yaml", document: located(document), kind: .sentences),
    ])
  }

  /// The parameters of the best match; `nil` when nothing matches.
  func match(_ sentence: String) -> [String: JSONValue]? {
    guard case .matched(let best, _) = load().catalog.recognize(sentence, languages: ["en"]) else {
      return nil
    }
    return best.intent.parameters
  }

  func matches(_ sentence: String) -> Bool { match(sentence) != nil }
}
