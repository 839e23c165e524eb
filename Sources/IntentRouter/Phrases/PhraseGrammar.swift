// The grammar of one language: its compiled templates, and the meaning of a match.

import JSON

/// Sentences that belong together: one intent, with slots that every match gets.
struct PhraseBlock: Sendable {
  var intent: String
  /// Slots of every match that does not fill them itself, in the order of the document.
  var fixedSlots: [(name: String, value: JSONValue)] = []
  var response: String?
  var conditions = ContextConditions()
  var metadata: JSONValue?
  /// One of these words must be in the sentence, with its case.
  var requiredKeywords: Set<String>?
}

/// A template, the block that it belongs to and the names it sees.
struct PhraseSource: Sendable {
  var template: PhraseTemplate
  var block: Int32
  var edges: PhraseEdges
  var scope: PhraseScope
  /// Where it is written; the line counts from 1.
  var file: String
  var line: Int
  /// Whether its document lets it be read nearly.
  var isReadNearly = true
}

extension SentenceMatch {
  /// Adds the slots of the block and of the context that no words filled.
  ///
  /// `values` stand for keys that the context lacks.
  mutating func complete(with block: PhraseBlock, filling values: [String: JSONValue] = [:]) {
    guard !block.fixedSlots.isEmpty || !block.conditions.isEmpty else { return }
    let matched = Set(entities.map(\.name))
    for (name, value) in block.fixedSlots where !matched.contains(name) {
      entities.append(Entity(name: name, value: value, text: ""))
    }
    guard !block.conditions.isEmpty else { return }
    let known = values.isEmpty ? context : context.merging(values) { _, value in value }
    for entity in block.conditions.entities(from: known) where !matched.contains(entity.name) {
      entities.append(entity)
    }
  }
}

/// The sentences of one language.
///
/// An object whose members never change: they are many, and each copy of them would count as many
/// references.
final class PhraseGrammar: Sendable {
  let language: String
  let program: PhraseProgram
  /// Where the templates of each of `PhraseEdges` begin.
  let roots: [Int32]
  let blocks: [PhraseBlock]
  /// In the order in which matches are given.
  let sources: [PhraseSource]
  let skipWords: SkipWords
  /// Words between two commands of one sentence, folded; none where sentences are not cut.
  let conjunctions: [[UInt32]]
  /// What near reading may leave out, and what it must not.
  let nearWords: NearWords
  /// The same templates for near reading; made when a sentence first matches nothing.
  let madeNear: MadeOnce<NearGrammar>
  private let madeDistances = MadeOnce<PhraseDistances>()

  /// How much must be said from each node on; found when a sentence is first completed.
  var distances: PhraseDistances { madeDistances.get { PhraseDistances(program) } }

  init(
    language: String, program: PhraseProgram, roots: [Int32], blocks: [PhraseBlock],
    sources: [PhraseSource], skipWords: SkipWords, conjunctions: [[UInt32]] = [],
    nearWords: NearWords = NearWords(), madeNear: MadeOnce<NearGrammar> = MadeOnce()
  ) {
    self.language = language
    self.program = program
    self.roots = roots
    self.blocks = blocks
    self.sources = sources
    self.skipWords = skipWords
    self.conjunctions = conjunctions
    self.nearWords = nearWords
    self.madeNear = madeNear
  }

  /// Every match in the order of the document: intents, blocks, templates, readings of the sentence
  /// with and without skip words.
  ///
  /// `nil` when the templates need more steps than a sentence may have.
  func matches(
    of sentence: NormalizedText, lists: [ValueList], context: [String: JSONValue] = [:],
    response: String = "default"
  ) -> [SentenceMatch]? {
    var stepsLeft = Limits.matchingStepsMax
    return matches(
      of: sentence, lists: lists, context: context, response: response, stepsLeft: &stepsLeft)
  }

  /// Finds matches with at most `stepsLeft` steps, and subtracts the steps that it took.
  func matches(
    of sentence: NormalizedText, lists: [ValueList], context: [String: JSONValue],
    response: String, stepsLeft: inout Int
  ) -> [SentenceMatch]? {
    let readings = skipWords.readings(of: sentence)
    guard
      let strict = matches(
        in: readings, isLoose: false, sentence, lists, context, response, &stepsLeft)
    else { return nil }
    guard strict.isEmpty, let loose = skipWords.looseReadings(of: sentence, readings) else {
      return strict
    }
    return matches(in: loose, isLoose: true, sentence, lists, context, response, &stepsLeft)
  }

