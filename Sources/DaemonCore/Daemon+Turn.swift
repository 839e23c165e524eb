import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// A transaction that is being written, and the replies that wait for it.
struct Transaction: Sendable {
  var number: UInt64
  var startedAt: Instant
  var writes: [StoreWrite]
  var replies: [PendingReply]
}

/// When to commit: at once, or a moment later together with those who will ask again.
///
/// On a slow disk clients that all wait for an answer fall into two camps, each writing while the other
/// waits, and every `fsync` serves half of them. So after a transaction that took long, the next one
/// waits a little: until as many have asked as were in play when it ended, or a quarter of its time has
/// passed. A lone client is never held back, and neither is anyone on a fast disk.
struct CommitPacing: Sendable {
  /// Transactions faster than this (nanoseconds) are followed at once.
  private static let slowTransaction: Int64 = 3_000_000
  /// Nanoseconds that a transaction is held back at most.
  private static let holdMax: Int64 = 2_000_000

  private var expectedReplies = 0
  private(set) var holdUntil: Instant?

  mutating func ended(_ transaction: Transaction, waiting: Int, at now: Instant) {
    let took = now.nanoseconds - transaction.startedAt.nanoseconds
    guard took >= Self.slowTransaction else {
      holdUntil = nil
      return
    }
    expectedReplies = transaction.replies.count + waiting
    holdUntil = Instant(nanoseconds: now.nanoseconds + min(took / 4, Self.holdMax))
  }

  /// Whether a transaction with `replies` waiting is to be held back at `now`.
  mutating func holds(_ replies: Int, at now: Instant) -> Bool {
    guard let until = holdUntil, now < until, replies > 0, replies < expectedReplies else {
      holdUntil = nil
      return false
    }
    return true
  }
}

/// Records to write at the end of the turn, each once however often it changed.
struct DirtyRecords: Sendable {
  var widgets: Set<String> = []
  var timelines: Set<TimelineKey> = []
  var views: Set<TimelineKey> = []
  var receipts: Set<ReceiptID> = []
  var forgottenReceipts: [ReceiptID] = []

  var isEmpty: Bool {
    widgets.isEmpty && timelines.isEmpty && views.isEmpty && receipts.isEmpty
      && forgottenReceipts.isEmpty
  }
}

/// The end of a turn: what it wrote becomes one transaction, what it said leaves, the next wake-up is armed.
///
/// At most one transaction is under way; turns that end meanwhile collect for the next. So under load
/// one `fsync` serves many requests, and without load none waits for another.
extension Daemon {
  /// Decisions of the engine that somebody who reads the log has to know of.
  private static let loggedNotes: Set<String> = [
    "provider.quarantined", "provider.released", "widget.migrated", "widget.orphaned",
  ]

