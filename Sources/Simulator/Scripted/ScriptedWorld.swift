package import DaemonCore
import IntentProtocol
import IntentRouter
package import JSON
import JSONRPC
package import Timekeeping
package import VirtualTime
package import WidgetCenter

/// Plays a scenario: runs the real core on virtual time with the file's configuration and events,
/// and compares the result with the expectations.
///
/// It is deterministic. It also checks the core's invariants after each turn.
package final class ScriptedWorld: VirtualShell {
  /// One thing that happened: an entry of the journal, a run, a line to a client, a shown entry.
  package struct Row: Hashable, Sendable {
    /// Milliseconds since the beginning, with the machine's sleep and without steps of its clock.
    package var at: Int64
    package var event: String
    package var fields: JSONValue
  }

  /// The result of a scenario.
  package struct Report: Sendable {
    package var title: String
    /// The unmet expectations as sentences with lines of the file; empty if all are met.
    package var failures: [String]
    package var rows: [Row]
  }

  /// The names of rows: events of the journal, notifications to clients, and this world's own.
  static let eventNames =
    JournalEvent.names + DaemonNotification.allCases.map(\.rawValue) + [
      "answer", "cancel", "clock", "commit", "crashed", "fetch", "gone", "launch", "log", "notify",
      "ready",
      "run",
      "shown",
      "slept", "started", "stopped", "told", "wakeUp",
    ]

  let document: ScenarioDocument
  private let file: String
  private var violations: [String] = []
  private var rows: [Row] = []

  // Time.
  package var clock: VirtualClock<Coming>
  /// Milliseconds that the machine slept, which the monotonic clock does not count.
  private var slept: Int64 = 0

  // The machine.
  private var store = FakeStore()
  private var isDiskFull = false
  private var networkIsUp = true
  private var isLocked = false
  private var supply = MachineSupply()
  /// Milliseconds that the machine will sleep once the daemon lets it.
  private var comingSleep: Int64?
  /// Milliseconds that local time is ahead of UTC.
  private var zone: Int64 = 0
  /// The names of the kinds whose manifests are there now.
  private var offered: [String]
  /// All manifests, by the names of their kinds.
  private var manifests: [String: JSONObject] = [:]
  /// The number of runs so far, by kind.
  private var asked: [String: Int] = [:]
  /// The number of downloads so far, by kind.
  var fetched: [String: Int] = [:]

  // The process.
  private var daemon: Daemon?
  /// The number of starts so far; what was planned in an earlier life is dropped.
  private(set) var life = 0
  private var isReady = false
  private var isStopping = false
  package var inbox: [Event] = []
  private var runs: [RunToken: (run: ProviderRun, answer: ScenarioDocument.Answer)] = [:]
  private var connections: [String: ConnectionID] = [:]
  private var names: [ConnectionID: String] = [:]
  /// The surface that shows everything, if the scenario is watched.
  private var screen: ConnectionID?
  private var lastConnection: UInt64 = 0
  private var lastRequest: Int64 = 0
  /// Requests without an answer yet.
  private var open:
    [Int64: (method: String, by: String, at: Int64, turn: Int64, happening: Happening)] = [:]
  /// Turns that have ended.
  private var turnCount: Int64 = 0
  /// Requests that were refused and were not to be, or the other way round, as sentences.
  private var refusals: [String] = []
  /// Requests for a daemon that is not ready yet.
  private var early: [ScenarioDocument.Happening] = []
  /// The state that each widget's last `shown` row had.
  private var shown: [String: JSONValue] = [:]
  /// The last entry of the journal that has a row.
  private var lastSequence: Int64 = 0

  private typealias Happening = ScenarioDocument.Happening

  package enum Coming {
    case event(life: Int, Event)
    case committed(life: Int, UInt64)
    case outcome(life: Int, RunToken, ProviderOutcome)
    /// The next answer of a plugin that stays running.
    case frame(life: Int, RunToken, [UInt8])
    case start
  }

  package init(_ document: ScenarioDocument, file: String) {
    self.document = document
    self.file = file
    clock = VirtualClock(wall: document.from)
    offered = document.kinds.map(\.name)
    for kind in document.kinds { manifests[kind.name] = kind.manifest }
  }

  private var monotonic: Instant { clock.monotonic }
  var now: Now { clock.now }

  /// Milliseconds since the beginning, at which the monotonic clock stands at one second.
  private var elapsed: Int64 { monotonic.nanoseconds / 1_000_000 - 1_000 + slept }

  // MARK: Running

  /// Turns at one moment, at most: a core that needs more never comes to rest.
  private static let turnsWithoutTimeMax = 20_000

  package func run() -> Report {
    clock.plan(.start, after: 0)
    var index = 0
    var shell = self
    while violations.isEmpty {
      shell.settle()
      // The file's events wait for the first start; planned events of the same moment come first.
      let scripted = index < document.events.count ? document.events[index] : nil
      let scriptedAt = scripted.map {
        max(monotonic, Instant(nanoseconds: ($0.at - slept + 1_000) * 1_000_000))
      }
      let planned = clock.next()
      let limit = Instant(nanoseconds: (document.duration - slept + 1_000) * 1_000_000)
      let next = [scriptedAt, planned].compactMap { $0 }.min()
      guard let next, next <= limit else { break }
      clock.move(to: next)
      if let planned, planned <= monotonic {
        shell.takeDue()
      } else if let scripted {
        index += 1
        happen(scripted)
        // Requests of one moment that follow each other reach the daemon in one turn.
        while case .request = scripted.what, index < document.events.count,
          document.events[index].at == scripted.at, case .request = document.events[index].what
        {
          happen(document.events[index])
          index += 1
        }
      }
    }
    finish()
    return Report(title: document.title, failures: violations + refusals + judge(), rows: rows)
  }

  package func perform(_ coming: Coming) {
    switch coming {
    case .start: startProcess()
    case .event(let life, let event) where life == self.life: inbox.append(event)
    case .committed(let life, let number) where life == self.life:
      guard store.underWay?.number == number else { return }
      if isDiskFull {
        store.fail()
        inbox.append(
          .store(
            .commitFailed(
              transaction: number, StoreFailure(code: .diskFull, message: "the disk is full"))))
      } else {
        store.finish(lost: nil)
        inbox.append(.store(.committed(transaction: number)))
      }
    case .outcome(let life, let token, let outcome) where life == self.life:
      guard let run = runs.removeValue(forKey: token) else { return }
      inbox.append(.provider(token, outcome))
      if run.answer.isTwice { inbox.append(.provider(token, outcome)) }
    case .frame(let life, let token, let bytes) where life == self.life:
      guard let run = runs[token]?.run else { return }
      inbox.append(.streamFrame(token, bytes))
      goOn(run)
    case .event, .committed, .outcome, .frame: break  // Meant for a process that is no more.
    }
  }

  // MARK: Turns

  package var isOver: Bool { !violations.isEmpty }

  package func handle(_ event: Event, at now: Now, into effects: inout [Effect]) {
    if case .stopRequested = event { isStopping = true }
    daemon?.handle(event, at: now, into: &effects)
  }

  package func wakeUp() {
    note("wakeUp", [:])
    inbox.append(.wakeUp)
  }

  package func didEndTurn(at now: Now) {
    turnCount += 1
    violations += store.violations
    if clock.turnsAtThisMoment > Self.turnsWithoutTimeMax {
      violations.append("the core does not come to rest \(Self.text(elapsed)) after the beginning")
    }
    look()
    check()
  }

  // MARK: The process

  private func startProcess() {
    guard daemon == nil else { return }
    life += 1
    daemon = Daemon(options: .init(userID: 1000, processID: 7, version: "scenario"))
    isReady = false
    isStopping = false
    clock.wakeUpAt = nil
    note("started", [:])
    inbox += [
      .started, .networkChanged(isUp: networkIsUp), .zoneChanged(secondsEast: zone / 1_000),
      .machine(.sessionLocked(isLocked)), .machine(.supplyChanged(supply)),
    ]
  }

  private func endProcess() {
    daemon = nil
    inbox = []
    runs = [:]
    connections = [:]
    names = [:]
    open = [:]
    isReady = false
    clock.wakeUpAt = nil
    clock.plan(.start, after: 100)
  }

  private func files() -> ConfigurationFiles {
    let catalog = document.intents.map { intent in
      CatalogSource(
        file: "\(intent["name"]?.json.stringValue ?? "")/intent.yaml", document: intent,
        kind: .intent)
    }
    let manifests = ScenarioBundles.documents(of: offered, self.manifests).map { file, document in
      ManifestSource(
        file: "widgets/\(file).yaml", directory: "/scenario", document: located(.object(document)))
    }
    let settings = document.config.map { SettingsSource(file: "config.yaml", document: $0) }
    return ConfigurationFiles(catalog: catalog, manifests: manifests, settings: settings)
  }

  // MARK: Events of the file

  private func happen(_ happening: ScenarioDocument.Happening) {
    switch happening.what {
    case .request:
      if isReady { request(happening) } else { early.append(happening) }
    case .disconnect(let name):
      guard let connection = connections.removeValue(forKey: name) else { return }
      names[connection] = nil
      open = open.filter { $0.value.by != name }
      inbox.append(.disconnected(connection))
    case .clock(let step):
      clock.setWall(by: step)
      note("clock", ["by": .int(step / 1_000)])
      if daemon != nil { inbox.append(.clockChanged) }
    case .suspend(let span, let isAnnounced):
      if isAnnounced, daemon != nil {
        comingSleep = span
        inbox.append(.machine(.willSleep))
      } else {
        beAsleep(for: span)
        if daemon != nil { inbox.append(.clockChanged) }
      }
    case .lock(let isLocked):
      self.isLocked = isLocked
      if daemon != nil { inbox.append(.machine(.sessionLocked(isLocked))) }
    case .supply(let supply):
      self.supply = supply
      if daemon != nil { inbox.append(.machine(.supplyChanged(supply))) }
    case .crash(let keeps):
      note("crashed", [:])
      store.crash(applies: keeps)
      endProcess()
    case .restart:
      if daemon != nil { inbox.append(.stopRequested) }
    case .diskFull(let isFull): isDiskFull = isFull
    case .network(let isUp):
      networkIsUp = isUp
      if daemon != nil { inbox.append(.networkChanged(isUp: isUp)) }
    case .zone(let ahead):
      zone = ahead
      if daemon != nil { inbox.append(.zoneChanged(secondsEast: ahead / 1_000)) }
    case .withdraw(let kinds):
      offered.removeAll { kinds.contains($0) }
      if daemon != nil { inbox.append(.reloadRequested) }
    case .offer(let kinds):
      offered += kinds.filter { !offered.contains($0) }
      if daemon != nil { inbox.append(.reloadRequested) }
    case .change(let kind, let members):
      for member in members.members { manifests[kind]?[member.key] = member.value }
      if daemon != nil { inbox.append(.reloadRequested) }
    }
  }

  private func beAsleep(for span: Int64) {
    clock.setWall(by: span)
    slept += span
    note("slept", ["for": .int(span / 1_000)])
  }

  package func notify(_ notice: UrgentNotice) {
    note(
      "notify",
      [
        "widget": .string(notice.widget), "title": .string(notice.title),
        "text": .string(notice.text),
      ])
  }

  package func letSleep() {
    guard let span = comingSleep.take() else {
      violations.append("the daemon lets a machine sleep that is awake")
      return
    }
    beAsleep(for: span)
    // The kernel and the session's manager both tell that it woke.
    inbox += [.clockChanged, .machine(.didWake)]
  }

  private func request(_ happening: ScenarioDocument.Happening) {
    guard case .request(let method, let params, let name) = happening.what else { return }
    let connection: ConnectionID
    if let known = connections[name] {
      connection = known
    } else {
      lastConnection += 1
      connection = ConnectionID(lastConnection)
      connections[name] = connection
      names[connection] = name
      inbox.append(.connected(connection, Peer(userID: 1000, processID: 99)))
    }
    lastRequest += 1
    open[lastRequest] = (method, name, elapsed, turnCount, happening)
    var line: [UInt8] = []
    appendRequest(
      id: .integer(lastRequest), method: method, params: .object(moved(params)), to: &line)
    inbox.append(.received(connection, line))
  }

  /// Attaches a surface that shows all widgets; lines to it are no rows.
  private func watch() {
    lastConnection += 1
    let screen = ConnectionID(lastConnection)
    self.screen = screen
    inbox.append(.connected(screen, Peer(userID: 1000, processID: 98)))
    var line: [UInt8] = []
    appendRequest(id: .integer(0), method: "surface.attach", params: .object([:]), to: &line)
    inbox.append(.received(screen, line))
  }

  /// Replaces the texts of the form `@+1h` by the date of that moment of the scenario.
  private func moved(_ object: JSONObject) -> JSONObject {
    JSONObject(object.members.map { .init(key: $0.key, value: moved($0.value)) })
  }

  private func moved(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text):
      guard text.hasPrefix("@+"), let span = DurationText.read(String(text.dropFirst(2))) else {
        return value
      }
      return .string(document.from.advanced(byMilliseconds: span).rfc3339)
    case .array(let items): return .array(items.map { moved($0) })
    case .object(let object): return .object(moved(object))
    case .null, .bool, .int, .double: return value
    }
  }

  // MARK: Effects

  package func close(_ connection: ConnectionID, reason: String) {
    if let name = names.removeValue(forKey: connection) { connections[name] = nil }
    clock.plan(.event(life: life, .disconnected(connection)), after: 0)
  }

  package func openStore() {
    store.openOrReload()
    inbox.append(.store(.loaded(store.state(journalRows: 20_000))))
  }

  package func closeStore() {
    store.close()
    inbox.append(.store(.closed))
  }

  package func commit(_ transaction: UInt64, _ writes: [StoreWrite]) {
    store.begin(transaction, writes)
    note("commit", ["writes": .int(Int64(writes.count))])
    for write in writes {
      if case .appendJournal(_, let row) = write { tell(row) }
    }
    clock.plan(.committed(life: life, transaction), after: 1)
  }

  package func cancel(_ token: RunToken) {
    guard let run = runs[token] else { return }
    note("cancel", ["kind": .string(run.run.kind), "run": .int(Int64(token.number))])
    guard case .hangs = run.answer.outcome else { return }
    clock.plan(.outcome(life: life, token, .failed(ProviderFailure(.cancelled))), after: 0)
  }

  package func launch(_ request: LaunchRequest, _ token: LaunchToken) {
    if case .command(let command) = request.target {
      note("command", ["exec": .array(command.exec.map { .string($0) })])
      let outcome = LaunchOutcome.started(application: command.exec[0], processID: 1)
      clock.plan(.event(life: life, .launched(token, outcome)), after: 0)
      clock.plan(.event(life: life, .commandEnded(token)), after: 0)
      return
    }
    note("launch", ["url": request.url.map { .string($0) } ?? .null])
    let outcome = LaunchOutcome.started(application: "org.example.App", processID: 1)
    clock.plan(.event(life: life, .launched(token, outcome)), after: 0)
  }

  package func readConfiguration() {
    clock.plan(.event(life: life, .configuration(files())), after: 0)
  }

  package func becomeReady() {
    isReady = true
    note("ready", [:])
    if document.isWatched { watch() }
    for happening in early { request(happening) }
    early = []
  }

  package func write(_ line: LogLine) {
    var fields: JSONObject = ["level": .string(line.level.rawValue), "name": .string(line.event)]
    for field in line.fields { fields[field.key] = .string(field.value) }
    note("log", fields)
  }

  package func stop(_ reason: StopReason) {
    note("stopped", [:])
    store.crash(applies: false)
    endProcess()
  }

  private func tell(_ row: [UInt8]) {
    for entry in parsed(row)?.arrayValue ?? [] {
      // Entries of a failed transaction come again with the next one; they are no new rows.
      guard let event = entry["event"]?.stringValue, let number = entry["sequence"]?.intValue,
        number > lastSequence
      else { continue }
      lastSequence = number
      note(event, entry.objectValue ?? [:])
    }
  }

  package func receive(_ bytes: [UInt8], on connection: ConnectionID) {
    guard connection != screen else { return }
    let name = names[connection] ?? ""
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let message = parsed(Array(line)) else {
        violations.append("a client was sent a line that is not JSON")
        continue
      }
      if let method = message["method"]?.stringValue {
        var fields = message["params"]?.objectValue ?? [:]
        fields["to"] = .string(name)
        note(method, fields)
        continue
      }
      guard let id = message["id"]?.intValue, let request = open.removeValue(forKey: id) else {
        violations.append("an answer came to no request: \(message.serialized.prefix(200))")
        continue
      }
      var fields: JSONObject = [
        "method": .string(request.method), "to": .string(name),
        "turns": .int(turnCount - request.turn + 1),
      ]
      if let result = message["result"] { fields["result"] = result }
      if let error = message["error"] { fields["error"] = error }
      judge(message["error"], of: request.method, request.happening)
      note("answer", fields)
    }
  }

  /// Fails for an unexpected refusal, and for an answer in place of an expected refusal.
  private func judge(_ error: JSONValue?, of method: String, _ happening: Happening) {
    guard (error != nil) != happening.isRefused else { return }
    guard let error else {
      refusals.append("\(file):\(happening.line): \(method) was to be refused, and was not")
      return
    }
    let isExpected = document.expectations.contains { expected in
      expected.event == "answer" && expected.countMax > 0
        && (expected.from...expected.until).contains(elapsed)
        && expected.conditions.contains { $0.path.first == "error" && $0.wanted != .absent }
    }
    guard !isExpected else { return }
    refusals.append(
      "\(file):\(happening.line): \(method) was refused: \(error["message"]?.stringValue ?? ""); write refused: true if it is to be"
    )
  }

  // MARK: Providers

  package func start(_ run: ProviderRun) {
    let request = parsed(run.request) ?? .null
    var row: JSONObject = [
      "kind": .string(run.kind), "family": .string(run.family.rawValue),
      "run": .int(Int64(run.token.number)), "method": .string(run.method), "request": request,
    ]
    if let plugin = run.plugin {
      row["reason"] = .string("\(plugin.reason)")
      row["variables"] = .object(
        JSONObject(plugin.variables.map { .init(key: $0.name, value: .string($0.value)) }))
    }
    note("run", row)
    if run.provider.isStream {
      // It goes on until it is told to end.
      runs[run.token] = (run, ScenarioDocument.Answer(outcome: .hangs))
      return goOn(run)
    }
    let kind = document.kinds.first { $0.name == run.kind }
    let isPreview = run.method == "snapshot" || run.method == "placeholder"
    var (answers, line) = (kind?.answers ?? [], run.kind)
    if run.method == "perform" {
      (answers, line) = (kind?.performed ?? [], "\(run.kind) performed")
    } else if isPreview {
      (answers, line) = (kind?.previews ?? [], "\(run.kind) preview")
    } else if request["mode"] == "expanded", let expanded = kind?.expanded, !expanded.isEmpty {
      (answers, line) = (expanded, "\(run.kind) expanded")
    }
    let number = asked[line, default: 0]
    asked[line] = number + 1
    let answer =
      answers.isEmpty
      ? ScenarioDocument.Answer(outcome: .doesNotStart) : answers[min(number, answers.count - 1)]
    runs[run.token] = (run, answer)
    guard let outcome = outcome(of: answer, run) else { return }
    clock.plan(.outcome(life: life, run.token, outcome), after: answer.takes)
  }

  /// Plans the next answer of a plugin that stays running: a text is a frame, anything else its end.
  ///
  /// Each answer is given once, over all its processes; then it is silent.
  private func goOn(_ run: ProviderRun) {
    let answers = document.kinds.first { $0.name == run.kind }?.answers ?? []
    let number = asked[run.kind, default: 0]
    guard number < answers.count else { return }
    asked[run.kind] = number + 1
    let answer = answers[number]
    if case .text(let text) = answer.outcome {
      clock.plan(.frame(life: life, run.token, Array(text.utf8)), after: answer.takes)
    } else if let outcome = outcome(of: answer, run) {
      clock.plan(.outcome(life: life, run.token, outcome), after: answer.takes)
    }
  }

  package func tell(_ token: RunToken, _ line: [UInt8]) {
    guard let run = runs[token]?.run else { return }
    note(
      "told",
      [
        "kind": .string(run.kind),
        "line": .string(String(decoding: line.dropLast(), as: UTF8.self)),
      ])
  }

  // MARK: Watching

  func note(_ event: String, _ fields: JSONObject) {
    assert(Self.eventNames.contains(event), "'\(event)' is not in ScriptedWorld.eventNames")
    rows.append(Row(at: elapsed, event: event, fields: .object(fields)))
  }

  /// Adds a row for each widget whose shown entry changed.
  private func look() {
    guard let engine = daemon?.widgetEngine, isReady else { return }
    for id in engine.order {
      guard let view = engine.view(of: id, at: now.wall) else { continue }
      var fields: JSONObject = ["widget": .string(id)]
      for key in ["kind", "stale", "orphaned", "error"] {
        if let value = view[key] { fields[key] = value }
      }
      if let entry = view["entry"] {
        fields["content"] = entry["content"]
        fields["date"] = entry["date"]
        if let date = entry["date"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }), date > now.wall
        {
          violations.append("'\(id)' shows at \(now.wall.rfc3339) the entry of \(date.rfc3339)")
        }
      }
      let state = JSONValue.object(fields)
      guard shown[id] != state else { continue }
      shown[id] = state
      note("shown", fields)
    }
    for id in shown.keys.sorted() where engine.widgets[id] == nil {
      shown[id] = nil
      note("gone", ["widget": .string(id)])
    }
  }

  private func check() {
    guard let daemon, isReady else { return }
    if let wrong = daemon.checkInvariants(isThorough: true).min() {
      violations.append("\(Self.text(elapsed)) after the beginning: \(wrong)")
    }
    var engine = daemon.widgetEngine
    guard let next = engine.nextDeadline(at: now), !rows.isEmpty else { return }
    let due = max(next, monotonic)
    if let armed = clock.wakeUpAt, armed.milliseconds(since: due) <= 2 { return }
    // A daemon that stops arms no wake-up.
    guard inbox.isEmpty, isReady, store.isOpen, !isStopping else { return }
    violations.append(
      "\(Self.text(elapsed)) after the beginning something is due in \(Self.text(due.milliseconds(since: monotonic))), and the wake-up is armed for \(clock.wakeUpAt.map { "\(Self.text($0.milliseconds(since: monotonic))) from then" } ?? "no time")"
    )
  }

  private func finish() {
    for (_, request) in open.sorted(by: { $0.key < $1.key })
    where violations.isEmpty && document.duration - request.at > 3_600_000 {
      violations.append("the \(request.method) of \(request.by) was never answered")
    }
  }

  // MARK: Judging

  private func judge() -> [String] {
    document.expectations.compactMap { expected in
      let found = rows.filter { document.matches($0, expected) }
      if (expected.countMin...expected.countMax).contains(found.count) { return nil }
      let wanted =
        expected.countMax == Int.max
        ? "at least \(expected.countMin)"
        : expected.countMin == expected.countMax
          ? "\(expected.countMin)" : "\(expected.countMin) to \(expected.countMax)"
      let near = rows.filter { $0.event == expected.event }.prefix(12).map { row in
        "\n      \(Self.text(row.at)) \(row.fields.serialized.prefix(300))"
      }
      return
        "\(file):\(expected.line): expected \(wanted) × \(expected.event), found \(found.count)"
        + (near.isEmpty ? "; there is none of them at all" : "; of all there are:\(near.joined())")
    }
  }

  /// Returns a span as text: `2h 5m 3s`.
  package static func text(_ milliseconds: Int64) -> String {
    var rest = abs(milliseconds)
    var parts: [String] = []
    for (size, unit) in [
      (86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s"), (1, "ms"),
    ]
      as [(Int64, String)]
    {
      guard rest >= size else { continue }
      parts.append("\(rest / size)\(unit)")
      rest %= size
    }
    return (milliseconds < 0 ? "-" : "") + (parts.isEmpty ? "0s" : parts.joined(separator: " "))
  }
}
