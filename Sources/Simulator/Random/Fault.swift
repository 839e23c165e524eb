/// A fault that a world may have.
///
/// Each seed draws which of these exist at all, so that some worlds are quiet but for one thing
/// (swarm testing: a fault that always happens hides what others would show).
package enum Fault: String, CaseIterable, Hashable, Sendable {
  // Clients.
  case splitFrames, gluedFrames, garbageLines, wildBytes, oversizedFrames, halfClosedPeers,
    vanishedPeers, slowReaders, floods, disconnects, otherUsers
  // The store.
  case slowDisk, failingCommits, fullDisk, failingLoad
  // Providers and applications.
  case hangingProviders, dyingProviders, floodingProviders, wrongAnswers, emptyTimelines,
    oddTimelines, hugeTimelines, doubleOutcomes, lateAnswers, failingLaunches
  // Clocks.
  case clockForwards, clockBackwards, suspends
  // The process and its configuration.
  case crashes, stops, configurationChanges, brokenConfiguration
  // Faults around the machine.
  case networkLosses, zoneChanges
  // Changes of surfaces' properties and of kinds.
  case changingSurroundings, evolvingKinds

  /// The faults of one world, in the order of declaration.
  static func draw(_ randomness: inout Randomness) -> [Fault] {
    let percent = randomness.pick([0, 10, 25, 40, 60, 100])
    return allCases.filter { _ in randomness.chance(percent) }
  }
}

/// Ways to break the core on purpose, to see that the checkers notice.
///
/// A world without one is honest.
package enum Sabotage: String, CaseIterable, Hashable, Sendable {
  /// A line that answers a request is lost on its way out.
  case dropReply
  /// A line that answers a request is sent twice.
  case repeatReply
  /// The store reports a transaction as committed and loses one of its rows.
  case loseWrite
  /// A run is started twice.
  case repeatRun
  /// A wake-up is not armed.
  case forgetWakeUp
  /// A line goes to an unknown connection.
  case sendToStranger
  /// A run is never started.
  case forgetRun
  /// An app is not told of each second change of its widgets.
  case forgetAppChange
}
