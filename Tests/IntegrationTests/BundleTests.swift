import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests manifests that offer several kinds, with real programs.
@Suite(.enabled(if: Programs.isInstalled("python3"), "python3 is not installed"))
struct BundleTests {
  private static let week = "org.intentd.example.calendar.week"
  private static let year = "org.intentd.example.calendar.year"

  /// Copies the example of a bundle to the person's widgets.
  private func addCalendar(_ sandbox: Sandbox) throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/calendar")
    for (file, mode) in [("calendar.yaml", mode_t(0o644)), ("calendar.py", 0o755)] {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      try sandbox.write("config/intentd/widgets/calendar/\(file)", text, mode: mode)
    }
  }

  private func title(_ id: String, _ client: WireClient) throws -> String? {
    try client.widget(id)["entry"]?["content"]?["title"]?.stringValue
  }

  @Test func `both kinds of the example are answered by one process`() throws {
    try withSandbox { sandbox in
      try addCalendar(sandbox)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add(Self.week, id: "week") == "done")
      let first = Processes.children(of: daemon.pid)
      #expect(first.count == 1)
      #expect(try client.add(Self.year, id: "year") == "done")
      #expect(Processes.children(of: daemon.pid) == first)
      #expect(try title("week", client)?.hasSuffix("day") == true)
      #expect(try title("year", client)?.hasPrefix("20") == true)

      // The end of the process is one end for both; the next request of each meets one new process.
      kill(try #require(first.first), SIGKILL)
      try eventually("it is gone") { Processes.children(of: daemon.pid) != first }
      #expect(try client.reload("year")["state"] == "done")
      #expect(try client.reload("week")["state"] == "done")
      let second = Processes.children(of: daemon.pid)
      #expect(second.count == 1 && second != first)
      #expect(try client.widget("week")["stale"] == false)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a mistake in one kind takes no other away, also over a kill`() throws {
    try withSandbox { sandbox in
      try addCalendar(sandbox)
      var daemon = try sandbox.startDaemon()
      var client = try sandbox.connect()
      #expect(try client.add(Self.week, id: "week") == "done")
      #expect(try client.add(Self.year, id: "year") == "done")
      let manifest = "config/intentd/widgets/calendar/calendar.yaml"
      let good = contents(of: "\(sandbox.root)/\(manifest)")
      let bad = good.replacingOccurrences(of: "name: {en: Year", with: "nmae: {en: Year")
        .replacingOccurrences(of: "name: {en: Week", with: "name: {en: The week")
      try sandbox.write(manifest, bad)
      let issues = try client.call("daemon.reloadConfiguration")["issues"]?.arrayValue ?? []
      let told = issues.map { $0["message"]?.stringValue ?? "" }
      #expect(told.contains("name is missing"), "\(told)")
      let names = try client.call("gallery.list")["kinds"]?.arrayValue?.map { $0["name"] }
      #expect(names == ["The week", "Year"])
      #expect(try client.reload("year")["state"] == "done")

      // A new process knows no last good version: the kind is away, and its widget waits for it.
      daemon.signal(SIGKILL)
      try eventually("it is gone") { daemon.hasEnded() }
      daemon = try sandbox.startDaemon()
      client = try sandbox.connect()
      #expect(try client.widget("year")["orphaned"] == true)
      #expect(try client.widget("week")["orphaned"] == false)
      try sandbox.write(manifest, good)
      try client.call("daemon.reloadConfiguration")
      #expect(try client.widget("year")["orphaned"] == false)
      try sandbox.stop(daemon)
    }
  }

  /// A one-shot provider that shows the kind that it is asked for, and its cache folder.
  private static let script = """
    read -r line
    kind=${line#*'"kind":"'}; kind=${kind%%'"'*}
    echo $kind >> "$INTENTD_CACHE/kinds"
    echo '{"policy":"never","entries":[{"date":"2020-01-01T00:00:00Z",
      "content":{"title":"'$kind' '$INTENTD_KIND'","text":"'$INTENTD_CACHE'"}}]}'
    """

  private static let bundle = """
    provider: {exec: [./tide.sh]}
    families: [systemSmall]
    kinds: [{kind: org.example.tide, name: Tide}, {kind: org.example.moon, name: Moon}]

    """

  @Test func `a one-shot program is told the kind, and has one cache folder`() throws {
    try withSandbox { sandbox in
      try sandbox.write("config/intentd/widgets/tide.yaml", Self.bundle)
      try sandbox.write(
        "config/intentd/widgets/tide.sh", "#!/bin/sh\n\(Self.script)\n", mode: 0o755)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      for kind in ["org.example.tide", "org.example.moon"] {
        #expect(try client.add(kind, id: kind) == "done")
        #expect(try title(kind, client) == "\(kind) \(kind)")
      }
      let cache = "\(sandbox.root)/cache/intentd/org.example.tide"
      #expect(contents(of: cache + "/kinds") == "org.example.tide\norg.example.moon\n")
      try sandbox.stop(daemon)
    }
  }

  @Test func `try and simulate take one kind of a bundle, or all`() throws {
    try withSandbox { sandbox in
      try addCalendar(sandbox)
      let manifest = sandbox.widgets + "/calendar/calendar.yaml"
      let first = try sandbox.send("try", manifest)
      #expect(first.status == 0, "\(first)")
      #expect(first.output.contains("the manifest also offers \(Self.year)"), "\(first)")
      for words in [[manifest, "--kind", Self.year], [Self.year], ["year"]] {
        let outcome = try sandbox.run(Programs.client, ["try"] + words + ["--json"])
        let report = try JSONValue(parsing: outcome.output)
        #expect(report["kind"] == .string(Self.year))
        #expect(report["others"] == [.string(Self.week)])
        #expect(report["ok"] == true, "\(outcome)")
      }
      let wrong = try sandbox.send("try", manifest, "--kind", "org.intentd.example.calendar.yeer")
      #expect(wrong.status == 1)
      #expect(wrong.output.contains("did you mean '\(Self.year)'"), "\(wrong)")

      for (words, kinds) in [([Self.year], [Self.year]), ([manifest], [Self.week, Self.year])] {
        let outcome = try sandbox.run(
          Programs.client, ["simulate"] + words + ["--from", "2026-11-20", "--for", "3d"])
        #expect(outcome.status == 0, "\(outcome)")
        for kind in [Self.week, Self.year] {
          #expect(outcome.output.contains("\n\(kind)\n") == kinds.contains(kind), "\(outcome)")
        }
      }
    }
  }

  @Test func `one consent holds for all kinds of a bundle, and one uninstall takes them away`()
    throws
  {
    try withSandbox { sandbox in
      try sandbox.write(
        "tide/widget.yaml", Self.bundle + "permissions: {read: [~/Documents]}\n")
      try sandbox.write("tide/tide.sh", "#!/bin/sh\n\(Self.script)\n", mode: 0o755)
      let outcome = try sandbox.send("install", "\(sandbox.root)/tide", "--yes")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.contains("offers    org.example.tide, org.example.moon"))
      let installed = "\(sandbox.root)/data/intentd/installed/org.example.tide"
      #expect(access(installed + "/widget.yaml", F_OK) == 0)
      func granted(_ kind: String) throws -> JSONValue? {
        let listed = try sandbox.send("permissions", kind, "--json")
        return try JSONValue(parsing: listed.output)["kinds"]?.arrayValue?.first?["granted"]
      }
      #expect(try granted("org.example.moon")?["read"] == ["~/Documents"])
      #expect(try granted("org.example.tide")?["read"] == ["~/Documents"])
      #expect(try sandbox.send("permissions", "org.example.moon", "--revoke").status == 0)
      #expect(try granted("org.example.tide")?["read"] == [])

      // Neither the second kind nor another manifest with one of them gets by.
      try sandbox.write(
        "moon/widget.yaml",
        "kind: org.example.moon\nname: M\nfamilies: [systemSmall]\nprovider: {exec: [\"true\"]}\n")
      let taken = try sandbox.send("install", "\(sandbox.root)/moon", "--yes")
      #expect(taken.status == 1)
      #expect(taken.errors.contains("intent-send uninstall org.example.tide"), "\(taken)")
      let part = try sandbox.send("uninstall", "org.example.moon")
      #expect(part.status == 1)
      #expect(part.errors.contains("intent-send uninstall org.example.tide"), "\(part)")
      #expect(try sandbox.send("uninstall", "org.example.tide").status == 0)
      #expect(access(installed, F_OK) != 0)
    }
  }
}
