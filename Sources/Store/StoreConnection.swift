import CSQLite
import DaemonCore

/// An open store: one SQLite connection, its prepared statements, and what is done with them.
///
/// The connection runs with
/// - `journal_mode=WAL` and `synchronous=FULL`: a commit is one append and one fsync, and lasts;
/// - `locking_mode=EXCLUSIVE`: the file is ours alone, so no shared-memory index and no lock calls;
/// - no automatic checkpoint: the write-ahead log (below, the log) is written back after the reply
///   left (`checkpointIfDue`), not inside the COMMIT that happens to fill it.
///
/// Lives on the store's thread.
@safe final class StoreConnection {
  private let path: String
  private let limits: StoreLimits
  /// `nil` after `close`.
  private var database: Database?
  private var statements: Statements?
  /// The connection of `database`; valid while that is not `nil`.
  private let handle: OpaquePointer
  /// Pages in the log after the latest commit, written by SQLite's hook.
  private let logPages: UnsafeMutablePointer<Int32>
  private var checkpointAtPages = Int32(StoreLimits.checkpointPages)
  /// Whether the log may still have rows that a transaction with `.scrub` removed.
  ///
  /// True at a start too: an earlier process may have died before it cut the log.
  private var owesErasure = true

  /// Opens `path`, which may be empty, and brings its tables up to date.
  init(path: String, limits: StoreLimits) throws(StoreFailure) {
    let database = try Self.open(path, limits: limits)
    try Schema.check(database, path: path)
    try Self.makeDurable(database, path: path)
    let statements = try Self.bringUpToDate(database, path: path)
    let handle = unsafe database.handle
    let logPages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    unsafe logPages.initialize(to: 0)
    unsafe sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        unsafe context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, logPages)

