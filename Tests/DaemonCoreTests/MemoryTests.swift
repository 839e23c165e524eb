import JSON
import Testing

@testable import DaemonCore

/// The budget of all clients, unfinished lines, and the share of connections.
struct MemoryTests {
  private static let ping = #"{"jsonrpc":"2.0","id":1,"method":"daemon.ping"}"#

  // MARK: Lines

  @Test func `a line that pauses for thirty seconds is given up`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.handle(.received(client, Array("{".utf8)))
    harness.pass(29)
    #expect(harness.closed[client] == nil)
    harness.handle(.received(client, Array(#""jsonrpc":"#.utf8)))
    harness.pass(29)
    #expect(harness.closed[client] == nil, "each piece begins the pause anew")
    harness.pass(2)
    #expect(harness.closed[client] == "an unfinished line")
    let line = try #require(harness.received(by: client).first)
    #expect(try JSONValue(parsing: line)["error"]?["code"] == -32005)
  }

  @Test func `a line that the daemon does not read on is not given up`() {
    var harness = Harness()
    let client = harness.connect()
    harness.handle(.received(client, Array("{".utf8)))
    harness.handle(.backedUp(client))
    harness.pass(3_600)
    #expect(harness.closed[client] == nil)
    harness.handle(.drained(client))
    harness.pass(29)
    #expect(harness.closed[client] == nil, "the pause begins when the daemon reads again")
    harness.pass(2)
    #expect(harness.closed[client] == "an unfinished line")
  }

  @Test func `a byte now and then does not keep a line open`() {
    var harness = Harness()
    let client = harness.connect()
    for _ in 0..<14 {
      harness.handle(.received(client, [UInt8(ascii: "x")]))
      harness.pass(20)
    }
    #expect(harness.closed[client] == nil, "280 seconds have passed")
    harness.handle(.received(client, [UInt8(ascii: "x")]))
    harness.pass(21)
    #expect(harness.closed[client] == "an unfinished line")
  }

  @Test func `a client between two lines, and one that begins another, is not given up`() {
    var harness = Harness()
    let client = harness.connect()
    for _ in 0..<20 {
      // The end of a line, and the beginning of the next.
      harness.handle(.received(client, Array("\n{".utf8)))
      harness.pass(25)
    }
    harness.handle(.received(client, Array("}\n".utf8)))
    harness.pass(3_600)
    #expect(harness.closed[client] == nil)
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  // MARK: The budget

  @Test func `of the process with most the client with most loses its line`() throws {
    var harness = Harness(clientBytesMax: 1_024 * 1_024)
    let mine = harness.connect(pid: 1)
    let hostile = (0..<5).map { _ in harness.connect(pid: 2) }
    harness.handle(.received(mine, Array(repeating: UInt8(ascii: "m"), count: 150_000)))
    for (index, client) in hostile.enumerated() {
      harness.handle(
        .received(client, Array(repeating: UInt8(ascii: "h"), count: 90_000 + index)))
    }
    let lines = hostile.map { harness.received(by: $0) }
    #expect(lines.map(\.count) == [0, 0, 0, 0, 1], "150,000 and four times 90,000 have room")
    let error = try JSONValue(parsing: try #require(lines[4].first))["error"]
    #expect(error?["code"] == -32004)
    #expect(harness.received(by: mine) == [])
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
    // The rest of that line is skipped, and the next one is read.
    #expect(harness.send("the rest", to: hostile[4]) == [])
    #expect(harness.send(Self.ping, to: hostile[4]).count == 1)
  }

  @Test func `a client that does not read is held to its share, and then closed`() throws {
    var harness = Harness(clientBytesMax: 1_024 * 1_024)
    let hostile = harness.connect(pid: 2)
    let mine = harness.connect(pid: 1)
    harness.handle(.queued(hostile, bytes: 200_000))
    #expect(try harness.call("widget.list", from: hostile)["widgets"] == [])
    harness.handle(.queued(hostile, bytes: 300_000))
    #expect(try harness.refusal("widget.list", from: hostile) == "-32004 tooMuchMemory")
    #expect(try harness.refusal("daemon.ping", from: hostile) == "-32004 tooMuchMemory")
    #expect(try harness.call("widget.list", from: mine)["widgets"] == [])
    harness.handle(.drained(hostile))
    #expect(try harness.call("widget.list", from: hostile)["widgets"] == [])
    harness.handle(.queued(hostile, bytes: 600_000))
    #expect(harness.closed[hostile] == "too much memory")
    #expect(harness.closed[mine] == nil)
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  // MARK: Connections

  @Test func `a process has 256 connections, and the last of all are for others`() throws {
    var harness = Harness()
    let mine = (0..<256).map { _ in harness.connect(pid: 1) }
    #expect(harness.closed.isEmpty)
    let extra = harness.connect(pid: 1)
    let line = try #require(harness.received(by: extra).first)
    #expect(try JSONValue(parsing: line)["error"]?["data"]?["max"] == 256)
    #expect(harness.closed[extra] == "too many connections of one process")
    harness.handle(.disconnected(mine[0]))
    let anew = harness.connect(pid: 1)
    #expect(harness.closed[anew] == nil, "one has made room")
    for pid in 2...4 {
      for _ in 0..<(pid == 4 ? 224 : 256) { _ = harness.connect(pid: Int32(pid)) }
    }
    #expect(harness.closed.count == 1)
    let late = harness.connect(pid: 4)
    #expect(harness.closed[late] == "too many connections of one process")
    for pid in 100..<132 { _ = harness.connect(pid: Int32(pid)) }
    #expect(harness.closed.count == 2)
    let last = harness.connect(pid: 200)
    #expect(harness.closed[last] == "too many connections")
  }
}
