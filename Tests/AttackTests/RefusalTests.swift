import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// The store fails: a request that is refused did not happen, and the status tells of rows that are
/// lost.
@Suite struct RefusalTests {
  /// Runs the SQL `change`, if it is not empty, and prints the rows that `question` selects.
  private static let storeScript = """
    import sqlite3, sys
    path, change, question = sys.argv[1:]
    store = sqlite3.connect(path)
    if change:
        store.execute(change)
        store.commit()
    print([row for row in store.execute(question)])
    store.close()
    """

  /// Returns the rows that a query selects, as Python prints them; `change` may change rows first.
  private func rows(
    _ sandbox: Sandbox, _ question: String, change: String = ""
  ) throws -> String {
    let store = "\(sandbox.state)/intentd.sqlite"
    let outcome = try sandbox.run(
      "/usr/bin/python3", ["-c", Self.storeScript, store, change, question])
    try #require(outcome.ending == .exited(0), "\(outcome.errors)")
    return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Adds two kinds whose provider leaves a mark each time that it runs.
  private func prepare(_ sandbox: Sandbox) throws {
    try sandbox.addIntents()
    let entry = #"{"date":"2020-01-01T00:00:00Z","content":{"title":"ran"}}"#
    let answer = #"{"entries":[\#(entry)],"policy":"never"}"#
    let script = "echo run >> '\(sandbox.root)/runs'\necho '\(answer)'"
    try sandbox.widget("marked", script: script)
    try sandbox.widget("noted", script: script, settings: "intent: TakeNote\n")
  }

  /// The number of marks.
  private func runs(_ sandbox: Sandbox) -> Int {
    FileManager.default.contents(atPath: "\(sandbox.root)/runs")?.count { $0 == 10 } ?? 0
  }

  private static let donation: (String, JSONValue) = (
    "intent.donate", ["intent": "TakeNote", "parameters": ["note": "x"]]
  )

  /// Requests that change something, of every sort.
  private static let changes: [(String, JSONValue)] = [
    ("widget.add", ["kind": "marked", "id": "second"]), ("widget.remove", ["id": "first"]),
    ("widget.reload", ["id": "first"]), ("stack.dismiss", ["id": "first"]),
    ("intent.send", ["intent": "TakeNote", "parameters": ["note": "x"]]),
    donation,
    ("donation.setPrivate", ["on": true]), ("donation.forget", ["all": true]),
    (
      "widget.push",
      [
        "id": "first",
        "timeline": [
          "entries": [["date": "2020-01-01T00:00:00Z", "content": ["title": "pushed"]]],
          "policy": "never",
        ],
      ]
    ),
  ]

  /// All that a client can see of what these requests change, as JSON; an entry that was gone for a
  /// moment may have come back with another number.
  private struct Seen: Equatable {
    var widgets, isPrivate, donations, history: String

    init(by client: WireClient) throws {
      let status = try client.call("daemon.status")
      let listed = try client.call("widget.list")["widgets"]?.arrayValue ?? []
      widgets = JSONValue.array(listed.map(Self.withoutNumber)).serialized
      isPrivate = (status["private"] ?? .null).serialized
      donations = (status["donations"] ?? .null).serialized
      history = try client.call("daemon.history", ["limit": 1_000]).serialized
    }

    private static func withoutNumber(_ widget: JSONValue) -> JSONValue {
      guard var members = widget.objectValue else { return widget }
      members["revision"] = nil
      return .object(members)
    }
  }

  @Test(
    .enabled(if: Programs.isInstalled("prlimit"), "prlimit lets the disk be full"),
    arguments: [true, false])
  func `on a full disk a refused request did not happen, and its retry happens once`(
    isFirstToFail: Bool
  ) throws {
    try withSandbox { sandbox in
      try prepare(sandbox)
      var daemon = try sandbox.startDaemon()
      var client = try sandbox.connect()
      try client.call("widget.add", ["kind": "marked", "id": "first", "wait": true])
      try client.call("stack.dismiss", ["id": "first"])
      let before = try Seen(by: client)
      let runsBefore = runs(sandbox)
      for (method, params) in Self.changes {
        try sandbox.setDiskFull(true, for: daemon.pid)
        // The request itself meets the full disk first, or another one has.
        if !isFirstToFail {
          _ = try client.refusal(Self.donation.0, Self.donation.1)
        }
        for _ in 0..<2 {
          #expect(try client.refusal(method, params).code == -32040, "\(method)")
        }
        #expect(try Seen(by: client) == before, "\(method)")
        try sandbox.setDiskFull(false, for: daemon.pid)
        try eventually("the store works again") {
          try client.call("daemon.status")["store"]?["state"] == "ok"
        }
        #expect(try Seen(by: client) == before, "\(method)")
      }
      #expect(runs(sandbox) == runsBefore)
      // A client that obeys.
      let added = try client.call("widget.add", ["kind": "marked", "id": "second", "wait": true])
      #expect(added["receipt"]?["state"] == "done")
      #expect(runs(sandbox) == runsBefore + 1)
      daemon.killGroup()
      daemon = try sandbox.startDaemon()
      client = try sandbox.connect()
      let ids = try client.call("widget.list")["widgets"]?.arrayValue?.compactMap { $0["id"] }
      #expect(ids == ["first", "second"])
      let status = try client.call("daemon.status")
      #expect(status["private"] == false && status["donations"]?.serialized == before.donations)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a request with a key takes effect once, also over kill -9`() throws {
    try withSandbox { sandbox in
      try prepare(sandbox)
      var daemon = try sandbox.startDaemon()
      var client = try sandbox.connect()
      let request: JSONValue = ["kind": "marked", "idempotencyKey": "once"]
      let first = try client.call("widget.add", request)
      for _ in 0..<3 {
        daemon.killGroup()
        daemon = try sandbox.startDaemon()
        client = try sandbox.connect()
        #expect(try client.call("widget.add", request) == first)
      }
      #expect(try client.call("widget.list")["widgets"]?.arrayValue?.count == 1)
      let other = try client.refusal(
        "widget.add", ["kind": "noted", "idempotencyKey": "once"])
      #expect(other.code == -32043, "\(other)")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a row that cannot be read is told, kept, and its id is not given away`() throws {
    try withSandbox { sandbox in
      try prepare(sandbox)
      var daemon = try sandbox.startDaemon()
      var client = try sandbox.connect()
      for id in ["first", "marked"] {
        try client.call("widget.add", ["kind": "marked", "id": .string(id)])
      }
      try sandbox.stop(daemon)
      let damage = "UPDATE widget SET bytes = CAST('nonsense' AS BLOB) WHERE key = 'marked'"
      _ = try rows(sandbox, "SELECT 1", change: damage)
      for _ in 0..<2 {
        daemon = try sandbox.startDaemon()
        client = try sandbox.connect()
        let store = try client.call("daemon.status")["store"]
        #expect(store?["damagedRows"] == 1 && store?["damagedWidgets"] == ["marked"])
        let refusal = try client.refusal("widget.add", ["kind": "marked", "id": "marked"])
        #expect(refusal.code == -32028, "\(refusal)")
        let told = try sandbox.run(Programs.client, ["status"])
        #expect(told.output.contains("intent-send remove marked"), "\(told.output)")
        try sandbox.stop(daemon)
        let kept = try rows(sandbox, "SELECT key, CAST(bytes AS TEXT) FROM kept")
        #expect(kept == "[('widget/marked', 'nonsense')]")
      }
      daemon = try sandbox.startDaemon()
      client = try sandbox.connect()
      // An id that the daemon chooses is another one.
      #expect(try client.call("widget.add", ["kind": "marked"])["widget"]?["id"] == "marked-2")
      #expect(try client.call("widget.remove", ["id": "marked"])["removed"] == "marked")
      #expect(try client.call("daemon.status")["store"]?["damagedRows"] == nil)
      try client.call("widget.add", ["kind": "marked", "id": "marked"])
      try sandbox.stop(daemon)
    }
  }

  @Test func `a state folder that was deleted is noticed before anything is acknowledged`() throws {
    try withSandbox { sandbox in
      try prepare(sandbox)
      var daemon = try sandbox.startDaemon()
      var client = try sandbox.connect()
      try client.call("widget.add", ["kind": "marked", "id": "first", "wait": true])
      try client.call("stack.dismiss", ["id": "first"])
      let before = try Seen(by: client)
      try FileManager.default.removeItem(atPath: sandbox.state)
      for (method, params) in Self.changes {
        #expect(try client.refusal(method, params).code == -32040, "\(method)")
      }
      #expect(try Seen(by: client) == before)
      let reason = try client.call("daemon.status")["store"]?["reason"]?.stringValue ?? ""
      #expect(reason.contains("is gone; make it again"), "\(reason)")
      try sandbox.makeFolder("state/intentd")
      try eventually("the store works again") {
        try client.call("daemon.status")["store"]?["state"] == "ok"
      }
      try client.call("widget.add", ["kind": "marked", "id": "second"])
      daemon.killGroup()
      daemon = try sandbox.startDaemon()
      client = try sandbox.connect()
      let ids = try client.call("widget.list")["widgets"]?.arrayValue?.compactMap { $0["id"] }
      #expect(ids == ["first", "second"])
      try sandbox.stop(daemon)
    }
  }
}
