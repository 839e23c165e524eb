import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Moves records from the engine into transactions, and answers clients when a transaction ends.
///
/// Here the write queue, the engine, the journal, the outbox and the held effects meet.
extension Daemon {
  /// Turns everything that changed into writes, and begins a transaction when one may begin.
  mutating func commitTurn(at now: Now, into effects: inout [Effect]) {
    collectWrites(at: now)
    guard !writes.isUnderWay, phase != .stopped else { return }
    if phase == .running { writes.probe(at: now.monotonic) }
    guard !writes.isIdle else {
      writes.forgetPromise()
      engine.beginTransaction()
      engine.transactionCommitted()
      heldEffects.releaseAll(into: &effects)
      beginTellingApps()
      appWidgets.committed()
      tellApps()
      outbox.releaseHeld()
      return
    }
    let request = writes.begin(
      replies: outbox.heldCount, mayHold: phase == .running && !sleep.isAwaited,
      at: now.monotonic)
    guard let request else { return }
    outbox.beginTransaction()
    heldEffects.beginTransaction()
    engine.beginTransaction()
    beginTellingApps()
    effects.append(.store(request))
  }

  /// Moves the turn's history and the records that are due into the queue of writes.
  private mutating func collectWrites(at now: Now) {
    writes.append(journal.takeRow())
    if let rotations = engine.takeRotations() { writes.put(.setting, "rotations", rotations) }
    if let scales = engine.takeScales() { writes.put(.setting, "scales", scales) }
    let mayLose = phase != .stopping && !sleep.isComing(at: now.monotonic)
    guard let due = writes.takeDue(at: now.monotonic, takesAll: !mayLose) else { return }
    for id in due.widgets.sorted() {
      if let widget = engine.widgets[id] {
        writes.put(.widget, id, widget.record)
      } else {
        writes.remove(.widget, id)
      }
    }
    for key in due.timelines.sorted() {
      if let index = engine.timelines.index(forKey: key) {
        var writer = JSONWriter(capacity: 1_024)
        engine.timelines.values[index].writeRecord(at: now.wall, to: &writer)
        writes.put(.timeline, key.text, writer.bytes)
      } else {
        writes.remove(.timeline, key.text)
      }
      if writes.dropViewRow(key) { writes.remove(.setting, Self.viewsKey(key)) }
    }
    for key in due.views.subtracting(due.timelines).sorted() {
      guard let shared = engine.timelines[key] else { continue }
      writes.addViewRow(key)
      writes.put(.setting, Self.viewsKey(key), shared.views.json)
    }
    for key in due.previews.sorted() {
      if let record = engine.previewRecord(key) {
        writes.put(.setting, Self.previewKey(key), record)
      } else {
        writes.remove(.setting, Self.previewKey(key))
      }
    }
    for id in due.forgottenReceipts { writes.remove(.receipt, id.text) }
    for id in due.receipts.sorted() {
      if let receipt = engine.receipts[id] { writes.put(.receipt, id.text, .object(receipt.json)) }
    }
  }

  // Settings with a slash in their names belong to no one part: `restore` looks for these prefixes.
  static let viewsPrefix = "views/"
  static let listPrefix = "list/"
  static let previewPrefix = "preview/"

  /// Returns the name of the setting that has a preview of the gallery.
  static func previewKey(_ key: PreviewKey) -> String { previewPrefix + key.text }

  /// Returns the name of the setting that has the clients' change to a list.
  static func listKey(_ list: String) -> String { listPrefix + list }

  /// Returns the name of the setting that has a timeline's views while they are newer than its
  /// record.
  static func viewsKey(_ key: TimelineKey) -> String { viewsPrefix + key.text }

  // MARK: Ends of transactions