    self.path = path
    self.limits = limits
    self.statements = statements
    unsafe self.handle = handle
    unsafe self.logPages = logPages
    self.database = consume database
  }

  deinit {
    precondition(statements == nil, "StoreConnection dropped without close()")
    unsafe logPages.deallocate()
  }

  /// Opens the file and reads its schema: a file that is no database shows here.
  private static func open(
    _ path: String, limits: StoreLimits
  ) throws(StoreFailure) -> Database {
    do {
      let database = try Database(path: path, .readWrite)
      try database.execute(
        """
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA trusted_schema = OFF;
        PRAGMA wal_autocheckpoint = 0;
        PRAGMA secure_delete = ON;
        PRAGMA journal_size_limit = \(StoreLimits.logBytesKept);
        PRAGMA max_page_count = \(limits.fileBytesMax / StoreLimits.pageBytes);
        SELECT 1 FROM sqlite_schema LIMIT 1;
        """)
      return database
    } catch { throw error.openingFailure(path: path) }
  }

  /// Brings the tables up to date and prepares the statements: a missing table or column shows
  /// here.
  ///
  /// Our statements are always the same: when a file of ours refuses one, it is damaged.
  private static func bringUpToDate(
    _ database: borrowing Database, path: String
  ) throws(StoreFailure) -> Statements {
    do {
      try Schema.bringUpToDate(database)
      return try Statements(database)
    } catch {
      guard error.code & 0xFF == SQLITE_ERROR else { throw error.failure(path: path) }
      throw SQLiteError.damaged("its tables cannot be brought up to date: \(error.message)")
        .failure(path: path)
    }
  }

  /// Turns on the write-ahead log with a full fsync at each commit, and refuses to run without.
  private static func makeDurable(
    _ database: borrowing Database, path: String
  ) throws(StoreFailure) {
    let mode: String?
    let level: Int64?
    do {
      mode = try database.texts("PRAGMA journal_mode = WAL").first ?? nil
      try database.execute("PRAGMA synchronous = FULL")
      level = try database.integer("PRAGMA synchronous")
    } catch { throw error.openingFailure(path: path) }
    try requireDurable(journalMode: mode, synchronous: level.map(Int.init), path: path)
  }

  /// Throws unless these settings, as SQLite read them back, make a commit durable.
  static func requireDurable(
    journalMode: String?, synchronous: Int?, path: String
  ) throws(StoreFailure) {
    // 2 is FULL, 3 is EXTRA.
    guard journalMode == "wal", let synchronous, synchronous >= 2 else {
      throw StoreFailure(
        code: .system,
        message: "\(path) cannot be made durable (journal_mode \(journalMode ?? "unknown"),"
          + " synchronous \(synchronous.map(String.init) ?? "unknown")); put it on a local disk")
    }
  }

  /// Writes the log back and closes the file.
  ///
  /// A second call does nothing; any other use afterwards is a mistake.
  func close() throws(StoreFailure) {
    guard statements != nil else { return }
    statements = nil
    unsafe sqlite3_wal_hook(handle, nil, nil)
    guard let database = database.take() else { preconditionFailure("closed with statements left") }
    // SQLite checkpoints and removes the log itself when the last connection closes.
    do { try database.close() } catch { throw error.failure(path: path) }
  }

  // MARK: Commits

  /// Writes all of `writes` in one transaction and returns when it would survive a power loss, or
  /// writes nothing and throws.
  func commit(_ writes: [StoreWrite]) throws(StoreFailure) {
    guard let statements else { preconditionFailure("a commit to a closed store") }
    if writes.contains(.scrub) { owesErasure = true }
    assert(unsafe sqlite3_get_autocommit(handle) != 0, "a transaction was left open")
    do {
      // A statement outside BEGIN is its own transaction: one row needs no more.
      guard writes.count != 1 else { return try apply(writes[0], with: statements) }
      try statements.begin.run()
      for write in writes { try apply(write, with: statements) }
      try statements.commit.run()
    } catch {
      let failure = error.failure(path: path)
      rollBack(statements)
      throw failure
    }
    assert(unsafe sqlite3_get_autocommit(handle) != 0, "COMMIT left the transaction open")
  }

  private func rollBack(_ statements: Statements) {
    // A full disk or an I/O error rolls back by itself.
    guard unsafe sqlite3_get_autocommit(handle) == 0 else { return }
    do {
      try statements.rollback.run()
    } catch {
      // Best effort: SQLite's ROLLBACK only reports errors of statements that still run, and there
      // are none. Were the transaction still open, the next BEGIN would fail and say so.
    }
  }

  private func apply(_ write: StoreWrite, with statements: Statements) throws(SQLiteError) {
    switch write {
    case .put(let table, let key, let bytes):
      try check(key: key, bytes: bytes, in: table.rawValue)
      let put = statements.put(table)
      defer { put.reset() }
      try put.bind(1, key)
      try put.bind(2, bytes)
      try put.run()
    case .remove(let table, let key):
      try check(key: key, bytes: [], in: table.rawValue)
      let remove = statements.remove(table)
      defer { remove.reset() }
      try remove.bind(1, key)
      try remove.run()
    case .appendJournal(let sequence, let bytes):
      try check(key: "", bytes: bytes, in: "journal")
      let append = statements.appendJournal
      defer { append.reset() }
      try append.bind(1, sequence)
      try append.bind(2, bytes)
      try append.run()
    case .pruneJournal(let below):
      let prune = statements.pruneJournal
      defer { prune.reset() }
      try prune.bind(1, below)
      try prune.run()
    case .scrub: break  // `checkpointIfDue` does it, after the reply left.
    }
  }

  private func check(key: String, bytes: [UInt8], in table: String) throws(SQLiteError) {
    guard key.utf8.count <= limits.keyBytesMax else {
      throw SQLiteError(
        code: SQLITE_TOOBIG,
        message: "a key of \(key.utf8.count) bytes for \(table), at most \(limits.keyBytesMax)")
    }
    guard bytes.count <= limits.rowBytesMax else {
      throw SQLiteError(
        code: SQLITE_TOOBIG,
        message: "a row of \(bytes.count) bytes for \(table), at most \(limits.rowBytesMax)")
    }
  }

  /// Writes the log back into the file when it has grown long: between commits, so that no
  /// acknowledgement waits for it.
  func checkpointIfDue() {
    if owesErasure { eraseLog() }
    guard unsafe logPages.pointee >= checkpointAtPages else { return }
    let code = unsafe sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    // Best effort: on failure (a full disk) the log keeps every commit and grows; try again after
    // as many pages more. After success the log starts over at its first page.
    let pages = Int32(StoreLimits.checkpointPages)
    checkpointAtPages = code == SQLITE_OK ? pages : unsafe logPages.pointee + pages
    if code == SQLITE_OK { unsafe logPages.pointee = 0 }
  }

  /// Writes the log back and cuts it to nothing, so that no file has a byte of a removed row.
  ///
  /// In the database file itself SQLite overwrites removed rows at once (`secure_delete`).
  private func eraseLog() {
    let code = unsafe sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    // On failure (a full disk) it is tried again after the next commit.
    guard code == SQLITE_OK else { return }
    owesErasure = false
    unsafe logPages.pointee = 0
    checkpointAtPages = Int32(StoreLimits.checkpointPages)
  }

  // MARK: Reading

  /// Everything in the tables and the newest `journalRows` of the journal.
  func readAll(journalRows: Int) throws(SQLiteError) -> StoredState {
    var state = StoredState()
    for table in StoreTable.allCases {
      let select = try unsafe Statement(
        "SELECT key, bytes FROM \(table.rawValue) ORDER BY key", on: handle)
      var rows: [StoredState.Row] = []
      while try select.step() {
        guard let key = select.text(0), let bytes = select.blob(1) else {
          throw .damaged("a row of \(table.rawValue) is not text and bytes")
        }
        if let last = rows.last, !last.key.utf8.lexicographicallyPrecedes(key.utf8) {
          throw .damaged("rows of \(table.rawValue) are out of order")
        }
        rows.append(StoredState.Row(key: key, bytes: bytes))
      }
      state.tables[table] = rows
    }
    let select = try unsafe Statement(
      "SELECT sequence, bytes FROM journal ORDER BY sequence DESC LIMIT ?1", on: handle)
    try select.bind(1, Int64(journalRows))
    while try select.step() {
      let sequence = select.integer(0)
      guard let bytes = select.blob(1) else { throw .damaged("a row of journal is not bytes") }
      if let last = state.journal.last, sequence >= last.sequence {
        throw .damaged("rows of journal are out of order")
      }
      state.journal.append(StoredState.JournalRow(sequence: sequence, bytes: bytes))
    }
    state.journal.reverse()
    return state
  }

  /// Walks the whole file for damage that reading the rows may not meet.
  ///
  /// Linear in the file's size. Throws `.damaged` with the first damage that it finds.
  func checkWhole() throws(SQLiteError) {
    let check = try unsafe Statement("PRAGMA quick_check(1)", on: handle)
    guard try check.step(), let answer = check.text(0) else {
      throw .damaged("quick_check gives no answer")
    }
    guard answer == "ok" else { throw .damaged(answer) }
  }

  /// The value of a pragma, for tests: what this very connection runs with.
  func pragma(_ name: String) throws(SQLiteError) -> String? {
    let statement = try unsafe Statement("PRAGMA \(name)", on: handle)
    return try statement.step() ? statement.text(0) ?? String(statement.integer(0)) : nil
  }

  // MARK: Repair

  /// Copies every row that can still be read from the damaged file at `source`, in one transaction.
  ///
  /// It walks each table from both ends up to the first unreadable page, and from look-ups in
  /// between: a bad page costs the rows on it, and the pages that only it leads to. Returns the
  /// number of rows copied by table, or `nil` when the damaged file cannot be opened at all. Throws
  /// only errors of the new file.
  func carryOver(from source: String) throws(StoreFailure) -> [(table: String, rows: Int)]? {
    guard let statements, let reader = Reader(source) else { return nil }
    do {
      try statements.begin.run()
      var counts: [(table: String, rows: Int)] = []
      for table in StoreTable.allCases.map(\.rawValue) + ["journal"] {
        let rows = try carryOver(table, reader: reader)
        counts.append((table, rows))
      }
      try statements.commit.run()
      return counts
    } catch {
      let failure = error.failure(path: path)
      rollBack(statements)
      throw failure
    }
  }

  /// Copies one table and returns the number of its rows that could be read.
  private func carryOver(_ table: String, reader: Reader) throws(SQLiteError) -> Int {
    var copy = try unsafe TableCopy(table, reader: reader, limits: limits, into: handle)
    try copy.run()
    return copy.count
  }
}

