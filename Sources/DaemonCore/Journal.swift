import DequeModule
package import JSON
package import Timekeeping

/// What happened, in order: decisions, intents, taps. One row a turn in the store, the newest entries in memory.
///
/// An entry is a JSON object with `sequence`, `at`, `event` and the event's own members; it is written
/// once, as bytes, and read back only when somebody asks.
package struct Journal: Sendable {
  package struct Entry: Hashable, Sendable {
    package var sequence: Int64
    package var bytes: [UInt8]

    /// Parsed again; entries are written by us, so a failure is our mistake and shows as such.
    package var value: JSONValue {
      do throws(JSONError) {
        return try JSONValue(parsing: bytes)
      } catch {
        return ["sequence": .int(sequence), "event": "unreadable", "reason": .string(error.message)]
      }
    }
  }

  /// Oldest first.
  private(set) var entries = Deque<Entry>()
  package private(set) var lastSequence: Int64 = 0
  /// This turn's row so far: `[entry,entry`.
  private var row: [UInt8] = []
  private var rowSequence: Int64 = 0
  private var stamp = (moment: WallTime(milliseconds: .min), text: "")

  package init() {}

  /// Appends an entry; `members` writes the members after `event`, each as `writer.key(…)` and a value.
  package mutating func append(
    _ event: String, at now: WallTime, _ members: (inout JSONWriter) -> Void
  ) {
    lastSequence += 1
    if stamp.moment != now { stamp = (now, now.rfc3339) }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("sequence")
    writer.int(lastSequence)
    writer.key("at")
    writer.string(stamp.text)
    writer.key("event")
    writer.string(event)
    members(&writer)
    writer.endObject()
    if row.isEmpty {
      rowSequence = lastSequence
      row.append(UInt8(ascii: "["))
    } else {
      row.append(UInt8(ascii: ","))
    }
    row.append(contentsOf: writer.bytes)
    remember(Entry(sequence: lastSequence, bytes: writer.bytes))
  }

  package mutating func append(_ event: String, at now: WallTime, fields: JSONObject) {
    append(event, at: now) { writer in
      for member in fields.members {
        writer.key(member.key)
        writer.value(member.value)
      }
    }
  }

  /// Takes this turn's row, if there is one, and what to prune with it.
  package mutating func takeRow() -> [StoreWrite] {
    guard !row.isEmpty else { return [] }
    row.append(UInt8(ascii: "]"))
    var writes: [StoreWrite] = [.appendJournal(sequence: rowSequence, bytes: row)]
    row = []
    let keep = lastSequence - Int64(Limits.journalEntryCountMax)
    if keep > 0, lastSequence / Limits.journalPruneInterval > (rowSequence - 1) / Limits.journalPruneInterval {
      writes.append(.pruneJournal(below: keep))
    }
    return writes
  }

  /// Reads rows back after a restart; unreadable ones are counted and left out.
  package mutating func restore(_ rows: [StoredState.JournalRow]) -> (unreadable: Int, values: [JSONValue]) {
    var unreadable = 0
    var values: [JSONValue] = []
    for stored in rows {
      guard let value = parsed(stored.bytes), case .array(let items) = value else {
        unreadable += 1
        lastSequence = max(lastSequence, stored.sequence)
        continue
      }
      for item in items {
        let sequence = item["sequence"]?.intValue ?? stored.sequence
        lastSequence = max(lastSequence, sequence)
        var bytes: [UInt8] = []
        item.write(into: &bytes)
        remember(Entry(sequence: sequence, bytes: bytes))
        values.append(item)
      }
    }
    return (unreadable, values)
  }

  /// Forgets the entries that `isForgotten` says; what remains is written anew as one row, the old rows go.
  package mutating func forget(_ isForgotten: (JSONValue) -> Bool) -> (
    count: Int, writes: [StoreWrite], kept: [JSONValue]
  ) {
    var kept: [JSONValue] = []
    var keptEntries = Deque<Entry>()
    for entry in entries {
      let value = entry.value
      if isForgotten(value) { continue }
      kept.append(value)
      keptEntries.append(entry)
    }
    let count = entries.count - keptEntries.count
    guard count > 0 else { return (0, [], kept) }
    entries = keptEntries
    lastSequence += 1
    row = []
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for (index, entry) in keptEntries.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: entry.bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    return (
      count,
      [.pruneJournal(below: lastSequence), .appendJournal(sequence: lastSequence, bytes: bytes)], kept
    )
  }

  private mutating func remember(_ entry: Entry) {
    entries.append(entry)
    if entries.count > Limits.journalEntryCountMax { entries.removeFirst() }
  }

  private func parsed(_ bytes: [UInt8]) -> JSONValue? {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes)
    } catch {
      // Counted by the caller and reported once.
      return nil
    }
  }
}
