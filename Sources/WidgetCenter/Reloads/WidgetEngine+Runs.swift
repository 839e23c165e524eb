import Downloads
import JSON
package import Plugins
package import Timekeeping

/// Starting runs and reading their outcomes.
extension WidgetEngine {
  mutating func startRuns(at now: Now, into output: inout EngineOutput) {
    while let next = runs.popNext() {
      let key = next.key
      // A key may be in both queues, because its cause became urgent, and its widget may be
      // removed.
      guard var shared = timelines[key], case .queued(let cause) = shared.run else { continue }
      guard let provider = kinds[key.kind]?.provider else {
        // The reload is due when the kind comes back.
        shared.leaveQueue(dueAt: now.wall, .policy)
        shared.forgetClicks()
        timelines[key] = shared
        dropWaiting(key, "no manifest offers the kind \(key.kind) any more", into: &output)
        continue
      }
      if isMasked(key.kind) {
        // The session was locked while it waited.
        shared.leaveQueue(dueAt: now.wall, cause)
        askWhenUnlocked(&shared, cause, receipt: nil, at: now.wall, into: &output)
        timelines[key] = shared
        dropWaiting(key, Self.lockedReason, into: &output)
        continue
      }
      if isStream(key.kind) {
        // Its kind became a stream while it waited.
        shared.leaveQueue(dueAt: now.wall, .interval)
        join(&shared, cause, receipt: nil, into: &output)
        timelines[key] = shared
        continue
      }
      if cause.isAutomatic, shared.waiting.isEmpty {
        // The widget left the view, or the network went, while the timeline waited.
        var held = shared
        held.leaveQueue(dueAt: now.wall, cause)
        if hold(of: held) != nil {
          timelines[key] = held
          output.dirtyTimelines.insert(key)
          continue
        }
      }
      noteStart(&shared, cause, at: now, into: &output)
      let token = runs.start(
        key, provider, isQuick: next.isQuick, at: now.monotonic,
        until: now.monotonic.advanced(byMilliseconds: provider.timeout))
      let plugin = provider.plugin == nil ? nil : pluginRequest(&shared, cause)
      let files = plugin == nil ? shared.tellRunOfDownloads() : []
      shared.begin(token, cause)
      timelines[key] = shared
      counters[key.kind, default: KindCounters()].runs += 1
      if let plugin {
        var run = ProviderRun(
          token: token, kind: key.kind, family: key.family, provider: provider, request: [])
        run.plugin = plugin
        output.runs.append(run)
        continue
      }
      var request = ProviderRequest(
        request: .timeline, kind: key.kind, family: key.family, intent: shared.configuration.json,
        locale: locale, textSize: textSize, displaySize: displaySize(of: key.family),
        now: now.wall)
      request.values = shared.values
      if kinds[key.kind]?.hasModes == true {
        request.room = .init(mode: key.mode, maximumSize: maximumSize(of: shared))
      }
      request.downloads = files
      request.wantsView = kinds[key.kind]?.wantsView == true
      var bytes: [UInt8] = []
      request.json.write(into: &bytes)
      output.runs.append(
        ProviderRun(
          token: token, kind: key.kind, family: key.family, provider: provider, request: bytes)
      )
    }
  }

  /// Takes the outcome of a run.
  ///
  /// Tokens that are not running are ignored: a second answer changes nothing.
  /// `diagnostics` is the standard error of a run that answered: it matters when the answer is no
  /// timeline.
  package mutating func runEnded(
    _ token: RunToken, _ outcome: Result<[UInt8], ProviderFailure>, diagnostics: String = "",
    at now: Now, into output: inout EngineOutput
  ) {
    guard let ended = runs.end(token) else {
      return streamEnded(
        token, outcome.map { PluginOutput($0, diagnostics: diagnostics) }, at: now, into: &output)
    }
    let key = ended.key
    guard let shared = timelines[key], case .running(let current, let cause) = shared.run,
      current == token
    else { return }

    let result: RunResult
    switch outcome {
    case .failure(let failure):
      result = .failed(judge(failure, of: ended))
      timelines[key]?.turn.isQuick = false
    case .success(let bytes):
      result = RunResult(
        Self.readAnswer(
          bytes, diagnostics: diagnostics, at: now.wall, known: { pictures(ofKind: key.kind) }))
    }
    take(result, of: ended, cause: cause, at: now, into: &output)
  }

  /// The result of a run, as it was read.
  enum RunResult {
    case newData(Answer)
    /// Nothing is new; `policy` says when to ask again, `nil`: as before.
    case noData(policy: TimelineReloadPolicy?, downloads: [DownloadOrder]?)
    case failed(ProviderFailure)

