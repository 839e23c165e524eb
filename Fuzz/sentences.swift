import Documents
import IntentRouter
import JSON

/// Fuzzes sentence documents with a sentence.
///
/// No document may crash the loader or occupy the loop for long, and a sentence has the same
/// meaning each time. The first section is a YAML document with sentences for the fixed intents
/// below, the second a sentence, the optional third the sender's language.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 3)
  let document = within(2_000, "reading") { readYAML(text(parts[0]), file: "en.yaml") }
  check(document.issues, of: parts[0])
  var sources = fixed
  if let value = document.value {
    sources.append(CatalogSource(file: "en.yaml", document: value, kind: .sentences))
  }
  let (catalog, issues) = within(2_000, "loading") { IntentCatalog.load(sources) }
  check(issues, of: parts[0])
  precondition(catalog.definitions.map(\.name) == ["Plain", "Show"], "an intent is lost")

  guard parts.count > 1 else { return 0 }
  let sentence = line(parts[1])
  let languages = parts.count > 2 ? [line(parts[2])] : []
  let recognition = within(1_000, "recognising") {
    catalog.recognize(sentence, languages: languages)
  }
  precondition(
    recognition == catalog.recognize(sentence, languages: languages), "another answer")
  switch recognition {
  case .matched(let best, let all):
    precondition(all.first == best)
    precondition(all.count <= Limits.candidatesMax)
    for candidate in all {
      precondition(catalog.definition(named: candidate.intent.name) != nil)
      precondition(catalog.languages.contains(candidate.language))
    }
  case .needs(let need, let language, _):
    precondition(catalog.definition(named: need.intent) != nil)
    precondition(catalog.languages.contains(language))
    precondition(need.choices.count <= Limits.choicesMax)
  case .unmatched(let suggestions):
    precondition(suggestions.count <= Limits.suggestionsMax)
  case .refused(let error):
    precondition(
      [.emptySentence, .sentenceTooLong, .sentenceTooComplex].contains(error.code),
      "a refusal that is none of a sentence")
  }
  return 0
}

private func check(_ issues: [DocumentIssue], of document: [UInt8]) {
  // `count` is enough for any line number: YAML also ends lines at a carriage return and at three
  // characters of Unicode.
  let lines = document.count + 2
  for issue in issues {
    precondition(issue.file == "en.yaml", "an issue of another file: \(issue.description)")
    precondition((0...lines).contains(issue.line), "a line that is not there")
  }
}

private let fixed: [CatalogSource] = {
  func source(_ kind: CatalogSource.Kind, _ file: String, _ yaml: String) -> CatalogSource {
    let document = readYAML(yaml, file: file)
    guard let value = document.value, document.issues.isEmpty else {
      preconditionFailure("the fixed document \(file) is broken")
    }
    return CatalogSource(file: file, document: value, kind: kind)
  }
  return [
    source(
      .intent, "Show/intent.yaml",
      """
      name: Show
      title: Show
      description: Everything that a parameter can be
      parameters:
        - {name: city, title: City, type: string, list: cities, otherValues: true, otherValuesExclude: [today, my]}
        - {name: count, title: Count, type: integer}
        - {name: text, title: Text, type: string}
      routes: ["show://city/{city}"]
      """),
    source(
      .intent, "Plain/intent.yaml",
      """
      name: Plain
      title: Plain
      description: Nothing at all
      """),
    source(
      .list, "lists/cities.yaml",
      """
      lists:
        cities:
          values:
            - Beijing
            - {in: "(北京|Peking)", out: Beijing}
            - New York
            - Xi'an
            - São Paulo
      """),
  ]
}()
