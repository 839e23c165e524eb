package import WidgetCenter

/// Something that happened to the machine, as its services told the shell.
///
/// Each of these services may be absent, or die: then its events do not come, and what was told last
/// holds until the shell says otherwise.
package enum MachineEvent: Hashable, Sendable {
  /// The machine is about to sleep; it waits until `Effect.sleepMayCome`, for some seconds at most.
  case willSleep
  /// The machine woke, or did not fall asleep after all.
  case didWake
  /// The person's session was locked or unlocked; the daemon assumes that it is unlocked until it is
  /// told.
  case sessionLocked(Bool)
  /// The machine's power or its network's price is another; the daemon assumes enough of both until
  /// it is told.
  case supplyChanged(MachineSupply)
}
