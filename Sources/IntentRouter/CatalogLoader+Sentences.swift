/// Sentence documents (`en.yaml`): collected by language, then compiled together.
///
/// Documents of one language share their lists, rules and skip words, but a document's own come
/// first, so that two intents may both have a rule `<show>` of their own.
import JSON

/// A sentence document with its names read and its blocks still to compile.
struct SentenceDocument {
  var file: String
  var value: LocatedValue
  var rules: [String: PhraseTemplate]
  var lists: [String: Int]
  var skipWords: [String]
  var ignoresWhitespace: Bool
}

extension CatalogLoader {
  mutating func collectSentences(_ source: CatalogSource) {
    let file = source.file
    let value = source.document
    let members = members(value, "the document", in: file)
    checkKeys(
      members,
      known: [
        "language", "settings", "skip_words", "intents", "expansion_rules", "lists", "responses",
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
    if let setting = value["settings"]?["ignore_whitespace"] {
      document.ignoresWhitespace = bool(setting, "'ignore_whitespace'", in: file) ?? false
    }
    documents[language, default: []].append(document)
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
    for language in documents.keys.sorted() { compile(language, documents[language] ?? []) }
  }

  private mutating func compile(_ language: String, _ documents: [SentenceDocument]) {
    var shared = PhraseScope(id: 0, rules: [[:]], lists: [[:]])
    for document in documents {
      shared.rules[0].merge(document.rules) { first, _ in first }
      shared.lists[0].merge(document.lists) { first, _ in first }
    }
    let ignoresWhitespace = documents.contains(where: \.ignoresWhitespace)
    var compiler = PhraseCompiler(ignoresWhitespace: ignoresWhitespace, lists: catalog.lists)
    var blocks: [PhraseBlock] = []
    var scopeCount = 0
    for document in documents {
      guard let intents = document.value["intents"] else { continue }
      var templateCount = 0
      for intent in members(intents, "'intents'", in: document.file) {
        guard let definition = catalog.definitions.first(where: { $0.name == intent.key }) else {
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
          scopeCount += 1
          guard
            let block = compileBlock(
              element, of: definition, document, shared, scopeCount, &compiler, &templateCount)
          else { continue }
          blocks.append(block)
        }
      }
    }
    catalog.lists = compiler.lists
    let words = documents.flatMap(\.skipWords)
    catalog.grammars.append(
      PhraseGrammar(
        language: language, program: compiler.program, blocks: blocks,
        skipWords: SkipWords(words, ignoringWhitespace: ignoresWhitespace)))
  }

  private mutating func compileBlock(
    _ value: LocatedValue, of definition: IntentDefinition, _ document: SentenceDocument,
    _ shared: PhraseScope, _ scopeID: Int, _ compiler: inout PhraseCompiler,
    _ templateCount: inout Int
  ) -> PhraseBlock? {
    let file = document.file
    let members = members(value, "a block of '\(definition.name)'", in: file)
    checkKeys(
      members,
      known: [
        "sentences", "slots", "response", "requires_context", "excludes_context", "expansion_rules",
        "lists", "metadata", "required_keywords", "inferred_domain", "name_domains", "settings",
      ], "a block of '\(definition.name)'", in: file)
    for member in members
    where ["requires_context", "excludes_context", "required_keywords"].contains(member.key) {
      report(
        file, member.line, "'\(member.key)' is not understood yet; the block is left out",
        expected: "a block without it")
      return nil
    }
    guard let sentences = value["sentences"] else {
      report(
        file, value.line, "a block of '\(definition.name)' has no key 'sentences'",
        expected: "sentences: [TEMPLATE, …]")
      return nil
    }
    var localRules: [String: PhraseTemplate] = [:]
    var localLists: [String: Int] = [:]
    if let rules = value["expansion_rules"] { localRules = readRules(rules, in: file) }
    if let lists = value["lists"] {
      catalog.lists = compiler.lists
      localLists = readLocalLists(lists, in: file)
      compiler.replaceLists(catalog.lists)
    }
    let scope = PhraseScope(
      id: scopeID, rules: [localRules, document.rules] + shared.rules,
      lists: [localLists, document.lists] + shared.lists + [catalog.listIndices])

    var block = PhraseBlock(intent: definition.name, templates: [], fixedSlots: [:])
    if let slots = value["slots"] {
      for slot in self.members(slots, "'slots'", in: file) {
        guard definition.parameter(named: slot.key) != nil else {
          reportUnknownSlot(slot.key, definition, "a block", at: slot.line, in: file)
          continue
        }
        block.fixedSlots[slot.key] = slot.value.json
      }
    }
    for element in elements(sentences, "'sentences' of '\(definition.name)'", in: file) {
      templateCount += 1
      guard templateCount <= Limits.templatesPerDocumentMax else {
        report(
          file, element.line, "the document has too many templates",
          expected: "at most \(Limits.templatesPerDocumentMax)")
        break
      }
      guard let source = string(element, "a sentence", in: file),
        let template = parse(source, "the sentence", at: element.line, in: file)
      else { continue }
      do throws(PhraseCompileError) {
        let compiled = try compiler.compile(template, in: scope)
        let unknown = compiled.slots.filter { definition.parameter(named: $0) == nil }.sorted()
        guard unknown.isEmpty else {
          reportUnknownSlot(unknown[0], definition, "'\(source)'", at: element.line, in: file)
          continue
        }
        block.templates.append(compiled)
      } catch {
        report(
          file, element.line, "the sentence '\(source.prefix(120))': \(error.message)",
          expected: error.expected)
      }
    }
    // Stable: more literal text goes first where a wildcard could take it.
    block.templates = block.templates.enumerated()
      .sorted { ($1.element.orderKey, $0.offset) < ($0.element.orderKey, $1.offset) }
      .map(\.element)
    return block
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
