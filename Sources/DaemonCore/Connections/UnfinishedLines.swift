import Timekeeping

/// The lines whose end has not come: how long they are, and how long the daemon waits for them.
///
/// A line has two deadlines. It may pause for `Limits.linePauseMax`, which a client behind a slow
/// link never does; and it takes `Limits.lineTimeMax` at most, so that a byte now and then does not
/// keep it open for ever. Nearly always there are none.
struct UnfinishedLines: Sendable {
  private struct Line: Sendable {
    /// Bytes that are kept; 0 while the rest of a line is skipped.
    var bytes: Int
    var begunAt: Instant
    var heardAt: Instant

    var deadline: Instant {
      min(
        heardAt.advanced(byMilliseconds: Limits.linePauseMax),
        begunAt.advanced(byMilliseconds: Limits.lineTimeMax))
    }
  }

  private var lines = ConnectionTable<Line>()
  /// Bytes of all unfinished lines.
  private(set) var bytes = 0

  var count: Int { lines.count }

  /// Returns the bytes of this client's unfinished line.
  func bytes(of connection: ConnectionID) -> Int {
    lines.count == 0 ? 0 : lines[connection]?.bytes ?? 0
  }

  /// Notes that more of a line came, of which `bytes` are kept now.
  ///
  /// `isNew`: the line began with what came.
  mutating func note(_ bytes: Int, isNew: Bool, _ connection: ConnectionID, at now: Instant) {
    guard let index = lines.index(forKey: connection) else {
      lines[connection] = Line(bytes: bytes, begunAt: now, heardAt: now)
      self.bytes += bytes
      return
    }
    self.bytes += bytes - lines.values[index].bytes
    lines.values[index].bytes = bytes
    lines.values[index].heardAt = now
    if isNew { lines.values[index].begunAt = now }
  }

  /// Sets the deadlines of a line anew.
  mutating func beginAnew(_ connection: ConnectionID, at now: Instant) {
    guard let index = lines.index(forKey: connection) else { return }
    lines.values[index].begunAt = now
    lines.values[index].heardAt = now
  }

  /// Notes that the kept bytes of a line were dropped: its rest is skipped.
  mutating func drop(_ connection: ConnectionID) {
    guard let index = lines.index(forKey: connection) else { return }
    bytes -= lines.values[index].bytes
    lines.values[index].bytes = 0
  }

  /// Notes that the line of this client has ended, or that the client is gone.
  mutating func end(_ connection: ConnectionID) {
    guard lines.count > 0, let line = lines.removeValue(forKey: connection) else { return }
    bytes -= line.bytes
  }

  /// The moment at which the daemon gives a line up; `nil`: there is none.
  ///
  /// O(lines).
  var nextDeadline: Instant? {
    lines.count == 0 ? nil : lines.values.map(\.deadline).min()
  }

  /// Returns the clients whose line's deadline has passed, in their order.
  func overdue(at now: Instant) -> [ConnectionID] {
    guard lines.count > 0 else { return [] }
    return zip(lines.keys, lines.values).filter { $0.1.deadline <= now }.map(\.0)
  }

  /// Returns sentences about everything that is wrong after a turn.
  func checkInvariants(_ sessions: borrowing Sessions) -> [String] {
    var wrong: [String] = []
    if lines.values.reduce(0, { $0 + $1.bytes }) != bytes {
      wrong.append("the bytes of unfinished lines are miscounted")
    }
    for connection in lines.keys where sessions.isBetweenLines(connection) != false {
      wrong.append("connection \(connection.number) has no line that the daemon waits for")
    }
    return wrong
  }
}