  /// Carries the engine's decisions on.
  mutating func take(_ output: EngineOutput, at now: Now, into effects: inout [Effect]) {
    for run in output.runs { effects.append(.runProvider(run)) }
    for token in output.cancellations { effects.append(.cancelProvider(token)) }
    for note in output.journal {
      journal.append(note.event, at: now.wall, fields: note.fields)
      if note.event == "reload.failed", note.fields["private"] != true {
        effects.append(
          .log(
            LogLine(
              .warning, "provider.failed",
              [
                "kind": note.fields["kind"]?.stringValue ?? "",
                "reason": note.fields["reason"]?.stringValue ?? "",
              ])))
      }
      if Self.loggedNotes.contains(note.event) {
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
      put(.setting, name, value)
    }
    for donation in output.donations {
      if let record = donation.record {
        put(.donation, Self.donationKey(donation.number), record)
      } else {
        turnWrites.append(.remove(.donation, key: Self.donationKey(donation.number)))
      }
    }
    dirty.widgets.formUnion(output.dirtyWidgets)
    dirty.timelines.formUnion(output.dirtyTimelines)
    dirty.views.formUnion(output.dirtyViews)
    dirty.receipts.formUnion(output.dirtyReceipts)
    dirty.receipts.subtract(output.forgottenReceipts)
    dirty.forgottenReceipts += output.forgottenReceipts
    if output.stackChanged {
      stackCache = nil
      familyStacks.removeAll(keepingCapacity: true)
    } else {
      stackCache?.answers.removeAll()
    }
    noteForSurfaces(output)
    if !output.receipts.isEmpty {
      receiptsChanged(output.receipts, at: now)
      settleCallbacks(at: now, into: &effects)
    }
  }

  mutating func endTurn(at now: Now, into effects: inout [Effect]) {
    counters.turns += 1
    continueLongReloads(at: now, into: &effects)
    continueLongAnswers(at: now, into: &effects)
    flushSurfaces(at: now)
    collectWrites(at: now)
    if transactionUnderWay == nil, phase != .stopped {
      if turnWrites.isEmpty {
        release(turnReplies)
        turnReplies.removeAll(keepingCapacity: true)
      } else if retryCommitAt.map({ $0 <= now.monotonic }) ?? true,
        phase != .running || !pacing.holds(turnReplies.count, at: now.monotonic)
      {
        lastTransaction += 1
        transactionUnderWay = Transaction(
          number: lastTransaction, startedAt: now.monotonic, writes: turnWrites,
          replies: turnReplies)
        effects.append(.store(.commit(transaction: lastTransaction, writes: turnWrites)))
        turnWrites = []
        turnReplies = []
      }
    }
    continueStopping(at: now, into: &effects)
    for (connection, line) in outgoing { send(line, to: connection, into: &effects) }
    outgoing.removeAll(keepingCapacity: true)
    armWakeUp(at: now, into: &effects)
  }

  private mutating func collectWrites(at now: Now) {
    turnWrites += journal.takeRow()
    if let rotations = engine.takeRotations() { put(.setting, "rotations", rotations) }
    if let scales = engine.takeScales() { put(.setting, "scales", scales) }
    guard !dirty.isEmpty else { return }
    for id in dirty.widgets.sorted() {
      if let widget = engine.widgets[id] {
        put(.widget, id, widget.record)
      } else {
        turnWrites.append(.remove(.widget, key: id))
      }
    }
    for key in dirty.timelines.sorted() {
      if let index = engine.timelines.index(forKey: key) {
        var writer = JSONWriter(capacity: 1_024)
        engine.timelines.values[index].writeRecord(at: now.wall, to: &writer)
        turnWrites.append(.put(.timeline, key: key.text, bytes: writer.bytes))
      } else {
        turnWrites.append(.remove(.timeline, key: key.text))
      }
      // Its record has its views in it.
      if viewRows.remove(key) != nil {
        turnWrites.append(.remove(.setting, key: Self.viewsKey(key)))
      }
    }
    for key in dirty.views.subtracting(dirty.timelines).sorted() {
      guard let shared = engine.timelines[key] else { continue }
      viewRows.insert(key)
      put(.setting, Self.viewsKey(key), shared.views.json)
    }
    for id in dirty.forgottenReceipts { turnWrites.append(.remove(.receipt, key: id.text)) }
    for id in dirty.receipts.sorted() {
      if let receipt = engine.receipts[id] { put(.receipt, id.text, .object(receipt.json)) }
    }
    dirty = DirtyRecords()
  }

  static let viewsPrefix = "views/"

  /// The setting that has the views of a timeline since its record was written.
  static func viewsKey(_ key: TimelineKey) -> String { viewsPrefix + key.text }

  mutating func put(_ table: StoreTable, _ key: String, _ record: JSONValue) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    record.write(into: &bytes)
    turnWrites.append(.put(table, key: key, bytes: bytes))
  }

  /// Replies whose durability is given go out.
  private mutating func release(_ replies: [PendingReply]) {
    for reply in replies {
      if reply.notification != nil {
        guard sessions[reply.address.connection] != nil else { continue }
        outgoing.append((reply.address.connection, reply.bytes))
      } else if let id = reply.address.id {
        sessions[reply.address.connection]?.heldBytes -= reply.bytes.count
        var line: [UInt8] = []
        line.reserveCapacity(reply.bytes.count + 48)
        appendResult(id: id, to: &line, newline: false) { $0.append(contentsOf: reply.bytes) }
        deliver(line, reply.address)
      }
    }
  }

  mutating func committed(_ number: UInt64, at now: Instant) {
    guard let transaction = transactionUnderWay, transaction.number == number else { return }
    transactionUnderWay = nil
    counters.transactions += 1
    storeFailure = nil
    retryCommitAt = nil
    pacing.ended(transaction, waiting: turnReplies.count, at: now)
    release(transaction.replies)
  }

