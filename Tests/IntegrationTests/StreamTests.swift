import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Plugins that stay running, by a real daemon.
struct StreamTests {
  private func title(_ id: String, _ client: WireClient) throws -> String? {
    try client.widget(id)["entry"]?["content"]?["title"]?.stringValue
  }

  /// The processes of a script that wrote its number into `home/pids`, a line each.
  private func pids(_ sandbox: Sandbox) -> [Int32] {
    contents(of: sandbox.root + "/home/pids").split(separator: "\n").compactMap { Int32($0) }
  }

  private static let counter = """
    echo $$ >> "$HOME/pids"
    n=0
    while :; do n=$((n+1)); echo "$$ $n"; sleep 0.2; done
    """

  @Test func `three surfaces have one process, and each sees its frames`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("song", script: Self.counter, provider: "protocol: waybar\nstream: true")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      var surfaces: [WireClient] = []
      for _ in 1...3 {
        let surface = try sandbox.connect()
        try surface.call("surface.attach", ["visible": true])
        surfaces.append(surface)
      }
      #expect(try client.add("song") == "done")
      try client.call("widget.add", ["kind": "song", "id": "line", "family": "accessoryInline"])
      for surface in surfaces {
        for _ in 1...3 { _ = try surface.notification("surface.update") }
      }
      let pid = try #require(pids(sandbox).first)
      #expect(pids(sandbox) == [pid])
      try eventually("both widgets show frames of this process") {
        try (title("song", client) ?? "").hasPrefix("\(pid) ")
          && (title("line", client) ?? "").hasPrefix("\(pid) ")
      }

      // Killed: stale with a reason, then back by another process.
      kill(pid, SIGKILL)
      try eventually("it is stale") {
        let widget = try client.widget("song")
        return try widget["stale"] == true || !(title("song", client) ?? "").hasPrefix("\(pid) ")
      }
      try eventually("another process shows frames") {
        guard let next = pids(sandbox).last, next != pid else { return false }
        return try (title("song", client) ?? "").hasPrefix("\(next) ")
          && client.widget("song")["stale"] == false
      }
      let status = try sandbox.send("history")
      #expect(status.output.contains("signal 9"), "\(status.output)")

      // Nobody looks: it ends.
      for surface in surfaces { surface.close() }
      let started = pids(sandbox)
      let last = try #require(started.last)
      try eventually("it ended") { !Processes.isRunning(last) }
      #expect(pids(sandbox) == started)
      // A look of a client starts it once more.
      #expect(try client.widget("song")["stale"] == false)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a tap writes to the stream, and a signal begins anew`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "player",
        script: """
          echo $$ >> "$HOME/pids"
          echo "idle | stdin=play"
          while read -r line; do echo "~~~"; echo "told $line | stdin=again"; done
          """, provider: "protocol: swiftbar\nstream: true\nsignal: 8")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let surface = try sandbox.connect()
      try surface.call("surface.attach", ["visible": true])
      #expect(try client.add("player") == "done")
      #expect(try client.call("widget.tap", ["id": "player"])["opened"] == "nothing")
      try eventually("the line arrived") { try title("player", client) == "told play" }
      try client.call("widget.tap", ["id": "player"])
      try eventually("the next one, too") { try title("player", client) == "told again" }
      let signal = try sandbox.send("signal", "8")
      #expect(signal.status == 0, "\(signal.output)\(signal.errors)")
      try eventually("it begins anew") { try title("player", client) == "idle" }
      #expect(pids(sandbox).count == 2)
      #expect(!Processes.isRunning(try #require(pids(sandbox).first)))
      try sandbox.stop(daemon)
      #expect(pids(sandbox).filter(Processes.isRunning) == [], "a stop ends it")
    }
  }

  @Test func `an item with refresh begins anew at once`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "menu",
        script: """
          echo $$ >> "$HOME/pids"
          echo "$$"
          echo ---
          echo "Again | refresh=true"
          exec sleep 600
          """, provider: "protocol: swiftbar\nstream: true\nrestart: 5m")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let surface = try sandbox.connect()
      try surface.call("surface.attach", ["visible": true])
      #expect(try client.add("menu") == "done")
      try client.call("widget.tap", ["id": "menu", "item": 0])
      try eventually("another process is shown") {
        guard pids(sandbox).count == 2, let next = pids(sandbox).last else { return false }
        return try title("menu", client) == "\(next)"
      }
      let before = pids(sandbox)
      #expect(!Processes.isRunning(try #require(before.first)))

      // It crashed, and rests for five minutes, but not for a person.
      kill(try #require(before.last), SIGKILL)
      try eventually("it is stale") { try client.widget("menu")["stale"] == true }
      try client.call("widget.tap", ["id": "menu", "item": 0])
      try eventually("a third process is shown") {
        guard pids(sandbox).count == 3, let next = pids(sandbox).last else { return false }
        return try title("menu", client) == "\(next)"
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a flood is in the status, with the frames that were left out`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("flood", script: "exec yes", provider: "protocol: waybar\nstream: true")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let surface = try sandbox.connect()
      try surface.call("surface.attach", ["visible": true])
      #expect(try client.add("flood") == "done")
      try eventually("the daemon says so") {
        try client.call("daemon.status")["flooding"]?.arrayValue?.first?["kind"] == "flood"
      }
      let status = try sandbox.send("status")
      #expect(
        status.output.contains("flood prints more than is read, and waits:")
          && status.output.contains("frames not shown since"), "\(status)")
      let one = try sandbox.send("status", "flood")
      #expect(one.output.contains("left out"), "\(one)")
      #expect(daemon.errors.contains("event=stream.floods"))
      try sandbox.stop(daemon)
    }
  }

  @Test func `a changed script takes the place of the one that runs`() throws {
    try withSandbox { sandbox in
      let name = "config/intentd/plugins/swiftbar/song.sh"
      func script(_ text: String) -> String {
        """
        #!/bin/sh
        # <swiftbar.type>streamable</swiftbar.type>
        echo \(text)
        exec sleep 600

        """
      }
      try sandbox.write(name, script("one"), mode: 0o755)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let surface = try sandbox.connect()
      try surface.call("surface.attach", ["visible": true])
      #expect(try client.add("song") == "done")
      #expect(try title("song", client) == "one")
      try sandbox.write(name, script("two"), mode: 0o755)
      #expect(try client.reload("song")["state"] == "done")
      #expect(try title("song", client) == "two")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a trial shows the first frame and ends it`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("song", script: Self.counter, provider: "protocol: waybar\nstream: true")
      let manifest = sandbox.root + "/config/intentd/widgets/song.yaml"
      let outcome = try sandbox.run(Programs.client, ["try", manifest])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      let pid = try #require(pids(sandbox).first)
      for text in [
        "waybar, it stays running", "stream\n  it stays running: this is the first frame",
        "standard output\n  \(pid) 1\n", "good: answered in",
      ] { #expect(outcome.output.contains(text), "\(text) in \(outcome.output)") }
      #expect(!Processes.isRunning(pid))

      try sandbox.widget(
        "song", script: "echo broken >&2; exit 3", provider: "protocol: waybar\nstream: true")
      let failed = try sandbox.run(Programs.client, ["try", manifest])
      #expect(failed.status == 1)
      #expect(failed.output.contains("broken"))
      #expect(
        failed.output.contains(
          "it is to stay running, and ended with exit code 3 before it printed anything"),
        "\(failed.output)")
    }
  }
}
