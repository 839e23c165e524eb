package import JSON
package import Timekeeping

/// The content for one stretch of time, from its date to the next entry.
package struct TimelineEntry: Hashable, Sendable {
  package var date: WallTime
  package var relevance: Relevance?
  /// An object: title, text, short, symbol, items… (the manifest documentation has the keys).
  package var content: JSONObject
  /// Where a tap leads, when not to the kind's default.
  package var url: String?
  /// The picture for surfaces that show one; `nil`: all show the content.
  package var view: EntryView?

  package init(
    date: WallTime, relevance: Relevance? = nil, content: JSONObject, url: String? = nil,
    view: EntryView? = nil
  ) {
    self.date = date
    self.relevance = relevance
    self.content = content
    self.url = url
    self.view = view
  }
}

/// How much an entry deserves the top of a stack.
///
/// Source: WidgetKit, `TimelineEntryRelevance`.
package struct Relevance: Hashable, Sendable {
  /// On the provider's own scale; ≤ 0: never rise.
  package var score: Double
  /// Seconds from the entry's date; 0: until the next entry that has a relevance, at most a day.
  package var duration: Double

  package init(score: Double, duration: Double = 0) {
    self.score = score
    self.duration = duration
  }
}

/// When a provider wants to be asked again.
///
/// Source: WidgetKit, `TimelineReloadPolicy`.
package enum TimelineReloadPolicy: Hashable, Sendable {
  /// After the last entry's date.
  case atEnd
  /// Not before this date, which may lie before or after the last entry.
  case after(WallTime)
  case never
}

/// Entries in date order and a policy.
///
/// Entries are sorted once when read, stably; of equal dates the last one written wins. At T the
/// entry is shown whose date arrived most recently. (`WIDGETKIT` semantics; what Apple leaves open
/// is decided here.)
package struct Timeline: Hashable, Sendable {
  /// Strictly ascending by date.
  package private(set) var entries: [TimelineEntry]
  /// Bytes of the views of all entries.
  package private(set) var viewBytes = 0
  package var policy: TimelineReloadPolicy
  /// Spans of relevance independent of entries, in the order of their beginnings, at most
  /// `Limits.relevantWindowCountMax`.
  package var windows: [RelevantWindow] { didSet { windows.sort { $0.from < $1.from } } }
  /// Whether a plugin printed all of its entries, and no client pushed one: only then may programs
  /// that the content names be run.
  package var isPrinted = false

  package init(
    entries: [TimelineEntry], policy: TimelineReloadPolicy, windows: [RelevantWindow] = []
  ) {
    self.policy = policy
    self.windows = windows.isEmpty ? windows : windows.sorted { $0.from < $1.from }
    guard entries.count > 1 else {
      self.entries = entries
      measureViews()
      return
    }
    var sorted: [TimelineEntry] = []
    let order = entries.indices.sorted { (entries[$0].date, $0) < (entries[$1].date, $1) }
    for index in order {
      if sorted.last?.date == entries[index].date {
        sorted[sorted.count - 1] = entries[index]
      } else {
        sorted.append(entries[index])
      }
    }
    self.entries = sorted
    measureViews()
  }

  private mutating func measureViews() {
    viewBytes = entries.reduce(0) { $0 + ($1.view?.byteCount ?? 0) }
  }

  /// Takes away the views that have no room in `most` bytes, those of later entries first.
  ///
  /// - Returns: how many it took away.
  package mutating func dropViews(beyond most: Int) -> Int {
    var room = most
    var count = 0
    for index in entries.indices {
      guard let view = entries[index].view else { continue }
      if view.byteCount <= room {
        room -= view.byteCount
      } else {
        entries[index].view = nil
        count += 1
      }
    }
    if count > 0 { measureViews() }
    return count
  }

  /// Index of the entry shown at `moment`; `nil` before the first one.
  ///
  /// O(log entries).
  package func index(at moment: WallTime) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].date <= moment { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  /// Returns the relevance in force at `moment`, and when it changes.
  ///
  /// An entry without relevance leaves the earlier one in force; a duration runs from its entry's
  /// date; 0 means until the next entry that declares one, capped at a day.
  package func relevance(at moment: WallTime) -> (score: Double, until: WallTime)? {
    guard let shown = index(at: moment),
      let source = entries[...shown].lastIndex(where: { $0.relevance != nil }),
      let relevance = entries[source].relevance
    else { return nil }
    let start = entries[source].date
    var end = start.advanced(byMilliseconds: Limits.relevanceWindowMax)
    if relevance.duration > 0 {
      end = start.advanced(byMilliseconds: Int64(min(relevance.duration, 1e12) * 1000))
    }
    // A later entry that declares a relevance takes over from this one.
    if let next = entries[(source + 1)...].first(where: { $0.relevance != nil }) {
      end = min(end, next.date)
    }
    return moment < end ? (relevance.score, end) : nil
  }

  /// Forgets entries that can no longer matter: keeps the newest past one and the one whose
  /// relevance may still hold.
  package mutating func dropPast(at moment: WallTime) {
    if windows.contains(where: { $0.to <= moment }) { windows.removeAll { $0.to <= moment } }
    guard let shown = index(at: moment) else { return }
    let keep = entries[...shown].lastIndex { $0.relevance != nil } ?? shown
    entries.removeFirst(min(keep, shown))
    if viewBytes > 0 { measureViews() }
  }

  /// Puts `entry` before all others, so that it is shown until the new timeline begins.
  ///
  /// A timeline that is full gives up its last entry for it: with one more it could not be read
  /// back.
  package mutating func carryOver(_ entry: TimelineEntry) {
    guard entries.first.map({ entry.date < $0.date }) ?? true else { return }
    if entries.count == Limits.timelineEntryCountMax { entries.removeLast() }
    entries.insert(entry, at: 0)
    measureViews()
  }

  package var lastDate: WallTime? { entries.last?.date }

  /// Whether another timeline shows the same from `moment` on, as relevant; dates that are past
  /// make no difference.
  ///
  /// O(entries).
  package func showsSame(as other: Timeline, from moment: WallTime) -> Bool {
    let mine = entries[(index(at: moment) ?? 0)...]
    let others = other.entries[(other.index(at: moment) ?? 0)...]
    guard mine.count == others.count, windowsLeft(at: moment) == other.windowsLeft(at: moment)
    else { return false }
    return zip(mine, others).allSatisfy { left, right in
      (left.date == right.date || (left.date <= moment && right.date <= moment))
        && left.showsSame(as: right) && left.relevance == right.relevance
    }
  }
}

