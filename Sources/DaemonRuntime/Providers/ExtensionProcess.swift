import DaemonCore
import EventLoop
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// A long-lived provider: JSON-RPC lines to its input, answers from its output.
final class ExtensionProcess {
  let provider: ProviderDeclaration
  let files: StartedFiles
  var onGone: () -> Void = {}
  private let loop: Loop
  private let report: (Event) -> Void
  /// Makes the system's reason for a failed start a better one.
  private let notStarted: (String) -> String
  private let cacheFolder: String
  private let timer: LoopTimer
  private var child: ChildProcess?
  private var framer = LineFramer(frameBytesMax: ProviderLimits.outputBytesMax)
  private var diagnostics = DiagnosticsTail()
  private var pending: Set<RunToken> = [] {
    didSet {
      if pending.isEmpty != oldValue.isEmpty { child?.attend(!pending.isEmpty) }
    }
  }
  /// Whether the process was told to end, by the end of its input or by a signal.
  private(set) var isEnding = false
  private(set) var cpuMicroseconds: UInt64 = 0
  /// A request was given up and nothing was answered since: it may hang.
  private(set) var isDoubtful = false

  init(
    loop: Loop, supervisor: Supervisor, provider: ProviderDeclaration, spec: ChildSpec,
    notStarted: @escaping (String) -> String, report: @escaping (Event) -> Void
  ) throws(LoopError) {
    self.loop = loop
    self.notStarted = notStarted
    cacheFolder = spec.limits.cacheFolder ?? ""
    self.provider = provider
    files = StartedFiles(of: spec)
    self.report = report
    timer = LoopTimer(loop: loop)
    do throws(LoopError) {
      child = try ChildProcess.start(
        loop: loop, spec: spec, supervisor: supervisor,
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
    if case .invalid(let error) = envelope.kind, error.code == RPCError.Code.parse {
      failGarbled(line)
      return
    }
    guard case .response = envelope.kind, case .integer(let number)? = envelope.id,
      let token = UInt64(exactly: number).map({ RunToken($0) })
    else {
      // A message, and no answer to anything.
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

  /// Fails the requests whose answer a line that is no JSON may have been, at once: they would wait
  /// for nothing until their time is over.
  ///
  /// That is the request whose number the line has, as where a value is `NaN`; else all of them. The
  /// process stays: it may answer others.
  private func failGarbled(_ line: Span<UInt8>) {
    let start = GarbledLine(line)
    guard !start.isEmpty else { return }
    let named = start.id.map { RunToken($0) }.flatMap { pending.contains($0) ? $0 : nil }
    fail(
      named.map { [$0] } ?? pending.sorted(),
      .badAnswer(
        "it wrote the line '\(start.shown)', which is not JSON, in the place of an answer; each"
          + " answer is one line of JSON, and other text belongs to standard error"))
    guard pending.isEmpty, !isEnding, !isDoubtful else { return }
    arm(ProviderLimits.idleInterval) { [weak self] in self?.finish() }
  }

  private func failAll(_ reason: ProviderFailure.Reason) {
    fail(pending.sorted(), reason)
  }

  private func fail(_ tokens: [RunToken], _ reason: ProviderFailure.Reason) {
    pending.subtract(tokens)
    for token in tokens {
      report(.provider(token, .failed(ProviderFailure(reason, diagnostics: diagnostics.text))))
    }
  }

  private func exited(_ exit: ChildExit) {
    child?.kill()
    cpuMicroseconds = child?.cpuMicroseconds ?? 0
    child = nil
    timer.close()
    failAll(
      ProviderFailure.Reason(
        exit, of: provider, cacheFolder: cacheFolder, notStarted: notStarted))
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
