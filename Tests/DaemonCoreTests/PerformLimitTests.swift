import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Tests the bounds of intents that programs perform: how many at once, how fast, and of which
/// kinds.
@Suite struct PerformLimitTests {
  private static func program(_ name: String, performs intent: String) -> ManifestSource {
    Harness.manifest(
      "\(name).yaml",
      """
      kind: org.example.\(name)
      name: \(name)
      families: [systemSmall]
      provider: {exec: [./\(name)], protocol: extension}
      performs: [\(intent)]
      """)
  }

  /// Three programs, each with an intent of its own; the test answers runs.
  private func world() throws -> (harness: Harness, client: ConnectionID) {
    var files = PerformTests.files
    for name in ["Lamp", "Door"] {
      files.catalog.append(PerformTests.intent("Toggle\(name)"))
      files.manifests.append(Self.program(name, performs: "Toggle\(name)"))
    }
    var harness = Harness(files: files)
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.counter", "id": "c"], from: client)
    try harness.answer("org.example.counter", PerformTests.buttons)
    return (harness, client)
  }

  private func refusal(_ lines: [String]) throws -> JSONValue? {
    try lines.map { try JSONValue(parsing: $0) }.compactMap { $0["error"] }.first
  }

  private func intent(_ name: String, _ id: Int = 1) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"intent.send","params":{"intent":"\#(name)"}}"#
  }

  private func performCount(_ harness: Harness) -> Int {
    harness.running.count { $0.method == "perform" }
  }

  @Test func `a program that hangs leaves room for others, and intents in flight are bounded`()
    throws
  {
    var (harness, client) = try world()
    for _ in 0..<4 {
      #expect(try refusal(harness.send(PerformTests.tap, to: client)) == nil)
    }
    let fifth = try refusal(harness.send(PerformTests.tap, to: client))
    #expect(fifth?["data"]?["name"] == "limitReached")
    #expect(fifth?["data"]?["max"] == 4)
    #expect(
      fifth?["message"]
        == "4 intents are being performed by the program of org.example.counter already; try again when one has ended"
    )
    for _ in 0..<4 {
      #expect(try refusal(harness.send(intent("ToggleLamp"), to: client)) == nil)
    }
    #expect(performCount(harness) == WidgetCenter.Limits.performRunCountMax)
    let ninth = try refusal(harness.send(intent("ToggleDoor"), to: client))
    #expect(
      ninth?["message"] == "8 intents are being performed already; try again when one has ended")
    try harness.answer("org.example.Lamp", "{}")
    #expect(try refusal(harness.send(intent("ToggleDoor"), to: client)) == nil)
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a program reloads the widgets of its own kinds, also while it performs`() throws {
    var (harness, client) = try world()
    try harness.call("widget.add", ["kind": "org.example.sum", "id": "s"], from: client)
    try harness.answer("org.example.sum", PerformTests.buttons)
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "w"], from: client)
    try harness.answer("org.example.clock", PerformTests.buttons)
    harness.send(PerformTests.tap, to: client)
    let program = harness.connect(pid: 8)
    let asked = try harness.call(
      "widget.reloadAll", ["program": "org.example.sum"], from: program)
    #expect(asked["receipts"]?.arrayValue?.compactMap { $0["widget"]?.stringValue } == ["c", "s"])
    #expect(
      try harness.refusal("widget.reloadAll", ["program": "org.example.su"], from: program)
        == "-32021 unknownKind")
  }

  @Test func `runs of a kind that is gone are ended, and who waits is told so`() throws {
    var (harness, client) = try world()
    harness.send(intent("ToggleLamp"), to: client)
    harness.send(PerformTests.tap, to: client)
    harness.files.manifests.removeAll { $0.file == "Lamp.yaml" }
    harness.handle(.reloadRequested)
    let answers = try harness.received(by: client).map { try JSONValue(parsing: $0) }
    let performed = answers.compactMap { $0["result"]?["performed"] }.first ?? .null
    #expect(performed["state"] == "unknown")
    #expect(
      performed["message"]?.stringValue?.contains(
        "no manifest offers org.example.Lamp any more, and its program was stopped") == true)
    #expect(performCount(harness) == 1, "the other one goes on")
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a person who taps fast does not have the widget left alone`() throws {
    var (harness, client) = try world()
    for _ in 0..<100 {
      harness.send(PerformTests.tap, to: client)
      try harness.answer("org.example.counter", "{}")
      try harness.answer("org.example.counter", PerformTests.buttons)
    }
    #expect(harness.daemon.widgetEngine.quarantines.isEmpty)
    // Its program may ask, too.
    let asked = try harness.call("widget.reload", ["id": "c"], from: client)
    #expect(asked["receipts"]?.arrayValue?.first?["state"] == "accepted")
  }

  @Test func `an end that is told of a run which waits for the disk changes nothing`() throws {
    var (harness, client) = try world()
    harness.storeMode = .waits
    harness.send(PerformTests.tap, to: client)
    #expect(performCount(harness) == 0)
    // The harness checks the invariants after each turn.
    for number in 0..<8 {
      harness.handle(
        .provider(RunToken(UInt64(number)), .failed(ProviderFailure(.cancelled))))
    }
    harness.storeMode = .commits
    try harness.commit()
    #expect(performCount(harness) == 1)
    try harness.answer("org.example.counter", #"{"dialog":"done"}"#)
    let lines = try harness.received(by: client).map { try JSONValue(parsing: $0) }
    #expect(lines.contains { $0["result"]?["performed"]?["dialog"] == "done" })
  }
}
