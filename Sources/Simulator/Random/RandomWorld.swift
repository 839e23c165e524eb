import DaemonCore
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// A whole machine around the real core: its clocks, disk, clients, providers, and everything that goes wrong.
///
/// One seed decides all of it. There is one virtual clock and one queue of things to come, ordered by
/// time and then by when they were planned; nothing else moves the world:
///
/// ```
///   queue ──► perform ──► inbox ──► turn: Daemon.handle … turnEnded ──► effects
///     ▲                                                                    │ checked, then
///     └──────────── replies, outcomes, timers, client moves ◄──────────────┘ carried out
/// ```
///
/// A *fault phase* with the faults that the seed drew is followed by a *calm phase* in which everything
/// works; by its end the daemon must have answered, reloaded and shown everything. The checkers are in
/// `World+Checks`; the first sentence that one of them says ends the world.
package final class World {
  package let seed: UInt64
  package let faults: [Fault]
  let sabotage: Sabotage?
  let eventCountMax: Int
  /// Milliseconds of the fault phase in a world that is measured in days.
  let span: Int64?
  /// As many widgets as a household has; a world of events has twelve at most.
  let widgetCount: Int
  private let show: ((String) -> Void)?
  private let keepsTrace: Bool

  var randomness: Randomness
  /// Milliseconds between a client's moves, about, in a world of events.
  private let eventPace: Int64
  /// Milliseconds between what happens to the machine, about.
  let mischiefPace: Int64
  /// Faults in force now: none in the calm phase.
  var activeFaults: [Fault]
  var isCalm = false

  // Time.
  var monotonic = Instant(nanoseconds: 1_000_000_000)
  /// What the wall clock shows at monotonic 0.
  var wallOffset: Int64
  /// The wall clock before it was set back, for what was said then and arrives now.
  var wallBeforeJump: (wall: WallTime, at: Instant)?
  /// The latest that the wall clock ever showed before it was set back.
  var latestWall = WallTime(milliseconds: .min)
  /// The line being checked is the answer to a batch.
  var isInBatch = false
  private var queue = DeadlineQueue<UInt64, Instant>()
  private var actions: [UInt64: Action] = [:]
  private var lastAction: UInt64 = 0

  // What outlives a process.
  var store = FakeStore()
  var ledger = Ledger()
  var scenario = Scenario()
  var isDiskFull = false
  var networkIsUp = true
  /// Local time is ahead of UTC by so much.
  var zoneSeconds: Int64 = 0
  /// When a surface may last have been visible.
  var lastVisibleAt: Instant?
  /// When somebody last read what widgets show, without being a surface.
  var lastReadingAt: Instant?
  var clients: [FakeClient]
  var slots: [ConnectionID: Int] = [:]
  var lastConnection: UInt64 = 0
  var lastTag = 0

  // The process of the moment.
  var process: Process?
  var lastProcess = 0
  var inbox: [Event] = []
  /// Connections that ended since the last turn: the core may not have heard of it when it spoke to them.
  var inThisTurn: Set<ConnectionID> = []
  var effects: [Effect] = []

  // What is learned on the way.
  var digest = Digest()
  var trace = Trace()
  var violation: String?
  var statistics = Statistics()
  var sabotageCountdown: Int
  /// How often memory and disk were compared.
  var comparisons = 0

  package struct Statistics: Hashable, Sendable {
    package var events = 0
    package var eventsBeforeCalm = 0
    package var turns = 0
    package var requests = 0
    package var answers = 0
    package var refusals = 0
    package var notifications = 0
    package var runs = 0
    package var failedRuns = 0
    package var commits = 0
    package var failedCommits = 0
    package var crashes = 0
    package var stops = 0
    package var clockJumps = 0
    package var claimsChecked = 0
  }

  /// One life of the daemon.
  struct Process {
    let number: Int
    var daemon: Daemon
    var isReady = false
    var isStopping = false
    /// What was started before the signal in the same turn is stopped again at once.
    var stopsInThisTurn = false
    /// Its last configuration had intents.
    var hasIntents = true
    var stopBy: Instant?
    /// The wake-up that is armed, and its number: a later one replaces it.
    var armedAt: Instant?
    var alarm: UInt64 = 0
    var providers: [RunToken: FakeProvider] = [:]
    var startedRuns: Set<RunToken> = []
    var launches: Set<LaunchToken> = []
    var budgets: [TimelineKey: ShadowBudget] = [:]
    /// What the budgets follow, in the order in which the engine has its timelines.
    var followed: [FollowedBudget] = []
    /// Timelines whose rules changed while a run of theirs was queued or begun.
    var decidedBefore: Set<TimelineKey> = []
    /// Budgeted answers of this turn.
    var arrived: [TimelineKey] = []
  }

  /// Something that will happen.
  enum Action {
    case startProcess
    case loaded(process: Int)
    case committed(process: Int, number: UInt64)
    case closed(process: Int)
    case configuration(process: Int)
    case wakeUp(process: Int, alarm: UInt64)
    case clockNotice(process: Int)
    case outcome(process: Int, RunToken)
    case launched(process: Int, LaunchToken)
    case clientMove(Int)
    case deliver(Int, ConnectionID, Chunk)
    case halfClose(Int, ConnectionID)
    case hangUp(Int, ConnectionID)
    case read(Int, ConnectionID)
    case mischief
    case diskRecovers
  }

  /// `show` gets every event and effect as a line, as it happens.
  ///
  /// `keepsTrace`: the digest and the last lines are in the report. Who lives many worlds can do without them, and
  /// live the one that failed again.
  ///
  /// `days`: instead of a number of events, so many days of a household: twenty widgets, three surfaces, five
  /// other clients, and a hundred events an hour or more.
  package init(
    seed: UInt64, eventCountMax: Int = 2_000, days: Int? = nil, sabotage: Sabotage? = nil,
    keepsTrace: Bool = true, show: ((String) -> Void)? = nil
  ) {
    self.seed = seed
    self.keepsTrace = keepsTrace || show != nil
    self.eventCountMax = eventCountMax
    span = days.map { Int64($0) * 86_400_000 }
    widgetCount = days == nil ? 12 : Self.householdWidgetCount
    self.sabotage = sabotage
    self.show = show
    var randomness = Randomness(seed: seed)
    faults = Fault.draw(&randomness)
    activeFaults = faults
    eventPace = days == nil ? randomness.pick([20, 200, 2_000, 20_000, 120_000]) : 0
    mischiefPace = days == nil ? eventPace * 10 : 4_000_000
    // 2026-11-20T20:00:00Z and up to a year more.
    wallOffset = 1_795_204_800_000 + randomness.between(0, 31_536_000_000)
    if days == nil {
      clients = (0..<randomness.between(2, 8)).map { _ in
        FakeClient(role: randomness.pick(FakeClient.Role.allCases))
      }
    } else {
      let household: [FakeClient.Role] = [
        .surface, .surface, .surface, .operatorTool, .shell, .shell, .host, .producer,
      ]
      clients = household.map { FakeClient(role: $0) }
    }
    sabotageCountdown = Int(randomness.between(5, 25))
    self.randomness = randomness
  }

  static let householdWidgetCount = 20

  /// Milliseconds between a client's moves, about.
  ///
  /// The clients of a household make up for a quiet hour: it has a hundred events an hour, and a few.
  var pace: Int64 {
    guard span != nil else { return eventPace }
    let hours = Double(monotonic.nanoseconds) / 3.6e12
    return Double(statistics.events) < Self.householdEventsPerHour * hours ? 30_000 : 400_000
  }

  private static let householdEventsPerHour = 101.0

  var now: Now {
    Now(
      monotonic: monotonic,
      wall: WallTime(milliseconds: wallOffset + monotonic.nanoseconds / 1_000_000))
  }

  func isActive(_ fault: Fault) -> Bool { activeFaults.contains(fault) }

  // MARK: The queue

  func plan(_ action: Action, after milliseconds: Int64) {
    plan(action, at: monotonic.advanced(byMilliseconds: milliseconds))
  }

  func plan(_ action: Action, at moment: Instant) {
    lastAction += 1
    actions[lastAction] = action
    queue.schedule(lastAction, at: max(moment, monotonic))
  }

  /// Moves time to the next thing that is planned, if that is not after `limit`.
  private func takeNext(until limit: Instant) -> Action? {
    guard let next = queue.next(), next <= limit else { return nil }
    monotonic = max(monotonic, next)
    guard let number = queue.popDue(at: monotonic) else { return nil }
    return actions.removeValue(forKey: number)
  }

  // MARK: Running

  /// Lives the world to its end.
  package func run() -> Report {
    plan(.startProcess, after: 0)
    for slot in clients.indices { plan(.clientMove(slot), after: randomness.pause(upTo: pace)) }
    plan(.mischief, after: randomness.pause(upTo: mischiefPace))

    let end = span.map { monotonic.advanced(byMilliseconds: $0) } ?? .distantEnd
    while violation == nil, span != nil || statistics.events < eventCountMax {
      guard step(until: end) else { break }
    }
    if violation == nil { calmDown() }
    return Report(
      seed: seed, faults: faults, violation: violation, lastLines: trace.lines(eventCount: 30),
      digest: digest.value, statistics: statistics,
      milliseconds: monotonic.nanoseconds / 1_000_000)
  }

  /// What happens next, and whatever else falls into the same turn.
  ///
  /// False when nothing is left to happen.
  func step(until limit: Instant) -> Bool {
    guard let action = takeNext(until: limit) else { return false }
    noteVisibility()
    perform(action)
    // A turn of the real loop takes up what arrived while the last one was busy.
    let width: Int64 = randomness.chance(70) ? 0 : randomness.between(1, 20)
    let end = min(limit, monotonic.advanced(byMilliseconds: width))
    while violation == nil, let more = takeNext(until: end) { perform(more) }
    while violation == nil, process != nil, !inbox.isEmpty { turn() }
    checkPatience()
    return true
  }

  private func turn() {
    guard process != nil else { return }
    let events = inbox
    inbox.removeAll(keepingCapacity: true)
    effects.removeAll(keepingCapacity: true)
    let now = now
    statistics.turns += 1
    for event in events {
      statistics.events += 1
      note(.event(event))
      learn(from: event)
      process?.daemon.handle(event, at: now, into: &effects)
    }
    process?.daemon.handle(.turnEnded, at: now, into: &effects)
    sabotageEffects()
    for effect in effects {
      if keepsTrace { digest.mix(effect) }
      note(.effect(effect))
    }
    // The shell writes what the turn said before it leaves.
    payForAnswers(at: now)
    if process?.isReady == true { followBudgets(at: now.wall) }
    let carried = effects
    var stops = 0
    for effect in carried where violation == nil {
      if case .stop = effect { stops += 1 } else { carryOut(effect) }
    }
    for _ in 0..<stops where violation == nil { carryOut(.stop) }
    if violation == nil { checkTurn(at: now) }
    inThisTurn = []
    process?.stopsInThisTurn = false
    if violation == nil { closeHalfClosed() }
  }

  func note(_ item: @autoclosure () -> Trace.Item) {
    guard keepsTrace else { return }
    let item = item()
    trace.append(item, at: now)
    if let show { show(trace.lastLine) }
  }

  /// Ends the world with a sentence.
  func violate(_ sentence: String) {
    if violation == nil { violation = sentence }
  }

  private func sabotageEffects() {
    guard let sabotage, sabotageCountdown >= 0 else { return }
    func spend() -> Bool {
      sabotageCountdown -= 1
      return sabotageCountdown < 0
    }
    for (index, effect) in effects.enumerated() {
      switch (sabotage, effect) {
      case (.dropReply, .send(_, let bytes)) where Self.isSingleAnswer(bytes):
        if spend() {
          effects.remove(at: index)
          return
        }
      case (.repeatReply, .send(_, let bytes)) where Self.isSingleAnswer(bytes):
        if spend() {
          effects.insert(effect, at: index)
          return
        }
      case (.sendToStranger, .send(_, let bytes)):
        if spend() {
          effects.insert(.send(ConnectionID(.max), bytes), at: index)
          return
        }
      case (.repeatRun, .runProvider):
        if spend() {
          effects.insert(effect, at: index)
          return
        }
      case (.forgetRun, .runProvider):
        if spend() {
          effects.remove(at: index)
          return
        }
      case (.forgetWakeUp, .wakeUp(.some)):
        if spend() {
          effects.remove(at: index)
          return
        }
      default: break
      }
    }
  }

  /// One line that answers a request.
  private static func isSingleAnswer(_ bytes: [UInt8]) -> Bool {
    bytes.firstIndex(of: UInt8(ascii: "\n")) == bytes.count - 1
      && parsed(bytes)?["id"].map { !$0.isNull } ?? false
  }

  /// How a world went.
  package struct Report: Sendable {
    package var seed: UInt64
    package var faults: [Fault]
    /// What must never happen and did; `nil` in a good world.
    package var violation: String?
    /// The last events and what the daemon did about them.
    package var lastLines: [String]
    /// Equal for equal effects in equal order; of a world that kept its trace.
    package var digest: UInt64
    package var statistics: Statistics
    /// How long the world lasted, in its own time.
    package var milliseconds: Int64
  }
}

extension Instant {
  static let distantEnd = Instant(nanoseconds: .max)
}
