/// Words that a sentence may have anywhere without meaning anything: "please", "can you".
///
/// A template is first tried against the sentence as it is, then without its skip words; so a skip word that is part
/// of a template still matches. A template with a wildcard at one end keeps the skip words at that end, because they
/// may be part of what the person names.
struct SkipWords: Sendable {
  private let words: [[UInt32]]
  private let ignoresWhitespace: Bool

  init(_ words: [String], ignoringWhitespace: Bool) {
    self.words =
      words.map { NormalizedText(value: $0).folded }.filter { !$0.isEmpty }
      .sorted { $0.count > $1.count }
    ignoresWhitespace = ignoringWhitespace
  }

  /// The texts that a sentence stands for, by the edges of a template.
  struct Candidates {
    /// As it was said.
    var whole: NormalizedText
    var required: RequiredText
    /// Without skip words anywhere; `nil` when there are none.
    var cleared: NormalizedText?
    var withoutLeading: NormalizedText
    var withoutTrailing: NormalizedText
  }

  func candidates(for sentence: NormalizedText) -> Candidates {
    let whole = finished(sentence.cased)
    var candidates = Candidates(
      whole: whole, required: RequiredText(whole.folded), cleared: nil, withoutLeading: whole,
      withoutTrailing: whole)
    guard !words.isEmpty else { return candidates }
    let cleared = removingEverywhere(sentence)
    if cleared != sentence.cased {
      let text = finished(cleared)
      // Where a word was removed, two characters may be neighbours that were none.
      candidates.required = candidates.required.union(RequiredText(text.folded))
      candidates.cleared = text
    }
    candidates.withoutLeading = finished(removingAtStart(sentence).cased)
    candidates.withoutTrailing = finished(removingAtEnd(sentence).cased)
    return candidates
  }

  /// An artificial end of a word, or text without spaces between ideographs.
  private func finished(_ cased: [UInt32]) -> NormalizedText {
    NormalizedText(cased: ignoresWhitespace ? strippingIdeographicSpaces(cased) : cased + [space])
  }

  private func word(in folded: [UInt32], at index: Int) -> [UInt32]? {
    words.first { word in
      guard index + word.count <= folded.count else { return false }
      for offset in 0..<word.count where folded[index + offset] != word[offset] { return false }
      guard !ignoresWhitespace else { return true }
      let end = index + word.count
      return (index == 0 || !isWord(folded[index - 1]))
        && (end == folded.count || !isWord(folded[end]))
    }
  }

  private func removingEverywhere(_ text: NormalizedText) -> [UInt32] {
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
    while let word = word(in: text.folded, at: 0) {
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
