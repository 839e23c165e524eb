import Habits
import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Answers `intent.send`, `intent.recognize` and `intent.list`.
///
/// `intent.send` turns a sentence or a direct call into an intent, donates it and routes it to
/// widgets. `Daemon+URLs` does the same for URLs, and `Daemon+Lists` has `intent.setList`.
extension Daemon {
  /// The origin of an intent, for the answer and the journal; a member is `nil` if unknown or none.
  struct Origin {
    var language: String?
    /// The languages of who sent it, for questions; `language` comes before them.
    var languages: [String] = []
    var template: String?
    var source: String?
    /// Whether the intent came from a sentence; only then do placed widgets give missing values.
    var isSentence = false
    /// The widgets whose values were taken, by parameter.
    var fromWidgets: [String: String] = [:]
    /// Whether a link made it: then it is no act of the person.
    var isLink = false
    /// The app that is called back when the intent was handled; `nil` if none.
    var callback: CallbackTicket?
    /// The widget whose item sent it, which is reloaded when the intent is done.
    var tappedWidget: String?
    /// The kind of that widget when it was tapped: another widget may have its id by now.
    var tappedKind: String?
    /// The token with which an app that the intent's code opens may take the focus; `nil` if none
    /// came with the request.
    var activationToken: String?
    /// The program that a person was asked about; `nil`: nobody was asked for a yes.
    var consent: PerformConsent?
    /// What a sentence was read as that matches nothing as it was said; `nil`: it was read as said.
    var understood: JSONObject?
    /// The context of a sentence that is asked about.
    var context: [String: JSONValue] = [:]
  }

  mutating func sendIntent(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(
      value,
      known: [
        "text", "intent", "parameters", "url", "wait", "language", "languages", "context", "source",
        "resume", "choice", "ask", "activationToken", "strict",
      ])
    let wait = try params.bool("wait", default: false)
    var origin = Origin(
      languages: try languages(params, of: address.connection), source: try source(params))
    origin.activationToken = try activationToken(params)
    let given = ["text", "intent", "url", "resume"].filter { params.has($0) }
    guard given.count == 1 else {
      throw RPCError.invalidParams(
        given.isEmpty
          ? "nothing to send; expected text, intent, url or resume"
          : "\(given.joined(separator: " and ")) are given; expected exactly one of text, intent, url and resume",
        data: ["parameter": "text", "expected": "exactly one of text, intent, url and resume"])
    }
    if let token = try params.optionalString("resume") {
      try resume(
        token, params, activationToken: origin.activationToken, wait: wait, address, at: now,
        into: &effects)
      return
    }
    if given == ["url"] {
      try open(
        try params.string("url"), origin, wait: wait, address, at: now, into: &effects)
      return
    }
    if let text = try params.optionalString("text") {
      try send(
        SentSentence(
          text: text, languages: try namedLanguages(params), context: try context(params),
          isStrict: try params.bool("strict", default: false)), origin, wait: wait, address,
        at: now, into: &effects)
      return
    }
    var values: [String: JSONValue] = [:]
    for member in try params.optionalObject("parameters")?.members ?? [] {
      values[member.key] = member.value
    }
    try complete(
      IntentCompletion(
        intent: try params.string("intent"), parameters: values, origin: origin, wait: wait,
        address: address), at: now, into: &effects)
  }

