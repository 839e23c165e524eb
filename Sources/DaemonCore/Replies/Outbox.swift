import IntentProtocol
import JSON
import JSONRPC

/// A list that `Outbox.beginList` began and that is not complete.
struct OpenList: Hashable, Sendable {
  fileprivate var address: ReplyAddress
  /// The key of its gathered bytes in a batch; `nil`: the list is a line of its own.
  fileprivate var part: UInt64?
}

/// All bytes that were not handed to the shell yet, and all answers that are still owed.
///
/// An answer leaves in one of four ways:
///
/// ```
/// answer ──┬─ its client is being heard ──► heard: one `send` for all lines of that client
///          ├─ for another client ─────────► lines: sent at the end of the turn
///          ├─ must be durable ────────────► held ─ transaction ─ on disk ─► lines
///          └─ a part of a batch ──────────► batches: leaves with the batch's last part
/// ```
///
/// A list of many widgets is one line that is sent in slices. Until its last slice has left, the
/// other lines for that client wait behind it.
///
/// The outbox alone counts the bytes that wait for each client, and refuses (`isFull`) a client
/// that does not read. Units are bytes of JSON.
struct Outbox: Sendable {
  /// An answer or a notification that leaves once the turn's transaction is on disk.
  private struct HeldReply: Sendable {
    var address: ReplyAddress
    /// The answer without its line feed; for a notification, the whole line.
    var bytes: [UInt8]
    var notification: DaemonNotification?
    /// Its fate if the transaction fails; a notification has none.
    var otherwise = Otherwise.refuse
  }

  /// The answer to a request with an idempotency key.
  enum RequestOutcome: Hashable, Sendable {
    /// The request was taken and waits; this is the answer that it would have without waiting.
    case taken([UInt8])
    /// The result, which leaves once it is durable.
    case durable([UInt8])
    /// The result of a request that changed nothing, such as a question.
    case passing([UInt8])
    case refused(RPCError)
  }

  /// The fate of an answer whose transaction failed.
  private enum Otherwise: Sendable {
    /// The request did not happen, and is refused.
    case refuse
    /// The request goes on waiting for its receipts if they are on disk, and else is refused.
    case wait(Waiter)
    /// The request took effect outside the store: this answer says so.
    case answer([UInt8])
  }

  /// A batch whose answers are not all there.
  private struct Batch: Sendable {
    var connection: ConnectionID
    var missingCount: Int
    var parts: [[UInt8]] = []
  }

  private var queues = ConnectionTable<OutboxQueue>()
  /// The client whose bytes are being handled, and the lines for it.
  private var heardConnection: ConnectionID?
  private var heard: [UInt8] = []
  /// Bytes of answers for which the heard client had room when `beginHearing` was called; −1 when it
  /// does not read.
  private var heardRoom = -1
  /// Whole lines, sent at the end of the turn.
  private var lines: [(connection: ConnectionID, bytes: [UInt8])] = []
  /// Replies that depend on writes which are in no transaction yet.
  private var held: [HeldReply] = []
  /// Replies that depend on the transaction under way.
  private var inTransaction: [HeldReply] = []
  private var batches: [UInt64: Batch] = [:]
  private var lastBatch: UInt64 = 0
  /// Bytes of lists that are parts of batches.
  private var parts: [UInt64: [UInt8]] = [:]
  private var lastPart: UInt64 = 0
  private var turn: UInt64 = 0
  /// The answers to requests with an idempotency key since `takeOutcomes`.
  private var outcomes: [(request: UInt64, outcome: RequestOutcome)] = []
  /// Bytes of answers that were made otherwise than for the heard client, since the start.
  private var madeCount = 0
  /// Requests that were refused with an error, since the start.
  private(set) var refusalCount: UInt64 = 0

  /// Bytes of answers that were made since the start, while one client is heard: what a request
  /// added is its answer.
  var saidCount: Int { madeCount &+ heard.count }

  // MARK: Clients

