import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Tests what `intent-send try` says of a script that is not there, may not be executed, was
/// written for another bar, or hangs.
struct PluginTrialWordsTests {
  /// Tries a word in the root of a sandbox.
  private func attempt(_ sandbox: Sandbox, _ word: String) throws -> Outcome {
    try sandbox.run(
      "/bin/sh", ["-c", "cd \(sandbox.root) && exec \(Programs.client) try \(word)"])
  }

  @Test func `a script that may not be executed is tried, and the command is said`() throws {
    try withSandbox { sandbox in
      try sandbox.write("nx.5s.sh", "#!/bin/sh\necho shown\n", mode: 0o644)
      for word in ["nx.5s.sh", "./nx.5s.sh"] {
        let outcome = try attempt(sandbox, word)
        #expect(outcome.status == 1)
        #expect(
          outcome.output.contains("the script may not be executed, so it is no plugin in"),
          "\(outcome.output)")
        #expect(outcome.output.contains("chmod +x \(sandbox.root)/nx.5s.sh\n"))
        #expect(outcome.output.contains("standard output\n  shown\n"))
      }
      let plugin = "config/intentd/plugins/off.5s.sh"
      try sandbox.write(plugin, "#!/bin/sh\necho shown\n", mode: 0o644)
      for word in ["off", "off.5s.sh"] {
        let outcome = try attempt(sandbox, word)
        #expect(outcome.status == 1)
        #expect(
          outcome.output.contains("failed: \(sandbox.root)/\(plugin): "), "\(outcome.output)")
        #expect(outcome.output.contains("chmod +x \(sandbox.root)/\(plugin)\n"))
      }
    }
  }

  @Test func `a file that is not there is called one, with the nearest of its folder`() throws {
    try withSandbox { sandbox in
      try sandbox.write("cpu.5s.sh", "#!/bin/sh\necho shown\n", mode: 0o755)
      try sandbox.write("config/intentd/plugins/disk.5s.sh", "#!/bin/sh\necho here\n", mode: 0o755)
      for (word, text) in [
        ("./cpv.5s.sh", "failed: there is no file ./cpv.5s.sh; did you mean 'cpu.5s.sh'?\n"),
        ("./far/away.sh", "failed: there is no file ./far/away.sh: there is no folder ./far; "),
        (
          "cpv.5s.sh",
          "failed: there is no file 'cpv.5s.sh' in this folder; did you mean 'cpu.5s.sh'?"
        ),
        ("remote.py", "failed: there is no file 'remote.py' in this folder and none in your own ("),
        ("remote", "failed: no manifest offers the kind 'remote' (0 manifests in "),
        ("remote", "; 1 script in \(sandbox.root)/config/intentd/plugins, "),
        ("remote", "); a path to a manifest or to a script is taken too\n"),
        ("./remote.yaml", "failed: there is no file ./remote.yaml; name one that is there\n"),
      ] {
        let outcome = try attempt(sandbox, word)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains(text), "\(text) in \(outcome.output)")
      }
      let found = try attempt(sandbox, "disk.5s.sh")
      #expect(found.output.contains("standard output\n  here\n"), "\(found.output)")
    }
  }

  @Test func `an interpreter that env does not find is named`() throws {
    try withSandbox { sandbox in
      try sandbox.write("e.5s.sh", "#!/usr/bin/env nonode\n", mode: 0o755)
      let outcome = try attempt(sandbox, "./e.5s.sh")
      #expect(outcome.status == 1)
      #expect(
        outcome.output.contains(
          "the first line of \(sandbox.root)/e.5s.sh names the interpreter 'nonode', which is not"
            + " on PATH; install it, or name another one there\n"), "\(outcome.output)")
    }
  }

  @Test func `JSON for another bar is told, with what has it read so`() throws {
    try withSandbox { sandbox in
      let waybar = "#!/bin/sh\necho '{\"text\": \"12%\", \"class\": \"low\"}'\n"
      try sandbox.write("w.5s.sh", waybar, mode: 0o755)
      try sandbox.write("argos/b.sh", "#!/bin/sh\necho '{\"full_text\": \"a\"}'\n", mode: 0o755)
      let head = "kind: cpu\nname: CPU\nfamilies: [systemSmall]\nprovider:\n  exec: [./w.5s.sh]\n"
      try sandbox.write("text.yaml", head + "  protocol: text\n")
      try sandbox.write("good.yaml", head + "  protocol: waybar\n")
      for (word, text) in [
        (
          "./w.5s.sh",
          "this looks like JSON for Waybar, and is read as xbar; keep it out of the plugins folder,"
            + " and write a manifest for it with provider: {exec: [\"\(sandbox.root)/w.5s.sh\"],"
            + " protocol: waybar, every: 5s}\n"
        ),
        ("argos/b.sh", "this looks like JSON for i3blocks, and is read as argos; "),
        (
          "./text.yaml",
          "this looks like JSON for Waybar, and is read as text; write in the manifest, under"
            + " provider: protocol: waybar\n"
        ),
      ] {
        let outcome = try attempt(sandbox, word)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains(text), "\(text) in \(outcome.output)")
      }
      let good = try attempt(sandbox, "./good.yaml")
      #expect(good.status == 0 && !good.output.contains("looks like"), "\(good.output)")
    }
  }

  @Test func `a run that hangs shows its output so far, and names its timeout`() throws {
    try withSandbox { sandbox in
      try sandbox.write("h.sh", "#!/bin/sh\necho started\nexec sleep 600\n", mode: 0o755)
      let head = "kind: h\nname: H\nfamilies: [systemSmall]\nprovider:\n  exec: [./h.sh]\n"
      try sandbox.write("h.yaml", head + "  timeout: 1s\n  protocol: text\n")
      try sandbox.write("t.yaml", head + "  timeout: 1s\n")
      for file in ["./h.yaml", "./t.yaml"] {
        let outcome = try attempt(sandbox, file)
        #expect(outcome.status == 1)
        #expect(
          outcome.output.contains("standard output\n  started\n"), "\(file): \(outcome.output)")
        #expect(
          outcome.output.hasSuffix(
            ": the provider did not answer within 1s; if it needs longer, write in the manifest,"
              + " under provider: timeout: 4s (10m at most)\n"), "\(file): \(outcome.output)")
      }
    }
  }
}
