import Downloads
import Habits
import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Drives an engine on a clock of its own and returns transcripts.
///
/// Each call is one event. It returns the engine's decisions, one a line, in the order receipts,
/// runs, cancellations, changes, removals: `r1 accepted`, `run #1 clock`, `cancel #1`, `r1 done`,
/// `changed clock`, `removed clock`. It checks the engine's invariants after each event.
struct EngineDriver {
  var engine = WidgetEngine()
  /// The engine's notes for the journal about the last event.
  private(set) var notes: [EngineOutput.JournalNote] = []
  /// The runs that the last event started.
  private(set) var runs: [ProviderRun] = []
  /// The downloads that the last event started.
  private(set) var fetches: [FetchRequest] = []
  /// The moment on both clocks; the wall clock begins at 2026-11-20 08:00 UTC.
  private(set) var now = Now(
    monotonic: Instant(nanoseconds: 1_000_000_000), wall: WallTime(seconds: 1_795_161_600))

  /// Makes an engine with these kinds.
  ///
  /// A surface shows all widgets, unless `isWatched` is false.
  init(kinds: [WidgetKind] = [EngineDriver.kind("clock")], isWatched: Bool = true) {
    _ = setKinds(kinds)
    if isWatched { _ = watch(Watch()) }
  }

  static func kind(
    _ name: String, families: [WidgetFamily] = [.systemSmall, .accessoryInline],
    intent: String? = nil, spacing: Int64 = 300, perDay: Int = 48, program: String = "provider"
  ) -> WidgetKind {
    WidgetKind(
      kind: name, name: name, families: families, intent: intent,
      provider: ProviderDeclaration(exec: [program]),
      reload: ReloadRules(perDay: perDay...perDay, spacing: spacing * 1000, activeHours: .always))
  }

  static func city(_ name: String) -> WidgetConfiguration {
    WidgetConfiguration(intent: "ShowWeather", parameters: ["city": .string(name)], key: name)
  }

  // MARK: Events

  mutating func setKinds(_ kinds: [WidgetKind]) -> [String] {
    transcript { engine, now, output in engine.setKinds(kinds, at: now, into: &output) }
  }

  /// Replaces the visible surfaces.
  mutating func watch(_ watches: Watch...) -> [String] {
    transcript { engine, now, output in engine.setWatches(watches, at: now, into: &output) }
  }

  /// Reads these widgets as a client without a surface.
  mutating func read(_ ids: String...) -> [String] {
    transcript { engine, now, output in engine.noteReading(of: ids, at: now, into: &output) }
  }

  mutating func setNetwork(isUp: Bool) -> [String] {
    transcript { engine, now, output in engine.setNetwork(isUp: isUp, at: now, into: &output) }
  }

  mutating func setSurroundings(_ new: WidgetEngine.Surroundings) -> [String] {
    transcript { engine, now, output in engine.setSurroundings(new, at: now, into: &output) }
  }

  mutating func setZone(hours: Int64) -> [String] {
    transcript { engine, now, output in
      engine.setZone(offset: hours * 3_600_000, isFirst: false, at: now, into: &output)
    }
  }

  mutating func setReload(_ id: String, _ rules: JSONObject) throws -> [String] {
    let overrides = try ReloadOverrides(rules)
    return try transcript { engine, now, output in
      try engine.setReload(overrides, of: id, at: now, into: &output)
    }
  }

  mutating func followKinds() -> [String] {
    transcript { engine, now, output in engine.followKinds(at: now, into: &output) }
  }

  mutating func place(
    _ kind: String, id: String? = nil, family: WidgetFamily? = nil,
    _ configuration: WidgetConfiguration = .none
  ) throws -> [String] {
    try asked { engine, now, output in
      try engine.add(
        kind: kind, family: family, configuration: configuration, id: id, at: now, into: &output
      ).receipt
    }
  }

  mutating func configure(
    _ id: String, family: WidgetFamily? = nil, _ configuration: WidgetConfiguration? = nil
  ) throws -> [String] {
    try asked { engine, now, output in
      try engine.configure(
        id, family: family, configuration: configuration, at: now, into: &output
      ).receipt
    }
  }

