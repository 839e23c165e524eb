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
/// connection to the core, which exists while a caller waits or has results.
///
/// An outage of the bus costs one line of the log; `BusLink` tries it again.
final class SessionBus {
  private let loop: Loop
  private let options: RuntimeOptions
  /// `nil`: no session bus is named.
  private let link: BusLink?
  private let log: (LogLine) -> Void
  private let report: (Event) -> Void
  private let note: (DesktopService) -> Void

  private var search: DesktopSearch
  private var calls: [DesktopSearch.CallNumber: BusCall] = [:]
  private var lastCall: DesktopSearch.CallNumber = 0
  /// Runs out when a query has to be answered.
  private let searchTimer: LoopTimer
  private var noted: DesktopService.State?
  private var isStarted = false
  /// When the page was opened last.
  private var pageOpenedAt: Instant?

  /// The connection to the core; `nil`: no caller waits or has results.
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
    link = ApplicationLauncher.busAddress { environment[$0] }.map {
      BusLink(loop: loop, address: $0, isSession: true)
    }
    search = DesktopSearch { text in
      // Those that come by `*` are not tried for a beginning.
      languageOrder(for: text) { environment[$0] }
    }
    searchTimer = LoopTimer(loop: loop)
  }

  func close() {
    calls = [:]
    link?.close()
    searchTimer.close()
  }

  /// Whether the session is locked: then nothing is found, and nothing is done.
  var isLocked: Bool {
    get { search.isLocked }
    set {
      search.isLocked = newValue
      settle()
    }
  }

  /// Takes the name on the bus, if there is one; the core answers requests from now on.
  ///
  /// Does nothing if it was called before.
  func start() {
    guard !isStarted else { return }
    isStarted = true
    guard let link else { return become(.absent(reason: "no session bus is named")) }
    link.onUp = { [unowned self] in serve(on: $0) }
    link.onDown = { [unowned self] state in
      // Nobody hears their answers.
      calls = [:]
      search.lostBus()
      become(state)
      settle()
    }
    link.start()
  }

  // MARK: - The bus

  private func serve(on bus: UserBus) {
    do throws(UserBusError) {
      try bus.serve(
        DesktopSearch.path, introspection: DesktopSearch.introspection,
        handler: { [unowned self] in called($0) },
        // A live caller "leaves", too, when it is one of too many; its calls are refused then.
        callerLeft: { [unowned self] sender in
          search.callerLeft(sender)
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
    } catch {
      link?.giveUp(error.message)
    }
  }

  private func named(_ place: Result<UserBus.NamePlace, UserBusError>) {
    switch place {
    case .success(.owner): become(.connected)
    case .success(.queued):
      // The name comes when the other one goes.
      become(.failing(reason: "another program has the name \(DesktopSearch.name)"))
    case .failure(let error): link?.giveUp(error.message)
    }
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
    guard let bus = link?.bus else {
      return log(LogLine(.debug, "notification.lost", ["reason": "the session bus is gone"]))
    }
    do throws(UserBusError) {
      try bus.call(request) { _ in }
    } catch {
      log(LogLine(.debug, "notification.lost", ["reason": error.message]))
    }
  }

  // MARK: - The core

  private func send(_ line: [UInt8]) {
    let connection = self.connection ?? connectCore()
    guard !isPaused else {
      held.append(contentsOf: line)
      // The core takes nothing, and the queries grow: they are answered with nothing.
      if held.count > WireLimits.frameBytesMax { closedByCore() }
      return
    }
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
    let now = loop.readNow().monotonic
    if let pageOpenedAt,
      now.milliseconds(since: pageOpenedAt) < RuntimeLimits.pageOpenIntervalMin
    {
      return
    }
    pageOpenedAt = now
    guard let bus = link?.bus, let folder = InstalledProgram.folder() else { return }
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
