// Sentence documents (`en.yaml`): collected by language, then compiled together.
//
// Documents of one language share their lists, rules and skip words, but a document's own come
// first, so that two intents may both have a rule `<show>` of their own.

import JSON

/// A sentence document with its names read and its blocks still to compile.
struct SentenceDocument {
  var file: String
  var value: LocatedValue
  var rules: [String: PhraseTemplate]
  var lists: [String: Int]
  var skipWords: [String]
  var ignoresWhitespace: Bool
  var conjunctions: [String] = []
  var hasSeveralCommands = true
  /// For near reading.
  var nearWords = NearWords()
  var isReadNearly = true
}

/// The numbers of a range in a language.
struct SpelledRange: Hashable {
  var language: String
  var tenths: [Int]
}

extension CatalogLoader {
  mutating func collectSentences(_ source: CatalogSource) {
    let file = source.file
    let value = source.document
    let members = members(value, "the document", in: file)
    checkKeys(
      members,
      known: [
        "language", "settings", "skip_words", "fillers", "blockers", "intents", "expansion_rules",
        "lists", "responses",
      ], "a sentence document", in: file)
    guard let languageValue = value["language"],
      let language = string(languageValue, "'language'", in: file), !language.isEmpty
    else {
      if value["language"] == nil {
        report(file, value.line, "there is no key 'language'", expected: "language: en")
      }
      return
    }
    var document = SentenceDocument(
      file: file, value: value, rules: [:], lists: [:], skipWords: [], ignoresWhitespace: false)
    if let rules = value["expansion_rules"] { document.rules = readRules(rules, in: file) }
    if let lists = value["lists"] { document.lists = readLocalLists(lists, in: file) }
    if let words = value["skip_words"] {
      for element in elements(words, "'skip_words'", in: file) {
        if let word = string(element, "a skip word", in: file) { document.skipWords.append(word) }
      }
    }
    document.nearWords.fillers = readNearWords(value["fillers"], "fillers", in: file)
    document.nearWords.blockers = readNearWords(value["blockers"], "blockers", in: file)
    if let setting = value["settings"]?["near"] {
      // Whoever writes the key wants less than what holds without it.
      document.isReadNearly = bool(setting, "'near'", in: file) ?? false
    }
    if let setting = value["settings"]?["ignore_whitespace"] {
      document.ignoresWhitespace = bool(setting, "'ignore_whitespace'", in: file) ?? false
    }
    if let setting = value["settings"]?["several_commands"] {
      document.hasSeveralCommands = bool(setting, "'several_commands'", in: file) ?? true
    }
    if let words = value["settings"]?["conjunctions"] {
      for element in elements(words, "'conjunctions'", in: file) {
        guard document.conjunctions.count < Limits.conjunctionsMax else {
          report(
            file, element.line, "there are too many conjunctions",
            expected: "at most \(Limits.conjunctionsMax)")
          break
        }
        if let word = string(element, "a conjunction", in: file) {
          document.conjunctions.append(word)
        }
      }
    }
    documents[language, default: []].append(document)
  }

  /// Reads phrases for near reading: plain text, no templates.
  private mutating func readNearWords(
    _ value: LocatedValue?, _ what: String, in file: String
  ) -> [String] {
    guard let value else { return [] }
    var phrases: [String] = []
    for element in elements(value, "'\(what)'", in: file) {
      guard phrases.count < Limits.nearPhrasesMax else {
        report(
          file, element.line, "there are too many \(what)",
          expected: "at most \(Limits.nearPhrasesMax)")
        break
      }
      guard let phrase = string(element, "one of '\(what)'", in: file) else { continue }
      guard phrase.utf8.count <= Limits.listValueBytesMax else {
        report(
          file, element.line, "one of '\(what)' is too long",
          expected: "at most \(Limits.listValueBytesMax) bytes")
        continue
      }
      phrases.append(phrase)
    }
    return phrases
  }

  private mutating func readRules(
    _ value: LocatedValue, in file: String
  ) -> [String: PhraseTemplate] {
    var rules: [String: PhraseTemplate] = [:]
    for member in members(value, "'expansion_rules'", in: file) {
      guard let source = string(member.value, "the rule <\(member.key)>", in: file),
        let rule = parse(source, "the rule <\(member.key)>", at: member.value.line, in: file)
      else { continue }
      rules[member.key] = rule
    }
    return rules
  }

