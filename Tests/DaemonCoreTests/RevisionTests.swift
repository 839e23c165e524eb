import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Tests the numbers of what widgets show, and the moment from which on they are stale.
@Suite struct RevisionTests {
  private func world() throws -> (Harness, ConnectionID) {
    var harness = Harness(provider: { _ in nil })
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.news", "id": "news"], from: client)
    return (harness, client)
  }

  private func widget(
    _ id: String, _ harness: inout Harness, _ client: ConnectionID
  ) throws -> JSONValue {
    let widgets = try harness.call("widget.list", from: client)["widgets"]?.arrayValue ?? []
    return try #require(widgets.first { $0["id"]?.stringValue == id })
  }

  private func revision(
    _ id: String, _ harness: inout Harness, _ client: ConnectionID
  ) throws -> Int64 {
    try #require(try widget(id, &harness, client)["revision"]?.intValue)
  }

  @Test func `another entry has a higher number, and the same one the same, stale or not`() throws {
    var (harness, client) = try world()
    #expect(try revision("news", &harness, client) == 0, "nothing was shown yet")
    try harness.answer("org.example.news", Harness.timeline(#"{"text":"a"}"#))
    let first = try revision("news", &harness, client)
    #expect(first > 0)

    harness.pass(60)
    try harness.call("widget.reload", ["id": "news"], from: client)
    try harness.answer("org.example.news", Harness.timeline(#"{"text":"a"}"#))
    #expect(try revision("news", &harness, client) == first)
    #expect(try widget("news", &harness, client)["staleSince"] == nil)

    harness.pass(60)
    try harness.call("widget.reload", ["id": "news"], from: client)
    let failedAt = harness.now.wall
    try harness.fail("org.example.news", .exited(code: 1))
    harness.pass(5)
    let stale = try widget("news", &harness, client)
    #expect(stale["stale"] == true)
    #expect(stale["staleSince"]?.stringValue == failedAt.rfc3339)
    #expect(stale["revision"]?.intValue == first, "a tap means the same entry still")

    try harness.call("widget.reload", ["id": "news"], from: client)
    try harness.answer("org.example.news", Harness.timeline(#"{"text":"b"}"#))
    let second = try widget("news", &harness, client)
    #expect(second["staleSince"] == nil)
    #expect(try #require(second["revision"]?.intValue) > first)
  }

  @Test func `an entry whose date comes has a higher number`() throws {
    var (harness, client) = try world()
    let entries =
      #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"a","staleAfter":30}},{"date":"2026-11-20T08:01:00Z","content":{"text":"b"}}],"policy":"never"}"#
    try harness.answer("org.example.news", entries)
    let first = try revision("news", &harness, client)
    harness.pass(40)
    let outlived = try widget("news", &harness, client)
    #expect(outlived["staleSince"] == "2026-11-20T08:00:30Z")
    #expect(outlived["revision"]?.intValue == first)
    harness.pass(30)
    #expect(try revision("news", &harness, client) > first)
  }

  @Test func `no number comes back when a widget is configured, removed and placed anew`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    func add(_ id: String, _ city: String) throws {
      try harness.call(
        "widget.add",
        [
          "kind": "org.example.weather", "id": .string(id), "parameters": ["city": .string(city)],
        ], from: client)
    }
    try add("a", "Rome")
    harness.pass(10)
    try add("b", "Oslo")
    let (a, b) = (
      try revision("a", &harness, client), try revision("b", &harness, client)
    )
    // The timeline that it comes to is older than its own.
    try harness.call(
      "widget.configure", ["id": "b", "parameters": ["city": "Rome"]], from: client)
    let moved = try revision("b", &harness, client)
    #expect(moved > b)
    #expect(try revision("a", &harness, client) == a, "it shows the same as before")
    try harness.call("widget.remove", ["id": "a"], from: client)
    try harness.call("widget.remove", ["id": "b"], from: client)
    try add("b", "Rome")
    #expect(try revision("b", &harness, client) > moved)
    // The next daemon does not begin from the start either.
    let last = try revision("b", &harness, client)
    harness.pass(1)
    var next = Harness(stored: harness.stored, at: harness.now.wall, provider: Harness.texts)
    let reader = next.connect()
    #expect(try revision("b", &next, reader) > last)
  }

  @Test func `memory that starts over keeps the number of what is shown`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call(
      "widget.add",
      ["kind": "org.example.weather", "id": "a", "parameters": ["city": "Rome"]], from: client)
    let number = try revision("a", &harness, client)
    harness.pass(10)
    harness.storeMode = .fails(Harness.diskFull)
    _ = try harness.refusal("donation.setPrivate", ["on": true], from: client)
    harness.storeMode = .commits
    harness.pass(2)
    #expect(harness.log.contains { $0.event == "store.startedOver" })
    #expect(try revision("a", &harness, client) == number)
  }

  @Test(arguments: ["widget.remove", "widget.configure"])
  func `what a refused change took away comes back with its number`(_ method: String) throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    for (id, city) in [("a", "Rome"), ("b", "Oslo")] {
      try harness.call(
        "widget.add",
        ["kind": "org.example.weather", "id": .string(id), "parameters": ["city": .string(city)]],
        from: client)
    }
    // Its own number is higher than that of the timeline it comes to.
    try harness.call(
      "widget.configure", ["id": "b", "parameters": ["city": "Rome"]], from: client)
    let (a, b) = (try revision("a", &harness, client), try revision("b", &harness, client))
    #expect(b > a)
    harness.pass(10)
    harness.storeMode = .fails(Harness.diskFull)
    for id in ["a", "b"] {
      var params: JSONObject = ["id": .string(id)]
      if method == "widget.configure" { params["parameters"] = ["city": "Lima"] }
      _ = try harness.refusal(method, .object(params), from: client)
      harness.storeMode = .commits
      harness.pass(2)
      #expect(try revision("a", &harness, client) == a)
      #expect(try revision("b", &harness, client) == b)
      harness.storeMode = .fails(Harness.diskFull)
    }
    // The last of them takes the timeline away.
    harness.storeMode = .commits
    harness.pass(60)
    try harness.call("widget.remove", ["id": "b"], from: client)
    harness.pass(60)
    harness.storeMode = .fails(Harness.diskFull)
    var params: JSONObject = ["id": "a"]
    if method == "widget.configure" { params["parameters"] = ["city": "Lima"] }
    _ = try harness.refusal(method, .object(params), from: client)
    harness.storeMode = .commits
    harness.pass(2)
    #expect(try revision("a", &harness, client) == a)
  }
}
