package import Timekeeping

/// Starting over from the store within one process, after a transaction that failed.
///
/// The changes of the failed transaction are forgotten, with all that is not on disk, as after
/// a crash. The machine did not stop, though: providers run, surfaces are attached, kinds are
/// offered. This engine takes that over from the one before.
extension WidgetEngine {
  /// Takes over what `before` knows of the machine.
  ///
  /// Call it on a new engine, before `restore`. Runs of `unstarted` were decided and never begun.
  package mutating func takeOver(
    from before: WidgetEngine, unstarted: Set<RunToken>, at now: WallTime
  ) {
    locale = before.locale
    _ = surroundings.setZone(offset: before.zoneOffset)
    _ = surroundings.setDaysOff(before.daysOff)
    _ = surroundings.setNetwork(isUp: before.networkIsUp)
    surroundings.setSupply(before.surroundings.supply)
    _ = surroundings.setLocked(before.isLocked)
    counters = before.counters
    quarantineBook = before.quarantineBook
    revisions = before.revisions
    runs = before.runs
    runs.forgetWaiting()
    for token in unstarted where runs.end(token) == nil {
      guard runs.endOptions(token) == nil, runs.endPreview(token) == nil else { continue }
      _ = runs.endPerform(token)
    }
    streams.takeOver(from: before.streams, unstarted: unstarted)
    downloadBook.takeOver(from: before.downloadBook)
    var output = EngineOutput()
    setKinds(before.kinds.values.sorted { $0.kind < $1.kind }, at: now, into: &output)
  }

  /// Takes back content that nobody was promised and that is not on disk yet, between `restore` and
  /// `resume`: no refusal is about it, and its next run may be an hour away.
  ///
  /// The manifest of its kind may be gone for a moment: its content is shown meanwhile.
  ///
  /// O(timelines).
  ///
  /// - Returns: the timelines that have such content; they are still to be written.
  package mutating func takeBackRoutine(from before: WidgetEngine) -> Set<TimelineKey> {
    var unsaved: Set<TimelineKey> = []
    for (key, old) in before.timelines where plugin(of: key) != nil || old.isRoutine {
      guard let index = timelines.index(forKey: key) else { continue }
      if timelines.values[index].takeBack(old) { unsaved.insert(key) }
    }
    return unsaved
  }

  /// Keeps the numbers of what is shown where that is what was shown before, after `resume`: the
  /// person looks at the same thing, and a tap on it means that.
  ///
  /// Entries and widgets that the failed transaction took away come back with their numbers as well.
  ///
  /// O(timelines + widgets).
  package mutating func keepRevisions(from before: WidgetEngine) {
    for index in timelines.indices {
      let key = timelines.keys[index]
      let shown = timelines.values[index].shown
      if let old = before.timelines[key],
        shown.map({ $0.showsSame(as: old.shown) }) ?? (old.shown == nil)
      {
        timelines.values[index].revise(old.revision)
      } else if let old = before.departed.entry(of: key), old.showed(shown) {
        timelines.values[index].revise(old.revision)
      }
    }
    for var widget in Array(widgets.values) {
      if let old = before.departed.place(of: widget.id), old.timeline == widget.timelineKey {
        widget.revisionMin = old.revisionMin
        widget.expandedRevisionMin = old.expandedRevisionMin
      } else if let old = before.widgets[widget.id], old.timelineKey == widget.timelineKey {
        widget.revisionMin = old.revisionMin
        widget.expandedRevisionMin = old.expandedRevisionMin
      } else {
        continue
      }
      placed.replace(widget)
    }
  }

  /// Ties all that was taken away so far to the transaction that begins.
  package mutating func beginTransaction() { departed.beginTransaction() }

  /// Forgets what the transaction took away that is on disk.
  package mutating func transactionCommitted() { departed.transactionCommitted() }

  /// Gives the runs under way back to their timelines, between `restore` and `resume`.
  ///
  /// The run of a timeline that is gone is cancelled. What surfaces said about themselves holds,
  /// although it may not be on disk.
  package mutating func adoptRuns(
    from before: WidgetEngine, at now: WallTime, into output: inout EngineOutput
  ) {
    for key in runs.runningKeys {
      guard let old = before.timelines[key] else { continue }
      if let index = timelines.index(forKey: key) {
        timelines.values[index].adoptRun(of: old)
        continue
      }
      var shared = SharedTimeline(
        key: key, number: deadlines.give(key), configuration: old.configuration,
        values: old.values, budget: old.budget)
      shared.adoptRun(of: old)
      _ = shared.abandon()
      timelines[key] = shared
      if !old.isAbandoned, case .running(let token, _) = old.run {
        output.cancellations.append(token)
      }
    }
    if surroundings.tell(before.surroundings) {
      output.settings["surroundings"] = surroundingsRecord
    }
  }
}
