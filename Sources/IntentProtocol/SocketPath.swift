/// The place where the daemon listens and clients look for it.
///
/// `$INTENTD_SOCKET`; else `$XDG_RUNTIME_DIR/intentd/intentd.sock`; else a private folder under the
/// temporary one, named after the user. Relative values are ignored, as the base directory
/// specification says.
package struct SocketLocation: Hashable, Sendable {
  package var path: String
  /// The folder that the daemon makes (mode 0700) when it is missing; `nil` when the person named
  /// the path.
  package var privateFolder: String?

  package init(path: String, privateFolder: String?) {
    self.path = path
    self.privateFolder = privateFolder
  }

  /// Finds the socket for a user; `environment` returns the value of a variable.
  package static func find(
    userID: UInt32, environment: (String) -> String?
  ) -> SocketLocation {
    if let path = environment("INTENTD_SOCKET"), path.hasPrefix("/") {
      return SocketLocation(path: path, privateFolder: nil)
    }
    if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
      let folder = runtime + "/intentd"
      return SocketLocation(path: folder + "/intentd.sock", privateFolder: folder)
    }
    var temporary = environment("TMPDIR") ?? "/tmp"
    if !temporary.hasPrefix("/") { temporary = "/tmp" }
    while temporary.count > 1, temporary.hasSuffix("/") { temporary.removeLast() }
    let folder = "\(temporary)/intentd-\(userID)"
    return SocketLocation(path: folder + "/intentd.sock", privateFolder: folder)
  }
}
