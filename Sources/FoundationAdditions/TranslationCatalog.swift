import Foundation
import JSON

/// The translations of one table: of its `.strings` and `.stringsdict`, and of its `.xcstrings`.
package struct TranslationCatalog: Sendable {
  /// By language and key.
  private(set) var translations: [String: [String: Translation]] = [:]
  /// In the order in which they are tried.
  private(set) var languages: [String] = []
  /// The language whose texts stand where another one has none; `nil`: the keys do.
  private var sourceLanguage: String?

  /// Reads one `.xcstrings`; `nil`: it is none.
  package init?(catalog bytes: [UInt8]) {
    guard let root = Self.document(bytes) else { return nil }
    read(root)
    languages = translations.keys.sorted()
  }

  /// The keys that have a translation, in their order.
  package var keys: [String] { Set(translations.values.flatMap(\.keys)).sorted() }

  /// Returns the text of `key` with values in it; `nil`: nobody translated it.
  package func text(
    of key: String, with arguments: [String.LocalizationValue.Argument], in locale: String
  ) -> String? {
    translation(of: key, in: locale).map { language, translation in
      translation.text(with: arguments) { PluralCategory.category(of: $0, in: language) }
    }
  }

  /// Reads the tables of some folders.
  init(table: String, in folders: [String]) {
    for folder in folders {
      for name in Translations.names(in: folder) {
        if name == "\(table).xcstrings" {
          readCatalog(at: "\(folder)/\(name)")
        } else if name.hasSuffix(".lproj") {
          let language = Self.code(String(name.dropLast(6)))
          readStrings(at: "\(folder)/\(name)/\(table).strings", of: language)
          readPlurals(at: "\(folder)/\(name)/\(table).stringsdict", of: language)
        }
      }
    }
    languages = translations.keys.sorted()
  }

  /// Returns the translation of `key` in the language of a locale, else in that of the code; `nil`:
  /// there is none.
  func translation(
    of key: String, in locale: String
  ) -> (language: String, translation: Translation)? {
    let index = languageIndex(of: locale, among: languages)
    for language in [index.map { languages[$0] }, sourceLanguage].compactMap({ $0 }) {
      if let found = translations[language]?[key] { return (language, found) }
    }
    return nil
  }

  /// The code of a language as people write it: SwiftPM makes the names of folders lower-case.
  private static func code(_ folder: String) -> String {
    folder == "Base" ? folder : Locale(identifier: folder).identifier(.bcp47)
  }

  // MARK: Files

  /// Reads a `.strings`; one that cannot be read has no translations.
  private mutating func readStrings(at path: String, of language: String) {
    guard let entries = PropertyList.read(at: path) as? [String: String] else { return }
    for (key, text) in entries { translations[language, default: [:]][key] = Translation(text) }
  }

  /// Reads a `.stringsdict`; one that cannot be read has no translations.
  private mutating func readPlurals(at path: String, of language: String) {
    guard let entries = PropertyList.read(at: path) as? [String: [String: Any]] else { return }
    for (key, entry) in entries {
      guard let format = entry["NSStringLocalizedFormatKey"] as? String else { continue }
      var variables: [String: Translation.Variable] = [:]
      for case (let name, let rule as [String: String]) in entry {
        let texts = rule.compactMap { name, text in
          PluralCategory(rawValue: name).map { ($0, text) }
        }
        guard !texts.isEmpty else { continue }
        variables[name] = Translation.Variable(
          forms: .init(Dictionary(uniqueKeysWithValues: texts)), argument: nil,
          specifier: rule["NSStringFormatValueTypeKey"] ?? "lld")
      }
      translations[language, default: [:]][key] = Translation(
        .init(format), variables: variables)
    }
  }

  /// Reads a `.xcstrings`; one that cannot be read has no translations.
  private mutating func readCatalog(at path: String) {
    guard let data = FileManager.default.contents(atPath: path),
      let root = Self.document([UInt8](data))
    else { return }
    read(root)
  }

  private mutating func read(_ root: JSONValue) {
    sourceLanguage = sourceLanguage ?? root["sourceLanguage"]?.stringValue
    for entry in root["strings"]?.objectValue?.members ?? [] {
      for localization in entry.value["localizations"]?.objectValue?.members ?? [] {
        guard let translation = Self.translation(localization.value) else { continue }
        translations[localization.key, default: [:]][entry.key] = translation
      }
    }
  }

  private static func translation(_ json: JSONValue) -> Translation? {
    guard let forms = forms(json) else { return nil }
    var variables: [String: Translation.Variable] = [:]
    for substitution in json["substitutions"]?.objectValue?.members ?? [] {
      guard let forms = Self.forms(substitution.value) else { continue }
      variables[substitution.key] = Translation.Variable(
        forms: forms, argument: substitution.value["argNum"]?.intValue.map { Int($0) },
        specifier: substitution.value["formatSpecifier"]?.stringValue ?? "lld")
    }
    return Translation(forms, variables: variables)
  }

  private static func forms(_ json: JSONValue) -> Translation.Forms? {
    if let text = json["stringUnit"]?["value"]?.stringValue { return .init(text) }
    let variations = json["variations"]
    if let devices = variations?["device"] {
      // A widget here is none of a device; the phone is what its author looked at.
      return (devices["iphone"] ?? devices["other"]).flatMap(forms)
    }
    let texts = (variations?["plural"]?.objectValue?.members ?? []).compactMap { member in
      PluralCategory(rawValue: member.key).flatMap { category in
        member.value["stringUnit"]?["value"]?.stringValue.map { (category, $0) }
      }
    }
    return texts.isEmpty ? nil : .init(Dictionary(texts) { first, _ in first })
  }

  private static func document(_ bytes: [UInt8]) -> JSONValue? {
    guard bytes.count <= Limits.fileBytesMax else { return nil }
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      // Damaged: Xcode says so to its author.
      return nil
    }
  }
}
