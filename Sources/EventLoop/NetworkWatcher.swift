import CPosix
import Glibc

/// Calls back when the machine gets or loses a way to other networks.
///
/// A machine has such a way if it has a default route that is up. The kernel reports changes of
/// links, addresses and routes; the watcher then reads the tables of routes and calls back if the
/// result changed.
@safe
package final class NetworkWatcher {
  private let watcher: DescriptorWatcher
  /// Whether there was a way to other networks at the last look.
  package private(set) var isUp: Bool
  private static let tableBytesMax = 1 << 20

  /// Starts watching.
  ///
  /// Throws if the kernel gives no reports, as in some containers; callers should then assume that
  /// the network is up.
  package init(loop: Loop, onChange: @escaping (Bool) -> Void) throws(LoopError) {
    let descriptor = try check(cposix_routes_open(), "watch", "the network")
    isUp = Self.readTables()
    var onReadable: () -> Void = {}
    watcher = try DescriptorWatcher(loop: loop, descriptor: descriptor) { onReadable() }
    onReadable = { [unowned self] in
      // Read the present tables instead of interpreting the change; a lost message counts as a
      // change.
      let isChanged = cposix_routes_changed(descriptor) != 0
      // The poll of a socket that lost messages has ended.
      watcher.resume()
      guard isChanged else { return }
      let now = Self.readTables()
      guard now != isUp else { return }
      isUp = now
      onChange(now)
    }
  }

  /// Stops watching; no callback comes afterwards.
  package func close() { watcher.close() }

  private static func readTables() -> Bool {
    hasDefaultRoute(
      ipv4: readFile("/proc/net/route"), ipv6: readFile("/proc/net/ipv6_route"))
  }

  /// Returns whether the kernel's two tables have a default route; a table that cannot be read is
  /// `nil`.
  ///
  /// Source: `Documentation/networking/proc_net`, and the flags of `<linux/route.h>`.
  package static func hasDefaultRoute(ipv4: String?, ipv6: String?) -> Bool {
    if ipv4 == nil, ipv6 == nil { return true }
    let isUp: UInt32 = 0x1
    let isRejected: UInt32 = 0x200
    func allows(_ flags: Substring) -> Bool {
      guard let flags = UInt32(flags, radix: 16) else { return false }
      return flags & isUp != 0 && flags & isRejected == 0
    }
    for line in (ipv4 ?? "").split(separator: "\n").dropFirst() {
      let fields = line.split { $0 == "\t" || $0 == " " }
      // Fields: interface, destination, gateway, flags, three counters, mask.
      guard fields.count >= 8, fields[0] != "lo" else { continue }
      if fields[1] == "00000000", fields[7] == "00000000", allows(fields[3]) { return true }
    }
    for line in (ipv6 ?? "").split(separator: "\n") {
      let fields = line.split(separator: " ")
      // Fields: destination, its length, source, its length, next hop, three numbers, flags,
      // interface.
      guard fields.count >= 10, fields[9] != "lo", fields[1] == "00" else { continue }
      if fields[0].allSatisfy({ $0 == "0" }), allows(fields[8]) { return true }
    }
    return false
  }

  private static func readFile(_ path: String) -> String? {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { _ = Glibc.close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < tableBytesMax {
      let capacity = buffer.count
      let count = unsafe buffer.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress, capacity)
      }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
