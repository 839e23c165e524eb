import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Tests `intentd --lint` and `intent-send lint`, which check sentence documents without a daemon.
struct LintTests {
  private static let shipped = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Intents").path(percentEncoded: false)

  private static let commands = [[Programs.daemon, "--lint"], [Programs.client, "lint"]]

  /// Adds two intents that together have one mistake of each sort.
  private func addIntents(_ sandbox: Sandbox) throws {
    for name in ["Play", "Stop"] {
      try sandbox.write("i/\(name)/intent.yaml", "name: \(name)\nparameters: [{name: what}]\n")
    }
    try sandbox.write(
      "i/Play/en.yaml",
      """
      language: en
      intents:
        Play:
          data:
            - sentences:
                - "play {any:what}"
                - "(start|begin|) it"
                - "begin it"
                - "(halt|go) now"
                - "play {none:what} loud"
      lists:
        any: {wildcard: true}
        none: {values: []}
      """)
    try sandbox.write(
      "i/Stop/en.yaml",
      """
      language: en
      intents:
        Stop:
          data:
            - sentences: ["halt now", "play nothing"]
      """)
    try sandbox.write(
      "i/Stop/examples.yaml",
      """
      intent: Stop
      examples:
        en:
          match:
            - play nothing
      """)
  }

  @Test func `the intents that ship are clean`() throws {
    try withSandbox { sandbox in
      for command in Self.commands {
        let outcome = try sandbox.run(command[0], [command[1], Self.shipped])
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.hasPrefix("clean: "), "\(outcome.output)")
        #expect(outcome.output.split(separator: "\n").count == 1)
      }
      // No state was stored, and no daemon was needed.
      #expect(!FileManager.default.fileExists(atPath: sandbox.state))
    }
  }

  @Test func `every finding has its file, its line and a hint`() throws {
    try withSandbox { sandbox in
      try addIntents(sandbox)
      for command in Self.commands {
        let outcome = try sandbox.run(command[0], [command[1], sandbox.root + "/i"])
        #expect(outcome.status == 1)
        for text in [
          "/i/Play/en.yaml:6: warning: 'play {any:what}' takes 'play nothing', an example of Stop",
          "/i/Play/en.yaml:7: warning: the sentence '(start|begin|) it' has an empty branch",
          "/i/Play/en.yaml:8: warning: every sentence of 'begin it' goes to '(start|begin|) it'",
          "/i/Play/en.yaml:9: warning: '(halt|go) now' of Play and 'halt now' of Stop",
          "both take 'halt now'",
          "/i/Play/en.yaml:10: warning: 'play {none:what} loud' never matches: the list {none} has no values",
          "; expected a list with values", "0 errors, 5 warnings: 7 templates",
        ] { #expect(outcome.output.contains(text), "\(text) in \(outcome.output)") }
      }
    }
  }

  @Test func `a file is judged in its surroundings, and its templates are counted`() throws {
    try withSandbox { sandbox in
      try addIntents(sandbox)
      let file = sandbox.root + "/i/Stop/en.yaml"
      let outcome = try sandbox.run(Programs.client, ["lint", file])
      #expect(outcome.status == 1)
      // The report names the other intent only where it shares a sentence with this one.
      #expect(outcome.output.contains("both take 'halt now'"), "\(outcome.output)")
      #expect(!outcome.output.contains("empty branch"), "\(outcome.output)")
      #expect(outcome.output.contains("1  \(file):5  halt now\n"), "\(outcome.output)")
      #expect(
        outcome.output.hasSuffix("1 warning: 2 templates, 2 sentences; 2 tried\n"),
        "\(outcome.output)")

      let folder = try sandbox.run(Programs.client, ["lint", "--counts", sandbox.root + "/i/Play"])
      #expect(folder.output.contains("empty branch"), "\(folder.output)")
      #expect(
        folder.output.contains("1 × any text  \(sandbox.root)/i/Play/en.yaml:6   play {any:what}"),
        "\(folder.output)")
    }
  }

  @Test func `a document alone has lists that requests bring`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "alone.yaml",
        """
        language: en
        intents:
          TurnOn: {data: [{sentences: ["turn on {name}", "turn {name} (on|off)"]}]}
          TurnOff: {data: [{sentences: ["turn [the] {name} off"]}]}
        """)
      let file = sandbox.root + "/alone.yaml"
      let outcome = try sandbox.run(Programs.daemon, ["--lint", file, "--json"])
      #expect(outcome.status == 1)
      let report = try JSONValue(parsing: outcome.output)
      #expect(report["ok"] == false)
      #expect(report["findings"]?.arrayValue?.count == 1)
      let finding = report["findings"]?.arrayValue?.first
      #expect(finding?["kind"] == "sharedSentence")
      #expect(finding?["line"] == 3)
      #expect(finding?["file"] == .string(file))
      let templates = report["templates"]?.arrayValue ?? []
      #expect(templates.map { $0["sentences"] } == [1, 2, 2])
      #expect(templates.allSatisfy { $0["anyName"] == true })
    }
  }

  @Test func `an example that states another value is found`() throws {
    try withSandbox { sandbox in
      try addIntents(sandbox)
      try sandbox.write(
        "i/Play/examples.yaml",
        """
        intent: Play
        examples:
          en:
            match:
              - {sentence: "play jazz", parameters: {what: rock}}
          fr:
            match: ["joue du jazz"]
        """)
      let outcome = try sandbox.send("lint", sandbox.root + "/i/Play/examples.yaml")
      #expect(outcome.status == 1)
      for text in [
        "examples.yaml:5: error: 'play jazz' gives what: \"jazz\", and the example states what: \"rock\"",
        "examples.yaml:6: error: no document has sentences in 'fr', so these examples are not tried",
      ] { #expect(outcome.output.contains(text), "\(text) in \(outcome.output)") }
    }
  }

  @Test func `a file that cannot be read is a mistake, not a crash`() throws {
    try withSandbox { sandbox in
      try sandbox.write("tabs.yaml", "language: en\n\tintents: {}\n")
      try sandbox.write("empty/readme", "")
      try sandbox.write("wrong.yaml", "intents: [1]\n")
      for (path, text) in [
        ("missing.yaml", "No such file"), ("tabs.yaml", "tabs.yaml:2"),
        ("empty", "there is nothing to lint"), ("wrong.yaml", "there is no key 'language'"),
      ] {
        let outcome = try sandbox.run(Programs.client, ["lint", "\(sandbox.root)/\(path)"])
        #expect(outcome.status == 1, "\(path)")
        #expect(outcome.output.contains(text), "\(text) in \(outcome.output)")
      }
      let none = try sandbox.run(Programs.client, ["lint"])
      #expect(none.status == 64)
    }
  }
}
