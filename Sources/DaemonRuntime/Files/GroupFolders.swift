import Glibc

/// The folders that apps share with their widgets, one for each group.
///
/// A folder is made when somebody first needs it, for this user alone. A link in its place is never
/// followed: it would give a program in a box what the link names.
package struct GroupFolders: Sendable {
  /// The folder with a folder for each group; it may not exist yet.
  package let folder: String

  package init(folder: String) { self.folder = folder }

  /// The path of a group's folder; `name` keeps the rules of an identifier.
  package func path(of name: String) -> String { "\(folder)/\(name)" }

  /// Makes the folder of a group if it is not there; throws why it cannot be used.
  package func make(_ name: String) throws(FileFailure) {
    try PrivateFolder.make(path(of: name))
    try check(folder)
    try check(path(of: name))
  }

  /// Sees to it that a folder is this user's own, no link, and open to nobody else.
  private func check(_ path: String) throws(FileFailure) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = errno == ENOTDIR || errno == ELOOP ? "it is no folder, or a link" : errorText()
      throw FileFailure(
        message: "the folder \(path) cannot be used: \(reason); move it away, and a new one is made"
      )
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileFailure(message: "the folder \(path) cannot be read: \(errorText())")
    }
    guard status.st_uid == geteuid() else {
      throw FileFailure(
        message: "the folder \(path) belongs to the user \(status.st_uid); move it away, and a new"
          + " one is made")
    }
    guard status.st_mode & 0o077 != 0 else { return }
    guard fchmod(descriptor, 0o700) == 0 else {
      throw FileFailure(message: "the folder \(path) cannot be closed to others: \(errorText())")
    }
  }

  private func errorText() -> String { String(cString: strerror(errno)) }
}
