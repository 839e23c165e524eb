import Habits
import JSON
package import Timekeeping

/// Removals and dismissals of the person, and how the latest of them is undone.
///
/// Everything that was there comes back: the widget with its place, its rules and its entries, and
/// what the stack had learned before the dismissal.
extension WidgetEngine {
  /// The effect of undoing an act.
  package struct Undone: Hashable, Sendable {
    /// A widget as it is back.
    package struct Restored: Hashable, Sendable {
      package var id: String
      /// The id that it had before, if another widget has it now.
      package var formerID: String?
    }

    /// The act that was undone: `removed` or `dismissed`.
    package var act: String
    package var widgets: [Restored]
  }

  /// Takes placed widgets or suggestions away for the person, all of them or none.
  package mutating func removeForPerson(
    _ ids: [String], at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) {
    var unique: [String] = []
    for id in ids where !unique.contains(id) {
      guard widgets[id] != nil else { throw unknownWidget(id) }
      unique.append(id)
    }
    var removed: [RemovedWidget] = []
    for id in unique {
      if let kept = keptForUndo(id, at: now) { removed.append(kept) }
      try remove(id, at: now, into: &output)
    }
    guard !removed.isEmpty else { return }
    keep(.removal(removed), at: now, into: &output)
  }

  /// Sends a widget away for a while, and a suggestion for good.
  package mutating func dismiss(
    _ id: String, at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    let kept = keptForUndo(id, at: now)
    let donationsBefore = output.donations.count
    record(.dismissal, of: id, at: now, into: &output)
    let donation = output.donations.dropFirst(donationsBefore).first { $0.record != nil }?.number
    if widget.isSuggestion {
      recent.decline(widget.item, at: now)
      try remove(id, at: now, into: &output)
      if let kept { keep(.refusal(kept, donation: donation), at: now, into: &output) }
    } else {
      suggestions.end(id, at: now.advanced(byMilliseconds: Limits.dismissalWindow))
      guard let kept else { return }
      keep(.dismissal(id: id, kept.standing, donation: donation), at: now, into: &output)
    }
  }

  /// Undoes the latest removal or dismissal.
  ///
  /// Returns `nil` if there is none, or if its widget is gone by itself.
  package mutating func undo(
    at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) -> Undone? {
    // An act whose time is over stays until the turn forgets it, in memory and on disk.
    while let act = undoable.last(at: now) {
      if case .removal(let removed) = act.kind,
        widgets.count + removed.count > Limits.widgetCountMax
      {
        throw WidgetError(
          .limitReached, "\(Limits.widgetCountMax) widgets are placed already; remove one first")
      }
      _ = undoable.takeLast()
      if !act.isPrivate { output.settings["undo"] = undoable.json }
      if let undone = undo(act, at: now, into: &output) { return undone }
    }
    return nil
  }

  private mutating func undo(
    _ act: UndoableActs.Act, at now: WallTime, into output: inout EngineOutput
  ) -> Undone? {
    switch act.kind {
    case .removal(let removed):
      var restored: [Undone.Restored] = []
      for widget in removed {
        if let back = putBack(widget, at: now, into: &output) { restored.append(back) }
      }
      return restored.isEmpty ? nil : Undone(act: "removed", widgets: restored)
    case .dismissal(let id, let standing, let donation):
      guard widgets[id] != nil else { return nil }
      recent.restore(id, standing)
      suggestions.cancelEnd(of: id)
      forgetDonation(donation, into: &output)
      output.stackChanged = true
      return Undone(act: "dismissed", widgets: [.init(id: id)])
    case .refusal(let removed, let donation):
      recent.forgetDecline(of: removed.widget.item)
      forgetDonation(donation, into: &output)
      guard let restored = putBack(removed, at: now, into: &output) else { return nil }
      return Undone(act: "dismissed", widgets: [restored])
    }
  }

  /// When a widget was asked for and sent away.
  package func standing(of id: String) -> RecentStanding { recent.standing(of: id) }

  /// Takes the standing that an undone act gave back, after a restart, from the journal.
  package mutating func replayUndo(of id: String, _ standing: RecentStanding) {
    recent.restore(id, standing)
  }

  /// Forgets every act that could be undone; returns whether there were any.
  package mutating func forgetUndoableActs(into output: inout EngineOutput) -> Bool {
    let hadAny = undoable.forget { _ in true }
    if hadAny { output.settings["undo"] = undoable.json }
    return hadAny
  }

