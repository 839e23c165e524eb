import DaemonCore
import Glibc
import Store
import Synchronization
import Testing

struct SQLiteStoreTests {
  typealias Row = StoredState.Row
  typealias JournalRow = StoredState.JournalRow

  @Test func `an empty store loads as empty tables`() throws {
    let folder = try TemporaryFolder()
    let harness = StoreHarness(folder + "intentd.sqlite")
    #expect(
      try harness.load()
        == StoredState(
          tables: Dictionary(uniqueKeysWithValues: StoreTable.allCases.map { ($0, []) })))
    try harness.close()
  }

  @Test func `committed rows are there after reopening, in the order of keys`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let writer = StoreHarness(path)
    _ = try writer.load()
    try writer.commit(
      .put(.widget, key: "b", bytes: [2]),
      .put(.widget, key: "a", bytes: [1]),
      .put(.timeline, key: "北京 é", bytes: large),
      .put(.setting, key: "", bytes: []),
      .put(.setting, key: "nul\u{0}inside", bytes: [0, 255]),
      .put(.receipt, key: "gone", bytes: [9]),
      .appendJournal(sequence: 1, bytes: [7]))
    try writer.commit(
      .put(.widget, key: "b", bytes: [3, 3]), .remove(.receipt, key: "gone"),
      .remove(.receipt, key: "never was"))
    try writer.close()

    let reader = StoreHarness(path)
    #expect(
      try reader.load()
        == StoredState(
          tables: [
            .widget: [Row(key: "a", bytes: [1]), Row(key: "b", bytes: [3, 3])],
            .timeline: [Row(key: "北京 é", bytes: large)],
            .receipt: [],
            .setting: [Row(key: "", bytes: []), Row(key: "nul\u{0}inside", bytes: [0, 255])],
            .donation: [], .request: [], .kept: [],
          ], journal: [JournalRow(sequence: 1, bytes: [7])]))
    try reader.close()
  }

  @Test func `the newest journal rows come back, oldest first`() throws {
    let folder = try TemporaryFolder()
    let harness = StoreHarness(folder + "intentd.sqlite")
    _ = try harness.load()
    for sequence in 1...20 {
      try harness.commit(.appendJournal(sequence: Int64(sequence), bytes: [UInt8(sequence)]))
    }
    #expect(try harness.load(journalRows: 3).journal.map(\.sequence) == [18, 19, 20])
    #expect(try harness.load(journalRows: 0).journal == [])
    try harness.commit(.pruneJournal(below: 19))
    #expect(
      try harness.load(journalRows: 100).journal
        == [JournalRow(sequence: 19, bytes: [19]), JournalRow(sequence: 20, bytes: [20])])
    try harness.close()
  }

  @Test func `a transaction with a refused write leaves nothing behind`() throws {
    let folder = try TemporaryFolder()
    let harness = StoreHarness(folder + "intentd.sqlite", limits: StoreLimits(rowBytesMax: 1000))
    _ = try harness.load()
    try harness.commit(
      .put(.widget, key: "kept", bytes: [1]), .appendJournal(sequence: 5, bytes: [5]))
    let before = try harness.load()

    let twice = try harness.commitFailure(
      .put(.widget, key: "kept", bytes: [2]), .remove(.widget, key: "kept"),
      .appendJournal(sequence: 5, bytes: [0]), .put(.widget, key: "after", bytes: [3]))
    #expect(twice.code == .system)
    #expect(twice.message.contains("journal.sequence"))
    #expect(try harness.load() == before)

    let tooLarge = try harness.commitFailure(
      .put(.widget, key: "first", bytes: [1]),
      .put(.timeline, key: "large", bytes: [UInt8](repeating: 0, count: 1001)))
    #expect(tooLarge.message.contains("a row of 1001 bytes for timeline, at most 1000"))
    let alone = try harness.commitFailure(.appendJournal(sequence: 5, bytes: []))
    #expect(alone.code == .system)
    #expect(try harness.load() == before)

    try harness.commit(.put(.timeline, key: "fits", bytes: [UInt8](repeating: 0, count: 1000)))
    #expect(try harness.load().tables[.timeline]?.map(\.key) == ["fits"])
    try harness.close()
  }

  @Test func `a key past the limit is refused, at the limit it is kept`() throws {
    let folder = try TemporaryFolder()
    let harness = StoreHarness(folder + "intentd.sqlite", limits: StoreLimits(keyBytesMax: 8))
    _ = try harness.load()
    try harness.commit(.put(.widget, key: "12345678", bytes: []))
    let failure = try harness.commitFailure(.put(.widget, key: "123456789", bytes: []))
    #expect(failure.message.contains("a key of 9 bytes for widget, at most 8"))
    try harness.close()
  }

  @Test func `a full disk fails whole transactions, and room made is room used`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let harness = StoreHarness(path, limits: StoreLimits(fileBytesMax: 64 * 4096))
    _ = try harness.load()
    let page = [UInt8](repeating: 1, count: 4000)
    var kept = 0
    var failure: StoreFailure?
    while failure == nil, kept < 1000 {
      let reply = try harness.call(
        .commit(
          transaction: UInt64(kept + 1),
          writes: [
            .put(.setting, key: "count", bytes: [UInt8(kept + 1)]),
            .put(.timeline, key: "row \(kept)", bytes: page),
          ]))
      if case .commitFailed(_, let why) = reply { failure = why } else { kept += 1 }
    }
    #expect(failure?.code == .diskFull)
    #expect(failure?.message.contains(path) == true)
    #expect(kept > 10)
    let full = try harness.load()
    #expect(full.tables[.setting] == [Row(key: "count", bytes: [UInt8(kept)])])
    #expect(full.tables[.timeline]?.count == kept)

    try harness.commit(.remove(.timeline, key: "row 0"), .remove(.timeline, key: "row 1"))
    try harness.commit(.put(.timeline, key: "again", bytes: page))
    try harness.close()
    let reader = StoreHarness(path)
    #expect(try reader.load().tables[.timeline]?.count == kept - 1)
    try reader.close()
  }

  @Test func `replies come in the order of requests`() throws {
    let folder = try TemporaryFolder()
    let harness = StoreHarness(folder + "intentd.sqlite")
    harness.store.submit(.commit(transaction: 1, writes: []))
    harness.store.submit(.load(journalRows: 1))
    for number in 2...200 {
      harness.store.submit(
        .commit(
          transaction: UInt64(number),
          writes: [.appendJournal(sequence: Int64(number), bytes: [1])]))
    }
    harness.store.submit(.close)
    harness.store.submit(.commit(transaction: 201, writes: []))
    harness.store.finish()

    guard case .commitFailed(1, let early) = try harness.next() else {
      Issue.record("a commit before load was not refused")
      return
    }
    #expect(early.message.contains("not open"))
    guard case .loaded = try harness.next() else {
      Issue.record("load was not answered second")
      return
    }
    for number in 2...200 {
      #expect(try harness.next() == .committed(transaction: UInt64(number)))
    }
    #expect(try harness.next() == .closed)
    guard case .commitFailed(201, _) = try harness.next() else {
      Issue.record("a commit after close was not refused")
      return
    }
  }

  @Test func `an empty transaction commits`() throws {
    let folder = try TemporaryFolder()
    let harness = StoreHarness(folder + "intentd.sqlite")
    _ = try harness.load()
    try harness.commit()
    try harness.close()
  }

  @Test func `finish without close releases the file`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let first = StoreHarness(path)
    _ = try first.load()
    try first.commit(.put(.widget, key: "a", bytes: [1]))
    first.store.finish()
    first.store.finish()
    #expect(folder.names() == ["intentd.sqlite", "intentd.sqlite.lock"])
    let second = StoreHarness(path)
    #expect(try second.load().tables[.widget] == [Row(key: "a", bytes: [1])])
    try second.close()
  }

  @Test func `a store that was closed and loaded again works`() throws {
    let folder = try TemporaryFolder()
    let harness = StoreHarness(folder + "intentd.sqlite")
    _ = try harness.load()
    try harness.commit(.put(.widget, key: "a", bytes: [1]))
    #expect(try harness.call(.close) == .closed)
    #expect(try harness.load().tables[.widget] == [Row(key: "a", bytes: [1])])
    try harness.commit(.put(.widget, key: "b", bytes: [2]))
    try harness.close()
  }

  // MARK: Durability

  @Test func `a committed transaction is on disk before its reply leaves`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let copy = folder + "copy.sqlite"
    let copied = Mutex(0)
    // Copy the files on the store's thread, before the loop gets the reply: a power loss would
    // leave these.
    let harness = StoreHarness(path) { reply in
      guard reply == .committed(transaction: 2) else { return }
      do {
        try writeFile(copy, try readFile(path))
        try writeFile(copy + "-wal", try readFile(path + "-wal"))
        copied.withLock { $0 += 1 }
      } catch { Issue.record(error) }
    }
    _ = try harness.load()
    try harness.commit(.put(.widget, key: "a", bytes: [1]), .appendJournal(sequence: 1, bytes: []))
    try harness.commit(.appendJournal(sequence: 2, bytes: [2]))
    #expect(copied.withLock { $0 } == 1)

    let after = StoreHarness(copy)
    let state = try after.load()
    #expect(state.tables[.widget] == [Row(key: "a", bytes: [1])])
    #expect(state.journal.map(\.sequence) == [1, 2])
    #expect(state.notes == [])
    try after.close()
    try harness.close()
  }

  @Test func `the connection runs with a log and a full fsync, alone`() throws {
    let folder = try TemporaryFolder()
    let names = ["journal_mode", "synchronous", "locking_mode", "wal_autocheckpoint"]
    #expect(
      try StoreInspection.pragmas(names, path: folder + "intentd.sqlite")
        == [
          "journal_mode": "wal", "synchronous": "2", "locking_mode": "exclusive",
          "wal_autocheckpoint": "0",
        ])
  }

  @Test(
    arguments: [("wal", 1), ("wal", 0), ("delete", 2), ("memory", 2), (nil, 2), ("wal", nil)]
      as [(String?, Int?)])
  func `a connection that is not durable is refused`(mode: String?, level: Int?) {
    let failure = #expect(throws: StoreFailure.self) {
      try StoreInspection.requireDurable(journalMode: mode, synchronous: level)
    }
    #expect(failure?.code == .system)
  }

  @Test(arguments: [2, 3])
  func `full and extra are durable`(level: Int) throws {
    try StoreInspection.requireDurable(journalMode: "wal", synchronous: level)
  }

  @Test func `the log is written back and does not grow for ever`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let harness = StoreHarness(path)
    _ = try harness.load()
    for number in 0..<400 {
      // Write different bytes each time: SQLite skips pages that do not change.
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 40_000)
      try harness.commit(.put(.timeline, key: "k\(number % 5)", bytes: bytes))
    }
    // 400 x 11 pages are 16 MiB of log; a log that starts over every 1,000 pages stays near 4 MiB.
    var status = stat()
    #expect(stat(path + "-wal", &status) == 0)
    #expect(status.st_size > 0)
    #expect(status.st_size < 6 * 1024 * 1024)
    try harness.close()
    #expect(folder.names() == ["intentd.sqlite", "intentd.sqlite.lock"])
  }

  @Test func `a forgotten row is in no file after the reply`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let harness = StoreHarness(path)
    _ = try harness.load()
    let secret = Array(#"{"note":"Zanzibar"}"#.utf8)
    func isWritten() throws -> Bool {
      try folder.names().contains { name in
        guard !name.hasSuffix(".lock") else { return false }
        return try contents(of: folder + name).contains("Zanzibar")
      }
    }
    for number in 0..<40 { try harness.commit(.put(.donation, key: "d\(number)", bytes: secret)) }
    try harness.commit(.appendJournal(sequence: 1, bytes: secret))
    #expect(try isWritten())
    for number in 0..<40 { try harness.commit(.remove(.donation, key: "d\(number)")) }
    // Rows of the journal, too; and the last write covers the removals of earlier transactions.
    try harness.commit(
      .pruneJournal(below: 2), .appendJournal(sequence: 2, bytes: Array("[]".utf8)), .scrub)
    // The store truncates the log after a reply and before the next one.
    _ = try harness.load()
    #expect(try !isWritten())
    try harness.close()
    #expect(try !isWritten())
  }

  @Test func `rows of private mode are in no file after its end`() throws {
    let folder = try TemporaryFolder()
    let harness = StoreHarness(folder + "intentd.sqlite")
    _ = try harness.load()
    let secret = Array(#"{"note":"Zanzibar"}"#.utf8)
    try harness.commit(.put(.widget, key: "suggestion:note", bytes: secret))
    try harness.commit(
      .remove(.widget, key: "suggestion:note"),
      .put(.setting, key: "private", bytes: Array(#"{"on":false}"#.utf8)), .scrub)
    _ = try harness.load()
    for name in folder.names() where !name.hasSuffix(".lock") {
      #expect(try !contents(of: folder + name).contains("Zanzibar"), "\(name)")
    }
    try harness.close()
  }

  @Test func `the next start scrubs rows that a killed process had to forget`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let copy = folder + "copy.sqlite"
    let harness = StoreHarness(path) { reply in
      guard reply == .committed(transaction: 2) else { return }
      do {
        try writeFile(copy, try readFile(path))
        try writeFile(copy + "-wal", try readFile(path + "-wal"))
      } catch { Issue.record(error) }
    }
    _ = try harness.load()
    try harness.commit(.put(.donation, key: "d", bytes: Array(#"{"note":"Zanzibar"}"#.utf8)))
    try harness.commit(.remove(.donation, key: "d"))
    #expect(try contents(of: copy + "-wal").contains("Zanzibar"))
    let after = StoreHarness(copy)
    _ = try after.load()
    _ = try after.load()
    for name in [copy, copy + "-wal"] {
      #expect(try !contents(of: name).contains("Zanzibar"), "\(name)")
    }
    try after.close()
    try harness.close()
  }

  private func contents(of path: String) throws -> String {
    let descriptor = open(path, O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16 * 1024 * 1024)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