  mutating func open(_ connection: ConnectionID) {
    assert(queues[connection] == nil, "a connection's number is used once")
    queues[connection] = OutboxQueue()
  }

  /// Forgets a client; its open answers are dropped when they are ready.
  mutating func close(_ connection: ConnectionID) { queues[connection] = nil }

  mutating func setBackedUp(_ isBackedUp: Bool, _ connection: ConnectionID) {
    queues[connection]?.isBackedUp = isBackedUp
  }

  /// Returns whether the client does not read; `true` also for a client that is gone.
  func isBackedUp(_ connection: ConnectionID) -> Bool {
    guard let index = queues.index(forKey: connection) else { return true }
    return queues.values[index].isBackedUp || !queues.values[index].mayHear
  }

  /// Returns whether so much waits for the client that the shell stopped reading from it.
  func isUnread(_ connection: ConnectionID) -> Bool {
    queues.index(forKey: connection).map { queues.values[$0].isBackedUp } ?? false
  }

  /// Holds a client to its share of the memory, or lets it go on.
  mutating func restrict(_ connection: ConnectionID, mayAsk: Bool, mayHear: Bool) {
    guard let index = queues.index(forKey: connection) else { return }
    queues.values[index].mayAsk = mayAsk
    queues.values[index].mayHear = mayHear
  }

  /// Returns whether requests of this client are served, as far as its share of the memory goes.
  func mayAsk(_ connection: ConnectionID) -> Bool {
    queues.index(forKey: connection).map { queues.values[$0].mayAsk } ?? true
  }

  /// Returns whether a list for this client was begun and is not complete.
  func isMidLine(_ connection: ConnectionID) -> Bool {
    queues.index(forKey: connection).map { queues.values[$0].isMidLine } ?? false
  }

  /// Bytes that are kept for this client: answers that wait, and a part for each request that does.
  func keptBytes(of connection: ConnectionID) -> Int {
    queues.index(forKey: connection).map { queues.values[$0].keptBytes } ?? 0
  }

  /// Bytes that are kept for all clients; O(clients).
  var keptBytes: Int { queues.values.reduce(0) { $0 + $1.keptBytes } }

  /// Returns whether more than `WireLimits.queuedBytesMax` bytes wait for the client: it has to
  /// read before it may ask more.
  func isFull(_ connection: ConnectionID) -> Bool {
    guard let index = queues.index(forKey: connection) else { return false }
    let pending = connection == heardConnection ? heard.count : 0
    return queues.values[index].isBackedUp
      || queues.values[index].saidBytes(in: turn) + pending + queues.values[index].heldBytes
        > WireLimits.queuedBytesMax
  }

  /// Returns whether the client still has an answer coming: a half-closed connection stays open
  /// for it.
  func owes(_ connection: ConnectionID) -> Bool {
    guard let index = queues.index(forKey: connection) else { return false }
    return queues.values[index].waitingCount > 0 || queues.values[index].heldReplyCount > 0
  }

  // MARK: Hearing a client

  /// Gathers the answers to `connection` until `endHearing`; `capacity`: the bytes that they may
  /// need.
  mutating func beginHearing(_ connection: ConnectionID, capacity: Int) {
    assert(heardConnection == nil, "one client is heard at a time")
    assert(heard.isEmpty, "answers of the last client were not sent")
    heardConnection = connection
    heardRoom = -1
    if let index = queues.index(forKey: connection), !queues.values[index].isBackedUp,
      queues.values[index].mayAsk
    {
      let waiting = queues.values[index].saidBytes(in: turn) + queues.values[index].heldBytes
      heardRoom = WireLimits.queuedBytesMax - waiting
    }
    // The first answer allocates for itself what one short request needs.
    if capacity > Limits.shortRequestBytes { heard.reserveCapacity(capacity) }
  }

  /// Whether the heard client may be told more now; says the same as `isFull`, without a look-up, but
  /// for bytes that were held since `beginHearing`.
  var hasHeardRoom: Bool { heard.count <= heardRoom }

