import Downloads
import JSON
import Timekeeping

/// Answers that nothing is new.
///
/// Such an answer confirms what is shown: the entries stay, are not stale, and their `staleAfter`
/// counts anew. One that asks for files confirms nothing before they came, since its provider has not
/// looked yet. No surface hears of it. A run that nobody was promised leaves nothing behind that is
/// worth a transaction, so its timeline only joins the next one (`EngineOutput.unhurriedTimelines`,
/// decision 0032).
extension WidgetEngine {
  /// How soon the outcome of a run has to be on disk.
  enum OutcomeClass: Hashable, Sendable {
    /// A receipt or the history tells of it.
    case promised
    /// The interval of a plugin caused it, and nobody was promised it.
    case routine
    /// It brought nothing new, and nobody was promised it.
    case unhurried
  }

  /// Takes the answer of a provider that has nothing new.
  ///
  /// `policy`: says when to ask again; `nil`: the policy of the last answer goes on.
  mutating func acceptNoData(
    policy: TimelineReloadPolicy?, downloads: [DownloadOrder]?, for key: TimelineKey,
    cause: ReloadCause, at now: WallTime, into output: inout EngineOutput
  ) -> OutcomeClass {
    guard var shared = timelines[key] else { return .promised }
    tune(&shared, at: now)
    let before = shared.budget.balance(at: now)
    let isFree = rules(of: shared).unchangedIsFree
    let cost = cause.isExempt || isFree ? 0 : 1
    if !cause.isExempt { shared.spend(isFree: isFree, at: now) }
    shared.noteRun(.init(at: now, cause: cause, cost: cost, isUnchanged: true, hasNoData: true))
    counters[key.kind, default: KindCounters()].unchanged += 1
    // The store has to know the end of a failure, and the first answer of all.
    let isNews = shared.timeline == nil || shared.consecutiveFailures > 0
    let next = policy ?? shared.policyContinued(at: now)
    let isInterim = downloads?.isEmpty == false
    if !isInterim { shared.confirm(policy: next, at: now) }
    let waiting = takeOrders(
      downloads, isInterim: isInterim, ending: shared.takeWaiting() + shared.takeDeferred(),
      &shared, at: now, into: &output)
    scheduleByPolicy(next, &shared, lastDate: shared.timeline?.lastDate, at: now)
    timelines[key] = shared
    let isPromised = isNews || !waiting.isEmpty
    if isPromised {
      note(
        .reloadDone, of: shared, cause,
        [
          "cost": .int(Int64(cost)), "unchanged": true, "noData": true,
          "balanceBefore": rounded(before), "balanceAfter": rounded(shared.budget.balance(at: now)),
          "next": nextByItself(shared).map { .string($0.rfc3339) } ?? .null,
        ], into: &output)
    }
    for receipt in waiting { settle(receipt, .done, hasNoData: true, into: &output) }
    refreshShown(key, at: now, into: &output)
    return isPromised ? .promised : .unhurried
  }
}

extension SharedTimeline {
  /// Takes the files that came unchanged for the word of the provider that nothing is new.
  mutating func confirm(at now: WallTime) { confirm(policy: policyContinued(at: now), at: now) }

  /// The policy of the last answer as it goes on at `now`: after the same time again, at least the
  /// spacing of reloads.
  fileprivate func policyContinued(at now: WallTime) -> TimelineReloadPolicy {
    switch timeline?.policy {
    case .after(let date):
      let wait = fetchedAt.map { date.milliseconds(since: $0) } ?? 0
      return .after(now.advanced(byMilliseconds: max(wait, budget.spacing)))
    case .never: return .never
    case .atEnd, nil: return .atEnd
    }
  }
}
