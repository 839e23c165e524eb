import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Synchronization
import Testing

/// Tests that acknowledged changes survive kill -9.
///
/// Clients work, the daemon is killed at a random moment, and the next daemon must know everything
/// that was acknowledged. Each client owns the widgets it works on, so it knows their expected
/// state. The one request under way at the kill may have had its effect or not; both are right. All
/// providers sleep, so nothing that is found after the restart can come from a run.
///
/// `INTENTD_TEST_SEED` repeats a run's decisions; `INTENTD_DURABILITY_ROUNDS` sets the number of
/// kills.
struct DurabilityTests {
  @Test func `everything acknowledged is there after kill -9 under load`() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed =
      environment["INTENTD_TEST_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...1_000_000)
    let rounds = environment["INTENTD_DURABILITY_ROUNDS"].flatMap { Int($0) } ?? 6
    print("durability: INTENTD_TEST_SEED=\(seed), \(rounds) rounds")
    var random = SeededRandom(seed: seed)
    var total = 0
    var orders: [Int] = []
    for household in households(of: rounds) {
      try withSandbox { sandbox in
        try prepare(sandbox)
        total += try live(household, in: sandbox, seed: seed, &random, &orders)
      }
    }
    print(
      "durability: \(total) acknowledged requests and \(orders.reduce(0, +)) widgets with"
        + " their place and entry checked over \(rounds) kills")
  }

