package import DaemonCore
package import EventLoop
import Glibc
import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
package import WidgetCenter

/// Runs providers: one-shot processes, and long-lived extensions with many requests each.
///
/// Each run has exactly one outcome, whatever the provider does: crash, hang, flood or garbage. The
/// core has the deadlines: when it cancels a run, the launcher first asks the process to end and
/// then kills it.
package final class ProviderLauncher {
  private let loop: Loop
  private let report: (Event) -> Void
  private let environment: ProviderEnvironment
  private let cacheFolder: String
  private let dataFolder: String?
  package let supervisor: Supervisor

  /// Called for each process that ended, with its kind and its processor time in microseconds.
  var measured: (String, UInt64) -> Void = { _, _ in }

  /// Whether to keep the standard error of the last one-shot run even if it succeeded, for a trial.
  package var keepsDiagnostics = false
  package private(set) var lastDiagnostics = ""

  private var runs: [RunToken: OneShotRun] = [:]
  private var extensions: [String: ExtensionProcess] = [:]
  /// The extensions that were told to end and have not ended yet.
  private var leaving: [ObjectIdentifier: ExtensionProcess] = [:]

  package init(
    loop: Loop, options: RuntimeOptions, cacheFolder: String? = nil,
    report: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.report = report
    self.cacheFolder = cacheFolder ?? options.cacheFolder
    dataFolder = options.dataFolder
    environment = ProviderEnvironment(options.environment)
    supervisor = Supervisor(
      loop: loop, program: options.supervisorProgram, environment: options.environment)
  }

  /// Starts a run; `report` gets its outcome exactly once, perhaps before this returns.
  package func run(_ run: ProviderRun) {
    switch run.provider.providerProtocol {
    case .timeline: startOneShot(run)
    case .extension: askExtension(run)
    }
  }

  /// Stops a run, whose outcome still comes; does nothing if it has ended.
  package func cancel(_ token: RunToken) {
    if let run = runs[token] {
      run.cancel()
      return
    }
    for process in extensions.values where process.cancel(token) { return }
    // A process that was told to end may still owe this answer.
    for process in leaving.values where process.cancel(token) { return }
  }

  /// Ends every child now; used when the service stops.
  package func close() {
    for run in runs.values { run.close() }
    for process in Array(extensions.values) + Array(leaving.values) { process.close() }
    runs = [:]
    extensions = [:]
    leaving = [:]
    supervisor.close()
  }

  // MARK: One-shot

  private func startOneShot(_ run: ProviderRun) {
    precondition(runs[run.token] == nil, "run \(run.token.number) is under way already")
    let spec = childSpec(for: run)
    do throws(LoopError) {
      let process = try OneShotRun(
        loop: loop, supervisor: supervisor, run: run, spec: spec,
        notStarted: { [weak self] in self?.whyNotStarted(run, spec, $0) ?? $0 }
      ) {
        [weak self] outcome, diagnostics in
        let ended = self?.runs.removeValue(forKey: run.token)
        self?.measured(run.kind, ended?.cpuMicroseconds ?? 0)
        if self?.keepsDiagnostics == true { self?.lastDiagnostics = diagnostics() }
        self?.report(.provider(run.token, outcome))
      }
      runs[run.token] = process
    } catch {
      report(notStarted(run, spec, error))
    }
  }

  private func notStarted(_ run: ProviderRun, _ spec: ChildSpec, _ error: LoopError) -> Event {
    let reason = whyNotStarted(run, spec, error.message)
    return .provider(run.token, .failed(ProviderFailure(.notStarted(reason))))
  }

  private func whyNotStarted(
    _ run: ProviderRun, _ spec: ChildSpec, _ systemReason: String
  ) -> String {
    StartAdvice(run.provider, variables: spec.environment).reason() ?? systemReason
  }

  // MARK: Extensions

  private func askExtension(_ run: ProviderRun) {
    if let process = extensions[run.kind],
      process.provider != run.provider || process.isEnding || process.isDoubtful
    {
      // The manifest changed, or the process may hang: it may finish its requests, and a new
      // process gets this one.
      retire(process, kind: run.kind)
    }
    if let process = extensions[run.kind] {
      process.ask(run)
      return
    }
    let spec = childSpec(for: run)
    do throws(LoopError) {
      let process = try ExtensionProcess(
        loop: loop, supervisor: supervisor, provider: run.provider, spec: spec,
        notStarted: { [weak self] in self?.whyNotStarted(run, spec, $0) ?? $0 }, report: report)
      process.onGone = { [weak self, weak process] in
        guard let self, let process else { return }
        measured(run.kind, process.cpuMicroseconds)
        leaving[ObjectIdentifier(process)] = nil
        if extensions[run.kind] === process { extensions[run.kind] = nil }
      }
      extensions[run.kind] = process
      process.ask(run)
    } catch {
      report(notStarted(run, spec, error))
    }
  }

  private func retire(_ process: ExtensionProcess, kind: String) {
    leaving[ObjectIdentifier(process)] = process
    extensions[kind] = nil
    process.finish()
  }

  // MARK: The child's world

  /// Returns the process of a one-shot run: program, arguments, environment and limits.
  ///
  /// Also makes the kind's cache folder.
  package func childSpec(for run: ProviderRun) -> ChildSpec {
    let cache = cacheFolder + "/" + run.kind
    makeFolder(cache)
    var variables = environment.variables(of: run.provider)
    variables.append(("INTENTD_KIND", run.kind))
    variables.append(("INTENTD_FAMILY", run.family.rawValue))
    variables.append(("INTENTD_CACHE", cache))
    if let dataFolder { variables.append(("INTENTD_DATA", dataFolder)) }
    for variable in run.provider.environment {
      variables.removeAll { $0.0 == variable.name }
      variables.append((variable.name, variable.value))
    }
    var spec = ChildSpec(
      program: StartAdvice.program(of: run.provider), arguments: run.provider.exec,
      environment: variables, workingDirectory: run.provider.directory,
      memoryBytesMax: run.provider.memory, wantsInput: true)
    spec.limits = Self.limits(of: run.provider, cacheFolder: cache)
    return spec
  }

  /// Makes a folder, and those above it that are missing.
  private func makeFolder(_ path: String) {
    // Best effort: a provider without its cache folder still runs, and says so itself if it minds.
    guard mkdir(path, 0o700) != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"),
      slash > path.startIndex
    else { return }
    makeFolder(String(path[..<slash]))
    _ = mkdir(path, 0o700)
  }
}
