package import JSON

extension IntentCatalog {
  /// Finds sentences that begin with `text`, best first.
  ///
  /// At most `limit` of them, which is at most `Limits.completionsMax`, each of another meaning.
  /// `languages` and `context` as for `recognize`; of the languages that come by "*" none is tried,
  /// and a later one only where those before it have less than `limit` sentences. Each sentence is
  /// one that `recognize` understands in its language, or it stops before a value with which it is.
  ///
  /// With `corrects`, a text that nothing begins with may have a slip or two in its words; what was
  /// changed is told, and an intent with `near: never` has no such sentence.
  ///
  /// The text itself is first if it is a whole sentence, and last if that is so only because a
  /// parameter takes values of no list: "show weather for Bei" may become Beijing. Then the intents
  /// that `habits` want most, with their values; then the shortest. Nothing for a text without words.
  /// Fails only where the text is too long. Bounded by `Limits.completionWalkStepsMax`,
  /// `completionSearchStepsMax` and `completionChecksMax` for each of at most
  /// `completionLanguagesMax` languages; 10,000 names cost what ten do.
  package func complete(
    _ text: String, languages: [String], context: [String: JSONValue] = [:], limit: Int,
    preferring habits: [CompletionHabit] = [], corrects: Bool = false
  ) -> Result<[SentenceCompletion], RouterError> {
    guard isWithinLimit(text) else { return .failure(.sentenceTooLong) }
    let limit = max(0, min(limit, Limits.completionsMax))
    let known = HabitualValues(habits)
    var completions: [SentenceCompletion] = []
    let named = languages.filter { $0 != anyLanguage }
    for index in grammarIndices(for: named).prefix(Limits.completionLanguagesMax)
    where completions.count < limit {
      let exact = complete(text, grammar: index, context, known, limit: limit, corrects: false)
      completions += exact
      if corrects, exact.isEmpty {
        completions += complete(text, grammar: index, context, known, limit: limit, corrects: true)
      }
    }
    return .success(Array(ranked(completions, text, known).prefix(limit)))
  }

  private func complete(
    _ text: String, grammar index: Int, _ context: [String: JSONValue], _ habits: HabitualValues,
    limit: Int, corrects: Bool
  ) -> [SentenceCompletion] {
    let language = grammars[index].language
    let written = grammars[index].written(
      from: text, lists: lists, context: context, habits: habits, limit: limit, corrects: corrects
    ) { intent, slot in
      sample(definition(named: intent)?.parameter(named: slot))
    }
    var completions: [SentenceCompletion] = []
    var meanings: Set<SentenceCompletion.Meaning> = []
    for sentence in written.prefix(Limits.completionChecksMax) where completions.count < limit {
      guard let meaning = meaning(of: sentence, in: language, context) else { continue }
      if !sentence.changes.isEmpty, definition(named: meaning.intent)?.near == .never { continue }
      guard meanings.insert(meaning.withoutTemplate).inserted else { continue }
      completions.append(
        SentenceCompletion(
          sentence: sentence.sentence, language: language, meaning: meaning,
          changes: sentence.changes))
    }
    return completions
  }

  /// What exact recognition says about a sentence; `nil` if it means nothing.
  private func meaning(
    of written: WrittenSentence, in language: String, _ context: [String: JSONValue]
  ) -> SentenceCompletion.Meaning? {
    let found = recognize(
      written.whole, languages: [language], context: context, bestOnly: true, suggests: false)
    let intent: Intent
    switch found {
    case .matched(let best, _):
      guard written.slot != nil else { return .intent(best.intent) }
      intent = best.intent
    case .needs(let need, _, let template):
      guard written.slot != nil else { return .needs(need, template: template) }
      intent = Intent(name: need.intent, parameters: need.parameters)
    case .unmatched, .refused: return nil
    }
    guard let slot = written.slot, intent.parameters[slot] != nil,
      let parameter = definition(named: intent.name)?.parameter(named: slot)
    else { return nil }
    let shown = parameter.localized(in: [language])
    var need = IntentNeed(
      intent: intent.name,
      parameters: intent.parameters.filter {
        $0.key != slot && !written.laterSlots.contains($0.key)
      },
      parameter: slot, type: shown.type, reason: .value,
      prompt: shown.prompt ?? "Which \(shown.title.lowercased())?", choices: [])
    if let list = shown.list {
      need.takesOthers = shown.allowsOtherValues
      if let told = told(ofList: list) { (need.told, need.toldOf) = (told.titles, told.count) }
    }
    return .unfinished(need)
  }

  /// A text that a parameter takes, for sentences that stop before its value.
  private func sample(_ parameter: ParameterDefinition?) -> String {
    switch parameter?.type {
    case nil, .string, .place, .object: "x"
    case .integer, .decimal, .duration: "1"
    case .boolean: "true"
    case .enumeration: parameter?.cases.first?.identifier ?? "x"
    case .date: "2026-01-01"
    case .url: "https://example.org/"
    }
  }

  private func ranked(
    _ completions: [SentenceCompletion], _ text: String, _ habits: HabitualValues
  ) -> [SentenceCompletion] {
    guard completions.count > 1 else { return completions }
    struct Rank {
      var isTyped = false
      /// Whether a value is in no list, and its beginning may be what was typed.
      var isOther = false
      var exact = 0.0
      var intent: Double
    }
    func rank(_ completion: SentenceCompletion) -> Rank {
      let likely = habits.scores[completion.intent] ?? 0
      guard case .intent(let intent) = completion.meaning else { return Rank(intent: likely) }
      let exact = habits.score(of: intent)
      let isOther = exact <= 0 && hasOtherValue(intent)
      return Rank(
        isTyped: completion.sentence == text && !isOther, isOther: isOther, exact: exact,
        intent: likely)
    }
    // Languages come in the sender's order, and the sentences of one are in order already.
    return completions.enumerated().map { ($0.offset, $0.element, rank($0.element)) }.sorted {
      let ((firstPlace, _, a), (secondPlace, _, b)) = ($0, $1)
      if a.isTyped != b.isTyped { return a.isTyped }
      if a.isOther != b.isOther { return b.isOther }
      if a.exact != b.exact { return a.exact > b.exact }
      if a.intent != b.intent { return a.intent > b.intent }
      return firstPlace < secondPlace
    }.map(\.1)
  }

  /// Whether a parameter that has a list has a value of no list.
  private func hasOtherValue(_ intent: Intent) -> Bool {
    guard let definition = definition(named: intent.name) else { return false }
    return definition.parameters.contains { parameter in
      guard parameter.allowsOtherValues, let name = parameter.list,
        let list = textList(named: name), let text = intent.parameters[parameter.name]?.stringValue
      else { return false }
      return list.values(named: text).isEmpty
    }
  }
}

extension SentenceCompletion.Meaning {
  /// The name of the intent.
  var intent: String {
    switch self {
    case .intent(let intent): intent.name
    case .needs(let need, _), .unfinished(let need): need.intent
    }
  }

  /// The same for every sentence that asks the same.
  fileprivate var withoutTemplate: Self {
    guard case .needs(let need, _) = self else { return self }
    return .needs(need, template: "")
  }
}
