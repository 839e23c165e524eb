import JSON
import Plugins
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Plugins that stay running, by the whole core.
@Suite struct StreamTests {
  private static let kinds = [
    kind("song", .swiftbar), kind("block", .i3blocks), kind("bar", .waybar),
    kind("turns", .waybar, alternate: "other {text}"), kind("once", .swiftbar, isStream: false),
  ]

  private static func kind(
    _ kind: String, _ format: PluginFormat, isStream: Bool = true, alternate: String? = nil
  ) -> WidgetKind {
    var provider = ProviderDeclaration(exec: ["./\(kind)"], directory: "/widgets")
    provider.plugin = PluginDeclaration(format, .once)
    provider.plugin?.isStream = isStream
    if alternate != nil {
      provider.plugin?.look = PluginLook()
      provider.plugin?.look?.alternate = alternate
    }
    return WidgetKind(kind: kind, name: kind, families: [.systemSmall], provider: provider)
  }

  private static let menu = """
    Play | stdin='next track'
    ---
    Bold | stdin='--' href=https://example.org
    """

  private func world(_ placed: String...) throws -> (Harness, ConnectionID) {
    var harness = Harness()
    harness.measure { daemon in
      var output = EngineOutput()
      daemon.engine.setKinds(
        Self.kinds, at: WallTime(seconds: 1_795_161_600), into: &output)
    }
    let client = harness.connect()
    try harness.call("surface.attach", ["visible": true], from: client)
    for kind in placed {
      try harness.call("widget.add", ["kind": .string(kind), "id": .string(kind)], from: client)
    }
    _ = harness.received(by: client)
    return (harness, client)
  }

  private func title(
    _ id: String, _ harness: inout Harness, _ client: ConnectionID
  ) throws -> JSONValue? {
    let widgets = try harness.call("widget.list", from: client)["widgets"]?.arrayValue
    return widgets?.first { $0["id"]?.stringValue == id }?["entry"]?["content"]?["title"]
  }

  @Test func `a frame reaches the surfaces, and costs no transaction and no history`() throws {
    var (harness, client) = try world("bar")
    try harness.frame("bar", "one")
    let before = (harness.commitCount, harness.journal.count)
    for number in 1...50 {
      try harness.frame("bar", "\(number)")
      #expect(
        harness.received(by: client).contains { $0.contains(#""title":"\#(number)""#) },
        "\(number)")
    }
    #expect(harness.commitCount == before.0)
    #expect(harness.journal.count == before.1)
    harness.handle(.stopRequested)
    #expect(harness.hasStopped)
    #expect(harness.running.isEmpty, "a stop ends the stream")
    let record = try #require(harness.tables[.timeline]?.values.first)
    #expect(String(decoding: record, as: UTF8.self).contains(#""title":"50""#))
  }

  @Test func `who reloads it waits for the first frame of the next process`() throws {
    var (harness, client) = try world("bar")
    try harness.frame("bar", "one")
    harness.send(
      #"{"jsonrpc":"2.0","id":1,"method":"widget.reload","params":{"id":"bar","wait":true}}"#,
      to: client)
    #expect(harness.cancelled.count == 1)
    #expect(!harness.received(by: client).contains { $0.contains(#""state":"done""#) })
    try harness.frame("bar", "two")
    #expect(harness.received(by: client).contains { $0.contains(#""state":"done""#) })
  }

  @Test func `a tap writes the line of the content to the stream`() throws {
    var (harness, client) = try world("song")
    try harness.frame("song", Self.menu)
    let token = try #require(harness.running.first).token.number
    let tapped = try harness.call("widget.tap", ["id": "song"], from: client)
    #expect(tapped.serialized == #"{"opened":"nothing","wrote":true}"#)
    #expect(harness.told == ["\(token): next track\n"])
    harness.send(
      #"{"jsonrpc":"2.0","id":1,"method":"widget.tap","params":{"id":"song","item":0}}"#,
      to: client)
    #expect(harness.told == ["\(token): next track\n", "\(token): --\n"])
    let opened = harness.launches.compactMap(\.request.url)
    #expect(opened.count == 1 && opened[0].hasPrefix("https://example.org"), "\(opened)")
  }

  @Test func `an item with refresh begins anew, and one that writes a line does not`() throws {
    var (harness, client) = try world("song", "bar")
    try harness.frame(
      "song", "Play\n---\nAgain | refresh=true\nNext | stdin=next refresh=true")
    try harness.frame("bar", "x")
    let tokens = harness.running.map(\.token)
    try harness.call("widget.tap", ["id": "song", "item": 1], from: client)
    #expect(harness.told.count == 1)
    #expect(harness.cancelled == [])
    try harness.call("widget.tap", ["id": "song", "item": 0], from: client)
    #expect(harness.cancelled.count == 1)
    #expect(tokens.contains { harness.cancelled.contains($0) })
  }

  @Test func `a line has one end, and a bounded length`() throws {
    var (harness, client) = try world("song")
    let token = try #require(harness.running.first).token.number
    let long = String(repeating: "x", count: 3_000)
    try harness.frame("song", "Play | stdin=\(long)")
    try harness.call("widget.tap", ["id": "song"], from: client)
    #expect(harness.told == ["\(token): \(long)\n"])
  }

  @Test func `a line for a stream that is down, or for no stream, is refused`() throws {
    var (harness, client) = try world("song", "once")
    try harness.frame("song", Self.menu)
    try harness.printed("once", "Play | stdin=x")
    #expect(
      try harness.refusal("widget.tap", ["id": "once"], from: client) == "-32030 nothingToOpen")
    try harness.fail("song", .signaled(signal: 9))
    let error = try harness.call("widget.tap", ["id": "song"], from: client)
    #expect(error["message"]?.stringValue?.contains("is not running now") == true)
    #expect(harness.told == [])
  }

