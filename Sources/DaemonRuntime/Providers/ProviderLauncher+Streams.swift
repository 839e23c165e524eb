import DaemonCore
import EventLoop
import Plugins
package import WidgetCenter

/// Plugins that stay running.
extension ProviderLauncher {
  /// Writes a line to a stream; does nothing if it has ended.
  package func tell(_ token: RunToken, _ line: [UInt8]) { streams[token]?.tell(line) }

  /// Starts a stream, if its condition holds.
  func startStream(_ run: ProviderRun) {
    precondition(streams[run.token] == nil, "stream \(run.token.number) is under way already")
    guard let (spec, bus) = contained(run) else { return }
    let end: (ProviderOutcome) -> Void = { [weak self] outcome in
      self?.release(bus)
      self?.report(.provider(run.token, outcome))
    }
    let condition = run.provider.plugin?.condition ?? []
    guard !condition.isEmpty else { return startStream(run, spec, ended: end) }
    start(run, PluginChild.condition(condition, of: run, beside: spec)) { [weak self] outcome in
      switch outcome {
      case .printed(let output) where output.exitStatus == 0:
        self?.startStream(run, spec, ended: end)
      case .printed(let output):
        // It is not to be shown now: a frame without anything hides it.
        self?.report(.streamFrame(run.token, []))
        var unmet = PluginOutput([], diagnostics: output.diagnostics)
        unmet.isUnmet = true
        unmet.conditionStatus = output.exitStatus
        end(.printed(unmet))
      case .answered, .failed: end(outcome)
      }
    }
  }

  private func startStream(
    _ run: ProviderRun, _ spec: ChildSpec, ended: @escaping (ProviderOutcome) -> Void
  ) {
    do throws(LoopError) {
      streams[run.token] = try StreamProcess(
        loop: loop, supervisor: supervisor, run: run, spec: spec,
        notStarted: { [weak self] in self?.whyNotStarted(run, spec, $0) ?? $0 }, report: report
      ) { [weak self] outcome, diagnostics in
        let process = self?.streams.removeValue(forKey: run.token)
        self?.measured(run.kind, process?.cpuMicroseconds ?? 0)
        if self?.keepsDiagnostics == true { self?.keep(diagnostics) }
        ended(self?.judged(outcome, of: run, spec) ?? outcome)
      }
    } catch {
      let reason = whyNotStarted(run, spec, error.message)
      ended(.failed(ProviderFailure(.notStarted(reason))))
    }
  }
}

extension PluginDeclaration {
  /// Whether its process has a standard input: families whose clicks write to it.
  ///
  /// The others read nothing there, as in their bars; programs that look for a pipe would wait.
  var takesLines: Bool { isStream && (format.isMenu || format == .i3blocks) }
}