  private mutating func readLocalLists(_ value: LocatedValue, in file: String) -> [String: Int] {
    var lists: [String: Int] = [:]
    for member in members(value, "'lists'", in: file) {
      guard let list = readList(member.value, named: member.key, in: file) else { continue }
      catalog.lists.append(list)
      lists[member.key] = catalog.lists.count - 1
    }
    return lists
  }

  // MARK: Compiling

  mutating func compileLanguages() {
    for language in documents.keys.sorted() {
      let compiled = compile(language, documents[language] ?? [])
      catalog.lists = compiled.compiler.lists
      catalog.grammars.append(compiled.grammar)
      catalog.otherLists[language] = compiled.compiler.otherLists
    }
  }

  /// Compiles the documents of one language together.
  mutating func compile(
    _ language: String, _ documents: [SentenceDocument]
  ) -> (grammar: PhraseGrammar, compiler: PhraseCompiler, scope: PhraseScope) {
    var shared = PhraseScope(id: 0, rules: [[:]], lists: [[:]])
    for document in documents {
      shared.rules[0].merge(document.rules) { first, _ in first }
      shared.lists[0].merge(document.lists) { first, _ in first }
    }
    shared.lists.append(listsForLanguage())
    var own = Set(documents.flatMap { $0.lists.values })
    own.formUnion(shared.lists[1].values)
    let listCount = catalog.lists.count
    let ignoresWhitespace = documents.contains(where: \.ignoresWhitespace)
    var work = GrammarWork(
      compiler: PhraseCompiler(
        ignoresWhitespace: ignoresWhitespace, lists: catalog.lists,
        allowsAbsentLists: acceptsAnyIntent),
      shared: shared, scopeCount: documents.count)
    for (number, document) in documents.enumerated() {
      compile(document, number: number + 1, &work)
    }
    let roots = work.compiler.finish(in: shared)
    reportCircles(work.compiler, documents)
    indexedNumbers = 0
    hasTooManyNumbers = false
    spellTogether(work.compiler.lists, language)
    let lists = work.compiler.lists.enumerated().map { index, list -> ValueList in
      guard case .range(let range) = list, index >= listCount || own.contains(index) else {
        return list
      }
      return .range(spelled(range, language))
    }
    work.compiler.replaceLists(lists)
    if hasTooManyNumbers {
      report(
        documents.first?.file ?? language, 1,
        "the different ranges of \(language) have more than \(Limits.indexedNumbersMax) numbers, so those of some are known by their digits only",
        expected: "fewer ranges, or ranges that are shared (lists: …)", severity: .warning)
    }
    let words = documents.flatMap(\.skipWords)
    let conjunctions =
      documents.allSatisfy(\.hasSeveralCommands) ? documents.flatMap(\.conjunctions) : []
    var nearWords = self.words(language)
    nearWords.fillers += documents.flatMap(\.nearWords.fillers)
    nearWords.blockers += documents.flatMap(\.nearWords.blockers)
    let grammar = PhraseGrammar(
      language: language, program: work.compiler.program, roots: roots, blocks: work.blocks,
      sources: work.sources, skipWords: SkipWords(words, ignoringWhitespace: ignoresWhitespace),
      conjunctions: conjunctions.map { NormalizedText(value: $0).folded }.filter { !$0.isEmpty },
      nearWords: nearWords)
    return (grammar, work.compiler, shared)
  }

  /// A value that leads back to its own list has no end: it matches nothing, and its writer should
  /// know.
  private mutating func reportCircles(
    _ compiler: PhraseCompiler, _ documents: [SentenceDocument]
  ) {
    for (list, value) in compiler.circularValues {
      guard case .text(let texts) = compiler.lists[list] else { continue }
      let owner = documents.first { $0.lists.values.contains(list) }
      let name =
        owner?.lists.first { $0.value == list }?.key
        ?? catalog.listIndices.first { $0.value == list }?.key ?? "?"
      let line = owner.flatMap { $0.value["lists"]?[name]?.line } ?? 1
      report(
        owner?.file ?? documents.first?.file ?? "lists", line,
        "the value \(quoted(texts.values[value].spoken)) of the list '\(name)' leads back to that list, so it matches nothing",
        expected: "values that end", severity: .warning)
    }
  }

  /// The lists of all languages, with ranges of its own for one: each says its numbers in its
  /// words.
  private mutating func listsForLanguage() -> [String: Int] {
    var indices = catalog.listIndices
    for (name, index) in catalog.listIndices.sorted(by: { $0.key < $1.key }) {
      guard case .range = catalog.lists[index] else { continue }
      catalog.lists.append(catalog.lists[index])
      indices[name] = catalog.lists.count - 1
      catalog.rangeCopies[index, default: []].append(catalog.lists.count - 1)
    }
    return indices
  }

