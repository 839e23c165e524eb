package import JSON
package import Timekeeping

/// How widgets look on the wire.
extension WidgetEngine {
  /// The `widget` object of the protocol.
  package func view(of id: String, at now: WallTime) -> JSONObject? {
    var bytes: [UInt8] = []
    appendJSON(to: &bytes) { writer in _ = writeView(of: id, at: now, to: &writer) }
    guard !bytes.isEmpty else { return nil }
    do throws(JSONError) {
      return try JSONValue(parsing: bytes).objectValue
    } catch {
      preconditionFailure("a view is JSON: \(error.message)")
    }
  }

  /// Writes the `widget` object of the protocol; false, and nothing written, when there is no such widget.
  ///
  /// - Parameter more: writes members behind its own.
  package func writeView(
    of id: String, at now: WallTime, to writer: inout JSONWriter,
    more: (inout JSONWriter) -> Void = { _ in }
  ) -> Bool {
    guard let widget = widgets[id] else { return false }
    let shared = timelines[widget.timelineKey]
    let kind = kinds[widget.kind]
    writer.beginObject()
    writer.key("id")
    writer.string(id)
    writer.key("kind")
    writer.string(widget.kind)
    writer.key("name")
    writer.string(kind?.name ?? widget.kind)
    writer.key("family")
    writer.string(widget.family.rawValue)
    if widget.configuration.intent != nil {
      writer.key("intent")
      writer.value(widget.configuration.json)
    }
    writer.key("suggestion")
    writer.bool(widget.isSuggestion)
    writer.key("orphaned")
    writer.bool(kind == nil || widget.problem != nil)
    if let problem = widget.problem {
      writer.key("problem")
      writer.string(problem)
    }
    writer.key("stale")
    writer.bool(shared?.isStale(at: now) ?? false)
    if let shared {
      if let entry = shared.entry(at: now) {
        writer.key("entry")
        entry.write(to: &writer)
      }
      for member in reload(of: shared).members {
        writer.key(member.key)
        writer.value(member.value)
      }
    }
    more(&writer)
    writer.endObject()
    return true
  }

  /// When it is reloaded next, or what holds it, and what is wrong with its provider.
  private func reload(of shared: SharedTimeline) -> JSONObject {
    var object = JSONObject()
    if let moment = wakeMoment(of: shared) { object["nextReload"] = .string(moment.rfc3339) }
    if let hold = hold(of: shared) { object["held"] = .string(hold.name) }
    if let quarantine = quarantines[shared.key.kind] {
      object["quarantinedUntil"] = .string(quarantine.until.rfc3339)
    }
    if let failure = shared.failure { object["error"] = .string(failure) }
    return object
  }

  package func timelineView(of id: String, at now: WallTime) throws(WidgetError) -> JSONObject {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    let shared = timelines[widget.timelineKey]
    var object: JSONObject = ["id": .string(id), "kind": .string(widget.kind)]
    object["entries"] = .array(shared?.timeline?.entries.map(\.json) ?? [])
    if let timeline = shared?.timeline {
      if !timeline.windows.isEmpty { object["relevance"] = timeline.json["relevance"] }
      object["policy"] = timeline.json["policy"]
      if let index = timeline.index(at: now) { object["current"] = .int(Int64(index)) }
    }
    if let fetchedAt = shared?.fetchedAt { object["fetchedAt"] = .string(fetchedAt.rfc3339) }
    object["stale"] = .bool(shared?.isStale(at: now) ?? false)
    if let shared { object.members += reload(of: shared).members }
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