  /// Lives some rounds of one state folder; returns how many requests were acknowledged.
  private func live(
    _ rounds: Range<Int>, in sandbox: Sandbox, seed: UInt64, _ random: inout SeededRandom,
    _ orders: inout [Int]
  ) throws -> Int {
    let clients = (0..<Self.clientCount).map {
      Client(number: $0, seed: seed &+ UInt64(rounds.lowerBound + $0))
    }
    var daemon = try sandbox.startDaemon()
    for round in rounds {
      let path = sandbox.socket
      let killed = daemon
      // Wait for a number of acknowledgements, and then kill at a random moment soon after.
      let target = Int.random(in: 20...200, using: &random)
      let pause = UInt32.random(in: 0...5_000, using: &random)
      let before = acknowledged(clients)
      let pid = killed.pid
      inParallel(Self.clientCount + 1) { index in
        if index < Self.clientCount {
          clients[index].work(at: path)
        } else {
          do {
            try eventually("the clients get their answers") {
              acknowledged(clients) - before >= target
            }
          } catch {
            Issue.record(error)
          }
          // This sleep makes the moment of the kill random; it waits for no event.
          usleep(pause)
          kill(pid, SIGKILL)
        }
      }
      _ = try killed.waitUntilEnded()
      daemon = try sandbox.startDaemon()
      let connection = try sandbox.connect()
      // The providers sleep, so this first answer comes before any of them can end.
      orders.append(try checkOrder(connection, at: "seed \(seed), round \(round)"))
      for client in clients {
        for complaint in try client.complaints(connection) {
          Issue.record("seed \(seed), round \(round), client \(client.number): \(complaint)")
        }
      }
      #expect(
        !daemon.errors.contains("store.repaired") && !daemon.errors.contains("unreadableRows"))
      let status = try connection.call("daemon.status")
      #expect(status["store"]?["state"] == "ok")
    }
    try sandbox.stop(daemon)
    return acknowledged(clients)
  }

  /// Checks the order of the stack right after a restart, and returns the number of its widgets.
  ///
  /// The widgets of the intents in the history must come in order, the latest intent first, each
  /// with the last entry that it was given. The journal tells when each widget was asked for, and
  /// the clients check the journal against the acknowledgements.
  private func checkOrder(_ connection: WireClient, at place: String) throws -> Int {
    let order = try connection.call("stack.order")["widgets"]?.arrayValue ?? []
    let status = try connection.call("daemon.status")
    let history =
      try connection.call("daemon.history", ["limit": 1_000])["entries"]?.arrayValue ?? []
    let ranked = order.compactMap { $0["id"]?.stringValue }
    let there = Set(ranked)
    #expect(ranked.count == there.count)
    // A run that made room takes its suggestion with it, perhaps between the two answers.
    if !history.contains(where: { $0["event"] == "reload.failed" }) {
      #expect(ranked.count == status["widgets"]?.intValue.map { Int($0) })
    }
    // The history has the newest row first. A donation of an app lifts no widget to the top. Two
    // rows of one millisecond may come in either order.
    var promoted: [String: String] = [:]
    for entry in history where entry["event"] == "intent" && entry["donated"]?.boolValue != true {
      for id in (entry["widgets"]?.arrayValue ?? []).compactMap(\.stringValue)
      where there.contains(id) && promoted[id] == nil { promoted[id] = entry["at"]?.stringValue }
    }
    let moments = ranked.prefix(promoted.count).map { promoted[$0].flatMap(Self.moment) }
    #expect(
      !moments.contains(nil), "\(place): \(ranked.prefix(promoted.count)), asked for: \(promoted)")
    let dates = moments.compactMap { $0 }
    #expect(dates == dates.sorted(by: >), "\(place)")
    // On a slow machine a round takes longer than a slot, and runs beyond their slot make room.
    let failed = history.filter {
      $0["event"] == "reload.failed"
        && $0["reason"]?.stringValue?.hasSuffix("newer runs do") != true
    }
    #expect(failed.isEmpty, "\(place): a run has ended already")
    for widget in order {
      // Only a push gives an entry here.
      let title = widget["entry"]?["content"]?["title"]?.stringValue
      #expect(title.map { $0.hasPrefix("c") } ?? true, "\(place): \(title ?? "")")
    }
    return ranked.count
  }

  @Test func `the stack keeps its order through kill -9 at rest`() throws {
    try withSandbox { sandbox in
      try prepare(sandbox)
      var daemon = try sandbox.startDaemon()
      var client = try sandbox.connect()
      for number in 0..<12 {
        try client.call(
          "widget.add",
          [
            "kind": "noted", "id": .string("w\(number)"),
            "parameters": ["note": .string("n\(number)")],
          ])
        let score = Double((number * 7) % 12 + 1) * 10
        try client.call(
          "widget.push",
          [
            "id": .string("w\(number)"),
            "timeline": [
              "entries": [
                [
                  "date": "2020-01-01T00:00:00Z", "content": ["title": .string("title \(number)")],
                ],
                [
                  "date": .string(Self.date(secondsFromNow: -60)), "content": ["title": "now"],
                  "relevance": ["score": .double(score), "duration": 36_000],
                ],
              ], "policy": "never",
            ],
          ])
      }
      for (note, count) in [("n3", 3), ("n8", 2), ("n1", 1)] {
        for _ in 0..<count {
          try client.call(
            "intent.donate", ["intent": "TakeNote", "parameters": ["note": .string(note)]])
        }
      }
      try client.call("intent.send", ["intent": "TakeNote", "parameters": ["note": "n5"]])
      try client.call("stack.dismiss", ["id": "w7"])
      // A tap that opens nothing still counts as a tap.
      _ = try client.refusal("widget.tap", ["id": "w2"])
      try client.call("daemon.reloadConfiguration")

      func order(_ client: WireClient) throws -> [String] {
        (try client.call("stack.order")["widgets"]?.arrayValue ?? []).compactMap {
          $0["id"]?.stringValue
        }
      }
      let before = try order(client)
      #expect(before.count == 12)
      #expect(before != (0..<12).map { "w\($0)" }, "an order that is not just that of placing")
      #expect(before.first == "w5" && before.last == "w7", "\(before)")
      for _ in 0..<3 {
        daemon.killGroup()
        daemon = try sandbox.startDaemon()
        client = try sandbox.connect()
        #expect(try order(client) == before)
        let shown = try client.call("widget.list")["widgets"]?.arrayValue ?? []
        #expect(shown.allSatisfy { $0["entry"]?["content"]?["title"] == "now" })
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `forgotten rows stay forgotten`() throws {
    try withSandbox { sandbox in
      try prepare(sandbox)
      var daemon = try sandbox.startDaemon()
      var client = try sandbox.connect()
      for number in 0..<10 {
        try client.call(
          "intent.donate",
          ["intent": "TakeNote", "parameters": ["note": .string("secret \(number)")]])
      }
      #expect(try client.call("donation.forget", ["intent": "TakeNote"])["forgotten"] == 10)
      daemon.killGroup()
      daemon = try sandbox.startDaemon()
      client = try sandbox.connect()
      let history = try client.call("daemon.history", ["limit": 1_000])
      #expect(!history.serialized.contains("secret"))
      #expect(history.serialized.contains("forgotten"))
      try sandbox.stop(daemon)
      for file in try FileManager.default.contentsOfDirectory(atPath: sandbox.state) {
        let bytes = FileManager.default.contents(atPath: "\(sandbox.state)/\(file)") ?? Data()
        #expect(bytes.range(of: Data("secret".utf8)) == nil, "\(file) still has it")
      }
    }
  }

  // MARK: The world

  private static let clientCount = 4

  private func prepare(_ sandbox: Sandbox) throws {
    try sandbox.addIntents()
    try sandbox.manifest(
      "noted", exec: "[/bin/sleep, \"600\"]", settings: "intent: TakeNote", provider: "timeout: 10m"
    )
    let lists = (0..<Self.clientCount).map { "    list\($0):\n      values: [nothing yet]\n" }
      .joined()
    try sandbox.write("config/intentd/intents/lists/own.yaml", "lists:\n\(lists)")
    let sentences = (0..<Self.clientCount).map {
      "\"pick \(["zero", "one", "two", "three"][$0]) {list\($0):note}\""
    }
    try sandbox.write(
      "config/intentd/intents/TakeNote/en.yaml",
      """
      language: en
      intents:
        TakeNote:
          data:
            - sentences: [\(sentences.joined(separator: ", "))]
      """)
  }

  private static func moment(_ text: String) -> Date? {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions =
      text.contains(".")
      ? [.withInternetDateTime, .withFractionalSeconds] : [.withInternetDateTime]
    return formatter.date(from: text)
  }

  private static func date(secondsFromNow seconds: Double) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: seconds))
  }
}

