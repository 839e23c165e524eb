import IntentProtocol
package import IntentRouter
import JSON
import JSONRPC
package import Timekeeping
import WidgetCenter

/// The whole daemon without its world.
///
/// One entry point: an event comes in with the moment it happened, effects come out. Nothing here
/// reads a clock, a file or a socket; nothing depends on the order of a dictionary. `DaemonRuntime` runs it
/// over libuv and SQLite, `Simulator` over virtual time and injected faults.
///
/// ```
/// Event ──► handle ──┬─► sessions: bytes → requests          Daemon+Frames
///                    ├─► router: sentence, URL → intent      Daemon+Intents, +URLs
///                    ├─► engine: timelines, budget, stack    Daemon+Widgets, +Stack, +Taps
///                    ├─► surfaces and host apps              Daemon+Surfaces
///                    └─► replies, held until durable         Daemon+Replies, Daemon+Turn
/// ```
package struct Daemon: Sendable {
  package struct Options: Hashable, Sendable {
    /// Only this user gets an answer.
    package var userID: UInt32
    package var processID: Int32
    package var version: String
    /// Passed to providers, such as `en_US`.
    package var locale: String
    /// Where manifests are looked for, the person's own folder first: for those who ask what is missing.
    package var widgetFolders: [String]
    /// Widgets of one request that a turn describes, or asks reloads for.
    package var widgetsInPieceMax: Int

    package init(
      userID: UInt32, processID: Int32, version: String, locale: String = "en_US",
      widgetFolders: [String] = [], widgetsInPieceMax: Int = Limits.widgetsInPieceMax
    ) {
      self.widgetsInPieceMax = max(1, widgetsInPieceMax)
      self.userID = userID
      self.processID = processID
      self.version = version
      self.locale = locale
      self.widgetFolders = widgetFolders
    }
  }

  enum Phase: Hashable, Sendable {
    case loadingStore
    /// What was stored waits for the first configuration.
    case loadingConfiguration(StoredState)
    case running
    /// Waiting for the last transaction, then for the store to close.
    case stopping
    case stopped
  }

  let options: Options
  /// How languages spell numbers: facts that the core is given, since it looks nothing up.
  let spelling: NumberSpelling
  var phase = Phase.loadingStore
  var startedAt = Instant(nanoseconds: 0)

  var sessions: [ConnectionID: Session] = [:]
  var catalog = IntentCatalog()
  var engine = WidgetEngine()
  var journal = Journal()

  /// What is wrong with the configuration in force.
  var issues: [DocumentIssue] = []
  /// Kinds by the intent that configures them, each list in the order of kind names.
  var kindsByIntent: [String: [String]] = [:]
  /// What clients changed about lists, kept across restarts and configurations.
  var editedLists: [String: ListEdit] = [:]
  /// Who asked for `daemon.reloadConfiguration`.
  var awaitingConfiguration: [ReplyAddress] = []
  var isConfigurationLoading = false

  // Replies: see Daemon+Replies.
  var currentReplies: [UInt8] = []
  var currentConnection: ConnectionID?
  /// Lines for other connections than the one being heard.
  var outgoing: [(ConnectionID, [UInt8])] = []
  var batches: [UInt64: PendingBatch] = [:]
  var lastBatch: UInt64 = 0
  var waiters: [UInt64: Waiter] = [:]
  var waitersByReceipt: [ReceiptID: [UInt64]] = [:]
  var lastWaiter: UInt64 = 0
  var receiptOwners: [ReceiptID: ConnectionID] = [:]
  /// Receipts that answers to come will name, as they are now, and how many do: they are kept here when
  /// the engine forgets them.
  var awaited: [ReceiptID: AwaitedReceipt] = [:]
  /// See Daemon+LongAnswers; oldest first.
  var longAnswers: [LongAnswer] = []
  /// See Daemon+LongReloads; oldest first.
  var longReloads: [LongReload] = []

  // Writes: see Daemon+Turn.
  var turnWrites: [StoreWrite] = []
  var turnReplies: [PendingReply] = []
  var dirty = DirtyRecords()
  /// Timelines whose views since their record was written have a row of their own.
  var viewRows: Set<TimelineKey> = []
  var transactionUnderWay: Transaction?
  var lastTransaction: UInt64 = 0
  var retryCommitAt: Instant?
  var pacing = CommitPacing()
  var storeFailure: StoreFailure?

  // Questions: see Daemon+Needs. Oldest first.
  var pendingNeeds: [PendingNeed] = []
  var lastNeed: UInt64 = 0
  /// Providers that are asked for options: see Daemon+Options.
  var pendingOptions: [RunToken: PendingOptions] = [:]

  // Taps under way.
  var launches: [LaunchToken: PendingLaunch] = [:]
  var lastLaunch: UInt64 = 0
  /// See Daemon+Callbacks.
  var callbacks = Callbacks()
  /// Reloads by the URLs of plugin hosts.
  var pluginPacing = LinkPacing()

  // Surfaces: see Daemon+Surfaces.
  var surfaceConnections: [ConnectionID] = []
  var lastSurface: UInt64 = 0
  /// Surfaces have to hear of more widgets than one update takes.
  var hasUnsaid = false
  var stackCache: StackCache?
  /// The same for surfaces that show some families only.
  var familyStacks: [WidgetFamilies: StackCache] = [:]

  var armedWakeUp: Instant?
  var counters = Counters()
  var measurements = Measurements()

  struct Counters: Hashable, Sendable {
    var requests: UInt64 = 0
    var refusals: UInt64 = 0
    var turns: UInt64 = 0
    var transactions: UInt64 = 0
    var launches: UInt64 = 0
    var failedTransactions: UInt64 = 0
  }

  package init(options: Options, spelling: @escaping NumberSpelling = { _, _ in nil }) {
    self.options = options
    self.spelling = spelling
    engine.locale = options.locale
  }

  /// Handles one event; what is to be done about it is appended to `effects`.
  package mutating func handle(_ event: Event, at now: Now, into effects: inout [Effect]) {
    switch event {
    case .received(let connection, let bytes):
      receive(bytes, from: connection, at: now, into: &effects)
    case .turnEnded:
      endTurn(at: now, into: &effects)
    case .connected(let connection, let peer):
      connect(connection, peer, into: &effects)
    case .disconnected(let connection):
      disconnect(connection, at: now, into: &effects)
    case .networkChanged(let isUp):
      changeNetwork(isUp: isUp, at: now, into: &effects)
    case .zoneChanged(let seconds):
      changeZone(secondsEast: seconds, at: now, into: &effects)
    case .backedUp(let connection):
      sessions[connection]?.isBackedUp = true
    case .drained(let connection):
      sessions[connection]?.isBackedUp = false
    case .store(let reply):
      handleStore(reply, at: now, into: &effects)
    case .provider(let token, let outcome):
      handleProvider(token, outcome, at: now, into: &effects)
    case .launched(let token, let outcome):
      handleLaunch(token, outcome, at: now)
    case .configuration(let files):
      apply(files, at: now, into: &effects)
    case .wakeUp:
      armedWakeUp = nil
      advance(at: now, into: &effects)
    case .clockChanged:
      armedWakeUp = nil
      guard phase == .running else { return }
      var output = EngineOutput()
      engine.clockChanged(at: now.wall, into: &output)
      engine.advance(at: now, into: &output)
      take(output, at: now, into: &effects)
      effects.append(.log(LogLine(.notice, "clock.changed", ["now": now.wall.rfc3339])))
    case .reloadRequested:
      requestConfiguration(into: &effects)
    case .stopRequested:
      beginStopping(into: &effects)
    case .started:
      startedAt = now.monotonic
      effects.append(.store(.load(journalRows: Limits.journalRowCountMax)))
    }
  }

  /// Lets the engine do what is due.
  mutating func advance(at now: Now, into effects: inout [Effect]) {
    guard phase == .running else { return }
    var output = EngineOutput()
    engine.advance(at: now, into: &output)
    take(output, at: now, into: &effects)
  }

  private mutating func handleProvider(
    _ token: RunToken, _ outcome: ProviderOutcome, at now: Now, into effects: inout [Effect]
  ) {
    if phase != .running, case .failed(let failure) = outcome, failure.reason == .cancelled {
      // Stopped because the daemon stops: no fault of the provider, and its requests are taken up after the next start.
      return
    }
    guard phase != .stopped else { return }
    if takeOptions(token, outcome, at: now, into: &effects) { return }
    var output = EngineOutput()
    switch outcome {
    case .answered(let bytes):
      engine.runEnded(token, .success(bytes), at: now, into: &output)
    case .failed(let failure):
      engine.runEnded(token, .failure(failure), at: now, into: &output)
    }
    if phase != .running { output.runs = [] }
    take(output, at: now, into: &effects)
  }
}