  mutating func send(
    _ sentence: SentSentence, _ origin: Origin, wait: Bool, _ address: ReplyAddress, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) {
    let (text, languages, context) = (sentence.text, sentence.languages, sentence.context)
    var origin = origin
    origin.isSentence = true
    work.spend(text.utf8.count / Limits.sentenceBytesForUnit)
    switch configuration.catalog.recognize(
      text, languages: languages, context: context, bestOnly: true)
    {
    case .matched(let best, _):
      origin.language = best.language
      origin.template = best.template
      if configuration.catalog.openOptions(of: best.intent.name, parameters: best.intent.parameters)
        == nil
      {
        try perform(best.intent, origin, wait: wait, address, at: now, into: &effects)
        return
      }
      try complete(
        IntentCompletion(
          intent: best.intent.name, parameters: best.intent.parameters, origin: origin, wait: wait,
          address: address), at: now, into: &effects)
    case .needs(let need, let language, let template):
      origin.language = language
      origin.template = template
      // The words fit several values of a list, such as two towns of one name, or the intent wants
      // a yes. Neither needs a provider's options, so the question is asked at once.
      guard
        need.reason == .value
          || configuration.catalog.openOptions(of: need.intent, parameters: need.parameters) != nil
      else {
        ask(need, origin, address, at: now)
        return
      }
      try complete(
        IntentCompletion(
          intent: need.intent, parameters: need.parameters, origin: origin, wait: wait,
          address: address), at: now, into: &effects)
    case .unmatched(let suggestions):
      work.spend(Limits.workOfSuggestions)
      if let commands = configuration.catalog.commands(
        in: text, languages: languages, context: context)
      {
        try perform(commands, origin, wait: wait, address, at: now, into: &effects)
        return
      }
      if try sendNearly(sentence, origin, wait: wait, address, at: now, into: &effects) { return }
      let missed = configuration.catalog.misunderstanding(
        of: text, languages: languages, context: context)
      var details: JSONObject = ["suggestions": .array(suggestions.map { .string($0) })]
      details["misunderstood"] = missed.map { .object($0.view) }
      let meant = configuration.catalog.meant(
        by: text, suggestions: suggestions, languages: languages, context: context)
      details["meant"] = meant.map { .string($0) }
      // A sentence that is near nothing, or that says not to, does not mean any of them.
      let what =
        missed.map { ": \($0.message)" }
        ?? (meant == nil ? forExample(suggestions) : didYouMean(suggestions))
      throw RPCError(.noMatch, "nothing matches '\(text)'\(what)", details: details)
    case .refused(let error): throw RPCError(error)
    }
  }

  /// Performs the commands of one sentence in one turn; one answer names all of them.
  private mutating func perform(
    _ commands: [Candidate], _ origin: Origin, wait: Bool, _ address: ReplyAddress, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) {
    if wait { try outbox.checkMayWait(address) }
    var results: [JSONValue] = []
    var receipts: [ReceiptID] = []
    var widgets: [String] = []
    for command in commands {
      guard configuration.performers(of: command.intent.name).isEmpty else {
        throw RPCError(
          .invalidParameter,
          "\(command.intent.name) runs code of a widget, and is done alone; send one command after"
            + " the other", details: ["suggestions": []])
      }
    }
    for command in commands {
      var origin = origin
      origin.language = command.language
      origin.template = command.template
      let handled = try carryOut(command.intent, origin, at: now, into: &effects)
      results.append(.object(handled.view))
      receipts += handled.receipts
      if let widget = handled.widget { widgets.append(widget) }
    }
    try answer(
      address, ["intents": .array(results)], receipts: receipts, wait: wait && !receipts.isEmpty,
      entryOf: nil, entriesOf: widgets, at: now)
  }

  /// Donates the intent, reloads and promotes the widgets configured with it, or shows it in the
  /// suggestion slot; then answers.
  ///
  /// An intent whose code is in a program is performed first.
  mutating func perform(
    _ intent: Intent, _ origin: Origin, wait: Bool, _ address: ReplyAddress, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) {
    if let performer = try performer(of: intent.name, for: origin) {
      try begin(
        PendingPerform(
          intent: intent, origin: origin, kind: performer.kind, wait: wait, address: address),
        by: performer, at: now, into: &effects)
      return
    }
    if wait { try outbox.checkMayWait(address) }
    let handled = try carryOut(intent, origin, at: now, into: &effects)
    if wait, !handled.shown.isEmpty {
      try answer(
        address, handled.view, receipts: handled.receipts, wait: true, entryOf: handled.widget,
        at: now)
    } else {
      answer(address, receipts: handled.receipts) { handled.write(to: &$0) }
    }
    if let tapped = origin.tappedWidget {
      reload(tapped, after: handled, at: now, into: &effects)
    }
    if let callback = origin.callback {
      callBack(
        callback, after: handled.receipts, of: intent, showing: handled.widget, at: now,
        into: &effects)
    }
  }