  mutating func suggest(_ kind: WidgetKind, _ configuration: WidgetConfiguration) throws -> [String]
  {
    try asked { engine, now, output in
      let suggested = try engine.suggest(
        kind: kind, configuration: configuration, at: now, into: &output)
      engine.record(.intent, of: suggested.widget.id, promotes: true, at: now, into: &output)
      return suggested.receipt
    }
  }

  mutating func remove(_ id: String) throws -> [String] {
    try transcript { engine, now, output in try engine.remove(id, at: now, into: &output) }
  }

  /// Records an act of the person with a widget.
  mutating func act(_ act: BehaviourAct, _ id: String, promotes: Bool = false) {
    var output = EngineOutput()
    engine.record(act, of: id, promotes: promotes, at: now.wall, into: &output)
  }

  mutating func dismiss(_ id: String) throws -> [String] {
    try transcript { engine, now, output in try engine.dismiss(id, at: now, into: &output) }
  }

  mutating func reload(_ id: String, _ cause: ReloadCause) throws -> [String] {
    try asked { engine, now, output in
      try engine.requestReload(of: id, cause: cause, at: now, into: &output)
    }
  }

  /// Expands or collapses a widget on surfaces of these names.
  mutating func setMode(_ mode: WidgetMode, _ id: String, on names: String...) throws -> [String] {
    try setMode(mode, id, in: names.map { .name($0) })
  }

  mutating func setMode(_ mode: WidgetMode, _ id: String, in places: [ModePlace]) throws -> [String]
  {
    var receipt: Receipt?
    let lines = try transcript { engine, now, output in
      receipt = try engine.setMode(mode, of: id, in: places, at: now, into: &output).receipt
    }
    guard let receipt, receipt.state == .accepted else { return lines }
    return ["\(receipt.id.text) accepted"] + lines
  }

  mutating func push(_ id: String, _ timeline: String) throws -> [String] {
    let read = try Timeline.read(JSONValue(parsing: timeline)).get().timeline
    return try transcript { engine, now, output in
      _ = try engine.push(read, to: id, cause: .reload, at: now, into: &output)
    }
  }

  /// Ends run `token` with `answer`.
  mutating func answer(
    _ token: UInt64, _ answer: String = #"{"entries":[],"policy":"never"}"#, stderr: String = ""
  ) -> [String] {
    let now = now
    return transcript { engine, _, output in
      engine.runEnded(
        RunToken(token), .success(Array(answer.utf8)), diagnostics: stderr, at: now, into: &output)
    }
  }

  /// Ends run `token` of a plugin with what it printed.
  mutating func print(
    _ token: UInt64, _ text: String, exitStatus: Int32 = 0, stderr: String = "",
    isUnmet: Bool = false
  ) -> [String] {
    let now = now
    var printed = PluginOutput(Array(text.utf8), exitStatus: exitStatus, diagnostics: stderr)
    printed.isUnmet = isUnmet
    return transcript { engine, _, output in
      engine.runPrinted(RunToken(token), printed, at: now, into: &output)
    }
  }

  /// Prints a frame of the stream `token`.
  mutating func frame(_ token: UInt64, _ text: String) -> [String] {
    let now = now
    return transcript { engine, _, output in
      engine.streamPrinted(RunToken(token), Array(text.utf8), at: now, into: &output)
    }
  }

  /// Reloads a plugin for a click.
  mutating func click(_ id: String, _ click: PluginRequest) throws -> [String] {
    try asked { engine, now, output in
      engine.noteClick(click, on: id)
      return try engine.requestReload(of: id, cause: .tap, at: now, into: &output)
    }
  }

  /// Gives a plugin a state, as a run of it does.
  mutating func keep(state: JSONObject?, of id: String) {
    guard let key = engine.widgets[id]?.timelineKey else { return }
    engine.timelines[key]?.keep(state: state)
  }

  mutating func fail(
    _ token: UInt64, _ reason: ProviderFailure.Reason, stderr: String = ""
  ) -> [String] {
    let now = now
    return transcript { engine, _, output in
      engine.runEnded(
        RunToken(token), .failure(ProviderFailure(reason, diagnostics: stderr)), at: now,
        into: &output)
    }
  }

