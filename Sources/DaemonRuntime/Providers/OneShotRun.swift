import DaemonCore
import EventLoop
import Timekeeping
import WidgetCenter

/// One process for one request, or for one run of a plugin.
///
/// A plugin gets no request. It has failed only if something ended it: with whatever status it ends
/// by itself, its output is read by the rules of its family, and too long an output is cut.
final class OneShotRun {
  private let loop: Loop
  /// Made when the process is asked to end.
  private var killTimer: LoopTimer?
  private var child: ChildProcess?
  private var output: [UInt8] = []
  /// The bytes of a plugin's output that were thrown away.
  private var surplusByteCount = 0
  private var diagnostics = DiagnosticsTail()
  /// The reason why the launcher ended the process; `nil` if it ended by itself.
  private var verdict: ProviderFailure.Reason?
  private(set) var cpuMicroseconds: UInt64 = 0
  /// Called with the outcome, and with a closure that returns the output and the standard error.
  private let finished: (ProviderOutcome, () -> (output: [UInt8], diagnostics: String)) -> Void
  /// Makes the system's reason for a failed start a better one.
  private let notStarted: (String) -> String
  private let provider: ProviderDeclaration
  private let isPlugin: Bool
  private let cacheFolder: String

  init(
    loop: Loop, supervisor: Supervisor, run: ProviderRun, spec: ChildSpec,
    notStarted: @escaping (String) -> String,
    finished: @escaping (ProviderOutcome, () -> (output: [UInt8], diagnostics: String)) -> Void
  ) throws(LoopError) {
    self.loop = loop
    self.finished = finished
    self.notStarted = notStarted
    provider = run.provider
    isPlugin = run.provider.plugin != nil
    cacheFolder = spec.limits.cacheFolder ?? ""
    var spec = spec
    spec.isBrief = true
    child = try ChildProcess.start(
      loop: loop, spec: spec, supervisor: supervisor,
      onStdout: { [self] in take($0) },
      onStderr: { [self] in diagnostics.append($0) },
      onExit: { [self] in exited($0) })
    guard spec.wantsInput else { return }
    child?.writeInput(run.request + [UInt8(ascii: "\n")])
    child?.closeInput()
  }

  func cancel() { end(because: .cancelled) }

  func close() {
    killTimer?.close()
    child?.close()
    child = nil
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    guard verdict == nil else { return }
    guard !isPlugin else { return takePrinted(bytes) }
    output.append(contentsOf: bytes)
    if output.count > ProviderLimits.outputBytesMax {
      endFlood(limit: ProviderLimits.outputBytesMax)
    }
  }

  private func takePrinted(_ bytes: UnsafeRawBufferPointer) {
    let kept = min(bytes.count, ProviderLimits.outputBytesMax - output.count)
    output.append(contentsOf: bytes.prefix(kept))
    surplusByteCount += bytes.count - kept
    if surplusByteCount > ProviderLimits.pluginSurplusBytesMax {
      endFlood(limit: ProviderLimits.outputBytesMax + ProviderLimits.pluginSurplusBytesMax)
    }
  }

  private func endFlood(limit: Int) {
    output = []
    child?.stopReadingOutput()
    end(because: .tooMuchOutput(limit: limit))
  }

  /// Asks it to end, and insists a little later.
  private func end(because reason: ProviderFailure.Reason) {
    guard verdict == nil, let child else { return }
    verdict = reason
    child.terminate()
    let killTimer = LoopTimer(loop: loop)
    self.killTimer = killTimer
    killTimer.arm(
      at: loop.readNow().monotonic.advanced(byMilliseconds: ProviderLimits.killGrace)
    ) { [weak self] in self?.child?.kill() }
  }

  private func exited(_ exit: ChildExit) {
    // Kill the processes that it left behind in its group.
    child?.kill()
    cpuMicroseconds = child?.cpuMicroseconds ?? 0
    child = nil
    killTimer?.close()
    if let verdict {
      finish(.failed(ProviderFailure(verdict, diagnostics: diagnostics.text)))
      return
    }
    if isPlugin, case .exited(let status) = exit {
      return finish(.printed(printed(status)))
    }
    guard exit != .exited(code: 0) else {
      return finish(.answered(output, diagnostics: diagnostics.text))
    }
    let reason = ProviderFailure.Reason(
      exit, of: provider, cacheFolder: cacheFolder, notStarted: notStarted)
    finish(.failed(ProviderFailure(reason, diagnostics: diagnostics.text)))
  }

  private func printed(_ status: Int32) -> PluginOutput {
    var printed = PluginOutput(output, exitStatus: status, diagnostics: diagnostics.text)
    printed.surplusByteCount = surplusByteCount
    return printed
  }

  private func finish(_ outcome: ProviderOutcome) {
    finished(outcome) { [output, diagnostics] in (output, diagnostics.text) }
  }
}
