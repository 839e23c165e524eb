package import JSON
package import Timekeeping

/// How widgets look on the wire.
extension WidgetEngine {
  /// The `widget` object of the protocol, with the name in the first of `languages` that it has.
  ///
  /// `look`: as a surface shows it; `nil`: in `mode`, as one that says nothing of modes.
  package func view(
    of id: String, as look: WidgetLook? = nil, mode: WidgetMode = .compact, at now: WallTime,
    in languages: [String] = [],
    omitting unwanted: ContentParts = .view
  ) -> JSONObject? {
    var bytes: [UInt8] = []
    appendJSON(to: &bytes) { writer in
      _ = writeView(
        of: id, as: look, mode: mode, at: now, in: languages, to: &writer, omitting: unwanted)
    }
    guard !bytes.isEmpty else { return nil }
    do throws(JSONError) {
      return try JSONValue(parsing: bytes).objectValue
    } catch {
      preconditionFailure("a view is JSON: \(error.message)")
    }
  }

  /// Writes the `widget` object of the protocol; false, and nothing written, when there is no such
  /// widget.
  ///
  /// `look`: as a surface shows it; `nil`: in `mode`, as one that says nothing of modes. `more`:
  /// writes members behind its own.
  package func writeView(
    of id: String, as look: WidgetLook? = nil, mode: WidgetMode = .compact, at now: WallTime,
    in languages: [String] = [],
    to writer: inout JSONWriter, omitting unwanted: ContentParts = .view,
    more: (inout JSONWriter) -> Void = { _ in }
  ) -> Bool {
    guard let widget = widgets[id] else { return false }
    let mode = look?.mode ?? mode
    let shared = widget.timelineKey(in: mode).flatMap { timelines[$0] }
    let name = kinds[widget.kind]?.name(in: languages)
    writer.beginObject()
    writer.key("id")
    writer.string(id)
    writer.key("kind")
    writer.string(widget.kind)
    writer.key("name")
    writer.string(name ?? widget.kind)
    writer.key("family")
    writer.string(widget.family.rawValue)
    if widget.configuration.intent != nil {
      writer.key("intent")
      writer.value(widget.configuration.json)
    }
    if !widget.values.isEmpty {
      writer.key("values")
      writer.value(.object(widget.values.json))
    }
    writer.key("suggestion")
    writer.bool(widget.isSuggestion)
    writer.key("orphaned")
    writer.bool(name == nil || widget.problem != nil)
    if let problem = widget.problem {
      writer.key("problem")
      writer.string(problem)
    }
    if let look {
      look.write(preferred: shared?.preferredHeight, to: &writer)
    } else if mode == .expanded {
      writer.key("mode")
      writer.string(mode.rawValue)
    }
    if isMasked(widget.kind) {
      writeMask(of: widget, shared, named: name ?? widget.kind, at: now, to: &writer)
      more(&writer)
      writer.endObject()
      return true
    }
    writer.key("revision")
    writer.int(max(widget.revisionMin(in: mode), shared?.revision ?? 0))
    let entry = shared?.entry(at: now)
    let isStale = shared?.isStale(entry, at: now) ?? false
    writer.key("stale")
    writer.bool(isStale)
    if isStale, let since = shared?.staleSince(entry, at: now) {
      writer.key("staleSince")
      writer.string(since.rfc3339)
    }
    if let entry {
      writer.key("entry")
      entry.write(to: &writer, omitting: partsToOmit(unwanted, of: id, in: mode))
    } else if let hidden = shared.flatMap(hiddenReason) {
      writer.key("hidden")
      writer.string(hidden.rawValue)
    }
    if let shared { writeReload(of: shared, to: &writer) }
    more(&writer)
    writer.endObject()
    return true
  }

  /// Writes what surfaces get of a private widget while the session is locked: an entry with the
  /// name of its kind alone, whatever it shows otherwise.
  private func writeMask(
    of widget: Widget, _ shared: SharedTimeline?, named name: String, at now: WallTime,
    to writer: inout JSONWriter
  ) {
    writer.key("revision")
    writer.int(max(widget.revisionMin(in: shared?.key.mode ?? .compact), shared?.revision ?? 0))
    writer.key("stale")
    writer.bool(false)
    writer.key("masked")
    writer.bool(true)
    writer.key("entry")
    writer.value(.object(Self.mask(named: name, at: now)))
    writer.key("held")
    writer.string("locked")
  }

  private static func mask(named name: String, at now: WallTime) -> JSONObject {
    [
      "date": .string(now.rfc3339),
      "content": ["title": .string(name), "symbol": "lock"],
    ]
  }

  /// The members of an entry's content that fit one line of a list.
  private static let partsOfLine = ["title", "text", "short", "symbol", "icon", "image"]

  /// What a widget shows at `now`, in as few words as a line of a list has: its id as `widget`,
  /// `title`, `text`, `short`, `symbol`, `icon` and `image` as its entry has them, and `stale`.
  ///
  /// `nil`: there is no such widget, or it shows nothing. Changes nothing, and does not count as a
  /// reading.
  package func shownContent(of id: String, at now: WallTime) -> JSONObject? {
    guard let widget = widgets[id], let shared = timelines[widget.timelineKey],
      let entry = shared.entry(at: now), !isWithheld(id, at: now), !isMasked(widget.kind)
    else { return nil }
    var shown: JSONObject = ["widget": .string(id)]
    for part in Self.partsOfLine {
      if let value = entry.content[part] { shown[part] = value }
    }
    shown["stale"] = .bool(shared.isStale(at: now))
    return shown
  }