  private struct GrammarWork {
    var compiler: PhraseCompiler
    var shared: PhraseScope
    var scopeCount: Int
    var blocks: [PhraseBlock] = []
    var sources: [PhraseSource] = []
    var templateCount = 0
  }

  private mutating func compile(
    _ document: SentenceDocument, number: Int, _ work: inout GrammarWork
  ) {
    guard let intents = document.value["intents"] else { return }
    work.templateCount = 0
    for intent in members(intents, "'intents'", in: document.file) {
      let definition = catalog.definitions.first { $0.name == intent.key }
      guard definition != nil || acceptsAnyIntent else {
        let near = nearestNames(to: intent.key, in: catalog.definitions.map(\.name))
        report(
          document.file, intent.line,
          "there are sentences for '\(intent.key)', which no intent.yaml defines",
          expected: near.first.map { "'\($0)' perhaps" } ?? "an intent of that name")
        continue
      }
      guard let data = intent.value["data"] else {
        report(
          document.file, intent.line, "'\(intent.key)' has no key 'data'",
          expected: "data: [{sentences: …}]")
        continue
      }
      for element in elements(data, "'data' of '\(intent.key)'", in: document.file) {
        compileBlock(element, of: intent.key, definition, document, number, &work)
      }
    }
  }

  private mutating func compileBlock(
    _ value: LocatedValue, of name: String, _ definition: IntentDefinition?,
    _ document: SentenceDocument, _ number: Int, _ work: inout GrammarWork
  ) {
    let file = document.file
    let members = members(value, "a block of '\(name)'", in: file)
    checkKeys(
      members,
      known: [
        "sentences", "slots", "response", "requires_context", "excludes_context", "expansion_rules",
        "lists", "metadata", "required_keywords", "inferred_domain", "name_domains", "settings",
      ], "a block of '\(name)'", in: file)
    guard let sentences = value["sentences"] else {
      report(
        file, value.line, "a block of '\(name)' has no key 'sentences'",
        expected: "sentences: [TEMPLATE, …]")
      return
    }
    let scope = scope(of: value, document, number, &work)
    let block = readBlock(value, of: name, definition, in: file)

    var checked: [(template: PhraseTemplate, facts: PhraseFacts, line: Int)] = []
    for element in elements(sentences, "'sentences' of '\(name)'", in: file) {
      work.templateCount += 1
      guard work.templateCount <= Limits.templatesPerDocumentMax else {
        report(
          file, element.line, "the document has too many templates",
          expected: "at most \(Limits.templatesPerDocumentMax)")
        break
      }
      guard let source = string(element, "a sentence", in: file),
        let template = parse(source, "the sentence", at: element.line, in: file)
      else { continue }
      do throws(PhraseCompileError) {
        let facts = try work.compiler.check(template, in: scope)
        if let definition,
          let unknown = facts.slots.filter({ definition.parameter(named: $0) == nil }).min()
        {
          reportUnknownSlot(unknown, definition, "'\(source)'", at: element.line, in: file)
          continue
        }
        checked.append((template, facts, element.line))
      } catch {
        report(
          file, element.line, "the sentence \(quoted(source)): \(error.message)",
          expected: error.expected)
      }
    }
    // Stable: more literal text goes first where a wildcard could take it.
    let order = checked.indices.sorted {
      (checked[$1].facts.orderKey, $0) < (checked[$0].facts.orderKey, $1)
    }
    for index in order {
      let (template, facts, line) = checked[index]
      work.compiler.add(template, facts, place: Int32(work.sources.count), in: scope)
      work.sources.append(
        PhraseSource(
          template: template, block: Int32(work.blocks.count), edges: facts.edges, scope: scope,
          file: file, line: line, isReadNearly: document.isReadNearly))
    }
    work.blocks.append(block)
  }

  /// The names that a block sees.
  private mutating func scope(
    of block: LocatedValue, _ document: SentenceDocument, _ number: Int, _ work: inout GrammarWork
  ) -> PhraseScope {
    var scope = PhraseScope(
      id: number, rules: [document.rules] + work.shared.rules,
      lists: [document.lists] + work.shared.lists)
    if let rules = block["expansion_rules"] {
      scope.rules.insert(readRules(rules, in: document.file), at: 0)
    }
    if let lists = block["lists"] {
      catalog.lists = work.compiler.lists
      scope.lists.insert(readLocalLists(lists, in: document.file), at: 0)
      scope.localListTables = 1
      work.compiler.replaceLists(catalog.lists)
    }
    if block["expansion_rules"] != nil || block["lists"] != nil {
      work.scopeCount += 1
      scope.id = work.scopeCount
    }
    return scope
  }

