package import DaemonCore
import JSON
import JSONRPC
package import Timekeeping
package import VirtualTime
package import WidgetCenter

/// A whole machine around the real core: its clocks, disk, clients, providers, and everything that
/// goes wrong.
///
/// One seed decides all of it. One `VirtualClock` with everything that is planned on it moves the
/// world, and nothing else does; effects are checked before they are carried out.
///
/// A *fault phase* with the faults that the seed drew is followed by a *calm phase* in which
/// everything works; by its end the daemon must have answered, reloaded and shown everything. The
/// checkers are in `RandomWorld+Checks`; the first violation ends the world.
package final class RandomWorld: VirtualShell {
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
  package var clock: VirtualClock<Action>
  /// The wall clock before it was set back, for messages that were made then and arrive now.
  var wallBeforeJump: (wall: WallTime, at: Instant)?
  /// The latest that the wall clock ever showed before it was set back.
  var latestWall = WallTime(milliseconds: .min)
  /// The line being checked is the answer to a batch.
  var isInBatch = false

  // The state that outlives a process.
  var store = FakeStore()
  var ledger = Ledger()
  var pushes = PushLedger()
  var setValues = ValueLedger()
  /// Content that nobody was promised and that the store lacks.
  var routine = RoutineLedger()
  var scenario = Scenario()
  var isDiskFull = false
  var comingSleep: ComingSleep?
  var supply = MachineSupply()
  var networkIsUp = true
  /// Local time is ahead of UTC by so much.
  var zoneSeconds: Int64 = 0
  /// Times that the configuration's files changed.
  var changedFilesCount = 0
  /// When a surface may last have been visible.
  var lastVisibleAt: Instant?
  /// When the daemon last got the files that it had asked for.
  var lastConfigurationAt: Instant?
  /// When a client last sent a widget rules of its own.
  var rulesAskedAt: Instant?
  /// The moment of the last read of widgets by a client that is no surface.
  var lastReadingAt: Instant?
  var clients: [FakeClient]
  var slots: [ConnectionID: Int] = [:]
  var lastConnection: UInt64 = 0
  var lastTag = 0
  /// Requests with an idempotency key of which nobody knows what became; they are sent again.
  var retries: [Retry] = []

  /// The intents that a program began to perform, by what tells them apart.
  var performedBells: Set<String> = []

  /// When a client last asked to forget acts; requests from before are not sent again.
  var forgetAskedAt: Instant?

  /// A request that is sent again.
  struct Retry {
    var params: JSONObject
    var claim: Ledger.Claim
    var sentAt: Instant
  }

  // The process of the moment.
  var process: Process?
  var lastProcess = 0
  package var inbox: [Event] = []
  /// The connections that ended since the last turn.
  ///
  /// The core may have sent to them before it was told.
  var inThisTurn: Set<ConnectionID> = []

  // The results.
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
    /// Changes of widgets that apps were told.
    package var appChanges = 0
    /// Views that surfaces were sent.
    package var views = 0
    package var runs = 0
    package var failedRuns = 0
    package var commits = 0
    /// Taps that set values of their widgets.
    package var valuesSet = 0
    /// Intents that programs began to perform.
    package var performed = 0
    package var failedCommits = 0
    package var crashes = 0
    package var stops = 0
    package var clockJumps = 0
    /// Announced sleeps for which the daemon let the machine go.
    package var sleeps = 0
    package var claimsChecked = 0
    /// Transactions that failed and were forgotten, because clients waited for them.
    package var startsOver = 0
  }

  /// One life of the daemon.
  struct Process {
    let number: Int
    var daemon: Daemon
    var isReady = false
    /// Whether it forgets, in this turn, a transaction that failed.
    var startsOver = false
    var isStopping = false
    /// Whether the daemon stops in this turn; runs that started earlier in the turn end at once.
    var stopsInThisTurn = false
    /// Its last configuration had intents.
    var hasIntents = true
    var stopBy: Instant?
    /// The wake-up that is armed, and its number: a later one replaces it.
    var armedAt: Instant?
    var alarm: UInt64 = 0
    var providers: [RunToken: FakeProvider] = [:]
    var streams: [RunToken: FakeStream] = [:]
    var startedRuns: Set<RunToken> = []
    var fetches: [FetchToken: FakeFetch] = [:]
    var startedFetches: Set<FetchToken> = []
    var launches: Set<LaunchToken> = []
    /// The programs of clicks among them.
    var commands: Set<LaunchToken> = []
    var budgets: [TimelineKey: ShadowBudget] = [:]
    /// The followed budgets, in the engine's order of timelines.
    var followed: [FollowedBudget] = []
    /// Timelines whose rules changed while a run of theirs was queued or begun.
    var decidedBefore: Set<TimelineKey> = []
    /// Budgeted answers of this turn.
    var arrived: [TimelineKey] = []
  }

  /// Something that will happen.
  package enum Action {
    case startProcess
    case loaded(process: Int)
    case committed(process: Int, number: UInt64)
    case closed(process: Int)
    case configuration(process: Int)
    case wakeUp(process: Int, alarm: UInt64)
    case clockNotice(process: Int)
    case outcome(process: Int, RunToken)
    case frame(process: Int, RunToken)
    case streamEnd(process: Int, RunToken)
    case launched(process: Int, LaunchToken)
    case fetchEnd(process: Int, FetchToken)
    case clientMove(Int)
    case deliver(Int, ConnectionID, Chunk)
    case halfClose(Int, ConnectionID)
    case hangUp(Int, ConnectionID)
    case read(Int, ConnectionID)
    case mischief
    case diskRecovers
    case fallAsleep
  }

  /// `show` gets every event and effect as a line, as it happens.
  ///
  /// `keepsTrace`: the digest and the last lines are in the report. A run of many seeds can do
  /// without them, and run the seed that failed again.
  ///
  /// `days`: instead of a number of events, so many days of a household: twenty widgets, three
  /// surfaces, five other clients, and a hundred events an hour or more.
  package init(
    seed: UInt64, eventCountMax: Int = 2_000, days: Int? = nil, sabotage: Sabotage? = nil,
    keepsTrace: Bool = true, show: ((String) -> Void)? = nil
  ) {
    self.seed = seed
    self.keepsTrace = keepsTrace || show != nil
    self.eventCountMax = eventCountMax
    span = days.map { Int64($0) * 86_400_000 }
    if days != nil { scenario.interval = Scenario.longInterval }
    widgetCount = days == nil ? 12 : Self.householdWidgetCount
    self.sabotage = sabotage
    self.show = show
    var randomness = Randomness(seed: seed)
    faults = Fault.draw(&randomness)
    activeFaults = faults
    eventPace = days == nil ? randomness.pick([20, 200, 2_000, 20_000, 120_000]) : 0
    mischiefPace = days == nil ? eventPace * 10 : 4_000_000
    // 2026-11-20T20:00:01Z and up to a year more.
    let wall = 1_795_204_801_000 + randomness.between(0, 31_536_000_000)
    clock = VirtualClock(wall: WallTime(milliseconds: wall))
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
    // Apps are told of few changes.
    sabotageCountdown = Int(
      sabotage == .forgetAppChange ? randomness.between(0, 2) : randomness.between(5, 25))
    self.randomness = randomness
  }

  static let householdWidgetCount = 20

  /// Milliseconds between a client's moves, about.
  ///
  /// The clients of a household make up for a quiet hour: it has a hundred events an hour, and a
  /// few.
  var pace: Int64 {
    guard span != nil else { return eventPace }
    let hours = Double(monotonic.nanoseconds) / 3.6e12
    return Double(statistics.events) < Self.householdEventsPerHour * hours ? 30_000 : 400_000
  }

  private static let householdEventsPerHour = 101.0

  var monotonic: Instant { clock.monotonic }

  var now: Now { clock.now }

  func isActive(_ fault: Fault) -> Bool { activeFaults.contains(fault) }

  func plan(_ action: Action, after milliseconds: Int64) {
    clock.plan(action, after: milliseconds)
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

  /// Performs the next event, and the others that fall into the same turn.
  ///
  /// Returns false if no event is left.
  func step(until limit: Instant) -> Bool {
    guard let action = clock.takeNext(until: limit) else { return false }
    noteVisibility()
    perform(action)
    // A turn of the real loop handles the events that arrived during the last one.
    let width: Int64 = randomness.chance(70) ? 0 : randomness.between(1, 20)
    let end = min(limit, monotonic.advanced(byMilliseconds: width))
    while violation == nil, let more = clock.takeNext(until: end) { perform(more) }
    var shell = self
    while violation == nil, process != nil, !inbox.isEmpty { shell.turn() }
    checkPatience()
    checkFetches()
    checkPreviewTimes()
    if violation == nil { checkStreamsAreWanted() }
    return true
  }

  // MARK: Turns

  package var isOver: Bool { violation != nil }

  package func handle(_ event: Event, at now: Now, into effects: inout [Effect]) {
    if case .turnEnded = event {
      statistics.turns += 1
    } else {
      statistics.events += 1
      note(.event(event))
      learn(from: event)
    }
    process?.daemon.handle(event, at: now, into: &effects)
  }

  package func willCarryOut(_ effects: inout [Effect], at now: Now) {
    applySabotage(to: &effects)
    for effect in effects {
      if keepsTrace { digest.mix(effect) }
      note(.effect(effect))
    }
    if process?.startsOver == true {
      process?.startsOver = false
      statistics.startsOver += 1
      checkPromises(after: "a transaction that failed")
      routine.startOver()
    }
    payForAnswers(at: now)
    if process?.isReady == true { followBudgets(at: now.wall) }
  }

  package func didEndTurn(at now: Now) {
    for sentence in store.violations { violate(sentence) }
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

  private func applySabotage(to effects: inout [Effect]) {
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
      case (.forgetAppChange, .send(_, let bytes)) where Self.tellsApp(bytes):
        if spend() {
          effects.remove(at: index)
          // Each second one from here on: a client that leaves or registers anew notices none.
          sabotageCountdown = 1
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

  /// One line that tells an app of changes.
  private static func tellsApp(_ bytes: [UInt8]) -> Bool {
    bytes.firstIndex(of: UInt8(ascii: "\n")) == bytes.count - 1
      && parsed(bytes)?["method"] == "app.widgetsChanged"
  }

  /// How a world went.
  package struct Report: Sendable {
    package var seed: UInt64
    package var faults: [Fault]
    /// The violated rule, in a sentence; `nil` in a good world.
    package var violation: String?
    /// The last events with the daemon's effects.
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
