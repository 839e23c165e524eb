/// Where the words of a slot stand in the sentence as it came, for clients that show it.
///
/// Matching looks at normalised readings of a sentence and knows nothing of places in what was
/// said. For the few matches that are shown, the same readings are made once more from scalars that
/// carry their places along.

/// A scalar of a normalised text, and the code points that it came from.
struct ScalarWithSource: TextScalar {
  var scalar: UInt32
  /// Half open; empty for what was not said.
  var start: Int32
  var end: Int32

  static var insertedSpace: ScalarWithSource { ScalarWithSource(scalar: space, start: 0, end: 0) }

  // Readings are compared by what they say, so that they come in the same order as without places.
  static func == (one: Self, other: Self) -> Bool { one.scalar == other.scalar }
  func hash(into hasher: inout Hasher) { hasher.combine(scalar) }
}

/// The scalars of `normalizedScalars` with their places.
///
/// A character whose scalars compose keeps the place of the whole character. `nil` when the text
/// composes across its characters.
private func placedScalars(_ text: String) -> [ScalarWithSource]? {
  var result: [ScalarWithSource] = []
  var place: Int32 = 0
  for character in text {
    let count = Int32(character.unicodeScalars.count)
    let scalars = normalizedScalars(String(character))
    for (offset, scalar) in scalars.enumerated() {
      let isWhole = scalars.count != Int(count)
      let start = isWhole ? place : place + Int32(offset)
      let end = isWhole ? place + count : start + 1
      if scalar == space, result.last?.scalar == space {
        result[result.count - 1].end = end
      } else {
        result.append(ScalarWithSource(scalar: scalar, start: start, end: end))
      }
    }
    place += count
  }
  return result.map(\.scalar) == normalizedScalars(text) ? result : nil
}

extension PhraseGrammar {
  /// Says where each slot was said in the sentence, which is the one that was matched.
  ///
  /// Linear in the sentence, and in the slots' text.
  func locate(_ matches: inout [SentenceMatch], in sentence: String) {
    guard !matches.isEmpty, let placed = placedScalars(sentence) else { return }
    let text = SpelledText(cased: stripped(removingPunctuation(placed)))
    let strict = skipWords.readings(of: text)
    let loose = skipWords.looseReadings(of: text, strict)
    for index in matches.indices {
      guard let reading = matches[index].reading, let readings = reading.isLoose ? loose : strict,
        reading.index < readings.texts.count
      else { continue }
      let scalars = readings.texts[reading.index].cased
      func span(_ entity: SentenceMatch.Entity) -> Range<Int>? {
        guard let range = entity.range, range.upperBound <= scalars.count else { return nil }
        let said = scalars[range].filter { $0.scalar != space && $0.end > $0.start }
        guard let first = said.map(\.start).min(), let last = said.map(\.end).max() else {
          return nil
        }
        return Int(first)..<Int(last)
      }
      for entity in matches[index].entities.indices {
        matches[index].entities[entity].span = span(matches[index].entities[entity])
      }
      for capture in matches[index].captures.indices {
        matches[index].captures[capture].span = span(matches[index].captures[capture])
      }
    }
  }
}
