import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests `intent-send import`: what another bar shows becomes manifests, and nothing else changes.
struct ImportTests {
  private static let waybar = """
    // the bar
    {
      "modules-left": ["custom/weather", "custom/menu", "clock",],
      "custom/weather": {
        "exec": "~/bin/weather.sh 'New York'", "interval": 600,
        "on-click": "xdg-open https://x.example", "signal": 8
      },
      "custom/updates": {"exec": "checkupdates | wc -l"}, /* no interval */
      "custom/menu": {
        "format": "M", "on-click": "wofi"
      },
    }
    """

  private func manifest(_ kind: String, _ sandbox: Sandbox) -> String {
    contents(of: "\(sandbox.widgets)/imported/\(kind).yaml")
  }

  @Test func `what Waybar shows becomes manifests, and a second import changes nothing`() throws {
    try withSandbox { sandbox in
      try sandbox.write("home/.config/waybar/config", Self.waybar)
      let path = "\(sandbox.root)/home/.config/waybar/config"
      let first = try sandbox.send("import", path, "--no-add")
      #expect(first.status == 0, "\(first.errors)")
      #expect(
        first.lines == [
          "custom/weather  weather    every 10m, click, signal 8",
          "custom/updates  updates    stays running; in no bar, so not placed",
          "custom/menu     not taken  line 9: no exec, nothing to show",
          "clock           not taken  line 3: built into Waybar",
          "wrote 2 manifests to widgets/imported",
        ])
      let weather = manifest("weather", sandbox)
      #expect(
        weather.split(separator: "\n").dropFirst().joined(separator: "\n") == """
          kind: "weather"
          name: "weather"
          families: [systemSmall, accessoryInline]
          provider:
            protocol: waybar
            exec: ["\(sandbox.root)/home/bin/weather.sh", "New York"]
            every: 10m
            signal: 8
            clicks:
              left: ["xdg-open", "https://x.example"]
          """)
      #expect(weather.hasPrefix("# imported from \"\(path)\", \"custom/weather\", line 4; sha256 "))

