import DaemonCore
import Glibc
import Store
import Testing

/// A damaged file is kept, its readable rows are carried over, and the daemon starts.
struct StoreDamageTests {
  /// Makes a store with `count` timelines of a page each, settings and journal rows, and closes it.
  private func makeStore(_ path: String, count: Int = 200) throws -> StoredState {
    let harness = StoreHarness(path)
    _ = try harness.load()
    for number in 0..<count {
      let key = "key \(String(number + 10_000).dropFirst())"
      let fill = UInt8(truncatingIfNeeded: number)
      try harness.commit(
        .put(.timeline, key: key, bytes: [UInt8](repeating: fill, count: 900)),
        .appendJournal(sequence: Int64(number + 1), bytes: [fill]))
    }
    try harness.commit(.put(.setting, key: "clock", bytes: [1, 2, 3]))
    let state = try harness.load(journalRows: count)
    try harness.close()
    return state
  }

  @Test func `garbage is set aside and the store starts empty`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let garbage = [UInt8](repeating: 0x5A, count: 10_000)
    try writeFile(path, garbage)
    try writeFile(path + "-wal", [1, 2, 3])
    let harness = StoreHarness(path)
    let state = try harness.load()
    #expect(state.tables.values.allSatisfy { $0.isEmpty })
    #expect(state.notes.count == 1)
    let note = try #require(state.notes.first)
    #expect(note.contains("kept as \(path).damaged-1, and the store starts empty"), "\(note)")
    #expect(try readFile(path + ".damaged-1") == garbage)
    #expect(try readFile(path + ".damaged-1-wal") == [1, 2, 3])
    try harness.commit(.put(.widget, key: "a", bytes: [1]))
    try harness.close()

