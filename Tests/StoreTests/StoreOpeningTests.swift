import DaemonCore
import Glibc
import Store
import Testing

/// Checks which files the store opens and which error code a failure has.
struct StoreOpeningTests {
  @Test func `folders are made private, files too`() throws {
    let folder = try TemporaryFolder()
    let before = umask(0)
    defer { umask(before) }
    let path = folder + "state/intentd/intentd.sqlite"
    let harness = StoreHarness(path)
    _ = try harness.load()
    try harness.commit(.put(.widget, key: "a", bytes: [1]))
    #expect(try mode(folder + "state") == 0o700)
    #expect(try mode(folder + "state/intentd") == 0o700)
    for ending in ["", "-wal", ".lock"] { #expect(try mode(path + ending) == 0o600) }
    try harness.close()
  }

  @Test func `a file that others may read is closed to them`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    try writeFile(path, [])
    #expect(chmod(path, 0o644) == 0)
    let harness = StoreHarness(path)
    _ = try harness.load()
    #expect(try mode(path) == 0o600)
    try harness.close()
  }

  @Test func `a second opener is refused until the first lets go`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let first = StoreHarness(path)
    let second = StoreHarness(path)
    _ = try first.load()
    let failure = try second.loadFailure()
    #expect(failure.code == .busy)
    #expect(failure.message.contains("\(path) is in use by another intentd (process \(getpid()))"))
    try first.commit(.put(.widget, key: "a", bytes: [1]))
    try first.close()
    #expect(try second.load().tables[.widget]?.count == 1)
    try second.close()
  }

  @Test func `a file below a path that is no folder cannot be opened`() throws {
    let folder = try TemporaryFolder()
    try writeFile(folder + "file", [1])
    let harness = StoreHarness(folder + "file/intentd.sqlite")
    let failure = try harness.loadFailure()
    #expect(failure.code == .cannotOpen)
    #expect(failure.message.contains(folder + "file"))
    // Opening succeeds once the cause is removed.
    #expect(unlink(folder + "file") == 0)
    _ = try harness.load()
    try harness.close()
  }

  @Test func `a folder or a pipe in the file's place is refused`() throws {
    let folder = try TemporaryFolder()
    #expect(mkdir(folder + "a.sqlite", 0o700) == 0)
    #expect(mkfifo(folder + "b.sqlite", 0o600) == 0)
    for name in ["a.sqlite", "b.sqlite"] {
      let harness = StoreHarness(folder + name)
      #expect(try harness.loadFailure().code == .cannotOpen)
    }
  }

  /// The statements that GRDB carried out for a new file: those of the first intentd, and of the
  /// next.
  private static let stepsTable =
    "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);"
  private static let stepsOfGRDB = [
    ["widget", "timeline", "receipt", "setting"].map(keyedTable).joined() + """
      CREATE TABLE journal (
        sequence INTEGER NOT NULL PRIMARY KEY,
        bytes BLOB NOT NULL
      ) STRICT;
      PRAGMA application_id = \(0x696E_7464);
      INSERT INTO grdb_migrations (identifier) VALUES ('v1');
      """,
    keyedTable("donation") + "INSERT INTO grdb_migrations (identifier) VALUES ('v2');",
  ]

  private static func keyedTable(_ name: String) -> String {
    """
    CREATE TABLE \(name) (
      key TEXT NOT NULL PRIMARY KEY,
      bytes BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;

    """
  }

  @Test(arguments: 0...2)
  func `a file that GRDB made opens, and becomes the one that we make`(stepCount: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    try StoreInspection.execute(
      Self.stepsTable + Self.stepsOfGRDB.prefix(stepCount).joined(), path: path)
    let old = StoreHarness(path)
    #expect(try old.load().notes == [])
    try old.close()
    let new = StoreHarness(folder + "new.sqlite")
    _ = try new.load()
    try new.close()
    // The first page behind its header says where each table begins, in the words that made it.
    let page = try readFile(folder + "new.sqlite")[100..<4096]
    #expect(try readFile(path)[100..<4096] == page)
  }

  @Test func `a store from a newer version is refused and left as it is`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let ours = StoreHarness(path)
    _ = try ours.load()
    try ours.close()
    // Imitate a later version, which has another step in the migrator's list: replace the bytes of
    // the only name, which stands in the file as text.
    var bytes = try readFile(path)
    let name = Array("v1".utf8)
    var places: [Int] = []
    for index in bytes.indices.dropLast() where Array(bytes[index...index + 1]) == name {
      places.append(index)
    }
    try #require(!places.isEmpty)
    for place in places { bytes[place + 1] = UInt8(ascii: "9") }
    try writeFile(path, bytes)

    let harness = StoreHarness(path)
    let failure = try harness.loadFailure()
    #expect(failure.code == .tooNew)
    #expect(failure.message.contains("update intentd"))
    #expect(try readFile(path) == bytes)
    #expect(folder.names() == ["intentd.sqlite", "intentd.sqlite.lock"])
  }

  @Test func `another program's database is refused and left as it is`() throws {
    let folder = try TemporaryFolder()
    let path = folder + "intentd.sqlite"
    let ours = StoreHarness(path)
    _ = try ours.load()
    try ours.close()
    // Change the application id in the header, bytes 68 to 71.
    var bytes = try readFile(path)
    #expect(Array(bytes[68..<72]) == Array("intd".utf8))
    bytes.replaceSubrange(68..<72, with: Array("abcd".utf8))
    try writeFile(path, bytes)
    let harness = StoreHarness(path)
    let failure = try harness.loadFailure()
    #expect(failure.code == .cannotOpen)
    #expect(failure.message.contains("another program"))
    #expect(try readFile(path) == bytes)
  }

  @Test(
    arguments: [
      (13, 0, StoreFailure.Code.diskFull),  // FULL
      (778, 28, .diskFull),  // IOERR_WRITE, ENOSPC
      (778, 122, .diskFull),  // IOERR_WRITE, EDQUOT
      (778, 5, .system),  // IOERR_WRITE, EIO
      (1034, 5, .system),  // IOERR_FSYNC
      (778, 30, .readOnly),  // IOERR_WRITE, EROFS
      (8, 0, .readOnly), (1032, 0, .readOnly),  // READONLY, READONLY_DBMOVED
      (14, 0, .cannotOpen), (526, 0, .cannotOpen),  // CANTOPEN, CANTOPEN_ISDIR
      (11, 0, .damaged), (267, 0, .damaged), (26, 0, .damaged),  // CORRUPT, CORRUPT_VTAB, NOTADB
      (8458, 0, .damaged),  // IOERR_CORRUPTFS
      (5, 0, .busy), (6, 0, .busy), (261, 0, .busy),  // BUSY, LOCKED, BUSY_RECOVERY
      (7, 0, .system), (18, 0, .system), (1555, 0, .system),  // NOMEM, TOOBIG, CONSTRAINT
    ] as [(Int32, Int32, StoreFailure.Code)])
  func `every SQLite error has a code and names the file`(
    code: Int32, systemError: Int32, expected: StoreFailure.Code
  ) {
    let failure = StoreInspection.failure(
      code: code, systemError: systemError, path: "folder/intentd.sqlite")
    #expect(failure.code == expected)
    #expect(failure.message.contains("folder/intentd.sqlite"))
    #expect(failure.message.contains("what SQLite said"))
  }
}
