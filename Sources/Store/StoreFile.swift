import CPosix
import DaemonCore
import Glibc

/// The database file and its neighbours on disk: who may read them, who holds them, what becomes of
/// a damaged one.
///
///     intentd.sqlite             the store (0600, in a folder made 0700)
///     intentd.sqlite-wal         SQLite's log, gone after a clean stop
///     intentd.sqlite.lock        held while a daemon runs; its content is the holder's process id
///     intentd.sqlite.rebuilt     while a damaged store is being copied
///     intentd.sqlite.rescue      a copy of one whose first page is lost, while it is being read
///     intentd.sqlite.damaged-1   a damaged store, kept; with its -wal and -shm
struct StoreFile {
  let path: String

  var rebuiltPath: String { path + ".rebuilt" }
  private var lockPath: String { path + ".lock" }
  /// The files that SQLite keeps beside a database, as endings of its name.
  private static let neighbours = ["-wal", "-shm"]

  var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  // MARK: Making

  /// Makes the folder and what is missing above it, readable by this user only.
  func makeFolder() throws(StoreFailure) {
    try Self.makeFolder(folder)
  }

  private static func makeFolder(_ folder: String) throws(StoreFailure) {
    if unsafe mkdir(folder, 0o700) == 0 {
      return try synchronizeFolder(StoreFile(path: folder).folder)
    }
    switch errno {
    case EEXIST: return
    case ENOENT:
      let parent = StoreFile(path: folder).folder
      guard parent != folder else { throw .system("mkdir", folder, errno: ENOENT) }
      try makeFolder(parent)
      guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw .system("mkdir", folder, errno: errno)
      }
      try synchronizeFolder(parent)
    case let code: throw .system("mkdir", folder, errno: code)
    }
  }

  /// Makes an empty file when there is none, and takes other users' rights from one that has them.
  ///
  /// Called before SQLite opens the file: SQLite gives the log the mode of the file, and closing a
  /// second descriptor later would drop SQLite's locks.
  func makeFile() throws(StoreFailure) {
    let isNew = size() == nil
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw .system("open", path, errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system("fstat", path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreFailure(
        code: .cannotOpen, message: "\(path) is not a regular file; choose another state folder")
    }
    if status.st_mode & 0o777 != 0o600, fchmod(descriptor, 0o600) != 0 {
      throw .system("fchmod", path, errno: errno)
    }
    if isNew { try Self.synchronizeFolder(folder) }
  }

  /// Bytes, or `nil` when there is no such file.
  func size(ending: String = "") -> Int? {
    var status = stat()
    return unsafe lstat(path + ending, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Whether the file begins as every SQLite database does.
  ///
  /// Checked before SQLite opens the file: SQLite deletes the log of a file that is no database,
  /// even when it only reads.
  var hasDatabaseHeader: Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let header = Array("SQLite format 3\0".utf8)
    var bytes = [UInt8](repeating: 0, count: header.count)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return count == header.count && bytes == header
  }

  /// Whether the header has our mark (`Schema.applicationID`), as far as it can be read without
  /// SQLite.
  var hasOurMark: Bool {
    do {
      let bytes = try bytes(68..<72)
      return bytes.count == 4
        && bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) } == Schema.applicationID
    } catch {
      // A file that cannot be read shows no mark.
      return false
    }
  }

  /// Whether the header asks for a later version of SQLite's format; in a file of ours that is
  /// damage.
  ///
  /// SQLite would read such a file and refuse to write to it, as it refuses a file without the
  /// right to.
  var hasForeignVersions: Bool {
    do {
      // Source: SQLite's "Database File Format": write and read version, 1 or 2.
      return try bytes(18..<20).contains { !(1...2).contains($0) }
    } catch {
      // A file that cannot be read shows no version.
      return false
    }
  }

  /// The identity of the file, by which it is known under another name too; `nil`: there is none.
  func identity(ending: String = "") -> FileIdentity? {
    var status = stat()
    guard unsafe stat(path + ending, &status) == 0 else { return nil }
    return FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
  }

  /// Whether the folder is there.
  var hasFolder: Bool {
    var status = stat()
    return unsafe stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether the lock's file still has its name.
  func hasLock(_ lock: StoreLock) -> Bool {
    lock.identity.map { $0 == StoreFile(path: lockPath).identity() } ?? false
  }

  func lock() throws(StoreFailure) -> StoreLock {
    try StoreLock(path: lockPath, holds: path)
  }

  // MARK: Damage

  /// Takes a damaged store out of the way under a name that nothing has yet; returns that name.
  func setAside() throws(StoreFailure) -> String {
    for number in 1...StoreLimits.setAsideMax {
      let aside = StoreFile(path: "\(path).damaged-\(number)")
      guard ([""] + Self.neighbours).allSatisfy({ aside.size(ending: $0) == nil }) else { continue }
      for ending in [""] + Self.neighbours where size(ending: ending) != nil {
        try Self.rename(path + ending, aside.path + ending)
      }
      try Self.synchronizeFolder(folder)
      return aside.path
    }
    throw StoreFailure(
      code: .damaged,
      message: "\(path) is damaged and \(StoreLimits.setAsideMax) damaged files are kept beside it"
        + " already; check the disk, then remove them")
  }

  /// Puts the copy of a store that was deleted in its place, once all of it is on disk.
  func adoptCopy() throws(StoreFailure) {
    let descriptor = unsafe open(rebuiltPath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("open", rebuiltPath, errno: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .system("fsync", rebuiltPath, errno: errno) }
    // A log without its store would be taken for the new one's.
    for ending in Self.neighbours {
      guard unsafe unlink(path + ending) == 0 || errno == ENOENT else {
        throw .system("unlink", path + ending, errno: errno)
      }
    }
    try Self.rename(rebuiltPath, path)
    try Self.synchronizeFolder(folder)
  }

  /// Puts the finished copy in the damaged store's place.
  func adoptRebuilt() throws(StoreFailure) {
    precondition(size() == nil, "the damaged store is still in place")
    precondition(size(ending: "-wal") == nil, "the damaged store's log is still in place")
    try Self.rename(rebuiltPath, path)
    try Self.synchronizeFolder(folder)
  }

  /// Ends a repair that a crash cut short; says so when there was one.
  ///
  /// The damaged store leaves its place only when its copy is complete, so a copy beside an empty
  /// place is complete, and one beside a store is not.
  func finishRepair() throws(StoreFailure) -> String? {
    try removeRescue()
    let rebuilt = StoreFile(path: rebuiltPath)
    guard rebuilt.size() != nil else { return nil }
    if size() != nil {
      try removeRebuilt()
      return nil
    }
    if Self.neighbours.contains(where: { size(ending: $0) != nil }) { _ = try setAside() }
    try adoptRebuilt()
    return "\(path) was being repaired when the daemon stopped; the repair was completed"
  }

  func removeRebuilt() throws(StoreFailure) {
    for ending in [""] + Self.neighbours {
      guard unsafe unlink(rebuiltPath + ending) == 0 || errno == ENOENT else {
        throw .system("unlink", rebuiltPath + ending, errno: errno)
      }
    }
  }

  private static func rename(_ from: String, _ to: String) throws(StoreFailure) {
    guard unsafe Glibc.rename(from, to) == 0 else { throw .system("rename", from, errno: errno) }
  }

  /// A new name survives a power loss only when its folder was written too.
  private static func synchronizeFolder(_ folder: String) throws(StoreFailure) {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("open", folder, errno: errno) }
    defer { close(descriptor) }
    // EINVAL: this file system cannot and need not.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .system("fsync", folder, errno: errno)
    }
  }
}

/// A file, whatever its name: the numbers of its file system and of the file in it.
struct FileIdentity: Hashable {
  var device: UInt64
  var number: UInt64
}

/// Held while a daemon uses the store: a second one is refused before it reads a byte.
///
/// `flock` on a file of its own: unlike SQLite's locks it also holds within one process, and it
/// ends with the process however that dies. The file stays; removing it would race with the next
/// holder.
final class StoreLock {
  private let descriptor: Int32
  /// The lock's file.
  let identity: FileIdentity?

  init(path: String, holds store: String) throws(StoreFailure) {
    let locked = unsafe cposix_lock(path)
    guard locked >= 0 else {
      guard locked == -EWOULDBLOCK else { throw .system("lock", path, errno: -locked) }
      let holder = Self.holder(path)
      throw StoreFailure(
        code: .busy,
        message: "\(store) is in use by \(holder); stop it, or choose another state folder")
    }
    descriptor = locked
    identity = StoreFile(path: path).identity()
  }

  deinit { cposix_unlock(descriptor) }

  private static func holder(_ path: String) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return "another intentd" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    let digits = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
    guard let process = Int(String(decoding: digits, as: UTF8.self)) else {
      return "another intentd"
    }
    return "another intentd (process \(process))"
  }
}
