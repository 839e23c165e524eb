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
    guard abs(other.count - folded.count) <= allowed else { continue }
    let distance = editDistance(folded, other)
    if distance <= allowed, !found.contains(where: { $0.name == candidate }) {
      found.append((distance, candidate))
    }
  }
  return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
    .prefix(Limits.suggestionsMax).map(\.name)
}

/// The listed value that `word` is a slip away from.
///
/// Short words and ideographs are not guessed: one character more or less makes another word of
/// them.
func nearestValue(to word: [UInt32], in index: ValueIndex) -> Int? {
  guard word.count >= 4, word.count <= 40, !word.contains(where: isIdeographic) else { return nil }
  let allowed = word.count >= 8 ? 2 : 1
  let characters = RequiredText(word).characters
  var best: (distance: Int, value: Int)?
  var compared = 0
  for value in 0..<index.count {
    // An edit takes away one character and adds one, at most.
    guard (characters ^ index.characters[value]).nonzeroBitCount <= 2 * allowed else { continue }
    let text = index.text(value)
    guard text.count >= 4, abs(text.count - word.count) <= allowed,
      !text.contains(where: isIdeographic)
    else { continue }
    compared += 1
    guard compared <= Limits.comparedValuesMax else { break }
    let distance = editDistance(word, Array(text))
    if distance <= allowed, distance < best?.distance ?? .max { best = (distance, value) }
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

  /// Returns the examples that are nearest to a sentence, nearest first.
  ///
  /// `languages` as for `recognize`.
  func suggestions(for sentence: NormalizedText, languages: [String]) -> [String] {
    let parameterLists = Set(definitions.flatMap { $0.parameters.compactMap(\.list) }).sorted()
    let said = Array(sentence.folded.prefix(Limits.comparedScalarsMax))
    var values: [String: (range: Range<Int>, spoken: String)] = [:]
    for name in parameterLists {
      if let list = textList(named: name) {
        values[name] = findValue(of: list, in: said) ?? findNearValue(of: list, in: said)
      }
    }

    var scored: [(score: Double, intent: String, text: String)] = []
    var compared = 0
    let namedCount = namedCount(of: languages)
    for (place, index) in grammarIndices(for: languages).enumerated() {
      for definition in definitions {
        for example in definition.examples[grammars[index].language] ?? [] {
          guard compared < Limits.examplesComparedMax else { break }
          compared += 1
          if var entry = score(example, of: definition, against: said, values: values) {
            if place >= namedCount { entry.score += Self.otherLanguagePenalty }
            scored.append(entry)
          }
        }
      }
    }
    scored.sort { ($0.score, $0.text) < ($1.score, $1.text) }
    var result: [String] = []
    for entry in scored where !result.contains(entry.text) {
      result.append(entry.text)
      if result.count == Limits.suggestionsMax { break }
    }
    return result
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
    of list: TextList, in said: [UInt32]
  ) -> (range: Range<Int>, spoken: String)? {
    let index = list.index(ignoringWhitespace: false)
    let starts = said.indices.filter { $0 == 0 || said[$0 - 1] == space }
    var glances = Limits.glancedValuesMax
    for wordCount in [3, 2, 1] {
      for (position, start) in starts.enumerated() where position + wordCount <= starts.count {
        glances -= list.values.count
        guard glances > 0 else { return nil }
        let next = position + wordCount
        let end = next < starts.count ? starts[next] - 1 : said.count
        if let value = nearestValue(to: Array(said[start..<end]), in: index) {
          return (start..<end, list.values[value].spoken)
        }
      }
    }
    return nil
  }

  /// Returns the distance to an example, and the example with the sentence's value in it.
  ///
  /// `nil` for an example with a value that no list has: it would suggest a value that the person
  /// did not mean.
  private func score(
    _ example: IntentExample, of definition: IntentDefinition, against said: [UInt32],
    values: [String: (range: Range<Int>, spoken: String)]
  ) -> (score: Double, intent: String, text: String)? {
    var text = NormalizedText(value: example.sentence)
    // One parameter is put aside; with two the ranges would move.
    guard let parameter = definition.parameters.first(where: { $0.list != nil }),
      let name = parameter.list, let list = textList(named: name)
    else { return (distance(said, text.folded), definition.name, example.sentence) }
    guard let inExample = findValue(of: list, in: text.folded) else { return nil }
    var compared = text.folded
    compared.replaceSubrange(inExample.range, with: [Self.placeholder])
    guard let value = values[name] else {
      return (distance(said, compared), definition.name, example.sentence)
    }
    var withoutValue = said
    withoutValue.replaceSubrange(value.range, with: [Self.placeholder])
    text.cased.replaceSubrange(inExample.range, with: value.spoken.unicodeScalars.map(\.value))
    return (
      distance(withoutValue, compared), definition.name, NormalizedText.string(text.cased)
    )
  }

  /// 0 for equal texts, 1 for texts with nothing in common.
  private func distance(_ a: [UInt32], _ b: [UInt32]) -> Double {
    let longest = max(a.count, b.count, 1)
    let edits = Double(editDistance(a, b)) / Double(longest)
    // Pairs as bits: a text of this length has few enough for that.
    let (first, second) = (RequiredText(a).pairs, RequiredText(b).pairs)
    let common = (first & second).nonzeroBitCount
    let all = first.nonzeroBitCount + second.nonzeroBitCount
    let shared = all == 0 ? 0 : Double(2 * common) / Double(all)
    return (edits + 1 - shared) / 2
  }
}
