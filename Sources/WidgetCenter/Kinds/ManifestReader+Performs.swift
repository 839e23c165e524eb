import JSON

extension ManifestReader {
  /// Reads `performs`: the names of the intents whose code is in the program.
  ///
  /// Only a program with the protocol `extension` has a request for it.
  mutating func readPerforms(_ root: LocatedValue, _ provider: ProviderDeclaration?) -> [String] {
    guard let value = root["performs"], value.node != .null else { return [] }
    let most = Limits.performedIntentCountMax
    guard case .array(let items) = value.node, items.count <= most else {
      report(
        value.line, "performs is \(Self.describe(value))",
        "a list of at most \(most) names of intents, such as [AddOne]")
      return []
    }
    if let provider, !provider.exec.isEmpty, !items.isEmpty,
      provider.providerProtocol != .extension
    {
      report(
        value.line, "performs is there, and the program is asked in another protocol",
        "provider: {protocol: extension}, whose programs have provider.perform")
    }
    var names: [String] = []
    for item in items {
      guard case .string(let name) = item.node, Self.isIntentName(name) else {
        report(
          item.line, "an intent of performs is \(Self.describe(item))",
          "letters, digits and '_', beginning with a letter, at most \(Limits.intentNameBytesMax)")
        continue
      }
      guard !names.contains(name) else {
        report(item.line, "performs has '\(name)' twice", "each intent once")
        continue
      }
      names.append(name)
    }
    return names
  }

  /// Whether an intent may have this name: `[A-Za-z][A-Za-z0-9_]{0,127}`, as in the catalogue.
  private static func isIntentName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= Limits.intentNameBytesMax else {
      return false
    }
    func isLetter(_ byte: UInt8) -> Bool {
      (65...90).contains(byte) || (97...122).contains(byte)
    }
    return isLetter(first)
      && text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == 95 }
  }
}