/// Returns the number of requests that were acknowledged to all clients.
private func acknowledged(_ clients: [Client]) -> Int {
  clients.reduce(0) { $0 + $1.acknowledgedCount }
}

/// One client and the state that it expects.
///
/// One thread at a time uses it: its own while the daemon is under load, the test's between two
/// rounds.
private final class Client: Sendable {
  /// The expected state of a widget.
  struct Expected: Hashable {
    var note: String
    /// The title of the pushed timeline; `nil` if none was pushed.
    var title: String?
  }

  private struct State {
    var random: SeededRandom
    var count = 0
    /// The possible states of each widget: one if its last request was acknowledged, else two.
    ///
    /// `nil` stands for its absence.
    var widgets: [String: [Expected?]] = [:]
    var list: [String] = ["nothing yet"]
    /// The latest acknowledged receipts, oldest first.
    var receipts: [(id: String, mustBeDone: Bool)] = []
    var donations: [String] = []
  }

  let number: Int
  private let state: Mutex<State>

  init(number: Int, seed: UInt64) {
    self.number = number
    state = Mutex(State(random: SeededRandom(seed: seed)))
  }

  /// The number of acknowledged requests.
  ///
  /// The test reads it while the client works, so it has a lock.
  private let acknowledged = Mutex(0)
  var acknowledgedCount: Int { acknowledged.withLock { $0 } }

  /// Sends requests until the daemon is gone.
  func work(at path: String) {
    state.withLock { state in
      do throws(WireError) {
        let connection = try WireClient(path)
        while true { try step(connection, &state) }
      } catch {
        switch error {
        case .broken, .ended: break
        case .silent, .unreadable, .refused: Issue.record("client \(number): \(error)")
        }
      }
    }
  }

  private func step(_ connection: WireClient, _ state: inout State) throws(WireError) {
    state.count += 1
    let fresh = "c\(number)-\(state.count)"
    let own = state.widgets.keys.sorted().compactMap { id in
      (state.widgets[id]?.first ?? nil).map { (id: id, expected: $0) }
    }
    let chosen = own.randomElement(using: &state.random)
    switch (Int.random(in: 0..<12, using: &state.random), chosen) {
    case (0...1, _), (_, nil):
      try change(fresh, to: Expected(note: fresh, title: nil), &state) { () throws(WireError) in
        try connection.call(
          "widget.add",
          ["kind": "noted", "id": .string(fresh), "parameters": ["note": .string(fresh)]])
      }
    case (2, let widget?):
      try change(widget.id, to: Expected(note: fresh, title: nil), &state) { () throws(WireError) in
        try connection.call(
          "widget.configure", ["id": .string(widget.id), "parameters": ["note": .string(fresh)]])
      }
    case (3, let widget?):
      try change(widget.id, to: nil, &state) { () throws(WireError) in
        try connection.call("widget.remove", ["id": .string(widget.id)])
      }
      // A removed id is never used again, so it needs no further checks.
      state.widgets[widget.id] = nil
    case (4...6, let widget?):
      try change(
        widget.id, to: Expected(note: widget.expected.note, title: fresh), &state, isDone: true
      ) {
        () throws(WireError) in
        try connection.call(
          "widget.push",
          [
            "id": .string(widget.id),
            "timeline": [
              "entries": [["date": "2020-01-01T00:00:00Z", "content": ["title": .string(fresh)]]],
              "policy": "never",
            ],
          ])
      }
    case (7, _):
      let values = (0..<20).map { "\(fresh) \($0)" }
      let before = state.list
      state.list = [before[0], fresh]
      try connection.call(
        "intent.setList",
        ["name": .string("list\(number)"), "values": .array(values.map { .string($0) })])
      state.list = [fresh]
      acknowledged.withLock { $0 += 1 }
    case (8, let widget?):
      let answer = try connection.call(
        "intent.send",
        [
          "intent": "TakeNote", "parameters": ["note": .string(widget.expected.note)],
          "source": .string(fresh),
        ])
      noteReceipt(
        answer["widgets"]?.arrayValue?.first?["receipt"]?.stringValue, &state, isDone: false)
      state.donations.append(fresh)
      acknowledged.withLock { $0 += 1 }
    case (_, _):
      try connection.call(
        "intent.donate",
        ["intent": "TakeNote", "parameters": ["note": .string(fresh)], "source": .string(fresh)])
      state.donations.append(fresh)
      acknowledged.withLock { $0 += 1 }
    }
  }

