import CSQLite
import Glibc

/// One prepared statement, kept for the life of its connection: the hot path binds, steps and
/// resets.
///
/// SQLite copies values when they are bound, so nothing here outlives its caller. A class and not
/// `~Copyable`, because a dictionary holds some of them (`Reader`).
@safe final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer

  init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let handle = unsafe prepared else {
      throw unsafe SQLiteError(code: code, connection: connection)
    }
    unsafe self.handle = handle
    unsafe self.connection = connection
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  // MARK: Binding, parameters counted from 1

  func bind(_ index: Int32, _ value: Int64) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_int64(handle, index, value))
  }

  func bind(_ index: Int32, _ text: String) throws(SQLiteError) {
    var text = text
    let code = text.withUTF8 { utf8 in
      // An empty buffer may have no address, and that would bind NULL.
      guard let base = utf8.baseAddress, utf8.count > 0 else {
        return unsafe sqlite3_bind_text(handle, index, "", 0, transient)
      }
      return unsafe base.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
        unsafe sqlite3_bind_text(handle, index, $0, Int32(utf8.count), transient)
      }
    }
    try check(code)
  }

  /// Binds UTF-8 that may end within a character, for a comparison only.
  func bindText(_ index: Int32, utf8 bytes: [UInt8]) throws(SQLiteError) {
    let code = unsafe bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress else {
        return unsafe sqlite3_bind_text(handle, index, "", 0, transient)
      }
      return unsafe sqlite3_bind_text(
        handle, index, base.assumingMemoryBound(to: CChar.self), Int32(raw.count), transient)
    }
    try check(code)
  }

  func bind(_ index: Int32, _ bytes: [UInt8]) throws(SQLiteError) {
    let code =
      bytes.isEmpty
      ? unsafe sqlite3_bind_zeroblob(handle, index, 0)
      : unsafe bytes.withUnsafeBytes {
        unsafe sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), transient)
      }
    try check(code)
  }

  // MARK: Running

  /// Carries the statement out; rows it may give are dropped.
  func run() throws(SQLiteError) {
    defer { reset() }
    while try step() {}
  }

  /// Steps to the next row; false at the end.
  ///
  /// `reset` when done.
  func step() throws(SQLiteError) -> Bool {
    // `SQLiteError` reads errno, which must be that of this step.
    errno = 0
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw unsafe SQLiteError(code: code, connection: connection)
    }
  }

  func reset() {
    // Best effort: both repeat the error of the last step, which was thrown already.
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  // MARK: Columns of the current row, counted from 0

  func integer(_ column: Int32) -> Int64 {
    unsafe sqlite3_column_int64(handle, column)
  }

  /// `nil` when the column holds no text, or text that is not UTF-8.
  func text(_ column: Int32) -> String? {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT else { return nil }
    guard let base = unsafe sqlite3_column_text(handle, column) else { return nil }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe String(
      validating: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }

  /// `nil` when the column holds no blob.
  func blob(_ column: Int32) -> [UInt8]? {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
    let base = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count))
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else {
      throw unsafe SQLiteError(code: code, connection: connection)
    }
  }

  /// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the value.
  private var transient: sqlite3_destructor_type {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
