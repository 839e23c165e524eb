import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Bad input by scripts of other bars, with a real daemon: what `PluginTests` does not have.
struct BadInputTests {
  private func script(_ sandbox: Sandbox, _ name: String, _ body: String) throws {
    try sandbox.write("config/intentd/plugins/\(name)", "#!/bin/sh\n\(body)\n", mode: 0o755)
  }

  private func content(_ id: String, _ client: WireClient) throws -> JSONValue? {
    try client.widget(id)["entry"]?["content"]
  }

  /// The lines of items, also of those below others.
  private func texts(_ content: JSONValue?) -> [String] {
    (content?["items"]?.arrayValue ?? []).flatMap { item in
      [item["text"]?.stringValue ?? ""] + texts(item)
    }
  }

  @Test(arguments: [
    ("exec sleep 600", "did not answer", "2s"),
    ("trap '' TERM; while :; do sleep 600; done", "did not answer", "2s"),
    ("echo half; kill -SEGV $$", "signal 11", "1m"), ("echo half; kill -9 $$", "signal 9", "1m"),
    ("exec cat /dev/zero", "wrote more than", "1m"), ("echo ignored; exit 1", "exit code 1", "1m"),
  ]) func `a run that hangs, crashes, floods or fails keeps the last good content, stale`(
    _ body: String, _ reason: String, _ timeout: String
  ) throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "mood",
        script: """
          [ -e "$HOME/bad" ] || { echo good; exit 0; }
          echo 'last words' >&2
          \(body)
          """, provider: "protocol: xbar\nevery: once\ntimeout: \(timeout)")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("mood") == "done")
      try sandbox.write("home/bad", "")
      #expect(try client.reload("mood")["state"] == "dropped")
      #expect(try content("mood", client)?["title"] == "good")
      let widget = try client.widget("mood")
      #expect(widget["stale"] == true)
      #expect(widget["error"]?.stringValue?.contains(reason) == true, "\(widget)")
      let status = try sandbox.send("status", "mood").output
      #expect(status.contains("last words"), "\(status)")
      sandbox.remove("home/bad")
      #expect(try client.reload("mood")["state"] == "done")
      #expect(try client.widget("mood")["stale"] == false)
      try sandbox.stop(daemon)
      try eventually("nothing is left of it") { sandbox.strays(besides: daemon).isEmpty }
    }
  }

  @Test func `the status 33 of a block is no failure, and makes it urgent`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("hot", script: "echo hot; exit 33", provider: "protocol: i3blocks")
      try sandbox.widget("bar", script: "echo hot; exit 33", provider: "protocol: polybar")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("hot") == "done")
      #expect(try content("hot", client) == ["title": "hot", "urgent": true])
      #expect(try client.widget("hot")["stale"] == false)
      #expect(try client.add("bar") == "dropped")
      #expect(try content("bar", client) == nil)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a pipe in a title is text where the rest is no parameters`() throws {
    try withSandbox { sandbox in
      try script(
        sandbox, "pipes.1h.sh",
        """
        echo 'docker ps | head | color=#ff0000'
        echo ---
        echo '{{.Image}}|{{.ID}}'
        echo 'a|color=#00ff00'
        echo 'x | y | href=https://example.org | length=9'
        """)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("pipes") == "done")
      let shown = try content("pipes", client)
      #expect(shown?["title"] == "docker ps | head")
      #expect(shown?["color"] == "#ff0000")
      #expect(texts(shown) == ["{{.Image}}|{{.ID}}", "a", "x | y"])
      #expect(shown?["items"]?.arrayValue?[1]["color"] == "#00ff00")
      #expect(shown?["items"]?.arrayValue?[2]["url"] == "https://example.org")
      try sandbox.stop(daemon)
    }
  }

  @Test func `mistakes of parameters are ignored, and named by try with line and nearest name`()
    throws
  {
    try withSandbox { sandbox in
      try script(
        sandbox, "typo.1h.sh",
        """
        echo 'CPU | colour=red'
        echo ---
        echo 'Again | refresh='
        echo 'Sky | color=purpel'
        """)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("typo") == "done")
      let shown = try content("typo", client)
      #expect(shown?["title"] == "CPU")
      #expect(texts(shown) == ["Again", "Sky"])
      #expect(shown?["items"]?.arrayValue?.allSatisfy { $0["color"] == nil } == true)
      let tried = try sandbox.send("try", "typo", "--json")
      #expect(tried.status == 1)
      let warnings = try JSONValue(parsing: tried.output)["warnings"]?.arrayValue ?? []
      let text = warnings.compactMap(\.stringValue)
      #expect(text.count == 3, "\(text)")
      for (line, meant) in [(1, "color"), (3, "refresh"), (4, "purple")] {
        #expect(
          text.contains { $0.hasPrefix("line \(line): ") && $0.contains(meant) },
          "line \(line), \(meant): \(text)")
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `code in an output is never run, and that is said once`() throws {
    try withSandbox { sandbox in
      let ran = sandbox.root + "/ran"
      try script(
        sandbox, "code.1h.sh",
        """
        echo 'T | eval="touch \(ran)" onclick="touch \(ran)"'
        echo ---
        echo 'A | eval="touch \(ran)"'
        echo 'B | eval="touch \(ran)"'
        echo '$(touch \(ran)) `touch \(ran)`'
        """)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("code") == "done")
      #expect(try content("code", client)?["title"] == "T")
      for item in 0..<3 {
        // There is nothing to open.
        _ = try client.refusal("widget.tap", ["id": "code", "item": .array([.int(Int64(item))])])
      }
      let tried = try sandbox.send("try", "code", "--json")
      let warnings = try JSONValue(parsing: tried.output)["warnings"]?.arrayValue ?? []
      #expect(
        warnings.count { $0.stringValue?.contains("eval") == true } == 1, "\(warnings)")
      #expect(access(ran, F_OK) != 0)
      try sandbox.stop(daemon)
    }
  }

  @Test func `files that are no plugins make no kinds, and one that cannot be executed is named`()
    throws
  {
    try withSandbox { sandbox in
      let plugins = "config/intentd/plugins"
      for name in [".hidden.5s.sh", "old.5s.sh.off", "data.json", "README.md", "copy.5s.sh~"] {
        try sandbox.write("\(plugins)/\(name)", "#!/bin/sh\necho \(name)\n", mode: 0o755)
      }
      try sandbox.write("\(plugins)/empty.5s.sh", "", mode: 0o755)
      try sandbox.write("\(plugins)/words", "no script\n")
      try sandbox.write("\(plugins)/mode.5s.sh", "#!/bin/sh\necho mode\n")
      try sandbox.write("\(plugins)/argos/skipped.5s.sh", "#!/bin/sh\necho argos\n")
      try sandbox.write("\(plugins)/swiftbar/soft.5s.sh", "#!/bin/sh\necho soft\n")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let kinds = try client.call("gallery.list")["kinds"]?.arrayValue ?? []
      #expect(kinds.compactMap { $0["kind"]?.stringValue } == ["soft"])
      #expect(try client.add("soft") == "done")
      #expect(try content("soft", client)?["title"] == "soft")
      let issues = try client.call("daemon.status")["issues"]?.arrayValue ?? []
      let files = issues.compactMap { $0["file"]?.stringValue?.split(separator: "/").last }
      #expect(Set(files) == ["mode.5s.sh", "skipped.5s.sh", "soft.5s.sh"], "\(issues)")
      #expect(
        issues.allSatisfy { $0["expected"]?.stringValue?.contains("chmod +x /") == true },
        "\(issues)")
      // The command that the issue names mends it.
      #expect(chmod("\(sandbox.root)/\(plugins)/mode.5s.sh", 0o755) == 0)
      _ = try client.call("daemon.reloadConfiguration")
      #expect(try client.add("mode") == "done")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a script argument of a manifest is found beside it, wherever the plugin starts`()
    throws
  {
    try withSandbox { sandbox in
      try sandbox.write("config/intentd/widgets/beside.sh", "echo \"found $1 in $PWD\"\n")
      try sandbox.write("config/intentd/widgets/cond.sh", "exit 0\n")
      try sandbox.manifest(
        "beside", exec: "[sh, ./beside.sh, ./none]",
        provider: "protocol: i3blocks\nif: [sh, ./cond.sh]")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("beside") == "done")
      #expect(
        try content("beside", client)?["title"]
          == .string("found ./none in \(sandbox.root)/home"))
      try sandbox.stop(daemon)
    }
  }
}
