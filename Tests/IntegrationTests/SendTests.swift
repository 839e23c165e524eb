import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests `intent-send` with a real daemon: its output, its statuses, its streams.
struct SendTests {
  private func withDaemon(_ body: (Sandbox, Program, WireClient) throws -> Void) throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      try sandbox.widget("fails", script: "exit 9")
      // It never answers: only what a test pushes is shown, however long the test takes.
      try sandbox.manifest("note", exec: "[/bin/sleep, \"600\"]", provider: "timeout: 10m")
      let daemon = try sandbox.startDaemon()
      try body(sandbox, daemon, try sandbox.connect())
      if !daemon.hasEnded() { try sandbox.stop(daemon) }
    }
  }

  private static func timeline(_ title: String) -> JSONValue {
    [
      "entries": [["date": "2020-01-01T00:00:00Z", "content": ["title": .string(title)]]],
      "policy": "never",
    ]
  }

  @Test func `a sentence a word and a URL are answered by the provider`() throws {
    try withDaemon { sandbox, _, client in
      let answer = Outcome(ending: .exited(0), output: "Beijing\n3 degrees\n", errors: "")
      #expect(try sandbox.send("show the weather in Beijing") == answer)
      #expect(try sandbox.send("--", "Beijing") == answer)
      #expect(try sandbox.send("send", "Beijing") == answer)
      #expect(try sandbox.send("open", "weather://city/Beijing") == answer)
      let json = try sandbox.send("--json", "show weather in Beijing")
      #expect(json.status == 0)
      #expect(json.lines.count == 1)
      let result = try JSONValue(parsing: json.output)
      #expect(result["intent"] == ["name": "ShowWeather", "parameters": ["city": "Beijing"]])
      #expect(result["entry"]?["content"]?["title"] == "Beijing")
      #expect(result["widgets"]?.arrayValue?.first?["suggestion"] == true)
    }
  }

  @Test func `JSON steers no terminal, and is the same in a pipe, with every value`() throws {
    try withDaemon { sandbox, _, client in
      let title = "a\u{9B}31mb\u{7F}c\u{202E}d\u{2066}北京 ☀️"
      try client.call("widget.add", ["kind": "note", "id": "n"])
      try client.call("widget.push", ["id": "n", "timeline": Self.timeline(title)])
      for command in [["timeline", "n", "--json"], ["call", "widget.list"]] {
        let piped = try sandbox.run(Programs.client, command)
        #expect(piped.output.contains(#"a\u009b31mb\u007fc\u202ed\u2066北京 ☀️"#), "\(command)")
        let terminal = try Terminal()
        let program = try sandbox.start(
          Programs.client, command, descriptors: terminal.descriptors)
        #expect(try program.waitUntilEnded() == .exited(0))
        let shown = terminal.output()
        #expect(shown == piped.output)
        let answer = try JSONValue(parsing: shown)
        let entry = (answer["entries"] ?? answer["widgets"])?.arrayValue?.first
        #expect((entry?["entry"] ?? entry)?["content"]?["title"] == .string(title))
      }
    }
  }

  @Test func `each outcome has its exit status`() throws {
    try withDaemon { sandbox, daemon, client in
      #expect(try sandbox.send("status").status == 0)
      #expect(try sandbox.send("add", "weather", "--set", "city=Beijing", "--id", "w").status == 0)
      #expect(try sandbox.send("tap", "nothing").status == 1)
      #expect(try sandbox.send("add", "fails").status == 1)
      #expect(try sandbox.send("reload", "fails").status == 1)
      let noMatch = try sandbox.send("help me")
      #expect(noMatch.status == 3)
      #expect(noMatch.errors.contains("nothing matches 'help me'"), "\(noMatch.errors)")
      #expect(try sandbox.send("recognize", "help me").status == 3)
      #expect(try sandbox.send("open", "weather://planet/Mars").status == 3)
      #expect(try sandbox.send("Beijing").status == 0)
      #expect(try sandbox.send("staus").status == 64)
      #expect(try sandbox.send("stack", "--jsn").status == 64)
      #expect(try sandbox.send("help").status == 0)
      try sandbox.stop(daemon)
      let gone = try sandbox.send("status")
      #expect(gone.status == 69)
      #expect(gone.errors.contains("no daemon is listening on \(sandbox.socket)"))
      #expect(gone.output == "")
      #expect(try sandbox.send("show weather in Beijing").status == 69)
    }
  }

  @Test func `after installation the program names the folders for widgets and applications`()
    throws
  {
    try withSandbox { sandbox in
      let daemon = try sandbox.startDaemon()
      let add = try sandbox.send("add", "org.example.clock")
      #expect(add.status == 1)
      #expect(add.errors.contains("a manifest and its program into \(sandbox.widgets)"))
      #expect(try sandbox.send("gallery").output.contains(sandbox.widgets))
      let status = try sandbox.send("status", "--all").output
      #expect(status.contains(sandbox.widgets), "\(status)")
      #expect(status.contains(/up \d+ s, no widgets\n/), "\(status)")
      #expect(try sandbox.send("private").output == "private mode is off\n")
      #expect(try sandbox.send("private", "on").status == 0)
      #expect(
        try sandbox.send("private").output
          == "private mode is on: nothing you do is kept or learned from\n")
      #expect(try sandbox.send("private", "--json").output == "{\"private\":true}\n")
      let week = try sandbox.send("simulate", "x", "--for", "400d")
      #expect(week.status == 64)
      #expect(week.errors.contains("intent-send simulate --help"), "\(week)")
      try sandbox.widget(
        "tapped",
        script:
          #"echo '{"entries":[{"date":"2020-01-01T00:00:00Z","content":{}}],"policy":"never"}'"#,
        settings: "url: x://y\napp: org.example.Nowhere\n")
      #expect(try sandbox.send("reload-config").status == 0)
      #expect(try sandbox.send("add", "tapped").status == 0)
      let tap = try sandbox.send("tap", "tapped")
      #expect(tap.status == 1)
      #expect(
        tap.errors.contains("its desktop file goes into \(sandbox.root)/data/applications"),
        "\(tap)")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a moment of the stack is a time, a day, or a span into the past or the future`()
    throws
  {
    try withDaemon { sandbox, _, _ in
      for at in ["18:30", "2027-11-23", "-2h", "2h"] {
        let apart = try sandbox.send("stack", "--at", at)
        let joined = try sandbox.send("stack", "--at=\(at)")
        #expect(apart.status == 0, "\(apart)")
        #expect(joined.status == 0, "\(joined)")
      }
      let soon = try sandbox.send("stack", "--at", "soon")
      #expect(soon.status == 64)
    }
  }

  @Test func `a reload that the budget defers is reported as deferred`() throws {
    try withDaemon { sandbox, _, client in
      try sandbox.widget(
        "owned", script: Sandbox.answer(title: "owned"),
        settings: "app: org.example.Owner\nreload: {minimumInterval: 1h}")
      try client.call("daemon.reloadConfiguration")
      let app = try sandbox.connect()
      try app.call("app.register", ["app": "org.example.Owner"])
      #expect(try app.add("owned") == "done")
      // The first reload in the background costs budget; the second comes too early after it.
      #expect(try app.reload("owned")["state"] == "done")
      let receipt = try app.reload("owned")
      #expect(receipt["state"] == "deferred", "\(receipt.serialized)")
      #expect(receipt["reason"]?.stringValue?.isEmpty == false)
      #expect(receipt["until"] != nil)
      // In the foreground the reload is free.
      try app.call("app.state", ["state": "foreground"])
      #expect(try app.reload("owned")["state"] == "done")
    }
  }

  @Test func `every command prints one line of JSON when asked to`() throws {
    try withDaemon { sandbox, _, client in
      try client.add("weather", id: "w", parameters: ["city": "Beijing"])
      for arguments in [
        ["status"], ["widgets"], ["gallery"], ["intents"], ["stack"], ["stack", "--explain"],
        ["timeline", "w"],
        ["budget", "w"], ["reload", "w"], ["history"], ["recognize", "show weather in Beijing"],
        ["reload-config"],
      ] {
        let outcome = try sandbox.run(Programs.client, arguments + ["--json"])
        #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
        #expect(outcome.lines.count == 1)
        #expect(try JSONValue(parsing: outcome.output).objectValue != nil)
        let text = try sandbox.run(Programs.client, arguments)
        #expect(text.status == 0)
        #expect(!text.output.isEmpty && !text.output.hasPrefix("{"), "\(arguments)")
        #expect(!text.output.contains("\u{1B}"), "no colour in a file")
      }
      let refused = try sandbox.send("tap", "nothing", "--json")
      #expect(refused.status == 1)
      #expect(try JSONValue(parsing: refused.output)["error"]?["code"] == -32020)
    }
  }

  @Test func `colour is for terminals without NO_COLOR`() throws {
    try withDaemon { sandbox, _, _ in
      func shown(_ environment: [String: String]) throws -> String {
        let terminal = try Terminal()
        let program = try sandbox.start(
          Programs.client, ["recognize", "show weather in Beijing"], environment: environment,
          terminal: terminal.program)
        #expect(try program.waitUntilEnded() == .exited(0))
        return terminal.output()
      }
      let coloured = try shown(["TERM": "xterm"])
      #expect(coloured.contains("ShowWeather") && coloured.contains("\u{1B}["), "\(coloured)")
      for environment in [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb"]] {
        let plain = try shown(environment)
        #expect(plain.contains("ShowWeather") && !plain.contains("\u{1B}"), "\(plain)")
      }
    }
  }

  @Test func `a reader that leaves early is no error`() throws {
    try withDaemon { sandbox, _, client in
      let donation =
        #"{"jsonrpc":"2.0","id":1,"method":"intent.donate","params":{"intent":"TakeNote","parameters":{"note":"\#(String(repeating: "n", count: 200))"}}}"#
      try client.send(
        line: "[" + Array(repeating: donation, count: 1_000).joined(separator: ",") + "]")
      #expect(try client.message()?.arrayValue?.count == 1_000)
      let client = Programs.client
      let history = try sandbox.shell(
        "{ '\(client)' history --limit 1000; echo \"status $?\" >&2; } | head -n 1")
      #expect(history.lines.count == 1)
      #expect(history.errors == "status 0\n")
      // `follow` has nothing to print, and still notices that nobody reads its output.
      let follow = try sandbox.shell(
        "{ '\(client)' follow --stack; echo \"status $?\" >&2; } | head -n 1")
      #expect(follow.lines.count == 1)
      #expect(follow.errors == "status 0\n")
    }
  }

  @Test func `follow prints a line for every change and outlives the daemon`() throws {
    try withDaemon { sandbox, daemon, client in
      try client.call("widget.add", ["kind": "note", "id": "note"])
      try client.call("widget.add", ["kind": "note", "id": "other", "family": "accessoryInline"])
      let follow = try sandbox.start(Programs.client, ["follow", "note"])
      func titles() throws -> [String] {
        try follow.output.split(separator: "\n").map { line in
          let widget = try JSONValue(parsing: String(line))
          #expect(widget["id"] == "note")
          return widget["entry"]?["content"]?["title"]?.stringValue ?? "-"
        }
      }
      func push(_ title: String, to id: String = "note", _ client: WireClient) throws {
        try client.call("widget.push", ["id": .string(id), "timeline": Self.timeline(title)])
      }
      try eventually("the first line is there") { try titles() == ["-"] }
      try push("one", client)
      try eventually("the change is there") { try titles() == ["-", "one"] }
      // The same content again, or another widget's content, is no change of this widget.
      try push("one", client)
      try push("elsewhere", to: "other", client)
      try push("two", client)
      try eventually("the next change is there") { try titles() == ["-", "one", "two"] }

      daemon.killGroup()
      try eventually("it says that it waits") { follow.errors.contains("waiting for it") }
      let next = try sandbox.startDaemon()
      let second = try sandbox.connect()
      // The widget has not changed: its answer to the new connection is no line.
      try eventually("it has found the next daemon: \(follow.errors)") {
        try second.call("daemon.status")["surfaces"] == 1
      }
      try push("three", second)
      try eventually("the change is there: \(follow.output)") { try titles().last == "three" }
      #expect(try titles() == ["-", "one", "two", "three"])

      follow.signal(SIGINT)
      #expect(try follow.waitUntilEnded() == .signaled(SIGINT))
      try sandbox.stop(next)
    }
  }

  @Test func `follow with ticks writes live dates as text, and each new text`() throws {
    try withDaemon { sandbox, daemon, client in
      try client.call("widget.add", ["kind": "note", "id": "note"])
      let follow = try sandbox.start(Programs.client, ["follow", "note", "--tick"])
      let stack = try sandbox.start(Programs.client, ["follow", "--stack", "--tick"])
      let plain = try sandbox.start(Programs.client, ["follow", "note"])
      let date: JSONValue = ["date": "2020-01-01T00:00:00Z", "style": "timer"]
      func texts(_ program: Program) throws -> [String] {
        try program.output.split(separator: "\n").compactMap { line in
          let line = try JSONValue(parsing: String(line))
          let widget = line["widgets"]?.arrayValue?.first ?? line
          let text = widget["entry"]?["content"]?["text"]
          return text.map { $0.stringValue ?? $0.serialized }
        }
      }
      try eventually("all follow") { try client.call("daemon.status")["surfaces"] == 3 }
      let entry: JSONValue = ["date": "2020-01-01T00:00:00Z", "content": ["text": date]]
      try client.call(
        "widget.push", ["id": "note", "timeline": ["entries": [entry], "policy": "never"]])
      try eventually("it ticks") {
        try texts(follow).count >= 3 && texts(stack).count >= 3
      }
      // Hours, minutes and seconds; no line repeats another.
      for program in [follow, stack] {
        let texts = try texts(program)
        #expect(texts.allSatisfy { $0.wholeMatch(of: /\d+:\d\d:\d\d/) != nil }, "\(texts)")
        #expect(Set(texts).count == texts.count, "\(texts)")
      }
      #expect(try texts(plain) == [date.serialized])

      // The dates go on while no daemon is there.
      daemon.killGroup()
      try eventually("it says that it waits") { follow.errors.contains("waiting for it") }
      let before = try texts(follow).count
      try eventually("it ticks") { try texts(follow).count > before + 1 }
    }
  }

  @Test func `follow stack prints the whole stack when its order changes`() throws {
    try withDaemon { sandbox, _, client in
      let follow = try sandbox.start(Programs.client, ["follow", "--stack"])
      func stacks() throws -> [JSONValue] {
        try follow.output.split(separator: "\n").map {
          try JSONValue(parsing: String($0))["stack"] ?? .null
        }
      }
      try eventually("the empty stack is there") { try stacks() == [[]] }
      try client.call("widget.add", ["kind": "note", "id": "a"])
      try client.call("widget.add", ["kind": "note", "id": "b", "family": "accessoryInline"])
      try eventually("both are there") { try stacks().last == ["a", "b"] }
      try client.call("stack.dismiss", ["id": "a"])
      try eventually("the order has changed") { try stacks().last == ["b", "a"] }
      try client.call("widget.remove", ["id": "b"])
      try eventually("one is left") { try stacks().last == ["a"] }
      follow.signal(SIGTERM)
      try follow.waitUntilEnded()
    }
  }

  @Test func `a producer pushes from its standard input`() throws {
    try withDaemon { sandbox, _, client in
      try client.call("widget.add", ["kind": "note", "id": "note"])
      let pushed = try sandbox.send("push", "note", "-", input: Self.timeline("piped").serialized)
      #expect(pushed.status == 0)
      #expect(try client.widget("note")["entry"]?["content"]?["title"] == "piped")
      let wrong = try sandbox.send("push", "note", "-", input: #"{"entries":[{"date":"soon"}]}"#)
      #expect(wrong.status == 1)
      #expect(wrong.errors.contains("entries[0].date"), "\(wrong.errors)")
      #expect(try sandbox.send("push", "note", "-", input: "no json").status == 1)
      #expect(try client.widget("note")["entry"]?["content"]?["title"] == "piped")
    }
  }

  @Test func `a provider's text cannot steer the terminal`() throws {
    try withDaemon { sandbox, _, client in
      try client.call("widget.add", ["kind": "note", "id": "note"])
      try client.call(
        "widget.push",
        ["id": "note", "timeline": Self.timeline("\u{1B}[2J\u{1B}]0;owned\u{07}\u{9B}31m")])
      for arguments in [["widgets"], ["stack"], ["timeline", "note"]] {
        let output = try sandbox.run(Programs.client, arguments).output
        #expect(output.contains("owned"))
        #expect(
          !output.unicodeScalars.contains {
            ($0.value < 32 && $0 != "\n") || (127...159).contains($0.value)
          })
      }
    }
  }
}
