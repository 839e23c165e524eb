import CSQLite
import DaemonCore

/// The tables, as a list of steps that a file goes through once each.
///
/// The names of the steps that a file went through stand in a table of its own. A step that was
/// released is never edited: another file may have gone through it already.
enum Schema {
  /// The mark "intd" in the file's header, by which `file`, `sqlite3` and we know the file as ours.
  static let applicationID: Int64 = 0x696E_7464

  /// The table of steps: the name, the statement and the names of its rows are those of GRDB, which
  /// wrote the first files (see docs/decisions/0014).
  private static let stepsTable = "grdb_migrations"

  private struct Step {
    let name: String
    let sql: String
  }

  /// A key's rows live in the key's own tree (`WITHOUT ROWID`): one tree to write instead of two,
  /// and reading everything back in the order of keys is one walk.
  ///
  /// Keys compare byte by byte.
  private static let steps = [
    Step(
      name: "v1",
      sql: ["widget", "timeline", "receipt", "setting"].map(keyedTable).joined() + """
        CREATE TABLE journal (
          sequence INTEGER NOT NULL PRIMARY KEY,
          bytes BLOB NOT NULL
        ) STRICT;
        PRAGMA application_id = \(applicationID);
        """),
    Step(name: "v2", sql: keyedTable("donation")),
    Step(name: "v3", sql: keyedTable("request") + keyedTable("kept")),
  ]

  private static func keyedTable(_ name: String) -> String {
    """
    CREATE TABLE \(name) (
      key TEXT NOT NULL PRIMARY KEY,
      bytes BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;

    """
  }

  /// Takes the file through the steps that it lacks, each in a transaction of its own.
  static func bringUpToDate(_ database: borrowing Database) throws(SQLiteError) {
    try database.execute(
      "CREATE TABLE IF NOT EXISTS \(stepsTable) (identifier TEXT NOT NULL PRIMARY KEY)")
    let done = try stepsDone(database)
    for step in steps where !done.contains(step.name) {
      try database.execute("BEGIN IMMEDIATE")
      do {
        try database.execute(step.sql)
        try database.execute("INSERT INTO \(stepsTable) (identifier) VALUES ('\(step.name)')")
        try database.execute("COMMIT")
      } catch {
        if !database.isIdle {
          // Best effort: the first error says what is wrong, and closing rolls back as well.
          do { try database.execute("ROLLBACK") } catch {}
        }
        throw error
      }
    }
  }

  /// Throws unless `database` is one that this version may write to; reads only.
  ///
  /// The mark is read first, because it decides what an unreadable part means: in a file of ours it
  /// is damage, in a file of another program it does not concern us.
  static func check(_ database: borrowing Database, path: String) throws(StoreFailure) {
    let owner: Owner
    do { owner = try self.owner(of: database) } catch { throw error.openingFailure(path: path) }
    switch owner {
    case .us: return
    case .anotherProgram:
      throw StoreFailure(
        code: .cannotOpen,
        message: "\(path) is a database of another program; choose another state folder")
    case .newerVersion:
      throw StoreFailure(
        code: .tooNew,
        message: "\(path) was written by a newer intentd; update intentd, or move the file away"
          + " to start empty")
    }
  }

  private enum Owner {
    case us
    case newerVersion
    case anotherProgram
  }

  private static func owner(of database: borrowing Database) throws(SQLiteError) -> Owner {
    switch try database.integer("PRAGMA application_id") ?? 0 {
    case applicationID:
      let known = Set(steps.map(\.name))
      return try stepsDone(database).isSubset(of: known) ? .us : .newerVersion
    case 0:
      // Empty, or a crash left nothing but the table of steps, which is made before the first step.
      let tables = try database.texts("SELECT tbl_name FROM sqlite_schema")
      return tables.allSatisfy { $0 == stepsTable } ? .us : .anotherProgram
    default:
      return .anotherProgram
    }
  }

  /// The names of the steps that the file went through; none when it has no table of them.
  private static func stepsDone(_ database: borrowing Database) throws(SQLiteError) -> Set<String> {
    let tables = try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
    guard tables.contains(stepsTable) else { return [] }
    let names: [String?]
    do { names = try database.texts("SELECT identifier FROM \(stepsTable)") } catch {
      guard error.code & 0xFF == SQLITE_ERROR else { throw error }
      throw .damaged("the list of its steps cannot be read: \(error.message)")
    }
    let known = names.compactMap(\.self)
    guard known.count == names.count else {
      throw .damaged("the list of its steps has a row that is no text")
    }
    return Set(known)
  }
}
