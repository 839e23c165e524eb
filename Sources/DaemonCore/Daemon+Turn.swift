import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Turns the engine's decisions into effects, ends turns, and stops the daemon.
extension Daemon {
  /// Turns the engine's decisions into effects, journal entries, writes, news for surfaces, and
  /// answers.
  mutating func apply(_ output: EngineOutput, at now: Now, into effects: inout [Effect]) {
    for run in output.runs { carryOut(.runProvider(run), into: &effects) }
    for token in output.cancellations { cancel(token, into: &effects) }
    carryOutDownloads(output, into: &effects)
    for note in output.journal {
      journal.append(note.event, at: now.wall, fields: note.fields)
      if note.decision == .reloadFailed, !note.isPrivate {
        var line = LogLine(
          .warning, "provider.failed",
          [
            "kind": note.fields["kind"]?.stringValue ?? "",
            "reason": note.fields["reason"]?.stringValue ?? "",
          ])
        if let stderr = note.fields["stderr"]?.stringValue {
          line.fields.append(LogLine.Field(key: "stderr", value: stderr))
        }
        effects.append(.log(line))
      }
      if note.decision.isForLog {
        let fields = note.fields.members.map { member in
          LogLine.Field(
            key: member.key, value: member.value.stringValue ?? member.value.serialized)
        }
        var line = LogLine(.warning, note.event)
        line.fields = fields
        effects.append(.log(line))
      }
    }
    for (name, value) in output.settings.sorted(by: { $0.key < $1.key }) {
      writes.put(.setting, name, value)
    }
    // The store's log must lose the forgotten donations and the acts in private mode.
    if output.donations.contains(where: { $0.record == nil }) || output.settings["private"] != nil {
      writes.append([.scrub])
    }
    for donation in output.donations {
      if let record = donation.record {
        writes.put(.donation, Self.donationKey(donation.number), record)
      } else {
        writes.remove(.donation, Self.donationKey(donation.number))
      }
    }
    writes.mark(
      DirtyRecords(
        widgets: output.dirtyWidgets, timelines: output.dirtyTimelines, views: output.dirtyViews,
        receipts: output.dirtyReceipts, forgottenReceipts: output.forgottenReceipts),
      as: .promised, at: now.monotonic)
    writes.mark(
      DirtyRecords(timelines: output.routineTimelines, previews: output.routinePreviews),
      as: .deferred, at: now.monotonic)
    writes.mark(
      DirtyRecords(timelines: output.unhurriedTimelines), as: .unhurried, at: now.monotonic)
    if output.stackChanged { stackOrders.forgetOrders() } else { stackOrders.forgetAnswers() }
    noteForSurfaces(output)
    notifyOfUrgent(output.urgentWidgets, at: now, into: &effects)
    if !output.removedWidgets.isEmpty {
      urgentNotices.keep { [engine] in engine.widgets[$0] != nil }
    }
    appWidgets.note(output.dirtyWidgets)
    // A widget may come or go, or get another family, and be expanded somewhere.
    if !output.dirtyWidgets.isEmpty, !engine.expandedWidgets.isEmpty || surfaces.hasExpanded {
      surfaces.noteOtherModes()
    }
    if output.previewsEnded { answerGalleries(at: now) }
    if !output.menuRuns.isEmpty { answerMenus(of: output.menuRuns, at: now) }
    if !output.receipts.isEmpty {
      receiptsChanged(output.receipts, at: now)
      settleCallbacks(at: now, into: &effects)
      settleTapReloads(at: now, into: &effects)
    }
  }

  /// Ends the turn: makes the next slices, tells the surfaces, puts the writes into one
  /// transaction, sends the lines, and arms the next wake-up.
  mutating func endTurn(at now: Now, into effects: inout [Effect]) {
    statistics.countTurn()
    defer { work.endTurn() }
    guard startingOver == nil else {
      // Memory is about to be replaced: only the refusals leave.
      outbox.endTurn(into: &effects)
      return
    }
    boundMemory(at: now, into: &effects)
    readChangedFiles(at: now, into: &effects)
    continueBacklogs(at: now, into: &effects)
    continueBulkReloads(at: now, into: &effects)
    continuePagedLists(at: now, into: &effects)
    if surfaces.takeOtherModes() { updateWatches(at: now, into: &effects) }
    updateSurfaces(at: now)
    stackRoom.endTurn(engine.claimLookUps)
    settleRequests(at: now)
    tellApps()
    commitTurn(at: now, into: &effects)
    tellAppsBehind()
    releaseSleep(into: &effects)
    continueStopping(at: now, into: &effects)
    outbox.endTurn(into: &effects)
    alarm.arm(at: nextDeadline(at: now), into: &effects)
  }

