import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Takes the pictures of docs/SURFACES.md from the real bars: above with a daemon, below without.
///
/// It checks nothing but that the pictures change: somebody looks at them. `scripts/pictures.sh` has
/// it run.
@Suite(
  .serialized, .enabled(if: Picture.folder != nil, "skipped: scripts/pictures.sh runs it"))
struct SurfacePictures {
  private static let width = 640
  /// The colour of the mail, which goes with the daemon.
  private static let marker: UInt32 = 0x5FD7FF
  private static let widgets = [
    ("weather", "printf '%s\\n' '☀ 23° Beijing' '' '#ffd75f'"),
    ("mail", "printf '%s\\n' '✉ 3 new' '' '#5fd7ff'"),
    ("disk", "printf '%s\\n' 'disk 91 %' '' '#ff5f5f'; exit 33"),
    ("note", "echo 'R&D: $5 & #7'"),
  ]
  private static let names = widgets.map { $0.0 }.joined(separator: " ")

  private func write(_ sandbox: Sandbox) throws {
    for (name, script) in Self.widgets {
      try sandbox.widget(name, script: script, provider: "protocol: i3blocks\nevery: once")
    }
  }

  /// Takes both pictures of a bar, and saves them as one.
  private func take(_ name: String, _ daemon: Program, _ picture: () throws -> Picture) throws {
    try eventually("\(name) shows all") { try !picture().places(of: Self.marker).isEmpty }
    let current = try Picture.unmoving { try picture() }
    daemon.signal(SIGKILL)
    try daemon.waitUntilEnded()
    try eventually("nothing looks current") { try picture().places(of: Self.marker).isEmpty }
    let stale = try Picture.unmoving { try picture() }
    try Picture.save(current.above(stale, gap: 6).ppm, "\(name).ppm")
  }

  // MARK: X

  private func take(
    _ name: String, height: Int, _ program: String, _ arguments: (Sandbox) throws -> [String]
  ) throws {
    try withSandbox { sandbox in
      try write(sandbox)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      for (name, _) in Self.widgets {
        try client.call("widget.add", ["kind": .string(name), "id": .string(name), "wait": true])
      }
      let display = try VirtualDisplay(in: sandbox, width: Self.width)
      _ = try sandbox.start(
        "/usr/bin/env", [program] + (try arguments(sandbox)), environment: display.environment)
      try take(name, daemon) { try display.picture().rows(0..<height) }
    }
  }

  @Test func polybar() throws {
    try take("polybar", height: 30, "polybar") { sandbox in
      try sandbox.write(
        "polybar.ini",
        """
        [bar/b]
        width = 100%
        height = 30
        background = #1c1c28
        foreground = #e0e0e0
        font-0 = DejaVu Sans Mono:size=10;2
        padding-left = 1
        modules-left = w
        override-redirect = true
        [module/w]
        type = custom/script
        exec = intent-send bar polybar \(Self.names)
        tail = true
        """)
      return ["-c", sandbox.root + "/polybar.ini", "b"]
    }
  }

  @Test func i3bar() throws {
    try take("i3bar", height: 24, "i3") { sandbox in
      try sandbox.write(
        "i3.conf",
        """
        # i3 config file (v4)
        font pango:DejaVu Sans Mono 10
        bar {
          position top
          status_command intent-send bar i3bar \(Self.names)
        }
        """)
      return ["-c", sandbox.root + "/i3.conf"]
    }
  }

  @Test func lemonbar() throws {
    try take("lemonbar", height: 30, "sh") { _ in
      [
        "-c",
        "intent-send bar lemonbar \(Self.names)"
          + " | lemonbar -p -g \(Self.width)x30+0+0 -a 60 -B '#1c1c28' -F '#e0e0e0'",
      ]
    }
  }

  @Test func genmon() throws {
    try take("genmon", height: 30, "dbus-run-session") { sandbox in
      try sandbox.write(
        "config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <channel name="xfce4-panel" version="1.0">
          <property name="configver" type="int" value="2"/>
          <property name="panels" type="array">
            <value type="int" value="1"/>
            <property name="dark-mode" type="bool" value="true"/>
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
        Command=intent-send bar genmon \(Self.names) --once
        UseLabel=0
        Text=
        UpdatePeriod=1000
        Font=DejaVu Sans Mono 10
        """)
      return ["--", "xfce4-panel", "--disable-wm-check"]
    }
  }

  @Test func conky() throws {
    try take("conky", height: 30, "sh") { sandbox in
      let file = sandbox.root + "/line"
      try sandbox.write(
        "conky.lua",
        """
        conky.config = {
          out_to_x = true, own_window = true, own_window_type = 'override',
          own_window_colour = '#1c1c28', default_color = '#e0e0e0', double_buffer = true,
          alignment = 'top_left', gap_x = 0, gap_y = 0, minimum_width = \(Self.width),
          minimum_height = 24, use_xft = true, font = 'DejaVu Sans Mono:size=10',
          border_inner_margin = 4, update_interval = 0.5,
        }
        conky.text = [[${execpi 1 cat \(file)}]]
        """)
      let line = "intent-send bar conky \(Self.names) --file \(file)"
      return [
        "-c",
        "\(line) & until [ -e \(file) ]; do sleep 0.1; done; exec conky -c \(sandbox.root)/conky.lua",
      ]
    }
  }

  // MARK: Wayland

  private func takeOnSway(
    _ name: String, columns: Range<Int>, height: Int, _ lines: (Sandbox) throws -> String
  ) throws {
    try withSandbox { sandbox in
      try write(sandbox)
      let lines = try lines(sandbox)
      let world = try VirtualCompositor(in: sandbox)
      let daemon = try world.startDaemon()
      for (name, _) in Self.widgets { try world.send("add", name, "--id", name) }
      _ = try world.startSway(lines)
      try take(name, daemon) {
        try world.picture(output: 0).part(columns: columns, rows: 0..<height)
      }
    }
  }

  @Test func waybar() throws {
    try takeOnSway("waybar", columns: 0..<Self.width, height: 30) { sandbox in
      let modules = Self.widgets.map { name, _ in
        #""custom/\#(name)": {"exec": "intent-send bar waybar \#(name)", "return-type": "json"}"#
      }
      let list = Self.widgets.map { "\"custom/\($0.0)\"" }.joined(separator: ", ")
      try sandbox.write(
        "waybar.json",
        """
        {"layer": "top", "height": 30, "modules-left": [\(list)],
        \(modules.joined(separator: ",\n"))}
        """)
      let rules = Self.widgets.map { name, _ in
        """
        #custom-\(name) { padding: 0 10px; }
        #custom-\(name).stale { opacity: 0.85; }
        #custom-\(name).urgent { background: #5f0000; }
        """
      }
      try sandbox.write(
        "style.css",
        """
        * { font-family: 'DejaVu Sans Mono'; font-size: 14px; }
        window#waybar { background: #1c1c28; color: #e0e0e0; }
        \(rules.joined(separator: "\n"))
        """)
      return "exec waybar -c \(sandbox.root)/waybar.json -s \(sandbox.root)/style.css"
    }
  }

  @Test func swaybar() throws {
    try takeOnSway("swaybar", columns: 160..<800, height: 24) { _ in
      """
      font pango:DejaVu Sans Mono 10
      bar {
        position top
        status_command intent-send bar i3bar \(Self.names)
      }
      """
    }
  }
}