    init(_ printed: Result<Answer, ProviderFailure>) {
      switch printed {
      case .success(let answer): self = .newData(answer)
      case .failure(let failure): self = .failed(failure)
      }
    }

    init(_ read: Result<ProviderAnswer, ProviderFailure>) {
      switch read {
      case .failure(let failure): self = .failed(failure)
      case .success(let answer):
        switch answer.result {
        case .newData(let timeline):
          var good = Answer(timeline, of: answer)
          good.preferredHeight = answer.preferredHeight
          good.downloads = answer.downloads
          self = .newData(good)
        case .noData(let policy): self = .noData(policy: policy, downloads: answer.downloads)
        case .failed(let reason): self = .failed(ProviderFailure(.reported(reason)))
        }
      }
    }
  }

  /// Takes the answer of a run that ended, or its failure.
  ///
  /// It was judged by the provider as it was started. When the manifest offers another one by now,
  /// a run of that follows, and this one says nothing about how well it works.
  mutating func take(
    _ result: RunResult, of ended: RunQueue.End, cause: ReloadCause,
    at now: Now, into output: inout EngineOutput
  ) {
    let key = ended.key
    let isOffered = kinds[key.kind]?.provider == ended.provider
    // A request that waits for the run is told of its end, so its end has to last. A menu that was
    // opened shows the items, and promises nothing.
    let isRoutine =
      (cause == .interval || cause == .menu) && timelines[key]?.waiting.isEmpty ?? true
    var outcome = isRoutine ? OutcomeClass.routine : .promised
    switch result {
    case .newData(let answer):
      if isOffered { noteSuccess(key.kind, at: now.wall, into: &output) }
      accept(
        answer, for: key, cause: cause, isRoutine: isRoutine, at: now.wall, into: &output)
    case .noData(let policy, let downloads):
      if isOffered { noteSuccess(key.kind, at: now.wall, into: &output) }
      outcome = acceptNoData(
        policy: policy, downloads: downloads, for: key, cause: cause, at: now.wall, into: &output)
    case .failed(let failure):
      reject(
        failure, for: key, cause: cause, isRoutine: isRoutine,
        isCounted: isOffered && ended.provider.plugin == nil, at: now.wall, into: &output)
    }
    if cause == .menu { output.menuRuns.formUnion(timelines[key]?.widgets ?? []) }
    finish(key, outcome, at: now.wall, into: &output)
    withdrawIfEmpty(key, at: now.wall, into: &output)
    startRuns(at: now, into: &output)
  }

  /// Says of a run that the engine cancelled why it did so.
  private func judge(_ failure: ProviderFailure, of ended: RunQueue.End) -> ProviderFailure {
    guard failure.reason == .cancelled else { return failure }
    var failure = failure
    if ended.hasTimedOut {
      failure.reason = .timedOut(after: ended.provider.timeout)
    } else if ended.madeRoom {
      failure.reason = .crowdedOut
    }
    return failure
  }

