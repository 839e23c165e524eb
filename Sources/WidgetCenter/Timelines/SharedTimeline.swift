package import JSON
package import Timekeeping

/// One timeline and its upkeep, shared by every widget of one kind, family and configuration.
///
/// ```
///          ask(exempt, or paid for)            a slot is free
///   idle ───────────────────────────► queued ─────────────────► running
///    ▲ ▲                                                           │
///    │ └── ask(budgeted, too early): deferred until … ──┐          │
///    └──────────────────── outcome ────────────────────┴───────────┘
/// ```
package struct SharedTimeline: Hashable, Sendable {
  package enum Run: Hashable, Sendable {
    case idle
    case queued(cause: ReloadCause)
    case running(RunToken, cause: ReloadCause)
  }

  package let key: TimelineKey
  /// See TimelineNumbers.
  package let number: Int32
  package var configuration: WidgetConfiguration
  /// Ids of the widgets shown from it, in the order of placing.
  package var widgets: [String] = []

  private var stored = StoredTimeline.none
  /// Parses the stored bytes on each access while `isUnread` is true.
  package var timeline: Timeline? {
    get { stored.timeline }
    set { stored = newValue.map { .read($0) } ?? .none }
  }
  /// Whether the timeline is still in the form that the store kept.
  var isUnread: Bool { if case .unread = stored { true } else { false } }

  package var fetchedAt: WallTime?
  /// The entry that surfaces were last told to show.
  package var shown: TimelineEntry?
  package var shownIsStale = false

  package var run = Run.idle
  /// Whether the run is being stopped because no widget shows it any more; its end is then no
  /// failure.
  package var isAbandoned = false
  /// Receipts that the queued or running run will end; the first leads the others.
  package var waiting: [ReceiptID] = []
  /// Receipts that came while a run was under way; they need the run after it.
  package var next: [ReceiptID] = []
  package var nextCause: ReloadCause?
  /// Receipts of budgeted requests that came too early.
  package var deferred: [ReceiptID] = []

  /// When it is to be reloaded by itself, and why.
  package var dueAt: WallTime?
  package var dueCause = ReloadCause.policy

  package var budget: ReloadBudget
  /// When the budget was last brought up to its rules by a request.
  var tunedAt: WallTime?
  /// How often it is looked at.
  package var views = ViewCount()
  /// When the first of its widgets was placed: for a while after that there is more of a budget.
  package var placedAt: WallTime?
  /// Until when it counts as watched because a client read it.
  package var readUntil: WallTime?
  /// Whether it is put off because the network is down.
  package var waitsForNetwork = false
  /// Runs that were too close together, one less every `Limits.loopInterval`.
  package var loopLevel = 0.0
  package var lastRunAt: Instant?
  package private(set) var consecutiveFailures = 0
  /// Why the last run failed; `nil`: it did not.
  package private(set) var failure: String?
  /// What the provider of the failed run last wrote to standard error.
  package private(set) var stderr: String?
  /// When the first of the failures in a row happened; `nil` too when an earlier version stored
  /// them.
  package private(set) var failingSince: WallTime?
  /// The highest score this timeline has declared: the scale its provider uses.
  package var scoreMax = 0.0
  /// The strongest window that it has declared.
  package var windowMax: RelevanceKind?
  /// The window of a manifest for which one of its widgets is suggested.
  var suggested: RelevantWindow?
  /// The relevance when the stack was last told to look; `nil`: it was not told yet.
  var ranked: DeclaredRelevance?
  /// Runs of the last day, oldest first, for `widget.budget`.
  package var recentRuns: [RecentRun] = []

  package struct RecentRun: Hashable, Sendable {
    package var at: WallTime
    package var cause: ReloadCause
    /// Reloads taken from the budget.
    package var cost = 0
    package var isUnchanged = false
    /// The error of a failed run, which costs nothing.
    package var failure: String?
    /// What the provider of a failed run last wrote to standard error.
    package var stderr: String?

    package init(
      at: WallTime, cause: ReloadCause, cost: Int = 0, isUnchanged: Bool = false,
      failure: String? = nil, stderr: String? = nil
    ) {
      self.at = at
      self.cause = cause
      self.cost = cost
      self.isUnchanged = isUnchanged
      self.failure = failure
      self.stderr = stderr
    }
  }

  package init(
    key: TimelineKey, number: Int32, configuration: WidgetConfiguration, budget: ReloadBudget
  ) {
    self.key = key
    self.number = number
    self.configuration = configuration
    self.budget = budget
  }

  package var isIdle: Bool { run == .idle }

  /// The entry for `moment`.
  package func entry(at moment: WallTime) -> TimelineEntry? {
    guard let timeline, let index = timeline.index(at: moment) else { return nil }
    return timeline.entries[index]
  }

  /// The relevance that is declared for `moment`.
  ///
  /// O(entries + windows).
  func declared(at moment: WallTime) -> DeclaredRelevance {
    let timeline = timeline
    let relevance = timeline?.relevance(at: moment)
    var window = timeline?.window(at: moment)
    if let suggested, suggested.covers(moment), window.map({ $0.yields(to: suggested) }) ?? true {
      window = suggested
    }
    return DeclaredRelevance(
      score: relevance?.score, scoreUntil: relevance?.until, window: window)
  }

  /// The most that it ever declared.
  var scale: RelevanceScale { RelevanceScale(score: scoreMax, window: windowMax) }

  /// Takes a new timeline's declarations into the scale.
  mutating func noteScale(of timeline: Timeline) {
    scoreMax = timeline.entries.reduce(scoreMax) { max($0, $1.relevance?.score ?? 0) }
    if let strongest = timeline.windows.map(\.kind).max() {
      windowMax = max(windowMax ?? strongest, strongest)
    }
  }

  /// The last run failed, or the content outlived itself.
  package func isStale(at moment: WallTime) -> Bool { isStale(entry(at: moment), at: moment) }

  /// The same, when the entry of that moment is known.
  func isStale(_ entry: TimelineEntry?, at moment: WallTime) -> Bool {
    if consecutiveFailures > 0 { return true }
    guard let date = entry?.staleDate else { return false }
    return date <= moment
  }

  /// Returns the next moment at which the shown entry or its relevance changes by itself.
  package func nextChange(after moment: WallTime) -> WallTime? {
    var earliest: WallTime?
    func consider(_ date: WallTime?) {
      guard let date, date > moment else { return }
      earliest = earliest.map { min($0, date) } ?? date
    }
    consider(suggested?.from)
    consider(suggested?.to)
    guard let timeline else { return earliest }
    let shown = timeline.index(at: moment)
    let following = shown.map { $0 + 1 } ?? 0
    if following < timeline.entries.count { consider(timeline.entries[following].date) }
    consider(timeline.relevance(at: moment)?.until)
    consider(timeline.nextWindowChange(after: moment))
    if let shown { consider(timeline.entries[shown].staleDate) }
    return earliest
  }

  /// Notes that a run failed, after others that did or alone.
  mutating func noteFailure(_ message: String, stderr: String?, at now: WallTime) {
    if consecutiveFailures == 0 { failingSince = now }
    consecutiveFailures = min(consecutiveFailures + 1, Limits.failureCountMax)
    failure = message
    self.stderr = stderr
  }

  /// Notes that a good timeline arrived.
  mutating func noteSuccess() {
    consecutiveFailures = 0
    failure = nil
    stderr = nil
    failingSince = nil
  }

  package mutating func noteRun(_ run: RecentRun) {
    recentRuns.append(run)
    let now = run.at
    let dayAgo = now.advanced(bySeconds: -86_400)
    let first = recentRuns.firstIndex { $0.at > dayAgo } ?? recentRuns.endIndex
    recentRuns.removeFirst(max(first, recentRuns.count - Limits.recentRunCountMax))
  }

  // MARK: Stored form

  /// Writes the record that the store keeps, a JSON object.
  package func writeRecord(at now: WallTime, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("intent")
    writer.value(configuration.json)
    writer.key("failures")
    writer.int(Int64(consecutiveFailures))
    writer.key("scoreMax")
    writer.double(scoreMax)
    writer.key("budget")
    writer.beginObject()
    writer.key("balance")
    writer.double(budget.balance(at: now))
    writer.key("at")
    writer.string(now.rfc3339)
    writer.key("lastSpentAt")
    if let spentAt = budget.lastSpentAt { writer.string(spentAt.rfc3339) } else { writer.null() }
    writer.endObject()
    if let windowMax {
      writer.key("windowMax")
      writer.string(windowMax.name)
    }
    writer.key("views")
    writer.value(views.json)
    if let timeline {
      writer.key("timeline")
      timeline.write(to: &writer)
    }
    if let fetchedAt {
      writer.key("fetchedAt")
      writer.string(fetchedAt.rfc3339)
    }
    if let failure {
      writer.key("failure")
      writer.string(failure)
    }
    if let stderr {
      writer.key("stderr")
      writer.string(stderr)
    }
    if let failingSince {
      writer.key("failingSince")
      writer.string(failingSince.rfc3339)
    }
    // A planned or running reload ends with the process, so its timeline is due at once.
    if let dueAt = dueAt ?? (isIdle ? nil : now) {
      writer.key("dueAt")
      writer.string(dueAt.rfc3339)
      writer.key("dueCause")
      writer.string(dueCause.rawValue)
    }
    writer.endObject()
  }

  /// The same as a value.
  package func record(at now: WallTime) -> JSONValue {
    var writer = JSONWriter()
    writeRecord(at: now, to: &writer)
    do throws(JSONError) {
      return try JSONValue(parsing: writer.bytes)
    } catch {
      preconditionFailure("a record is JSON: \(error.message)")
    }
  }

  /// Parses the stored timeline, if that was not done yet.
  mutating func readStored() {
    if isUnread { timeline = stored.timeline }
  }

  /// `entries`: the record's member `timeline`, when it was left unread.
  package mutating func restore(_ record: JSONValue, entries: ArraySlice<UInt8>? = nil) {
    func date(_ value: JSONValue?) -> WallTime? {
      value?.stringValue.flatMap { WallTime(rfc3339: $0) }
    }
    if let entries {
      stored = .unread(entries)
    } else if let value = record["timeline"], case .success(let read) = Timeline.read(value) {
      timeline = read.timeline
    }
    fetchedAt = date(record["fetchedAt"])
    failure = record["failure"]?.stringValue
    stderr = record["stderr"]?.stringValue
    failingSince = date(record["failingSince"])
    consecutiveFailures = Int(record["failures"]?.intValue ?? 0)
    scoreMax = record["scoreMax"]?.doubleValue ?? 0
    windowMax = record["windowMax"]?.stringValue.flatMap { RelevanceKind(name: $0) }
    dueAt = date(record["dueAt"])
    dueCause = record["dueCause"]?.stringValue.flatMap { ReloadCause(rawValue: $0) } ?? .policy
    if let budgetRecord = record["budget"], let balance = budgetRecord["balance"]?.doubleValue,
      let at = date(budgetRecord["at"])
    {
      budget.restore(balance: balance, at: at, lastSpentAt: date(budgetRecord["lastSpentAt"]))
    }
  }
}
