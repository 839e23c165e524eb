import JSON

/// Reads the texts of an intent that people read, each in one language or in several.
extension CatalogLoader {
  /// Reads a text, or a mapping by language: `{en: Which city?, zh-CN: 哪个城市？}`.
  mutating func localizedText(
    _ value: LocatedValue, _ what: String, in file: String
  ) -> LocalizedText? {
    guard case .object(let members) = value.node else {
      return string(value, what, in: file).map { LocalizedText($0) }
    }
    guard (1...LocalizedText.languageCountMax).contains(members.count) else {
      report(
        file, value.line, "\(what) has \(members.count) languages",
        expected: "from 1 to \(LocalizedText.languageCountMax), such as {en: City, zh-CN: 城市}")
      return nil
    }
    var versions: [LocalizedText.Version] = []
    for member in members {
      guard LocalizedText.isLanguage(member.key) else {
        report(
          file, member.line, "\(what) has the language '\(member.key)'",
          expected: "a code such as en or zh-CN")
        continue
      }
      guard
        !versions.contains(where: { $0.language.lowercased() == member.key.lowercased() })
      else {
        report(
          file, member.line, "\(what) has the language '\(member.key)' twice",
          expected: "each language once")
        continue
      }
      if let text = string(member.value, "\(what) in \(member.key)", in: file) {
        versions.append(.init(language: member.key, text: text))
      }
    }
    return versions.isEmpty ? nil : LocalizedText(versions)
  }
}
