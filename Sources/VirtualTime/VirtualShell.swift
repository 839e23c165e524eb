package import DaemonCore
package import Timekeeping
package import WidgetCenter

/// A shell around the core without real time: the one driver of random worlds, scenarios,
/// `intentd --simulate`, the fuzzer of the daemon and the tests of the core.
///
/// ```
///   clock ──► perform, wakeUp ──► inbox ──► turn: Daemon.handle … turnEnded ──► effects
///     ▲                                                                            │
///     └───────────── plans, or events for the next turn ◄── one function each ◄────┘
/// ```
/// A shell states only how its machine differs from a quiet one, which is what the defaults are:
/// its disk is empty and takes every transaction at once, it starts no application, and it wakes
/// the daemon in time. A class calls `turn` through a variable: `var shell = self`.
package protocol VirtualShell {
  /// An action that is planned for a moment.
  associatedtype Planned

  var clock: VirtualClock<Planned> { get set }
  /// Events of the next turn, in the order in which they are handled.
  var inbox: [Event] { get set }
  /// Whether the shell has stopped: it begins no further turn and carries out no further effect.
  var isOver: Bool { get }

  /// Hands an event to the daemon; the last of each turn is `turnEnded`.
  mutating func handle(_ event: Event, at now: Now, into effects: inout [Effect])
  /// Performs a planned action.
  mutating func perform(_ action: Planned)
  /// Called when the wake-up is due.
  mutating func wakeUp()
  /// Looks at a turn's effects before they are carried out.
  mutating func willCarryOut(_ effects: inout [Effect], at now: Now)
  /// Looks at the daemon after a turn.
  mutating func didEndTurn(at now: Now)

  // The effects, one function each; `Effect` says what each asks for.

  /// Takes the bytes that the daemon sends to a client.
  mutating func receive(_ bytes: [UInt8], on connection: ConnectionID)
  /// Closes a client's connection.
  mutating func close(_ connection: ConnectionID, reason: String)
  /// Stops reading from a client until `resumeReading`.
  mutating func pauseReading(_ connection: ConnectionID)
  /// Reads from a client again.
  mutating func resumeReading(_ connection: ConnectionID)
  /// Closes a client's connection at once: what it has not read is lost.
  mutating func drop(_ connection: ConnectionID, reason: String)
  /// Opens the store; the event `store(.loaded)` follows, or `.loadFailed`.
  mutating func openStore()
  /// Writes a transaction; the event `store(.committed)` follows, or `.commitFailed`.
  mutating func commit(_ transaction: UInt64, _ writes: [StoreWrite])
  /// Closes the store; the event `store(.closed)` follows.
  mutating func closeStore()
  /// Starts a provider; exactly one event `provider` follows, of a stream after its frames.
  mutating func start(_ run: ProviderRun)
  /// Stops a run, whose outcome still follows.
  mutating func cancel(_ token: RunToken)
  /// Writes a line to a stream.
  mutating func tell(_ token: RunToken, _ line: [UInt8])
  /// Opens an application; the event `launched` follows.
  mutating func launch(_ request: LaunchRequest, _ token: LaunchToken)
  /// Starts downloads; the event `fetched` follows.
  mutating func fetch(_ request: FetchRequest)
  /// Stops downloads, whose outcome still follows.
  mutating func cancelFetch(_ token: FetchToken)
  /// Gives the programs that start from now on the session of a surface.
  mutating func use(_ session: SurfaceSession)
  /// Shows a notification.
  mutating func notify(_ notice: UrgentNotice)
  /// Lets the machine sleep, which waits for it.
  mutating func letSleep()
  /// Arms the one wake-up for a moment; `nil` disarms it.
  mutating func arm(wakeUpAt moment: Instant?)
  /// Reads the configuration's files; the event `configuration` follows.
  mutating func readConfiguration()
  /// Lets clients in: the daemon serves from now on.
  mutating func becomeReady()
  /// Takes a line for the log.
  mutating func write(_ line: LogLine)
  /// Ends the daemon.
  mutating func stop(_ reason: StopReason)
}

extension VirtualShell {
  package var isOver: Bool { false }

  package mutating func wakeUp() { inbox.append(.wakeUp) }
  package mutating func willCarryOut(_ effects: inout [Effect], at now: Now) {}
  package mutating func didEndTurn(at now: Now) {}