  /// Sends the gathered answers.
  mutating func endHearing(into effects: inout [Effect]) {
    guard let connection = heardConnection else { return }
    heardConnection = nil
    guard !heard.isEmpty else { return }
    var bytes: [UInt8] = []
    swap(&bytes, &heard)
    let index = queues.index(forKey: connection)
    if let index { queues.values[index].noteSaid(bytes.count, in: turn) }
    send(bytes, to: connection, at: index, into: &effects)
  }

  /// Answers the request `id` of the client that is being heard, with the empty object.
  mutating func answerHeard(_ id: Int64) { appendEmptyResult(id: id, to: &heard) }

  /// Answers the request `id` of the client that is being heard.
  mutating func answerHeard(_ id: Int64, _ body: (inout [UInt8]) -> Void) {
    appendResult(id: .integer(id), to: &heard, body)
  }

  // MARK: Answers

  /// Answers now.
  mutating func answer(_ address: ReplyAddress, _ result: JSONObject) {
    answer(address) { JSONValue.object(result).write(into: &$0) }
  }

  /// Answers now; `body` appends the result as JSON.
  mutating func answer(_ address: ReplyAddress, _ body: (inout [UInt8]) -> Void) {
    if address.request != nil { note(address, RequestOutcome.passing, body) }
    guard let id = address.id else { return }
    if address.batch == nil, address.connection == heardConnection {
      // With room for a usual answer, which would else grow its buffer several times.
      if heard.isEmpty { heard.reserveCapacity(Limits.answerBytesReserved) }
      appendResult(id: id, to: &heard, body)
      return
    }
    var answer: [UInt8] = []
    appendResult(id: id, to: &answer, newline: false, body)
    deliver(answer, address)
  }

  /// Refuses a request now; `evenWithoutID`: an unreadable request is answered with the id null.
  mutating func refuse(_ address: ReplyAddress, _ error: RPCError, evenWithoutID: Bool = false) {
    refusalCount += 1
    if let request = address.request { outcomes.append((request, .refused(error))) }
    guard address.id != nil || evenWithoutID else { return }
    var answer: [UInt8] = []
    appendError(id: address.id, error, to: &answer, newline: false)
    deliver(answer, address)
  }

  /// Answers once everything that this turn wrote is on disk.
  ///
  /// If the turn writes nothing, the answer leaves at the end of the turn.
  mutating func answerWhenDurable(_ address: ReplyAddress, _ result: JSONObject) {
    answerWhenDurable(address) { JSONValue.object(result).write(into: &$0) }
  }

  /// Does the same with a result that is JSON already.
  mutating func answerWhenDurable(_ address: ReplyAddress, _ result: [UInt8]) {
    answerWhenDurable(address) { $0 += result }
  }

  /// Does the same; `body` appends the result as JSON.
  mutating func answerWhenDurable(_ address: ReplyAddress, _ body: (inout [UInt8]) -> Void) {
    if address.request != nil { note(address, RequestOutcome.durable, body) }
    guard let id = address.id else { return }
    var answer: [UInt8] = []
    // With room for a usual answer, which would else grow its buffer several times.
    answer.reserveCapacity(Limits.answerBytesReserved)
    appendResult(id: id, to: &answer, newline: false, body)
    hold(HeldReply(address: address, bytes: answer, notification: nil))
  }

  /// Answers a request that waited for its receipts, once their ends are durable.
  mutating func answerWhenDurable(_ waiter: Waiter, _ result: JSONObject) {
    if waiter.isPerformed { return answerWhenDurable(orUnsaved: waiter.address, result) }
    note(waiter.address, RequestOutcome.durable) { JSONValue.object(result).write(into: &$0) }
    guard let id = waiter.address.id else { return }
    var answer: [UInt8] = []
    appendResult(id: id, to: &answer, newline: false) { JSONValue.object(result).write(into: &$0) }
    hold(
      HeldReply(
        address: waiter.address, bytes: answer, notification: nil, otherwise: .wait(waiter)))
  }

