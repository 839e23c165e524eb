import Glibc

/// Finds out whether somebody else may change a file that decides which program runs.
///
/// Such a file belongs to the person or to root, and nobody else may write to it, nor put another
/// one in its place: the same holds for the folders up to the widgets folder.
///
/// A group may write if it is the person's own and has their number: systems that give everybody a
/// group of their own make files so. In a folder with the sticky bit, which others may write to,
/// they cannot replace a file that is not theirs.
struct FileTrust {
  /// A file or a folder that somebody else may change.
  struct Doubt: Error, Hashable {
    /// A part of a sentence, such as "others may write to /x".
    var message: String
    /// The command that mends it.
    var remedy: String
  }

  let userID: uid_t
  let groupID: gid_t

  /// The rules for this process.
  static var ofThisProcess: FileTrust { FileTrust(userID: geteuid(), groupID: getegid()) }

  /// Returns the first doubt about a file and the folders above it up to `folder`, that one
  /// included; `nil`: there is none.
  ///
  /// A file that is not there is no doubt: whoever opens it will say so. If `file` is not below
  /// `folder`, its own folder is looked at alone.
  func doubt(about file: String, upTo folder: String) -> Doubt? {
    if let doubt = doubt(about: file) { return doubt }
    let isBelow = file.hasPrefix(folder + "/")
    var path = file
    while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      path = String(path[..<slash])
      if let doubt = doubt(about: path) { return doubt }
      if path == folder || !isBelow { break }
    }
    return doubtAboutTarget(of: file)
  }

  /// Returns the doubt about the folder in which the file stands that a link leads to.
  private func doubtAboutTarget(of file: String) -> Doubt? {
    var info = stat()
    guard lstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFLNK,
      let real = realpath(file, nil)
    else { return nil }
    defer { free(real) }
    let target = String(cString: real)
    guard let slash = target.lastIndex(of: "/"), slash > target.startIndex else { return nil }
    return doubt(about: String(target[..<slash]))
  }

  private func doubt(about path: String) -> Doubt? {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    if info.st_uid != userID, info.st_uid != 0 {
      return Doubt(
        message: "\(path) belongs to user \(info.st_uid), who is neither you nor root",
        remedy: "look at it, then: sudo chown \(userID) \(ShellWord.quoted(path))")
    }
    let isShared = info.st_mode & S_IFMT == S_IFDIR && info.st_mode & S_ISVTX != 0
    guard !isShared else { return nil }
    let remedy = "look at it, then: chmod go-w \(ShellWord.quoted(path))"
    if info.st_mode & S_IWOTH != 0 {
      return Doubt(message: "every user may write to \(path)", remedy: remedy)
    }
    let isOwnGroup = info.st_gid == groupID && groupID == userID
    if info.st_mode & S_IWGRP != 0, !isOwnGroup {
      return Doubt(message: "group \(info.st_gid) may write to \(path)", remedy: remedy)
    }
    return nil
  }
}
