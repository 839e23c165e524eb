import CPosix
import Glibc

/// Calls back when the machine gets a way to other networks, or loses it.
///
/// The kernel tells of every change of links, addresses and routes; the tables of routes are then read anew, and
/// only a change of their answer is passed on. A machine has a way when it has a default route that is up.
@safe
package final class NetworkWatcher {
  private let watcher: DescriptorWatcher
  /// As of the last look.
  package private(set) var isUp: Bool
  private static let tableBytesMax = 1 << 20

  /// Throws where the kernel does not tell, such as in some containers: then nobody should wait for it.
  package init(loop: Loop, onChange: @escaping (Bool) -> Void) throws(LoopError) {
    let descriptor = try check(cposix_routes_open(), "watch", "the network")
    isUp = Self.readTables()
    var onReadable: () -> Void = {}
    watcher = try DescriptorWatcher(loop: loop, descriptor: descriptor) { onReadable() }
    onReadable = { [unowned self] in
      // What exactly changed matters less than how things are now; lost messages are changes, too.
      guard cposix_routes_changed(descriptor) != 0 else { return }
      let now = Self.readTables()
      guard now != isUp else { return }
      isUp = now
      onChange(now)
    }
  }

  package func close() { watcher.close() }

  private static func readTables() -> Bool {
    hasDefaultRoute(
      ipv4: readFile("/proc/net/route"), ipv6: readFile("/proc/net/ipv6_route"))
  }

  /// Reads the kernel's two tables of routes; `nil`, where one cannot be read, says nothing.
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
      // Interface, destination, gateway, flags, three counters, mask.
      guard fields.count >= 8, fields[0] != "lo" else { continue }
      if fields[1] == "00000000", fields[7] == "00000000", allows(fields[3]) { return true }
    }
    for line in (ipv6 ?? "").split(separator: "\n") {
      let fields = line.split(separator: " ")
      // Destination and its length, source and its length, next hop, three numbers, flags, interface.
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
