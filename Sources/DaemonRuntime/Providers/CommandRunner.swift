import DaemonCore
import EventLoop
import Glibc
import Timekeeping
import WidgetCenter

/// Runs the programs of clicks on plugins: with the plugin's folder and environment, and in its box
/// if it has one, but beside its runs.
///
/// A program of the person's own plugin is one that they started: it has no limits of memory or
/// time, may show windows, and lives on when the daemon ends; the daemon waits for its end for
/// `ProviderLimits.commandWatchMax` at most. In a box it has the limits of a run, and is ended then.
/// Neither its output nor its exit code says anything.
final class CommandRunner {
  private let loop: Loop
  private let launcher: ProviderLauncher
  private let terminal: String?
  private let report: (Event) -> Void
  private let log: (LogLine) -> Void
  private var running: [LaunchToken: Running] = [:]

  private struct Running {
    var child: ChildProcess
    var timer: LoopTimer
    var bus: String?
    var isBoxed: Bool
  }

  /// `terminal` is the value of TERMINAL.
  init(
    loop: Loop, launcher: ProviderLauncher, terminal: String?, log: @escaping (LogLine) -> Void,
    report: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.launcher = launcher
    self.terminal = terminal
    self.log = log
    self.report = report
  }

  func close() {
    for command in running.values {
      command.timer.close()
      command.child.close()
    }
    running = [:]
  }

  /// Starts a command; `report` gets the outcome, and its end if it was started.
  func run(_ token: LaunchToken, _ command: PluginCommand, activationToken: String?) {
    // Runs of the engine begin with 1, and nobody takes this one back.
    let run = ProviderRun(
      token: RunToken(0), kind: command.kind, family: command.family, provider: command.provider,
      request: [])
    launcher.prepare(run) { [weak self] prepared in
      guard let self else { return }
      switch prepared {
      case .failure(let failure): fail(token, "not-started", failure.message)
      case .success((let spec, let bus)):
        start(token, command, spec, bus: bus, activationToken: activationToken)
      }
    }
  }

  private func fail(_ token: LaunchToken, _ reason: String, _ message: String) {
    report(.launched(token, .failed(reason: reason, message: message)))
  }

  private func start(
    _ token: LaunchToken, _ command: PluginCommand, _ prepared: ChildSpec, bus: String?,
    activationToken: String?
  ) {
    var spec = prepared
    let program = ProviderDeclaration(exec: command.exec, directory: command.provider.directory)
    spec.program = StartAdvice.program(of: program)
    spec.arguments = command.exec
    let isBoxed = command.provider.isBoxed
    spec.wantsInput = false
    if !isBoxed {
      spec.isDetached = true
      spec.diesWithParent = false
      spec.memoryBytesMax = nil
      spec.limits = ChildLimits()
    }
    if let activationToken {
      spec.environment += [
        ("XDG_ACTIVATION_TOKEN", activationToken), ("DESKTOP_STARTUP_ID", activationToken),
      ]
    }
    if command.isInTerminal {
      if let refusal = putIntoTerminal(&spec, isBoxed: isBoxed) {
        launcher.release(bus)
        return fail(token, "no-terminal", refusal)
      }
    }
    do throws(LoopError) {
      let timer = LoopTimer(loop: loop)
      let child = try ChildProcess.start(
        loop: loop, spec: spec, supervisor: isBoxed ? launcher.supervisor : nil,
        onStdout: { _ in }, onStderr: { _ in },
        onExit: { [weak self] in self?.ended(token, command, $0) })
      running[token] = Running(child: child, timer: timer, bus: bus, isBoxed: isBoxed)
      timer.arm(
        at: loop.readNow().monotonic.advanced(byMilliseconds: ProviderLimits.commandWatchMax)
      ) { [weak self] in self?.timeIsUp(token) }
      report(
        .launched(
          token,
          .started(application: command.exec[0], processID: child.pid > 0 ? child.pid : nil)))
    } catch {
      launcher.release(bus)
      let advice = StartAdvice(program, variables: spec.environment).reason()
      fail(token, "not-started", advice ?? error.message)
    }
  }

  /// Makes a terminal of the process, with the command in it; returns why it cannot be done.
  private func putIntoTerminal(_ spec: inout ChildSpec, isBoxed: Bool) -> String? {
    guard !isBoxed else {
      return "the click on it opens a terminal, and a plugin in a box reaches no screen"
    }
    let folders = spec.environment.last { $0.0 == "PATH" }?.1.split(separator: ":") ?? []
    let found = TerminalCommand(
      [spec.program] + spec.arguments.dropFirst(), preferred: terminal
    ) { name in
      if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
      return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
        .first { access($0, X_OK) == 0 }
    }
    guard let found else {
      return
        "the click on it opens a terminal, and none was found; install xdg-terminal-exec, or set TERMINAL in the environment of intentd"
    }
    spec.program = found.program
    spec.arguments = found.arguments
    return nil
  }

  private func ended(_ token: LaunchToken, _ command: PluginCommand, _ exit: ChildExit) {
    guard let ended = running[token] else { return }
    // Kill the processes that it left behind in its box.
    if ended.isBoxed { ended.child.kill() }
    if case .notStarted(let reason) = exit {
      log(
        LogLine(
          .warning, "command.failed",
          ["kind": command.kind, "program": command.exec[0], "reason": reason]))
    }
    forget(token, ended)
  }

  /// Waits no longer: a program in a box ends, and any other goes on by itself.
  private func timeIsUp(_ token: LaunchToken) {
    guard let command = running[token] else { return }
    if command.isBoxed {
      // Its end is reported when it has ended.
      command.child.kill()
    } else {
      command.child.close()
      forget(token, command)
    }
  }

  private func forget(_ token: LaunchToken, _ command: Running) {
    running[token] = nil
    command.timer.close()
    launcher.release(command.bus)
    report(.commandEnded(token))
  }
}
