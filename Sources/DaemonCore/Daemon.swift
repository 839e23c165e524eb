import IntentProtocol
package import IntentRouter
import JSON
import JSONRPC
package import Timekeeping
import WidgetCenter

/// The daemon as a value: its state and its decisions, without a clock, files or sockets.
///
/// `handle` is the main door: it takes one event and the moment at which it happened, and appends
/// effects. No code in this module reads a clock, a file or a socket, or depends on the order of a
/// dictionary. `DaemonRuntime` runs the daemon over libuv and SQLite, `Simulator` over virtual time
/// and injected faults.
///
/// No decision depends on the other doors. `owes` only looks: the shell asks it before it closes a
/// half-closed connection. `measuredTurn` and `measuredProvider` add to the metrics; `memoryUse`
/// and `supervisionGaps` are asked for the metrics and the status, and `note` adds to the status.
/// Tests and the simulator look
/// inside through `Checks/`.
///
/// The struct only wires its parts together: each stored member is a part that owns its state, and
/// the extensions are the places where parts meet.
///
/// ```
/// Event ─► handle ─┬─► sessions: bytes → requests       Connections/ Sessions, Backlogs, …
///                  ├─► router: sentence, URL → intent   Methods/     Questions, Launches, …
///                  ├─► engine: timelines, budget, stack Methods/     StackOrders
///                  ├─► answers, held until durable      Replies/     Outbox, ReceiptWaiters, …
///                  └─► records and history              Writes/      WriteQueue, Journal
/// ```
package struct Daemon: Sendable {
  package struct Options: Hashable, Sendable {
    /// The user whose clients are served; connections of other users are closed.
    package var userID: UInt32
    package var processID: Int32
    package var version: String
    /// Passed to providers, such as `en_US`.
    package var locale: String
    /// The folders of manifests, the person's own first, for answers about missing kinds.
    package var widgetFolders: [String]
    /// Widgets of one request that one turn describes or reloads, at most; 1 or more.
    package var widgetsInSliceMax: Int
    /// `Limits.claimsInTurnMax` and `Limits.rankedRowsInTurnMax`, or less; 1 or more.
    package var claimsInTurnMax = Limits.claimsInTurnMax
    package var rankedRowsInTurnMax = Limits.rankedRowsInTurnMax
    /// `Limits.connectionWorkMax`, or less; 1 or more.
    package var connectionWorkMax = Limits.connectionWorkMax
    /// The folder with the folders of groups; empty: apps are told of none.
    package var groupsFolder = ""
    /// Bytes that all clients together make the daemon hold; see `MemoryBudget`.
    package var clientBytesMax = Limits.clientBytesMax

    package init(
      userID: UInt32, processID: Int32, version: String, locale: String = "en_US",
      widgetFolders: [String] = [], widgetsInSliceMax: Int = Limits.widgetsInSliceMax
    ) {
      self.widgetsInSliceMax = max(1, widgetsInSliceMax)
      self.userID = userID
      self.processID = processID
      self.version = version
      self.locale = locale
      self.widgetFolders = widgetFolders
    }
  }

  enum Phase: Hashable, Sendable {
    case loadingStore
    /// The stored state waits for the first configuration.
    case loadingConfiguration(StoredState)
    case running
    /// A transaction failed that had what clients were promised: memory waits for the rows that are
    /// on disk.
    case startingOver
    /// The daemon waits for its last transaction.
    case stopping
    /// No request is served and nothing is written any more.
    case stopped
  }

  let options: Options
  /// Spells numbers in a language; the shell passes it in, since the core reads no locale data.
  let spelling: NumberSpelling
  let words: NearWordsOfLanguage
  /// A sentence for each thing that this machine lacks for the supervision of runs; for the status.
  package var supervisionGaps: [String] = []
  /// The services of the desktop that the shell speaks to; for the status.
  var services = DesktopServices()
  /// Reads the memory of the daemon's processes, for the metrics; set by the shell.
  package var memoryUse: @Sendable () -> MemoryUse = { MemoryUse() }
  var phase = Phase.loadingStore
  var startedAt = Instant(nanoseconds: 0)
  /// Whether another build is installed than the one that runs.
  var newerIsInstalled = false

  // Knowledge: intents, widgets, history, counts.
  var configuration = Configuration()
  var fileWatch = FileWatch()
  var engine = WidgetEngine()
  var journal = Journal()
  var statistics = Statistics()

  // Connections, and the widgets they are shown.
  var sessions = Sessions()
  var backlogs = Backlogs()
  var work: TurnWork
  var unfinishedLines = UnfinishedLines()
  var memory: MemoryBudget
  var surfaces = Surfaces()
  var stackOrders = StackOrders()
  var stackRoom: StackRoom

  // Work under way.
  var pagedLists = PagedLists()
  var bulkReloads = BulkReloads()
  var receiptWaiters = ReceiptWaiters()
  var questions = Questions()
  var performs = Performs()
  var launches = Launches()
  var commands = Commands()
  var openMenus = OpenMenus()
  var galleries = OpenGalleries()
  var callbacks = Callbacks()
  var tapReloads = TapReloads()
  var links = Links()
  var appWidgets = AppWidgets()
  /// The pace at which apps in the background configure their widgets, all of them together.
  var appConfigurationPace = Pacing(
    interval: Limits.appConfigurationInterval, burst: Limits.appConfigurationBurst)
  /// The pace of changes of lists, in values.
  var listPace = Pacing(interval: Limits.listValueInterval, burst: Limits.listValueBurst)
  /// Until then long changes of lists are refused unread; `nil`: none was refused yet.
  var longListsWaitUntil: Instant?

  // Output: lines, writes, and the next wake-up.
  var outbox = Outbox()
  /// Whether the last downloads had no program; the log says so once.
  var isFetchMissing = false
  var writes = WriteQueue()
  var heldEffects = HeldEffects()
  var keptRows = KeptRows()
  var requests = RememberedRequests()
  /// The undoing that is under way; `nil`: none is.
  var startingOver: StartingOver?
  var sleep = SleepWatch()
  var urgentNotices = UrgentNotices()
  var alarm = Alarm()

  package init(
    options: Options, spelling: @escaping NumberSpelling = { _, _ in nil },
    words: @escaping NearWordsOfLanguage = { _ in NearWords() }
  ) {
    self.options = options
    self.spelling = spelling
    self.words = words
    memory = MemoryBudget(bytesMax: options.clientBytesMax)
    stackRoom = StackRoom(
      claimsInTurn: options.claimsInTurnMax, rowsInTurn: options.rankedRowsInTurnMax)
    work = TurnWork(shareMax: options.connectionWorkMax)
    engine.locale = options.locale
  }

  /// Handles one event and appends its effects to `effects`.
  package mutating func handle(_ event: Event, at now: Now, into effects: inout [Effect]) {
    if startingOver != nil, postpone(event) { return }
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
    case .zoneChanged(let seconds, let hasOtherRules):
      changeZone(secondsEast: seconds, hasOtherRules: hasOtherRules, at: now, into: &effects)
    case .backedUp(let connection):
      outbox.setBackedUp(true, connection)
    case .queued(let connection, let bytes):
      if sessions.contains(connection) { memory.setQueued(bytes, connection) }
    case .drained(let connection):
      outbox.setBackedUp(false, connection)
      unfinishedLines.beginAnew(connection, at: now.monotonic)
      memory.setQueued(0, connection)
    case .store(let reply):
      handleStore(reply, at: now, into: &effects)
    case .provider(let token, let outcome):
      handleProvider(token, outcome, at: now, into: &effects)
    case .streamFrame(let token, let frame):
      guard phase == .running else { return }
      var output = EngineOutput()
      engine.streamPrinted(token, frame, at: now, into: &output)
      apply(output, at: now, into: &effects)
    case .streamNotice(let token, let notice):
      logStream(token, notice, at: now, into: &effects)
    case .launched(let token, let outcome):
      handleLaunch(token, outcome, at: now, into: &effects)
    case .commandEnded(let token):
      endCommand(token, at: now, into: &effects)
    case .fetched(let token, let outcome):
      takeDownloads(token, outcome, at: now, into: &effects)
    case .configuration(let files):
      apply(files, at: now, into: &effects)
    case .wakeUp:
      alarm.reset()
      advance(at: now, into: &effects)
    case .machine(let event):
      follow(event, at: now, into: &effects)
    case .clockChanged:
      catchUp(at: now, into: &effects)
      guard phase == .running else { return }
      effects.append(.log(LogLine(.notice, "clock.changed", ["now": now.wall.rfc3339])))
    case .programReplaced:
      newerIsInstalled = true
      effects.append(
        .log(
          LogLine(
            .notice, "program.replaced", ["remedy": "systemctl --user restart intentd"])))
    case .reloadRequested:
      requestConfiguration(at: now, into: &effects)
    case .filesChanged:
      fileWatch.noteChange(at: now.monotonic)
    case .watching(let isOn, let issues):
      setWatching(isOn: isOn, issues: issues, into: &effects)
    case .stopRequested:
      beginStopping(at: now, into: &effects)
    case .started:
      startedAt = now.monotonic
      effects.append(.store(.load(journalRows: Limits.journalRowCountMax)))
    }
  }

  /// Returns whether this client still has an answer coming.
  ///
  /// The shell keeps a half-closed connection open as long as it has.
  package func owes(_ connection: ConnectionID) -> Bool {
    // Its last requests may be among the events that wait.
    startingOver != nil || backlogs.contains(connection) || outbox.owes(connection)
      || configuration.isAwaited(by: connection)
  }

  /// Runs the engine's work that is due.
  mutating func advance(at now: Now, into effects: inout [Effect]) {
    guard phase == .running else { return }
    var output = EngineOutput()
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
    answerLateMenus(at: now)
    answerGalleries(at: now)
  }

  private mutating func handleProvider(
    _ token: RunToken, _ outcome: ProviderOutcome, at now: Now, into effects: inout [Effect]
  ) {
    if phase != .running, case .failed(let failure) = outcome, failure.reason == .cancelled {
      // The daemon cancelled this run because it stops. The provider is not to blame, and the next
      // start takes the requests up again.
      return
    }
    // A run that waits for the disk has not begun: nothing can have ended.
    guard phase != .stopped, !heldEffects.holds(token) else { return }
    if takePerform(token, outcome, at: now, into: &effects) { return }
    if takeOptions(token, outcome, at: now, into: &effects) { return }
    if takePreview(token, outcome, at: now, into: &effects) { return }
    var output = EngineOutput()
    switch outcome {
    case .answered(let bytes, let diagnostics):
      engine.runEnded(token, .success(bytes), diagnostics: diagnostics, at: now, into: &output)
    case .printed(let printed):
      engine.runPrinted(token, printed, at: now, into: &output)
    case .failed(let failure):
      engine.runEnded(token, .failure(failure), at: now, into: &output)
    }
    if phase != .running { output.runs = [] }
    apply(output, at: now, into: &effects)
  }
}
