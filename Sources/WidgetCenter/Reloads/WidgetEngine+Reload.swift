package import JSON
package import Timekeeping

/// Decides when a provider runs: now, later, together with another request, or not at all.
extension WidgetEngine {
  /// Asks for a new timeline of one widget; the receipt says at once whether it runs or waits.
  package mutating func requestReload(
    of id: String, cause: ReloadCause, at now: WallTime,
    into output: inout EngineOutput
  ) throws(WidgetError) -> Receipt {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    let receipt = receiptBook.open(for: widget, cause, at: now, into: &output)
    ask(widget.timelineKey, cause, receipt: receipt.id, at: now, into: &output)
    askExpanded(id, cause, at: now, into: &output)
    return receiptBook[receipt.id] ?? receipt
  }

  /// One decision for one request.
  ///
  /// See the drawing in `SharedTimeline`.
  mutating func ask(
    _ key: TimelineKey, _ cause: ReloadCause, receipt: ReceiptID?, at now: WallTime,
    into output: inout EngineOutput
  ) {
    if isLeftAlone(key, cause) {
      return showUntilAsked(key, cause, receipt: receipt, at: now, into: &output)
    }
    guard var shared = timelines[key] else { return }
    defer { timelines[key] = shared }
    guard kinds[key.kind] != nil else {
      if let receipt {
        settle(
          receipt, .dropped(reason: "no manifest offers the kind \(key.kind) at the moment"),
          into: &output)
      }
      return
    }
    if hasNoProvider(key.kind) {
      if let receipt { settle(receipt, Self.withoutProvider(cause, key.kind), into: &output) }
      return
    }
    if hasProblem(shared) {
      if let receipt {
        let problem = shared.widgets.first.flatMap { widgets[$0]?.problem } ?? ""
        settle(receipt, .dropped(reason: "it has to be configured anew: \(problem)"), into: &output)
      }
      return
    }

    if shared.isIdle, isMasked(key.kind) {
      return askWhenUnlocked(&shared, cause, receipt: receipt, at: now, into: &output)
    }

    switch shared.run {
    case .queued(let earlier):
      if let receipt, let leader = shared.wait(receipt) {
        settle(receipt, .coalesced(into: leader), into: &output)
      }
      if cause.urgency > earlier.urgency {
        // It stands in a queue of lower urgency too, and is dropped when its turn comes there.
        shared.requeue(for: cause)
        runs.enqueue(key, cause.urgency)
      } else if cause == .menu {
        // The run is told that the menu is open, whoever asked for it before.
        shared.requeue(for: cause)
      }

    case .running(_, .menu) where cause == .menu:
      // It began for a menu that is open; a script that hangs has one run for all of them.
      break

    case .running where cause == .mode:
      // Nothing changed that the run did not see: it brings what there is nothing of yet.
      if let receipt, let leader = shared.wait(receipt) {
        settle(receipt, .coalesced(into: leader), into: &output)
      }

    case .running:
      // The run may have read its data before the reason for this request came up, so another run
      // follows.
      if let receipt, let leader = shared.waitForNext(receipt) {
        settle(receipt, .coalesced(into: leader), into: &output)
      }
      shared.wantNext(cause)

    case .idle:
      let allowed = earliest(cause, &shared, at: now)
      if allowed.date <= now, isStream(key.kind) {
        join(&shared, cause, receipt: receipt, into: &output)
      } else if allowed.date <= now {
        if let receipt { _ = shared.wait(receipt) }
        enqueue(key, cause, &shared)
      } else {
        let reason = allowed.reason ?? "too early"
        // Links come by the thousand; the history has the first of those that wait.
        let isTold = cause != .link || shared.deferred.isEmpty
        if let receipt {
          if let leader = shared.postpone(receipt) {
            settle(receipt, .coalesced(into: leader), into: &output)
          } else {
            settle(receipt, .deferred(until: allowed.date, reason: reason), into: &output)
          }
        } else if let leader = shared.deferred.first {
          // Its time came, and the budget allows less than when the request was put off.
          settle(leader, .deferred(until: allowed.date, reason: reason), into: &output)
        }
        if shared.dueAt.map({ allowed.date < $0 }) ?? true || cause == .policy {
          shared.plan(at: allowed.date, cause)
        }
        plan(shared)
        counters[key.kind, default: KindCounters()].deferrals += 1
        if !cause.isExempt,
          shared.budget.earliest(at: now, isSpaced: cause.keepsSpacing).date > now
        {
          counters[key.kind, default: KindCounters()].skippedByBudget += 1
        }
        output.dirtyTimelines.insert(key)
        guard isTold else { break }
        note(
          .reloadDeferred, of: shared, cause,
          [
            "until": .string(allowed.date.rfc3339),
            "reason": .string(reason), "balance": rounded(shared.budget.balance(at: now)),
          ], into: &output)
      }
    }
  }

