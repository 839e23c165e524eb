package import JSON

/// Names the part of a sentence that was not understood, by the unmatched mode, for one answer to a
/// person.
extension IntentCatalog {
  /// The part of a sentence that no value fits, when the rest is a sentence of some template; `nil`
  /// when the sentence is not near enough to any to say so.
  ///
  /// `languages` as for `recognize`. Bounded by `Limits.misunderstandingStepsMax`.
  package func misunderstanding(
    of sentence: String, languages: [String], context: [String: JSONValue] = [:]
  ) -> Misunderstanding? {
    guard isWithinLimit(sentence) else { return nil }
    let text = NormalizedText(sentence: sentence)
    // All languages share the steps, and all matches the glances at lists.
    var stepsLeft = Limits.misunderstandingStepsMax
    var budget = NearBudget()
    for index in grammarIndices(for: languages) {
      let grammar = grammars[index]
      let matches = grammar.interpreted(
        of: text, lists: lists, otherLists: otherLists[grammar.language] ?? OtherLists(),
        context: context, response: "default", allowsUnmatched: true,
        stepsLeft: &stepsLeft)
      guard let matches else { return nil }
      if let found = best(of: matches, in: grammar, &budget) { return found }
    }
    return nil
  }

  /// Of the matches that lack one value, the one that has most words in common with the sentence.
  ///
  /// A gap takes all words up to the next ones that its template has. So words of other templates
  /// of the intent are at its ends ("show clock" is `{city} clock` with "show" for a city), and are
  /// no part of the value.
  private func best(
    of matches: [SentenceMatch], in grammar: PhraseGrammar, _ budget: inout NearBudget
  ) -> Misunderstanding? {
    var wordsOfIntents: [String: [[UInt32]]] = [:]
    var found: (literal: Int, what: Misunderstanding)?
    for match in matches where match.unmatched.count == 1 {
      let gap = match.unmatched[0]
      guard case .text(let said) = gap.part, said != SentenceMatch.missing,
        let parameter = definition(named: match.intent)?.parameter(named: gap.name)
      else { continue }
      guard match.literalCharacters >= 3, match.literalCharacters > found?.literal ?? 0 else {
        continue
      }
      var words = NormalizedText(value: said)
      var nearest = nearestTitle(to: words, of: parameter, &budget)
      if nearest == nil {
        let literal = wordsOfIntents[match.intent] ?? grammar.literalWords(of: match.intent)
        wordsOfIntents[match.intent] = literal
        words = NormalizedText(
          value: NormalizedText.string(Array(trimmed(words.cased[...], of: literal))))
        // Nothing is left: the sentence gives no value at all.
        guard !words.isEmpty else { continue }
        nearest = nearestTitle(to: words, of: parameter, &budget)
      }
      // Few words in common prove nothing: every sentence is "weather" and something else then.
      guard nearest != nil || match.literalCharacters * 2 >= max(words.count, 8) else { continue }
      found = (
        match.literalCharacters,
        Misunderstanding(
          parameter: parameter.name, title: parameter.title,
          text: NormalizedText.string(words.cased), nearest: nearest)
      )
    }
    return found?.what
  }

  /// The name of the listed value that is a slip away from these words.
  private func nearestTitle(
    to words: NormalizedText, of parameter: ParameterDefinition, _ budget: inout NearBudget
  ) -> String? {
    guard let list = parameter.list.flatMap(textList(named:)) else { return nil }
    let index = list.index(ignoringWhitespace: false)
    return nearestValue(to: words.folded, in: index, &budget).map {
      title(of: list.values[$0].canonical)
    }
  }
}