  /// Calls `body` with the rank of each match, best first, until it returns false.
  ///
  /// `body` makes the match by calling its second argument, which gives `nil` where the context or
  /// a keyword rules it out. To make a match costs as much as to find it, and the answer to most
  /// sentences needs the best one alone.
  /// The order is that of `ranked`. Returns false when the sentence needs too many steps.
  func visitBestFirst(
    of sentence: NormalizedText, lists: [ValueList], context: [String: JSONValue],
    _ body: (MatchRank, () -> SentenceMatch?) -> Bool
  ) -> Bool {
    var stepsLeft = Limits.matchingStepsMax
    var isMatched = false
    func visit(_ readings: SkipWords.Readings<UInt32>, isLoose: Bool) -> Bool {
      guard let found = search(readings, isLoose: isLoose, lists, &stepsLeft) else { return false }
      var words: Set<String>?
      for place in bestFirst(found) {
        let goesOn = body(found[place].rank) {
          let match = sentenceMatch(
            found[place], readings, isLoose: isLoose, sentence, lists, context, "default", &words)
          if match != nil { isMatched = true }
          return match
        }
        guard goesOn else { break }
      }
      return true
    }
    let readings = skipWords.readings(of: sentence)
    guard visit(readings, isLoose: false) else { return false }
    guard !isMatched, let loose = skipWords.looseReadings(of: sentence, readings) else {
      return true
    }
    return visit(loose, isLoose: true)
  }

  /// The same by walking the templates' trees; with `allowsUnmatched` also matches that lack a
  /// value: what was said in its place stands under `unmatched`.
  ///
  /// `nil` when it needs more than `stepsLeft` steps, from which its steps are taken.
  func interpreted(
    of sentence: NormalizedText, lists: [ValueList], otherLists: OtherLists,
    context: [String: JSONValue], response: String, allowsUnmatched: Bool, stepsLeft: inout Int
  ) -> [SentenceMatch]? {
    let readings = skipWords.readings(of: sentence)
    let words = Set(skipWords.words(of: sentence))
    var results: [SentenceMatch] = []
    for source in sources {
      let block = blocks[Int(source.block)]
      if let keywords = block.requiredKeywords, keywords.isDisjoint(with: words) { continue }
      guard context.isEmpty || block.conditions.admit(context) else { continue }
      for reading in readings.texts(for: source.edges) {
        var interpreter = PhraseInterpreter(
          lists: lists, scope: source.scope, otherLists: otherLists,
          conditions: block.conditions, ignoresWhitespace: program.ignoresWhitespace,
          allowsUnmatched: allowsUnmatched, stepsLeft: stepsLeft)
        interpreter.forEachWay(
          source.template.root, .init(text: .init(readings.texts[reading]), context: context)
        ) { interpreter, way in
          if let match = interpreter.finish(way, block, source.template, response: response) {
            results.append(match)
          }
        }
        stepsLeft = interpreter.stepsLeft
        guard stepsLeft > 0 else { return nil }
      }
    }
    return results
  }

  private func matches(
    in readings: SkipWords.Readings<UInt32>, isLoose: Bool, _ sentence: NormalizedText,
    _ lists: [ValueList], _ context: [String: JSONValue], _ response: String,
    _ stepsLeft: inout Int
  ) -> [SentenceMatch]? {
    guard let found = search(readings, isLoose: isLoose, lists, &stepsLeft) else { return nil }
    var words: Set<String>?
    var results: [SentenceMatch] = []
    results.reserveCapacity(found.count)
    for index in inDocumentOrder(found) {
      let match = sentenceMatch(
        found[index], readings, isLoose: isLoose, sentence, lists, context, response, &words)
      if let match { results.append(match) }
    }
    return results
  }

  /// Finds the matches of a sentence; `nil` when it needs more than `stepsLeft` steps.
  private func search(
    _ readings: SkipWords.Readings<UInt32>, isLoose: Bool, _ lists: [ValueList],
    _ stepsLeft: inout Int
  ) -> [PhraseMatcher.Match]? {
    var matchers: [PhraseMatcher?] = readings.texts.map { _ in nil }
    var found: [PhraseMatcher.Match] = []
    for edges in PhraseEdges.allCases where !program.isDeadEnd(roots[edges.rawValue]) {
      for reading in readings.texts(for: edges) {
        if matchers[reading] == nil {
          matchers[reading] = PhraseMatcher(
            self, lists: lists, text: readings.texts[reading], reading: reading, isLoose: isLoose)
        }
        // In place: the matcher and its scratch space are not copied.
        matchers[reading]?.search(
          from: roots[edges.rawValue], stepsLeft: &stepsLeft, appendingTo: &found)
        guard stepsLeft > 0 else { return nil }
      }
    }
    return found
  }

  /// The places of matches in the order of their templates, and of their readings.
  private func inDocumentOrder(_ found: [PhraseMatcher.Match]) -> [Int] {
    guard found.count > 1 else { return Array(found.indices) }
    return found.indices.sorted { first, second in
      // Of one template all matches are of one kind of edges, so their readings came in order.
      (found[first].template, first) < (found[second].template, second)
    }
  }

