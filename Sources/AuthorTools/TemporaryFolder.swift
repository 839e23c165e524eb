import DaemonRuntime
import EventLoop
import Glibc

/// Folders for the caches of providers that are tried, and that must neither find nor leave anything
/// in those of the real ones.
enum TemporaryFolder {
  /// Makes a private folder in the person's folder for temporary files.
  static func make(_ name: String, _ options: RuntimeOptions) throws(LoopError) -> String {
    let parent = options.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      let reason = String(cString: strerror(errno))
      throw LoopError(
        code: .system, operation: "make", context: "a folder in \(parent)", because: reason)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a folder with its contents; links are removed and not followed.
  ///
  /// Best effort: the rest is in the folder for temporary files.
  static func remove(_ path: String) {
    if let directory = opendir(path) {
      var names: [String] = []
      while let entry = readdir(directory) {
        names.append(
          withUnsafeBytes(of: &entry.pointee.d_name) { raw in
            String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
          })
      }
      closedir(directory)
      for name in names where name != "." && name != ".." {
        let inner = path + "/" + name
        if unlink(inner) != 0 { remove(inner) }
      }
    }
    rmdir(path)
  }
}
