import DaemonCore
import GRDB
import GRDBSQLite

/// The tables, as a list of steps that a file goes through once each.
///
/// A step that was released is never edited: another file may have gone through it already.
enum Schema {
  /// Marks the file as ours for `file`, `sqlite3` and ourselves: "intd".
  static let applicationID: Int64 = 0x696E_7464

  /// A key's rows live in the key's own tree (`WITHOUT ROWID`): one tree to write instead of two,
  /// and reading everything back in the order of keys is one walk.
  ///
  /// Keys compare byte by byte.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
    migrator.registerMigration("v1") { database in
      for table in ["widget", "timeline", "receipt", "setting"] {
        try database.execute(
          sql: """
            CREATE TABLE \(table) (
              key TEXT NOT NULL PRIMARY KEY,
              bytes BLOB NOT NULL
            ) STRICT, WITHOUT ROWID
            """)
      }
      try database.execute(
        sql: """
          CREATE TABLE journal (
            sequence INTEGER NOT NULL PRIMARY KEY,
            bytes BLOB NOT NULL
          ) STRICT
          """)
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
    migrator.registerMigration("v2") { database in
      try database.execute(
        sql: """
          CREATE TABLE donation (
            key TEXT NOT NULL PRIMARY KEY,
            bytes BLOB NOT NULL
          ) STRICT, WITHOUT ROWID
          """)
    }
    return migrator
  }

  /// Whether `database` is one that this version may write to; reads only.
  ///
  /// The mark decides whose it is, and is looked at first: what cannot be read in a file of ours is damage, in
  /// another's it is none of our business.
  static func check(_ database: Database, path: String) throws {
    let mark = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    guard mark == applicationID else {
      let objects = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
      guard try mark == 0 && (objects == 0 || isUnfinished(database)) else {
        throw StoreFailure(
          code: .cannotOpen,
          message: "\(path) is a database of another program; choose another state folder")
      }
      return
    }
    guard try !isSuperseded(database) else {
      throw StoreFailure(
        code: .tooNew,
        message: "\(path) was written by a newer intentd; update intentd, or move the file away"
          + " to start empty")
    }
  }

  /// Whether a newer version wrote it.
  ///
  /// A list of steps that cannot be understood is damage.
  private static func isSuperseded(_ database: Database) throws -> Bool {
    do { return try migrator.hasBeenSuperseded(database) } catch {
      let failure = SQLiteError(error)
      guard failure.code & 0xFF == SQLITE_ERROR else { throw failure }
      throw SQLiteError.damaged("what it went through cannot be read")
    }
  }

  /// The migrator makes its own table before the first step: a crash may have left only that.
  private static func isUnfinished(_ database: Database) throws -> Bool {
    try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'") == ["grdb_migrations"]
  }
}
