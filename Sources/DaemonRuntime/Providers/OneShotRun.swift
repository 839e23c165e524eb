import DaemonCore
import EventLoop
import Timekeeping
import WidgetCenter

/// One process for one request.
final class OneShotRun {
  private let loop: Loop
  private let killTimer: LoopTimer
  private var child: ChildProcess?
  private var output: [UInt8] = []
  private var diagnostics = DiagnosticsTail()
  /// The reason why the launcher ended the process; `nil` if it ended by itself.
  private var verdict: ProviderFailure.Reason?
  private(set) var cpuMicroseconds: UInt64 = 0
  /// Called with the outcome, and with a closure that returns the standard error.
  private let finished: (ProviderOutcome, () -> String) -> Void
  /// Makes the system's reason for a failed start a better one.
  private let notStarted: (String) -> String
  private let provider: ProviderDeclaration
  private let cacheFolder: String

  init(
    loop: Loop, supervisor: Supervisor, run: ProviderRun, spec: ChildSpec,
    notStarted: @escaping (String) -> String,
    finished: @escaping (ProviderOutcome, () -> String) -> Void
  ) throws(LoopError) {
    self.loop = loop
    self.finished = finished
    self.notStarted = notStarted
    provider = run.provider
    cacheFolder = spec.limits.cacheFolder ?? ""
    killTimer = LoopTimer(loop: loop)
    do throws(LoopError) {
      child = try ChildProcess.start(
        loop: loop, spec: spec, supervisor: supervisor,
        onStdout: { [self] in take($0) },
        onStderr: { [self] in diagnostics.append($0) },
        onExit: { [self] in exited($0) })
    } catch {
      killTimer.close()
      throw error
    }
    child?.writeInput(run.request + [UInt8(ascii: "\n")])
    child?.closeInput()
  }

  func cancel() { end(because: .cancelled) }

  func close() {
    killTimer.close()
    child?.close()
    child = nil
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    guard verdict == nil else { return }
    output.append(contentsOf: bytes)
    if output.count > ProviderLimits.outputBytesMax {
      output = []
      child?.stopReadingOutput()
      end(because: .tooMuchOutput(limit: ProviderLimits.outputBytesMax))
    }
  }

  /// Asks it to end, and insists a little later.
  private func end(because reason: ProviderFailure.Reason) {
    guard verdict == nil, let child else { return }
    verdict = reason
    child.terminate()
    killTimer.arm(
      at: loop.readNow().monotonic.advanced(byMilliseconds: ProviderLimits.killGrace)
    ) { [weak self] in self?.child?.kill() }
  }

  private func exited(_ exit: ChildExit) {
    // Kill the processes that it left behind in its group.
    child?.kill()
    cpuMicroseconds = child?.cpuMicroseconds ?? 0
    child = nil
    killTimer.close()
    if let verdict {
      finish(.failed(ProviderFailure(verdict, diagnostics: diagnostics.text)))
      return
    }
    guard exit != .exited(code: 0) else {
      return finish(.answered(output, diagnostics: diagnostics.text))
    }
    let reason = ProviderFailure.Reason(
      exit, of: provider, cacheFolder: cacheFolder, notStarted: notStarted)
    finish(.failed(ProviderFailure(reason, diagnostics: diagnostics.text)))
  }

  private func finish(_ outcome: ProviderOutcome) {
    finished(outcome) { [diagnostics] in diagnostics.text }
  }
}
