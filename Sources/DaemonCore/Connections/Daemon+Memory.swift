import IntentProtocol
import JSON
import JSONRPC
import Timekeeping

/// Keeps the memory of all clients together below the budget, and gives up lines that do not end.
///
/// Here the unfinished lines, the backlogs, the bytes that wait for clients and the lists under way
/// meet.
extension Daemon {
  /// Notes how much of a line this client has sent, after `bytes` of it were handled.
  mutating func noteLine(of connection: ConnectionID, after bytes: Span<UInt8>, at now: Now) {
    // The line before may have closed the connection.
    guard let isBetweenLines = sessions.isBetweenLines(connection), !isBetweenLines else {
      unfinishedLines.end(connection)
      return
    }
    unfinishedLines.note(
      sessions.unfinishedBytes(of: connection),
      isNew: firstLineFeed(in: bytes, from: 0) < bytes.count, connection, at: now.monotonic)
  }

  /// Holds clients to their share, and takes from the largest, if the budget asks for it; gives up
  /// lines whose deadline has passed.
  ///
  /// It comes before the turn's lists and updates, which it may forbid.
  mutating func boundMemory(at now: Now, into effects: inout [Effect]) {
    giveUpLines(at: now, into: &effects)
    let wasTight = memory.isTight
    memory.note(
      usedBytes: unfinishedLines.bytes + backlogs.byteCount + memory.queuedBytes
        + outbox.keptBytes + pagedLists.bytes)
    if memory.isFull {
      for sacrifice in memory.sacrifices(among: sessions.connections.map(holding)) {
        switch sacrifice {
        case .line(let connection): skipLine(of: connection)
        case .connection(let connection):
          drop(
            connection, Self.hasTooMuch("it is closed; read the answers as they come", memory),
            reason: "too much memory", at: now, into: &effects)
        }
      }
    }
    guard memory.isTight || wasTight else { return }
    let isTight = memory.isTight
    for connection in sessions.connections {
      let holding = holding(of: connection)
      outbox.restrict(
        connection,
        mayAsk: !isTight || holding.otherBytes <= memory.shareBytes,
        mayHear: !isTight || memory.queuedBytes(of: connection) <= memory.shareBytes)
    }
  }

  private func holding(of connection: ConnectionID) -> MemoryBudget.Holding {
    MemoryBudget.Holding(
      connection: connection, processID: sessions.processID(of: connection) ?? 0,
      receivedBytes: unfinishedLines.bytes(of: connection),
      otherBytes: memory.queuedBytes(of: connection) + outbox.keptBytes(of: connection)
        + pagedLists.bytes(of: connection) + backlogs.byteCount(of: connection))
  }

  private mutating func skipLine(of connection: ConnectionID) {
    sessions.skipLine(connection)
    unfinishedLines.drop(connection)
    outbox.refuse(
      ReplyAddress(connection: connection, id: nil, batch: nil),
      Self.hasTooMuch("the line was skipped; send less at once, or later", memory),
      evenWithoutID: true)
  }

  private mutating func giveUpLines(at now: Now, into effects: inout [Effect]) {
    for connection in unfinishedLines.overdue(at: now.monotonic) {
      // The daemon has more of its line, and has not come to it; or reads nothing from a client for
      // which enough waits, so that the end of its line may have been sent.
      if backlogs.contains(connection) || outbox.isUnread(connection) {
        unfinishedLines.beginAnew(connection, at: now.monotonic)
        continue
      }
      drop(
        connection,
        RPCError(
          .lineUnfinished,
          "the end of a line did not come; the connection is closed: end each line with \\n, and send it without long pauses",
          details: [
            "pauseMilliseconds": .int(Limits.linePauseMax),
            "milliseconds": .int(Limits.lineTimeMax),
          ]), reason: "an unfinished line", at: now, into: &effects)
    }
  }

  /// Ends a connection at once, with an error that reaches the client if it reads.
  private mutating func drop(
    _ connection: ConnectionID, _ error: RPCError, reason: String, at now: Now,
    into effects: inout [Effect]
  ) {
    // In the middle of a list's line the error would be a part of that line.
    if !outbox.isMidLine(connection) {
      var line: [UInt8] = []
      appendError(id: nil, error, to: &line)
      effects.append(.send(connection, line))
    }
    effects.append(
      .log(
        LogLine(
          .warning, "connection.dropped",
          ["reason": reason, "pid": String(sessions.processID(of: connection) ?? 0)])))
    effects.append(.drop(connection, reason: reason))
    disconnect(connection, at: now, into: &effects)
  }

  /// Returns the refusal of a client that has more than its share while memory is tight.
  static func hasTooMuch(_ remedy: String, _ memory: MemoryBudget) -> RPCError {
    RPCError(
      .tooMuchMemory,
      "clients make the daemon hold too much, and this one has more than its share: \(remedy)",
      details: [
        "bytesMax": .int(Int64(memory.bytesMax)), "shareBytes": .int(Int64(memory.shareBytes)),
      ])
  }
}
