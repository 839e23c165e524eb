package import JSON
package import Timekeeping

/// Placed widgets follow a kind that is renamed, changes its families or is configured otherwise.
///
/// A widget that cannot follow stays as it is and says why. No widget is ever lost.
extension WidgetEngine {
  /// Moves widgets to the kind that names their kind as an alias, to a family that the kind has,
  /// and to a timeline of their own where the kind has no provider.
  package mutating func followKinds(at now: WallTime, into output: inout EngineOutput) {
    var successors: [String: String] = [:]
    for kind in kinds.values.sorted(by: { $0.kind < $1.kind }) {
      for alias in kind.aliases where kinds[alias] == nil && successors[alias] == nil {
        successors[alias] = kind.kind
      }
    }
    for id in order {
      guard let widget = widgets[id] else { continue }
      let name = kinds[widget.kind] == nil ? successors[widget.kind] : widget.kind
      guard let name, let kind = kinds[name] else { continue }
      var moved = widget
      if !kind.hasModes {
        collapse(id, at: now, into: &output)
        moved = widgets[id] ?? widget
      }
      moved.kind = name
      moved.family = Self.family(like: widget.family, of: kind)
      moved.ownsTimeline = !kind.hasProvider
      guard moved != widgets[id] else { continue }
      if widget.isSuggestion {
        // Its id contains the kind's old name, or there is nobody to ask any more; and it lasts for
        // an hour only.
        removeSuggestion(id, at: now, into: &output)
        continue
      }
      var report: JSONObject = ["widget": .string(id)]
      if moved.kind != widget.kind {
        report["fromKind"] = .string(widget.kind)
        report["kind"] = .string(moved.kind)
      }
      if moved.family != widget.family {
        report["fromFamily"] = .string(widget.family.rawValue)
        report["family"] = .string(moved.family.rawValue)
      }
      if moved.ownsTimeline != widget.ownsTimeline {
        report["ownsTimeline"] = .bool(moved.ownsTimeline)
      }
      move(id, to: moved, at: now, into: &output)
      output.note(.widgetMigrated, report)
    }
  }

  /// Gives a widget the part of its configuration that its kind still understands; `dropped` is the
  /// rest.
  package mutating func migrate(
    _ id: String, to configuration: WidgetConfiguration, dropped: JSONObject, at now: WallTime,
    into output: inout EngineOutput
  ) {
    guard let widget = widgets[id] else { return }
    var moved = widget
    moved.configuration = configuration
    if configuration.key != widget.configuration.key { moved.values = .none }
    moved.problem = nil
    guard moved != widget else { return }
    move(id, to: moved, at: now, into: &output)
    output.note(
      .widgetMigrated,
      [
        "widget": .string(id), "kind": .string(widget.kind),
        "fromIntent": widget.configuration.json, "intent": configuration.json,
        "dropped": .object(dropped),
      ])
  }

  /// Notes that a widget cannot be asked for until somebody configures it, or its kind changes
  /// back.
  package mutating func setProblem(
    _ problem: String, of id: String, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var widget = widgets[id], widget.problem != problem else { return }
    widget.problem = problem
    placed.replace(widget)
    output.dirtyWidgets.insert(id)
    output.changedWidgets.insert(id)
    output.note(
      .widgetOrphaned,
      [
        "widget": .string(id), "kind": .string(widget.kind), "reason": .string(problem),
      ])
    let key = widget.timelineKey
    guard var shared = timelines[key], hasProblem(shared) else { return }
    let deferred = shared.takeDeferred()
    timelines[key] = shared
    plan(shared)
    for receipt in deferred {
      settle(receipt, .dropped(reason: "it has to be configured anew: \(problem)"), into: &output)
    }
  }

  /// Puts a widget under another key and takes its entries, views and budget along.
  private mutating func move(
    _ id: String, to moved: Widget, at now: WallTime, into output: inout EngineOutput
  ) {
    let before = widgets[id].flatMap { timelines[$0.timelineKey] }
    let isSameKey = widgets[id]?.timelineKey == moved.timelineKey
    if isSameKey {
      placed.replace(moved)
    } else {
      detach(id, into: &output)
      var moved = moved
      moved.revisionMin = revisions.next(at: now)
      moved.expandedRevisionMin = revisions.next(at: now)
      moved.expansion.forgetUnused()
      placed.move(moved, to: attach(moved, at: now, into: &output))
    }
    let key = moved.timelineKey
    if !isSameKey, let before { inherit(before, key, at: now, into: &output) }
    output.dirtyWidgets.insert(id)
    output.dirtyTimelines.insert(key)
    output.changedWidgets.insert(id)
    output.stackChanged = true
    askWhenWatched(key, .providerUpgrade, at: now, into: &output)
    askExpanded(id, .providerUpgrade, at: now, into: &output)
  }

  /// Gives a timeline that has nothing yet what is known of the one that its widget was on before.
  mutating func inherit(
    _ before: SharedTimeline, _ key: TimelineKey, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var shared = timelines[key], shared.timeline == nil, shared.isIdle else { return }
    shared.inherit(before)
    claims.forget(shared.number)
    _ = scales.note(scales[before.key.kind], of: key.kind)
    noteScale(shared)
    tune(&shared, at: now)
    timelines[key] = shared
    refreshShown(key, at: now, into: &output)
  }

  private mutating func removeSuggestion(
    _ id: String, at now: WallTime, into output: inout EngineOutput
  ) {
    do throws(WidgetError) {
      try remove(id, at: now, into: &output)
    } catch {
      preconditionFailure(
        "a suggestion that was just looked up could not be removed: \(error.message)")
    }
  }

  /// The family itself where the kind has it, else one of the same sort, else the kind's first.
  private static func family(like family: WidgetFamily, of kind: WidgetKind) -> WidgetFamily {
    if kind.families.contains(family) { return family }
    let isAccessory = family.rawValue.hasPrefix("accessory")
    return kind.families.first { $0.rawValue.hasPrefix("accessory") == isAccessory }
      ?? kind.families[0]
  }
}
