package import DaemonCore
import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import VirtualTime

/// Clients: they connect, ask, read or do not read, and go away at any moment.
extension RandomWorld {
  /// The bytes that may wait for a client before the shell stops reading from it.
  ///
  /// Less than the wire's limit, so that worlds reach it.
  static let queuedBytesMax = 16 * 1024

  func moveClient(_ slot: Int) {
    guard !isCalm else { return }
    plan(.clientMove(slot), after: randomness.pause(upTo: pace))
    guard process != nil else { return }
    guard let connection = clients[slot].connection else {
      connect(slot)
      return
    }
    let client = clients[slot]
    guard !client.isVanished, !client.isHalfClosed, !client.isClosing, !client.isStranger,
      !client.isWild
    else { return }
    if misbehave(slot, connection) { return }
    // In a household the shell asks and leaves, as `intent-send` does.
    let mayLeave = client.role != .shell ? 4 : span == nil ? 30 : 90
    if randomness.chance(mayLeave) {
      leave(slot, connection)
      return
    }
    // A household has a flood a day, not an hour.
    let isFlood = isActive(.floods) && randomness.below(2_000) < (span == nil ? 100 : 5)
    let count =
      isFlood ? randomness.between(50, 300) : randomness.between(1, span == nil ? 4 : 2)
    send((0..<count).map { _ in request(slot) }, slot, connection)
  }

  private func connect(_ slot: Int) {
    lastConnection += 1
    let connection = ConnectionID(lastConnection)
    clients[slot].connection = connection
    clients[slot].isStranger = isActive(.otherUsers) && randomness.chance(10)
    clients[slot].readsSlowly = isActive(.slowReaders) && randomness.chance(40)
    clients[slot].lastDeliveryAt = monotonic
    slots[connection] = slot
    inbox.append(
      .connected(connection, Peer(userID: clients[slot].isStranger ? 1001 : 1000, processID: 99)))
    guard !clients[slot].isStranger else { return }
    var first: [Line] = []
    switch clients[slot].role {
    case .surface:
      first.append(
        request(
          slot, "surface.attach",
          attachment()))
    case .host:
      first.append(
        request(
          slot, "app.register",
          [
            "app": .string(randomness.pick(Scenario.apps)),
            "foreground": .bool(randomness.chance(50)),
          ]))
    case .shell, .producer, .operatorTool: first.append(request(slot))
    }
    send(first, slot, connection)
    if isActive(.disconnects), randomness.chance(40) {
      plan(.hangUp(slot, connection), after: randomness.pause(upTo: pace * 3))
    }
  }

  /// Goes away, mannerly or not.
  private func leave(_ slot: Int, _ connection: ConnectionID) {
    if isActive(.halfClosedPeers), randomness.chance(70) {
      clock.plan(.halfClose(slot, connection), at: clients[slot].lastDeliveryAt)
    } else {
      clock.plan(.hangUp(slot, connection), at: clients[slot].lastDeliveryAt)
    }
  }

  private static let oversizedLine =
    [UInt8](repeating: UInt8(ascii: "x"), count: WireLimits.frameBytesMax + 1)
    + [UInt8(ascii: "\n")]

