import Documents
import JSON
import Plugins
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Scripts of other bars: files in a plugins folder are kinds, signals run them, and their runs cost
/// no transaction.
struct PluginTests {
  private static func world(_ plugins: PluginSource..., manifest: String? = nil) throws -> Harness {
    var files = Harness.configuration
    files.plugins = plugins
    if let manifest {
      let document = try #require(readYAML(manifest, file: "/w/own.yaml").value)
      files.manifests.append(
        ManifestSource(file: "/w/own.yaml", directory: "/w", document: document))
    }
    var count = 0
    return Harness(files: files) { run in
      guard run.plugin != nil else { return nil }
      count += 1
      return .printed(PluginOutput(Array("\(run.kind) \(count)\n".utf8)))
    }
  }

  private static func tags(_ text: String, values: JSONObject = [:]) -> PluginSource {
    PluginSource(path: "/p/mail.5m.sh", tags: PluginTagLines(in: Array(text.utf8)), values: values)
  }

  @Test func `a file of a plugins folder is a kind with the interval of its name`() throws {
    var harness = try Self.world(PluginSource(path: "/p/cpu.5s.sh"))
    let client = harness.connect()
    let gallery = try harness.call("gallery.list", from: client)
    let kind = gallery["kinds"]?.arrayValue?.first { $0["kind"] == "cpu" }
    #expect(
      kind?.serialized
        == #"{"kind":"cpu","name":"cpu","description":"","families":["systemSmall","accessoryInline"]}"#
    )
    try harness.call("surface.attach", ["visible": true], from: client)
    try harness.call("widget.add", ["kind": "cpu", "id": "w"], from: client)
    #expect(
      try harness.call("widget.timeline", ["id": "w"], from: client)["entries"]?.arrayValue?.first?[
        "content"]
        == ["title": "cpu 1"])
    harness.pass(15)
    #expect(
      try harness.call("widget.timeline", ["id": "w"], from: client)["entries"]?.arrayValue?.first?[
        "content"]
        == ["title": "cpu 4"])
    #expect(
      try harness.call("widget.budget", ["id": "w"], from: client)["nextReason"]
        == "its interval, which spends no budget")
  }

  @Test func `a stack with a limit has no place for a widget that is hidden`() throws {
    var files = Harness.configuration
    files.plugins = [PluginSource(path: "/p/quiet.5s.sh"), PluginSource(path: "/p/loud.1h.sh")]
    var count = 0
    var harness = Harness(files: files) { run in
      guard run.kind == "quiet" else { return .printed(PluginOutput(Array("up\n".utf8))) }
      count += 1
      // Its first run, and each second one after it, has nothing to show.
      return .printed(PluginOutput(Array((count % 2 == 1 ? "" : "up\n").utf8)))
    }
    let client = harness.connect()
    let bar = harness.connect()
    for kind in ["quiet", "loud"] {
      try harness.call("widget.add", ["kind": .string(kind), "id": .string(kind)], from: client)
    }
    let attached = try harness.call("surface.attach", ["stack": true, "limit": 1], from: bar)
    #expect(attached["stack"] == ["loud"])
    func stacks() throws -> [JSONValue] {
      try harness.received(by: bar).compactMap { try JSONValue(parsing: $0)["params"]?["stack"] }
    }
    #expect(try stacks() == [])
    harness.pass(5)
    #expect(try stacks() == [["quiet"]])
    harness.pass(5)
    #expect(try stacks() == [["loud"]])
    // A turn goes past it, too.
    try harness.call("surface.rotate", ["by": 1], from: bar)
    harness.pass(1)
    #expect(try stacks().last ?? ["loud"] == ["loud"])
  }

  @Test func `tags say its name, its hour, its variables and its family`() throws {
    let source = Self.tags(
      """
      # <xbar.title>Post</xbar.title> <xbar.desc>New letters.</xbar.desc>
      # <xbar.var>number(COUNT=5): Lines.</xbar.var> <xbar.var>string(BOX="in"): Box.</xbar.var>
      # <swiftbar.schedule>0 * * * *</swiftbar.schedule>
      # <swiftbar.type>streamable</swiftbar.type>
      """, values: ["COUNT": 7])
    let read = WidgetKind.read(source)
    #expect(read.issues == [])
    let kind = try #require(read.kind)
    #expect(kind.name == "Post")
    #expect(kind.description == "New letters.")
    #expect(kind.provider.exec == ["/p/mail.5m.sh"])
    #expect(kind.provider.directory == "/p")
    #expect(
      kind.provider.environment == [
        .init(name: "BOX", value: "in"), .init(name: "COUNT", value: "7"),
      ])
    let lines = try #require(CronLine.lines("0 * * * *"))
    #expect(kind.provider.plugin?.schedule == .cron(lines))
    #expect(kind.provider.plugin?.format == .swiftbar)
    #expect(kind.provider.plugin?.isStream == true)
  }

  @Test func `a bundle with the name of another file's kind is no part of it`() throws {
    var harness = try Self.world(
      PluginSource(path: "/p/cpu.1m.py"),
      manifest: """
        provider: {exec: [./evil], protocol: extension}
        families: [systemSmall]
        kinds:
          - {kind: mine, name: Mine}
          - {kind: also, name: Also}
        """)
    let client = harness.connect()
    func kinds() throws -> [String] {
      try harness.call("gallery.list", from: client)["kinds"]?.arrayValue?
        .compactMap { $0["kind"]?.stringValue } ?? []
    }
    #expect(try kinds().contains("also"))
    harness = try Self.world(
      PluginSource(path: "/p/cpu.1m.py"), PluginSource(path: "/p/tasks.1m.py"),
      manifest: """
        provider: {exec: [./evil], protocol: extension}
        families: [systemSmall]
        kinds:
          - {kind: tasks, name: ""}
          - {kind: also, name: Also}
        """)
    let other = harness.connect()
    let told =
      try harness.call("gallery.list", from: other)["kinds"]?.arrayValue?
      .compactMap { $0["kind"]?.stringValue } ?? []
    #expect(told.contains("tasks") && !told.contains("also"))
  }

  @Test func `two files that make one kind are both named, and a manifest comes before them`()
    throws
  {
    var harness = try Self.world(
      PluginSource(path: "/p/cpu.1m.py"), PluginSource(path: "/p/cpu.5s.sh"),
      PluginSource(path: "/p/own.5s.sh"), PluginSource(path: "/p/old.5s.sh.off"),
      PluginSource(path: "/p/….sh"),
      manifest: """
        kind: own
        name: Mine
        families: [systemSmall]
        provider: {exec: [./own]}
        """)
    let client = harness.connect()
    let status = try harness.call("daemon.status", from: client)
    let issues = (status["configuration"]?["issues"] ?? status["issues"])?.arrayValue ?? []
    let told = issues.map {
      "\($0["file"]?.stringValue ?? ""): \($0["message"]?.stringValue ?? "")"
    }
    #expect(
      told == [
        "/p/cpu.5s.sh: the kind cpu is offered by /p/cpu.1m.py already; this file is ignored",
        "/p/own.5s.sh: the kind own is offered by /w/own.yaml already; this file is ignored",
        "/p/….sh: no letter of the file's name can name a widget",
      ])
    #expect(harness.daemon.widgetEngine.kinds["own"]?.name == "Mine")
    #expect(harness.daemon.widgetEngine.kinds["cpu"]?.provider.exec == ["/p/cpu.1m.py"])
    #expect(harness.daemon.widgetEngine.kinds["old"] == nil)
  }

  @Test func `a signal runs the plugins that name it and no others`() throws {
    var harness = try Self.world(
      PluginSource(path: "/p/cpu.5s.sh"),
      manifest: """
        kind: volume
        name: Volume
        families: [systemSmall]
        provider: {exec: [./volume], protocol: i3blocks, every: never, signal: 8}
        """)
    let client = harness.connect()
    for kind: JSONValue in ["volume", "cpu"] {
      try harness.call("widget.add", ["kind": kind, "id": kind], from: client)
    }
    let receipts = try harness.call("widget.signal", ["signal": 8], from: client)["receipts"]
    #expect(receipts?.arrayValue?.map { $0["widget"] } == ["volume"])
    #expect(receipts?.arrayValue?.first?["cause"] == "signal")
    let waited = try harness.call("widget.signal", ["signal": 8, "wait": true], from: client)
    #expect(waited["receipts"]?.arrayValue?.first?["state"] == "done")
    #expect(
      try harness.call("widget.signal", ["signal": 9], from: client) == ["receipts": []])
    for wrong: JSONValue in [0, 31, "8", nil] {
      #expect(try harness.refusal("widget.signal", ["signal": wrong], from: client) == "-32602")
    }
    #expect(try harness.refusal("widget.signal", from: client) == "-32602")
  }

  @Test func `runs by an interval cost one transaction a minute, and a stop writes the last`()
    throws
  {
    var harness = try Self.world(PluginSource(path: "/p/cpu.1s.sh"))
    let client = harness.connect()
    try harness.call("surface.attach", ["visible": true], from: client)
    try harness.call("widget.add", ["kind": "cpu", "id": "w"], from: client)
    harness.pass(5)
    let before = (harness.commitCount, harness.journal.count)
    harness.pass(50)
    #expect(harness.commitCount == before.0)
    harness.pass(250)
    #expect(harness.commitCount <= before.0 + 5)
    #expect(harness.journal.count == before.1)
    harness.pass(3)
    harness.handle(.stopRequested)
    #expect(harness.hasStopped)
    let record = try #require(harness.tables[.timeline]?.values.first)
    #expect(
      try JSONValue(parsing: record)["timeline"]?["entries"]?.arrayValue?.first?["content"]
        == ["title": "cpu 309"])
    // The next process shows it as it is: of before.
    var next = Harness(files: harness.files, stored: harness.stored)
    let other = next.connect()
    #expect(
      try next.call("widget.list", from: other)["widgets"]?.arrayValue?.first?["stale"] == true)
  }
}
