import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// A thousand clients make the daemon hold as much as it will, in several ways.
///
/// They are five processes, since one process has only a share of the connections. Each says
/// `done` when it has sent everything, or when the daemon takes nothing more from it.
@Suite(.serialized) struct MemoryTests {
  /// Bytes that the daemon's memory may grow by: its budget, in which what the allocator adds has
  /// room.
  private static let budgetBytes = 256 * 1024 * 1024

  @Test func `a thousand unfinished lines of megabytes stay below the budget`() throws {
    try attack(
      """
      send(b'{"jsonrpc":"2.0","id":1,"method":"' + b'x' * (4 * 1024 * 1024 - 100))
      """)
  }

  @Test func `a thousand surfaces that never read stay below the budget`() throws {
    try attack(
      """
      send(b'{"jsonrpc":"2.0","id":1,"method":"surface.attach"}\\n')
      """
    ) { client in
      // Each is a change that every surface has to be told of.
      for number in 0..<60 {
        try Self.push(String(repeating: "x", count: 50_000) + "\(number)", by: client)
      }
    }
  }

  @Test func `five hundred widgets on the longest entry, listed and never read, stay below it`()
    throws
  {
    try attack(
      widgetCount: 500,
      """
      send(b''.join(
        b'{"jsonrpc":"2.0","id":%d,"method":"widget.list"}\\n' % number for number in range(300)))
      """
    ) { client in
      do throws(WireError) {
        // Longer than an entry may be: half of the longest line.
        try Self.push(String(repeating: "y", count: 2_000_000), by: client)
      } catch {
        #expect("\(error)".hasPrefix("-32024"), "\(error)")
      }
    }
  }

  @Test func `a thousand clients that ask for long answers and never read stay below the budget`()
    throws
  {
    try attack(
      """
      send(b''.join(
        b'{"jsonrpc":"2.0","id":%d,"method":"widget.timeline","params":{"id":"big"}}\\n' % number
        for number in range(300)))
      """)
  }

  @Test func `one process has a share of the connections`() throws {
    try withSandbox { sandbox in
      let daemon = try sandbox.startDaemon()
      let mine = try (1...256).map { _ in try sandbox.connect() }
      try mine[255].call("daemon.ping")
      let extra = try sandbox.connect()
      let refusal = try #require(try extra.message())
      #expect(refusal["error"]?["code"] == -32002)
      #expect(refusal["error"]?["data"]?["max"] == 256)
      #expect(try extra.message() == nil)
      let sent = try sandbox.send("status")
      #expect(sent.ending == .exited(0), "another process is served: \(sent.errors)")
      withExtendedLifetime(mine) {}
      try sandbox.stop(daemon)
    }
  }

  /// Starts a daemon and five hostile processes, and serves an honest client meanwhile.
  ///
  /// `hostile` are lines of Python that each connection does; `then` what the honest client does
  /// when they have.
  private func attack(
    widgetCount: Int = 1, _ hostile: String, then: (WireClient) throws -> Void = { _ in }
  ) throws {
    try withSandbox { sandbox in
      try sandbox.widget("big", script: "exec sleep 600", settings: "budget: 1000")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      for number in 0..<widgetCount {
        let id = number == 0 ? "big" : "big\(number)"
        try client.call("widget.add", ["kind": "big", "id": .string(id)])
      }
      try Self.push(String(repeating: "x", count: 250_000), by: client)
      let before = Self.peakBytes(of: daemon.pid)
      let attackers = try (1...5).map { _ in
        try sandbox.start(
          "/usr/bin/python3", ["-c", Self.hostile(hostile), sandbox.socket, "200"])
      }
      var served = 0
      try eventually("they have sent everything", within: 240) {
        // Each answer comes, or this throws.
        try client.call("daemon.ping")
        served += 1
        return attackers.allSatisfy { $0.output.contains("done") || $0.hasEnded() }
      }
      for attacker in attackers { #expect(!attacker.hasEnded(), "\(attacker.errors)") }
      try then(client)
      for _ in 0..<20 {
        try client.call("daemon.ping")
      }
      let sent = try sandbox.send("status")
      #expect(sent.ending == .exited(0), "a command is served: \(sent.errors)")
      let peak = Self.peakBytes(of: daemon.pid)
      print("memory: \(before >> 20) MiB before, \(peak >> 20) MiB at most, \(served) answers")
      #expect(
        peak - before <= Self.budgetBytes,
        "the daemon's memory grew by \((peak - before) >> 20) MiB")
      for attacker in attackers { attacker.signal(SIGKILL) }
      for attacker in attackers { _ = try attacker.waitUntilEnded() }
      try client.call("daemon.ping")
      try sandbox.stop(daemon)
    }
  }

  private static func push(_ text: String, by client: WireClient) throws(WireError) {
    try client.call(
      "widget.push",
      [
        "id": "big",
        "timeline": [
          "entries": [["date": "2020-01-01T00:00:00Z", "content": ["title": .string(text)]]],
          "policy": "never",
        ],
      ])
  }

  /// Returns the most memory that a process had, in bytes.
  private static func peakBytes(of pid: Int32) -> Int {
    let line = contents(of: "/proc/\(pid)/status").split(separator: "\n").first {
      $0.hasPrefix("VmHWM:")
    }
    return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1_024
  }

  /// A program that opens connections, does `lines` with each, and stays.
  private static func hostile(_ lines: String) -> String {
    """
    import select, socket, sys, time
    waiting = {}
    sockets = []
    for number in range(int(sys.argv[2])):
      one = socket.socket(socket.AF_UNIX)
      one.connect(sys.argv[1])
      one.setblocking(False)
      sockets.append(one)
    sent = {}
    def send(data):
      for one in sockets: sent[one] = (data, 0)
    \(lines)
    quiet = time.time()
    while sent and time.time() - quiet < 5:
      _, ready, _ = select.select([], list(sent), [], 0.2)
      for one in ready:
        data, start = sent[one]
        try: start += one.send(data[start:start + 65536])
        except BlockingIOError: continue
        except OSError: start = len(data)
        quiet = time.time()
        if start < len(data): sent[one] = (data, start)
        else: del sent[one]
    print("done", flush=True)
    time.sleep(600)
    """
  }
}