  /// The places of matches in the order that `ranked` gives them.
  private func bestFirst(_ found: [PhraseMatcher.Match]) -> [Int] {
    guard found.count > 1 else { return Array(found.indices) }
    return found.indices.sorted { first, second in
      let (a, b) = (found[first].rank, found[second].rank)
      if a != b { return a < b }
      let (one, other) = (blockIndex(of: found[first]), blockIndex(of: found[second]))
      if one != other, blocks[one].intent != blocks[other].intent {
        return blocks[one].intent < blocks[other].intent
      }
      return (found[first].template, first) < (found[second].template, second)
    }
  }

  private func blockIndex(of match: PhraseMatcher.Match) -> Int {
    Int(sources[Int(match.template)].block)
  }

  /// Makes a match of what was found; `nil` where the context or a keyword rules it out.
  ///
  /// `words` are those of the sentence, once a block asked for them.
  private func sentenceMatch(
    _ found: PhraseMatcher.Match, _ readings: SkipWords.Readings<UInt32>, isLoose: Bool,
    _ sentence: NormalizedText, _ lists: [ValueList], _ context: [String: JSONValue],
    _ response: String, _ words: inout Set<String>?
  ) -> SentenceMatch? {
    let block = blocks[blockIndex(of: found)]
    if let keywords = block.requiredKeywords {
      let said = words ?? Set(skipWords.words(of: sentence))
      words = said
      guard !keywords.isDisjoint(with: said) else { return nil }
    }
    var match = sentenceMatch(
      found, block, readings.texts[found.reading], lists, context, response)
    match?.reading = .init(index: found.reading, isLoose: isLoose)
    return match
  }

  private func sentenceMatch(
    _ match: PhraseMatcher.Match, _ block: PhraseBlock, _ text: NormalizedText,
    _ lists: [ValueList], _ given: [String: JSONValue], _ response: String
  ) -> SentenceMatch? {
    var context = given
    let conditions = block.conditions
    guard conditions.isEmpty || given.isEmpty || conditions.admit(given) else { return nil }
    for overlay in match.overlays {
      guard case .text(let list) = lists[Int(overlay.list)] else { continue }
      let value = list.values[Int(overlay.value)].context
      guard conditions.isEmpty || conditions.admit(value) else { return nil }
      context.merge(value) { _, new in new }
    }
    guard conditions.isEmpty || conditions.hold(in: context) else { return nil }
    var result = SentenceMatch(
      intent: block.intent, template: sources[Int(match.template)].template.source,
      response: block.response ?? response, entities: [], context: context,
      metadata: block.metadata, literalCharacters: match.literalCharacters,
      wildcards: match.wildcards, wildcardCharacters: match.wildcardCharacters)
    result.entities.reserveCapacity(match.entities.count)
    for entity in match.entities {
      let said = self.entity(entity, text, lists)
      if entity.isCapture { result.captures.append(said) } else { result.entities.append(said) }
    }
    result.complete(with: block)
    return result
  }

  private func entity(
    _ entity: PhraseMatcher.Entity, _ text: NormalizedText, _ lists: [ValueList]
  ) -> SentenceMatch.Entity {
    let said = words(of: entity, in: text)
    var result = SentenceMatch.Entity(
      name: program.slots[Int(entity.slot)], value: .string(said), text: said)
    result.characters = Int(entity.end - entity.start)
    result.range = Int(entity.start)..<Int(entity.end)
    switch entity.value {
    case .wildcard: result.isWildcard = true
    case .number(let number): result.value = number
    case .spelled(let number, let list, let word):
      result.value = number
      if case .range(let range) = lists[Int(list)], let words = range.words {
        result.text = words.words[Int(word)]
      }
    case .listValue(let list, let index):
      guard case .text(let values) = lists[Int(list)] else { break }
      let value = values.values[Int(index)]
      if let out = value.out { result.value = out }
      result.metadata = value.metadata
      result.list = Int(list)
    }
    return result
  }
}

extension PhraseGrammar {
  /// Returns the words of the sentence that stand for a slot.
  private func words(of entity: PhraseMatcher.Entity, in text: NormalizedText) -> String {
    let range = Int(entity.start)..<Int(entity.end)
    guard entity.isRewritten else { return text.string(range) }
    return NormalizedText.string(
      text.cased[range].map { $0 == 0x2D || $0 == 0x5F ? space : $0 })
  }
}

extension PhraseProgram {
  /// Whether nothing can be matched from a node.
  func isDeadEnd(_ entry: Int32) -> Bool {
    let node = nodes[Int(entry)]
    guard node.kind == .fork else { return node.kind == .fail }
    let fork = forks[Int(node.a)]
    return fork.ways.isEmpty && fork.accepted.isEmpty
  }
}
