import DaemonCore
import JSON
import PlainText
import Timekeeping
import WidgetCenter

/// The report of a simulation: each decision as it is made, then a summary for each kind.
struct RehearsalReport {
  /// Of one kind.
  private struct Tally {
    var kind: WidgetKind
    var widget: String
    var advice: RehearsalAdvice
    var runs = 0
    var done = 0
    var failures = 0
    /// Runs that brought nothing new.
    var noData = 0
    /// Whether the account of such a run is still to be taken: no journal has it.
    var owesAccount = false
    var deferrals = 0
    var cost: Int64 = 0
    var balanceMin: Double?
    var switches = 0
    var wakeUps = 0
    var shown: TimelineEntry?
    var isStale = false
    var staleSince: WallTime?
    var staleTime: Int64 = 0
  }

  private let plan: RehearsalPlan
  private let asJSON: Bool
  private let emit: (TerminalText) -> Void
  private var tallies: [String: Tally] = [:]
  private var printedCount = 0
  private var unprintedCount = 0
  private(set) var wakeUpCount = 0
  /// Wake-ups in which no kind had anything to do and nothing else was shown.
  private var ownWakeUpCount = 0
  /// The kinds of which the last `look` found something else shown.
  private var changedKinds: Set<String> = []
  private(set) var problems: [String] = []

  init(_ plan: RehearsalPlan, asJSON: Bool, emit: @escaping (TerminalText) -> Void) {
    self.plan = plan
    self.asJSON = asJSON
    self.emit = emit
  }

  /// Begins the report with the kinds that are simulated.
  mutating func begin(_ kinds: [WidgetKind]) {
    for kind in kinds {
      // The id that the core will give to the widget.
      let widget = kind.kind.split(separator: ".").last.map { $0.lowercased() } ?? kind.kind
      tallies[kind.kind] = Tally(kind: kind, widget: widget, advice: RehearsalAdvice(kind))
    }
    let until = plan.from.advanced(byMilliseconds: plan.duration)
    line(
      "simulation",
      [
        "from": .string(plan.from.rfc3339), "until": .string(until.rfc3339),
        "profile": .string(plan.profile.rawValue),
        "seed": plan.seed.map { .string(String($0)) } ?? .null,
        "kinds": .array(kinds.map { .string($0.kind) }),
      ], at: nil,
      text:
        "from \(plan.from.rfc3339) until \(until.rfc3339), profile \(plan.profile.rawValue)\(plan.seed.map { ", seed \($0)" } ?? "")"
    )
    var told: Set<String> = []
    for kind in kinds {
      guard let group = kind.group, told.insert(kind.bundle).inserted else { continue }
      note(
        "group", ["kind": .string(kind.kind), "group": .string(group)], at: plan.from,
        tallies[kind.kind]?.widget ?? kind.kind,
        "has an empty folder in the place of its group \(group): nothing of the real one is shown"
          + " or changed")
    }
  }

  // MARK: While it runs

  mutating func placed(_ kind: String, widget: String, parameters: JSONObject?, chosen: [String]) {
    tallies[kind]?.widget = widget
    guard !chosen.isEmpty else { return }
    let values = chosen.map { "\($0)=\(parameters?[$0]?.stringValue ?? "")" }
    note(
      "assumed", ["kind": .string(kind), "parameters": parameters.map { .object($0) } ?? [:]],
      at: plan.from, widget,
      "is simulated with \(values.joined(separator: ", ")); choose another with --set")
  }

  mutating func problem(_ sentence: String, kind: String?) {
    problems.append(sentence)
    line(
      "problem", ["kind": kind.map { .string($0) } ?? .null, "message": .string(sentence)], at: nil,
      text: "problem: \(sentence)")
  }

