import Documents
import Foundation
import IntentRouter
import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// The core in a small world of its own: clients, a store that commits on demand, scripted providers, a virtual clock.
///
/// An event is handled as one turn; what it sets in motion (commits, configurations, answers of scripted
/// providers) follows as further turns until nothing moves. What must hold at any time is checked on the
/// way: one transaction at a time, none after the store was closed, whole lines only.
struct Harness {
  enum StoreMode: Sendable {
    /// Every transaction is on disk at once.
    case commits
    /// Transactions wait for `commit()` or `failCommit()`.
    case waits
    case fails(StoreFailure)
  }

  static let diskFull = StoreFailure(code: .diskFull, message: "the disk is full")
  static let user: UInt32 = 1000

  private(set) var daemon: Daemon
  private(set) var now: Now
  var files: ConfigurationFiles
  var storeMode = StoreMode.commits
  /// Answers a run at once; `nil` leaves it running.
  var provider: (ProviderRun) -> ProviderOutcome?
  /// Starts an application.
  var launcher: (LaunchRequest) -> LaunchOutcome? = { _ in nil }

  /// What is on disk.
  var tables: [StoreTable: [String: [UInt8]]] = [:]
  private(set) var journal: [Int64: [UInt8]] = [:]
  private(set) var underWay: (transaction: UInt64, writes: [StoreWrite])?
  private(set) var commitCount = 0

  private(set) var running: [ProviderRun] = []
  private(set) var cancelled: [RunToken] = []
  private(set) var launches: [(token: LaunchToken, request: LaunchRequest)] = []
  private(set) var log: [LogLine] = []
  private(set) var closed: [ConnectionID: String] = [:]
  private(set) var isReady = false
  private(set) var hasStopped = false
  private(set) var storeIsClosed = false

  private var lines: [ConnectionID: [String]] = [:]
  private(set) var unfinished: [ConnectionID: [UInt8]] = [:]
  /// Every effect that sent something, with its bytes.
  private(set) var sends: [(connection: ConnectionID, byteCount: Int)] = []
  private var pending: [Event] = []
  private var wakeUp: Instant?
  private var lastConnection: UInt64 = 0
  private var lastID: Int64 = 0

