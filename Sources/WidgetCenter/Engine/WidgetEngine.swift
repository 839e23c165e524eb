package import Habits
package import JSON
package import Timekeeping

/// Kinds, placed widgets, their timelines, and every decision about when a provider runs.
///
/// The engine is a value without clock or I/O: its owner passes `now` in and carries out the
/// decisions in `EngineOutput`. Its members are parts that own their state; each extension is a
/// place where parts meet. `README.md` of this module shows the way of a reload and of an entry.
package struct WidgetEngine: Sendable {
  package internal(set) var kinds: [String: WidgetKind] = [:]
  var placed = PlacedWidgets()
  package internal(set) var timelines: [TimelineKey: SharedTimeline] = [:]
  var receiptBook = ReceiptBook()

  var deadlines = TimelineDeadlines()
  var suggestions = SuggestionSchedule()
  var work = BackgroundWork()
  var revisions = Revisions()
  var departed = DepartedRevisions()
  var runs = RunQueue()
  var streams = PluginStreams()
  var previews = Previews()
  var downloadBook = DownloadBook()

  package internal(set) var stackModel = StackModel()
  var recent = RecentActs()
  var rotations = StackRotations()
  /// What each timeline declares now: see WidgetEngine+Claims.
  var claims = StackClaims()
  var latestClaims = LatestClaims()
  /// The most that each kind ever declared: see WidgetEngine+Scales.
  var scales = RelevanceScales()
  var privateMode = PrivateMode()
  var undoable = UndoableActs()
  var counters: [String: KindCounters] = [:]
  var surroundings = KnownSurroundings()
  /// When this process, or a start over of its memory, began.
  var begunAt = WallTime(milliseconds: .min)

  /// Ids that no new widget gets by itself.
  package var reservedIDs: Set<String> = []
  var viewing = Viewing()
  var quarantineBook = QuarantineBook()

  /// The counts of a kind since the start, for the metrics.
  package struct KindCounters: Hashable, Sendable {
    package var runs = 0
    package var failures = 0
    package var deferrals = 0
    /// Deferrals of which the budget, or its spacing, was a reason.
    package var skippedByBudget = 0
    package var quarantines = 0
    /// Answers that showed the same as the last.
    package var unchanged = 0
  }

  package init() {}

  /// The setting `rotations`, if it changed since it was last asked for.
  package mutating func takeRotations() -> JSONValue? { rotations.takeNews() }

  /// The setting `scales`, if it changed since it was last asked for.
  package mutating func takeScales() -> JSONValue? {
    guard scales.takeNews() else { return nil }
    return scales.json
  }

  /// Whether private mode is on: nothing that the person does is kept or learned from.
  package var isPrivate: Bool { privateMode.isOn }
  package var widgets: [String: Widget] { placed.byID }
  /// Ids in the order of placing.
  package var order: [String] { placed.order }
  package var receipts: [ReceiptID: Receipt] { receiptBook.byID }
  /// The language and region that providers are given, such as `en_US`; set before any surface says
  /// one.
  package var locale: String {
    get { surroundings.locale }
    set { surroundings.setLocale(newValue) }
  }
  /// How large the person reads text.
  package var textSize: TextSize { surroundings.textSize }
  package var networkIsUp: Bool { surroundings.networkIsUp }
  /// Milliseconds that local time is ahead of UTC.
  package var zoneOffset: Int64 { surroundings.zoneOffset }
  /// Weekends, and the days off that the person named.
  package var daysOff: DaysOff { surroundings.daysOff }
  /// Kinds whose providers are left alone for now.
  package var quarantines: [String: Quarantine] { quarantineBook.byKind }
  /// Timelines whose provider runs now, in a slot or without one.
  package var runningCount: Int { runs.runningCount }
  /// Runs that took so long that they gave their slot back.
  package var overlongCount: Int { runs.overlongCount }
  /// Whether a timeline that waits with this urgency may run now.
  package func hasRoom(for urgency: ReloadCause.Urgency) -> Bool { runs.hasRoom(for: urgency) }
  /// The tokens of everything that runs, in ascending order.
  package var runningTokens: [RunToken] {
    streams.count == 0 ? runs.tokens : (runs.tokens + streams.tokens).sorted()
  }
  package var optionTokens: Set<RunToken> { runs.optionTokens }
  /// The runs that perform an intent.
  package var performTokens: Set<RunToken> { runs.performTokens }
  package var queuedCount: Int { runs.waitingCount }
  package var waitingDeadlineCount: Int {
    deadlines.changeCount + deadlines.reloadCount + suggestions.endCount
  }
  /// Reloads that wait for a free slot, by kind.
  ///
  /// O(waiting).
  package var queuedByKind: [String: Int] {
    var counts: [String: Int] = [:]
    for key in runs.waitingKeys { counts[key.kind, default: 0] += 1 }
    return counts
  }
  /// Widgets that are placed, by kind, suggestions included.
  ///
  /// O(widgets).
  package var widgetsByKind: [String: Int] {
    var counts: [String: Int] = [:]
    for widget in widgets.values { counts[widget.kind, default: 0] += 1 }
    return counts
  }
  package var countersByKind: [String: KindCounters] { counters }

  /// Does the work that is due at `now`, a slice of it when there is much, and starts runs in the
  /// free slots.
  package mutating func advance(at now: Now, into output: inout EngineOutput) {
    // The shell stops an overdue run; its outcome is then judged as a timeout.
    while let token = runs.popOverdue(at: now.monotonic) { output.cancellations.append(token) }
    output.cancellations += runs.giveSlotsBack(at: now.monotonic)
    while let kind = quarantineBook.popOver(at: now.wall) {
      release(kind, because: "its time is over", at: now.wall, into: &output)
    }
    expireUndo(at: now.wall, into: &output)
    tickViews(at: now.wall, into: &output)
    advanceSlice(at: now, into: &output)
    if stackModel.isBehind {
      stackModel.catchUp(costMax: Limits.relearningCost)
      output.stackChanged = true
    }
    if rotations.popTick(at: now.wall) {
      proposeSuggestion(at: now.wall, into: &output)
      output.stackChanged = true
    }
    lookForSuggestions(at: now.wall, into: &output)
    startRuns(at: now, into: &output)
    advanceStreams(at: now, into: &output)
    startPreviews(at: now, into: &output)
    advanceDownloads(at: now, into: &output)
  }

  /// When `advance` has something to do next.
  package mutating func nextDeadline(at now: Now) -> Instant? {
    var earliest: Instant?
    func consider(_ instant: Instant?) {
      guard let instant else { return }
      earliest = earliest.map { min($0, instant) } ?? instant
    }
    if !work.isEmpty || stackModel.isBehind { return now.monotonic }
    consider(runs.nextDeadline())
    consider(streams.nextDeadline(at: now.monotonic))
    consider(downloadBook.nextDeadline(at: now))
    consider(deadlines.nextChange().map { now.instant(of: $0) })
    consider(deadlines.nextReload().map { now.instant(of: $0) })
    consider(suggestions.nextEnd().map { now.instant(of: $0) })
    consider(quarantineBook.nextRelease().map { now.instant(of: $0) })
    consider(viewing.nextTick.map { now.instant(of: $0) })
    consider(rotations.nextTick.map { now.instant(of: $0) })
    consider(suggestions.nextLook.map { now.instant(of: $0) })
    consider(undoable.nextEnd.map { now.instant(of: $0) })
    return earliest
  }

  /// Adapts to a wall clock that was set, or to a machine that slept.
  ///
  /// Each timeline may now show another entry, and its due date is judged anew. Overdue reloads
  /// become one reload for each timeline, spread over `Limits.overdueSpread`.
  package mutating func clockChanged(at now: WallTime, into output: inout EngineOutput) {
    output.stackChanged = true
    begunAt = min(begunAt, now)
    sweep(.clock, at: now, into: &output)
    // A run whose widgets are gone may serve a new widget before it ends.
    for key in runs.runningKeys where timelines[key]?.widgets.isEmpty == true {
      rejudge(key, at: now, into: &output)
    }
    quarantineBook.clockChanged(at: now)
    rotations.clockChanged(at: now)
    suggestions.lookSoon(at: now)
    hurryDownloads(at: now)
    viewing.clockChanged(at: now)
    if undoable.clockChanged(at: now) { output.settings["undo"] = undoable.json }
  }
  /// Adapts one timeline to the clock that was set.
  mutating func rejudge(_ key: TimelineKey, at now: WallTime, into output: inout EngineOutput) {
    refreshShown(key, at: now, into: &output)
    judgeDueDate(key, at: now, into: &output)
    spreadOverdue(key, at: now, into: &output)
  }
}