/// Says where a timeline cannot be used, and what is expected there.
package struct TimelineError: Error, Hashable, Sendable {
  /// Such as `entries[3].date`.
  package var path: String
  /// A sentence that names the path.
  package var message: String
}

extension Timeline {
  /// A timeline as it was read, with sentences for its author.
  package struct Reading: Hashable, Sendable {
    package var timeline: Timeline
    package var warnings: [String]
    /// Those about views that were left out.
    package var viewWarnings: [String]
  }

  /// Reads the wire form.
  ///
  /// Unknown keys are ignored; `warnings` are sentences for the provider's author, and
  /// `AnswerReview` has more. `now` is the moment for which an error writes its example. A timeline
  /// that is stored may have entries of any size.
  package static func read(
    _ value: JSONValue, at now: WallTime? = nil, isStored: Bool = false
  ) -> Result<Reading, TimelineError> {
    do throws(TimelineError) {
      var warnings: [String] = []
      var views = EntryViewReader()
      guard case .object(let root) = value else {
        throw TimelineError(
          path: "",
          message:
            "the timeline is \(value.typeName); expected an object with entries and policy; \(AnswerAdvice.sentence(on: value, at: now))"
        )
      }
      guard let list = root["entries"], case .array(let items) = list else {
        throw TimelineError(
          path: "entries",
          message:
            "entries is \(root["entries"]?.typeName ?? "missing"); expected a list of entries; \(AnswerAdvice.sentence(onKeysOf: root, at: now))"
        )
      }
      guard items.count <= Limits.timelineEntryCountMax else {
        throw TimelineError(
          path: "entries",
          message:
            "the timeline has \(items.count) entries; at most \(Limits.timelineEntryCountMax) are allowed"
        )
      }
      var entries: [TimelineEntry] = []
      entries.reserveCapacity(items.count)
      for (index, item) in items.enumerated() {
        let path = "entries[\(index)]"
        var entry = try readEntry(item, path: path)
        guard isStored || !JSONValue.object(entry.content).isLarger(than: Limits.entryBytesMax)
        else {
          throw TimelineError(
            path: "\(path).content",
            message:
              "\(path).content has more than \(Limits.entryBytesMax) bytes; show less in one entry"
          )
        }
        if !isStored, let place = ForeignActions.place(in: entry.content) {
          throw TimelineError(
            path: "\(path).content\(place)",
            message:
              "\(path).content\(place) is refused: only a plugin may say which program a tap runs; leave it out, or say a url"
          )
        }
        entry.view =
          isStored
          ? item["view"].flatMap { EntryView(stored: $0) }
          : views.read(item["view"], path: "\(path).view")
        entries.append(entry)
      }
      let windows = try readWindows(root["relevance"])
      var timeline = Timeline(
        entries: entries, policy: try readPolicy(root["policy"]), windows: windows)
      // Of those that come from others nobody may say this of itself.
      timeline.isPrinted = isStored && root["printed"]?.boolValue == true
      if entries.isEmpty {
        warnings.append("the timeline has no entries: what was shown before stays")
      } else if timeline.entries.count < entries.count {
        warnings.append(
          "\(entries.count - timeline.entries.count) entries share their date with a later one and are not shown"
        )
      }
      if timeline.entries.count == 1, timeline.policy == .atEnd {
        warnings.append(
          "a single entry with policy atEnd leaves the next reload to the daemon; say {\"after\": date} for data that ages"
        )
      }
      if zip(entries, entries.dropFirst()).contains(where: { $0.date > $1.date }) {
        warnings.append("the entries are not in date order; they were sorted")
      }
      return .success(
        Reading(timeline: timeline, warnings: warnings, viewWarnings: views.warnings))
    } catch {
      return .failure(error)
    }
  }

