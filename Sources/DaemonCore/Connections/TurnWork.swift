/// The work that clients may still cause in this turn, counted in units.
///
/// The core has no clock, so that a turn is the same each time it is replayed. It counts instead: a
/// unit is about a microsecond of a release build. A request is charged after it was handled, by the
/// bytes of its line and of its answer, and for what costs more than its bytes say by the code that
/// does it. So a turn is longer than its units by one request at most, and each request has limits
/// of its own.
///
/// ```
/// turn ──┬─ events: bytes that came now ── Limits.freshWorkMax, of one client at most its share
///        └─ turnEnded: what was put off ── Limits.backlogWorkMax, of one client at most its share
/// ```
struct TurnWork: Sendable {
  /// Units of one client at a time.
  private let shareMax: Int
  private let freshMax: Int
  private let backlogMax: Int
  /// Units left for all clients in this half of the turn.
  private var left: Int
  /// Units left for the client that is being heard.
  private(set) var share = 0
  /// The share that the client had when it began to be heard.
  private var given = 0
  /// The clients that used up their share of what came in this turn: a few.
  private var spent: [ConnectionID] = []

  init(
    shareMax: Int = Limits.connectionWorkMax, freshMax: Int = Limits.freshWorkMax,
    backlogMax: Int = Limits.backlogWorkMax
  ) {
    self.shareMax = shareMax
    self.freshMax = freshMax
    self.backlogMax = backlogMax
    left = freshMax
  }

  /// Whether another client may be heard in this half of the turn.
  var isLeft: Bool { left > 0 }
  /// Whether the client that is being heard may have its next request handled.
  var hasShare: Bool { share > 0 }

  /// Begins the half of the turn in which put off requests go on.
  mutating func beginBacklogs() { left = backlogMax }

  /// Begins the next turn.
  mutating func endTurn() {
    left = freshMax
    if !spent.isEmpty { spent.removeAll(keepingCapacity: true) }
  }

  /// Returns whether more of what the client sends just now may be handled in this turn.
  func mayHear(_ connection: ConnectionID) -> Bool {
    isLeft && (spent.isEmpty || !spent.contains(connection))
  }

  /// Begins to hear a client; without a limit where every request is refused, which costs little.
  mutating func beginHearing(isLimited: Bool) {
    share = isLimited ? min(shareMax, left) : .max
    given = share
  }

  mutating func endHearing(_ connection: ConnectionID) {
    if given != .max {
      left -= given - share
      if !hasShare { spent.append(connection) }
    }
    share = 0
    given = 0
  }

  /// Charges the client that is being heard.
  mutating func spend(_ units: Int) {
    assert(units >= 0, "work is not given back")
    share -= min(units, Limits.requestWorkMax)
  }
}