  /// Nothing was written: whoever waited is told, and the writes are kept for another try, so that memory and disk agree again.
  mutating func commitFailed(
    _ number: UInt64, _ failure: StoreFailure, at now: Now, into effects: inout [Effect]
  ) {
    guard let transaction = transactionUnderWay, transaction.number == number else { return }
    transactionUnderWay = nil
    counters.failedTransactions += 1
    if storeFailure?.code != failure.code {
      effects.append(
        .log(
          LogLine(
            .error, "store.failed",
            [
              "code": failure.code.rawValue, "reason": failure.message,
            ])))
      // The store is made anew from what could be read of it; all that is known here is better than that.
      if failure.code == .damaged { writeEverything() }
    }
    storeFailure = failure
    turnWrites = compacted(transaction.writes + turnWrites)
    retryCommitAt = now.monotonic.advanced(byMilliseconds: Limits.commitRetryInterval)
    // What became of a receipt is told once it is on disk; a tap that was refused opens nothing later.
    let replies = transaction.replies + turnReplies
    turnReplies = replies.filter { $0.notification == .receiptUpdate }
    for reply in replies where reply.notification == nil {
      sessions[reply.address.connection]?.heldBytes -= reply.bytes.count
      refuse(
        reply.address,
        RPCError(
          .storeUnavailable, "not saved: \(failure.message)",
          details: ["reason": .string(failure.code.rawValue)]))
    }
  }

  /// Marks every record as changed.
  ///
  /// The history is not among them: what was on a damaged page is gone.
  private mutating func writeEverything() {
    dirty.widgets.formUnion(engine.widgets.keys)
    dirty.timelines.formUnion(engine.timelines.keys)
    dirty.receipts.formUnion(engine.receipts.keys)
    for (name, value) in engine.settings.sorted(by: { $0.key < $1.key }) {
      put(.setting, name, value)
    }
    for (name, edit) in editedLists.sorted(by: { $0.key < $1.key }) {
      put(.setting, "list/\(name)", edit.json)
    }
  }

  private mutating func armWakeUp(at now: Now, into effects: inout [Effect]) {
    guard phase == .running else {
      if armedWakeUp != nil {
        armedWakeUp = nil
        effects.append(.wakeUp(at: nil))
      }
      return
    }
    let hasMore = hasUnsaid || hasLongAnswerToSay || !longReloads.isEmpty
    var next = hasMore ? now.monotonic : engine.nextDeadline(at: now)
    if transactionUnderWay == nil, !turnWrites.isEmpty,
      let commitAt = retryCommitAt ?? pacing.holdUntil
    {
      next = next.map { min($0, commitAt) } ?? commitAt
    }
    guard next != armedWakeUp else { return }
    // Wall-clock dates drift against the monotonic clock by microseconds from turn to turn: not worth a new timer.
    if let next, let armed = armedWakeUp, abs(next.milliseconds(since: armed)) <= 1, next >= armed {
      return
    }
    armedWakeUp = next
    effects.append(.wakeUp(at: next))
  }

  // MARK: Stopping

  mutating func beginStopping(into effects: inout [Effect]) {
    switch phase {
    case .stopping, .stopped: return
    case .loadingStore, .loadingConfiguration:
      phase = .stopped
      effects.append(.stop)
    case .running:
      phase = .stopping
      effects.append(.log(LogLine(.notice, "daemon.stopping")))
      for token in engine.runningTokens { effects.append(.cancelProvider(token)) }
    }
  }

  private mutating func continueStopping(at now: Now, into effects: inout [Effect]) {
    guard phase == .stopping, transactionUnderWay == nil else { return }
    guard turnWrites.isEmpty || storeFailure != nil else { return }
    phase = .stopped
    dismissWaiting(at: now, into: &effects)
    effects.append(.store(.close))
  }

  /// Whoever still waits for a run, a launch or the disk hears that the daemon leaves; what was
  /// accepted is taken up again after the next start.
  private mutating func dismissWaiting(at now: Now, into effects: inout [Effect]) {
    let stopping = RPCError(
      .stopping, "the daemon is stopping; what was accepted goes on when it is back")
    for reply in turnReplies where reply.notification == nil {
      refuse(
        reply.address,
        storeFailure.map {
          RPCError(
            .storeUnavailable, "not saved: \($0.message)",
            details: ["reason": .string($0.code.rawValue)])
        } ?? stopping)
    }
    turnReplies = []
    endLongAnswers(stopping, at: now, into: &effects)
    endLongReloads(stopping)
    for number in waiters.keys.sorted() {
      guard let address = waiters[number]?.address else { continue }
      releaseWaiting(address)
      refuse(address, stopping)
    }
    waiters = [:]
    waitersByReceipt = [:]
    awaited = [:]
    for launch in launches.sorted(by: { $0.key.number < $1.key.number }) {
      releaseWaiting(launch.value.address)
      refuse(launch.value.address, stopping)
    }
    launches = [:]
    dropOptions(stopping)
    for address in awaitingConfiguration { refuse(address, stopping) }
    awaitingConfiguration = []
  }
}
