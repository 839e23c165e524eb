package import JSON

extension NearReader {
  /// Reads a sentence nearly, and decides what to do.
  ///
  /// Deterministic: it depends on the grammar, the lists and the sentence.
  func answer(_ text: NormalizedText) -> NearAnswer {
    guard let tokens = tokens(of: text) else { return .nothing }
    var typed = typed(text, tokens)
    var search = prepared(&typed, exchanging: false)
    let readings = readings(&typed, &search)
    guard let best = readings.first else { return .nothing }
    let margin =
      readings.count > 1 ? readings[1].way.cost - best.way.cost : NearSearch.Price.margin
    let way = best.way
    let confidence = NearConfidence(
      way, margin: margin, words: tokens.count)
    let value = confidence.value
    let changes = search.changes(of: best.way)
    let kept = way.hasWildcard ? 0 : keptLetterCount(of: text, changes)
    var decision = NearAnswer.Decision.none
    if value >= NearConfidence.act, way.isSafe(margin: margin) {
      decision = .act
    } else if value >= NearConfidence.ask, way.isWorthAQuestion,
      kept > 0 || way.dropped == 0 || way.hasWildcard
    {
      // Any sentence can be left out as a whole, and a short word of it be a slip of some name:
      // "play some music" is no question about Rome.
      decision = .ask
    }
    return NearAnswer(
      decision: decision,
      readings: readings.prefix(Limits.nearChoicesMax).enumerated().map { index, reading in
        NearReading(
          sentence: reading.sentence, meaning: reading.meaning,
          confidence: index == 0 ? value : 0,
          changes: index == 0 ? changes : search.changes(of: reading.way))
      },
      keptLetterCount: kept, features: confidence.features)
  }

  /// Counts the letters of a sentence that are taken as they were said.
  private func keptLetterCount(of text: NormalizedText, _ changes: [NearChange]) -> Int {
    func letterCount(_ text: NormalizedText) -> Int {
      nearWords(of: text.folded).reduce(0) { $0 + $1.count }
    }
    let changed = changes.filter { ![.marks, .order, .added].contains($0.why) }
      .reduce(0) { $0 + letterCount(NormalizedText(value: $1.said)) }
    return max(0, letterCount(text) - changed)
  }
}

extension PhraseGrammar {
  /// The templates for near reading; laid out when this is first called.
  func near(_ lists: [ValueList], _ otherLists: OtherLists) -> NearGrammar {
    madeNear.get {
      NearGrammar(
        self, lists: lists, otherLists: otherLists,
        fillers: nearWords.fillers + skipWords.words.map { NormalizedText.string($0) },
        blockers: nearWords.blockers)
    }
  }
}

extension SentenceGrammar {
  /// Reads a sentence nearly: what it means if it has slips, words too many or too few, or words in
  /// another order.
  ///
  /// For a sentence that `recognizeAll` finds nothing for. Fails like that.
  package func readNearly(
    _ sentence: String, context: [String: JSONValue] = [:]
  ) -> Result<NearAnswer, RouterError> {
    guard isWithinLimit(sentence) else { return .failure(.sentenceTooLong) }
    let reader = NearReader(
      near: grammar.near(lists, compiler.otherLists), lists: lists,
      meaning: { sentence in
        grammar.matches(of: NormalizedText(sentence: sentence), lists: lists, context: context)?
          .best(slot: "name").map {
            NearMeaning(intent: $0.intent, slots: $0.slots, wildcards: $0.wildcards)
          }
      })
    return .success(reader.answer(NormalizedText(sentence: sentence)))
  }

  /// Sentences of the grammar's templates, at most so many of each.
  package func samples(ofEach limit: Int) -> [String] {
    var sampler = SentenceSampler(
      SentenceCounter(
        LintNames(lists: lists, otherLists: compiler.otherLists, program: grammar.program)))
    return grammar.sources.enumerated().flatMap { number, source in
      sampler.sentences(of: source, number: number, limit: limit).sentences
    }
  }
}