  @Test func `content that a client pushed writes nothing to a stream`() throws {
    var (harness, client) = try world("song")
    try harness.frame("song", "x")
    let pushed: JSONValue = ["title": "x", "action": ["stdin": "evil"]]
    _ = try harness.call(
      "widget.push",
      [
        "id": "song",
        "timeline": [
          "entries": [["date": "2026-11-20T08:00:00Z", "content": pushed]], "policy": "never",
        ],
      ], from: client)
    #expect(
      try harness.refusal("widget.tap", ["id": "song"], from: client) == "-32030 nothingToOpen")
    #expect(harness.told == [])
  }

  @Test func `a block that stays running reads its clicks`() throws {
    var (harness, client) = try world("block")
    let token = try #require(harness.running.first).token.number
    try harness.frame("block", "50 %")
    try harness.call("widget.tap", ["id": "block", "button": 4], from: client)
    #expect(harness.told == ["\(token): 4\n"])
    try harness.frame("block", #"{"full_text":"50 %"}"#)
    try harness.call(
      "widget.tap",
      ["id": "block", "button": 3, "modifiers": ["shift"], "position": ["x": 7]], from: client)
    let line = try #require(harness.told.last).drop { $0 != "{" }
    #expect(
      try JSONValue(parsing: String(line)) == [
        "full_text": "50 %", "name": "block", "instance": "", "button": 3,
        "modifiers": ["Shift"], "x": 7,
      ])
    #expect(harness.running.count == 1, "it is not run for a click")
  }

  @Test func `a click shows the last frame in the other template of a look`() throws {
    var (harness, client) = try world("turns")
    try harness.frame("turns", "one")
    #expect(try title("turns", &harness, client) == "one")
    try harness.call("widget.tap", ["id": "turns"], from: client)
    #expect(try title("turns", &harness, client) == "other one")
    try harness.frame("turns", "two")
    #expect(try title("turns", &harness, client) == "other two")
    try harness.call("widget.tap", ["id": "turns"], from: client)
    #expect(try title("turns", &harness, client) == "two")
    #expect(harness.running.count == 1, "it is the same process")
  }

  @Test func `a flood and a deaf stream are told once a process`() throws {
    var (harness, client) = try world("bar")
    let run = try #require(harness.running.first)
    for _ in 1...3 {
      harness.handle(.streamNotice(run.token, .floods))
      harness.handle(.streamNotice(run.token, .readsNoInput))
    }
    harness.handle(.streamNotice(RunToken(99), .floods))
    harness.handle(.streamNotice(run.token, .leftOut(frameCount: 1_234)))
    let flooding = try harness.call("daemon.status", from: client)["flooding"]?.arrayValue
    #expect(flooding?.count == 1)
    #expect(flooding?.first?["kind"] == "bar")
    #expect(flooding?.first?["count"] == 1_234)
    let budget = try harness.call("widget.budget", ["id": "bar"], from: client)
    #expect(budget["omittedFrames"]?["count"] == 1_234)
    #expect(budget["omittedFrames"]?["since"] == budget["omittedFrames"]?["floodsSince"])
    let told = harness.log.filter { $0.event.hasPrefix("stream.") }
    #expect(told.map(\.event) == ["stream.floods", "stream.readsNoInput"])
    #expect(told.first?.fields.first == .init(key: "kind", value: "bar"))
  }

  @Test func `one that died is stale, says why, and comes back`() throws {
    var (harness, client) = try world("bar")
    try harness.frame("bar", "one")
    try harness.fail("bar", .signaled(signal: 9), stderr: "oh no")
    let widget = try harness.call("widget.list", from: client)["widgets"]?.arrayValue?.first
    #expect(widget?["stale"] == true)
    #expect(try title("bar", &harness, client) == "one")
    #expect(harness.log.contains { $0.event == "provider.failed" })
    harness.pass(1)
    try harness.frame("bar", "two")
    #expect(try title("bar", &harness, client) == "two")
  }

  @Test func `a line for a stream whose start waits for the disk is written after it`() throws {
    var (harness, client) = try world("block")
    try harness.frame("block", "now")
    let first = try #require(harness.running.first).token
    harness.storeMode = .waits
    // Its process ends, and the next one waits with what was promised meanwhile.
    harness.send(
      #"{"jsonrpc":"2.0","id":1,"method":"widget.reload","params":{"id":"block"}}"#, to: client)
    harness.send(
      #"{"jsonrpc":"2.0","id":2,"method":"widget.tap","params":{"id":"block"}}"#, to: client)
    #expect(harness.running.isEmpty)
    #expect(harness.told == [])
    harness.storeMode = .commits
    try harness.commit()
    let token = try #require(harness.running.first).token
    #expect(token != first)
    #expect(harness.told == ["\(token.number): 1\n"])
  }

  @Test func `a transaction that failed leaves the stream running`() throws {
    var (harness, client) = try world("bar")
    try harness.frame("bar", "one")
    let token = try #require(harness.running.first).token
    harness.storeMode = .waits
    harness.send(
      #"{"jsonrpc":"2.0","id":1,"method":"widget.add","params":{"kind":"bar","id":"second"}}"#,
      to: client)
    harness.storeMode = .commits
    try harness.failCommit()
    #expect(harness.running.map(\.token) == [token])
    try harness.frame("bar", "two")
    #expect(try title("bar", &harness, client) == "two")
    #expect(try title("second", &harness, client) == nil)
  }
}
