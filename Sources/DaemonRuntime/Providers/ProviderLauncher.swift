package import DaemonCore
package import EventLoop
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
  private let options: RuntimeOptions
  private let cacheFolder: String
  private let dataFolder: String?
  private let boxes: BoxSupport
  private let session: SessionVariables
  private let proxies: BusProxies
  package let supervisor: Supervisor

  /// Called for each process that ended, with its kind and its processor time in microseconds.
  var measured: (String, UInt64) -> Void = { _, _ in }

  /// Called when it is known that providers cannot be boxed here, which `boxGaps` says then.
  package var onBoxGap: () -> Void = {}
  /// A sentence for each thing that keeps providers from running in boxes, as far as it is known.
  package var boxGaps: [String] { boxes.gaps }

  /// Whether to keep the standard error of the last one-shot run even if it succeeded, for a trial.
  package var keepsDiagnostics = false
  package private(set) var lastDiagnostics = ""

  private var pins = PinCheck()
  private var runs: [RunToken: OneShotRun] = [:]
  private var extensions: [String: ExtensionProcess] = [:]
  /// The extensions that were told to end and have not ended yet.
  private var leaving: [ObjectIdentifier: ExtensionProcess] = [:]

  package init(
    loop: Loop, options: RuntimeOptions, cacheFolder: String? = nil,
    landlockVersion: Int32 = Box.landlockVersion, report: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.options = options
    self.report = report
    let cacheFolder = cacheFolder ?? options.cacheFolder
    self.cacheFolder = cacheFolder
    session = SessionVariables(loop: loop, environment: options.environment)
    // No kind has a name that begins with a dot.
    boxes = BoxSupport(folder: cacheFolder + "/.box", landlockVersion: landlockVersion)
    dataFolder = options.dataFolder
    environment = ProviderEnvironment(options.environment)
    supervisor = Supervisor(
      loop: loop, program: options.supervisorProgram, environment: options.environment)
    proxies = BusProxies(
      loop: loop, supervisor: supervisor, options: options, folder: cacheFolder + "/.box")
  }

  /// Starts a run; `report` gets its outcome exactly once, perhaps before this returns.
  package func run(_ run: ProviderRun) {
    switch run.provider.containment {
    case .open: session.whenKnown(run.token) { [unowned self] in start(run) }
    case .boxed(let permissions) where permissions.bus.isEmpty || boxRefusal() != nil: start(run)
    case .boxed(let permissions):
      proxies.whenReady(run, names: permissions.bus) { [unowned self] refusal in
        if let refusal { refuse(run, refusal) } else { start(run) }
      }
    }
  }

  private func refuse(_ run: ProviderRun, _ reason: String) {
    report(.provider(run.token, .failed(ProviderFailure(.notBoxed(reason)))))
  }

  private func start(_ run: ProviderRun) {
    if let pin = run.provider.pin, let file = pins.changedFile(of: pin) {
      let failure = ProviderFailure(.changed(kind: run.kind, file: file))
      return report(.provider(run.token, .failed(failure)))
    }
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
    if session.forget(token) || proxies.forget(token) {
      return report(.provider(token, .failed(ProviderFailure(.cancelled))))
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
    session.close()
    proxies.close()
    supervisor.close()
  }

  // MARK: One-shot

  private func startOneShot(_ run: ProviderRun) {
    precondition(runs[run.token] == nil, "run \(run.token.number) is under way already")
    guard let (spec, bus) = contained(run) else { return }
    do throws(LoopError) {
      let process = try OneShotRun(
        loop: loop, supervisor: supervisor, run: run, spec: spec,
        notStarted: { [weak self] in self?.whyNotStarted(run, spec, $0) ?? $0 }
      ) {
        [weak self] outcome, diagnostics in
        let ended = self?.runs.removeValue(forKey: run.token)
        self?.measured(run.kind, ended?.cpuMicroseconds ?? 0)
        if let bus { self?.proxies.release(bus) }
        if self?.keepsDiagnostics == true { self?.lastDiagnostics = diagnostics() }
        self?.report(.provider(run.token, outcome))
      }
      runs[run.token] = process
    } catch {
      if let bus { proxies.release(bus) }
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
    guard let (spec, bus) = contained(run) else { return }
    do throws(LoopError) {
      let process = try ExtensionProcess(
        loop: loop, supervisor: supervisor, provider: run.provider, spec: spec,
        notStarted: { [weak self] in self?.whyNotStarted(run, spec, $0) ?? $0 }, report: report)
      process.onGone = { [weak self, weak process] in
        guard let self, let process else { return }
        measured(run.kind, process.cpuMicroseconds)
        if let bus { proxies.release(bus) }
        leaving[ObjectIdentifier(process)] = nil
        if extensions[run.kind] === process { extensions[run.kind] = nil }
      }
      extensions[run.kind] = process
      process.ask(run)
    } catch {
      if let bus { proxies.release(bus) }
      report(notStarted(run, spec, error))
    }
  }

  private func retire(_ process: ExtensionProcess, kind: String) {
    leaving[ObjectIdentifier(process)] = process
    extensions[kind] = nil
    process.finish()
  }

  // MARK: The child's world

  /// Returns the process of a one-shot run: program, arguments, environment and limits, but not the
  /// box.
  ///
  /// Also makes the kind's cache folder.
  package func childSpec(for run: ProviderRun) -> ChildSpec {
    let cache = cacheFolder + "/" + run.kind
    makeFolder(cache)
    var variables: [(String, String)]
    switch run.provider.containment {
    case .open:
      variables = environment.variables(of: run.provider)
      for variable in session.found where !variables.contains(where: { $0.0 == variable.0 }) {
        variables.append(variable)
      }
    case .boxed(let permissions):
      makeFolder(cache + "/tmp")
      variables = environment.boxedVariables(permissions, cache: cache)
      // HOME is the cache there, and a program has to find what it was granted.
      if let home = ProviderBox.home(options.environment) {
        variables.append(("INTENTD_HOME", home))
      }
    }
    variables.append(("INTENTD_KIND", run.kind))
    variables.append(("INTENTD_FAMILY", run.family.rawValue))
    variables.append(("INTENTD_CACHE", cache))
    // The lists of the person's own folders may name their friends.
    if let dataFolder, !run.provider.isBoxed || BoxPaths.isProgramFolder(dataFolder) {
      variables.append(("INTENTD_DATA", dataFolder))
    }
    for variable in run.provider.environment {
      variables.removeAll { $0.0 == variable.name }
      variables.append((variable.name, variable.value))
    }
    var spec = ChildSpec(
      program: StartAdvice.program(of: run.provider), arguments: run.provider.exec,
      environment: variables, workingDirectory: run.provider.directory,
      memoryBytesMax: run.provider.memory, wantsInput: true)
    spec.limits = Self.limits(of: run.provider, cacheFolder: cache)
    spec.mayGainPrivileges = run.provider.hasPrivileges && !run.provider.isBoxed
    return spec
  }

  /// Returns the process of a run, in its box if it is to have one, and the socket of the proxy that
  /// it uses, if any; `nil`: it cannot have its box, which was reported as the run's outcome.
  private func contained(_ run: ProviderRun) -> (ChildSpec, bus: String?)? {
    var spec = childSpec(for: run)
    guard case .boxed(let permissions) = run.provider.containment else { return (spec, nil) }
    if let reason = boxRefusal() {
      refuse(run, reason)
      return nil
    }
    var bus: String?
    if !permissions.bus.isEmpty {
      bus = proxies.use(run.kind, names: permissions.bus)
      guard bus != nil else {
        refuse(run, "its permissions.bus cannot be kept: \(BusProxies.program) ended")
        return nil
      }
    }
    do throws(ProviderBox.Refusal) {
      // Made anew for each run, since folders and the links on their paths change.
      let place = ProviderBox(options: options, cacheFolder: cacheFolder)
      spec.box = try place.box(
        of: run.provider, permissions: permissions, cache: cacheFolder + "/" + run.kind, bus: bus,
        landlockVersion: boxes.landlockVersion
      ).rules
      return (spec, bus)
    } catch {
      if let bus { proxies.release(bus) }
      refuse(run, error.reason)
      return nil
    }
  }

  /// Returns why no provider can be boxed here, and tells it the first time.
  private func boxRefusal() -> String? {
    let knownGaps = boxes.gaps
    let reason = boxes.refusal()
    if reason != nil, knownGaps.isEmpty { onBoxGap() }
    return reason
  }
}

extension ProviderDeclaration {
  /// Whether its programs run in a box.
  var isBoxed: Bool { if case .boxed = containment { true } else { false } }
}
