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
  private let baseEnvironment: [(String, String)]
  private let cacheFolder: String
  private let dataFolder: String?

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
    loop: Loop, environment: [String: String], cacheFolder: String, dataFolder: String?,
    report: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.report = report
    self.cacheFolder = cacheFolder
    self.dataFolder = dataFolder
    baseEnvironment = Self.cleanEnvironment(environment)
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
  }

  // MARK: One-shot

  private func startOneShot(_ run: ProviderRun) {
    precondition(runs[run.token] == nil, "run \(run.token.number) is under way already")
    let spec = childSpec(for: run)
    do throws(LoopError) {
      let process = try OneShotRun(loop: loop, run: run, spec: spec) {
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
    let advice = StartAdvice(run.provider, variables: spec.environment).reason()
    return .provider(run.token, .failed(ProviderFailure(.notStarted(advice ?? error.message))))
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
        loop: loop, provider: run.provider, spec: spec, report: report)
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
    var environment = baseEnvironment
    environment.append(("INTENTD_KIND", run.kind))
    environment.append(("INTENTD_FAMILY", run.family.rawValue))
    environment.append(("INTENTD_CACHE", cache))
    if let dataFolder { environment.append(("INTENTD_DATA", dataFolder)) }
    for variable in run.provider.environment {
      environment.removeAll { $0.0 == variable.name }
      environment.append((variable.name, variable.value))
    }
    return ChildSpec(
      program: StartAdvice.program(of: run.provider), arguments: run.provider.exec,
      environment: environment,
      workingDirectory: run.provider.directory, memoryBytesMax: run.provider.memory,
      wantsInput: true)
  }

  /// The variables of DESIGN's clean environment, in a fixed order.
  private static func cleanEnvironment(_ environment: [String: String]) -> [(String, String)] {
    let names = [
      "PATH", "HOME", "USER", "LANG", "TZ", "TMPDIR", "http_proxy", "https_proxy", "all_proxy",
      "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    ]
    var clean: [(String, String)] = []
    for name in names {
      if let value = environment[name] { clean.append((name, value)) }
    }
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("LC_") {
      clean.append((name, value))
    }
    if environment["PATH"] == nil { clean.insert(("PATH", "/usr/local/bin:/usr/bin:/bin"), at: 0) }
    return clean
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

/// The last bytes of a standard error.
struct DiagnosticsTail {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more.suffix(ProviderLimits.diagnosticsBytesMax))
    if bytes.count > 2 * ProviderLimits.diagnosticsBytesMax { trim() }
  }

  mutating func trim() {
    bytes.removeFirst(max(0, bytes.count - ProviderLimits.diagnosticsBytesMax))
  }

  var text: String {
    var tail = self
    tail.trim()
    return String(decoding: tail.bytes, as: UTF8.self)
  }
}

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

  init(
    loop: Loop, run: ProviderRun, spec: ChildSpec,
    finished: @escaping (ProviderOutcome, () -> String) -> Void
  ) throws(LoopError) {
    self.loop = loop
    self.finished = finished
    killTimer = LoopTimer(loop: loop)
    do throws(LoopError) {
      child = try ChildProcess.start(
        loop: loop, spec: spec,
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
    switch exit {
    case .exited(code: 0): finish(.answered(output, diagnostics: diagnostics.text))
    case .exited(let code):
      finish(.failed(ProviderFailure(.exited(code: code), diagnostics: diagnostics.text)))
    case .signaled(let signal):
      finish(.failed(ProviderFailure(.signaled(signal: signal), diagnostics: diagnostics.text)))
    }
  }

  private func finish(_ outcome: ProviderOutcome) {
    finished(outcome) { [diagnostics] in diagnostics.text }
  }
}

/// A long-lived provider: JSON-RPC lines to its input, answers from its output.
final class ExtensionProcess {
  let provider: ProviderDeclaration
  var onGone: () -> Void = {}
  private let loop: Loop
  private let report: (Event) -> Void
  private let timer: LoopTimer
  private var child: ChildProcess?
  private var framer = LineFramer(frameBytesMax: ProviderLimits.outputBytesMax)
  private var diagnostics = DiagnosticsTail()
  private var pending: Set<RunToken> = []
  /// Whether the process was told to end, by the end of its input or by a signal.
  private(set) var isEnding = false
  private(set) var cpuMicroseconds: UInt64 = 0
  /// A request was given up and nothing was answered since: it may hang.
  private(set) var isDoubtful = false

  init(
    loop: Loop, provider: ProviderDeclaration, spec: ChildSpec, report: @escaping (Event) -> Void
  ) throws(LoopError) {
    self.loop = loop
    self.provider = provider
    self.report = report
    timer = LoopTimer(loop: loop)
    do throws(LoopError) {
      child = try ChildProcess.start(
        loop: loop, spec: spec,
        onStdout: { [self] in take($0) },
        onStderr: { [self] in diagnostics.append($0) },
        onExit: { [self] in exited($0) })
    } catch {
      timer.close()
      throw error
    }
  }

  func ask(_ run: ProviderRun) {
    timer.disarm()
    // Standard error from before belongs to requests that have ended.
    if pending.isEmpty { diagnostics = DiagnosticsTail() }
    pending.insert(run.token)
    var line: [UInt8] = []
    appendRequest(
      id: .integer(Int64(run.token.number)), method: "provider.\(run.method)", to: &line,
      params: { $0.append(contentsOf: run.request) })
    child?.writeInput(line)
  }

  /// Tells the process that this answer is no longer needed.
  ///
  /// A process that stays silent hangs, and is ended.
  func cancel(_ token: RunToken) -> Bool {
    guard pending.remove(token) != nil else { return false }
    var line: [UInt8] = []
    appendNotification(
      method: "provider.cancel", params: ["id": .int(Int64(token.number))], to: &line)
    child?.writeInput(line)
    report(.provider(token, .failed(ProviderFailure(.cancelled, diagnostics: diagnostics.text))))
    if isEnding, !pending.isEmpty { return true }
    isDoubtful = true
    arm(ProviderLimits.killGrace) { [weak self] in self?.insist() }
    return true
  }

  /// Sends no more requests and ends the input: the process exits after its last answer.
  ///
  /// The core's deadlines bound the time until then.
  func finish() {
    isEnding = true
    child?.closeInput()
    // In doubt, the shorter grace of `cancel` is running already.
    guard !isDoubtful, pending.isEmpty else { return }
    leaveSoon()
  }

  private func leaveSoon() {
    arm(ProviderLimits.leaveGrace) { [weak self] in self?.insist() }
  }

  func close() {
    timer.close()
    child?.close()
    child = nil
  }

  private func insist() {
    isEnding = true
    child?.terminate()
    arm(ProviderLimits.killGrace) { [weak self] in self?.child?.kill() }
  }

  private func arm(_ milliseconds: Int64, _ fire: @escaping () -> Void) {
    timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: milliseconds), fire)
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    var isFlooding = false
    framer.feed(
      Array(bytes), line: { line in answer(line) }, oversized: { isFlooding = true })
    if isFlooding {
      failAll(.tooMuchOutput(limit: ProviderLimits.outputBytesMax))
      insist()
    }
  }

  private func answer(_ line: Span<UInt8>) {
    let envelope = Envelope(reading: line)
    guard case .response = envelope.kind, case .integer(let number)? = envelope.id,
      let token = UInt64(exactly: number).map({ RunToken($0) })
    else {
      // Not an answer to anything: noise. Its author sees it with `try`.
      return
    }
    let isAwaited = pending.remove(token) != nil
    if !isEnding, isAwaited || isDoubtful {
      isDoubtful = false
      if pending.isEmpty {
        arm(ProviderLimits.idleInterval) { [weak self] in self?.finish() }
      } else {
        timer.disarm()
      }
    } else if isEnding, isAwaited, pending.isEmpty, !isDoubtful {
      leaveSoon()
    }
    // A late answer to a request that was given up is a sign of life and nothing else.
    guard isAwaited else { return }
    if let result = envelope.result {
      report(.provider(token, .answered(line.copy(result), diagnostics: diagnostics.text)))
    } else {
      var message = "it gave no reason"
      if let range = envelope.error {
        do throws(JSONError) {
          message =
            try JSONValue(parsing: line.extracting(range))["message"]?.stringValue ?? message
        } catch {
          message = error.message
        }
      }
      report(
        .provider(token, .failed(ProviderFailure(.refused(message), diagnostics: diagnostics.text)))
      )
    }
  }

  private func failAll(_ reason: ProviderFailure.Reason) {
    let failed = pending.sorted()
    pending = []
    for token in failed {
      report(.provider(token, .failed(ProviderFailure(reason, diagnostics: diagnostics.text))))
    }
  }

  private func exited(_ exit: ChildExit) {
    child?.kill()
    cpuMicroseconds = child?.cpuMicroseconds ?? 0
    child = nil
    timer.close()
    switch exit {
    case .exited(let code): failAll(.exited(code: code))
    case .signaled(let signal): failAll(.signaled(signal: signal))
    }
    onGone()
  }
}

extension Span<UInt8> {
  func copy(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for index in range { bytes.append(self[index]) }
    return bytes
  }
}
