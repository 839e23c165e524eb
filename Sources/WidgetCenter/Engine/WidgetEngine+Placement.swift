package import JSON
package import Timekeeping

/// Kinds come and go; widgets are placed, configured, removed, restored.
extension WidgetEngine {
  /// Replaces the offered kinds.
  ///
  /// Widgets whose kind vanished stay, orphaned; those whose provider changed reload.
  package mutating func setKinds(
    _ offered: [WidgetKind], at now: WallTime, into output: inout EngineOutput
  ) {
    let before = kinds
    kinds = Dictionary(offered.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
    var upgraded: Set<String> = []
    for kind in offered.sorted(by: { $0.kind < $1.kind }) {
      guard let old = before[kind.kind], old.provider != kind.provider else { continue }
      upgraded.insert(kind.kind)
      quarantineBook.forgetFailures(kind.kind)
      release(kind.kind, because: "its provider is new", at: now, into: &output)
    }
    streamsFollowKinds(into: &output)
    if before != kinds { sweep(.kinds(before: before), at: now, into: &output) }
    if !upgraded.isEmpty { sweep(.upgrade(kinds: upgraded), at: now, into: &output) }
    if suggestions.looksAtWindows || kinds.values.contains(where: { !$0.suggest.isEmpty }) {
      suggestions.planLook(at: now)
    }
    suggestedWindowsMoved(at: now, into: &output)
    forgetPreviewsOfGoneKinds(into: &output)
    endPerformsOfGoneKinds(into: &output)
    output.stackChanged = true
  }

  /// Updates one timeline after the set of kinds changed; `before`: its kind as it was.
  mutating func followKind(
    _ key: TimelineKey, before: WidgetKind?, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var shared = timelines[key] else { return }
    switch (before, kinds[key.kind]) {
    case (let old?, let new?):
      // The views of surfaces say which modes there are.
      if old.modes != new.modes { output.changedWidgets.formUnion(shared.widgets) }
      guard old.reload != new.reload || old.needsNetwork != new.needsNetwork else { return }
      tune(&shared, at: now)
      timelines[key] = shared
      plan(shared)
    case (nil, let new?):
      tune(&shared, at: now)
      if let plugin = new.provider.plugin, shared.isIdle { resume(plugin, &shared, at: now) }
      timelines[key] = shared
      output.changedWidgets.formUnion(shared.widgets)
      if shared.isOfBefore { refreshShown(key, at: now, into: &output) }
      guard shared.isIdle else { return }
      if shared.timeline == nil, shared.consecutiveFailures == 0 {
        ask(key, .placed, receipt: nil, at: now, into: &output)
      } else {
        plan(shared)
      }
    case (_?, nil):
      output.changedWidgets.formUnion(shared.widgets)
      plan(shared)
    case (nil, nil): break
    }
  }

  /// Places a widget and asks for its first timeline.
  package mutating func add(
    kind name: String, family: WidgetFamily?, configuration: WidgetConfiguration,
    id wantedID: String?,
    isSuggestion: Bool = false, window: RelevantWindow? = nil, cause: ReloadCause = .placed,
    at now: WallTime,
    into output: inout EngineOutput
  ) throws(WidgetError) -> (widget: Widget, receipt: Receipt) {
    guard let kind = kinds[name] else { throw unknownKind(name) }
    let family = try checkFamily(family, of: kind)
    guard widgets.count < Limits.widgetCountMax else {
      throw WidgetError(
        .limitReached, "\(Limits.widgetCountMax) widgets are placed already; remove one first")
    }
    let id: String
    if let wantedID {
      guard ManifestReader.isIdentifier(wantedID) || isSuggestion else {
        throw WidgetError(
          .invalidID,
          "\(quoted(wantedID)) cannot be a widget's id; use letters, digits, '.', '-' and '_', at most \(Limits.widgetIDLengthMax)"
        )
      }
      guard wantedID != Self.stackName else {
        throw WidgetError(
          .invalidID,
          "'\(wantedID)' names the whole stack on bars and panels, so no widget can have it as its id; choose another"
        )
      }
      guard widgets[wantedID] == nil else {
        throw WidgetError(
          .widgetExists,
          "a widget with the id '\(wantedID)' is placed already; choose another id or configure that one"
        )
      }
      id = wantedID
    } else {
      id = freeID(for: name)
    }
    var widget = Widget(
      id: id, kind: name, family: family, configuration: configuration,
      isSuggestion: isSuggestion, position: placed.nextPosition(), placedAt: now)
    widget.window = window
    widget.ownsTimeline = !kind.hasProvider
    insert(widget, at: now, into: &output)
    if !isSuggestion, let suggestion = widgets[Self.suggestionID(name)],
      suggestion.configuration.key == configuration.key
    {
      // The person placed the suggested widget, so the suggestion goes. It goes after the widget
      // has joined its timeline, which therefore stays.
      try remove(suggestion.id, at: now, into: &output)
    }
    output.dirtyWidgets.insert(id)
    output.changedWidgets.insert(id)
    output.stackChanged = true
    if isSuggestion { privateMode.noteSuggestion(id) }
    note(
      .widgetPlaced, of: widget,
      [
        "kind": .string(name), "family": .string(family.rawValue), "intent": configuration.json,
        "suggestion": .bool(isSuggestion),
      ], into: &output)
    let receipt = try requestReload(of: id, cause: cause, at: now, into: &output)
    return (widget, receipt)
  }

  /// Gives a widget another configuration or family, and reloads it.
  package mutating func configure(
    _ id: String, family: WidgetFamily?, configuration: WidgetConfiguration?,
    cause: ReloadCause = .configuration, at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) -> (widget: Widget, receipt: Receipt) {
    guard let old = widgets[id] else { throw unknownWidget(id) }
    guard let kind = kinds[old.kind] else { throw unknownKind(old.kind) }
    var widget = old
    if configuration != nil { widget.problem = nil }
    if let family { widget.family = try checkFamily(family, of: kind) }
    if let configuration {
      if configuration.key != widget.configuration.key {
        widget.window = nil
        // They were set on content that the new configuration does not show.
        widget.values = .none
      }
      widget.configuration = configuration
    }
    if old.timelineKey == widget.timelineKey {
      // The configuration is the same, so the timeline with its entries and its budget stays.
      placed.replace(widget)
    } else {
      let before = widget.ownsTimeline ? timelines[old.timelineKey] : nil
      detach(id, into: &output)
      widget.revisionMin = revisions.next(at: now)
      widget.expandedRevisionMin = revisions.next(at: now)
      // Content of another configuration is of no use when it is expanded again.
      widget.expansion.forgetUnused()
      placed.move(widget, to: attach(widget, at: now, into: &output))
      // Nobody can be asked for what was pushed, so it goes along.
      if let before {
        inherit(before, widget.timelineKey, at: now, into: &output)
        output.dirtyTimelines.insert(widget.timelineKey)
      }
    }
    output.dirtyWidgets.insert(id)
    output.changedWidgets.insert(id)
    output.stackChanged = true
    if widget.isSuggestion { privateMode.noteSuggestion(id) }
    note(
      .widgetConfigured, of: widget,
      ["family": .string(widget.family.rawValue), "intent": widget.configuration.json],
      into: &output)
    let receipt = try requestReload(of: id, cause: cause, at: now, into: &output)
    return (widget, receipt)
  }

  /// Removes a widget, and its timeline if no other widget shows it; throws `.unknownWidget`.
  package mutating func remove(
    _ id: String, at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    detach(id, into: &output)
    placed.remove(id)
    suggestions.cancelEnd(of: id)
    recent.forget(id)
    rotations.forget(id)
    output.changedWidgets.remove(id)
    output.removedWidgets.insert(id)
    output.dirtyWidgets.insert(id)
    output.stackChanged = true
    note(.widgetRemoved, of: widget, ["kind": .string(widget.kind)], into: &output)
    privateMode.forgetSuggestion(id)
  }

  /// Shows the answer to an intent that no placed widget of `kind` is configured for: one
  /// suggestion a kind.
  package mutating func suggest(
    kind: WidgetKind, configuration: WidgetConfiguration, cause: ReloadCause = .intent,
    at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) -> (widget: Widget, receipt: Receipt) {
    let id = Self.suggestionID(kind.kind)
    if cause == .link { recent.follow(linkTo: id) }
    let result: (widget: Widget, receipt: Receipt)
    if let existing = widgets[id] {
      if existing.configuration.key == configuration.key {
        result = (existing, try requestReload(of: id, cause: cause, at: now, into: &output))
      } else {
        let configured = try configure(
          id, family: nil, configuration: configuration, cause: cause, at: now, into: &output)
        result = configured
      }
    } else {
      result = try add(
        kind: kind.kind, family: nil, configuration: configuration, id: id, isSuggestion: true,
        cause: cause, at: now, into: &output)
    }
    suggestions.end(id, at: result.widget.suggestionEnd(touchedAt: now))
    return result
  }

  mutating func expire(_ id: String, at now: WallTime, into output: inout EngineOutput) {
    output.stackChanged = true
    guard let widget = widgets[id], widget.isSuggestion else { return }
    // Another window may be open that waited for this one.
    suggestions.lookSoon(at: now)
    do throws(WidgetError) {
      try remove(id, at: now, into: &output)
    } catch {
      preconditionFailure(
        "a suggestion that was just looked up could not be removed: \(error.message)")
    }
  }

  // MARK: Restoring

  /// A timeline as the store kept it.
  package struct RestoredTimeline {
    package var key: TimelineKey
    package var record: JSONValue
    /// The record's member `timeline`, when it was left as bytes.
    package var entries: ArraySlice<UInt8>?

    package init(_ key: TimelineKey, _ record: JSONValue, entries: ArraySlice<UInt8>? = nil) {
      self.key = key
      self.record = record
      self.entries = entries
    }
  }

  /// Puts the stored records back; `views` was counted since the timeline records were written.
  ///
  /// Nothing runs yet: `resume` follows once the kinds are known. Returns timelines that belong to
  /// no widget.
  @discardableResult
  package mutating func restore(
    widgets records: [Widget], timelines stored: [RestoredTimeline],
    receipts receiptRecords: [Receipt], views: [TimelineKey: ViewCount] = [:], at now: WallTime
  ) -> [TimelineKey] {
    placed.reserveCapacity(records.count)
    timelines.reserveCapacity(stored.count)
    // Nobody watches yet, so nothing has to be written.
    var output = EngineOutput()
    for widget in records.sorted(by: { ($0.position, $0.id) < ($1.position, $1.id) }) {
      insert(widget, at: now, into: &output)
      if widget.isSuggestion {
        // The store does not say which suggestions private mode made, so all go when it ends.
        privateMode.noteSuggestion(widget.id)
        suggestions.end(widget.id, at: widget.suggestionEnd(touchedAt: widget.placedAt))
      }
    }
    var orphans: [TimelineKey] = []
    var unrecorded = views
    for timeline in stored {
      let counted = views.isEmpty ? nil : unrecorded.removeValue(forKey: timeline.key)
      guard let index = timelines.index(forKey: timeline.key) else {
        orphans.append(timeline.key)
        continue
      }
      var shared = timelines.values[index]
      shared.restoreViews(
        counted ?? timeline.record["views"].flatMap { ViewCount($0) } ?? ViewCount())
      // First the budget gets its size from the views, then its stored balance.
      tune(&shared, at: now)
      shared.restore(timeline.record, entries: timeline.entries, at: now)
      noteScale(shared)
      timelines.values[index] = shared
    }
    for (key, count) in unrecorded {
      guard var shared = timelines[key] else { continue }
      shared.restoreViews(count)
      tune(&shared, at: now)
      timelines[key] = shared
    }
    receiptBook.restore(receiptRecords)
    return orphans
  }

  /// After a restart, with the kinds known: shows the cached entries, keeps due times, spreads what
  /// is overdue, and takes up every request that was acknowledged and not yet done.
  package mutating func resume(at now: WallTime, into output: inout EngineOutput) {
    begunAt = now
    // One look-up for each timeline: it costs more than the rest of this loop.
    var read: [TimelineKey] = []
    var all: [(id: String, key: TimelineKey)] = []
    all.reserveCapacity(timelines.count)
    for id in order { for key in keys(of: id) { all.append((id, key)) } }
    for (id, key) in all {
      guard let index = timelines.index(forKey: key), timelines.values[index].widgets.first == id
      else { continue }
      if let plugin = plugin(of: key) {
        var shared = timelines.values[index]
        resume(plugin, &shared, at: now)
        timelines.values[index] = shared
      }
      if timelines.values[index].isUnread, timelines.count > Limits.sliceCount {
        work.addUnread(key)
      } else {
        timelines.values[index].readStored()
        refreshShown(key, at: now, into: &output)
        read.append(key)
      }
      var shared = timelines.values[index]
      if shared.clockChanged(at: now) { output.dirtyTimelines.insert(key) }
      if let dueAt = shared.dueAt, dueAt <= now, shared.dueCause != .interval {
        let spread = Int64(key.spread % UInt64(Limits.overdueSpread))
        shared.planDate(now.advanced(byMilliseconds: spread))
      }
      plan(shared)
      resumeDownloads(of: shared)
      timelines.values[index] = shared
    }
    for receipt in receiptBook.unfinished {
      guard let widget = widgets[receipt.widget] else {
        settle(receipt.id, .dropped(reason: "the widget was removed"), into: &output)
        continue
      }
      // The run ended with the last process; the request goes on.
      let isOfExpanded = receipt.cause == .mode && widget.expansion.isExpanded
      let key = isOfExpanded ? widget.expandedKey : nil
      ask(
        key ?? widget.timelineKey, receipt.cause, receipt: receipt.id, at: now, into: &output)
    }
    for key in read { askIfEmpty(key, at: now, into: &output) }
    resumeSurroundings(at: now, into: &output)
    if undoable.clockChanged(at: now) { output.settings["undo"] = undoable.json }
    output.stackChanged = true
  }

  // MARK: Pieces

  /// The timelines of a widget, the main one first.
  func keys(of id: String) -> [TimelineKey] { widgets[id]?.timelineKeys ?? [] }

  private mutating func insert(
    _ widget: Widget, at now: WallTime, into output: inout EngineOutput
  ) {
    placed.append(widget, on: attach(widget, at: now, into: &output))
  }

  /// Puts a widget on its timelines, new ones if there are none yet.
  ///
  /// - Returns: the number of the main one.
  mutating func attach(
    _ widget: Widget, at now: WallTime, into output: inout EngineOutput
  ) -> Int32 {
    if let expanded = widget.expandedKey {
      _ = attach(widget, to: expanded, at: now, into: &output)
    }
    return attach(widget, to: widget.timelineKey, at: now, into: &output)
  }

  mutating func attach(
    _ widget: Widget, to key: TimelineKey, at now: WallTime, into output: inout EngineOutput
  ) -> Int32 {
    guard let index = timelines.index(forKey: key) else {
      var rules = kinds[widget.kind]?.reload ?? ReloadRules()
      widget.reload.apply(to: &rules)
      let isLearning =
        rules.perDay.count > 1 && now < widget.placedAt.advanced(byMilliseconds: rules.learning)
      // The budget begins full, with the size that it has from the first moment.
      var shared = SharedTimeline(
        key: key, number: deadlines.give(key), configuration: widget.configuration,
        values: widget.requestedValues,
        budget: ReloadBudget(
          perDay: rules.perDay(views: 0, isLearning: isLearning), spacing: rules.spacing, at: now))
      join(widget, &shared, at: now, into: &output)
      timelines[key] = shared
      streams.timelinesChanged(key.kind)
      return shared.number
    }
    streams.lookSoon()
    var shared = timelines.values[index]
    // One without widgets stayed for its run alone; after the daemon started over it may have no
    // record, and yet have spent from its budget.
    if shared.widgets.isEmpty { output.dirtyTimelines.insert(key) }
    join(widget, &shared, at: now, into: &output)
    timelines.values[index] = shared
    return shared.number
  }

  private mutating func join(
    _ widget: Widget, _ shared: inout SharedTimeline, at now: WallTime,
    into output: inout EngineOutput
  ) {
    shared.join(widget)
    if widget.window != nil { claims.forget(shared.number) }
    // The widget came onto a surface that the person looks at.
    if viewing.watches.covers(shared), shared.noteView(at: now) {
      output.dirtyViews.insert(shared.key)
    }
  }

  /// Takes a widget off its timelines.
  mutating func detach(_ id: String, into output: inout EngineOutput) {
    guard let widget = widgets[id] else { return }
    departed.note(widget)
    for key in widget.timelineKeys { leave(key, widget, into: &output) }
  }

  /// Takes a widget off one timeline; a timeline that nobody shows is forgotten, and every request
  /// for it dropped.
  mutating func leave(_ key: TimelineKey, _ widget: Widget, into output: inout EngineOutput) {
    guard var shared = timelines[key] else { return }
    shared.leave(widget)
    if widget.window != nil { claims.forget(shared.number) }
    streams.lookSoon()
    guard shared.widgets.isEmpty else {
      timelines[key] = shared
      return
    }
    departed.note(shared)
    let dropped = shared.abandon()
    timelines[key] = shared
    for receipt in dropped {
      settle(receipt, .dropped(reason: "the widget was removed or configured anew"), into: &output)
    }
    if case .running(let token, _) = shared.run {
      output.cancellations.append(token)
    } else {
      removeTimeline(key, into: &output)
    }
  }

  mutating func removeTimeline(_ key: TimelineKey, into output: inout EngineOutput) {
    if let number = timelines.removeValue(forKey: key)?.number {
      deadlines.takeBack(number)
      claims.forget(number)
      streams.timelinesChanged(key.kind)
      downloadBook.forget(key)
    }
    output.dirtyTimelines.insert(key)
  }

  private func checkFamily(
    _ family: WidgetFamily?, of kind: WidgetKind
  ) throws(WidgetError) -> WidgetFamily {
    guard let family else { return kind.families[0] }
    guard kind.families.contains(family) else {
      throw WidgetError(
        .unsupportedFamily,
        "\(kind.kind) does not come in the family \(family.rawValue); choose one of \(kind.families.map(\.rawValue).joined(separator: ", "))",
        suggestions: kind.families.map(\.rawValue))
    }
    return family
  }

  /// Returns the id of a kind's suggestion.
  package static func suggestionID(_ kind: String) -> String { "suggestion:\(kind)" }

  /// The word that means the whole stack where a bar or a panel is named, and so is no widget's id.
  ///
  /// A widget that got it before it meant that keeps it.
  private static let stackName = "stack"

  /// An id that is free: `weather`, then `weather-2`.
  private func freeID(for kind: String) -> String {
    freeID(like: kind.split(separator: ".").last.map { $0.lowercased() } ?? kind)
  }

  /// The id itself if it is free, else the id with the first number that makes it free.
  func freeID(like base: String) -> String {
    func isTaken(_ id: String) -> Bool {
      widgets[id] != nil || reservedIDs.contains(id) || id == Self.stackName
    }
    guard isTaken(base) else { return base }
    var number = 2
    while isTaken("\(base)-\(number)") { number += 1 }
    return "\(base)-\(number)"
  }

  /// Makes the refusal of an id that no widget has, with similar ids.
  package func unknownWidget(_ id: String) -> WidgetError {
    let near = nearest(to: id, among: order)
    if kinds[id] != nil {
      // A script that was put into the folder of plugins is a kind, and no widget yet.
      return WidgetError(
        .unknownWidget,
        "no widget has the id \(quoted(id)); the kind \(id) is there: intent-send add \(id)",
        suggestions: near)
    }
    return WidgetError(
      .unknownWidget, "no widget has the id \(quoted(id))\(didYouMean(near))",
      suggestions: near)
  }

  /// Makes the refusal of a kind that no manifest offers, with similar kinds.
  package func unknownKind(_ kind: String) -> WidgetError {
    let near = nearest(to: kind, among: kinds.keys.sorted())
    return WidgetError(
      .unknownKind, "no manifest offers the kind \(quoted(kind))\(didYouMean(near))",
      suggestions: near)
  }
}
