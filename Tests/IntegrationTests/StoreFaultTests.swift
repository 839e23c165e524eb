import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Synchronization
import Testing

/// Tests that nothing acknowledged is lost and nothing refused is there, while the store fails,
/// hostile clients are connected, and the daemon is killed.
///
/// In each round honest clients work, in the middle of it the disk is full or the state folder goes
/// away, and then the daemon is killed. The next daemon must have each widget and each donation that
/// was acknowledged, once, and none that was refused. A request that the kill cut off is sent again
/// with its key, and then it must be there once, too.
///
/// `INTENTD_TEST_SEED` repeats a run's decisions; `INTENTD_FAULT_ROUNDS` sets the number of rounds
/// (8, so that each fault comes twice).
struct StoreFaultTests {
  /// The way in which the store fails in a round.
  private enum Fault: CaseIterable {
    /// The disk is full, and has room again before the kill.
    case diskFull
    /// The disk is full, and still is when the daemon is killed.
    case diskFullAtTheKill
    /// The state folder is deleted, and an empty one is made.
    case folderDeleted
    /// The state folder is moved away, and back.
    case folderMoved
  }

  /// The numbers and the pauses of one round, from the seed.
  private struct Round {
    var number: Int
    var fault: Fault
    /// Microseconds: before the failure, during it, and after it.
    var pauses: [UInt32]
    var hostileSeed: UInt64

    init(_ number: Int, using random: inout SeededRandom) {
      self.number = number
      fault = Fault.allCases[(number - 1) % Fault.allCases.count]
      pauses = (0..<3).map { _ in UInt32.random(in: 0...20_000, using: &random) }
      hostileSeed = random.next()
    }
  }

  private static let clientCount = 4
  private static let hostileCount = 3

