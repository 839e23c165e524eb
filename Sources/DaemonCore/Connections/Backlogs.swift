import DequeModule
import JSONRPC

/// A batch whose messages are not all handled.
struct BatchUnderWay: Sendable {
  /// The line of the batch, and its messages with their places in it.
  var line: [UInt8]
  var messages: [(envelope: Envelope, range: Range<Int>)]
  /// The number of messages that were handled.
  var next = 0
  /// The number of its answers in the outbox; `nil`: none of its messages is answered.
  var number: UInt64?

  var isComplete: Bool { next == messages.count }
}

/// The requests of one client whose turn has not come, in the order in which they came.
struct Backlog: Sendable {
  /// A batch that was begun; it goes on before the bytes.
  var batch: BatchUnderWay? {
    willSet { byteCount -= batch?.line.count ?? 0 }
    didSet { byteCount += batch?.line.count ?? 0 }
  }
  /// Bytes as they came, not cut into lines yet, and how many of the first were handled.
  private var chunks: Deque<[UInt8]> = []
  private var start = 0
  /// Bytes that are kept.
  private(set) var byteCount = 0
  /// Whether the shell was told not to read from the client.
  var isPaused = false

  var isEmpty: Bool { batch == nil && chunks.isEmpty }

  /// Keeps bytes behind all others; those before `start` were handled.
  mutating func append(_ bytes: consuming [UInt8], from start: Int) {
    assert(start < bytes.count, "no bytes are left")
    assert(start == 0 || chunks.isEmpty, "only the first bytes can be handled")
    if chunks.isEmpty { self.start = start }
    byteCount += bytes.count
    chunks.append(bytes)
  }

  /// Takes the first bytes, and how many of them were handled; `nil`: there are none.
  mutating func takeBytes() -> (bytes: [UInt8], start: Int)? {
    guard let bytes = chunks.popFirst() else { return nil }
    byteCount -= bytes.count
    defer { start = 0 }
    return (bytes, start)
  }

  /// Puts bytes back before all others.
  mutating func putBack(_ bytes: consuming [UInt8], from start: Int) {
    assert(start < bytes.count, "no bytes are left")
    byteCount += bytes.count
    self.start = start
    chunks.prepend(bytes)
  }
}

/// The requests of all clients whose turn has not come: one backlog a client, which take turns.
struct Backlogs: Sendable {
  private var backlogs = ConnectionTable<Backlog>()
  /// The clients with a backlog, the next one first.
  private var rotation: Deque<ConnectionID> = []
  /// The batch that was cut off while its client was heard; `nil` between two clients.
  var interrupted: BatchUnderWay?

  var isEmpty: Bool { rotation.isEmpty }
  var count: Int { rotation.count }
  /// Bytes that are kept for all clients; O(clients with a backlog).
  var byteCount: Int { backlogs.values.reduce(0) { $0 + $1.byteCount } }

  func contains(_ connection: ConnectionID) -> Bool {
    !rotation.isEmpty && backlogs.index(forKey: connection) != nil
  }

  /// Bytes that are kept for this client.
  func byteCount(of connection: ConnectionID) -> Int {
    rotation.isEmpty ? 0 : backlogs[connection]?.byteCount ?? 0
  }

  /// Returns whether the client of a backlog satisfies `canGoOn`.
  func contains(where canGoOn: (ConnectionID) -> Bool) -> Bool { rotation.contains(where: canGoOn) }

  /// Keeps a client's bytes behind its others; a client without a backlog goes behind the other
  /// clients.
  ///
  /// - Returns: whether the client has more than `Limits.backlogBytesMax` from now on, so that
  ///   nothing more should be read from it.
  mutating func append(
    _ bytes: consuming [UInt8], from start: Int, _ connection: ConnectionID
  ) -> Bool {
    let batch = interrupted.take()
    var backlog = Backlog()
    if let index = backlogs.index(forKey: connection) {
      swap(&backlog, &backlogs.values[index])
    } else {
      rotation.append(connection)
    }
    if let batch {
      assert(backlog.isEmpty, "a batch is cut off before anything waits behind it")
      backlog.batch = batch
    }
    if start < bytes.count { backlog.append(bytes, from: start) }
    let pauses = !backlog.isPaused && backlog.byteCount > Limits.backlogBytesMax
    if pauses { backlog.isPaused = true }
    backlogs[connection] = backlog
    return pauses
  }

  /// Takes the backlog of the client whose turn it is; `nil`: there is none.
  mutating func takeFirst() -> (connection: ConnectionID, backlog: Backlog)? {
    guard let connection = rotation.popFirst() else { return nil }
    guard let backlog = backlogs.removeValue(forKey: connection) else {
      preconditionFailure("a client without a backlog is in the rotation")
    }
    return (connection, backlog)
  }

  /// Puts a backlog back, behind those of the other clients.
  mutating func putBack(_ backlog: consuming Backlog, _ connection: ConnectionID) {
    assert(!backlog.isEmpty, "nothing waits")
    backlogs[connection] = backlog
    rotation.append(connection)
  }

  /// Forgets a client's backlog and returns it; `nil`: it had none.
  mutating func remove(_ connection: ConnectionID) -> Backlog? {
    guard contains(connection) else { return nil }
    rotation.removeAll { $0 == connection }
    return backlogs.removeValue(forKey: connection)
  }

  /// Returns sentences about everything that is wrong between two turns.
  func checkInvariants(_ sessions: borrowing Sessions) -> [String] {
    var wrong: [String] = []
    if interrupted != nil { wrong.append("a batch was cut off and not kept") }
    if rotation.sorted() != backlogs.keys { wrong.append("the backlogs do not take turns") }
    for (connection, backlog) in zip(backlogs.keys, backlogs.values) {
      if backlog.isEmpty { wrong.append("the backlog of \(connection.number) is empty") }
      if !sessions.contains(connection) {
        wrong.append("a backlog is kept for connection \(connection.number), which is gone")
      }
    }
    return wrong
  }
}