  private static func readEntry(
    _ value: JSONValue, path: String
  ) throws(TimelineError) -> TimelineEntry {
    guard case .object(let object) = value else {
      throw TimelineError(
        path: path,
        message: "\(path) is \(value.typeName); expected an object with date and content")
    }
    let date = try readDate(object["date"], path: "\(path).date")
    guard let contentValue = object["content"], case .object(let content) = contentValue else {
      throw TimelineError(
        path: "\(path).content",
        message:
          "\(path).content is \(object["content"]?.typeName ?? "missing"); expected an object such as \(AnswerAdvice.exampleOfContent(in: object))"
      )
    }
    var url: String?
    if let item = object["url"], !item.isNull {
      guard case .string(let text) = item, text.utf8.count <= Limits.entryURLBytesMax else {
        throw TimelineError(
          path: "\(path).url",
          message:
            "\(path).url is \(item.typeName); expected a URL of at most \(Limits.entryURLBytesMax) bytes"
        )
      }
      url = text
    }
    var relevance: Relevance?
    if let item = object["relevance"], !item.isNull {
      guard let score = item["score"]?.doubleValue,
        abs(score) <= Limits.relevanceScoreMax
      else {
        let said = item["score"].map { value in
          value.doubleValue == nil ? value.typeName : "\(value.serialized.prefix(40))"
        }
        throw TimelineError(
          path: "\(path).relevance.score",
          message:
            "\(path).relevance.score is \(said ?? "missing"); expected a number from -1000000 to 1000000"
        )
      }
      var duration = 0.0
      if let seconds = item["duration"], !seconds.isNull {
        guard let number = seconds.doubleValue, number.isFinite, number >= 0 else {
          throw TimelineError(
            path: "\(path).relevance.duration",
            message:
              "\(path).relevance.duration is \(seconds.typeName); expected seconds, 0 or more")
        }
        duration = number
      }
      relevance = Relevance(score: score, duration: duration)
    }
    return TimelineEntry(date: date, relevance: relevance, content: content, url: url)
  }

