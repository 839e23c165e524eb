import JSON
import Timekeeping
import WidgetCenter

/// The time by which a change has to be on disk.
enum WriteClass: Hashable, Sendable {
  /// A client was promised that the change lasts: the next transaction has it, and the answer
  /// waits for that.
  case promised
  /// No client was promised anything: such changes are written at most once in
  /// `Limits.deferredWriteInterval`, and at a stop.
  ///
  /// A crash may lose the changes of that time.
  case deferred
  /// It is not worth a transaction: the next one has it, and a stop writes it.
  ///
  /// A crash may lose the changes since the last transaction. Decision 0032 has the reasons.
  case unhurried
}

/// Records that changed and are not in a transaction yet; each is written once, however often it
/// changed.
struct DirtyRecords: Hashable, Sendable {
  var widgets: Set<String> = []
  var timelines: Set<TimelineKey> = []
  /// Timelines of which only the views changed; these views have a row of their own.
  var views: Set<TimelineKey> = []
  /// Previews of the gallery, each in a row of its own.
  var previews: Set<PreviewKey> = []
  var receipts: Set<ReceiptID> = []
  var forgottenReceipts: [ReceiptID] = []

  var isEmpty: Bool {
    widgets.isEmpty && timelines.isEmpty && views.isEmpty && previews.isEmpty
      && receipts.isEmpty && forgottenReceipts.isEmpty
  }

  mutating func add(_ other: DirtyRecords) {
    widgets.formUnion(other.widgets)
    timelines.formUnion(other.timelines)
    views.formUnion(other.views)
    previews.formUnion(other.previews)
    receipts.formUnion(other.receipts)
    receipts.subtract(other.forgottenReceipts)
    forgottenReceipts += other.forgottenReceipts
  }

  /// Removes the records that `other` writes as well.
  mutating func subtract(_ other: DirtyRecords) {
    widgets.subtract(other.widgets)
    timelines.subtract(other.timelines)
    // The record of a timeline has its views in it.
    views.subtract(other.timelines)
    views.subtract(other.views)
    previews.subtract(other.previews)
    receipts.subtract(other.receipts)
    receipts.subtract(other.forgottenReceipts)
  }
}

/// The dirty records, the writes that wait for the disk, and the time of the next attempt.
///
/// ```
/// mark ─► dirty ──takeDue──► records ──put──► waiting ──begin──► transaction ──► committed
///                                                ▲                    │
///                     nobody was promised it ────└───── failed ◄──────┘  tried again 1 s later
///                     a client waits for it ──────────► startOver: nothing of it ever happened
/// ```
///
/// At most one transaction is under way; turns that end meanwhile collect for the next. So under
/// load one `fsync` serves many requests, and without load no request waits for another.
struct WriteQueue: Sendable {
  private struct Transaction: Sendable {
    var number: UInt64
    var startedAt: Instant
    var writes: [StoreWrite]
    /// Whether it has what a request changed.
    var isPromised: Bool
    /// Whether it only tries whether the store works again.
    var isProbe: Bool
    /// Whether it has records that were deferred.
    var hasDeferred: Bool
  }