    let again = StoreHarness(path)
    let after = try again.load()
    #expect(after.notes == [])
    #expect(after.tables[.widget]?.count == 1)
    try again.close()
  }

  @Test func `a second damaged file does not replace the first`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    for number in 1...3 {
      try writeFile(path, [UInt8](repeating: UInt8(number), count: 5000))
      let harness = StoreHarness(path)
      #expect(try harness.load().notes.first?.contains(".damaged-\(number),") == true)
      try harness.close()
    }
    for number in 1...3 {
      #expect(
        try readFile("\(path).damaged-\(number)") == [UInt8](repeating: UInt8(number), count: 5000))
    }
  }

  @Test func `a truncated file gives what its pages still hold`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let whole = try makeStore(path)
    let bytes = try readFile(path)
    try writeFile(path, Array(bytes.prefix(bytes.count * 3 / 4)))
    let harness = StoreHarness(path)
    let state = try harness.load(journalRows: 1000)
    #expect(state.notes.first?.contains("rows that could be read") == true, "\(state.notes)")
    let kept = try #require(state.tables[.timeline])
    let all = try #require(whole.tables[.timeline])
    #expect(kept.count > 50)
    #expect(kept.count < all.count)
    #expect(kept.allSatisfy { all.contains($0) })
    #expect(state.tables[.setting] == whole.tables[.setting])
    #expect(folder.names().contains("intentd.sqlite.damaged-1"))
    #expect(!folder.names().contains("intentd.sqlite.rebuilt"))
    try harness.close()
  }

  @Test func `a bad page in the middle costs the rows on it`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let whole = try makeStore(path)
    var bytes = try readFile(path)
    // Damage the header and the first cells of a leaf of the timelines in the middle of the file.
    let marker = Array("key 0100".utf8)
    let place = try #require(
      bytes.indices.dropLast(marker.count).first {
        bytes[$0] == marker[0] && Array(bytes[$0..<$0 + marker.count]) == marker
      })
    let page = place / 4096 * 4096
    for index in page..<page + 4096 { bytes[index] = 0xA5 }
    try writeFile(path, bytes)

    let harness = StoreHarness(path)
    let state = try harness.load(journalRows: 1000)
    let kept = try #require(state.tables[.timeline])
    let all = try #require(whole.tables[.timeline])
    #expect(kept.allSatisfy { all.contains($0) })
    #expect(kept.count >= all.count - 5, "\(kept.count) of \(all.count): both ends are read")
    #expect(kept.count < all.count)
    #expect(kept.first == all.first)
    #expect(kept.last == all.last)
    #expect(state.journal == whole.journal)
    #expect(try readFile(path + ".damaged-1") == bytes)
    try harness.close()
  }

  @Test func `an empty file beside a full log is damage, not a new store`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    try writeFile(path, [])
    try writeFile(path + "-wal", [UInt8](repeating: 3, count: 5000))
    let harness = StoreHarness(path)
    #expect(try harness.load().notes.count == 1)
    #expect(try readFile(path + ".damaged-1-wal") == [UInt8](repeating: 3, count: 5000))
    try harness.close()
  }

  @Test(arguments: [true, false])
  func `a cut at any page, or a page of zeros, never stops the daemon`(isCut: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let whole = try makeStore(path, count: 40)
    let bytes = try readFile(path)
    var repairs = 0
    for page in 0..<bytes.count / 4096 {
      let box = try TemporaryFolder()
      var damaged = bytes
      if isCut {
        damaged.removeLast(bytes.count - page * 4096 - 100)
      } else {
        for index in page * 4096..<(page + 1) * 4096 { damaged[index] = 0 }
      }
      try writeFile(box + "s.sqlite", damaged)
      let harness = StoreHarness(box + "s.sqlite")
      let state = try harness.load(journalRows: 1000)
      if !state.notes.isEmpty {
        repairs += 1
        #expect(try readFile(box + "s.sqlite.damaged-1") == damaged)
      }
      for (table, rows) in state.tables {
        let all = try #require(whole.tables[table])
        #expect(rows.allSatisfy { all.contains($0) }, "page \(page) of \(table)")
      }
      try harness.commit(.put(.widget, key: "works", bytes: [1]))
      try harness.close()
    }
    // Of the pages of zeros one had nothing on it.
    #expect(repairs >= bytes.count / 4096 - 1)
  }

  @Test func `a repair cut short is done again, or completed`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let whole = try makeStore(path, count: 5)
    // The repair stopped before the damaged store was moved: the unfinished copy is removed.
    try writeFile(path + ".rebuilt", [1, 2, 3])
    let first = StoreHarness(path)
    #expect(try first.load() == whole)
    try first.close()
    #expect(folder.names() == ["intentd.sqlite", "intentd.sqlite.lock"])
    // The repair stopped after the move: the complete copy replaces the store, and the old log is
    // not applied to it.
    #expect(rename(path, path + ".rebuilt") == 0)
    try writeFile(path + "-wal", [9, 9])
    let second = StoreHarness(path)
    var state = try second.load()
    #expect(state.notes.count == 1)
    state.notes = []
    #expect(state == whole)
    #expect(try readFile(path + ".damaged-1-wal") == [9, 9])
    try second.close()
  }

  @Test func `after a kill the whole file is looked at, also what is not read`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let harness = StoreHarness(path)
    _ = try harness.load()
    let mark = [UInt8](repeating: 0xE7, count: 300)
    for sequence in 1...100 {
      try harness.commit(.appendJournal(sequence: Int64(sequence), bytes: mark))
    }
    #expect(try harness.call(.close) == .closed)
    var bytes = try readFile(path)
    let place = try #require(
      bytes.indices.dropLast(mark.count).first {
        bytes[$0] == mark[0] && Array(bytes[$0..<$0 + mark.count]) == mark
      })

    // Put a log with one more commit, as a kill leaves it, beside the file with a bad journal page.
    _ = try harness.load()
    try harness.commit(.put(.widget, key: "a", bytes: [1]))
    let log = try readFile(path + "-wal")
    bytes[place / 4096 * 4096] = 0x77
    for (name, log) in [("clean.sqlite", nil), ("killed.sqlite", log)] as [(String, [UInt8]?)] {
      try writeFile(folder + name, bytes)
      if let log { try writeFile(folder + "\(name)-wal", log) }
      let after = StoreHarness(folder + name)
      let state = try after.load(journalRows: 0)
      #expect(state.notes.count == (log == nil ? 0 : 1))
      #expect(state.tables[.widget]?.map(\.key) == (log == nil ? [] : ["a"]))
      try after.close()
    }
    #expect(folder.names().contains("killed.sqlite.damaged-1"))
    try harness.close()
  }

  @Test func `damage that only a commit meets is repaired, and the next commit lasts`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let made = StoreHarness(path)
    _ = try made.load()
    let mark = [UInt8](repeating: 0xE7, count: 300)
    for sequence in 1...100 {
      try made.commit(
        .put(.timeline, key: "key \(sequence)", bytes: [1]),
        .appendJournal(sequence: Int64(sequence), bytes: mark))
    }
    try made.close()
    // Damage the page that the next journal row is written to; a start does not read it.
    var bytes = try readFile(path)
    let place = try #require(
      bytes.indices.dropLast(mark.count).last {
        bytes[$0] == mark[0] && Array(bytes[$0..<$0 + mark.count]) == mark
      })
    bytes[place / 4096 * 4096] = 0x77
    try writeFile(path, bytes)

    let harness = StoreHarness(path)
    #expect(try harness.load(journalRows: 0).notes == [])
    let failure = try harness.commitFailure(.appendJournal(sequence: 101, bytes: mark))
    #expect(failure.code == .damaged)
    #expect(
      failure.message.contains("kept as \(path).damaged-1")
        && failure.message.contains("try again"),
      "\(failure.message)")
    try harness.commit(.appendJournal(sequence: 101, bytes: mark))
    try harness.close()

    let again = StoreHarness(path)
    let state = try again.load(journalRows: 1_000)
    #expect(state.notes == [])
    #expect(state.tables[.timeline]?.count == 100)
    #expect(state.journal.last?.sequence == 101)
    #expect(state.journal.count > 50)
    #expect(try readFile(path + ".damaged-1") == bytes)
    try again.close()
  }

  @Test(arguments: [100, 4096], [false, true])
  func `a file without its beginning keeps every row`(lostBytes: Int, isKilled: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let whole = try makeStore(path)
    let harness = StoreHarness(path)
    _ = try harness.load()
    try harness.commit(.put(.widget, key: "last", bytes: [7]))
    // A kill leaves the last commit in the log only.
    let log = isKilled ? try readFile(path + "-wal") : nil
    if !isKilled { try harness.close() }
    var bytes = try readFile(path)
    for index in 0..<lostBytes { bytes[index] = 0xEE }
    try writeFile(folder + "lost.sqlite", bytes)
    if let log { try writeFile(folder + "lost.sqlite-wal", log) }

    let after = StoreHarness(folder + "lost.sqlite")
    let state = try after.load(journalRows: 1000)
    #expect(state.notes.first?.contains("rows that could be read") == true, "\(state.notes)")
    #expect(state.tables[.timeline] == whole.tables[.timeline])
    #expect(state.tables[.setting] == whole.tables[.setting])
    #expect(state.tables[.widget]?.map(\.key) == ["last"])
    #expect(state.journal == whole.journal)
    #expect(try readFile(folder + "lost.sqlite.damaged-1") == bytes)
    #expect(!folder.names().contains { $0.contains(".rescue") || $0.contains(".rebuilt") })
    try after.close()
    if isKilled { try harness.close() }
  }

  @Test func `between bad pages, good ones are found`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let whole = try makeStore(path, count: 2_000)
    let all = try #require(whole.tables[.timeline])
    var bytes = try readFile(path)
    // Damage the type and the first cells of one in forty leaves of the timelines.
    var damagedCount = 0
    var leaf = 0
    for page in 1..<bytes.count / 4096
    where bytes[page * 4096] == 0x0A && bytes[page * 4096 + 3] == 0 {
      leaf += 1
      guard leaf % 40 == 20, bytes[page * 4096 + 4] < 8 else { continue }
      for index in page * 4096..<page * 4096 + 64 { bytes[index] = 0xA5 }
      damagedCount += 1
    }
    try #require(damagedCount >= 5, "\(leaf) leaves")
    try writeFile(path, bytes)

    let harness = StoreHarness(path)
    let state = try harness.load(journalRows: 3_000)
    let kept = try #require(state.tables[.timeline])
    #expect(kept.allSatisfy { all.contains($0) })
    #expect(
      kept.count >= all.count - 4 * damagedCount,
      "\(kept.count) of \(all.count), \(damagedCount) pages")
    #expect(kept.count < all.count)
    #expect(state.journal == whole.journal)
    try harness.close()
  }

  @Test(arguments: ["widget", "timeline", "receipt", "setting", "journal", "grdb_migrations"])
  func `a missing table is made again, and the others are kept`(table: String) throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let whole = try makeStore(path)
    try StoreInspection.execute("DROP TABLE \(table)", path: path)
    let harness = StoreHarness(path)
    let state = try harness.load(journalRows: 1_000)
    #expect(state.notes.count == 1, "\(state.notes)")
    for kept in StoreTable.allCases where kept.rawValue != table {
      #expect(state.tables[kept] == whole.tables[kept])
    }
    #expect(state.journal == (table == "journal" ? [] : whole.journal))
    try harness.commit(
      .put(.widget, key: "works", bytes: [1]), .appendJournal(sequence: 5_000, bytes: []))
    try harness.close()
    #expect(folder.names().contains("intentd.sqlite.damaged-1"))
  }

  @Test func `a list of steps that nobody can read is damage`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let whole = try makeStore(path, count: 5)
    // Make a name NULL, as a bad byte in the header of its row does.
    try StoreInspection.execute(
      """
      DROP TABLE grdb_migrations;
      CREATE TABLE grdb_migrations (identifier TEXT);
      INSERT INTO grdb_migrations VALUES ('v1'), (NULL);
      """, path: path)
    let harness = StoreHarness(path)
    let state = try harness.load(journalRows: 1_000)
    #expect(state.notes.count == 1, "\(state.notes)")
    #expect(state.tables == whole.tables)
    #expect(state.journal == whole.journal)
    try harness.close()
  }

  @Test func `bytes changed at random never stop the daemon, nor make rows up`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let whole = try makeStore(path, count: 120)
    let bytes = try readFile(path)
    let known = whole.tables.mapValues { rows in
      Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.bytes) })
    }
    var random = SystemRandomNumberGenerator()
    for round in 0..<60 {
      let box = try TemporaryFolder()
      var damaged = bytes
      // Damage structure and not content: a page begins with its header and the places of its
      // cells.
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let page = Int.random(in: 0..<bytes.count / 4096, using: &random)
        damaged[page * 4096 + Int.random(in: 0..<64, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      try writeFile(box + "s.sqlite", damaged)
      let harness = StoreHarness(box + "s.sqlite")
      let reply = try harness.call(.load(journalRows: 1_000))
      switch reply {
      case .loaded(let state):
        for (table, rows) in state.tables {
          #expect(
            rows.count { known[table]?[$0.key] == $0.bytes } >= rows.count - 12, "round \(round)")
        }
        // Damage that only a commit meets fails that commit and no other.
        let write = StoreWrite.put(.widget, key: "works", bytes: [1])
        let reply = try harness.call(.commit(transaction: 1, writes: [write]))
        if reply != .committed(transaction: 1) {
          guard case .commitFailed(1, let failure) = reply, failure.code == .damaged else {
            throw Unexpected(reply: reply)
          }
          let again = try harness.call(.commit(transaction: 2, writes: [write]))
          #expect(again == .committed(transaction: 2), "round \(round)")
        }
      default: Issue.record("round \(round): \(reply)")
      }
      try harness.close()
    }
  }

  @Test(arguments: [18, 19, 47])
  func `a header that no version wrote is damage`(offset: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let whole = try makeStore(path, count: 20)
    var bytes = try readFile(path)
    // These bytes are the versions of the format for writing and reading, and that of the schema.
    bytes[offset] = 77
    try writeFile(path, bytes)
    let harness = StoreHarness(path)
    let state = try harness.load(journalRows: 1_000)
    #expect(state.notes.count == 1, "\(state.notes)")
    #expect(state.tables == whole.tables)
    #expect(state.journal == whole.journal)
    try harness.commit(.put(.widget, key: "works", bytes: [1]))
    try harness.close()
    #expect(try readFile(path + ".damaged-1") == bytes)
  }
}
