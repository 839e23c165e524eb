/// Words that a sentence may have anywhere without a change of meaning: "please", "can you".
///
/// A template is first tried against the whole sentence, then against it without skip words; so a
/// skip word that is a part of a template still matches. A template with a wildcard at one end
/// keeps the skip words at that end, because they may be a part of the wildcard's text.
struct SkipWords: Sendable {
  /// Folded, the longest first.
  let words: [[UInt32]]
  private let ignoresWhitespace: Bool
  /// Bits of the characters that skip words begin with: they rule out most places in a sentence.
  private let first: UInt64

  init(_ words: [String], ignoringWhitespace: Bool) {
    self.words =
      words.map { NormalizedText(value: $0).folded }.filter { !$0.isEmpty }
      .sorted { $0.count > $1.count }
    first = self.words.reduce(0) { $0 | RequiredText.bit($1[0]) }
    ignoresWhitespace = ignoringWhitespace
  }

  /// The texts against which a sentence is matched: one if it has no skip words.
  struct Readings<Element: TextScalar> {
    /// The texts; the first is the whole sentence.
    var texts: [SpelledText<Element>]
    /// Index of the text without skip words anywhere, if that is another text.
    var cleared: Int?
    var withoutLeading = 0
    var withoutTrailing = 0
    /// The sentence with all its spaces, for a wildcard that takes the whole of it.
    var whole = 0

    /// The texts that a template is tried against, in order.
    func texts(for edges: PhraseEdges) -> [Int] {
      switch edges {
      case .onlyWildcard: [whole]
      case .plain: cleared.map { [0, $0] } ?? [0]
      case .firstWildcard: edge(withoutTrailing)
      case .lastWildcard: edge(withoutLeading)
      }
    }

    private func edge(_ index: Int) -> [Int] {
      index == cleared ? [0, index] : [index]
    }
  }

  func readings<Element>(of sentence: SpelledText<Element>) -> Readings<Element> {
    var readings = Readings(texts: [finished(sentence)])
    if ignoresWhitespace, readings.texts[0].count < sentence.count {
      readings.texts.append(sentence)
      readings.whole = 1
    }
    guard !words.isEmpty else { return readings }
    let cleared = removingEverywhere(sentence)
    guard cleared != sentence.cased else { return readings }
    func add(_ text: SpelledText<Element>) -> Int {
      let text = finished(text)
      if let known = readings.texts.firstIndex(of: text) { return known }
      readings.texts.append(text)
      return readings.texts.count - 1
    }
    readings.cleared = add(SpelledText(cased: cleared))
    readings.withoutLeading = add(removingAtStart(sentence))
    readings.withoutTrailing = add(removingAtEnd(sentence))
    return readings
  }

  /// The readings of a sentence of a script without white space, with no white space beside its
  /// characters; `nil` when the sentence has none there.
  func looseReadings<Element>(
    of sentence: SpelledText<Element>, _ strict: Readings<Element>
  ) -> Readings<Element>? {
    guard ignoresWhitespace, sentence.folded.contains(space),
      strippingSpacesBesideIdeographs(sentence.folded) != sentence.folded
    else { return nil }
    var loose = strict
    loose.texts = strict.texts.map { text in
      text.folded.contains(space)
        ? SpelledText(cased: stripped(strippingSpacesBesideIdeographs(text.cased))) : text
    }
    return loose
  }

  /// Returns the words of a sentence without its skip words, in their original form.
  func words(of sentence: NormalizedText) -> [String] {
    let text = words.isEmpty ? sentence.cased : removingEverywhere(sentence)
    return text.split(separator: space).map { NormalizedText.string($0) }
  }

  /// An artificial end of a word, or text without spaces between ideographs.
  private func finished<Element>(_ text: SpelledText<Element>) -> SpelledText<Element> {
    if ignoresWhitespace {
      return text.folded.contains(space)
        ? SpelledText(cased: strippingIdeographicSpaces(text.cased)) : text
    }
    var text = text
    text.cased.append(.insertedSpace)
    text.folded.append(space)
    return text
  }

  /// Returns the skip word that stands at a place.
  @inline(__always)
  private func word(in folded: [UInt32], at index: Int) -> [UInt32]? {
    guard first & RequiredText.bit(folded[index]) != 0 else { return nil }
    return knownWord(in: folded, at: index)
  }

  private func knownWord(in folded: [UInt32], at index: Int) -> [UInt32]? {
    // Only a whole word counts: most places are within one.
    guard ignoresWhitespace || index == 0 || !isWord(folded[index - 1]) else { return nil }
    return words.first { word in
      guard index + word.count <= folded.count else { return false }
      for offset in 0..<word.count where folded[index + offset] != word[offset] { return false }
      guard !ignoresWhitespace else { return true }
      let end = index + word.count
      return end == folded.count || !isWord(folded[end])
    }
  }

  private func removingEverywhere<Element>(_ text: SpelledText<Element>) -> [Element] {
    guard text.folded.indices.contains(where: { word(in: text.folded, at: $0) != nil }) else {
      return singleSpaced(text).cased
    }
    var result: [Element] = []
    var index = 0
    while index < text.count {
      if let word = word(in: text.folded, at: index) {
        if !ignoresWhitespace, result.last?.scalar != space { result.append(.insertedSpace) }
        index += word.count
      } else {
        if ignoresWhitespace || text.folded[index] != space || result.last?.scalar != space {
          result.append(text.cased[index])
        }
        index += 1
      }
    }
    // Where white space is part of the text, so is the space that a skip word leaves.
    return ignoresWhitespace ? result : stripped(result)
  }

  /// Punctuation between spaces is gone by now and left two of them: where skip words are removed,
  /// one remains, whether the sentence has such a word or not.
  private func singleSpaced<Element>(_ text: SpelledText<Element>) -> SpelledText<Element> {
    let folded = text.folded
    guard !ignoresWhitespace,
      folded.indices.dropFirst().contains(where: { folded[$0] == space && folded[$0 - 1] == space })
    else { return text }
    var result: [Element] = []
    for element in text.cased where element.scalar != space || result.last?.scalar != space {
      result.append(element)
    }
    return SpelledText(cased: result)
  }

  private func removingAtStart<Element>(_ text: SpelledText<Element>) -> SpelledText<Element> {
    var text = singleSpaced(text)
    while !text.isEmpty, let word = word(in: text.folded, at: 0) {
      text = trimmed(Array(text.cased[word.count...]))
    }
    return text
  }

  private func trimmed<Element>(_ cased: [Element]) -> SpelledText<Element> {
    SpelledText(cased: ignoresWhitespace ? cased : stripped(cased))
  }

  private func removingAtEnd<Element>(_ text: SpelledText<Element>) -> SpelledText<Element> {
    var text = singleSpaced(text)
    scan: while true {
      for word in words where text.count >= word.count {
        let index = text.count - word.count
        guard self.word(in: text.folded, at: index)?.count == word.count else { continue }
        text = trimmed(Array(text.cased[..<index]))
        continue scan
      }
      return text
    }
  }
}
