import Digests
import Downloads
import Glibc
import PlainText
import Timekeeping

/// A folder of downloads: a record and a body for each URL, for the person alone.
///
/// A provider in a box can write into the folder of its kind. So nothing here follows a link: the
/// folder is opened once, everything in it by its descriptor and as a plain file, and a name never
/// comes from a record.
final class FetchFolder {
  let path: String
  /// The number of the turn in which it had its last download; 0: none yet.
  var lastTurn = 0
  /// The keys and bytes of the files that this process handed out: one for each request at most.
  private(set) var handedOut: [(key: String, byteCount: Int64)] = []
  private let descriptor: Int32
  private var lastNumber = 0
  private var isClean = false

  /// Opens a folder and makes it if it is not there.
  init(_ path: String) throws(DownloadError) {
    self.path = path
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var folder = open(path, flags)
    if folder < 0, errno == ENOENT {
      Self.make(path)
      folder = open(path, flags)
    }
    descriptor = folder
    var info = stat()
    guard descriptor >= 0, fstat(descriptor, &info) == 0, info.st_uid == getuid() else {
      let code = descriptor >= 0 ? EPERM : errno
      if descriptor >= 0 { close(descriptor) }
      throw Self.failure("use the folder \(path)", code)
    }
    fchmod(descriptor, 0o700)
  }

  deinit { close(descriptor) }

  /// Makes a folder and those that it is in; who opens it sees what went wrong.
  private static func make(_ path: String) {
    var partial = ""
    for part in path.split(separator: "/") {
      partial += "/" + part
      mkdir(partial, 0o700)
    }
  }

  private static func failure(_ operation: String, _ code: Int32) -> DownloadError {
    DownloadError(
      .disk, "cannot \(operation): \(String(cString: strerror(code)))",
      hint: "the cache is below $XDG_CACHE_HOME, else ~/.cache; is there room, and is it yours?")
  }

  // MARK: Small files

