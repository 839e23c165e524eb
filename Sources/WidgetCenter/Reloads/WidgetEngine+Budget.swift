package import JSON
import Plugins
package import Timekeeping

/// The rules that hold for a timeline, and its account of reloads.
extension WidgetEngine {
  /// The rules of the kind, with those of its widgets.
  ///
  /// Of several widgets that share a timeline the most generous rules hold.
  package func rules(of shared: SharedTimeline) -> ReloadRules {
    var rules = kinds[shared.key.kind]?.reload ?? ReloadRules()
    var isFirst = true
    for id in shared.widgets {
      guard let own = widgets[id]?.reload, !own.isEmpty else { continue }
      var mine = kinds[shared.key.kind]?.reload ?? ReloadRules()
      own.apply(to: &mine)
      if isFirst {
        rules = mine
        isFirst = false
      } else {
        if mine.perDay.upperBound > rules.perDay.upperBound { rules.perDay = mine.perDay }
        rules.spacing = min(rules.spacing, mine.spacing)
        rules.learning = max(rules.learning, mine.learning)
        rules.unchangedIsFree = rules.unchangedIsFree || mine.unchangedIsFree
      }
    }
    return rules
  }

  /// Whether the learning period after its placing still holds: it gets more reloads then.
  package func isLearning(_ shared: SharedTimeline, _ rules: ReloadRules, at now: WallTime) -> Bool
  {
    guard let placedAt = shared.placedAt, rules.perDay.count > 1 else { return false }
    return now < placedAt.advanced(byMilliseconds: rules.learning)
  }

  /// Sets the budget's rate by the present views, learning period and hours.
  func tune(_ shared: inout SharedTimeline, at now: WallTime) {
    let rules = rules(of: shared)
    shared.tune(
      perDay: rules.perDay(
        views: shared.views.perDay(at: now), isLearning: isLearning(shared, rules, at: now),
        isHalved: !savingCauses.isEmpty),
      spacing: rules.spacing,
      hours: RefillHours(
        mask: rules.activeHours.mask(learned: viewing.hourMask), zoneOffset: zoneOffset),
      at: now)
  }

  /// Replaces the rules that a widget has of its own.
  ///
  /// Saved tokens stay as far as they fit.
  package mutating func setReload(
    _ overrides: ReloadOverrides, of id: String, at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) {
    guard var widget = widgets[id] else { throw unknownWidget(id) }
    guard widget.reload != overrides else { return }
    widget.reload = overrides
    placed.replace(widget)
    output.dirtyWidgets.insert(id)
    output.note(.widgetReloadRules, ["widget": .string(id), "rules": .object(overrides.json)])
    for key in widget.timelineKeys { rulesChanged(of: key, at: now, into: &output) }
  }

  private mutating func rulesChanged(
    of key: TimelineKey, at now: WallTime, into output: inout EngineOutput
  ) {
    output.dirtyTimelines.insert(key)
    guard var shared = timelines[key] else { return }
    tune(&shared, at: now)
    if !shared.deferred.isEmpty, let dueAt = shared.dueAt {
      // The new rules may allow an earlier date than the old ones.
      shared.planDate(min(dueAt, shared.budget.earliest(at: now).date))
    }
    timelines[key] = shared
    plan(shared)
  }