/// The copying of one table of a damaged file.
@safe private struct TableCopy {
  private let isJournal: Bool
  private let table: String
  private let key: String
  private let reader: Reader
  private let limits: StoreLimits
  private let handle: OpaquePointer
  private let insert: Statement
  /// Rows that were copied.
  private(set) var count = 0
  private var gaps: [KeyGap] = []

  init(
    _ table: String, reader: Reader, limits: StoreLimits, into handle: OpaquePointer
  ) throws(SQLiteError) {
    isJournal = table == "journal"
    key = isJournal ? "sequence" : "key"
    self.table = table
    self.reader = reader
    self.limits = limits
    unsafe self.handle = handle
    insert = try unsafe Statement(
      "INSERT OR IGNORE INTO \(table) (\(key), bytes) VALUES (?1, ?2)", on: handle)
  }

  mutating func run() throws(SQLiteError) {
    let up = try walk("ORDER BY \(key) ASC")
    guard !up.isComplete else { return }
    let down = try walk("ORDER BY \(key) DESC")
    guard !down.isComplete else { return }
    gaps = [
      KeyGap(
        low: up.last ?? (isJournal ? KeyGap.bytes(of: .min) : []),
        high: down.last ?? (isJournal ? KeyGap.bytes(of: .max) : [UInt8](repeating: 0xFF, count: 8))
      )
    ]
    // The widest gaps come first, since a gap's halves are appended. The limit bounds the time that
    // a hopeless file costs.
    var next = 0
    while next < gaps.count, next < StoreLimits.salvageProbesMax {
      try probe(gaps[next])
      next += 1
    }
  }

