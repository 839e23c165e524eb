import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Everything that waits while memory is replaced by the rows on disk.
struct StartingOver: Sendable {
  /// The answer to requests that did not happen.
  var refusal: RPCError
  /// Runs that the engine decided on and that waited for the disk: they never began.
  var unstarted: Set<RunToken>
  /// Requests that waited for receipts and whose answers, taken back now, waited for the disk.
  var waiters: [Waiter]
  /// The number of requests that were refused at once, for the log.
  var refusedCount: UInt64
  /// Events that came meanwhile, in their order.
  var postponed: [Event] = []
}

/// Undoes in memory a transaction that failed and whose changes clients were promised.
///
/// These changes are in every part of memory, and so are their consequences. The state before them
/// is known in one place, the store. So the daemon does within the process what a restart does: it
/// reads the rows and restores itself from them. Connections, surfaces, runs under way and requests
/// that are on disk stay. Decision 0021 has the reasons.
extension Daemon {
  /// Refuses the requests of the transaction that failed, and asks for the rows on disk.
  mutating func beginStartingOver(because failure: StoreFailure, into effects: inout [Effect]) {
    let refusal = Self.notSaved(failure)
    let refusedBefore = outbox.refusalCount
    let dropped = heldEffects.removeAll()
    for token in dropped.launches { _ = launches.end(token) }
    refusePerforms(dropped.runs, refusal)
    for token in dropped.runs.sorted() {
      guard let pending = questions.endOptions(token) else { continue }
      refuseWaiting(pending.completion.address, refusal)
    }
    let waiters = outbox.takeBack(refusing: refusal)
    endBulkReloads(refusal)
    refuseAgain()
    startingOver = StartingOver(
      refusal: refusal, unstarted: dropped.runs, waiters: waiters,
      refusedCount: outbox.refusalCount - refusedBefore)
    phase = .startingOver
    effects.append(.store(.load(journalRows: Limits.journalRowCountMax)))
  }

  /// Refuses the requests that waited for the answer to one that is refused now.
  private mutating func refuseAgain() {
    for (number, outcome) in outbox.takeOutcomes() {
      guard case .refused(let error) = outcome else { continue }
      for address in requests.forget(number) { refuseWaiting(address, error) }
    }
  }

  /// Keeps an event for the time after; `false`: it is handled now, because it changes nothing but
  /// who is connected.
  mutating func postpone(_ event: Event) -> Bool {
    switch event {
    case .store, .turnEnded, .started, .connected, .disconnected, .backedUp, .queued, .drained:
      return false
    case .received, .configuration, .provider, .streamFrame, .streamNotice, .launched,
      .commandEnded, .fetched, .wakeUp, .clockChanged, .networkChanged, .zoneChanged,
      .machine, .filesChanged, .watching, .programReplaced, .reloadRequested, .stopRequested:
      startingOver?.postponed.append(event)
      return true
    }
  }

  /// Replaces memory by the rows on disk, and goes on.
  mutating func startOver(
    from state: StoredState, at now: Now, into effects: inout [Effect]
  ) {
    guard let undone = startingOver.take() else { return }
    let before = engine
    engine = WidgetEngine()
    engine.takeOver(from: before, unstarted: undone.unstarted, at: now.wall)
    configuration.forgetEdits()
    journal = Journal()
    let deferredAt = writes.startOver(at: now.monotonic)
    stackOrders.forgetOrders()
    stackRoom.startOver()
    pagedLists.forgetForecasts()
    phase = .running
    let known = requests
    restore(state, at: now, into: &effects)
    var output = EngineOutput()
    writes.mark(
      DirtyRecords(
        timelines: engine.takeBackRoutine(from: before),
        previews: engine.takeBackPreviews(from: before)),
      as: .deferred, at: now.monotonic, by: deferredAt)
    engine.adoptRuns(from: before, at: now.wall, into: &output)
    migrateWidgets(at: now, into: &output)
    engine.resume(at: now.wall, into: &output)
    engine.keepRevisions(from: before)
    appWidgets.noteEverything()
    takeUpWaiting(undone, at: now)
    let left = requests.takeOver(requestsUnderWay, from: known)
    for address in left { refuseWaiting(address, undone.refusal) }
    noteDifferences(from: before, at: now.wall, in: &output)
    engine.advance(at: now, into: &output)
    // A daemon that is about to stop begins nothing; the next start takes the requests up again.
    let stops = undone.postponed.contains(.stopRequested)
    let dropped = stops ? Set(output.runs.map(\.token)) : []
    if stops {
      output.runs = []
      output.fetches = []
    }
    apply(output, at: now, into: &effects)
    settleCallbacks(at: now, into: &effects)
    // The view of a surface begins runs as well.
    if !stops { updateWatches(at: now, into: &effects) }
    effects.append(
      .log(LogLine(.notice, "store.startedOver", ["refused": String(undone.refusedCount)])))
    // The stop comes first, since requests and answers that waited with it would begin runs, too.
    if stops { beginStopping(dropping: dropped, at: now, into: &effects) }
    for event in undone.postponed where event != .stopRequested {
      handle(event, at: now, into: &effects)
    }
  }

  /// Answers everybody, because the rows cannot be read and the daemon stops.
  mutating func giveUpStartingOver(at now: Now, into effects: inout [Effect]) {
    guard let undone = startingOver.take() else { return }
    for waiter in undone.waiters + receiptWaiters.removeAll() {
      // A request that is on disk goes on after the next start.
      let isOnDisk = waiter.transaction <= writes.committedNumber
      refuse(waiter, isOnDisk ? Self.isStopping : undone.refusal)
    }
    dismissWaiting(at: now, into: &effects)
    refuseBacklogs(at: now, into: &effects)
    for event in undone.postponed { handle(event, at: now, into: &effects) }
  }

  /// Lets the requests go on waiting that are on disk, and refuses the others.
  private mutating func takeUpWaiting(_ undone: StartingOver, at now: Now) {
    callbacks.startOver(engine)
    tapReloads.startOver(engine)
    for waiter in undone.waiters + receiptWaiters.startOver(&engine) {
      guard waiter.transaction <= writes.committedNumber else {
        refuse(waiter, undone.refusal)
        continue
      }
      if let settled = receiptWaiters.add(waiter, &engine) { finish(settled, at: now) }
    }
  }

  /// Notes for the surfaces which widgets look different now, or are gone.
  private func noteDifferences(
    from before: WidgetEngine, at now: WallTime, in output: inout EngineOutput
  ) {
    guard surfaces.count > 0 else { return }
    for id in before.order where engine.widgets[id] == nil { output.removedWidgets.insert(id) }
    for id in engine.order {
      var old = JSONWriter(capacity: 640)
      var new = JSONWriter(capacity: 640)
      _ = before.writeView(of: id, at: now, to: &old, omitting: [])
      _ = engine.writeView(of: id, at: now, to: &new, omitting: [])
      // The expanded one may look different too, and is seldom there.
      if old.bytes != new.bytes || engine.expandedWidgets.contains(id) {
        output.changedWidgets.insert(id)
      }
    }
  }
}
