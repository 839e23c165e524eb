import DaemonCore
import Foundation
import Glibc
import JSON
import Testing

@testable import DaemonRuntime

/// The service as a whole: its turn, its clients and its end, over a real loop, socket and store.
@Suite struct ServiceTests {
  private static func ping(_ id: Int) -> [UInt8] {
    Array((#"{"jsonrpc":"2.0","id":\#(id),"method":"daemon.ping"}"# + "\n").utf8)
  }

  /// Asks for the status on a new connection, as `intent-send` does.
  private func status(of rig: ServiceRig) throws -> JSONValue {
    let client = try rig.connect()
    try client.send(1, "daemon.status")
    try rig.run {
      client.read()
      return client.received.last == UInt8(ascii: "\n")
    }
    return try JSONValue(parsing: client.received)["result"] ?? .null
  }

  // MARK: Turns

  @Test func `a turn handles a bounded number of events, and the next one the rest`() throws {
    let rig = try ServiceRig()
    try rig.start()
    let client = try rig.connect()
    try rig.run { !rig.service.connections.isEmpty && rig.service.inbox.isEmpty }
    let id = try #require(rig.service.connections.keys.first)
    let count = RuntimeLimits.turnEventCountMax + 100
    rig.service.inbox += (1...count).map { .received(id, Self.ping($0)) }
    #expect(rig.service.turn())
    // On a busy machine the clocks may be read with a pause between them. That counts as a jump of
    // the clock: an event of its own, which takes the place of one of these.
    #expect((100...101).contains(rig.service.inbox.count))
    #expect(!rig.service.turn())
    #expect(rig.service.inbox.isEmpty)
    try rig.run {
      client.read()
      return client.received.count { $0 == UInt8(ascii: "\n") } == count
    }
    #expect(try client.readIDs() == Array(1...count))
  }

  @Test func `an event that an effect brings waits for the next turn`() throws {
    let rig = try ServiceRig()
    try rig.start()
    rig.service.inbox = [.reloadRequested]
    #expect(rig.service.turn())
    let read = rig.service.inbox.count { event in
      if case .configuration = event { true } else { false }
    }
    #expect(read == 1, "\(rig.service.inbox)")
  }

  @Test func `answers of one turn come in the order of their requests`() throws {
    let rig = try ServiceRig()
    try rig.start()
    let clients = [try rig.connect(), try rig.connect()]
    try rig.run { rig.service.connections.count == 2 && rig.service.inbox.isEmpty }
    // Each event brings a `send` of its own, so the turn itself has to keep their order.
    for id in 1...50 {
      for connection in rig.service.connections.keys {
        rig.service.inbox.append(.received(connection, Self.ping(id)))
      }
    }
    _ = rig.service.turn()
    for client in clients {
      try rig.run {
        client.read()
        return client.received.count { $0 == UInt8(ascii: "\n") } == 50
      }
      #expect(try client.readIDs() == Array(1...50))
    }
  }

  // MARK: Clients

  @Test func `a client that stopped sending gets the answer that waits for the disk, then the end`()
    throws
  {
    let rig = try ServiceRig()
    try rig.start()
    let client = try rig.connect()
    try client.send(1, "widget.add", #"{"kind":"noted","id":"n"}"#)
    try client.send(2, "daemon.ping")
    client.stopSending()
    try rig.run {
      client.read()
      return client.hasEnd
    }
    #expect(try client.readIDs().sorted() == [1, 2])
    try rig.run { rig.service.connections.isEmpty }
    #expect(rig.service.halfClosed.isEmpty)
  }

  @Test func `a client that does not read is not read from, and the others are served`() throws {
    let rig = try ServiceRig()
    try rig.start()
    let sleeper = try rig.connect()
    var asked = 0
    // Until more waits for it than the service keeps without a word.
    while !rig.service.connections.values.contains(where: \.isBackedUp) {
      asked += 1
      try sleeper.send(asked, "daemon.metrics")
      try rig.run { sleeper.unreadByteCount == 0 }
    }
    // From here on nothing of it is taken from the kernel.
    for _ in 0..<20 {
      asked += 1
      try sleeper.send(asked, "daemon.ping")
    }
    let unread = sleeper.unreadByteCount
    #expect(unread > 0)
    let other = try rig.connect()
    try other.send(1, "daemon.ping")
    try rig.run {
      other.read()
      return !other.received.isEmpty
    }
    #expect(sleeper.unreadByteCount == unread)
    // It reads, and gets everything.
    try rig.run {
      sleeper.read()
      return sleeper.received.count { $0 == UInt8(ascii: "\n") } == asked
    }
    #expect(try sleeper.readIDs() == Array(1...asked))
    #expect(rig.service.connections.values.count { $0.isBackedUp } == 0)
  }

  @Test func `an upgrade of the program shows in the status, and the daemon goes on`() throws {
    let rig = try ServiceRig()
    let path = rig.folder + "/intentd"
    try Data("the first build".utf8).write(to: URL(filePath: path))
    rig.service.program = InstalledProgram(path: path)
    #expect(rig.service.program != nil)
    try rig.start()
    #expect(try status(of: rig)["newerInstalled"] == false)
    // In the middle of an upgrade there may be no file.
    try FileManager.default.removeItem(atPath: path)
    #expect(try status(of: rig)["newerInstalled"] == false)
    try Data("the second".utf8).write(to: URL(filePath: path))
    #expect(try status(of: rig)["newerInstalled"] == true)
    #expect(try status(of: rig)["newerInstalled"] == true)
    #expect(rig.log.lines.count { $0.hasPrefix("program.replaced ") } == 1)
  }

  @Test func `the same build, installed again, is no upgrade`() throws {
    let rig = try ServiceRig()
    let path = rig.folder + "/intentd"
    func install(_ text: String, modified: Date) throws {
      // A new file, moved over the old one, as package managers do.
      let new = path + ".new"
      try Data(text.utf8).write(to: URL(filePath: new))
      try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: new)
      try #require(rename(new, path) == 0)
    }
    let built = Date(timeIntervalSince1970: 1_760_000_000)
    try install("a build", modified: built)
    let program = try #require(InstalledProgram(path: path))
    try install("a build", modified: built)
    #expect(!program.isReplaced)
    try install("a later build", modified: built)
    #expect(program.isReplaced)
    try install("a build", modified: built + 1)
    #expect(program.isReplaced)
  }

  @Test func `the program of this process is known, and is not replaced while it runs`() {
    #expect(InstalledProgram.current()?.isReplaced == false)
    #expect(InstalledProgram(path: "/nonexistent/intentd") == nil)
  }

  @Test func `a client of another user is closed, and the log says why`() throws {
    let rig = try ServiceRig()
    try rig.start()
    let stranger = ConnectionID(77)
    rig.service.inbox = [.connected(stranger, Peer(userID: getuid() + 1, processID: 1))]
    _ = rig.service.turn()
    #expect(rig.log.lines.contains("connection.closed connection=77 reason=another user"))
  }

  // MARK: The end

  @Test func `a stop delivers what was accepted, and waits for nobody who does not read`() throws {
    let rig = try ServiceRig()
    try rig.start()
    let sleeper = try rig.connect()
    var asked = 0
    while !rig.service.connections.values.contains(where: \.isBackedUp) {
      asked += 1
      try sleeper.send(asked, "daemon.metrics")
      try rig.run { sleeper.unreadByteCount == 0 }
    }
    let client = try rig.connect()
    try client.send(1, "widget.add", #"{"kind":"noted","id":"n"}"#)
    // The request is with the core, and its transaction not yet on disk.
    try rig.run { rig.service.connections.count == 2 && client.unreadByteCount == 0 }
    rig.service.inbox.append(.stopRequested)
    try rig.runToTheEnd()
    client.readToEnd()
    #expect(try client.readIDs() == [1])
    #expect(client.hasEnd)
    #expect(rig.service.failure == nil)
    sleeper.readToEnd()
    #expect(sleeper.hasEnd)
  }

  @Test func `a store that cannot be opened ends the service with the reason`() throws {
    let rig = try ServiceRig()
    try FileManager.default.createDirectory(
      atPath: rig.folder + "/state/intentd.sqlite", withIntermediateDirectories: true)
    try rig.service.start()
    rig.service.inbox.append(.started)
    try rig.runToTheEnd()
    let failure = try #require(rig.service.failure)
    #expect(failure.message.contains("intentd.sqlite"))
    #expect(!failure.isUnavailable)
    #expect(!rig.log.lines.contains { $0.contains(failure.message) })
  }

  @Test func `one cause writes few lines, and another is not silenced with it`() throws {
    let rig = try ServiceRig()
    try rig.start()
    for number in 0..<100 {
      rig.service.write(
        LogLine(.warning, "provider.failed", ["kind": "a", "reason": "\(number)"]))
    }
    rig.service.write(LogLine(.warning, "provider.failed", ["kind": "b", "reason": "x"]))
    let lines = rig.log.lines.filter { $0.hasPrefix("provider.failed") }
    #expect(lines.count == RuntimeLimits.logLineCountMax + 1)
    #expect(lines.last == "provider.failed kind=b reason=x")
  }
}
