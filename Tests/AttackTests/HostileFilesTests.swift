import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Files of a plugin that somebody downloaded: a manifest, a program, sentence documents.
enum Hostile {
  /// A program that writes poison to standard error and answers with it in every text.
  private static var script: String {
    """
    read -r request
    printf '\(Poison.shell)\\n' >&2
    printf '{"entries":[{"date":"2020-01-01T00:00:00Z","relevance":{"score":1},"content":'
    printf '{"title":"A\(jsonInShell)","text":"B\(jsonInShell)","titel":"C\(jsonInShell)",'
    printf '"items":[{"text":"\(jsonInShell)","url":"x:\(jsonInShell)"}],"k\(jsonInShell)":1}}],'
    printf '"policy":"never"}'
    """
  }

  /// The poison as the escapes of a JSON string, in a format of `printf`.
  private static var jsonInShell: String {
    Poison.text.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  static func addFiles(to sandbox: Sandbox) throws {
    let poison = Poison.yaml
    func manifest(_ kind: String, _ script: String, settings: String = "") throws {
      try sandbox.write("config/intentd/widgets/\(kind).run", "#!/bin/sh\n\(script)\n", mode: 0o755)
      try sandbox.write(
        "config/intentd/widgets/\(kind).yaml",
        """
        kind: \(kind)
        name: "Name \(poison)"
        description: "Words \(poison)"
        families: [systemSmall]
        provider:
          exec: [./\(kind).run, "\(poison)"]
          timeout: 30s
        env: {GREETING: "\(poison)"}
        \(settings)
        """)
    }
    try manifest("hostile", script)
    try manifest("failing", "printf 'it fails \(Poison.shell)' >&2; exit 3")
    try manifest("nonsense", "printf 'no JSON \(Poison.shell)'")
    try manifest(
      "mistaken", "exit 1",
      settings: "\"key \(poison)\": 1\nurl: \"x \(poison)\"\nreload: {\"\(poison)\": 1}")
    try manifest(
      "boxed", script,
      settings:
        "sandbox: strict\n\"note \(poison)\": 1\npermissions: {read: [~/Documents], network: true}")
    let download = """
      kind: org.example.download
      name: "Name \(poison)"
      families: [systemSmall]
      provider: {exec: [./run, "\(poison)"]}
      permissions: {network: true}

      """
    try sandbox.write("download/widget.yaml", download)
    try sandbox.write("download/run", "#!/bin/sh\n\(script)\n", mode: 0o755)
    try sandbox.write(
      "download-bad/widget.yaml",
      download + "\"key \(poison)\": 1\nsandbox: \"\(poison)\"\n")
    try sandbox.write(
      "bar/config",
      """
      {"include": "more \(Poison.text)", "modules-left": ["gone \(Poison.text)", "custom/x"],
      "custom/x": {"exec": "./x '\(Poison.text)'", "format-\(Poison.text)": "a"},
      "custom/\(Poison.text)": {"exec": "\(Poison.text)"}, "custom/y": {"exec": "'\(Poison.text)"}}
      """)
    try sandbox.write("config/intentd/widgets/unreadable.yaml", "kind: [\(Poison.text)\n")
    try sandbox.write(
      "config/intentd/intents/Show/intent.yaml",
      """
      name: Show
      title: "Title \(poison)"
      "key \(poison)": 1
      parameters:
        - {name: what, title: "What \(poison)", type: "string \(poison)"}
      """)
    try sandbox.write(
      "config/intentd/intents/Show/en.yaml",
      """
      language: en
      intents:
        Show:
          data:
            - sentences: ["show \(poison) {what}", "show ( \(poison)"]
        "Other \(poison)":
          data:
            - sentences: ["a"]
      lists:
        "list \(poison)": {values: ["\(poison)", {"\(poison)": 1}]}
      """)
  }
}

/// The tools with which one looks at a downloaded plugin, and the log of the daemon that has it.
@Suite struct HostileFilesTests {
  @Test(arguments: ["hostile", "failing", "nonsense", "mistaken", "unreadable", "missing"])
  func `try and simulate show a hostile widget without what steers a terminal`(
    kind: String
  ) throws {
    try withSandbox { sandbox in
      try Hostile.addFiles(to: sandbox)
      let path = "\(sandbox.widgets)/\(kind).yaml"
      for arguments in [
        ["--try", path], ["--try", path, "--json"], ["--try", kind],
        ["--try", path, "--family", Poison.text], ["--try", path, "--set", Poison.text],
        ["--simulate", "--for", "2h", "--kind", path],
        ["--simulate", "--for", "2h", "--kind", path, "--json"],
        ["--simulate", "--for", "2h", "--kind", path, "--set", "a\(Poison.text)=1"],
      ] {
        let program = try sandbox.start(Programs.daemon, arguments)
        _ = try program.waitUntilEnded()
        let shown = program.output + program.errors
        #expect(shown != "")
        // No message quotes a file with raw control characters, or one that is not there.
        if !["unreadable", "missing"].contains(kind) {
          #expect(shown.contains(Poison.plainRest), "\(arguments) shows nothing of it: \(shown)")
        }
        Poison.expectNone(in: program, arguments)
      }
    }
  }

