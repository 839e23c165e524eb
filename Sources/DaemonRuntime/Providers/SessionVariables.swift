import DaemonCore
import EventLoop
import Glibc
import IntentProtocol
import Timekeeping
import UserBus
import WidgetCenter

/// The variables of a session that began after the daemon.
///
/// A surface tells those of the session that it is in; the ones that the last surface told hold
/// until another one tells its own, and are kept in memory only.
///
/// Before, the unit of the daemon may start when the person's screen is not there: then its
/// environment names no screen, and a provider would not reach it. The user manager knows the
/// variables as soon as there are any. So a run waits, once in ten seconds, until the user manager
/// has answered, and at most half a second. With a screen in the daemon's own environment, or told
/// by a surface, nobody is asked.
final class SessionVariables {
  /// Whether the surface that said so last is dark.
  private(set) var isDark = false
  /// Counts the changes of what this gives to programs.
  private(set) var version = 0
  /// The variables that a surface told last; `nil`: none has told any.
  private var told: [SurfaceSession.Variable]?
  /// The variables as they were when somebody last asked; empty: nothing is known.
  private(set) var found: [(String, String)] = []

  private let loop: Loop
  /// The session bus; `nil`: there is none, or there is no need to ask.
  private let address: String?
  private var bus: UserBus?
  private let timer: LoopTimer
  private var askedAt: Instant?
  /// When there was no bus to ask.
  private var sawNoBusAt: Instant?
  private var waiting: [(token: RunToken, start: () -> Void)] = []

  init(loop: Loop, environment: [String: String]) {
    self.loop = loop
    let hasScreen = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    address = hasScreen ? nil : ApplicationLauncher.busAddress { environment[$0] }
    timer = LoopTimer(loop: loop)
  }

  func close() {
    waiting = []
    bus?.close()
    bus = nil
    timer.close()
  }

  /// Takes the description of a surface; it says nothing of what it leaves out.
  func use(_ session: SurfaceSession) {
    version += 1
    if let variables = session.variables { told = variables }
    if let isDark = session.isDark { self.isDark = isDark }
  }

  private var tellsScreen: Bool { told?.contains { $0.name.isScreen } ?? false }

  /// Returns the variables of a program of the person's own: `own`, those of the daemon, with those
  /// of the session.
  ///
  /// A surface that names a screen describes it completely: a socket of another window manager or
  /// the type of another session do not stand beside it.
  func variables(beside own: [(String, String)]) -> [(String, String)] {
    var variables = own
    for variable in found where !variables.contains(where: { $0.0 == variable.0 }) {
      variables.append(variable)
    }
    guard let told else { return variables }
    let replaced =
      (tellsScreen ? SessionVariable.allCases.filter(\.belongsToScreen) : []) + told.map(\.name)
    let names = replaced.map(\.rawValue)
    variables.removeAll { names.contains($0.0) }
    return variables + told.map { ($0.name.rawValue, $0.value) }
  }

  /// Calls `start` when the session's variables are known as far as they can be: now, or soon.
  func whenKnown(_ token: RunToken, _ start: @escaping () -> Void) {
    let now = loop.readNow().monotonic
    let isFresh = askedAt.map {
      now.milliseconds(since: $0) < RuntimeLimits.sessionAskInterval
    }
    guard let address, !tellsScreen, !(waiting.isEmpty && isFresh == true),
      mayListen(address, at: now)
    else {
      return start()
    }
    waiting.append((token, start))
    if waiting.count == 1 { ask(address, at: now) }
  }

  /// Takes back a run that waits; false: it does not.
  func forget(_ token: RunToken) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.token == token }) else { return false }
    waiting.remove(at: index)
    return true
  }

  private func ask(_ address: String, at now: Instant) {
    askedAt = now
    do throws(UserBusError) {
      bus?.close()
      let bus = try UserBus(loop: loop, address: address)
      self.bus = bus
      bus.onLost = { [unowned self] _ in
        self.bus = nil
        answered([])
      }
      try bus.environment { [unowned self] in answered(Self.variables(in: $0)) }
      timer.arm(at: now.advanced(byMilliseconds: RuntimeLimits.sessionWaitMax)) {
        [unowned self] in answered(found)
      }
    } catch {
      // Without a bus there is no user manager to ask: the runs start with what the daemon has.
      answered([])
    }
  }

  private func answered(_ variables: [(String, String)]) {
    found = variables
    version += 1
    // Not at once, since the bus may be handling the answer.
    timer.arm(at: loop.readNow().monotonic) { [unowned self] in
      bus?.close()
      bus = nil
    }
    let ready = waiting
    waiting = []
    for run in ready { run.start() }
  }

  /// Whether there may be a bus: libsystemd, which is loaded to ask, takes a megabyte.
  private func mayListen(_ address: String, at now: Instant) -> Bool {
    let prefix = "unix:path="
    guard address.hasPrefix(prefix) else { return true }
    if let sawNoBusAt, now.milliseconds(since: sawNoBusAt) < RuntimeLimits.busLookInterval {
      return false
    }
    let path = String(address.dropFirst(prefix.count).prefix { $0 != "," && $0 != ";" })
    let isThere = access(path, F_OK) == 0
    sawNoBusAt = isThere ? nil : now
    return isThere
  }

  /// Returns the variables of a session among those of the user manager, each `NAME=value`.
  static func variables(in lines: [String]) -> [(String, String)] {
    lines.compactMap { line -> (String, String)? in
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      let name = String(parts[0])
      return ProviderEnvironment.session.contains(name) ? (name, String(parts[1])) : nil
    }
  }
}