  /// Writes that are in no transaction yet, in order.
  private var waiting: [StoreWrite] = []
  /// Promised records: the next transaction takes them.
  private var dirty = DirtyRecords()
  /// Records that no client was promised: they wait until `deferredAt`.
  private var deferred = DirtyRecords()
  /// The moment at which the deferred records are written; `nil` while there are none.
  private var deferredAt: Instant?
  /// Records that wait for a transaction which something else needs.
  private var unhurried = DirtyRecords()
  /// Whether a `.scrub` came since the records were last taken: the next ones taken include the
  /// deferred ones.
  private var takesDeferred = false
  /// Whether the writes in no transaction have records that were deferred.
  private var hasTakenDeferred = false
  private var transaction: Transaction?
  /// The number of the last transaction that was begun.
  private var lastNumber: UInt64 = 0
  /// Whether a request changed something that is in no transaction yet.
  private(set) var hasWaitingPromise = false
  /// Whether the store was made anew from what could be read, and lacks what memory still has.
  private(set) var lacksRows = false
  /// The number of the last transaction that is on disk; 0: none is.
  private(set) var committedNumber: UInt64 = 0
  /// The moment before which no transaction begins; `nil`: the last one did not fail.
  private var retryAt: Instant?
  private var pacing = CommitPacing()
  /// Timelines whose views on disk are in a row of their own, newer than their record.
  private var viewRows: Set<TimelineKey> = []
  /// The failure of the last transaction; `nil`: it was committed, or there was none.
  private(set) var failure: StoreFailure?
  private(set) var committedCount: UInt64 = 0
  private(set) var failedCount: UInt64 = 0

  // MARK: Changes

  /// Marks records as changed.
  ///
  /// `by`: the moment by which deferred ones are written; `nil`: `Limits.deferredWriteInterval` from
  /// now. It counts only where none is deferred yet.
  mutating func mark(
    _ records: DirtyRecords, as class: WriteClass, at now: Instant, by moment: Instant? = nil
  ) {
    // Most turns change no record.
    guard !records.isEmpty else { return }
    switch `class` {
    case .promised:
      dirty.add(records)
    case .deferred:
      deferred.add(records)
      guard deferredAt == nil, !deferred.isEmpty else { return }
      deferredAt = moment ?? now.advanced(byMilliseconds: Limits.deferredWriteInterval)
    case .unhurried:
      unhurried.add(records)
    }
  }

  /// Notes that a request changes something in this turn, which its answer promises.
  mutating func promise() { hasWaitingPromise = true }

  /// Notes that the requests of this turn changed nothing.
  mutating func forgetPromise() { hasWaitingPromise = false }

  /// Whether a client waits for changes that are not on disk.
  var hasPromise: Bool { hasWaitingPromise || transaction?.isPromised == true }

  /// The number of the transaction that will have the changes of this turn.
  var nextNumber: UInt64 { lastNumber + 1 }

  /// Takes the records to be written now: the promised ones, the deferred ones when their time has
  /// come or a `.scrub` waits, and with any of these the unhurried ones.
  ///
  /// With `takesAll` the daemon stops or the machine sleeps, and a record that is not written now
  /// may be lost: all are taken.
  mutating func takeDue(at now: Instant, takesAll: Bool) -> DirtyRecords? {
    let takesDeferred = takesDeferred
    self.takesDeferred = false
    // The usual case: most turns change no record.
    if dirty.isEmpty, deferredAt == nil, !takesAll || unhurried.isEmpty { return nil }
    var due = dirty
    dirty = DirtyRecords()
    deferred.subtract(due)
    if deferred.isEmpty {
      deferredAt = nil
    } else if takesAll || takesDeferred || deferredAt.map({ $0 <= now }) ?? true {
      due.add(deferred)
      hasTakenDeferred = true
      deferred = DirtyRecords()
      deferredAt = nil
    }
    if !due.isEmpty || takesAll {
      unhurried.subtract(due)
      due.add(unhurried)
      unhurried = DirtyRecords()
    }
    return due.isEmpty ? nil : due
  }

