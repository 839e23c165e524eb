import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// A daemon that began before the person's session: its providers reach the session all the same.
struct SessionVariablesTests {
  private static let fakeBus = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "fake-bus.py").path

  private static let hasBus =
    Programs.isInstalled("python3") && dlopen("libsystemd.so.0", RTLD_LAZY) != nil

  private static let script =
    "seen=$(env | grep -E '^(WAYLAND_DISPLAY|SWAYSOCK|LINES|SECRET_TOKEN)=' | sort | tr '\\n' ' ')\n"
    + Sandbox.answer(title: "seen: $seen")

  /// Returns what a provider saw, of a daemon on this bus.
  private func seen(
    bus program: [String], environment: [String: String] = [:]
  ) throws -> String? {
    var title: String?
    try withSandbox { sandbox in
      let bus = sandbox.root + "/bus"
      _ = try sandbox.start(
        "/usr/bin/env",
        ["python3"] + program.map { $0.replacingOccurrences(of: "%ROOT%", with: sandbox.root) })
      try eventually("the bus listens") { access(bus, F_OK) == 0 }
      try sandbox.widget("session", script: Self.script)
      let daemon = try sandbox.startDaemon(
        environment: environment.merging(["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(bus)"]) { $1 })
      let client = try sandbox.connect()
      #expect(try client.add("session") == "done")
      title = try client.widget("session")["entry"]?["content"]?["title"]?.stringValue
      try sandbox.stop(daemon)
    }
    return title
  }

  @Test func `variables of the session come from the user manager, and no others`() throws {
    guard Self.hasBus else { return }
    #expect(
      try seen(bus: [Self.fakeBus, "%ROOT%/bus", "%ROOT%/calls", "manager"])
        == "seen: SWAYSOCK=/s=1 WAYLAND_DISPLAY=wayland-7 ")
  }

  @Test func `with a screen of its own the daemon asks nobody`() throws {
    guard Self.hasBus else { return }
    #expect(
      try seen(
        bus: [Self.fakeBus, "%ROOT%/bus", "%ROOT%/calls", "manager"],
        environment: ["WAYLAND_DISPLAY": "mine"]) == "seen: WAYLAND_DISPLAY=mine ")
  }

  @Test func `without a user manager, and on a bus that is silent, providers run`() throws {
    guard Self.hasBus else { return }
    #expect(try seen(bus: [Self.fakeBus, "%ROOT%/bus", "%ROOT%/calls", "nobody"]) == "seen: ")
    let silent = """
      import socket, sys, time
      one = socket.socket(socket.AF_UNIX); one.bind(sys.argv[1]); one.listen(8); time.sleep(600)
      """
    #expect(try seen(bus: ["-c", silent, "%ROOT%/bus"]) == "seen: ")
  }

  @Test func `programs get the session of the surface that attached last`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "config/intentd/plugins/session.1h.sh",
        "#!/bin/sh\necho \"$WAYLAND_DISPLAY $DISPLAY $SWAYSOCK $I3SOCK $XBARDarkMode\"\n",
        mode: 0o755)
      let daemon = try sandbox.startDaemon(
        environment: ["WAYLAND_DISPLAY": "own", "SWAYSOCK": "/own/sway", "I3SOCK": "/own/i3"])
      let client = try sandbox.connect()
      #expect(try client.add("session") == "done")
      func title() throws -> String? {
        #expect(try client.reload("session")["state"] == "done")
        return try client.widget("session")["entry"]?["content"]?["title"]?.stringValue
      }
      #expect(try title() == "own  /own/sway /own/i3 false")
      do {
        let bar = try sandbox.connect()
        try bar.call(
          "surface.attach", ["session": ["SWAYSOCK": "/told/sway"], "appearance": "dark"])
        // It names no screen, and so nothing but what it says.
        #expect(try title() == "own  /told/sway /own/i3 true")
        try bar.call(
          "surface.attach", ["session": ["DISPLAY": ":7", "I3SOCK": "/told/i3", "SWAYSOCK": ""]])
        #expect(try title() == ":7  /told/i3 true")
        bar.close()
      }
      // The values outlive their surface, and one that says nothing leaves them.
      let other = try sandbox.connect()
      try other.call("surface.attach")
      #expect(try title() == ":7  /told/i3 true")
      try other.call("surface.attach", ["session": [:], "appearance": "light"])
      #expect(try title() == "own  /own/sway /own/i3 false")

      // A bar that is made of the command tells its own.
      sandbox.environment["WAYLAND_DISPLAY"] = "wayland-9"
      sandbox.environment["SSH_AUTH_SOCK"] = "/secret/agent"
      let follow = try sandbox.start(Programs.client, ["follow"])
      try eventually("the command has attached") {
        try client.call("daemon.status")["surfaces"] == 2
      }
      #expect(try title() == "wayland-9    false")
      follow.killGroup()
      try sandbox.stop(daemon)
      // A value that no script prints is neither on disk nor in the log.
      let grep = try sandbox.shell(
        "grep -rla /secret/agent \"$XDG_STATE_HOME\" \"$XDG_CACHE_HOME\"; true")
      #expect(grep.output == "", "\(grep)")
      #expect(!daemon.errors.contains("/secret/agent"), "\(daemon.errors)")
    }
  }
}
