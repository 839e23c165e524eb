package import JSON

/// A sentence of a grammar that begins as a text does.
package struct GrammarCompletion: Sendable {
  package var sentence: String
  /// What it means; of one that stops before a value, what it means with some value.
  package var match: SentenceMatch
  /// Whether it stops before a value that nobody can list.
  package var isUnfinished: Bool
  package var changes: [NearChange] = []
}

extension SentenceGrammar {
  /// Finds sentences that begin with `text`, as `IntentCatalog.complete` does, where intents have no
  /// parameters to check.
  package func complete(
    _ text: String, context: [String: JSONValue] = [:], limit: Int, corrects: Bool = false
  ) -> Result<[GrammarCompletion], RouterError> {
    guard isWithinLimit(text) else { return .failure(.sentenceTooLong) }
    let limit = max(0, min(limit, Limits.completionsMax))
    let exact = completions(of: text, context, limit: limit, corrects: false)
    guard corrects, exact.isEmpty else { return .success(exact) }
    return .success(completions(of: text, context, limit: limit, corrects: true))
  }

  private func completions(
    of text: String, _ context: [String: JSONValue], limit: Int, corrects: Bool
  ) -> [GrammarCompletion] {
    let written = grammar.written(
      from: text, lists: lists, context: context, habits: HabitualValues([]), limit: limit,
      corrects: corrects
    ) { _, _ in "x" }
    var completions: [GrammarCompletion] = []
    var meanings: Set<NearMeaning> = []
    for sentence in written.prefix(Limits.completionChecksMax) where completions.count < limit {
      let text = NormalizedText(sentence: sentence.whole)
      var match: SentenceMatch?
      let isComplete = grammar.visitBestFirst(of: text, lists: lists, context: context) { _, make in
        match = make()
        return match == nil
      }
      guard isComplete, let match else { continue }
      var meaning = NearMeaning(intent: match.intent, slots: match.slots, wildcards: 0)
      if let slot = sentence.slot { meaning.slots[slot] = .null }
      guard meanings.insert(meaning).inserted else { continue }
      completions.append(
        GrammarCompletion(
          sentence: sentence.sentence, match: match, isUnfinished: sentence.slot != nil,
          changes: sentence.changes))
    }
    return completions
  }
}
