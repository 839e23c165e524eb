package import JSON
import JSONRPC
package import Timekeeping
package import WidgetCenter

/// Checks the rules that hold after each turn, and gives views into the daemon, for tests and the
/// simulator.
extension Daemon {
  package var widgetEngine: WidgetEngine { engine }

  /// Bytes that clients sent and whose turn has not come, of all clients together.
  package var backlogBytes: Int { backlogs.byteCount }

  /// Bytes that one client sent and whose turn has not come.
  package func backlogBytes(of connection: ConnectionID) -> Int {
    backlogs.byteCount(of: connection)
  }

  /// The mistakes in the configuration in force.
  package var configurationIssues: [DocumentIssue] { configuration.issues }

  /// The rows and lists of the store that the daemon could not use when it started.
  package var restoreLosses: RestoreLosses { statistics.restoreLosses }

  /// Calls `look` with the daemon in place, because a copy counts hundreds of references.
  package mutating func lend<Result>(
    _ look: (inout Daemon) -> Result
  ) -> Result { look(&self) }

  /// Calls `look` with the engine in place.
  package mutating func lendEngine<Result>(
    _ look: (inout WidgetEngine) -> Result
  ) -> Result { look(&engine) }

  /// Returns a sentence for everything that is wrong; none for a sound daemon.
  ///
  /// Call it after `turnEnded`.
  package func checkInvariants(isThorough: Bool) -> [String] {
    // Until the rows on disk are read, memory has what did not happen.
    if startingOver != nil { return checkLimits() }
    return engine.checkInvariants(isThorough: isThorough) + checkLimits() + checkQueues()
      + checkReplies() + checkWrites() + heldEffects.checkInvariants(engine)
      + (isSettled ? checkAppWidgets() : [])
  }

  /// Whether the daemon waits for the rows on disk, to forget a transaction that failed.
  package var isStartingOver: Bool { startingOver != nil }

  /// Checks the limits alone, which is cheap enough for every turn of simulated years.
  ///
  /// O(connections).
  package func checkLimits() -> [String] {
    var wrong: [String] = []
    func check(_ count: Int, _ most: Int, _ what: String) {
      if count > most { wrong.append("\(count) \(what), of \(most) at most") }
    }
    check(sessions.count, Limits.connectionCountMax, "clients are connected")
    check(engine.widgets.count, WidgetCenter.Limits.widgetCountMax, "widgets are there")
    check(engine.runningCount, WidgetCenter.Limits.runCountMax, "providers run at once")
    check(memory.usedBytes, memory.bytesMax, "bytes are held for clients")
    return wrong + outbox.checkLimits() + stackRoom.checkLimits()
  }

  private func checkQueues() -> [String] {
    var wrong: [String] = []
    if phase == .running, engine.queuedCount > 0 {
      for shared in engine.timelines.values {
        guard case .queued(let cause) = shared.run, engine.hasRoom(for: cause.urgency) else {
          continue
        }
        wrong.append(
          "a reload (\(cause.rawValue)) is queued while \(engine.runningCount) providers run, \(engine.overlongCount) of them without a slot"
        )
      }
    }
    if phase == .running, questions.tokens != engine.optionTokens {
      wrong.append("the runs for options are not those for which requests wait")
    }
    if phase == .running, performs.tokens != engine.performTokens {
      wrong.append("the runs that perform intents are not those for which requests wait")
    }
    if phase == .running {
      for wish in galleries.finished({ engine.isUnderWay($0) }) {
        wrong.append("a gallery waits for the preview of \(wish), which is not being made")
      }
    }
    return wrong + (phase == .running ? checkModes() : []) + surfaces.checkInvariants(sessions)
      + backlogs.checkInvariants(sessions)
      + unfinishedLines.checkInvariants(sessions) + memory.checkInvariants(sessions)
  }

  /// Returns a widget as the first surface of a client shows it; `nil`: there is no such widget.
  package func view(
    of id: String, onSurfaceOf connection: ConnectionID, at now: WallTime
  ) -> JSONObject? {
    let surface = surfaces.numbers(of: connection).first.flatMap { surfaces[$0] }
    return engine.view(
      of: id, as: look(of: id, on: surface), at: now, omitting: surface?.unwanted ?? .view)
  }

  private func checkModes() -> [String] {
    var wrong: [String] = []
    for number in surfaces.numbers {
      guard let surface = surfaces[number] else { continue }
      if surface.expanded != expandedWidgets(on: surface) {
        wrong.append(
          "\(surface.id) shows \(surface.expanded.sorted()) expanded, and should show"
            + " \(expandedWidgets(on: surface).sorted())")
      }
    }
    return wrong
  }

  private func checkReplies() -> [String] {
    var waiting: [ConnectionID: Int] = [:]
    let connections =
      receiptWaiters.connections + pagedLists.connections + bulkReloads.connections
      + performs.connections + launches.connections + openMenus.connections + questions.connections
      + galleries.connections
      + configuration.refusedConnections
      + requests.connections + configuration.waitingConnections
    for connection in connections { waiting[connection, default: 0] += 1 }
    let isAnswerUnderWay = !connections.isEmpty || configuration.isAwaited
    return outbox.checkInvariants(waiting: waiting, isAnswerUnderWay: isAnswerUnderWay)
      + (phase == .running ? requests.checkInvariants(alive: requestsUnderWay) : [])
      + pagedLists.checkInvariants() + callbacks.checkInvariants(engine)
      + tapReloads.checkInvariants(engine)
      + receiptWaiters.checkInvariants(engine, keepsForOthers: !bulkReloads.isEmpty)
  }

  private func checkWrites() -> [String] {
    var wrong = writes.checkInvariants(
      heldReplies: outbox.heldCount, isStopped: phase == .stopped)
    if phase == .running, let deadline = writes.nextDeadline {
      let isArmed = alarm.armedAt.map { $0.milliseconds(since: deadline) <= 1 } ?? false
      if !isArmed { wrong.append("writes wait for a moment, and no wake-up is armed for it") }
    }
    return wrong
  }
}
