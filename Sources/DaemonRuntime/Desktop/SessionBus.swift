import BusMessages
import DaemonCore
import DesktopEntries
import DesktopSearch
import EventLoop
import Glibc
import IntentProtocol
import JSONRPC
import Timekeeping
import UserBus

/// The daemon's name on the person's session bus, by which the desktop searches and opens.
///
/// It is one more client of the core: what is called becomes lines of the protocol in the inbox, and
/// answers go back as replies. `DesktopSearch` has the rules; here are the bus, the clocks, and the
/// connection to the core, which exists while somebody searches.
///
/// A bus that is absent, dies, hangs or comes back costs one line of the log: it is tried again, less
/// and less often, and as soon as its socket appears.
final class SessionBus {
  private let loop: Loop
  private let options: RuntimeOptions
  private let address: String?
  private let log: (LogLine) -> Void
  private let report: (Event) -> Void
  private let note: (DesktopService) -> Void

  private var search: DesktopSearch
  private var bus: UserBus?
  /// Whether the name is ours, so that the desktop can call.
  private var isServing = false
  private var calls: [DesktopSearch.CallNumber: BusCall] = [:]
  private var lastCall: DesktopSearch.CallNumber = 0
  /// Runs out when a query has to be answered.
  private let searchTimer: LoopTimer
  /// Runs out when the bus took too long, or is to be tried again.
  private let busTimer: LoopTimer
  private var arrivals: FolderWatcher?
  /// Failures in a row.
  private var failureCount = 0
  private var noted: DesktopService.State?

  /// The connection to the core; `nil`: nobody searches.
  private(set) var connection: ConnectionID?
  private var framer = LineFramer(frameBytesMax: WireLimits.frameBytesMax)
  /// Makes the number of a connection.
  private let nextConnection: () -> ConnectionID
  /// Whether the core wants nothing more of this client for now.
  private var isPaused = false
  private var held: [UInt8] = []

  init(
    loop: Loop, options: RuntimeOptions, nextConnection: @escaping () -> ConnectionID,
    log: @escaping (LogLine) -> Void, report: @escaping (Event) -> Void,
    note: @escaping (DesktopService) -> Void
  ) {
    self.loop = loop
    self.options = options
    self.nextConnection = nextConnection
    self.log = log
    self.report = report
    self.note = note
    let environment = options.environment
    address = ApplicationLauncher.busAddress { environment[$0] }
    search = DesktopSearch { text in
      // Those that come by `*` are not tried for a beginning.
      languageOrder(for: text) { environment[$0] }
    }
    searchTimer = LoopTimer(loop: loop)
    busTimer = LoopTimer(loop: loop)
  }

  func close() {
    arrivals?.close()
    arrivals = nil
    calls = [:]
    bus?.close()
    bus = nil
    searchTimer.close()
    busTimer.close()
  }

  /// Whether the session is locked: then nothing is found, and nothing is done.
  var isLocked: Bool {
    get { search.isLocked }
    set { search.isLocked = newValue }
  }

  /// Takes the name on the bus, if there is one; the core answers requests from now on.
  func start() {
    guard address != nil else { return become(.absent(reason: "no session bus is named")) }
    watchArrivals()
    connectBus()
  }

  // MARK: - The bus

  /// The socket of the bus; `nil`: its address says no path.
  private var socketPath: String? {
    let prefix = "unix:path="
    guard let address, address.hasPrefix(prefix) else { return nil }
    return String(address.dropFirst(prefix.count).prefix { $0 != "," && $0 != ";" })
  }

  /// Hears when the socket appears: a session may begin after the daemon, and a bus may come back.
  private func watchArrivals() {
    guard let socketPath, let slash = socketPath.lastIndex(of: "/"), slash > socketPath.startIndex
    else { return }
    let name = String(socketPath[socketPath.index(after: slash)...])
    do throws(LoopError) {
      let watcher = try FolderWatcher(loop: loop) { [unowned self] changes in
        guard bus == nil, changes.contains(where: { $0.event == .entry(name, isFolder: false) })
        else { return }
        failureCount = 0
        retry()
      }
      arrivals = watcher
      if try watcher.watch(String(socketPath[..<slash]), for: .arrivals) == nil {
        watcher.close()
        arrivals = nil
      }
    } catch {
      // It is tried again by time alone.
    }
  }

