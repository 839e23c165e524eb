package import IntentRouter
package import JSON
import Timekeeping
package import WidgetCenter

/// Everything that can happen to the daemon.
///
/// Plain values: an event can be compared, printed, recorded and replayed. The shell turns what it
/// sees on sockets, pipes, clocks and disks into these and hands them to `Daemon.handle`.
package enum Event: Hashable, Sendable {
  /// The first event of all: open the store, read the configuration.
  case started
  /// The store answered.
  case store(StoreReply)
  /// The files of the configuration were read, at start or again.
  case configuration(ConfigurationFiles)

  case connected(ConnectionID, Peer)
  /// Bytes arrived, in any split.
  case received(ConnectionID, [UInt8])
  /// What is queued for this client passed `WireLimits.queuedBytesMax`; the shell stopped reading from it.
  case backedUp(ConnectionID)
  /// Everything queued for this client went out; the shell reads again.
  case drained(ConnectionID)
  case disconnected(ConnectionID)

  /// A provider's run ended, one way or another. Exactly one for each `Effect.runProvider`.
  case provider(RunToken, ProviderOutcome)
  /// An application was started for a tap, or could not be.
  case launched(LaunchToken, LaunchOutcome)

  /// The deadline of the last `Effect.wakeUp` passed.
  case wakeUp
  /// Somebody set the wall clock, or the machine slept.
  case clockChanged
  /// The machine has a way to other networks, or has none any more. It is taken to have one until told otherwise.
  case networkChanged(isUp: Bool)
  /// Local time is so many seconds ahead of UTC: at the start, and whenever that changes.
  case zoneChanged(secondsEast: Int64)
  /// SIGHUP, or a client asked: read the configuration again.
  case reloadRequested
  /// SIGTERM or SIGINT: finish what was acknowledged and stop.
  case stopRequested
  /// The turn's other events are all handled: collect its writes into one transaction, arm the next wake-up.
  case turnEnded
}

/// One client's connection, unique for the life of the process.
package struct ConnectionID: Hashable, Comparable, Sendable {
  package var number: UInt64
  package init(_ number: UInt64) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Who is at the other end, as the kernel says.
package struct Peer: Hashable, Sendable {
  package var userID: UInt32
  package var processID: Int32
  package init(userID: UInt32, processID: Int32) {
    self.userID = userID
    self.processID = processID
  }
}

/// One launch for a tap.
package struct LaunchToken: Hashable, Sendable {
  package var number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// What became of a launch.
package enum LaunchOutcome: Hashable, Sendable {
  /// Started; the desktop entry's id and the process it became.
  case started(application: String, processID: Int32)
  /// Refused or failed; `reason` is one of the documented words, `message` a sentence.
  case failed(reason: String, message: String)
}

/// How a provider's run ended.
package enum ProviderOutcome: Hashable, Sendable {
  /// The bytes of its answer: standard output of a one-shot run, the `result` of an extension's response.
  case answered([UInt8])
  case failed(ProviderFailure)
}

/// The configuration as it was found on disk, before any of it is judged.
package struct ConfigurationFiles: Hashable, Sendable {
  package var catalog: [CatalogSource]
  package var manifests: [ManifestSource]
  /// `nil`: there is no such file, and everything is as usual.
  package var settings: SettingsSource?
  /// What could not even be read: unreadable files, broken YAML.
  package var issues: [DocumentIssue]

  package init(
    catalog: [CatalogSource] = [], manifests: [ManifestSource] = [],
    settings: SettingsSource? = nil, issues: [DocumentIssue] = []
  ) {
    self.catalog = catalog
    self.manifests = manifests
    self.settings = settings
    self.issues = issues
  }
}
