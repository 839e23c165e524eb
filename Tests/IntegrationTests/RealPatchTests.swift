import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// A bar that runs scripts, and the same bar after the patch of an import: both look the same, to
/// the pixel.
///
/// Waybar is in `RealSwayTests`. A bar that is not installed is skipped;
/// `scripts/setup.sh --surfaces` installs all, but i3blocks, which `scripts/setup.sh tests` does.
@Suite(.serialized) struct RealPatchTests {
  private static let green: UInt32 = 0x00FF00
  private static let blue: UInt32 = 0x0000FF

  private static func have(_ programs: String...) -> Bool {
    (programs + ["patch"] + VirtualDisplay.programs).allSatisfy(Programs.isInstalled)
  }

  /// Compares the pictures of a bar before and after the patch that an import of `settings` prints.
  ///
  /// The scripts show something green and something blue. `rows` are those of the bar, `folder` is
  /// the one in which the patch applies, and `start` starts the bar.
  ///
  /// - Returns: the patch, and what was said beside it.
  private func check(
    _ sandbox: Sandbox, importing settings: String, in folder: String, rows: Range<Int>,
    start: (VirtualDisplay) throws -> Program
  ) throws -> (patch: String, notes: String) {
    let display = try VirtualDisplay(in: sandbox)
    func picture() throws -> Picture {
      let bar = try start(display)
      try eventually("both modules are there: \(bar.errors)") {
        try !display.pixels(Self.green).isEmpty && !display.pixels(Self.blue).isEmpty
      }
      let picture = try Picture.unmoving { try display.picture().rows(rows) }
      bar.killGroup()
      try eventually("the bar is gone") { try display.pixels(Self.green).isEmpty }
      return picture
    }
    let before = try picture()
    let daemon = try sandbox.startDaemon()
    let imported = try sandbox.send("import", settings, "--patch")
    #expect(imported.status == 0, "\(imported.errors)")
    let patched = try sandbox.run(
      "/usr/bin/env", ["patch", "-p0", "-d", folder], input: imported.output)
    #expect(patched.status == 0, "\(imported.output) \(patched.output)")
    let after = try picture()
    #expect(after.differenceCount(from: before) == 0, "\(imported.output)")
    try sandbox.stop(daemon)
    return (imported.output, imported.errors)
  }

  @Test(.enabled(if: have("polybar"), "skipped: no polybar, Xvfb, xdotool or patch"))
  func `polybar shows the same after the patch of an import`() throws {
    try withSandbox { sandbox in
      let home = sandbox.root + "/home"
      try sandbox.write("home/cpu.sh", "#!/bin/sh\necho '12 % <b> #5'\n", mode: 0o755)
      try sandbox.write("home/disk.sh", "#!/bin/sh\necho '%{F#0f0}80%{F-} GB'\n", mode: 0o755)
      try sandbox.write("home/mail.sh", "#!/bin/sh\necho '3 new'\n", mode: 0o755)
      let settings = home + "/polybar.ini"
      try sandbox.write(
        "home/polybar.ini",
        """
        [colors]
        accent = #0000ff
        [bar/b]
        width = 100%
        height = 30
        background = #000000
        font-0 = monospace:size=10
        font-1 = monospace:size=14
        modules-left = cpu disk
        modules-right = mail
        override-redirect = true
        line-size = 3
        [look]
        format-prefix = "CPU "
        format-prefix-foreground = ${colors.accent}
        format-padding = 3
        interval = 2
        click-left = top
        [module/cpu]
        inherit = look
        type = custom/script
        exec = ~/cpu.sh
        [module/disk]
        type = custom/script
        exec = ~/disk.sh
        interval = 2
        format-background = #202040
        label = [%output%]
        label-font = 2
        [module/mail]
        type = custom/script
        exec = ~/mail.sh
        interval = 2
        format-underline = #ff8800

        """)
      // A polybar that has no time may miss what a quick script prints, until it runs again.
      let (patch, _) = try check(sandbox, importing: settings, in: home, rows: 0..<30) { display in
        try sandbox.start(
          "/usr/bin/env", ["-C", home, "polybar", "-c", settings, "b"],
          environment: display.environment)
      }
      #expect(patch.contains("+exec = intent-send bar polybar cpu"), "\(patch)")
      #expect(patch.contains("-inherit = look"), "\(patch)")
      #expect(patch.contains("+format-padding = 3"), "\(patch)")
    }
  }

  @Test(
    .enabled(
      if: have("i3", "i3bar", "i3blocks"), "skipped: no i3, i3bar, i3blocks, Xvfb, xdotool or patch"
    ))
  func `i3bar shows the same after the patch of an import`() throws {
    try withSandbox { sandbox in
      let home = sandbox.root + "/home"
      let scripts = [
        ("mail", "printf '%s\\n' '3 new messages & 1<2 #5' '3' '#00FF00'"),
        ("disk", "printf '%s\\n' '80 GB' '80' '#0000FF'"),
        ("markup", ##"echo '<b>bold</b> &amp; <span foreground="#ff8800">hot</span>'"##),
        ("empty", "exit 0"),
      ]
      var settings = "separator=true\n"
      for (name, script) in scripts {
        try sandbox.write("home/\(name).sh", "#!/bin/sh\n\(script)\n", mode: 0o755)
        settings += "[\(name)]\ncommand=~/\(name).sh\ninterval=once\n"
        if name == "markup" { settings += "markup=pango\n" }
        if name == "disk" { settings += "label=DISK\n" }
      }
      try sandbox.write("home/i3blocks.conf", settings)
      try sandbox.write(
        "config/i3/config",
        """
        # i3 config file (v4)
        font pango:monospace 10
        bar {
          position top
          status_command cd && i3blocks -c \(home)/i3blocks.conf
          colors { background #000000 }
        }

        """)
      let (patch, _) = try check(
        sandbox, importing: home + "/i3blocks.conf", in: sandbox.root + "/config/i3", rows: 0..<25
      ) { display in
        try sandbox.start(
          "/usr/bin/env", ["i3", "-c", sandbox.root + "/config/i3/config"],
          environment: display.environment)
      }
      #expect(patch.contains("+  status_command intent-send bar i3bar "), "\(patch)")
    }
  }
}
