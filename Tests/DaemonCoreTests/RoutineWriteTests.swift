import Documents
import JSON
import Plugins
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Content that an interval brings is promised to nobody: it is written once a minute, and a crash
/// loses a minute of it and nothing else.
struct RoutineWriteTests {
  /// A bar that shows the plugin `cpu`, which prints its run's number each second.
  private struct Bar {
    var harness: Harness
    var client: ConnectionID

    init(manifest: String? = nil, fails: @escaping (Int) -> Bool = { _ in false }) throws {
      var files = Harness.configuration
      if let manifest {
        let document = try #require(readYAML(manifest, file: "/w/cpu.yaml").value)
        files.manifests.append(
          ManifestSource(file: "/w/cpu.yaml", directory: "/w", document: document))
      } else {
        files.plugins = [PluginSource(path: "/p/cpu.1s.sh")]
      }
      var count = 0
      harness = Harness(files: files) { run in
        guard run.plugin != nil else { return .answered(Array(Harness.timeline("{}").utf8)) }
        count += 1
        guard !fails(count) else {
          return .printed(PluginOutput(Array("half\n".utf8), exitStatus: 3))
        }
        return .printed(PluginOutput(Array("\(count)\n".utf8)))
      }
      client = harness.connect()
      try harness.call("surface.attach", ["visible": true], from: client)
      try harness.call("widget.add", ["kind": "cpu", "id": "w"], from: client)
    }

    mutating func title() throws -> String? {
      let timeline = try harness.call("widget.timeline", ["id": "w"], from: client)
      return timeline["entries"]?.arrayValue?.first?["content"]?["title"]?.stringValue
    }

    var isStale: Bool {
      harness.daemon.widgetEngine.view(of: "w", at: harness.now.wall)?["stale"] == true
    }

    /// The title on disk.
    func storedTitle() throws -> String? {
      guard let row = harness.tables[.timeline]?.first(where: { $0.key.hasPrefix("cpu") }) else {
        return nil
      }
      let record = try JSONValue(parsing: row.value)
      return record["timeline"]?["entries"]?.arrayValue?.first?["content"]?["title"]?.stringValue
    }
  }

  @Test func `sixty runs in a minute are one transaction, and the history has none of them`()
    throws
  {
    var bar = try Bar()
    bar.harness.pass(1)
    let before = (bar.harness.commitCount, bar.harness.journal.count)
    bar.harness.pass(60)
    #expect(try bar.title() == "62")
    #expect(bar.harness.commitCount - before.0 <= 1)
    #expect(bar.harness.journal.count == before.1)
  }

  @Test func `a clock of a second costs 500 bytes of disk a refresh at most, over an hour`() throws
  {
    var bar = try Bar()
    bar.harness.pass(5)
    let first = try #require(try bar.title().flatMap { Int($0) })
    let before = (bar.harness.commitCount, bar.harness.committedByteCount)
    // A client looks now and then, which is a view of the hour, and no transaction of its own.
    for _ in 1...12 {
      bar.harness.pass(300)
      _ = try bar.harness.call("widget.list", from: bar.client)
    }
    let refreshes = try #require(try bar.title().flatMap { Int($0) }) - first
    #expect(refreshes >= 3_590)
    let commits = bar.harness.commitCount - before.0
    #expect(commits <= 62, "one a minute, and the views of the hour")
    // The store writes a page for each table that a transaction changes, one for the tree above it
    // and one of its own, first to its log and then to its file.
    let pages = commits * 3 * 2 * 4_096
    #expect(bar.harness.committedByteCount - before.1 + pages <= 500 * refreshes)
  }

  @Test func `a machine that is about to sleep waits until everything is on disk`() throws {
    var bar = try Bar()
    bar.harness.pass(70)
    #expect(try bar.storedTitle() != bar.title())
    bar.harness.storeMode = .waits
    bar.harness.handle(.machine(.willSleep))
    #expect(bar.harness.sleepCount == 0)
    try bar.harness.commit()
    #expect(bar.harness.sleepCount == 1)
    #expect(try bar.storedTitle() == bar.title())
    // Until it sleeps, nothing waits for its minute.
    bar.harness.storeMode = .commits
    bar.harness.pass(3)
    #expect(try bar.storedTitle() == bar.title())
    #expect(bar.harness.sleepCount == 1)
    bar.harness.handle(.machine(.didWake))
    bar.harness.pass(3)
    #expect(try bar.storedTitle() != bar.title())
  }

  @Test func `sleep that never comes is forgotten, and a failing store holds up no machine`() throws
  {
    var bar = try Bar()
    bar.harness.pass(70)
    bar.harness.handle(.machine(.willSleep))
    bar.harness.pass(62)
    bar.harness.pass(3)
    #expect(try bar.storedTitle() != bar.title())
    bar.harness.storeMode = .fails(Harness.diskFull)
    bar.harness.handle(.machine(.willSleep))
    #expect(bar.harness.sleepCount == 2)
  }

