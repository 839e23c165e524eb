package import DaemonCore

/// A look behind the store's four requests, for tests: the pragmas that a connection runs with, and
/// how errors are told.
package enum StoreInspection {
  /// Opens `path` as the store does and reads pragmas back on that very connection.
  package static func pragmas(
    _ names: [String], path: String
  ) throws(StoreFailure) -> [String: String] {
    let connection = try StoreConnection(path: path, limits: StoreLimits())
    var values: [String: String] = [:]
    do {
      for name in names { values[name] = try connection.pragma(name) }
    } catch {
      try connection.close()
      throw error.failure(path: path)
    }
    try connection.close()
    return values
  }

  /// The check that a connection must pass before it is used.
  package static func requireDurable(
    journalMode: String?, synchronous: Int?
  ) throws(StoreFailure) {
    try StoreConnection.requireDurable(
      journalMode: journalMode, synchronous: synchronous, path: "intentd.sqlite")
  }

  /// The failure for an extended SQLite result code and the errno behind it.
  package static func failure(code: Int32, systemError: Int32 = 0, path: String) -> StoreFailure {
    SQLiteError(code: code, message: "what SQLite said", systemError: systemError)
      .failure(path: path)
  }

  /// Runs SQL on a store that nobody has open, as somebody's own tool would.
  package static func execute(_ sql: String, path: String) throws(StoreFailure) {
    do {
      let database = try Database(path: path, .readWrite)
      try database.execute(sql)
      try database.close()
    } catch { throw error.failure(path: path) }
  }
}
