/// What a provider asks for in its manifest beyond its own folders: `permissions`.
package struct ProviderPermissions: Hashable, Sendable {
  /// Sockets of IPv4 and IPv6.
  package var network = false
  /// Files and folders that it reads, with everything below them: absolute, or from `~/` on.
  package var read: [String] = []
  /// Files and folders that it reads and changes, written as in `read`.
  package var write: [String] = []
  /// Names on the session bus that it talks to, such as `org.mpris.MediaPlayer2.*`.
  package var bus: [String] = []

  package init(
    network: Bool = false, read: [String] = [], write: [String] = [], bus: [String] = []
  ) {
    self.network = network
    self.read = read
    self.write = write
    self.bus = bus
  }

  /// Whether it asks for nothing.
  package var isEmpty: Bool { self == ProviderPermissions() }
}

/// How a provider is held while it runs.
package enum Containment: Hashable, Sendable {
  /// Limits only: it may do what a script in the person's bar may do.
  case open
  /// In a box, with nothing but its own folders and what was granted.
  case boxed(ProviderPermissions)
}
