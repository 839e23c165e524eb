import Timekeeping

/// The rows and lists of the store that the daemon could not use when it started.
package struct RestoreLosses: Hashable, Sendable {
  /// The number of rows that could not be read.
  package var unreadableRowCount = 0
  /// Names of lists whose edits the configuration does not take.
  package var lists: [String] = []
}

/// Counts and measurements for `daemon.metrics`: no decision depends on them.
struct Statistics: Sendable {
  private(set) var requestCount: UInt64 = 0
  private(set) var turnCount: UInt64 = 0
  private(set) var launchCount: UInt64 = 0
  private(set) var turnDurations = DurationHistogram()
  /// Nanoseconds of processor time that the providers of each kind used.
  private(set) var processorTime: [String: UInt64] = [:]
  private(set) var restoreLosses = RestoreLosses()

  mutating func countRequest() { requestCount += 1 }
  mutating func countTurn() { turnCount += 1 }
  mutating func countLaunch() { launchCount += 1 }

  /// Notes a list whose edits the configuration does not take.
  mutating func noteLostList(_ name: String) { restoreLosses.lists.append(name) }

  /// Notes the number of rows that could not be read at start.
  mutating func noteUnreadableRows(_ count: Int) { restoreLosses.unreadableRowCount = count }

  /// Adds the time from a turn's first event to its last effect.
  mutating func addTurn(nanoseconds: UInt64) { turnDurations.add(nanoseconds) }

  /// Adds the processor time of a provider's process that ended.
  mutating func addProvider(kind: String, nanoseconds: UInt64) {
    processorTime[kind, default: 0] &+= nanoseconds
  }
}
