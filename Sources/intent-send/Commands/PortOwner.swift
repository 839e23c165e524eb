import Glibc
import WebPages

/// The one who listens on a port of this machine.
///
/// A port belongs to whoever came first: another user, a container, or another program of this user.
/// A code is for the person's own `intent-web` alone, so the kernel is asked whose the socket is, and
/// which program holds it.
enum PortOwner {
  /// A program that may hold the socket.
  enum Holder: String {
    case server = "intent-web"
    /// The manager, which starts the server at the first connection.
    case manager = "systemd"
  }

  /// Bytes of a table of the kernel that are read; those who listen stand at its beginning.
  private static let tableBytesMax = 1 << 20

  /// Whether somebody listens on a port of loopback.
  static func isTaken(_ port: UInt16) -> Bool { !listeners(on: port, isAnywhere: false).isEmpty }

  /// Whether these programs of this user, and nobody else, listen on a port of loopback; with
  /// `isAnywhere` on a port of any address.
  static func isOurs(
    _ port: UInt16, of holders: [Holder] = [.server, .manager], isAnywhere: Bool = false
  ) -> Bool {
    let found = listeners(on: port, isAnywhere: isAnywhere)
    guard !found.isEmpty, found.allSatisfy({ $0.user == getuid() }) else { return false }
    let held = sockets(of: holders)
    return found.allSatisfy { held.contains("socket:[\($0.socket)]") }
  }

  /// Whether this user alone listens on a port of loopback, and has a service manager whose sockets
  /// cannot be read.
  ///
  /// From systemd 254 on it has a capability of its own (`CAP_WAKE_ALARM`), and of a process with
  /// more capabilities than the reader the kernel tells neither program nor descriptors.
  static func mayBeManager(_ port: UInt16) -> Bool {
    let found = listeners(on: port, isAnywhere: false)
    guard !found.isEmpty, found.allSatisfy({ $0.user == getuid() }) else { return false }
    return names(in: "/proc").contains { process in
      var info = stat()
      return process.utf8.allSatisfy { (48...57).contains($0) }
        && stat("/proc/\(process)", &info) == 0 && info.st_uid == getuid()
        && target(of: "/proc/\(process)/exe") == nil
        && firstLine(of: "/proc/\(process)/comm") == Holder.manager.rawValue
    }
  }

  private static func firstLine(of path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    // A command's name has 15 bytes at most.
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first
      .map(String.init)
  }

  private static func listeners(
    on port: UInt16, isAnywhere: Bool
  ) -> [ListenerTable.Listener] {
    ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { path -> [ListenerTable.Listener] in
      guard let file = fopen(path, "re") else { return [] }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: tableBytesMax)
      let count = fread(&bytes, 1, bytes.count, file)
      return ListenerTable.listeners(
        on: port, isAnywhere: isAnywhere, String(decoding: bytes[..<count], as: UTF8.self))
    }
  }

  /// The sockets that programs of this user hold, as `/proc/PID/fd` names them.
  private static func sockets(of holders: [Holder]) -> Set<String> {
    var found: Set<String> = []
    for process in names(in: "/proc") where process.utf8.allSatisfy({ (48...57).contains($0) }) {
      // Of a process of another user nothing can be read.
      guard let path = target(of: "/proc/\(process)/exe"),
        let name = path.split(separator: "/").last?.split(separator: " ").first,
        holders.contains(where: { $0.rawValue == name })
      else { continue }
      let folder = "/proc/\(process)/fd"
      for descriptor in names(in: folder) {
        if let target = target(of: "\(folder)/\(descriptor)"), target.hasPrefix("socket:") {
          found.insert(target)
        }
      }
    }
    return found
  }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
        place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// The text of a link; `nil` if it cannot be read.
  private static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
