import DaemonCore
import Glibc

/// The rescue of a file whose first page is lost: without that page SQLite reads no row, though all
/// are there.
///
/// A copy gets the first page of a new store, and the repair reads the copy. Nothing writes to the
/// damaged file itself.
extension StoreFile {
  var rescuePath: String { path + ".rescue" }

  /// Makes the copy; false when there is nothing behind a first page.
  func makeRescue(firstPage: [UInt8]) throws(StoreFailure) -> Bool {
    let pageCount = (size() ?? 0) / StoreLimits.pageBytes
    guard pageCount > 1 else { return false }
    try removeRescue()
    var page = firstPage
    func put(_ value: UInt32, at offset: Int) {
      for index in 0..<4 {
        page[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index))
      }
    }
    // Source: SQLite's "Database File Format": size in pages, first page and count of the free
    // list.
    put(UInt32(pageCount), at: 28)
    put(0, at: 32)
    put(0, at: 36)
    try Self.copy(path, to: rescuePath, skipping: StoreLimits.pageBytes, first: page)
    // The last acknowledged rows may stand in the log only.
    if size(ending: "-wal") != nil {
      try Self.copy(path + "-wal", to: rescuePath + "-wal", skipping: 0, first: [])
    }
    return true
  }

  func removeRescue() throws(StoreFailure) {
    for ending in ["", "-wal", "-shm"] {
      guard unsafe unlink(rescuePath + ending) == 0 || errno == ENOENT else {
        throw .system("unlink", rescuePath + ending, errno: errno)
      }
    }
  }

  /// Reads a part of the file; the result is shorter when the file ends before.
  func bytes(_ range: Range<Int>) throws(StoreFailure) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system("open", path, errno: errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = unsafe pread(descriptor, &bytes, bytes.count, range.lowerBound)
    guard count >= 0 else { throw .system("read", path, errno: errno) }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Writes `first` and then the rest of `source`, without its first `skipped` bytes, to `target`.
  ///
  /// Pages that cannot be read are zeros in the copy.
  private static func copy(
    _ source: String, to target: String, skipping skipped: Int, first: [UInt8]
  ) throws(StoreFailure) {
    let reader = unsafe open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard reader >= 0 else { throw .system("open", source, errno: errno) }
    defer { close(reader) }
    let writer = unsafe open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard writer >= 0 else { throw .system("open", target, errno: errno) }
    defer { close(writer) }
    try write(first, to: writer, at: 0, target)
    var chunk = [UInt8](repeating: 0, count: 256 * StoreLimits.pageBytes)
    var offset = skipped
    while true {
      let count = unsafe pread(reader, &chunk, chunk.count, offset)
      if count == 0 { return }
      if count < 0 {
        guard errno == EIO else { throw .system("read", source, errno: errno) }
        // A bad sector: the pages behind it may be good.
        offset += StoreLimits.pageBytes
        continue
      }
      try write(Array(chunk.prefix(count)), to: writer, at: offset, target)
      offset += count
    }
  }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, at offset: Int, _ path: String
  ) throws(StoreFailure) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { raw in
        unsafe pwrite(
          descriptor, raw.baseAddress.map { unsafe $0 + done }, bytes.count - done, offset + done)
      }
      guard count > 0 else { throw .system("write", path, errno: errno) }
      done += count
    }
  }
}
