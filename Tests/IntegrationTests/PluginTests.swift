import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Scripts of other bars in a plugins folder, by a real daemon.
struct PluginTests {
  private func script(
    _ sandbox: Sandbox, _ name: String, _ body: String, interpreter: String = "/bin/sh"
  ) throws {
    try sandbox.write(
      "config/intentd/plugins/\(name)", "#!\(interpreter)\n\(body)\n", mode: 0o755)
  }

  private func title(_ id: String, _ client: WireClient) throws -> String? {
    try client.widget(id)["entry"]?["content"]?["title"]?.stringValue
  }

  private func issues(_ client: WireClient) throws -> [String] {
    (try client.call("daemon.status")["issues"]?.arrayValue ?? []).compactMap {
      $0["message"]?.stringValue
    }
  }

  @Test func `a copied script is a kind at once, and runs again while somebody looks`() throws {
    try withSandbox { sandbox in
      let daemon = try sandbox.startDaemon()
      // The folder is made only now.
      try script(
        sandbox, "cpu.1s.sh",
        "echo run >> \"$HOME/runs\"; echo \"CPU $(wc -l < \"$HOME/runs\") | color=orange\"")
      let added = try sandbox.send("add", "cpu")
      #expect(added.status == 0, "\(added.errors)")
      let client = try sandbox.connect()
      let surface = try sandbox.connect()
      try surface.call("surface.attach")
      try eventually("it runs again and again") {
        (try title("cpu", client) ?? "").split(separator: " ").last.flatMap { Int($0) } ?? 0 >= 4
      }
      #expect(try title("cpu", client)?.hasPrefix("CPU ") == true)
      #expect(try client.widget("cpu")["entry"]?["content"]?["color"] == "#ffa500")
      #expect(try issues(client) == [])

      // Turned off, it is no kind any more; a changed one shows its new output.
      try script(sandbox, "disk.1m.sh", "echo old")
      #expect(try sandbox.send("add", "disk").status == 0)
      #expect(try title("disk", client) == "old")
      try script(sandbox, "disk.1m.sh", "echo new")
      #expect(try client.reload("disk")["state"] == "done")
      #expect(try title("disk", client) == "new")
      let file = sandbox.root + "/config/intentd/plugins/disk.1m.sh"
      #expect(rename(file, file + ".off") == 0)
      try eventually("the kind is gone") { try client.call("daemon.status")["kinds"] == 1 }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a failing script keeps its content, and an empty output hides`() throws {
    try withSandbox { sandbox in
      try script(
        sandbox, "mood.1h.sh",
        """
        case "$(cat "$HOME/mood")" in
          bad) echo ignored; echo 'no network' >&2; exit 3;;
          none) exit 0;;
        esac
        echo good
        """)
      try sandbox.write("home/mood", "good")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("mood") == "done")
      #expect(try title("mood", client) == "good")
      try sandbox.write("home/mood", "bad")
      _ = try client.reload("mood")
      #expect(try title("mood", client) == "good")
      #expect(try client.widget("mood")["stale"] == true)
      let status = try sandbox.send("status", "mood")
      #expect(status.output.contains("no network"), "\(status)")
      try sandbox.write("home/mood", "none")
      #expect(try client.reload("mood")["state"] == "done")
      #expect(try title("mood", client) == nil)
      try sandbox.stop(daemon)
    }
  }

  @Test func `an interpreter is found by its name, and a missing one is named`() throws {
    try withSandbox { sandbox in
      try script(sandbox, "found.1h.sh", "echo it runs", interpreter: "/opt/homebrew/bin/sh")
      try script(sandbox, "missing.1h.x", "", interpreter: "/opt/homebrew/bin/no-such-thing")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("found") == "done")
      #expect(try title("found", client) == "it runs")
      #expect(try client.add("missing") != "done")
      let status = try sandbox.send("status", "missing")
      #expect(
        status.output.contains("/opt/homebrew/bin/no-such-thing"), "\(status.output)")
      try sandbox.stop(daemon)
    }
  }

  @Test func `of two files that make one kind the first by name counts, and both are named`() throws
  {
    try withSandbox { sandbox in
      try script(sandbox, "cpu.1m.py", "echo first")
      try script(sandbox, "cpu.5s.sh", "echo second")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("cpu") == "done")
      #expect(try title("cpu", client) == "first")
      let issue = try client.call("daemon.status")["issues"]?.arrayValue?.first
      #expect(issue?["file"]?.stringValue?.hasSuffix("plugins/cpu.5s.sh") == true)
      #expect(issue?["message"]?.stringValue?.contains("plugins/cpu.1m.py") == true)
      try sandbox.stop(daemon)
    }
  }

  @Test(arguments: [
    (#"printf 'a\377b\n'"#, "a"), (#"printf 'a\000b\n'"#, "ab"), (#"printf 'half a line'"#, "half"),
    ("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done", "line 0"),
    (#"head -c 1000000 /dev/zero | tr '\000' x"#, "xxx"),
    (#"head -c 6000000 /dev/zero | tr '\000' x"#, "xxx"),
  ]) func `bad output is shown as far as it can be read`(_ body: String, _ beginning: String) throws
  {
    try withSandbox { sandbox in
      try script(sandbox, "bad.1h.sh", body)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("bad") == "done")
      let shown = try title("bad", client) ?? ""
      #expect(shown.hasPrefix(beginning), "\(shown.prefix(80))")
      #expect(shown.utf8.count <= 4_096)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a picture is named by its hash, is there after a restart, and goes with its content`()
    throws
  {
    try withSandbox { sandbox in
      // One pixel.
      let data =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
      try script(sandbox, "dot.1h.sh", "echo \"Dot | image=$(cat \"$HOME/dot\")\"")
      try sandbox.write("home/dot", data)
      var daemon = try sandbox.startDaemon()
      var client = try sandbox.connect()
      #expect(try client.add("dot") == "done")
      let image = try #require(try client.widget("dot")["entry"]?["content"]?["image"])
      #expect(image["type"] == "png" && image["width"] == 1 && image["height"] == 1)
      let hash = try #require(image["hash"]?.stringValue)
      try sandbox.stop(daemon)
      daemon = try sandbox.startDaemon()
      client = try sandbox.connect()
      #expect(try client.call("image.get", ["hash": .string(hash)])["data"] == .string(data))
      let written = try sandbox.shell(
        "'\(Programs.client)' image \(hash) > \"$HOME/dot.png\" && base64 -w0 \"$HOME/dot.png\"")
      #expect(written.output == data, "\(written.errors)")

      try sandbox.write("home/dot", "JVBERi0xLjc=")
      #expect(try client.reload("dot")["state"] == "done")
      #expect(try client.widget("dot")["entry"]?["content"]?["image"] == nil)
      let gone = try sandbox.send("image", hash)
      #expect(gone.status == 1)
      #expect(gone.errors.contains("no widget shows the picture"), "\(gone.errors)")
      try sandbox.stop(daemon)
    }
  }
}
