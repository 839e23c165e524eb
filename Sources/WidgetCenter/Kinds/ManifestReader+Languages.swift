import JSON

/// Reads the texts of a manifest that people read, each in one language or in several.
///
/// ```yaml
/// name: {en: Weather, zh-CN: 天气}
/// ```
extension ManifestReader {
  mutating func localizedText(
    _ parent: LocatedValue, _ key: String, required: Bool
  ) -> LocalizedText? {
    guard let value = parent[key], case .object(let members) = value.node else {
      return text(parent, key, required: required).map { LocalizedText($0.value) }
    }
    let most = LocalizedText.languageCountMax
    guard (1...most).contains(members.count) else {
      report(
        value.line, "\(key) is \(Self.describe(value))",
        "a text, or a mapping of 1 to \(most) languages such as {en: Weather, zh-CN: 天气}")
      return nil
    }
    var versions: [LocalizedText.Version] = []
    for member in members {
      guard LocalizedText.isLanguage(member.key) else {
        report(
          member.line, "\(key) has the language '\(member.key)'", "a code such as en or zh-CN")
        continue
      }
      guard
        !versions.contains(where: { $0.language.lowercased() == member.key.lowercased() })
      else {
        report(member.line, "\(key) has the language '\(member.key)' twice", "each language once")
        continue
      }
      if let text = text(value, member.key, required: true, path: "\(key).\(member.key)") {
        versions.append(.init(language: member.key, text: text.value))
      }
    }
    return versions.isEmpty ? nil : LocalizedText(versions)
  }
}