  /// Started, restored and configured; the day starts at 08:00.
  init(
    files: ConfigurationFiles = Harness.configuration, stored: StoredState = StoredState(),
    at wall: WallTime = WallTime(seconds: 1_795_161_600), isStarted: Bool = true,
    provider: @escaping (ProviderRun) -> ProviderOutcome? = { _ in nil }
  ) {
    daemon = Daemon(
      options: Daemon.Options(userID: Self.user, processID: 4711, version: "0.1.0"))
    now = Now(monotonic: Instant(nanoseconds: 1_000_000_000), wall: wall)
    self.files = files
    self.provider = provider
    for (table, rows) in stored.tables {
      tables[table] = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.bytes) })
    }
    journal = Dictionary(uniqueKeysWithValues: stored.journal.map { ($0.sequence, $0.bytes) })
    if isStarted { handle(.started) }
  }

  /// What a new process reads back.
  var stored: StoredState {
    StoredState(
      tables: tables.mapValues { rows in
        rows.sorted { $0.key < $1.key }.map { .init(key: $0.key, bytes: $0.value) }
      },
      journal: journal.sorted { $0.key < $1.key }.map { .init(sequence: $0.key, bytes: $0.value) })
  }

  // MARK: Clients

  mutating func connect(uid: UInt32 = Harness.user) -> ConnectionID {
    lastConnection += 1
    let connection = ConnectionID(lastConnection)
    handle(.connected(connection, Peer(userID: uid, processID: 7)))
    return connection
  }

  /// Sends lines as they are and gives back every line that came meanwhile.
  @discardableResult
  mutating func send(_ text: String, to connection: ConnectionID) -> [String] {
    handle(.received(connection, Array((text + "\n").utf8)))
    return received(by: connection)
  }

  /// The lines that a client has got since it last looked.
  mutating func received(by connection: ConnectionID) -> [String] {
    defer { lines[connection] = nil }
    return lines[connection] ?? []
  }

  /// One request; its answer's `result` or `error`, which must have come at once, whatever else did.
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

  /// Only the error's code and `data.name`, such as `-32020 unknownWidget`.
  mutating func refusal(
    _ method: String, _ params: JSONValue? = nil, from connection: ConnectionID
  ) throws -> String {
    let error = try call(method, params, from: connection)
    let code = try #require(error["code"]?.intValue, "\(error.serialized)")
    return ([String(code)] + [error["data"]?["name"]?.stringValue].compactMap { $0 })
      .joined(separator: " ")
  }

  // MARK: The world

  /// The first run of `kind` ends with this answer.
  mutating func answer(_ kind: String, _ text: String) throws {
    let index = try #require(running.firstIndex { $0.kind == kind }, "\(kind) is not running")
    let run = running.remove(at: index)
    handle(.provider(run.token, .answered(Array(text.utf8))))
  }

  mutating func fail(_ kind: String, _ reason: ProviderFailure.Reason) throws {
    let index = try #require(running.firstIndex { $0.kind == kind }, "\(kind) is not running")
    let run = running.remove(at: index)
    handle(.provider(run.token, .failed(ProviderFailure(reason))))
  }

  mutating func launched(_ outcome: LaunchOutcome) throws {
    try #require(!launches.isEmpty)
    handle(.launched(launches.removeFirst().token, outcome))
  }

  /// The transaction under way is on disk.
  mutating func commit() throws {
    let (transaction, writes) = try #require(underWay)
    underWay = nil
    write(writes)
    handle(.store(.committed(transaction: transaction)))
  }

  mutating func failCommit(_ failure: StoreFailure = Harness.diskFull) throws {
    let (transaction, _) = try #require(underWay)
    underWay = nil
    handle(.store(.commitFailed(transaction: transaction, failure)))
  }

  /// Lets time pass and wakes the daemon whenever it asked to be.
  mutating func pass(_ seconds: Int64) {
    let end = now.monotonic.advanced(byMilliseconds: seconds * 1000)
    while let next = wakeUp, next <= end {
      wakeUp = nil
      move(to: next)
      handle(.wakeUp)
    }
    move(to: end)
  }

  /// Sets the wall clock; no time passes.
  mutating func setClock(to wall: WallTime) {
    now.wall = wall
    handle(.clockChanged)
  }

  /// One turn with these events, and the turns that follow from it.
  /// What the shell tells the daemon beside events.
  mutating func measure(_ body: (inout Daemon) -> Void) { body(&daemon) }

  mutating func handle(_ events: Event...) {
    turn(events)
    while !pending.isEmpty {
      let next = pending
      pending = []
      turn(next)
    }
  }

  private mutating func move(to instant: Instant) {
    guard instant > now.monotonic else { return }
    let step = instant.milliseconds(since: now.monotonic)
    now = Now(monotonic: instant, wall: now.wall.advanced(byMilliseconds: step))
  }

  private mutating func turn(_ events: [Event]) {
    var effects: [Effect] = []
    for event in events { daemon.handle(event, at: now, into: &effects) }
    daemon.handle(.turnEnded, at: now, into: &effects)
    // Quadratic in the widgets of one timeline: too slow once they number thousands.
    if daemon.widgetEngine.widgets.count < 1_000 {
      #expect(daemon.checkInvariants(isThorough: false) == [])
    }
    for effect in effects { interpret(effect) }
  }

  private mutating func interpret(_ effect: Effect) {
    switch effect {
    case .send(let connection, let bytes):
      sends.append((connection, bytes.count))
      let bytes = (unfinished.removeValue(forKey: connection) ?? []) + bytes
      guard bytes.last == UInt8(ascii: "\n") else {
        // A piece of a long answer: its rest follows.
        #expect(!bytes.contains(UInt8(ascii: "\n")), "a line behind one without its end")
        unfinished[connection] = bytes
        return
      }
      let text = String(decoding: bytes, as: UTF8.self)
      lines[connection, default: []] += text.dropLast().split(
        separator: "\n", omittingEmptySubsequences: false
      ).map(String.init)
    case .close(let connection, let reason): closed[connection] = reason
    case .store(let request): interpret(request)
    case .runProvider(let run):
      if let outcome = provider(run) {
        pending.append(.provider(run.token, outcome))
      } else {
        running.append(run)
      }
    case .cancelProvider(let token):
      cancelled.append(token)
      if let index = running.firstIndex(where: { $0.token == token }) {
        running.remove(at: index)
        pending.append(.provider(token, .failed(ProviderFailure(.cancelled))))
      }
    case .launch(let token, let request):
      launches.append((token, request))
      if let outcome = launcher(request) {
        launches.removeLast()
        pending.append(.launched(token, outcome))
      }
    case .wakeUp(let moment): wakeUp = moment
    case .loadConfiguration: pending.append(.configuration(files))
    case .ready: isReady = true
    case .log(let line): log.append(line)
    case .stop: hasStopped = true
    }
  }

  private mutating func interpret(_ request: StoreRequest) {
    #expect(!storeIsClosed, "the store is asked for something after it was closed")
    switch request {
    case .load: pending.append(.store(.loaded(stored)))
    case .close:
      storeIsClosed = true
      pending.append(.store(.closed))
    case .commit(let transaction, let writes):
      #expect(underWay == nil, "two transactions at a time")
      #expect(!writes.isEmpty)
      commitCount += 1
      switch storeMode {
      case .commits:
        write(writes)
        pending.append(.store(.committed(transaction: transaction)))
      case .waits: underWay = (transaction, writes)
      case .fails(let failure):
        pending.append(.store(.commitFailed(transaction: transaction, failure)))
      }
    }
  }

  private mutating func write(_ writes: [StoreWrite]) {
    for write in writes {
      switch write {
      case .put(let table, let key, let bytes): tables[table, default: [:]][key] = bytes
      case .remove(let table, let key): tables[table]?[key] = nil
      case .appendJournal(let sequence, let bytes): journal[sequence] = bytes
      case .pruneJournal(let below): journal = journal.filter { $0.key >= below }
      }
    }
  }
}
