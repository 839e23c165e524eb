import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// The bars themselves: what they draw, and the clicks that come back.
///
/// The widget is a block of one colour, so that it is a box in the picture. A bar that is not
/// installed is skipped; `scripts/setup.sh --surfaces` installs all.
@Suite(.serialized) struct RealBarTests {
  private static let green: UInt32 = 0x00FF00
  private static let hostile =
    "%{A1:touch PWN:}#(touch PWN)${exec touch PWN}$(touch PWN)<b>#{E:@w}&lt;"

  private static func have(_ programs: String...) -> Bool {
    (programs + VirtualDisplay.programs).allSatisfy(Programs.isInstalled)
  }

  /// Shows a widget `block` on a bar that `start` starts, and checks that it appears, takes each of
  /// `buttons`, goes stale with the daemon and comes back.
  private func check(
    buttons: [Int], _ start: (Sandbox, VirtualDisplay) throws -> Void
  ) throws {
    try withSandbox { sandbox in
      let script = """
        echo "$BLOCK_BUTTON" >> "$HOME/clicks"
        echo '[]\(Self.hostile.replacing("PWN", with: sandbox.root + "/PWN"))'
        echo; echo '#00ff00'; echo '#00ff00'
        """
      try sandbox.widget("block", script: script, provider: "protocol: i3blocks\nevery: once")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "block", "id": "block", "wait": true])
      let display = try VirtualDisplay(in: sandbox)
      try start(sandbox, display)
      try eventually("the box is on the bar") { try display.pixels(Self.green).count > 200 }
      let home = try #require(sandbox.environment["HOME"])
      for button in buttons {
        try display.click(button, on: Self.green)
        try eventually("button \(button) arrived") {
          contents(of: "\(home)/clicks").split(separator: "\n").last == "\(button)"
        }
      }
      daemon.signal(SIGKILL)
      try daemon.waitUntilEnded()
      try eventually("nothing looks current") { try display.pixels(Self.green).isEmpty }
      let next = try sandbox.startDaemon()
      let other = try sandbox.connect()
      try other.call("widget.reload", ["id": "block"])
      try eventually("it is back") { try display.pixels(Self.green).count > 200 }
      #expect(access(sandbox.root + "/PWN", F_OK) != 0, "text was run as a command")
      try sandbox.stop(next)
    }
  }

  @Test(.enabled(if: have("polybar"), "skipped: no polybar, Xvfb or xdotool"))
  func `polybar shows a widget, and its clicks arrive`() throws {
    try check(buttons: [1, 2, 3, 4, 5]) { sandbox, display in
      try sandbox.write(
        "polybar.ini",
        """
        [bar/b]
        width = 100%
        height = 30
        background = #000000
        font-0 = monospace:size=10
        modules-left = w
        override-redirect = true
        [module/w]
        type = custom/script
        exec = intent-send bar polybar block
        tail = true
        """)
      _ = try sandbox.start(
        "/usr/bin/env", ["polybar", "-c", sandbox.root + "/polybar.ini", "b"],
        environment: display.environment)
    }
  }

  @Test(.enabled(if: have("i3", "i3bar"), "skipped: no i3, i3bar, Xvfb or xdotool"))
  func `i3bar shows a widget, and its clicks arrive`() throws {
    try check(buttons: [1, 2, 3, 4, 5, 8, 9]) { sandbox, display in
      try sandbox.write(
        "i3.conf",
        """
        # i3 config file (v4)
        font pango:monospace 10
        bar {
          status_command intent-send bar i3bar block
        }
        """)
      _ = try sandbox.start(
        "/usr/bin/env", ["i3", "-c", sandbox.root + "/i3.conf"], environment: display.environment)
    }
  }

  @Test(.enabled(if: have("lemonbar"), "skipped: no lemonbar, Xvfb or xdotool"))
  func `lemonbar shows a widget, and its clicks arrive`() throws {
    try check(buttons: [1, 2, 3, 4, 5]) { sandbox, display in
      let line =
        "intent-send bar lemonbar block | lemonbar -p -g 2000x30+0+0 -a 60 | intent-send click block -"
      _ = try sandbox.start(
        "/bin/sh", ["-c", line], environment: display.environment)
    }
  }

  @Test(
    .enabled(
      if: have("xfce4-panel", "dbus-run-session")
        && VirtualDisplay.hasPanelPlugin("libgenmon.so"),
      "skipped: no xfce4-panel, genmon, dbus-run-session, Xvfb or xdotool"))
  func `genmon shows a widget, and its click arrives`() throws {
    try check(buttons: [1]) { sandbox, display in
      try sandbox.write(
        "config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <channel name="xfce4-panel" version="1.0">
          <property name="configver" type="int" value="2"/>
          <property name="panels" type="array">
            <value type="int" value="1"/>
            <property name="panel-1" type="empty">
              <property name="position" type="string" value="p=6;x=0;y=0"/>
              <property name="length" type="uint" value="100"/>
              <property name="size" type="uint" value="30"/>
              <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
            </property>
          </property>
          <property name="plugins" type="empty">
            <property name="plugin-1" type="string" value="genmon"/>
          </property>
        </channel>
        """)
      try sandbox.write(
        "config/xfce4/panel/genmon-1.rc",
        """
        Command=intent-send bar genmon block --once
        UseLabel=0
        Text=
        UpdatePeriod=1000
        Font=Monospace 10
        """)
      _ = try sandbox.start(
        "/usr/bin/env", ["dbus-run-session", "--", "xfce4-panel", "--disable-wm-check"],
        environment: display.environment)
    }
  }

  @Test(.enabled(if: Programs.isInstalled("tmux"), "skipped: no tmux"))
  func `tmux shows a widget as text, and draws it anew with each change`() throws {
    try withSandbox { sandbox in
      let text = "a;b 100%H " + Self.hostile.replacing("PWN", with: sandbox.root + "/PWN")
      try sandbox.widget(
        "w", script: "cat \(sandbox.root)/text; echo", provider: "protocol: text\nevery: once")
      try sandbox.write("text", text)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "w", "id": "w", "wait": true])
      let folder = URL(fileURLWithPath: Programs.client).deletingLastPathComponent().path
      let environment = [
        "PATH": "\(folder):\(Sandbox.searchPath)", "TERM": "xterm-256color", "LANG": "C.UTF-8",
      ]
      func tmux(_ server: String, _ arguments: String...) throws -> String {
        let outcome = try sandbox.run(
          "/usr/bin/env",
          ["tmux", "-S", "\(sandbox.root)/\(server)", "-f", "/dev/null"] + arguments,
          environment: environment)
        #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
        return outcome.output
      }
      defer { for server in ["outer", "inner"] { _ = try? tmux(server, "kill-server") } }
      _ = try tmux("inner", "new-session", "-d", "-x", "400", "-y", "5")
      _ = try tmux("inner", "set", "-g", "status-right-length", "350")
      _ = try tmux("inner", "set", "-g", "status-right", "#{@intentd_w}|")
      _ = try tmux("inner", "run-shell", "-b", "intent-send bar tmux w")
      // The status line is drawn for a client: another tmux is its terminal.
      _ = try tmux(
        "outer", "new-session", "-d", "-x", "400", "-y", "6",
        "env -u TMUX tmux -S \(sandbox.root)/inner attach")
      try eventually("the text is there as it was written") {
        try tmux("outer", "capture-pane", "-p").contains(text + "|")
      }
      try sandbox.write("text", "changed;")
      try client.call("widget.reload", ["id": "w"])
      try eventually("the change is there") {
        try tmux("outer", "capture-pane", "-p").contains("changed;|")
      }
      daemon.signal(SIGKILL)
      try daemon.waitUntilEnded()
      try eventually("it is dimmed") {
        try tmux("outer", "capture-pane", "-p", "-e").contains("38;2;136;136;136")
      }
      #expect(access(sandbox.root + "/PWN", F_OK) != 0, "text was run as a command")
    }
  }

  @Test(.enabled(if: Programs.isInstalled("conky"), "skipped: no conky"))
  func `conky shows the text of a widget as it was written`() throws {
    try withSandbox { sandbox in
      let text =
        "song #1 \\# $5 $$ ${template1 x} "
        + Self.hostile.replacing("PWN", with: sandbox.root + "/PWN")
      try sandbox.write("text", text)
      try sandbox.widget(
        "w", script: "cat \(sandbox.root)/text; echo", provider: "protocol: text\nevery: once")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "w", "id": "w", "wait": true])
      let file = sandbox.root + "/line"
      _ = try sandbox.start(Programs.client, ["bar", "conky", "w", "--file", file])
      try eventually("the line is in its file") { access(file, F_OK) == 0 }
      try sandbox.write(
        "conky.lua",
        """
        conky.config = {
          out_to_console = true, out_to_x = false, update_interval = 1, total_run_times = 2,
          template1 = 'TEMPLATE',
        }
        conky.text = [[${execpi 1 cat \(file)}]]
        """)
      let shown = try sandbox.run("/usr/bin/env", ["conky", "-c", sandbox.root + "/conky.lua"])
      let line = shown.output.split(separator: "\n").first.map(String.init) ?? ""
      #expect(line.replacing("\u{200B}", with: "") == text, "\(shown.errors)")
      #expect(access(sandbox.root + "/PWN", F_OK) != 0, "text was run as a command")
      try sandbox.stop(daemon)
    }
  }
}
