import DaemonCore
import JSON
import WidgetCenter

/// A disk: what was committed, and the transaction that is on its way there.
///
/// It is the world's memory across crashes, so it is also where "what was acknowledged survives" is
/// looked up. It watches its own contract: one transaction at a time, numbered from 1, none after
/// `close`; an ended receipt never changes again.
struct FakeStore: Sendable {
  private(set) var tables: [StoreTable: [String: [UInt8]]] = [:]
  private(set) var journal: [Int64: [UInt8]] = [:]
  /// No row of the journal is older.
  private var oldest: Int64?
  /// `source` of intents in the journal, with how many entries have it.
  private(set) var tags: [String: Int] = [:]
  /// Receipts that were acknowledged once and forgotten for their age.
  private(set) var agedReceipts: Set<String> = []
  /// What the daemon did that no store allows; empty in a good world.
  private(set) var violations: [String] = []

  private(set) var isOpen = false
  private(set) var underWay: (number: UInt64, writes: [StoreWrite])?
  private var lastNumber: UInt64 = 0

  mutating func open() {
    if isOpen { violations.append("the store was loaded twice by one process") }
    isOpen = true
    lastNumber = 0
  }

  mutating func begin(_ number: UInt64, _ writes: [StoreWrite]) {
    if !isOpen { violations.append("transaction \(number) was begun before the store was loaded") }
    if let underWay {
      violations.append("transaction \(number) was begun while \(underWay.number) was under way")
    }
    if number != lastNumber + 1 {
      violations.append("transaction \(number) followed transaction \(lastNumber)")
    }
    if writes.isEmpty { violations.append("transaction \(number) is empty") }
    lastNumber = number
    underWay = (number, writes)
  }

  mutating func close() {
    if let underWay {
      violations.append("the store was closed while transaction \(underWay.number) was under way")
    }
    isOpen = false
  }

  /// The process ended.
  ///
  /// `applies`: the transaction under way had just reached the disk.
  mutating func crash(applies: Bool) {
    if applies { finish(lost: nil) }
    underWay = nil
    isOpen = false
  }

  mutating func fail() { underWay = nil }

  /// All of the transaction's writes, but the one at `lost`.
  mutating func finish(lost: Int?) {
    guard let (_, writes) = underWay else { return }
    underWay = nil
    let agedCount = agedReceipts.count
    for (index, write) in writes.enumerated() where index != lost { apply(write) }
    let receiptCount = tables[.receipt]?.count ?? 0
    if agedReceipts.count > agedCount, receiptCount < WidgetCenter.Limits.endedReceiptCountMax {
      violations.append("receipts were forgotten, and only \(receiptCount) are left")
    }
  }

  private mutating func apply(_ write: StoreWrite) {
    switch write {
    case .put(let table, let key, let bytes):
      if table == .receipt { checkReceipt(key, bytes) }
      tables[table, default: [:]][key] = bytes
    case .remove(let table, let key):
      // In a flood a receipt may grow too old before it was ever written.
      if table == .receipt { agedReceipts.insert(key) }
      tables[table]?[key] = nil
    case .appendJournal(let sequence, let bytes):
      if journal[sequence] != nil {
        violations.append("the journal row \(sequence) was written over")
        count(sequence, by: -1)
      }
      journal[sequence] = bytes
      oldest = min(oldest ?? sequence, sequence)
      count(sequence, by: 1)
    case .pruneJournal(let below):
      // From the oldest on: there are tens of thousands, and few go at a time.
      while let oldest, oldest < below {
        if journal[oldest] != nil {
          count(oldest, by: -1)
          journal[oldest] = nil
        }
        self.oldest = oldest + 1
      }
    }
  }

  private mutating func checkReceipt(_ key: String, _ bytes: [UInt8]) {
    guard let new = parsed(bytes), Receipt(json: new) != nil else {
      violations.append("the receipt \(key) was stored in a form that cannot be read back")
      return
    }
    guard let old = tables[.receipt]?[key].flatMap(parsed), let receipt = Receipt(json: old),
      receipt.hasEnded, old != new
    else { return }
    violations.append(
      "the receipt \(key) had ended (\(old.serialized)) and became \(new.serialized)")
  }

  private mutating func count(_ sequence: Int64, by step: Int) {
    guard let row = journal[sequence].flatMap(parsed)?.arrayValue else {
      violations.append("the journal row \(sequence) is no list")
      return
    }
    for entry in row {
      guard let tag = entry["source"]?.stringValue else { continue }
      tags[tag, default: 0] += step
    }
  }

  /// Everything that is on disk, as a real store gives it back.
  func state(journalRows: Int) -> StoredState {
    var state = StoredState()
    for table in StoreTable.allCases {
      let rows = (tables[table] ?? [:]).sorted { $0.key < $1.key }
      state.tables[table] = rows.map { .init(key: $0.key, bytes: $0.value) }
    }
    state.journal = journal.sorted { $0.key < $1.key }.suffix(journalRows)
      .map { .init(sequence: $0.key, bytes: $0.value) }
    return state
  }

  /// What a daemon compares itself with.
  var disk: Daemon.Disk {
    // A row that was written anew, since something in it was forgotten, holds older entries than its number says.
    let rows = journal.keys.sorted().lazy.map { parsed(journal[$0] ?? [])?.arrayValue ?? [] }
    let first = rows.first { !$0.isEmpty }?.first?["sequence"]?.intValue
    let last = rows.reversed().first { !$0.isEmpty }?.last?["sequence"]?.intValue
    let sequences = first.flatMap { first in last.map { first...max(first, $0) } }
    return Daemon.Disk(
      tables: tables.mapValues { rows in rows.compactMapValues(parsed) }, journal: sequences)
  }

  func record(_ table: StoreTable, _ key: String) -> JSONValue? {
    tables[table]?[key].flatMap(parsed)
  }
}

/// The value, or `nil` when it is none: for checkers, who say themselves what is wrong then.
func parsed(_ bytes: [UInt8]) -> JSONValue? {
  do throws(JSONError) {
    return try JSONValue(parsing: bytes)
  } catch {
    return nil
  }
}