  /// Answers a request that was carried out outside the store: once that is noted on disk, or, if it
  /// cannot be noted, with the member `saved: false`.
  mutating func answerWhenDurable(orUnsaved address: ReplyAddress, _ result: JSONObject) {
    note(address, RequestOutcome.durable) { JSONValue.object(result).write(into: &$0) }
    guard let id = address.id else { return }
    var answer: [UInt8] = []
    appendResult(id: id, to: &answer, newline: false) { JSONValue.object(result).write(into: &$0) }
    var other: [UInt8] = []
    appendResult(id: id, to: &other, newline: false) {
      JSONValue.object(Self.unsaved(result)).write(into: &$0)
    }
    hold(
      HeldReply(address: address, bytes: answer, notification: nil, otherwise: .answer(other)))
  }

  /// Sends a line at the end of the turn; `line` ends with its line feed.
  mutating func notify(_ connection: ConnectionID, _ line: [UInt8]) {
    lines.append((connection, line))
  }

  /// Notifies once everything that this turn wrote is on disk.
  ///
  /// A client that does not read is notified too: it may wait for nothing else.
  mutating func notifyWhenDurable(
    _ connection: ConnectionID, _ notification: DaemonNotification, _ params: JSONObject
  ) {
    guard queues[connection] != nil else { return }
    var line: [UInt8] = []
    appendNotification(method: notification.rawValue, params: .object(params), to: &line)
    hold(
      HeldReply(
        address: ReplyAddress(connection: connection, id: nil, batch: nil), bytes: line,
        notification: notification))
  }

  /// Begins a batch of which `answerCount` messages are answered; `nil` when none is.
  mutating func beginBatch(_ connection: ConnectionID, answerCount: Int) -> UInt64? {
    guard answerCount > 0 else { return nil }
    lastBatch += 1
    batches[lastBatch] = Batch(connection: connection, missingCount: answerCount)
    return lastBatch
  }

  /// Forgets a batch whose client is gone.
  mutating func dropBatch(_ number: UInt64) { batches[number] = nil }

  // MARK: Requests with a key

  /// Notes that a request with a key was taken and waits; `result`: its answer without waiting.
  mutating func noteTaken(_ address: ReplyAddress, _ result: JSONObject) {
    note(address, RequestOutcome.taken) { JSONValue.object(result).write(into: &$0) }
  }

  /// Takes what was said to requests with a key, in its order.
  mutating func takeOutcomes() -> [(request: UInt64, outcome: RequestOutcome)] {
    guard !outcomes.isEmpty else { return [] }
    defer { outcomes = [] }
    return outcomes
  }

  private mutating func note(
    _ address: ReplyAddress, _ outcome: ([UInt8]) -> RequestOutcome,
    _ body: (inout [UInt8]) -> Void
  ) {
    guard let request = address.request else { return }
    var bytes: [UInt8] = []
    body(&bytes)
    outcomes.append((request, outcome(bytes)))
  }

  // MARK: Requests that wait

  /// Counts a request that is answered later, and refuses it beyond `Limits.waitingCountMax`.
  mutating func reserveWaiting(_ address: ReplyAddress) throws(RPCError) {
    try checkMayWait(address)
    queues[address.connection]?.waitingCount += 1
  }

  /// Refuses what `reserveWaiting` would refuse, before anything is changed.
  func checkMayWait(_ address: ReplyAddress) throws(RPCError) {
    guard let queue = queues[address.connection], queue.waitingCount >= Limits.waitingCountMax
    else { return }
    throw RPCError(
      .tooManyWaiting,
      "\(Limits.waitingCountMax) requests of this connection wait already; let some finish",
      details: ["max": .int(Int64(Limits.waitingCountMax))])
  }

  /// Counts a request again that had been answered, and whose answer did not leave.
  mutating func waitAgain(_ address: ReplyAddress) {
    queues[address.connection]?.waitingCount += 1
  }