  /// When a request may run, and why not before: the budget, a quarantine, the network.
  func earliest(
    _ cause: ReloadCause, _ shared: inout SharedTimeline, at now: WallTime
  ) -> (date: WallTime, reason: String?) {
    // Tunes once a moment: thousands of widgets may share a timeline, each with a request and rules
    // of its own.
    if shared.tunedAt != now {
      tune(&shared, at: now)
      shared.noteTuning(at: now)
    }
    var allowed =
      cause.isExempt
      ? (date: now, reason: nil)
      : budgeted(shared, isSpaced: cause.keepsSpacing, at: now)
    let kind = shared.key.kind
    if let quarantine = quarantineBook[kind], quarantine.until > allowed.date,
      let end = releaseDate(of: shared, from: cause)
    {
      allowed = (
        end,
        "the provider is in quarantine until \(quarantine.until.rfc3339): \(quarantine.reason)"
      )
    }
    if kinds[kind]?.needsNetwork == true, !networkIsUp, !cause.isPersonal {
      // After `Limits.networkPatience` the provider is tried anyway, since the news about the
      // network may be wrong. Requests that come before that wait with the others.
      let isWaiting = shared.waitsForNetwork && !shared.deferred.isEmpty
      if isWaiting, shared.dueAt == nil { return allowed }
      let patience =
        isWaiting ? shared.dueAt ?? now : now.advanced(byMilliseconds: Limits.networkPatience)
      if patience > allowed.date {
        shared.waitForNetwork()
        allowed = (patience, "the provider needs the network, which is down")
      }
    }
    return allowed
  }

  /// A policy, a retry or a deferral came due.
  mutating func reloadDue(_ key: TimelineKey, at now: WallTime, into output: inout EngineOutput) {
    guard var shared = timelines[key], shared.dueAt != nil, wakeMoment(of: shared) != nil else {
      return
    }
    let cause = shared.takeDue()
    timelines[key] = shared
    ask(key, cause, receipt: nil, at: now, into: &output)
  }

  /// Plans one reload for all that were missed, at a moment of its own so that not all go at once.
  mutating func spreadOverdue(
    _ key: TimelineKey, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var shared = timelines[key], shared.isIdle, let dueAt = shared.dueAt, dueAt <= now,
      shared.dueCause != .interval
    else { return }
    shared.planDate(
      now.advanced(byMilliseconds: 1 + Int64(key.spread % UInt64(Limits.overdueSpread - 1))))
    timelines[key] = shared
    plan(shared)
  }

  /// Brings back a due date that a clock ahead of `now` gave: it may be years away.
  mutating func judgeDueDate(_ key: TimelineKey, at now: WallTime, into output: inout EngineOutput)
  {
    guard var shared = timelines[key] else { return }
    let isAhead = shared.fetchedAt.map { $0 > now } ?? false
    if shared.clockChanged(at: now) { output.dirtyTimelines.insert(key) }
    if let plugin = plugin(of: key), followClock(plugin, &shared, isAhead: isAhead, at: now) {
      output.dirtyTimelines.insert(key)
    }
    timelines[key] = shared
    plan(shared)
  }

  private mutating func enqueue(
    _ key: TimelineKey, _ cause: ReloadCause, _ shared: inout SharedTimeline
  ) {
    deadlines.planReload(of: shared.number, at: nil)
    shared.queue(for: cause)
    if cause == .interval, shared.turn.isQuick { return runs.enqueueQuick(key) }
    runs.enqueue(key, cause.urgency)
  }

  /// Moves a receipt to `state`.
  mutating func settle(
    _ id: ReceiptID, _ state: Receipt.State, stderr: String? = nil, hasNoData: Bool = false,
    into output: inout EngineOutput
  ) {
    receiptBook.settle(id, state, stderr: stderr, hasNoData: hasNoData, into: &output)
  }

  /// The receipt as it goes over the wire; a coalesced one may have its leader's state as `leader`.
  package func view(of receipt: Receipt) -> JSONObject { receiptBook.view(of: receipt) }

  /// The receipt whose run serves `id`: its own, or the one that it was coalesced into.
  package func leader(of id: ReceiptID) -> Receipt? { receiptBook.leader(of: id) }
}

func rounded(_ value: Double) -> JSONValue { .double((value * 100).rounded() / 100) }