  /// Returns the answer to `widget.budget`; throws `.unknownWidget`.
  package func budgetView(
    of id: String, in mode: WidgetMode = .compact, at now: WallTime
  ) throws(WidgetError) -> JSONObject {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    guard var shared = timelines[try key(of: widget, in: mode)] else { throw unknownWidget(id) }
    tune(&shared, at: now)
    let rules = rules(of: shared)
    let dayAgo = now.advanced(bySeconds: -86_400)
    let lately = shared.recentRuns.filter { $0.at > dayAgo }
    func count(_ isCounted: (SharedTimeline.RecentRun) -> Bool) -> JSONValue {
      var counts: JSONObject = [:]
      for cause in ReloadCause.allCases {
        let runs = lately.count { $0.cause == cause && isCounted($0) }
        if runs > 0 { counts[cause.rawValue] = .int(Int64(runs)) }
      }
      return .object(counts)
    }
    let allowed = allowance(of: shared, at: now)
    var object: JSONObject = [
      "id": .string(id), "capacity": .int(shared.budget.capacity),
      "balance": rounded(shared.budget.balance(at: now)),
      "perDay": .int(Int64(shared.budget.perDay)),
      "refillPerHour": rounded(shared.budget.refillPerHour(at: now)),
      "spacing": .double(Double(shared.budget.spacing) / 1000),
      "nextAt": .string(allowed.date.rfc3339),
    ]
    if let reason = allowed.reason { object["reason"] = .string(reason) }
    if hasNoProvider(widget.kind) { object["isPushed"] = true }
    object["schedule"] = plugin(of: shared.key).map { .string($0.scheduleWords) }
    if let refill = shared.budget.nextRefill(at: now) {
      object["nextRefill"] = .string(refill.rfc3339)
    }
    if !savingCauses.isEmpty {
      object["saving"] = .array(savingCauses.map { .string($0.rawValue) })
    }
    object["viewsPerDay"] = rounded(shared.views.perDay(at: now))
    if isLearning(shared, rules, at: now), let placedAt = shared.placedAt {
      object["learningUntil"] = .string(placedAt.advanced(byMilliseconds: rules.learning).rfc3339)
    }
    var own = ReloadOverrides()
    own.perDay = rules.perDay
    own.spacing = rules.spacing
    own.learning = rules.learning
    own.unchangedIsFree = rules.unchangedIsFree
    own.activeHours = rules.activeHours
    object["rules"] = .object(own.json)
    object["spent"] = count { $0.failure == nil && !$0.cause.isExempt }
    object["exempt"] = count { $0.failure == nil && $0.cause.isExempt }
    object["failed"] = count { $0.failure != nil }
    var runs = shared.recentRuns
    // Of the runs by an interval, which no history has, the last one is known.
    if shared.isRoutine, plugin(of: shared.key)?.isStream == false, let at = shared.fetchedAt,
      runs.last.map({ $0.at < at }) ?? true
    {
      runs.append(
        .init(at: at, cause: .interval, cost: 0, isUnchanged: shared.turn.isUnchanged))
    }
    object["runs"] = .array(
      runs.suffix(Limits.budgetRunsShown).reversed().map { run in
        var view: JSONObject = [
          "at": .string(run.at.rfc3339), "cause": .string(run.cause.rawValue),
          "cost": .int(Int64(run.cost)), "unchanged": .bool(run.isUnchanged),
        ]
        if run.hasNoData { view["noData"] = true }
        view["error"] = run.failure.map { .string($0) }
        view["stderr"] = run.stderr.map { .string($0) }
        return .object(view)
      })
    let next = nextReload(of: shared, at: now)
    if let date = next.date { object["nextReload"] = .string(date.rfc3339) }
    object["nextReason"] = .string(next.reason)
    if shared.consecutiveFailures > 0 {
      object["failures"] = .int(Int64(shared.consecutiveFailures))
    }
    object["failingSince"] = shared.failingSince.map { .string($0.rfc3339) }
    object["error"] = shared.failure.map { .string($0) }
    object["stderr"] = shared.stderr.map { .string($0) }
    if shared.hasDownloads { object["downloads"] = shared.downloads.troubleView }
    if shared.entry(at: now) == nil {
      object["hidden"] = hiddenReason(of: shared).map { .string($0.rawValue) }
    }
    object["runningSince"] = runningSince(widget.kind).map { .string($0.rfc3339) }
    object["omittedFrames"] = omissions(widget.kind).map { .object($0) }
    if let hold = hold(of: shared) {
      object["held"] = .string(hold.reason)
    } else if kinds[widget.kind] == nil {
      object["held"] = .string(
        "no manifest offers the kind \(widget.kind) now; put it back, or: intent-send remove \(id)")
    }
    if let quarantine = quarantineBook[widget.kind] {
      object["quarantine"] = .object(quarantine.json)
    }
    object["sharedBy"] = .array(shared.widgets.map { .string($0) })
    return object
  }

  /// Forgets all runs, before `replayRun` tells of them again.
  package mutating func forgetRuns() {
    for index in timelines.indices { timelines.values[index].forgetRuns() }
  }

  /// When a reload that is paid for may run, with the reason when that is later: the budget or a
  /// quarantine.
  private func allowance(
    of shared: SharedTimeline, at now: WallTime
  ) -> (date: WallTime, reason: String?) {
    let allowed = budgeted(shared, at: now)
    guard let end = releaseDate(of: shared, from: .policy), end > allowed.date else {
      return allowed
    }
    return (end, Self.quarantineReason)
  }

  /// When a reload that is paid for may run by the budget, with the reason when that is later.
  func budgeted(
    _ shared: SharedTimeline, isSpaced: Bool = true, at now: WallTime
  ) -> (date: WallTime, reason: String?) {
    shared.budget.earliest(at: now, isSpaced: isSpaced, saving: savingCauses.first)
  }

