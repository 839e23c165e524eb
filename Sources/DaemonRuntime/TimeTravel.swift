import DaemonCore
import EventLoop
import Glibc
import JSON
import JSONRPC
import NumberWords
package import Timekeeping
import WidgetCenter

/// `intentd --simulate`: the daemon's own core on virtual time, with the person's manifests and providers.
///
/// Nothing here decides when a widget reloads: `Daemon` does, as in the real service. This shell gives
/// it a clock that jumps from one deadline to the next, a store that forgets, a surface that looks, and
/// providers that really run: in real time, asked with the virtual `now`, their answers heard at
/// the virtual moment. While one runs, virtual time stands still.
///
/// ```
///   happenings ──► inbox ──► turn: Daemon.handle … turnEnded ──► effects
///     ▲    jump to the next one when nothing runs                   │
///     └── answers, wake-ups, a person who looks ◄── providers ◄─────┘
/// ```
package final class TimeTravel {
  private let options: RuntimeOptions
  private let plan: TimeTravelPlan
  private let asJSON: Bool
  private var report: TimeTravelReport
  private var setting: TimeTravelSetting?
  private var providers: TimeTravelProviders?

  private var daemon: Daemon
  private var monotonic = Instant(nanoseconds: 0)
  private var inbox: [Event] = []
  private var effects: [Effect] = []
  private var happenings: [UInt64: Event] = [:]
  private var queue = DeadlineQueue<UInt64, Instant>()
  private var lastHappening: UInt64 = 0
  private var wakeUpAt: Instant?
  private var placing: [Int64: String] = [:]
  private var numbers: SeededNumbers

  /// Seconds that local time is ahead of UTC, as the daemon was told.
  private var zone: Int64?
  private var turnCount = 0
  private var turnsAtThisMoment = 0
  private var runCount = 0
  private var wokenKinds: Set<String> = []
  /// Why it ends before its time.
  private var endReason: String?
  private var isInterrupted = false
  private var isOver = false

  private static let tool = ConnectionID(1)
  private static let surface = ConnectionID(2)

  package init(
    options: RuntimeOptions, plan: TimeTravelPlan, asJSON: Bool,
    emit: ((String) -> Void)? = nil
  ) {
    self.options = options
    self.plan = plan
    self.asJSON = asJSON
    report = TimeTravelReport(plan, asJSON: asJSON, emit: emit ?? ManifestTrial.emit)
    numbers = SeededNumbers(seed: plan.seed ?? 0)
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

  /// Returns the exit code: 0 when nothing is to be mended, 1 otherwise, 64 for a wish that cannot be
  /// met, 130 when it was interrupted.
  package func run() -> Int32 {
    do throws(TimeTravelPlan.Problem) {
      let setting = try TimeTravelSetting(plan, options: options)
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
  ) throws(TimeTravelPlan.Problem) -> TimeTravelRecording {
    switch readFile(path, bytesMax: TimeTravelLimits.recordingBytesMax) {
    case .failure(let failure): throw .init("\(path) cannot be read: \(failure.message)")
    case .success(let bytes): return try TimeTravelRecording(bytes, file: path)
    }
  }

  private func live(
    _ loop: Loop, _ setting: TimeTravelSetting, _ recording: TimeTravelRecording?
  ) throws(TimeTravelPlan.Problem) -> Int32 {
    let providers = try TimeTravelProviders(
      loop: loop, options: options, plan: plan, recording: recording)
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
    deadline.arm(at: started.advanced(byMilliseconds: TimeTravelLimits.realTimeMax)) {}
    loop.runUntilStopped()
    let spent = loop.readNow().monotonic.milliseconds(since: started)
    if let failure = providers.recordingFailure { report.problem(failure, kind: nil) }
    let isToMend = report.end(
      at: now.wall, reason: endReason, realMilliseconds: spent, turns: turnCount)
    for signal in signals { signal.close() }
    return isInterrupted ? 130 : isToMend ? 1 : 0
  }

  private var now: Now {
    Now(
      monotonic: monotonic,
      wall: plan.from.advanced(byMilliseconds: monotonic.nanoseconds / 1_000_000))
  }

  // MARK: Virtual time

  /// Some turns; returns whether to come back without waiting.
  private func step(realMilliseconds: Int64, stop: () -> Void) -> Bool {
    // A few at a time, so that signals and children are heard.
    for _ in 0..<64 {
      guard !isOver else { break }
      if isInterrupted {
        end("interrupted")
      } else if realMilliseconds >= TimeTravelLimits.realTimeMax {
        end("it has taken \(TimeTravelAdvice.text(TimeTravelLimits.realTimeMax)) of real time")
      } else if runCount > TimeTravelLimits.runCountMax {
        end("\(TimeTravelLimits.runCountMax) runs are enough; simulate a shorter time, or --replay")
      } else if turnsAtThisMoment > TimeTravelLimits.turnsWithoutTimeMax {
        end("the core does not come to rest at this moment")
      } else {
        guard providers?.isWaiting != true else { return false }
        takeAnswers()
        if inbox.isEmpty { jump() }
        if !isOver { turn() }
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
  }

  private func happen(_ event: Event, after milliseconds: Int64) {
    guard milliseconds > 0 else {
      inbox.append(event)
      return
    }
    lastHappening += 1
    happenings[lastHappening] = event
    queue.schedule(lastHappening, at: monotonic.advanced(byMilliseconds: milliseconds))
  }

  /// To the next moment at which something happens, or to the end.
  private func jump() {
    let limit = Instant(nanoseconds: 0).advanced(byMilliseconds: plan.duration)
    let next = [queue.next(), wakeUpAt].compactMap { $0 }.min()
    guard let next, next <= limit else {
      monotonic = limit
      report.look(at: daemon.widgetEngine, now: now.wall)
      end(nil)
      return
    }
    if next > monotonic {
      monotonic = next
      turnsAtThisMoment = 0
    }
    while let number = queue.popDue(at: monotonic) {
      if let event = happenings.removeValue(forKey: number) { inbox.append(event) }
    }
    if let moment = wakeUpAt, moment <= monotonic {
      wakeUpAt = nil
      inbox.append(.wakeUp)
    }
  }

  private func turn() {
    turnCount += 1
    turnsAtThisMoment += 1
    let events = inbox
    inbox.removeAll(keepingCapacity: true)
    effects.removeAll(keepingCapacity: true)
    wokenKinds = []
    let now = now
    for event in events {
      if case .provider(let token, let outcome) = event, let asked = providers?.run(of: token) {
        report.outcome(outcome, of: asked.run, askedAt: asked.at, at: now.wall)
        providers?.forget(token)
      }
      daemon.handle(event, at: now, into: &effects)
    }
    let east = Self.secondsEastOfGreenwich(now.wall)
    if east != zone {
      zone = east
      daemon.handle(.zoneChanged(secondsEast: east), at: now, into: &effects)
    }
    daemon.handle(.turnEnded, at: now, into: &effects)
    for effect in effects { carryOut(effect) }
    report.look(at: daemon.widgetEngine, now: now.wall)
    if events.contains(.wakeUp) { report.wokeUp(for: wokenKinds) }
  }

  // MARK: Effects

  private func carryOut(_ effect: Effect) {
    switch effect {
    case .send(Self.tool, let bytes): hear(bytes)
    case .send, .close: break
    case .store(.load): inbox.append(.store(.loaded(StoredState())))
    case .store(.close): inbox.append(.store(.closed))
    case .store(.commit(let number, let writes)):
      for write in writes {
        if case .appendJournal(_, let row) = write { tell(row) }
      }
      inbox.append(.store(.committed(transaction: number)))
    case .runProvider(let run):
      runCount += 1
      wokenKinds.insert(run.kind)
      report.run(run, at: now.wall)
      providers?.start(run, at: now.wall)
    case .cancelProvider(let token):
      if let outcome = providers?.cancel(token) { inbox.append(.provider(token, outcome)) }
    case .launch(let token, _):
      inbox.append(
        .launched(token, .failed(reason: "not-found", message: "nothing is opened here")))
    case .wakeUp(let moment): wakeUpAt = moment
    case .loadConfiguration: inbox.append(.configuration(setting?.files ?? ConfigurationFiles()))
    case .ready: place()
    case .log(let line):
      if line.event == "configuration.issue" {
        report.problem(line.fields.first?.value ?? line.event, kind: nil)
      }
    case .stop: end("the core stopped")
    }
  }

  /// Journal entries of one turn.
  private func tell(_ row: [UInt8]) {
    do throws(JSONError) {
      for entry in try JSONValue(parsing: row).arrayValue ?? [] {
        if let kind = entry["kind"]?.stringValue { wokenKinds.insert(kind) }
        report.decision(entry, at: now.wall)
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
    send(Self.surface, 1, "surface.attach", ["visible": .bool(plan.seed == nil)])
    for (index, kind) in (setting?.kinds ?? []).enumerated() {
      var params: JSONObject = ["kind": .string(kind.kind)]
      if let values = setting?.parameters[kind.kind], !values.members.isEmpty {
        params["parameters"] = .object(values)
      }
      if let family = plan.family { params["family"] = .string(family) }
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

  /// Looks of one to ten minutes, about one in half an hour of the day, none at night: the daemon's zone
  /// is where the person is.
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