  package mutating func close(_ connection: ConnectionID, reason: String) {}
  package mutating func pauseReading(_ connection: ConnectionID) {}
  package mutating func resumeReading(_ connection: ConnectionID) {}
  package mutating func drop(_ connection: ConnectionID, reason: String) {
    close(connection, reason: reason)
  }
  package mutating func openStore() { inbox.append(.store(.loaded(StoredState()))) }
  package mutating func commit(_ transaction: UInt64, _ writes: [StoreWrite]) {
    inbox.append(.store(.committed(transaction: transaction)))
  }
  package mutating func closeStore() { inbox.append(.store(.closed)) }
  package mutating func cancel(_ token: RunToken) {}
  package mutating func tell(_ token: RunToken, _ line: [UInt8]) {}
  package mutating func launch(_ request: LaunchRequest, _ token: LaunchToken) {
    inbox.append(
      .launched(token, .failed(reason: "not-found", message: "nothing is opened here")))
  }
  package mutating func fetch(_ request: FetchRequest) {
    inbox.append(.fetched(request.token, .noProgram))
  }
  package mutating func cancelFetch(_ token: FetchToken) {}
  package mutating func use(_ session: SurfaceSession) {}
  package mutating func notify(_ notice: UrgentNotice) {}
  package mutating func letSleep() {}
  package mutating func arm(wakeUpAt moment: Instant?) { clock.wakeUpAt = moment }
  package mutating func becomeReady() {}
  package mutating func write(_ line: LogLine) {}
}

extension VirtualShell {
  // MARK: Turns

  /// One turn: the events of the inbox, `turnEnded`, then the effects in their order, `stop` last.
  ///
  /// Events that the effects bring are for the next turn.
  package mutating func turn() {
    clock.turnsAtThisMoment += 1
    let now = clock.now
    let events = inbox
    inbox.removeAll(keepingCapacity: true)
    var effects: [Effect] = []
    for event in events { handle(event, at: now, into: &effects) }
    handle(.turnEnded, at: now, into: &effects)
    willCarryOut(&effects, at: now)
    var reasons: [StopReason] = []
    for effect in effects where !isOver {
      // As in the service, all other lines of this turn leave before the loop ends.
      if case .stop(let reason) = effect { reasons.append(reason) } else { carryOut(effect) }
    }
    for reason in reasons where !isOver { stop(reason) }
    didEndTurn(at: now)
  }

  /// Turns until the inbox is empty.
  package mutating func settle() {
    while !inbox.isEmpty, !isOver { turn() }
  }

  /// Performs the planned actions that are due now, in their order, and then the wake-up.
  package mutating func takeDue() {
    while !isOver, let action = clock.takeDue() { perform(action) }
    if !isOver, clock.takeWakeUp() { wakeUp() }
  }

  /// Lets time pass until `end`: each moment at which something is due has turns of its own.
  package mutating func pass(until end: Instant) {
    settle()
    while !isOver, let next = clock.next(), next <= end {
      clock.move(to: next)
      takeDue()
      settle()
    }
    if !isOver { clock.move(to: end) }
  }

  private mutating func carryOut(_ effect: Effect) {
    switch effect {
    case .send(let connection, let bytes): receive(bytes, on: connection)
    case .close(let connection, let reason): close(connection, reason: reason)
    case .pauseReading(let connection): pauseReading(connection)
    case .resumeReading(let connection): resumeReading(connection)
    case .drop(let connection, let reason): drop(connection, reason: reason)
    case .store(.load): openStore()
    case .store(.commit(let transaction, let writes)): commit(transaction, writes)
    case .store(.close): closeStore()
    case .runProvider(let run): start(run)
    case .cancelProvider(let token): cancel(token)
    case .tellStream(let token, let line): tell(token, line)
    case .launch(let token, let request): launch(request, token)
    case .fetch(let request): fetch(request)
    case .cancelFetch(let token): cancelFetch(token)
    case .wakeUp(let moment): arm(wakeUpAt: moment)
    case .useSession(let session): use(session)
    case .notify(let notice): notify(notice)
    case .sleepMayCome: letSleep()
    // No program of a simulation looks into the folder.
    case .makeGroup: break
    case .loadConfiguration: readConfiguration()
    case .ready: becomeReady()
    case .log(let line): write(line)
    case .stop(let reason): stop(reason)
    }
  }
}
