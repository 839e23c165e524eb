package import DaemonCore
package import DaemonRuntime
import EventLoop
import Glibc
import JSON
import JSONRPC
import NumberWords
package import PlainText
package import Timekeeping
package import VirtualTime
package import WidgetCenter

/// `intentd --simulate`: the daemon's own core on virtual time, with the person's manifests and
/// providers.
///
/// `Daemon` decides when a widget reloads, as in the real service. This shell gives it a clock that
/// jumps from one deadline to the next, a store that keeps nothing, a surface, and providers that
/// really run: in real time, with the virtual `now` in their requests, and their answers arrive at
/// the virtual moment. Virtual time stops while a provider runs.
package final class Rehearsal: VirtualShell {
  private let options: RuntimeOptions
  private let plan: RehearsalPlan
  private let asJSON: Bool
  private var report: RehearsalReport
  private var setting: RehearsalSetting?
  private var providers: RehearsalProviders?

  private var daemon: Daemon
  /// Plans are events: answers that take their time, and looks of a person.
  package var clock: VirtualClock<Event>
  package var inbox: [Event] = []
  private var placing: [Int64: String] = [:]
  private var numbers: SeededNumbers

  /// The seconds by which local time is ahead of UTC, as last reported to the daemon.
  private var zone: Int64?
  private var turnCount = 0
  private var runCount = 0
  private var wokenKinds: Set<String> = []
  /// The turn under way handles a wake-up.
  private var isWokenTurn = false
  /// Why it ends before its time.
  private var endReason: String?
  private var isInterrupted = false
  package private(set) var isOver = false

  private static let tool = ConnectionID(1)
  private static let surface = ConnectionID(2)

  package init(
    options: RuntimeOptions, plan: RehearsalPlan, asJSON: Bool,
    emit: ((TerminalText) -> Void)? = nil
  ) {
    self.options = options
    self.plan = plan
    self.asJSON = asJSON
    report = RehearsalReport(plan, asJSON: asJSON, emit: emit ?? Terminal.emit)
    numbers = SeededNumbers(seed: plan.seed ?? 0)
    clock = VirtualClock(monotonic: Instant(nanoseconds: 0), wall: plan.from)
    daemon = Daemon(
      options: Daemon.Options(
        userID: options.userID, processID: getpid(), version: options.version,
        locale: options.locale))
  }

  /// The wall clock of this moment, for a simulation that begins now.
  package static func realNow() -> WallTime {
    var time = timespec()
    let status = clock_gettime(CLOCK_REALTIME, &time)
    precondition(status == 0, "the system has no wall clock")
    return WallTime(seconds: Int64(time.tv_sec))
  }

  /// Returns the exit code: 0 when nothing is to be mended, 1 otherwise, 64 for a wish that cannot
  /// be met, 130 when it was interrupted.
  package func run() -> Int32 {
    do throws(RehearsalPlan.Problem) {
      let setting = try RehearsalSetting(plan, options: options)
      guard !setting.kinds.isEmpty else {
        throw .init(
          "there is nothing to simulate: no manifest in \(options.allWidgetFolders.joined(separator: ", "))"
        )
      }
      self.setting = setting
      let recording = try plan.replayPath.map(Self.readRecording)
      let loop: Loop
      do throws(LoopError) {
        loop = try Loop()
      } catch {
        throw .init(error.message)
      }
      defer { loop.close() }
      return try live(loop, setting, recording)
    } catch {
      report.problem(error.message, kind: nil)
      return 64
    }
  }

  private static func readRecording(
    _ path: String
  ) throws(RehearsalPlan.Problem) -> RehearsalRecording {
    switch readFile(path, bytesMax: RehearsalLimits.recordingBytesMax) {
    case .failure(let failure): throw .init("\(path) cannot be read: \(failure.message)")
    case .success(let bytes): return try RehearsalRecording(bytes, file: path)
    }
  }

  private func live(
    _ loop: Loop, _ setting: RehearsalSetting, _ recording: RehearsalRecording?
  ) throws(RehearsalPlan.Problem) -> Int32 {
    let providers = try RehearsalProviders(
      loop: loop, options: options, plan: plan, recording: recording, kinds: setting.kinds)
    self.providers = providers
    defer { providers.close() }
    var signals: [SignalSource] = []
    do throws(LoopError) {
      for number in [SIGINT, SIGTERM] {
        signals.append(
          try SignalSource(loop: loop, signal: number) { [unowned self] in isInterrupted = true })
      }
    } catch {
      throw .init(error.message)
    }
    let started = loop.readNow().monotonic
    report.begin(setting.kinds)
    for issue in setting.files.issues where issue.severity == .error {
      report.problem(issue.description, kind: nil)
    }
    inbox = [.started]
    loop.onTurn { [unowned self, unowned loop] in
      let spent = loop.readNow().monotonic.milliseconds(since: started)
      return step(realMilliseconds: spent) { loop.stop() }
    }
    // A deadline of real time also while a provider runs.
    let deadline = LoopTimer(loop: loop)
    deadline.arm(at: started.advanced(byMilliseconds: RehearsalLimits.realTimeMax)) {}
    loop.runUntilStopped()
    let spent = loop.readNow().monotonic.milliseconds(since: started)
    if let failure = providers.recordingFailure { report.problem(failure, kind: nil) }
    let isToMend = report.end(
      at: clock.wall, reason: endReason, realMilliseconds: spent, turns: turnCount)
    for signal in signals { signal.close() }
    return isInterrupted ? 130 : isToMend ? 1 : 0
  }

  // MARK: Virtual time

  /// Some turns; returns whether to come back without waiting.
  private func step(realMilliseconds: Int64, stop: () -> Void) -> Bool {
    // A few at a time, so that signals and children are heard.
    for _ in 0..<64 {
      guard !isOver else { break }
      if isInterrupted {
        end("interrupted")
      } else if realMilliseconds >= RehearsalLimits.realTimeMax {
        end("it has taken \(DurationText.words(RehearsalLimits.realTimeMax)) of real time")
      } else if runCount > RehearsalLimits.runCountMax {
        end("\(RehearsalLimits.runCountMax) runs are enough; simulate a shorter time, or --replay")
      } else if clock.turnsAtThisMoment > RehearsalLimits.turnsWithoutTimeMax {
        end("the core does not come to rest at this moment")
      } else {
        guard providers?.isWaiting != true else { return false }
        takeAnswers()
        if inbox.isEmpty { jump() }
        guard !isOver else { continue }
        var shell = self
        shell.turn()
      }
    }
    if isOver { stop() }
    return !isOver
  }

  private func end(_ reason: String?) {
    endReason = reason
    isOver = true
  }

  private func takeAnswers() {
    for answer in providers?.takeAnswers() ?? [] {
      let delay = plan.seed == nil ? 0 : numbers.between(20, 1_500)
      happen(.provider(answer.token, answer.outcome), after: delay)
    }
    for fetch in providers?.takeFetches() ?? [] {
      let delay = plan.seed == nil ? 0 : numbers.between(20, 1_500)
      happen(.fetched(fetch.token, fetch.outcome), after: delay)
    }
  }

  private func happen(_ event: Event, after milliseconds: Int64) {
    if milliseconds > 0 { clock.plan(event, after: milliseconds) } else { inbox.append(event) }
  }

  /// Goes to the next moment at which something is due, or to the end.
  private func jump() {
    let end = Instant(nanoseconds: 0).advanced(byMilliseconds: plan.duration)
    guard let next = clock.next(), next <= end else {
      clock.move(to: end)
      report.look(at: daemon.widgetEngine, now: clock.wall)
      self.end(nil)
      return
    }
    clock.move(to: next)
    var shell = self
    shell.takeDue()
  }

  package func perform(_ event: Event) { inbox.append(event) }

  // MARK: Turns

  package func handle(_ event: Event, at now: Now, into effects: inout [Effect]) {
    switch event {
    case .provider(let token, let outcome):
      guard let asked = providers?.run(of: token) else { break }
      report.outcome(outcome, of: asked.run, askedAt: asked.at, at: now.wall)
      providers?.forget(token)
    case .wakeUp: isWokenTurn = true
    case .turnEnded:
      let east = Self.secondsEastOfGreenwich(now.wall)
      guard east != zone else { break }
      zone = east
      daemon.handle(.zoneChanged(secondsEast: east), at: now, into: &effects)
    default: break
    }
    daemon.handle(event, at: now, into: &effects)
    guard case .configuration = event else { return }
    for issue in daemon.configurationIssues { report.problem(issue.description, kind: nil) }
  }

  package func didEndTurn(at now: Now) {
    turnCount += 1
    report.look(at: daemon.widgetEngine, now: now.wall)
    if isWokenTurn { report.wokeUp(for: wokenKinds) }
    isWokenTurn = false
    wokenKinds = []
  }

  // MARK: Effects

  package func receive(_ bytes: [UInt8], on connection: ConnectionID) {
    if connection == Self.tool { hear(bytes) }
  }

  package func commit(_ transaction: UInt64, _ writes: [StoreWrite]) {
    for write in writes {
      if case .appendJournal(_, let row) = write { tell(row) }
    }
    inbox.append(.store(.committed(transaction: transaction)))
  }

  package func start(_ run: ProviderRun) {
    runCount += 1
    wokenKinds.insert(run.kind)
    report.run(run, at: clock.wall)
    providers?.start(run, at: clock.wall)
  }

  package func fetch(_ request: FetchRequest) { providers?.fetch(request) }

  package func cancelFetch(_ token: FetchToken) { providers?.cancelFetch(token) }

  package func cancel(_ token: RunToken) {
    if let outcome = providers?.cancel(token) { inbox.append(.provider(token, outcome)) }
  }

  package func readConfiguration() {
    inbox.append(.configuration(setting?.files ?? ConfigurationFiles()))
  }

  package func becomeReady() { place() }

  package func stop(_ reason: StopReason) { end("the core stopped") }

  /// Journal entries of one turn.
  private func tell(_ row: [UInt8]) {
    do throws(JSONError) {
      for entry in try JSONValue(parsing: row).arrayValue ?? [] {
        if let kind = entry["kind"]?.stringValue { wokenKinds.insert(kind) }
        report.decision(entry, at: clock.wall)
      }
    } catch {
      report.problem("the core wrote a journal that is not JSON: \(error.message)", kind: nil)
    }
  }

  // MARK: A person

  /// Places each kind once, and looks.
  private func place() {
    let peer = Peer(userID: options.userID, processID: getpid())
    inbox += [.connected(Self.surface, peer), .connected(Self.tool, peer)]
    var surface: JSONObject = ["visible": .bool(plan.seed == nil)]
    if plan.isExpanded { surface["entryPoint"] = "today" }
    send(Self.surface, 1, "surface.attach", surface)
    for (index, kind) in (setting?.kinds ?? []).enumerated() {
      var params: JSONObject = ["kind": .string(kind.kind)]
      if let values = setting?.parameters[kind.kind], !values.members.isEmpty {
        params["parameters"] = .object(values)
      }
      if let family = plan.family {
        params["family"] = .string(WidgetFamily(typed: family)?.rawValue ?? family)
      }
      placing[Int64(index) + 1] = kind.kind
      send(Self.tool, Int64(index) + 1, "widget.add", params)
    }
    if plan.seed != nil { planLooks() }
  }

  private func send(_ connection: ConnectionID, _ id: Int64, _ method: String, _ params: JSONObject)
  {
    inbox.append(Self.request(connection, id, method, params))
  }

  private static func request(
    _ connection: ConnectionID, _ id: Int64, _ method: String, _ params: JSONObject
  ) -> Event {
    var line: [UInt8] = []
    appendRequest(id: .integer(id), method: method, params: .object(params), to: &line)
    return .received(connection, line)
  }

  /// Plans the looks of a person: one to ten minutes each, about one in half an hour by day and
  /// none at night, in the daemon's time zone.
  private func planLooks() {
    let offset = Self.secondsEastOfGreenwich(plan.from)
    var at: Int64 = 0
    var number: Int64 = 1
    while at < plan.duration {
      at += numbers.between(60_000, 3_600_000)
      let length = numbers.between(60_000, 600_000)
      let second = plan.from.advanced(byMilliseconds: at + offset * 1_000).milliseconds / 1_000
      let hour = (second % 86_400 + 86_400) % 86_400 / 3_600
      guard (7..<23).contains(hour) else { continue }
      number += 2
      happen(Self.request(Self.surface, number, "surface.visibility", ["visible": true]), after: at)
      happen(
        Self.request(Self.surface, number + 1, "surface.visibility", ["visible": false]),
        after: at + length)
      at += length
    }
  }

  private static func secondsEastOfGreenwich(_ date: WallTime) -> Int64 {
    var seconds = time_t(date.milliseconds / 1_000)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return 0 }
    return Int64(parts.tm_gmtoff)
  }

  /// The id of requests whose answers say nothing new.
  private static let modeRequest: Int64 = 0

  /// Answers to the placing of widgets.
  private func hear(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let answer: JSONValue
      do throws(JSONError) {
        answer = try JSONValue(parsing: Array(line))
      } catch {
        report.problem("the core said something that is not JSON: \(error.message)", kind: nil)
        continue
      }
      guard let id = answer["id"]?.intValue, let kind = placing.removeValue(forKey: id) else {
        continue
      }
      if let message = answer["error"]?["message"]?.stringValue {
        report.problem(
          "\(kind) cannot be placed: \(message); give what is missing with --set name=value",
          kind: kind)
      } else if let widget = answer["result"]?["widget"]?["id"]?.stringValue {
        report.placed(
          kind, widget: widget, parameters: setting?.parameters[kind],
          chosen: setting?.chosen[kind] ?? [])
        if plan.isExpanded, daemon.widgetEngine.kinds[kind]?.hasModes == true {
          send(
            Self.tool, Self.modeRequest, "widget.setMode",
            ["id": .string(widget), "mode": "expanded"])
        }
      }
    }
  }
}

/// Numbers that one seed decides.
///
/// SplitMix64. Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom
/// Number Generators" (2014).
struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func between(_ low: Int64, _ high: Int64) -> Int64 {
    precondition(low <= high, "\(low)...\(high) has no number in it")
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return low + Int64(mixed % UInt64(high - low + 1))
  }
}
