import DaemonCore
import DaemonRuntime
import EventLoop
import Glibc
import JSON
import Timekeeping
import WidgetCenter

/// The source of answers in a simulation: providers that really run, or a recording.
///
/// A run takes real time and no virtual time. A run that takes longer than its manifest's `timeout`
/// is ended, and the core gets no outcome until its own virtual deadline passes.
final class RehearsalProviders {
  struct Answer {
    var token: RunToken
    var outcome: ProviderOutcome
  }

  private let loop: Loop
  private let plan: RehearsalPlan
  private let recording: RehearsalRecording?
  private let cacheFolder: String
  /// The groups that the manifests name, by kind.
  private let groups: [String: String]
  private var launcher: ProviderLauncher?
  private var fetcher: FetchRunner?
  /// Downloads that are under way, and the outcomes that `takeFetches` has not handed out yet.
  private var fetching: Set<FetchToken> = []
  private var fetched: [(token: FetchToken, outcome: FetchOutcome)] = []
  /// The descriptor of the file that answers are recorded to; -1: nothing is recorded.
  private var record: Int32 = -1
  /// Why the recording ended early; `nil`: it did not.
  private(set) var recordingFailure: String?

  /// The runs whose outcome the core has not got yet.
  private var runs: [RunToken: ProviderRun] = [:]
  /// The virtual moments at which these runs started.
  private var startedAt: [RunToken: WallTime] = [:]
  /// A timer for each provider that runs now; it fires when `timeout` has passed in real time.
  private var timers: [RunToken: LoopTimer] = [:]
  /// The outcomes that `takeAnswers` has not handed out yet.
  private var arrived: [RunToken: ProviderOutcome] = [:]
  /// The failures of runs that took too long in real time.
  ///
  /// The core gets such a failure when it cancels the run at its virtual deadline.
  private var timedOut: [RunToken: ProviderFailure] = [:]

  init(
    loop: Loop, options: RuntimeOptions, plan: RehearsalPlan, recording: RehearsalRecording?,
    kinds: [WidgetKind]
  ) throws(RehearsalPlan.Problem) {
    self.loop = loop
    groups = kinds.reduce(into: [:]) { $0[$1.kind] = $1.group }
    self.plan = plan
    self.recording = recording
    // Use a folder of its own: the real provider must not find files of a simulated future.
    do throws(LoopError) {
      cacheFolder = try TemporaryFolder.make("intentd-simulate", options)
    } catch {
      throw .init(error.message)
    }
    if let path = plan.recordPath {
      record = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard record >= 0 else {
        let reason = String(cString: strerror(errno))
        TemporaryFolder.remove(cacheFolder)
        throw .init("\(path) cannot be written: \(reason)")
      }
      write(RehearsalRecording.header(from: plan.from))
    }
    launcher = ProviderLauncher(
      loop: loop, options: options, cacheFolder: cacheFolder
    ) { [unowned self] event in
      if case .provider(let token, let outcome) = event { arrive(token, outcome) }
    }
    fetcher = launcher.map { launcher in
      FetchRunner(
        loop: loop, supervisor: launcher.supervisor, options: options, cacheFolder: cacheFolder
      ) { [unowned self] event in
        guard case .fetched(let token, let outcome) = event else { return }
        fetching.remove(token)
        fetched.append((token, outcome))
      }
    }
  }

  /// Fetches files for the providers; a recording has none.
  func fetch(_ request: FetchRequest) {
    guard recording == nil, let fetcher else {
      return fetched.append((request.token, .failed("a recording has no files")))
    }
    fetching.insert(request.token)
    fetcher.start(request)
  }

  func cancelFetch(_ token: FetchToken) { fetcher?.cancel(token) }

  /// Returns the outcomes of downloads since the last call.
  func takeFetches() -> [(token: FetchToken, outcome: FetchOutcome)] {
    defer { fetched = [] }
    return fetched.sorted { $0.token < $1.token }
  }

