import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests `intent-send try` with scripts of other bars.
struct PluginTrialTests {
  private func report(
    _ sandbox: Sandbox, _ file: String, status: Int32 = 0
  ) throws -> JSONValue {
    let outcome = try sandbox.run(Programs.client, ["try", "\(sandbox.root)/\(file)", "--json"])
    #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
    return try JSONValue(parsing: outcome.output)
  }

  @Test func `a script is tried without a manifest, wherever it is`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "scripts/cpu.5s.sh",
        """
        #!/bin/sh
        # <xbar.title>Processor</xbar.title>
        cat
        echo "CPU 12% | color=orange"
        echo ---
        echo "Top | href=https://example.org"
        echo "a word" >&2
        """, mode: 0o755)
      for path in [sandbox.root + "/scripts/cpu.5s.sh", "scripts/cpu.5s.sh", "./scripts/cpu.5s.sh"]
      {
        let outcome = try sandbox.run(
          "/bin/sh", ["-c", "cd \(sandbox.root) && exec \(Programs.client) try \(path)"])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        for text in [
          "plugin\n  xbar, every 5s\n", "argv\n  \"\(sandbox.root)/scripts/cpu.5s.sh\"\n",
          "folder\n  \(sandbox.root)/scripts\n", "XBARDarkMode=false",
          "standard error\n  a word\n", "exit status\n  0\n",
          "standard output\n  CPU 12% | color=orange\n  ---\n",
          "timeline: 1 entry, every 5s while somebody watches", "\"url\":\"https://example.org\"",
          "good: answered in",
        ] { #expect(outcome.output.contains(text), "\(text) in \(outcome.output)") }
        #expect(!outcome.output.contains("request (standard input)"))
      }
      let machine = try report(sandbox, "scripts/cpu.5s.sh")
      #expect(machine["kind"] == "cpu")
      #expect(machine["plugin"] == ["format": "xbar", "runs": "every 5s"])
      #expect(machine["exitStatus"] == 0)
      #expect(machine["hidden"] == false)
      #expect(machine["environment"]?["SECRET_TOKEN"] == nil)
      #expect(!FileManager.default.fileExists(atPath: sandbox.state))
    }
  }

  @Test func `a trial takes other values of a script's variables, and names those that it has not`()
    throws
  {
    try withSandbox { sandbox in
      try sandbox.write(
        "scripts/load.5s.sh",
        """
        #!/bin/sh
        # <xbar.var>string(CITY=Oslo): City.</xbar.var>
        echo "in $CITY"

        """, mode: 0o755)
      func run(_ assignment: String) throws -> Outcome {
        try sandbox.run(
          Programs.client, ["try", sandbox.root + "/scripts/load.5s.sh", "--set", assignment])
      }
      let good = try run("CITY=Rome")
      #expect(good.status == 0 && good.output.contains("\n  in Rome\n"), "\(good.output)")
      let slip = try run("CTY=Rome")
      #expect(slip.status == 1 && slip.output.contains("\n  in Oslo\n"), "\(slip.output)")
      #expect(
        slip.output.contains(
          "--set: 'CTY' is no variable of load, and is ignored; did you mean 'CITY'?"))
      #expect(
        try run("a=b").output.contains("'a' is no variable of load, and is ignored; it has CITY"))
    }
  }

  @Test func `a condition that does not hold, and a file that a shell does not find, are named`()
    throws
  {
    try withSandbox { sandbox in
      let head = "kind: cpu\nname: CPU\nfamilies: [systemSmall]\nprovider:\n"
      try sandbox.write(
        "no.yaml", head + "  exec: [/bin/echo, a]\n  protocol: text\n  if: [/bin/sh, -c, exit 3]\n")
      let unmet = try sandbox.run(Programs.client, ["try", sandbox.root + "/no.yaml"])
      #expect(unmet.output.contains("not run: `exit 3` ended with 3"), "\(unmet.output)")
      #expect(unmet.output.contains("left out until the condition holds"), "\(unmet.output)")
      try sandbox.write(
        "sh.yaml", head + "  exec: [/bin/sh, -c, '~/nope.sh']\n  protocol: waybar\n")
      let missing = try sandbox.run(Programs.client, ["try", sandbox.root + "/sh.yaml"])
      #expect(missing.status == 1)
      #expect(missing.output.contains("there is no "), "\(missing.output)")
      #expect(missing.output.contains("/nope.sh"), "\(missing.output)")
    }
  }

  @Test func `a mistake in the output is named with its line`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "x.sh", "#!/bin/sh\necho 'CPU | colour=red'\necho ---\necho 'T | refresh='\n", mode: 0o755)
      let outcome = try sandbox.run(Programs.client, ["try", sandbox.root + "/x.sh"])
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("\n  line 1: "), "\(outcome.output)")
      #expect(outcome.output.contains("\n  line 3: "))
      #expect(outcome.output.contains("with 2 warnings\n"))
    }
  }

  @Test func `an exit status, a hidden output and a missing interpreter are said`() throws {
    try withSandbox { sandbox in
      try sandbox.write("fails.sh", "#!/bin/sh\necho shown\nexit 3\n", mode: 0o755)
      try sandbox.write("calls.sh", "#!/bin/sh\nno-such-program\n", mode: 0o755)
      try sandbox.write("hides.sh", "#!/bin/sh\n", mode: 0o755)
      try sandbox.write("node.sh", "#!/no/such/interpreter\n", mode: 0o755)
      try sandbox.write("mode.sh", "#!/bin/sh\necho shown\n", mode: 0o644)
      try sandbox.write("old.sh.off", "#!/bin/sh\necho shown\n", mode: 0o755)

      let fails = try report(sandbox, "fails.sh", status: 1)
      #expect(fails["problem"] == "the provider ended with exit code 3")
      #expect(fails["exitStatus"] == 3)
      #expect(fails["output"] == "shown\n")
      let calls = try report(sandbox, "calls.sh", status: 1)
      #expect(calls["problem"]?.stringValue?.contains("a program that is not in PATH") == true)
      let hides = try report(sandbox, "hides.sh")
      #expect(hides["hidden"] == true)
      #expect(
        try sandbox.run(Programs.client, ["try", sandbox.root + "/hides.sh"]).output.contains(
          "hidden\n"))
      let node = try report(sandbox, "node.sh", status: 1)
      #expect(
        node["problem"]?.stringValue?.hasSuffix(
          "names the interpreter '/no/such/interpreter', which is not there; install it, or name"
            + " another one there") == true)
      let mode = try report(sandbox, "mode.sh", status: 1)
      #expect(mode["output"] == "shown\n")
      #expect(
        mode["issues"]?.arrayValue?.first?.stringValue?.contains("chmod +x \(sandbox.root)/mode.sh")
          == true)
      let old = try report(sandbox, "old.sh.off", status: 1)
      #expect(
        old["issues"]?.arrayValue?.first?.stringValue?.contains("is none of a plugin") == true)
    }
  }

  @Test func `bad output is cleaned or cut, said, and no failed run`() throws {
    try withSandbox { sandbox in
      let bodies = [
        "printf 'a\\377b\\n'", "printf 'a\\000b\\n'", "printf 'half a line \\303'",
        "i=0; while [ $i -lt 3000 ]; do echo $i; i=$((i+1)); done",
        "head -c 1000000 /dev/zero | tr '\\000' x", "head -c 6000000 /dev/zero | tr '\\000' x",
      ]
      for (number, body) in bodies.enumerated() {
        try sandbox.write("bad\(number).sh", "#!/bin/sh\n\(body)\n", mode: 0o755)
        let report = try report(sandbox, "bad\(number).sh", status: 1)
        #expect(report["problem"] == nil, "\(body): \(report)")
        #expect(report["timeline"]?["entries"]?.arrayValue?.count == 1, "\(body)")
        #expect(report["warnings"]?.arrayValue?.isEmpty == false, "\(body)")
      }
      let flood = try report(sandbox, "bad5.sh", status: 1)
      let first = flood["warnings"]?.arrayValue?.first?.stringValue ?? ""
      #expect(
        first.hasPrefix("it printed 1805696 bytes more than the 4194304 that are read"), "\(first)")
    }
  }

  @Test func `a plugin is not simulated, and says so`() throws {
    try withSandbox { sandbox in
      try sandbox.write("cpu.5s.sh", "#!/bin/sh\necho CPU\n", mode: 0o755)
      let file = sandbox.root + "/cpu.5s.sh"
      let outcome = try sandbox.run(Programs.client, ["simulate", file])
      #expect(outcome.status != 0)
      let said = outcome.output + outcome.errors
      #expect(said.contains("is a plugin, which is not simulated"), "\(said)")
      #expect(said.contains("intent-send try \(file)"))
    }
  }
}
