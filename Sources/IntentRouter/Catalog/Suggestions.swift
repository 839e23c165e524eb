// Finds near misses: names and sentences that a person probably meant.
//
// A sentence that did not match is compared with example sentences. Words of a list, "Beijing" and
// also "Bejing", are replaced first, so that the rest of the sentence is compared and the
// suggestion can name the person's city. Nearness is half edit distance and half the share of
// common letter pairs, which tolerates another order of words.

import JSON

/// Names within a slip or two of `name`, nearest first.
func nearestNames(to name: String, in names: [String]) -> [String] {
  let folded = Array(NormalizedText(value: name).folded.prefix(Limits.comparedScalarsMax))
  // One letter is one slip away from every other.
  guard folded.count > 2 else { return [] }
  let allowed = folded.count / 3
  var found: [(distance: Int, name: String)] = []
  for candidate in names.prefix(Limits.comparedNamesMax) {
    let other = NormalizedText(value: candidate).folded
    guard let distance = editDistance(folded, other, atMost: allowed),
      !found.contains(where: { $0.name == candidate })
    else { continue }
    found.append((distance, candidate))
  }
  return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
    .prefix(Limits.suggestionsMax).map(\.name)
}

/// The listed value that `word` is a slip away from.
///
/// Short words and ideographs are not guessed: one character more or less makes another word of
/// them.
func nearestValue(to word: [UInt32], in index: ValueIndex) -> Int? {
  var budget = NearBudget()
  return nearestValue(to: word, in: index, &budget)
}

/// The same within a budget: `nil` too when the list is longer than what is left of it.
func nearestValue(
  to word: [UInt32], in index: ValueIndex, _ budget: inout NearBudget
) -> Int? {
  guard word.count >= 4, word.count <= 40, !word.contains(where: isIdeographic) else { return nil }
  let allowed = word.count >= 8 ? 2 : 1
  guard budget.takeGlances(index.count) else { return nil }
  let characters = RequiredText(word).characters
  var best: (distance: Int, value: Int)?
  for value in 0..<index.count {
    // An edit takes away one character and adds one, at most.
    guard (characters ^ index.characters[value]).nonzeroBitCount <= 2 * allowed else { continue }
    let text = index.text(value)
    guard text.count >= 4, abs(text.count - word.count) <= allowed,
      !text.contains(where: isIdeographic)
    else { continue }
    guard budget.takeComparison() else { break }
    if let distance = editDistance(word, Array(text), atMost: allowed),
      distance < best?.distance ?? .max
    {
      best = (distance, value)
    }
  }
  return best?.value
}

extension IntentCatalog {
  /// Replaces a list value while sentences are compared.
  ///
  /// It is a private-use character, which no sentence contains.
  private static let placeholder: UInt32 = 0xE000

  /// How much farther an example of a language counts that the sender did not name: nonsense is
  /// answered in the sender's languages, and a slip in its own.
  private static let otherLanguagePenalty = 0.25

  /// Returns the sentences that begin as one does, then the examples that are nearest to it, nearest
  /// first.
  ///
  /// `languages` and `context` as for `recognize`.
  func suggestions(
    for sentence: String, _ text: NormalizedText, _ languages: [String],
    _ context: [String: JSONValue]
  ) -> [String] {
    // A text that is too long to be completed was refused before.
    let begun = complete(
      sentence, languages: languages, context: context, limit: Limits.suggestionsMax)
    var suggestions: [String] = []
    if case .success(let completions) = begun {
      for completion in completions {
        if case .unfinished = completion.meaning { continue }
        suggestions.append(completion.sentence)
      }
    }
    for example in nearestExamples(to: text, languages: languages)
    where suggestions.count < Limits.suggestionsMax && !suggestions.contains(example) {
      suggestions.append(example)
    }
    return suggestions
  }

  private func nearestExamples(to sentence: NormalizedText, languages: [String]) -> [String] {
    let parameterLists = Set(definitions.flatMap { $0.parameters.compactMap(\.list) }).sorted()
    let said = Array(sentence.folded.prefix(Limits.comparedScalarsMax))
    var values: [String: (range: Range<Int>, spoken: String)] = [:]
    var budget = NearBudget()
    for name in parameterLists {
      if let list = textList(named: name) {
        values[name] = findValue(of: list, in: said) ?? findNearValue(of: list, in: said, &budget)
      }
    }

    var nearest = NearestExamples()
    var compared = 0
    let namedCount = namedCount(of: languages)
    for (place, index) in grammarIndices(for: languages).enumerated() {
      for definition in definitions {
        for example in definition.examples[grammars[index].language] ?? [] {
          guard compared < Limits.examplesComparedMax else { break }
          compared += 1
          nearest.penalty = place >= namedCount ? Self.otherLanguagePenalty : 0
          score(example, of: definition, against: said, values: values, among: &nearest)
        }
      }
    }
    return nearest.texts
  }

  /// The longest value of a list in a sentence.
  func findValue(of list: TextList, in said: [UInt32]) -> (
    range: Range<Int>, spoken: String
  )? {
    let index = list.index(ignoringWhitespace: false)
    var best: (range: Range<Int>, spoken: String)?
    for start in said.indices
    where start == 0 || !isWord(said[start - 1]) || isIdeographic(said[start]) {
      index.forEachValue(in: said, at: start) { value, length in
        let end = start + length
        let ends = end == said.count || !isWord(said[end]) || isIdeographic(said[end])
        if ends, length > best?.range.count ?? 0 {
          best = (start..<end, list.values[value].spoken)
        }
      }
    }
    return best
  }

  /// The words of a sentence that are a slip away from a value of a list, and the value.
  func findNearValue(
    of list: TextList, in said: [UInt32], _ budget: inout NearBudget
  ) -> (range: Range<Int>, spoken: String)? {
    let index = list.index(ignoringWhitespace: false)
    let starts = said.indices.filter { $0 == 0 || said[$0 - 1] == space }
    for wordCount in [3, 2, 1] {
      for (position, start) in starts.enumerated() where position + wordCount <= starts.count {
        let next = position + wordCount
        let end = next < starts.count ? starts[next] - 1 : said.count
        if let value = nearestValue(to: Array(said[start..<end]), in: index, &budget) {
          return (start..<end, list.values[value].spoken)
        }
      }
    }
    return nil
  }

  /// Offers an example, with the sentence's value in it, to the nearest ones.
  ///
  /// Not an example with a value that no list has: it would suggest a value that the person did not
  /// mean.
  private func score(
    _ example: IntentExample, of definition: IntentDefinition, against said: [UInt32],
    values: [String: (range: Range<Int>, spoken: String)], among nearest: inout NearestExamples
  ) {
    var text = NormalizedText(value: example.sentence)
    // One parameter is put aside; with two the ranges would move.
    guard let parameter = definition.parameters.first(where: { $0.list != nil }),
      let name = parameter.list, let list = textList(named: name)
    else {
      nearest.offer(example.sentence, said, text.folded)
      return
    }
    guard let inExample = findValue(of: list, in: text.folded) else { return }
    var compared = text.folded
    compared.replaceSubrange(inExample.range, with: [Self.placeholder])
    guard let value = values[name] else {
      nearest.offer(example.sentence, said, compared)
      return
    }
    var withoutValue = said
    withoutValue.replaceSubrange(value.range, with: [Self.placeholder])
    text.cased.replaceSubrange(inExample.range, with: value.spoken.unicodeScalars.map(\.value))
    nearest.offer(NormalizedText.string(text.cased), withoutValue, compared)
  }
}
