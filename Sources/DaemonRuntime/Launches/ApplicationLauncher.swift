import BusMessages
import DaemonCore
import DesktopEntries
import EventLoop
import Glibc
import Timekeeping
import UserBus

/// Starts applications: as services of the user manager where there is one, else as children.
///
/// A child has the daemon's restrictions (`NoNewPrivileges`, its seccomp filter, its cgroup) and
/// the environment of the moment at which the daemon started, often without `DISPLAY`. A service of
/// the user manager has none of these restrictions and the environment of now. An application that
/// can be started over the bus (`DBusActivatable`) is opened there, and its `Exec` is used only
/// when nobody has its name.
final class ApplicationLauncher {
  private let loop: Loop
  private let finder: ApplicationFinder
  private let busAddress: String?
  private let report: (LaunchToken, LaunchOutcome) -> Void
  private let log: (LogLine) -> Void

  private var bus: UserBus?
  /// Runs out when no launch has used the bus for a while: an open connection would wake the daemon
  /// for each job of the user manager.
  private let timer: LoopTimer
  /// Launches that the bus has, in the order of their deadlines.
  private var pending: [Pending] = []
  /// Whether the last launch could not use the user manager, which one line of the log says.
  private var isDirect = false

  private struct Pending {
    var token: LaunchToken
    var application: String
    var unit: String?
    var deadline: Instant
  }

  /// What is to be started: the entry, and how.
  private struct Ready {
    var entry: DesktopEntry
    var launch: ApplicationFinder.Launch
  }

  /// `busAddress` is the session bus in D-Bus' own syntax; `nil`: there is none.
  init(
    loop: Loop, finder: ApplicationFinder, busAddress: String?,
    log: @escaping (LogLine) -> Void,
    report: @escaping (LaunchToken, LaunchOutcome) -> Void
  ) {
    self.loop = loop
    self.finder = finder
    self.busAddress = busAddress
    self.log = log
    self.report = report
    timer = LoopTimer(loop: loop)
  }

  func close() {
    bus?.close()
    bus = nil
    pending = []
  }

  /// Returns the address of the session bus that these variables name.
  static func busAddress(environment: (String) -> String?) -> String? {
    if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
    guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
    return "unix:path=\(folder)/bus"
  }

  /// Finds the application and starts it; the outcome is reported once, at once or later.
  ///
  /// Finding reads the disk on the loop: a few lists and one desktop entry for a tap, all entries
  /// for a scheme without a default handler. Clients wait meanwhile.
  func launch(_ token: LaunchToken, _ request: LaunchRequest) {
    let found: Result<DesktopEntry, LaunchRefusal> =
      switch request.target {
      case .application(let id): finder.find(application: id)
      case .handler(let scheme): finder.handler(scheme: scheme)
      case .command: preconditionFailure("a program of a click is started by CommandRunner")
      }
    switch found {
    case .failure(let refusal): refuse(token, refusal)
    case .success(let entry):
      if entry.isDBusActivatable, let name = LaunchUnit.busName(application: entry.id),
        let bus = openBus()
      {
        if let url = request.url, let refusal = LaunchableURL.refusal(for: url) {
          return refuse(token, refusal)
        }
        open(token, entry, name, request, on: bus)
      } else {
        run(token, entry, request)
      }
    }
  }

  private func refuse(_ token: LaunchToken, _ refusal: LaunchRefusal) {
    report(token, .failed(reason: refusal.code.rawValue, message: refusal.message))
  }

  private func fail(_ token: LaunchToken, _ message: String) {
    report(token, .failed(reason: "not-started", message: message))
  }

  // MARK: - Over the bus

  private func open(
    _ token: LaunchToken, _ entry: DesktopEntry, _ name: String, _ request: LaunchRequest,
    on bus: UserBus
  ) {
    wait(token, application: entry.id, unit: nil)
    do throws(UserBusError) {
      try bus.open(application: name, url: request.url, token: request.activationToken) {
        [unowned self] answer in
        guard end(token) != nil else { return }
        switch answer {
        case .answered: report(token, .started(application: entry.id))
        case .refused where answer.isFromNobody: run(token, entry, request)
        case .refused(_, let message): fail(token, "\(name) was not opened: \(message)")
        }
      }
    } catch {
      _ = end(token)
      run(token, entry, request)
    }
  }

  // MARK: - By the user manager

  /// Runs the entry's `Exec`.
  private func run(_ token: LaunchToken, _ entry: DesktopEntry, _ request: LaunchRequest) {
    switch finder.prepare(
      entry: entry, url: request.url, activationToken: request.activationToken)
    {
    case .failure(let refusal): refuse(token, refusal)
    case .success(let launch):
      let ready = Ready(entry: entry, launch: launch)
      guard let bus = openBus() else { return startChild(token, ready) }
      startService(token, ready, on: bus)
    }
  }

