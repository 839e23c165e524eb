package import JSON

/// Turns documents into a catalogue.
///
/// The good parts load; each bad part becomes an issue with file, line, text and the form that was
/// expected.
extension IntentCatalog {
  /// Loads all sources together: lists first, then intents, then sentences and examples, whatever
  /// their order.
  ///
  /// The good parts still load: a bad template costs that template, a bad intent that intent.
  ///
  /// `spelling` gives numbers in words; without it sentences have numbers in digits. `words` gives
  /// what a language's near reading knows beside the documents' own.
  package static func load(
    _ sources: [CatalogSource], spelling: @escaping NumberSpelling = { _, _ in nil },
    words: @escaping NearWordsOfLanguage = { _ in NearWords() }
  ) -> (catalog: IntentCatalog, issues: [DocumentIssue]) {
    var loader = CatalogLoader()
    loader.spelling = spelling
    loader.words = words
    loader.read(sources)
    return (loader.catalog, loader.issues)
  }
}

/// Reads the documents one kind after the other; each reader is in a file of its own.
struct CatalogLoader {
  var catalog = IntentCatalog()
  var issues: [DocumentIssue] = []
  /// File and line of each definition, for the checks that need all of them.
  var definitionPlaces: [String: (file: String, line: Int)] = [:]
  /// Sentence documents by language, in the order they came.
  var documents: [String: [SentenceDocument]] = [:]
  var definitionFiles: [LoadedDefinitions] = []
  var spelling: NumberSpelling = { _, _ in nil }
  var words: NearWordsOfLanguage = { _ in NearWords() }
  /// Numbers of the different ranges of the language that is compiled, as far as they can be said
  /// in words.
  var indexedNumbers = 0
  var hasTooManyNumbers = false
  var spelledRanges: [SpelledRange: NumberWordIndex] = [:]
  /// By language and number in tenths: ranges have most of their numbers in common.
  var spelledNumbers: [String: [Int: [String]]] = [:]
  /// Whether sentences may be of intents that nothing defines, and name lists that nothing has: a
  /// grammar on its own.
  var acceptsAnyIntent = false

  /// Reads all documents, in the order in which they need each other.
  mutating func read(_ sources: [CatalogSource]) {
    for source in sources where source.kind == .list { readLists(source) }
    for source in sources where source.kind == .intent { readIntent(source) }
    readDefinitions(sources)
    checkDefinitions()
    for source in sources where source.kind == .sentences { collectSentences(source) }
    collectTitles()
    compileLanguages()
    for source in sources where source.kind == .examples { readExamples(source) }
    catalog.definitions.sort { $0.name < $1.name }
    catalog.indexDefinitions()
  }

  mutating func report(
    _ file: String, _ line: Int, _ message: String, expected: String,
    severity: DocumentIssue.Severity = .error
  ) {
    issues.append(
      DocumentIssue(
        severity: severity, file: file, line: line, message: message, expected: expected))
  }

  // MARK: Reading values

  mutating func members(
    _ value: LocatedValue, _ what: String, in file: String
  ) -> [LocatedValue.Member] {
    guard case .object(let members) = value.node else {
      report(file, value.line, "\(what) is \(value.json.typeName)", expected: "a map")
      return []
    }
    return members
  }

  mutating func elements(_ value: LocatedValue, _ what: String, in file: String) -> [LocatedValue] {
    guard case .array(let elements) = value.node else {
      report(file, value.line, "\(what) is \(value.json.typeName)", expected: "a list")
      return []
    }
    return elements
  }

  mutating func string(_ value: LocatedValue, _ what: String, in file: String) -> String? {
    switch value.node {
    case .string(let text): return text
    // A sentence or a name may look like something else in YAML.
    case .int(let number): return "\(number)"
    case .null, .bool, .double, .array, .object:
      report(
        file, value.line, "\(what) is \(value.json.typeName)",
        expected: "a text (in quotes if need be)")
      return nil
    }
  }

