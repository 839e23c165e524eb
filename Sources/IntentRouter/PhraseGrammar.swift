/// Everything one language can say: its compiled templates and how to find the ones that a sentence
/// is.
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
    /// Whether the value is whatever was said.
    var isWildcard = false
    /// The list that the value is from: what is from a parameter's own list needs no second look.
    var list: Int?
  }

  var intent: String
  var template: String
  var slots: [Slot]
  var literalCharacters: Int
  var wildcards: Int
  var wildcardCharacters: Int
}

struct PhraseGrammar: Sendable {
  let language: String
  private let program: PhraseProgram
  private let blocks: [PhraseBlock]
  private let skipWords: SkipWords
  private let entries: [Entry]

  /// What is looked at for every template and every sentence: plain numbers in one array.
  private struct Entry: Sendable {
    var required: RequiredText
    var node: Int32
    var block: Int32
    var template: Int32
    var edges: CompiledTemplate.Edges
  }

  init(language: String, program: PhraseProgram, blocks: [PhraseBlock], skipWords: SkipWords) {
    self.language = language
    self.program = program
    self.blocks = blocks
    self.skipWords = skipWords
    var entries: [Entry] = []
    for (blockIndex, block) in blocks.enumerated() {
      for (index, template) in block.templates.enumerated() {
        entries.append(
          Entry(
            required: template.required, node: template.entry, block: Int32(blockIndex),
            template: Int32(index), edges: template.edges))
      }
    }
    self.entries = entries
  }

  /// Every match, best first: fewest wildcards, then most literal text, then the shortest
  /// wildcards, then the intent's name, then the order of the document. `nil` when the templates
  /// need more steps than a sentence may have.
  func matches(
    of sentence: NormalizedText, lists: [ValueList]
  ) -> [PhraseMatch]? {
    let readings = skipWords.readings(of: sentence)
    var matchers = readings.texts.map {
      PhraseMatcher(program: program, lists: lists, text: $0)
    }
    var stepsLeft = Limits.matchingStepsMax
    var found: [PhraseMatch] = []
    for entry in entries where entry.required.isContained(in: readings.required) {
      var reading: Int? = readings.first(for: entry.edges)
      while let index = reading {
        for match in matchers[index].matches(of: entry.node, stepsLeft: &stepsLeft) {
          found.append(phraseMatch(match, entry, readings.texts[index], lists))
        }
        guard stepsLeft > 0 else { return nil }
        reading = index == 0 && entry.edges == .plain ? readings.cleared : nil
      }
    }
    return found.count < 2 ? found : ranked(found)
  }

  private func phraseMatch(
    _ match: PhraseMatcher.Match, _ entry: Entry, _ text: NormalizedText, _ lists: [ValueList]
  ) -> PhraseMatch {
    let block = blocks[Int(entry.block)]
    var slots: [PhraseMatch.Slot] = []
    for entity in match.entities {
      func said() -> String {
        NormalizedText.string(stripped(Array(text.cased[Int(entity.start)..<Int(entity.end)])))
      }
      var slot = PhraseMatch.Slot(name: program.slots[Int(entity.slot)], value: .null)
      switch entity.value {
      case .number(let number): slot.value = number
      case .wildcard:
        slot.value = .string(said())
        slot.isWildcard = true
      case .listValue(let list, let index):
        guard case .text(let values) = lists[Int(list)] else { continue }
        slot.value = values.values[Int(index)].out ?? .string(said())
        slot.list = Int(list)
      }
      // A slot that is filled twice keeps the last.
      slots.removeAll { $0.name == slot.name }
      slots.append(slot)
    }
    for (name, value) in block.fixedSlots.sorted(by: { $0.key < $1.key })
    where !slots.contains(where: { $0.name == name }) {
      slots.append(.init(name: name, value: value))
    }
    return PhraseMatch(
      intent: block.intent, template: block.templates[Int(entry.template)].source, slots: slots,
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
