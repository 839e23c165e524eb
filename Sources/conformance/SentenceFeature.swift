import IntentRouter
import JSON
import NumberWords

/// Checks one row of `_features`: a small grammar, a call and its expected result.
struct SentenceFeature {
  let id: String
  let sentence: String
  private let row: JSONObject

  init(_ row: JSONObject) {
    self.row = row
    id = row["id"]?.stringValue ?? ""
    sentence = row["text"]?.stringValue ?? ""
  }

  var expectation: JSONValue {
    if let error = row["error"] { return ["error": error] }
    if let match = row["match"] { return ["match": match] }
    if case .array(let results)? = row["results"] { return .array(results.map(answer)) }
    return row["result"].map(answer) ?? .null
  }

  /// Returns the parts of a result that the row compares.
  private func answer(_ result: JSONValue) -> JSONValue {
    guard case .object(let object) = result else { return .null }
    var slots: JSONObject = [:]
    for entity in elements(object["entities"]) {
      slots[entity["name"]?.stringValue ?? ""] = entity["value"] ?? .null
    }
    return .object([
      "intent": object["intent"] ?? .null, "slots": .object(slots),
      "unmatched": .array(
        elements(object["unmatched"]).map { entity in
          entity["text"].map { ["name": entity["name"] ?? .null, "text": $0] }
            ?? ["name": entity["name"] ?? .null, "value": entity["value"] ?? .null]
        }),
      "captures": .array(
        elements(object["captures"]).map { capture in
          ["name": capture["name"] ?? .null, "text": capture["text"] ?? .null]
        }),
    ])
  }

  private func elements(_ value: JSONValue?) -> [JSONObject] {
    guard case .array(let elements)? = value else { return [] }
    return elements.compactMap(\.objectValue)
  }

  /// Runs the row; returns `nil` if the result is the expected one, else the result.
  func failure() -> JSONValue? {
    let got = answer()
    // `JSONValue` has a `.null` and literals, so `nil` is written with its type.
    return isEqual(got, expectation) ? Optional<JSONValue>.none : got
  }

  private var document: JSONObject {
    var document =
      row["intents"]?.objectValue ?? [
        "language": "en",
        "intents": ["T": ["data": [["sentences": [row["template"] ?? ""]]]]],
      ]
    if document["language"] == nil { document["language"] = "en" }
    if let words = options["skip_words"] { document["skip_words"] = words }
    if case .object(let rules)? = row["expansion_rules"] {
      var merged = document["expansion_rules"]?.objectValue ?? [:]
      for rule in rules.members { merged[rule.key] = rule.value }
      document["expansion_rules"] = .object(merged)
    }
    return document
  }

  private var options: JSONObject { row["options"]?.objectValue ?? [:] }

  private func answer() -> JSONValue {
    let loaded = SentenceGrammar.load(
      located(.object(document)), file: id, language: options["language"]?.stringValue
    ) { NumberWords.words(forTenths: $0, language: $1) }
    var grammar = loaded.grammar
    var issues = loaded.issues
    if let lists = row["slot_lists"] {
      let bound = grammar.binding(located(lists))
      grammar = bound.grammar
      issues += bound.issues
    }
    if row["error"] != nil {
      let isRefused = issues.contains { $0.severity == .error } || !grammar.absentLists.isEmpty
      return isRefused ? expectation : "no error"
    }
    if let issue = issues.first(where: { $0.severity == .error }) {
      return .string(issue.description)
    }
    let request = SentenceGrammar.Request(
      context: members(of: options["intent_context"]),
      allowsUnmatched: options["allow_unmatched_entities"]?.boolValue ?? false)
    let matches: [SentenceMatch]
    switch grammar.recognizeAll(sentence, request) {
    case .failure(let error): return .string(error.message)
    case .success(let all): matches = all
    }
    switch row["api"]?.stringValue ?? "" {
    case "is_match": return ["match": .bool(!matches.isEmpty)]
    case "recognize_all": return .array(matches.map(view))
    case "recognize_best":
      return matches.best(
        metadataKey: options["best_metadata_key"]?.stringValue,
        slot: options["best_slot_name"]?.stringValue
      ).map(view) ?? .null
    default: return matches.first.map(view) ?? .null
    }
  }

  private func view(_ match: SentenceMatch) -> JSONValue {
    guard case .object(var object) = conformance.view(match, withUnmatched: true) else {
      return .null
    }
    object["captures"] = .array(
      match.captures.map { ["name": .string($0.name), "text": .string($0.text)] })
    return .object(object)
  }
}
