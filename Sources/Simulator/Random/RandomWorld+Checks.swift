import DaemonCore
import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Checks the rules that must always hold, after each turn and for each line that the daemon sends.
extension RandomWorld {
  // MARK: Lines

  func check(_ bytes: [UInt8], from slot: Int) {
    var bytes = bytes
    // Check up to the last line break; a list that comes in slices has none until its last slice.
    var rest: [UInt8] = []
    if bytes.last != UInt8(ascii: "\n") {
      guard firstLineFeed(in: bytes.span, from: 0) < bytes.count,
        let last = bytes.lastIndex(of: UInt8(ascii: "\n"))
      else {
        clients[slot].unfinished += bytes
        return
      }
      rest = Array(bytes[(last + 1)...])
      bytes.removeSubrange((last + 1)...)
    }
    if !clients[slot].unfinished.isEmpty {
      bytes = clients[slot].unfinished + bytes
    }
    clients[slot].unfinished = rest
    var start = 0
    while start < bytes.count {
      let end = firstLineFeed(in: bytes.span, from: start)
      let line = bytes[start..<end]
      start = end + 1
      // Most sends are one line, for which no copy without the line break is needed.
      let text = line.count == bytes.count - 1 ? bytes : Array(line)
      if checkSeen(text, from: slot) { continue }
      guard let value = parsed(text) else {
        violate(
          "a client was sent a line that is not JSON: \(String(decoding: line.prefix(200), as: UTF8.self))"
        )
        return
      }
      isInBatch = value.arrayValue != nil
      for message in value.arrayValue ?? [value] { check(message, from: slot) }
    }
  }

  /// Checks updates of surfaces and lists of widgets, which are most lines, without building
  /// values.
  ///
  /// Returns false, without a check, if the line is another message or no JSON.
  private func checkSeen(_ line: [UInt8], from slot: Int) -> Bool {
    let seen: SeenMessage?
    do throws(JSONError) {
      seen = try SeenMessage(line) { id in
        guard !clients[slot].isWild, let id = RequestID(id) else { return false }
        return clients[slot].outstanding[id].map { Self.listMethods.contains($0.method) } ?? false
      }
    } catch {
      return false
    }
    guard let seen else { return false }
    isInBatch = false
    if let method = seen.method {
      statistics.notifications += 1
      if clients[slot].isKnownBackedUp {
        violate("a surface that does not read was sent an update")
      }
      mirror(seen.widgets, removed: seen.removed, slot)
      checkDates(of: seen.widgets, method)
      checkViews(of: seen.widgets, method, slot)
    } else if let id = seen.id.flatMap({ RequestID($0) }),
      let outstanding = clients[slot].outstanding.removeValue(forKey: id)
    {
      clients[slot].answered.insert(id)
      statistics.answers += 1
      checkClaim(of: outstanding)
      if outstanding.method == "surface.attach" {
        attach(slot, outstanding)
        mirror(seen.widgets, removed: seen.removed, slot)
      }
      checkDates(of: seen.widgets, outstanding.method)
      checkViews(of: seen.widgets, outstanding.method, slot)
    }
    return true
  }

  private static let listMethods: Set<String> = [
    "surface.attach", "widget.list", "stack.order", "stack.explain",
  ]

  private func check(_ message: JSONValue, from slot: Int) {
    if let method = message["method"]?.stringValue {
      checkNotification(method, message["params"] ?? .null, slot)
      return
    }
    guard !clients[slot].isWild else { return }
    guard let value = message["id"], let id = RequestID(value) else {
      violate("a client was sent an answer without an id: \(message.serialized.prefix(200))")
      return
    }
    guard id != .null else {
      clients[slot].nullAnswersExpected -= 1
      if clients[slot].nullAnswersExpected < 0 || message["error"] == nil {
        violate("a client was sent an answer to nothing: \(message.serialized.prefix(200))")
      }
      return
    }
    guard let outstanding = clients[slot].outstanding.removeValue(forKey: id) else {
      let again = clients[slot].answered.contains(id)
      violate(
        "request \(value.serialized) was \(again ? "answered twice" : "answered before it was asked")"
      )
      return
    }
    clients[slot].answered.insert(id)
    statistics.answers += 1
    pushes.answered(
      outstanding.method, outstanding.params, isDone: message["result"] != nil)
    setValues.answered(outstanding.method, outstanding.params, message["result"])
    if let result = message["result"] {
      checkResult(result, of: outstanding, slot)
    } else if let error = message["error"].flatMap({ RPCError($0) }) {
      checkRefusal(error, of: outstanding)
    } else {
      violate("the answer to \(outstanding.method) has neither result nor error")
    }
  }

