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
    for index in grammarIndices(for: languages) {
      let grammar = grammars[index]
      let matches = grammar.interpreted(
        of: text, lists: lists, otherLists: otherLists[grammar.language] ?? OtherLists(),
        context: context, response: "default", allowsUnmatched: true,
        stepsMax: Limits.misunderstandingStepsMax)
      if let found = matches.flatMap({ best(of: $0, in: grammar) }) { return found }
    }
    return nil
  }

  /// Of the matches that lack one value, the one that has most words in common with the sentence.
  ///
  /// A gap takes all words up to the next ones that its template has. So words of other templates
  /// of the intent are at its ends ("show clock" is `{city} clock` with "show" for a city), and are
  /// no part of the value.
  private func best(of matches: [SentenceMatch], in grammar: PhraseGrammar) -> Misunderstanding? {
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
      var nearest = nearestTitle(to: words, of: parameter)
      if nearest == nil {
        let literal = wordsOfIntents[match.intent] ?? grammar.literalWords(of: match.intent)
        wordsOfIntents[match.intent] = literal
        words = NormalizedText(
          value: NormalizedText.string(Array(trimmed(words.cased[...], of: literal))))
        // Nothing is left: the sentence gives no value at all.
        guard !words.isEmpty else { continue }
        nearest = nearestTitle(to: words, of: parameter)
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
  private func nearestTitle(to words: NormalizedText, of parameter: ParameterDefinition) -> String?
  {
    guard let list = parameter.list.flatMap(textList(named:)) else { return nil }
    return nearestValue(to: words.folded, in: list.index(ignoringWhitespace: false)).map {
      title(of: list.values[$0].canonical)
    }
  }
}