  /// Ends downloads `token` with an outcome.
  mutating func fetched(_ token: UInt64, _ outcome: FetchOutcome) -> [String] {
    let now = now
    return transcript { engine, _, output in
      engine.fetched(FetchToken(token), outcome, at: now, into: &output)
    }
  }

  /// Lets time pass and wakes the engine each time it asked for; each line begins with the time.
  mutating func pass(_ seconds: Int64) -> [String] {
    let end = now.monotonic.advanced(byMilliseconds: seconds * 1000)
    var lines: [String] = []
    while let deadline = engine.nextDeadline(at: now), deadline <= end {
      move(to: deadline)
      lines += transcript { _, _, _ in }.map { "\(Self.clock(now.wall)) \($0)" }
    }
    move(to: end)
    return lines
  }

  /// Sets the wall clock; no time passes.
  mutating func setClock(by seconds: Int64) -> [String] {
    now.wall = now.wall.advanced(bySeconds: seconds)
    return transcript { engine, now, output in engine.clockChanged(at: now, into: &output) }
  }

  /// Returns the engine of a new process after it restored this one's stored state, before
  /// `resume`.
  func restarted(
    kinds: [WidgetKind], after seconds: Int64 = 0, isWatched: Bool = true
  ) throws -> EngineDriver {
    var fresh = EngineDriver(kinds: kinds, isWatched: false)
    fresh.now = Now(
      monotonic: Instant(nanoseconds: 1), wall: now.wall.advanced(bySeconds: seconds))
    let widgets = try engine.widgets.values.map {
      try #require(Widget(id: $0.id, record: try reread($0.record)))
    }
    let timelines = try engine.timelines.values.map {
      WidgetEngine.RestoredTimeline(
        try #require(TimelineKey(text: $0.key.text)), try reread($0.record(at: now.wall)))
    }
    let receipts = try engine.receipts.values.map {
      try #require(Receipt(json: try reread(.object($0.json))))
    }
    fresh.engine.restore(
      widgets: widgets, timelines: timelines, receipts: receipts, at: fresh.now.wall)
    if isWatched {
      var output = EngineOutput()
      fresh.engine.setWatches([Watch()], at: fresh.now.wall, into: &output)
    }
    return fresh
  }

  mutating func resume() -> [String] {
    transcript { engine, now, output in engine.resume(at: now, into: &output) }
  }

  // MARK: Reading

  func view(_ id: String) -> JSONValue {
    engine.view(of: id, at: now.wall).map { .object($0) } ?? .null
  }

  /// Returns `nextReload` as a time of day, without the milliseconds of jitter.
  func due(_ id: String) -> String? {
    view(id)["nextReload"]?.stringValue.map { String($0.dropFirst(11).prefix(8)) }
  }

  func text(_ id: String) -> String? { view(id)["entry"]?["content"]?["text"]?.stringValue }

  mutating func stack(families: WidgetFamilies? = nil) -> [String] {
    engine.stack(families: families, at: now.wall).map(\.id)
  }

  // MARK: Helpers

  /// Lets time pass without waking the engine.
  mutating func advance(to wall: WallTime) {
    move(to: now.monotonic.advanced(byMilliseconds: wall.milliseconds(since: now.wall)))
  }

  private mutating func move(to instant: Instant) {
    let step = instant.milliseconds(since: now.monotonic)
    now = Now(monotonic: instant, wall: now.wall.advanced(byMilliseconds: step))
  }

  private mutating func asked(
    _ event: (inout WidgetEngine, WallTime, inout EngineOutput) throws -> Receipt
  ) throws -> [String] {
    var receipt: Receipt?
    let lines = try transcript { engine, now, output in receipt = try event(&engine, now, &output) }
    guard let receipt, receipt.state == .accepted else { return lines }
    return ["\(receipt.id.text) accepted"] + lines
  }

  mutating func transcript(
    _ event: (inout WidgetEngine, WallTime, inout EngineOutput) throws -> Void
  ) rethrows -> [String] {
    var output = EngineOutput()
    try event(&engine, now.wall, &output)
    engine.advance(at: now, into: &output)
    checkInvariants(output)
    notes = output.journal
    runs = output.runs
    fetches = output.fetches
    var lines = output.receipts.map { "\($0.id.text) \(Self.describe($0.state))" }
    lines += output.runs.map { "run #\($0.token.number) \($0.kind)" }
    lines += output.cancellations.map { "cancel #\($0.number)" }
    lines += output.fetches.map { fetch in
      "fetch #\(fetch.token.number) \(fetch.items.map(\.order.id).joined(separator: " "))"
    }
    lines += output.fetchCancellations.map { "cancel fetch #\($0.number)" }
    lines += output.changedWidgets.sorted().map { "changed \($0)" }
    lines += output.changedCompact.sorted().map { "changed \($0) compact" }
    lines += output.changedExpanded.sorted().map { "changed \($0) expanded" }
    lines += output.removedWidgets.sorted().map { "removed \($0)" }
    return lines
  }

  private static func describe(_ state: Receipt.State) -> String {
    switch state {
    case .accepted: "accepted"
    case .done: "done"
    case .coalesced(let other): "coalesced into \(other.text)"
    case .deferred(let until, let reason): "deferred until \(clock(until)): \(reason)"
    case .dropped(let reason): "dropped: \(reason)"
    }
  }

  private static func clock(_ date: WallTime) -> String {
    String(date.rfc3339.dropFirst(11).dropLast())
  }

  private func reread(_ value: JSONValue) throws -> JSONValue {
    try JSONValue(parsing: value.serialized)
  }

  /// Checks the rules that hold after each event.
  private func checkInvariants(_ output: EngineOutput) {
    #expect(engine.checkInvariants(isThorough: true) == [])
    #expect(engine.runningCount <= Limits.runCountMax)
    for shared in engine.timelines.values {
      if case .queued(let cause) = shared.run, engine.hasRoom(for: cause.urgency) {
        Issue.record("a run waits although there is room")
      }
    }
    var unsettled: Set<ReceiptID> = []
    var deferred: Set<ReceiptID> = []
    for (key, shared) in engine.timelines {
      for id in shared.widgets { #expect(engine.widgets[id]?.timelineKey(in: key.mode) == key) }
      #expect(shared.key == key)
      unsettled.formUnion(shared.waiting + shared.next + shared.heldForDownloads)
      deferred.formUnion(shared.deferred)
      switch shared.run {
      case .idle:
        #expect(
          shared.waiting.isEmpty || engine.streams.isUnderWay(key.kind),
          "an idle timeline waits for a stream alone")
        #expect(shared.next.isEmpty, "an idle timeline has no work")
        #expect(!shared.widgets.isEmpty, "nobody shows \(key.text)")
      case .queued: #expect(shared.next.isEmpty)
      case .running(let token, _): #expect(engine.runs.key(of: token) == key)
      }
      if !shared.deferred.isEmpty { #expect(shared.dueAt != nil, "a deferral has no date") }
      if shared.isIdle {
        #expect(
          engine.deadlines.reload(of: shared.number) == engine.wakeMoment(of: shared),
          "nothing wakes \(key.text)")
      }
    }
    for (id, widget) in engine.widgets {
      for key in widget.timelineKeys {
        #expect(engine.timelines[key]?.widgets.contains(id) == true)
      }
    }
    for receipt in engine.receipts.values {
      switch receipt.state {
      case .accepted: #expect(unsettled.contains(receipt.id), "\(receipt.id.text) is forgotten")
      case .deferred: #expect(deferred.contains(receipt.id) || unsettled.contains(receipt.id))
      case .done, .coalesced, .dropped: #expect(!unsettled.contains(receipt.id))
      }
    }
    #expect(Set(engine.order) == Set(engine.widgets.keys))
    var copy = engine
    // Work beyond one slice is due at once, so a deadline may be in the past then.
    if engine.timelines.count <= Limits.sliceCount, let deadline = copy.nextDeadline(at: now) {
      #expect(deadline > now.monotonic, "the engine would be woken again at once")
    }
  }
}
