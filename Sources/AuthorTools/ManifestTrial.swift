import DaemonCore
package import DaemonRuntime
import EventLoop
import Glibc
import IntentRouter
import JSON
import Timekeeping
import WidgetCenter

/// `intentd --try MANIFEST` runs a provider once, exactly as the daemon would, and shows everything
/// about the run.
///
/// It shows the issues of the manifest, the arguments and environment, standard error, the timeline
/// and its issues. It places no widget and stores nothing.
package final class ManifestTrial {
  private let options: RuntimeOptions
  private let manifest: String
  private let parameters: [String]
  private let family: String?
  private var outcome: ProviderOutcome?

  package init(options: RuntimeOptions, manifest: String, parameters: [String], family: String?) {
    self.options = options
    self.manifest = manifest
    self.parameters = parameters
    self.family = family
  }

  /// Returns the exit code: 0 for a good timeline, 1 for anything else.
  package func run(asJSON: Bool) -> Int32 {
    let report = makeReport()
    if asJSON {
      Self.emit(JSONValue.object(report).serialized + "\n")
    } else {
      Self.emit(Self.text(report))
    }
    return report["ok"]?.boolValue == true ? 0 : 1
  }

  private func makeReport() -> JSONObject {
    var report: JSONObject = ["ok": false, "manifest": .string(manifest)]
    let loaded = ConfigurationLoader.manifest(at: manifest)
    var issues = loaded.issues
    guard let source = loaded.source else {
      report["issues"] = .array(issues.map { .string($0.description) })
      return report
    }
    let read = ManifestReader.read(source)
    issues += read.issues
    report["issues"] = .array(issues.map { .string($0.description) })
    guard let kind = read.kind else { return report }
    report["kind"] = .string(kind.kind)

    let chosen: WidgetFamily
    if let family {
      guard let known = WidgetFamily(rawValue: family), kind.families.contains(known) else {
        report["problem"] = .string(
          "\(kind.kind) does not come in the family '\(family)'; choose one of \(kind.families.map(\.rawValue).joined(separator: ", "))"
        )
        return report
      }
      chosen = known
    } else {
      chosen = kind.families[0]
    }
    let intent: JSONValue
    switch readIntent(kind) {
    case .failure(let problem):
      report["problem"] = .string(problem.message)
      return report
    case .success(let value): intent = value
    }
    do throws(LoopError) {
      try runOnce(kind, chosen, intent, &report)
    } catch {
      report["problem"] = .string(error.message)
    }
    return report
  }

  private func readIntent(_ kind: WidgetKind) -> Result<JSONValue, RouterError> {
    var values: [String: JSONValue] = [:]
    for parameter in parameters {
      guard let equals = parameter.firstIndex(of: "=") else {
        return .failure(
          RouterError(.invalidParameter, "'\(parameter)' is no parameter; write name=value"))
      }
      values[String(parameter[..<equals])] = .string(
        String(parameter[parameter.index(after: equals)...]))
    }
    guard let name = kind.intent else { return .success(.null) }
    let loader = ConfigurationLoader(intentFolders: options.allIntentFolders, widgetFolders: [])
    // A direct call has no sentence, so nothing needs spelling.
    let catalog = IntentCatalog.load(loader.load().catalog).catalog
    guard catalog.definition(named: name) != nil else {
      // Without the intent's definition the author's words are taken as they are.
      let members = values.sorted { $0.key < $1.key }
      return .success([
        "name": .string(name),
        "parameters": .object(JSONObject(members.map { .init(key: $0.key, value: $0.value) })),
      ])
    }
    return catalog.resolve(name: name, parameters: values).map { intent in
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
    let request = ProviderRequest(
      request: .timeline, kind: kind.kind, family: family, intent: intent,
      locale: options.locale, now: started.wall)
    var bytes: [UInt8] = []
    request.json.write(into: &bytes)
    let run = ProviderRun(
      token: RunToken(1), kind: kind.kind, family: family, provider: kind.provider, request: bytes)
    let launcher = ProviderLauncher(
      loop: loop, environment: options.environment, cacheFolder: options.cacheFolder,
      dataFolder: options.allIntentFolders.first { access($0 + "/lists", R_OK) == 0 }
    ) { [unowned self, unowned loop] event in
      if case .provider(_, let outcome) = event { self.outcome = outcome }
      loop.stop()
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
    report["request"] = request.json
    let timeout = LoopTimer(loop: loop)
    var timedOut = false
    timeout.arm(at: started.monotonic.advanced(byMilliseconds: kind.provider.timeout)) {
      timedOut = true
      launcher.cancel(run.token)
    }
    launcher.run(run)
    // A program that cannot be started answers before the loop runs.
    if outcome == nil { loop.runUntilStopped() }
    let seconds = Double(loop.readNow().monotonic.milliseconds(since: started.monotonic)) / 1000
    report["seconds"] = .double(seconds)
    report["stderr"] = .string(launcher.lastDiagnostics)
    launcher.close()
    loop.close()
    judge(kind, timedOut: timedOut, &report)
  }

  private func judge(_ kind: WidgetKind, timedOut: Bool, _ report: inout JSONObject) {
    switch outcome {
    case .none: report["problem"] = "the run ended without an outcome"
    case .failed(let failure):
      let told = timedOut ? ProviderFailure(.timedOut(after: kind.provider.timeout)) : failure
      report["problem"] = .string(told.message)
      if !failure.diagnostics.isEmpty { report["stderr"] = .string(failure.diagnostics) }
    case .answered(let bytes, _):
      switch WidgetEngine.readAnswer(bytes) {
      case .failure(let failure):
        report["problem"] = .string(failure.message)
        report["output"] = .string(String(decoding: bytes.prefix(2_000), as: UTF8.self))
      case .success(let timeline):
        report["ok"] = true
        report["timeline"] = timeline.json
        report["warnings"] = .array(Self.warnings(bytes).map { .string($0) })
      }
    }
  }

  private static func warnings(_ bytes: [UInt8]) -> [String] {
    do throws(JSONError) {
      if case .success(let read) = Timeline.read(try JSONValue(parsing: bytes)) {
        return read.warnings
      }
    } catch {
      preconditionFailure("an answer that was read a moment ago is no JSON: \(error.message)")
    }
    return []
  }

  // MARK: For people

  private static func text(_ report: JSONObject) -> String {
    var lines: [String] = []
    func section(_ title: String, _ body: [String]) {
      guard !body.isEmpty else { return }
      lines.append(title)
      lines += body.map { "  " + $0 }
    }
    section(
      "manifest \(report["manifest"]?.stringValue ?? "")",
      (report["issues"]?.arrayValue ?? []).compactMap(\.stringValue))
    if let argv = report["argv"]?.arrayValue {
      section("argv", [argv.map(\.serialized).joined(separator: " ")])
      section("folder", [report["folder"]?.stringValue ?? ""])
    }
    section(
      "environment",
      (report["environment"]?.objectValue?.members ?? []).map {
        "\($0.key)=\($0.value.stringValue ?? "")"
      })
    if let request = report["request"] { section("request (standard input)", [request.serialized]) }
    let diagnostics = report["stderr"]?.stringValue ?? ""
    section("standard error", diagnostics.split(separator: "\n").map(String.init))
    if let output = report["output"]?.stringValue {
      section("standard output", output.split(separator: "\n").map(String.init))
    }
    if let timeline = report["timeline"] {
      var entries: [String] = []
      for entry in timeline["entries"]?.arrayValue ?? [] {
        let score = entry["relevance"]?["score"]?.serialized ?? "-"
        entries.append(
          "\(entry["date"]?.stringValue ?? "")  relevance \(score)  \(entry["content"]?.serialized ?? "")"
        )
      }
      let count = entries.count
      for window in timeline["relevance"]?.arrayValue ?? [] {
        let dates = "\(window["from"]?.stringValue ?? "") to \(window["to"]?.stringValue ?? "")"
        entries.append("\(dates)  relevant: \(window["kind"]?.stringValue ?? "")")
      }
      let policy = timeline["policy"]?.serialized ?? ""
      section(
        "timeline: \(count) \(count == 1 ? "entry" : "entries"), policy \(policy)", entries)
    }
    section("warnings", (report["warnings"]?.arrayValue ?? []).compactMap(\.stringValue))
    let seconds = report["seconds"]?.serialized ?? "0"
    if report["ok"]?.boolValue == true {
      lines.append("good: answered in \(seconds) s")
    } else if let problem = report["problem"]?.stringValue {
      lines.append("failed after \(seconds) s: \(problem)")
    } else {
      lines.append("failed: the manifest has mistakes; mend them first")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Writes all of a text to standard output.
  static func emit(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        // Best effort: the reader closed this program's output.
        return
      }
      bytes = bytes.dropFirst(count)
    }
  }
}
