/// The kernel's list of TCP sockets: who listens on a port.
///
/// A port of loopback belongs to whoever came first. So `intent-send web` looks whose program
/// listens before it hands over a code.
package enum ListenerTable {
  /// A socket that listens.
  package struct Listener: Hashable, Sendable {
    /// The id of the user who made it.
    package var user: UInt32
    /// The number by which `/proc/PID/fd` of its program names it: `socket:[NUMBER]`.
    package var socket: UInt64

    package init(user: UInt32, socket: UInt64) {
      self.user = user
      self.socket = socket
    }
  }

  /// Returns the sockets on which a connection to 127.0.0.1 at `port` may end; with `isAnywhere`
  /// those at every address of this machine.
  ///
  /// `text` is that of /proc/net/tcp, or of /proc/net/tcp6: a socket there may take connections of
  /// IPv4, too. Source: proc(5).
  package static func listeners(
    on port: UInt16, isAnywhere: Bool = false, _ text: String
  ) -> [Listener] {
    text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      // State 0A is LISTEN; an address is hexadecimal, in the byte order of the machine.
      guard fields.count > 9, fields[3] == "0A", let colon = fields[1].firstIndex(of: ":"),
        UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port,
        isAnywhere || loopback.contains(String(fields[1][..<colon])),
        let user = UInt32(fields[7]), let socket = UInt64(fields[9])
      else { return nil }
      return Listener(user: user, socket: socket)
    }
  }

  /// The addresses that 127.0.0.1 leads to, on machines of either byte order: itself, every address,
  /// and both as addresses of IPv6.
  private static let loopback: Set<String> = [
    "0100007F", "7F000001", "00000000", String(repeating: "0", count: 32),
    "0000000000000000FFFF00000100007F", "00000000000000000000FFFF7F000001",
  ]
}
