import DaemonCore
import JSON
import WidgetCenter

/// A disk: the committed rows and the transaction under way.
///
/// It is the world's memory across crashes, so the check that acknowledged changes survive reads
/// it. It also checks the store's contract: one transaction at a time, numbered from 1, none after
/// `close`; an ended receipt never changes.
struct FakeStore: Sendable {
  private(set) var tables: [StoreTable: [String: [UInt8]]] = [:]
  private(set) var journal: [Int64: JournalRow] = [:]
  /// No row of the journal is older.
  private var oldest: Int64?
  /// No row of the journal is newer.
  private var newest: Int64?
  /// The parsed rows, parsed on demand.
  ///
  /// The rows in `unread` were written since.
  private var records: [StoreTable: [String: JSONValue]] = [:]
  private var unread: [StoreTable: Set<String>] = [:]
  private var receipts: [ReceiptID: Receipt] = [:]
  private var donations: [Int64: StackDonation] = [:]
  /// `source` of intents in the journal, with how many entries have it.
  private(set) var tags: [String: Int] = [:]
  /// Receipts that were acknowledged once and forgotten for their age.
  private(set) var agedReceipts: Set<String> = []
  /// The daemon's violations of the store's contract; empty in a good world.
  private(set) var violations: [String] = []

  struct JournalRow: Sendable {
    var bytes: [UInt8]
    /// `source` of its intents.
    var tags: [String] = []
    /// Sequences of its first and last entries; none in an empty row.
    var first: Int64?
    var last: Int64?

    private static let sequenceKey = MemberKey("sequence")
    private static let sourceKey = MemberKey("source")

    /// Learns the rest from the bytes; false when they are no list.
    fileprivate mutating func read() -> Bool {
      let bytes = bytes
      return bytes.withUnsafeBytes { raw in
        do throws(JSONError) {
          var reader = SeenReader(raw)
          guard reader.isArray else { return false }
          var isFirst = true
          try reader.elements { (reader) throws(JSONError) in
            last = nil
            try reader.members { (reader, key) throws(JSONError) in
              switch key {
              case Self.sequenceKey: last = try reader.integer()
              case Self.sourceKey: if let tag = try reader.text() { tags.append(tag) }
              default: try reader.step()
              }
            }
            if isFirst { first = last }
            isFirst = false
          }
          try reader.expectEnd()
          return true
        } catch {
          return false
        }
      }
    }
  }

  private(set) var isOpen = false
  private(set) var underWay: (number: UInt64, writes: [StoreWrite])?
  private var lastNumber: UInt64 = 0

  mutating func open() {
    if isOpen { violations.append("the store was loaded twice by one process") }
    isOpen = true
    lastNumber = 0
  }

  /// The process reads everything again, after a transaction that failed.
  func reload() -> String? {
    if !isOpen { return "the store was read again before it was loaded" }
    if underWay != nil { return "the store was read again while a transaction was under way" }
    return nil
  }

