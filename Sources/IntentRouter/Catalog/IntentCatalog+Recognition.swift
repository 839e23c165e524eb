package import JSON

/// Sentences to intents.
extension IntentCatalog {
  /// Finds the meanings of a sentence.
  ///
  /// `languages` are the sender's, in order: the first with a match wins. "zh", "zh-CN" and
  /// "zh_CN.UTF-8" all find the sentences of zh-CN; "*" stands for all loaded languages that are
  /// not named before it, in their fixed order. Languages without sentences are skipped; if none
  /// is left, or none was given, all loaded languages are tried.
  /// `context` has the values for blocks with conditions. With `locates`, the candidates' slots
  /// have their place in the sentence. With `bestOnly`, meanings of a lower rank than the best are
  /// not looked at, which saves their cost where nobody is shown them. Without `suggests`, a
  /// sentence that matches nothing gets no suggestions, which saves theirs.
  package func recognize(
    _ sentence: String, languages: [String], context: [String: JSONValue] = [:],
    locates: Bool = false, bestOnly: Bool = false, suggests: Bool = true
  ) -> Recognition {
    guard isWithinLimit(sentence) else { return .refused(.sentenceTooLong) }
    let text = NormalizedText(sentence: sentence)
    guard !text.isEmpty else {
      return .refused(RouterError(.emptySentence, "the sentence is empty; say what you want"))
    }
    for index in grammarIndices(for: languages) {
      let found =
        bestOnly
        ? bestMeanings(of: text, grammar: index, context: context)
        : meanings(of: text, grammar: index, context: context, at: locates ? sentence : nil)
      let language = grammars[index].language
      guard let found else { return .refused(.sentenceTooComplex(language)) }
      if let best = found.candidates.first {
        if let choice = disambiguation(best, found.candidates) {
          return .needs(choice, language: language, template: best.template)
        }
        return .matched(best: best, all: found.candidates)
      }
      if let (need, template) = found.needs.first {
        return .needs(need, language: language, template: template)
      }
    }
    guard suggests else { return .unmatched(suggestions: []) }
    return .unmatched(suggestions: suggestions(for: sentence, text, languages, context))
  }

  /// The meanings of a sentence in one language, best first.
  private struct Meanings {
    var candidates: [Candidate] = []
    /// The question for the best match whose intent is not complete; at most one, in an array since
    /// it is a large value to move.
    var needs: [(need: IntentNeed, template: String)] = []

    var isFull: Bool { candidates.count >= Limits.candidatesMax }
  }

  /// Finds every meaning; `nil` when the sentence needs too many steps.
  ///
  /// With `sentence`, the slots of the candidates have their places in it.
  private func meanings(
    of text: NormalizedText, grammar index: Int, context: [String: JSONValue],
    at sentence: String?
  ) -> Meanings? {
    let matches = grammars[index].matches(of: text, lists: lists, context: context)
    guard var ranked = matches?.ranked() else { return nil }
    if let sentence { grammars[index].locate(&ranked, in: sentence) }
    var meanings = Meanings()
    for place in ranked.indices where !meanings.isFull {
      add(ranked[place], to: &meanings, language: grammars[index].language)
    }
    return meanings
  }

  /// Finds the best meaning and those that rank like it; `nil` when the sentence needs too many
  /// steps.
  private func bestMeanings(
    of text: NormalizedText, grammar index: Int, context: [String: JSONValue]
  ) -> Meanings? {
    var meanings = Meanings()
    let isComplete = grammars[index].visitBestFirst(
      of: text, lists: lists, context: context
    ) { rank, match in
      guard !meanings.isFull, meanings.candidates.first.map({ $0.rank == rank }) ?? true else {
        return false
      }
      if let match = match() {
        add(match, to: &meanings, language: grammars[index].language)
      }
      return true
    }
    return isComplete ? meanings : nil
  }

  /// Adds the intent of a match, or the question for it, unless they are known.
  private func add(_ match: SentenceMatch, to meanings: inout Meanings, language: String) {
    switch resolution(of: match, in: [language]) {
    case nil, .failed?: return
    case .needs(let need)?:
      if meanings.needs.isEmpty { meanings.needs.append((need, match.template)) }
    case .ready(let intent)?:
      let isKnown = meanings.candidates.contains {
        $0.intent == intent && $0.template == match.template
      }
      guard !isKnown else { return }
      var candidate = Candidate(
        intent: intent, language: language, template: match.template,
        literalCharacters: match.literalCharacters, wildcards: match.wildcards)
      candidate.wildcardCharacters = match.wildcardCharacters
      candidate.slots = match.entities.map {
        .init(
          name: $0.name, value: $0.value, text: $0.text, isWildcard: $0.isWildcard, span: $0.span)
      }
      meanings.candidates.append(candidate)
    }
  }

