import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing
import WidgetCenter

/// Providers in a box that were granted names on the session bus.
///
/// The bus is a real one; in place of `xdg-dbus-proxy`, which lets through what was granted, there
/// is a program that lets through everything. So these tests are about the way to the proxy: that
/// it works, and that no other socket is reached on it.
@Suite(.serialized) struct BusTests {
  private static let standIn = """
    #!/usr/bin/python3
    import json, os, socket, sys, threading
    with open(os.environ["HOME"] + "/arguments", "w") as file: json.dump(sys.argv[1:], file)
    if "--talk=org.example.Dies" in sys.argv: sys.exit("no such bus")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[2])
    listener.listen(8)
    def relay(one, other):
        while data := one.recv(65536): other.sendall(data)
        other.shutdown(socket.SHUT_WR)
    os.write(1, b"x")
    while True:
        one, _ = listener.accept()
        other = socket.socket(socket.AF_UNIX)
        other.connect(sys.argv[1].removeprefix("unix:path="))
        for pair in [(one, other), (other, one)]:
            threading.Thread(target=relay, args=pair, daemon=True).start()

    """

  /// Runs `body` with a session bus; where there is none to be had, says so.
  private func withBus(hasProxy: Bool = true, _ body: (BoxRig) throws -> Void) throws {
    guard BoxRig.isPossible, Programs.isInstalled("dbus-daemon") else {
      return print("there is no Landlock or no dbus-daemon here: the bus of a box is not tested")
    }
    try withSandbox { sandbox in
      let bus = sandbox.root + "/bus"
      _ = try sandbox.start(
        "/usr/bin/dbus-daemon", ["--session", "--nofork", "--address=unix:path=\(bus)"])
      try eventually("the bus listens") { access(bus, F_OK) == 0 }
      if hasProxy { try sandbox.write("bin/xdg-dbus-proxy", Self.standIn, mode: 0o755) }
      sandbox.environment["PATH"] = "\(sandbox.root)/bin:\(Sandbox.searchPath)"
      sandbox.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(bus)"
      try body(BoxRig(sandbox: sandbox))
    }
  }

  private let player = ProviderPermissions(bus: ["org.mpris.MediaPlayer2.*", "org.example.Clock"])

  @Test func `programs in a box talk to the bus through a proxy for what was granted`() throws {
    try withBus { rig in
      let commands = [
        "dbus-send":
          "--session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames",
        "gdbus":
          "call --session -d org.freedesktop.DBus -o / -m org.freedesktop.DBus.ListNames",
        "busctl": "--user --no-pager list",
      ].filter { Programs.isInstalled($0.key) }
      for (program, arguments) in commands {
        let text = try rig.run("exec \(program) \(arguments)", interpreter: "/bin/sh", player)
        #expect(text.contains("org.freedesktop.DBus"), "\(program): \(text)")
      }
      let said = try JSONValue(
        parsing: Array(contents(of: rig.home + "/arguments").utf8))
      let words = said.arrayValue?.compactMap(\.stringValue) ?? []
      #expect(words.first == "unix:path=\(rig.sandbox.root)/bus")
      #expect(words.dropFirst().first?.hasPrefix(rig.cache + "/.box/bus-") == true)
      #expect(
        words.dropFirst(2)
          == [
            "--fd=1", "--filter", "--talk=org.mpris.MediaPlayer2.*", "--talk=org.example.Clock",
          ])
      let left = try FileManager.default.contentsOfDirectory(atPath: rig.cache + "/.box")
      #expect(left.filter { $0.hasPrefix("bus-") } == [])
    }
  }

  @Test func `with the bus granted, every other socket stays out of reach`() throws {
    try withBus { rig in
      let daemon = try rig.sandbox.startDaemon()
      let script =
        attempts + """
          def ask(path):
              with socket.socket(socket.AF_UNIX) as one:
                  one.settimeout(60)
                  one.connect(path)
                  try: one.connect(path)
                  except OSError: pass
                  # A bus rejects this at once, and the daemon answers it with a mistake.
                  one.sendall(b"\\0AUTH\\r\\n")
                  if one.recv(100).startswith(b"REJECTED"): raise PermissionError(1, "the bus")
          attempt("the daemon", lambda: ask(os.environ["SOCKET"]))
          attempt("an abstract name", lambda: ask("\\0nobody"))
          attempt("datagrams", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
          attempt("packets", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
          attempt("a pair for datagrams", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
          attempt("the network", lambda: socket.socket(socket.AF_INET))
          attempt("a name of its own", lambda: socket.socket(socket.AF_UNIX).bind("\\0mine"))
          """
      let variables = ["ROOT": rig.sandbox.root, "SOCKET": rig.sandbox.socket]
      let lines = try rig.run(script, player, variables: variables).split(separator: "\n")
      #expect(lines.filter { !$0.hasSuffix(" is denied") } == [])
      #expect(lines.count == 7)
      try rig.sandbox.stop(daemon)
    }
  }

  @Test func `with the bus and the network granted, no address of the network's size is a way out`()
    throws
  {
    try withBus { rig in
      let listener = try Listener()
      defer { listener.close() }
      // The daemon's socket, at a path whose address has the size of one of IPv6.
      rig.sandbox.environment["INTENTD_SOCKET"] = rig.sandbox.root + "/xy"
      #expect(rig.sandbox.socket.utf8.count + 3 == 28)
      let daemon = try rig.sandbox.startDaemon()
      let script =
        attempts + """
          def connect(family, address):
              with socket.socket(family) as one: one.connect(address)
          attempt("IP", lambda: connect(socket.AF_INET, ("127.0.0.1", int(os.environ["PORT"]))))
          attempt("the daemon", lambda: connect(socket.AF_UNIX, os.environ["SOCKET"]))
          """
      let text = try rig.run(
        script, ProviderPermissions(network: true, bus: ["org.example.Clock"]),
        variables: [
          "ROOT": rig.sandbox.root, "SOCKET": rig.sandbox.socket, "PORT": "\(listener.port)",
        ])
      #expect(text == "IP WORKED\nthe daemon is denied\n")
      try rig.sandbox.stop(daemon)
    }
  }

  @Test func `without a proxy that works, a provider that asks for the bus does not run`() throws {
    try withBus(hasProxy: false) { rig in
      guard !Programs.isInstalled("xdg-dbus-proxy") else {
        return print("xdg-dbus-proxy is installed here: its absence is not tested")
      }
      let missing = try rig.run("print('it ran')", player)
      #expect(missing.contains("install the package xdg-dbus-proxy"), "\(missing)")
    }
    try withBus { rig in
      let died = try rig.run("print('it ran')", ProviderPermissions(bus: ["org.example.Dies"]))
      #expect(died.contains("xdg-dbus-proxy ended: no such bus"), "\(died)")
    }
  }
}