  /// Ends what `reserveWaiting` began; the client may be gone.
  mutating func releaseWaiting(_ address: ReplyAddress) {
    guard let index = queues.index(forKey: address.connection) else { return }
    assert(queues.values[index].waitingCount > 0, "released more often than reserved")
    queues.values[index].waitingCount -= 1
  }

  // MARK: Lists in several slices

  /// Returns whether a list's line can begin now: no other list is unfinished, and the client
  /// reads.
  func mayBeginList(_ connection: ConnectionID) -> Bool {
    guard let index = queues.index(forKey: connection) else { return false }
    return !isBackedUp(connection) && !queues.values[index].isMidLine
  }

  /// Begins the line of a list; `append` adds its slices.
  mutating func beginList(_ address: ReplyAddress) -> OpenList {
    guard address.batch == nil else {
      lastPart += 1
      parts[lastPart] = []
      return OpenList(address: address, part: lastPart)
    }
    assert(queues[address.connection]?.isMidLine != true, "one list of a client at a time")
    queues[address.connection]?.isMidLine = true
    return OpenList(address: address, part: nil)
  }

  /// Sends the next slice of a list, and behind the last slice the lines that waited for it.
  mutating func append(
    _ bytes: [UInt8], to list: OpenList, isLast: Bool, into effects: inout [Effect]
  ) {
    let connection = list.address.connection
    if let part = list.part {
      parts[part, default: []] += bytes
      queues[connection]?.heldBytes += bytes.count
      guard isLast, let whole = parts.removeValue(forKey: part) else { return }
      queues[connection]?.heldBytes -= whole.count
      deliver(whole, list.address)
      return
    }
    guard isLast else {
      effects.append(.send(connection, bytes))
      return
    }
    var bytes = bytes
    bytes.append(UInt8(ascii: "\n"))
    if let index = queues.index(forKey: connection) {
      let behind = queues.values[index].linesBehindList
      queues.values[index].linesBehindList = []
      queues.values[index].heldBytes -= behind.count
      queues.values[index].isMidLine = false
      bytes += behind
    }
    effects.append(.send(connection, bytes))
  }

  /// Drops a list that is a part of a batch, whose lists together have more than
  /// `Limits.batchListBytesMax`.
  ///
  /// - Returns: whether it was dropped; its request is to be refused.
  mutating func giveUp(_ list: OpenList) -> Bool {
    guard let part = list.part, let bytes = parts[part],
      let index = queues.index(forKey: list.address.connection),
      queues.values[index].heldBytes > Limits.batchListBytesMax
    else { return false }
    parts[part] = nil
    queues.values[index].heldBytes -= bytes.count
    return true
  }

  /// Drops the rest of a list, or the whole batch that it is a part of: its client is gone.
  mutating func drop(_ list: OpenList?, _ address: ReplyAddress) {
    if let part = list?.part { parts[part] = nil }
    if let batch = address.batch { batches[batch] = nil }
  }

  // MARK: Durability

  /// Replies that wait for a transaction that has not begun.
  var heldCount: Int { held.count }
  /// Replies that wait for the transaction under way.
  var transactionCount: Int { inTransaction.count }

  /// Sends the answers that wait for the disk, after a turn that had nothing to write.
  mutating func releaseHeld() {
    guard !held.isEmpty else { return }
    let replies = held
    held.removeAll(keepingCapacity: true)
    for reply in replies { release(reply) }
  }

  /// Ties the replies held so far to the transaction that begins.
  mutating func beginTransaction() {
    assert(inTransaction.isEmpty, "one transaction is under way at a time")
    swap(&held, &inTransaction)
  }

  /// Sends the replies of the transaction that is on disk.
  mutating func transactionCommitted() {
    let replies = inTransaction
    inTransaction = []
    for reply in replies { release(reply) }
  }

