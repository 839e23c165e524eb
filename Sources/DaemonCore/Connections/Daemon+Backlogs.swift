import IntentProtocol
import JSON
import JSONRPC
import Timekeeping

/// Lets everybody have a turn: what a client sends beyond its share of a turn's work waits for the
/// next turns.
///
/// A backlog keeps the order of one client's requests: while it has one, what it sends goes behind
/// it. The backlogs take turns among each other. A batch is cut between two of its messages, and its
/// one answer leaves with the last. Decision 0024 has the reasons.
extension Daemon {
  /// Keeps what a client sent for a later turn; the bytes before `start` were handled.
  mutating func putOff(
    _ bytes: consuming [UInt8], from start: Int = 0, _ connection: ConnectionID,
    into effects: inout [Effect]
  ) {
    if backlogs.append(bytes, from: start, connection) {
      effects.append(.pauseReading(connection))
    }
  }

  /// Handles requests that were put off, until this turn's work for them is done.
  mutating func continueBacklogs(at now: Now, into effects: inout [Effect]) {
    guard phase == .running, !backlogs.isEmpty else { return }
    work.beginBacklogs()
    var visits = backlogs.count
    while visits > 0, work.isLeft, let (connection, taken) = backlogs.takeFirst() {
      visits -= 1
      var backlog = taken
      // A client that does not read is not read from, and so its backlog waits too.
      guard !outbox.isBackedUp(connection) else {
        backlogs.putBack(backlog, connection)
        continue
      }
      hear(&backlog, of: connection, at: now, into: &effects)
      guard backlog.isEmpty else {
        backlogs.putBack(backlog, connection)
        continue
      }
      if backlog.isPaused { effects.append(.resumeReading(connection)) }
    }
  }

  /// Whether a backlog can go on in a turn that begins now.
  var hasBacklogToHear: Bool {
    !backlogs.isEmpty && backlogs.contains { !outbox.isBackedUp($0) }
  }

  /// Answers everything that was put off, because the daemon stops: each request is refused, and
  /// nothing is carried out.
  mutating func refuseBacklogs(at now: Now, into effects: inout [Effect]) {
    assert(phase != .running, "requests are carried out")
    while let (connection, taken) = backlogs.takeFirst() {
      var backlog = taken
      hear(&backlog, of: connection, at: now, into: &effects)
      assert(backlog.isEmpty, "refusals take no share")
    }
  }

  /// Forgets what a client that is gone had sent, and what was to be its batch's answer.
  mutating func dropBacklog(_ connection: ConnectionID) {
    guard let batch = backlogs.remove(connection)?.batch?.number else { return }
    outbox.dropBatch(batch)
  }

  private mutating func hear(
    _ backlog: inout Backlog, of connection: ConnectionID, at now: Now,
    into effects: inout [Effect]
  ) {
    work.beginHearing(isLimited: phase == .running)
    outbox.beginHearing(connection, capacity: 0)
    if var batch = backlog.batch.take() {
      handle(&batch, from: connection, at: now, into: &effects)
      if !batch.isComplete { backlog.batch = batch }
    }
    while work.hasShare, let (bytes, start) = backlog.takeBytes() {
      work.spend((bytes.count - start) / Limits.cheapBytesForUnit)
      let end = feedOwn(bytes, from: start, connection, at: now, into: &effects)
      if end < bytes.count { backlog.putBack(bytes, from: end) }
      backlog.batch = backlogs.interrupted.take()
    }
    outbox.endHearing(into: &effects)
    work.endHearing(connection)
  }

  /// Handles the messages of a batch while the client has work left.
  mutating func handle(
    _ batch: inout BatchUnderWay, from connection: ConnectionID, at now: Now,
    into effects: inout [Effect]
  ) {
    let line = batch.line
    while !batch.isComplete, work.hasShare {
      let (envelope, range) = batch.messages[batch.next]
      batch.next += 1
      handle(
        envelope, line.span.extracting(range),
        ReplyAddress(connection: connection, id: envelope.id, batch: batch.number), at: now,
        into: &effects)
    }
  }
}
