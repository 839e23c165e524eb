/// The kernel's list of TCP sockets: who listens on a port of loopback.
///
/// A port of loopback belongs to whoever came first. So `intent-send web` looks whose program
/// listens before it hands over a code.
package enum ListenerTable {
  /// Returns the user ids of those who listen where a connection to 127.0.0.1 at `port` may end.
  ///
  /// `text` is that of /proc/net/tcp. Source: proc(5).
  package static func users(listeningOn port: UInt16, _ text: String) -> [UInt32] {
    text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      // State 0A is LISTEN; an address is hexadecimal, in the byte order of the machine.
      guard fields.count > 7, fields[3] == "0A", let colon = fields[1].firstIndex(of: ":"),
        UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port,
        ["0100007F", "7F000001", "00000000"].contains(fields[1][..<colon])
      else { return nil }
      return UInt32(fields[7])
    }
  }
}
