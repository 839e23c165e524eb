import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Scripts of other bars that somebody downloaded, and that want more than they were granted.
@Suite(.serialized) struct PluginInstallTests {
  private static let script = """
    #!/bin/sh
    # <xbar.title>Tide</xbar.title>
    # <xbar.desc>High and low water.</xbar.desc>
    # <xbar.dependencies>curl, jq</xbar.dependencies>
    # <xbar.var>string(HARBOUR="Kiel"): The harbour.</xbar.var>
    # <xbar.var>string(PATH="/evil"): Nobody sets this.</xbar.var>
    curl --version > /dev/null 2>&1
    echo "$HARBOUR $(cat "$INTENTD_HOME/diary" 2>/dev/null || echo no) | color=red"

    """

  private func download(
    _ sandbox: Sandbox, _ script: String = script, name: String = "tide.5m.sh", mode: mode_t = 0o644
  ) throws -> String {
    try sandbox.write("download/\(name)", script, mode: mode)
    return "\(sandbox.root)/download/\(name)"
  }

  private func installed(_ sandbox: Sandbox, _ kind: String = "tide") -> String {
    "\(sandbox.root)/data/intentd/installed/\(kind)"
  }

  @Test func `a script asks before it is there, and says what it is and needs`() throws {
    try withSandbox { sandbox in
      let path = try download(sandbox)
      let asked = try sandbox.send("install", path)
      #expect(asked.status == 4)
      for line in [
        "tide  calls itself \"Tide\"\n", "  as        a script for xbar: every 5m\n",
        "  its tags  say that it needs curl, jq\n",
        "  it names  \"curl\", so it asks for the network\n",
        "    the network: any server, and programs on this machine\n",
      ] { #expect(asked.output.contains(line), "\(line) in \(asked.output)") }
      #expect(
        asked.errors.contains("install it and grant nothing: intent-send install \(path)"),
        "\(asked)")
      #expect(access("\(sandbox.root)/data/intentd", F_OK) != 0)
    }
  }

  @Test func `an installed script runs in a box, with its variables and no file of the person`()
    throws
  {
    guard BoxRig.isPossible else { return }
    try withSandbox { sandbox in
      try sandbox.write("home/diary", "secret")
      let path = try download(sandbox)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let outcome = try sandbox.send("install", path, "--grant", "none", "--json")
      #expect(outcome.status == 0, "\(outcome)")
      let report = try JSONValue(parsing: outcome.output)
      #expect(report["kind"] == "tide")
      #expect(report["asked"]?["network"] == true)
      #expect(report["granted"]?["network"] == false)
      #expect(try client.add("tide") == "done")
      let content = try client.widget("tide")["entry"]?["content"]
      #expect(content?["title"] == "Kiel no")
      let kind = try client.call("gallery.list")["kinds"]?.arrayValue?.first
      #expect(kind?["name"] == "Tide")
      #expect(kind?["description"] == "High and low water.")
      #expect(kind?["permissions"]?["isBoxed"] == true)

      // Whoever changes the copy stops it; the same download again changes nothing.
      #expect(try sandbox.send("install", path).output.contains("is installed already"))
      try "#!/bin/sh\necho changed\n".write(
        toFile: "\(installed(sandbox))/tide.5m.sh", atomically: false, encoding: .utf8)
      #expect(try client.reload("tide")["state"] == "dropped")
      #expect(
        try client.widget("tide")["error"]?.stringValue?.contains("changed since you agreed")
          == true)
      #expect(try sandbox.send("uninstall", "tide").status == 0)
      #expect(access(installed(sandbox), F_OK) != 0)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a script that names no network asks for nothing, and a folder may have it`() throws {
    try withSandbox { sandbox in
      _ = try download(sandbox, "#!/bin/sh\necho 'a | href=https://x.example/curly'\n")
      try sandbox.write("download/README.md", "how to\n")
      try sandbox.write("download/lib/data.txt", "1\n")
      let folder = "\(sandbox.root)/download"
      let asked = try sandbox.send("install", folder)
      #expect(asked.status == 4)
      #expect(asked.output.contains("asks for nothing: no files of yours"), "\(asked)")
      #expect(try sandbox.send("install", folder, "--yes").status == 0)
      for file in ["tide.5m.sh", "README.md", "lib/data.txt", "widget.yaml"] {
        #expect(access("\(installed(sandbox))/\(file)", F_OK) == 0, "\(file)")
      }
      #expect(access("\(installed(sandbox))/tide.5m.sh", X_OK) == 0)
    }
  }

