import EventLoop
import Foundation
import Glibc
import Testing

/// A daemon was killed while it started a child: the child holds what the daemon held, until it
/// begins its program. The next daemon waits for that.
@Suite(.enabled(if: access("/usr/bin/python3", X_OK) == 0, "python3 is not installed"))
struct LeftoverTests {
  let folder = TemporaryFolder()
  var path: String { folder.file("daemon.sock") }

  /// Runs Python that has `path`, and returns when it has ended; a child that it forked stays.
  private func run(_ program: String) throws {
    let script = folder.file("killed.py")
    make(
      script,
      """
      import fcntl, os, signal, socket
      # Whoever started this waits until nobody has its descriptors.
      os.closerange(0, 1024)
      signal.alarm(120)
      path = "\(path)"
      \(program)
      """, mode: 0o600)
    let process = try Process.run(URL(fileURLWithPath: "/usr/bin/python3"), arguments: [script])
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  private func listens() throws -> Bool {
    var isListening = false
    try onLoop { loop in
      let listener = try PipeListener(loop: loop, path: path, backlog: 8) { _ in }
      isListening = true
      listener.close()
      loop.stop()
    }
    return isListening
  }

  @Test func `a socket that only a child of a dead process holds is waited for`() throws {
    // The child lets go when the listener has looked.
    try run(
      """
      listening = socket.socket(socket.AF_UNIX)
      listening.bind(path)
      listening.listen(8)
      if os.fork(): os._exit(0)
      listening.accept()
      """)
    #expect(try listens())
  }

  @Test func `a lock that only a child of a dead process holds is waited for`() throws {
    let gate = folder.file("gate")
    try #require(mkfifo(gate, 0o600) == 0)
    try run(
      """
      lock = os.open(path + ".lock", os.O_RDWR | os.O_CREAT, 0o600)
      fcntl.flock(lock, fcntl.LOCK_EX)
      os.write(lock, b"%d\\n" % os.getpid())
      if os.fork(): os._exit(0)
      open("\(gate)").read()
      """)
    // The child lets go when the listener waits: then it has the lock file open.
    let lock = path + ".lock"
    Thread {
      while !isOpen(lock) { usleep(1_000) }
      close(open(gate, O_WRONLY))
    }.start()
    #expect(try listens())
  }
}

/// Whether this process has the file open.
private func isOpen(_ path: String) -> Bool {
  let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  return links.contains {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
  }
}