  private mutating func probe(_ gap: KeyGap) throws(SQLiteError) {
    guard let middle = gap.middle else { return }
    let up = try walk(
      "WHERE \(key) >= ?1 AND \(key) < ?2 ORDER BY \(key) ASC", middle, gap.high)
    if !up.isComplete { gaps.append(KeyGap(low: up.last ?? middle, high: gap.high)) }
    let down = try walk(
      "WHERE \(key) < ?1 AND \(key) > ?2 ORDER BY \(key) DESC", middle, gap.low)
    if !down.isComplete { gaps.append(KeyGap(low: gap.low, high: down.last ?? middle)) }
  }

  /// Copies rows up to the end (complete), the first unreadable row, or a row that was copied
  /// before.
  ///
  /// `from` and `to` are the values of `?1` and `?2` in `clause`. `last` is the key of the last row
  /// copied; `nil`: none was.
  private mutating func walk(
    _ clause: String, _ from: [UInt8]? = nil, _ to: [UInt8]? = nil
  ) throws(SQLiteError) -> (isComplete: Bool, last: [UInt8]?) {
    var last: [UInt8]?
    var copied = 0
    let isComplete = try reader.walk(
      "SELECT \(key), bytes FROM \(table) \(clause)",
      bind: { (statement) throws(SQLiteError) in
        for (index, bound) in [from, to].enumerated() {
          guard let bound else { continue }
          if isJournal {
            try statement.bind(Int32(index + 1), KeyGap.sequence(of: bound))
          } else {
            try statement.bindText(Int32(index + 1), utf8: bound)
          }
        }
      }
    ) { (row) throws(SQLiteError) in
      guard let bytes = row.blob(1), bytes.count <= limits.rowBytesMax else { return false }
      defer { insert.reset() }
      let found: [UInt8]
      if isJournal {
        try insert.bind(1, row.integer(0))
        found = KeyGap.bytes(of: row.integer(0))
      } else {
        guard let key = row.text(0), key.utf8.count <= limits.keyBytesMax else { return false }
        try insert.bind(1, key)
        found = Array(key.utf8)
      }
      try insert.bind(2, bytes)
      try insert.run()
      // The row was copied before: damage made the tree a circle, or this walk met another one.
      guard unsafe sqlite3_changes(handle) == 1 else { return false }
      last = found
      copied += 1
      return true
    }
    count += copied
    return (isComplete, last)
  }
}

