import Downloads
package import JSON
package import Plugins
package import Timekeeping

/// One timeline and its upkeep, shared by every widget of one kind, family, configuration and values.
///
/// ```
///          ask(exempt, or paid for)            a slot is free
///   idle ───────────────────────────► queued ─────────────────► running
///    ▲ ▲                                                           │
///    │ └── ask(budgeted, too early): deferred until … ──┐          │
///    └──────────────────── outcome ────────────────────┴───────────┘
/// ```
package struct SharedTimeline: Hashable, Sendable {
  /// Whether a run is wanted or under way, and the cause of its request.
  package enum Run: Hashable, Sendable {
    case idle
    case queued(cause: ReloadCause)
    case running(RunToken, cause: ReloadCause)
  }

  package let key: TimelineKey
  /// See TimelineNumbers.
  package let number: Int32
  package let configuration: WidgetConfiguration
  /// The values that taps set on its widgets.
  package let values: WidgetValues
  /// Ids of the widgets shown from it, in the order of placing.
  package private(set) var widgets: [String] = []

  private var stored = StoredTimeline.none
  /// Parses the stored bytes on each access while `isUnread` is true.
  package private(set) var timeline: Timeline? {
    get { stored.timeline }
    set { stored = newValue.map { .read($0) } ?? .none }
  }
  /// Whether the timeline is still in the form that the store kept.
  var isUnread: Bool { if case .unread = stored { true } else { false } }

  /// When the provider, or a producer, last answered.
  package private(set) var fetchedAt: WallTime?
  /// Whether that answer said that nothing is new: then what is shown was still true at `fetchedAt`.
  private(set) var isConfirmed = false
  /// The entry that surfaces were last told to show.
  package private(set) var shown: TimelineEntry?
  package private(set) var shownIsStale = false
  /// Whether surfaces were last told that it is hidden.
  private(set) var shownIsHidden = false
  /// The number of what is shown, from `Revisions`; 0: nothing was shown yet.
  package private(set) var revision: Int64 = 0

  package private(set) var run = Run.idle
  /// Whether the run is being stopped because no widget shows it any more; its end is then no
  /// failure.
  package private(set) var isAbandoned = false
  /// Receipts that the queued or running run will end; the first leads the others.
  package private(set) var waiting: [ReceiptID] = []
  /// Receipts that came while a run was under way; they need the run after it.
  package private(set) var next: [ReceiptID] = []
  package private(set) var nextCause: ReloadCause?
  /// Receipts of budgeted requests that came too early.
  package private(set) var deferred: [ReceiptID] = []

  /// The members that a plugin gets back as variables of its next run.
  package private(set) var state: JSONObject?
  /// The pictures that its content names, each once.
  package private(set) var pictures: [PluginPicture] = []
  /// Points of height that the content wants in the expanded mode; `nil`: all that there are.
  package private(set) var preferredHeight: Int64?
  /// Whether the content is of an earlier process and was to be replaced every few moments.
  private(set) var isOfBefore = false
  /// Whether the interval of a plugin brought the content, and nobody was promised it.
  package private(set) var isRoutine = false
  /// Whether the content outlived a start over of memory: it is of this process all the same.
  private(set) var isKept = false
  /// When a failure at an interval was last told.
  private var failureToldAt: WallTime?
  /// What only a plugin has, and nobody was promised.
  var turn = PluginTurn()
  /// An array of one at most: nearly all timelines have no downloads, and pay for a pointer.
  private var ordered: [TimelineDownloads] = []
  /// Clicks that its plugin was not run for yet, oldest first, at most
  /// `Limits.waitingClickCountMax`.
  private var clicks: [PluginRequest] = []

  /// When it is to be reloaded by itself, and why.
  package private(set) var dueAt: WallTime?
  package private(set) var dueCause = ReloadCause.policy

  package private(set) var budget: ReloadBudget
  /// When the budget was last brought up to its rules by a request.
  private(set) var tunedAt: WallTime?
  /// How often it is looked at.
  package private(set) var views = ViewCount()
  /// When the first of its widgets was placed: for a while after that there is more of a budget.
  package private(set) var placedAt: WallTime?
  /// Until when it counts as watched because a client read it.
  package private(set) var readUntil: WallTime?
  /// Whether it is put off because the network is down.
  package private(set) var waitsForNetwork = false
  private var loops = LoopCount()
  private var personalLoops = LoopCount()
  package private(set) var consecutiveFailures = 0
  /// Why the last run failed; `nil`: it did not.
  package private(set) var failure: String?
  /// What the provider of the failed run last wrote to standard error.
  package private(set) var stderr: String?
  /// When the first of the failures in a row happened; `nil` too when an earlier version stored
  /// them.
  package private(set) var failingSince: WallTime?
  /// The highest score this timeline has declared: the scale its provider uses.
  package private(set) var scoreMax = 0.0
  /// The strongest window that it has declared.
  package private(set) var windowMax: RelevanceKind?
  /// The window of a manifest for which one of its widgets is suggested.
  private(set) var suggested: RelevantWindow?
  /// The relevance when the stack was last told to look; `nil`: it was not told yet.
  private(set) var ranked: DeclaredRelevance?
  /// Runs of the last day, oldest first, for `widget.budget`.
  package private(set) var recentRuns: [RecentRun] = []

  package init(
    key: TimelineKey, number: Int32, configuration: WidgetConfiguration,
    values: WidgetValues = .none, budget: ReloadBudget
  ) {
    self.key = key
    self.number = number
    self.configuration = configuration
    self.values = values
    self.budget = budget
  }

  package var isIdle: Bool { run == .idle }

  /// Whether its provider ever asked for a download.
  package var hasDownloads: Bool { !ordered.isEmpty }
  /// The files that its provider asked for.
  package internal(set) var downloads: TimelineDownloads {
    get { ordered.first ?? TimelineDownloads() }
    set { ordered = newValue == TimelineDownloads() ? [] : [newValue] }
  }
  /// The receipts that wait for files.
  var heldForDownloads: [ReceiptID] { ordered.first?.held ?? [] }

  /// Returns the results for a run that begins; empty: there are none.
  mutating func tellRunOfDownloads() -> [DownloadResult] {
    ordered.isEmpty ? [] : ordered[0].tellRun()
  }

  mutating func runToldOfDownloadsFailed(isReported: Bool) {
    if !ordered.isEmpty { ordered[0].runFailed(isReported: isReported) }
  }

  // MARK: Widgets

  /// Shows one more widget from it.
  mutating func join(_ widget: Widget) {
    widgets.append(widget.id)
    placedAt = min(placedAt ?? widget.placedAt, widget.placedAt)
    if let window = widget.window { suggested = window }
  }

  /// Shows a widget from it no longer.
  mutating func leave(_ widget: Widget) {
    widgets.removeAll { $0 == widget.id }
    if widget.window != nil { suggested = nil }
  }

  /// Lets go of all requests, since no widget is left; a run under way is abandoned.
  ///
  /// - Returns: the receipts of the requests.
  mutating func abandon() -> [ReceiptID] {
    let dropped = waiting + next + deferred + heldForDownloads
    ordered = []
    waiting = []
    next = []
    nextCause = nil
    deferred = []
    clicks = []
    if case .running = run { isAbandoned = true }
    return dropped
  }

  /// Takes over the run of a timeline with the same key, which goes on.
  mutating func adoptRun(of before: SharedTimeline) {
    run = before.run
    isAbandoned = before.isAbandoned
  }

  /// Takes over what is known of a timeline that a widget was shown from before, under another key.
  mutating func inherit(_ before: SharedTimeline) {
    timeline = before.timeline
    preferredHeight = before.preferredHeight
    pictures = before.pictures
    fetchedAt = before.fetchedAt
    isConfirmed = before.isConfirmed
    scoreMax = before.scoreMax
    windowMax = before.windowMax
    views = before.views
    readUntil = before.readUntil
    recentRuns = before.recentRuns
    budget = before.budget
  }

  /// Notes what surfaces are told to show, and the relevance that the stack is told.
  mutating func show(
    _ entry: TimelineEntry?, isStale: Bool, isHidden: Bool, ranked declared: DeclaredRelevance
  ) {
    shown = entry
    shownIsStale = isStale
    shownIsHidden = isHidden
    ranked = declared
  }

  /// Gives what is shown from now on a number.
  mutating func revise(_ revision: Int64) { self.revision = revision }

  // MARK: Looks

  /// Counts a view; `false`: it counts as one with the last.
  mutating func noteView(at now: WallTime) -> Bool { views.add(at: now) }

  /// Notes that a client read it and counts as watching it until then.
  mutating func noteReading(until: WallTime) { readUntil = until }

  /// Replaces the count of views by one that the store kept.
  mutating func restoreViews(_ count: ViewCount) { views = count }

  // MARK: Requests

  /// Lets a request wait for the run that is queued, or is about to be.
  ///
  /// - Returns: the request whose run serves it too; `nil`: it leads.
  mutating func wait(_ receipt: ReceiptID) -> ReceiptID? { Self.join(receipt, &waiting) }

  /// Lets a request wait for the run after the one under way.
  ///
  /// - Returns: the request whose run serves it too; `nil`: it leads.
  mutating func waitForNext(_ receipt: ReceiptID) -> ReceiptID? { Self.join(receipt, &next) }

  private static func join(_ receipt: ReceiptID, _ group: inout [ReceiptID]) -> ReceiptID? {
    if let leader = group.first { return leader }
    group.append(receipt)
    return nil
  }

  /// Wants another run after the one under way; an exempt cause comes before one that is paid for,
  /// and an open menu before all, since the run is told of it.
  mutating func wantNext(_ cause: ReloadCause) {
    if nextCause.map({ !$0.isExempt }) ?? true || cause == .menu { nextCause = cause }
  }

  /// Puts a request off.
  ///
  /// - Returns: the request that is put off already and serves it too; `nil`: it leads.
  mutating func postpone(_ receipt: ReceiptID) -> ReceiptID? { Self.join(receipt, &deferred) }

  /// Notes that requests are put off because the network is down.
  mutating func waitForNetwork() { waitsForNetwork = true }

  /// Takes the requests that are put off.
  mutating func takeDeferred() -> [ReceiptID] {
    defer { deferred = [] }
    return deferred
  }

  /// Takes the requests that wait for the run of now.
  mutating func takeWaiting() -> [ReceiptID] {
    defer { waiting = [] }
    return waiting
  }

  // MARK: Clicks

  var clickCount: Int { clicks.count }

  /// Keeps a click for a run of its own.
  mutating func noteClick(_ click: PluginRequest) { clicks.append(click) }

  /// Takes the click that the next run is for; `nil`: it is for none.
  mutating func takeClick() -> PluginRequest? { clicks.isEmpty ? nil : clicks.removeFirst() }

  mutating func forgetClicks() { clicks = [] }

  // MARK: Due dates

  /// Plans the next reload by itself; `nil`: none.
  mutating func plan(at date: WallTime?, _ cause: ReloadCause) {
    dueAt = date
    dueCause = cause
  }

  /// Moves the next reload to another date, for the same cause.
  mutating func planDate(_ date: WallTime) { dueAt = date }

  /// Takes the reload that is due, and returns its cause.
  mutating func takeDue() -> ReloadCause {
    turn.due = dueCause == .interval ? dueAt : nil
    dueAt = nil
    return dueCause
  }

  /// Brings back dates that a clock ahead of `now` gave: they may be years away.
  ///
  /// - Returns: whether something changed that the store keeps.
  mutating func clockChanged(at now: WallTime) -> Bool {
    budget.clockChanged(at: now)
    var isChanged = views.clockChanged(at: now)
    // The date says nothing under a clock that was set.
    if let readUntil {
      self.readUntil = min(readUntil, now.advanced(byMilliseconds: Limits.readingWindow))
    }
    if let dueAt {
      var latest = dueAt
      if consecutiveFailures > 0 {
        latest = now.advanced(byMilliseconds: Limits.backOffMax)
      } else if let fetchedAt, fetchedAt > now, dueCause != .interval {
        // The timeline was made by a clock ahead of this one, so its date for the next reload is of
        // no use.
        latest = now.advanced(byMilliseconds: Int64(key.spread % UInt64(Limits.overdueSpread)))
        if deferred.isEmpty { dueCause = .timeChange }
      }
      if !deferred.isEmpty { latest = min(latest, budget.earliest(at: now).date) }
      if latest < dueAt {
        self.dueAt = latest
        isChanged = true
      }
    }
    // Otherwise an unwatched timeline would wait until this clock gets there, and an hour more.
    if let fetchedAt, fetchedAt > now {
      self.fetchedAt = now
      isChanged = true
    }
    return isChanged
  }

  // MARK: Runs

  /// Queues it for a run that serves every request that waits, those that were put off included.
  mutating func queue(for cause: ReloadCause) {
    waiting += takeDeferred()
    dueAt = nil
    waitsForNetwork = false
    run = .queued(cause: cause)
  }

  /// Lets all its requests, those that were put off included, wait for a frame of its stream.
  mutating func waitForFrame() {
    waiting += takeDeferred()
    dueAt = nil
    waitsForNetwork = false
    clicks = []
  }

  /// Queues it for another cause than it stands in the queue for.
  mutating func requeue(for cause: ReloadCause) { run = .queued(cause: cause) }

  /// Takes it out of the queue without a run; its reload is due again at `date`.
  mutating func leaveQueue(dueAt date: WallTime, _ cause: ReloadCause) {
    run = .idle
    plan(at: date, cause)
  }

  mutating func begin(_ token: RunToken, _ cause: ReloadCause) {
    run = .running(token, cause: cause)
  }

  /// Ends the run.
  ///
  /// - Returns: the requests for the run after it, and its cause; `nil`: nobody wants one.
  mutating func endRun() -> (receipts: [ReceiptID], cause: ReloadCause?) {
    run = .idle
    isAbandoned = false
    defer {
      next = []
      nextCause = nil
    }
    return (next, nextCause)
  }

  /// Counts a start: one that a person may have asked for, or another.
  ///
  /// - Returns: whether the starts are so close together that they are a loop.
  mutating func isLooping(startingAt now: Instant, byPerson isPersonal: Bool) -> Bool {
    isPersonal
      ? personalLoops.isLoop(startingAt: now, Limits.personalLoopRunsMax)
      : loops.isLoop(startingAt: now, Limits.loopRunsMax)
  }

  /// Begins to count starts that are close together anew.
  mutating func forgetLoops() {
    loops = LoopCount()
    personalLoops = LoopCount()
  }

  /// Takes a good answer: its entries, and what it declares.
  ///
  /// Without entries the old ones stay; the new policy holds, and new windows replace the old ones.
  /// One that is `whole` replaces all: without entries there is nothing to show.
  ///
  /// `isRoutine`: nobody was promised it.
  mutating func accept(
    _ answer: Timeline, isWhole: Bool = false, isRoutine: Bool = false, at now: WallTime
  ) {
    scoreMax = answer.entries.reduce(scoreMax) { max($0, $1.relevance?.score ?? 0) }
    if let strongest = answer.windows.map(\.kind).max() {
      windowMax = max(windowMax ?? strongest, strongest)
    }
    if isWhole {
      timeline = answer
    } else if answer.entries.isEmpty {
      timeline?.policy = answer.policy
      if !answer.windows.isEmpty { timeline?.windows = answer.windows }
    } else {
      var fresh = answer
      if fresh.index(at: now) == nil, let shown = entry(at: now) {
        fresh.carryOver(shown)
        if timeline?.isPrinted != true { fresh.isPrinted = false }
      }
      fresh.dropPast(at: now)
      timeline = fresh
    }
    isConfirmed = false
    self.isRoutine = isRoutine
    noteAnswer(at: now)
  }

  /// Takes the answer that nothing is new: all that is shown stays, and is true now.
  mutating func confirm(policy: TimelineReloadPolicy, at now: WallTime) {
    if timeline == nil {
      timeline = Timeline(entries: [], policy: policy)
    } else {
      timeline?.policy = policy
    }
    isConfirmed = true
    noteAnswer(at: now)
  }

  /// Whether the provider had nothing new, and there was nothing before.
  var isConfirmedEmpty: Bool { isConfirmed && timeline?.entries.isEmpty == true }

  private mutating func noteAnswer(at now: WallTime) {
    fetchedAt = now
    isOfBefore = false
    consecutiveFailures = 0
    failure = nil
    stderr = nil
    failingSince = nil
  }

  /// Counts a run that failed, and plans the next try: later with each failure in a row.
  ///
  /// `isTold`: the history has it.
  mutating func fail(
    _ message: String, stderr: String?, _ cause: ReloadCause, isTold: Bool = true, at now: WallTime
  ) {
    if consecutiveFailures == 0 { failingSince = now }
    consecutiveFailures = min(consecutiveFailures + 1, Limits.failureCountMax)
    failure = message
    self.stderr = stderr
    let doublings = min(consecutiveFailures - 1, 16)
    let wait = min(Limits.backOffFirst << Int64(doublings), Limits.backOffMax)
    plan(at: now.advanced(byMilliseconds: wait), .retry)
    if isTold { noteRun(RecentRun(at: now, cause: cause, failure: message, stderr: stderr)) }
  }

  /// Whether a failure at an interval is told, since the last one was told long ago; then it counts
  /// as told.
  mutating func tellsFailure(at now: WallTime) -> Bool {
    if let failureToldAt, failureToldAt <= now,
      now.milliseconds(since: failureToldAt) < Limits.routineFailureInterval
    {
      return false
    }
    failureToldAt = now
    return true
  }

  // MARK: Plugins

  /// Keeps the state of a plugin for its next run; `nil`: it has none.
  mutating func keep(state: JSONObject?) { self.state = state }

  mutating func keep(pictures: [PluginPicture]) { self.pictures = pictures }

  /// Keeps the height that the content wants; `false`: it wanted the same.
  mutating func keep(preferredHeight: Int64?) -> Bool {
    defer { self.preferredHeight = preferredHeight }
    return self.preferredHeight != preferredHeight
  }

  /// Notes that its content is of an earlier process.
  mutating func noteIsOfBefore() {
    isOfBefore = fetchedAt != nil && !isKept
    isKept = false
  }

  /// Takes back what `before`, itself until memory started over, had and the store has not: content
  /// that came by an interval, failures at one, and what a plugin gets with its next run.
  ///
  /// Call it on a timeline just restored. O(1).
  ///
  /// - Returns: whether it has something now that is not on disk.
  mutating func takeBack(_ before: SharedTimeline) -> Bool {
    state = before.state
    failureToldAt = before.failureToldAt
    // Other content was promised to somebody and is gone with the promise.
    guard before.isRoutine || before.fetchedAt == fetchedAt else { return false }
    // A request that waited for its run is made again, as after a start.
    if case .queued = before.run { isKept = false } else { isKept = !before.isOfBefore }
    isRoutine = before.isRoutine
    let isSaved =
      before.fetchedAt == fetchedAt && before.consecutiveFailures == consecutiveFailures
    if before.fetchedAt != fetchedAt {
      stored = before.stored
      preferredHeight = before.preferredHeight
      pictures = before.pictures
    }
    fetchedAt = before.fetchedAt
    consecutiveFailures = before.consecutiveFailures
    failure = before.failure
    stderr = before.stderr
    failingSince = before.failingSince
    if isKept, before.dueCause == .interval { plan(at: before.dueAt, .interval) }
    return !isSaved
  }

  /// Notes a run for `widget.budget`.
  mutating func noteRun(_ run: RecentRun) {
    recentRuns.append(run)
    let now = run.at
    let dayAgo = now.advanced(bySeconds: -86_400)
    let first = recentRuns.firstIndex { $0.at > dayAgo } ?? recentRuns.endIndex
    recentRuns.removeFirst(max(first, recentRuns.count - Limits.recentRunCountMax))
  }

  mutating func forgetRuns() { recentRuns = [] }

  // MARK: Budget

  /// Pays for a reload.
  mutating func spend(isFree: Bool, at now: WallTime) { budget.spend(isFree: isFree, at: now) }

  /// Brings the budget up to its rules.
  mutating func tune(
    perDay: Int, spacing: Int64, hours: RefillHours, at now: WallTime
  ) {
    budget.configure(perDay: perDay, spacing: spacing, hours: hours, at: now)
  }

  /// Notes that a request brought the budget up to its rules.
  mutating func noteTuning(at now: WallTime) { tunedAt = now }

  // MARK: Stored form

  /// Parses the stored timeline, if that was not done yet.
  mutating func readStored() {
    if isUnread { timeline = stored.timeline }
  }

  /// `entries`: the record's member `timeline`, when it was left unread.
  ///
  /// Downloads that were pending are due at `now`.
  package mutating func restore(
    _ record: JSONValue, entries: ArraySlice<UInt8>? = nil, at now: WallTime
  ) {
    func date(_ value: JSONValue?) -> WallTime? {
      value?.stringValue.flatMap { WallTime(rfc3339: $0) }
    }
    if let entries {
      stored = .unread(entries)
    } else if let value = record["timeline"],
      case .success(let read) = Timeline.read(value, isStored: true)
    {
      timeline = read.timeline
    }
    preferredHeight = record["preferredHeight"]?.intValue.flatMap {
      (1...Limits.displaySizeMax).contains($0) ? $0 : nil
    }
    if let kept = TimelineDownloads(record: record["downloads"], at: now) { ordered = [kept] }
    pictures = (record["pictures"]?.arrayValue ?? []).compactMap { PluginPicture(record: $0) }
    fetchedAt = date(record["fetchedAt"])
    isConfirmed = record["confirmed"]?.boolValue == true
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