  @Test func `content of a kind whose manifest is gone for a moment outlives a start over`() throws
  {
    var bar = try Bar()
    bar.harness.pass(70)
    let saved = try bar.storedTitle()
    let shown = try bar.title()
    #expect(saved != shown)
    var files = bar.harness.files
    let plugins = files.plugins
    files.plugins = []
    bar.harness.files = files
    try bar.harness.call("daemon.reloadConfiguration", from: bar.client)
    #expect(bar.harness.daemon.widgetEngine.kinds["cpu"] == nil)
    bar.harness.storeMode = .waits
    bar.harness.send(
      #"{"jsonrpc":"2.0","id":700,"method":"widget.add","params":{"kind":"org.example.clock"}}"#,
      to: bar.client)
    bar.harness.storeMode = .commits
    try bar.harness.failCommit()
    #expect(try bar.title() == shown)
    bar.harness.files.plugins = plugins
    try bar.harness.call("daemon.reloadConfiguration", from: bar.client)
    #expect(try bar.title().flatMap { Int($0) } ?? 0 >= Int(shown ?? "") ?? 1)
  }

  @Test func `a crash loses a minute of runs and no receipt, and what is left is stale`() throws {
    var bar = try Bar()
    bar.harness.pass(90)
    let saved = try #require(try bar.storedTitle().flatMap { Int($0) })
    #expect(saved >= 60)
    let added = try bar.harness.call(
      "widget.add", ["kind": "org.example.clock", "id": "c"], from: bar.client)
    let receipt = try #require(added["receipt"]?["id"]?.stringValue)
    #expect(try bar.storedTitle() == String(saved), "the receipt needs none of it")
    // The machine loses its power here.
    var next = Harness(
      files: bar.harness.files, stored: bar.harness.stored, at: bar.harness.now.wall)
    let client = next.connect()
    #expect(
      try next.call("widget.receipt", ["id": .string(receipt)], from: client)["receipt"]?["state"]
        == "done")
    let widgets = try next.call("widget.list", from: client)["widgets"]?.arrayValue ?? []
    let widget = try #require(widgets.first { $0["id"] == "w" })
    #expect(widget["entry"]?["content"]?["title"]?.stringValue == String(saved))
    #expect(widget["stale"] == true)
    let since = try #require(widget["staleSince"]?.stringValue.flatMap { WallTime(rfc3339: $0) })
    let age = bar.harness.now.wall.milliseconds(since: since)
    #expect(age >= 0 && age <= Limits.deferredWriteInterval + 1_000)
  }

  @Test func `failures at an interval are no rows either, also when each second run is well`()
    throws
  {
    var bar = try Bar { $0 % 2 == 0 }
    bar.harness.pass(2)
    let before = (bar.harness.commitCount, bar.harness.journal.count)
    bar.harness.pass(60)
    #expect(bar.harness.commitCount - before.0 <= 1)
    #expect(bar.harness.journal.count == before.1)
    #expect(bar.harness.log.count { $0.event == "provider.failed" } == 1)
  }

  @Test func `content that nobody was promised outlives the refusal of something else`() throws {
    var bar = try Bar()
    bar.harness.pass(70)
    let saved = try bar.storedTitle()
    let shown = try bar.title()
    #expect(saved != shown)
    bar.harness.storeMode = .waits
    bar.harness.send(
      #"{"jsonrpc":"2.0","id":7,"method":"widget.add","params":{"kind":"org.example.clock"}}"#,
      to: bar.client)
    bar.harness.storeMode = .commits
    try bar.harness.failCommit()
    #expect(bar.harness.received(by: bar.client).contains { $0.contains("storeUnavailable") })
    #expect(try bar.title() == shown)
    #expect(!bar.isStale)
    // It is not forgotten that it is still to be written, nor when.
    bar.harness.pass(55)
    #expect(try bar.storedTitle().flatMap { Int($0) } ?? 0 > Int(shown ?? "") ?? 0)
  }

  @Test func `content in the transaction that fails outlives it, too`() throws {
    var bar = try Bar()
    bar.harness.storeMode = .waits
    bar.harness.pass(61)
    #expect(bar.harness.underWay != nil)
    bar.harness.send(
      #"{"jsonrpc":"2.0","id":7,"method":"widget.add","params":{"kind":"org.example.clock"}}"#,
      to: bar.client)
    let shown = try bar.title()
    bar.harness.storeMode = .commits
    try bar.harness.failCommit()
    #expect(try bar.title() == shown)
    #expect(try bar.storedTitle() == shown, "its minute is over: it is written at once")
  }

  @Test func `a script that runs once runs not again when memory starts over`() throws {
    var bar = try Bar(
      manifest: """
        kind: cpu
        name: CPU
        families: [systemSmall]
        provider: {exec: [./cpu], protocol: xbar, every: once}
        """)
    bar.harness.pass(1)
    let shown = try bar.title()
    bar.harness.storeMode = .waits
    bar.harness.send(
      #"{"jsonrpc":"2.0","id":7,"method":"widget.add","params":{"kind":"org.example.clock"}}"#,
      to: bar.client)
    bar.harness.storeMode = .commits
    try bar.harness.failCommit()
    bar.harness.pass(5)
    #expect(try bar.title() == shown)
    #expect(!bar.isStale)
  }
}