  /// Does an intent: donates it, and asks for the reloads of its widgets or for a suggestion.
  mutating func carryOut(
    _ intent: Intent, _ origin: Origin, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) -> HandledIntent {
    let decision = routing(of: intent)
    let configured = WidgetConfiguration(intent)
    if origin.isLink, let kind = decision.suggestion {
      try checkMaySuggest(kind, configured, at: now)
    }
    let cause: ReloadCause = origin.isLink ? .link : .intent
    var output = EngineOutput()
    var asked: [(widget: Widget, receipt: Receipt)] = []
    do throws(WidgetError) {
      for id in decision.widgets {
        guard let widget = engine.widgets[id] else { continue }
        asked.append(
          (widget, try engine.requestReload(of: id, cause: cause, at: now.wall, into: &output)))
      }
      if let kind = decision.suggestion.flatMap({ engine.kinds[$0] }) {
        asked.append(
          try engine.suggest(
            kind: kind, configuration: configured, cause: cause, at: now.wall, into: &output))
      }
    } catch {
      throw RPCError(error)
    }
    for (widget, _) in asked where !origin.isLink {
      engine.record(.intent, of: widget.id, promotes: true, at: now.wall, into: &output)
    }
    journalIntent(intent, origin, widgets: asked.map(\.widget.id), donated: false, at: now)
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
    return HandledIntent(intent: intent, origin: origin, shown: asked)
  }

  /// Refuses a link that would show one more widget of the kind, when links have had enough of it:
  /// each one is another timeline, with a budget of its own.
  private mutating func checkMaySuggest(
    _ kind: String, _ configuration: WidgetConfiguration, at now: Now
  ) throws(RPCError) {
    let isShown =
      engine.widgets[WidgetEngine.suggestionID(kind)]?.configuration.key == configuration.key
    guard !isShown, !links.takeSuggestion(of: kind, at: now.monotonic) else { return }
    links.countRefused()
    throw RPCError(
      .limitReached,
      "links have suggested enough widgets of \(kind) for now; send the intent yourself, or place a"
        + " widget for it",
      details: ["max": .int(Limits.linkSuggestionBurst)])
  }

  /// Notes an intent in the history; `date` is the moment of a donation, and now if it is `nil`.
  ///
  /// Of many links only some get an entry, which says how many before it got none (`more`).
  mutating func journalIntent(
    _ intent: Intent, _ origin: Origin, widgets: [String], donated: Bool, at now: Now,
    date: WallTime? = nil
  ) {
    let date = date ?? now.wall
    var more: Int64 = 0
    if origin.isLink {
      guard let untold = links.takeEntry(at: now.monotonic) else { return }
      more = untold
    }
    if engine.isPrivate {
      journal.append("intent", at: date, fields: ["private": true])
      return
    }
    journal.append("intent", at: date) { writer in
      writer.key("intent")
      writer.string(intent.name)
      writer.key("parameters")
      writer.parameters(of: intent)
      if let language = origin.language {
        writer.key("language")
        writer.string(language)
      }
      if let source = origin.source {
        writer.key("source")
        writer.string(source)
      }
      if donated {
        writer.key("donated")
        writer.bool(true)
      }
      if origin.isLink {
        writer.key("link")
        writer.bool(true)
      }
      if more > 0 {
        writer.key("more")
        writer.int(more)
      }
      if !widgets.isEmpty {
        writer.key("widgets")
        writer.beginArray()
        for id in widgets { writer.string(id) }
        writer.endArray()
      }
    }
  }

