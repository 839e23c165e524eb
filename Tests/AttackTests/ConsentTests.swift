import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Widgets from elsewhere, which want more than they were granted.
@Suite(.serialized) struct ConsentTests {
  private static let kind = "org.example.tide"

  /// Writes the folder of a widget that somebody downloaded.
  private func download(
    _ sandbox: Sandbox, script: String = Sandbox.answer(title: "1"),
    asks: String = "permissions: {network: true, read: [~/Documents]}"
  ) throws {
    try sandbox.write(
      "tide/widget.yaml",
      """
      kind: \(Self.kind)
      name: Tide
      families: [systemSmall]
      provider: {exec: [./tide.sh]}
      \(asks)

      """)
    try sandbox.write("tide/tide.sh", "#!/bin/sh\n\(script)\n", mode: 0o755)
  }

  private func install(_ sandbox: Sandbox, _ more: String...) throws -> Outcome {
    try sandbox.run(Programs.client, ["install", "\(sandbox.root)/tide"] + more)
  }

  private func installed(_ sandbox: Sandbox) -> String {
    "\(sandbox.root)/data/intentd/installed/\(Self.kind)"
  }

  /// The permissions of the kind as `intent-send permissions --json` prints them.
  private func permissions(_ sandbox: Sandbox) throws -> JSONValue {
    let outcome = try sandbox.send("permissions", Self.kind, "--json")
    return try #require(
      try JSONValue(parsing: outcome.output)["kinds"]?.arrayValue?.first, "\(outcome)")
  }

  private func gallery(_ client: WireClient) throws -> JSONValue? {
    let kinds = try client.call("gallery.list")["kinds"]?.arrayValue
    return kinds?.first { $0["kind"]?.stringValue == Self.kind }?["permissions"]
  }

  @Test func `nothing is installed before somebody said yes`() throws {
    try withSandbox { sandbox in
      try download(sandbox)
      let asked = try install(sandbox)
      #expect(asked.status == 4)
      #expect(asked.output.contains("to read ~/Documents"), "\(asked)")
      #expect(asked.output.contains("the network"), "\(asked)")
      #expect(asked.errors.contains("--grant none"), "\(asked)")
      #expect(access(installed(sandbox), F_OK) != 0)
    }
  }

  @Test func `a widget from elsewhere is in a box, with what was granted and no more`() throws {
    try withSandbox { sandbox in
      try download(sandbox)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try install(sandbox, "--grant", "none").status == 0)
      let asked: JSONValue = [
        "network": true, "read": ["~/Documents"], "write": [], "bus": [],
      ]
      let nothing: JSONValue = ["network": false, "read": [], "write": [], "bus": []]
      #expect(
        try gallery(client) == ["asked": asked, "granted": nothing, "isBoxed": true])
      #expect(try sandbox.send("permissions", Self.kind, "--grant").status == 4)
      #expect(try gallery(client)?["granted"] == nothing)
      #expect(try sandbox.send("permissions", Self.kind, "--grant", "--yes").status == 0)
      #expect(try gallery(client)?["granted"] == asked)
      #expect(try sandbox.send("permissions", Self.kind, "--revoke").status == 0)
      #expect(try gallery(client)?["granted"] == nothing)
      #expect(try sandbox.send("uninstall", Self.kind).status == 0)
      #expect(try gallery(client) == nil)
      #expect(access(installed(sandbox), F_OK) != 0)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a file that was granted is read, and after a revoke no more`() throws {
    guard BoxRig.isPossible else { return }
    try withSandbox { sandbox in
      let letter = "\(sandbox.root)/home/Documents/letter"
      try sandbox.write("home/Documents/letter", "dear")
      try sandbox.write("home/diary", "secret")
      let reads = "$(cat '\(letter)' || echo no) $(cat '\(sandbox.root)/home/diary' || echo no)"
      try download(sandbox, script: Sandbox.answer(title: reads))
      #expect(try install(sandbox, "--grant", "none").status == 0)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      func title() throws -> String? {
        try client.widget(Self.kind)["entry"]?["content"]?["title"]?.stringValue
      }
      #expect(try client.add(Self.kind) == "done")
      #expect(try title() == "no no")
      for (change, expected) in [
        (["--grant", "--yes"], "dear no"), (["--revoke"], "no no"),
      ] {
        let changed = try sandbox.run(Programs.client, ["permissions", Self.kind] + change)
        #expect(changed.status == 0)
        #expect(try sandbox.send("reload", Self.kind).status == 0)
        #expect(try title() == expected, "\(change)")
      }
      try sandbox.stop(daemon)
    }
  }

  /// Runs intent-send at a terminal, where a person types `line`; returns what it showed.
  private func answer(
    _ sandbox: Sandbox, _ arguments: [String], to question: String, _ line: String
  ) throws -> String {
    let terminal = try DaemonTestSupport.Terminal()
    let program = try sandbox.start(
      Programs.client, arguments, environment: ["TERM": "dumb"],
      descriptors: terminal.descriptors)
    try eventually("'\(question)' is asked: \(terminal.output())") {
      terminal.output().contains(question)
    }
    try terminal.type(line)
    try eventually("it ends: \(terminal.output())") {
      _ = terminal.output()
      return program.hasEnded()
    }
    return terminal.output()
  }

  @Test func `a person at a terminal is asked once, and may say no`() throws {
    try withSandbox { sandbox in
      try download(sandbox)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let path = "\(sandbox.root)/tide"
      let question = "[y]es, [w]ithout, [N]o"
      #expect(
        try answer(sandbox, ["install", path], to: question, "\n").contains("nothing was installed")
      )
      #expect(access(installed(sandbox), F_OK) != 0)
      #expect(
        try answer(sandbox, ["install", path], to: question, "w\n").contains("granted: nothing"))
      #expect(try gallery(client)?["granted"]?["network"] == false)
      let refused = try answer(
        sandbox, ["add", Self.kind, "--id", "first"], to: "grant that? [y/N]", "n\n")
      #expect(
        refused.contains("it runs with nothing. Later: intent-send permissions"), "\(refused)")
      #expect(refused.contains("added  first"), "\(refused)")
      #expect(!refused.contains("intentd:"), "\(refused)")
      let shown = try answer(sandbox, ["add", Self.kind], to: "grant that? [y/N]", "y\n")
      #expect(shown.contains("to read ~/Documents"), "\(shown)")
      #expect(shown.contains("added  tide"), "\(shown)")
      #expect(try gallery(client)?["granted"]?["network"] == true)
      // Granted once, it asks no more.
      #expect(try sandbox.send("add", Self.kind, "--no-wait").errors == "")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a program that changed since the consent does not run until it is agreed to`() throws
  {
    try withSandbox { sandbox in
      try download(sandbox, asks: "sandbox: strict")
      #expect(try install(sandbox, "--yes").status == 0)
      let program = "\(installed(sandbox))/tide.sh"
      let ran = "#!/bin/sh\ntouch '\(sandbox.root)/ran'\n"
      try ran.write(toFile: program, atomically: false, encoding: .utf8)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add(Self.kind) == "dropped")
      let message = try client.widget(Self.kind)["error"]?.stringValue ?? ""
      #expect(message.contains("\(program) changed since you agreed"), "\(message)")
      #expect(message.contains("intent-send permissions \(Self.kind) --grant"), "\(message)")
      #expect(access("\(sandbox.root)/ran", F_OK) != 0)
      #expect(try permissions(sandbox)["changed"]?.stringValue == program)
      // Whoever places another one is asked about the change, and only then.
      let place = ["add", Self.kind, "--no-wait"]
      let refused = try answer(sandbox, place, to: "grant that? [y/N]", "n\n")
      #expect(refused.contains("changed since you agreed"), "\(refused)")
      #expect(refused.contains("it does not run, since its files changed"), "\(refused)")
      #expect(try permissions(sandbox)["changed"]?.stringValue == program)
      let agreed = try answer(sandbox, place, to: "grant that? [y/N]", "y\n")
      #expect(agreed.contains("added  "), "\(agreed)")
      #expect(try permissions(sandbox)["changed"] == nil)
      try (ran + "# again\n").write(toFile: program, atomically: false, encoding: .utf8)
      #expect(try sandbox.send("permissions", Self.kind, "--grant", "--yes").status == 0)
      #expect(try permissions(sandbox)["changed"] == nil)
      try sandbox.stop(daemon)
    }
  }

  @Test func `programs of the condition and of clicks belong to what was agreed to`() throws {
    try withSandbox { sandbox in
      for name in ["run", "when", "click"] {
        try sandbox.write("config/intentd/widgets/\(name).sh", "#!/bin/sh\necho 1\n", mode: 0o755)
      }
      try sandbox.write(
        "config/intentd/widgets/tide.yaml",
        """
        kind: \(Self.kind)
        name: Tide
        families: [systemSmall]
        sandbox: strict
        permissions: {network: true}
        provider:
          exec: [./run.sh]
          protocol: text
          if: [./when.sh]
          clicks: {left: [sh, click.sh], right: [./gone.sh]}

        """)
      let grant = ["permissions", Self.kind, "--grant", "--yes"]
      #expect(try sandbox.run(Programs.client, grant).status == 0)
      for name in ["when", "click", "run"] {
        #expect(try permissions(sandbox)["changed"] == nil)
        let file = "\(sandbox.root)/config/intentd/widgets/\(name).sh"
        try "#!/bin/sh\necho 2\n".write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try permissions(sandbox)["changed"]?.stringValue == file)
        let agreed = try sandbox.run(Programs.client, grant)
        #expect(agreed.output.contains(file), "it is named: \(agreed)")
      }
    }
  }

  @Test func `the same content under another identity is the same program`() throws {
    try withSandbox { sandbox in
      try download(sandbox)
      #expect(try install(sandbox, "--yes").status == 0)
      let copy = try sandbox.shell(
        "cd '\(installed(sandbox))' && cp -p tide.sh copy && mv copy tide.sh")
      #expect(copy.status == 0)
      #expect(try permissions(sandbox)["changed"] == nil)
    }
  }

  @Test func `a newer version asks again, and an equal one does not`() throws {
    try withSandbox { sandbox in
      try download(sandbox)
      #expect(try install(sandbox, "--yes").status == 0)
      #expect(try install(sandbox).status == 0)
      try download(sandbox, asks: "permissions: {network: true, read: [~/Documents, ~/Mail]}")
      let more = try install(sandbox)
      #expect(more.status == 4)
      #expect(more.output.contains("it has none of this yet: reading ~/Mail"), "\(more)")
      #expect(more.errors.contains("was not installed; the installed one stays"), "\(more)")
      #expect(try permissions(sandbox)["asked"]?["read"] == ["~/Documents"])
    }
  }

  @Test func `a widget that asks for nothing says so, and its own name is a quotation`() throws {
    try withSandbox { sandbox in
      try download(sandbox, asks: "sandbox: strict")
      let name = String(repeating: "x", count: 60)
      let renamed = try sandbox.shell(
        "sed -i 's/^name: .*/name: Ti\"de \(name)/' '\(sandbox.root)/tide/widget.yaml'")
      #expect(renamed.status == 0)
      let asked = try install(sandbox)
      #expect(asked.status == 4)
      #expect(asked.output.contains("calls itself \"Ti'de xxx"), "\(asked)")
      #expect(!asked.output.contains(name), "\(asked)")
      #expect(asked.output.contains("asks for nothing: no files of yours"), "\(asked)")
      #expect(asked.errors.contains("nobody can say yes here"), "\(asked)")
    }
  }

  @Test func `what can never be kept is not granted`() throws {
    try withSandbox { sandbox in
      try download(sandbox, asks: "permissions: {read: [\(sandbox.root)]}")
      let refused = try install(sandbox, "--yes")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("which would open intentd's own folder"), "\(refused)")
      #expect(access(installed(sandbox), F_OK) != 0)
      #expect(try install(sandbox, "--grant", "none").status == 0)
      let granted = try sandbox.send("permissions", Self.kind, "--grant", "--yes")
      #expect(granted.status == 1)
      #expect(granted.errors.contains("which would open intentd's own folder"), "\(granted)")
    }
  }

  /// A change of the folder that was downloaded, as a script in it, and a part of the refusal.
  private static let tricks = [
    ("ln -s /etc/passwd data", "a link"), ("ln -s .. up", "a link"), ("mkfifo pipe", "a pipe"),
    ("chmod u+s tide.sh", "setuid"),
    ("mkdir -p a/b/c/d/e/f/g/h/i; touch a/b/c/d/e/f/g/h/i/x", "deep"),
    ("i=0; while [ $i -lt 510 ]; do : > f$i; i=$((i+1)); done", "more than 500 files"),
    ("head -c 70000000 /dev/zero > big", "more than 64 MiB"),
    ("touch \"$(printf 'a\\nb')\"", "name"),
    ("sed -i 's#./tide.sh#../tide.sh#' widget.yaml; cp tide.sh ..", "leads out"),
    ("sed -i 's#kind: .*#kind: ../x#' widget.yaml", "kind is '../x'"),
    ("echo 'privileges: true' >> widget.yaml", "privileges"), ("chmod a-x tide.sh", "executed"),
    ("cp widget.yaml second.yaml", "several manifests"), ("rm tide.sh", "is not in"),
  ]

  @Test(arguments: tricks)
  func `what leads out of the folder, or is no file, is not installed`(
    trick: (script: String, reason: String)
  ) throws {
    try withSandbox { sandbox in
      try download(sandbox)
      #expect(try sandbox.shell("cd '\(sandbox.root)/tide' && \(trick.script)").status == 0)
      let outcome = try install(sandbox, "--yes")
      #expect(outcome.status == 1, "\(trick.script): \(outcome)")
      #expect(outcome.errors.contains(trick.reason), "\(trick.script): \(outcome)")
      #expect(access("\(sandbox.root)/data/intentd/installed", F_OK) != 0, "\(trick.script)")
    }
  }

  @Test func `an installed widget takes no kind away from another`() throws {
    try withSandbox { sandbox in
      try sandbox.manifest(Self.kind, exec: "[true]")
      try download(sandbox)
      let outcome = try install(sandbox, "--yes")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("is offered by \(sandbox.widgets)"), "\(outcome)")
    }
  }

  @Test func `an installed widget takes over no placed widget`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("mine", script: Sandbox.answer(title: "mine"))
      try download(sandbox, asks: "aliases: [mine]")
      let outcome = try install(sandbox, "--grant", "none")
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("its aliases do not count"), "\(outcome)")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("mine") == "done")
      let manifest = "\(sandbox.widgets)/mine.yaml"
      for (from, to) in [(manifest, "\(manifest).away"), ("\(manifest).away", manifest)] {
        #expect(rename(from, to) == 0)
        _ = try client.call("daemon.reloadConfiguration")
        #expect(try client.widget("mine")["kind"] == "mine")
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a consent that is broken, or that others may change, grants nothing`() throws {
    try withSandbox { sandbox in
      try download(sandbox)
      #expect(try install(sandbox, "--yes").status == 0)
      let consent = "\(sandbox.root)/data/intentd/grants/\(Self.kind).json"
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try gallery(client)?["granted"]?["network"] == true)
      #expect(chmod(consent, 0o666) == 0)
      var answer = try client.call("daemon.reloadConfiguration")
      #expect(try gallery(client)?["granted"]?["network"] == false)
      let issue = answer["issues"]?.arrayValue?.first
      #expect(issue?["message"]?.stringValue?.contains("every user may write") == true, "\(answer)")
      #expect(chmod(consent, 0o600) == 0)
      try "{".write(toFile: consent, atomically: false, encoding: .utf8)
      answer = try client.call("daemon.reloadConfiguration")
      #expect(try gallery(client)?["granted"]?["network"] == false)
      #expect(answer["issues"]?.arrayValue?.count == 1, "\(answer)")
      try sandbox.stop(daemon)
    }
  }
}