  private func misbehave(_ slot: Int, _ connection: ConnectionID) -> Bool {
    if isActive(.vanishedPeers), randomness.chance(2) {
      clients[slot].isVanished = true
      plan(.hangUp(slot, connection), after: randomness.pause(upTo: 10_000))
      return true
    }
    if isActive(.oversizedFrames), randomness.chance(1), randomness.chance(20) {
      let line = Line(
        bytes: Self.oversizedLine, expectations: [Expectation(method: "oversized")])
      send([line], slot, connection)
      return true
    }
    if isActive(.wildBytes), randomness.chance(3) {
      // The meaning of its bytes is unknown, so the answers to its earlier requests are not
      // expected either.
      for outstanding in clients[slot].outstanding.values {
        ledger.giveUp(outstanding.sequence, outstanding.claim)
      }
      clients[slot].outstanding = [:]
      clients[slot].isWild = true
      pushes.cloud()
      setValues.cloud()
      var bytes = request(
        slot, randomness.pick(["daemon.status", "stack.order", "widget.list"]), [:]
      ).bytes
      for _ in 0..<randomness.between(1, 4) {
        bytes[randomness.below(bytes.count)] = UInt8(truncatingIfNeeded: randomness.next())
      }
      send([Line(bytes: bytes)], slot, connection)
      plan(.hangUp(slot, connection), after: randomness.pause(upTo: 1_000))
      return true
    }
    if isActive(.garbageLines), randomness.chance(10) {
      let garbage = [
        "no JSON at all", "{\"jsonrpc\":\"2.0\"", "42", "\"text\"", "[]", "null", "{}", "[1]",
        "{\"jsonrpc\":\"2.0\",\"method\":7}",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"daemon.ping\"}",
        "\u{1F9E8}", "{\"jsonrpc\":\"1.0\",\"method\":\"daemon.ping\"}",
      ]
      let line = Line(
        bytes: Array((randomness.pick(garbage) + "\n").utf8),
        expectations: [Expectation(method: "garbage")])
      send([line], slot, connection)
      return true
    }
    return false
  }

  // MARK: Bytes to the daemon

  /// One line and the answer that it entitles to.
  struct Line {
    var bytes: [UInt8]
    var expectations: [Expectation] = []
  }

  /// Lines as chunks: one each, glued together, or cut anywhere.
  func send(_ lines: [Line], _ slot: Int, _ connection: ConnectionID) {
    let isGlued = isActive(.gluedFrames) && randomness.chance(50)
    for group in isGlued ? [lines] : lines.map({ [$0] }) {
      for chunk in cut(group) {
        let latency = randomness.chance(80) ? 0 : randomness.between(0, 50)
        let at = max(clients[slot].lastDeliveryAt, monotonic).advanced(byMilliseconds: latency)
        clients[slot].lastDeliveryAt = at
        clock.plan(.deliver(slot, connection, chunk), at: at)
      }
    }
  }

  /// Cuts the lines' bytes into one chunk or several.
  ///
  /// The expectation of a line is in the chunk with its end.
  private func cut(_ lines: [Line]) -> [Chunk] {
    let bytes = lines.count == 1 ? lines[0].bytes : lines.flatMap(\.bytes)
    var places = [0, bytes.count]
    if isActive(.splitFrames), randomness.chance(30) {
      for _ in 0..<randomness.between(1, 4) { places.append(randomness.below(bytes.count)) }
      places.sort()
    }
    var chunks: [Chunk] = []
    var ended = 0
    var endOfLine = 0
    for (start, end) in zip(places, places.dropFirst()) where start < end {
      var chunk = Chunk(bytes: end - start == bytes.count ? bytes : Array(bytes[start..<end]))
      while ended < lines.count, endOfLine + lines[ended].bytes.count <= end {
        endOfLine += lines[ended].bytes.count
        chunk.expectations += lines[ended].expectations
        ended += 1
      }
      chunks.append(chunk)
    }
    return chunks
  }

  func deliver(_ chunk: Chunk, _ slot: Int, _ connection: ConnectionID) {
    guard clients[slot].connection == connection, !clients[slot].isClosing else { return }
    if chunk.expectations.contains(where: { $0.params["reload"] != nil }) {
      rulesAskedAt = monotonic
    }
    if clients[slot].isWild {
      pushes.cloud()
      setValues.cloud()
      for expectation in chunk.expectations {
        ledger.giveUp(ledger.begin(expectation.claim, from: connection), expectation.claim)
      }
      inbox.append(.received(connection, chunk.bytes))
      return
    }
    guard !clients[slot].isBackedUp else {
      clients[slot].held.append(chunk)
      return
    }
    for expectation in chunk.expectations {
      pushes.sent(expectation.method, expectation.params)
      setValues.sent(expectation.method, expectation.params)
      guard let id = expectation.id else {
        clients[slot].nullAnswersExpected += 1
        continue
      }
      statistics.requests += 1
      clients[slot].noteSent(expectation.method, expectation.params)
      clients[slot].outstanding[id] = .init(
        method: expectation.method, claim: expectation.claim,
        sequence: ledger.begin(expectation.claim, from: connection), sentAt: monotonic,
        params: expectation.params)
    }
    inbox.append(.received(connection, chunk.bytes))
  }

