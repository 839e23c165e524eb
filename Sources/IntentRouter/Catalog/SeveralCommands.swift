package import JSON

/// Several commands in one sentence: "show weather for Beijing and the agenda".
///
/// A sentence is split at a conjunction of its language only if it does not match as a whole and
/// both parts match on their own. Documents name the conjunctions (`settings: {conjunctions:
/// [and]}`) and can turn the splitting off (`several_commands: false`).
extension IntentCatalog {
  /// The commands of a sentence that is not one by itself, in order; `nil` when it is not several
  /// either.
  ///
  /// At most `Limits.commandsMax`.
  package func commands(
    in sentence: String, languages: [String], context: [String: JSONValue] = [:]
  ) -> [Candidate]? {
    guard isWithinLimit(sentence) else { return nil }
    for index in grammarIndices(for: languages) {
      let grammar = grammars[index]
      guard !grammar.conjunctions.isEmpty else { continue }
      let text = NormalizedText(sentence: sentence)
      var attempts = Limits.commandAttemptsMax
      if let found = split(text, grammar, context, countMax: Limits.commandsMax, &attempts) {
        return found
      }
    }
    return nil
  }

  private func split(
    _ text: NormalizedText, _ grammar: PhraseGrammar, _ context: [String: JSONValue],
    countMax: Int, _ attempts: inout Int
  ) -> [Candidate]? {
    guard countMax > 1 else { return nil }
    for place in text.folded.indices.dropFirst() {
      guard let length = conjunction(at: place, in: text.folded, grammar) else { continue }
      let first = NormalizedText(cased: stripped(Array(text.cased[..<place])))
      let rest = NormalizedText(cased: stripped(Array(text.cased[(place + length)...])))
      guard !first.isEmpty, !rest.isEmpty, attempts > 0 else { continue }
      attempts -= 1
      guard let command = command(first, grammar, context) else { continue }
      if let last = self.command(rest, grammar, context) { return [command, last] }
      if let others = split(
        rest, grammar, context, countMax: countMax - 1, &attempts)
      {
        return [command] + others
      }
    }
    return nil
  }

  private func command(
    _ text: NormalizedText, _ grammar: PhraseGrammar, _ context: [String: JSONValue]
  ) -> Candidate? {
    let sentence = NormalizedText.string(text.cased)
    guard
      case .matched(let best, _) = recognize(
        sentence, languages: [grammar.language], context: context, suggests: false)
    else { return nil }
    return best
  }

  /// Returns the length of the longest conjunction that is a whole word at a place.
  private func conjunction(
    at place: Int, in folded: [UInt32], _ grammar: PhraseGrammar
  ) -> Int? {
    var longest: Int?
    for word in grammar.conjunctions where word.count > longest ?? 0 {
      let end = place + word.count
      guard end < folded.count, folded[place..<end].elementsEqual(word) else { continue }
      let isWhole =
        isIdeographic(word[0]) || !isWord(word[0])
        || (!isWord(folded[place - 1]) && !isWord(folded[end]))
      if isWhole { longest = word.count }
    }
    return longest
  }
}
