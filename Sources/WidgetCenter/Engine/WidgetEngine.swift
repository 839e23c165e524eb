import DequeModule
package import JSON
package import Timekeeping

/// Kinds, placed widgets, their timelines, and every decision about when a provider runs.
///
/// A value without clock or I/O: whoever owns it passes `now` in and carries out what comes back in
/// `EngineOutput`. `WidgetEngine+Reload` decides when to run, `+Runs` what an outcome means,
/// `+Placement` changes widgets, `+Stack` ranks them, `+Views` describes them on the wire.
package struct WidgetEngine: Sendable {
  package internal(set) var kinds: [String: WidgetKind] = [:]
  package internal(set) var widgets: [String: Widget] = [:] {
    didSet { stackRows = nil }
  }
  /// Ids in the order of placing.
  package internal(set) var order: [String] = [] {
    didSet { stackRows = nil }
  }
  package internal(set) var timelines: [TimelineKey: SharedTimeline] = [:]
  var timelineNumbers = TimelineNumbers()
  package internal(set) var receipts: [ReceiptID: Receipt] = [:]
  /// Ended receipts, oldest first, to forget beyond the limit.
  var endedReceipts = Deque<ReceiptID>()
  var lastReceipt: Int64 = 0
  var lastPosition: Int64 = 0
  var lastRun: UInt64 = 0

  /// Entry switches, ends of relevance, content growing stale; by the number of the timeline.
  var changes = NumberedDeadlines<WallTime>()
  /// Reloads by policy, retry or deferral, likewise.
  var reloads = NumberedDeadlines<WallTime>()
  /// Suggestions that nobody touched, and dismissals that end.
  var expiries = DeadlineQueue<String, WallTime>()
  /// Deadlines of the running providers.
  var timeouts = DeadlineQueue<RunToken, Instant>()

  /// Restored timelines that are not read yet: see WidgetEngine+Slices.
  var unread = Deque<TimelineKey>()
  /// What happened to all widgets and is not carried out for all of them yet: see WidgetEngine+Sweeps.
  var sweeps = Deque<Sweep>()
  /// A sweep of reloads is under way; it is begun anew when the process dies.
  var unfinishedReload: ReloadCause?
  /// Kinds whose widgets are being reloaded for a new provider, likewise.
  var unfinishedUpgrades: Set<String> = []

  var running: [RunToken: TimelineKey] = [:]
  /// Runs that ask for options: see WidgetEngine+Options.
  var optionRuns: Set<RunToken> = []
  /// The person waits for these.
  var urgentQueue = Deque<TimelineKey>()
  var patientQueue = Deque<TimelineKey>()

  package internal(set) var stackModel = StackModel()
  /// What the last order looked up; `nil` when a widget came, went or changed since.
  var stackRows: StackRows?
  var recent = RecentActs()
  /// By the families of the stack; empty for the stack of all.
  var rotations: [String: StackRotation] = [:] {
    didSet { rotationsAreUnsaid = true }
  }
  /// The tops changed since they were last written down.
  private var rotationsAreUnsaid = false
  /// What providers claimed when an order was last made: see WidgetEngine+Stack.
  var claims: (found: [StackDonation.Claim], at: WallTime)?
  /// The most that each kind ever declared: see WidgetEngine+Scales.
  var scales = RelevanceScales()
  /// Nothing the person does is kept or learned from.
  package internal(set) var isPrivate = false
  /// Suggestions that were made, or made to show something else, in private mode: they go when it ends.
  var privateSuggestions: Set<String> = []
  /// Widgets that were asked for, touched or sent away in private mode: that is forgotten when it ends.
  var privateActs: Set<String> = []
  /// When private mode began; `nil` while it is off, and when that was not kept.
  var privateSince: WallTime?
  /// A visible surface shows the order: it is looked at again then.
  var nextRotation: WallTime?
  /// A manifest's window opens: see WidgetEngine+Suggestions.
  ///
  /// `nil`: no manifest has any.
  var nextSuggestionLook: WallTime?
  var counters: [String: KindCounters] = [:]
  /// Passed to providers, such as `en_US`.
  package var locale = "en_US"
  /// A surface said so; else it is the environment's.
  var isLocaleSaid = false
  /// The one that stored timelines were made for.
  var storedLocale: String?
  /// How large the person reads text.
  package internal(set) var textSize = TextSize.large
  /// Sizes that a surface gave, where they are not the usual ones.
  var displaySizes: [WidgetFamily: DisplaySize] = [:]
  /// Milliseconds that local time is ahead of UTC.
  package internal(set) var zoneOffset: Int64 = 0
  package internal(set) var networkIsUp = true
  /// Weekends, and what the person named.
  package internal(set) var daysOff = DaysOff.weekends

  /// What visible surfaces show: see WidgetEngine+Watching.
  var watches = Watches()
  /// When what is still visible counts as viewed again.
  var nextViewTick: WallTime?
  var viewHours = ViewHours()

  /// Kinds that are left alone for now: see Quarantine.
  package internal(set) var quarantines: [String: Quarantine] = [:]
  var releases = DeadlineQueue<String, WallTime>()
  var failuresInARow: [String: Int] = [:]

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
  package mutating func takeRotations() -> JSONValue? {
    guard rotationsAreUnsaid else { return nil }
    rotationsAreUnsaid = false
    return settings["rotations"]
  }

  /// The setting `scales`, if it changed since it was last asked for.
  package mutating func takeScales() -> JSONValue? {
    guard scales.takeNews() else { return nil }
    return scales.json
  }

  package var runningCount: Int { running.count }
  package var runningTokens: [RunToken] { (Array(running.keys) + optionRuns).sorted() }
  package var optionTokens: Set<RunToken> { optionRuns }
  package var queuedCount: Int { urgentQueue.count + patientQueue.count }
  package var waitingDeadlineCount: Int { changes.count + reloads.count + expiries.count }
  /// Reloads that wait for a free slot, by kind.
  ///
  /// O(waiting).
  package var queuedByKind: [String: Int] {
    var counts: [String: Int] = [:]
    for key in Set(urgentQueue).union(patientQueue) { counts[key.kind, default: 0] += 1 }
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

  /// Does what is due at `now`, a slice of it when that is much, and starts what there is room for.
  package mutating func advance(at now: Now, into output: inout EngineOutput) {
    while let token = timeouts.popDue(at: now.monotonic) { timeOut(token, into: &output) }
    while let kind = releases.popDue(at: now.wall) {
      release(kind, because: "its time is over", at: now.wall, into: &output)
    }
    tickViews(at: now.wall, into: &output)
    advanceSlice(at: now, into: &output)
    if stackModel.isBehind {
      stackModel.catchUp(costMax: Limits.relearningCost)
      output.stackChanged = true
    }
    if let tick = nextRotation, tick <= now.wall {
      nextRotation = now.wall.advanced(byMilliseconds: Limits.rotationTick)
      proposeSuggestion(at: now.wall, into: &output)
      output.stackChanged = true
    }
    lookForSuggestions(at: now.wall, into: &output)
    startRuns(at: now, into: &output)
  }

  /// When `advance` has something to do next.
  package mutating func nextDeadline(at now: Now) -> Instant? {
    var earliest: Instant?
    func consider(_ instant: Instant?) {
      guard let instant else { return }
      earliest = earliest.map { min($0, instant) } ?? instant
    }
    if !unread.isEmpty || !sweeps.isEmpty || stackModel.isBehind { return now.monotonic }
    consider(timeouts.next())
    consider(changes.next().map { now.instant(of: $0) })
    consider(reloads.next().map { now.instant(of: $0) })
    consider(expiries.next().map { now.instant(of: $0) })
    consider(releases.next().map { now.instant(of: $0) })
    consider(nextViewTick.map { now.instant(of: $0) })
    consider(nextRotation.map { now.instant(of: $0) })
    consider(nextSuggestionLook.map { now.instant(of: $0) })
    return earliest
  }

  /// The wall clock was set, or the machine slept: what is shown now may be another entry, due times are
  /// judged anew, and what is overdue becomes one reload a timeline, spread over half a minute.
  package mutating func clockChanged(at now: WallTime, into output: inout EngineOutput) {
    output.stackChanged = true
    sweep(.clock, at: now, into: &output)
    // What runs for nobody any more may be taken up again before it ends.
    for key in running.values.sorted() where timelines[key]?.widgets.isEmpty == true {
      rejudge(key, at: now, into: &output)
    }
    for (kind, quarantine) in quarantines {
      // A clock ahead of this one gave its end.
      let length = quarantine.until.milliseconds(since: quarantine.since)
      let latest = now.advanced(byMilliseconds: length)
      guard quarantine.until > latest else { continue }
      quarantines[kind]?.until = latest
      releases.schedule(kind, at: latest)
    }
    if let tick = nextRotation {
      nextRotation = min(tick, now.advanced(byMilliseconds: Limits.rotationTick))
    }
    if nextSuggestionLook != nil { nextSuggestionLook = now }
    if let tick = nextViewTick {
      nextViewTick = min(tick, now.advanced(byMilliseconds: Limits.viewTick))
    }
  }
  /// What the clock that was set means for one timeline.
  mutating func rejudge(_ key: TimelineKey, at now: WallTime, into output: inout EngineOutput) {
    refreshShown(key, at: now, into: &output)
    judgeDueDate(key, at: now, into: &output)
    spreadOverdue(key, at: now, into: &output)
  }
}