  /// A decision, as the core's journal has it.
  mutating func decision(_ entry: JSONValue, at now: WallTime) {
    guard let event = entry["event"]?.stringValue, let fields = entry.objectValue else { return }
    let kind = entry["kind"]?.stringValue ?? ""
    switch event {
    case "reload.done":
      if entry["noData"] == true { tallies[kind]?.owesAccount = false }
      tallies[kind]?.done += 1
      tallies[kind]?.cost += entry["cost"]?.intValue ?? 0
    case "reload.failed": tallies[kind]?.failures += 1
    case "reload.deferred": tallies[kind]?.deferrals += 1
    case "configuration": return
    default: break
    }
    if let balance = (entry["balanceAfter"] ?? entry["balance"])?.doubleValue {
      let lowest = tallies[kind]?.balanceMin ?? balance
      tallies[kind]?.balanceMin = min(lowest, balance)
    }
    var rest = fields
    rest.members.removeAll { ["event", "at", "sequence"].contains($0.key) }
    let widget = entry["widget"]?.stringValue ?? tallies[kind]?.widget ?? kind
    note(event, rest, at: now, widget, Self.text(of: event, rest))
  }

  mutating func run(_ run: ProviderRun, at now: WallTime) {
    tallies[run.kind]?.runs += 1
    note(
      "provider.run",
      [
        "kind": .string(run.kind), "run": .int(Int64(run.token.number)),
        "method": .string(run.method),
      ],
      at: now, tallies[run.kind]?.widget ?? run.kind, "provider runs (\(run.method))")
  }

  mutating func outcome(
    _ outcome: ProviderOutcome, of run: ProviderRun, askedAt: WallTime, at now: WallTime
  ) {
    guard run.method == ProviderRequest.Request.timeline.rawValue else { return }
    var fields: JSONObject = ["kind": .string(run.kind), "run": .int(Int64(run.token.number))]
    let text: String
    let read: Result<ProviderAnswer, ProviderFailure> =
      switch outcome {
      case .answered(let bytes, let diagnostics):
        WidgetEngine.readAnswer(bytes, diagnostics: diagnostics, at: askedAt)
      case .printed(let output):
        WidgetEngine.readPrinted(output, by: run.provider, at: askedAt)
          .map { ProviderAnswer(.newData($0)) }
      case .failed(let failure): .failure(failure)
      }
    switch read {
    case .success(let answer):
      switch answer.result {
      case .newData(let timeline):
        let hasShown = tallies[run.kind]?.shown != nil
        tallies[run.kind]?.advice.judge(timeline, hasShown: hasShown, at: askedAt)
        fields["entries"] = .int(Int64(timeline.entries.count))
        fields["policy"] = timeline.policy.json
        let count = timeline.entries.count
        text =
          "answers \(count == 1 ? "1 entry" : "\(count) entries"), policy \(timeline.policy.words)"
      case .noData(let policy):
        tallies[run.kind]?.noData += 1
        tallies[run.kind]?.owesAccount = true
        fields["result"] = "noData"
        fields["policy"] = policy?.json
        text = "answers that nothing is new" + (policy.map { ", policy \($0.words)" } ?? "")
      case .failed: preconditionFailure("a failure is no good answer")
      }
    case .failure(let failure):
      tallies[run.kind]?.advice.judge(failure, at: askedAt)
      fields["failure"] = .string(failure.message)
      fields["stderr"] = failure.stderr.map { .string($0) }
      text = failure.message + (failure.stderr.map { "; its standard error: \($0)" } ?? "")
    }
    note("provider.answer", fields, at: now, tallies[run.kind]?.widget ?? run.kind, text)
  }

  /// Reports changes of the shown entries.
  mutating func look(at engine: WidgetEngine, now: WallTime) {
    changedKinds = []
    for id in engine.order {
      guard let widget = engine.widgets[id], let shared = engine.timelines[widget.timelineKey],
        var tally = tallies[widget.kind]
      else { continue }
      if tally.owesAccount { settle(&tally, shared, at: now) }
      let entry = shared.entry(at: now)
      let isStale = shared.isStale(at: now)
      guard entry != tally.shown || isStale != tally.isStale else { continue }
      changedKinds.insert(widget.kind)
      if entry != tally.shown { tally.switches += 1 }
      if let since = tally.staleSince { tally.staleTime += now.milliseconds(since: since) }
      tally.staleSince = isStale ? now : nil
      tally.shown = entry
      tally.isStale = isStale
      tallies[widget.kind] = tally
      var fields: JSONObject = ["kind": .string(widget.kind), "stale": .bool(isStale)]
      if let entry {
        fields["date"] = .string(entry.date.rfc3339)
        fields["content"] = .object(entry.content)
      }
      note(
        "entry.shown", fields, at: now, id,
        "shows \(entry.map(Self.words) ?? "nothing")\(isStale ? " (stale)" : "")")
    }
  }