  /// Returns the number of the version of a widget's name that people who read `languages` see.
  ///
  /// Views of one widget with the same number have the same name; 0 for a name in one language.
  package func nameVersion(of id: String, in languages: [String]) -> Int {
    guard let widget = widgets[id], let names = kinds[widget.kind]?.names else { return 0 }
    return names.index(in: languages)
  }

  /// Writes when the timeline reloads next or why it waits, and the provider's error.
  private func writeReload(of shared: SharedTimeline, to writer: inout JSONWriter) {
    let hold = hold(of: shared)
    let isMasked = isMasked(shared.key.kind)
    if hold == nil, let moment = wakeMoment(ofUnheld: shared) {
      writer.key("nextReload")
      writer.string(moment.rfc3339)
    }
    if let hold {
      writer.key("held")
      writer.string(hold.name)
    }
    if !quarantineBook.isEmpty, let quarantine = quarantineBook[shared.key.kind] {
      writer.key("quarantinedUntil")
      writer.string(quarantine.until.rfc3339)
    }
    if let failure = shared.failure {
      writer.key("error")
      writer.string(failure)
      // It may quote what it read.
      if !isMasked, let stderr = shared.stderr {
        writer.key("stderr")
        writer.string(stderr)
      }
    }
    if shared.hasDownloads, let trouble = shared.downloads.troubleView {
      writer.key("downloads")
      writer.value(trouble)
    }
  }

  /// The number of what the widget shows at `now` in a mode, as its views have it; `nil`: there is
  /// no such widget, or it has no timeline for the mode.
  ///
  /// Brings what is shown up to `now` first: an entry whose date came since the last turn is another
  /// one than the person saw.
  package mutating func revision(
    of id: String, in mode: WidgetMode = .compact, at now: WallTime,
    into output: inout EngineOutput
  ) -> Int64? {
    guard let widget = widgets[id], let key = widget.timelineKey(in: mode) else { return nil }
    refreshShown(key, at: now, into: &output)
    return max(widget.revisionMin(in: mode), timelines[key]?.revision ?? 0)
  }

  /// The answer to `widget.timeline`, as JSON.
  package func timelineView(
    of id: String, in mode: WidgetMode = .compact, at now: WallTime
  ) throws(WidgetError) -> [UInt8] {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    let shared = timelines[try key(of: widget, in: mode)]
    let timeline = shared?.timeline
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("id")
    writer.string(id)
    writer.key("kind")
    writer.string(widget.kind)
    writer.key("entries")
    writer.beginArray()
    let isMasked = isMasked(widget.kind)
    for entry in isMasked ? [] : timeline?.entries ?? [] {
      entry.write(to: &writer, omitting: .view)
    }
    writer.endArray()
    if isMasked {
      writer.key("masked")
      writer.bool(true)
    }
    if let timeline, !isMasked {
      if !timeline.windows.isEmpty {
        writer.key("relevance")
        writer.value(.array(timeline.windows.map(\.json)))
      }
      writer.key("policy")
      writer.value(timeline.policy.json)
      if let index = timeline.index(at: now) {
        writer.key("current")
        writer.int(Int64(index))
      }
    }
    if let plugin = plugin(of: widget.timelineKey) {
      writer.key("schedule")
      writer.string(plugin.scheduleWords)
    }
    if let fetchedAt = shared?.fetchedAt {
      writer.key("fetchedAt")
      writer.string(fetchedAt.rfc3339)
    }
    writer.key("stale")
    writer.bool(shared?.isStale(at: now) ?? false)
    if let since = runningSince(widget.kind) {
      writer.key("runningSince")
      writer.string(since.rfc3339)
    }
    if let shared { writeReload(of: shared, to: &writer) }
    writer.endObject()
    return writer.bytes
  }

  /// The `kind` object of `gallery.list`, for a person who reads `languages`.
  package func galleryView(of kind: WidgetKind, in languages: [String] = []) -> JSONObject {
    var object: JSONObject = [
      "kind": .string(kind.kind), "name": .string(kind.name(in: languages)),
      "description": .string(kind.description(in: languages)),
      "families": .array(kind.families.map { .string($0.rawValue) }),
    ]
    if kind.hasModes { object["modes"] = .array(kind.modes.map { .string($0.rawValue) }) }
    if !kind.hasProvider { object["isPushed"] = true }
    if let intent = kind.intent { object["intent"] = .string(intent) }
    if let app = kind.app { object["app"] = .string(app) }
    if let bundle = kind.provider.bundle { object["bundle"] = .string(bundle) }
    let isBoxed = kind.provider.containment != .open
    if kind.hasProvider, isBoxed || !kind.asked.isEmpty {
      object["permissions"] = [
        "asked": kind.asked.json, "granted": kind.granted.json, "isBoxed": .bool(isBoxed),
      ]
    }
    return object
  }
}