  private func checkRefusal(_ error: RPCError, of request: FakeClient.Outstanding) {
    statistics.refusals += 1
    let standard = [
      RPCError.Code.parse, RPCError.Code.invalidRequest, RPCError.Code.methodNotFound,
      RPCError.Code.invalidParams,
    ]
    if !standard.contains(error.code), WireErrorCode(rawValue: error.code) == nil {
      violate("\(request.method) was refused with the code \(error.code), which nobody documented")
    }
    if error.code == WireErrorCode.storeUnavailable.rawValue
      || error.code == WireErrorCode.stopping.rawValue
    {
      sendAgain(request)
    }
    switch WireErrorCode(rawValue: error.code) {
    case .storeUnavailable: ledger.refuse(request.sequence, request.claim)
    // One that was taken before goes on after the next start.
    case .stopping: ledger.settle(request.sequence, request.claim, .unsure)
    default: ledger.void(request.sequence, request.claim)
    }
  }

  /// Each push that was answered is what its widget shows, where no provider could replace it.
  private func checkPushes(after what: String) {
    let store = store
    let pushes = pushes
    if let broken = process?.daemon.lendEngine({ pushes.violation(on: store, in: $0) }) ?? nil {
      violate("after \(what): \(broken)")
    }
  }

  /// The values that each answered tap told are those of its widget.
  private func checkValues(after what: String) {
    // The widgets of a kind that changes its intent begin without values.
    guard !isActive(.evolvingKinds), !isActive(.brokenConfiguration) else { return }
    let store = store
    let setValues = setValues
    if let broken = process?.daemon.lendEngine({ setValues.violation(on: store, in: $0) }) ?? nil {
      violate("after \(what): \(broken)")
    }
  }

  /// A result tells of code that ran, or of code that certainly did not: never that it is to come.
  private func checkPerformed(_ performed: JSONValue?) {
    guard let performed else { return }
    let states = ["done", "failed", "unknown"]
    if !states.contains(performed["state"]?.stringValue ?? "") {
      violate("an intent was performed, and its state is \(performed["state"]?.serialized ?? "-")")
    }
    if performed["state"] != "done", performed["message"] == nil {
      violate("an intent was not performed, and nobody says why")
    }
  }

  private func checkClaim(of request: FakeClient.Outstanding) {
    let mayHaveWaited = lastConfigurationAt.map { request.sentAt <= $0 } ?? false
    ledger.settle(request.sequence, request.claim, .kept, mayHaveWaited: mayHaveWaited)
    statistics.claimsChecked += request.claim == .nothing ? 0 : 1
    if let broken = ledger.violation(of: request.claim, on: store) {
      violate("\(request.method) was answered, but \(broken)")
    }
  }

  private func attach(_ slot: Int, _ request: FakeClient.Outstanding) {
    clients[slot].isSurface = true
    clients[slot].isStack = request.params["stack"]?.boolValue ?? false
    clients[slot].noteVisibility(request)
    clients[slot].shown = [:]
  }

