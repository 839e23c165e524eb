/// Everything one language can say: its compiled templates and how to find the ones that a sentence is.
import JSON

/// Sentences that belong together: one intent, with slots that every match gets.
struct PhraseBlock: Sendable {
  var intent: String
  var templates: [CompiledTemplate]
  /// Slots of every match that does not fill them itself.
  var fixedSlots: [String: JSONValue]
}

/// One match of one template, ready to become an intent.
struct PhraseMatch: Sendable {
  struct Slot: Hashable, Sendable {
    var name: String
    var value: JSONValue
    /// What the person said.
    var text: String
    var isWildcard: Bool
  }

  var intent: String
  var template: String
  var slots: [Slot]
  var literalCharacters: Int
  var wildcards: Int
  var wildcardCharacters: Int
}

struct PhraseGrammar: Sendable {
  var language: String
  var program: PhraseProgram
  var blocks: [PhraseBlock]
  var skipWords: SkipWords

  /// Every match, best first: fewest wildcards, then most literal text, then the shortest wildcards, then the intent's name, then the
  /// order of the document. `nil` when the templates need more steps than a sentence may have.
  func matches(
    of sentence: NormalizedText, lists: [ValueList]
  ) -> [PhraseMatch]? {
    let candidates = skipWords.candidates(for: sentence)
    var stepsLeft = Limits.matchingStepsMax
    var found: [PhraseMatch] = []
    for block in blocks {
      for template in block.templates where template.required.isContained(in: candidates.required) {
        for text in texts(for: template, candidates) {
          var matcher = PhraseMatcher(
            program: program, lists: lists, text: text, stepsLeft: stepsLeft)
          for match in matcher.matches(of: template.entry) {
            found.append(phraseMatch(match, block, template, text, lists))
          }
          stepsLeft = matcher.stepsLeft
          guard stepsLeft > 0 else { return nil }
        }
      }
    }
    return found.count < 2 ? found : ranked(found)
  }

  private func texts(
    for template: CompiledTemplate, _ candidates: SkipWords.Candidates
  ) -> [NormalizedText] {
    switch template.edges {
    case .onlyWildcard: return [candidates.whole]
    case .firstWildcard: return [candidates.withoutTrailing]
    case .lastWildcard: return [candidates.withoutLeading]
    case .plain:
      guard let cleared = candidates.cleared else { return [candidates.whole] }
      return [candidates.whole, cleared]
    }
  }

  private func phraseMatch(
    _ match: PhraseMatcher.Match, _ block: PhraseBlock, _ template: CompiledTemplate,
    _ text: NormalizedText, _ lists: [ValueList]
  ) -> PhraseMatch {
    var slots: [PhraseMatch.Slot] = []
    for entity in match.entities {
      let said = NormalizedText.string(stripped(Array(text.cased[Int(entity.start)..<Int(entity.end)])))
      let value: JSONValue
      var isWildcard = false
      switch entity.value {
      case .number(let number): value = number
      case .wildcard:
        value = .string(said)
        isWildcard = true
      case .listValue(let list, let index):
        guard case .text(let list) = lists[Int(list)] else { continue }
        value = list.values[Int(index)].out ?? .string(said)
      }
      let slot = PhraseMatch.Slot(
        name: program.slots[Int(entity.slot)], value: value, text: said, isWildcard: isWildcard)
      // A slot that is filled twice keeps the last.
      slots.removeAll { $0.name == slot.name }
      slots.append(slot)
    }
    for (name, value) in block.fixedSlots.sorted(by: { $0.key < $1.key })
    where !slots.contains(where: { $0.name == name }) {
      slots.append(.init(name: name, value: value, text: "", isWildcard: false))
    }
    return PhraseMatch(
      intent: block.intent, template: template.source, slots: slots,
      literalCharacters: match.literalCharacters, wildcards: match.wildcards,
      wildcardCharacters: match.wildcardCharacters)
  }

  private func ranked(_ matches: [PhraseMatch]) -> [PhraseMatch] {
    matches.enumerated().sorted { first, second in
      let (a, b) = (first.element, second.element)
      if a.wildcards != b.wildcards { return a.wildcards < b.wildcards }
      if a.literalCharacters != b.literalCharacters {
        return a.literalCharacters > b.literalCharacters
      }
      if a.wildcardCharacters != b.wildcardCharacters {
        return a.wildcardCharacters < b.wildcardCharacters
      }
      if a.intent != b.intent { return a.intent < b.intent }
      return first.offset < second.offset
    }.map(\.element)
  }
}
