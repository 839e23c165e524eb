import JSON
package import Timekeeping

/// Widgets that are expanded on some surface: their second timeline, and its reloads.
///
/// A widget has one timeline for each mode. The compact one is the main one: it decides the place in
/// the stack, and its runs end the receipts of requests. The expanded one exists since the widget
/// was first expanded, and stays when it is collapsed. It has a budget of its own, and causes no
/// work unless a visible surface shows the widget expanded, or a client reads it so. A request for a
/// reload of the widget is one for both, and so is everything that changes all widgets, such as
/// another language.
extension WidgetEngine {
  /// The widgets that are expanded on some surface.
  package var expandedWidgets: Set<String> { placed.expanded }

  /// The modes in which a widget of a kind can be shown.
  ///
  /// A kind that no manifest offers at the moment keeps what its widgets have.
  package func modes(of widget: Widget) -> [WidgetMode] {
    kinds[widget.kind]?.modes ?? (widget.expansion.isEmpty ? [.compact] : WidgetMode.allCases)
  }

  /// Whether a widget is expanded in a place, as far as the place has room.
  package func isExpanded(_ id: String, in place: ModePlace) -> Bool {
    guard placed.expanded.contains(id), let widget = widgets[id] else { return false }
    return widget.expansion.contains(place) && modes(of: widget).contains(.expanded)
  }

  /// Expands or collapses a widget in some places.
  ///
  /// - Returns: the receipt of the free reload, where the widget has nothing to show in the mode;
  ///   `nil`: what was made for the mode is shown at once. Also whether anything changed.
  package mutating func setMode(
    _ mode: WidgetMode, of id: String, in places: [ModePlace], at now: WallTime,
    into output: inout EngineOutput
  ) throws(WidgetError) -> (receipt: Receipt?, hasChanged: Bool) {
    guard var widget = widgets[id] else { throw unknownWidget(id) }
    if mode == .expanded {
      guard let kind = kinds[widget.kind] else { throw unknownKind(widget.kind) }
      guard kind.hasModes else {
        throw WidgetError(
          .unsupportedMode,
          "'\(id)' has the compact mode only; a kind whose provider makes more says so in its"
            + " manifest (modes: [compact, expanded])",
          suggestions: kind.modes.map(\.rawValue))
      }
    }
    let before = widget.expansion
    for place in places {
      if mode == .expanded {
        widget.expansion.expand(on: place)
      } else {
        widget.expansion.collapse(on: place)
      }
    }
    guard widget.expansion.names.count <= Limits.expandedSurfaceCountMax else {
      throw WidgetError(
        .tooManySurfaces,
        "'\(id)' is expanded on \(Limits.expandedSurfaceCountMax) surfaces already; collapse it on"
          + " one of them first")
    }
    let hasChanged = widget.expansion != before
    if hasChanged {
      setExpansion(widget.expansion, of: id, at: now, into: &output)
      note(
        .widgetMode, of: widget,
        [
          "mode": .string(mode.rawValue),
          "surfaces": .array(
            places.compactMap { place in
              if case .name(let name) = place { .string(name) } else { nil }
            }),
        ], into: &output)
    }
    guard let key = widgets[id]?.timelineKey(in: mode), timelines[key]?.entry(at: now) == nil,
      hasChanged || mode == .expanded
    else { return (nil, hasChanged) }
    let receipt = receiptBook.open(for: widget, .mode, at: now, into: &output)
    ask(key, .mode, receipt: receipt.id, at: now, into: &output)
    return (receiptBook[receipt.id] ?? receipt, hasChanged)
  }

  /// Forgets the choices of surfaces without a name that are gone; `numbers` are those that are
  /// there.
  package mutating func keepExpanded(
    on numbers: Set<UInt64>, at now: WallTime, into output: inout EngineOutput
  ) {
    for id in placed.expanded {
      guard var expansion = widgets[id]?.expansion, !expansion.attachments.isSubset(of: numbers)
      else { continue }
      expansion.keepAttachments(numbers)
      setExpansion(expansion, of: id, at: now, into: &output)
    }
  }

