package import JSON

/// One sentence document on its own: the document format's whole recognition, without intents that
/// give its slots types.
///
/// A grammar is compiled once. Requests may bring lists — the names of a home, ten thousand at once
/// — which costs time proportional to their values and compiles no template again.
package struct SentenceGrammar: Sendable {
  /// The context of a sentence.
  package struct Request: Sendable {
    package var context: [String: JSONValue] = [:]
    /// The response key of blocks that have none.
    package var response = "default"
    /// Whether matches that lack a value are returned too, with the words in its place.
    package var allowsUnmatched = false
    /// Whether the templates' trees are walked instead of the compiled graph: the same matches, ten
    /// times slower.
    ///
    /// Scripts whose white space means nothing have no second look without it.
    package var walksTrees = false
    /// Whether the slots have their place in the sentence.
    ///
    /// Matches of the unmatched mode have none.
    package var locates = false

    package init(
      context: [String: JSONValue] = [:], allowsUnmatched: Bool = false, walksTrees: Bool = false,
      locates: Bool = false
    ) {
      self.locates = locates
      self.context = context
      self.allowsUnmatched = allowsUnmatched
      self.walksTrees = walksTrees
    }
  }

  let grammar: PhraseGrammar
  let lists: [ValueList]
  /// Lists that templates name and only requests bring, sorted.
  package var absentLists: [String] { compiler.absentLists.keys.sorted() }
  let compiler: PhraseCompiler
  let scope: PhraseScope
  private let document: LocatedValue
  private let file: String
  private let spelling: NumberSpelling

  /// Compiles a document in the form of the hassil format.
  ///
  /// The good parts load; each other part becomes an issue.
  ///
  /// `language` is for number words when it is not the document's.
  package static func load(
    _ document: LocatedValue, file: String, language: String? = nil,
    spelling: @escaping NumberSpelling = { _, _ in nil },
    words: @escaping NearWordsOfLanguage = { _ in NearWords() }
  ) -> (grammar: SentenceGrammar, issues: [DocumentIssue]) {
    var loader = CatalogLoader()
    loader.acceptsAnyIntent = true
    loader.spelling = spelling
    loader.words = words
    loader.collectSentences(CatalogSource(file: file, document: document, kind: .sentences))
    let found = loader.documents.first
    let compiled = loader.compile(language ?? found?.key ?? "", found?.value ?? [])
    let grammar = SentenceGrammar(
      grammar: compiled.grammar, lists: compiled.compiler.lists, compiler: compiled.compiler,
      scope: compiled.scope, document: document, file: file, spelling: spelling)
    return (grammar, loader.issues)
  }

  /// The grammar with the lists of a request, which shadow the document's of the same name.
  ///
  /// `lists` is in the form of the document's own. A list that changes its kind, as from values to
  /// a wildcard, has the templates compiled again.
  package func binding(
    _ lists: LocatedValue
  ) -> (grammar: SentenceGrammar, issues: [DocumentIssue]) {
    guard case .object(let members) = lists.node else { return (self, []) }
    var loader = CatalogLoader()
    loader.acceptsAnyIntent = true
    loader.spelling = spelling
    var bound = self.lists
    var compiler = compiler
    for member in members {
      guard let list = loader.readList(member.value, named: member.key, in: file) else { continue }
      guard let index = scope.list(member.key) ?? compiler.absentLists[member.key] else { continue }
      switch (bound[index], list) {
      case (.text, .text), (.absent, .text): bound[index] = list
      default: return rebuilding(members)
      }
      compiler.forgetValueTemplates(of: index)
    }
    compiler.replaceLists(bound)
    compiler.compileValueTemplates(in: scope)
    let grammar = PhraseGrammar(
      language: grammar.language, program: compiler.program, roots: grammar.roots,
      blocks: grammar.blocks, sources: grammar.sources, skipWords: grammar.skipWords,
      conjunctions: grammar.conjunctions, nearWords: grammar.nearWords,
      madeNear: grammar.madeNear)
    return (
      SentenceGrammar(
        grammar: grammar, lists: bound, compiler: compiler, scope: scope, document: document,
        file: file, spelling: spelling), loader.issues
    )
  }

  private func rebuilding(
    _ lists: [LocatedValue.Member]
  ) -> (grammar: SentenceGrammar, issues: [DocumentIssue]) {
    guard case .object(var members) = document.node else { return (self, []) }
    var merged: [LocatedValue.Member] = []
    if case .object(let own)? = document["lists"]?.node {
      merged = own.filter { list in !lists.contains { $0.key == list.key } }
    }
    members.removeAll { $0.key == "lists" }
    members.append(
      .init(key: "lists", line: 0, value: LocatedValue(.object(merged + lists), line: 0)))
    return Self.load(
      LocatedValue(.object(members), line: document.line), file: file, language: grammar.language,
      spelling: spelling)
  }

  /// Every match, in the order of the document.
  ///
  /// Fails when the sentence is too long, or fits the templates in more ways than are looked at.
  package func recognizeAll(
    _ sentence: String, _ request: Request = Request()
  ) -> Result<[SentenceMatch], RouterError> {
    guard isWithinLimit(sentence) else { return .failure(.sentenceTooLong) }
    let text = NormalizedText(sentence: sentence)
    var stepsLeft = Limits.unmatchedStepsMax
    let matches =
      request.allowsUnmatched || request.walksTrees
      ? grammar.interpreted(
        of: text, lists: lists, otherLists: compiler.otherLists, context: request.context,
        response: request.response, allowsUnmatched: request.allowsUnmatched,
        stepsLeft: &stepsLeft)
      : grammar.matches(
        of: text, lists: lists, context: request.context, response: request.response)
    guard var matches else { return .failure(.sentenceTooComplex(grammar.language)) }
    if request.locates { grammar.locate(&matches, in: sentence) }
    return .success(matches)
  }
}

func isWithinLimit(_ sentence: String) -> Bool {
  // A scalar has one byte at least.
  sentence.utf8.count <= Limits.sentenceScalarsMax
    || sentence.unicodeScalars.count <= Limits.sentenceScalarsMax
}

extension RouterError {
  static let sentenceTooLong = RouterError(
    .sentenceTooLong,
    "the sentence has more than \(Limits.sentenceScalarsMax) characters; say it shorter")

  static func sentenceTooComplex(_ language: String) -> RouterError {
    RouterError(
      .sentenceTooComplex,
      "the sentence fits the \(language) templates in too many ways; say it shorter")
  }
}
