/// An address of IPv4 or IPv6, and whether it belongs to the public internet.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
  /// 4 bytes, or 16.
  package let bytes: [UInt8]

  /// Makes an address of 4 or 16 bytes; `nil` for another number.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads four numbers with dots: `192.0.2.1`.
  package init?(ipv4 text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ 48...57 ~= $0 }),
        let byte = UInt8(part), part == "0" || !part.hasPrefix("0")
      else { return nil }
      bytes.append(byte)
    }
    self.bytes = bytes
  }

  /// Reads groups of hexadecimal digits with colons: `2001:db8::1`, `::ffff:192.0.2.1`; no zone.
  package init?(ipv6 text: String) {
    guard text.utf8.count <= 45, text.contains(":") else { return nil }
    var halves: [[UInt8]] = []
    var rest = text[...]
    if let gap = rest.firstRange(of: "::") {
      guard let first = Self.groups(rest[..<gap.lowerBound], mayEndInIPv4: false) else {
        return nil
      }
      halves.append(first)
      rest = rest[gap.upperBound...]
      guard !rest.contains("::") else { return nil }
    }
    guard let last = Self.groups(rest, mayEndInIPv4: true) else { return nil }
    if halves.isEmpty {
      guard last.count == 16 else { return nil }
      bytes = last
    } else {
      let missing = 16 - halves[0].count - last.count
      guard missing >= 2 else { return nil }
      bytes = halves[0] + [UInt8](repeating: 0, count: missing) + last
    }
  }

  private static func groups(_ text: Substring, mayEndInIPv4: Bool) -> [UInt8]? {
    if text.isEmpty { return [] }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 8 else { return nil }
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if mayEndInIPv4, index == parts.count - 1, part.contains(".") {
        guard let inner = NetworkAddress(ipv4: part) else { return nil }
        bytes += inner.bytes
      } else {
        guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0 != 43 && $0 != 45 }),
          let group = UInt16(part, radix: 16)
        else { return nil }
        bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
      }
    }
    return bytes.count <= 16 ? bytes : nil
  }

  /// Whether programs of other people's machines are at this address: neither this machine, nor its
  /// own network, nor anything that is set aside.
  ///
  /// An address that carries one of IPv4 in it is judged by that one. Of IPv6 only 2000::/3 is given
  /// out at all. Source: IANA's registries of special-purpose addresses (RFC 6890), RFC 6598
  /// (100.64.0.0/10), RFC 4193 (fc00::/7), RFC 6052 (64:ff9b::/96).
  package var isPublic: Bool {
    if bytes.count == 4 { return !Self.reservedIPv4.contains { $0.contains(bytes) } }
    if let inner = embeddedIPv4 { return inner.isPublic }
    return Self.globalIPv6.contains(bytes) && !Self.reservedIPv6.contains { $0.contains(bytes) }
  }

  /// The address of IPv4 inside a mapped one (::ffff:0:0/96), or one that NAT64 translates.
  var embeddedIPv4: NetworkAddress? {
    let isMapped = Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96).contains(bytes)
    let isTranslated = Block([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96).contains(bytes)
    return isMapped || isTranslated ? NetworkAddress(bytes: Array(bytes.suffix(4))) : nil
  }

  package var description: String {
    guard bytes.count == 16 else { return bytes.map { String($0) }.joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }.joined(separator: ":")
  }

  /// The addresses that begin with the same bits.
  private struct Block {
    let prefix: [UInt8]
    let bitCount: Int

    init(_ prefix: [UInt8], _ bitCount: Int) {
      self.prefix = prefix
      self.bitCount = bitCount
    }

    func contains(_ bytes: [UInt8]) -> Bool {
      let whole = bitCount / 8
      guard bytes.prefix(whole).elementsEqual(prefix.prefix(whole)) else { return false }
      let left = bitCount % 8
      guard left > 0 else { return true }
      let mask = UInt8.max << UInt8(8 - left)
      return bytes[whole] & mask == prefix[whole] & mask
    }
  }

  private static let reservedIPv4 = [
    Block([0], 8), Block([10], 8), Block([100, 64], 10), Block([127], 8), Block([169, 254], 16),
    Block([172, 16], 12), Block([192, 0, 0], 24), Block([192, 0, 2], 24), Block([192, 88, 99], 24),
    Block([192, 168], 16), Block([198, 18], 15), Block([198, 51, 100], 24),
    Block([203, 0, 113], 24), Block([224], 3),
  ]
  private static let globalIPv6 = Block([0x20], 3)
  private static let reservedIPv6 = [
    // Protocol assignments, Teredo and ORCHID among them; documentation; 6to4; documentation.
    Block([0x20, 0x01, 0x00], 23), Block([0x20, 0x01, 0x0D, 0xB8], 32), Block([0x20, 0x02], 16),
    Block([0x3F, 0xFF, 0x00], 20),
  ]
}
