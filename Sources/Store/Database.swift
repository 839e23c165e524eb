import CSQLite
import Glibc

/// One open SQLite connection.
///
/// `~Copyable`, because a file has one owner. `close` lets go of the file, wants every `Statement`
/// released before, and says whether that went well. `deinit` lets go of it where nobody can use
/// the answer, and then SQLite closes the file with the last statement.
@safe struct Database: ~Copyable {
  /// The connection as SQLite knows it; valid as long as this value.
  let handle: OpaquePointer

  enum Access {
    /// Makes an empty file when there is none.
    case readWrite
    case readOnly

    fileprivate var flags: Int32 {
      switch self {
      case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    }
  }

  /// Opens the file at `path`; SQLite reads it only when it is asked something.
  ///
  /// One thread at a time uses the connection, so SQLite takes no mutex.
  init(path: String, _ access: Access) throws(SQLiteError) {
    var opened: OpaquePointer?
    errno = 0
    let code = unsafe sqlite3_open_v2(path, &opened, access.flags | SQLITE_OPEN_NOMUTEX, nil)
    guard let handle = unsafe opened else {
      throw SQLiteError(code: SQLITE_NOMEM, message: "no memory for a connection")
    }
    guard code == SQLITE_OK else {
      let error = unsafe SQLiteError(code: code, connection: handle)
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe sqlite3_busy_timeout(handle, StoreLimits.busyMilliseconds)
    unsafe self.handle = handle
  }

  deinit {
    // Best effort: only `close` can tell somebody.
    unsafe sqlite3_close_v2(handle)
  }

  /// Closes the file.
  ///
  /// SQLite writes the log back first and removes it.
  consuming func close() throws(SQLiteError) {
    errno = 0
    let code = unsafe sqlite3_close(handle)
    guard code == SQLITE_OK else {
      let error = unsafe SQLiteError(code: code, connection: handle)
      _ = consume self
      throw error
    }
    discard self
  }

  /// Whether no transaction is open.
  var isIdle: Bool { unsafe sqlite3_get_autocommit(handle) != 0 }

  func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try unsafe Statement(sql, on: handle)
  }

  /// Carries out one or several statements; rows they may give are dropped.
  func execute(_ sql: String) throws(SQLiteError) {
    errno = 0
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, connection: handle) }
  }

  /// The first column of the first row as a number; `nil` without a row.
  func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The first column of every row as text; `nil` stands for a value that is no text.
  func texts(_ sql: String) throws(SQLiteError) -> [String?] {
    let statement = try prepare(sql)
    var texts: [String?] = []
    while try statement.step() { texts.append(statement.text(0)) }
    return texts
  }
}
