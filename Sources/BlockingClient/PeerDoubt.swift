import Glibc

/// The reason why a client does not trust the socket at a path: somebody else may be behind it.
package enum PeerDoubt: Hashable, Sendable {
  /// The folder of the socket belongs to another user than this one or root.
  case folderOfAnother(folder: String, uid: UInt32)
  /// Others may write into the folder of the socket, so that they could put their own there.
  case folderOpen(folder: String, mode: UInt32)
  /// The socket's file belongs to another user.
  case socketOfAnother(uid: UInt32)
  /// The process that listens runs as another user.
  case listenerOfAnother(uid: UInt32)

  /// Returns the reason not to connect to `path` as the user `me`; `nil` if there is none, or if
  /// there is no such folder or socket.
  ///
  /// It looks at the folder and at the socket, through links, and not at the folders above. All may
  /// change before the connection is there, so `ofListener` looks again at the process behind it.
  /// In a folder with the sticky bit, such as /tmp, nobody can replace the socket of another user.
  static func ofPlace(_ path: String, for me: UInt32) -> PeerDoubt? {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var info = stat()
    guard stat(folder, &info) == 0 else { return nil }
    guard info.st_uid == me || info.st_uid == 0 else {
      return .folderOfAnother(folder: folder, uid: info.st_uid)
    }
    if info.st_mode & (S_IWGRP | S_IWOTH) != 0, info.st_mode & S_ISVTX == 0 {
      return .folderOpen(folder: folder, mode: info.st_mode & 0o7777)
    }
    guard stat(path, &info) == 0 else { return nil }
    return info.st_uid == me ? nil : .socketOfAnother(uid: info.st_uid)
  }

  /// Returns the reason not to send to the process that listens; `nil` if it runs as `me`.
  ///
  /// The kernel noted the user of the process that began to listen; for a socket that systemd hands
  /// over, that is the user's manager. If the kernel cannot say, the user is given as the largest
  /// number, which nobody has.
  static func ofListener(_ descriptor: Int32, for me: UInt32) -> PeerDoubt? {
    var credentials = Credentials()
    var length = socklen_t(MemoryLayout<Credentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
      return .listenerOfAnother(uid: .max)
    }
    return credentials.uid == me ? nil : .listenerOfAnother(uid: credentials.uid)
  }

  /// The doubt about `path` in words for a person: lower case, no full stop.
  package func message(_ path: String) -> String {
    switch self {
    case .folderOfAnother(let folder, let uid):
      "nothing was sent: the folder \(folder) belongs to another user (uid \(uid))"
    case .folderOpen(let folder, let mode):
      "nothing was sent: others may write into \(folder) (mode \(String(mode, radix: 8)))"
    case .socketOfAnother(let uid):
      "nothing was sent: \(path) belongs to another user (uid \(uid))"
    case .listenerOfAnother(let uid):
      "nothing was sent: another user (uid \(uid)) listens on \(path)"
    }
  }

  /// The next step for the person.
  package var remedy: String {
    switch self {
    case .folderOpen(let folder, _): "close it with: chmod go-w \(folder)"
    case .folderOfAnother, .socketOfAnother, .listenerOfAnother:
      "name your own daemon's socket with --socket, $INTENTD_SOCKET or $XDG_RUNTIME_DIR"
    }
  }
}

/// `struct ucred` of the kernel, which Swift's Glibc module does not have.
private struct Credentials {
  var pid: Int32 = 0
  var uid: UInt32 = 0
  var gid: UInt32 = 0
}
