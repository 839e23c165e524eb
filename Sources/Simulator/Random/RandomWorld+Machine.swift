import DaemonCore
import Timekeeping
import WidgetCenter

/// A machine that runs short of power, or pays for its network, and that says so before it sleeps:
/// it waits for the daemon, for some seconds at most.
extension RandomWorld {
  /// A sleep that was announced.
  struct ComingSleep {
    var announcedAt: Instant
    var milliseconds: Int64
  }

  /// Milliseconds for which the machine waits for the daemon.
  private static let sleepPatience: Int64 = 5_000

  func setSupply(_ new: MachineSupply) {
    supply = new
    note(.world("the machine's supply is \(new)"))
    if process != nil { inbox.append(.machine(.supplyChanged(new))) }
  }

  func announceSleep(for milliseconds: Int64) {
    guard comingSleep == nil else { return }
    comingSleep = ComingSleep(announcedAt: monotonic, milliseconds: milliseconds)
    note(.world("the machine is about to sleep"))
    inbox.append(.machine(.willSleep))
    plan(.fallAsleep, after: Self.sleepPatience)
  }

  /// The daemon has written everything.
  package func letSleep() {
    guard let sleep = comingSleep else {
      violate("the daemon lets a machine sleep that is awake")
      return
    }
    if let lost = routine.lost("the machine sleeps", since: sleep.announcedAt, at: monotonic) {
      violate(lost)
    }
    statistics.sleeps += 1
    fallAsleep()
  }

  /// The machine sleeps, and wakes at once in the daemon's own time.
  func fallAsleep() {
    guard let sleep = comingSleep.take() else { return }
    jumpClock(by: sleep.milliseconds, noticedAfter: randomness.between(0, 50))
    if process != nil { inbox.append(.machine(.didWake)) }
  }
}
