import Glibc

/// Sends entries with fields to systemd's journal, so that `journalctl INTENTD_KIND=…` finds them.
///
/// Source: systemd, "Native Journal Protocol": a datagram of `NAME=value` lines; a value with a
/// line break is written as its name, a line break, its length as eight bytes, and its bytes.
package struct JournalSocket: Sendable {
  private let descriptor: Int32

  /// Connects to the journal; `nil` if there is none at `path`, or if standard error goes
  /// elsewhere.
  ///
  /// `stream` is the value of $JOURNAL_STREAM, the `device:inode` of the file that systemd
  /// connected. It is compared, because a shell's redirection does not change the variable. Source:
  /// systemd.exec(5).
  package init?(
    stream: String?, path: String = "/run/systemd/journal/socket",
    standardError: Int32 = STDERR_FILENO
  ) {
    var status = stat()
    guard let stream, fstat(standardError, &status) == 0,
      stream == "\(status.st_dev):\(status.st_ino)"
    else { return nil }
    self.init(path: path)
  }

  package init?(path: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let isShort = withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard path.utf8.count < place.count else { return false }
      place.copyBytes(from: path.utf8)
      return true
    }
    let isConnected =
      isShort
      && withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
    guard isConnected else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  /// Sends an entry; false when the journal did not take it, and it should be written elsewhere.
  func send(_ fields: [(name: String, value: String)]) -> Bool {
    var datagram: [UInt8] = []
    for field in fields { Self.append(field.name, field.value, to: &datagram) }
    // Never waits: a journal that is stuck must not stop the daemon.
    let sent = Glibc.send(
      descriptor, datagram, datagram.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    return sent == datagram.count
  }

  private static func append(_ name: String, _ value: String, to datagram: inout [UInt8]) {
    datagram += Array(name.utf8)
    if value.utf8.contains(UInt8(ascii: "\n")) {
      datagram.append(UInt8(ascii: "\n"))
      let count = UInt64(value.utf8.count)
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        datagram.append(UInt8(truncatingIfNeeded: count >> shift))
      }
    } else {
      datagram.append(UInt8(ascii: "="))
    }
    datagram += Array(value.utf8)
    datagram.append(UInt8(ascii: "\n"))
  }

  /// Returns the field name of a key: `INTENTD_` and the key in capitals.
  ///
  /// The journal allows letters, digits and underscores, at most 64.
  static func fieldName(_ key: String) -> String {
    var name = "INTENTD_"
    for byte in key.utf8.prefix(56) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        name.unicodeScalars.append(Unicode.Scalar(byte - 32))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "_"
      }
    }
    return name
  }
}
