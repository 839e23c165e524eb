import IntentRouter
import JSON

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

  /// Returns the parameters of the best match; `nil` if nothing matches.
  func match(_ sentence: String) -> [String: JSONValue]? {
    guard case .matched(let best, _) = load().catalog.recognize(sentence, languages: ["en"]) else {
      return nil
    }
    return best.intent.parameters
  }

  func matches(_ sentence: String) -> Bool { match(sentence) != nil }
}