  /// Lets go what waited for a transaction that is on disk: answers, runs and launches.
  mutating func committed(_ number: UInt64, at now: Instant, into effects: inout [Effect]) {
    let isKnown = writes.committed(
      number, replies: outbox.transactionCount, waiting: outbox.heldCount, at: now)
    guard isKnown else { return }
    appWidgets.committed()
    outbox.transactionCommitted()
    engine.transactionCommitted()
    heldEffects.transactionCommitted(into: &effects)
    if !writes.hasPromise { heldEffects.releaseAll(into: &effects) }
  }

  /// Handles a transaction of which nothing was written.
  ///
  /// If no client was promised anything of it, its writes are kept for another try. Else it is as
  /// if its requests had never come: they are refused, and memory starts over from the disk. A
  /// store that was made anew has fewer rows than memory, which is then kept; the answers wait.
  mutating func commitFailed(
    _ number: UInt64, _ failure: StoreFailure, at now: Now, into effects: inout [Effect]
  ) {
    let isNew = writes.failure?.code != failure.code
    guard
      writes.failed(
        number, failure, journalSequence: journal.lastSequence, at: now.monotonic)
    else { return }
    appWidgets.takeBack()
    if isNew {
      effects.append(
        .log(
          LogLine(
            .error, "store.failed", ["code": failure.code.rawValue, "reason": failure.message])))
    }
    if failure.code == .damaged {
      writes.noteLostRows()
      if isNew { writeEverything(at: now) }
    }
    guard phase == .running, writes.hasPromise, !writes.lacksRows else {
      let keepsAll = writes.lacksRows && phase == .running
      outbox.transactionFailed(refusing: keepsAll ? nil : Self.notSaved(failure))
      return
    }
    beginStartingOver(because: failure, into: &effects)
  }

  /// Refuses a change while the store refuses to write, before anything is changed; else notes that
  /// the answer of this turn promises one.
  mutating func promiseChange() throws(RPCError) {
    if let failure = writes.failure { throw Self.notSaved(failure) }
    writes.promise()
  }

  /// Carries an effect out: at once, or when what clients were promised is on disk.
  ///
  /// A provider that ran for a refused request cannot be undone.
  mutating func carryOut(_ effect: Effect, into effects: inout [Effect]) {
    if writes.hasPromise, phase == .running {
      heldEffects.hold(effect)
    } else {
      effects.append(effect)
    }
  }

  /// Stops a run, or lets it be stopped right after its start if that waits for the disk.
  mutating func cancel(_ token: RunToken, into effects: inout [Effect]) {
    follow(token, .cancelProvider(token), into: &effects)
  }

  /// Writes a line to a plugin that stays running, right after its start if that waits for the disk.
  mutating func tell(_ line: StreamLine, into effects: inout [Effect]) {
    follow(line.token, .tellStream(line.token, line.bytes), into: &effects)
  }

  /// Carries an effect on a run out, but not before the run has started.
  private mutating func follow(_ token: RunToken, _ effect: Effect, into effects: inout [Effect]) {
    if heldEffects.holds(token) {
      heldEffects.hold(effect)
    } else {
      effects.append(effect)
    }
  }

  /// The refusal of a change that cannot be written.
  static func notSaved(_ failure: StoreFailure) -> RPCError {
    RPCError(
      .storeUnavailable, "not saved: \(failure.message)",
      details: ["reason": .string(failure.code.rawValue)])
  }

  /// Writes every record again, but not the history: the entries of a damaged page are lost.
  private mutating func writeEverything(at now: Now) {
    var everything = DirtyRecords()
    everything.widgets.formUnion(engine.widgets.keys)
    everything.timelines.formUnion(engine.timelines.keys)
    everything.receipts.formUnion(engine.receipts.keys)
    everything.previews.formUnion(engine.keptPreviews)
    writes.mark(everything, as: .promised, at: now.monotonic)
    for (name, value) in engine.settings.sorted(by: { $0.key < $1.key }) {
      writes.put(.setting, name, value)
    }
    for (name, edit) in configuration.editedLists.sorted(by: { $0.key < $1.key }) {
      writes.put(.setting, Self.listKey(name), edit.json)
    }
  }
}
