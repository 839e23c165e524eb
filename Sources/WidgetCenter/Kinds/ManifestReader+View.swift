import JSON

extension ManifestReader {
  /// Reads `view: html`: whether the provider is asked for a picture of each entry beside its content.
  mutating func readView(_ root: LocatedValue, _ provider: ProviderDeclaration?) -> Bool {
    guard let value = root["view"], value.node != .null else { return false }
    let word = Self.scalarText(value)
    guard word == "html" else {
      let near = word.map { nearest(to: $0, among: ["html"], countMax: 1) } ?? []
      report(
        value.line, "view is \(Self.describe(value))\(didYouMean(near))",
        "html, where the provider sends a view beside the content of each entry, or no view")
      return false
    }
    // A plugin prints what it prints for its bar; what is pushed brings its views by itself.
    if let provider, provider.plugin != nil || provider.exec.isEmpty {
      report(
        value.line, "view is html, and the kind has no provider that can be asked for it",
        "a provider with exec and the protocol timeline or extension, or no view")
      return false
    }
    return true
  }
}