  /// Lets the replies of a transaction that failed wait for its next try, with those held behind it:
  /// they become true with it.
  ///
  /// With `error`, requests that only looked at what it was to write are refused.
  mutating func transactionFailed(refusing error: RPCError?) {
    let replies = inTransaction + held
    inTransaction = []
    held = []
    for reply in replies {
      guard reply.notification == nil, let error else {
        held.append(reply)
        continue
      }
      switch reply.otherwise {
      case .wait: held.append(reply)
      case .refuse:
        letGo(of: reply)
        refuse(reply.address, error)
      case .answer(let other):
        letGo(of: reply)
        deliver(other, reply.address)
      }
    }
  }

  /// Takes back every reply that waits for the disk: nothing of what they say happened.
  ///
  /// Notifications are dropped, so that a refused tap opens nothing later.
  ///
  /// - Returns: the requests that waited for receipts, in the order of their answers; the caller
  ///   knows which of them happened.
  mutating func takeBack(refusing error: RPCError) -> [Waiter] {
    let replies = inTransaction + held
    inTransaction = []
    held = []
    var waiters: [Waiter] = []
    for reply in replies {
      letGo(of: reply)
      guard reply.notification == nil else { continue }
      switch reply.otherwise {
      case .wait(let waiter):
        waitAgain(reply.address)
        waiters.append(waiter)
      case .refuse: refuse(reply.address, error)
      case .answer(let other): deliver(other, reply.address)
      }
    }
    return waiters
  }

  /// Refuses every answer that waits for the disk, and drops the notifications: the daemon stops.
  ///
  /// `error` goes to requests that did not happen; those that a transaction up to `committed` has
  /// get `stopping`.
  mutating func refuseHeld(_ error: RPCError, taken stopping: RPCError, committed: UInt64) {
    let replies = held
    held = []
    for reply in replies {
      letGo(of: reply)
      guard reply.notification == nil else { continue }
      switch reply.otherwise {
      case .wait(let waiter):
        refuse(reply.address, waiter.transaction <= committed ? stopping : error)
      case .refuse: refuse(reply.address, error)
      case .answer(let other): deliver(other, reply.address)
      }
    }
  }

  /// Sends the turn's lines.
  mutating func endTurn(into effects: inout [Effect]) {
    turn += 1
    guard !lines.isEmpty else { return }
    for line in lines {
      guard let index = queues.index(forKey: line.connection) else { continue }
      send(line.bytes, to: line.connection, at: index, into: &effects)
    }
    lines.removeAll(keepingCapacity: true)
  }

  // MARK: Details

  private mutating func hold(_ reply: HeldReply) {
    madeCount &+= reply.bytes.count
    if let index = queues.index(forKey: reply.address.connection) {
      queues.values[index].heldReplyCount += 1
      if reply.notification == nil { queues.values[index].heldBytes += reply.bytes.count }
    }
    held.append(reply)
  }

  private mutating func letGo(of reply: HeldReply) {
    guard let index = queues.index(forKey: reply.address.connection) else { return }
    queues.values[index].heldReplyCount -= 1
    if reply.notification == nil { queues.values[index].heldBytes -= reply.bytes.count }
  }

  private mutating func release(_ reply: HeldReply) {
    letGo(of: reply)
    if reply.notification != nil {
      lines.append((reply.address.connection, reply.bytes))
    } else {
      deliver(reply.bytes, reply.address)
    }
  }

