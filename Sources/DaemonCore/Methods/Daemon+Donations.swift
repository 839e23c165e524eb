import Habits
import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Handles donations, which count for the widgets that show their intent, and the two ways to have
/// none: to forget them, and private mode.
///
/// An intent may have combinations of parameters. The donation then belongs to the combination that
/// has exactly the given parameters, and only these are compared with widgets. A donation that fits
/// no combination counts for no widget. Source: SiriKit, donations and supported parameter
/// combinations.
extension Daemon {
  mutating func donateIntent(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["intent", "parameters", "date", "source"])
    let given = try params.optionalObject("parameters")
    let intent = try resolve(try params.string("intent"), given)
    var date = now.wall
    if let text = try params.optionalString("date") {
      guard let given = WallTime(rfc3339: text), given <= now.wall else {
        throw Params.refusal(
          "date", "parameter 'date' is \(quoted(text))",
          expected: "an RFC 3339 date that is not in the future")
      }
      date = given
    }
    let combination = combination(of: intent, given: given)
    let widgets = widgets(matching: intent, combination)
    var output = EngineOutput()
    for id in widgets { engine.replay(.intent, of: id, promotes: false, at: date) }
    donate(intent, combination, widgets: widgets, at: date, into: &output)
    if widgets.isEmpty { engine.proposeSuggestion(at: now.wall, into: &output) }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
    journalIntent(
      intent, Origin(source: try source(params)), widgets: widgets, donated: true, at: now,
      date: date)
    var result: JSONObject = ["intent": .object(intent.view)]
    if let combination {
      result["combination"] =
        combination.map {
          .array($0.parameters.map { .string($0) })
        } ?? .null
    }
    result["widgets"] = .array(widgets.map { .string($0) })
    outbox.answerWhenDurable(address, result)
  }

  /// Makes one donation for each item that the act concerns: the items of `widgets`, or without
  /// widgets the items that the intent's kinds could show.
  private mutating func donate(
    _ intent: Intent, _ combination: ParameterCombination??, widgets: [String], at date: WallTime,
    into output: inout EngineOutput
  ) {
    if case .some(.none) = combination { return }
    var seen: Set<String> = []
    for id in widgets {
      guard let widget = engine.widgets[id], seen.insert(widget.item).inserted else { continue }
      engine.donate(
        .intent, kind: widget.kind, configuration: widget.shownConfiguration, at: date,
        into: &output)
    }
    guard widgets.isEmpty else { return }
    let configuration = WidgetConfiguration(intent)
    for kind in engine.kinds.values.sorted(by: { $0.kind < $1.kind })
    where kind.intent == intent.name {
      engine.donate(
        .intent, kind: kind.kind, configuration: configuration, at: date, into: &output)
    }
  }

  /// Returns the key of a donation's record: 12 digits, so that keys compare as the numbers do.
  static func donationKey(_ number: Int64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 12 - digits.count)) + digits
  }

  // MARK: Forgetting

  /// Removes donations by their subject or their date, from the journal too.
  ///
  /// The behaviour model is then the same as if the donations had never been made.
  mutating func forgetDonations(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["intent", "kind", "since", "all"])
    let all = try params.bool("all", default: false)
    let name = try params.optionalString("intent")
    let kind = try params.optionalString("kind")
    var since: WallTime?
    if let text = try params.optionalString("since") {
      guard let date = WallTime(rfc3339: text) else {
        throw Params.refusal(
          "since", "parameter 'since' is \(quoted(text))", expected: "an RFC 3339 date")
      }
      since = date
    }
    guard all || name != nil || since != nil || kind != nil else {
      throw RPCError.invalidParams(
        "say what to forget: intent, kind, since, or all: true",
        data: ["parameter": "all", "expected": "intent, kind, since, or all: true"])
    }
    if let kind { try checkIsKnown(kind) }
    if let name { try checkIsKnown(intent: name) }
    let about = kind.map { name in
      (
        kind: name, intents: Set([engine.kinds[name]?.intent].compactMap { $0 }),
        // The kind's suggestion may be gone and still be named in the history.
        widgets: Set(engine.widgets.values.filter { $0.kind == name }.map(\.id))
          .union([WidgetEngine.suggestionID(name)])
      )
    }
    let intents = name == nil ? [:] : intentNames
    let entries = journal.forget { entry in
      guard Self.tellsOfThePerson(entry) else { return false }
      if let name, Self.intentName(of: entry, intents) != name { return false }
      if let about, !Self.isEntry(entry, about: about) { return false }
      if let since, let at = entry["at"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }), at < since
      {
        return false
      }
      return true
    }
    var output = EngineOutput()
    let count = engine.forgetDonations(
      { donation in
        if let name, donation.configuration.intent != name { return false }
        if let kind, donation.kind != kind { return false }
        if let since, donation.at < since { return false }
        return true
      }, at: now.wall, into: &output)
    if name == nil, since == nil { engine.forgetScales(ofKind: kind) }
    // The record of what can be undone tells of acts too, so it goes as well.
    if engine.forgetUndoableActs(into: &output) { writes.append([.scrub]) }
    // So do the answers to requests that may come again.
    for row in requests.forgetAnswers() { writes.put(.request, row.key, row.bytes) }
    writes.append(entries.writes)
    if entries.count > 0 || count > 0 {
      // The kept entries replay their runs below, without those that are forgotten.
      engine.forgetRuns()
      for entry in entries.kept { replay(entry) }
      journal.append(
        "forgotten", at: now.wall,
        fields: ["count": .int(Int64(entries.count)), "donations": .int(Int64(count))])
    }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
    outbox.answerWhenDurable(
      address, ["forgotten": .int(Int64(entries.count)), "donations": .int(Int64(count))])
  }

  /// Refuses a kind that no manifest offers and no act concerns, so that the client learns of a
  /// mistyped name.
  private func checkIsKnown(_ kind: String) throws(RPCError) {
    let donated = engine.stackModel.donations.map(\.kind)
    guard !engine.knows(kind), !donated.contains(kind) else { return }
    var history = journal
    let isInHistory =
      history.forget { Self.isEntry($0, about: (kind: kind, intents: [], widgets: [])) }.count > 0
    guard !isInHistory else { return }
    let near = nearest(to: kind, among: Set(donated).union(engine.kinds.keys).sorted())
    throw RPCError(
      .unknownKind,
      "nothing was done with the kind \(quoted(kind)), and no manifest offers it\(didYouMean(near))",
      details: ["suggestions": .array(near.map { .string($0) })])
  }

  /// Refuses an intent that no catalogue has and no act concerns.
  private func checkIsKnown(intent name: String) throws(RPCError) {
    let donated = engine.stackModel.donations.compactMap(\.configuration.intent)
    guard configuration.catalog.definition(named: name) == nil, !donated.contains(name) else {
      return
    }
    var history = journal
    let intents = intentNames
    guard history.forget({ Self.intentName(of: $0, intents) == name }).count == 0 else { return }
    let known = Set(donated).union(configuration.catalog.definitions.map(\.name)).sorted()
    let near = nearest(to: name, among: known)
    throw RPCError(
      .unknownIntent,
      "nothing was done with the intent \(quoted(name)), and no catalogue has it\(didYouMean(near))",
      details: ["suggestions": .array(near.map { .string($0) })])
  }

  /// Returns whether an entry of the history reveals an act of the person: the act, its outcome, or
  /// a suggestion made for it.
  private static func tellsOfThePerson(_ entry: JSONValue) -> Bool {
    guard let event = entry["event"]?.stringValue else { return false }
    if ["intent", "tap", "dismissed", "undone", "launched", "launch.failed"].contains(event) {
      return true
    }
    if entry["widget"]?.stringValue?.hasPrefix("suggestion:") == true { return true }
    guard event.hasPrefix("reload."), let cause = entry["cause"]?.stringValue else { return false }
    return [ReloadCause.intent, .link, .tap].map(\.rawValue).contains(cause)
  }

  /// The names of intents, by the id of the widget, or by `kind ` and the kind, that they
  /// configure.
  private var intentNames: [String: String] {
    var names: [String: String] = [:]
    for kind in engine.kinds.values { names["kind " + kind.kind] = kind.intent }
    for widget in engine.widgets.values { names[widget.id] = widget.configuration.intent }
    return names
  }

  /// Returns the intent that an entry names, or else the intent of its widget or kind.
  private static func intentName(of entry: JSONValue, _ names: [String: String]) -> String? {
    if let name = entry["intent"]?["name"] ?? entry["intent"] ?? entry["callback"] {
      return name.stringValue
    }
    if let id = entry["widget"]?.stringValue, let name = names[id] { return name }
    return entry["kind"]?.stringValue.flatMap { names["kind " + $0] }
  }

  private static func isEntry(
    _ entry: JSONValue, about: (kind: String, intents: Set<String>, widgets: Set<String>)
  ) -> Bool {
    if entry["kind"]?.stringValue == about.kind { return true }
    let shown = entry["widgets"]?.arrayValue ?? []
    if shown.isEmpty, let name = entry["intent"]?.stringValue, about.intents.contains(name) {
      return true
    }
    if let id = entry["widget"]?.stringValue, about.widgets.contains(id) { return true }
    return shown.contains { id in
      id.stringValue.map { about.widgets.contains($0) } ?? false
    }
  }

  /// Turns private mode on or off; while it is on, no act of the person is kept or learned from.
  mutating func setPrivate(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["on"])
    let isOn = try params.boolNotNull("on", default: true)
    var output = EngineOutput()
    engine.setPrivate(isOn, at: now.wall, into: &output)
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
    outbox.answerWhenDurable(address, ["private": .bool(isOn)])
  }

  /// Returns the combination that fits; `nil` if the intent has no combinations, `.some(nil)` if it
  /// has some and none fits.
  ///
  /// The given parameters are tried first, because a default fills parameters that were not given.
  private func combination(
    of intent: Intent, given: JSONObject?
  ) -> ParameterCombination?? {
    guard let definition = configuration.catalog.definition(named: intent.name),
      !definition.combinations.isEmpty
    else { return nil }
    var said = Intent(name: intent.name)
    for member in given?.members ?? [] { said.parameters[member.key] = member.value }
    return .some(definition.combination(of: said) ?? definition.combination(of: intent))
  }

  /// Returns the placed widgets that a donation concerns, in the order of placing.
  private func widgets(
    matching intent: Intent, _ combination: ParameterCombination??
  ) -> [String] {
    guard let combination else {
      let key = WidgetConfiguration(intent).key
      return engine.order.filter { engine.widgets[$0]?.configuration.key == key }
    }
    guard let combination else { return [] }
    func part(_ values: (String) -> JSONValue?) -> String {
      var part = Intent(name: intent.name)
      for name in combination.parameters { part.parameters[name] = values(name) ?? .null }
      return part.canonicalKey
    }
    let wanted = part { intent.parameters[$0] }
    return engine.order.filter { id in
      guard let configuration = engine.widgets[id]?.configuration,
        configuration.intent == intent.name
      else { return false }
      return part { configuration.parameters[$0] } == wanted
    }
  }
}
