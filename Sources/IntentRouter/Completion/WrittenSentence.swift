import JSON

/// A sentence that completes a text, before recognition says what it means.
struct WrittenSentence {
  /// As a person is shown it.
  var sentence: String
  /// For recognition: the same, or where that stops before a value, with one and to its end.
  var whole: String
  /// The slot of that value.
  var slot: String?
  /// Slots of values behind it.
  var laterSlots: Set<String> = []
  /// The intent of its template.
  var intent: String
  /// Scalars that were added, white space apart.
  var written: Int32
  var habitualCount: Int32
  /// Whether a wildcard took the end of the text.
  var hasFreeWords = false
  /// Edits that the text might have had more.
  var editsLeft: Int8
  /// What was corrected in the text.
  var changes: [NearChange] = []

  var isTyped: Bool { written == 0 && slot == nil && changes.isEmpty }
}

extension PhraseGrammar {
  /// Writes sentences that begin with a text, in the order in which they are best looked at.
  ///
  /// With `corrects`, only those that begin with the text as it is without a slip or two.
  /// `sample` gives a value for a slot of an intent that takes any text.
  /// Bounded by `Limits.completionWalkStepsMax` and `completionSearchStepsMax`.
  func written(
    from text: String, lists: [ValueList], context: [String: JSONValue], habits: HabitualValues,
    limit: Int, corrects: Bool = false, sample: (_ intent: String, _ slot: String) -> String
  ) -> [WrittenSentence] {
    let prefix = CompletionPrefix(text, self)
    let edits = corrects ? PhraseCompleter.editsMax(prefix.readings[0]) : 0
    guard !corrects || edits > 0 else { return [] }
    var completer = PhraseCompleter(
      self, lists: lists, context: context, habits: habits,
      blockers: corrects ? nearWords.blockingWords : [])
    var written: [WrittenSentence] = []
    for group in prefix.readings.prefix(corrects ? 1 : .max) where written.isEmpty {
      for reading in group {
        completer.read(reading, edits: edits)
        for found in completer.continuations(countMax: limit + 3, isClosed: prefix.isClosed) {
          let sentence = completer.sentence(found, from: text, reading, sample: sample)
          if !corrects || !sentence.changes.isEmpty { written.append(sentence) }
        }
      }
    }
    return ranked(written, habits)
  }

  private func ranked(
    _ written: [WrittenSentence], _ habits: HabitualValues
  ) -> [WrittenSentence] {
    func isBefore(_ a: WrittenSentence, _ b: WrittenSentence) -> Bool {
      if a.isTyped != b.isTyped { return a.isTyped }
      if a.editsLeft != b.editsLeft { return a.editsLeft > b.editsLeft }
      if a.hasFreeWords != b.hasFreeWords { return b.hasFreeWords }
      let (one, other) = (habits.scores[a.intent] ?? 0, habits.scores[b.intent] ?? 0)
      if one != other { return one > other }
      if a.habitualCount != b.habitualCount { return a.habitualCount > b.habitualCount }
      if (a.slot == nil) != (b.slot == nil) { return a.slot == nil }
      if a.written != b.written { return a.written < b.written }
      return a.sentence.unicodeScalars.lexicographicallyPrecedes(b.sentence.unicodeScalars)
    }
    var sentences: Set<String> = []
    return written.sorted(by: isBefore).filter { sentences.insert($0.sentence).inserted }
  }
}

extension PhraseCompleter {
  fileprivate func sentence(
    _ candidate: Candidate, from typed: String, _ reading: CompletionPrefix.Reading,
    sample: (_ intent: String, _ slot: String) -> String
  ) -> WrittenSentence {
    let block = grammar.sources[Int(candidate.template)].block
    let intent = grammar.blocks[Int(block)].intent
    var chain: [Part] = []
    var part = candidate.part
    while part >= 0 {
      chain.append(parts[Int(part)])
      part = parts[Int(part)].previous
    }
    chain.reverse()
    let (corrected, changes) = corrected(reading.cased, chain)
    let text = changes.isEmpty ? typed : corrected
    var added: [UInt32] = []
    var result = WrittenSentence(
      sentence: text, whole: text, intent: intent, written: candidate.written,
      habitualCount: candidate.habitualCount, editsLeft: candidate.editsLeft, changes: changes)
    for (index, part) in chain.enumerated() {
      let slot = part.slot < 0 ? nil : program.slots[Int(part.slot)]
      if result.slot != nil, let slot { result.laterSlots.insert(slot) }
      switch part.kind {
      case .text(let start, let end): added += program.cased[Int(start)..<Int(end)]
      case .name(let list, let value, let from):
        // A corrected name is in the text already.
        if index > 0, case .fix(_, _, let start, let end) = chain[index - 1].kind, start == end {
          continue
        }
        guard case .text(let list) = lists[Int(list)] else { continue }
        added += name(list.values[Int(value)].spoken).dropFirst(Int(from))
      case .number(let list, let word, let from):
        guard case .range(let range) = lists[Int(list)], let words = range.words else { continue }
        added += normalizedScalars(words.words[Int(word)]).dropFirst(Int(from))
      case .anything(let list):
        if result.slot == nil {
          result.slot = slot ?? ""
          result.sentence = text + NormalizedText.string(added)
        }
        added += anything(of: lists[Int(list)], sample(intent, slot ?? "")).unicodeScalars.map(
          \.value)
      case .said, .fix: continue
      case .freeWords: result.hasFreeWords = true
      }
    }
    while added.last == space { added.removeLast() }
    result.whole = text + NormalizedText.string(added)
    if result.slot == nil { result.sentence = result.whole }
    return result
  }

  /// The text of a name as the lists' index has it, with its case.
  private func name(_ spoken: String) -> [UInt32] {
    let cased = NormalizedText(value: spoken).cased
    guard ignoresWhitespace else { return cased }
    return isLoose ? strippingSpacesBesideIdeographs(cased) : strippingIdeographicSpaces(cased)
  }

  private func anything(of list: ValueList, _ sample: String) -> String {
    guard case .range(let range) = list else { return sample }
    if range.acceptsDigits { return "\(range.from)" }
    guard let words = range.words,
      let word = words.tenths.firstIndex(where: { range.value(tenths: $0) != nil })
    else { return sample }
    return words.words[word]
  }
}
