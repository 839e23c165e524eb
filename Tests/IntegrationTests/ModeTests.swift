import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests widgets that are compact and expanded, with real programs.
@Suite struct ModeTests {
  /// A one-shot provider that says which mode it was asked for, and how much room there is.
  private static let script = """
    #!/bin/sh
    read -r line
    mode=${line#*'"mode":"'}; mode=${mode%%'"'*}
    room=${line#*'"maximumSize":'}; room=${room%%'}'*}
    echo $mode >> "$INTENTD_CACHE/runs"
    echo '{"policy":"never","preferredHeight":250,"entries":[{"date":"2020-01-01T00:00:00Z",
      "content":{"title":"'$mode' in '${room##*:}'","text":"x"}}]}'

    """

  private static let manifest = """
    kind: org.example.tasks
    name: Tasks
    families: [systemMedium]
    modes: [compact, expanded]
    provider: {exec: [./tasks.sh]}

    """

  private func addTasks(_ sandbox: Sandbox) throws {
    try sandbox.write("config/intentd/widgets/tasks/tasks.yaml", Self.manifest)
    try sandbox.write("config/intentd/widgets/tasks/tasks.sh", Self.script, mode: 0o755)
  }

  private func attach(_ client: WireClient) throws -> String {
    let shown = try client.call(
      "surface.attach", ["name": "page", "entryPoint": "today", "widgets": ["tasks"]])
    let widget = shown["widgets"]?.arrayValue?.first
    return
      "\(widget?["mode"]?.stringValue ?? "-") \(widget?["height"]?.intValue ?? 0): "
      + (widget?["entry"]?["content"]?["title"]?.stringValue ?? "-")
  }

  @Test func `what a person expands is expanded there after a kill, without another run`() throws {
    try withSandbox { sandbox in
      try addTasks(sandbox)
      var daemon = try sandbox.startDaemon()
      var client = try sandbox.connect()
      #expect(try client.add("org.example.tasks", id: "tasks") == "done")
      #expect(try attach(client) == "compact 110: compact in 110")
      let expanded = try sandbox.send("expand", "tasks", "--surface", "page")
      #expect(expanded.ending == .exited(0), "\(expanded.errors)")
      #expect(expanded.output.hasPrefix("expanded in 616\n"), "\(expanded.output)")
      #expect(expanded.output.contains("on page"))

      daemon.signal(SIGKILL)
      try eventually("it is gone") { daemon.hasEnded() }
      daemon = try sandbox.startDaemon()
      client = try sandbox.connect()
      #expect(try attach(client) == "expanded 250: expanded in 616")
      let runs = contents(of: "\(sandbox.root)/cache/intentd/org.example.tasks/runs")
      #expect(runs == "compact\nexpanded\n")
      let collapsed = try sandbox.send("collapse", "tasks")
      #expect(collapsed.output.hasPrefix("compact in 110\n"), "\(collapsed.output)")
      #expect(try attach(client) == "compact 110: compact in 110")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a terminal expands a widget for itself, and hears what cannot be`() throws {
    try withSandbox { sandbox in
      try addTasks(sandbox)
      try sandbox.widget("org.example.plain", script: Sandbox.answer(title: "plain"))
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("org.example.tasks", id: "tasks") == "done")
      #expect(try client.add("org.example.plain", id: "plain") == "done")
      let expanded = try sandbox.send("expand", "tasks")
      #expect(expanded.output.contains("on terminal"), "\(expanded.output)")
      #expect(expanded.output.contains("250 of at most 616 points"))
      let plain = try sandbox.send("expand", "plain")
      #expect(plain.ending == .exited(1))
      #expect(plain.errors.contains("modes: [compact, expanded]"), "\(plain.errors)")
      let nowhere = try sandbox.send("expand", "tasks", "--surface", "nowhere")
      #expect(nowhere.errors.contains("no surface with the name 'nowhere' is attached"))
      let history = try sandbox.send("history")
      #expect(history.output.contains("expanded on terminal"), "\(history.output)")
      try sandbox.stop(daemon)
    }
  }

  /// A provider with one item compact and three expanded.
  private static let listScript = """
    #!/bin/sh
    read -r line
    items='{"text":"more","set":{"rows":6}}'
    case $line in
    *'"mode":"expanded"'*)
      items='{"text":"a","set":{"rows":1}},{"text":"b","set":{"rows":2}},'
      items=$items'{"text":"c","set":{"rows":3}}';;
    esac
    echo '{"policy":"never","entries":[{"date":"2020-01-01T00:00:00Z",
      "content":{"title":"list","items":['"$items"']}}]}'

    """

  @Test func `the items of a terminal have the numbers that it printed`() throws {
    try withSandbox { sandbox in
      try addTasks(sandbox)
      try sandbox.write("config/intentd/widgets/tasks/tasks.sh", Self.listScript, mode: 0o755)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("org.example.tasks", id: "tasks") == "done")
      func run(_ words: String...) throws -> String {
        let run = try sandbox.run(Programs.client, words)
        return run.output + run.errors
      }
      #expect(try run("tap", "tasks", "--item", "2").contains("shows 1 items"))
      #expect(try run("expand", "tasks").contains("  2  c\n"))
      #expect(try run("show", "tasks").contains("  2  c\n"))
      #expect(try !run("show", "tasks", "--compact").contains("  2  c\n"))
      #expect(try run("tap", "tasks", "--item", "2").contains("rows=3"))
      #expect(try run("tap", "tasks", "--item", "0", "--compact").contains("rows=6"))
      #expect(try run("menu", "tasks", "--with", "tail -n 1").contains("rows=3"))
      #expect(try run("menu", "tasks", "--compact", "--with", "tail -n 1").contains("rows=6"))
      #expect(try run("tap", "tasks", "--compact", "--expanded").contains("exclude each other"))
      _ = try run("collapse", "tasks")
      #expect(try !run("show", "tasks").contains("  2  c\n"))
      #expect(try run("show", "tasks", "--expanded").contains("  2  c\n"))
      #expect(try run("tap", "tasks", "--item", "1", "--expanded").contains("rows=2"))
      #expect(try run("tap", "tasks", "--item", "1").contains("shows 1 items"))
      try sandbox.stop(daemon)
    }
  }
}