  /// Opens the store, or reads it again for a process that has it open.
  mutating func openOrReload() {
    guard isOpen else { return open() }
    if let wrong = reload() { violations.append(wrong) }
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
      switch table {
      case .receipt: readReceipt(key, bytes)
      case .donation: readDonation(key, bytes)
      case .widget, .timeline, .setting, .request, .kept: unread[table, default: []].insert(key)
      }
      tables[table, default: [:]][key] = bytes
    case .remove(let table, let key):
      switch table {
      case .receipt:
        // In a flood a receipt may grow too old before it was ever written.
        agedReceipts.insert(key)
        if let id = ReceiptID(text: key) { receipts[id] = nil }
      case .donation: if let number = Int64(key) { donations[number] = nil }
      case .widget, .timeline, .setting, .request, .kept: unread[table, default: []].insert(key)
      }
      tables[table]?[key] = nil
    case .appendJournal(let sequence, let bytes):
      if journal[sequence] != nil {
        violations.append("the journal row \(sequence) was written over")
        forgetRow(sequence)
      }
      journal[sequence] = readRow(sequence, bytes)
      oldest = min(oldest ?? sequence, sequence)
      newest = max(newest ?? sequence, sequence)
    case .pruneJournal(let below):
      // From the oldest on: there are tens of thousands, and few go at a time.
      while let oldest, oldest < below {
        forgetRow(oldest)
        self.oldest = oldest + 1
      }
    case .scrub: break
    }
  }

  private mutating func readReceipt(_ key: String, _ bytes: [UInt8]) {
    // Check that a receipt reads back as it was written, so that receipts can be compared instead
    // of bytes.
    guard let value = parsed(bytes), let new = Receipt(json: value), new.id.text == key,
      .object(new.json) == value
    else {
      violations.append("the receipt \(key) was stored in a form that cannot be read back")
      return
    }
    if let old = receipts.updateValue(new, forKey: new.id), old.hasEnded, old != new {
      violations.append(
        "the receipt \(key) had ended (\(JSONValue.object(old.json).serialized)) and became \(value.serialized)"
      )
    }
  }

  private mutating func readDonation(_ key: String, _ bytes: [UInt8]) {
    guard let number = Int64(key), let value = parsed(bytes),
      let donation = StackDonation(record: value), donation.record == value
    else {
      violations.append("the donation \(key) was stored in a form that cannot be read back")
      return
    }
    donations[number] = donation
  }

  private mutating func readRow(_ sequence: Int64, _ bytes: [UInt8]) -> JournalRow {
    var row = JournalRow(bytes: bytes)
    let isList = row.read()
    guard isList else {
      violations.append("the journal row \(sequence) is no list")
      return row
    }
    for tag in row.tags { tags[tag, default: 0] += 1 }
    return row
  }

  private mutating func forgetRow(_ sequence: Int64) {
    guard let row = journal.removeValue(forKey: sequence) else { return }
    for tag in row.tags { tags[tag, default: 0] -= 1 }
  }

  /// Everything that is on disk, as a real store gives it back.
  func state(journalRows: Int) -> StoredState {
    var state = StoredState()
    for table in StoreTable.allCases {
      let rows = (tables[table] ?? [:]).sorted { $0.key < $1.key }
      state.tables[table] = rows.map { .init(key: $0.key, bytes: $0.value) }
    }
    state.journal = journal.sorted { $0.key < $1.key }.suffix(journalRows)
      .map { .init(sequence: $0.key, bytes: $0.value.bytes) }
    return state
  }

  /// The disk in the form that a daemon compares itself with.
  ///
  /// O(rows that changed since the last time).
  var disk: Daemon.Disk {
    mutating get {
      for (table, keys) in unread {
        for key in keys {
          records[table, default: [:]][key] = tables[table]?[key].flatMap(parsed)
        }
      }
      unread = [:]
      return Daemon.Disk(
        tables: records, receipts: receipts, donations: donations, journal: sequences)
    }
  }

  /// The first and last entries of the journal.
  ///
  /// A row that was written anew, since something in it was
  /// forgotten, holds older entries than its number says.
  private var sequences: ClosedRange<Int64>? {
    guard let oldest, let newest, oldest <= newest else { return nil }
    let first = (oldest...newest).lazy.compactMap { journal[$0]?.first }.first
    let last = (oldest...newest).reversed().lazy.compactMap { journal[$0]?.last }.first
    return first.flatMap { first in last.map { first...max(first, $0) } }
  }

  func record(_ table: StoreTable, _ key: String) -> JSONValue? {
    tables[table]?[key].flatMap(parsed)
  }
}

/// Parses JSON; `nil` if it is none, which the calling check reports.
func parsed(_ bytes: [UInt8]) -> JSONValue? {
  do throws(JSONError) {
    return try JSONValue(parsing: bytes)
  } catch {
    return nil
  }
}
