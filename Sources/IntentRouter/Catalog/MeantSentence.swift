package import JSON

/// The sentence that a person meant by one with a slip in it, where there is no doubt about it.
///
/// Two ways lead to candidates: correcting single words of the sentence, and the examples that are
/// suggested anyway. A candidate counts only if exact recognition understands it completely.
extension IntentCatalog {
  /// Returns the sentence that was meant by one that matches nothing; `nil` if that is in doubt.
  ///
  /// The result is at most one slip in `Limits.slipLength` characters away, and every sentence that
  /// is as near means the same. `suggestions` are those of `recognize`, `languages` and `context`
  /// as for it.
  package func meant(
    by sentence: String, suggestions: [String], languages: [String],
    context: [String: JSONValue] = [:]
  ) -> String? {
    let said = NormalizedText(sentence: sentence)
    guard said.count <= Limits.comparedScalarsMax else { return nil }
    let slipsMax = max(1, min(said.count / Limits.slipLength, Limits.slipsMax))
    var found: [(slips: Int, sentence: String, meaning: Candidate)] = []
    for candidate in [corrected(said, languages)].compactMap({ $0 }) + suggestions {
      let slips = editDistance(said.folded, NormalizedText(sentence: candidate).folded)
      guard (1...slipsMax).contains(slips),
        case .matched(let meaning, _) = recognize(
          candidate, languages: languages, context: context, suggests: false)
      else { continue }
      found.append((slips, candidate, meaning))
    }
    guard let nearest = found.min(by: { $0.slips < $1.slips }),
      found.allSatisfy({ $0.meaning.intent == nearest.meaning.intent }),
      nearest.meaning.slots.allSatisfy({ isOnlyNearValue($0, of: nearest.meaning.intent, said) })
    else { return nil }
    return nearest.sentence
  }

  /// Returns the sentence with its near misses replaced: a value of a list, and words that only one
  /// word of the templates resembles; `nil` if nothing is replaced.
  private func corrected(_ said: NormalizedText, _ languages: [String]) -> String? {
    let words = literalWords(of: languages)
    let value = nearValue(in: said.folded)
    var result: [UInt32] = []
    var start = 0
    func take(_ end: Int) {
      for word in said.folded[start..<end].split(separator: space, omittingEmptySubsequences: true)
      {
        if !result.isEmpty { result.append(space) }
        result += corrected(Array(word), words) ?? Array(said.cased[word.indices])
      }
    }
    if let value {
      take(value.range.lowerBound)
      if !result.isEmpty { result.append(space) }
      result += value.spoken.unicodeScalars.map(\.value)
      start = value.range.upperBound
    }
    take(said.count)
    return result == said.cased ? nil : NormalizedText.string(result)
  }

  /// The only word of templates that is a slip away from one that no template has.
  private func corrected(_ word: [UInt32], _ words: Set<[UInt32]>) -> [UInt32]? {
    guard word.count >= 4, !words.contains(word), !word.contains(where: isIdeographic) else {
      return nil
    }
    var nearest: (distance: Int, words: [[UInt32]]) = (word.count >= 8 ? 2 : 1, [])
    for other in words where abs(other.count - word.count) <= nearest.distance && other.count > 2 {
      guard let distance = editDistance(word, other, atMost: nearest.distance) else { continue }
      if distance < nearest.distance {
        nearest = (distance, [other])
      } else if distance == nearest.distance {
        nearest.words.append(other)
      }
    }
    return nearest.words.count == 1 ? nearest.words[0] : nil
  }

  /// The words that the templates of these languages have literally.
  private func literalWords(of languages: [String]) -> Set<[UInt32]> {
    var words: Set<[UInt32]> = []
    for index in grammarIndices(for: languages) {
      for definition in definitions {
        for phrase in grammars[index].literalWords(of: definition.name) {
          for word in phrase.split(separator: space) { words.insert(Array(word)) }
        }
      }
    }
    return words
  }

  /// The value of a parameter's list that words of the sentence are a slip away from; `nil` if the
  /// sentence names a value as it is.
  private func nearValue(in said: [UInt32]) -> (range: Range<Int>, spoken: String)? {
    let names = Set(definitions.flatMap { $0.parameters.compactMap(\.list) }).sorted()
    let lists = names.compactMap(textList(named:))
    guard !lists.contains(where: { findValue(of: $0, in: said) != nil }) else { return nil }
    var budget = NearBudget()
    for list in lists {
      if let near = findNearValue(of: list, in: said, &budget) { return near }
    }
    return nil
  }

  /// Whether no other value of the list is as near to what was said as the slot's.
  private func isOnlyNearValue(
    _ slot: Candidate.Slot, of intent: Intent, _ said: NormalizedText
  ) -> Bool {
    let value = NormalizedText(value: slot.text).folded
    guard !value.isEmpty, said.folded.firstRange(of: value) == nil,
      let name = definition(named: intent.name)?.parameter(named: slot.name)?.list,
      let list = textList(named: name)
    else { return true }
    // The words that the value stands for are as many as its own, about.
    let words = said.folded.split(separator: space)
    let count = min(words.count, value.split(separator: space).count)
    var slips = Int.max
    var run: [UInt32] = []
    for start in 0...(words.count - count) {
      let said = Array(words[start..<(start + count)].joined(separator: [space]))
      let distance = editDistance(said, value)
      if distance < slips { (slips, run) = (distance, said) }
    }
    let index = list.index(ignoringWhitespace: false)
    guard index.count <= Limits.comparedNamesMax else { return false }
    return (0..<index.count).allSatisfy { other in
      let text = Array(index.text(other))
      return list.values[other].canonical == slot.value
        || editDistance(run, text, atMost: slips) == nil
    }
  }
}