  private func change(
    _ id: String, to expected: Expected?, _ state: inout State, isDone: Bool = false,
    _ request: () throws(WireError) -> JSONValue
  ) throws(WireError) {
    let before = state.widgets[id]?.first ?? nil
    state.widgets[id] = [before, expected]
    let answer = try request()
    state.widgets[id] = [expected]
    noteReceipt(answer["receipt"]?["id"]?.stringValue, &state, isDone: isDone)
    acknowledged.withLock { $0 += 1 }
  }

  private func noteReceipt(_ id: String?, _ state: inout State, isDone: Bool) {
    if let id { state.receipts.append((id, isDone)) }
  }

  /// Compares this client's expectations with the daemon's answers; returns the differences.
  ///
  /// Afterwards each widget has one possible state.
  func complaints(_ connection: WireClient) throws -> [String] {
    try state.withLock { state in
      var complaints: [String] = []
      let listed =
        try connection.call("widget.list", ["kind": "noted"])["widgets"]?.arrayValue ?? []
      let prefix = "c\(number)-"
      var found: [String: Expected] = [:]
      for widget in listed {
        guard let id = widget["id"]?.stringValue, id.hasPrefix(prefix) else { continue }
        found[id] = Expected(
          note: widget["intent"]?["parameters"]?["note"]?.stringValue ?? "?",
          title: widget["entry"]?["content"]?["title"]?.stringValue)
      }
      for (id, possible) in state.widgets.sorted(by: { $0.key < $1.key }) {
        let actual = found.removeValue(forKey: id)
        if !possible.contains(actual) {
          complaints.append("\(id) is \(String(describing: actual)), not \(possible)")
        }
        state.widgets[id] = actual.map { [$0] }
      }
      for id in found.keys.sorted() {
        complaints.append("\(id) is there, but was removed or never added")
      }

      for receipt in state.receipts.suffix(100) {
        do throws(WireError) {
          let answer = try connection.call("widget.receipt", ["id": .string(receipt.id)])["receipt"]
          if receipt.mustBeDone, answer?["state"] != "done" {
            complaints.append(
              "receipt \(receipt.id) was done and is \(answer?["state"]?.serialized ?? "?")")
          }
        } catch {
          complaints.append("receipt \(receipt.id): \(error)")
        }
      }

      let history =
        try connection.call("daemon.history", ["limit": 1_000])["entries"]?.arrayValue ?? []
      let sources = Set(history.compactMap { $0["source"]?.stringValue })
      // This client's newest donations must be in the newest thousand entries of the history.
      for source in state.donations.suffix(20) where !sources.contains(source) {
        complaints.append("the donation \(source) is not in the history")
      }

      let word = ["zero", "one", "two", "three"][number]
      let known = try state.list.filter { value in
        let text = value == "nothing yet" ? value : "\(value) 7"
        return try connection.call("intent.recognize", ["text": .string("pick \(word) \(text)")])[
          "matched"] == true
      }
      if known.count != 1 {
        complaints.append("of the list values \(state.list), \(known) are known")
      }
      state.list = known.isEmpty ? ["nothing yet"] : known
      return complaints
    }
  }
}

/// A SplitMix64 generator: it gives the same numbers for the same seed on each machine.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
