import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests starting, stopping and reloading, as a service manager and a person see it.
struct ServiceTests {
  private static let good = "sleep 600"

  private func mode(_ path: String) -> mode_t {
    var info = stat()
    guard lstat(path, &info) == 0 else { return 0 }
    return info.st_mode & 0o777
  }

  private func exists(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0
  }

  @Test func `the service manager is told when the daemon is ready and when it stops`() throws {
    try withSandbox { sandbox in
      let manager = try Listener(sandbox.root + "/notify", type: SOCK_DGRAM)
      let daemon = try sandbox.start(
        Programs.daemon, environment: ["NOTIFY_SOCKET": sandbox.root + "/notify"])
      let ready = try manager.datagram()
      #expect(ready.split(separator: "\n").contains("READY=1"), "\(ready)")
      // Ready means that a client is served at once.
      try sandbox.connect().call("daemon.status")
      daemon.signal(SIGHUP)
      #expect(try manager.datagram().contains("RELOADING=1"))
      #expect(try manager.datagram().contains("READY=1"))
      daemon.signal(SIGTERM)
      #expect(try manager.datagram().contains("STOPPING=1"))
      #expect(try daemon.waitUntilEnded() == .exited(0))
    }
  }

  /// libuv ended the daemon when it closed a descriptor with the number of a standard one.
  @Test(arguments: ["<&-", ">&-", "<&- >&-"])
  func `a daemon with closed standard descriptors serves and ends`(closed: String) throws {
    try withSandbox { sandbox in
      let daemon = try sandbox.start("/bin/sh", ["-c", "exec '\(Programs.daemon)' \(closed)"])
      try sandbox.waitUntilServing(daemon)
      try sandbox.connect().close()
      try sandbox.stop(daemon)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal stops it cleanly and removes the socket`(signal: Int32) throws {
    try withSandbox { sandbox in
      try sandbox.widget("slow", script: Self.good)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      // Stop while a provider runs and a client waits for it.
      try client.call("widget.add", ["kind": "slow", "id": "slow"])
      try client.ask("widget.reload", ["id": "slow", "wait": true])
      try eventually("the provider runs") { !sandbox.strays(besides: daemon).isEmpty }
      daemon.signal(signal)
      #expect(try daemon.waitUntilEnded() == .exited(0))
      #expect(!exists(sandbox.socket))
      try eventually("its providers have ended: \(sandbox.strays(besides: daemon))") {
        sandbox.strays(besides: daemon).isEmpty
      }
      // The daemon may send more lines, and then the connection ends.
      _ = try client.rest()
    }
  }

  @Test func `acknowledged changes survive a clean stop`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("slow", script: Self.good)
      var daemon = try sandbox.startDaemon()
      try sandbox.connect().call("widget.add", ["kind": "slow", "id": "one"])
      try sandbox.stop(daemon)
      daemon = try sandbox.startDaemon()
      #expect(try sandbox.connect().widget("one")["kind"] == "slow")
      try sandbox.stop(daemon)
    }
  }

  @Test func `the request that starts it by socket activation is answered`() throws {
    try withSandbox { sandbox in
      let listener = try Listener(sandbox.socket, type: SOCK_STREAM)
      let client = try sandbox.connect()
      let id = try client.ask("daemon.status")
      let daemon = try sandbox.start(
        "/bin/sh",
        ["-c", #"export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0""#, Programs.daemon],
        descriptors: [(listener.descriptor, 3)])
      let status = try client.answer(to: id)
      #expect(status["pid"] == .int(Int64(daemon.pid)))
      try sandbox.connect().call("daemon.ping")
      daemon.signal(SIGTERM)
      #expect(try daemon.waitUntilEnded() == .exited(0))
      // The socket belongs to the service manager: the next request starts the next daemon.
      #expect(exists(sandbox.socket))
      let next = try sandbox.connect()
      let nextID = try next.ask("daemon.ping")
      let second = try sandbox.start(
        "/bin/sh",
        ["-c", #"export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0""#, Programs.daemon],
        descriptors: [(listener.descriptor, 3)])
      try next.answer(to: nextID)
      try sandbox.stop(second)
    }
  }

  @Test func `activation variables of another process are ignored`() throws {
    try withSandbox { sandbox in
      let daemon = try sandbox.startDaemon(environment: ["LISTEN_PID": "1", "LISTEN_FDS": "1"])
      try sandbox.connect().call("daemon.ping")
      try sandbox.stop(daemon)
    }
  }

  @Test func `SIGHUP brings a new manifest in and keeps the last good one of a broken file`() throws
  {
    try withSandbox { sandbox in
      try sandbox.widget("first", script: Sandbox.answer(title: "first"))
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("first") == "done")
      func kinds() throws -> [String] {
        (try client.call("gallery.list")["kinds"]?.arrayValue ?? []).compactMap {
          $0["kind"]?.stringValue
        }
      }
      #expect(try kinds() == ["first"])

      try sandbox.widget("second", script: Sandbox.answer(title: "second"))
      daemon.signal(SIGHUP)
      try eventually("the new kind is offered") { try kinds() == ["first", "second"] }

      try sandbox.write(
        "config/intentd/widgets/first.yaml",
        "kind: first\nname: First\nfamilies: [systemTiny]\nprovider: 3\n")
      try sandbox.widget("third", script: Sandbox.answer(title: "third"))
      daemon.signal(SIGHUP)
      try eventually("the third kind is offered") { try kinds() == ["first", "second", "third"] }
      let issues = try client.call("daemon.status")["issues"]?.arrayValue ?? []
      #expect(issues.map { $0["line"] } == [3, 4])
      #expect(issues.allSatisfy { $0["file"]?.stringValue?.hasSuffix("/first.yaml") == true })
      #expect(daemon.errors.contains("systemTiny"), "the log names the mistake")
      // The last good kind still works.
      #expect(try client.reload("first")["state"] == "done")

      try sandbox.widget("first", script: Sandbox.answer(title: "mended"))
      daemon.signal(SIGHUP)
      try eventually("the mistake is gone") {
        try client.call("daemon.status")["issues"] == []
      }
      _ = try client.reload("first")
      #expect(try client.widget("first")["entry"]?["content"]?["title"] == "mended")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a second daemon is refused and the first goes on`() throws {
    try withSandbox { sandbox in
      let first = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("daemon.ping")
      let second = try sandbox.run(Programs.daemon, [])
      #expect(second.status == 69)
      #expect(
        second.errors.contains("another intentd is listening on \(sandbox.socket)"),
        "\(second.errors)")
      #expect(second.errors.contains("\n  "), "it says what to do")
      try client.call("daemon.ping")
      try sandbox.connect().call("daemon.ping")
      try sandbox.stop(first)
    }
  }

  @Test func `a second daemon on the same state is refused, and the message names the store`()
    throws
  {
    try withSandbox { sandbox in
      let first = try sandbox.startDaemon()
      let second = try sandbox.run(
        Programs.daemon, [], environment: ["INTENTD_SOCKET": sandbox.root + "/other.sock"])
      #expect(second.status == 69)
      let said = second.errors.split(separator: "\n").filter {
        $0.contains("\(sandbox.state)/intentd.sqlite is in use by")
      }
      #expect(said.count == 1, "\(second.errors)")
      #expect(said.first?.hasPrefix("intentd: ") == true)
      #expect(!exists(sandbox.root + "/other.sock"), "the socket it had taken is gone")
      try sandbox.connect().call("daemon.ping")
      try sandbox.stop(first)
    }
  }

  @Test func `two daemons that start at the same moment become one`() throws {
    try withSandbox { sandbox in
      for _ in 0..<3 {
        let daemons = try (0..<4).map { _ in try sandbox.start(Programs.daemon) }
        try eventually("all but one have given up") { daemons.count { $0.hasEnded() } == 3 }
        let survivor = try #require(daemons.first { !$0.hasEnded() })
        #expect(daemons.compactMap(\.ending) == Array(repeating: .exited(69), count: 3))
        try sandbox.waitUntilServing(survivor)
        try sandbox.connect().call("daemon.ping")
        try sandbox.stop(survivor)
      }
    }
  }

  @Test func `a log that nobody reads holds no client up`() throws {
    try withSandbox { sandbox in
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { for end in ends { close(end) } }
      // The daemon has no other end of it than its standard error.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let daemon = try sandbox.start(Programs.daemon, descriptors: [(ours: ends[1], theirs: 2)])
      var client: WireClient?
      try eventually("it serves") {
        client = try? sandbox.connect()
        return client != nil
      }
      // From here on, a write of the daemon to its standard error would wait for a reader.
      var entry = pollfd(fd: ends[1], events: Int16(POLLOUT), revents: 0)
      let page = [UInt8](repeating: UInt8(ascii: "."), count: 4_096)
      while poll(&entry, 1, 0) == 1 { try #require(write(ends[1], page, page.count) > 0) }
      for _ in 0..<3 {
        daemon.signal(SIGHUP)
        try client?.call("daemon.reloadConfiguration")
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a reload in the first moment of the socket ends no daemon`() throws {
    try withSandbox { sandbox in
      for _ in 0..<8 {
        let daemon = try sandbox.start(Programs.daemon)
        // Without a pause between two looks, for the moment is short.
        let limit = ContinuousClock.now + .seconds(30)
        while !exists(sandbox.socket), ContinuousClock.now < limit {}
        daemon.signal(SIGHUP)
        try eventually("it serves") {
          (try? sandbox.connect().call("daemon.ping")) != nil
        }
        try sandbox.stop(daemon)
      }
    }
  }

  @Test func `the socket of a killed daemon is replaced`() throws {
    try withSandbox { sandbox in
      let first = try sandbox.startDaemon()
      first.killGroup()
      #expect(exists(sandbox.socket))
      let second = try sandbox.startDaemon()
      try sandbox.connect().call("daemon.ping")
      try sandbox.stop(second)
    }
  }

  @Test func `a file that is no socket is not removed`() throws {
    try withSandbox { sandbox in
      try sandbox.write("d.sock", "precious")
      let outcome = try sandbox.run(Programs.daemon, [])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains(sandbox.socket))
      #expect(contents(of: sandbox.socket) == "precious")
    }
  }

  @Test func `its files are private`() throws {
    try withSandbox { sandbox in
      sandbox.environment["INTENTD_SOCKET"] = nil
      try sandbox.widget("note", script: Sandbox.answer(title: "private"))
      // A careless umask changes nothing.
      let daemon = try sandbox.start("/bin/sh", ["-c", #"umask 000; exec "$0""#, Programs.daemon])
      try sandbox.waitUntilServing(daemon)
      let client = try sandbox.connect()
      #expect(try client.add("note") == "done")
      #expect(mode(sandbox.socket) == 0o600)
      #expect(mode(sandbox.root + "/run/intentd") == 0o700)
      #expect(mode(sandbox.state) == 0o700)
      #expect(mode(sandbox.root + "/cache/intentd") == 0o700)
      let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.state)
      #expect(files.contains("intentd.sqlite"))
      for file in files { #expect(mode("\(sandbox.state)/\(file)") == 0o600, "\(file)") }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a socket path that is too long is refused with the limit`() throws {
    try withSandbox { sandbox in
      let path = sandbox.root + "/" + String(repeating: "x", count: 100)
      let outcome = try sandbox.run(Programs.daemon, ["--socket", path])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("107"), "\(outcome.errors)")
      #expect(try sandbox.send("status", "--socket", path).status == 69)
    }
  }

  @Test(arguments: [Programs.daemon, Programs.client])
  func `a program that cannot read its arguments says so, and does nothing`(
    _ program: String
  ) throws {
    try withSandbox { sandbox in
      let unshare = ["--user", "--map-root-user", "--mount", "/bin/sh", "-c"]
      let mount = "mount -t tmpfs none /proc"
      guard Programs.isInstalled("unshare"),
        try sandbox.run("/usr/bin/unshare", unshare + [mount]).ending == .exited(0)
      else {
        print("skipped: no folder over /proc, since this kernel gives no user namespaces")
        return
      }
      let outcome = try sandbox.run(
        "/usr/bin/unshare", unshare + ["\(mount) && exec '\(program)' --version"])
      #expect(outcome.status == 64)
      #expect(outcome.output == "")
      #expect(
        outcome.errors.contains("the arguments cannot be read, because /proc is not mounted"),
        "\(outcome.errors)")
      #expect(!exists(sandbox.state))
    }
  }

  @Test(arguments: ["--config", "--widgets", "--intents"])
  func `a folder on the command line that is not there is refused`(_ option: String) throws {
    try withSandbox { sandbox in
      let gone = try sandbox.run(Programs.daemon, [option, sandbox.root + "/nowhere"])
      #expect(gone.status == 64)
      #expect(
        gone.errors
          == "intentd: the folder \(sandbox.root)/nowhere does not exist\n  make it, or give \(option) another one\n"
      )
      try sandbox.write("file", "")
      let file = try sandbox.run(Programs.daemon, [option, sandbox.root + "/file"])
      #expect(file.status == 64)
      #expect(file.errors.contains("\(sandbox.root)/file is not a folder"), "\(file.errors)")
    }
  }

  @Test func `a state folder that cannot be made is named`() throws {
    try withSandbox { sandbox in
      try sandbox.write("state", "in the way")
      let outcome = try sandbox.run(Programs.daemon, [])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("state folder \(sandbox.state)"), "\(outcome.errors)")
    }
  }
}

/// A bound socket that the test holds, as a service manager does.
private final class Listener {
  let descriptor: Int32

  init(_ path: String, type: __socket_type) throws {
    descriptor = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try #require(descriptor >= 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
    if type == SOCK_STREAM { try #require(listen(descriptor, 16) == 0) }
  }

  deinit { Glibc.close(descriptor) }

  func datagram() throws -> String {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, Int32(patience * 1000)) == 1, "no notification came")
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    try #require(count > 0)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
