import JSON

/// Sentences of each template, recognised by all templates: which are of no use, and which
/// sentences two intents dispute.
extension LintedLanguage {
  mutating func trySentences(_ sampler: inout SentenceSampler) {
    let share = Limits.lintedLanguageSentencesMax / max(sources.count, 1)
    let limit = min(max(share, 2), Limits.lintedSentencesMax)
    var disputed: Set<Dispute> = []
    var surroundings: Surroundings?
    for number in sources.indices where !useless.contains(number) {
      guard sentencesTried < Limits.lintedLanguageSentencesMax else {
        isCutShort = true
        return
      }
      // Templates of one block follow each other, so its surroundings are made once.
      if surroundings?.block != sources[number].block { surroundings = makeSurroundings(number) }
      guard let surroundings else { continue }
      sampler.wildcardTexts = surroundings.wildcardTexts
      sampler.furtherTexts = surroundings.furtherTexts
      let keywords = block(number).requiredKeywords
      let (sentences, isAll) = sampler.sentences(of: sources[number], number: number, limit: limit)
      var trial = Trial(template: number, isAll: isAll)
      for sentence in sentences {
        // Without a keyword it is no sentence of the block, which says nothing about the template.
        if let keywords, keywords.isDisjoint(with: words(of: sentence)) {
          trial.isAll = false
          continue
        }
        sentencesTried += 1
        templates[number].tried += 1
        guard let readings = readings(of: sentence, context: surroundings.context) else {
          guard effort.isLeft, refusals < Limits.lintedRefusalsMax else {
            isCutShort = true
            return
          }
          refusals += 1
          report(
            .tooComplex, about: number,
            "\(quoted(sentence)), a sentence of \(template(number)), fits the \(code) templates in "
              + "more ways than are looked at, and is refused",
            expected: "fewer optional parts and wildcards in a row")
          trial.isRefused = true
          break
        }
        trial.add(sentence, readings, blocks: grammar.blocks, sources: sources)
        findDisputes(number, sentence, readings, &disputed)
      }
      // Where nothing could be tried nothing is known.
      if sampler.stepsTaken >= Limits.lintedWalkStepsMax {
        isCutShort = true
        return
      }
      judge(trial)
    }
  }

  /// Two templates of different intents, the lower number first.
  struct Dispute: Hashable {
    var first: Int
    var second: Int
  }

  /// The result of trying the sentences of one template.
  struct Trial {
    let template: Int
    /// Whether these are all sentences of the template.
    var isAll: Bool
    /// Sentences that the template takes.
    var taken = 0
    /// Sentences of the template that it does not take.
    var missed = 0
    var firstMissed: String?
    var isRefused = false
    /// Templates that rank before this one on every sentence so far; `nil` before the first.
    var before: Set<Int>?
    /// Whether some template did so on every sentence, not always the same.
    var isAlwaysBeaten = true
    /// One that did, for each sentence.
    var example: Int?

    mutating func add(
      _ sentence: String, _ readings: [Reading], blocks: [PhraseBlock], sources: [PhraseSource]
    ) {
      guard let own = readings.firstIndex(where: { $0.source == template }) else {
        missed += 1
        firstMissed = firstMissed ?? sentence
        return
      }
      taken += 1
      let intent = blocks[Int(sources[template].block)].intent
      var winners: Set<Int> = []
      for reading in readings[..<own] {
        // Between two intents of equal rank nothing is decided: that is a dispute.
        let isSame = blocks[Int(sources[reading.source].block)].intent == intent
        if isSame || !reading.ranks(like: readings[own]) { winners.insert(reading.source) }
      }
      before = before.map { $0.intersection(winners) } ?? winners
      if let winner = winners.min() {
        example = example ?? winner
      } else {
        isAlwaysBeaten = false
      }
    }
  }

  private mutating func judge(_ trial: Trial) {
    let number = trial.template
    guard trial.taken > 0 else {
      guard trial.missed > 0, !trial.isRefused else { return }
      report(
        .neverMatches, about: number,
        "\(template(number)) never matches: \(reason(number, trial.firstMissed ?? ""))",
        expected: "a template that takes its own sentences")
      return
    }
    guard !trial.isRefused, trial.isAlwaysBeaten, let example = trial.example else { return }
    let common = trial.before?.min()
    // Several templates together prove something only where every sentence was tried.
    guard let other = common ?? (trial.isAll ? example : nil) else { return }
    let what =
      trial.isAll
      ? "every sentence of \(template(number))"
      : "each of \(trial.taken) sentences of \(template(number)) that were tried"
    let taker = place(other, seenFrom: number)
    report(
      .unreachable, about: number,
      "\(what) goes to \(common == nil ? "others, as to " : "")\(taker), which ranks before it",
      expected: "one of them, or words that only this one has", otherFile: sources[other].file)
  }

  /// Why none of a template's sentences fits it, as far as one of them shows.
  private func reason(_ number: Int, _ sentence: String) -> String {
    let said = normalizedScalars(sentence)
    if stripped(said) != stripped(removingPunctuation(said)) {
      return "it has punctuation at the edge of a word, which what people say is freed of"
    }
    if !isAlone, let required = block(number).conditions.required.first {
      return "its block requires '\(required.key)' of the context, which no list value in it gives"
    }
    return "not even \(quoted(sentence)) fits it and its parameters"
  }

  private mutating func findDisputes(
    _ number: Int, _ sentence: String, _ readings: [Reading], _ disputed: inout Set<Dispute>
  ) {
    // Where something ranks better, nothing is open between those behind it.
    guard let own = readings.first(where: { $0.source == number }),
      let best = readings.first, best.ranks(like: own)
    else { return }
    let intent = block(number).intent
    var count = 0
    for reading in readings where reading.source != number && reading.ranks(like: own) {
      guard block(reading.source).intent != intent, count < Limits.lintedFindingsPerTemplateMax,
        disputed.count < Limits.lintedFindingsMax
      else { continue }
      let pair = Dispute(first: min(number, reading.source), second: max(number, reading.source))
      guard disputed.insert(pair).inserted else { continue }
      count += 1
      report(
        .sharedSentence, about: number,
        "\(template(number)) of \(intent) and \(place(reading.source, seenFrom: number)) both take "
          + "\(quoted(sentence)), and nothing but their names decides",
        expected: "the sentence in one of them", otherFile: sources[reading.source].file)
    }
  }

  private func words(of sentence: String) -> [String] {
    grammar.skipWords.words(of: NormalizedText(sentence: sentence))
  }

  /// The context and the texts that sentences of a block are made with.
  private struct Surroundings {
    var block: Int32
    var context: [String: JSONValue] = [:]
    /// By slot.
    var wildcardTexts: [String: [String]] = [:]
    var furtherTexts: [String] = []
  }

  private func makeSurroundings(_ number: Int) -> Surroundings {
    let block = block(number)
    var result = Surroundings(block: sources[number].block)
    // The daemon gives no context; a document on its own may have any.
    if isAlone { result.context = block.conditions.example }
    if let keyword = block.requiredKeywords?.min() { result.furtherTexts = [keyword] }
    for parameter in catalog.definition(named: block.intent)?.parameters ?? [] {
      guard let name = parameter.list, let list = catalog.textList(named: name) else { continue }
      result.wildcardTexts[parameter.name] =
        list.values.prefix(8).filter { $0.template == nil }.prefix(2).map(\.spoken)
    }
    return result
  }
}