  private func connectBus() {
    guard let address, bus == nil else { return }
    // libsystemd, which is loaded to connect, takes a megabyte.
    if let socketPath, access(socketPath, F_OK) != 0 {
      become(.absent(reason: "there is no session bus at \(socketPath)"))
      return retryLater()
    }
    do throws(UserBusError) {
      let bus = try UserBus(loop: loop, address: address, userID: options.userID)
      self.bus = bus
      bus.onLost = { [unowned self] reason in
        self.bus = nil
        lost(reason)
      }
      try bus.serve(
        DesktopSearch.path, introspection: DesktopSearch.introspection,
        handler: { [unowned self] in called($0) },
        callerLeft: { [unowned self] sender in
          search.callerLeft(sender)
          // One that was only forgotten, among very many, hears that its call was given up.
          calls = calls.filter { $0.value.invocation.sender != sender }
          settle()
        })
      // Heard, too, when the name comes later, from a program that had it.
      _ = try bus.onSignal(
        BusSignalRule(
          sender: "org.freedesktop.DBus", member: "NameAcquired",
          firstArgument: DesktopSearch.name)
      ) { [unowned self] _ in named(.success(.owner)) }
      try bus.requestName(DesktopSearch.name) { [unowned self] in named($0) }
      // A bus that hangs would keep the name waiting, and nobody would know.
      let latest = loop.readNow().monotonic
        .advanced(byMilliseconds: RuntimeLimits.busConnectWaitMax)
      busTimer.arm(at: latest) { [unowned self] in lost("the session bus does not answer") }
    } catch {
      lost(error.message)
    }
  }

  private func named(_ place: Result<UserBus.NamePlace, UserBusError>) {
    busTimer.disarm()
    switch place {
    case .success(.owner):
      isServing = true
      failureCount = 0
      become(.connected)
    case .success(.queued):
      // The name comes when the other one goes.
      isServing = true
      failureCount = 0
      become(.failing(reason: "another program has the name \(DesktopSearch.name)"))
    case .failure(let error): become(.failing(reason: error.message))
    }
  }

  /// The bus is gone, or could not be reached.
  private func lost(_ reason: String) {
    isServing = false
    let old = bus
    bus = nil
    // Not at once: the bus may be handling the message that said so.
    old?.close()
    // Nobody hears their answers.
    calls = [:]
    search.lostBus()
    become(.failing(reason: reason))
    settle()
    retryLater()
  }

  /// Notes the state, and logs it when it is another one than before.
  private func become(_ state: DesktopService.State) {
    guard noted != state else { return }
    let before = noted
    noted = state
    note(DesktopService(name: "search", state: state))
    switch state {
    case .connected: log(LogLine(.debug, "bus.connected", ["name": DesktopSearch.name]))
    case .absent(let reason): log(LogLine(.debug, "bus.absent", ["reason": reason]))
    case .failing(let reason):
      // A bus that fails again and again costs one line.
      if case .failing? = before { return }
      log(
        LogLine(
          .notice, "bus.lost", ["reason": reason, "effect": "the desktop's search finds nothing"]))
    }
  }

  /// Tries again after a while: longer after each failure, and then only when the socket appears.
  private func retryLater() {
    guard failureCount < RuntimeLimits.busRetryCountMax || arrivals == nil else {
      return busTimer.disarm()
    }
    failureCount += 1
    // Where the socket is awaited, a bus that is not there is not looked for.
    if arrivals != nil, let socketPath, access(socketPath, F_OK) != 0 {
      return busTimer.disarm()
    }
    let wait = RuntimeLimits.busRetryInterval << Int64(min(failureCount - 1, 8))
    let moment = loop.readNow().monotonic.advanced(byMilliseconds: wait)
    busTimer.arm(at: moment) { [unowned self] in connectBus() }
  }

  private func retry() {
    // The socket is there a moment before somebody listens.
    let moment = loop.readNow().monotonic.advanced(byMilliseconds: RuntimeLimits.busRetryInterval)
    busTimer.arm(at: moment) { [unowned self] in connectBus() }
  }

  // MARK: - Calls

  private func called(_ call: BusCall) {
    lastCall += 1
    calls[lastCall] = call
    var outputs: [DesktopSearch.Output] = []
    search.take(call.invocation, lastCall, at: loop.readNow().monotonic, into: &outputs)
    carryOut(outputs)
  }

  private func carryOut(_ outputs: [DesktopSearch.Output]) {
    for output in outputs {
      switch output {
      case .reply(let call, let values): calls.removeValue(forKey: call)?.reply(values)
      case .refuse(let call, let name, let message):
        calls.removeValue(forKey: call)?.refuse(name, message)
      case .send(let line): send(line)
      case .call(let request): tell(request)
      case .openPage(let token): openPage(token)
      }
    }
    settle()
  }

