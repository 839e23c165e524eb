import DaemonCore
import GRDB

/// The tables, as a list of steps that a file goes through once each.
///
/// A step that was released is never edited: another file may have gone through it already.
enum Schema {
  /// Marks the file as ours for `file`, `sqlite3` and ourselves: "intd".
  static let applicationID: Int64 = 0x696E_7464

  /// A key's rows live in the key's own tree (`WITHOUT ROWID`): one tree to write instead of two,
  /// and reading everything back in the order of keys is one walk. Keys compare byte by byte.
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
  static func check(_ database: Database, path: String) throws {
    if try migrator.hasBeenSuperseded(database) {
      throw StoreFailure(
        code: .tooNew,
        message: "\(path) was written by a newer intentd; update intentd, or move the file away"
          + " to start empty")
    }
    let mark = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    let objects = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    let isNew = try objects == 0 || isUnfinished(database)
    guard mark == applicationID || (mark == 0 && isNew) else {
      throw StoreFailure(
        code: .cannotOpen,
        message: "\(path) is a database of another program; choose another state folder")
    }
  }

  /// The migrator makes its own table before the first step: a crash may have left only that.
  private static func isUnfinished(_ database: Database) throws -> Bool {
    try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'") == ["grdb_migrations"]
  }
}
