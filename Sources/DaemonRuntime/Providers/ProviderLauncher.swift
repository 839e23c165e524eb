package import DaemonCore
package import EventLoop
import IntentProtocol
import JSON
import JSONRPC
import Plugins
import Timekeeping
package import WidgetCenter

/// Runs providers: one-shot processes, and long-lived extensions with many requests each.
///
/// Each run has exactly one outcome, whatever the provider does: crash, hang, flood or garbage. The
/// core has the deadlines: when it cancels a run, the launcher first asks the process to end and
/// then kills it.
package final class ProviderLauncher {
  let loop: Loop
  let report: (Event) -> Void
  private let environment: ProviderEnvironment
  private let options: RuntimeOptions
  private let cacheFolder: String
  private let groups: GroupFolders
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

  /// Whether to keep the standard error of the last one-shot run even if it succeeded, and its
  /// output even if it failed, for a trial.
  package var keepsDiagnostics = false
  package private(set) var lastDiagnostics = ""
  /// What the last one-shot run printed until its end, also where it was ended; at most
  /// `ProviderLimits.outputBytesMax`, and nothing of one that printed too much.
  package private(set) var lastOutput: [UInt8] = []

  private var pins = PinCheck()
  private var scripts = ScriptStarts()
  /// The last process of each kind of plugin.
  private var lastSpecs: [String: KnownSpec] = [:]
  /// The moment when the daemon started.
  private let launch: WallTime
  private var runs: [RunToken: OneShotRun] = [:]
  /// Plugins that stay running.
  var streams: [RunToken: StreamProcess] = [:]
  /// By the kind under whose id their program is known: one for all kinds of a manifest.
  private var extensions: [String: ExtensionProcess] = [:]
  /// The extensions that were told to end and have not ended yet.
  private var leaving: [ObjectIdentifier: ExtensionProcess] = [:]

  package init(
    loop: Loop, options: RuntimeOptions, cacheFolder: String? = nil,
    landlockVersion: Int32 = Box.landlockVersion, report: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.options = options
    launch = loop.readNow().wall
    self.report = report
    let cacheFolder = cacheFolder ?? options.cacheFolder
    self.cacheFolder = cacheFolder
    // A trial with a cache of its own neither finds nor leaves anything in the real groups.
    groups =
      cacheFolder == options.cacheFolder
      ? options.groups : GroupFolders(folder: cacheFolder + "/.groups")
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

  /// Makes the folder of a group if it is not there; throws why it cannot be used.
  func makeGroup(_ name: String) throws(FileFailure) { try groups.make(name) }

  /// Gives the person's own programs that start from now on the session of a surface.
  package func use(_ session: SurfaceSession) { self.session.use(session) }

  /// Starts a run; `report` gets its outcome exactly once, perhaps before this returns.
  package func run(_ run: ProviderRun) {
    whenReady(run) { [unowned self] failure in
      if let failure { refuse(run, failure) } else { start(run) }
    }
  }

  /// Waits for what the programs of a run need: the session's variables, or the proxy of their box.
  ///
  /// `then` is called once, perhaps before this returns: with the reason why they must not run, or
  /// with `nil`.
  private func whenReady(_ run: ProviderRun, then: @escaping (ProviderFailure?) -> Void) {
    let judge = { [unowned self] in
      let file = run.provider.pin.flatMap { pins.changedFile(of: $0) }
      then(file.map { ProviderFailure(.changed(kind: run.kind, file: $0)) })
    }
    switch run.provider.containment {
    case .open: session.whenKnown(run.token, judge)
    case .boxed(let permissions) where permissions.bus.isEmpty || boxRefusal() != nil: judge()
    case .boxed(let permissions):
      proxies.whenReady(run, names: permissions.bus) { refusal in
        if let refusal { then(ProviderFailure(.notBoxed(refusal))) } else { judge() }
      }
    }
  }

  /// Makes the process that a run would have, without starting it: for a program that runs beside
  /// the plugin.
  ///
  /// `then` is called once, perhaps before this returns: with the process and the socket of the
  /// proxy that it uses, which is to be released, or with the reason why there is none.
  func prepare(
    _ run: ProviderRun,
    then: @escaping (Result<(spec: ChildSpec, bus: String?), ProviderFailure>) -> Void
  ) {
    whenReady(run) { [unowned self] failure in
      if let failure { return then(.failure(failure)) }
      do throws(ProviderBox.Refusal) {
        then(.success(try world(of: run)))
      } catch {
        then(.failure(ProviderFailure(.notBoxed(error.reason))))
      }
    }
  }

  /// Keeps the standard error of a stream that ended, for a trial.
  func keep(_ diagnostics: String) { lastDiagnostics = diagnostics }

  /// A process uses the proxy at this socket no longer; `nil`: it had none.
  func release(_ bus: String?) {
    if let bus { proxies.release(bus) }
  }

  private func refuse(_ run: ProviderRun, _ failure: ProviderFailure) {
    report(.provider(run.token, .failed(failure)))
  }

  private func start(_ run: ProviderRun) {
    switch run.provider.providerProtocol {
    case .timeline where run.provider.isStream: startStream(run)
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
    if let stream = streams[token] {
      stream.cancel()
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
    for stream in streams.values { stream.close() }
    for process in Array(extensions.values) + Array(leaving.values) { process.close() }
    runs = [:]
    streams = [:]
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
    let end: (ProviderOutcome) -> Void = { [weak self] outcome in
      guard let self else { return }
      release(bus)
      report(.provider(run.token, withPictures(outcome, of: run)))
    }
    let condition = run.provider.plugin?.condition ?? []
    guard !condition.isEmpty else { return start(run, spec, ended: end) }
    start(run, PluginChild.condition(condition, of: run, beside: spec)) { [weak self] outcome in
      switch outcome {
      case .printed(let output) where output.exitStatus == 0: self?.start(run, spec, ended: end)
      // The plugin is not to be shown now, which is no failure.
      case .printed(let output):
        var unmet = PluginOutput([], diagnostics: output.diagnostics)
        unmet.isUnmet = true
        unmet.conditionStatus = output.exitStatus
        end(.printed(unmet))
      case .answered, .failed: end(outcome)
      }
    }
  }

  /// Starts a process for a run; `ended` gets its outcome, perhaps before this returns.
  func start(
    _ run: ProviderRun, _ spec: ChildSpec, ended: @escaping (ProviderOutcome) -> Void
  ) {
    do throws(LoopError) {
      let process = try OneShotRun(
        loop: loop, supervisor: supervisor, run: run, spec: spec,
        notStarted: { [weak self] in self?.whyNotStarted(run, spec, $0) ?? $0 }
      ) {
        [weak self] outcome, remains in
        let process = self?.runs.removeValue(forKey: run.token)
        self?.measured(run.kind, process?.cpuMicroseconds ?? 0)
        if let self, keepsDiagnostics { (lastOutput, lastDiagnostics) = remains() }
        ended(self?.judged(outcome, of: run, spec) ?? outcome)
      }
      runs[run.token] = process
    } catch {
      let reason = whyNotStarted(run, spec, error.message)
      ended(.failed(ProviderFailure(.notStarted(reason))))
    }
  }

  private func notStarted(_ run: ProviderRun, _ spec: ChildSpec, _ error: LoopError) -> Event {
    let reason = whyNotStarted(run, spec, error.message)
    return .provider(run.token, .failed(ProviderFailure(.notStarted(reason))))
  }

  func whyNotStarted(
    _ run: ProviderRun, _ spec: ChildSpec, _ systemReason: String
  ) -> String {
    if run.provider.plugin != nil {
      lastSpecs[run.kind] = nil
      scripts.forget(StartAdvice.program(of: run.provider))
    }
    return advice(on: run, spec).reason() ?? systemReason
  }

  private func advice(on run: ProviderRun, _ spec: ChildSpec) -> StartAdvice {
    var provider = run.provider
    // Its condition may be the program that did not start.
    if let condition = provider.plugin?.condition,
      spec.arguments == PluginChild.arguments(condition, beside: provider.directory)
    {
      provider.exec = condition
    }
    return StartAdvice(provider, variables: spec.environment)
  }

  /// Returns the outcome of a run; a failed start where a shell ended because the script that it was
  /// to start is not there, or cannot be started, or `env` because the interpreter is not there.
  func judged(_ outcome: ProviderOutcome, of run: ProviderRun, _ spec: ChildSpec) -> ProviderOutcome
  {
    guard case .printed(let output) = outcome, output.bytes.isEmpty else { return outcome }
    let advice = advice(on: run, spec)
    let file = StartAdvice.program(of: run.provider)
    // Then the interpreter of its first line was not asked.
    let isReplaced =
      !spec.isFoundOnPath && spec.program != file && spec.arguments.contains(file)
    guard
      let reason = advice.reason(ofShellCode: output.exitStatus)
        ?? (isReplaced ? nil : advice.reason(ofEnvCode: output.exitStatus))
    else { return outcome }
    // `python3` may be installed meanwhile, which runs a script for `python`.
    scripts.forget(file)
    return .failed(ProviderFailure(.notStarted(reason), diagnostics: output.diagnostics))
  }

  // MARK: Extensions

  private func askExtension(_ run: ProviderRun) {
    if let process = extensions[run.bundle],
      process.provider != run.provider || process.isEnding || process.isDoubtful
        || process.files.areReplaced
    {
      // The manifest or the program changed, or the process may hang: it may finish its requests,
      // and a new process gets this one.
      retire(process, of: run.bundle)
    }
    if let process = extensions[run.bundle] {
      process.ask(run)
      return
    }
    guard let (spec, bus) = contained(run) else { return }
    do throws(LoopError) {
      let process = try ExtensionProcess(
        loop: loop, supervisor: supervisor, provider: run.provider, spec: spec,
        notStarted: { [weak self] in self?.whyNotStarted(run, spec, $0) ?? $0 },
        report: { [weak self] event in self?.report(withPictures: event, of: run) })
      process.onGone = { [weak self, weak process] in
        guard let self, let process else { return }
        measured(run.bundle, process.cpuMicroseconds)
        release(bus)
        leaving[ObjectIdentifier(process)] = nil
        if extensions[run.bundle] === process { extensions[run.bundle] = nil }
      }
      extensions[run.bundle] = process
      process.ask(run)
    } catch {
      release(bus)
      report(notStarted(run, spec, error))
    }
  }

  /// Lets every extension end once it has answered; the next request gets a new process.
  func retireExtensions() {
    for (bundle, process) in extensions { retire(process, of: bundle) }
  }

  private func retire(_ process: ExtensionProcess, of bundle: String) {
    leaving[ObjectIdentifier(process)] = process
    extensions[bundle] = nil
    process.finish()
  }

  // MARK: Pictures

  private func report(withPictures event: Event, of run: ProviderRun) {
    guard case .provider(let token, let outcome) = event else { return report(event) }
    report(.provider(token, withPictures(outcome, of: run)))
  }

  /// Returns an outcome whose answer has the bytes of the picture files that it names.
  private func withPictures(_ outcome: ProviderOutcome, of run: ProviderRun) -> ProviderOutcome {
    guard case .answered(let bytes, let diagnostics) = outcome else { return outcome }
    return .answered(pictureFiles(of: run).filled(bytes), diagnostics: diagnostics)
  }

  /// Returns the reader of the picture files that answers of this provider may name.
  private func pictureFiles(of run: ProviderRun) -> PictureFiles {
    let cache = cacheFolder + "/" + run.bundle
    let base = run.provider.directory
    let place = ProviderBox(options: options, cacheFolder: cacheFolder)
    let isReadable = !run.provider.isBoxed || place.opensFolder(of: run.provider)
    var folders = isReadable ? [base, cache] : [cache]
    if let group = run.provider.group { folders.append(groups.path(of: group)) }
    return PictureFiles(base: base, folders: folders)
  }

  // MARK: The child's world

  /// Returns the process of a one-shot run: program, arguments, environment and limits, but not the
  /// box.
  ///
  /// Also makes the folders of the kind.
  package func childSpec(for run: ProviderRun) -> ChildSpec {
    let now = loop.readNow().monotonic
    var spec: ChildSpec
    if let known = lastSpecs[run.kind], known.isOf(run, session.version, at: now) {
      spec = known.spec
    } else {
      let cache = cacheFolder + "/" + run.bundle
      makeFolders(of: run, cache: cache)
      spec = newSpec(for: run, cache: cache)
      // On the PATH there are programs, which need no help.
      if let place = ChildSpec.place(of: spec.program, onPath: spec.searchPath) {
        spec.program = place
        spec.isFoundOnPath = true
      }
      if run.provider.plugin != nil {
        if lastSpecs.count >= RuntimeLimits.knownSpecCountMax { lastSpecs = [:] }
        lastSpecs[run.kind] = KnownSpec(run, session.version, spec, at: now)
      }
    }
    guard run.provider.plugin != nil, !spec.isFoundOnPath else { return spec }
    // The file may have changed.
    let interpreter = scripts.interpreter(of: spec.program, searchPath: spec.searchPath)
    if let program = interpreter.first {
      spec.arguments = interpreter + [spec.program] + spec.arguments.dropFirst()
      spec.program = program
    }
    return spec
  }

  private func makeFolders(of run: ProviderRun, cache: String) {
    makeFolder(cache)
    if run.provider.isBoxed { makeFolder(cache + "/tmp") }
    if run.provider.plugin?.format == .swiftbar { makeFolder(pluginData(of: run, cache: cache)) }
  }

  private func newSpec(for run: ProviderRun, cache: String) -> ChildSpec {
    var variables: [(String, String)]
    switch run.provider.containment {
    case .open:
      variables = session.variables(beside: environment.variables(of: run.provider))
    case .boxed(let permissions):
      variables = environment.boxedVariables(permissions, cache: cache)
      // HOME is the cache there, and a program has to find what it was granted.
      if let home = ProviderBox.home(options.environment) {
        variables.append(("INTENTD_HOME", home))
      }
    }
    // The requests of an extension name their kinds, of which it may have several.
    let isShared = run.provider.providerProtocol == .extension
    variables.append(("INTENTD_KIND", isShared ? run.bundle : run.kind))
    // Swift's stack trace would take seconds, and stand behind the words of a crash.
    if isShared { variables.append(("SWIFT_BACKTRACE", "enable=no")) }
    variables.append(("INTENTD_FAMILY", run.family.rawValue))
    variables.append(("INTENTD_CACHE", cache))
    if let group = run.provider.group {
      variables.append(("INTENTD_GROUP", groups.path(of: group)))
    }
    // The lists of the person's own folders may name their friends.
    if let dataFolder, !run.provider.isBoxed || BoxPaths.isProgramFolder(dataFolder) {
      variables.append(("INTENTD_DATA", dataFolder))
    }
    let plugin = PluginChild(run, place(of: run, cache: cache))
    let added =
      run.provider.environment + (plugin?.variables ?? []) + (run.plugin?.variables ?? [])
    variables = Self.replacing(variables, with: added)
    var spec = ChildSpec(
      program: StartAdvice.program(of: run.provider), arguments: run.provider.exec,
      environment: variables,
      workingDirectory: plugin?.workingDirectory ?? run.provider.directory,
      memoryBytesMax: run.provider.memory,
      wantsInput: run.provider.plugin.map(\.takesLines) ?? true)
    if plugin != nil {
      spec.arguments = PluginChild.arguments(spec.arguments, beside: run.provider.directory)
    }
    spec.limits = Self.limits(of: run.provider, cacheFolder: cache)
    spec.mayGainPrivileges = run.provider.hasPrivileges && !run.provider.isBoxed
    return spec
  }

  /// Returns variables with others, each of which takes the place of those with its name.
  private static func replacing(
    _ variables: [(String, String)], with others: [ProviderDeclaration.Variable]
  ) -> [(String, String)] {
    var names: Set<String> = []
    let last = others.reversed().filter { names.insert($0.name).inserted }.reversed()
    return variables.filter { !names.contains($0.0) } + last.map { ($0.name, $0.value) }
  }

  /// Returns the folder of what a plugin keeps.
  private func pluginData(of run: ProviderRun, cache: String) -> String {
    // A box has one folder to write to.
    run.provider.isBoxed ? cache + "/data" : options.dataHome + "/plugin-data/" + run.bundle
  }

  /// Returns the folders of a plugin.
  private func place(of run: ProviderRun, cache: String) -> PluginChild.Place {
    let home = options.environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return PluginChild.Place(
      home: home, cache: cache, data: pluginData(of: run, cache: cache), launch: launch,
      isDark: session.isDark)
  }

  /// Returns the process of a run, in its box if it is to have one, and the socket of the proxy that
  /// it uses, if any; `nil`: it cannot have its box or the folder of its group, which was reported
  /// as the run's outcome.
  func contained(_ run: ProviderRun) -> (spec: ChildSpec, bus: String?)? {
    do throws(ProviderBox.Refusal) {
      return try world(of: run)
    } catch {
      refuse(run, ProviderFailure(.notBoxed(error.reason)))
      return nil
    }
  }

  /// Returns the same; throws why it cannot have its box.
  private func world(
    of run: ProviderRun
  ) throws(ProviderBox.Refusal) -> (spec: ChildSpec, bus: String?) {
    if let group = run.provider.group {
      do throws(FileFailure) {
        try groups.make(group)
      } catch {
        throw ProviderBox.Refusal(reason: error.message)
      }
    }
    var spec = childSpec(for: run)
    guard case .boxed(let permissions) = run.provider.containment else { return (spec, nil) }
    if let reason = boxRefusal() { throw ProviderBox.Refusal(reason: reason) }
    var bus: String?
    if !permissions.bus.isEmpty {
      bus = proxies.use(run.bundle, names: permissions.bus)
      guard bus != nil else {
        throw ProviderBox.Refusal(
          reason: "its permissions.bus cannot be kept: \(BusProxies.program) ended")
      }
    }
    do throws(ProviderBox.Refusal) {
      // Made anew for each run, since folders and the links on their paths change.
      let place = ProviderBox(options: options, cacheFolder: cacheFolder)
      spec.box = try place.box(
        of: run.provider, permissions: permissions, cache: cacheFolder + "/" + run.bundle, bus: bus,
        group: run.provider.group.map(groups.path), landlockVersion: boxes.landlockVersion
      ).rules
      return (spec, bus)
    } catch {
      if let bus { proxies.release(bus) }
      throw error
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

/// The process of a run, for the next one of the same kind, which mostly is the same.
///
/// It is made anew from time to time: a folder may be deleted meanwhile, and a program may come to
/// stand further in front on the PATH.
private struct KnownSpec {
  private let provider: ProviderDeclaration
  private let family: WidgetFamily
  private let request: PluginRequest?
  private let sessionVersion: Int
  private let madeAt: Instant
  let spec: ChildSpec

  init(_ run: ProviderRun, _ sessionVersion: Int, _ spec: ChildSpec, at now: Instant) {
    madeAt = now
    provider = run.provider
    family = run.family
    request = run.plugin
    self.sessionVersion = sessionVersion
    self.spec = spec
  }

  func isOf(_ run: ProviderRun, _ sessionVersion: Int, at now: Instant) -> Bool {
    now.milliseconds(since: madeAt) < RuntimeLimits.knownSpecAge
      && sessionVersion == self.sessionVersion && run.family == family && run.plugin == request
      && run.provider == provider
  }
}