  @Test func `install and permissions show a hostile widget without what steers a terminal`() throws
  {
    try withSandbox { sandbox in
      try Hostile.addFiles(to: sandbox)
      for arguments in [
        ["--install", "download"], ["--install", "download", "--json"],
        ["--install", "download-bad", "--yes"], ["--install", "no\(Poison.text)"],
        ["--install", "download", "--yes"], ["--permissions"], ["--permissions", "--json"],
        ["--permissions", "--of", "org.example.download"],
        ["--permissions", "--of", "boxed", "--grant", "asked", "--yes"],
        ["--permissions", "--of", Poison.text], ["--uninstall", Poison.text],
        ["--try", "download", "--grant", "asked"],
      ] {
        let program = try sandbox.start(
          "/usr/bin/env", ["-C", sandbox.root, Programs.daemon] + arguments)
        _ = try program.waitUntilEnded()
        #expect(program.output + program.errors != "")
        Poison.expectNone(in: program, arguments)
      }
    }
  }

  @Test func `the JSON of try has the same values on every output`() throws {
    try withSandbox { sandbox in
      try Hostile.addFiles(to: sandbox)
      let outcome = try sandbox.run(
        Programs.daemon, ["--try", "\(sandbox.widgets)/hostile.yaml", "--json"])
      let report = try JSONValue(parsing: outcome.output)
      #expect(
        report["timeline"]?["entries"]?.arrayValue?.first?["content"]?["title"]
          == .string("A" + Poison.text))
    }
  }

  @Test func `lint names keys and texts of a hostile document with escapes`() throws {
    try withSandbox { sandbox in
      try Hostile.addFiles(to: sandbox)
      let folder = "\(sandbox.root)/config/intentd/intents"
      for arguments in [
        ["--lint", folder], ["--lint", folder, "--json"], ["--lint", folder, "--counts"],
        ["--lint", "\(folder)/Show/en.yaml"], ["--lint", "\(folder)/\(Poison.text)"],
      ] {
        let program = try sandbox.start(Programs.daemon, arguments)
        #expect(try program.waitUntilEnded() == .exited(1))
        #expect((program.output + program.errors).contains(Poison.plainRest), "\(arguments)")
        Poison.expectNone(in: program, arguments)
      }
    }
  }

  @Test func `neither the daemon's log nor what it answers steers a terminal`() throws {
    try withSandbox { sandbox in
      try Hostile.addFiles(to: sandbox)
      let daemon = try sandbox.startDaemon(["--log-level", "debug"])
      for arguments in [
        ["add", "hostile"], ["add", "failing"], ["add", "nonsense"], ["add", "mistaken"],
        ["show"], ["status", "--all"], ["widgets", "--verbose"], ["history", "--verbose"],
        ["stack", "--explain"], ["gallery"], ["intents"], ["budget", "failing"],
        ["timeline", "hostile"], ["why", "hostile"], ["reload", "--all"], ["reload-config"],
        ["history", "--json"], ["widgets", "--json"], ["call", "daemon.status"],
        ["show \(Poison.text)"], ["add", Poison.text], ["tap", "hostile", "--item", "0"],
        ["open", "x:\(Poison.text)"], ["call", Poison.text],
      ] {
        let program = try sandbox.start(Programs.client, arguments)
        _ = try program.waitUntilEnded()
        Poison.expectNone(in: program, arguments)
      }
      try sandbox.stop(daemon)
      Poison.expectNone(in: daemon.errors, ["the log"])
      #expect(daemon.errors.contains("\\u{202E}"), "the log shows nothing of it: \(daemon.errors)")
    }
  }
}