  @Test(.enabled(if: Programs.isInstalled("prlimit"), "prlimit lets the disk be full"))
  func `after failures and kills everything acknowledged is there once, and nothing refused`()
    throws
  {
    let environment = ProcessInfo.processInfo.environment
    let seed =
      environment["INTENTD_TEST_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...1_000_000)
    let rounds = environment["INTENTD_FAULT_ROUNDS"].flatMap { Int($0) } ?? 8
    print("store faults: INTENTD_TEST_SEED=\(seed), \(rounds) rounds")
    var random = SeededRandom(seed: seed)
    var tally = FaultTally()
    for household in households(of: rounds) {
      try withSandbox { sandbox in
        try prepare(sandbox)
        try live(household, in: sandbox, seed: seed, &random, &tally)
      }
    }
    print("store faults: \(tally) over \(rounds) rounds")
    #expect(tally.done > 0 && tally.refused > 0)
  }

  /// Lives some rounds of one state folder.
  private func live(
    _ rounds: Range<Int>, in sandbox: Sandbox, seed: UInt64, _ random: inout SeededRandom,
    _ tally: inout FaultTally
  ) throws {
    let clients = (0..<Self.clientCount).map {
      FaultClient(number: $0, seed: seed &+ UInt64(rounds.lowerBound + $0))
    }
    var daemon = try sandbox.startDaemon()
    for number in rounds {
      let round = Round(number, using: &random)
      let name = "seed \(seed), round \(number), \(round.fault)"
      failAndKill(daemon.pid, round, clients, name, in: sandbox)
      _ = try daemon.waitUntilEnded()
      daemon = try sandbox.startDaemon()
      let connection = try sandbox.connect()
      for client in clients {
        for complaint in try client.complaints(connection, &tally) {
          Issue.record("\(name), client \(client.number): \(complaint)")
        }
      }
      // Habits are learned anew at each start, and grow with each round.
      try connection.call("donation.forget", ["all": true])
      let status = try connection.call("daemon.status")
      #expect(status["store"]?["state"] == "ok" && status["store"]?["damagedRows"] == nil)
    }
    try sandbox.stop(daemon)
  }

  /// Lets honest and hostile clients work, each on a thread of its own, and one more thread let the
  /// store fail and then kill the daemon.
  private func failAndKill(
    _ pid: pid_t, _ round: Round, _ clients: [FaultClient], _ name: String, in sandbox: Sandbox
  ) {
    let isOver = Atomic(false)
    let path = sandbox.socket
    // The thread that lets the store fail is the only one that uses it meanwhile.
    nonisolated(unsafe) let sandbox = sandbox
    inParallel(Self.clientCount + Self.hostileCount + 1) { index in
      if index < Self.clientCount {
        clients[index].work(at: path, round: round.number, until: isOver)
      } else if index < Self.clientCount + Self.hostileCount {
        annoy(path, seed: round.hostileSeed &+ UInt64(index), until: isOver)
      } else {
        do {
          try fail(round, clients, pid: pid, in: sandbox)
        } catch {
          Issue.record("\(name): \(error)")
        }
        kill(pid, SIGKILL)
        isOver.store(true, ordering: .sequentiallyConsistent)
      }
    }
  }

  /// Lets the store fail in the middle of the work, and work again but for `diskFullAtTheKill`.
  private func fail(
    _ round: Round, _ clients: [FaultClient], pid: pid_t, in sandbox: Sandbox
  ) throws {
    let state = sandbox.state
    let pauses = round.pauses
    try wait("the clients work", clients, more: 20) { $0.done }
    usleep(pauses[0])
    switch round.fault {
    case .diskFull, .diskFullAtTheKill:
      try sandbox.setDiskFull(true, for: pid)
      try wait("requests are refused", clients, more: 4) { $0.refused }
      usleep(pauses[1])
      if round.fault == .diskFullAtTheKill { return }
      try sandbox.setDiskFull(false, for: pid)
    case .folderDeleted:
      try FileManager.default.removeItem(atPath: state)
      try wait("requests are refused", clients, more: 4) { $0.refused }
      usleep(pauses[1])
      try #require(mkdir(state, 0o700) == 0)
    case .folderMoved:
      try #require(rename(state, state + ".moved") == 0)
      try wait("requests are refused", clients, more: 4) { $0.refused }
      usleep(pauses[1])
      try #require(rename(state + ".moved", state) == 0)
    }
    // A deleted store is written anew with the next transaction. A daemon that is killed before has
    // nothing of it on disk, and SECURITY.md promises nothing then.
    let connection = try sandbox.connect()
    try eventually("the store works again") {
      try connection.call("daemon.status")["store"]?["state"] == "ok"
    }
    try wait("the clients work again", clients, more: 10) { $0.done }
    usleep(pauses[2])
  }

  /// Waits until the clients' number of requests that `number` counts has grown by `count`.
  private func wait(
    _ what: String, _ clients: [FaultClient], more count: Int, _ number: (FaultTally) -> Int
  ) throws {
    func sum() -> Int { clients.reduce(0) { $0 + number($1.tally) } }
    let before = sum()
    try eventually(what) { sum() >= before + count }
  }

  /// Adds a kind whose provider never answers, so that no run ends in the middle of a round.
  private func prepare(_ sandbox: Sandbox) throws {
    try sandbox.addIntents()
    try sandbox.manifest(
      "noted", exec: "[/bin/sleep, \"600\"]", settings: "intent: TakeNote", provider: "timeout: 10m"
    )
  }

  // MARK: Hostile clients

  /// Sends what no client should, on many short connections, until the round is over.
  private func annoy(_ path: String, seed: UInt64, until isOver: borrowing Atomic<Bool>) {
    var random = SeededRandom(seed: seed)
    while !isOver.load(ordering: .sequentiallyConsistent) {
      // Everything may fail here: the daemon is killed, or closes the connection.
      do throws(WireError) {
        let client = try WireClient(path)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          try client.send((0..<500).map { _ in UInt8.random(in: 0...255, using: &random) })
        case 1:
          try client.send(line: String(repeating: "[", count: 5_000))
        case 2:
          _ = try client.sendSome(Array(repeating: UInt8(ascii: "x"), count: 200_000)[...])
        case 3:
          let element = #"{"jsonrpc":"2.0","id":1,"method":"intent.send","params":{"text":"no"}}"#
          let batch = Array(repeating: element, count: 20).joined(separator: ",")
          try client.send(line: "[\(batch)]")
          _ = try client.line()
        case 4:
          for _ in 0..<50 { try client.ask("widget.list") }
        default:
          try client.ask("widget.add", ["kind": "unknown", "id": "x"])
          try client.ask("daemon.history", ["limit": 1_000])
        }
      } catch {
      }
      usleep(2_000)
    }
  }
}

/// The requests that were carried out, and those that were refused.
struct FaultTally: CustomStringConvertible {
  var done = 0
  var refused = 0
  /// Requests that a kill cut off, sent again with their key.
  var repeated = 0

  var description: String { "\(done) done, \(refused) refused, \(repeated) sent again" }
}

/// An honest client that remembers the fate of each of its requests.
///
/// One thread at a time uses it: its own during a round, the test's after it.
private final class FaultClient: Sendable {
  /// A request of this round.
  private struct Request {
    var method: String
    var params: JSONValue
    /// The widget's id, or the donation's source.
    var name: String
  }

