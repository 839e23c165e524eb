import Downloads
import Glibc
import Timekeeping

/// A folder of downloads: a record and a body for each URL, for the person alone.
///
/// A provider in a box can write into the folder of its kind. So nothing here follows a link: the
/// folder is opened once, everything in it by its descriptor and as a plain file, and a name never
/// comes from a record.
final class FetchFolder {
  let path: String
  private let descriptor: Int32
  private var lastNumber = 0

  /// Opens a folder and makes it if it is not there.
  init(_ path: String) throws(DownloadError) {
    self.path = path
    var partial = ""
    for part in path.split(separator: "/") {
      partial += "/" + part
      // It may be there already; what is wrong with it is seen below.
      mkdir(partial, 0o700)
    }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    var info = stat()
    guard descriptor >= 0, fstat(descriptor, &info) == 0, info.st_uid == getuid() else {
      let code = descriptor >= 0 ? EPERM : errno
      if descriptor >= 0 { close(descriptor) }
      throw Self.failure("use the folder \(path)", code)
    }
    fchmod(descriptor, 0o700)
  }

  deinit { close(descriptor) }

  private static func failure(_ operation: String, _ code: Int32) -> DownloadError {
    DownloadError(
      .disk, "cannot \(operation): \(String(cString: strerror(code)))",
      hint: "the cache is below $XDG_CACHE_HOME, else ~/.cache; is there room, and is it yours?")
  }

  // MARK: Small files

  /// Returns the bytes of a plain file of the person; `nil` if there is none, or it is longer than a
  /// record.
  func read(_ name: String) -> [UInt8]? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var info = stat()
    guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
      info.st_size <= DownloadLimits.recordBytesMax
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(info.st_size))
    let count = Glibc.read(file, &bytes, bytes.count)
    return count == bytes.count ? bytes : nil
  }

  /// Writes a file whole, in the place of another one.
  func write(_ name: String, _ bytes: [UInt8]) throws(DownloadError) {
    let part = try Part(in: self)
    try part.write(bytes)
    try part.keep(as: name)
  }

  func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  // MARK: Bodies

  /// Returns the record of a URL whose body is there, whole.
  func record(of url: DownloadURL, key: String) -> CacheRecord? {
    guard let bytes = read("\(key).json"), let record = CacheRecord(bytes, of: url) else {
      return nil
    }
    var info = stat()
    let name = CacheRecord.bodyName(key: key, hash: record.hash)
    guard fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0,
      info.st_mode & S_IFMT == S_IFREG, info.st_size == record.byteCount
    else { return nil }
    return record
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
      folder.lastNumber += 1
      name = ".part-\(getpid())-\(folder.lastNumber)"
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
      guard renameat(folder.descriptor, self.name, folder.descriptor, name) == 0 else {
        let code = errno
        unlinkat(folder.descriptor, self.name, 0)
        throw failure("write into \(folder.path)", code)
      }
    }

    func discard() {
      guard file >= 0 else { return }
      close(file)
      file = -1
      unlinkat(folder.descriptor, name, 0)
    }
  }

  // MARK: Room

  /// Removes leftovers, and then the oldest downloads until the rest fits.
  ///
  /// `kept` are keys whose files were handed out by this process.
  func makeRoom(bytesMax: Int64, keeping kept: Set<String>, now: WallTime) {
    var records: [String: WallTime] = [:]
    var bodies: [(name: String, key: String, bytes: Int64, date: WallTime)] = []
    for name in names() {
      var info = stat()
      guard fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0,
        info.st_mode & S_IFMT == S_IFREG
      else { continue }
      let date = WallTime(seconds: Int64(info.st_mtim.tv_sec))
      if name.hasPrefix(".part-") {
        if now.milliseconds(since: date) > DownloadLimits.leftoverMilliseconds { remove(name) }
      } else if name.hasSuffix(".json") {
        records[String(name.dropLast(5))] = date
      } else if let dash = name.firstIndex(of: "-") {
        bodies.append((name, String(name[..<dash]), Int64(info.st_size), date))
      }
    }
    for body in bodies where records[body.key] == nil {
      if now.milliseconds(since: body.date) > DownloadLimits.leftoverMilliseconds {
        remove(body.name)
      }
    }
    var total = bodies.reduce(0) { $0 + $1.bytes }
    var count = bodies.count + records.count
    // The record is written each time the server was asked: its date is that of the last use.
    for (key, _) in records.sorted(by: {
      ($0.value.milliseconds, $0.key) < ($1.value.milliseconds, $1.key)
    })
    where total > bytesMax || count > DownloadLimits.cacheFileCountMax {
      guard !kept.contains(key) else { continue }
      remove("\(key).json")
      count -= 1
      for body in bodies where body.key == key {
        remove(body.name)
        total -= body.bytes
        count -= 1
      }
    }
  }

  private func names() -> [String] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let folder = fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
        place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