  /// Takes the account of a run that brought nothing new, from the timeline.
  ///
  /// The journal has it only if somebody was promised it.
  private mutating func settle(_ tally: inout Tally, _ shared: SharedTimeline, at now: WallTime) {
    guard let run = shared.recentRuns.last, run.hasNoData, shared.isIdle else { return }
    tally.owesAccount = false
    let balance = (shared.budget.balance(at: now) * 100).rounded() / 100
    tally.balanceMin = min(tally.balanceMin ?? balance, balance)
    tally.done += 1
    tally.cost += Int64(run.cost)
    tallies[tally.kind.kind] = tally
  }

  /// The daemon was woken, and these kinds had something to do.
  mutating func wokeUp(for kinds: Set<String>) {
    wakeUpCount += 1
    if kinds.isEmpty, changedKinds.isEmpty { ownWakeUpCount += 1 }
    for kind in kinds { tallies[kind]?.wakeUps += 1 }
  }

  // MARK: At the end

  /// Returns whether anything is to be mended.
  mutating func end(at now: WallTime, reason: String?, realMilliseconds: Int64, turns: Int) -> Bool
  {
    if unprintedCount > 0 {
      line(
        "unprinted", ["count": .int(Int64(unprintedCount))], at: nil,
        text: "… and \(unprintedCount) more that are only counted")
    }
    let days = max(Double(now.milliseconds(since: plan.from)) / 86_400_000, 1e-6)
    func perDay(_ count: Int) -> JSONValue { .double((Double(count) / days * 10).rounded() / 10) }
    if !asJSON { emit(TerminalText("\n")) }
    var adviceCount = 0
    for name in tallies.keys.sorted() {
      guard var tally = tallies[name] else { continue }
      if let since = tally.staleSince { tally.staleTime += now.milliseconds(since: since) }
      let staleShare = (Double(tally.staleTime) / (days * 86_400_000) * 1000).rounded() / 1000
      line(
        "summary",
        [
          "kind": .string(name), "widget": .string(tally.widget), "runs": .int(Int64(tally.runs)),
          "runsPerDay": perDay(tally.runs), "done": .int(Int64(tally.done)),
          "failed": .int(Int64(tally.failures)), "noData": .int(Int64(tally.noData)),
          "deferred": .int(Int64(tally.deferrals)),
          "cost": .int(tally.cost), "perDay": tally.kind.reload.perDay.json,
          "balanceMin": tally.balanceMin.map { .double($0) } ?? .null,
          "entriesShown": .int(Int64(tally.switches)), "wakeUpsPerDay": perDay(tally.wakeUps),
          "staleShare": .double(staleShare),
        ], at: nil,
        text: """
          \(name)
            runs       \(tally.runs) (\(perDay(tally.runs).serialized) a day), \(tally.failures) failed, \(tally.deferrals) deferred\(tally.noData > 0 ? ", \(tally.noData) without new data" : "")
            budget     \(tally.cost) spent of \(tally.kind.reload.perDay.text) a day, balance never below \(tally.balanceMin.map { JSONValue.double($0).serialized } ?? "what it holds")
            entries    \(tally.switches) shown\(staleShare > 0 ? ", stale \((staleShare * 1000).rounded() / 10) % of the time" : "")
            wake-ups   \(perDay(tally.wakeUps).serialized) a day
          """)
      for advice in tally.advice.advice {
        adviceCount += 1
        line(
          "warning",
          [
            "kind": .string(name), "finding": .string(advice.finding.rawValue),
            "count": .int(Int64(advice.count)), "firstAt": .string(advice.firstAt.rfc3339),
            "problem": .string(advice.problem), "fix": .string(advice.fix),
          ], at: nil,
          text: """
              warning    \(advice.problem) (\(advice.count == 1 ? "once" : "\(advice.count) times"), first at \(advice.firstAt.rfc3339))
              fix        \(advice.fix)
            """)
      }
    }
    let hours = days * 24
    line(
      "end",
      [
        "at": .string(now.rfc3339), "complete": .bool(reason == nil),
        "reason": reason.map { .string($0) } ?? .null, "wakeUps": .int(Int64(wakeUpCount)),
        "wakeUpsPerDay": perDay(wakeUpCount), "turns": .int(Int64(turns)),
        "warnings": .int(Int64(adviceCount)), "problems": .int(Int64(problems.count)),
      ], at: nil,
      text: """
        \(reason.map { "stopped at \(now.rfc3339): \($0)\n" } ?? "")\(perDay(wakeUpCount).serialized) wake-ups a day, \(perDay(ownWakeUpCount).serialized) of them the daemon's own; \(adviceCount == 0 ? "no warnings" : adviceCount == 1 ? "1 warning" : "\(adviceCount) warnings")
        \((hours * 10).rounded() / 10) hours in \(Double(realMilliseconds) / 1000) s
        """)
    return adviceCount > 0 || !problems.isEmpty
  }