  static func readPolicy(_ value: JSONValue?) throws(TimelineError) -> TimelineReloadPolicy {
    switch value {
    case .none: return .atEnd
    case .some(.string("atEnd")): return .atEnd
    case .some(.string("never")): return .never
    case .some(.object(let object)) where object["after"] != nil:
      return .after(try readDate(object["after"], path: "policy.after"))
    case .some(let other):
      let near = other.stringValue.map { nearest(to: $0, among: ["atEnd", "never"], countMax: 1) }
      throw TimelineError(
        path: "policy",
        message:
          "policy is \(other.serialized.prefix(60))\(didYouMean(near ?? [])); expected \"atEnd\", \"never\" or {\"after\": date}"
      )
    }
  }

  static func readDate(_ value: JSONValue?, path: String) throws(TimelineError) -> WallTime {
    guard let text = value?.stringValue, let date = WallTime(rfc3339: text) else {
      throw TimelineError(
        path: path,
        message:
          "\(path) is \(value.map { String($0.serialized.prefix(60)) } ?? "missing"); expected an RFC 3339 date such as 2026-11-20T21:00:00Z"
      )
    }
    return date
  }

  /// The wire form.
  package var json: JSONValue {
    var object: JSONObject = ["entries": .array(entries.map(\.json))]
    if !windows.isEmpty { object["relevance"] = .array(windows.map(\.json)) }
    object["policy"] = policy.json
    if isPrinted { object["printed"] = true }
    return .object(object)
  }
}

extension Timeline {
  /// Writes what `json` is.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("entries")
    writer.beginArray()
    for entry in entries { entry.write(to: &writer) }
    writer.endArray()
    if !windows.isEmpty {
      writer.key("relevance")
      writer.value(.array(windows.map(\.json)))
    }
    writer.key("policy")
    writer.value(policy.json)
    if isPrinted {
      writer.key("printed")
      writer.bool(true)
    }
    writer.endObject()
  }
}

extension TimelineReloadPolicy {
  /// The wire form.
  package var json: JSONValue {
    switch self {
    case .atEnd: "atEnd"
    case .never: "never"
    case .after(let date): ["after": .string(date.rfc3339)]
    }
  }

  /// The same for people, after the word "policy".
  package var words: String {
    switch self {
    case .atEnd: "atEnd"
    case .never: "never"
    case .after(let date): "after \(date.rfc3339)"
    }
  }
}

extension TimelineEntry {
  package var json: JSONValue {
    var object: JSONObject = ["date": .string(date.rfc3339)]
    if let relevance {
      object["relevance"] = [
        "score": .double(relevance.score), "duration": .double(relevance.duration),
      ]
    }
    object["content"] = .object(content)
    if let url { object["url"] = .string(url) }
    if let view { object["view"] = view.json }
    return .object(object)
  }

  /// Writes what `json` is.
  ///
  /// `unwanted` stays away.
  func write(to writer: inout JSONWriter, omitting unwanted: ContentParts = []) {
    writer.beginObject()
    writer.key("date")
    writer.string(date.rfc3339)
    if let relevance {
      writer.key("relevance")
      writer.beginObject()
      writer.key("score")
      writer.double(relevance.score)
      writer.key("duration")
      writer.double(relevance.duration)
      writer.endObject()
    }
    writer.key("content")
    writer.value(.object(unwanted.isEmpty ? content : unwanted.removed(from: content)))
    if let url {
      writer.key("url")
      writer.string(url)
    }
    if let view, !unwanted.contains(.view) {
      writer.key("view")
      writer.value(view.json)
    }
    writer.endObject()
  }

  /// Whether a surface would show the same: the date alone is no difference.
  package func showsSame(as other: TimelineEntry?) -> Bool {
    guard let other else { return false }
    return content == other.content && url == other.url && view == other.view
  }

  /// When the content is too old to pass for current: `staleAfter` seconds from `asOf` (or from the
  /// entry's date).
  package var staleDate: WallTime? { staleDate(confirmedAt: nil) }

  /// The same, where the provider said at `confirmedAt` that the data is still true.
  func staleDate(confirmedAt: WallTime?) -> WallTime? {
    guard let seconds = content["staleAfter"]?.doubleValue, seconds.isFinite, seconds >= 0 else {
      return nil
    }
    var start = content["asOf"]?.stringValue.flatMap { WallTime(rfc3339: $0) } ?? date
    if let confirmedAt { start = max(start, confirmedAt) }
    return start.advanced(byMilliseconds: Int64(min(seconds, 1e12) * 1000))
  }
}
