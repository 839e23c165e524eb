import DaemonTestSupport
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

  @Test func `values are typed as a person says them, and as the help has them`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "tide", script: Sandbox.answer(title: "Tide"), settings: "intent: ShowTide")
      try sandbox.write(
        "config/intentd/intents/ShowTide/intent.yaml",
        """
        name: ShowTide
        title: Tide
        parameters:
          - {name: place, title: Harbour, required: true}
          - {name: days, type: integer}
          - {name: warm, type: boolean}
        """)
      func tried(_ values: String...) throws -> Outcome {
        try sandbox.run(
          Programs.client, ["try", "tide"] + values.flatMap { ["--set", $0] })
      }
      for days in ["days=3", "days:=3"] {
        let good = try tried("place=Oslo", days, "warm=false")
        #expect(good.status == 0, "\(good.output)")
        #expect(
          good.output.contains(#""parameters":{"days":3,"place":"Oslo","warm":false}"#),
          "\(good.output)")
      }
      #expect(
        try tried("place=Oslo", "days=x").output.contains("is 'x'; it must be a whole number"))
      #expect(try tried("place=Oslo", "days:=x").errors.contains("'days:=' is not JSON"))
      let missing = try tried("days=3")
      #expect(missing.output.contains("needs a harbour; give one: --set place=…"))
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

  @Test func `content that is wrong is not called good`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "wrong",
        script: #"""
          echo '{"entries":[{"date":"2999-01-01T00:00:00Z","content":{"titel":"x","percentage":"42%","urgent":"yes"}}],"policy":"never"}'
          """#)
      try sandbox.widget("none", script: #"echo '{"entries":[],"policy":"never"}'"#)
      try sandbox.manifest("odd", exec: "[./odd.run]", settings: "colour: blue")
      try sandbox.write(
        "config/intentd/widgets/odd.run", "#!/bin/sh\n\(Sandbox.answer(title: "odd"))\n",
        mode: 0o755)
      for (name, texts) in [
        (
          "wrong",
          [
            "titel is no key of content and is ignored; did you mean 'title'?", "did you mean 42?",
            "did you mean true?", "until then nothing is shown",
            "not good yet: answered in ", ", with 4 warnings\n",
          ]
        ),
        ("none", ["the timeline has no entries", ", with 1 warning\n"]),
        ("odd", ["'colour' is not a key of a manifest", ", with 1 warning\n"]),
      ] {
        let outcome = try sandbox.send("try", "\(sandbox.widgets)/\(name).yaml")
        #expect(outcome.status == 1)
        for text in texts { #expect(outcome.output.contains(text), "\(text) in \(outcome.output)") }
      }
      let machine = try sandbox.send("try", "--json", sandbox.widgets + "/wrong.yaml")
      #expect(machine.status == 1)
      let report = try JSONValue(parsing: machine.output)
      #expect(report["ok"] == false)
      #expect(report["warnings"]?.arrayValue?.count == 4)
      #expect(report["timeline"]?["entries"]?.arrayValue?.count == 1)
    }
  }

  @Test func `output as bars want it is answered with the line to print`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("bar", script: #"echo '{"text":"42%"}'"#)
      try sandbox.widget("text", script: "echo CPU 42%")
      for (name, texts) in [
        ("bar", ["entries is missing", #"{"text":"42%"}}],"policy":{"after":""#]),
        ("text", ["it is not JSON but the text 'CPU 42%'", #"{"text":"CPU 42%"}}],"policy":"#]),
      ] {
        let outcome = try sandbox.send("try", "\(sandbox.widgets)/\(name).yaml")
        #expect(outcome.status == 1)
        for text in texts { #expect(outcome.output.contains(text), "\(text) in \(outcome.output)") }
        // The proposed line is good.
        let line = try #require(outcome.output.split(separator: "such as ").last)
        try sandbox.widget("mended", script: "cat <<END\n\(line.split(separator: "\n")[0])\nEND")
        let mended = try sandbox.send("try", sandbox.widgets + "/mended.yaml")
        #expect(mended.status == 0, "\(mended.output)")
      }
    }
  }

  @Test func `a program that cannot start says how to write it`() throws {
    try withSandbox { sandbox in
      try sandbox.manifest("words", exec: #"["uptime -p"]"#)
      try sandbox.manifest("tilde", exec: #"["~/up"]"#)
      try sandbox.widget("windows", script: "echo", interpreter: "/bin/sh\r")
      try sandbox.widget("env", script: "echo", interpreter: "/usr/bin/env pyton3")
      for (name, text) in [
        ("words", "write exec: [uptime, -p]\n"),
        ("tilde", "write exec: [\(sandbox.root)/home/up]\n"),
        ("windows", "ends in a carriage return"),
        ("env", "names the interpreter 'pyton3', which is not on PATH; install it"),
      ] {
        let outcome = try sandbox.send("try", "\(sandbox.widgets)/\(name).yaml")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains(text), "\(text) in \(outcome.output)")
        #expect(!outcome.output.contains("/./"), "\(outcome.output)")
      }
    }
  }

  @Test func `a widget is named by its kind, the end of its kind, its folder or its path`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "config/intentd/widgets/up/widget.yaml",
        """
        kind: me.up
        name: Up
        families: [systemSmall, accessoryInline]
        provider: {exec: [./up.run]}
        """)
      try sandbox.write(
        "config/intentd/widgets/up/up.run", "#!/bin/sh\n\(Sandbox.answer(title: "up"))\n",
        mode: 0o755)
      for name in ["me.up", "up", "UP", "\(sandbox.widgets)/up", "\(sandbox.widgets)/up/"] {
        for family in ["accessoryInline", "accessoryinline", "inline"] {
          let outcome = try sandbox.send("try", name, "--family", family)
          #expect(outcome.status == 0, "\(name): \(outcome.output)")
          #expect(outcome.output.contains("INTENTD_FAMILY=accessoryInline"))
        }
        let simulated = try sandbox.send("simulate", name, "--for", "1h")
        #expect(simulated.output.contains("\nme.up\n"), "\(name): \(simulated.output)")
      }
      let unknown = try sandbox.send("try", "me.op")
      #expect(unknown.status == 1)
      #expect(
        unknown.output.hasPrefix(
          "failed: no manifest offers the kind 'me.op'; did you mean 'me.up'? (1 manifest in "),
        "\(unknown.output)")
      try sandbox.write("config/intentd/widgets/up/other.yaml", "kind: you.up\n")
      let several = try sandbox.send("try", "\(sandbox.widgets)/up")
      #expect(several.output.contains("has several manifests, other.yaml, widget.yaml; name one"))
      let either = try sandbox.send("try", "up")
      #expect(either.output.contains("'up' may be 'you.up' and 'me.up'; write one of these"))
    }
  }

  @Test func `a kind that a manifest with a mistake may offer is told with the mistake`() throws {
    try withSandbox { sandbox in
      try sandbox.write("config/intentd/widgets/broken/widget.yaml", "kind: me.broken\nname: [\n")
      for command in [["try", "me.broken"], ["simulate", "me.broken", "--for", "1h"]] {
        let outcome = try sandbox.run(Programs.client, command)
        let told = outcome.output + outcome.errors
        #expect(outcome.status != 0)
        #expect(told.contains("no manifest offers the kind 'me.broken'"), "\(told)")
        #expect(told.contains("1 manifest could not be read:"), "\(told)")
        #expect(told.contains("widgets/broken/widget.yaml:"), "\(told)")
      }
    }
  }

  @Test func `the mistakes of an install begin with the program that was typed`() throws {
    try withSandbox { sandbox in
      let outcome = try sandbox.send("install", "\(sandbox.root)/nowhere")
      #expect(outcome.errors.hasPrefix("intent-send: "), "\(outcome.errors)")
    }
  }

  @Test func `what a provider prints cannot steer the terminal`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "config/intentd/widgets/evil.yaml",
        #"""
        kind: evil
        name: Evil
        families: [systemSmall]
        provider: {exec: [./evil.run]}
        env: {EVIL: "\e]52;c;aGk=\a\u202E"}
        """#)
      try sandbox.write(
        "config/intentd/widgets/evil.run",
        #"""
        #!/bin/sh
        printf 'warning \033]52;c;aGk=\007\n' >&2
        cat <<'END'
        {"entries":[{"date":"2020-01-01T00:00:00Z",
          "content":{"title":"\u001b]52;c;aGk=\u0007\u202e"}}],"policy":"never"}
        END
        """#, mode: 0o755)
      for command in [["try", "evil"], ["simulate", "evil", "--for", "1h"]] {
        let outcome = try sandbox.run(Programs.client, command)
        #expect(outcome.output.contains("52;c;aGk="), "\(outcome)")
        for scalar in outcome.output.unicodeScalars where scalar != "\n" {
          #expect(scalar.value >= 0x20 && scalar.value != 0x202E, "\(outcome.output)")
        }
      }
    }
  }

  @Test(arguments: [["--watch"], [], ["--json"]])
  func `a trial that cannot be printed ends and says so`(options: [String]) throws {
    try withSandbox { sandbox in
      try sandbox.widget("up", script: Sandbox.answer(title: "up"))
      let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
      defer { close(full) }
      let program = try sandbox.start(
        Programs.client, ["try", "up"] + options, descriptors: [(full, 1)])
      #expect(try program.waitUntilEnded() == .exited(1))
      #expect(
        program.errors.contains("intent-send: cannot write the report: No space left on device\n"),
        "\(program.errors)")
    }
  }

  @Test func `a trial is repeated at each save`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "config/intentd/widgets/up/widget.yaml",
        "kind: me.up\nname: Up\nfamilies: [systemSmall]\nprovider: {exec: [./up.run]}\n")
      func save(_ title: String) throws {
        try sandbox.write(
          "config/intentd/widgets/up/up.run",
          "#!/bin/sh\necho >> runs.log\n\(Sandbox.answer(title: title))\n", mode: 0o755)
      }
      try save("first")
      let program = try sandbox.start(Programs.client, ["try", "me.up", "--watch"])
      // The program writes a file at each run: that is no save.
      try eventually("the log is left alone: \(program.output)") {
        program.output.contains("no longer watched, since each run changes it: ")
          && program.output.contains("waiting for the next save; Ctrl-C ends it")
      }
      let runs = program.output.split(separator: "good: answered in").count - 1
      #expect(runs == 3)
      try save("second")
      try eventually("the second answer comes: \(program.output)") {
        program.output.contains("second")
      }
      try sandbox.write("config/intentd/widgets/up/widget.yaml", "kind: me.up\n")
      try eventually("the manifest is judged: \(program.output)") {
        program.output.contains("failed: the manifest has mistakes; mend them first")
      }
      #expect(program.output.contains("saved: \(sandbox.widgets)/up/up.run"))
      program.signal(SIGINT)
      #expect(try program.waitUntilEnded() == .signaled(SIGINT))
    }
  }
}
