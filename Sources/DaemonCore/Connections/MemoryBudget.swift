/// The memory that clients make the daemon hold, in bytes, and who gives up first.
///
/// Four sorts count, for all clients together: bytes of lines that are being received, requests that
/// wait for their turn, bytes that wait to be sent, and answers that are being made or wait. The
/// daemon's own data (widgets, timelines, the history) has limits of its own and does not count.
///
/// ```
/// 0 ─────────────── tight ─────────── full ───────── most
///   every client may   │ beyond its share │ the largest   │ room for what one turn
///   use its own limits │ a client gets no │ client of the │ receives and makes
///                      │ further answers  │ largest       │
///                      │ and updates      │ process goes  │
/// ```
/// Clients are compared by their process first, so that many connections of one program do not
/// push a client with one connection aside. What a client has in its share is never refused.
struct MemoryBudget: Sendable {
  /// The bytes that one client has.
  struct Holding: Hashable, Sendable {
    let connection: ConnectionID
    let processID: Int32
    /// Bytes of the line whose end has not come.
    var receivedBytes: Int
    /// Bytes of requests that wait for their turn, and of answers that wait or are being made.
    var otherBytes: Int

    var bytes: Int { receivedBytes + otherBytes }
  }

  /// The thing that a client has to give up.
  enum Sacrifice: Hashable, Sendable {
    /// The line that it is sending is skipped.
    case line(ConnectionID)
    /// Its connection is closed, and what waits for it is dropped.
    case connection(ConnectionID)
  }

  /// Bytes of all clients together.
  let bytesMax: Int
  /// The bytes that the shell could not send yet, by connection; nearly always none.
  private var queued = ConnectionTable<Int>()
  private(set) var queuedBytes = 0
  /// The bytes of all clients at the last look.
  private(set) var usedBytes = 0
  /// Lines and connections that were given up, since the start.
  private(set) var sacrificeCount: UInt64 = 0

  init(bytesMax: Int) {
    precondition(bytesMax > 0, "a budget has at least a byte")
    self.bytesMax = bytesMax
  }

  /// Bytes from which on each client is held to its share: a quarter of the budget.
  var tightBytes: Int { bytesMax / 4 }
  /// Bytes from which on clients have to give something up: half of the budget.
  ///
  /// The rest is for what one turn reads and makes, and for what the allocator adds.
  var fullBytes: Int { bytesMax / 2 }
  /// Bytes that a client may always have: all clients together fill an eighth of the budget.
  var shareBytes: Int { max(1, bytesMax / 8 / Limits.connectionCountMax) }

  // MARK: Bytes that wait for a client

  /// Returns the bytes that the shell could not send to this client yet.
  func queuedBytes(of connection: ConnectionID) -> Int {
    queued.count == 0 ? 0 : queued[connection] ?? 0
  }

  mutating func setQueued(_ bytes: Int, _ connection: ConnectionID) {
    assert(bytes >= 0, "a queue has no negative length")
    queuedBytes += bytes - queuedBytes(of: connection)
    queued[connection] = bytes > 0 ? bytes : nil
  }

  /// Forgets a client.
  mutating func close(_ connection: ConnectionID) { setQueued(0, connection) }

  // MARK: The bound

  /// Notes the bytes of all clients.
  mutating func note(usedBytes: Int) { self.usedBytes = usedBytes }

  var isTight: Bool { usedBytes > tightBytes }
  var isFull: Bool { usedBytes > fullBytes }

  /// Returns what clients have to give up, so that the rest of `holdings` has room; counts it.
  ///
  /// The client with most bytes gives up first, of the process with most bytes; its unfinished line
  /// before its connection. A client that only has its share gives up nothing. O(clients × the
  /// clients that give up), and only while the budget is full.
  mutating func sacrifices(among holdings: [Holding]) -> [Sacrifice] {
    var holdings = holdings
    var processes: [Int32: Int] = [:]
    for holding in holdings { processes[holding.processID, default: 0] += holding.bytes }
    var sacrifices: [Sacrifice] = []
    while isFull {
      var largest: Int?
      for index in holdings.indices where holdings[index].bytes > shareBytes {
        guard let best = largest else {
          largest = index
          continue
        }
        let (mine, other) = (holdings[index], holdings[best])
        let (sum, otherSum) = (processes[mine.processID] ?? 0, processes[other.processID] ?? 0)
        // Of equals the one that came last, so that the order is always the same.
        if (sum, mine.bytes, mine.connection) > (otherSum, other.bytes, other.connection) {
          largest = index
        }
      }
      guard let largest else { break }
      let holding = holdings[largest]
      let freed: Int
      if holding.receivedBytes > holding.otherBytes {
        sacrifices.append(.line(holding.connection))
        freed = holding.receivedBytes
        holdings[largest].receivedBytes = 0
      } else {
        sacrifices.append(.connection(holding.connection))
        freed = holding.bytes
        holdings.remove(at: largest)
      }
      processes[holding.processID, default: 0] -= freed
      usedBytes -= freed
    }
    sacrificeCount += UInt64(sacrifices.count)
    return sacrifices
  }

  /// Returns sentences about everything that is wrong after a turn.
  func checkInvariants(_ sessions: borrowing Sessions) -> [String] {
    var wrong: [String] = []
    if queued.values.reduce(0, +) != queuedBytes { wrong.append("the queued bytes are miscounted") }
    for connection in queued.keys where !sessions.contains(connection) {
      wrong.append("bytes are queued for connection \(connection.number), which is gone")
    }
    return wrong
  }
}