  mutating func put(_ table: StoreTable, _ key: String, _ record: JSONValue) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    record.write(into: &bytes)
    put(table, key, bytes)
  }

  mutating func put(_ table: StoreTable, _ key: String, _ bytes: [UInt8]) {
    waiting.append(.put(table, key: key, bytes: bytes))
  }

  mutating func remove(_ table: StoreTable, _ key: String) {
    waiting.append(.remove(table, key: key))
  }

  /// Appends writes as they are.
  ///
  /// A `.scrub` erases what was removed up to its own transaction. So the deferred records, removed
  /// ones perhaps among them, are written in that transaction, and not up to a minute after it.
  mutating func append(_ writes: [StoreWrite]) {
    if writes.contains(.scrub) { takesDeferred = true }
    waiting += writes
  }

  /// Notes that the views of a timeline have a row of their own.
  mutating func addViewRow(_ key: TimelineKey) { viewRows.insert(key) }

  /// Notes that the record of a timeline has its views in it again.
  ///
  /// - Returns: whether the views had a row of their own, which is to be removed.
  mutating func dropViewRow(_ key: TimelineKey) -> Bool { viewRows.remove(key) != nil }

  // MARK: Transactions

  /// Whether every change but those of deferred and unhurried records is on disk.
  var isSettled: Bool { dirty.isEmpty && waiting.isEmpty && transaction == nil }
  /// Whether every change is on disk.
  var isSaved: Bool { isSettled && deferred.isEmpty && unhurried.isEmpty }
  /// Timelines that changed since they were written, which nobody was promised.
  var deferredTimelines: Set<TimelineKey> { deferred.timelines }
  /// Timelines that wait for a transaction which something else needs.
  var unhurriedTimelines: Set<TimelineKey> { unhurried.timelines }
  /// Previews that changed since they were written, which nobody was promised.
  var deferredPreviews: Set<PreviewKey> { deferred.previews }
  /// Whether no write waits for a transaction.
  var isIdle: Bool { waiting.isEmpty }
  var isUnderWay: Bool { transaction != nil }
  /// Writes that are not on disk yet.
  var unwrittenCount: Int { waiting.count + (transaction?.writes.count ?? 0) }

  /// Whether the last change of a receipt is not on disk yet; O(writes that are not on disk).
  func isUnwritten(_ receipt: ReceiptID) -> Bool {
    func isItsRecord(_ write: StoreWrite) -> Bool {
      guard case .put(.receipt, let key, _) = write else { return false }
      return key == receipt.text
    }
    return dirty.receipts.contains(receipt) || waiting.contains(where: isItsRecord)
      || transaction?.writes.contains(where: isItsRecord) == true
  }

  /// Begins the next transaction, unless one is under way, a failed one has to wait, or it is held
  /// back so that more requests can join it.
  ///
  /// `replies` answers wait for it. Without `mayHold`, while the daemon starts or stops, nothing is
  /// held back.
  mutating func begin(replies: Int, mayHold: Bool, at now: Instant) -> StoreRequest? {
    guard transaction == nil, !waiting.isEmpty, retryAt.map({ $0 <= now }) ?? true else {
      return nil
    }
    if mayHold, pacing.holds(replies, at: now) { return nil }
    lastNumber += 1
    transaction = Transaction(
      number: lastNumber, startedAt: now, writes: waiting, isPromised: hasWaitingPromise,
      isProbe: waiting == [Self.probeWrite], hasDeferred: hasTakenDeferred)
    waiting = []
    hasTakenDeferred = false
    hasWaitingPromise = false
    return .commit(transaction: lastNumber, writes: transaction?.writes ?? [])
  }

  /// Ends the transaction that is on disk; `false` when `number` is not the one under way.
  ///
  /// `replies` answers waited for it, and `waiting` answers wait for the next one already.
  mutating func committed(
    _ number: UInt64, replies: Int, waiting: Int, at now: Instant
  ) -> Bool {
    guard let ended = transaction, ended.number == number else { return false }
    transaction = nil
    committedCount += 1
    committedNumber = number
    if ended.isProbe { remove(.setting, Self.probeKey) }
    lacksRows = false
    failure = nil
    retryAt = nil
    pacing.ended(startedAt: ended.startedAt, replies: replies, waiting: waiting, at: now)
    return true
  }

  /// Begins anew after `failed`: no change since the last transaction on disk will be written.
  ///
  /// The numbers of transactions go on. The next one, a probe, may begin at once.
  ///
  /// - Returns: by when the deferred records were to be written; `now`, if some were in a write that
  ///   failed.
  mutating func startOver(at now: Instant) -> Instant {
    precondition(transaction == nil, "a transaction is under way")
    let moment = hasTakenDeferred ? now : deferredAt ?? now
    waiting = []
    dirty = DirtyRecords()
    deferred = DirtyRecords()
    deferredAt = nil
    unhurried = DirtyRecords()
    takesDeferred = false
    hasTakenDeferred = false
    hasWaitingPromise = false
    viewRows = []
    retryAt = now
    return moment
  }

  /// Notes that memory has rows that the store has lost: from now on nothing is taken back, until
  /// all of them are written.
  mutating func noteLostRows() { lacksRows = true }

  /// Writes a row that nobody reads when there is nothing else to try a failing store with.
  ///
  /// It is long, so that a disk with room for a few bytes is not taken for one that works.
  mutating func probe(at now: Instant) {
    guard failure != nil, transaction == nil, waiting.isEmpty, retryAt.map({ $0 <= now }) ?? true
    else { return }
    waiting.append(Self.probeWrite)
  }

  private static let probeWrite = StoreWrite.put(
    .setting, key: probeKey,
    bytes: [UInt8(ascii: "\"")]
      + [UInt8](repeating: UInt8(ascii: "."), count: Limits.probeBytes) + [UInt8(ascii: "\"")])

  /// The name of the setting that a probe writes.
  static let probeKey = "store/probe"

  /// Keeps the writes of a transaction of which nothing was written, to be tried again; `false`
  /// when `number` is not the one under way.
  ///
  /// `journalSequence` is the number of the newest entry of the journal.
  mutating func failed(
    _ number: UInt64, _ failure: StoreFailure, journalSequence: Int64, at now: Instant
  ) -> Bool {
    guard let ended = transaction, ended.number == number else { return false }
    transaction = nil
    failedCount += 1
    self.failure = failure
    waiting = Self.compacted(ended.writes + waiting, journalSequence: journalSequence)
    if ended.isPromised { hasWaitingPromise = true }
    if ended.hasDeferred { hasTakenDeferred = true }
    retryAt = now.advanced(byMilliseconds: Limits.commitRetryInterval)
    return true
  }

  /// The next moment at which `begin` or `takeDue` will have work; `nil`: no work waits for one.
  var nextDeadline: Instant? {
    // A failing store is tried again, also when there is nothing to write but a probe.
    let isAwaited = transaction == nil && (!waiting.isEmpty || failure != nil)
    let commitAt = isAwaited ? retryAt ?? pacing.holdUntil : nil
    guard let deferredAt else { return commitAt }
    return commitAt.map { min($0, deferredAt) } ?? deferredAt
  }

  // MARK: Checks

  /// Number of writes of records that are in no transaction yet; the journal's are not counted.
  var waitingRecordCount: Int {
    waiting.count { write in
      switch write {
      case .put, .remove: true
      case .appendJournal, .pruneJournal, .scrub: false
      }
    }
  }

  /// Sentences about everything that is wrong after a turn.
  ///
  /// `heldReplies` answers wait for a transaction which has not begun.
  func checkInvariants(heldReplies: Int, isStopped: Bool) -> [String] {
    var wrong: [String] = []
    if !dirty.isEmpty { wrong.append("records were changed and not collected into a transaction") }
    if takesDeferred { wrong.append("a scrub waits without the records that were deferred") }
    if transaction == nil, retryAt == nil, pacing.holdUntil == nil, !isStopped {
      if !waiting.isEmpty { wrong.append("\(waiting.count) writes wait for nothing") }
      if heldReplies > 0 { wrong.append("\(heldReplies) replies wait for nothing") }
    }
    if deferred.isEmpty != (deferredAt == nil) {
      wrong.append("deferred records have no moment at which they are written")
    }
    return wrong
  }
}