  @Test func `a package of SwiftBar is taken in whole, and runs in its folder in a box`() throws {
    guard BoxRig.isPossible else { return }
    try withSandbox { sandbox in
      try sandbox.write("home/diary", "secret")
      let package = "\(sandbox.root)/download/tide.5m.swiftbar"
      func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws {
        try sandbox.write("download/tide.5m.swiftbar/\(name)", text, mode: mode)
      }
      try write(
        "plugin.sh",
        """
        #!/bin/sh
        # <xbar.title>Tide</xbar.title>
        . lib/words.sh
        echo "$WORD $(basename "$SWIFTBAR_PLUGIN_PACKAGE_PATH") $(basename "$PWD")" \
          "$(cat "$INTENTD_HOME/diary" 2>/dev/null || echo no)"

        """)
      try write("lib/words.sh", "#!/bin/sh\nWORD=high\nfalse && curl x\n")
      // Data of the package, and no manifest of a widget.
      try write("settings.yaml", "kind: other\n")
      try write("other.5s.sh", "#!/bin/sh\necho other\n", mode: 0o755)

      let asked = try sandbox.send("install", package)
      #expect(asked.status == 4)
      for line in [
        "tide  calls itself \"Tide\"\n", "  from      \(package): 5 files, ",
        "  runs      ./tide.5m.swiftbar/plugin.sh\n",
        "  as        a script for swiftbar: every 5m\n",
        "  it names  \"curl\", so it asks for the network\n",
      ] { #expect(asked.output.contains(line), "\(line) in \(asked.output)") }
      #expect(access("\(sandbox.root)/data/intentd", F_OK) != 0)

      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      // By its plugin, it is the package all the same.
      let outcome = try sandbox.send("install", "\(package)/plugin.sh", "--grant", "none")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try client.add("tide") == "done")
      let widget = try client.widget("tide")
      #expect(
        widget["entry"]?["content"]?["title"] == "high tide.5m.swiftbar tide.5m.swiftbar no",
        "\(widget)")
      let kinds = try client.call("gallery.list")["kinds"]?.arrayValue ?? []
      #expect(kinds.map { $0["kind"]?.stringValue } == ["tide"])
      #expect(kinds.first?["permissions"]?["isBoxed"] == true)

      // Each of its files is one that the person agreed to.
      try "#!/bin/sh\nWORD=low\n".write(
        toFile: "\(installed(sandbox))/tide.5m.swiftbar/lib/words.sh", atomically: false,
        encoding: .utf8)
      #expect(try client.reload("tide")["state"] == "dropped")
      #expect(
        try client.widget("tide")["error"]?.stringValue?.contains("changed since you agreed")
          == true)
      // Another download does not get its place.
      let other = try download(sandbox)
      let second = try sandbox.send("install", other, "--yes")
      #expect(second.status == 1)
      #expect(
        second.errors.contains("is installed already, and not from a file 'tide.5m.sh'"),
        "\(second)")
      #expect(try sandbox.send("uninstall", "tide").status == 0)
      #expect(access(installed(sandbox), F_OK) != 0)
      try sandbox.stop(daemon)
    }
  }

  /// A change of the download, as a script beside it; a path in its folder; a part of the refusal.
  private static let tricks = [
    ("ln -s /etc/passwd data", ".", "a link"),
    ("ln -s /bin/sh more.5s.sh", ".", "a link"),
    ("touch \"$(printf 'a\\nb')\"", ".", "characters that do not show"),
    ("mv tide.5m.sh \"$(printf 'ti\\033[2Jde.5m.sh')\"", "ti*", "leads out of"),
    ("cp tide.5m.sh other.5m.sh", ".", "several scripts: other.5m.sh, tide.5m.sh"),
    ("mkfifo pipe", ".", "a pipe"), ("chmod u+s tide.5m.sh", "tide.5m.sh", "setuid"),
    ("mv tide.5m.sh tide.sh.off", "tide.sh.off", "turned off by its name"),
    ("mv tide.5m.sh .tide.sh", ".tide.sh", "a hidden file"),
    ("mv tide.5m.sh ./---.sh", "---.sh", "no letter and no digit"),
    ("echo words > words", "words", "no manifest and no script"),
    (": > empty.sh; chmod +x empty.sh", "empty.sh", "the file is empty"),
    ("rm tide.5m.sh; echo x > notes", ".", "no script"),
    (
      "mkdir a.5s.swiftbar; mv tide.5m.sh a.5s.swiftbar/plugin.sh; ln -s / a.5s.swiftbar/root",
      "a.5s.swiftbar", "a link"
    ),
    (
      "mkdir a.5s.swiftbar; ln -s ../tide.5m.sh a.5s.swiftbar/plugin.sh", "a.5s.swiftbar",
      "a link"
    ),
    ("mkdir a.5s.swiftbar; echo x > a.5s.swiftbar/plugin.sh", "a.5s.swiftbar", "no script"),
    (
      "mkdir ./---.swiftbar; mv tide.5m.sh ./---.swiftbar/plugin.sh", "./---.swiftbar",
      "no letter and no digit"
    ),
    (
      "p=$(printf 'a\\033[2J.swiftbar'); mkdir \"$p\"; mv tide.5m.sh \"$p/plugin.sh\"", "a*",
      "characters that do not show"
    ),
    ("head -c 70000000 /dev/zero >> tide.5m.sh", "tide.5m.sh", "more than 64 MiB"),
  ]

  @Test(arguments: tricks)
  func `what is no single script, or leads elsewhere, is not installed`(
    trick: (script: String, path: String, reason: String)
  ) throws {
    try withSandbox { sandbox in
      _ = try download(sandbox)
      let outcome = try sandbox.shell(
        """
        cd '\(sandbox.root)/download' && { \(trick.script); } &&
        exec '\(Programs.client)' install --yes -- \(trick.path)
        """)
      #expect(outcome.status == 1, "\(trick.script): \(outcome)")
      #expect(outcome.errors.contains(trick.reason), "\(trick.script): \(outcome)")
      #expect(access("\(sandbox.root)/data/intentd", F_OK) != 0, "\(trick.script)")
      #expect(Poison.problems(in: outcome.errors) == [], "\(outcome)")
    }
  }

  @Test func `a script takes no kind away from a manifest, a plugin or another installed script`()
    throws
  {
    try withSandbox { sandbox in
      let path = try download(sandbox)
      try sandbox.manifest("tide", exec: "[true]")
      let taken = try sandbox.send("install", path, "--yes")
      #expect(taken.status == 1)
      #expect(taken.errors.contains("is offered by \(sandbox.widgets)"), "\(taken)")
      sandbox.remove("config/intentd/widgets/tide.yaml")

      let own = "config/intentd/plugins/tide.1h.sh"
      try sandbox.write(own, "#!/bin/sh\necho mine\n", mode: 0o755)
      let mine = try sandbox.send("install", path, "--yes")
      #expect(mine.status == 1)
      #expect(mine.errors.contains("is offered by your own script"), "\(mine)")
      sandbox.remove(own)

      #expect(try sandbox.send("install", path, "--yes").status == 0)
      let other = try download(sandbox, "#!/bin/sh\ncurl x\n", name: "tide.1s.sh")
      let second = try sandbox.send("install", other, "--yes")
      #expect(second.status == 1)
      #expect(
        second.errors.contains("is installed already, and not from a file 'tide.1s.sh'"),
        "\(second)")
      #expect(second.errors.contains("intent-send uninstall tide"), "\(second)")
      // A newer version of the same file asks again.
      _ = try download(sandbox, Self.script + "# newer\n")
      let newer = try sandbox.send("install", path)
      #expect(newer.status == 4)
      #expect(newer.output.contains("replaces  the version that is installed"), "\(newer)")
    }
  }

  @Test func `tags, names and outputs of a hostile script steer no terminal`() throws {
    try withSandbox { sandbox in
      let poison = Poison.text
      let hostile = """
        #!/bin/sh
        # <xbar.title>Title \(poison)</xbar.title>
        # <xbar.desc>Words \(poison)</xbar.desc>
        # <xbar.author>Somebody \(poison)</xbar.author>
        # <xbar.dependencies>curl \(poison), jq</xbar.dependencies>
        # <xbar.frob\(poison)>x</xbar.frob\(poison)>
        # <xbar.var>string(NAME="\(poison)"): \(poison)</xbar.var>
        # <xbar.var>strange(\(poison))</xbar.var>
        # <swiftbar.schedule>\(poison)</swiftbar.schedule>
        printf 'T \(Poison.shell) | colour=\(Poison.shell) x\(Poison.shell)=1\\n---\\n'
        printf 'I \(Poison.shell) | bash="\(Poison.shell)" href="x:\(Poison.shell)"\\n'
        printf '\(Poison.shell)\\n' >&2
        curl --version > /dev/null 2>&1

        """
      let path = try download(sandbox, hostile, mode: 0o755)
      try sandbox.write(
        "config/intentd/plugins/own.1h.sh", hostile, mode: 0o755)
      let daemon = try sandbox.startDaemon()
      for arguments in [
        ["try", path], ["try", path, "--json"], ["try", "own"], ["try", path, "--grant", "none"],
        ["install", path], ["install", path, "--json"], ["install", path, "--yes"],
        ["permissions", "tide"], ["permissions", "tide", "--json"], ["install", path],
        ["import", path, "--no-add"], ["reload-config"], ["gallery"], ["add", "tide"],
        ["add", "own"], ["show"], ["status", "--all"], ["tap", "own", "--item", "0"],
        ["history", "--verbose"],
      ] {
        let program = try sandbox.start(Programs.client, arguments)
        _ = try program.waitUntilEnded()
        #expect(program.output + program.errors != "", "\(arguments)")
        Poison.expectNone(in: program, arguments)
      }
      let tried = try sandbox.send("try", path).output
      #expect(tried.contains(Poison.plainRest), "it shows nothing of it: \(tried)")
      let manifest = contents(of: "\(installed(sandbox))/widget.yaml")
      #expect(manifest.contains("kind: \"tide\""), "it was not installed")
      Poison.expectNone(in: manifest, ["the manifest"])
      try sandbox.stop(daemon)
      Poison.expectNone(in: daemon.errors, ["the log"])
    }
  }
}
