// The examples of all intents, against all templates: whether each is understood, and which
// template takes what is another intent's.

import JSON

/// A sentence of `examples.yaml`.
struct LintExample {
  var intent: String
  var language: String
  var sentence: String
  /// Whether the sentence must match; else it must not.
  var matches: Bool
  /// The parameter for which the sentence must ask; `nil`: the example states none.
  var asks: String?
  /// The values that the sentence must give; those that are not stated may be any.
  var parameters: [LocatedValue.Member] = []
  var file: String
  var line: Int

  /// Returns the examples of a document; none for a document of another kind.
  ///
  /// The loader reports mistakes in it.
  static func read(_ source: CatalogSource) -> [LintExample] {
    guard source.kind == .examples, let intent = source.document["intent"]?.json.stringValue,
      case .object(let languages)? = source.document["examples"]?.node
    else { return [] }
    var examples: [LintExample] = []
    for language in languages {
      for (key, matches) in [("match", true), ("asks", true), ("noMatch", false)] {
        guard case .array(let elements)? = language.value[key]?.node else { continue }
        for element in elements {
          guard let sentence = (element["sentence"] ?? element).json.stringValue else { continue }
          var example = LintExample(
            intent: intent, language: language.key, sentence: sentence, matches: matches,
            file: source.file, line: element.line)
          if key == "asks" { example.asks = element["parameter"]?.json.stringValue }
          if case .object(let members)? = element["parameters"]?.node {
            example.parameters = members
          }
          examples.append(example)
        }
      }
    }
    return examples
  }
}

extension LintedLanguage {
  mutating func judge(_ examples: [LintExample]) {
    var taken: [Int: Int] = [:]
    for example in examples where example.language == code {
      guard catalog.definition(named: example.intent) != nil else { continue }
      guard let readings = readings(of: example.sentence) else {
        guard effort.isLeft else {
          isCutShort = true
          return
        }
        report(
          example,
          "\(quoted(example.sentence)) fits the \(code) templates in more ways than are looked at",
          expected: "a shorter sentence, or fewer optional parts")
        continue
      }
      let ready = readings.filter(\.isReady)
      // An intent that asks something first is understood too, where no other one is complete.
      let understood = ready.isEmpty ? Array(readings.prefix(1)) : ready
      if example.matches {
        judgeMatch(of: example, understood.first)
      }
      judge(example, understood, &taken)
    }
  }

  /// Reports a sentence that is not understood as its intent, or gives other values than stated.
  private mutating func judgeMatch(of example: LintExample, _ reading: Reading?) {
    guard let reading, reading.match.intent == example.intent else {
      let instead = reading.map { ", but as \($0.match.intent)" } ?? ""
      report(
        example, "\(quoted(example.sentence)) is not understood as \(example.intent)\(instead)",
        expected: "a template for it, or the sentence under 'noMatch'")
      return
    }
    if let stated = example.asks, reading.asked != stated {
      report(
        example,
        "\(quoted(example.sentence)) asks \(reading.asked.map { "for \($0)" } ?? "nothing"), and the example states that it asks for \(stated)",
        expected: reading.asked == nil
          ? "the sentence under 'match', or a template without a slot for \(stated)"
          : "the parameter that is asked for first")
    }
    for stated in example.parameters {
      let given = reading.parameters[stated.key]
      guard !isSame(stated.value.json, given),
        catalog.definition(named: example.intent)?.parameter(named: stated.key) != nil
      else { continue }
      report(
        example,
        "\(quoted(example.sentence)) gives \(given.map { "\(stated.key): \($0.serialized)" } ?? "no \(stated.key)"), and the example states \(stated.key): \(stated.value.json.serialized)",
        expected: given == nil
          ? "a template with a slot for it" : "the value that the sentence gives", at: stated.line)
    }
  }

  /// Whether a sentence gives the value that an example states: an object or a place may be stated
  /// by its name.
  private func isSame(_ stated: JSONValue, _ given: JSONValue?) -> Bool {
    guard let given else { return stated.isNull }
    if stated == given { return true }
    if let stated = stated.doubleValue, let given = given.doubleValue { return stated == given }
    guard let text = stated.stringValue else { return false }
    return ["display", "identifier", "name"].contains { given[$0]?.stringValue == text }
  }

  /// Names the templates that take a sentence which is not theirs.
  private mutating func judge(
    _ example: LintExample, _ readings: [Reading], _ taken: inout [Int: Int]
  ) {
    var seen: Set<Int> = []
    for reading in readings where seen.insert(reading.source).inserted {
      let isOwn = reading.match.intent == example.intent
      guard isOwn != example.matches else { continue }
      taken[reading.source, default: 0] += 1
      guard taken[reading.source, default: 0] <= Limits.lintedFindingsPerTemplateMax else {
        continue
      }
      let place = "\(example.file):\(example.line)"
      let what =
        isOwn
        ? "which must not match \(example.intent) (\(place))"
        : "an example of \(example.intent) (\(place))"
          + (reading.source == readings.first?.source ? ", and ranks first" : "")
      report(
        .overMatch, about: reading.source,
        "\(template(reading.source)) takes \(quoted(example.sentence)), \(what)",
        expected: reading.match.wildcards > 0
          ? "more words around the wildcard, or a list in its place"
          : "words that only \(reading.match.intent) has", otherFile: example.file,
        severity: isOwn ? .error : .warning)
    }
  }

  private mutating func report(
    _ example: LintExample, _ message: String, expected: String, at line: Int? = nil
  ) {
    findings.append(
      LintFinding(
        kind: .example,
        issue: DocumentIssue(
          severity: .error, file: example.file, line: line ?? example.line, message: message,
          expected: expected)))
  }
}
