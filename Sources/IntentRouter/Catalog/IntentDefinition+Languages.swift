import JSON

/// The texts of an intent in the language of the person who reads them.
///
/// The members of a definition (`title`, `prompt`, …) are the texts that are shown where no language
/// decides. Those that have several versions are kept beside them.
extension IntentDefinition {
  /// Returns the title for a person who reads `languages`.
  package func title(in languages: [String]) -> String { titles?.text(in: languages) ?? title }

  /// Returns the definition with its texts for a person who reads `languages`.
  package func localized(in languages: [String]) -> IntentDefinition {
    var definition = self
    definition.title = title(in: languages)
    definition.description = descriptions?.text(in: languages) ?? description
    definition.parameters = parameters.map { $0.localized(in: languages) }
    return definition
  }
}

extension ParameterDefinition {
  /// A text of a parameter that people read.
  package enum Text: Hashable, Sendable { case title, prompt, disambiguation, unsupported }

  /// Returns the parameter with its texts for a person who reads `languages`.
  func localized(in languages: [String]) -> ParameterDefinition {
    guard hasLanguages else { return self }
    var parameter = self
    parameter.title = texts[.title]?.text(in: languages) ?? title
    parameter.prompt = texts[.prompt]?.text(in: languages) ?? prompt
    parameter.disambiguationPrompt =
      texts[.disambiguation]?.text(in: languages) ?? disambiguationPrompt
    parameter.unsupportedReason = texts[.unsupported]?.text(in: languages) ?? unsupportedReason
    for index in cases.indices {
      guard let titles = cases[index].titles else { continue }
      parameter.cases[index].title = titles.text(in: languages)
    }
    return parameter
  }

  /// Whether a text of it has several versions.
  private var hasLanguages: Bool { !texts.isEmpty || cases.contains { $0.titles != nil } }
}

extension ParameterDefinition.EnumerationCase {
  /// Whether a folded text is the case's title, in any of its languages: a person may answer in
  /// another one than was asked in.
  func isTitled(_ folded: String) -> Bool {
    caseFolded(title) == folded
      || titles?.versions.contains { caseFolded($0.text) == folded } ?? false
  }
}
