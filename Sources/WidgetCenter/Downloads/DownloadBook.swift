import Timekeeping

/// When downloads are due, and which are under way.
struct DownloadBook: Sendable {
  /// One download of a timeline, in the request of a process.
  struct Item: Hashable, Sendable {
    var key: TimelineKey
    /// The place of its order.
    var index: Int
  }

  private var due = DeadlineQueue<TimelineKey, WallTime>()
  private var planned: Set<TimelineKey> = []
  /// Until when receipts wait for the files.
  private var patience = DeadlineQueue<TimelineKey, WallTime>()
  private var active: [FetchToken: [Item]] = [:]
  private var deadlines = DeadlineQueue<FetchToken, Instant>()
  private var lastToken: UInt64 = 0

  /// Processes that download now.
  var activeCount: Int { active.count }
  var hasRoom: Bool { active.count < Limits.fetchCountMax }
  /// The tokens of what is under way, in ascending order.
  var tokens: [FetchToken] { active.keys.sorted() }
  func isActive(_ token: FetchToken) -> Bool { active[token] != nil }
  func dueMoment(of key: TimelineKey) -> WallTime? { due.moment(of: key) }

  /// Plans the downloads of a timeline; `nil`: none.
  mutating func plan(_ key: TimelineKey, at moment: WallTime?) {
    if let moment {
      due.schedule(key, at: moment)
      planned.insert(key)
    } else {
      due.cancel(key)
      planned.remove(key)
    }
  }

  /// The timelines whose downloads wait, in ascending order.
  var waitingKeys: [TimelineKey] { planned.sorted() }

  /// Takes a timeline whose downloads are due at or before `moment`.
  mutating func popDue(at moment: WallTime) -> TimelineKey? {
    let key = due.popDue(at: moment)
    if let key { planned.remove(key) }
    return key
  }

  mutating func wait(_ key: TimelineKey, until moment: WallTime) {
    // Later receipts of the same timeline end with the first.
    if patience.moment(of: key) == nil { patience.schedule(key, at: moment) }
  }

  /// Whether receipts of a timeline wait longer than until `moment`, which a clock that was set back
  /// makes them do.
  func waits(_ key: TimelineKey, beyond moment: WallTime) -> Bool {
    patience.moment(of: key).map { $0 > moment } ?? false
  }

  mutating func endWaiting(_ key: TimelineKey) { patience.cancel(key) }

  mutating func popImpatient(at now: WallTime) -> TimelineKey? { patience.popDue(at: now) }

  mutating func forget(_ key: TimelineKey) {
    plan(key, at: nil)
    patience.cancel(key)
  }

  /// The token of the next process; `begin` takes it.
  var nextToken: FetchToken { FetchToken(lastToken + 1) }

  mutating func begin(_ token: FetchToken, _ items: [Item], until deadline: Instant) {
    lastToken = token.number
    active[token] = items
    deadlines.schedule(token, at: deadline)
  }

  /// Takes a process that took too long; it goes on until its outcome arrives.
  mutating func popOverdue(at now: Instant) -> FetchToken? { deadlines.popDue(at: now) }

  /// Ends a process; `nil` when it is not under way, as after a second outcome.
  mutating func end(_ token: FetchToken) -> [Item]? {
    deadlines.cancel(token)
    return active.removeValue(forKey: token)
  }

  /// Takes over what is under way from the memory that was replaced: its outcomes are still to come,
  /// and no token is used twice.
  mutating func takeOver(from before: DownloadBook) {
    lastToken = before.lastToken
    active = before.active.mapValues { _ in [] }
    for token in active.keys.sorted() {
      if let moment = before.deadlines.moment(of: token) { deadlines.schedule(token, at: moment) }
    }
  }

  mutating func nextDeadline(at now: Now) -> Instant? {
    // Without room nothing is begun before a process ends.
    [
      hasRoom ? due.next().map { now.instant(of: $0) } : nil,
      patience.next().map { now.instant(of: $0) }, deadlines.next(),
    ].compactMap(\.self).min()
  }
}
