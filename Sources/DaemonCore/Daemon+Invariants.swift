import JSONRPC
import Timekeeping
package import WidgetCenter

/// What holds after every turn, and views into the daemon: for tests and the simulator.
extension Daemon {
  package var widgetEngine: WidgetEngine { engine }

  /// Lends the daemon and its engine to somebody who looks: a copy of either counts hundreds of references.
  package mutating func lend<Result>(
    _ look: (inout Daemon) -> Result
  ) -> Result { look(&self) }

  /// Lends the engine alone.
  package mutating func lendEngine<Result>(
    _ look: (inout WidgetEngine) -> Result
  ) -> Result { look(&engine) }

  /// A sentence for everything that is wrong; empty in a sound daemon.
  ///
  /// To be asked after `turnEnded`.
  package func checkInvariants(isThorough: Bool) -> [String] {
    engine.checkInvariants(isThorough: isThorough) + checkLimits() + checkQueues() + checkReplies()
      + checkWrites()
  }

  /// The part about limits alone: cheap enough for every turn of years.
  ///
  /// O(connections).
  package func checkLimits() -> [String] {
    var wrong: [String] = []
    func check(_ count: Int, _ most: Int, _ what: String) {
      if count > most { wrong.append("\(count) \(what), of \(most) at most") }
    }
    check(sessions.count, Limits.connectionCountMax, "clients are connected")
    check(engine.widgets.count, WidgetCenter.Limits.widgetCountMax, "widgets are there")
    check(
      engine.runningCount, WidgetCenter.Limits.runningProviderCountMax, "providers run at once")
    check(callbacks.pending.count, Limits.callbackCountMax, "callbacks wait")
    for session in sessions.values {
      check(session.waitingCount, Limits.waitingCountMax, "requests of one connection wait")
    }
    return wrong
  }

  private func checkQueues() -> [String] {
    var wrong: [String] = []
    if phase == .running, engine.queuedCount > 0,
      engine.runningCount < WidgetCenter.Limits.runningProviderCountMax,
      engine.timelines.values.contains(where: { if case .queued = $0.run { true } else { false } })
    {
      wrong.append("a reload is queued while only \(engine.runningCount) providers run")
    }
    var attached: Set<ConnectionID> = []
    for connection in surfaceConnections {
      if !attached.insert(connection).inserted {
        wrong.append("surface \(connection.number) is attached twice")
      }
      if sessions[connection]?.surface == nil {
        wrong.append("surface \(connection.number) is attached and gone")
      }
    }
    for (connection, session) in sessions {
      if session.surface != nil, !attached.contains(connection) {
        wrong.append("connection \(connection.number) is a surface that hears nothing")
      }
    }
    return wrong
  }

  private func checkReplies() -> [String] {
    var wrong: [String] = []
    var waiting: [ConnectionID: Int] = [:]
    for waiter in waiters.values { waiting[waiter.address.connection, default: 0] += 1 }
    for long in longAnswers { waiting[long.address.connection, default: 0] += 1 }
    for long in longReloads where sessions[long.address.connection] != nil {
      waiting[long.address.connection, default: 0] += 1
    }
    for launch in launches.values { waiting[launch.address.connection, default: 0] += 1 }
    for pending in pendingOptions.values
    where sessions[pending.completion.address.connection] != nil {
      waiting[pending.completion.address.connection, default: 0] += 1
    }
    if phase == .running, Set(pendingOptions.keys) != engine.optionTokens {
      wrong.append("options are asked for that nobody waits for, or the other way round")
    }
    for (connection, session) in sessions where session.waitingCount != waiting[connection] ?? 0 {
      wrong.append(
        "\(session.waitingCount) requests of connection \(connection.number) are counted as waiting, and \(waiting[connection] ?? 0) do"
      )
    }
    for (connection, session) in sessions {
      let long = longAnswers.count { $0.address.connection == connection }
      if session.longAnswerCount != long {
        wrong.append(
          "connection \(connection.number) waits for \(long) lists, and counts otherwise")
      }
      if !session.isMidLine, !session.heldLines.isEmpty {
        wrong.append("lines for connection \(connection.number) wait for the end of none")
      }
    }
    for (number, waiter) in waiters {
      let isAwaited = waitersByReceipt.contains { receipt, waiters in
        waiters.contains(number) && engine.receipts[receipt]?.hasEnded == false
      }
      if !isAwaited {
        wrong.append(
          "a request waits for receipts that will not call it: \(waiter.receipts.map(\.text))")
      }
    }
    if waiters.isEmpty, longReloads.isEmpty, !awaited.isEmpty {
      wrong.append("\(awaited.count) receipts are kept for answers, and none waits")
    }
    for callback in callbacks.pending
    where !callback.receipts.contains(where: { engine.leader(of: $0)?.state == .accepted }) {
      wrong.append("a callback waits for receipts that will not call it")
    }
    for batch in batches.values {
      if batch.missing <= 0 {
        wrong.append(
          "a batch of connection \(batch.connection.number) is complete and was not sent")
      }
      if sessions[batch.connection] == nil, waiters.isEmpty, longAnswers.isEmpty,
        longReloads.isEmpty, launches.isEmpty,
        turnReplies.isEmpty, pendingOptions.isEmpty,
        transactionUnderWay == nil, awaitingConfiguration.isEmpty
      {
        wrong.append("a batch is kept for connection \(batch.connection.number), which is gone")
      }
    }
    if !currentReplies.isEmpty || !outgoing.isEmpty {
      wrong.append("lines are left over from the turn")
    }
    return wrong
  }

  private func checkWrites() -> [String] {
    var wrong: [String] = []
    if !dirty.isEmpty { wrong.append("records were changed and not collected into a transaction") }
    let isUnderWay = transactionUnderWay != nil
    if !isUnderWay, retryCommitAt == nil, pacing.holdUntil == nil, phase != .stopped {
      if !turnWrites.isEmpty { wrong.append("\(turnWrites.count) writes wait for nothing") }
      if !turnReplies.isEmpty { wrong.append("\(turnReplies.count) replies wait for nothing") }
    }
    if phase == .running, !isUnderWay, !turnWrites.isEmpty,
      let commitAt = retryCommitAt ?? pacing.holdUntil
    {
      let isArmed = armedWakeUp.map { $0.milliseconds(since: commitAt) <= 1 } ?? false
      if !isArmed { wrong.append("writes wait to be tried again, and no wake-up is armed for it") }
    }
    return wrong
  }
}
