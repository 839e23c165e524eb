import JSON
package import Timekeeping

/// The widgets that one visible surface shows, by family and by id; `nil`: all.
package struct Watch: Hashable, Sendable {
  package var families: WidgetFamilies?
  package var widgets: Set<String>?
  /// Those of them that it shows expanded.
  package var expanded: Set<String>

  package init(
    families: WidgetFamilies? = nil, widgets: Set<String>? = nil, expanded: Set<String> = []
  ) {
    self.families = families
    self.widgets = widgets
    self.expanded = expanded
  }
}

/// The union of all watches, made once for each change of the surfaces.
struct Watches: Hashable, Sendable {
  /// Families that a surface shows whole.
  private(set) var families: WidgetFamilies = []
  /// Single widgets, with the families in which they are shown.
  private(set) var widgets: [String: WidgetFamilies] = [:]
  /// Widgets that a surface shows expanded.
  private(set) var expanded: Set<String> = []

  init() {}

  init(_ watches: [Watch]) {
    let every = WidgetFamilies(WidgetFamily.allCases)
    for watch in watches {
      expanded.formUnion(watch.expanded)
      guard let ids = watch.widgets else {
        families.formUnion(watch.families ?? every)
        continue
      }
      for id in ids { widgets[id, default: []].formUnion(watch.families ?? every) }
    }
  }

  var isEmpty: Bool { families.isEmpty && widgets.isEmpty }

  /// Whether a surface shows a widget of the timeline.
  ///
  /// It shows the main timeline of a widget in whatever mode the widget is, since that decides the
  /// widget's place; the expanded one only where the widget is expanded.
  func covers(_ shared: SharedTimeline) -> Bool {
    if shared.key.mode == .expanded {
      return !expanded.isEmpty && shared.widgets.contains(where: expanded.contains)
    }
    if families.contains(shared.key.family) { return true }
    guard !widgets.isEmpty else { return false }
    return shared.widgets.contains { widgets[$0]?.contains(shared.key.family) ?? false }
  }
}

/// A timeline that nobody watches causes no work beyond what its relevance needs.
///
/// A timeline is *watched* while a visible surface shows a widget of it, and for an hour after a
/// client read it. The policy and the retries of an unwatched timeline are held: they keep their
/// date and have no wake-up. Requests are never held, and neither is a first load. The interval of a
/// plugin is held unless a surface shows it; a client that reads it runs it once when it is due.
extension WidgetEngine {
  /// Replaces the widgets that visible surfaces show.
  ///
  /// A widget that comes into view shows its cached entry, and its held reload is due.
  package mutating func setWatches(
    _ all: [Watch], at now: WallTime, into output: inout EngineOutput
  ) {
    guard let before = viewing.watch(Watches(all), at: now) else { return }
    streams.lookSoon()
    sweep(.watches(before: before), at: now, into: &output)
    if !viewing.watches.isEmpty { noteViewHour(at: now, into: &output) }
  }

  /// Notes that a client without a surface read widgets; they count as watched for
  /// `Limits.readingWindow`.
  ///
  /// `isContinued`: the client goes on with an earlier look. More than `Limits.readAtOnceMax`
  /// widgets are noted in slices.
  package mutating func noteReading(
    of ids: [String], isContinued: Bool = false, at now: WallTime, into output: inout EngineOutput
  ) {
    sweep(
      Sweep(reason: .reading(isNoted: isContinued), ids: ids), atOnceMax: Limits.readAtOnceMax,
      at: now, into: &output)
  }

  /// Notes that a client read a widget; `false`: its last reading is not old.
  mutating func noteReading(
    of id: String, at now: WallTime, into output: inout EngineOutput
  ) -> Bool {
    guard let key = widgets[id]?.timelineKey else { return false }
    return noteReading(key, at: now, into: &output)
  }

  /// Notes that a client without a surface read a widget in its expanded mode, beside
  /// `noteReading(of:)`.
  package mutating func noteReadingExpanded(
    _ id: String, at now: WallTime, into output: inout EngineOutput
  ) {
    guard let key = widgets[id]?.expandedKey else { return }
    _ = noteReading(key, at: now, into: &output)
  }

  private mutating func noteReading(
    _ key: TimelineKey, at now: WallTime, into output: inout EngineOutput
  ) -> Bool {
    guard var shared = timelines[key] else { return false }
    let until = now.advanced(byMilliseconds: Limits.readingWindow)
    let known = now.advanced(byMilliseconds: Limits.readingWindow - Limits.viewInterval)
    // The last reading is less than ten minutes old: there is nothing to note.
    if !isOverdue(shared, at: now), let readUntil = shared.readUntil, readUntil >= known,
      readUntil <= until
    {
      return false
    }
    shared.noteReading(until: until)
    if shared.noteView(at: now) { output.dirtyViews.insert(key) }
    timelines[key] = shared
    plan(shared)
    return true
  }

