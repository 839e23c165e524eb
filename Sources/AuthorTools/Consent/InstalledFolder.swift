import DaemonRuntime
import Glibc

/// A kind's folder among those that were installed.
struct InstalledFolder {
  /// The folder of all installed kinds.
  let parent: String
  let kind: String

  var path: String { "\(parent)/\(kind)" }

  /// Whether it is there.
  var exists: Bool {
    var info = stat()
    return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }

  /// Puts files in the place of those that are there.
  ///
  /// They are complete before they appear. Between two renames the kind is not there; a daemon that
  /// looks in that moment looks again.
  func replace(with files: [InstallSource.File]) throws(ToolRefusal) {
    let new = "\(parent)/.new.\(kind).\(getpid())"
    let old = "\(parent)/.old.\(kind).\(getpid())"
    do throws(FileFailure) {
      try PrivateFolder.make(parent)
      Self.remove(new)
      try PrivateFolder.make(new)
      for file in files {
        let path = "\(new)/\(file.path)"
        if let slash = path.lastIndex(of: "/") { try PrivateFolder.make(String(path[..<slash])) }
        try PrivateFolder.writeNew(file.bytes, to: path, mode: file.isProgram ? 0o755 : 0o644)
      }
    } catch {
      Self.remove(new)
      throw ToolRefusal(error.message, "nothing was installed")
    }
    let isReplaced = exists && rename(path, old) == 0
    guard rename(new, path) == 0 else {
      let reason = String(cString: strerror(errno))
      if isReplaced { rename(old, path) }
      Self.remove(new)
      throw ToolRefusal("cannot write \(path): \(reason)", "nothing was installed")
    }
    if isReplaced { Self.remove(old) }
  }

  /// Removes it with everything in it; does nothing if it is not there.
  func remove() { Self.remove(path) }

  /// Removes a file or a folder; never follows a link.
  private static func remove(_ path: String) {
    var info = stat()
    guard lstat(path, &info) == 0 else { return }
    guard info.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    if let folder = opendir(path) {
      var names: [String] = []
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
          String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
      }
      closedir(folder)
      for name in names { remove("\(path)/\(name)") }
    }
    // Best effort: what stays is hidden, or shows in the answer.
    rmdir(path)
  }
}
