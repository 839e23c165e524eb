import JSON

/// `intent-send lint` finds mistakes in sentence documents beyond those that keep them from
/// loading.
///
/// The linter loads the documents as the daemon does, makes sentences from each template, and
/// recognises them with the whole grammar of the language. The other templates that match them, and
/// their ranks, tell whether a template is useless and whether two intents share a sentence. A
/// proof for all sentences of two templates was rejected: it takes too long (lists of 100,000
/// names, permutations, wildcards). A finding that rests on a selection of sentences says so.
///
/// Everything is a function of the documents: the same report on every machine, with bounded work.
package enum Lint {
  /// Lints documents together.
  ///
  /// Without any `intent.yaml` the documents are a grammar without types, and unknown lists count
  /// as lists that requests bring.
  ///
  /// With `files`, only findings about these are returned; the other documents are their
  /// surroundings.
  package static func report(
    on sources: [CatalogSource], only files: Set<String>? = nil,
    spelling: @escaping NumberSpelling = { _, _ in nil }
  ) -> LintReport {
    var loader = CatalogLoader()
    loader.spelling = spelling
    loader.acceptsAnyIntent = !sources.contains { $0.kind == .intent || $0.kind == .definitions }
    let alone = loader.acceptsAnyIntent
    // Examples belong to definitions.
    loader.read(alone ? sources.filter { $0.kind != .examples } : sources)

    var findings = loader.issues.map { LintFinding(kind: .document, issue: $0) }
    for source in sources where alone && source.kind == .examples {
      findings.append(
        LintFinding(
          kind: .document,
          issue: DocumentIssue(
            file: source.file, line: 0, message: "the examples belong to no intent",
            expected: "an intent.yaml beside them")))
    }
    for source in sources { findings += EmptyBranchSearch.findings(in: source) }
    let examples = alone ? [] : sources.flatMap(LintExample.read)
    for source in sources where !alone && source.kind == .examples {
      var form = LintExampleForm(source, loader.catalog)
      findings += form.findings()
    }
    var report = LintReport()
    var effort = LintEffort()
    for index in loader.catalog.grammars.indices {
      var language = LintedLanguage(loader.catalog, index, alone: alone, effort: effort)
      language.lint(examples)
      effort = language.effort
      findings += language.findings
      report.templates += language.templates.enumerated().sorted { first, second in
        let (a, b) = (first.element, second.element)
        return (a.file, a.line, first.offset) < (b.file, b.line, second.offset)
      }.map(\.element)
      if language.isCutShort { report.languagesCutShort.append(language.code) }
    }
    if let files {
      findings = findings.filter {
        files.contains($0.issue.file) || $0.otherFile.map(files.contains) == true
      }
      report.templates = report.templates.filter { files.contains($0.file) }
    }
    findings = inOrder(findings)
    report.omitted = max(findings.count - Limits.lintedFindingsMax, 0)
    report.findings = Array(findings.prefix(Limits.lintedFindingsMax))
    return report
  }

  /// By file and line, else as they were found.
  private static func inOrder(_ findings: [LintFinding]) -> [LintFinding] {
    findings.enumerated().sorted { first, second in
      let (a, b) = (first.element.issue, second.element.issue)
      return (a.file, a.line, first.offset) < (b.file, b.line, second.offset)
    }.map(\.element)
  }
}

/// The linter's progress, for all languages together.
struct LintEffort {
  var matchingSteps = 0
  /// Steps over items, for sentences and for counts.
  var walkSteps = 0
  var keywordSteps = 0

  /// Whether sentences may still be tried.
  var isLeft: Bool {
    matchingSteps < Limits.lintedStepsMax && walkSteps < Limits.lintedWalkStepsMax
  }
}

/// The templates of one language, and the findings about them.
struct LintedLanguage {
  /// A template that takes a sentence.
  struct Reading {
    /// Its place among `sources`.
    var source: Int
    var match: SentenceMatch
    /// Whether it makes an intent without a question to the person.
    var isReady: Bool
    /// The parameter that the person is asked for; `nil`: none is.
    var asked: String?
    /// The values of the intent, as far as the sentence gives them.
    var parameters: [String: JSONValue] = [:]

    func ranks(like other: Reading) -> Bool {
      match.wildcards == other.match.wildcards
        && match.literalCharacters == other.match.literalCharacters
        && match.wildcardCharacters == other.match.wildcardCharacters
    }
  }

