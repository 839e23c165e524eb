import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Handles the `widget.*` methods: reads their parameters, asks the engine, and
/// answers with its decisions.
extension Daemon {
  mutating func listWidgets(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["kind", "mode", "name"] + Self.languageKeys)
    let kind = try params.optionalString("kind")
    let asked = try askedMode(params)
    let ids = engine.order.filter { kind == nil || engine.widgets[$0]?.kind == kind }
    // An app that asks for its widgets' configurations does not watch them.
    try answer(
      address, .listed(ids), showing: asked,
      in: try languages(params, of: address.connection),
      notesReading: sessions.app(of: address.connection) == nil, at: now,
      into: &effects)
  }

  mutating func addWidget(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(
      value,
      known: ["kind", "family", "parameters", "id", "ask", "wait"] + Self.languageKeys)
    let wait = try params.bool("wait", default: false)
    if wait { try outbox.checkMayWait(address) }
    let name = try params.string("kind")
    guard let kind = engine.kinds[name] else {
      let error = engine.unknownKind(name)
      guard engine.kinds.isEmpty, !options.widgetFolders.isEmpty else { throw RPCError(error) }
      throw RPCError(
        .unknownKind, error.message,
        details: [
          "suggestions": [], "folders": .array(options.widgetFolders.map { .string($0) }),
        ])
    }
    let given = try params.optionalObject("parameters")
    let family = try family(params)
    let id = try params.optionalString("id")
    if let intent = kind.intent, try params.bool("ask", default: false) {
      try complete(
        given, of: intent, for: .place(kind: name, family: family, id: id),
        in: try languages(params, of: address.connection), wait: wait, address, at: now,
        into: &effects)
      return
    }
    try place(
      name, family: family, try configuration(of: kind, given), id: id, wait: wait, address,
      at: now, into: &effects)
  }

  /// Places a widget whose configuration is complete, and answers.
  mutating func place(
    _ kind: String, family: WidgetFamily?, _ configuration: WidgetConfiguration, id: String?,
    wait: Bool, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    if let id, keptRows.widgets.contains(id) { throw Self.widgetIsDamaged(id) }
    var output = EngineOutput()
    let added: (widget: Widget, receipt: Receipt)
    do throws(WidgetError) {
      added = try engine.add(
        kind: kind, family: family, configuration: configuration, id: id, at: now.wall,
        into: &output)
    } catch {
      throw RPCError(error)
    }
    try finishPlacement(added, wait: wait, address, output, at: now, into: &effects)
  }

  /// Completes the configuration of a widget with questions to the client, as an intent's values
  /// are; a widget is placed without the confirmation that the intent wants when it is done.
  private mutating func complete(
    _ given: JSONObject?, of intent: String, for goal: IntentCompletion.Goal,
    in languages: [String], wait: Bool, _ address: ReplyAddress, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) {
    var values: [String: JSONValue] = [:]
    for member in given?.members ?? [] { values[member.key] = member.value }
    try complete(
      IntentCompletion(
        intent: intent, parameters: values, isConfirmed: true, goal: goal,
        origin: Origin(languages: languages), wait: wait, address: address), at: now, into: &effects
    )
  }

  mutating func configureWidget(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(
      value,
      known: ["id", "family", "parameters", "reload", "ask", "wait"] + Self.languageKeys)
    let wait = try params.bool("wait", default: false)
    if wait { try outbox.checkMayWait(address) }
    let id = try params.string("id")
    guard let widget = engine.widgets[id] else { throw RPCError(engine.unknownWidget(id)) }
    guard let kind = engine.kinds[widget.kind] else {
      throw RPCError(engine.unknownKind(widget.kind))
    }
    let changesLook = params.has("family") || params.has("parameters")
    guard changesLook || params.has("reload") else {
      throw RPCError.invalidParams(
        "nothing to change; expected parameters, family or reload",
        data: ["parameter": "parameters", "expected": "parameters, family or reload"])
    }
    try checkMayConfigure(widget, rules: params.has("reload"), address)
    if let rules = try params.optionalObject("reload") {
      try setReload(rules, of: id, at: now, into: &effects)
      guard changesLook else {
        outbox.answerWhenDurable(
          address,
          [
            "widget": .object(
              engine.view(of: id, at: now.wall, in: languages(of: address.connection)) ?? [:])
          ])
        return
      }
    }
    let changed = try params.optionalObject("parameters")
    let family = try family(params)
    if let changed, let intent = kind.intent, try params.bool("ask", default: false) {
      try complete(
        changed, of: intent, for: .configure(id: id, family: family),
        in: try languages(params, of: address.connection), wait: wait, address, at: now,
        into: &effects)
      return
    }
    let configuration = try changed.map { object throws(RPCError) in
      try self.configuration(of: kind, object)
    }
    try configure(id, family: family, configuration, wait: wait, address, at: now, into: &effects)
  }

  /// Gives a widget a family, or a configuration that is complete, and answers.
  mutating func configure(
    _ id: String, family: WidgetFamily?, _ configuration: WidgetConfiguration?, wait: Bool,
    _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    var output = EngineOutput()
    let configured: (widget: Widget, receipt: Receipt)
    try paceConfiguring(address, at: now)
    do throws(WidgetError) {
      configured = try engine.configure(
        id, family: family, configuration: configuration, at: now.wall, into: &output)
    } catch {
      throw RPCError(error)
    }
    if let app = sessions.app(of: address.connection) { output.noteConfigured(by: app.id) }
    try finishPlacement(configured, wait: wait, address, output, at: now, into: &effects)
  }

  /// Gives one widget reload rules of its own; for rules that are not named, its kind's hold again.
  private mutating func setReload(
    _ rules: JSONObject, of id: String, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let overrides: ReloadOverrides
    do throws(ReloadRuleError) {
      overrides = try ReloadOverrides(rules)
    } catch {
      throw Params.refusal(
        "reload", "parameter 'reload.\(error.key.prefix(40))' cannot be used",
        expected: error.expected)
    }
    var output = EngineOutput()
    do throws(WidgetError) {
      try engine.setReload(overrides, of: id, at: now.wall, into: &output)
    } catch {
      throw RPCError(error)
    }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
  }

  private mutating func finishPlacement(
    _ placed: (widget: Widget, receipt: Receipt), wait: Bool, _ address: ReplyAddress,
    _ output: consuming EngineOutput, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    var output = output
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
    try answer(
      address,
      [
        "widget": .object(
          engine.view(
            of: placed.widget.id, at: now.wall, in: languages(of: address.connection)) ?? [:]),
        "receipt": .object(engine.view(of: placed.receipt)),
      ], receipts: [placed.receipt.id], wait: wait, entryOf: nil, isSingle: true,
      viewOf: placed.widget.id, at: now)
  }

  mutating func removeWidget(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["id", "ids"])
    let several = try params.optionalStrings("ids", countMax: WireLimits.removedWidgetCountMax)
    let one = try params.optionalString("id")
    guard (one == nil) != (several == nil) else {
      throw RPCError.invalidParams(
        "expected either id (one widget) or ids (several)",
        data: ["parameter": "id", "expected": "either id or ids"])
    }
    let ids = several ?? [one ?? ""]
    // The rows of widgets that cannot be read are given up; all others can be restored.
    let readable = ids.filter { !keptRows.widgets.contains($0) || engine.widgets[$0] != nil }
    var output = EngineOutput()
    if !readable.isEmpty || ids.isEmpty {
      do throws(WidgetError) {
        try engine.removeForPerson(readable, at: now.wall, into: &output)
      } catch {
        throw RPCError(error)
      }
    }
    for id in ids where keptRows.giveUp(id) {
      writes.remove(.kept, KeptRows.key(.widget, id))
    }
    engine.reservedIDs = keptRows.widgets
    apply(output, at: now, into: &effects)
    outbox.answerWhenDurable(
      address,
      ["removed": one.map { .string($0) } ?? .array((several ?? []).map { .string($0) })])
  }

  mutating func reloadWidgets(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["kind", "id", "wait"])
    let wait = try params.bool("wait", default: false)
    let ids: [String]
    switch (try params.optionalString("id"), try params.optionalString("kind")) {
    case (let id?, nil):
      guard engine.widgets[id] != nil else { throw RPCError(engine.unknownWidget(id)) }
      ids = [id]
    case (nil, let kind?):
      ids = engine.order.filter { engine.widgets[$0]?.kind == kind }
      if ids.isEmpty, engine.kinds[kind] == nil { throw RPCError(engine.unknownKind(kind)) }
    case (nil, nil), (.some, .some):
      throw RPCError.invalidParams(
        "expected either id (one widget) or kind (all widgets of that kind)",
        data: ["parameter": "id", "expected": "either id or kind"])
    }
    try reload(ids, wait: wait, address, at: now, into: &effects)
  }

  mutating func reloadAllWidgets(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["wait", "program"])
    let wait = try params.bool("wait", default: false)
    let program = try params.optionalString("program")
    if let program, engine.kinds[program] == nil { throw RPCError(engine.unknownKind(program)) }
    let bundle = program.flatMap { engine.kinds[$0]?.bundle }
    let app = sessions.app(of: address.connection)
    let ids = engine.order.filter { id in
      guard let widget = engine.widgets[id] else { return bundle == nil }
      if let bundle, engine.kinds[widget.kind]?.bundle != bundle { return false }
      // There is nobody to ask, and nothing is wrong.
      if engine.hasNoProvider(widget.kind) { return false }
      guard let app else { return true }
      return engine.kinds[widget.kind]?.app == app.id
    }
    try reload(ids, wait: wait, address, at: now, into: &effects)
  }

  /// Runs the plugins whose manifests name a signal, as `pkill -RTMIN+8` does for a bar.
  mutating func signalWidgets(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["signal", "wait"])
    let range = WidgetCenter.Limits.pluginSignalRange
    guard
      let number = try params.optionalInt(
        "signal", in: Int64(range.lowerBound)...Int64(range.upperBound))
    else {
      throw Params.refusal(
        "signal", "parameter 'signal' is missing",
        expected: "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    let wait = try params.bool("wait", default: false)
    try reload(
      engine.widgets(withSignal: Int(number)), cause: .signal, wait: wait, address, at: now,
      into: &effects)
  }

  /// Reloads widgets; `about` has the answer's members beside the receipts.
  ///
  /// `cause`: `nil` for the client's own.
  mutating func reload(
    _ ids: [String], about: JSONObject = [:], cause: ReloadCause? = nil, wait: Bool,
    _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    if wait { try outbox.checkMayWait(address) }
    let app = sessions.app(of: address.connection)
    if takesTurns(reloads: ids.count) {
      try beginBulkReload(
        ids, askedBy: app, cause: cause, about: about, wait: wait, address)
      return
    }
    var output = EngineOutput()
    var receipts: [Receipt] = []
    do throws(WidgetError) {
      for id in ids {
        let cause = cause ?? reloadCause(of: id, askedBy: app)
        receipts.append(try engine.requestReload(of: id, cause: cause, at: now.wall, into: &output))
      }
    } catch {
      throw RPCError(error)
    }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
    var result = about
    result["receipts"] = .array(receipts.map { .object(engine.view(of: $0)) })
    try answer(
      address, result, receipts: receipts.map(\.id), wait: wait, entryOf: nil, at: now)
  }

  mutating func pushTimeline(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["id", "timeline"])
    let id = try params.string("id")
    guard let widget = engine.widgets[id] else { throw RPCError(engine.unknownWidget(id)) }
    let hasShown = engine.timelines[widget.timelineKey]?.entry(at: now.wall) != nil
    var read: Timeline.Reading
    let answer = try params.value("timeline")
    let taken = AnswerPictures.take(from: answer) { engine.pictures(ofKind: widget.kind) }
    switch Timeline.read(taken.answer, at: now.wall) {
    case .success(let good): read = good
    case .failure(let error):
      throw RPCError(
        .invalidTimeline, "the timeline was not taken: \(error.message)",
        details: ["path": .string(error.path)])
    }
    if let warning = engine.fitViews(of: &read.timeline, for: widget.timelineKey) {
      read.viewWarnings.append(warning)
    }
    var output = EngineOutput()
    let receipt: Receipt
    do throws(WidgetError) {
      receipt = try engine.push(
        read.timeline, pictures: taken.pictures, to: id, cause: .reload, at: now.wall,
        into: &output)
    } catch {
      throw RPCError(error)
    }
    apply(output, at: now, into: &effects)
    let warnings =
      read.warnings + taken.warnings + read.viewWarnings
      + AnswerReview.warnings(
        on: answer, read: read.timeline, hasShown: hasShown, arrivedAt: now.wall)
    outbox.answerWhenDurable(
      address,
      [
        "receipt": .object(receipt.json), "warnings": .array(warnings.map { .string($0) }),
      ])
  }

  mutating func showReceipt(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) {
    let params = try Params(value, known: ["id", "wait"])
    let text = try params.string("id")
    let wait = try params.bool("wait", default: false)
    guard let id = ReceiptID(text: text), let receipt = engine.receipts[id] else {
      throw RPCError(
        .unknownReceipt,
        "no receipt \(quoted(text)) is remembered; those that have not ended are kept, and the last \(WidgetCenter.Limits.endedReceiptCountMax) that ended"
      )
    }
    guard wait, !receipt.hasEnded else {
      let answer: JSONObject = ["receipt": .object(engine.view(of: receipt))]
      // A client that reads "done" may rely on it, also after a crash.
      if writes.isUnwritten(id) {
        outbox.answerWhenDurable(address, answer)
      } else {
        outbox.answer(address, answer)
      }
      return
    }
    try answer(
      address, [:], receipts: [id], wait: true, entryOf: nil, isSingle: true, at: now)
  }

  mutating func showTimeline(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["id", "mode", "name"])
    let id = try params.string("id")
    let mode = mode(try askedMode(params), of: id)
    do throws(WidgetError) {
      let view = try engine.timelineView(of: id, in: mode, at: now.wall)
      outbox.answer(address) { $0.append(contentsOf: view) }
    } catch {
      throw RPCError(error)
    }
    noteReading(of: [id], in: mode, address, at: now, into: &effects)
  }

  mutating func showBudget(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) {
    let params = try Params(value, known: ["id", "mode"])
    let id = try params.string("id")
    let mode = try mode(params) ?? .compact
    do throws(WidgetError) {
      outbox.answer(address, try engine.budgetView(of: id, in: mode, at: now.wall))
    } catch {
      throw RPCError(error)
    }
  }

  // MARK: Details

  private static func widgetIsDamaged(_ id: String) -> RPCError {
    RPCError(
      .widgetDamaged,
      "the widget '\(id)' is in the store and cannot be read; what is there of it is kept. Choose"
        + " another id, or give it up (widget.remove, intent-send remove \(id))")
  }

  /// Returns the configuration of a widget of `kind`: its resolved intent, or none for a static
  /// kind.
  private func configuration(
    of kind: WidgetKind, _ parameters: JSONObject?
  ) throws(RPCError) -> WidgetConfiguration {
    guard let intent = kind.intent else {
      guard parameters?.members.isEmpty ?? true else {
        throw RPCError(
          .invalidParameter, "\(kind.kind) has a static configuration and takes no parameters",
          details: ["suggestions": []])
      }
      return .none
    }
    return WidgetConfiguration(try resolve(intent, parameters))
  }

  func family(_ params: Params) throws(RPCError) -> WidgetFamily? {
    guard let name = try params.optionalString("family") else { return nil }
    guard let family = WidgetFamily(rawValue: name) else {
      let names = WidgetFamily.allCases.map(\.rawValue)
      throw Params.refusal(
        "family",
        "\(quoted(name)) is not a family\(didYouMean(nearest(to: name, among: names, countMax: 1)))",
        expected: "one of \(names.joined(separator: ", "))")
    }
    return family
  }
}
