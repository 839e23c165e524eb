/// Judges the form of an `examples.yaml`: keys that nobody reads, languages without sentences,
/// parameters that the intent does not have.
///
/// The loader reports an intent that is not defined; it passes over the rest, since the daemon does
/// not need it.
import JSON

struct LintExampleForm {
  private let source: CatalogSource
  private let languages: [String]
  private let definition: IntentDefinition?
  private var found: [LintFinding] = []

  init(_ source: CatalogSource, _ catalog: IntentCatalog) {
    self.source = source
    languages = catalog.languages
    definition = source.document["intent"]?.json.stringValue.flatMap(catalog.definition(named:))
  }

  mutating func findings() -> [LintFinding] {
    found = []
    warnUnknown(in: source.document, known: ["intent", "examples"], of: "the examples")
    for language in members(of: source.document["examples"]) { judge(language) }
    return found
  }

  private mutating func judge(_ language: LocatedValue.Member) {
    if !languages.contains(language.key) {
      report(
        language.line,
        "no document has sentences in '\(language.key)', so these examples are not tried\(didYouMean(nearest(to: language.key, among: languages, countMax: 1)))",
        expected: languages.isEmpty
          ? "a document of sentences" : "one of \(languages.joined(separator: ", "))")
    }
    warnUnknown(in: language.value, known: ["match", "noMatch"], of: "the examples of a language")
    for element in elements(of: language.value["match"]) { judge(element, mustMatch: true) }
    for element in elements(of: language.value["noMatch"]) { judge(element, mustMatch: false) }
  }

  private mutating func judge(_ element: LocatedValue, mustMatch: Bool) {
    guard case .object = element.node else {
      if !mustMatch, element.json.stringValue == nil {
        report(
          element.line, "a sentence under 'noMatch' is \(element.json.typeName)",
          expected: "a text (in quotes if need be)")
      }
      return
    }
    if element["sentence"] == nil {
      report(
        element.line, "an example has no key 'sentence'",
        expected: "{sentence: \"…\", parameters: {…}}, or the sentence alone")
    }
    let known = mustMatch ? ["sentence", "parameters"] : ["sentence"]
    warnUnknown(
      in: element, known: known, of: mustMatch ? "an example" : "a sentence under 'noMatch'")
    guard mustMatch, let definition else { return }
    let names = definition.parameters.map(\.name)
    for stated in members(of: element["parameters"]) where !names.contains(stated.key) {
      report(
        stated.line,
        "\(definition.name) has no parameter '\(stated.key)'\(didYouMean(nearest(to: stated.key, among: names, countMax: 1)))",
        expected: names.isEmpty ? "no parameters" : "one of \(names.joined(separator: ", "))")
    }
  }

  private mutating func warnUnknown(in value: LocatedValue, known: [String], of what: String) {
    for member in members(of: value) where !known.contains(member.key) {
      report(
        member.line,
        "'\(member.key)' is no key of \(what) and is ignored\(didYouMean(nearest(to: member.key, among: known, countMax: 1)))",
        expected: "one of \(known.joined(separator: ", "))")
    }
  }

  private mutating func report(_ line: Int, _ message: String, expected: String) {
    found.append(
      LintFinding(
        kind: .example,
        issue: DocumentIssue(
          severity: .error, file: source.file, line: line, message: message, expected: expected)))
  }

  private func members(of value: LocatedValue?) -> [LocatedValue.Member] {
    guard case .object(let members)? = value?.node else { return [] }
    return members
  }

  private func elements(of value: LocatedValue?) -> [LocatedValue] {
    guard case .array(let elements)? = value?.node else { return [] }
    return elements
  }
}
