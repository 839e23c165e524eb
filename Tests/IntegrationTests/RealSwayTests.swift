import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Waybar and swaybar themselves, in a sway with three outputs: what they draw, and the clicks that
/// come back.
///
/// The widget is a block of one colour, so that it is a box in the picture. A bar that is not
/// installed is skipped; `scripts/setup.sh --surfaces` installs all.
@Suite(.serialized) struct RealSwayTests {
  private static let green: UInt32 = 0x00FF00
  private static let blue: UInt32 = 0x0000FF

  private static func have(_ programs: String...) -> Bool {
    (programs + VirtualCompositor.programs).allSatisfy(Programs.isInstalled)
  }

  /// Shows a widget `block` on the bars of three outputs, and checks that it appears, changes, takes
  /// each of `buttons`, goes stale with the daemon and comes back.
  ///
  /// `configure` writes the bar's files, and returns the lines for sway.
  private func check(buttons: [Int], _ configure: (Sandbox) throws -> String) throws {
    try withSandbox { sandbox in
      let home = try #require(sandbox.environment["HOME"])
      let script = """
        echo "$BLOCK_BUTTON" >> "$HOME/clicks"
        color=$(cat "$HOME/color")
        echo '[]$(touch \(sandbox.root)/PWN)'; echo; echo "$color"; echo "$color"
        """
      try sandbox.widget("block", script: script, provider: "protocol: i3blocks\nevery: once")
      try sandbox.write("home/color", "#00ff00")
      let lines = try configure(sandbox)
      let world = try VirtualCompositor(in: sandbox)
      let daemon = try world.startDaemon()
      try world.send("add", "block", "--id", "block")
      let sway = try world.startSway(lines)
      func isOnEveryOutput(_ color: UInt32) throws -> Bool {
        try (0..<VirtualCompositor.outputCount).allSatisfy {
          try world.pixels(color, output: $0).count > 200
        }
      }
      try eventually("the box is on every output: \(sway.errors)") {
        try isOnEveryOutput(Self.green)
      }
      for (place, button) in buttons.enumerated() {
        let output = place % VirtualCompositor.outputCount
        var nextClick = monotonicSeconds()
        try eventually("button \(button) arrived from output \(output)") {
          // A bar that has not taken the new pointer yet, or draws at this moment, loses a click.
          if monotonicSeconds() >= nextClick {
            try world.click(button, on: Self.green, output: output)
            nextClick = monotonicSeconds() + 3
          }
          return contents(of: "\(home)/clicks").split(separator: "\n").last == "\(button)"
        }
      }
      try sandbox.write("home/color", "#0000ff")
      try world.send("reload", "block")
      try eventually("the change is on every output") { try isOnEveryOutput(Self.blue) }
      daemon.signal(SIGKILL)
      try daemon.waitUntilEnded()
      try eventually("nothing looks current") {
        try (0..<VirtualCompositor.outputCount).allSatisfy {
          try world.pixels(Self.blue, output: $0).isEmpty
        }
      }
      let next = try world.startDaemon()
      try world.send("reload", "block")
      try eventually("it is back") { try isOnEveryOutput(Self.blue) }
      #expect(access(sandbox.root + "/PWN", F_OK) != 0, "text was run as a command")
      try sandbox.stop(next)
    }
  }

  @Test(.enabled(if: have("waybar"), "skipped: no waybar, sway, grim or setpriv"))
  func `Waybar shows a widget on three outputs, and its clicks arrive`() throws {
    try checkWaybar("waybar")
  }

  @Test(
    .enabled(
      if: Programs.later("waybar") != nil && have("dbus-run-session"),
      "skipped: no waybar in $INTENTD_LATER_BARS, no sway, grim, setpriv or dbus-run-session"))
  func `a later Waybar shows a widget on three outputs, and its clicks arrive`() throws {
    // Since 0.10, Waybar asks the session's bus for the desktop's colours, and ends without a bus.
    try checkWaybar("dbus-run-session -- \(try #require(Programs.later("waybar")))")
  }

