import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Bars as programs of their own: real daemons, real pipes, real signals.
struct BarTests {
  private func withWidget(
    settings: String = "", provider: String = "", script: String? = nil,
    _ body: (Sandbox, Program, WireClient) throws -> Void
  ) throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "disk", script: script ?? Sandbox.answer(title: "80 %"), settings: settings,
        provider: provider)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "disk", "id": "disk", "wait": true])
      try body(sandbox, daemon, client)
    }
  }

  private func push(_ content: JSONValue, _ client: WireClient) throws {
    let entry: JSONValue = ["date": "2026-01-01T00:00:00Z", "content": content]
    try client.call(
      "widget.push", ["id": "disk", "timeline": ["entries": [entry], "policy": "never"]])
  }

  private func lines(_ program: Program) -> [String] {
    program.output.split(separator: "\n").map(String.init)
  }

  @Test func `each change is one line, and nothing is a line without one`() throws {
    try withWidget { sandbox, daemon, client in
      let bar = try sandbox.start(Programs.client, ["bar", "text", "disk"])
      try eventually("the first line") { lines(bar) == ["80 %"] }
      try push(["title": "81 %"], client)
      try eventually("the second line") { lines(bar) == ["80 %", "81 %"] }
      // Another revision that reads the same, and then one that does not.
      try push(["title": "81 %", "tooltip": "x"], client)
      try push(["title": "82 %"], client)
      try eventually("the third line") { lines(bar).last == "82 %" }
      #expect(lines(bar) == ["80 %", "81 %", "82 %"])
      try sandbox.stop(daemon)
    }
  }

  @Test func `complaints are no lines where both go through one pipe`() throws {
    try withWidget { sandbox, daemon, client in
      let command = "exec '\(Programs.client)' bar polybar disk 2>&1"
      let bar = try sandbox.start("/bin/sh", ["-c", command])
      try eventually("the first line") { lines(bar).count == 1 }
      daemon.signal(SIGKILL)
      try daemon.waitUntilEnded()
      try eventually("another line") { lines(bar).count > 1 }
      #expect(lines(bar)[1].contains("%{F#888888}80 %"), "\(lines(bar))")
      let monitor = try sandbox.send("bar", "genmon", "disk", "--once")
      #expect(monitor.status == 69)
      #expect(
        monitor.output.hasPrefix("<txt><span foreground=\"#888888\">no daemon</span></txt><tool>"))
    }
  }

  @Test func `after the daemon nothing looks current, and the next one makes it so`() throws {
    try withWidget { sandbox, daemon, client in
      let bar = try sandbox.start(Programs.client, ["bar", "waybar", "disk"])
      try eventually("the first line") { lines(bar).count == 1 }
      #expect(!lines(bar)[0].contains("stale"))
      daemon.signal(SIGKILL)
      try daemon.waitUntilEnded()
      try eventually("the line is stale") { lines(bar).count == 2 }
      let stale = try JSONValue(parsing: lines(bar)[1])
      #expect(stale["class"] == ["stale"])
      #expect(stale["text"]?.stringValue?.contains("foreground=\"#888888\"") == true)
      #expect(stale["tooltip"]?.stringValue?.contains("the daemon is not running") == true)
      let next = try sandbox.startDaemon()
      try eventually("the line is current") { lines(bar).count == 3 }
      #expect(lines(bar)[2] == lines(bar)[0])
      try sandbox.stop(next)
    }
  }

  @Test func `a daemon that only restarts is not noticed`() throws {
    try withWidget { sandbox, daemon, client in
      let bar = try sandbox.start(Programs.client, ["bar", "waybar", "disk"])
      try eventually("the first line") { lines(bar).count == 1 }
      try sandbox.stop(daemon)
      let start = Date()
      let next = try sandbox.startDaemon()
      let other = try sandbox.connect()
      try push(["title": "81 %"], other)
      try eventually("the change") { lines(bar).last?.contains("81 %") == true }
      // A machine that took longer than the bar's patience may show one.
      if Date().timeIntervalSince(start) < 1 { #expect(lines(bar).count == 2) }
      try sandbox.stop(next)
    }
  }

  @Test func `without a daemon a bar waits, and with a wrong name it says so`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("disk", script: Sandbox.answer(title: "80 %"))
      let bar = try sandbox.start(Programs.client, ["bar", "text"])
      try eventually("it waits") { bar.errors.contains("waiting for it") }
      #expect(bar.output.isEmpty)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "disk", "id": "disk", "wait": true])
      try eventually("the stack has a widget") { lines(bar).last == "80 %" }
      let wrong = try sandbox.send("bar", "text", "dsik")
      #expect(wrong.status == 1)
      #expect(wrong.errors.contains("did you mean 'disk'"), "\(wrong.errors)")
      try sandbox.stop(daemon)
      let once = try sandbox.send("bar", "genmon", "disk", "--once")
      #expect(once.status == 69)
    }
  }

  @Test func `a click means what was on screen`() throws {
    let block = #"echo "[$BLOCK_BUTTON]""#
    try withWidget(provider: "protocol: i3blocks\nevery: once", script: block) {
      sandbox, daemon, client in
      let bar = try sandbox.start(Programs.client, ["bar", "waybar", "disk"])
      try eventually("the first line") { lines(bar).count == 1 }
      #expect(try sandbox.send("click", "disk", "right").status == 0)
      try eventually("the click arrived") { lines(bar).last?.contains("[3]") == true }
      // The revision that was first on screen is gone by now.
      let first = try client.widget("disk")["revision"]?.intValue ?? 0
      #expect(try sandbox.send("click", "disk", "up", "--shown", "disk@\(first)").status == 0)
      try eventually("the next click arrived") { lines(bar).last?.contains("[4]") == true }
      let late = try sandbox.send("click", "disk", "up", "--shown", "disk@\(first)")
      #expect(late.status == 1)
      #expect(late.errors.contains("something else"), "\(late.errors)")
      #expect(try sandbox.send("click", "nobar", "left").errors.contains("no bar called 'nobar'"))
      #expect(
        try sandbox.send("click", "disk", "left", "--on", "left=echo mine > \(sandbox.root)/mine")
          .status == 0)
      try eventually("the person's own command ran") {
        contents(of: "\(sandbox.root)/mine") == "mine\n"
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `clicks of i3bar arrive on standard input, and a hidden bar is quiet`() throws {
    let block = #"echo "[$BLOCK_BUTTON $modifiers $relative_x]""#
    try withWidget(provider: "protocol: i3blocks\nevery: once", script: block) {
      sandbox, daemon, client in
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { for end in ends { close(end) } }
      let bar = try sandbox.start(
        Programs.client, ["bar", "i3bar", "disk"], descriptors: [(ends[0], 0)])
      try eventually("the first line") { lines(bar).count == 3 }
      #expect(
        lines(bar)[0] == #"{"version":1,"click_events":true,"stop_signal":10,"cont_signal":12}"#)
      let block = try #require(try JSONValue(parsing: lines(bar)[2]).arrayValue?.first)
      let click: JSONValue = [
        "name": block["name"] ?? "", "instance": block["instance"] ?? "", "button": 5,
        "modifiers": ["Shift", "Mod1"], "relative_x": 7,
      ]
      // In two pieces, behind the start of the array.
      let text = Array("[\n,\(click.serialized)\n".utf8)
      for piece in [text[..<20], text[20...]] {
        _ = piece.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
      }
      try eventually("the click arrived") {
        lines(bar).last?.contains("[5 Shift,Mod1 7]") == true
      }
      // The whole output is the start of one array.
      let array = lines(bar).dropFirst().joined() + "]"
      #expect(try JSONValue(parsing: array).arrayValue?.count == lines(bar).count - 2)

      let count = lines(bar).count
      bar.signal(SIGUSR1)
      try eventually("nobody watches") {
        try client.call("daemon.status")["watched"]?.intValue == 0
      }
      try push(["title": "unseen"], client)
      bar.signal(SIGUSR2)
      try eventually("the bar is shown again") { lines(bar).last?.contains("unseen") == true }
      #expect(lines(bar).count == count + 1)
      try sandbox.stop(daemon)
    }
  }

  @Test func `an item that is chosen in a menu is tapped`() throws {
    try withWidget(
      provider: "protocol: xbar",
      script: """
        printf 'menu\\n---\\nOne | bash=/usr/bin/touch param1=%s/one terminal=false\\n' "$HOME"
        printf -- '--Deep | bash=/usr/bin/touch param1=%s/deep terminal=false\\n' "$HOME"
        """
    ) { sandbox, daemon, client in
      let chosen = try sandbox.send("menu", "disk", "--with", "tail -n 1")
      #expect(chosen.status == 0, "\(chosen.errors)")
      let home = try #require(sandbox.environment["HOME"])
      try eventually("the item's program ran") { access("\(home)/deep", F_OK) == 0 }
      #expect(access("\(home)/one", F_OK) != 0)
      #expect(try sandbox.send("menu", "disk", "--with", "true").status == 0)
      #expect(try sandbox.send("menu", "disk", "--with", "false").status == 0)
      let typed = try sandbox.send("menu", "disk", "--with", "cat > /dev/null; echo other")
      #expect(typed.status == 1)
      #expect(typed.errors.contains("no item of 'disk'"), "\(typed.errors)")
      try sandbox.stop(daemon)
    }
  }

  @Test(arguments: [
    ("argos", "$ARGOS_MENU_OPEN", "true"),
    ("swiftbar", "$SWIFTBAR_PLUGIN_REFRESH_REASON", "MenuOpen"),
    ("xbar", "${ARGOS_MENU_OPEN-unset}", "unset"),
  ]) func `a menu that is opened has the items of a run that knows of it`(
    _ format: String, _ word: String, _ told: String
  ) throws {
    try withWidget(
      provider: "protocol: \(format)\nevery: 1h\nrefreshOnOpen: true",
      script: """
        [ -e "$HOME/hangs" ] && sleep 20
        echo x >> "$HOME/runs"
        printf 'menu\\n---\\nRun %s, %s\\n' "$(grep -c x "$HOME/runs")" "\(word)"
        """
    ) { sandbox, daemon, client in
      let home = try #require(sandbox.environment["HOME"])
      let rows = "cat > \"$HOME/rows\""
      func rowsOf(_ arguments: String...) throws -> String {
        let opened = try sandbox.run(Programs.client, arguments)
        #expect(opened.status == 0, "\(opened.errors)")
        return contents(of: home + "/rows")
      }
      #expect(try rowsOf("menu", "disk", "--with", rows) == "Run 2, \(told)\n")
      let shown = try client.call("widget.list")["widgets"]?.arrayValue?.first
      let revision = try #require(shown?["revision"]?.intValue)
      #expect(
        try rowsOf("click", "b", "right", "--shown", "disk@\(revision)", "--menu", rows)
          == "Run 3, \(told)\n")
      try sandbox.write("home/hangs", "")
      let late = try sandbox.send("menu", "disk", "--with", rows)
      #expect(late.status == 0)
      #expect(late.errors.contains("'disk' does not answer yet; the menu has the last items"))
      #expect(contents(of: home + "/rows") == "Run 3, \(told)\n")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a script whose name has a plus runs when its menu opens`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "config/intentd/plugins/argos/agenda.1h+.sh",
        "#!/bin/sh\necho agenda\necho ---\necho \"open: $ARGOS_MENU_OPEN\"\n", mode: 0o755)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "agenda", "id": "agenda", "wait": true])
      let items = try client.call("widget.list")["widgets"]?.arrayValue?.first?["entry"]
      #expect(items?["content"]?["items"]?.arrayValue?.first?["text"] == "open: false")
      let opened = try client.call("widget.openMenu", ["id": "agenda"])
      #expect(opened["run"] == "done")
      let shown = opened["widget"]?["entry"]?["content"]?["items"]?.arrayValue
      #expect(shown?.first?["text"] == "open: true")
      try sandbox.stop(daemon)
    }
  }

  @Test func `the wheel turns the stack of the bars of one name`() throws {
    try withWidget { sandbox, daemon, client in
      for name in ["mail", "tea"] {
        try sandbox.widget(name, script: Sandbox.answer(title: name))
      }
      try client.call("daemon.reloadConfiguration")
      for name in ["mail", "tea"] {
        try client.call("widget.add", ["kind": .string(name), "id": .string(name), "wait": true])
      }
      let order = try client.call("stack.order", ["ids": true])["ids"]?.arrayValue ?? []
      let titles = order.map { $0 == "disk" ? "80 %" : $0.stringValue ?? "" }
      let bar = try sandbox.start(Programs.client, ["bar", "text", "--name", "b"])
      let other = try sandbox.start(Programs.client, ["bar", "waybar", "--name", "b"])
      try eventually("both have a line") { lines(bar).count == 1 && lines(other).count == 1 }
      #expect(lines(bar) == [titles[0]])
      #expect(try sandbox.send("click", "b", "down").status == 0)
      try eventually("both are turned") {
        lines(bar).last == titles[1] && lines(other).last?.contains(titles[1]) == true
      }
      #expect(try sandbox.send("click", "b", "up").status == 0)
      try eventually("turned back") { lines(bar).last == titles[0] }
      #expect(try sandbox.send("click", "b", "up").status == 0)
      try eventually("turned to the end") { lines(bar).last == titles[2] }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a file has the last line, whole, and a command follows each change`() throws {
    try withWidget { sandbox, daemon, client in
      let file = sandbox.root + "/line"
      let bar = try sandbox.start(
        Programs.client,
        ["bar", "conky", "disk", "--file", file, "--then", "cat \(file) >> \(sandbox.root)/all"])
      try eventually("the first line") { contents(of: file) == "80 %\n" }
      try push(["title": "${exec x}"], client)
      try eventually("the second line") { contents(of: file) == "$$\u{200B}{exec x}\n" }
      try eventually("the command ran") {
        contents(of: sandbox.root + "/all").hasSuffix("$$\u{200B}{exec x}\n")
      }
      #expect(bar.output.isEmpty)
      bar.killGroup()
      try sandbox.stop(daemon)
    }
  }

  @Test func `a live date ticks, and the program sleeps in between`() throws {
    try withWidget { sandbox, daemon, client in
      let date = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 3))
      try push(["title": ["date": .string(date), "style": "timer"]], client)
      let bar = try sandbox.start(Programs.client, ["bar", "text", "disk"])
      try eventually("it counts") { lines(bar).contains("00:00") }
      #expect(Set(lines(bar)).count == lines(bar).count)
      // A date an hour away changes once a minute at most.
      let far = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 7_200))
      try push(["title": ["date": .string(far), "style": "relative"]], client)
      try eventually("the far date") { lines(bar).last?.hasSuffix("h") == true }
      func switches() throws -> String {
        let status = contents(of: "/proc/\(bar.pid)/status")
        return status.split(separator: "\n").filter { $0.contains("ctxt_switches") }.joined()
      }
      let before = try switches()
      usleep(500_000)
      #expect(try switches() == before, "it woke up")
      bar.killGroup()
      try sandbox.stop(daemon)
    }
  }
}