  // MARK: Lines

  private mutating func note(
    _ event: String, _ fields: JSONObject, at now: WallTime, _ widget: String, _ text: String
  ) {
    guard printedCount < RehearsalLimits.printedDecisionCountMax else {
      unprintedCount += 1
      return
    }
    printedCount += 1
    var members = fields
    if members["widget"] == nil { members["widget"] = .string(widget) }
    line(event, members, at: now, text: "\(now.rfc3339)  \(widget)  \(text)")
  }

  private func line(_ event: String, _ fields: JSONObject, at now: WallTime?, text: String) {
    guard asJSON else {
      // Texts of providers and manifests are in it.
      emit(TerminalText(printableLines(text).map { $0 + "\n" }.joined()))
      return
    }
    var object: JSONObject = [:]
    if let now { object["at"] = .string(now.rfc3339) }
    object["event"] = .string(event)
    for member in fields.members { object[member.key] = member.value }
    emit(Terminal.line(of: .object(object)))
  }

  // MARK: Words

  private static func words(_ entry: TimelineEntry) -> String {
    let texts = ["title", "text"].compactMap { entry.content[$0]?.stringValue }
      .filter { !$0.isEmpty }
    guard texts.isEmpty else { return quoted(texts.joined(separator: " · ")) }
    return String(JSONValue.object(entry.content).serialized.prefix(120))
  }

  private static func text(of event: String, _ fields: JSONObject) -> String {
    func word(_ key: String) -> String { fields[key]?.stringValue ?? fields[key]?.serialized ?? "" }
    switch event {
    case "reload.done":
      let cost = fields["cost"]?.intValue == 0 ? "free" : "costs \(word("cost"))"
      let next = fields["next"]?.stringValue.map { "next \($0)" } ?? "no next one planned"
      return
        "reloaded (\(word("cause"))), \(cost), balance \(word("balanceBefore")) → \(word("balanceAfter")), \(next)"
    case "reload.deferred":
      return
        "reload (\(word("cause"))) deferred until \(word("until")): \(word("reason")), balance \(word("balance"))"
    case "reload.failed":
      return
        "reload (\(word("cause"))) failed, \(word("failures")) in a row, next try \(word("next")): \(word("reason"))"
    default:
      let rest = fields.members.filter { !["widget", "kind"].contains($0.key) }
      return ([event] + rest.map { "\($0.key)=\($0.value.stringValue ?? $0.value.serialized)" })
        .joined(separator: " ")
    }
  }
}
