import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// The answer to a host app that registers, which connection gets its taps, and what it may
/// reload for free.
@Suite struct HostAppTests {
  private static let app = "org.example.Weather"

  private func world() throws -> (harness: Harness, client: ConnectionID) {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call(
      "widget.add", ["kind": "org.example.weather", "parameters": ["city": "Rome"]], from: client)
    try harness.call("widget.add", ["kind": "org.example.clock"], from: client)
    return (harness, client)
  }

  @Test(
    arguments: [
      (
        "org.example.Wether",
        "no manifest names the app 'org.example.Wether'; did you mean 'org.example.Weather'?"
      ),
      (
        "org.example.Clocks",
        "no manifest names the app 'org.example.Clocks'; write app: org.example.Clocks into the manifest of 'org.example.clock'"
      ),
      (
        "net.elsewhere.Mail",
        "no manifest names the app 'net.elsewhere.Mail'; write app: net.elsewhere.Mail into the manifests of its kinds"
      ),
    ])
  func `an app without kinds is told what is near`(_ app: String, _ warning: String) throws {
    var (harness, client) = try world()
    let answer = try harness.call("app.register", ["app": .string(app)], from: client)
    #expect(answer["kinds"] == [])
    #expect(answer["warnings"] == [.string(warning)])
  }

  @Test func `an app with kinds that is alone gets no warning`() throws {
    var (harness, client) = try world()
    for _ in 1...2 {
      let answer = try harness.call("app.register", ["app": .string(Self.app)], from: client)
      #expect(answer["kinds"] == ["org.example.weather"])
      #expect(answer["warnings"] == nil)
      #expect(answer["others"] == nil)
    }
  }

  @Test func `an app hears who else is the same app, and who gets the taps`() throws {
    var (harness, client) = try world()
    let first = harness.connect()
    let second = harness.connect()
    func register(_ connection: ConnectionID, _ isForeground: Bool) throws -> JSONValue {
      try harness.call(
        "app.register", ["app": .string(Self.app), "foreground": .bool(isForeground)],
        from: connection)
    }
    /// Returns the connections that get a tap.
    func tapped() throws -> [ConnectionID] {
      try harness.call("widget.tap", ["id": "weather"], from: client)
      return [first, second].filter { connection in
        harness.received(by: connection).contains { $0.contains("app.open") }
      }
    }
    _ = try register(first, false)
    #expect(try tapped() == [first])
    harness.pass(60)
    let answer = try register(second, false)
    #expect(
      answer["others"]?.serialized
        == #"[{"pid":7,"since":"2026-11-20T08:00:00Z","foreground":false}]"#)
    #expect(
      answer["warnings"] == [
        "others are registered as org.example.Weather, too; taps come to this connection"
      ])
    // The one that registered last, unless another one is in the foreground.
    #expect(try tapped() == [second])
    try harness.call("app.state", ["state": "foreground"], from: first)
    #expect(try tapped() == [first])
    let again = try register(second, false)
    #expect(
      again["warnings"] == [
        "others are registered as org.example.Weather, too; taps go to the one in the foreground"
      ])
    _ = try register(second, true)
    #expect(try tapped() == [second])
    harness.handle(.disconnected(second))
    #expect(try tapped() == [first])
  }

  @Test func `another program is told who is the app, and gets no taps`() throws {
    var (harness, client) = try world()
    let weather = ProgramFile(device: 1, inode: 1)
    let first = harness.connect(pid: 10, program: weather)
    let other = harness.connect(pid: 11, program: ProgramFile(device: 1, inode: 2))
    let unknown = harness.connect(pid: 12)
    let anew = harness.connect(pid: 13, program: weather)
    let all = [first, other, unknown, anew]
    func register(_ connection: ConnectionID) throws -> JSONValue? {
      let params: JSONValue = ["app": .string(Self.app), "foreground": true]
      return try harness.call("app.register", params, from: connection)["warnings"]
    }
    func tapped() throws -> [ConnectionID] {
      try harness.call("widget.tap", ["id": "weather"], from: client)
      return all.filter { connection in
        harness.received(by: connection).contains { $0.contains("app.open") }
      }
    }
    let refusal: JSONValue = [
      "process 10 runs another program and is org.example.Weather already; taps go there until it ends"
    ]
    #expect(try register(first) == nil)
    #expect(try register(other) == refusal)
    #expect(try register(unknown) == refusal)
    #expect(try tapped() == [first])
    // The person started the app a second time.
    #expect(
      try register(anew) == [
        "others are registered as org.example.Weather, too; taps come to this connection"
      ])
    #expect(try tapped() == [anew])
    // To register again changes nothing about who came first.
    #expect(try register(first) != refusal)
    harness.handle(.disconnected(anew))
    #expect(try tapped() == [first])
    harness.handle(.disconnected(first))
    #expect(try tapped() == [other])
  }

  @Test func `in the foreground an app's own kinds are free, others are not`() throws {
    var (harness, client) = try world()
    try harness.call(
      "app.register", ["app": .string(Self.app), "foreground": true], from: client)
    func cause(_ id: String) throws -> String? {
      let answer = try harness.call("widget.reload", ["id": .string(id)], from: client)
      return answer["receipts"]?.arrayValue?.first?["cause"]?.stringValue
    }
    #expect(try cause("weather") == "hostForeground")
    #expect(try cause("clock") == "hostBackground")
    let budget = try harness.call("widget.budget", ["id": "clock"], from: client)
    #expect(budget["spent"]?.serialized == #"{"hostBackground":1}"#)
  }

  // MARK: Waiting for a widget

  @Test func `a placed widget can be waited for, and is shown as it is then`() throws {
    var harness = Harness()
    let client = harness.connect()
    func place(_ id: Int, _ method: String, _ params: String) -> [String] {
      harness.send(
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#, to: client)
    }
    func answer(_ id: Int) throws -> JSONValue? {
      try harness.received(by: client).map { try JSONValue(parsing: $0) }
        .first { $0["id"] == .int(Int64(id)) }?["result"]
    }
    #expect(place(1, "widget.add", #"{"kind":"org.example.clock","wait":true}"#) == [])
    try harness.answer("org.example.clock", Harness.timeline(#"{"text":"08:00"}"#))
    let added = try #require(try answer(1))
    #expect(added["widget"]?["entry"]?["content"]?["text"] == "08:00")
    #expect(added["receipt"]?["state"] == "done")
    #expect(added["receipts"] == nil)

    let family = #"{"id":"clock","family":"accessoryInline","wait":true}"#
    #expect(place(2, "widget.configure", family) == [])
    try harness.fail("org.example.clock", .exited(code: 1), stderr: "no battery\n")
    let configured = try #require(try answer(2))
    #expect(configured["widget"]?["family"] == "accessoryInline")
    #expect(configured["widget"]?["stderr"] == "no battery")
    #expect(configured["receipt"]?["state"] == "dropped")
    #expect(configured["receipt"]?["stderr"] == "no battery")
  }
}
