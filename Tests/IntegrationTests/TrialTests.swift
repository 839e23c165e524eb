import Foundation
import Glibc
import JSON
import Testing

/// Tests `intentd --try` and `intent-send try`, with which authors try a manifest without a daemon.
struct TrialTests {
  @Test func `a good manifest shows everything and succeeds`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      let manifest = sandbox.widgets + "/weather.yaml"
      for command in [[Programs.daemon, "--try"], [Programs.client, "try"]] {
        let outcome = try sandbox.run(
          command[0],
          [command[1], manifest, "--set", "city=Beijing", "--family", "accessoryInline"])
        #expect(outcome.status == 0)
        for text in [
          "\"./weather.run\"", "INTENTD_FAMILY=accessoryInline", "\"city\":\"Beijing\"",
          "timeline: 1 entry", "3 degrees", "good: answered in",
        ] { #expect(outcome.output.contains(text), "\(text) in \(outcome.output)") }

        let machine = try sandbox.run(
          command[0], [command[1], manifest, "--json", "--set", "city=Beijing"])
        #expect(machine.status == 0)
        let report = try JSONValue(parsing: machine.output)
        #expect(report["ok"] == true)
        #expect(report["timeline"]?["entries"]?.arrayValue?.count == 1)
        #expect(report["folder"] == .string(sandbox.widgets))
        #expect(report["environment"]?["SECRET_TOKEN"] == nil)
      }
      // No widget was placed, no state was stored, and no daemon was needed.
      #expect(!FileManager.default.fileExists(atPath: sandbox.state))
    }
  }

  @Test func `every mistake of a manifest is reported with its line`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "bad.yaml",
        """
        kind: two words
        name: [not, text]
        description: 3
        families: [systemSmal, 7]
        provider:
          exec: ./weather --short
          protocol: telepathy
          timeout: soon
          memory: 12
          colour: blue
        reload: {minimumInterval: 1ms, perDay: 0}
        env: {9LIVES: cat, LIST: [1]}
        url: nowhere
        surprise: true
        """)
      let manifest = sandbox.root + "/bad.yaml"
      for command in [[Programs.daemon, "--try"], [Programs.client, "try"]] {
        let outcome = try sandbox.run(command[0], [command[1], manifest])
        #expect(outcome.status == 1)
        for line in [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14] {
          #expect(outcome.output.contains("bad.yaml:\(line):"), "line \(line) in \(outcome.output)")
        }
        for text in [
          "did you mean 'systemSmall'", "there is no shell", "'telepathy'", "9LIVES", "env.LIST",
        ] {
          #expect(outcome.output.contains(text), "\(text)")
        }
        #expect(outcome.output.hasSuffix("failed: the manifest has mistakes; mend them first\n"))
      }
      let machine = try sandbox.run(Programs.daemon, ["--try", manifest, "--json"])
      #expect(machine.status == 1)
      let report = try JSONValue(parsing: machine.output)
      #expect(report["ok"] == false)
      #expect((report["issues"]?.arrayValue?.count ?? 0) >= 15)
    }
  }

  @Test func `a file that is missing or no YAML is a mistake, not a crash`() throws {
    try withSandbox { sandbox in
      try sandbox.write("tabs.yaml", "kind: x\n\tname: y\n")
      try sandbox.write("list.yaml", "- 1\n- 2\n")
      try sandbox.write("empty.yaml", "")
      for name in ["missing.yaml", "tabs.yaml", "list.yaml", "empty.yaml"] {
        let outcome = try sandbox.run(Programs.daemon, ["--try", "\(sandbox.root)/\(name)"])
        #expect(outcome.status == 1, "\(name)")
        #expect(outcome.output.contains(name))
      }
    }
  }

  @Test func `an extension is tried with one request`() throws {
    try withSandbox { sandbox in
      // The provider answers its first line and sleeps, as an extension does.
      try sandbox.widget(
        "ext",
        script: #"""
          echo "starting" >&2
          read -r request
          printf '{"jsonrpc":"2.0","id":1,"result":{"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"extended"}}],"policy":"never"}}\n'
          while read -r more; do :; done
          """#, provider: "protocol: extension")
      try sandbox.widget("mute", script: "sleep 600", provider: "protocol: extension\ntimeout: 1s")
      let good = try sandbox.run(Programs.daemon, ["--try", sandbox.widgets + "/ext.yaml"])
      #expect(good.status == 0, "\(good.output)")
      #expect(good.output.contains("extended"))
      let mute = try sandbox.run(Programs.daemon, ["--try", sandbox.widgets + "/mute.yaml"])
      #expect(mute.status == 1)
      #expect(mute.output.contains("within 1s"), "\(mute.output)")
      try eventually("nothing is left") {
        Processes.naming(sandbox.root).filter { $0 != getpid() }.isEmpty
      }
    }
  }

  @Test func `a provider that fails shows how, with its output`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("sad", script: "echo 'no network' >&2; exit 4")
      try sandbox.widget("slow", script: "echo waiting >&2; sleep 600", provider: "timeout: 1s")
      try sandbox.widget("wrong", script: "echo '{\"entries\":{}}'")
      for (name, texts) in [
        ("sad", ["no network", "exit code 4"]), ("slow", ["waiting", "within 1s"]),
        ("wrong", ["{\"entries\":{}}", "entries is an object"]),
      ] {
        let outcome = try sandbox.run(
          Programs.daemon, ["--try", "\(sandbox.widgets)/\(name).yaml"])
        #expect(outcome.status == 1)
        for text in texts { #expect(outcome.output.contains(text), "\(text) in \(outcome.output)") }
      }
      let family = try sandbox.run(
        Programs.daemon, ["--try", "\(sandbox.widgets)/sad.yaml", "--family", "systemLarge"])
      #expect(family.status == 1)
      #expect(
        family.output.contains("choose one of systemSmall, accessoryInline"), "\(family.output)")
    }
  }
}
