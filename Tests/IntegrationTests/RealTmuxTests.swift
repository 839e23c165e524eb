import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// A tmux that tells which part of its status line was clicked, from 3.4 on.
///
/// Debian 12 has an older one: `scripts/later-bars.sh` unpacks that of Debian 13.
struct RealTmuxTests {
  @Test(
    .enabled(if: Programs.later("tmux") != nil, "skipped: no tmux in $INTENTD_LATER_BARS"))
  func `tmux of Debian 13 shows a widget, and its clicks arrive`() throws {
    let program = try #require(Programs.later("tmux"))
    try withSandbox { sandbox in
      let home = try #require(sandbox.environment["HOME"])
      try sandbox.widget(
        "block", script: #"echo "$BLOCK_BUTTON" >> "$HOME/clicks"; echo '[a;b #5]'"#,
        provider: "protocol: i3blocks\nevery: once")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "block", "id": "block", "wait": true])
      let folder = URL(fileURLWithPath: Programs.client).deletingLastPathComponent().path
      let environment = [
        "PATH": "\(folder):\(Sandbox.searchPath)", "TERM": "xterm-256color", "LANG": "C.UTF-8",
      ]
      func tmux(_ server: String, _ arguments: String...) throws -> String {
        let outcome = try sandbox.run(
          program, ["-S", "\(sandbox.root)/\(server)", "-f", "/dev/null"] + arguments,
          environment: environment)
        #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
        return outcome.output
      }
      defer { for server in ["outer", "inner"] { _ = try? tmux(server, "kill-server") } }
      // The lines that `--setup` prints are the settings, so that they are tested too.
      let lines = try sandbox.send("bar", "tmux", "block", "--setup").lines
        .filter { $0.hasPrefix("  ") }
      try sandbox.write("tmux.conf", "set -g mouse on\n" + lines.joined(separator: "\n") + "\n")
      _ = try tmux("inner", "new-session", "-d", "-x", "120", "-y", "5")
      _ = try tmux("inner", "source-file", sandbox.root + "/tmux.conf")
      // The status line is drawn for a client: another tmux is its terminal, and types its mouse.
      _ = try tmux("outer", "new-session", "-d", "-x", "120", "-y", "6")
      _ = try tmux("outer", "set", "-g", "status", "off")
      _ = try tmux(
        "outer", "respawn-pane", "-k", "env -u TMUX '\(program)' -S \(sandbox.root)/inner attach")
      var place = (x: 0, y: 0)
      try eventually("the text is there as it was written") {
        let screen = try tmux("outer", "capture-pane", "-p")
          .split(separator: "\n", omittingEmptySubsequences: false)
        for (row, line) in screen.enumerated() {
          guard let found = line.firstRange(of: "[a;b #5]") else { continue }
          place = (line.distance(from: line.startIndex, to: found.lowerBound) + 3, row + 1)
          return true
        }
        return false
      }
      for (button, number) in [(0, 1), (2, 3)] {
        // A report of the mouse as xterm writes it (1006): pressed, then released.
        let press = "\u{1B}[<\(button);\(place.x);\(place.y)"
        _ = try tmux("outer", "send-keys", "-l", press + "M")
        _ = try tmux("outer", "send-keys", "-l", press + "m")
        try eventually("button \(number) arrived") {
          contents(of: "\(home)/clicks").split(separator: "\n").last == "\(number)"
        }
      }
      try sandbox.stop(daemon)
    }
  }
}