  private struct State {
    var random: SeededRandom
    var count = 0
    var done: [Request] = []
    var refused: [Request] = []
    /// The request that the kill cut off.
    var open: Request?
  }

  /// The code of the refusal when the store cannot be written.
  private static let storeUnavailable: Int64 = -32_040

  let number: Int
  private let state: Mutex<State>
  private let counted = Mutex(FaultTally())
  var tally: FaultTally { counted.withLock { $0 } }

  init(number: Int, seed: UInt64) {
    self.number = number
    state = Mutex(State(random: SeededRandom(seed: seed)))
  }

  /// Sends requests until the daemon is gone.
  func work(at path: String, round: Int, until isOver: borrowing Atomic<Bool>) {
    state.withLock { state in
      do throws(WireError) {
        let connection = try WireClient(path)
        while !isOver.load(ordering: .sequentiallyConsistent) {
          let request = make(&state, round: round)
          // Half of the refused requests are sent again with the same key; the others are given up.
          let isPatient = Bool.random(using: &state.random)
          state.open = request
          try send(request, isPatient: isPatient, connection, &state, isOver)
        }
      } catch {
        switch error {
        case .broken, .ended: break
        case .silent, .unreadable, .refused: Issue.record("client \(number): \(error)")
        }
      }
    }
  }

  /// Makes a request to place a widget, or to note a donation, with a name and a key of its own.
  private func make(_ state: inout State, round: Int) -> Request {
    state.count += 1
    let name = "f\(number)-\(round)-\(state.count)"
    if Bool.random(using: &state.random) {
      return Request(
        method: "widget.add",
        params: [
          "kind": "noted", "id": .string(name), "parameters": ["note": .string(name)],
          "idempotencyKey": .string(name),
        ], name: name)
    }
    return Request(
      method: "intent.donate",
      params: [
        "intent": "TakeNote", "parameters": ["note": .string(name)], "source": .string(name),
        "idempotencyKey": .string(name),
      ], name: name)
  }

  /// Sends a request, and if it `isPatient` again and again, until it is done or the round is over.
  ///
  /// Throws when the connection breaks; then `state.open` has the request.
  private func send(
    _ request: Request, isPatient: Bool, _ connection: WireClient, _ state: inout State,
    _ isOver: borrowing Atomic<Bool>
  ) throws(WireError) {
    while true {
      do throws(WireError) {
        try connection.call(request.method, request.params)
        state.open = nil
        state.done.append(request)
        counted.withLock { $0.done += 1 }
        return
      } catch {
        guard case .refused(Self.storeUnavailable, _, _) = error else { throw error }
        counted.withLock { $0.refused += 1 }
        guard isPatient, !isOver.load(ordering: .sequentiallyConsistent) else {
          state.open = nil
          state.refused.append(request)
          return
        }
      }
      usleep(5_000)
    }
  }

  /// Sends the request that was cut off again, compares what the daemon has with what it answered,
  /// and removes this round's widgets; returns the differences.
  func complaints(_ connection: WireClient, _ sum: inout FaultTally) throws -> [String] {
    try state.withLock { state in
      var complaints: [String] = []
      if let open = state.open {
        do throws(WireError) {
          try connection.call(open.method, open.params)
          state.done.append(open)
          sum.repeated += 1
        } catch {
          complaints.append("\(open.name) with its key again: \(error)")
        }
        state.open = nil
      }
      complaints += Self.differences(state, from: try Self.found(connection))
      for request in state.done where request.method == "widget.add" {
        do throws(WireError) {
          try connection.call("widget.remove", ["id": .string(request.name)])
        } catch {
          complaints.append("\(request.name) cannot be removed: \(error)")
        }
      }
      sum.done += state.done.count
      sum.refused += state.refused.count
      state.done = []
      state.refused = []
      return complaints
    }
  }

  /// Returns how often the daemon has each widget and each donation, by its name.
  private static func found(_ connection: WireClient) throws -> [String: Int] {
    let widgets = try connection.call("widget.list")["widgets"]?.arrayValue ?? []
    let history =
      try connection.call("daemon.history", ["limit": 1_000])["entries"]?.arrayValue ?? []
    let names = widgets.compactMap { $0["id"]?.stringValue }
    let sources = history.compactMap { $0["source"]?.stringValue }
    return (names + sources).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func differences(_ state: borrowing State, from found: [String: Int]) -> [String] {
    let lost = state.done.filter { found[$0.name] != 1 }.map {
      "\($0.method) \($0.name) was done, and is there \(found[$0.name] ?? 0) times"
    }
    let left = state.refused.filter { found[$0.name] != nil }.map {
      "\($0.method) \($0.name) was refused, and is there"
    }
    return lost + left
  }
}