      // By its folder, it is the same file.
      let second = try sandbox.send("import", "\(sandbox.root)/home/.config/waybar/", "--no-add")
      #expect(second.status == 0)
      #expect(second.lines.last == "wrote no manifest, 2 stay as they are")
      #expect(manifest("weather", sandbox) == weather)
    }
  }

  @Test func `a manifest that the person edited is kept, and an unchanged one is replaced`() throws
  {
    try withSandbox { sandbox in
      try sandbox.write("bar/config", Self.waybar)
      #expect(try sandbox.send("import", sandbox.root + "/bar", "--no-add").status == 0)
      let edited = manifest("weather", sandbox).replacing("every: 10m", with: "every: 1h")
      try sandbox.write("config/intentd/widgets/imported/weather.yaml", edited)
      try sandbox.write(
        "bar/config",
        Self.waybar.replacing("600", with: "60").replacing("wc -l", with: "wc -c"))
      let outcome = try sandbox.send("import", sandbox.root + "/bar", "--no-add")
      #expect(outcome.status == 0)
      #expect(
        outcome.lines.first
          == "custom/weather  weather    every 1m, click, signal 8; kept, since you edited weather.yaml"
      )
      #expect(outcome.lines.last == "wrote 1 manifest to widgets/imported, 1 stays as it is")
      #expect(manifest("weather", sandbox) == edited)
      #expect(manifest("updates", sandbox).contains("wc -c"))
    }
  }

  @Test func `kinds that are taken get a number, and that is said`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("cpu", script: "exit 0")
      try sandbox.write("i3/config", "[cpu]\ncommand=a\n[cp u]\ncommand=b\n[cp-u]\ncommand=c\n")
      for _ in 1...2 {
        let outcome = try sandbox.send("import", sandbox.root + "/i3/config", "--no-add")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
          outcome.lines.dropLast() == [
            "cpu   cpu-2   when asked; the kind cpu is taken", "cp u  cp-u    when asked",
            "cp-u  cp-u-2  when asked; the kind cp-u is taken",
          ])
      }
      // Another bar with a module of the same name.
      try sandbox.write("other/config", "[cp-u]\ncommand=d\n")
      let other = try sandbox.send("import", sandbox.root + "/other", "--no-add")
      #expect(other.lines.first == "cp-u  cp-u-3  when asked; the kind cp-u is taken")
      #expect(manifest("cp-u", sandbox).contains("\"b\""))
    }
  }

  @Test(arguments: [
    (
      "polybar/config.ini", "[module/disk]\ntype = custom/script\nexec = df\ninterval = 60\n",
      "disk  disk  every 1m", "protocol: polybar"
    ),
    (
      "i3blocks/config", "[load]\ncommand=uptime\ninterval=5\n", "load  load  every 5s",
      "protocol: i3blocks"
    ),
    (
      "panel/genmon-7.rc", "Command=date\nUpdatePeriod=15000\n", "genmon-7  genmon-7  every 15s",
      "protocol: genmon"
    ),
  ])
  func `other bars are read, too`(
    file: String, text: String, line: String, form: String
  ) throws {
    try withSandbox { sandbox in
      try sandbox.write(file, text)
      let outcome = try sandbox.send("import", "\(sandbox.root)/\(file)", "--no-add")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.lines == [line, "wrote 1 manifest to widgets/imported"])
      let kind = line.split(separator: " ").map(String.init)[1]
      #expect(manifest(kind, sandbox).contains(form))
    }
  }

  @Test func `a folder of scripts, and one script`() throws {
    try withSandbox { sandbox in
      let script = "#!/bin/sh\necho hi\n"
      try sandbox.write("xbar/cpu.5s.sh", script, mode: 0o755)
      try sandbox.write("xbar/cpu.1m.py", script, mode: 0o755)
      try sandbox.write("xbar/mail.sh", script)
      try sandbox.write("xbar/old.1h.sh.off", script, mode: 0o755)
      let folder = sandbox.root + "/xbar"
      let outcome = try sandbox.send("import", folder, "--no-add")
      #expect(outcome.status == 1)
      #expect(
        outcome.lines == [
          "cpu.1m.py      cpu        every 1m",
          "cpu.5s.sh      cpu-2      every 5s; the kind cpu is taken",
          "mail.sh        not taken  it may not be executed: chmod u+x '\(folder)/mail.sh'",
          "old.1h.sh.off  not taken  turned off by its name",
          "wrote 2 manifests to widgets/imported",
        ])
      #expect(manifest("cpu", sandbox).contains("exec: [\"\(folder)/cpu.1m.py\"]"))
      #expect(contents(of: folder + "/cpu.5s.sh") == script)
      let one = try sandbox.send("import", folder + "/cpu.5s.sh", "--no-add")
      #expect(one.lines.first == "cpu.5s.sh  cpu-2  every 5s; the kind cpu is taken")
    }
  }

  @Test func `files that are no scripts are data, and folders are named`() throws {
    try withSandbox { sandbox in
      try sandbox.write("xbar/cpu.5s.sh", "#!/bin/sh\necho hi\n", mode: 0o755)
      try sandbox.write("xbar/LICENSE", "MIT")
      try sandbox.write("xbar/i.png", "x")
      try sandbox.write("xbar/more/mem.5s.sh", "#!/bin/sh\n", mode: 0o755)
      let outcome = try sandbox.send("import", sandbox.root + "/xbar", "--no-add")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        outcome.lines == [
          "LICENSE    not taken  no script, so it is taken for data of one",
          "cpu.5s.sh  cpu        every 5s",
          "i.png      not taken  no script, so it is taken for data of one",
          "more       not taken  a folder, not looked into: import it by its name",
          "wrote 1 manifest to widgets/imported",
        ])
    }
  }

  @Test func `an imported kind keeps its name, also where a script offers it by now`() throws {
    try withSandbox { sandbox in
      try sandbox.write("i3/config", "separator_block_width=9\n[cpu]\ncommand=a\n[b]\ncommand=b\n")
      let lines = ["cpu  cpu  when asked", "b    b    when asked"]
      let all = "each of them without separator_block_width"
      let first = try sandbox.send("import", sandbox.root + "/i3", "--no-add")
      #expect(first.lines == lines + [all, "wrote 2 manifests to widgets/imported"])
      try sandbox.write(
        "config/intentd/plugins/cpu.5s.sh", "#!/bin/sh\necho hi\n", mode: 0o755)
      let second = try sandbox.send("import", sandbox.root + "/i3", "--no-add")
      #expect(second.lines == lines + [all, "wrote no manifest, 2 stay as they are"])
    }
  }

  @Test func `settings behind a linked folder are the same by the folder and by the file`() throws {
    try withSandbox { sandbox in
      try sandbox.write("dot/i3/config", "[cpu]\ncommand=a\n")
      try sandbox.write("dot/scripts/mem.5s.sh", "#!/bin/sh\n", mode: 0o755)
      #expect(symlink("\(sandbox.root)/dot/i3", "\(sandbox.root)/i3") == 0)
      #expect(symlink("\(sandbox.root)/dot/scripts", "\(sandbox.root)/argos") == 0)
      for paths in [["i3", "i3/config", "dot/i3"], ["argos", "argos/mem.5s.sh"]] {
        for path in paths {
          let outcome = try sandbox.send("import", "\(sandbox.root)/\(path)", "--no-add")
          #expect(outcome.status == 0, "\(outcome.errors)")
          let summary =
            path == paths[0]
            ? "wrote 1 manifest to widgets/imported" : "wrote no manifest, 1 stays as it is"
          #expect(outcome.lines.last == summary, "\(path)")
        }
      }
      #expect(manifest("mem", sandbox).contains("protocol: argos"))
    }
  }

  @Test func `scripts of the plugins folder keep their kinds, and need no import`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "config/intentd/plugins/cpu.5s.sh", "#!/bin/sh\necho hi\n", mode: 0o755)
      try sandbox.write("i3/config", "[cpu]\ncommand=a\n")
      let bar = try sandbox.send("import", sandbox.root + "/i3", "--no-add")
      #expect(bar.lines.first == "cpu  cpu-2  when asked; the kind cpu is taken")
      let own = try sandbox.send("import", sandbox.root + "/config/intentd/plugins")
      #expect(own.status == 1)
      #expect(own.errors.contains("is in your folder of plugins"), "\(own.errors)")
      #expect(access(sandbox.widgets + "/imported/cpu.yaml", F_OK) != 0)
    }
  }

  @Test func `the tags and values of a script become variables`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "swiftbar/tide.sh",
        """
        #!/bin/sh
        # <swiftbar.schedule>*/15 * * * *</swiftbar.schedule>
        # <xbar.var>string(CITY="Rome"): The city.</xbar.var>
        # <xbar.var>number(DAYS=2): How many.</xbar.var>
        """, mode: 0o755)
      try sandbox.write("swiftbar/tide.vars.json", #"{"CITY": "Oslo"}"#)
      let outcome = try sandbox.send("import", sandbox.root + "/swiftbar", "--no-add")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.lines.first == "tide.sh  tide  at */15 * * * *")
      let text = manifest("tide", sandbox)
      #expect(text.contains("protocol: swiftbar\n"))
      #expect(text.hasSuffix("every: \"*/15 * * * *\"\nenv:\n  CITY: \"Oslo\"\n  DAYS: \"2\"\n"))
    }
  }

  @Test func `broken settings are named with their line, and nothing is written`() throws {
    try withSandbox { sandbox in
      try sandbox.write("bar/config", "{\n  \"custom/a\": {\"exec\": \"a\"\n")
      let broken = try sandbox.send("import", sandbox.root + "/bar/config")
      #expect(broken.status == 1)
      #expect(
        broken.errors.contains("/bar/config:3: the file ends before ',' or '}'"), "\(broken.errors)"
      )
      #expect(access(sandbox.widgets + "/imported", F_OK) != 0)
      try sandbox.write("notes.txt", "hello\n")
      let text = try sandbox.send("import", sandbox.root + "/notes.txt")
      #expect(text.status == 1)
      #expect(text.errors.contains("is no script, and no settings file that is known"))
      try sandbox.makeFolder("empty")
      #expect(try sandbox.send("import", sandbox.root + "/empty").status == 1)
      #expect(try sandbox.send("import", sandbox.root + "/none").status == 1)
      let json = try sandbox.send("import", sandbox.root + "/none", "--json")
      #expect(try JSONValue(parsing: json.output)["ok"] == false)
    }
  }

  @Test func `a slip that may be a variable is said with exit 0, and a mistake with exit 1`() throws
  {
    try withSandbox { sandbox in
      try sandbox.write("i3/config", "[cpu]\ncommand=a\nlabel=L\ncolr=#f00\n")
      let slip = try sandbox.send("import", sandbox.root + "/i3/config", "--no-add")
      #expect(slip.status == 0, "\(slip.errors)")
      #expect(slip.errors.contains("/i3/config:4: i3blocks knows no property 'colr'"))
      #expect(slip.errors.contains("no label is shown; did you mean 'color'?"), "\(slip.errors)")
      let json = try sandbox.send("import", sandbox.root + "/i3/config", "--no-add", "--json")
      let answer = try JSONValue(parsing: json.output)
      #expect(answer["ok"] == true)
      #expect(answer["problems"]?.arrayValue?.first?["severity"] == "warning")

      try sandbox.write(
        "polybar/config.ini", "[module/a]\ntype = custom/script\ninherit = module/nothere\n")
      let polybar = try sandbox.send("import", sandbox.root + "/polybar", "--no-add")
      #expect(polybar.status == 1)
      #expect(
        polybar.lines.first
          == "a  not taken  line 1: inherits from module/nothere, which is not there")

      try sandbox.write("bar/config", "{\"custom/b\": {\"exec\": \"b\",\n\"interval\": \"5x\"}}")
      let waybar = try sandbox.send("import", sandbox.root + "/bar", "--no-add")
      #expect(waybar.status == 1)
      #expect(waybar.lines.first == "custom/b  b  once")
      #expect(waybar.errors.contains("/bar/config:2: interval of custom/b is \"5x\", and may be"))
    }
  }

  @Test func `settings and scripts that others may change are refused`() throws {
    try withSandbox { sandbox in
      try sandbox.write("bar/run.sh", "#!/bin/sh\n", mode: 0o777)
      try sandbox.write("bar/config", "{\"custom/a\": {\"exec\": \"\(sandbox.root)/bar/run.sh\"}}")
      let outcome = try sandbox.send("import", sandbox.root + "/bar/config", "--no-add")
      #expect(outcome.status == 1)
      #expect(
        outcome.lines.first?.contains("every user may write to \(sandbox.root)/bar/run.sh") == true)
      #expect(access(sandbox.widgets + "/imported/a.yaml", F_OK) != 0)
      chmod(sandbox.root + "/bar/config", 0o666)
      let refused = try sandbox.send("import", sandbox.root + "/bar/config")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("every user may write to"), "\(refused.errors)")
    }
  }

  @Test func `a device is no settings file, and its mode is left alone`() throws {
    try withSandbox { sandbox in
      let outcome = try sandbox.run(Programs.client, ["import", "/dev/zero"])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("'/dev/zero' is no file that can be read whole"))
      #expect(!outcome.errors.contains("chmod"))
    }
  }

  @Test func `long files and hostile names end well, inside the folder`() throws {
    try withSandbox { sandbox in
      let name = "../../\\u001b[2J\\u202e: {x: [y\\\"\\n#"
      let filler = String(repeating: "// \(String(repeating: "x", count: 97))\n", count: 21_000)
      try sandbox.write(
        "bar/config",
        "{\(filler)\"custom/\(name)\": {\"exec\": \"run '\(name)'\", \"interval\": 5}}")
      let outcome = try sandbox.send("import", sandbox.root + "/bar/config", "--no-add")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(!outcome.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
      let kind = "2J-x-y"
      #expect(outcome.output.contains("  \(kind)  every 5s"), "\(outcome.output)")
      let found = try FileManager.default.contentsOfDirectory(atPath: sandbox.widgets)
      #expect(found == ["imported"])
      #expect(
        manifest(kind, sandbox).contains(#"exec: ["run", "../../\x1b[2J\u202e: {x: [y\"\n#"]"#))
      try sandbox.write("long/config", String(repeating: "x", count: 5 << 20))
      let long = try sandbox.send("import", sandbox.root + "/long/config")
      #expect(long.status == 1)
      #expect(long.errors.contains("it has more than 4194304 bytes"), "\(long.errors)")
    }
  }

  @Test func `the answer for machines has every module`() throws {
    try withSandbox { sandbox in
      try sandbox.write("bar/config", Self.waybar)
      let outcome = try sandbox.send("import", sandbox.root + "/bar/config", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let answer = try JSONValue(parsing: outcome.output)
      #expect(answer["ok"] == true)
      let modules = try #require(answer["modules"]?.arrayValue)
      #expect(
        modules.map { $0["state"]?.stringValue } == ["written", "written", "notTaken", "notTaken"])
      #expect(modules[1]["exec"] == ["/bin/sh", "-c", "checkupdates | wc -l"])
      #expect(modules[2]["reason"] == "no exec, nothing to show")
      #expect(answer["placed"] == [])
      #expect(answer["notPlacedReason"]?.stringValue?.contains("no daemon is listening") == true)
    }
  }
}
