import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Performs intents: the code of a widget's program runs, because a person asked for it.
///
/// ```
/// intent ─► performer ─► row in the store ─► on disk ─► provider.perform ─► end ─► row removed
///                                                                           ├─► url is opened
///                                                                           ├─► next intent
///                                                                           └─► reloads, answer
/// ```
///
/// Code cannot be undone, and nobody knows how much of it ran when its program ended in the middle.
/// So a run begins when its row is on disk, happens at most once, and is repeated by nobody but the
/// person. A row that a start finds tells of a run that the daemon's own end cut short.
///
/// The result of a request says what became of it, also of what failed: an error would say that
/// nothing happened.
extension Daemon {
  static let performPrefix = "perform/"

  /// The name of the row that tells of a run.
  static func performKey(_ token: RunToken) -> String { "\(performPrefix)\(token.number)" }

  /// Whether a person is asked first: what a program's content or code wants of another program is
  /// no wish of the person.
  func isForeign(_ performer: WidgetKind, to kind: String?) -> Bool {
    guard let kind else { return false }
    return engine.kinds[kind]?.bundle != performer.bundle
  }

  // MARK: Beginning

  /// Has a program perform the intent; the answer comes when that has ended.
  ///
  /// Throws before anything has changed.
  mutating func begin(
    _ perform: PendingPerform, by performer: WidgetKind, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let isFirst = perform.earlier.isEmpty
    if isFirst { try outbox.checkMayWait(perform.address) }
    var output = EngineOutput()
    let token: RunToken
    do throws(TooManyPerforms) {
      token = try engine.askPerform(
        .object(perform.intent.view),
        // The yes is to the first intent, and not to what its code asks for next.
        isConfirmed: isFirst && perform.origin.consent != nil, kind: performer, at: now,
        into: &output)
    } catch {
      let whose = error.isOfProgram ? " by the program of \(performer.kind)" : ""
      throw RPCError(
        .limitReached,
        "\(error.max) intents are being performed\(whose) already; try again when one has ended",
        details: ["max": .int(Int64(error.max))])
    }
    if isFirst { try outbox.reserveWaiting(perform.address) }
    performs.begin(token, perform)
    writes.put(.setting, Self.performKey(token), .object(record(of: perform, at: now.wall)))
    // With its key the request gets this answer when the daemon ended meanwhile.
    outbox.noteTaken(
      perform.address, handled(perform, perform.earlier + [Self.cutShort(perform)]).view)
    apply(output, at: now, into: &effects)
  }

  private func record(of perform: PendingPerform, at now: WallTime) -> JSONObject {
    guard !engine.isPrivate else { return ["private": true] }
    var record: JSONObject = [
      "at": .string(now.rfc3339), "kind": .string(perform.kind),
      "intent": .string(perform.intent.name),
    ]
    record["widget"] = perform.origin.tappedWidget.map { .string($0) }
    return record
  }

  private static func cutShort(_ perform: PendingPerform) -> PerformedIntent {
    PerformedIntent(
      intent: perform.intent, kind: perform.kind, state: .unknown,
      message: unknownMessage(perform.intent.name, "the daemon ended meanwhile"))
  }

  private static func unknownMessage(_ intent: String, _ why: String) -> String {
    "nobody knows whether \(intent) was done, since \(why); it is not done again by itself: look at"
      + " the widget, and send it again if it is missing"
  }

  // MARK: Ending

  /// Takes the outcome of a run that performed an intent; `false`: the run was none.
  mutating func takePerform(
    _ token: RunToken, _ outcome: ProviderOutcome, at now: Now, into effects: inout [Effect]
  ) -> Bool {
    guard let timedOut = engine.performEnded(token) else { return false }
    // A stop answered the request, and its row is gone.
    guard let perform = performs.end(token) else { return true }
    writes.remove(.setting, Self.performKey(token))
    let timeout = engine.kinds[perform.kind]?.provider.timeout
    let end: PerformEnd
    switch outcome {
    case .answered(let bytes, _): end = .done(PerformAnswer.read(bytes))
    case .printed: end = .unknown("its program answered as a script of another bar does")
    case .failed(let failure) where failure.reason == .cancelled && timeout == nil:
      end = .unknown("no manifest offers \(perform.kind) any more, and its program was stopped")
    case .failed(let failure): end = PerformEnd(failure, timedOut: timedOut ? timeout ?? 0 : nil)
    }
    finish(perform, end, at: now, into: &effects)
    return true
  }