  mutating func bool(_ value: LocatedValue, _ what: String, in file: String) -> Bool? {
    guard case .bool(let flag) = value.node else {
      report(file, value.line, "\(what) is \(value.json.typeName)", expected: "true or false")
      return nil
    }
    return flag
  }

  /// Reads one of the words that a key accepts.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ value: LocatedValue, _ what: String, in file: String
  ) -> Choice? {
    guard let text = string(value, what, in: file) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    report(
      file, value.line, "\(what) is '\(text)'",
      expected: Choice.allCases.map(\.rawValue).joined(separator: ", "))
    return nil
  }

  /// Warns of keys that mean nothing, since a misspelt key is silently nothing otherwise.
  mutating func checkKeys(
    _ members: [LocatedValue.Member], known: [String], _ what: String, in file: String
  ) {
    for member in members where !known.contains(member.key) {
      let near = nearestNames(to: member.key, in: known)
      report(
        file, member.line, "\(what) has the unknown key '\(member.key)'",
        expected: near.first.map { "'\($0)'" } ?? "one of \(known.joined(separator: ", "))",
        severity: .warning)
    }
  }

  // MARK: Lists

  mutating func readLists(_ source: CatalogSource) {
    let members = members(source.document, "the document", in: source.file)
    checkKeys(members, known: ["language", "lists"], "a list document", in: source.file)
    guard let lists = source.document["lists"] else {
      report(
        source.file, source.document.line, "there is no key 'lists'", expected: "lists: {NAME: …}")
      return
    }
    for member in self.members(lists, "'lists'", in: source.file) {
      guard let list = readList(member.value, named: member.key, in: source.file) else { continue }
      guard catalog.listIndices[member.key] == nil else {
        report(
          source.file, member.line, "the list '\(member.key)' is defined already",
          expected: "each list once")
        continue
      }
      catalog.lists.append(list)
      catalog.listIndices[member.key] = catalog.lists.count - 1
    }
  }

  mutating func readList(_ value: LocatedValue, named name: String, in file: String) -> ValueList? {
    let members = members(value, "the list '\(name)'", in: file)
    guard !members.isEmpty else {
      report(
        file, value.line, "the list '\(name)' has no content", expected: "values, range or wildcard"
      )
      return nil
    }
    if let values = value["values"] {
      // A list that a request brings has plain texts only.
      let allowsTemplates = value["allow_template"]?.json.boolValue ?? true
      return readValues(values, named: name, allowsTemplates: allowsTemplates, in: file)
    }
    if let range = value["range"] { return readRange(range, named: name, in: file) }
    if let wildcard = value["wildcard"] {
      guard bool(wildcard, "'wildcard' of '\(name)'", in: file) == true else {
        report(file, wildcard.line, "the list '\(name)' is no list", expected: "wildcard: true")
        return nil
      }
      return .wildcard
    }
    report(
      file, value.line, "the list '\(name)' has none of 'values', 'range' and 'wildcard'",
      expected: "one of them")
    return nil
  }

  private mutating func readValues(
    _ value: LocatedValue, named name: String, allowsTemplates: Bool, in file: String
  ) -> ValueList? {
    var values: [ListValue] = []
    for element in elements(value, "'values' of '\(name)'", in: file) {
      guard values.count < Limits.listValuesMax else {
        report(
          file, element.line, "the list '\(name)' has too many values",
          expected: "at most \(Limits.listValuesMax)")
        break
      }
      var out: JSONValue?
      var context: [String: JSONValue] = [:]
      var metadata: JSONValue?
      var spokenValue = element
      if case .object(let members) = element.node {
        checkKeys(
          members, known: ["in", "out", "context", "metadata"], "a value of '\(name)'", in: file)
        guard let said = element["in"] else {
          report(file, element.line, "a value of '\(name)' has no key 'in'", expected: "in: TEXT")
          continue
        }
        spokenValue = said
        out = element["out"]?.json
        metadata = element["metadata"]?.json
        for member in element["context"].map({ self.members($0, "'context'", in: file) }) ?? [] {
          context[member.key] = member.value.json
        }
      }
      guard let spoken = string(spokenValue, "a value of '\(name)'", in: file) else { continue }
      let isTemplate = allowsTemplates && PhraseTemplate.hasSyntax(spoken)
      guard isTemplate || spoken.utf8.count <= Limits.listValueBytesMax else {
        report(
          file, spokenValue.line, "a value of '\(name)' has \(spoken.utf8.count) bytes",
          expected: "at most \(Limits.listValueBytesMax)")
        continue
      }
      var template: PhraseTemplate?
      if isTemplate {
        template = parse(spoken, "a value of '\(name)'", at: spokenValue.line, in: file)
        guard template != nil else { continue }
      } else if case .string = element.node {
        // A plain text stands for itself, as it is written.
        out = .string(spoken)
      }
      values.append(
        ListValue(
          spoken: spoken, out: out, template: template, context: context, metadata: metadata))
    }
    return .text(TextList(values))
  }

  private mutating func readRange(
    _ value: LocatedValue, named name: String, in file: String
  ) -> ValueList? {
    let members = members(value, "'range' of '\(name)'", in: file)
    checkKeys(
      members,
      known: [
        "from", "to", "step", "type", "fractions", "multiplier", "digits", "words",
        "words_language",
      ], "the range '\(name)'", in: file)
    func integer(_ key: String) -> Int? {
      value[key]?.json.intValue.flatMap { abs($0) < 100_000_000 ? Int($0) : nil }
    }
    guard let from = integer("from"), let to = integer("to"), from <= to else {
      report(
        file, value.line, "the range '\(name)' has no valid 'from' and 'to'",
        expected: "two whole numbers, from <= to")
      return nil
    }
    var range = NumberRange(from: from, to: to)
    if let step = value["step"] {
      guard let number = integer("step"), number > 0 else {
        report(
          file, step.line, "'step' of '\(name)' is no number", expected: "a whole number above 0")
        return nil
      }
      range.step = number
    }
    if let type = value["type"],
      !["number", "percentage", "temperature"].contains(type.json.stringValue)
    {
      report(
        file, type.line, "'type' of '\(name)' is not known",
        expected: "number, percentage or temperature")
      return nil
    }
    if let fractions = value["fractions"] {
      guard let known = fractions.json.stringValue.flatMap(NumberRange.Fractions.init) else {
        report(
          file, fractions.line, "'fractions' of '\(name)' is not known",
          expected: "halves or tenths")
        return nil
      }
      range.fractions = known
    }
    if let multiplier = value["multiplier"] {
      guard let number = multiplier.json.doubleValue, number.isFinite else {
        report(
          file, multiplier.line, "'multiplier' of '\(name)' is no number", expected: "a number")
        return nil
      }
      range.multiplier = number
    }
    if let digits = value["digits"] {
      range.acceptsDigits = bool(digits, "'digits' of '\(name)'", in: file) ?? true
    }
    if let words = value["words"] {
      range.acceptsWords = bool(words, "'words' of '\(name)'", in: file) ?? true
    }
    if let language = value["words_language"] {
      range.wordsLanguage = string(language, "'words_language' of '\(name)'", in: file)
    }
    guard range.acceptsDigits || range.acceptsWords else {
      report(
        file, value.line, "the range '\(name)' takes neither digits nor words",
        expected: "'digits' or 'words' to be true")
      return nil
    }
    return .range(range)
  }

  /// A template of any kind, or an issue that shows where it goes wrong.
  mutating func parse(
    _ source: String, _ what: String, at line: Int, in file: String
  ) -> PhraseTemplate? {
    do throws(PhraseSyntaxError) {
      return try PhraseTemplate(parsing: source)
    } catch {
      report(
        file, line,
        "\(what) \(quoted(source)): \(error.message) (at character \(error.column))",
        expected: error.expected)
      return nil
    }
  }
}