  /// The question when the best candidates are one intent with different values of one parameter,
  /// and nothing else tells them apart: two towns of one name.
  private func disambiguation(_ best: Candidate, _ candidates: [Candidate]) -> IntentNeed? {
    guard candidates.count > 1, candidates[1].ranks(like: best) else { return nil }
    let equal = candidates.filter { $0.ranks(like: best) && $0.intent.name == best.intent.name }
    guard equal.count > 1 else { return nil }
    var names: Set<String> = []
    for other in equal.dropFirst() {
      let keys = Set(best.intent.parameters.keys).union(other.intent.parameters.keys)
      names.formUnion(keys.filter { best.intent.parameters[$0] != other.intent.parameters[$0] })
    }
    // The words must be the same too: otherwise "5" could be a count here and an hour there.
    guard names.count == 1, let name = names.first,
      let definition = definition(named: best.intent.name),
      let parameter = definition.parameter(named: name),
      Set(equal.map { $0.slots.last { $0.name == name }?.text }).count == 1
    else { return nil }
    var choices: [ResolutionChoice] = []
    for candidate in equal {
      guard let value = candidate.intent.parameters[name] else { return nil }
      if !choices.contains(where: { $0.value == value }) {
        choices.append(.init(value: value, title: title(of: value)))
      }
    }
    guard choices.count > 1 else { return nil }
    var parameters = best.intent.parameters
    parameters[name] = nil
    return IntentNeed(
      intent: best.intent.name, parameters: parameters, parameter: name,
      type: parameter.type, reason: .disambiguation,
      prompt: parameter.localized(in: [best.language]).disambiguationQuestion,
      choices: Array(choices.prefix(Limits.choicesMax)))
  }

  /// Returns the match as an intent, or as a question in the first of `languages` that it has; `nil`
  /// if a parameter does not take its value.
  func resolution(
    of match: SentenceMatch, in languages: [String] = []
  ) -> IntentResolution? {
    guard let index = definitionIndex(named: match.intent) else { return nil }
    var values: [String: JSONValue] = [:]
    var needsResolving = definitions[index].needsConfirmation
    for slot in match.entities {
      guard let place = definitions[index].parameterIndex(named: slot.name),
        let (value, isResolved) = value(of: slot, definition: index, parameter: place)
      else { return nil }
      values[slot.name] = value
      if !isResolved { needsResolving = true }
    }
    // Each value is one of a parameter: as many values as parameters are all of them.
    let isComplete =
      values.count == definitions[index].parameters.count
      || definitions[index].isComplete(with: values)
    if !needsResolving, isComplete {
      return .ready(Intent(name: match.intent, parameters: values))
    }
    return resolution(definitions[index], values, isConfirmed: false, in: languages)
  }

  /// Returns the value of a slot for its parameter, and whether nothing is left to check about it;
  /// `nil` if the parameter does not take it.
  ///
  private func value(
    of slot: SentenceMatch.Entity, definition index: Int, parameter place: Int
  ) -> (value: JSONValue, isResolved: Bool)? {
    guard case .string(let text) = slot.value else { return (slot.value, false) }
    let facts = slotFacts[index][place]
    let said = facts.isText ? slot.value : definitions[index].parameters[place].typed(text)
    guard let own = facts.list else { return (said, false) }
    if slot.list == own { return (said, facts.isText) }
    guard slot.isWildcard, case .text(let list) = lists[own] else { return (said, false) }
    if let canonical = list.canonicalText(named: text) { return (.string(canonical), facts.isText) }
    let known = list.values(named: text)
    if known.count > 1 { return (said, false) }
    if let only = known.first { return (only.canonical, facts.isText) }
    let parameter = definitions[index].parameters[place]
    return isPlausibleOther(text, for: parameter, among: list) ? (said, false) : nil
  }

  /// Whether words that are in no list can be a value nevertheless.
  ///
  /// A wildcard takes anything, so this asks for a reason to believe it: few words, none of the
  /// excluded ones, no listed value among them ("Beijing tomorrow") and none that is a slip of the
  /// pen away ("Bejing": the person is asked instead).
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
  func grammarIndices(for languages: [String]) -> [Int] {
    var indices: [Int] = []
    for language in languages {
      guard language != anyLanguage else {
        indices += grammars.indices.filter { !indices.contains($0) }
        break
      }
      if let index = grammarIndex(for: language), !indices.contains(index) { indices.append(index) }
    }
    return indices.isEmpty ? Array(grammars.indices) : indices
  }

  /// How many of `grammarIndices` the sender named; the others came by "*".
  func namedCount(of languages: [String]) -> Int {
    guard languages.contains(anyLanguage) else { return grammarIndices(for: languages).count }
    let named = languages.prefix { $0 != anyLanguage }
    return Set(named.compactMap(grammarIndex)).count
  }

  private func grammarIndex(for language: String) -> Int? {
    languageIndex(of: language, among: grammars.lazy.map(\.language))
  }
}