  /// Ends all children and removes their files.
  func close() {
    fetcher?.close()
    for timer in timers.values { timer.close() }
    timers = [:]
    launcher?.close()
    if record >= 0 { Glibc.close(record) }
    record = -1
    TemporaryFolder.remove(cacheFolder)
  }

  /// Whether a provider is at work, or a file on its way.
  var isWaiting: Bool { !timers.isEmpty || !fetching.isEmpty }

  /// Returns a run that was started, and its `now`; `nil`: there is none of this token.
  func run(of token: RunToken) -> (run: ProviderRun, at: WallTime)? {
    guard let run = runs[token], let at = startedAt[token] else { return nil }
    return (run, at)
  }

  /// Drops a run whose outcome the core has got.
  func forget(_ token: RunToken) {
    runs[token] = nil
    startedAt[token] = nil
  }

  /// Starts a run's provider, or finds its answer in the recording.
  func start(_ run: ProviderRun, at now: WallTime) {
    precondition(runs[run.token] == nil, "run \(run.token.number) was started before")
    var run = run
    // A program that is told of no folder would use the real one, where no box keeps it from it.
    run.provider.group = run.provider.group ?? groups[run.kind]
    runs[run.token] = run
    startedAt[run.token] = now
    if let recording {
      arrived[run.token] =
        recording.answer(
          to: Self.question(of: run), elapsed: now.milliseconds(since: plan.from), now: now)
        ?? .failed(ProviderFailure(.refused("the recording has no answer of \(run.kind)")))
      return
    }
    let timer = LoopTimer(loop: loop)
    timers[run.token] = timer
    timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: run.provider.timeout)) {
      [unowned self] in
      timedOut[run.token] = ProviderFailure(.timedOut(after: run.provider.timeout))
      launcher?.cancel(run.token)
    }
    launcher?.run(run)
  }

  private func arrive(_ token: RunToken, _ outcome: ProviderOutcome) {
    timers.removeValue(forKey: token)?.close()
    guard runs[token] != nil, arrived[token] == nil else { return }
    if var failure = timedOut[token] {
      // Its standard error may say what it waited for.
      if case .failed(let ended) = outcome { failure.diagnostics = ended.diagnostics }
      timedOut[token] = failure
      keep(.failed(failure), token)
    } else {
      keep(outcome, token)
      arrived[token] = outcome
    }
  }

  /// Returns the answers since the last call, in the order of the runs; children end in any order.
  func takeAnswers() -> [Answer] {
    let answers = arrived.sorted { $0.key < $1.key }.map {
      Answer(token: $0.key, outcome: $0.value)
    }
    arrived = [:]
    return answers
  }

  /// Cancels a run for the core; returns its outcome, or `nil` if the answer is on its way.
  func cancel(_ token: RunToken) -> ProviderOutcome? {
    if let failure = timedOut.removeValue(forKey: token) { return .failed(failure) }
    if timers[token] != nil { launcher?.cancel(token) }
    return nil
  }

  // MARK: Recording

  private func keep(_ outcome: ProviderOutcome, _ token: RunToken) {
    guard record >= 0, let run = runs[token], let at = startedAt[token] else { return }
    write(RehearsalRecording.line(outcome, to: Self.question(of: run), at: at))
  }

  private static func question(of run: ProviderRun) -> RehearsalRecording.Question {
    do throws(JSONError) {
      let request = try JSONValue(parsing: run.request)
      return RehearsalRecording.Question(
        kind: run.kind, family: run.family.rawValue, mode: request["mode"]?.stringValue,
        intent: request["intent"] ?? .null)
    } catch {
      preconditionFailure("the core's own request is not JSON: \(error.message)")
    }
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty, record >= 0 {
      let count = bytes.withUnsafeBytes { Glibc.write(record, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        recordingFailure = "the recording is not whole: \(String(cString: strerror(errno)))"
        Glibc.close(record)
        record = -1
        return
      }
      bytes = bytes.dropFirst(count)
    }
  }
}
