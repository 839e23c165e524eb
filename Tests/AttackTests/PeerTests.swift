import BlockingClient
import ClientTestSupport
import DaemonTestSupport
import Glibc
import JSON
import Testing

@testable import WidgetKit

/// Others listen where a client looks for the daemon, or choose the folder that the daemon makes
/// its own.
@Suite struct PeerTests {
  /// Binds a socket, gives it and its folder to other users, and listens as another one. Writes the
  /// bytes that arrive into a file.
  private static let listener = """
    import os, socket, sys
    path, folder_owner, socket_owner, listener, log = sys.argv[1:]
    os.makedirs(os.path.dirname(path), 0o755, exist_ok=True)
    line = socket.socket(socket.AF_UNIX)
    line.bind(path)
    received = open(log, "wb", buffering=0)
    os.chmod(path, 0o777)
    os.chown(path, int(socket_owner), -1)
    os.chown(os.path.dirname(path), int(folder_owner), -1)
    os.setuid(int(listener))
    line.listen()
    print("listening", flush=True)
    while True:
        client, _ = line.accept()
        while data := client.recv(65536):
            received.write(data)
            client.sendall(b'{"jsonrpc":"2.0","id":1,"result":{}}\\n')
        received.write(b"end")
    """

  /// Whether this process may make files of other users, and listen as one.
  private static var isRoot: Bool { getuid() == 0 }

  /// The folder in which a fake daemon listens on the socket `s`.
  private func folder(of daemon: FakeDaemon) -> String { String(daemon.path.dropLast("/s".count)) }

  /// The owner of the folder and of the socket, the user who listens, and the words of the refusal;
  /// user 0 is the person.
  @Test(
    .enabled(if: isRoot, "only root can listen as another user"),
    arguments: [
      (65_534, 65_534, 65_534, "belongs to another user (uid 65534)"),
      (0, 65_534, 65_534, "belongs to another user (uid 65534)"),
      (0, 0, 65_534, "another user (uid 65534) listens on "),
    ])
  func `a listener of another user gets no byte`(
    _ folder: Int, _ file: Int, _ listener: Int, _ words: String
  ) throws {
    try withSandbox { sandbox in
      sandbox.environment["INTENTD_SOCKET"] = nil
      sandbox.environment["XDG_RUNTIME_DIR"] = nil
      let path = "\(sandbox.root)/tmp/intentd-0/intentd.sock"
      let log = "\(sandbox.root)/received"
      let program = try sandbox.start(
        "/usr/bin/env",
        ["python3", "-c", Self.listener, path, "\(folder)", "\(file)", "\(listener)", log])
      try eventually("it listens; it says: \(program.errors)") {
        program.output.contains("listening")
      }
      let sent = try sandbox.send("my door code is 4711")
      #expect(sent.ending == .exited(69))
      #expect(sent.errors.contains("nothing was sent: ") && sent.errors.contains(words))
      #expect(sent.output == "")
      #expect(["", "end"].contains(contents(of: log)))
    }
  }

  @Test func `a folder into which others may write is not trusted`() throws {
    let daemon = FakeDaemon { _ in [.result([:])] }
    defer { daemon.stop() }
    let folder = folder(of: daemon)
    try #require(chmod(folder, 0o777) == 0)
    func refusal() -> ClientError? {
      do throws(ClientError) {
        _ = try DaemonClient(connectingTo: daemon.path)
        return nil
      } catch {
        return error
      }
    }
    let doubt = PeerDoubt.folderOpen(folder: folder, mode: 0o777)
    #expect(refusal() == .notTrusted(path: daemon.path, doubt))
    #expect(
      WidgetCenterError(.notTrusted(path: daemon.path, doubt)).errorDescription
        == "nothing was sent: others may write into \(folder) (mode 777); close it with: chmod go-w \(folder)"
    )
    #expect(daemon.requests.isEmpty)
    // With the sticky bit nobody can replace the socket of another user.
    try #require(chmod(folder, 0o1777) == 0)
    #expect(refusal() == nil)
  }

  @Test func `a client that is another user sends nothing`() throws {
    let daemon = FakeDaemon { _ in [.result([:])] }
    defer { daemon.stop() }
    try #require(chmod(folder(of: daemon), 0o755) == 0)
    do throws(ClientError) {
      _ = try UnixSocket(
        connectingTo: daemon.path, before: .after(milliseconds: 1_000), as: getuid() + 1)
      Issue.record("it connected")
    } catch {
      guard case .notTrusted(_, let doubt) = error else { throw error }
      #expect(
        doubt == .socketOfAnother(uid: getuid())
          || doubt == .folderOfAnother(folder: folder(of: daemon), uid: getuid()))
    }
    #expect(daemon.requests.isEmpty)
  }

  @Test func `the daemon does not close a folder that a link names`() throws {
    try withSandbox { sandbox in
      sandbox.environment["INTENTD_SOCKET"] = nil
      sandbox.environment["XDG_RUNTIME_DIR"] = nil
      try sandbox.makeFolder("home/shared")
      try #require(chmod("\(sandbox.root)/home/shared", 0o775) == 0)
      try #require(
        symlink("\(sandbox.root)/home/shared", "\(sandbox.root)/tmp/intentd-\(getuid())") == 0)
      let daemon = try sandbox.run(Programs.daemon, [])
      #expect(daemon.ending == .exited(1))
      #expect(daemon.errors.contains("is not a folder, or is a link"), "\(daemon.errors)")
      var info = stat()
      #expect(stat("\(sandbox.root)/home/shared", &info) == 0 && info.st_mode & 0o777 == 0o775)
    }
  }

  /// One program registers as an app; then another program tries to, to take its taps.
  @Test func `another program does not get an app's taps`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "clock", script: Sandbox.answer(title: "noon"), settings: "app: org.example.Clock")
      let daemon = try sandbox.startDaemon()
      let app = try sandbox.connect()
      try app.add("clock")
      try app.call("app.register", ["app": "org.example.Clock"])
      let thief = try sandbox.start(
        "/usr/bin/env",
        [
          "python3", "-c",
          """
          import socket, sys
          line = socket.socket(socket.AF_UNIX)
          line.connect(sys.argv[1])
          line.sendall(b'{"jsonrpc":"2.0","id":1,"method":"app.register","params":{"app":"org.example.Clock","foreground":true}}\\n')
          while data := line.recv(65536):
              print(data.decode(), flush=True)
          """, sandbox.socket,
        ])
      try eventually("it is answered; it says: \(thief.errors)") { thief.output.contains("\n") }
      #expect(thief.output.contains("process \(getpid()) runs another program"))
      try app.call("widget.tap", ["id": "clock"])
      #expect(try app.notification("app.open")["widget"] == "clock")
      try sandbox.stop(daemon)
      #expect(!thief.output.contains("app.open"))
    }
  }
}