  private mutating func finish(
    _ perform: PendingPerform, _ end: PerformEnd, at now: Now, into effects: inout [Effect]
  ) {
    var step = PerformedIntent(intent: perform.intent, kind: perform.kind, state: .done)
    switch end {
    case .failed(let words):
      step.state = .failed
      step.message = words
    case .unknown(let what):
      step.state = .unknown
      step.message = Self.unknownMessage(perform.intent.name, what)
    case .done(let answer):
      step.dialog = answer.dialog
      step.value = answer.value
      step.warnings = answer.warnings
      if let text = answer.url { open(text, of: perform, &step, at: now, into: &effects) }
      journalPerform(step, perform, at: now, into: &effects)
      if let next = answer.next {
        followUp(next, perform, step, at: now, into: &effects)
      } else {
        conclude(perform, perform.earlier + [step], at: now, into: &effects)
      }
      return
    }
    journalPerform(step, perform, at: now, into: &effects)
    conclude(perform, perform.earlier + [step], at: now, into: &effects)
  }

  private mutating func journalPerform(
    _ step: PerformedIntent, _ perform: PendingPerform, at now: Now, into effects: inout [Effect]
  ) {
    var fields: JSONObject = [
      "intent": .string(step.intent.name), "state": .string("\(step.state)"),
    ]
    fields["kind"] = step.kind.map { .string($0) }
    fields["widget"] = perform.origin.tappedWidget.map { .string($0) }
    // The words of what was done may be private; those of a failure are for its author.
    fields["message"] = step.message.map { .string($0) }
    journalAct("intent.performed", at: now.wall, fields)
    guard step.state != .done, !engine.isPrivate else { return }
    effects.append(
      .log(
        LogLine(
          .warning, "intent.notPerformed",
          [
            "intent": step.intent.name, "kind": step.kind ?? "", "state": "\(step.state)",
            "reason": step.message ?? "",
          ])))
  }

  /// Answers the request, and reloads what shows the effect.
  ///
  /// The widget that was tapped is reloaded in any case, since code that failed may have changed
  /// something. An intent that came otherwise reloads the placed widgets of the program, unless the
  /// code says that it failed.
  private mutating func conclude(
    _ perform: PendingPerform, _ steps: [PerformedIntent], at now: Now,
    into effects: inout [Effect]
  ) {
    outbox.releaseWaiting(perform.address)
    var handled = handled(perform, steps)
    if steps[0].state == .done {
      do throws(RPCError) {
        // The first intent is the person's; each that follows is the program's.
        let first = steps[0].intent
        handled = try carryOut(first, perform.origin, at: now, into: &effects)
        handled.performed = steps
        for index in steps.indices.dropFirst() where steps[index].state == .sent {
          handled.shown += try carryOut(
            steps[index].intent, Origin(source: perform.origin.source), at: now, into: &effects
          ).shown
        }
      } catch {
        // It is done all the same: the answer says what did not follow.
        handled.performed[0].warnings.append(error.message)
      }
    }
    if let tapped = perform.origin.tappedWidget {
      reload(tapped, after: handled, at: now, into: &effects)
    } else if steps.contains(where: { $0.state != .failed }) {
      reloadProgram(of: perform.kind, &handled, at: now, into: &effects)
    }
    answer(handled, wait: perform.wait, perform.address, at: now)
    if let callback = perform.origin.callback {
      callBack(callback, performed: handled, at: now, into: &effects)
    }
  }

  /// The answer about what was performed, before anything was reloaded.
  private func handled(_ perform: PendingPerform, _ steps: [PerformedIntent]) -> HandledIntent {
    var handled = HandledIntent(
      intent: steps[0].intent, origin: perform.origin, shown: [])
    handled.performed = steps
    return handled
  }

  private mutating func reloadProgram(
    of kind: String, _ handled: inout HandledIntent, at now: Now, into effects: inout [Effect]
  ) {
    guard let kind = engine.kinds[kind] else { return }
    var output = EngineOutput()
    let most = Limits.performedReloadCountMax
    for id in engine.placedWidgets(ofProgram: kind, most: most)
    where !handled.shown.contains(where: { $0.widget.id == id }) {
      guard let widget = engine.widgets[id] else { continue }
      do throws(WidgetError) {
        let receipt = try engine.requestReload(of: id, cause: .intent, at: now.wall, into: &output)
        handled.shown.append((widget, receipt))
      } catch {
        preconditionFailure("the widget was there a moment ago: \(error.message)")
      }
    }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
  }