  private func checkResult(
    _ result: JSONValue, of request: FakeClient.Outstanding, _ slot: Int
  ) {
    checkClaim(of: request)
    checkNames(in: result, of: request)
    checkPerformed(result["performed"])
    switch request.method {
    case "widget.add", "widget.configure", "widget.push", "widget.reload", "widget.reloadAll",
      "widget.signal", "widget.setMode", "intent.send", "url.open":
      if request.method == "widget.add", request.claim == .nothing,
        let id = result["widget"]?["id"]?.stringValue, let sender = clients[slot].connection
      {
        ledger.keep(widget: id, for: sender)
      }
      if request.method == "widget.push" { checkPushes(after: "a push") }
      var receipts = (result["receipts"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
      if let id = result["receipt"]?["id"]?.stringValue { receipts.append(id) }
      receipts += (result["widgets"]?.arrayValue ?? []).compactMap { $0["receipt"]?.stringValue }
      ledger.promise(receipts: receipts)
      if let broken = ledger.violation(ofReceipts: receipts, on: store) {
        violate("\(request.method) was answered, but \(broken)")
      }
    case "widget.tap":
      statistics.valuesSet += result["values"] == nil ? 0 : 1
      checkValues(after: "a tap")
      if let id = result["receipt"]?["id"]?.stringValue { ledger.promise(receipts: [id]) }
      ledger.promise(
        receipts: (result["widgets"]?.arrayValue ?? []).compactMap { $0["receipt"]?.stringValue })
    case "widget.restore":
      guard let sender = clients[slot].connection else { return }
      for id in (result["widgets"]?.arrayValue ?? []).compactMap(\.stringValue)
      where !id.hasPrefix("suggestion:") && result["undone"] == "removed" {
        ledger.keep(widget: id, restoredBy: request.sequence, for: sender)
        if let broken = ledger.violation(
          of: .widget(id: id, exists: true, value: nil), on: store)
        {
          violate("\(request.method) was answered, but \(broken)")
        }
      }
    case "gallery.list": checkPreviews(result, request)
    case "surface.attach":
      attach(slot, request)
      mirror(result, slot)
    case "surface.visibility":
      clients[slot].noteVisibility(request)
    case "app.register":
      clients[slot].noteRegistration(request, result, isInBatch: isInBatch)
    default: break
    }
    checkEntries(in: result, request.method)
  }

  /// Each kind has the preview that was asked for, in time, and a placeholder has no data in it.
  private func checkPreviews(_ result: JSONValue, _ request: FakeClient.Outstanding) {
    guard request.params["previews"] == true else { return }
    for kind in result["kinds"]?.arrayValue ?? [] {
      guard let preview = kind["preview"], let content = preview["entry"]?["content"] else {
        return violate("the gallery has no preview of \(kind["kind"]?.serialized ?? "a kind")")
      }
      guard preview["isPlaceholder"] == true else { continue }
      let known = Set("{}[]\":,░").union("title subtitle text short titles items separator true")
      if content.serialized.contains(where: { !known.contains($0) }) {
        violate("a placeholder has data in it: \(content.serialized.prefix(200))")
      }
    }
  }

  /// No provider takes longer for a preview than it may.
  ///
  /// While memory starts over from the disk, the end of its time waits for that.
  func checkPreviewTimes() {
    guard process?.daemon.isStartingOver == false else { return }
    let latest = WidgetCenter.Limits.previewTimeMax + Self.wakeUpDelayMax
    for provider in process?.providers.values.map(\.self) ?? []
    where FakeProvider.previewMethods.contains(provider.run.method) && !provider.isCancelled
      && monotonic.milliseconds(since: provider.startedAt) > latest
    {
      violate("the preview of \(provider.run.kind) is being made for more than \(latest) ms")
    }
  }

  private func checkNotification(_ method: String, _ params: JSONValue, _ slot: Int) {
    statistics.notifications += 1
    guard DaemonNotification(rawValue: method) != nil else {
      violate("the notification '\(method)' is documented nowhere")
      return
    }
    if method == DaemonNotification.surfaceUpdate.rawValue {
      if clients[slot].isKnownBackedUp {
        violate("a surface that does not read was sent an update")
      }
      mirror(params, slot)
    }
    if method == DaemonNotification.appWidgetsChanged.rawValue { checkAppChange(params, slot) }
    checkEntries(in: params, method)
  }

  /// Each change of a widget is told once to each client that is its app.
  private func checkAppChange(_ params: JSONValue, _ slot: Int) {
    // Nobody knows what it registered as.
    guard !clients[slot].isWild else { return }
    statistics.appChanges += params["changes"]?.arrayValue?.count ?? 0
    // The answer to its registration may still wait for the others of its batch.
    if let broken = clients[slot].takeAppChange(params) { violate(broken) }
  }

  private func mirror(_ widgets: [SeenWidget], removed: [String], _ slot: Int) {
    for widget in widgets {
      if let id = widget.id { clients[slot].shown[id] = widget.shown }
    }
    for id in removed { clients[slot].shown[id] = nil }
  }

  private func mirror(_ update: JSONValue, _ slot: Int) {
    for widget in update["widgets"]?.arrayValue ?? [] {
      guard let id = widget["id"]?.stringValue else { continue }
      clients[slot].shown[id] = FakeClient.Shown(widget)
    }
    for id in update["removed"]?.arrayValue ?? [] {
      if let id = id.stringValue { clients[slot].shown[id] = nil }
    }
  }

  /// The latest date that a shown entry may have.
  private var latestDate: WallTime {
    var latest = now.wall
    // Said before the clock was set back, and on its way since.
    if let before = wallBeforeJump, monotonic.milliseconds(since: before.at) < 60_000 {
      latest = max(latest, before.wall)
    }
    // An answer in a batch may have waited hours for the others.
    if isInBatch { latest = max(latest, latestWall) }
    return latest
  }

  /// Nothing is shown before its date.
  private func checkDates(of widgets: [SeenWidget], _ method: String) {
    let latest = latestDate
    for widget in widgets where widget.hasEntry {
      guard let date = widget.date else {
        violate("\(method) shows an entry of the widget \(widget.id ?? "?") without a date")
        return
      }
      if date > latest {
        violate("\(method) shows at \(now.wall.rfc3339) the entry of \(date.rfc3339)")
      }
    }
  }

  /// Nothing is shown before its date.
  private func checkEntries(in value: JSONValue, _ method: String) {
    let latest = latestDate
    var entries = [value["entry"], value["widget"]?["entry"]]
    entries += (value["widgets"]?.arrayValue ?? []).map { $0["entry"] }
    if let current = value["current"]?.intValue, let all = value["entries"]?.arrayValue {
      entries.append(all[Int(current)])
    }
    for case let entry? in entries {
      if entry["view"] != nil, method != "surface.update", method != "surface.attach" {
        violate("\(method) has a view, which is for surfaces that want one")
      }
      guard let date = entry["date"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }) else {
        violate("\(method) shows an entry without a date: \(entry.serialized.prefix(200))")
        return
      }
      if date > latest {
        violate("\(method) shows at \(now.wall.rfc3339) the entry of \(date.rfc3339)")
      }
    }
  }

  // MARK: Turns

  func checkTurn(at now: Now) {
    if let late = routine.overdue(at: now.monotonic), process?.isReady == true,
      process?.isStopping == false, process?.daemon.lend({ $0.isStartingOver }) == false
    {
      violate(late)
    }
    // These checks may be sampled, because an inconsistency persists once it appears: a world of
    // days checks each 64th turn and compares with the disk each 1,024th, except in its calm phase.
    let isSeldom = span != nil && !isCalm
    if statistics.turns % (isSeldom ? 64 : 1) == 0 {
      let isThorough = statistics.turns % (isSeldom ? 1024 : 32) == 0
      // Sorted, since they come out of dictionaries: the same seed says the same.
      var wrong =
        process?.daemon.lend { $0.checkInvariants(isThorough: isThorough) } ?? []
      if isThorough, process?.daemon.lend({ $0.isSettled }) == true {
        let disk = store.disk
        comparisons += 1
        let round = comparisons
        wrong += process?.daemon.lend { $0.disagreements(with: disk, round: round) } ?? []
      }
      if let first = wrong.min() { violate(first) }
    } else if let wrong = process?.daemon.lend({ $0.checkLimits() }), let first = wrong.min() {
      violate(first)
    }
    if let wrong = process?.daemon.lendEngine({ Self.misplaced(in: $0) }) ?? nil { violate(wrong) }
    guard process?.isReady == true, process?.isStopping == false,
      process?.daemon.lend({ $0.isStartingOver }) == false,
      let next = process?.daemon.lendEngine({ $0.nextDeadline(at: now) }) ?? nil
    else { return }
    let armed = process?.armedAt
    // A millisecond of drift between the clocks is not worth a new timer.
    if let armed, armed.milliseconds(since: max(next, now.monotonic)) <= 2 { return }
    violate(
      "the engine has something to do at \(next.nanoseconds / 1_000_000)ms, and the wake-up is armed for \(armed.map { "\($0.nanoseconds / 1_000_000)ms" } ?? "no time")"
    )
  }

  /// Returns a widget that waits for a provider which it does not have, or shares its timeline then.
  private static func misplaced(in engine: borrowing WidgetEngine) -> String? {
    for (id, widget) in engine.widgets where engine.hasNoProvider(widget.kind) {
      if !widget.ownsTimeline { return "\(id) has no provider, and shares its timeline" }
      let shared = engine.timelines[widget.timelineKey]
      if shared?.dueAt != nil || shared?.isIdle == false {
        return "\(id) has no provider, and a reload of it is due or under way"
      }
    }
    return nil
  }

  /// Tells the shadow budgets the present timelines and their kinds' rules.
  func followBudgets(at now: WallTime) {
    guard let known = process?.followed,
      process?.daemon.lendEngine({ Self.isSame(&$0, known) }) == false,
      var budgets = process?.budgets
    else { return }
    // Moved out meanwhile, so that it is not copied when it changes.
    process?.budgets = [:]
    var followed: [FollowedBudget] = []
    let decided =
      process?.daemon.lendEngine { engine -> [TimelineKey] in
        followed.reserveCapacity(engine.timelines.count)
        for index in engine.timelines.indices {
          let budget = engine.timelines.values[index].budget
          followed.append(
            FollowedBudget(
              key: engine.timelines.keys[index], perDay: budget.perDay, spacing: budget.spacing,
              hours: budget.hours, isSpent: budget.lastSpentAt != nil))
        }
        return Self.follow(&budgets, &engine, at: now)
      } ?? []
    process?.budgets = budgets
    process?.followed = followed
    if !decided.isEmpty { process?.decidedBefore.formUnion(decided) }
  }

  /// Whether there is nothing to learn: the same timelines with the same rules.
  private static func isSame(_ engine: inout WidgetEngine, _ followed: [FollowedBudget]) -> Bool {
    guard engine.timelines.count == followed.count else { return false }
    var place = 0
    for index in engine.timelines.indices {
      let known = followed[place]
      place += 1
      let budget = engine.timelines.values[index].budget
      guard (budget.lastSpentAt != nil) == known.isSpent, known.perDay == budget.perDay,
        known.spacing == budget.spacing, known.hours == budget.hours,
        engine.timelines.keys[index] == known.key
      else { return false }
    }
    return true
  }

  /// Answers the timelines whose rules changed while a run of theirs was queued or begun.
  private static func follow(
    _ budgets: inout [TimelineKey: ShadowBudget], _ engine: inout WidgetEngine, at now: WallTime
  ) -> [TimelineKey] {
    var decided: [TimelineKey] = []
    // By index: neither looked up nor copied as a whole.
    for index in engine.timelines.indices {
      let key = engine.timelines.keys[index]
      let budget = engine.timelines.values[index].budget
      let known = budgets[key]
      // Never spent from and known: it was removed and placed again in one turn.
      let isNew = budget.lastSpentAt == nil && known?.wasUsed == true
      if known == nil || isNew {
        budgets[key] = ShadowBudget(
          perDay: budget.perDay, spacing: budget.spacing, hours: budget.hours, at: now)
      } else if known?.perDay != budget.perDay || known?.spacing != budget.spacing
        || known?.hours != budget.hours
      {
        // A run that was decided earlier is checked by the rules of that moment.
        if !engine.timelines.values[index].isIdle { decided.append(key) }
        budgets[key]?.configure(
          perDay: budget.perDay, spacing: budget.spacing, hours: budget.hours, at: now)
      }
    }
    if budgets.count > engine.timelines.count {
      budgets = budgets.filter { engine.timelines[$0.key] != nil }
    }
    return decided
  }

  /// Charges the shadow budgets for answers, except unchanged ones of kinds for which these are
  /// free.
  func payForAnswers(at now: Now) {
    guard process?.arrived.isEmpty == false else { return }
    for key in process?.arrived ?? [] {
      let isFree =
        process?.daemon.lendEngine { engine in
          guard let shared = engine.timelines[key] else { return false }
          return engine.rules(of: shared).unchangedIsFree && shared.recentRuns.last?.cost == 0
        } ?? false
      process?.budgets[key]?.spend(isFree: isFree, at: now.wall)
    }
    process?.arrived = []
    process?.followed = []
  }

  // MARK: Quiet

  /// Notes before each turn which clients may be visible surfaces.
  func noteVisibility() {
    // By index: a copy of a client counts its references.
    let isVisible = clients.indices.contains { slot in
      // Nobody knows what one of which the bytes are wild asked for: the daemon may show it widgets.
      clients[slot].isWild || clients[slot].isSurface && clients[slot].isVisible
        || clients[slot].outstanding.values.contains { $0.method.hasPrefix("surface.") }
    }
    if isVisible { lastVisibleAt = monotonic }
  }

  /// Checks that an automatic reload runs only for a watched widget or for the order of the stack.
  func checkIsWanted(_ key: TimelineKey, _ cause: ReloadCause) {
    guard let shared = process?.daemon.lendEngine({ $0.timelines[key] }) ?? nil else { return }
    // A first load, a request, or relevance allow it.
    guard shared.fetchedAt != nil, shared.waiting.isEmpty,
      key.mode == .expanded || shared.scoreMax <= 0
    else { return }
    noteVisibility()
    if let lastVisibleAt, monotonic.milliseconds(since: lastVisibleAt) < 1_000 { return }
    if let lastReadingAt, monotonic.milliseconds(since: lastReadingAt) <= 3_700_000 { return }
    violate("\(key.kind) \(key.family) was reloaded (\(cause.rawValue)) while nobody watched it")
  }

  func checkBudgetAllows(_ key: TimelineKey, _ cause: ReloadCause) {
    // A link pays, and need not wait after the last reload (docs/URLs.md).
    let isSpaced = cause != .link
    guard let objection = process?.budgets[key]?.objection(at: now.wall, isSpaced: isSpaced),
      process?.decidedBefore.remove(key) == nil
    else { return }
    // The rules may have changed and changed back within the turn that decided the run.
    if let rulesAskedAt, monotonic.milliseconds(since: rulesAskedAt) < 1_000 { return }
    violate(
      "a budgeted run (\(cause.rawValue)) of \(key.kind) \(key.family) was started \(objection)")
  }

  // MARK: Lives

  /// Checks after a restart that all promises hold on disk and in the new process.
  func checkPromises(after what: String) {
    guard let engine = process?.daemon.widgetEngine else { return }
    for sentence in ledger.violations(on: store, widgets: engine.widgets) {
      violate("after \(what): \(sentence)")
    }
    if let broken = pushes.violation(on: store, in: engine) { violate("after \(what): \(broken)") }
    checkValues(after: what)
    for (key, shared) in engine.timelines {
      var budget = ShadowBudget(
        perDay: shared.budget.perDay, spacing: shared.budget.spacing, hours: shared.budget.hours,
        at: now.wall)
      if let record = store.record(.timeline, key.text) { budget.restore(record) }
      process?.budgets[key] = budget
    }
    process?.followed = []
  }

  /// Checks after a restart that what a script showed before does not look new.
  func checkOldLooksOld() {
    guard let engine = process?.daemon.widgetEngine else { return }
    for (key, shared) in engine.timelines where engine.kinds[key.kind]?.provider.plugin != nil {
      if shared.entry(at: now.wall) != nil, !shared.isStale(at: now.wall) {
        violate("after a restart the old content of '\(key.text)' looks new")
      }
    }
  }

  /// Checks at the daemon's end that each request has its answer, and that all content is on disk.
  func checkStop() {
    guard process?.isReady == true else { return }
    if let stopBy = process?.stopBy,
      let lost = routine.lost(
        "the daemon stopped", since: stopBy.advanced(byMilliseconds: -Self.stopPatience),
        at: monotonic)
    {
      violate(lost)
    }
    for slot in clients.indices {
      let client = clients[slot]
      guard let connection = client.connection, !client.isWild, !client.isClosing else { continue }
      if let request = client.outstanding.values.min(by: { $0.sequence < $1.sequence }) {
        violate(
          "the daemon stopped and did not answer the \(request.method) of connection \(connection.number)"
        )
      }
    }
  }

  /// Milliseconds that a stop may take.
  static let stopPatience: Int64 = 60_000

  func checkPatience() {
    if let stopBy = process?.stopBy, monotonic > stopBy {
      violate("the daemon was asked to stop a minute ago and is still there")
    }
  }
}

extension FakeClient.Shown {
  init(_ widget: JSONValue) {
    func written(_ key: String) -> [UInt8]? {
      widget["entry"]?[key].map { value in
        var bytes: [UInt8] = []
        value.write(into: &bytes)
        return bytes
      }
    }
    self.init(
      content: written("content"), isStale: widget["stale"]?.boolValue ?? false,
      view: written("view"), mode: widget["mode"]?.stringValue, height: widget["height"]?.intValue)
  }
}
