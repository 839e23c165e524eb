import DequeModule
import Timekeeping

/// Timelines that wait for a free slot, runs that are under way, and the deadline of each run.
///
/// At most `Limits.runningProviderCountMax` timelines run at once. Timelines that a person waits
/// for go first. Runs that ask for options have slots of their own, `Limits.optionRunCountMax`,
/// since somebody waits for each of them.
struct RunQueue: Sendable {
  private var running: [RunToken: TimelineKey] = [:]
  private var optionRuns: Set<RunToken> = []
  /// Waiting timelines that a person waits for, in the order of asking.
  private var urgent = Deque<TimelineKey>()
  /// The other waiting timelines, in the order of asking.
  private var patient = Deque<TimelineKey>()
  /// By when each run has to answer.
  private var deadlines = DeadlineQueue<RunToken, Instant>()
  private var lastToken: UInt64 = 0

  /// Timelines whose provider runs now.
  var runningCount: Int { running.count }
  /// Places in the two queues; a timeline that became urgent while it waited stands in both.
  var waitingCount: Int { urgent.count + patient.count }
  /// The tokens of all runs under way, in ascending order.
  var tokens: [RunToken] { (Array(running.keys) + optionRuns).sorted() }
  /// The tokens of the runs that ask for options.
  var optionTokens: Set<RunToken> { optionRuns }
  /// The timelines whose provider runs now, in ascending order.
  var runningKeys: [TimelineKey] { running.values.sorted() }
  /// The timelines that wait for a slot, each once.
  ///
  /// O(waiting).
  var waitingKeys: Set<TimelineKey> { Set(urgent).union(patient) }

  /// The timeline that a run is for; `nil` when the token is not running or asks for options.
  func key(of token: RunToken) -> TimelineKey? { running[token] }

  /// Whether a timeline waits for a slot; `isUrgent` looks only among those that a person waits
  /// for.
  ///
  /// O(waiting).
  func waits(_ key: TimelineKey, isUrgent: Bool) -> Bool {
    urgent.contains(key) || !isUrgent && patient.contains(key)
  }

  /// Forgets every timeline that waits for a slot; the runs under way go on.
  mutating func forgetWaiting() {
    urgent.removeAll()
    patient.removeAll()
  }

  /// Puts a timeline at the end of its queue.
  mutating func enqueue(_ key: TimelineKey, isUrgent: Bool) {
    if isUrgent { urgent.append(key) } else { patient.append(key) }
  }

  /// Takes the timeline that runs next; `nil` when no slot is free or nothing waits.
  ///
  /// The caller drops a timeline that is no longer queued: it stood in both queues, or is gone.
  mutating func popNext() -> TimelineKey? {
    guard running.count < Limits.runningProviderCountMax else { return nil }
    return urgent.popFirst() ?? patient.popFirst()
  }

  /// Starts a run of a timeline, which has to answer by `deadline`.
  mutating func start(_ key: TimelineKey, until deadline: Instant) -> RunToken {
    precondition(running.count < Limits.runningProviderCountMax, "a run starts without a free slot")
    let token = makeToken(until: deadline)
    running[token] = key
    return token
  }

  /// Starts a run that asks for options; `nil` when `Limits.optionRunCountMax` ask already.
  mutating func startOptions(until deadline: Instant) -> RunToken? {
    guard optionRuns.count < Limits.optionRunCountMax else { return nil }
    let token = makeToken(until: deadline)
    optionRuns.insert(token)
    return token
  }

  /// Ends the run of a timeline; `nil` when the token is not running, as after a second answer.
  mutating func end(_ token: RunToken) -> (key: TimelineKey, hasTimedOut: Bool)? {
    guard let key = running.removeValue(forKey: token) else { return nil }
    return (key, takeDeadline(of: token))
  }

  /// Ends a run that asked for options.
  ///
  /// - Returns: whether its deadline had passed; `nil` when the token is no such run.
  mutating func endOptions(_ token: RunToken) -> Bool? {
    guard optionRuns.remove(token) != nil else { return nil }
    return takeDeadline(of: token)
  }

  /// Takes a run whose deadline is at or before `now`; the run goes on until its outcome arrives.
  mutating func popOverdue(at now: Instant) -> RunToken? {
    guard let token = deadlines.popDue(at: now) else { return nil }
    assert(running[token] != nil || optionRuns.contains(token), "a deadline outlived its run")
    return token
  }

  /// The earliest deadline of a run.
  mutating func nextDeadline() -> Instant? { deadlines.next() }

  private mutating func makeToken(until deadline: Instant) -> RunToken {
    lastToken += 1
    let token = RunToken(lastToken)
    deadlines.schedule(token, at: deadline)
    return token
  }

  /// Forgets the deadline of a run; `true` when it had passed and was taken by `popOverdue`.
  private mutating func takeDeadline(of token: RunToken) -> Bool {
    let hasPassed = deadlines.moment(of: token) == nil
    deadlines.cancel(token)
    return hasPassed
  }

  /// A sentence for everything that is wrong; empty in a sound queue.
  func checkInvariants() -> [String] {
    var wrong: [String] = []
    if running.count > Limits.runningProviderCountMax {
      wrong.append("\(running.count) providers run")
    }
    if optionRuns.count > Limits.optionRunCountMax {
      wrong.append("\(optionRuns.count) providers are asked for options")
    }
    if Set(running.values).count != running.count { wrong.append("a timeline runs twice") }
    if !optionRuns.isDisjoint(with: running.keys) {
      wrong.append("a run is for a timeline and for options")
    }
    if deadlines.count > running.count + optionRuns.count {
      wrong.append("\(deadlines.count) deadlines are for \(running.count + optionRuns.count) runs")
    }
    return wrong
  }
}
