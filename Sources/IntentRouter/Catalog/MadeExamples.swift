/// Sentences for intents whose writer gave no examples, made of their templates, so that a person
/// sees what can be said.
///
/// Each template is said in its shortest way: optional parts are left out, of alternatives the first
/// is taken, and of a list its first value. Where any words are taken, the title of the parameter
/// stands in braces: `remind me to {task}`. A sentence without braces is kept only if it is
/// understood as its intent.
extension IntentCatalog {
  /// Returns at most `most` sentences of each intent and language for which there are no examples,
  /// by the name of the intent and the code of the language.
  ///
  /// O(templates), and a recognition for each sentence.
  package func madeExamples(most: Int) -> [String: [String: [String]]] {
    var tried = 0
    return madeExamples(most: most, tried: &tried)
  }

  /// Returns the same, and adds to `tried` the number of templates of which a sentence was made.
  package func madeExamples(most: Int, tried: inout Int) -> [String: [String: [String]]] {
    var made: [String: [String: [String]]] = [:]
    for grammar in grammars {
      var maker = ExampleMaker(self, grammar)
      for source in grammar.sources {
        let block = grammar.blocks[Int(source.block)]
        // One that depends on a place or a keyword cannot be said everywhere.
        guard block.conditions.isEmpty, block.requiredKeywords == nil,
          let definition = definition(named: block.intent),
          definition.examples[grammar.language]?.isEmpty ?? true
        else { continue }
        let known = made[block.intent]?[grammar.language] ?? []
        guard known.count < most else { continue }
        tried += 1
        guard let sentence = maker.sentence(of: source, definition), !known.contains(sentence)
        else { continue }
        made[block.intent, default: [:]][grammar.language, default: []].append(sentence)
      }
    }
    return made
  }

  fileprivate func understands(_ sentence: String, as intent: String, _ language: String) -> Bool {
    switch recognize(sentence, languages: [language], bestOnly: true, suggests: false) {
    case .matched(let best, _): best.intent.name == intent
    case .needs(let need, _, _): need.intent == intent
    case .unmatched, .refused: false
    }
  }
}

/// Says templates in their shortest way.
private struct ExampleMaker {
  private let catalog: IntentCatalog
  private let language: String
  private let names: LintNames
  private var definition: IntentDefinition?
  private var text: [UInt32] = []
  private var hasAnyWords = false
  private var depth = 0
  private var stepsLeft = 0

  init(_ catalog: IntentCatalog, _ grammar: PhraseGrammar) {
    self.catalog = catalog
    language = grammar.language
    names = LintNames(
      lists: catalog.lists, otherLists: catalog.otherLists[grammar.language] ?? OtherLists(),
      program: grammar.program)
  }

  /// Returns a sentence of the template; `nil`: none is short enough, or it means something else.
  mutating func sentence(of source: PhraseSource, _ definition: IntentDefinition) -> String? {
    self.definition = definition
    text = []
    hasAnyWords = false
    depth = 0
    stepsLeft = Limits.madeExampleStepsMax
    guard say(source.template.root, in: source.scope) else { return nil }
    // What was left out leaves its spaces.
    let words = NormalizedText.string(text).split(whereSeparator: \.isWhitespace)
    let sentence = words.joined(separator: " ")
    guard !sentence.isEmpty else { return nil }
    return hasAnyWords || catalog.understands(sentence, as: definition.name, language)
      ? sentence : nil
  }

  private mutating func say(_ item: PhraseItem, in scope: PhraseScope) -> Bool {
    guard depth < Limits.lintedDepthMax, stepsLeft > 0 else { return false }
    stepsLeft -= 1
    depth += 1
    defer { depth -= 1 }
    switch item {
    case .nothing: return true
    case .chunk(let chunk): return add(chunk)
    case .sequence(let items), .permutation(let items):
      for item in items { guard say(item, in: scope) else { return false } }
      return true
    case .alternative(let items):
      if items.contains(.nothing) { return true }
      let (before, hadAnyWords) = (text.count, hasAnyWords)
      for item in items {
        if say(item, in: scope) { return true }
        text.removeSubrange(before...)
        hasAnyWords = hadAnyWords
      }
      return false
    case .rule(let name):
      guard let rule = scope.rule(name) else { return false }
      return say(rule.root, in: scope)
    case .list(let reference):
      guard let index = names.list(of: reference, in: scope) else { return false }
      return sayValue(of: index, slot: reference.slot)
    }
  }

  private mutating func sayValue(of index: Int, slot: String) -> Bool {
    switch names.lists[index] {
    case .wildcard, .absent: return addAnyWords(slot)
    case .range(let range):
      guard range.acceptsDigits else {
        guard let words = range.words?.words.first else { return false }
        return add(normalizedScalars(words))
      }
      return add(normalizedScalars("\(range.from)"))
    case .text(let list):
      guard let value = list.values.first(where: { $0.template == nil }) else {
        // Its values come later, as those of an app do.
        return list.values.isEmpty && addAnyWords(slot)
      }
      return add(normalizedScalars(value.spoken))
    }
  }

  private mutating func addAnyWords(_ slot: String) -> Bool {
    hasAnyWords = true
    let title = definition?.parameter(named: slot)?.title ?? slot
    return add(normalizedScalars("{\(title.lowercased())}"))
  }

  private mutating func add(_ scalars: [UInt32]) -> Bool {
    guard text.count + scalars.count <= Limits.madeExampleScalarsMax else { return false }
    text += scalars
    return true
  }
}
