/// Sentences to intents.
import JSON

extension IntentCatalog {
  /// Finds what a sentence means.
  ///
  /// `languages` are the sender's, in order: the first with a match wins. "zh", "zh-CN" and
  /// "zh_CN.UTF-8" all find the sentences of zh-CN; languages without sentences are skipped, and
  /// when none is left (or none was given) all loaded ones are tried in their fixed order.
  package func recognize(_ sentence: String, languages: [String]) -> Recognition {
    guard isWithinLimit(sentence) else { return .refused(.sentenceTooLong) }
    let text = NormalizedText(sentence: sentence)
    guard !text.isEmpty else {
      return .refused(RouterError(.emptySentence, "the sentence is empty; say what you want"))
    }
    let chosen = grammarIndices(for: languages)
    for index in chosen {
      let grammar = grammars[index]
      guard let matches = grammar.matches(of: text, lists: lists) else {
        return .refused(.sentenceTooComplex(grammar.language))
      }
      let candidates = candidates(of: matches.ranked(), language: grammar.language)
      if let best = candidates.first { return .matched(best: best, all: candidates) }
    }
    return .unmatched(
      suggestions: suggestions(for: text, languages: chosen.map { grammars[$0].language }))
  }

  private func candidates(of matches: [SentenceMatch], language: String) -> [Candidate] {
    var candidates: [Candidate] = []
    for match in matches {
      guard candidates.count < Limits.candidatesMax else { break }
      guard let intent = intent(of: match) else { continue }
      let isKnown = candidates.contains { $0.intent == intent && $0.template == match.template }
      guard !isKnown else { continue }
      candidates.append(
        Candidate(
          intent: intent, language: language, template: match.template,
          literalCharacters: match.literalCharacters, wildcards: match.wildcards))
    }
    return candidates
  }

  /// The match as an intent; `nil` when its values are not what the parameters take.
  private func intent(of match: SentenceMatch) -> Intent? {
    guard let definition = definition(named: match.intent) else { return nil }
    var values: [String: JSONValue] = [:]
    var needsResolving = false
    for slot in match.entities {
      guard let parameter = definition.parameter(named: slot.name) else { return nil }
      values[slot.name] = slot.value
      let isOwnValue = slot.list != nil && slot.list == parameter.list.flatMap { listIndices[$0] }
      if isOwnValue && parameter.type == .string && slot.value.stringValue != nil { continue }
      if slot.isWildcard, let name = parameter.list, let list = textList(named: name),
        let text = slot.value.stringValue
      {
        if let known = list.value(named: text) {
          values[slot.name] = known.canonical
          continue
        }
        guard isPlausibleOther(text, for: parameter, among: list) else { return nil }
      }
      needsResolving = true
    }
    if !needsResolving,
      definition.parameters.allSatisfy({ !$0.isRequired || values[$0.name] != nil })
    {
      return Intent(name: definition.name, parameters: values)
    }
    guard case .success(let intent) = resolve(definition, values) else { return nil }
    return intent
  }

  /// Whether words that are in no list can be a value nevertheless. A wildcard takes anything, so
  /// this asks for a reason to believe it: few words, none of the excluded ones, no listed value
  /// among them ("Beijing tomorrow") and none that is a slip of the pen away ("Bejing": the person
  /// is asked instead).
  private func isPlausibleOther(
    _ text: String, for parameter: ParameterDefinition, among list: TextList
  ) -> Bool {
    guard parameter.allowsOtherValues else { return false }
    let folded = NormalizedText(value: text).folded
    let words = folded.split(separator: space)
    guard words.count <= Limits.otherValueWordsMax else { return false }
    for excluded in parameter.foldedExclusions where contains(folded, excluded) { return false }
    let index = list.index(ignoringWhitespace: false)
    for start in folded.indices
    where start == 0 || !isWord(folded[start - 1]) || isIdeographic(folded[start]) {
      var isFound = false
      index.forEachValue(in: folded, at: start) { _, length in
        let end = start + length
        if end == folded.count || !isWord(folded[end]) || isIdeographic(folded[end]) {
          isFound = true
        }
      }
      if isFound { return false }
    }
    return nearestValue(to: folded, in: index) == nil
  }

  /// Whether `part` is in `text` as whole words; ideographs are words of their own.
  private func contains(_ text: [UInt32], _ part: [UInt32]) -> Bool {
    guard !part.isEmpty, part.count <= text.count else { return false }
    for start in 0...(text.count - part.count) {
      let end = start + part.count
      guard text[start..<end].elementsEqual(part) else { continue }
      let begins = start == 0 || !isWord(text[start - 1]) || isIdeographic(text[start])
      let ends = end == text.count || !isWord(text[end]) || isIdeographic(text[end])
      if begins && ends { return true }
    }
    return false
  }

  // MARK: Languages

  /// The grammars for a sender's languages, in order, each once.
  private func grammarIndices(for languages: [String]) -> [Int] {
    var indices: [Int] = []
    for language in languages {
      if let index = grammarIndex(for: language), !indices.contains(index) { indices.append(index) }
    }
    return indices.isEmpty ? Array(grammars.indices) : indices
  }

  private func grammarIndex(for language: String) -> Int? {
    if let exact = grammars.firstIndex(where: { $0.language == language }) { return exact }
    // `zh_CN.UTF-8@pinyin` is `zh-cn`.
    let code = language.prefix { $0 != "." && $0 != "@" }.lowercased()
    var parts = code.split { $0 == "-" || $0 == "_" }.map(String.init)
    while !parts.isEmpty {
      let wanted = parts.joined(separator: "-")
      if let index = grammars.firstIndex(where: { $0.language.lowercased() == wanted }) {
        return index
      }
      if parts.count == 1 {
        return grammars.firstIndex { $0.language.lowercased().hasPrefix("\(wanted)-") }
      }
      parts.removeLast()
    }
    return nil
  }
}