  private mutating func answer(
    _ handled: HandledIntent, wait: Bool, _ address: ReplyAddress, at now: Now
  ) {
    receiptWaiters.subscribe(address.connection, to: handled.receipts, &engine)
    guard wait, address.id != nil, !handled.shown.isEmpty else {
      outbox.answerWhenDurable(orUnsaved: address, handled.view)
      return
    }
    do throws(RPCError) {
      try outbox.reserveWaiting(address)
    } catch {
      // Others of its client wait already; the answer need not.
      outbox.answerWhenDurable(orUnsaved: address, handled.view)
      return
    }
    var waiter = Waiter(
      address: address, receipts: handled.receipts, result: handled.view, entryOf: handled.widget)
    waiter.isPerformed = true
    // If that transaction fails, the receipts are gone, and the answer says so.
    waiter.transaction = writes.nextNumber
    outbox.noteTaken(address, handled.view)
    if let settled = receiptWaiters.add(waiter, &engine) { finish(settled, at: now) }
  }

  // MARK: What the answer asks for

  /// Opens the URL of an answer as a tap would: in the program's app, else in what the person chose
  /// for links.
  private mutating func open(
    _ text: String, of perform: PendingPerform, _ step: inout PerformedIntent, at now: Now,
    into effects: inout [Effect]
  ) {
    let url: ProfiledURL
    do throws(RPCError) {
      url = try profile(text)
    } catch {
      step.warnings.append("its URL was not opened: \(error.message)")
      return
    }
    step.url = url.text
    let target: LaunchRequest.Target
    if let app = engine.kinds[perform.kind]?.app {
      if let host = sessions.hosts(of: app).holders.first {
        var opening: JSONObject = [:]
        if let id = perform.origin.tappedWidget, let widget = engine.widgets[id] {
          opening["widget"] = .string(id)
          opening["family"] = .string(widget.family.rawValue)
        }
        opening["kind"] = .string(perform.kind)
        opening["intent"] = .string(perform.intent.name)
        opening["url"] = .string(url.text)
        opening["activationToken"] = perform.origin.activationToken.map { .string($0) }
        outbox.notifyWhenDurable(host.connection, .appOpen, opening)
        step.opened = "app"
        return
      }
      target = .application(app)
    } else if Self.openSchemes.contains(url.scheme) {
      target = .handler(scheme: url.scheme)
    } else {
      step.warnings.append(
        "its URL was not opened: nobody is named to open \(url.text); name the containing app in the"
          + " manifest of \(perform.kind) (app: its desktop id)")
      return
    }
    let token = launches.begin(.performed(intent: perform.intent.name))
    statistics.countLaunch()
    carryOut(
      .launch(
        token,
        LaunchRequest(
          target: target, url: url.text, activationToken: perform.origin.activationToken)),
      into: &effects)
    step.opened = "desktop"
  }

  /// Does the intent that an answer names next: has it performed, or sends it to its widgets.
  ///
  /// These are a program's words, and no wish of the person. So it is not done where a person would
  /// be asked first, nor by another program; the answer then says so.
  private mutating func followUp(
    _ call: PerformAnswer.Call, _ perform: PendingPerform, _ step: PerformedIntent, at now: Now,
    into effects: inout [Effect]
  ) {
    var steps = perform.earlier + [step]
    do throws(RPCError) {
      let intent = try next(call, after: perform, stepCount: steps.count)
      if let performer = try performer(of: intent.name, near: perform.kind) {
        try promiseChange()
        var following = perform
        following.intent = intent
        following.earlier = steps
        try begin(following, by: performer, at: now, into: &effects)
        return
      }
      steps.append(PerformedIntent(intent: intent, state: .sent))
    } catch {
      steps[steps.count - 1].warnings.append("\(call.name) did not follow: \(error.message)")
    }
    conclude(perform, steps, at: now, into: &effects)
  }