  let catalog: IntentCatalog
  /// The grammar, with the number of each template in the place of its text: so a match says which
  /// template it is of, where two have the same text.
  let grammar: PhraseGrammar
  let sources: [PhraseSource]
  let lists: [ValueList]
  let names: LintNames
  /// Whether there are no intent definitions, which give slots their types.
  let isAlone: Bool

  var findings: [LintFinding] = []
  var templates: [LintedTemplate] = []
  var sentencesTried = 0
  var isCutShort = false
  var effort: LintEffort
  var refusals = 0
  /// Templates of which it is known that they are of no use.
  var useless: Set<Int> = []

  var code: String { grammar.language }

  init(_ catalog: IntentCatalog, _ index: Int, alone: Bool, effort: LintEffort) {
    let original = catalog.grammars[index]
    self.catalog = catalog
    sources = original.sources
    isAlone = alone
    self.effort = effort
    var numbered = original.sources
    for number in numbered.indices { numbered[number].template.source = "\(number)" }
    grammar = PhraseGrammar(
      language: original.language, program: original.program, roots: original.roots,
      blocks: original.blocks, sources: numbered, skipWords: original.skipWords)
    names = LintNames(
      lists: catalog.lists, otherLists: catalog.otherLists[original.language] ?? OtherLists(),
      program: original.program)
    lists = catalog.lists.enumerated().map { index, list in
      guard case .absent(let name) = list else { return list }
      let spoken = SentenceSampler.placeholder(for: name, index)
      return .text(TextList([ListValue(spoken: spoken)]))
    }
  }

  mutating func lint(_ examples: [LintExample]) {
    var counter = SentenceCounter(names)
    counter.stepsTaken = effort.walkSteps
    var sampler = SentenceSampler(counter)
    for (number, source) in sources.enumerated() {
      templates.append(
        LintedTemplate(
          file: source.file, line: source.line, language: code, intent: block(number).intent,
          template: source.template.source, sentences: sampler.count(source)))
    }
    findTemplatesThatCannotMatch(&sampler)
    findDuplicates()
    // Judge the examples before made sentences: they are few and written with care.
    judge(examples)
    trySentences(&sampler)
    effort.walkSteps = sampler.stepsTaken
  }

  func block(_ number: Int) -> PhraseBlock { grammar.blocks[Int(sources[number].block)] }

  /// Returns the matches of a sentence, best first; `nil` when it fits in too many ways, or the
  /// steps for the language are used up.
  mutating func readings(
    of sentence: String, context: [String: JSONValue] = [:]
  ) -> [Reading]? {
    guard effort.isLeft else { return nil }
    let text = NormalizedText(sentence: sentence)
    guard !text.isEmpty else { return [] }
    let allowed = min(Limits.lintedStepsMax - effort.matchingSteps, Limits.matchingStepsMax)
    var left = allowed
    let matches = grammar.matches(
      of: text, lists: lists, context: context, response: "default", stepsLeft: &left)
    // Beside the search a sentence costs a table of its lists, and each match.
    effort.matchingSteps +=
      allowed - left + lists.count * text.count / 8 + (matches?.count ?? 0) * 100 + 1
    return matches?.ranked().compactMap { match in
      guard let source = Int(match.template) else { return nil }
      guard !isAlone else { return Reading(source: source, match: match, isReady: true) }
      switch catalog.resolution(of: match) {
      case nil, .failed?: return nil
      case .needs(let need)?:
        return Reading(
          source: source, match: match, isReady: false, asked: need.parameter,
          parameters: need.parameters)
      case .ready(let intent)?:
        return Reading(
          source: source, match: match, isReady: true, parameters: intent.parameters)
      }
    }
  }

  // MARK: Saying it

  mutating func report(
    _ kind: LintFinding.Kind, about number: Int, _ message: String, expected: String,
    otherFile: String? = nil, severity: DocumentIssue.Severity = .warning
  ) {
    findings.append(
      LintFinding(
        kind: kind,
        issue: DocumentIssue(
          severity: severity, file: sources[number].file, line: sources[number].line,
          message: message, expected: expected), otherFile: otherFile))
  }

  func template(_ number: Int) -> String { quoted(sources[number].template.source) }

  /// `'show {x}' (en.yaml:7)`, with the intent when it is another one.
  func place(_ number: Int, seenFrom other: Int) -> String {
    let intent = block(number).intent
    let whose = intent == block(other).intent ? "" : " of \(intent)"
    return "\(template(number))\(whose) (\(sources[number].file):\(sources[number].line))"
  }
}
