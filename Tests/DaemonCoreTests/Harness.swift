import Documents
import Foundation
import IntentRouter
import JSON
import Testing
import Timekeeping
import VirtualTime
import WidgetCenter

@testable import DaemonCore

/// The core in a small world: clients, a store that commits on demand, scripted providers, a
/// virtual clock.
///
/// An event is handled as one turn. Its consequences (commits, configurations, answers of scripted
/// providers) follow as further turns until none is left. The harness checks that there is one
/// transaction at a time, that there is none after the store was closed, and that only whole lines
/// are sent.
struct Harness: VirtualShell {
  enum StoreMode: Sendable {
    /// Each transaction is committed at once.
    case commits
    /// Transactions wait for `commit()` or `failCommit()`.
    case waits
    case fails(StoreFailure)
  }

  static let diskFull = StoreFailure(code: .diskFull, message: "the disk is full")
  static let user: UInt32 = 1000

  private(set) var daemon: Daemon
  /// The clock.
  ///
  /// It has no planned events: only wake-ups move it.
  var clock: VirtualClock<Never>
  var now: Now { clock.now }
  var files: ConfigurationFiles
  var storeMode = StoreMode.commits
  /// Returns the outcome of a run at once; `nil` leaves it running.
  var provider: (ProviderRun) -> ProviderOutcome?
  /// Returns the outcome of a launch at once; `nil` leaves it under way.
  var launcher: (LaunchRequest) -> LaunchOutcome? = { _ in nil }

  /// The rows on disk.
  var tables: [StoreTable: [String: [UInt8]]] = [:]
  private(set) var journal: [Int64: [UInt8]] = [:]
  private(set) var underWay: (transaction: UInt64, writes: [StoreWrite])?
  private(set) var commitCount = 0
  /// Bytes of the rows in all transactions so far, their keys included.
  private(set) var committedByteCount = 0
  /// Transactions that asked the store to leave no trace of what was removed.
  private(set) var scrubCount = 0

  private(set) var running: [ProviderRun] = []
  private(set) var cancelled: [RunToken] = []
  /// The lines that were written to streams.
  private(set) var told: [String] = []
  private(set) var launches: [(token: LaunchToken, request: LaunchRequest)] = []
  /// The sessions that surfaces described, in order.
  private(set) var sessions: [SurfaceSession] = []
  /// The groups whose folders were made, in order.
  private(set) var madeGroups: [String] = []
  /// The notifications so far.
  private(set) var notices: [UrgentNotice] = []
  /// How often the machine was let go to sleep.
  private(set) var sleepCount = 0
  private(set) var log: [LogLine] = []
  private(set) var closed: [ConnectionID: String] = [:]
  /// The clients from which nothing is to be read.
  private(set) var paused: Set<ConnectionID> = []
  private(set) var isReady = false
  private(set) var stopReason: StopReason?
  var hasStopped: Bool { stopReason != nil }
  private(set) var storeIsClosed = false

  private var lines: [ConnectionID: [String]] = [:]
  private(set) var unfinished: [ConnectionID: [UInt8]] = [:]
  /// The effects that sent bytes, in order.
  private(set) var sends: [(connection: ConnectionID, byteCount: Int)] = []
  /// The claims of timelines that had been looked up for orders, after each turn.
  private(set) var lookUps: [Int] = []
  var inbox: [Event] = []
  private var lastConnection: UInt64 = 0
  private var lastID: Int64 = 0

