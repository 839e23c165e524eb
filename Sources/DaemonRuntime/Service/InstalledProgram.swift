import Glibc

/// The build of a program that runs, and the path where an upgrade would put another one.
///
/// An upgrade puts a new file at the path; the process goes on with the old one. A look costs a
/// microsecond, so that no watch is needed.
struct InstalledProgram {
  private let path: String
  private let running: Build

  /// Takes the file that is at `path` now for the running build; `nil` if there is none.
  init?(path: String) {
    guard let running = Build(of: path) else { return nil }
    self.init(path: path, running: running)
  }

  private init(path: String, running: Build) {
    self.path = path
    self.running = running
  }

  /// Returns the program of this process; `nil` where the system does not name it, as without
  /// `/proc`.
  static func current() -> InstalledProgram? {
    let link = "/proc/self/exe"
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    // The link leads to the running file, even when the path has another file already.
    guard count > 0, count < bytes.count, let running = Build(of: link) else { return nil }
    let text = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let mark = " (deleted)"
    return InstalledProgram(
      path: text.hasSuffix(mark) ? String(text.dropLast(mark.count)) : text, running: running)
  }

  /// Returns the folder of the program of this process, where its fellows are; `nil` where the system
  /// does not name it.
  static func folder() -> String? {
    guard let path = current()?.path, let slash = path.lastIndex(of: "/") else { return nil }
    return String(path[..<slash])
  }

  /// Whether another build is at the path; false while no file is there at all.
  var isReplaced: Bool { Build(of: path).map { !$0.isSame(as: running) } ?? false }

  /// The marks of a file by which two builds of a program differ, so that neither is read.
  ///
  /// Not the inode: a package that is installed again is the same build in a new file.
  private struct Build {
    var byteCount: off_t
    var modified: timespec

    init?(of path: String) {
      var info = stat()
      guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
      byteCount = info.st_size
      modified = info.st_mtim
    }

    func isSame(as other: Build) -> Bool {
      byteCount == other.byteCount && modified.tv_sec == other.modified.tv_sec
        && modified.tv_nsec == other.modified.tv_nsec
    }
  }
}
