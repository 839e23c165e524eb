import IntentRouter
import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// A machine that is locked, and one that has to save: what clients see of it.
@Suite struct MachineTests {
  private static let mail = Harness.manifest(
    "mail.yaml",
    """
    kind: org.example.mail
    name: Mail
    families: [systemSmall]
    private: true
    provider: {exec: [./mail]}
    """)

  private final class Runs {
    var kinds: [String] = []
  }

  /// A daemon with the widgets `mail`, which is private, and `clock`, on a surface.
  private func world() throws -> (
    harness: Harness, app: ConnectionID, bar: ConnectionID, runs: Runs
  ) {
    var files = Harness.configuration
    files.manifests.append(Self.mail)
    let runs = Runs()
    var harness = Harness(files: files) { run in
      runs.kinds.append(run.kind)
      return .answered(
        Array(
          Harness.timeline(
            #"{"text":"from \#(run.kind)"}"#, policy: #"{"after":"2026-11-20T08:10:00Z"}"#
          ).utf8))
    }
    let app = harness.connect()
    let bar = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.mail", "id": "mail"], from: app)
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: app)
    try harness.call("surface.attach", from: bar)
    _ = harness.received(by: bar)
    return (harness, app, bar, runs)
  }

  /// Each update as `id text`, or `id <title>` of a mask.
  private func updates(_ harness: inout Harness, _ bar: ConnectionID) throws -> [String] {
    try harness.received(by: bar).map { try JSONValue(parsing: $0) }
      .flatMap { $0["params"]?["widgets"]?.arrayValue ?? [] }
      .map { widget in
        let content = widget["entry"]?["content"]
        let title = content?["title"]?.stringValue.map { "<\($0)>" }
        let text = content?["text"]?.stringValue ?? title ?? "nothing"
        return "\(widget["id"]?.stringValue ?? "?") \(text)"
      }
  }

  @Test func `a locked session masks private widgets once, and hides every surface`() throws {
    var (harness, app, bar, runs) = try world()
    harness.handle(.machine(.sessionLocked(true)))
    #expect(try updates(&harness, bar) == ["mail <Mail>"])
    #expect(try harness.call("daemon.status", from: app)["locked"] == true)
    #expect(try harness.call("daemon.status", from: app)["watched"] == 0)
    let before = runs.kinds.count
    harness.pass(3_600)
    #expect(runs.kinds.count == before)
    let timeline = try JSONValue(parsing: Harness.timeline(#"{"text":"new"}"#))
    for id in ["mail", "clock"] {
      try harness.call("widget.push", ["id": .string(id), "timeline": timeline], from: app)
    }
    #expect(try updates(&harness, bar) == [])

    harness.handle(.machine(.sessionLocked(false)))
    #expect(try updates(&harness, bar).sorted() == ["clock new", "mail new"])
    harness.handle(.machine(.sessionLocked(false)))
    #expect(try updates(&harness, bar) == [])
  }

  @Test func `whoever asks for a private widget gets its name alone while the session is locked`()
    throws
  {
    var (harness, app, _, _) = try world()
    harness.handle(.machine(.sessionLocked(true)))
    let late = harness.connect()
    let attached = try harness.call("surface.attach", from: late)
    for answer in [try harness.call("widget.list", from: app), attached] {
      let mail = try #require(answer["widgets"]?.arrayValue?.first { $0["id"] == "mail" })
      #expect(mail["masked"] == true)
      #expect(mail["held"] == "locked")
      #expect(mail["entry"]?["content"] == ["title": "Mail", "symbol": "lock"])
      #expect(!answer.serialized.contains("from org.example.mail"))
      #expect(answer.serialized.contains("from org.example.clock"))
    }
    let timeline = try harness.call("widget.timeline", ["id": "mail"], from: app)
    #expect(timeline["entries"] == [])
    #expect(timeline["masked"] == true)
    harness.handle(.machine(.sessionLocked(false)))
    #expect(
      try harness.call("widget.list", from: app).serialized.contains("from org.example.mail"))
  }

  @Test func `a private provider is left alone while the session is locked, also when asked`()
    throws
  {
    var (harness, app, _, runs) = try world()
    harness.handle(.machine(.sessionLocked(true)))
    let before = runs.kinds.count
    let answer = try harness.call("widget.reload", ["id": "mail"], from: app)
    let receipt = try #require(answer["receipts"]?.arrayValue?.first)
    #expect(receipt["state"] == "dropped")
    #expect(receipt["reason"]?.stringValue?.contains("locked") == true)
    #expect(runs.kinds.count == before)
    try harness.call("widget.reload", ["id": "clock"], from: app)
    #expect(runs.kinds.dropFirst(before) == ["org.example.clock"])
    // The requested run happens once after that.
    harness.handle(.machine(.sessionLocked(false)))
    #expect(runs.kinds.dropFirst(before + 1) == ["org.example.mail"])
  }

  @Test func `a surface that was hidden hears of the mask when it becomes visible`() throws {
    var (harness, _, bar, _) = try world()
    try harness.call("surface.visibility", ["visible": false], from: bar)
    harness.handle(.machine(.sessionLocked(true)))
    #expect(try updates(&harness, bar) == [])
    try harness.call("surface.visibility", ["visible": true], from: bar)
    #expect(try updates(&harness, bar) == ["mail <Mail>"])
  }

  @Test func `nobody taps while the session is locked`() throws {
    var (harness, app, _, _) = try world()
    harness.handle(.machine(.sessionLocked(true)))
    #expect(
      try harness.refusal("widget.tap", ["id": "clock"], from: app) == "-32035 sessionLocked")
    harness.handle(.machine(.sessionLocked(false)))
    #expect(
      try harness.refusal("widget.tap", ["id": "clock"], from: app) == "-32030 nothingToOpen")
  }

  @Test func `budgets are halved below a fifth of the battery, and on a network that costs`() throws
  {
    var (harness, app, _, _) = try world()
    func rate() throws -> Int64? {
      try harness.call("widget.budget", ["id": "clock"], from: app)["perDay"]?.intValue
    }
    let whole = try #require(try rate())
    let supplies: [(MachineSupply, [JSONValue])] = [
      (MachineSupply(isOnBattery: true, batteryPercent: 20), []),
      (MachineSupply(isOnBattery: true, batteryPercent: 19.9), ["battery"]),
      (MachineSupply(isOnBattery: false, batteryPercent: 5), []),
      (MachineSupply(isOnBattery: true), []),
      (MachineSupply(isMetered: true), ["meteredNetwork"]),
      (
        MachineSupply(isOnBattery: true, batteryPercent: 1, isMetered: true),
        ["battery", "meteredNetwork"]
      ),
      (MachineSupply(), []),
    ]
    for (supply, causes) in supplies {
      harness.handle(.machine(.supplyChanged(supply)))
      let saving = try harness.call("daemon.status", from: app)["saving"]
      #expect(saving == (causes.isEmpty ? nil : .array(causes)))
      let rate = try rate()
      #expect(rate == (causes.isEmpty ? whole : (whole + 1) / 2), "\(supply)")
    }
  }
}
