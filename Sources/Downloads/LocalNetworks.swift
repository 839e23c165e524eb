/// The networks that this machine is a part of, by the addresses of its interfaces.
///
/// Public addresses may be among them: those of the machine itself, as each has with IPv6, and those
/// of its neighbours, which a firewall keeps from the internet and not from this machine.
package struct LocalNetworks: Hashable, Sendable {
  /// An address of an interface.
  package struct Interface: Hashable, Sendable {
    package var address: NetworkAddress
    /// The bits that all addresses of its network share; `nil`: it is not known.
    package var mask: NetworkAddress?
    /// Whether it leads to one other machine and into no network, as that of a tunnel.
    package var isPointToPoint: Bool

    package init(address: NetworkAddress, mask: NetworkAddress?, isPointToPoint: Bool) {
      self.address = address
      self.mask = mask
      self.isPointToPoint = isPointToPoint
    }
  }

  private let interfaces: [Interface]

  package init(_ interfaces: [Interface]) { self.interfaces = interfaces }

  /// Whether an address is one of this machine, or of a network that an interface is in.
  ///
  /// A mask without a bit would make the whole internet a neighbour: then, and at an end of a tunnel,
  /// only the interface's own address counts.
  package func contains(_ address: NetworkAddress) -> Bool {
    let bytes = (address.embeddedIPv4 ?? address).bytes
    return interfaces.contains { interface in
      let own = interface.address.bytes
      guard own.count == bytes.count else { return false }
      let mask = interface.mask?.bytes ?? []
      guard !interface.isPointToPoint, mask.count == own.count, mask.contains(where: { $0 != 0 })
      else { return own == bytes }
      return bytes.indices.allSatisfy { bytes[$0] & mask[$0] == own[$0] & mask[$0] }
    }
  }
}
