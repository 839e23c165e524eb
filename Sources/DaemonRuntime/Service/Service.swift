import DaemonCore
import EventLoop
import Glibc
import IntentProtocol
import IntentRouter
import LanguageWords
package import Logging
import NumberWords
import Store
import Timekeeping

/// The core's shell over libuv and SQLite.
///
/// It turns sockets, children, clocks and the disk into events, and carries out effects.
///
/// One thread owns all of it. Callbacks only append to the inbox; once per iteration, just before
/// the loop waits, the turn (`Turn.swift`) hands the inbox to the core.
package final class Service {
  let options: RuntimeOptions
  let log: Logger
  let loop: Loop
  var daemon: Daemon
  let mailbox: Mailbox
  let waker: LoopWaker
  let wakeTimer: LoopTimer
  private(set) var store: SQLiteStore?
  private(set) var launcher: ProviderLauncher?
  private(set) var commands: CommandRunner?
  private(set) var fetches: FetchRunner?
  private(set) var applications: ApplicationLauncher?
  /// The daemon's name on the session bus.
  private(set) var sessionBus: SessionBus?
  /// The services of the machine: sleep, the lock, power.
  var machineBus: MachineBus?
  var notifications: Notifications?
  private var listeners: [PipeListener] = []
  private var signals: [SignalSource] = []
  private var clockWatcher: WallClockWatcher?
  /// Detects clock jumps that the kernel does not report; see `ClockJump`.
  var clockJump = ClockJump()
  private var networkWatcher: NetworkWatcher?
  let configurationLoader: ConfigurationLoader
  private(set) var configurationWatcher: ConfigurationWatcher?
  private let zone = LocalZone()
  /// The offset of the time zone that was last reported to the core, in seconds.
  private var zoneSeconds: Int64?
  let finder: ApplicationFinder
  /// The file of this program; `nil` once the core knows that an upgrade replaced it.
  var program = InstalledProgram.current()

  /// The events since the last turn.
  var inbox: [Event] = []
  /// The events of the turn under way; empty between turns, as `effects` is.
  var turnEvents: [Event] = []
  var effects: [Effect] = []
  var connections: [ConnectionID: Connection] = [:]
  private var lastConnection: UInt64 = 0
  /// The buffer for a turn's writes, one for each connection; empty between turns.
  var gathered: [GatheredWrite] = []
  /// Why the core had to stop; `nil` when it was asked to.
  package internal(set) var failure: ServiceError?
  var isReady = false
  var logLimiter = LogLimiter()

  /// One client.
  final class Connection {
    let id: ConnectionID
    let stream: PipeStream
    /// Its place among the turn's writes; `nil`: the turn has nothing for it yet.
    var gatheredPlace: Int?
    var isBackedUp = false
    /// Whether the core wants nothing more of this client for now.
    var isPaused = false
    /// Whether the core was told of bytes that wait for the client, and not of their end.
    var hasQueued = false

    init(id: ConnectionID, stream: PipeStream) {
      self.id = id
      self.stream = stream
    }
  }

  /// The bytes that a connection gets at the end of the turn.
  struct GatheredWrite {
    let connection: Connection
    var bytes: [UInt8]
  }

  package init(options: RuntimeOptions, log: Logger) throws(ServiceError) {
    self.options = options
    self.log = log
    do throws(LoopError) {
      loop = try Loop()
    } catch {
      throw ServiceError(error.message)
    }
    var core = Daemon.Options(
      userID: options.userID, processID: getpid(), version: options.version,
      locale: options.locale, widgetFolders: options.allWidgetFolders)
    core.clientBytesMax = options.clientBytesMax
    core.groupsFolder = options.groups.folder
    daemon = Daemon(
      options: core,
      spelling: { NumberWords.words(forTenths: $0, language: $1) },
      words: {
        NearWords(
          fillers: WordsOfLanguages.fillers(in: $0), blockers: WordsOfLanguages.blockers(in: $0))
      })
    configurationLoader = ConfigurationLoader(options)
    finder = ApplicationFinder(
      environment: { options.environment[$0] }, names: options.environment.keys.sorted())
    wakeTimer = LoopTimer(loop: loop)
    var onWake: () -> Void = {}
    waker = LoopWaker(loop: loop) { onWake() }
    mailbox = Mailbox(wakeHandle: waker.handleForThreads)
    onWake = { [unowned self] in inbox.append(contentsOf: mailbox.takeAll()) }
  }

  /// Listens, opens the store, and runs until the core stops.
  package func run() throws(ServiceError) {
    // The heap can be set up only before there is another thread.
    Loop.growHeap(by: RuntimeLimits.heapStep)
    do throws(ServiceError) {
      try start()
    } catch {
      loop.close()
      throw error
    }
    inbox.append(.started)
    loop.onTurn { [unowned self] in turn() }
    loop.runUntilStopped()
    finish()
    if let failure { throw failure }
  }

  /// Ends children, the store's thread and the loop, in this order.
  ///
  /// Bytes still queued for a client that does not read are dropped: nobody waits for it.
  func finish() {
    commands?.close()
    fetches?.close()
    launcher?.close()
    applications?.close()
    sessionBus?.close()
    machineBus?.close()
    notifications?.close()
    store?.finish()
    loop.close()
  }

  /// Listens, opens the store and watches signals, clock and network; nothing is handled yet.
  func start() throws(ServiceError) {
    try makePrivateFolder(options.stateFolder, purpose: "state")
    try makePrivateFolder(options.cacheFolder, purpose: "cache")
    // Before anybody can know that it is there: by itself, SIGHUP ends a process.
    try watchSignals()
    // Then the socket: it says whether another daemon has this place.
    try listen()
    // A file-size limit (RLIMIT_FSIZE) must be an error of that write and not end the daemon.
    _ = signal(SIGXFSZ, SIG_IGN)
    let mailbox = mailbox
    store = SQLiteStore(path: options.stateFolder + "/intentd.sqlite") { mailbox.post(.store($0)) }
    launcher = ProviderLauncher(loop: loop, options: options) { [unowned self] event in
      inbox.append(event)
    }
    watchSupervisor()
    launcher?.measured = { [unowned self] kind, microseconds in
      daemon.measuredProvider(kind: kind, nanoseconds: microseconds * 1_000)
    }
    commands = launcher.map { launcher in
      CommandRunner(
        loop: loop, launcher: launcher, terminal: options.environment["TERMINAL"],
        log: { [unowned self] in write($0) }, report: { [unowned self] in inbox.append($0) })
    }
    fetches = launcher.map { launcher in
      FetchRunner(
        loop: loop, supervisor: launcher.supervisor, options: options,
        cacheFolder: options.cacheFolder, report: { [unowned self] in inbox.append($0) })
    }
    applications = ApplicationLauncher(
      loop: loop, finder: finder,
      busAddress: ApplicationLauncher.busAddress { options.environment[$0] },
      log: { [unowned self] in write($0) },
      report: { [unowned self] in inbox.append(.launched($0, $1)) })
    sessionBus = SessionBus(
      loop: loop, options: options, nextConnection: { [unowned self] in nextConnection() },
      log: { [unowned self] in write($0) }, report: { [unowned self] in inbox.append($0) },
      note: { [unowned self] in daemon.note($0) })
    meetMachine()
    do throws(LoopError) {
      clockWatcher = try WallClockWatcher(loop: loop) { [unowned self] in
        readZone()
        inbox.append(.clockChanged)
      }
    } catch {
      throw ServiceError(error.message)
    }
    watchZone()
    readZone()
    configurationWatcher = ConfigurationWatcher(loop: loop, loader: configurationLoader) {
      [unowned self] in inbox.append(.filesChanged)
    }
    do throws(LoopError) {
      networkWatcher = try NetworkWatcher(loop: loop) { [unowned self] in
        inbox.append(.networkChanged(isUp: $0))
      }
      if networkWatcher?.isUp == false { inbox.append(.networkChanged(isUp: false)) }
    } catch {
      // Without news the core assumes that there is a network.
      log.write(LogLine(.notice, "network.unwatched", ["reason": error.message]))
    }
  }

  private func watchSignals() throws(ServiceError) {
    do throws(LoopError) {
      for (number, event) in [
        (SIGTERM, Event.stopRequested), (SIGINT, .stopRequested), (SIGHUP, .reloadRequested),
      ] {
        signals.append(
          try SignalSource(loop: loop, signal: number) { [unowned self] in inbox.append(event) })
      }
    } catch {
      throw ServiceError(error.message)
    }
  }

  private func watchZone() {
    do throws(LoopError) {
      try zone.watch(loop: loop) { [unowned self] in
        readZone(hasOtherRules: true)
        // A process that goes on would count in the old zone.
        launcher?.retireExtensions()
      }
    } catch {
      log.write(LogLine(.notice, "zone.unwatched", ["reason": error.message]))
    }
  }

  /// Tells the core when local time changed: by a journey, or by daylight saving.
  func readZone(hasOtherRules: Bool = false) {
    guard let offset = zone.secondsEast(), offset != zoneSeconds || hasOtherRules else { return }
    zoneSeconds = offset
    inbox.append(.zoneChanged(secondsEast: offset, hasOtherRules: hasOtherRules))
  }

  private func listen() throws(ServiceError) {
    let accept: (PipeStream) -> Void = { [unowned self] in accepted($0) }
    do throws(LoopError) {
      let inherited = readSocketActivation(environment: options.environment)
      if inherited.isEmpty {
        if let folder = options.socket.privateFolder {
          try makePrivateFolderForSocket(folder)
        }
        listeners = [
          try PipeListener(
            loop: loop, path: options.socket.path, backlog: RuntimeLimits.listenBacklog,
            onConnection: accept)
        ]
      } else {
        for socket in inherited {
          listeners.append(
            try PipeListener(
              loop: loop, inheritedDescriptor: socket.descriptor, onConnection: accept))
        }
      }
    } catch {
      if error.code == .addressInUse {
        throw ServiceError(
          "another intentd is listening on \(options.socket.path) already\n  talk to it with: intent-send status\n  or stop it first: systemctl --user stop intentd",
          isUnavailable: true)
      }
      throw ServiceError(error.message)
    }
    for listener in listeners {
      listener.onAcceptError = { [unowned self] error in
        write(LogLine(.error, "accept.failed", ["reason": error.message]))
      }
    }
  }

  func nextConnection() -> ConnectionID {
    lastConnection += 1
    return ConnectionID(lastConnection)
  }

  private func accepted(_ stream: PipeStream) {
    guard isReady || connections.count < RuntimeLimits.earlyConnectionCountMax else {
      stream.close()
      return
    }
    let id = nextConnection()
    let connection = Connection(id: id, stream: stream)
    connections[id] = connection
    lookForUpgrade()
    // A peer without credentials counts as another user.
    let peer = stream.peer.map {
      Peer(userID: $0.uid, processID: $0.pid, program: ProgramFile(of: $0.pid))
    }
    inbox.append(.connected(id, peer ?? Peer(userID: .max, processID: 0)))
    stream.onDrained = { [unowned self, unowned connection] in
      guard connection.hasQueued else { return }
      connection.hasQueued = false
      if connection.isBackedUp {
        connection.isBackedUp = false
        if !connection.isPaused { connection.stream.resumeReading() }
      }
      inbox.append(.drained(id))
    }
    stream.onClosed = { [unowned self] in
      if connections.removeValue(forKey: id) != nil { inbox.append(.disconnected(id)) }
    }
    if isReady { listen(to: id, connection) } else { early.append(id) }
  }

  /// Tells the core once that an upgrade put another build in place of the running program.
  ///
  /// Clients that ask for the status connect first, so a look at each connection is early enough.
  private func lookForUpgrade() {
    guard let program, program.isReplaced else { return }
    self.program = nil
    inbox.append(.programReplaced)
  }

  /// Clients that came before anything could answer them.
  ///
  /// Nothing of theirs is read until `becomeReady`, so that the request that starts the daemon (by
  /// socket activation) waits instead of being refused.
  private var early: [ConnectionID] = []

  /// The core serves from now on.
  func becomeReady() {
    precondition(!isReady, "the core becomes ready once")
    isReady = true
    for id in early {
      if let connection = connections[id] { listen(to: id, connection) }
    }
    early = []
    machineBus?.start()
  }

  private func listen(to id: ConnectionID, _ connection: Connection) {
    connection.stream.startReading(
      // Strong until the stream is closed: an unowned reference costs two atomics for each read.
      onBytes: { [self] in inbox.append(.received(id, Array($0))) },
      onEnd: { [unowned self, unowned connection] error in
        // A client that half-closed still gets its answers; one that broke gets nothing.
        if error == nil { halfClosed.append(id) } else { connection.stream.close() }
      })
  }

  /// Connections whose peer is done sending; closed once nothing of theirs is under way.
  var halfClosed: [ConnectionID] = []

  private func makePrivateFolderForSocket(_ folder: String) throws(LoopError) {
    do throws(ServiceError) {
      try makePrivateFolder(folder, purpose: "socket", followsLink: false)
    } catch {
      throw LoopError(
        code: .permissionDenied, operation: "make", context: folder, because: error.message)
    }
  }

  /// Makes a private folder, with its parents; refuses a folder of another user.
  ///
  /// The socket's folder may lie where others write, so it must not be a link: that would close
  /// another folder of the person, which somebody else chose.
  private func makePrivateFolder(
    _ path: String, purpose: String, followsLink: Bool = true
  ) throws(ServiceError) {
    var partial = ""
    for part in path.split(separator: "/") {
      partial += "/" + part
      if mkdir(partial, 0o700) != 0, errno != EEXIST {
        throw ServiceError(
          "the \(purpose) folder \(path) cannot be made: \(String(cString: strerror(errno)))")
      }
    }
    let folder = open(
      path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW))
    guard folder >= 0 else {
      if errno == ENOTDIR || errno == ELOOP {
        throw ServiceError(
          "the \(purpose) folder \(path) is not a folder\(followsLink ? "" : ", or is a link")")
      }
      throw ServiceError(
        "the \(purpose) folder \(path) cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { close(folder) }
    var info = stat()
    guard fstat(folder, &info) == 0 else {
      throw ServiceError(
        "the \(purpose) folder \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard info.st_uid == options.userID else {
      throw ServiceError(
        "the \(purpose) folder \(path) belongs to another user (uid \(info.st_uid)); remove it or name another place"
      )
    }
    if purpose == "socket", info.st_mode & 0o077 != 0, fchmod(folder, 0o700) != 0 {
      throw ServiceError("the socket folder \(path) is open to others and cannot be closed")
    }
  }
}

/// An error that keeps the service from starting or makes it stop: a sentence and the remedy.
package struct ServiceError: Error, Sendable {
  package var message: String
  /// Whether the exit code is 69 and not 1: another process uses the socket or the store.
  package var isUnavailable: Bool

  package init(_ message: String, isUnavailable: Bool = false) {
    self.message = message
    self.isUnavailable = isUnavailable
  }
}