  /// Takes the largest sizes that surfaces give a widget alone; its timelines are made anew for
  /// them, free of budget.
  package mutating func setModeSizes(
    _ sizes: [WidgetMode: DisplaySize], of id: String, at now: WallTime,
    into output: inout EngineOutput
  ) {
    guard var widget = widgets[id], widget.modeSizes != sizes else { return }
    let resized = WidgetMode.allCases.filter { widget.modeSizes[$0] != sizes[$0] }
    widget.modeSizes = sizes
    placed.replace(widget)
    output.dirtyWidgets.insert(id)
    guard kinds[widget.kind]?.hasModes == true else { return }
    for key in widget.timelineKeys where resized.contains(key.mode) {
      askWhenWatched(key, .displaySize, at: now, into: &output)
    }
  }

  /// Returns the largest size that a timeline is made for.
  ///
  /// Of several widgets that share it, the first to which surfaces gave sizes of its own decides.
  func maximumSize(of shared: SharedTimeline) -> DisplaySize {
    let mode = shared.key.mode
    for id in shared.widgets {
      if let own = widgets[id]?.modeSizes[mode] { return own }
    }
    return surroundings.maximumSize(in: mode)
  }

  /// Returns the timeline of a widget in a mode; throws `.unsupportedMode` when it has none.
  package func key(of widget: Widget, in mode: WidgetMode) throws(WidgetError) -> TimelineKey {
    if let key = widget.timelineKey(in: mode) { return key }
    throw WidgetError(
      .unsupportedMode,
      "'\(widget.id)' was not expanded since it is configured so, and has nothing in that mode;"
        + " expand it first: intent-send expand \(widget.id)",
      suggestions: [WidgetMode.compact.rawValue])
  }

  // MARK: The expanded timeline

  /// Gives a widget another expansion, and the timeline that it then has; it forgets one that it
  /// has no more.
  mutating func setExpansion(
    _ expansion: WidgetExpansion, of id: String, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var widget = widgets[id], widget.expansion != expansion else { return }
    let old = widget
    widget.expansion = expansion
    if old.expansion.record != expansion.record { output.dirtyWidgets.insert(id) }
    switch (old.expandedKey, widget.expandedKey) {
    case (let gone?, nil): leave(gone, old, into: &output)
    case (nil, let new?):
      widget.expandedRevisionMin = revisions.next(at: now)
      _ = attach(widget, to: new, at: now, into: &output)
    case (nil, nil), (_?, _?): break
    }
    placed.replace(widget)
  }

  /// Collapses a widget everywhere, because its kind has the compact mode only.
  mutating func collapse(_ id: String, at now: WallTime, into output: inout EngineOutput) {
    guard let widget = widgets[id], !widget.expansion.isEmpty else { return }
    setExpansion(WidgetExpansion(), of: id, at: now, into: &output)
    note(
      .widgetMode, of: widget,
      ["mode": .string(WidgetMode.compact.rawValue), "reason": "its kind has no other mode now"],
      into: &output)
  }

  /// Asks for the expanded timeline of a widget, too, where it has one: now if a visible surface
  /// shows it, else when one does.
  mutating func askExpanded(
    _ id: String, _ cause: ReloadCause, at now: WallTime, into output: inout EngineOutput
  ) {
    guard let key = widgets[id]?.expandedKey, timelines[key] != nil else { return }
    askWhenWatched(key, cause, at: now, into: &output)
  }

  /// Notes that a timeline looks different: for the surfaces that show its mode.
  func noteChange(of shared: SharedTimeline, in output: inout EngineOutput) {
    for id in shared.widgets {
      if widgets[id]?.expandedKey == nil {
        output.changedWidgets.insert(id)
      } else if shared.key.mode == .expanded {
        output.changedExpanded.insert(id)
      } else {
        output.changedCompact.insert(id)
      }
    }
  }
}