  /// Returns the moment at which something is due next; `nil`: nothing is due until an event comes.
  private mutating func nextDeadline(at now: Now) -> Instant? {
    guard phase == .running else { return nil }
    if surfaces.hasUnsaid || hasPageToSend || !bulkReloads.isEmpty || hasBacklogToHear {
      return now.monotonic
    }
    // While files are being read, their changes wait for the end of that.
    let fileDeadline = configuration.isLoading ? nil : fileWatch.deadline
    let deadlines = [
      engine.nextDeadline(at: now), writes.nextDeadline, fileDeadline, unfinishedLines.nextDeadline,
      openMenus.nextDeadline, galleries.nextDeadline,
    ]
    return deadlines.compactMap(\.self).min()
  }

  // MARK: Stopping

  /// Ends what is under way; `dropped` are runs that the engine began in this turn and that are not
  /// started any more.
  mutating func beginStopping(
    dropping dropped: Set<RunToken> = [], at now: Now, into effects: inout [Effect]
  ) {
    switch phase {
    case .stopping, .stopped, .startingOver: return
    case .loadingStore, .loadingConfiguration:
      phase = .stopped
      effects.append(.stop(.requested))
    case .running:
      phase = .stopping
      effects.append(.log(LogLine(.notice, "daemon.stopping")))
      let unstarted = heldEffects.dropRuns().union(dropped)
      for token in engine.runningTokens where !unstarted.contains(token) {
        effects.append(.cancelProvider(token))
      }
      endPerforms(unstarted: unstarted, at: now, into: &effects)
      for token in engine.fetchTokens { effects.append(.cancelFetch(token)) }
      refuseBacklogs(at: now, into: &effects)
    }
  }

  private mutating func continueStopping(at now: Now, into effects: inout [Effect]) {
    guard phase == .stopping, !writes.isUnderWay else { return }
    guard writes.isIdle || writes.failure != nil else { return }
    phase = .stopped
    dismissWaiting(at: now, into: &effects)
    effects.append(.store(.close))
  }

  /// Refuses every request that still waits for a run, a launch or the disk, because the daemon
  /// stops.
  ///
  /// The next start takes up the accepted requests again.
  mutating func dismissWaiting(at now: Now, into effects: inout [Effect]) {
    let stopping = Self.isStopping
    outbox.refuseHeld(
      writes.failure.map(Self.notSaved) ?? stopping, taken: stopping,
      committed: writes.committedNumber)
    endPagedLists(stopping, at: now, into: &effects)
    endBulkReloads(stopping)
    for waiter in receiptWaiters.removeAll() { refuse(waiter, stopping) }
    dismissPerforms()
    for launch in launches.removeAll() {
      if let address = launch.address { refuseWaiting(address, stopping) }
    }
    // Nothing of a menu is kept for the next start.
    let again = RPCError(.stopping, "the daemon is stopping; open the menu again in a moment")
    for address in openMenus.removeAll() { refuseWaiting(address, again) }
    for address in galleries.removeAll() { refuseWaiting(address, stopping) }
    for pending in questions.removeAllOptions() {
      refuseWaiting(pending.completion.address, stopping)
    }
    for address in requests.takeJoined() { refuseWaiting(address, stopping) }
    for address in configuration.takeWaiting() { refuseWaiting(address, stopping) }
    for request in configuration.takeRefused() { refuseWaiting(request.address, stopping) }
  }

  /// The answer of a stop to a request that was taken and waits for something.
  static let isStopping = RPCError(
    .stopping, "the daemon is stopping; accepted requests go on after its next start")

  /// Refuses a request that waits for its receipts; where code ran for it, it gets its answer
  /// without them.
  mutating func refuse(_ waiter: Waiter, _ error: RPCError) {
    guard waiter.isPerformed else { return refuseWaiting(waiter.address, error) }
    outbox.releaseWaiting(waiter.address)
    outbox.answer(waiter.address, Outbox.unsaved(waiter.result))
  }

  /// Refuses a request that `Outbox.reserveWaiting` counts.
  mutating func refuseWaiting(_ address: ReplyAddress, _ error: RPCError) {
    outbox.releaseWaiting(address)
    outbox.refuse(address, error)
  }
}
