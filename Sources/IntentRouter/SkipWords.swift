/// Words that a sentence may have anywhere without meaning anything: "please", "can you".
///
/// A template is first tried against the sentence as it is, then without its skip words; so a skip
/// word that is part of a template still matches. A template with a wildcard at one end keeps the
/// skip words at that end, because they may be part of what the person names.
struct SkipWords: Sendable {
  private let words: [[UInt32]]
  private let ignoresWhitespace: Bool
  /// What skip words begin with: most places in a sentence are passed by this alone.
  private let firstScalars: [UInt32]

  init(_ words: [String], ignoringWhitespace: Bool) {
    self.words =
      words.map { NormalizedText(value: $0).folded }.filter { !$0.isEmpty }
      .sorted { $0.count > $1.count }
    firstScalars = Set(self.words.map { $0[0] }).sorted()
    ignoresWhitespace = ignoringWhitespace
  }

  /// The texts that a sentence stands for. Without skip words there is one.
  struct Readings {
    /// The first is the sentence as it was said.
    var texts: [NormalizedText]
    /// What all of them together have.
    var required: RequiredText
    /// Index of the text without skip words anywhere, if that is another text.
    var cleared: Int?
    var withoutLeading = 0
    var withoutTrailing = 0

    /// The text that a template is tried against first.
    func first(for edges: CompiledTemplate.Edges) -> Int {
      switch edges {
      case .onlyWildcard, .plain: 0
      case .firstWildcard: withoutTrailing
      case .lastWildcard: withoutLeading
      }
    }
  }

  func readings(of sentence: NormalizedText) -> Readings {
    let whole = finished(sentence)
    var readings = Readings(texts: [whole], required: RequiredText(whole.folded))
    guard !words.isEmpty else { return readings }
    let cleared = removingEverywhere(sentence)
    guard cleared != sentence.cased else { return readings }
    func add(_ text: NormalizedText) -> Int {
      let text = finished(text)
      if let known = readings.texts.firstIndex(of: text) { return known }
      // Where a word was removed, two characters may be neighbours that were none.
      readings.required = readings.required.union(RequiredText(text.folded))
      readings.texts.append(text)
      return readings.texts.count - 1
    }
    readings.cleared = add(NormalizedText(cased: cleared))
    readings.withoutLeading = add(removingAtStart(sentence))
    readings.withoutTrailing = add(removingAtEnd(sentence))
    return readings
  }

  /// An artificial end of a word, or text without spaces between ideographs.
  private func finished(_ text: NormalizedText) -> NormalizedText {
    if ignoresWhitespace {
      return text.folded.contains(space)
        ? NormalizedText(cased: strippingIdeographicSpaces(text.cased)) : text
    }
    var text = text
    text.cased.append(space)
    text.folded.append(space)
    return text
  }

  private func word(in folded: [UInt32], at index: Int) -> [UInt32]? {
    guard firstScalars.contains(folded[index]) else { return nil }
    return words.first { word in
      guard index + word.count <= folded.count else { return false }
      for offset in 0..<word.count where folded[index + offset] != word[offset] { return false }
      guard !ignoresWhitespace else { return true }
      let end = index + word.count
      return (index == 0 || !isWord(folded[index - 1]))
        && (end == folded.count || !isWord(folded[end]))
    }
  }

  private func removingEverywhere(_ text: NormalizedText) -> [UInt32] {
    guard text.folded.indices.contains(where: { word(in: text.folded, at: $0) != nil }) else {
      return text.cased
    }
    var result: [UInt32] = []
    var index = 0
    while index < text.count {
      if let word = word(in: text.folded, at: index) {
        if !ignoresWhitespace, result.last != space { result.append(space) }
        index += word.count
      } else {
        if ignoresWhitespace || text.folded[index] != space || result.last != space {
          result.append(text.cased[index])
        }
        index += 1
      }
    }
    // A space that a skip word leaves at an end is no part of the sentence in any script.
    return stripped(result)
  }

  private func removingAtStart(_ text: NormalizedText) -> NormalizedText {
    var text = text
    while !text.isEmpty, let word = word(in: text.folded, at: 0) {
      text = NormalizedText(cased: stripped(Array(text.cased[word.count...])))
    }
    return text
  }

  private func removingAtEnd(_ text: NormalizedText) -> NormalizedText {
    var text = text
    scan: while true {
      for word in words where text.count >= word.count {
        let index = text.count - word.count
        guard self.word(in: text.folded, at: index)?.count == word.count else { continue }
        text = NormalizedText(cased: stripped(Array(text.cased[..<index])))
        continue scan
      }
      return text
    }
  }
}
