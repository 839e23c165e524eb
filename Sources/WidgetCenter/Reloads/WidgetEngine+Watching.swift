import JSON
package import Timekeeping

/// What one visible surface shows: widgets of these families, of these ids; `nil` is all.
package struct Watch: Hashable, Sendable {
  package var families: WidgetFamilies?
  package var widgets: Set<String>?

  package init(families: WidgetFamilies? = nil, widgets: Set<String>? = nil) {
    self.families = families
    self.widgets = widgets
  }
}

/// What is looked at, worked out once for each change of the surfaces.
struct Watches: Hashable, Sendable {
  /// Families that a surface shows whole.
  private(set) var families: WidgetFamilies = []
  /// Single widgets, with the families in which they are shown.
  private(set) var widgets: [String: WidgetFamilies] = [:]

  init() {}

  init(_ watches: [Watch]) {
    let every = WidgetFamilies(WidgetFamily.allCases)
    for watch in watches {
      guard let ids = watch.widgets else {
        families.formUnion(watch.families ?? every)
        continue
      }
      for id in ids { widgets[id, default: []].formUnion(watch.families ?? every) }
    }
  }

  var isEmpty: Bool { families.isEmpty && widgets.isEmpty }

  func covers(_ shared: SharedTimeline) -> Bool {
    if families.contains(shared.key.family) { return true }
    guard !widgets.isEmpty else { return false }
    return shared.widgets.contains { widgets[$0]?.contains(shared.key.family) ?? false }
  }
}

/// Nobody watching: no work beyond what relevance needs.
///
/// A timeline is *watched* while a visible surface shows a widget of it, and for an hour after somebody
/// read it. What a policy or a retry wants for an unwatched one is held: it has its date and no wake-up.
/// Requests, whoever makes them, are never held, and neither is a first load.
extension WidgetEngine {
  /// The visible surfaces are now these.
  ///
  /// What comes into view goes on from its cached entry, and what was
  /// held for it is due.
  package mutating func setWatches(
    _ all: [Watch], at now: WallTime, into output: inout EngineOutput
  ) {
    let before = watches
    let after = Watches(all)
    guard after != before else { return }
    watches = after
    sweep(.watches(before: before), at: now, into: &output)
    if after.isEmpty {
      nextViewTick = nil
    } else {
      noteViewHour(at: now, into: &output)
      if nextViewTick == nil { nextViewTick = now.advanced(byMilliseconds: Limits.viewTick) }
    }
  }

  /// Somebody without a surface was told what these widgets show: that counts as watching them for a while.
  ///
  /// `isContinued`: it is the same look as the one before.
  package mutating func noteReading(
    of ids: some Sequence<String>, isContinued: Bool = false, at now: WallTime,
    into output: inout EngineOutput
  ) {
    let until = now.advanced(byMilliseconds: Limits.readingWindow)
    let known = now.advanced(byMilliseconds: Limits.readingWindow - Limits.viewInterval)
    var isNew = false
    for id in ids {
      guard let key = widgets[id]?.timelineKey, var shared = timelines[key] else { continue }
      // Read again within ten minutes: nothing to note.
      if let readUntil = shared.readUntil, readUntil >= known, readUntil <= until { continue }
      shared.readUntil = until
      if shared.views.add(at: now) { output.dirtyViews.insert(key) }
      timelines[key] = shared
      plan(shared)
      isNew = true
    }
    if isNew, !isContinued { noteViewHour(at: now, into: &output) }
  }

  /// What is still visible was viewed again; called once an hour.
  mutating func tickViews(at now: WallTime, into output: inout EngineOutput) {
    guard let tick = nextViewTick, tick <= now else { return }
    nextViewTick = now.advanced(byMilliseconds: Limits.viewTick)
    sweep(.views, at: now, into: &output)
    noteViewHour(at: now, into: &output)
  }

  mutating func noteView(_ key: TimelineKey, at now: WallTime, into output: inout EngineOutput) {
    if timelines[key]?.views.add(at: now) == true { output.dirtyViews.insert(key) }
  }

  private mutating func noteViewHour(at now: WallTime, into output: inout EngineOutput) {
    viewHours.add(at: now, zoneOffset: zoneOffset)
    output.settings["viewHours"] = viewHours.json
  }

  package func isWatched(_ shared: SharedTimeline, at now: WallTime) -> Bool {
    watches.covers(shared) || shared.readUntil.map { now <= $0 } ?? false
  }

  /// Why nothing wakes this timeline although it is due, in a word and a sentence; `nil` when nothing holds it.
  package func hold(of shared: SharedTimeline) -> (name: String, reason: String)? {
    guard let dueAt = shared.dueAt, shared.deferred.isEmpty,
      let kind = kinds.index(forKey: shared.key.kind)
    else { return nil }
    if hasProblem(shared) { return ("problem", "it has to be configured anew") }
    if !networkIsUp, kinds.values[kind].needsNetwork {
      return ("network", "its provider waits for the network")
    }
    if shared.fetchedAt == nil || watches.covers(shared) { return nil }
    if let readUntil = shared.readUntil, dueAt <= readUntil { return nil }
    if shared.scoreMax > 0 || shared.windowMax != nil { return nil }
    return ("unwatched", "nobody watches it")
  }

  /// When a timeline wakes by itself: the one place that decides it.
  package func wakeMoment(of shared: SharedTimeline) -> WallTime? {
    guard hold(of: shared) == nil else { return nil }
    return wakeMoment(ofUnheld: shared)
  }

  /// The same for one that nothing holds.
  func wakeMoment(ofUnheld shared: SharedTimeline) -> WallTime? {
    guard let dueAt = shared.dueAt, shared.isIdle, kinds.index(forKey: shared.key.kind) != nil
    else { return nil }
    guard shared.deferred.isEmpty, !watches.covers(shared), let fetchedAt = shared.fetchedAt else {
      return dueAt
    }
    if let readUntil = shared.readUntil, dueAt <= readUntil { return dueAt }
    // Unwatched, and relevant at times: seldom, for its place in the stack.
    return max(dueAt, fetchedAt.advanced(byMilliseconds: Limits.unwatchedInterval))
  }

  /// Arms or disarms the wake-up of a timeline by its present state.
  mutating func plan(_ shared: SharedTimeline) {
    if let moment = wakeMoment(of: shared) {
      reloads.schedule(shared.number, at: moment)
    } else {
      reloads.cancel(shared.number)
    }
  }

  func hasProblem(_ shared: SharedTimeline) -> Bool {
    !shared.widgets.isEmpty && shared.widgets.allSatisfy { widgets[$0]?.problem != nil }
  }

  /// Asks for an automatic reload: at once for what is watched, as soon as it is for the rest.
  mutating func askWhenWatched(
    _ key: TimelineKey, _ cause: ReloadCause, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var shared = timelines[key] else { return }
    guard shared.isIdle, shared.deferred.isEmpty else {
      ask(key, cause, receipt: nil, at: now, into: &output)
      return
    }
    shared.dueAt = now
    shared.dueCause = cause
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
    guard !watches.isEmpty else { return 0 }
    return timelines.values.reduce(0) { $0 + (watches.covers($1) ? $1.widgets.count : 0) }
  }
}