  private func checkWaybar(_ command: String) throws {
    try check(buttons: [1, 2, 3, 4, 5]) { sandbox in
      // The lines that `--setup` prints are the module, so that they are tested too.
      let setup = try sandbox.send("bar", "waybar", "block", "--setup")
      let parts = setup.output.split(separator: "Into ")
      let module = parts.first { $0.contains("\"custom/block\": {") }?.drop { $0 != "\n" } ?? ""
      try sandbox.write(
        "waybar.json",
        #"{"layer": "top", "height": 30, "modules-left": ["custom/block"],"# + module + "}")
      let style = parts.first { $0.hasPrefix("~/.config/waybar/style.css") }?.drop { $0 != "\n" }
      try sandbox.write(
        "style.css",
        """
        window#waybar { background: #000000; }
        #custom-block { padding: 0 20px; }
        \(style?.split(separator: "Try it").first ?? "")
        """)
      let root = sandbox.root
      return "exec \(command) -c \(root)/waybar.json -s \(root)/style.css"
    }
  }

  @Test(.enabled(if: have("waybar", "patch"), "skipped: no waybar, sway, grim, setpriv or patch"))
  func `Waybar shows the same after the patch of an import`() throws {
    try withSandbox { sandbox in
      for (name, text) in [("cpu", "12 %"), ("mail", "3 new <b>")] {
        try sandbox.write("home/\(name).sh", "#!/bin/sh\necho '\(text)'\n", mode: 0o755)
      }
      try sandbox.write(
        "home/waybar.json",
        """
        {
          "layer": "top", "height": 30, // of three bars
          "modules-left": ["custom/cpu", "custom/mail"],
          "custom/cpu": {
            "exec": "~/cpu.sh",
            "interval": 600,
            "format": "CPU {}"
          },
          "custom/mail": {"exec": "~/mail.sh", "interval": "once", "escape": true, "rotate": 0}
        }

        """)
      try sandbox.write(
        "home/style.css",
        """
        * { font-family: monospace; }
        window#waybar { background: #000000; }
        label { background: #00ff00; color: #000000; padding: 0 9px; }
        """)
      let world = try VirtualCompositor(in: sandbox)
      let home = sandbox.root + "/home"
      let bar = "exec cd \(home) && waybar -c \(home)/waybar.json -s \(home)/style.css"
      func picture() throws -> Picture {
        let sway = try world.startSway(bar)
        try eventually("the bar is there: \(sway.errors)") {
          try world.pixels(Self.green, output: 0).count > 100
        }
        // Both modules are drawn, and nothing moves any more.
        let last = try Picture.unmoving { try world.picture(output: 0) }
        try world.stopSway(sway)
        return last
      }
      let before = try picture()
      let daemon = try world.startDaemon()
      let imported = try world.start(
        Programs.client, "import", home + "/waybar.json", "--patch")
      #expect(try imported.waitUntilEnded() == .exited(0), "\(imported.errors)")
      let outcome = try sandbox.run(
        "/usr/bin/env", ["patch", "-p0", "-d", home], input: imported.output)
      #expect(outcome.status == 0, "\(imported.output) \(outcome.output)")
      let patched = contents(of: home + "/waybar.json")
      #expect(patched.contains("intent-send bar waybar cpu"), "\(patched)")
      #expect(patched.contains(#""rotate": 0"#) && !patched.contains("cpu.sh"))
      #expect(try picture().differenceCount(from: before) == 0)
      try sandbox.stop(daemon)
    }
  }

  @Test(.enabled(if: have("swaybar"), "skipped: no swaybar, sway, grim or setpriv"))
  func `swaybar shows a widget on three outputs, and its clicks arrive`() throws {
    try check(buttons: [1, 2, 3, 4, 5]) { _ in
      """
      bar {
        status_command intent-send bar i3bar block
        colors { background #000000 }
      }
      """
    }
  }
}
