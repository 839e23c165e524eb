package import IntentRouter
package import JSON
package import Plugins
import Timekeeping
package import WidgetCenter

/// Everything that can happen to the daemon.
///
/// Plain values: an event can be compared, printed, recorded and replayed. The shell makes events
/// from sockets, pipes, clocks and disks and passes them to `Daemon.handle`.
package enum Event: Hashable, Sendable {
  /// The process started; the first event of all.
  case started
  /// The store answered.
  case store(StoreReply)
  /// The files of the configuration were read, at start or again.
  case configuration(ConfigurationFiles)

  case connected(ConnectionID, Peer)
  /// Bytes arrived, in any split.
  case received(ConnectionID, [UInt8])
  /// More than `WireLimits.queuedBytesMax` bytes wait for this client; the shell stopped reading
  /// from it.
  case backedUp(ConnectionID)
  /// This many bytes wait for this client; sent after each turn that left some.
  case queued(ConnectionID, bytes: Int)
  /// All bytes queued for this client went out; the shell reads from it again.
  case drained(ConnectionID)
  case disconnected(ConnectionID)

  /// A provider's run ended.
  ///
  /// Exactly one such event follows each `Effect.runProvider`.
  case provider(RunToken, ProviderOutcome)
  /// A plugin that stays running printed a frame; comes at most ten times a second.
  ///
  /// The run that it belongs to goes on. The end of the run is `provider`, as of any other.
  case streamFrame(RunToken, [UInt8])
  /// A plugin that stays running floods, or does not read what it is told.
  case streamNotice(RunToken, StreamNotice)
  /// An application was started for a tap or a callback, or could not be started.
  case launched(LaunchToken, LaunchOutcome)
  /// A program that was started for a click on a plugin ended, or is not watched any longer.
  ///
  /// Exactly one such event follows each `launched` that says that one was started.
  case commandEnded(LaunchToken)

  /// Downloads ended.
  ///
  /// Exactly one such event follows each `Effect.fetch`.
  case fetched(FetchToken, FetchOutcome)

  /// The deadline of the last `Effect.wakeUp` passed.
  case wakeUp
  /// The wall clock was set, or the machine slept.
  case clockChanged
  /// The machine got a way to other networks, or lost it.
  ///
  /// The daemon assumes that it has one until it is told otherwise.
  case networkChanged(isUp: Bool)
  /// Local time is this many seconds ahead of UTC; sent at start and whenever that changes.
  ///
  /// `hasOtherRules`: the person chose another zone, which may have the same offset today.
  case zoneChanged(secondsEast: Int64, hasOtherRules: Bool = false)
  /// Something happened to the machine, or to the person's session on it.
  case machine(MachineEvent)
  /// Files of the configuration changed, or may have changed.
  ///
  /// Sent for each report of the kernel; the daemon decides when it reads the files.
  case filesChanged
  /// Whether the shell watches the configuration's files, and what it cannot watch.
  case watching(isOn: Bool, issues: [DocumentIssue])
  /// An upgrade put another build at the path of the running program; sent once.
  case programReplaced
  /// SIGHUP came: the configuration's files are to be read again.
  case reloadRequested
  /// SIGTERM or SIGINT came: the daemon is to write everything it acknowledged, and stop.
  case stopRequested
  /// All other events of the turn are handled; its writes are to become one transaction.
  case turnEnded
}

/// The number of one client's connection, used once in the life of the process.
package struct ConnectionID: Hashable, Comparable, Sendable {
  package var number: UInt64
  package init(_ number: UInt64) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// Hashes the number in one step, where the default takes three.
  ///
  /// Each request looks its connection up several times.
  package func _rawHashValue(seed: Int) -> Int { number._rawHashValue(seed: seed) }
}

/// The process at the other end of a connection, as the kernel reports it.
package struct Peer: Hashable, Sendable {
  package var userID: UInt32
  package var processID: Int32
  /// The file that the process runs; `nil`: unknown.
  package var program: ProgramFile?

  package init(userID: UInt32, processID: Int32, program: ProgramFile? = nil) {
    self.userID = userID
    self.processID = processID
    self.program = program
  }

  /// Whether both are the same process, or processes of the same program.
  func isSameProgram(as other: Peer) -> Bool {
    processID == other.processID || program != nil && program == other.program
  }
}

/// The file of a program, as the kernel numbers it.
///
/// All scripts of one interpreter have the same.
package struct ProgramFile: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// The number of one launch, for a tap or a callback.
package struct LaunchToken: Hashable, Sendable {
  package var number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// The outcome of a launch.
package enum LaunchOutcome: Hashable, Sendable {
  /// The application was started or opened: the id of its desktop entry.
  ///
  /// `processID` is its process, if it is known and has not ended again; `unit` the service of the
  /// user manager that it runs in.
  case started(application: String, processID: Int32? = nil, unit: String? = nil)
  /// The launch was refused or failed; `reason` is one of the documented words, `message` a
  /// sentence.
  case failed(reason: String, message: String)
}

/// The outcome of a provider's run.
package enum ProviderOutcome: Hashable, Sendable {
  /// The bytes of its answer: standard output of a one-shot run, the `result` of an extension's
  /// response. `diagnostics` is the end of its standard error, for an answer that cannot be used.
  case answered([UInt8], diagnostics: String = "")
  /// A plugin ended by itself, with whatever status: the output of a script that is read by the
  /// rules of its family.
  case printed(PluginOutput)
  case failed(ProviderFailure)
}

/// The files of the configuration as they were read from disk, before they are checked.
package struct ConfigurationFiles: Hashable, Sendable {
  package var catalog: [CatalogSource]
  package var manifests: [ManifestSource]
  /// The settings file; `nil`: there is none, and the defaults hold.
  package var settings: SettingsSource?
  /// The issues of files that could not be read: missing permissions, broken YAML.
  package var issues: [DocumentIssue]
  /// The manifests that were not taken because somebody else may change them or their program.
  ///
  /// The last good version of such a manifest does not stay in force.
  package var refusedManifests: Set<String> = []
  /// The consents of the person, by kind.
  package var consents: [String: Consent] = [:]
  /// The files of the plugins folders, in the order of folders, then of paths.
  package var plugins: [PluginSource] = []

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
