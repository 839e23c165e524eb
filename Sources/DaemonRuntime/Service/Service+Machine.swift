import DaemonCore
import Glibc

/// Tells the core of the machine, and the desktop of urgent entries.
extension Service {
  func meetMachine() {
    let machine = MachineBus(
      loop: loop, userID: options.userID,
      address: MachineBus.address { [options] in options.environment[$0] },
      log: { [unowned self] in write($0) },
      report: { [unowned self] in inbox.append(.machine($0)) },
      note: { [unowned self] in daemon.note($0) })
    machine.onZone = { [unowned self] in readZone() }
    machine.onLock = { [unowned self] isLocked in
      sessionBus?.isLocked = isLocked
      // Only now: a daemon that a search has started behind a locked screen finds nothing. The calls
      // wait in the bus.
      sessionBus?.start()
    }
    machineBus = machine
    notifications = Notifications(
      loop: loop,
      address: ApplicationLauncher.busAddress { [options] in options.environment[$0] },
      log: { [unowned self] in write($0) }, note: { [unowned self] in daemon.note($0) },
      send: { [unowned self] in sendOnce($0) })
  }

  /// Hands the core a request as a client that is gone before the answer.
  private func sendOnce(_ line: [UInt8]) {
    let id = nextConnection()
    inbox += [
      .connected(id, Peer(userID: options.userID, processID: getpid())), .received(id, line),
      .disconnected(id),
    ]
  }
}
