import JSON

/// Reads a manifest without `provider`: its widgets show what producers push to them.
extension ManifestReader {
  /// The keys that say how a provider is asked or held, and so have no effect without one.
  private static let keysOfProvider = [
    "intent", "reload", "needs", "suggest", "env", "permissions", "sandbox", "privileges",
    "performs",
  ]

  /// Returns the declaration of a provider that is not there.
  ///
  /// A key that is nearly `provider` was meant as one: a kind must not lose its program by a slip
  /// of the pen.
  mutating func readAbsentProvider(_ root: LocatedValue) -> ProviderDeclaration? {
    guard case .object(let members) = root.node else { return nil }
    let written = members.map(\.key).filter { !Self.keys.contains($0) }
    if let slip = nearest(to: "provider", among: written, countMax: 1).first,
      let line = members.first(where: { $0.key == slip })?.line
    {
      report(
        line, "provider is missing, and '\(slip)' is written",
        "provider: a mapping with exec: [program, argument…]")
      return nil
    }
    for member in members where Self.keysOfProvider.contains(member.key) {
      guard member.value.node != .null else { continue }
      report(
        member.line, "\(member.key) has no effect without a provider",
        "a provider, or no \(member.key): the widgets show what is pushed to them")
    }
    return ProviderDeclaration(exec: [], directory: source.directory)
  }
}
