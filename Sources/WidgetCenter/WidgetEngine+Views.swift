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
    object["orphaned"] = .bool(kind == nil)
    object["stale"] = .bool(shared?.isStale(at: now) ?? false)
    if let entry = shared?.entry(at: now) { object["entry"] = entry.json }
    if let dueAt = shared?.dueAt { object["nextReload"] = .string(dueAt.rfc3339) }
    if let failure = shared?.failure { object["error"] = .string(failure) }
    return object
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
    if let dueAt = shared?.dueAt { object["nextReload"] = .string(dueAt.rfc3339) }
    object["stale"] = .bool(shared?.isStale(at: now) ?? false)
    if let failure = shared?.failure { object["error"] = .string(failure) }
    return object
  }

  package func budgetView(of id: String, at now: WallTime) throws(WidgetError) -> JSONObject {
    guard let widget = widgets[id], let shared = timelines[widget.timelineKey] else {
      throw unknownWidget(id)
    }
    func count(_ isExempt: Bool) -> JSONValue {
      var counts: JSONObject = [:]
      for cause in ReloadCause.allCases where cause.isExempt == isExempt {
        let runs = shared.recentRuns.filter {
          $0.cause == cause && $0.at > now.advanced(bySeconds: -86_400)
        }
        if !runs.isEmpty { counts[cause.rawValue] = .int(Int64(runs.count)) }
      }
      return .object(counts)
    }
    let allowed = shared.budget.earliest(at: now)
    var object: JSONObject = [
      "id": .string(id), "capacity": .int(shared.budget.capacity),
      "balance": rounded(shared.budget.balance(at: now)),
      "refillPerHour": rounded(shared.budget.refillPerHour),
      "spacing": .double(Double(shared.budget.spacing) / 1000),
      "nextAt": .string(allowed.date.rfc3339),
    ]
    if let reason = allowed.reason { object["reason"] = .string(reason) }
    object["spent"] = count(false)
    object["exempt"] = count(true)
    object["sharedBy"] = .array(shared.widgets.map { .string($0) })
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
