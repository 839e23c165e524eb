import Glibc

/// Makes folders and files that nobody else may change.
package enum PrivateFolder {
  /// Makes a folder, and those above it that are missing, for this user alone.
  package static func make(_ path: String) throws(FileFailure) {
    guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try make(String(path[..<slash]))
      guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    }
    throw failure("cannot make \(path)")
  }

  /// Writes a new file beside `path` and renames it: nobody sees half of it, also after a crash.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32
  ) throws(FileFailure) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let folder = path[..<slash]
    let part = "\(folder)/.\(path[path.index(after: slash)...]).\(getpid())"
    unlink(part)
    try writeNew(bytes, to: part, mode: mode)
    guard rename(part, path) == 0 else {
      let failed = failure("cannot write \(path)")
      unlink(part)
      throw failed
    }
    sync(String(folder))
  }

  /// Writes a file that is not there yet, to the disk.
  package static func writeNew(
    _ bytes: [UInt8], to path: String, mode: UInt32
  ) throws(FileFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot write \(path)") }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure("cannot write \(path)")
      }
      rest = rest.dropFirst(count)
    }
    guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else {
      throw failure("cannot write \(path)")
    }
  }

  private static func sync(_ folder: String) {
    // Best effort: some file systems cannot, and the rename itself has happened.
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  private static func failure(_ what: String) -> FileFailure {
    FileFailure(message: "\(what): \(String(cString: strerror(errno)))")
  }
}