  private func startService(_ token: LaunchToken, _ ready: Ready, on bus: UserBus) {
    let unit = LaunchUnit.name(application: ready.entry.id, random: .random(in: .min ... .max))
    wait(token, application: ready.entry.id, unit: unit)
    let service = UserBus.Service(
      name: unit, description: ready.entry.name ?? ready.entry.id, program: ready.launch.program,
      arguments: ready.launch.arguments, workingDirectory: ready.launch.workingDirectory,
      environment: ready.launch.addedEnvironment, source: ready.entry.path)
    do throws(UserBusError) {
      try bus.start(service) { [unowned self] answer in
        switch answer {
        case .answered: isDirect = false
        case .refused where answer.isLate:
          guard end(token) != nil else { return }
          fail(token, "the user manager did not answer; \(ready.entry.id) may start later")
        case .refused(_, let message):
          guard end(token) != nil else { return }
          noteDirect(message)
          startChild(token, ready)
        }
      }
    } catch {
      _ = end(token)
      noteDirect(error.message)
      startChild(token, ready)
    }
  }

  /// The user manager has started the unit, or could not.
  private func jobEnded(_ unit: String, _ result: String) {
    guard let launch = pending.first(where: { $0.unit == unit }) else { return }
    guard result == "done" else {
      _ = end(launch.token)
      return fail(
        launch.token,
        "the user manager could not start \(launch.application) (\(result)); see: journalctl --user -u '\(unit)'"
      )
    }
    let report = { [unowned self] (processID: Int32?) in
      guard end(launch.token) != nil else { return }
      self.report(
        launch.token,
        .started(application: launch.application, processID: processID, unit: unit))
    }
    do throws(UserBusError) {
      // A program that has ended already has none: it gave its URL to one that runs.
      try bus?.mainProcess(of: unit, then: report)
    } catch {
      report(nil)
    }
  }

  private func noteDirect(_ reason: String) {
    guard !isDirect else { return }
    isDirect = true
    log(
      LogLine(
        .notice, "launch.direct",
        ["reason": reason, "effect": "applications start as children of the daemon"]))
  }

  // MARK: - As a child

  private func startChild(_ token: LaunchToken, _ ready: Ready) {
    let spec = ChildSpec(
      program: ready.launch.program, arguments: ready.launch.arguments,
      environment: ready.launch.environment, workingDirectory: ready.launch.workingDirectory,
      isDetached: true)
    do throws(LoopError) {
      let child = try ChildProcess.start(
        loop: loop, spec: spec, onStdout: { _ in }, onStderr: { _ in }, onExit: { _ in })
      report(token, .started(application: ready.entry.id, processID: child.pid))
    } catch {
      fail(token, error.message)
    }
  }

  // MARK: - The connection

  /// Returns the bus, connected if need be; `nil`: there is none.
  private func openBus() -> UserBus? {
    if let bus { return bus }
    guard let busAddress else { return nil }
    do throws(UserBusError) {
      let bus = try UserBus(loop: loop, address: busAddress)
      bus.onLost = { [unowned self] in lost($0) }
      self.bus = bus
      try bus.hearJobs { [unowned self] in jobEnded($0, $1) }
      return bus
    } catch {
      bus?.close()
      bus = nil
      noteDirect(error.message)
      return nil
    }
  }

  private func lost(_ reason: String) {
    bus = nil
    let failed = pending
    pending = []
    timer.disarm()
    for launch in failed {
      fail(launch.token, "\(reason); \(launch.application) may have started")
    }
    log(LogLine(.notice, "bus.lost", ["reason": reason]))
  }

  private func wait(_ token: LaunchToken, application: String, unit: String?) {
    let deadline = loop.readNow().monotonic
      .advanced(byMilliseconds: RuntimeLimits.launchWaitMax)
    pending.append(
      Pending(token: token, application: application, unit: unit, deadline: deadline))
    armTimer()
  }

  /// Takes a launch off the list; `nil`: its time was up, and its outcome is reported.
  private func end(_ token: LaunchToken) -> Pending? {
    guard let index = pending.firstIndex(where: { $0.token == token }) else { return nil }
    defer { armTimer() }
    return pending.remove(at: index)
  }

  private func armTimer() {
    let moment =
      pending.first?.deadline
      ?? loop.readNow().monotonic.advanced(byMilliseconds: RuntimeLimits.busIdleInterval)
    timer.arm(at: moment) { [unowned self] in timeIsUp() }
  }

  private func timeIsUp() {
    guard let first = pending.first else {
      bus?.close()
      bus = nil
      return
    }
    guard first.deadline <= loop.readNow().monotonic else { return armTimer() }
    _ = end(first.token)
    fail(first.token, "\(first.application) took too long to start; it may start later")
  }
}
