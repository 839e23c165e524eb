import DaemonCore
package import DaemonRuntime
import Downloads
import EventLoop
import IntentRouter
import JSON
import PlainText
import Timekeeping
import WidgetCenter

/// `intentd --try MANIFEST` runs a provider or a plugin once, exactly as the daemon would, and shows
/// everything about the run.
///
/// It shows the issues of the manifest, the arguments and environment, standard error, the timeline
/// and its issues. It places no widget and stores nothing. `TrialText` writes the report for
/// people, and `TrialWatch` runs the trial again at each save.
package final class ManifestTrial {
  private let options: RuntimeOptions
  private let manifest: String
  private let parameters: [String]
  private let family: String?
  /// The mode to ask for, where the kind has several.
  private let mode: WidgetMode
  private let grant: Grant?
  /// The kind to try, of a manifest that offers several; `nil`: the one that `manifest` names, or the
  /// first.
  private var wantedKind: String?
  private let request: TrialRequest
  private var outcome: ProviderOutcome?
  /// The first frame of a plugin that stays running, which is ended then.
  private var frame: [UInt8]?
  private var firstFrame: (() -> Void)?
  /// The file of the manifest, and the provider in it, as far as they are known.
  private(set) var file: String?
  private(set) var provider: ProviderDeclaration?

  /// `manifest` is the path of a manifest or of its folder, or a kind of the person's folders.
  ///
  /// With a `grant` it runs in a box, with that. `request` is the request that the provider gets.
  package init(
    options: RuntimeOptions, manifest: String, parameters: [String], family: String?,
    isExpanded: Bool = false, grant: Grant? = nil, kind: String? = nil,
    request: TrialRequest = .timeline
  ) {
    self.options = options
    wantedKind = kind
    self.manifest = manifest
    self.parameters = parameters
    self.family = family
    mode = isExpanded ? .expanded : .compact
    self.grant = grant
    self.request = request
  }

  /// Returns the exit code: 0 for a timeline without a warning, 1 for anything else.
  package func run(asJSON: Bool) -> Int32 {
    let report = makeReport()
    if asJSON {
      Terminal.emit(Terminal.line(of: .object(report)))
    } else {
      Terminal.emit(TerminalText(TrialText.text(report)))
    }
    return report["ok"]?.boolValue == true ? 0 : 1
  }

  /// Finds the file of the manifest.
  ///
  /// It may be written only later, so each run looks for it again.
  @discardableResult
  func find() -> Result<String, ManifestSearch.Failure> {
    let search = ManifestSearch(options)
    let found = search.path(of: manifest)
    if case .success(let path) = found { file = path }
    if wantedKind == nil { wantedKind = search.kind(of: manifest) }
    return found
  }

  private func makeReport() -> JSONObject {
    outcome = nil
    frame = nil
    provider = nil
    var report: JSONObject = ["ok": false, "manifest": .string(manifest)]
    switch find() {
    case .failure(let failure): report["problem"] = .string(failure.message)
    case .success(let path):
      report["manifest"] = .string(path)
      if let problem = ManifestSearch.absence(of: path) {
        report["problem"] = .string(problem)
      } else {
        judge(path, &report)
      }
    }
    return report
  }

  private func judge(_ path: String, _ report: inout JSONObject) {
    let (found, others, issues) = read(path)
    var told = issues.map(\.description)
    if !others.isEmpty {
      report["others"] = .array(others.map { .string($0) })
    }
    defer {
      report["issues"] = .array(told.map { .string($0) })
      if !told.isEmpty { report["ok"] = false }
    }
    guard var kind = found.map(held) else {
      if let wantedKind, issues.isEmpty {
        let near = nearest(to: wantedKind, among: others)
        report["problem"] = .string(
          "the manifest offers no kind '\(wantedKind)'\(didYouMean(near)); it offers"
            + " \(others.joined(separator: ", "))")
      }
      return
    }
    told += TrialValues.take(parameters, into: &kind)
    guard kind.hasProvider else {
      report["kind"] = .string(kind.kind)
      report["problem"] = .string(
        "\(kind.kind) has no provider, so there is nothing to try: its widgets show what is pushed"
          + " to them; place one and push: intent-send add \(kind.kind)")
      return
    }
    provider = kind.provider
    report["kind"] = .string(kind.kind)
    report["plugin"] = kind.provider.plugin.map(PluginTrial.json)
    if !kind.performs.isEmpty { report["performs"] = .array(kind.performs.map { .string($0) }) }
    if case .boxed(let permissions) = kind.provider.containment {
      report["box"] = .string("it runs in a box, with \(PermissionWords.phrase(permissions))")
    }
    report["group"] = SharedGroups.lack(of: kind).map {
      .string("\($0.message); what gives it: \($0.remedy)")
    }

    var chosen = kind.families[0]
    if let family {
      guard let known = WidgetFamily(typed: family), kind.families.contains(known) else {
        report["problem"] = .string(WidgetFamily.refusal(family, kind: kind))
        return
      }
      chosen = known
    }
    guard kind.modes.contains(mode) else {
      report["problem"] = .string(
        "\(kind.kind) has the compact mode only; write into its manifest: modes: [compact,"
          + " expanded]")
      return
    }
    let intent: JSONValue
    switch readIntent(kind) {
    case .failure(let problem):
      report["problem"] = .string(problem.message)
      return
    case .success(let value): intent = value
    }
    do throws(LoopError) {
      try runOnce(kind, chosen, intent, &report)
    } catch {
      report["problem"] = .string(error.message)
    }
  }

  /// Returns the kind to try, the ids of the others that its manifest offers, and all issues.
  private func read(
    _ path: String
  ) -> (kind: WidgetKind?, others: [String], issues: [DocumentIssue]) {
    guard ManifestSearch.isManifest(path) else {
      let read = PluginTrial.read(path)
      return (read.kind, [], read.issues)
    }
    let loaded = ConfigurationLoader.manifest(at: path, options)
    guard let source = loaded.source else { return (nil, [], loaded.issues) }
    let read = ManifestReader.read(source)
    let wanted = wantedKind ?? source.writtenKinds.first?.kind
    let kind = read.kinds.first { wanted == nil || $0.kind == wanted }
    let others = source.writtenKinds.map(\.kind).filter { $0 != wanted }
    return (kind, others, loaded.issues + read.issues)
  }

  /// Returns the kind held as the daemon would, or in a box with the permissions that this trial
  /// grants.
  private func held(_ kind: WidgetKind) -> WidgetKind {
    guard let grant else {
      return shared(kind.held(by: options.consents.load().consents[kind.bundle]))
    }
    var kind = kind
    kind.provider.containment = .boxed(grant == .asked ? kind.asked : ProviderPermissions())
    // The folder of this trial: what comes from elsewhere finds nothing of the app's in it.
    kind.provider.group = grant == .asked ? kind.group : nil
    kind.provider.pin = nil
    return kind
  }

  /// Returns the kind with the group that it has beside the other kinds that there are.
  private func shared(_ kind: WidgetKind) -> WidgetKind {
    guard kind.group != nil else { return kind }
    let others = ConfigurationLoader(options).load().manifests.lazy
      .flatMap { ManifestReader.read($0).kinds }.filter { $0.kind != kind.kind }
    return SharedGroups.shared(among: [kind] + others)[0]
  }

  private func readIntent(_ kind: WidgetKind) -> Result<JSONValue, RouterError> {
    var values: [String: JSONValue] = [:]
    for parameter in parameters {
      do throws(Assignment.Mistake) {
        let assignment = try Assignment(parameter)
        values[assignment.name] = assignment.value
      } catch {
        return .failure(RouterError(.invalidParameter, error.message))
      }
    }
    guard let name = kind.intent else { return .success(.null) }
    let loader = ConfigurationLoader(intentFolders: options.allIntentFolders, widgetFolders: [])
    // A direct call has no sentence, so the catalogue needs no numbers in words.
    let catalog = IntentCatalog.load(loader.load().catalog).catalog
    guard let definition = catalog.definition(named: name) else {
      // Without the intent's definition the values that the author typed are taken as they are.
      let members = values.sorted { $0.key < $1.key }
      return .success([
        "name": .string(name),
        "parameters": .object(JSONObject(members.map { .init(key: $0.key, value: $0.value) })),
      ])
    }
    for parameter in definition.parameters {
      guard let text = values[parameter.name]?.stringValue else { continue }
      values[parameter.name] = parameter.typed(text)
    }
    let resolved = catalog.resolve(name: name, parameters: values)
      .mapError { error in
        guard error.code == .missingParameter else { return error }
        let missing = definition.parameters.first { parameter in
          parameter.isRequired && parameter.defaultValue == nil && values[parameter.name] == nil
        }
        guard let missing else { return error }
        return RouterError(
          .missingParameter,
          "\(definition.name) needs a \(missing.title.lowercased()); give one:"
            + " --set \(missing.name)=…")
      }
    return resolved.map { intent in
      let members = intent.parameters.sorted { $0.key < $1.key }
      return [
        "name": .string(intent.name),
        "parameters": .object(JSONObject(members.map { .init(key: $0.key, value: $0.value) })),
      ]
    }
  }

  private func runOnce(
    _ kind: WidgetKind, _ family: WidgetFamily, _ intent: JSONValue, _ report: inout JSONObject
  ) throws(LoopError) {
    let loop = try Loop()
    let started = loop.readNow()
    var request = ProviderRequest(
      request: self.request.asked, kind: kind.kind, family: family, intent: intent,
      locale: options.locale, now: started.wall)
    request.wantsView = kind.wantsView && self.request == .timeline
    if kind.hasModes {
      let today = TodaySize()
      let compact = today.compact(request.textSize)
      request.room = .init(
        mode: mode, maximumSize: (mode == .expanded ? today.expanded : nil) ?? compact)
    }
    var bytes: [UInt8] = []
    request.json.write(into: &bytes)
    var run = ProviderRun(
      token: RunToken(1), kind: kind.kind, family: family, provider: kind.provider, request: bytes,
      method: request.request.rawValue)
    if kind.provider.plugin != nil {
      run.plugin = PluginRequest(.firstLook, variables: self.request.variables)
    }
    // The kind's own cache is not for a manifest from elsewhere that only says that it is this kind.
    let cache = grant == nil ? nil : try TemporaryFolder.make("intentd-try", options)
    defer { if let cache { TemporaryFolder.remove(cache) } }
    let launcher = ProviderLauncher(loop: loop, options: options, cacheFolder: cache) {
      [unowned self, unowned loop] event in
      switch event {
      case .provider(_, let outcome):
        self.outcome = outcome
        loop.stop()
      case .streamFrame(_, let bytes) where frame == nil:
        frame = bytes
        firstFrame?()
      default: break
      }
    }
    launcher.keepsDiagnostics = true
    let spec = launcher.childSpec(for: run)
    report["argv"] = .array(spec.arguments.map { JSONValue.string($0) })
    report["program"] = .string(spec.program)
    report["folder"] = .string(spec.workingDirectory)
    report["environment"] = .object(
      JSONObject(
        spec.environment.map { JSONObject.Member(key: $0.0, value: JSONValue.string($0.1)) }))
    report["memory"] = .int(Int64(kind.provider.memory))
    if run.plugin == nil { report["request"] = request.json }
    firstFrame = { [unowned launcher] in launcher.cancel(run.token) }
    defer { firstFrame = nil }
    let timeout = LoopTimer(loop: loop)
    let time = self.request.time(of: kind.provider)
    var timedOut = false
    timeout.arm(at: started.monotonic.advanced(byMilliseconds: time)) {
      timedOut = true
      launcher.cancel(run.token)
    }
    launcher.run(run)
    // A program that cannot be started answers before the loop runs.
    // In each iteration the loop reads a share of what a plugin prints.
    loop.onTurn { false }
    if outcome == nil { loop.runUntilStopped() }
    let downloads = TrialDownloads(
      loop: loop, launcher: launcher, options: options,
      cacheFolder: cache ?? options.cacheFolder
    ).results(for: outcome, of: kind)
    if !downloads.isEmpty, !timedOut {
      // The answer to the files is what the widget shows.
      request.downloads = downloads
      report["downloads"] = .array(downloads.map(\.json))
      report["request"] = request.json
      run.request = Array(request.json.serialized.utf8)
      outcome = nil
      timeout.arm(
        at: loop.readNow().monotonic.advanced(byMilliseconds: kind.provider.timeout)
      ) {
        timedOut = true
        launcher.cancel(run.token)
      }
      launcher.run(run)
      if outcome == nil { loop.runUntilStopped() }
    }
    let ended = loop.readNow()
    let seconds = Double(ended.monotonic.milliseconds(since: started.monotonic)) / 1000
    report["seconds"] = .double(seconds)
    report["stderr"] = .string(launcher.lastDiagnostics)
    let missing = (launcher.supervisor.features?.missing ?? []) + launcher.boxGaps
    if !missing.isEmpty {
      report["supervision"] = .array(missing.map { .string($0) })
    }
    let printed = launcher.lastOutput
    launcher.close()
    loop.close()
    if timedOut, frame == nil, case .failed(let failure) = outcome {
      outcome = .failed(
        ProviderFailure(
          .timedOut(after: time), diagnostics: failure.diagnostics))
      PluginTrial.show(printed, &report)
    }
    judge(StartAdvice(kind.provider, variables: spec.environment), at: ended.wall, &report)
  }

  private func judge(_ advice: StartAdvice, at now: WallTime, _ report: inout JSONObject) {
    if let frame, let declared = provider {
      report["stream"] = "it stays running: this is the first frame, and it was ended then"
      if case .printed(let output) = outcome, output.isUnmet {
        report["stream"] = .string(PluginTrial.unmet(output, declared))
      } else if case .printed(let output) = outcome {
        report["stream"] = .string(
          "it is to stay running, and ended with exit code \(output.exitStatus) after this frame")
      }
      PluginTrial.judge(PluginOutput(frame), by: declared, advice, at: now, &report)
      report["exitStatus"] = nil
      return
    }
    switch outcome {
    case .none: report["problem"] = "the run ended without an outcome"
    case .failed(let failure):
      var problem = failure.message
      if case .exited(let code) = failure.reason, let reason = advice.reason(ofExitCode: code) {
        problem += ": \(reason)"
      }
      if case .timedOut = failure.reason, request == .timeline, let declared = provider {
        problem += "; " + PluginTrial.moreTime(declared, in: file ?? manifest)
      }
      report["problem"] = .string(problem)
      if !failure.diagnostics.isEmpty { report["stderr"] = .string(failure.diagnostics) }
    case .printed(let output) where provider?.isStream == true:
      report["exitStatus"] = .int(Int64(output.exitStatus))
      let reason = advice.reason(ofExitCode: output.exitStatus).map { ": \($0)" } ?? ""
      report["problem"] = .string(
        "it is to stay running, and ended with exit code \(output.exitStatus) before it printed"
          + " anything" + reason)
    case .printed(let output):
      guard let declared = provider else { break }
      PluginTrial.judge(output, by: declared, advice, at: now, &report)
    case .answered(let bytes, _):
      // Cut to whole seconds, since most programs write their dates without a fraction.
      let now = WallTime(seconds: now.milliseconds / 1_000)
      guard request == .timeline else { return request.judge(bytes, at: now, &report) }
      switch WidgetEngine.readAnswer(bytes, at: now) {
      case .failure(let failure):
        report["problem"] = .string(failure.message)
        let beginning = bytes.prefix(TrialLimits.shownOutputBytesMax)
        report["output"] = .string(String(decoding: beginning, as: UTF8.self))
        let warnings = Self.warnings(on: bytes, arrivedAt: now)
        if !warnings.isEmpty { report["warnings"] = .array(warnings.map { .string($0) }) }
      case .success(let answer):
        let warnings = Self.warnings(on: bytes, arrivedAt: now)
        report["ok"] = .bool(warnings.isEmpty)
        report["timeline"] = answer.timeline?.json
        report["preferredHeight"] = answer.preferredHeight.map { .int($0) }
        report["result"] = answer.timeline == nil ? .string(Self.words(on: answer)) : nil
        report["warnings"] = .array(warnings.map { .string($0) })
      }
    }
  }

  /// Returns the warnings on an answer; an output that is no answer has none.
  private static func warnings(on bytes: [UInt8], arrivedAt now: WallTime) -> [String] {
    do throws(JSONError) {
      let value = try JSONValue(parsing: bytes)
      guard case .success(let answer) = ProviderAnswer.read(value) else { return [] }
      return answer.warnings + AnswerReview.warnings(on: value, read: answer, arrivedAt: now)
    } catch {
      // The report has it as its problem.
      return []
    }
  }

  /// Says what becomes of an answer without new entries.
  private static func words(on answer: ProviderAnswer) -> String {
    switch answer.result {
    case .newData: return "new data"
    case .failed(let reason): return "failed: \(reason)"
    case .noData(let policy):
      let next = policy.map { "; policy \($0.words)" } ?? "; the policy of the last answer goes on"
      return "noData: a widget keeps what it shows, and a new one stays empty\(next)"
    }
  }
}