  private static let quarantineReason = "its provider is in quarantine"

  /// When the timeline reloads by itself and why; without a date, why it does not.
  ///
  /// The date follows from what is known now; tokens that are spent meanwhile make it later.
  private func nextReload(
    of shared: SharedTimeline, at now: WallTime
  ) -> (date: WallTime?, reason: String) {
    guard let kind = kinds[shared.key.kind] else { return (nil, "no manifest offers its kind") }
    if !kind.hasProvider {
      return (nil, "its kind has no provider: it shows what is pushed to it")
    }
    if plugin(of: shared.key)?.isStream == true, streams.isUnderWay(shared.key.kind) {
      return (nil, "it stays running, and shows what it prints")
    }
    switch shared.run {
    case .running(_, let cause): return (now, "it runs now: \(cause.rawValue)")
    case .queued(let cause): return (now, "it waits for a free place: \(cause.rawValue)")
    case .idle: break
    }
    if shared.dueAt == nil, let plugin = plugin(of: shared.key) {
      let isOnce = plugin.schedule == .once
      return (nil, isOnce ? "it runs once, and when somebody asks" : "it runs when somebody asks")
    }
    if let hold = hold(of: shared) { return (nil, hold.reason) }
    guard let wake = wakeMoment(of: shared), let dueAt = shared.dueAt else {
      let isNever = shared.timeline?.policy == .never
      return (
        nil, isNever ? "its policy is never: it waits until somebody asks" : "nobody asked for one"
      )
    }
    var asking = shared
    let allowed = earliest(shared.dueCause, &asking, at: now)
    if allowed.date > wake {
      let isQuarantined = releaseDate(of: shared, from: shared.dueCause) == allowed.date
      return (allowed.date, isQuarantined ? Self.quarantineReason : allowed.reason ?? "too early")
    }
    if let first = shared.deferred.first, case .deferred(_, let reason)? = receiptBook[first]?.state
    {
      let isQuarantined = quarantineBook[shared.key.kind].map { $0.until <= wake } ?? false
      return (wake, isQuarantined ? Self.quarantineReason : reason)
    }
    if shared.dueCause == .retry {
      let failures = shared.consecutiveFailures
      return (
        wake,
        failures > 1 ? "a retry, \(failures) runs in a row failed" : "a retry, the last run failed"
      )
    }
    let why =
      switch shared.dueCause {
      case .policy: "its policy"
      case .interval: "its interval, which spends no budget"
      default: shared.dueCause.rawValue
      }
    return (wake, wake > dueAt ? "\(why); while nobody watches it, once an hour at most" : why)
  }

  /// When a quarantine lets this cause through again; `nil` when none holds it.
  func releaseDate(of shared: SharedTimeline, from cause: ReloadCause) -> WallTime? {
    guard let quarantine = quarantineBook[shared.key.kind], quarantine.holds(cause) else {
      return nil
    }
    // The timelines of a kind do not all go at once when its quarantine ends.
    let spread = Int64(shared.key.spread % UInt64(Limits.overdueSpread))
    return quarantine.until.advanced(byMilliseconds: spread)
  }

  /// Notes a run of an earlier process, which the journal tells of, for `widget.budget`.
  package mutating func replayRun(
    of id: String, in mode: WidgetMode = .compact, _ run: SharedTimeline.RecentRun
  ) {
    guard let key = widgets[id]?.timelineKey(in: mode) else { return }
    timelines[key]?.noteRun(run)
  }

  /// The placed widgets whose last run failed, in the order of placing, as `daemon.status` lists
  /// them: the first `countMax`, and how many there are.
  ///
  /// O(widgets).
  package func failingView(countMax: Int) -> (list: [JSONValue], count: Int) {
    var list: [JSONValue] = []
    var count = 0
    for id in order {
      guard let widget = widgets[id], !widget.isSuggestion,
        let shared = timelines[widget.timelineKey], let failure = shared.failure
      else { continue }
      count += 1
      guard list.count < countMax else { continue }
      var view: JSONObject = [
        "id": .string(id), "kind": .string(widget.kind), "error": .string(failure),
      ]
      view["stderr"] = shared.stderr.map { .string($0) }
      view["failures"] = .int(Int64(shared.consecutiveFailures))
      view["since"] = shared.failingSince.map { .string($0.rfc3339) }
      list.append(.object(view))
    }
    return (list, count)
  }
}
