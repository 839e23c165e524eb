import DequeModule
package import JSON
package import Timekeeping
import WidgetCenter

/// The history of decisions, intents and taps, in order.
///
/// The store gets one row a turn. Memory keeps the newest `Limits.journalEntryCountMax` entries.
///
/// An entry is a JSON object with `sequence`, `at`, `event` and the event's own members. It is
/// encoded once and kept as bytes; `Entry.value` parses it.
package struct Journal: Sendable {
  /// One event of the history, as bytes.
  package struct Entry: Hashable, Sendable {
    package var sequence: Int64
    package var bytes: [UInt8]

    /// The entry, parsed on each access.
    ///
    /// The daemon wrote the bytes, so a failure to parse is its own defect; it shows as an event
    /// called `unreadable`.
    package var value: JSONValue {
      do throws(JSONError) {
        return try JSONValue(parsing: bytes)
      } catch {
        return [
          "sequence": .int(sequence), "event": "unreadable", "reason": .string(error.message),
        ]
      }
    }
  }

  /// The newest entries, oldest first.
  private(set) var entries = Deque<Entry>()
  package private(set) var lastSequence: Int64 = 0
  /// This turn's row so far: `[entry,entry`.
  private var row: [UInt8] = []
  /// The sequence of the row's first entry, which is the row's own.
  private var rowSequence: Int64 = 0
  /// The last moment as text: the entries of a turn share it.
  private var stamp = (moment: WallTime(milliseconds: .min), text: "")

  package init() {}

  /// Appends an entry; `members` writes the members after `event`, each as `writer.key(…)` and a
  /// value.
  package mutating func append(
    _ event: String, at now: WallTime, _ members: (inout JSONWriter) -> Void
  ) {
    assert(JournalEvent.names.contains(event), "'\(event)' is not in JournalEvent.names")
    lastSequence += 1
    if stamp.moment != now { stamp = (now, now.rfc3339) }
    if row.isEmpty {
      rowSequence = lastSequence
      row.reserveCapacity(Limits.journalRowBytesReserved)
      row.append(UInt8(ascii: "["))
    } else {
      row.append(UInt8(ascii: ","))
    }
    let (sequence, at) = (lastSequence, stamp.text)
    let start = row.count
    appendJSON(to: &row) { writer in
      writer.beginObject()
      writer.key("sequence")
      writer.int(sequence)
      writer.key("at")
      writer.string(at)
      writer.key("event")
      writer.string(event)
      members(&writer)
      writer.endObject()
    }
    // A copy of its own, with no room to spare: it is kept for long.
    remember(Entry(sequence: sequence, bytes: Array(row[start...])))
  }

  /// Appends an entry whose further members are `fields`.
  package mutating func append(_ event: String, at now: WallTime, fields: JSONObject) {
    append(event, at: now) { writer in
      for member in fields.members {
        writer.key(escaping: member.key)
        writer.value(member.value)
      }
    }
  }

  /// Takes this turn's row as writes, with the pruning of old rows when it is due; empty when the
  /// turn made no entry.
  package mutating func takeRow() -> [StoreWrite] {
    guard !row.isEmpty else { return [] }
    row.append(UInt8(ascii: "]"))
    var writes: [StoreWrite] = [.appendJournal(sequence: rowSequence, bytes: row)]
    row = []
    let keep = lastSequence - Int64(Limits.journalEntryCountMax)
    if keep > 0,
      lastSequence / Limits.journalPruneInterval > (rowSequence - 1) / Limits.journalPruneInterval
    {
      writes.append(.pruneJournal(below: keep))
    }
    return writes
  }

  /// The events that are replayed when the journal is read.
  ///
  /// Entries of other events stay unparsed bytes.
  private static let replayedEvents: Set<String> = [
    "intent", "tap", "dismissed", "undone", "reload.done", "reload.failed", "widget.removed",
  ]

  /// Reads rows back after a restart; unreadable ones are counted and left out.
  ///
  /// `values` are the entries that have to be replayed, oldest first.
  package mutating func restore(_ rows: [StoredState.JournalRow]) -> (
    unreadable: Int, values: [JSONValue]
  ) {
    var unreadable = 0
    var values: [JSONValue] = []
    for stored in rows {
      guard (0...WidgetCenter.Limits.storedNumberMax).contains(stored.sequence) else {
        unreadable += 1
        continue
      }
      // The next row must get a number that no row has, whatever numbers the entries carry.
      lastSequence = max(lastSequence, stored.sequence)
      guard let items = Self.elements(stored.bytes) else {
        unreadable += 1
        continue
      }
      for (index, item) in items.enumerated() {
        // A turn's entries count up from the row's number. `forget` writes older entries into a
        // later row, so theirs are smaller; a larger one is a mistake.
        let largest = stored.sequence + Int64(index)
        let sequence = item.sequence.map { (0...largest).contains($0) ? $0 : largest } ?? largest
        lastSequence = max(lastSequence, sequence)
        let entry = Entry(sequence: sequence, bytes: Array(stored.bytes[item.range]))
        remember(entry)
        if item.isReplayed { values.append(entry.value) }
      }
    }
    return (unreadable, values)
  }

  /// Removes the entries for which `isForgotten` returns true.
  ///
  /// `writes` remove all old rows and write the remaining entries as one row; they are empty when
  /// no entry was removed. `kept` are those of the remaining entries that a restart replays.
  package mutating func forget(_ isForgotten: (JSONValue) -> Bool) -> (
    count: Int, writes: [StoreWrite], kept: [JSONValue]
  ) {
    var kept: [JSONValue] = []
    var keptEntries = Deque<Entry>()
    for entry in entries {
      let isReplayed = Self.isReplayed(entry.bytes)
      if isReplayed || Self.mayTellOfThePerson(entry.bytes) {
        let value = entry.value
        if isForgotten(value) { continue }
        if isReplayed { kept.append(value) }
      }
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
      [
        .pruneJournal(below: lastSequence), .appendJournal(sequence: lastSequence, bytes: bytes),
        .scrub,
      ],
      kept
    )
  }

  private mutating func remember(_ entry: Entry) {
    entries.append(entry)
    if entries.count > Limits.journalEntryCountMax { entries.removeFirst() }
  }

  /// The place of an entry in its row, and the members that `restore` needs; the rest is not read.
  private struct Element {
    var range: Range<Int>
    var sequence: Int64?
    var isReplayed: Bool
  }

  /// Finds the entries of a row; `nil`: the row is no JSON array.
  private static func elements(_ row: [UInt8]) -> [Element]? {
    row.withUnsafeBytes { raw in
      do throws(JSONError) {
        var scanner = JSONScanner(raw)
        scanner.skipWhitespace()
        guard scanner.peek == UInt8(ascii: "[") else { return nil }
        try scanner.open(depth: 0)
        var found: [Element] = []
        while let range = try scanner.nextElement(isFirst: found.isEmpty, depth: 1) {
          found.append(try element(raw, range))
        }
        try scanner.expectEnd()
        return found
      } catch {
        // The caller counts unreadable rows, and the log gets one line about all of them.
        return nil
      }
    }
  }

  /// Bytes that occur in entries about suggestions, launches, and reloads for an intent or a tap.
  ///
  /// An entry that has none of them and is not replayed says nothing about the person, and `forget`
  /// does not parse it.
  private static let personalMarks = [
    #""suggestion:"#, #""launch"#, #""cause":"intent""#, #""cause":"link""#, #""cause":"tap""#,
  ].map { Array($0.utf8) }

  private static func mayTellOfThePerson(_ entry: [UInt8]) -> Bool {
    entry.indices.contains { start in
      guard entry[start] == UInt8(ascii: "\"") else { return false }
      let rest = entry[start...]
      return personalMarks.contains { rest.starts(with: $0) }
    }
  }

  private static func isReplayed(_ entry: [UInt8]) -> Bool {
    entry.withUnsafeBytes { raw in
      do throws(JSONError) {
        return try element(raw, 0..<raw.count).isReplayed
      } catch {
        return false
      }
    }
  }

  private static func element(
    _ raw: UnsafeRawBufferPointer, _ range: Range<Int>
  ) throws(JSONError) -> Element {
    var element = Element(range: range, sequence: nil, isReplayed: false)
    var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: raw[range]))
    guard scanner.peek == UInt8(ascii: "{") else { return element }
    try scanner.open(depth: 1)
    var member = JSONScanner.Member()
    var isFirst = true
    while try scanner.nextMember(into: &member, isFirst: isFirst, depth: 2) {
      isFirst = false
      if member.isCalled("sequence") {
        element.sequence = member.value.integer
      } else if member.isCalled("event") {
        element.isReplayed = scanner.string(member.value).map(replayedEvents.contains) ?? false
      }
    }
    return element
  }
}
