import CSQLite
import DaemonCore
import Glibc

/// An error of SQLite, without the file and the operation, which only the caller knows.
struct SQLiteError: Error, Hashable {
  /// SQLite's extended result code.
  var code: Int32
  var message: String
  /// errno of the system call that failed, 0 when none did.
  var systemError: Int32 = 0

  init(code: Int32, message: String, systemError: Int32 = 0) {
    self.code = code
    self.message = message
    self.systemError = systemError
  }

  /// The connection's most recent error.
  init(code: Int32, connection: OpaquePointer) {
    // `errno` is read first, because any call below may change it.
    let threadError = errno
    let message = unsafe String(cString: sqlite3_errmsg(connection))
    var systemError = unsafe sqlite3_system_errno(connection)
    // SQLite before 3.45 forgets the system's error when a call within COMMIT failed. The thread
    // still has it: the rollback that follows succeeds, and a call that succeeds leaves `errno`
    // alone.
    if systemError == 0, code & 0xFF == SQLITE_IOERR { systemError = threadError }
    self.init(code: code, message: message, systemError: systemError)
  }

  static func damaged(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: message)
  }

  /// Returns the failure that the core gets when this error came while the store was opened.
  ///
  /// An SQL error in a file of ours is damage: our statements are always the same.
  func openingFailure(path: String) -> StoreFailure {
    guard code & 0xFF == SQLITE_ERROR, StoreFile(path: path).hasOurMark else {
      return failure(path: path)
    }
    return Self.damaged(message).failure(path: path)
  }

  /// Returns the failure that the core gets: it says what happened, to which file, and what to do.
  func failure(path: String) -> StoreFailure {
    let detail = systemError == 0 ? message : "\(message), error \(systemError)"
    switch code & 0xFF {
    case SQLITE_FULL:
      return .diskFull(path, detail)
    case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(systemError):
      return .diskFull(path, detail)
    case SQLITE_IOERR where systemError == EROFS:
      // A disk with errors is made read-only under the files that are open.
      return StoreFailure(
        code: .readOnly,
        message: "the disk of \(path) has become read-only (\(detail)); look for errors of the disk"
          + " in the system's log, and mount it for writing again")
    case SQLITE_READONLY, SQLITE_PERM:
      return StoreFailure(
        code: .readOnly,
        message: "\(path) cannot be written (\(detail)); make it and its folder writable")
    case SQLITE_CANTOPEN:
      return StoreFailure(
        code: .cannotOpen,
        message: "\(path) cannot be opened (\(detail)); check that its folder exists and is yours")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return .damaged(path, detail)
    case SQLITE_IOERR where code == SQLITE_IOERR | (33 << 8):  // SQLITE_IOERR_CORRUPTFS
      return .damaged(path, detail)
    case SQLITE_TOOBIG, SQLITE_CONSTRAINT:
      return StoreFailure(
        code: .system, message: "\(path) refused a row: \(detail); nothing was written")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return StoreFailure(
        code: .busy,
        message: "\(path) is in use by another program (\(detail)); close it and start again")
    default:
      return StoreFailure(
        code: .system, message: "\(path): SQLite error \(code) (\(detail)); look at the disk")
    }
  }
}

extension StoreFailure {
  static func diskFull(_ path: String, _ detail: String) -> StoreFailure {
    StoreFailure(
      code: .diskFull,
      message: "no room left to write \(path) (\(detail)); free some space, then try again")
  }

  static func damaged(_ path: String, _ detail: String) -> StoreFailure {
    StoreFailure(
      code: .damaged,
      message: "\(path) is damaged (\(detail)); start again: it is set aside and what can still be"
        + " read is carried over")
  }

  /// Returns the failure of a system call on a file; `code` is its `errno`.
  static func system(_ call: String, _ path: String, errno code: Int32) -> StoreFailure {
    let reason = unsafe String(cString: strerror(code))
    switch code {
    case EROFS, EACCES, EPERM:
      return StoreFailure(
        code: .readOnly, message: "\(path) cannot be written (\(call): \(reason)); check its rights"
      )
    case ENOSPC, EDQUOT:
      return .diskFull(path, "\(call): \(reason)")
    case ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, ENXIO:
      return StoreFailure(
        code: .cannotOpen,
        message: "\(path) cannot be opened (\(call): \(reason)); choose another state folder")
    default:
      return StoreFailure(code: .system, message: "\(path): \(call) failed: \(reason)")
    }
  }
}
