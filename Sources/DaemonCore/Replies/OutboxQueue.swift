/// The bytes and lines that wait for one client.
struct OutboxQueue: Sendable {
  /// Whether the client does not read; until it has, requests are refused and updates wait.
  var isBackedUp = false
  /// Whether it is held to its share of the memory: whether its requests are served, and whether
  /// it gets lists and updates.
  var mayAsk = true
  var mayHear = true
  /// Bytes of finished answers that wait for the disk, for the rest of a batch or for a list's
  /// end.
  var heldBytes = 0
  /// Answers and notifications that wait for the disk.
  var heldReplyCount = 0
  /// Requests whose answer waits for a run, a launch or a later turn.
  var waitingCount = 0
  /// Whether a list was begun and is not complete; then whole lines wait in `linesBehindList`.
  var isMidLine = false
  var linesBehindList: [UInt8] = []
  /// Bytes sent in the turn `saidTurn`; the shell begins to count them when that turn has ended.
  private var saidBytes = 0
  private var saidTurn: UInt64 = 0

  var keptBytes: Int { heldBytes + waitingCount * Limits.waitingRequestBytes }

  func saidBytes(in turn: UInt64) -> Int { saidTurn == turn ? saidBytes : 0 }

  mutating func noteSaid(_ count: Int, in turn: UInt64) {
    saidBytes = saidBytes(in: turn) + count
    saidTurn = turn
  }
}
