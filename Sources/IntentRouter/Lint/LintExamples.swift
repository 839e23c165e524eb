/// The examples of all intents, against all templates: whether each is understood, and which
/// template takes what is another intent's.
import JSON

/// A sentence of `examples.yaml`.
struct LintExample {
  var intent: String
  var language: String
  var sentence: String
  /// Whether the sentence must match; else it must not.
  var matches: Bool
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
      for (key, matches) in [("match", true), ("noMatch", false)] {
        guard case .array(let elements)? = language.value[key]?.node else { continue }
        for element in elements {
          guard let sentence = (element["sentence"] ?? element).json.stringValue else { continue }
          examples.append(
            LintExample(
              intent: intent, language: language.key, sentence: sentence, matches: matches,
              file: source.file, line: element.line))
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
      if example.matches, ready.first?.match.intent != example.intent {
        let instead = ready.first.map { ", but as \($0.match.intent)" } ?? ""
        report(
          example, "\(quoted(example.sentence)) is not understood as \(example.intent)\(instead)",
          expected: "a template for it, or the sentence under 'noMatch'")
      }
      judge(example, ready, &taken)
    }
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

  private mutating func report(_ example: LintExample, _ message: String, expected: String) {
    findings.append(
      LintFinding(
        kind: .example,
        issue: DocumentIssue(
          severity: .error, file: example.file, line: example.line, message: message,
          expected: expected)))
  }
}