  /// Puts a finished answer, without its line feed, into its batch or onto its way out.
  private mutating func deliver(_ answer: [UInt8], _ address: ReplyAddress) {
    guard queues[address.connection] != nil else {
      if let batch = address.batch { batches[batch] = nil }
      return
    }
    guard let number = address.batch else {
      emit(answer, to: address.connection)
      return
    }
    madeCount &+= answer.count
    guard let index = batches.index(forKey: number) else { return }
    batches.values[index].parts.append(answer)
    batches.values[index].missingCount -= 1
    queues[address.connection]?.heldBytes += answer.count
    guard batches.values[index].missingCount == 0 else { return }
    let parts = batches.remove(at: index).value.parts
    let count = parts.reduce(0) { $0 + $1.count }
    queues[address.connection]?.heldBytes -= count
    var line: [UInt8] = []
    line.reserveCapacity(count + parts.count + 2)
    line.append(UInt8(ascii: "["))
    for (index, part) in parts.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      line.append(contentsOf: part)
    }
    line.append(UInt8(ascii: "]"))
    emit(line, to: address.connection)
  }

  private mutating func emit(_ line: consuming [UInt8], to connection: ConnectionID) {
    line.append(UInt8(ascii: "\n"))
    if connection == heardConnection {
      heard.append(contentsOf: line)
    } else {
      lines.append((connection, line))
    }
  }

  /// Sends whole lines, or lets them wait for the end of the list that is being sent.
  ///
  /// `index` is the place of the client's queue.
  private mutating func send(
    _ bytes: consuming [UInt8], to connection: ConnectionID, at index: Int?,
    into effects: inout [Effect]
  ) {
    guard let index, queues.values[index].isMidLine else {
      effects.append(.send(connection, bytes))
      return
    }
    queues.values[index].linesBehindList += bytes
    queues.values[index].heldBytes += bytes.count
  }
}

// MARK: - Checks

extension Outbox {
  /// Batches whose answers are not all there.
  var openBatchCount: Int { batches.count }

  /// Requests that wait, of all clients.
  var waitingCount: Int { queues.values.reduce(0) { $0 + $1.waitingCount } }

  /// Sentences about clients with more requests waiting than `Limits.waitingCountMax`.
  func checkLimits() -> [String] {
    queues.values.filter { $0.waitingCount > Limits.waitingCountMax }.map {
      "\($0.waitingCount) requests of one connection wait, of \(Limits.waitingCountMax) at most"
    }
  }

  /// Sentences about everything that is wrong after a turn.
  ///
  /// `waiting` has the requests that wait, by connection, as the parts that answer them count.
  /// Without `isAnswerUnderWay` no part has an answer to give, and no batch of a client that left
  /// may be open.
  func checkInvariants(waiting: [ConnectionID: Int], isAnswerUnderWay: Bool) -> [String] {
    var wrong: [String] = []
    if heardConnection != nil || !heard.isEmpty || !lines.isEmpty {
      wrong.append("lines are left over from the turn")
    }
    var heldBytes: [ConnectionID: Int] = [:]
    var heldCounts: [ConnectionID: Int] = [:]
    for reply in held + inTransaction {
      heldCounts[reply.address.connection, default: 0] += 1
      if reply.notification == nil {
        heldBytes[reply.address.connection, default: 0] += reply.bytes.count
      }
    }
    for batch in batches.values {
      heldBytes[batch.connection, default: 0] += batch.parts.reduce(0) { $0 + $1.count }
      if batch.missingCount <= 0 {
        wrong.append(
          "a batch of connection \(batch.connection.number) is complete and was not sent")
      }
      if queues[batch.connection] == nil, !isAnswerUnderWay, held.isEmpty, inTransaction.isEmpty {
        wrong.append("a batch is kept for connection \(batch.connection.number), which is gone")
      }
    }
    let gathered = parts.values.reduce(0) { $0 + $1.count }
    for (connection, queue) in zip(queues.keys, queues.values) {
      let number = connection.number
      if queue.waitingCount != waiting[connection] ?? 0 {
        wrong.append(
          "\(queue.waitingCount) requests of connection \(number) are counted as waiting, and"
            + " \(waiting[connection] ?? 0) do")
      }
      if queue.heldReplyCount != heldCounts[connection] ?? 0 {
        wrong.append("the replies held for connection \(number) are miscounted")
      }
      let known = queue.linesBehindList.count + (heldBytes[connection] ?? 0)
      if gathered == 0 ? queue.heldBytes != known : queue.heldBytes < known {
        wrong.append("\(queue.heldBytes) bytes are held for connection \(number), not \(known)")
      }
      if !queue.isMidLine, !queue.linesBehindList.isEmpty {
        wrong.append("lines for connection \(number) wait for the end of no list")
      }
    }
    return wrong
  }
}
