import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Answers `intent.complete`: the sentences that begin as a text does, for whoever is typing one.
///
/// Nothing is done, kept or learned, and no provider runs: what a placed widget shows is read
/// without noting that somebody read it.
extension Daemon {
  /// A sentence that a completion offers, with everything that the answer says about it.
  struct OfferedSentence {
    var sentence: String
    var language: String
    /// The intent with what is known of its parameters.
    var intent: Intent
    /// The widgets whose values complete the intent, by parameter; `nil`: it took none.
    var fromWidgets: JSONValue?
    /// Placed widgets that are configured with exactly this intent; none while it is incomplete.
    var widgets: [String] = []
    /// The question that is still to be answered; `nil`: the intent is complete.
    var need: IntentNeed?
    /// Whether the sentence stops before a value that the person has to type.
    var isUnfinished = false
    /// What was changed in the text, where it was read nearly.
    var changes: [NearChange] = []
    /// What the first of `widgets` shows; `nil`: nothing, or nobody asked.
    var content: JSONObject?
  }

  /// Answers with the sentences that begin as the text does, at once.
  mutating func completeSentence(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) {
    let params = try Params(
      value,
      known: ["text", "languages", "language", "context", "limit", "strict", "content"])
    let limits = 1...Int64(IntentRouter.Limits.completionsMax)
    let limit = try params.optionalInt("limit", in: limits).map { Int($0) }
    let showsContent = try params.bool("content", default: false)
    let sentence = SentSentence(
      text: try params.string("text"), languages: try languages(params, of: address.connection),
      context: try context(params), isStrict: try params.bool("strict", default: false))
    let found = try completions(
      of: sentence, limit: limit ?? Limits.completionCountUsual, at: now)
    let offered = found.map { offer($0, showsContent: showsContent, address, at: now) }
    outbox.answer(address) { bytes in
      appendJSON(to: &bytes) { $0.completions(offered) }
    }
  }

  /// The sentences that begin as a text does; where there are none, the one that it nearly is.
  private mutating func completions(
    of sentence: SentSentence, limit: Int, at now: Now
  ) throws(RPCError) -> [SentenceCompletion] {
    let languageCount = min(
      max(1, sentence.languages.count), IntentRouter.Limits.completionLanguagesMax)
    work.spend(
      sentence.text.utf8.count / Limits.sentenceBytesForUnit
        + languageCount * Limits.workOfCompletion)
    let habits = engine.wantedIntents(
      countMax: IntentRouter.Limits.completionHabitsMax, at: now.wall
    ).compactMap { wanted -> CompletionHabit? in
      guard let intent = Intent(wanted.configuration) else { return nil }
      return CompletionHabit(intent: intent, score: wanted.likelihood)
    }
    switch configuration.catalog.complete(
      sentence.text, languages: sentence.languages, context: sentence.context, limit: limit,
      preferring: habits, corrects: !sentence.isStrict && configuration.settings.readsNearly)
    {
    case .success(let found) where !found.isEmpty: return found
    case .success: return nearCompletion(of: sentence).map { [$0] } ?? []
    case .failure(let error): throw RPCError(error)
    }
  }

  /// The sentence that `intent.send` would take this one for, with no doubt; `nil` if there is none.
  private mutating func nearCompletion(of sentence: SentSentence) -> SentenceCompletion? {
    guard sentence.text.contains(where: { !$0.isWhitespace }) else { return nil }
    work.spend(Limits.workOfSuggestions)
    guard let (answer, language) = readNearly(sentence), answer.decision == .act,
      let reading = answer.readings.first
    else { return nil }
    let meaning: SentenceCompletion.Meaning
    switch configuration.catalog.recognize(
      reading.sentence, languages: [language], context: sentence.context, bestOnly: true)
    {
    case .matched(let best, _): meaning = .intent(best.intent)
    case .needs(let need, _, let template): meaning = .needs(need, template: template)
    case .unmatched, .refused: return nil
    }
    return SentenceCompletion(
      sentence: reading.sentence, language: language, meaning: meaning, changes: reading.changes)
  }

  /// What the answer says about a sentence: what would happen, and what is known now.
  private func offer(
    _ completion: SentenceCompletion, showsContent: Bool, _ address: ReplyAddress, at now: Now
  ) -> OfferedSentence {
    var offered = OfferedSentence(
      sentence: completion.sentence, language: completion.language,
      intent: Intent(name: completion.intent, parameters: [:]), changes: completion.changes)
    switch completion.meaning {
    case .intent(let intent): offered.intent = intent
    case .needs(let need, _):
      if let (intent, fromWidgets) = meaningByPlacedWidgets(of: need, address) {
        (offered.intent, offered.fromWidgets) = (intent, fromWidgets)
      } else {
        offered.intent.parameters = need.parameters
        offered.need = offeringPlacedValues(need)
      }
    case .unfinished(let need):
      offered.intent.parameters = need.parameters
      offered.need = offeringPlacedValues(need)
      offered.isUnfinished = true
    }
    guard offered.need == nil else { return offered }
    offered.widgets = routing(of: offered.intent).widgets
    if showsContent, let first = offered.widgets.first {
      offered.content = engine.shownContent(of: first, at: now.wall)
    }
    return offered
  }
}

extension Intent {
  /// The intent of a widget's configuration; `nil` if it has none.
  fileprivate init?(_ configuration: WidgetConfiguration) {
    guard let name = configuration.intent else { return nil }
    var parameters: [String: JSONValue] = [:]
    for member in configuration.parameters.members { parameters[member.key] = member.value }
    self.init(name: name, parameters: parameters)
  }
}