  /// Makes a daemon that is started, restored and configured.
  ///
  /// The day starts at 08:00.
  init(
    files: ConfigurationFiles = Harness.configuration, stored: StoredState = StoredState(),
    at wall: WallTime = WallTime(seconds: 1_795_161_600), isStarted: Bool = true,
    clientBytesMax: Int = DaemonCore.Limits.clientBytesMax,
    provider: @escaping (ProviderRun) -> ProviderOutcome? = { _ in nil }
  ) {
    var options = Daemon.Options(userID: Self.user, processID: 4711, version: "0.1.0")
    options.clientBytesMax = clientBytesMax
    options.groupsFolder = "/groups"
    daemon = Daemon(options: options)
    clock = VirtualClock(wall: wall)
    self.files = files
    self.provider = provider
    for (table, rows) in stored.tables {
      tables[table] = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.bytes) })
    }
    journal = Dictionary(uniqueKeysWithValues: stored.journal.map { ($0.sequence, $0.bytes) })
    if isStarted { handle(.started) }
  }

  /// The state that a new process reads from the disk.
  var stored: StoredState {
    StoredState(
      tables: tables.mapValues { rows in
        rows.sorted { $0.key < $1.key }.map { .init(key: $0.key, bytes: $0.value) }
      },
      journal: journal.sorted { $0.key < $1.key }.map { .init(sequence: $0.key, bytes: $0.value) })
  }

  // MARK: Clients

  mutating func connect(
    uid: UInt32 = Harness.user, pid: Int32 = 7, program: ProgramFile? = nil
  ) -> ConnectionID {
    lastConnection += 1
    let connection = ConnectionID(lastConnection)
    handle(.connected(connection, Peer(userID: uid, processID: pid, program: program)))
    return connection
  }

  /// Sends lines unchanged; returns the lines that the client got during that.
  @discardableResult
  mutating func send(_ text: String, to connection: ConnectionID) -> [String] {
    handle(.received(connection, Array((text + "\n").utf8)))
    return received(by: connection)
  }

  /// Returns the lines that a client got since the last call.
  mutating func received(by connection: ConnectionID) -> [String] {
    defer { lines[connection] = nil }
    return lines[connection] ?? []
  }

  /// Sends one request and returns its answer's `result` or `error`, which must come at once.
  @discardableResult
  mutating func call(
    _ method: String, _ params: JSONValue? = nil, from connection: ConnectionID
  ) throws -> JSONValue {
    lastID += 1
    let id = lastID
    var request: JSONObject = ["jsonrpc": "2.0", "id": .int(id), "method": .string(method)]
    request["params"] = params
    handle(.received(connection, Array((JSONValue.object(request).serialized + "\n").utf8)))
    let all = try (lines[connection] ?? []).map { try JSONValue(parsing: $0) }
    lines[connection] = (lines[connection] ?? []).enumerated()
      .filter { all[$0.offset]["id"] != .int(id) }.map(\.element)
    let answers = all.filter { $0["id"] == .int(id) }
    #expect(answers.count == 1, "\(method) was answered \(answers.count) times")
    let answer = try #require(answers.first)
    return try #require(answer["result"] ?? answer["error"])
  }

  /// Sends a request that must be refused; returns the error's code and name: `-32020
  /// unknownWidget`.
  mutating func refusal(
    _ method: String, _ params: JSONValue? = nil, from connection: ConnectionID
  ) throws -> String {
    let error = try call(method, params, from: connection)
    let code = try #require(error["code"]?.intValue, "\(error.serialized)")
    return ([String(code)] + [error["data"]?["name"]?.stringValue].compactMap { $0 })
      .joined(separator: " ")
  }

  // MARK: The world

  /// Ends the first run of `kind` with this answer.
  mutating func answer(_ kind: String, _ text: String) throws {
    let index = try #require(running.firstIndex { $0.kind == kind }, "\(kind) is not running")
    let run = running.remove(at: index)
    handle(.provider(run.token, .answered(Array(text.utf8))))
  }

  /// Ends the first run of the plugin `kind` with this output.
  mutating func printed(_ kind: String, _ text: String, exitStatus: Int32 = 0) throws {
    let index = try #require(running.firstIndex { $0.kind == kind }, "\(kind) is not running")
    let run = running.remove(at: index)
    let output = PluginOutput(Array(text.utf8), exitStatus: exitStatus)
    handle(.provider(run.token, .printed(output)))
  }

  /// Prints a frame of the stream `kind`.
  mutating func frame(_ kind: String, _ text: String) throws {
    let run = try #require(running.first { $0.kind == kind }, "\(kind) is not running")
    handle(.streamFrame(run.token, Array(text.utf8)))
  }

  mutating func fail(
    _ kind: String, _ reason: ProviderFailure.Reason, stderr: String = ""
  ) throws {
    let index = try #require(running.firstIndex { $0.kind == kind }, "\(kind) is not running")
    let run = running.remove(at: index)
    handle(.provider(run.token, .failed(ProviderFailure(reason, diagnostics: stderr))))
  }

  mutating func launched(_ outcome: LaunchOutcome) throws {
    try #require(!launches.isEmpty)
    handle(.launched(launches.removeFirst().token, outcome))
  }

  /// Commits the transaction under way.
  mutating func commit() throws {
    let (transaction, writes) = try #require(underWay)
    underWay = nil
    apply(writes)
    handle(.store(.committed(transaction: transaction)))
  }

  mutating func failCommit(_ failure: StoreFailure = Harness.diskFull) throws {
    let (transaction, _) = try #require(underWay)
    underWay = nil
    handle(.store(.commitFailed(transaction: transaction, failure)))
  }

  /// Forgets the transaction under way; the caller tells the daemon what became of it.
  mutating func loseCommit() { underWay = nil }

  /// Lets time pass and wakes the daemon whenever it asked to be.
  mutating func pass(_ seconds: Int64) {
    pass(until: clock.monotonic.advanced(byMilliseconds: seconds * 1000))
  }

  /// Sets the wall clock; no time passes.
  mutating func setClock(to wall: WallTime) {
    clock.setWall(by: wall.milliseconds - clock.wall.milliseconds)
    handle(.clockChanged)
  }

  /// Tells the daemon something beside events, as the shell does with measurements.
  mutating func measure(_ body: (inout Daemon) -> Void) { body(&daemon) }

  /// Runs one turn with these events, and the turns that follow from it.
  mutating func handle(_ events: Event...) {
    inbox += events
    settle()
  }

  // MARK: Turns

  mutating func handle(_ event: Event, at now: Now, into effects: inout [Effect]) {
    daemon.handle(event, at: now, into: &effects)
  }

  mutating func perform(_ action: Never) {}

  mutating func willCarryOut(_ effects: inout [Effect], at now: Now) {
    for case .makeGroup(let name) in effects { madeGroups.append(name) }
    // The check is quadratic in the widgets of one timeline, so it is too slow for thousands.
    if daemon.widgetEngine.widgets.count < 1_000 {
      #expect(daemon.checkInvariants(isThorough: false) == [])
    } else {
      #expect(daemon.checkLimits() == [])
    }
    lookUps.append(daemon.widgetEngine.claimLookUps.forOrders)
  }

  // MARK: Effects

  mutating func receive(_ bytes: [UInt8], on connection: ConnectionID) {
    sends.append((connection, bytes.count))
    let bytes = (unfinished.removeValue(forKey: connection) ?? []) + bytes
    guard bytes.last == UInt8(ascii: "\n") else {
      // A slice of a long answer: its rest follows.
      #expect(!bytes.contains(UInt8(ascii: "\n")), "a line behind one without its end")
      unfinished[connection] = bytes
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    lines[connection, default: []] += text.dropLast().split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  mutating func close(_ connection: ConnectionID, reason: String) { closed[connection] = reason }

  mutating func notify(_ notice: UrgentNotice) { notices.append(notice) }

  mutating func letSleep() { sleepCount += 1 }

  mutating func pauseReading(_ connection: ConnectionID) { paused.insert(connection) }

  mutating func resumeReading(_ connection: ConnectionID) { paused.remove(connection) }

  mutating func openStore() { inbox.append(.store(.loaded(stored))) }

  mutating func closeStore() {
    #expect(!storeIsClosed, "the store is closed twice")
    storeIsClosed = true
    inbox.append(.store(.closed))
  }

  mutating func commit(_ transaction: UInt64, _ writes: [StoreWrite]) {
    #expect(!storeIsClosed, "the store is asked for something after it was closed")
    #expect(underWay == nil, "two transactions at a time")
    #expect(!writes.isEmpty)
    commitCount += 1
    for write in writes {
      switch write {
      case .put(_, let key, let bytes): committedByteCount += key.utf8.count + bytes.count
      case .appendJournal(_, let bytes): committedByteCount += 8 + bytes.count
      case .remove(_, let key): committedByteCount += key.utf8.count
      case .pruneJournal, .scrub: break
      }
    }
    switch storeMode {
    case .commits:
      apply(writes)
      inbox.append(.store(.committed(transaction: transaction)))
    case .waits: underWay = (transaction, writes)
    case .fails(let failure):
      inbox.append(.store(.commitFailed(transaction: transaction, failure)))
    }
  }

  mutating func start(_ run: ProviderRun) {
    if let outcome = provider(run) {
      inbox.append(.provider(run.token, outcome))
    } else {
      running.append(run)
    }
  }

  mutating func cancel(_ token: RunToken) {
    cancelled.append(token)
    if let index = running.firstIndex(where: { $0.token == token }) {
      running.remove(at: index)
      inbox.append(.provider(token, .failed(ProviderFailure(.cancelled))))
    }
  }

  mutating func tell(_ token: RunToken, _ line: [UInt8]) {
    told.append("\(token.number): \(String(decoding: line, as: UTF8.self))")
  }

  mutating func launch(_ request: LaunchRequest, _ token: LaunchToken) {
    if let outcome = launcher(request) {
      inbox.append(.launched(token, outcome))
    } else {
      launches.append((token, request))
    }
  }

  mutating func use(_ session: SurfaceSession) { sessions.append(session) }

  mutating func readConfiguration() { inbox.append(.configuration(files)) }

  mutating func becomeReady() { isReady = true }

  mutating func write(_ line: LogLine) { log.append(line) }

  mutating func stop(_ reason: StopReason) { stopReason = reason }

  private mutating func apply(_ writes: [StoreWrite]) {
    for write in writes {
      switch write {
      case .put(let table, let key, let bytes): tables[table, default: [:]][key] = bytes
      case .remove(let table, let key): tables[table]?[key] = nil
      case .appendJournal(let sequence, let bytes): journal[sequence] = bytes
      case .pruneJournal(let below): journal = journal.filter { $0.key >= below }
      case .scrub: scrubCount += 1
      }
    }
  }
}
