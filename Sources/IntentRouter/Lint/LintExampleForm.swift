import JSON

/// Judges the form of an `examples.yaml`: keys that nobody reads, languages without sentences,
/// parameters that the intent does not have.
///
/// The loader reports an intent that is not defined; it passes over the rest, since the daemon does
/// not need it.
struct LintExampleForm {
  /// The lists of sentences that a language has, by their keys.
  private enum Section: String, CaseIterable {
    case match, asks, noMatch

    /// The name of an element in a message.
    var noun: String { self == .match ? "an example" : "a sentence under '\(rawValue)'" }

    /// The keys of an element that is no mere text.
    var keys: [String] {
      switch self {
      case .match: ["sentence", "parameters"]
      case .asks: ["sentence", "parameter"]
      case .noMatch: ["sentence"]
      }
    }

    var requiredKeys: [String] { self == .asks ? keys : ["sentence"] }

    /// A sketch of an element, for a message.
    var form: String {
      switch self {
      case .match: "{sentence: \"…\", parameters: {…}}, or the sentence alone"
      case .asks: "{sentence: \"…\", parameter: …}"
      case .noMatch: "{sentence: \"…\"}, or the sentence alone"
      }
    }
  }

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
    warnUnknown(
      in: language.value, known: Section.allCases.map(\.rawValue), of: "the examples of a language")
    for section in Section.allCases {
      for element in elements(of: language.value[section.rawValue]) { judge(element, section) }
    }
  }

  private mutating func judge(_ element: LocatedValue, _ section: Section) {
    guard case .object = element.node else {
      switch section {
      case .match: break
      case .asks:
        report(
          element.line, "a sentence under 'asks' does not say what it asks for",
          expected: section.form)
      case .noMatch where element.json.stringValue == nil:
        report(
          element.line, "a sentence under 'noMatch' is \(element.json.typeName)",
          expected: "a text (in quotes if need be)")
      case .noMatch: break
      }
      return
    }
    for key in section.requiredKeys where element[key] == nil {
      report(element.line, "\(section.noun) has no key '\(key)'", expected: section.form)
    }
    warnUnknown(in: element, known: section.keys, of: section.noun)
    guard let definition else { return }
    let names = definition.parameters.map(\.name)
    var stated = members(of: section == .match ? element["parameters"] : nil).map {
      ($0.key, $0.line)
    }
    if section == .asks, let parameter = element["parameter"], let name = parameter.json.stringValue
    {
      stated.append((name, parameter.line))
    }
    for (name, line) in stated where !names.contains(name) {
      report(
        line,
        "\(definition.name) has no parameter '\(name)'\(didYouMean(nearest(to: name, among: names, countMax: 1)))",
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