  /// Reads a provider's answer; a failure carries the standard error, `diagnostics`.
  ///
  /// An answer that says `failed` is a failure. `now` is the moment for which an error writes its
  /// example; `known` returns the pictures that the kind shows now.
  package static func readAnswer(
    _ bytes: [UInt8], diagnostics: String = "", at now: WallTime? = nil,
    known: () -> [PluginPicture]? = { nil }
  ) -> Result<ProviderAnswer, ProviderFailure> {
    func failure(_ what: String) -> Result<ProviderAnswer, ProviderFailure> {
      .failure(ProviderFailure(.badAnswer(what), diagnostics: diagnostics))
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes)
    } catch {
      return failure(AnswerAdvice.sentence(onOutput: bytes, error, at: now))
    }
    switch ProviderAnswer.read(value, at: now, known: known) {
    case .failure(let error): return failure(error.message)
    case .success(let answer):
      if case .failed(let reason) = answer.result {
        return .failure(ProviderFailure(.reported(reason), diagnostics: diagnostics))
      }
      return .success(answer)
    }
  }

  /// A good answer arrived, from a run or from a producer.
  ///
  /// `isRoutine`: an interval caused the run and nobody was promised anything. Nobody asked for it,
  /// nothing is paid for it, and it comes again soon, so it has no history.
  mutating func accept(
    _ answer: Answer, for key: TimelineKey, cause: ReloadCause, isRoutine: Bool = false,
    isPushed: Bool = false, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var shared = timelines[key] else { return }
    var answer = answer
    if let warning = fitViews(of: &answer.timeline, for: key) {
      answer.pictureWarnings.append(warning)
    }
    let timeline = answer.timeline
    if !isRoutine { tune(&shared, at: now) }
    let before = isRoutine ? 0 : shared.budget.balance(at: now)
    let isUnchanged =
      shared.timeline.map { before in
        guard timeline.entries.isEmpty, !answer.isWhole else {
          return before.showsSame(as: timeline, from: now)
        }
        return timeline.windows.isEmpty
          || before.windowsLeft(at: now) == timeline.windowsLeft(at: now)
      } ?? false
    let isFree = isUnchanged && rules(of: shared).unchangedIsFree
    let cost = cause.isExempt || isFree ? 0 : 1
    if !cause.isExempt { shared.spend(isFree: isFree, at: now) }
    if !isRoutine {
      shared.noteRun(.init(at: now, cause: cause, cost: cost, isUnchanged: isUnchanged))
    }
    if isUnchanged { counters[key.kind, default: KindCounters()].unchanged += 1 }
    shared.turn.end = answer.end
    shared.turn.isUnchanged = isUnchanged
    shared.accept(timeline, isWhole: answer.isWhole, isRoutine: isRoutine, at: now)
    // Without entries the old ones stay, with the height that they want.
    if !timeline.entries.isEmpty || answer.preferredHeight != nil,
      shared.keep(preferredHeight: answer.preferredHeight), key.mode == .expanded
    {
      noteChange(of: shared, in: &output)
    }
    shared.keep(state: answer.state)
    keep(answer, in: &shared)
    claims.forget(shared.number)
    // The order depends on the declared score and on the highest one that the kind ever declared.
    if noteScale(shared) { output.stackChanged = true }
    // Deferred requests exist here only when a producer pushed, which brings what they wait for.
    let ended = shared.takeWaiting() + shared.takeDeferred()
    // A push says nothing about files: those that the provider asked for are still to come.
    let waiting =
      isPushed
      ? ended : takeOrders(answer.downloads, ending: ended, &shared, at: now, into: &output)
    // Without them, a stream that nobody watches is wanted no longer.
    if !waiting.isEmpty { streams.lookSoon() }
    if let plugin = plugin(of: key) {
      scheduleByRule(plugin, &shared, at: now)
    } else {
      scheduleByPolicy(timeline.policy, &shared, lastDate: timeline.lastDate, at: now)
    }
    timelines[key] = shared
    if !isRoutine {
      var fields: JSONObject = [
        "cost": .int(Int64(cost)),
        "unchanged": .bool(isUnchanged), "balanceBefore": rounded(before),
        "balanceAfter": rounded(shared.budget.balance(at: now)),
        "next": nextByItself(shared).map { .string($0.rfc3339) } ?? .null,
      ]
      if isPushed { fields["pushed"] = true }
      // A client that pushes gets them in its answer.
      if !isPushed, let warning = answer.pictureWarnings.first {
        fields["warning"] = .string(warning)
      }
      note(.reloadDone, of: shared, cause, fields, into: &output)
    }
    for receipt in waiting { settle(receipt, .done, into: &output) }
    refreshShown(key, at: now, into: &output)
  }

  /// `isCounted`: it is one of those in a row that lead to a quarantine.
  private mutating func reject(
    _ failure: ProviderFailure, for key: TimelineKey, cause: ReloadCause, isRoutine: Bool,
    isCounted: Bool, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var shared = timelines[key] else { return }
    if failure.reason == .cancelled, shared.isAbandoned { return }
    let stderr = failure.stderr
    let isTold = !isRoutine || shared.tellsFailure(at: now)
    shared.fail(failure.message, stderr: stderr, cause, isTold: isTold, at: now)
    shared.turn.end = .failed
    shared.runToldOfDownloadsFailed(isReported: failure.reason.isReported)
    counters[key.kind, default: KindCounters()].failures += 1
    if let plugin = plugin(of: key) { scheduleByRule(plugin, &shared, at: now) }
    timelines[key] = shared
    var fields: JSONObject = [
      "reason": .string(failure.message),
      "failures": .int(Int64(shared.consecutiveFailures)),
      "next": nextByItself(shared).map { .string($0.rfc3339) } ?? .null,
    ]
    fields["stderr"] = stderr.map { .string($0) }
    if !failure.diagnostics.isEmpty { fields["diagnostics"] = .string(failure.diagnostics) }
    if isTold { note(.reloadFailed, of: shared, cause, fields, into: &output) }
    if isCounted { noteFailure(key.kind, at: now, into: &output) }
    dropWaiting(key, failure.message, stderr: stderr, into: &output)
    refreshShown(key, at: now, into: &output)
  }

  mutating func dropWaiting(
    _ key: TimelineKey, _ reason: String, stderr: String? = nil, into output: inout EngineOutput
  ) {
    let waiting = (timelines[key]?.takeWaiting() ?? []) + takeHeldReceipts(key)
    for receipt in waiting {
      settle(receipt, .dropped(reason: reason), stderr: stderr, into: &output)
    }
  }

  /// Sets a timeline idle, then asks for the run that was requested meanwhile.
  private mutating func finish(
    _ key: TimelineKey, _ outcome: OutcomeClass, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var shared = timelines[key] else { return }
    let next = shared.endRun()
    timelines[key] = shared
    plan(shared)
    switch outcome {
    case .promised: output.dirtyTimelines.insert(key)
    case .routine: output.routineTimelines.insert(key)
    case .unhurried: output.unhurriedTimelines.insert(key)
    }
    if shared.widgets.isEmpty {
      for receipt in next.receipts {
        settle(receipt, .dropped(reason: "the widget was removed"), into: &output)
      }
      removeTimeline(key, into: &output)
      return
    }
    if let cause = next.cause {
      ask(key, cause, receipt: next.receipts.first, at: now, into: &output)
    } else if shared.clickCount > 0 {
      // The receipts of clicks are settled together; each click has a run all the same.
      ask(key, .tap, receipt: nil, at: now, into: &output)
    }
  }

  /// Next reload by the timeline's policy.
  ///
  /// `after` gets up to 5 % later (never earlier), so that
  /// widgets of one server do not ask it all at once.
  mutating func scheduleByPolicy(
    _ policy: TimelineReloadPolicy, _ shared: inout SharedTimeline, lastDate: WallTime?,
    at now: WallTime
  ) {
    // Nobody can be asked, whatever the policy of a timeline that was pushed.
    if hasNoProvider(shared.key.kind) || widgets[shared.widgets.first ?? ""]?.ownsTimeline == true {
      shared.plan(at: nil, .policy)
      return plan(shared)
    }
    let soonest = now.advanced(byMilliseconds: shared.budget.spacing)
    switch policy {
    case .never: shared.plan(at: nil, .policy)
    case .atEnd: shared.plan(at: max(lastDate ?? soonest, soonest), .policy)
    case .after(let date):
      let wait = max(0, date.milliseconds(since: now))
      let jitter =
        wait < 1
        ? 0 : Int64(shared.key.spread % UInt64(max(1, min(wait / 20, Limits.policyJitterMax))))
      shared.plan(at: max(date, now).advanced(byMilliseconds: jitter), .policy)
    }
    plan(shared)
  }

  /// Brings the shown entry up to `now`; surfaces hear of it only if it looks different.
  mutating func refreshShown(_ key: TimelineKey, at now: WallTime, into output: inout EngineOutput)
  {
    guard var shared = timelines[key] else { return }
    let entry = shared.entry(at: now)
    let isStale = shared.isStale(at: now)
    let isSameEntry = entry?.showsSame(as: shared.shown) ?? (shared.shown == nil)
    let isHidden = entry == nil && hiddenReason(of: shared) != nil
    let looksSame =
      isSameEntry && isStale == shared.shownIsStale && isHidden == shared.shownIsHidden
    if !isSameEntry {
      shared.revise(revisions.next(at: now))
      noteUrgent(entry, of: shared, into: &output)
    }
    if !looksSame { noteChange(of: shared, in: &output) }
    if key.mode == .expanded {
      // It has no say in the order of the stack.
      shared.show(entry, isStale: isStale, isHidden: isHidden, ranked: DeclaredRelevance())
      timelines[key] = shared
      return deadlines.planChange(of: shared.number, at: nextChange(of: shared, after: now))
    }
    // A suggestion is in the order while it has something to show, and a hidden widget has no place
    // among the few of a bar.
    if (entry == nil) != (shared.shown == nil) || isHidden != shared.shownIsHidden {
      output.stackChanged = true
    }
    let declared = declared(by: shared, at: now)
    if !(shared.ranked.map { $0.ranksSame(as: declared) } ?? false) { output.stackChanged = true }
    shared.show(entry, isStale: isStale, isHidden: isHidden, ranked: declared)
    timelines[key] = shared
    let next = nextChange(of: shared, after: now)
    deadlines.planChange(of: shared.number, at: next)
    claims.note(
      StackClaims.Claim(declared: declared, scale: shared.scale, from: now, until: next),
      of: shared.number)
  }
}
