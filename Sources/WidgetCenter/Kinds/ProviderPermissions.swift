package import JSON

/// The permissions that a provider asks for in its manifest, beyond its own folders.
package struct ProviderPermissions: Hashable, Sendable {
  /// Sockets of IPv4 and IPv6.
  package var network = false
  /// Files and folders that it reads, with everything below them: absolute, or from `~/` on.
  package var read: [String] = []
  /// Files and folders that it reads and changes, written as in `read`.
  package var write: [String] = []
  /// Names on the session bus that it talks to, such as `org.mpris.MediaPlayer2.*`.
  package var bus: [String] = []
  /// The group of another app whose folder it shares; `nil`: none, or one that is its own app's.
  package var group: String?

  package init(
    network: Bool = false, read: [String] = [], write: [String] = [], bus: [String] = [],
    group: String? = nil
  ) {
    self.network = network
    self.read = read
    self.write = write
    self.bus = bus
    self.group = group
  }

  /// Whether it asks for nothing.
  package var isEmpty: Bool { self == ProviderPermissions() }

  /// The permissions that are in both, in the order of this one.
  package func intersection(_ other: ProviderPermissions) -> ProviderPermissions {
    ProviderPermissions(
      network: network && other.network, read: read.filter(other.read.contains),
      write: write.filter(other.write.contains), bus: bus.filter(other.bus.contains),
      group: group == other.group ? group : nil)
  }

  /// The permissions that this has and `other` has not.
  package func subtracting(_ other: ProviderPermissions) -> ProviderPermissions {
    ProviderPermissions(
      network: network && !other.network, read: read.filter { !other.read.contains($0) },
      write: write.filter { !other.write.contains($0) },
      bus: bus.filter { !other.bus.contains($0) }, group: group == other.group ? nil : group)
  }

  /// As a grant and the wire write them: four members, and `group` if there is one.
  package var json: JSONValue {
    var json: JSONObject = [
      "network": .bool(network), "read": .array(read.map { .string($0) }),
      "write": .array(write.map { .string($0) }), "bus": .array(bus.map { .string($0) }),
    ]
    if let group { json["group"] = .string(group) }
    return .object(json)
  }
}

/// The hold on a provider while it runs.
package enum Containment: Hashable, Sendable {
  /// Limits only: it may do what a script in the person's bar may do.
  case open
  /// In a box, with nothing but its own folders and what was granted.
  case boxed(ProviderPermissions)
}