  // MARK: Bytes from the daemon

  package func receive(_ bytes: [UInt8], on connection: ConnectionID) {
    guard let slot = slots[connection] else {
      // A connection may have ended in this very turn, but it must have existed.
      if connection.number > lastConnection {
        violate("bytes were sent to connection \(connection.number), which never was")
      } else if !inThisTurn.contains(connection) {
        violate("bytes were sent to connection \(connection.number), which is gone")
      }
      return
    }
    if clients[slot].isStranger {
      violate("bytes were sent to another user")
      return
    }
    check(bytes, from: slot)
    guard clients[slot].readsSlowly || clients[slot].isVanished else { return }
    let wasEmpty = clients[slot].queuedBytes == 0
    clients[slot].queuedBytes += bytes.count
    inbox.append(.queued(connection, bytes: clients[slot].queuedBytes))
    if clients[slot].queuedBytes > Self.queuedBytesMax, !clients[slot].isBackedUp {
      clients[slot].isBackedUp = true
      inbox.append(.backedUp(connection))
    }
    if wasEmpty { plan(.read(slot, connection), after: randomness.between(10, 3_000)) }
  }

  func read(_ slot: Int, _ connection: ConnectionID) {
    guard clients[slot].connection == connection, !clients[slot].isVanished else { return }
    let amount = isCalm ? Int.max : Int(randomness.between(100, 20_000))
    clients[slot].queuedBytes -= min(amount, clients[slot].queuedBytes)
    guard clients[slot].queuedBytes == 0 else {
      plan(.read(slot, connection), after: randomness.between(10, 3_000))
      return
    }
    inbox.append(.drained(connection))
    guard clients[slot].isBackedUp else { return }
    clients[slot].isBackedUp = false
    let held = clients[slot].held
    clients[slot].held = []
    // Deliver these at once: later bytes are planned for later.
    if !held.isEmpty, lastReadingAt != nil { lastReadingAt = monotonic }
    for chunk in held { deliver(chunk, slot, connection) }
  }

  // MARK: The end of a connection

  /// Peers that have sent their last byte are closed as soon as nothing is owed to them.
  func closeHalfClosed() {
    guard process != nil, inbox.isEmpty else { return }
    for slot in clients.indices where clients[slot].isHalfClosed && !clients[slot].isClosing {
      guard let connection = clients[slot].connection,
        process?.daemon.lend({ $0.owes(connection) }) == false
      else { continue }
      if let unanswered = clients[slot].outstanding.values.map(\.method).min(),
        !clients[slot].isWild
      {
        violate(
          "the daemon owes connection \(connection.number) nothing, but did not answer its \(unanswered)"
        )
      }
      clients[slot].isClosing = true
      plan(.hangUp(slot, connection), after: 0)
    }
  }

  func endConnection(_ slot: Int) {
    guard let connection = clients[slot].connection else { return }
    loseConnection(slot, daemonLives: process != nil)
    if process != nil { inbox.append(.disconnected(connection)) }
  }

  /// Lets a request with a key be sent again, since its client does not know what became of it.
  func sendAgain(_ request: FakeClient.Outstanding) {
    guard request.params["idempotencyKey"] != nil else { return }
    retries.append(
      Retry(params: request.params, claim: request.claim, sentAt: request.sentAt))
  }

  /// Ends the expectations of a client.
  ///
  /// Unanswered requests may have had their effect or not. `daemonLives`: they may have it later,
  /// since those about widgets wait for files that are being read.
  func loseConnection(_ slot: Int, daemonLives: Bool = false) {
    guard let connection = clients[slot].connection else { return }
    for outstanding in clients[slot].outstanding.values.sorted(by: { $0.sequence < $1.sequence }) {
      if daemonLives, case .widget = outstanding.claim {
        ledger.giveUp(outstanding.sequence, outstanding.claim)
      } else {
        ledger.settle(outstanding.sequence, outstanding.claim, .unsure)
      }
      sendAgain(outstanding)
    }
    inThisTurn.insert(connection)
    slots[connection] = nil
    clients[slot].forgetConnection()
  }
}
