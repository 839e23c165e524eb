package import JSON

extension IntentCatalog {
  /// Reads a sentence nearly that `recognize` finds nothing for.
  ///
  /// `languages` and `context` as for it; of the languages that come by "*" none is tried, and of
  /// the named ones the first that has a reading which may be acted on, else the one whose reading
  /// has most of what was said: what denies a sentence in its own language is an unknown word to
  /// another, which would ask. Of equal ones the likeliest reading counts. Each reading's sentence
  /// is one that `recognize` understands in that language. An intent with `near: never` has no
  /// reading, and one with `near: ask` or `confirm: true` is only asked about. A URL has none: of
  /// one with a slip in it another page could come.
  ///
  /// Bounded for each language by `Limits.nearStepsMax` and `nearNameStepsMax`, and by
  /// some 220 exact recognitions, of a sentence of known words in another order.
  package func readNearly(
    _ sentence: String, languages: [String], context: [String: JSONValue] = [:]
  ) -> (answer: NearAnswer, language: String?) {
    guard isWithinLimit(sentence), !Self.hasURL(sentence) else { return (.nothing, nil) }
    let text = NormalizedText(sentence: sentence)
    let named = languages.filter { $0 != anyLanguage }
    let indices = grammarIndices(for: named).prefix(Limits.nearLanguagesMax)
    var best: (answer: NearAnswer, language: String?) = (.nothing, nil)
    for index in indices {
      let language = grammars[index].language
      let answer = readNearly(text, grammar: index, context: context)
      if answer.decision == .act { return (answer, language) }
      // Readings with nothing of the sentence tell a person nothing.
      guard let reading = answer.readings.first,
        answer.decision == .ask || answer.keptLetterCount > 0
      else { continue }
      guard let other = best.answer.readings.first else {
        best = (answer, language)
        continue
      }
      let isBetter =
        answer.keptLetterCount == best.answer.keptLetterCount
        ? reading.confidence > other.confidence
        : answer.keptLetterCount > best.answer.keptLetterCount
      if isBetter { best = (answer, language) }
    }
    return best
  }

  /// Returns whether a sentence has a URL in it, or is one.
  private static func hasURL(_ sentence: String) -> Bool {
    if sentence.contains("://") { return true }
    guard case .success = ProfiledURL.parse(sentence) else { return false }
    return !sentence.contains(where: \.isWhitespace)
  }

  private func readNearly(
    _ text: NormalizedText, grammar index: Int, context: [String: JSONValue]
  ) -> NearAnswer {
    let grammar = grammars[index]
    let reader = NearReader(
      near: grammar.near(lists, otherLists[grammar.language] ?? OtherLists()), lists: lists,
      meaning: { nearMeaning(of: $0, in: grammar.language, context) })
    var answer = reader.answer(text)
    let rule = answer.readings.first.flatMap { definition(named: $0.meaning.intent) }
    if answer.decision == .act, let rule, rule.near != .act || rule.needsConfirmation {
      answer.decision = .ask
    }
    return answer
  }

  /// What exact recognition says about a sentence of a language.
  private func nearMeaning(
    of sentence: String, in language: String, _ context: [String: JSONValue]
  ) -> NearMeaning? {
    let meaning: NearMeaning
    switch recognize(
      sentence, languages: [language], context: context, bestOnly: true, suggests: false)
    {
    case .matched(let best, _):
      meaning = NearMeaning(
        intent: best.intent.name, slots: best.intent.parameters, wildcards: best.wildcards)
    case .needs(let need, _, _):
      meaning = NearMeaning(intent: need.intent, slots: need.parameters, wildcards: 0)
    case .unmatched, .refused: return nil
    }
    return definition(named: meaning.intent)?.near == .never ? nil : meaning
  }
}