/// Reads a damaged file: an error there ends a walk and is not thrown.
private final class Reader {
  private let database: Database
  /// Prepared statements by their text, since the repair repeats the same few thousands of times.
  private var statements: [String: Statement] = [:]

  /// Opens the file at `path`; `nil` when nothing in it can be read.
  init?(_ path: String) {
    do {
      let database = try Database(path: path, .readOnly)
      // Without it SQLite refuses every page of a file that is shorter than its header says.
      try database.execute("PRAGMA writable_schema = ON; SELECT 1 FROM sqlite_schema LIMIT 1")
      self.database = database
    } catch {
      // Expected of a damaged file: the caller says that nothing could be read.
      return nil
    }
  }

  /// Calls `body` with each row until the end (true), the first unreadable one, or `body` returns
  /// false.
  ///
  /// Throws only what `body` throws.
  func walk(
    _ sql: String, bind: (Statement) throws(SQLiteError) -> Void = { _ in },
    _ body: (Statement) throws(SQLiteError) -> Bool
  ) throws(SQLiteError) -> Bool {
    guard let statement = prepared(sql) else { return false }
    defer { statement.reset() }
    try bind(statement)
    while true {
      switch stepped(statement) {
      case .none: return false
      case .some(false): return true
      case .some(true): guard try body(statement) else { return false }
      }
    }
  }

  private func prepared(_ sql: String) -> Statement? {
    if let statement = statements[sql] { return statement }
    // Expected of a damaged file: the walk ends here.
    do { statements[sql] = try database.prepare(sql) } catch { return nil }
    return statements[sql]
  }

  private func stepped(_ statement: Statement) -> Bool? {
    // Expected of a damaged file: the row cannot be read, and the walk ends here.
    do { return try statement.step() } catch { return nil }
  }
}

/// Every statement of the hot path, prepared once.
@safe private struct Statements {
  let begin: Statement
  let commit: Statement
  let rollback: Statement
  let appendJournal: Statement
  let pruneJournal: Statement
  private let widget: Table
  private let timeline: Table
  private let receipt: Table
  private let setting: Table
  private let donation: Table
  private let request: Table
  private let kept: Table

  private struct Table {
    let put: Statement
    let remove: Statement

    init(_ table: StoreTable, of database: borrowing Database) throws(SQLiteError) {
      put = try database.prepare(
        """
        INSERT INTO \(table.rawValue) (key, bytes) VALUES (?1, ?2)
        ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes
        """)
      remove = try database.prepare(
        "DELETE FROM \(table.rawValue) WHERE key = ?1")
    }
  }

  init(_ database: borrowing Database) throws(SQLiteError) {
    begin = try database.prepare("BEGIN IMMEDIATE")
    commit = try database.prepare("COMMIT")
    rollback = try database.prepare("ROLLBACK")
    appendJournal = try database.prepare(
      "INSERT INTO journal (sequence, bytes) VALUES (?1, ?2)")
    pruneJournal = try database.prepare(
      "DELETE FROM journal WHERE sequence < ?1")
    widget = try Table(.widget, of: database)
    timeline = try Table(.timeline, of: database)
    receipt = try Table(.receipt, of: database)
    setting = try Table(.setting, of: database)
    donation = try Table(.donation, of: database)
    request = try Table(.request, of: database)
    kept = try Table(.kept, of: database)
  }

  func put(_ table: StoreTable) -> Statement { self[table].put }
  func remove(_ table: StoreTable) -> Statement { self[table].remove }

  private subscript(table: StoreTable) -> Table {
    switch table {
    case .widget: widget
    case .timeline: timeline
    case .receipt: receipt
    case .setting: setting
    case .donation: donation
    case .request: request
    case .kept: kept
    }
  }
}