  /// Returns the bytes of a plain file of the person; `nil` if there is none, or it is longer than a
  /// record.
  func read(_ name: String) -> [UInt8]? {
    guard let (file, byteCount) = openPlain(name) else { return nil }
    defer { close(file) }
    guard byteCount <= DownloadLimits.recordBytesMax else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(byteCount))
    let count = Glibc.read(file, &bytes, bytes.count)
    return count == bytes.count ? bytes : nil
  }

  /// Opens a plain file, and nothing that a link leads to or that blocks; the caller closes it.
  private func openPlain(_ name: String) -> (file: Int32, byteCount: Int64)? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    var info = stat()
    guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      close(file)
      return nil
    }
    return (file, Int64(info.st_size))
  }

  /// Writes a file whole, in the place of another one.
  func write(_ name: String, _ bytes: [UInt8]) throws(DownloadError) {
    let part = try Part(in: self)
    try part.write(bytes)
    try part.keep(as: name)
  }

  /// Writes a record over one of the same length, of which only the date is another one, else as a
  /// new file.
  ///
  /// It is much less work than a new file, and unchanged downloads write nothing else. Whoever reads
  /// it at the same time may see a date that is between the two.
  func renew(_ name: String, _ bytes: [UInt8]) throws(DownloadError) {
    let file = openat(descriptor, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return try write(name, bytes) }
    var info = stat()
    // A second name could be that of a file which is no record.
    let isSame =
      fstat(file, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && info.st_nlink == 1
      && info.st_size == bytes.count
    let isWritten = isSame && pwrite(file, bytes, bytes.count, 0) == bytes.count
    close(file)
    guard isWritten else { return try write(name, bytes) }
  }

  func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  /// Notes that a file was handed out, which stays while this process lives.
  func handOut(_ key: String, byteCount: Int64) {
    handedOut.removeAll { $0.key == key }
    handedOut.append((key, byteCount))
  }

  // MARK: Bodies

  /// Returns the record of a URL whose body is there, whole, and has the bytes that came.
  ///
  /// The length alone would not do: a provider can write into the folder of its kind. O(bytes).
  func record(of url: DownloadURL, key: String) -> CacheRecord? {
    guard let bytes = read("\(key).json"), let record = CacheRecord(bytes, of: url) else {
      return nil
    }
    guard let (file, byteCount) = openPlain(CacheRecord.bodyName(key: key, hash: record.hash))
    else { return nil }
    defer { close(file) }
    guard byteCount == record.byteCount, Self.hash(of: file, byteCount: byteCount) == record.hash
    else { return nil }
    return record
  }

  /// Returns the SHA-256 of a file that has this length; `nil` if it cannot be read, or is longer.
  private static func hash(of file: Int32, byteCount: Int64) -> String? {
    var hash = SHA256()
    var left = byteCount
    // One byte more than the file has shows that nothing was added to it.
    var buffer = [UInt8](repeating: 0, count: Int(min(byteCount, 1 << 18)) + 1)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0, count <= left else { return nil }
      guard count > 0 else { return hash.finish() }
      hash.update(buffer[..<count])
      left -= Int64(count)
    }
  }

  func bodyPath(key: String, _ record: CacheRecord) -> String {
    "\(path)/\(CacheRecord.bodyName(key: key, hash: record.hash))"
  }

  /// A file that is being written: nobody sees it under its name before it is whole.
  final class Part {
    private let folder: FetchFolder
    private let name: String
    private var file: Int32

    init(in folder: FetchFolder) throws(DownloadError) {
      self.folder = folder
      folder.removeLeftParts()
      folder.lastNumber += 1
      name = "\(partPrefix)\(getpid())-\(folder.lastNumber)"
      unlinkat(folder.descriptor, name, 0)
      file = openat(
        folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw failure("write into \(folder.path)", errno) }
    }

    deinit { discard() }

    func write(_ bytes: [UInt8]) throws(DownloadError) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw failure("write into \(folder.path)", errno) }
        rest = rest.dropFirst(count)
      }
    }

    /// Gives the file its name.
    ///
    /// It is a cache: after a power loss a file may be empty, and a body of another length than its
    /// record says is none.
    func keep(as name: String) throws(DownloadError) {
      guard file >= 0, close(file) == 0 else {
        file = -1
        throw failure("write into \(folder.path)", errno)
      }
      file = -1
      if rename(to: name) { return }
      // A folder in its place would stand in the way of this URL for ever.
      if errno == EISDIR, unlinkat(folder.descriptor, name, AT_REMOVEDIR) == 0, rename(to: name) {
        return
      }
      let code = errno
      unlinkat(folder.descriptor, self.name, 0)
      guard code != ENOTEMPTY, code != EISDIR else {
        throw DownloadError(
          .disk, "cannot write \(folder.path)/\(name): a folder is in its place",
          hint: "it is not intent-fetch's; remove it: rm -r \(shellWord("\(folder.path)/\(name)"))")
      }
      throw failure("write into \(folder.path)", code)
    }

    private func rename(to name: String) -> Bool {
      renameat(folder.descriptor, self.name, folder.descriptor, name) == 0
    }

    func discard() {
      guard file >= 0 else { return }
      close(file)
      file = -1
      unlinkat(folder.descriptor, name, 0)
    }
  }

  // MARK: Room

  /// The files of one URL: its record, and its bodies.
  private struct Entry {
    var names: [String] = []
    var bytes: Int64 = 0
    /// The record is written each time the server was asked: its date is that of the last use.
    var recordDate: WallTime?
    var bodyDate = WallTime(milliseconds: 0)

    var date: WallTime { recordDate ?? bodyDate }
  }

  /// Removes leftovers, and then the oldest downloads until the rest fits; O(names · log names).
  ///
  /// `kept` are keys whose files were handed out by this process.
  func makeRoom(
    bytesMax: Int64, fileCountMax: Int = DownloadLimits.cacheFileCountMax,
    keeping kept: Set<String>, now: WallTime
  ) {
    var entries: [String: Entry] = [:]
    var total: Int64 = 0
    var count = 0
    for name in names(keeping: kept) {
      var info = stat()
      guard fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0,
        info.st_mode & S_IFMT == S_IFREG
      else { continue }
      let date = WallTime(seconds: Int64(info.st_mtim.tv_sec))
      let isOld = now.milliseconds(since: date) > DownloadLimits.leftoverMilliseconds
      if name.hasPrefix(Self.partPrefix) {
        if isOld || !Self.isBeingWritten(name) {
          remove(name)
        } else {
          total += Int64(info.st_size)
        }
        continue
      }
      let isRecord = name.hasSuffix(".json")
      let key = isRecord ? name.dropLast(5) : name.prefix { $0 != "-" }
      entries[String(key), default: Entry()].names.append(name)
      if isRecord {
        entries[String(key)]?.recordDate = date
      } else {
        entries[String(key)]?.bytes += Int64(info.st_size)
        entries[String(key)]?.bodyDate = date
        total += Int64(info.st_size)
      }
      count += 1
    }
    let oldestFirst = entries.sorted {
      ($0.value.date.milliseconds, $0.key) < ($1.value.date.milliseconds, $1.key)
    }
    for (key, entry) in oldestFirst where !kept.contains(key) {
      let isLeftover =
        entry.recordDate == nil
        && now.milliseconds(since: entry.bodyDate) > DownloadLimits.leftoverMilliseconds
      guard isLeftover || total > bytesMax || count > fileCountMax else { continue }
      entry.names.forEach(remove)
      total -= entry.bytes
      count -= entry.names.count
    }
  }

  /// Removes what processes were writing that are gone, as after the daemon ended one; once.
  func removeLeftParts() {
    guard !isClean else { return }
    isClean = true
    for name in names(keeping: [])
    where name.hasPrefix(Self.partPrefix) && !Self.isBeingWritten(name) {
      remove(name)
    }
  }

  private static let partPrefix = ".part-"

  /// Whether the process is there that a half-written file names.
  private static func isBeingWritten(_ name: String) -> Bool {
    let words = name.dropFirst(partPrefix.count).split(separator: "-")
    guard let process = words.first.flatMap({ pid_t($0) }), process > 0 else { return false }
    return kill(process, 0) == 0 || errno == EPERM
  }

  /// Returns the names in the folder, at most `DownloadLimits.folderNameCountMax` of files that
  /// this process does not need; the files beyond are removed.
  private func names(keeping kept: Set<String>) -> [String] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let folder = fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { closedir(folder) }
    let ownPart = "\(Self.partPrefix)\(getpid())-"
    var names: [String] = []
    var seenCount = 0
    while seenCount < DownloadLimits.folderNamesSeenMax, let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
        place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      seenCount += 1
      if names.count < DownloadLimits.folderNameCountMax || name.hasPrefix(ownPart)
        || kept.contains(String(name.prefix { $0 != "-" && $0 != "." }))
      {
        names.append(name)
      } else {
        remove(name)
      }
    }
    return names
  }
}
