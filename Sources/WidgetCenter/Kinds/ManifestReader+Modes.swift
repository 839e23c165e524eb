import JSON

/// Reads `modes`: the modes that a kind's provider makes content for.
///
/// ```yaml
/// modes: [compact, expanded]
/// ```
extension ManifestReader {
  /// Every kind can be compact, so the largest mode that is named says all.
  mutating func readModes(_ root: LocatedValue, _ provider: ProviderDeclaration?) -> [WidgetMode] {
    guard let value = root["modes"], value.node != .null else { return [.compact] }
    let names = WidgetMode.allCases.map(\.rawValue)
    var words = [value]
    if case .array(let items) = value.node { words = items }
    var largest = WidgetMode.compact
    for item in words {
      let word = Self.scalarText(item) ?? Self.describe(item)
      guard let mode = WidgetMode(rawValue: word) else {
        report(
          item.line,
          "'\(word)' is not a mode\(didYouMean(nearest(to: word, among: names, countMax: 1)))",
          "one of \(names.joined(separator: ", "))")
        continue
      }
      largest = max(largest, mode)
    }
    if words.isEmpty {
      report(value.line, "modes is an empty list", "a list such as [compact, expanded]")
    }
    // Neither can be asked for another mode: a plugin prints what it prints for its bar, and what is
    // pushed comes by itself.
    if largest == .expanded, let provider, provider.plugin != nil || provider.exec.isEmpty {
      report(
        value.line, "modes has expanded, and the kind has no provider that can be asked for it",
        "a provider with exec and the protocol timeline or extension, or modes: [compact]")
    }
    return WidgetMode.allCases.filter { $0 <= largest }
  }
}
