package import JSON
package import Timekeeping

/// How widgets look on the wire.
extension WidgetEngine {
  /// The `widget` object of the protocol.
  package func view(of id: String, at now: WallTime) -> JSONObject? {
    guard let widget = widgets[id] else { return nil }
    let shared = timelines[widget.timelineKey]
    let kind = kinds[widget.kind]
    var object: JSONObject = [
      "id": .string(id), "kind": .string(widget.kind), "name": .string(kind?.name ?? widget.kind),
      "family": .string(widget.family.rawValue),
    ]
    if widget.configuration.intent != nil { object["intent"] = widget.configuration.json }
    object["suggestion"] = .bool(widget.isSuggestion)
    object["orphaned"] = .bool(kind == nil || widget.problem != nil)
    if let problem = widget.problem { object["problem"] = .string(problem) }
    object["stale"] = .bool(shared?.isStale(at: now) ?? false)
    if let entry = shared?.entry(at: now) { object["entry"] = entry.json }
    if let shared { addReload(of: shared, to: &object) }
    return object
  }

  /// When it is reloaded next, or what holds it, and what is wrong with its provider.
  private func addReload(of shared: SharedTimeline, to object: inout JSONObject) {
    if let moment = wakeMoment(of: shared) { object["nextReload"] = .string(moment.rfc3339) }
    if let hold = hold(of: shared) { object["held"] = .string(hold.name) }
    if let quarantine = quarantines[shared.key.kind] {
      object["quarantinedUntil"] = .string(quarantine.until.rfc3339)
    }
    if let failure = shared.failure { object["error"] = .string(failure) }
  }

  package func timelineView(of id: String, at now: WallTime) throws(WidgetError) -> JSONObject {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    let shared = timelines[widget.timelineKey]
    var object: JSONObject = ["id": .string(id), "kind": .string(widget.kind)]
    object["entries"] = .array(shared?.timeline?.entries.map(\.json) ?? [])
    if let timeline = shared?.timeline {
      object["policy"] = timeline.json["policy"]
      if let index = timeline.index(at: now) { object["current"] = .int(Int64(index)) }
    }
    if let fetchedAt = shared?.fetchedAt { object["fetchedAt"] = .string(fetchedAt.rfc3339) }
    object["stale"] = .bool(shared?.isStale(at: now) ?? false)
    if let shared { addReload(of: shared, to: &object) }
    return object
  }

  /// The `kind` object of `gallery.list`.
  package func galleryView(of kind: WidgetKind) -> JSONObject {
    var object: JSONObject = [
      "kind": .string(kind.kind), "name": .string(kind.name),
      "description": .string(kind.description),
      "families": .array(kind.families.map { .string($0.rawValue) }),
    ]
    if let intent = kind.intent { object["intent"] = .string(intent) }
    if let app = kind.app { object["app"] = .string(app) }
    return object
  }
}
