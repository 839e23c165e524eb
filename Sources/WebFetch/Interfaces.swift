import Downloads
import Glibc

/// The interfaces of this machine, as the kernel lists them.
@safe
enum Interfaces {
  /// `IFF_POINTOPOINT`, which C has as a macro of itself.
  private static let pointToPoint: UInt32 = 0x10

  /// Returns the networks that this machine is a part of now.
  static func networks() throws(WebFetchError) -> LocalNetworks {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&first) == 0 else {
      throw WebFetchError(
        message:
          "the addresses of this machine cannot be listed: \(unsafe String(cString: strerror(errno)))"
      )
    }
    defer { unsafe freeifaddrs(first) }
    var interfaces: [LocalNetworks.Interface] = []
    var next = unsafe first
    while let entry = unsafe next {
      let place = unsafe entry.pointee
      unsafe next = unsafe place.ifa_next
      guard let address = unsafe Self.address(place.ifa_addr) else { continue }
      interfaces.append(
        LocalNetworks.Interface(
          address: address, mask: unsafe Self.address(place.ifa_netmask),
          isPointToPoint: unsafe place.ifa_flags & pointToPoint != 0))
    }
    return LocalNetworks(interfaces)
  }

  /// Returns an address of IPv4 or IPv6; `nil` for another kind, and for none.
  private static func address(_ place: UnsafeMutablePointer<sockaddr>?) -> NetworkAddress? {
    guard let place = unsafe place else { return nil }
    let raw = UnsafeRawPointer(place)
    switch unsafe Int32(place.pointee.sa_family) {
    case AF_INET:
      let address = unsafe raw.loadUnaligned(as: sockaddr_in.self).sin_addr
      return unsafe withUnsafeBytes(of: address) { unsafe NetworkAddress(bytes: Array($0)) }
    case AF_INET6:
      let address = unsafe raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      return unsafe withUnsafeBytes(of: address) { unsafe NetworkAddress(bytes: Array($0)) }
    default: return nil
    }
  }
}
