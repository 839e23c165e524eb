import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Follows the machine: it sleeps and wakes, is locked, and runs short of power.
extension Daemon {
  mutating func follow(_ event: MachineEvent, at now: Now, into effects: inout [Effect]) {
    switch event {
    case .willSleep:
      sleep.announce(at: now.monotonic)
      effects.append(.log(LogLine(.debug, "machine.sleeps")))
    case .didWake:
      sleep.wake()
      effects.append(.log(LogLine(.debug, "machine.woke")))
      // The same as after a clock that jumped, which may be told as well, before or after this: the
      // second one finds nothing overdue.
      catchUp(at: now, into: &effects)
    case .sessionLocked(let isLocked):
      setLocked(isLocked, at: now, into: &effects)
    case .supplyChanged(let supply):
      var output = EngineOutput()
      let before = engine.savingCauses
      engine.setSupply(supply, at: now.wall, into: &output)
      let causes = engine.savingCauses
      if causes != before {
        effects.append(
          .log(
            LogLine(
              .notice, "budgets.changed",
              ["halved": causes.isEmpty ? "no" : causes.map(\.rawValue).joined(separator: ",")])))
      }
      // Until the daemon runs, the journal must take no entry.
      guard phase == .running else { return }
      engine.advance(at: now, into: &output)
      apply(output, at: now, into: &effects)
    }
  }

  /// Judges anew what is shown and what is due, after a time in which the daemon did not run or a
  /// clock that was set.
  ///
  /// A timeline that became overdue has one reload, and these are spread.
  mutating func catchUp(at now: Now, into effects: inout [Effect]) {
    alarm.reset()
    guard phase == .running else { return }
    var output = EngineOutput()
    engine.clockChanged(at: now.wall, into: &output)
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
  }

  /// Whether the person's session is locked: they look at nothing, and whoever taps is somebody else.
  package var isLocked: Bool { engine.isLocked }

  /// Masks private widgets, and lets every surface count as hidden, or undoes both.
  ///
  /// A surface that is visible hears of the masks before it counts as hidden.
  private mutating func setLocked(
    _ isLocked: Bool, at now: Now, into effects: inout [Effect]
  ) {
    guard isLocked != engine.isLocked else { return }
    if isLocked {
      for number in surfaces.numbers { noteDwell(number, at: now, into: &effects) }
    }
    var output = EngineOutput()
    engine.setLocked(isLocked, at: now.wall, into: &output)
    effects.append(.log(LogLine(.debug, isLocked ? "session.locked" : "session.unlocked")))
    if phase == .running { apply(output, at: now, into: &effects) }
    surfaces.setLocked(isLocked, at: now.monotonic)
    updateWatches(at: now, into: &effects)
  }

  /// Refuses an act of whoever is at the machine while the session is locked.
  func refuseIfLocked() throws(RPCError) {
    guard engine.isLocked else { return }
    throw RPCError(.sessionLocked, "the session is locked; unlock it, and tap again")
  }

  /// Shows notifications of widgets whose urgent entry became current, if the person wants them.
  ///
  /// In private mode there are none, nor of private widgets while the session is locked.
  mutating func notifyOfUrgent(
    _ widgets: [String], at now: Now, into effects: inout [Effect]
  ) {
    guard !widgets.isEmpty, phase == .running, configuration.settings.notifiesUrgent,
      !engine.isPrivate
    else { return }
    for id in widgets {
      guard let notice = engine.urgentNotice(of: id, at: now.wall),
        urgentNotices.take(id, at: now.wall)
      else { continue }
      journal.append("notified", at: now.wall, fields: ["widget": .string(id)])
      effects.append(.notify(notice))
    }
  }

  /// Lets the machine sleep once everything is on disk, or cannot be written.
  mutating func releaseSleep(into effects: inout [Effect]) {
    guard sleep.isAwaited, phase != .running || writes.isSaved || writes.failure != nil else {
      return
    }
    sleep.release()
    effects.append(.sleepMayCome)
  }
}