  /// Answers with the meaning of a sentence, and carries nothing out.
  mutating func recognizeIntent(_ value: JSONValue?, _ address: ReplyAddress) throws(RPCError) {
    let params = try Params(
      value, known: ["text", "languages", "language", "context", "spans", "strict"])
    let text = try params.string("text")
    let languages = try namedLanguages(params)
    let context = try context(params)
    let locates = try params.bool("spans", default: false)
    work.spend(text.utf8.count / Limits.sentenceBytesForUnit)
    switch configuration.catalog.recognize(
      text, languages: languages, context: context, locates: locates)
    {
    case .matched(let best, let all):
      let routing = routing(of: best.intent)
      let url = configuration.url(for: best.intent)
      outbox.answer(address) { bytes in
        appendJSON(to: &bytes) { $0.recognition(best, all, url: url, routing) }
      }
    case .needs(let need, let language, let template):
      outbox.answer(
        address, recognition(of: need, language: language, template: template, address))
    case .unmatched(let suggestions):
      work.spend(Limits.workOfSuggestions)
      var result: JSONObject = [
        "matched": false, "suggestions": .array(suggestions.map { .string($0) }),
      ]
      let missed = configuration.catalog.misunderstanding(
        of: text, languages: languages, context: context)
      result["misunderstood"] = missed.map { .object($0.view) }
      let sentence = SentSentence(
        text: text, languages: languages, context: context,
        isStrict: try params.bool("strict", default: false))
      if let (answer, language) = readNearly(sentence) {
        result["near"] = .object(answer.view)
        result["language"] = .string(language)
      }
      outbox.answer(address, result)
    case .refused(let error): throw RPCError(error)
    }
  }

  mutating func listIntents(_ value: JSONValue?, _ address: ReplyAddress) throws(RPCError) {
    let params = try Params(value, known: Self.languageKeys)
    let languages = try languages(params, of: address.connection)
    var tried = 0
    let made = configuration.madeExamples(tried: &tried)
    work.spend(tried * Limits.workOfMadeExample)
    outbox.answer(
      address,
      [
        "intents": .array(
          configuration.catalog.definitions.map { definition in
            var view = definition.localized(in: languages).view(
              in: configuration.catalog, made: made[definition.name] ?? [:])
            view["performedBy"] = onlyPerformer(of: definition.name).map { .string($0.kind) }
            return .object(view)
          }),
        "languages": .array(configuration.catalog.languages.map { .string($0) }),
      ])
  }

  // MARK: Details

  /// Returns the intent of this name with its parameters read as their types; throws the refusal.
  func resolve(_ name: String, _ parameters: JSONObject?) throws(RPCError) -> Intent {
    var values: [String: JSONValue] = [:]
    for member in parameters?.members ?? [] { values[member.key] = member.value }
    switch configuration.catalog.resolve(name: name, parameters: values) {
    case .success(let intent): return intent
    case .failure(let error): throw RPCError(error)
    }
  }

  /// Reads the context of the sentence, such as `{"area": "kitchen"}`.
  func context(_ params: Params) throws(RPCError) -> [String: JSONValue] {
    let members = try params.optionalObject("context")?.members ?? []
    guard members.count <= Limits.contextKeyCountMax else {
      throw Params.refusal(
        "context", "'context' has \(members.count) keys",
        expected: "at most \(Limits.contextKeyCountMax)")
    }
    var context: [String: JSONValue] = [:]
    for member in members {
      switch member.value {
      case .string(let text) where text.utf8.count <= Limits.contextValueBytesMax: break
      case .bool, .int, .double, .null: break
      case .string, .array, .object:
        throw Params.refusal(
          "context", "'context' has a value for \(quoted(member.key)) that it does not take",
          expected:
            "a text of at most \(Limits.contextValueBytesMax) bytes, a number, true or false")
      }
      context[member.key] = member.value
    }
    return context
  }

  func source(_ params: Params) throws(RPCError) -> String? {
    guard let text = try params.optionalString("source") else { return nil }
    return String(text.prefix(Limits.sourceLengthMax))
  }
}

extension WidgetConfiguration {
  init(_ intent: Intent) {
    let members = intent.parameters.sorted { $0.key < $1.key }
    self.init(
      intent: intent.name,
      parameters: JSONObject(members.map { .init(key: $0.key, value: $0.value) }),
      key: intent.canonicalKey)
  }
}
