import CXAttr
import Glibc

/// Finds out whether somebody else may change a file that decides which program runs.
///
/// Such a file belongs to the person or to root, and nobody else may write to it, nor put another
/// one in its place: the same holds for the folders up to the widgets folder, for the one in which
/// that stands, and for links on the way.
///
/// A group may write if it is the person's own and has their number: systems that give everybody a
/// group of their own make files so. With an access list the group's rights are the most that
/// anybody in the list has, so there the group is not the person's own. In a folder with the sticky bit, which others may write to,
/// they cannot replace a file that is not theirs.
package struct FileTrust {
  /// A file or a folder that somebody else may change.
  package struct Doubt: Error, Hashable {
    /// A part of a sentence, such as "others may write to /x".
    package var message: String
    /// The file or folder.
    package var path: String
    /// The command that mends it.
    package var remedy: String
  }

  let userID: uid_t
  let groupID: gid_t

  /// The rules for this process.
  package static var ofThisProcess: FileTrust { FileTrust(userID: geteuid(), groupID: getegid()) }

  /// Returns the first doubt about a file, the folders above it up to `folder`, that one included,
  /// and the folder in which `folder` stands; `nil`: there is none.
  ///
  /// A file that is not there is no doubt: whoever opens it will say so. If `file` is not below
  /// `folder`, its own folder is looked at alone.
  package func doubt(about file: String, upTo folder: String) -> Doubt? {
    if let doubt = doubt(about: file) { return doubt }
    let isBelow = file.hasPrefix(folder + "/")
    var path = file
    while let parent = Self.parent(of: path) {
      let isLast = path == folder || !isBelow
      path = parent
      if let doubt = doubt(about: path) { return doubt }
      if isLast { break }
    }
    return nil
  }

  /// Returns the path of the folder in which a file stands; `nil`: that is `/`, or not named.
  private static func parent(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
    return String(path[..<slash])
  }

  /// Returns the doubt about one path, and, if it is a link, about where it leads.
  private func doubt(about path: String) -> Doubt? {
    var info = stat()
    guard lstat(path, &info) == 0 else { return nil }
    guard info.st_mode & S_IFMT == S_IFLNK else { return doubt(about: path, info) }
    if info.st_uid != userID, info.st_uid != 0 {
      return Doubt(
        message: "the link \(path) belongs to user \(info.st_uid), who is neither you nor root",
        path: path, remedy: "look at it, then: sudo chown -h \(userID) \(ShellWord.quoted(path))")
    }
    guard stat(path, &info) == 0 else { return nil }
    if let doubt = doubt(about: path, info) { return doubt }
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    guard let parent = Self.parent(of: String(cString: real)), stat(parent, &info) == 0 else {
      return nil
    }
    return doubt(about: parent, info)
  }

  private func doubt(about path: String, _ info: stat) -> Doubt? {
    if info.st_uid != userID, info.st_uid != 0 {
      return Doubt(
        message: "\(path) belongs to user \(info.st_uid), who is neither you nor root",
        path: path, remedy: "look at it, then: sudo chown \(userID) \(ShellWord.quoted(path))")
    }
    let isShared = info.st_mode & S_IFMT == S_IFDIR && info.st_mode & S_ISVTX != 0
    guard !isShared else { return nil }
    let remedy = "look at it, then: chmod go-w \(ShellWord.quoted(path))"
    if info.st_mode & S_IWOTH != 0 {
      return Doubt(message: "every user may write to \(path)", path: path, remedy: remedy)
    }
    guard info.st_mode & S_IWGRP != 0 else { return nil }
    if getxattr(path, "system.posix_acl_access", nil, 0) > 0 {
      return Doubt(
        message: "an access list (ACL) lets others write to \(path)", path: path, remedy: remedy)
    }
    let isOwnGroup = info.st_gid == groupID && groupID == userID
    guard !isOwnGroup else { return nil }
    return Doubt(message: "group \(info.st_gid) may write to \(path)", path: path, remedy: remedy)
  }
}
