import Digests
import Glibc
package import WidgetCenter

extension FileIdentity {
  /// The identity in a result of `stat`.
  private init(_ info: stat) {
    self.init(
      device: UInt64(info.st_dev), inode: UInt64(info.st_ino), size: Int64(info.st_size),
      modified: Self.nanoseconds(info.st_mtim), changed: Self.nanoseconds(info.st_ctim))
  }

  /// The identity of a file, through links; `nil`: there is none, or it is no regular file.
  package init?(of path: String) {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(info)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension PinnedFile {
  /// Reads and hashes a file of at most `bytesMax` bytes; a failure says why it cannot be pinned.
  package static func read(_ path: String, bytesMax: Int) -> Result<PinnedFile, FileFailure> {
    // The identity comes first: a change while the file is read leaves an old one, and the file is
    // read again before the next run.
    guard let identity = FileIdentity(of: path) else {
      return .failure(FileFailure(message: "it is not a regular file"))
    }
    return readFile(path, bytesMax: bytesMax).map { bytes in
      PinnedFile(path: path, digest: SHA256.digest(of: bytes), identity: identity)
    }
  }
}
