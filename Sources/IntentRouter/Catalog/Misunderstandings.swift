/// Names the part of a sentence that was not understood, by the unmatched mode, for one answer to a
/// person.
package import JSON

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
      if let found = matches.flatMap(best) { return found }
    }
    return nil
  }

  /// Of the matches that lack one value, the one that has most words in common with the sentence.
  private func best(of matches: [SentenceMatch]) -> Misunderstanding? {
    var found: (literal: Int, what: Misunderstanding)?
    for match in matches where match.unmatched.count == 1 {
      let gap = match.unmatched[0]
      guard case .text(let said) = gap.part, said != SentenceMatch.missing,
        let parameter = definition(named: match.intent)?.parameter(named: gap.name)
      else { continue }
      let words = NormalizedText(value: said)
      guard match.literalCharacters >= 3, match.literalCharacters > found?.literal ?? 0 else {
        continue
      }
      let list = parameter.list.flatMap(textList(named:))
      let nearest = list.flatMap { list in
        nearestValue(to: words.folded, in: list.index(ignoringWhitespace: false)).map {
          title(of: list.values[$0].canonical)
        }
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
}