  /// Forgets the acts whose time is over.
  mutating func expireUndo(at now: WallTime, into output: inout EngineOutput) {
    guard undoable.expire(at: now) else { return }
    output.settings["undo"] = undoable.json
  }

  // MARK: Keeping

  private mutating func keep(
    _ kind: UndoableActs.Act.Kind, at now: WallTime, into output: inout EngineOutput
  ) {
    undoable.add(.init(kind: kind, at: now, isPrivate: isPrivate))
    if !isPrivate { output.settings["undo"] = undoable.json }
  }

  /// Returns everything that brings a widget back; `nil` if there is no such widget.
  private func keptForUndo(_ id: String, at now: WallTime) -> RemovedWidget? {
    guard let widget = widgets[id] else { return nil }
    var kept = RemovedWidget(widget: widget, timeline: nil, standing: recent.standing(of: id))
    if let shared = timelines[widget.timelineKey], shared.widgets == [id] {
      var writer = JSONWriter()
      shared.writeRecord(at: now, to: &writer)
      if writer.bytes.count <= Limits.undoTimelineBytesMax {
        kept.timeline = String(decoding: writer.bytes, as: UTF8.self)
      }
    }
    return kept
  }

  // MARK: Putting back

  /// Puts a widget back, under another id if its own is taken; a suggestion whose kind suggests
  /// something else by now stays away, and the result is `nil`.
  private mutating func putBack(
    _ removed: RemovedWidget, at now: WallTime, into output: inout EngineOutput
  ) -> Undone.Restored? {
    var widget = removed.widget
    var restored = Undone.Restored(id: widget.id)
    if widgets[widget.id] != nil {
      guard !widget.isSuggestion else { return nil }
      restored = Undone.Restored(id: freeID(like: widget.id), formerID: widget.id)
      widget.id = restored.id
    }
    // Its kind may have got or lost its provider meanwhile.
    if let kind = kinds[widget.kind] {
      widget.ownsTimeline = !kind.hasProvider
      if !kind.hasModes { widget.expansion = WidgetExpansion() }
    }
    let key = widget.timelineKey
    let isNewTimeline = timelines[key] == nil
    placed.insert(widget, on: attach(widget, at: now, into: &output))
    recent.restore(widget.id, removed.standing)
    if widget.isSuggestion {
      suggestions.end(widget.id, at: widget.suggestionEnd(touchedAt: now))
      privateMode.noteSuggestion(widget.id)
    } else if let dismissedAt = removed.standing.dismissedAt {
      suggestions.end(
        widget.id, at: dismissedAt.advanced(byMilliseconds: Limits.dismissalWindow))
    }
    if isNewTimeline { restoreTimeline(key, removed.timeline, at: now, into: &output) }
    if timelines[key]?.isAbandoned == true {
      // Its run is being stopped; another one follows it.
      ask(key, .placed, receipt: nil, at: now, into: &output)
    }
    if let expanded = widget.expandedKey {
      output.dirtyTimelines.insert(expanded)
      if widget.expansion.isExpanded { askIfEmpty(expanded, at: now, into: &output) }
    }
    output.dirtyWidgets.insert(widget.id)
    output.dirtyTimelines.insert(key)
    output.changedWidgets.insert(widget.id)
    output.removedWidgets.remove(widget.id)
    output.stackChanged = true
    return restored
  }

  private mutating func restoreTimeline(
    _ key: TimelineKey, _ record: String?, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var shared = timelines[key] else { return }
    if let record = record.flatMap(Self.parsed) {
      shared.restoreViews(record["views"].flatMap { ViewCount($0) } ?? ViewCount())
      tune(&shared, at: now)
      shared.restore(record, at: now)
      noteScale(shared)
    }
    timelines[key] = shared
    resumeDownloads(of: shared)
    judgeDueDate(key, at: now, into: &output)
    refreshShown(key, at: now, into: &output)
    askIfEmpty(key, at: now, into: &output)
  }

  private static func parsed(_ record: String) -> JSONValue? {
    do throws(JSONError) {
      return try JSONValue(parsing: record)
    } catch {
      // The store gave back a damaged record: the timeline is loaded anew.
      return nil
    }
  }

  private mutating func forgetDonation(_ number: Int64?, into output: inout EngineOutput) {
    guard let number, stackModel.forget(number: number) else { return }
    placed.forgetSlots()
    latestClaims.forget()
    output.donations.append((number, nil))
    output.stackChanged = true
  }
}