  private func next(
    _ call: PerformAnswer.Call, after perform: PendingPerform, stepCount: Int
  ) throws(RPCError) -> Intent {
    guard stepCount <= Limits.performChainMax else {
      throw RPCError(
        .limitReached, "\(Limits.performChainMax) intents followed one another already",
        details: ["max": .int(Int64(Limits.performChainMax))])
    }
    let performer = try performer(of: call.name, near: perform.kind)
    let links = configuration.catalog.definition(named: call.name)?.links ?? .allow
    guard links == .allow, performer.map({ !isForeign($0, to: perform.kind) }) ?? true else {
      throw RPCError(.linkRefused, "a person is asked first; send it yourself")
    }
    var values: [String: JSONValue] = [:]
    for member in call.parameters.members { values[member.key] = member.value }
    switch configuration.catalog.resolution(
      name: call.name, parameters: values, in: perform.origin.languagesOfQuestions)
    {
    case .ready(let intent): return intent
    case .needs(let need): throw unanswered(need)
    case .failed(let error): throw RPCError(error)
    }
  }

  // MARK: The end of the daemon, and its start

  /// Answers every request whose intent is performed now, because the daemon stops.
  ///
  /// `unstarted` are runs that never began.
  mutating func endPerforms(
    unstarted: Set<RunToken>, at now: Now, into effects: inout [Effect]
  ) {
    for (token, perform) in performs.removeAll() {
      writes.remove(.setting, Self.performKey(token))
      outbox.releaseWaiting(perform.address)
      var step = Self.cutShort(perform)
      if unstarted.contains(token) {
        step.state = .failed
        step.message = "the daemon is stopping, and \(perform.intent.name) was not begun"
      }
      journalPerform(step, perform, at: now, into: &effects)
      outbox.answerWhenDurable(
        orUnsaved: perform.address, handled(perform, perform.earlier + [step]).view)
    }
  }

  /// Tells those who wait what is known, without noting it: the store cannot be read any more.
  mutating func dismissPerforms() {
    for (_, perform) in performs.removeAll() {
      outbox.releaseWaiting(perform.address)
      outbox.answer(
        perform.address,
        Outbox.unsaved(handled(perform, perform.earlier + [Self.cutShort(perform)]).view))
    }
  }

  /// Refuses requests whose runs never began, because their rows could not be written.
  mutating func refusePerforms(_ dropped: Set<RunToken>, _ refusal: RPCError) {
    for token in dropped.sorted() {
      guard let perform = performs.end(token) else { continue }
      guard !perform.earlier.isEmpty else {
        refuseWaiting(perform.address, refusal)
        continue
      }
      // What came before it is done.
      outbox.releaseWaiting(perform.address)
      var steps = perform.earlier
      steps[steps.count - 1].warnings.append(
        "\(perform.intent.name) did not follow: \(refusal.message)")
      outbox.answer(perform.address, Outbox.unsaved(handled(perform, steps).view))
    }
  }

  /// Reads the rows of runs: at a start each is that of a run which the daemon's end cut short.
  mutating func restorePerforms(
    _ rows: [(name: String, value: JSONValue)], at now: Now, into effects: inout [Effect]
  ) {
    for row in rows where row.name.hasPrefix(Self.performPrefix) {
      let token = UInt64(row.name.dropFirst(Self.performPrefix.count)).map { RunToken($0) }
      // Memory starts over: the run goes on.
      if let token, performs.contains(token) { continue }
      writes.remove(.setting, row.name)
      guard case .loadingConfiguration = phase else { continue }
      let name = row.value["intent"]?.stringValue
      var fields: JSONObject = ["state": "unknown"]
      for key in ["intent", "kind", "widget"] { fields[key] = row.value[key] }
      fields["message"] = .string(
        Self.unknownMessage(name ?? "an intent", "the daemon ended meanwhile"))
      journalAct("intent.performed", at: now.wall, fields)
      if let widget = row.value["widget"]?.stringValue { performs.noteLost(widget) }
      effects.append(
        .log(
          LogLine(
            .warning, "intent.notPerformed",
            [
              "intent": name ?? "", "kind": row.value["kind"]?.stringValue ?? "",
              "state": "unknown", "reason": "the daemon ended meanwhile",
            ])))
    }
  }

  /// Reloads the widgets whose buttons asked for what nobody knows the end of.
  mutating func reloadAfterLostPerforms(at now: Now, into effects: inout [Effect]) {
    for id in performs.takeLostWidgets() where engine.widgets[id] != nil {
      refresh(id, at: now, into: &effects)
    }
  }
}
