import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing
import WidgetCenter

/// Providers in a box that were granted names on the session bus.
///
/// The bus is a real one. One test has the real `xdg-dbus-proxy`, which lets through what was
/// granted. In the others there is a program that lets through everything, since they are about the
/// way to the proxy: that it works, and that no other socket is reached on it.
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

  /// A client of the bus that owns a name for as long as it runs.
  private static let owner = #"""
    import os, socket, struct, sys
    path, name = sys.argv[1:]
    bus = socket.socket(socket.AF_UNIX)
    bus.connect(path)
    bus.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
    bus.recv(512)
    bus.sendall(b"BEGIN\r\n")
    def text(of): return struct.pack("<I", len(of)) + of.encode() + b"\0"
    def pad(data, to): return data + bytes(-len(data) % to)
    def call(number, member, signature="", body=b""):
        fields = b""
        for code, kind, value in [(1, "o", "/"), (2, "s", "org.freedesktop.DBus"),
                                  (3, "s", member), (6, "s", "org.freedesktop.DBus")]:
            fields = pad(fields, 8) + bytes([code, 1, ord(kind), 0]) + text(value)
        if signature:
            fields = pad(fields, 8) + bytes([8, 1, ord("g"), 0, len(signature)])
            fields += signature.encode() + b"\0"
        head = b"l\1\0\1" + struct.pack("<III", len(body), number, len(fields))
        bus.sendall(pad(head + fields, 8) + body)
    call(1, "Hello")
    call(2, "RequestName", "su", pad(text(name), 4) + struct.pack("<I", 4))
    while bus.recv(4096): pass

    """#

  @Test func `the real proxy shows the names that were granted, and no others`() throws {
    guard Programs.isInstalled("xdg-dbus-proxy"), Programs.isInstalled("dbus-send") else {
      return print("there is no xdg-dbus-proxy or no dbus-send here: what it hides is not tested")
    }
    try withBus(hasProxy: false) { rig in
      try rig.sandbox.write("own.py", Self.owner)
      for name in ["org.example.Clock", "org.mpris.MediaPlayer2.vlc", "org.example.Keyring"] {
        _ = try rig.sandbox.start(
          "/usr/bin/python3",
          ["\(rig.sandbox.root)/own.py", "\(rig.sandbox.root)/bus", name])
      }
      let names = "dbus-send --session --print-reply --dest=org.freedesktop.DBus / "
      let listed = names + "org.freedesktop.DBus.ListNames"
      try eventually("all three names have owners") {
        let text = try rig.sandbox.shell(listed).output
        return text.contains("org.example.Keyring") && text.contains("org.example.Clock")
          && text.contains("org.mpris.MediaPlayer2.vlc")
      }
      let text = try rig.run("exec \(listed)", interpreter: "/bin/sh", player)
      #expect(text.contains("\"org.example.Clock\""), "\(text)")
      #expect(text.contains("\"org.mpris.MediaPlayer2.vlc\""), "\(text)")
      #expect(!text.contains("Keyring"), "\(text)")
      let asked = try rig.run(
        "\(names)org.freedesktop.DBus.GetNameOwner string:org.example.Keyring 2>&1 || true",
        interpreter: "/bin/sh", player)
      #expect(asked.contains("NameHasNoOwner"), "\(asked)")
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