  /// Counts a view of every visible widget; called once an hour.
  mutating func tickViews(at now: WallTime, into output: inout EngineOutput) {
    guard viewing.popTick(at: now) else { return }
    sweep(.views, at: now, into: &output)
    noteViewHour(at: now, into: &output)
  }

  mutating func noteView(_ key: TimelineKey, at now: WallTime, into output: inout EngineOutput) {
    if timelines[key]?.noteView(at: now) == true { output.dirtyViews.insert(key) }
  }

  mutating func noteViewHour(at now: WallTime, into output: inout EngineOutput) {
    viewing.countHour(at: now, zoneOffset: zoneOffset)
    output.settings["viewHours"] = viewing.json
  }

  /// Whether a visible surface shows the timeline, or a client read it within the last hour.
  package func isWatched(_ shared: SharedTimeline, at now: WallTime) -> Bool {
    viewing.watches.covers(shared) || shared.readUntil.map { now <= $0 } ?? false
  }

  /// Why a timeline that is due does not wake, as a word and a sentence; `nil` when nothing holds
  /// it.
  package func hold(of shared: SharedTimeline) -> (name: String, reason: String)? {
    guard let dueAt = shared.dueAt, shared.deferred.isEmpty,
      let kind = kinds.index(forKey: shared.key.kind)
    else { return nil }
    if hasProblem(shared) { return ("problem", "it has to be configured anew") }
    if isMasked(shared.key.kind) { return ("locked", "the session is locked, and it is private") }
    if !networkIsUp, kinds.values[kind].needsNetwork {
      return ("network", "its provider waits for the network")
    }
    if viewing.watches.covers(shared) { return nil }
    if shared.dueCause == .interval {
      // A look without a surface runs it once, if it was due by then.
      if let readAt = shared.readUntil?.advanced(byMilliseconds: -Limits.readingWindow),
        dueAt <= readAt
      {
        return nil
      }
      return ("unwatched", "nobody watches it")
    }
    if shared.fetchedAt == nil { return nil }
    if let readUntil = shared.readUntil, dueAt <= readUntil { return nil }
    // An expanded timeline decides no place in the stack.
    if shared.key.mode == .compact, shared.scoreMax > 0 || shared.windowMax != nil { return nil }
    return ("unwatched", "nobody watches it")
  }

  /// When a timeline wakes by itself; the only place that decides it.
  package func wakeMoment(of shared: SharedTimeline) -> WallTime? {
    guard hold(of: shared) == nil else { return nil }
    return wakeMoment(ofUnheld: shared)
  }

  /// The same for a timeline that nothing holds.
  func wakeMoment(ofUnheld shared: SharedTimeline) -> WallTime? {
    guard let dueAt = shared.dueAt, shared.isIdle, kinds.index(forKey: shared.key.kind) != nil
    else { return nil }
    guard shared.deferred.isEmpty, !viewing.watches.covers(shared), shared.dueCause != .interval,
      let fetchedAt = shared.fetchedAt
    else {
      return dueAt
    }
    if let readUntil = shared.readUntil, dueAt <= readUntil { return dueAt }
    // The timeline is unwatched and has a relevance: it reloads seldom, for its place in the stack.
    return max(dueAt, fetchedAt.advanced(byMilliseconds: Limits.unwatchedInterval))
  }

  /// Arms or disarms the wake-up of a timeline by its present state.
  mutating func plan(_ shared: SharedTimeline) {
    deadlines.planReload(of: shared.number, at: wakeMoment(of: shared))
  }

  func hasProblem(_ shared: SharedTimeline) -> Bool {
    !shared.widgets.isEmpty && shared.widgets.allSatisfy { widgets[$0]?.problem != nil }
  }

  /// Asks for an automatic reload: at once for a watched timeline, when it comes into view for
  /// others.
  mutating func askWhenWatched(
    _ key: TimelineKey, _ cause: ReloadCause, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var shared = timelines[key], !hasNoProvider(key.kind) else { return }
    guard shared.isIdle, shared.deferred.isEmpty else {
      ask(key, cause, receipt: nil, at: now, into: &output)
      return
    }
    shared.plan(at: now, cause)
    timelines[key] = shared
    output.dirtyTimelines.insert(key)
    if wakeMoment(of: shared).map({ $0 <= now }) ?? false {
      ask(key, cause, receipt: nil, at: now, into: &output)
    } else {
      plan(shared)
    }
  }
}

extension WidgetEngine {
  /// Widgets that a visible surface shows.
  ///
  /// O(timelines).
  package var watchedCount: Int {
    guard !viewing.watches.isEmpty else { return 0 }
    return timelines.values.reduce(0) { $0 + (viewing.watches.covers($1) ? $1.widgets.count : 0) }
  }
}