  /// Arms the timer for what waits, and leaves the core when nothing does.
  private func settle() {
    if let deadline = search.deadline {
      searchTimer.arm(at: deadline) { [unowned self] in
        var outputs: [DesktopSearch.Output] = []
        search.passed(at: loop.readNow().monotonic, into: &outputs)
        carryOut(outputs)
      }
    } else if searchTimer.isArmed {
      searchTimer.disarm()
    }
    if search.isIdle, let connection {
      self.connection = nil
      report(.disconnected(connection))
    }
  }

  /// Shows a notification; one that nobody shows is dropped.
  private func tell(_ request: BusRequest) {
    do throws(UserBusError) {
      try bus?.call(request) { _ in }
    } catch {
      log(LogLine(.debug, "notification.lost", ["reason": error.message]))
    }
  }

  // MARK: - The core

  private func send(_ line: [UInt8]) {
    let connection = self.connection ?? connectCore()
    guard !isPaused else { return held.append(contentsOf: line) }
    report(.received(connection, line))
  }

  private func connectCore() -> ConnectionID {
    let connection = nextConnection()
    self.connection = connection
    framer = LineFramer(frameBytesMax: WireLimits.frameBytesMax)
    isPaused = false
    held = []
    report(.connected(connection, Peer(userID: options.userID, processID: getpid())))
    return connection
  }

  /// Takes bytes that the core sends to this client.
  func heard(_ bytes: [UInt8]) {
    var lines: [[UInt8]] = []
    framer.feed(
      bytes, line: { line in lines.append(line.withUnsafeBufferPointer { Array($0) }) },
      oversized: {})
    let now = loop.readNow().monotonic
    var outputs: [DesktopSearch.Output] = []
    for line in lines { search.heard(line, at: now, into: &outputs) }
    carryOut(outputs)
  }

  /// The core wants no more of this client, or wants it again.
  func pause(_ isPaused: Bool) {
    self.isPaused = isPaused
    guard !isPaused, !held.isEmpty, let connection else { return }
    report(.received(connection, held))
    held = []
  }

  /// The core closed the connection; the next query makes another one.
  func closedByCore() {
    guard let connection else { return }
    self.connection = nil
    report(.disconnected(connection))
    var outputs: [DesktopSearch.Output] = []
    search.lostCore(into: &outputs)
    carryOut(outputs)
  }

  // MARK: - The page

  /// Opens the page of widgets in the browser; without `intent-web` there is none, and nothing
  /// happens.
  private func openPage(_ token: String?) {
    guard let bus, let folder = InstalledProgram.folder() else { return }
    let program = folder + "/intent-send"
    guard access(folder + "/intent-web", X_OK) == 0, access(program, X_OK) == 0 else { return }
    var environment = [("INTENTD_SOCKET", options.socket.path)]
    if let token { environment.append(("XDG_ACTIVATION_TOKEN", token)) }
    let home = options.environment["HOME"] ?? "/"
    let service = UserBus.Service(
      name: LaunchUnit.name(
        application: DesktopSearch.name, random: .random(in: .min ... .max)),
      description: "The page of widgets", program: program, arguments: [program, "web"],
      workingDirectory: home, environment: environment, source: "")
    do throws(UserBusError) {
      try bus.start(service) { [unowned self] answer in
        guard case .refused(_, let message) = answer, !answer.isLate else { return }
        startPage(program, home, environment, because: message)
      }
    } catch {
      startPage(program, home, environment, because: error.message)
    }
  }

  /// Opens the page by a child, where there is no user manager.
  private func startPage(
    _ program: String, _ home: String, _ added: [(String, String)], because reason: String
  ) {
    let own = options.environment.sorted { $0.key < $1.key }
      .filter { variable in !added.contains { $0.0 == variable.key } }
    let spec = ChildSpec(
      program: program, arguments: [program, "web"],
      environment: own.map { ($0.key, $0.value) } + added, workingDirectory: home, isDetached: true)
    do throws(LoopError) {
      _ = try ChildProcess.start(
        loop: loop, spec: spec, onStdout: { _ in }, onStderr: { _ in }, onExit: { _ in })
    } catch {
      log(LogLine(.notice, "page.unopened", ["reason": error.message, "service": reason]))
    }
  }
}