  private mutating func readBlock(
    _ value: LocatedValue, of name: String, _ definition: IntentDefinition?, in file: String
  ) -> PhraseBlock {
    var block = PhraseBlock(intent: name)
    if let slots = value["slots"] {
      for slot in members(slots, "'slots'", in: file) {
        if let definition, definition.parameter(named: slot.key) == nil {
          reportUnknownSlot(slot.key, definition, "a block", at: slot.line, in: file)
          continue
        }
        block.fixedSlots.append((slot.key, slot.value.json))
      }
    }
    if let response = value["response"] {
      block.response = string(response, "'response'", in: file)
    }
    block.metadata = value["metadata"]?.json
    if let context = value["requires_context"] {
      block.conditions.required = members(context, "'requires_context'", in: file).map {
        ContextCondition(key: $0.key, $0.value.json)
      }
    }
    if let context = value["excludes_context"] {
      block.conditions.excluded = members(context, "'excludes_context'", in: file).map {
        ContextCondition(key: $0.key, $0.value.json)
      }
    }
    if let keywords = value["required_keywords"] {
      var words: Set<String> = []
      for element in elements(keywords, "'required_keywords'", in: file) {
        guard let word = string(element, "a keyword", in: file) else { continue }
        words.insert(NormalizedText.string(normalizedScalars(word)))
      }
      if !words.isEmpty { block.requiredKeywords = words }
    }
    return block
  }

  // MARK: Numbers in words

  /// The range with its numbers in words, where words are on and the language has them.
  mutating func spelled(_ range: NumberRange, _ language: String) -> NumberRange {
    var range = range
    range.words = nil
    guard range.acceptsWords, let numbers = range.tenths else { return range }
    let language = range.wordsLanguage ?? language
    let key = SpelledRange(language: language, tenths: numbers)
    if let known = spelledRanges[key] {
      range.words = known
      return range
    }
    guard indexedNumbers + numbers.count <= Limits.indexedNumbersMax else {
      hasTooManyNumbers = true
      return range
    }
    indexedNumbers += numbers.count
    guard spell(numbers, language), let words = spelledNumbers[language] else { return range }
    range.words = NumberWordIndex(numbers.map { words[$0] ?? [] }, of: numbers)
    spelledRanges[key] = range.words
    return range
  }

  /// Spells the numbers of all ranges at once: opening the rules of a language takes longer than
  /// spelling a hundred numbers.
  private mutating func spellTogether(_ lists: [ValueList], _ language: String) {
    var numbers: [String: Set<Int>] = [:]
    var seen: Set<[Int]> = []
    var count = 0
    for case .range(let range) in lists where range.acceptsWords && range.words == nil {
      guard seen.insert([range.from, range.to, range.step, range.tenths?.count ?? 0]).inserted
      else { continue }
      count += range.tenths?.count ?? 0
      // The numbers beyond that are understood in digits only.
      guard count <= Limits.indexedNumbersMax else { break }
      numbers[range.wordsLanguage ?? language, default: []].formUnion(range.tenths ?? [])
    }
    // A language without words is found out again, range by range.
    for (language, numbers) in numbers { _ = spell(numbers.sorted(), language) }
  }

  /// Spells the numbers that no other range has; `false` when the language has no words.
  private mutating func spell(_ numbers: [Int], _ language: String) -> Bool {
    let known = spelledNumbers[language] ?? [:]
    let missing = numbers.filter { known[$0] == nil }
    guard !missing.isEmpty else { return true }
    guard let texts = spelling(missing, language), texts.count == missing.count else {
      return false
    }
    spelledNumbers[language, default: [:]].merge(zip(missing, texts)) { first, _ in first }
    return true
  }

  private mutating func reportUnknownSlot(
    _ slot: String, _ definition: IntentDefinition, _ place: String, at line: Int, in file: String
  ) {
    let names = definition.parameters.map(\.name)
    let near = nearestNames(to: slot, in: names)
    report(
      file, line, "\(place) fills the slot '\(slot)', which is no parameter of \(definition.name)",
      expected: near.first.map { "'\($0)' perhaps" }
        ?? (names.isEmpty ? "no slot" : "one of \(names.joined(separator: ", "))"))
  }
}
