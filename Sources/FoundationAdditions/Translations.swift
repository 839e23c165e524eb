package import Foundation
import JSON
import Synchronization

/// Texts in the person's language.
///
/// A translation is looked up in the tables of the bundle: `LANGUAGE.lproj/TABLE.strings`, and
/// `TABLE.xcstrings`, which SwiftPM copies as it is. Where code names no bundle, that is the main
/// one, and the resources of the package's targets beside the program: on iOS they are one.
package enum Translations {
  /// Returns the translation of `key` with the values of `text`, or `text` itself.
  package static func text(
    _ text: String.LocalizationValue, key: String, table: String?, bundle: Bundle?, locale: Locale
  ) -> String {
    let found = catalog(table ?? "Localizable", in: bundle)
      .format(of: key, in: locale.identifier, number: text.firstNumber)
    return fill(found ?? text.key, with: text.arguments)
  }

  /// Returns the translations of `key` by language.
  package static func all(
    of key: String, table: String, bundle: Bundle? = nil
  ) -> [(language: String, text: String)] {
    let catalog = catalog(table, in: bundle)
    return catalog.languages.compactMap { language in
      catalog.formats[language]?[key]?.other.map { (language, $0) }
    }
  }

  /// The languages of a table of this program, that of the code first.
  package static func languages(table: String = "Localizable") -> [String] {
    // `developmentLocalization` of corelibs traps without an entry.
    let own = Bundle.main.infoDictionary?["CFBundleDevelopmentRegion"] as? String ?? "en"
    return [own] + catalog(table, in: nil).languages.filter { $0 != own && $0 != "Base" }
  }

  /// Puts `arguments` in the places of the specifiers of `format`.
  private static func fill(
    _ format: String, with arguments: [String.LocalizationValue.Argument]
  ) -> String {
    // Only a literal with values is a format; in any other text a `%` is a percent sign.
    guard !arguments.isEmpty else { return format }
    let values: [any CVarArg] = arguments.map { argument in
      switch argument {
      case .text(let text): NSString(string: text)
      case .integer(let value): value
      case .unsigned(let value): value
      case .number(let value): value
      }
    }
    return String(format: format, arguments: values)
  }

  // MARK: Catalogs

  private struct Key: Hashable {
    var bundle: String?
    var table: String
  }

  /// What was read; a program's translations do not change while it runs.
  private static let catalogs = Mutex<[Key: TranslationCatalog]>([:])

  private static func catalog(_ table: String, in bundle: Bundle?) -> TranslationCatalog {
    let key = Key(bundle: bundle?.bundlePath, table: table)
    return catalogs.withLock { catalogs in
      if let known = catalogs[key] { return known }
      let folders = bundle.map { [$0.bundlePath] } ?? ownFolders
      let read = TranslationCatalog(table: table, in: folders)
      catalogs[key] = read
      return read
    }
  }

  /// The folders of this program's resources.
  package static let ownFolders: [String] = {
    let main = Bundle.main.bundlePath
    let beside = names(in: main)
    return [Bundle.main.resourcePath ?? main]
      + beside.sorted().filter { $0.hasSuffix(".resources") }.map { "\(main)/\($0)" }
  }()
}

extension Translations {
  /// Returns the names in a folder; none for a folder that is not there.
  fileprivate static func names(in folder: String) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      // A program without resources has none of these folders.
      return []
    }
  }
}

extension String.LocalizationValue {
  /// The number that decides between singular and plural.
  fileprivate var firstNumber: Int64? {
    for argument in arguments {
      switch argument {
      case .integer(let value): return value
      case .unsigned(let value): return Int64(clamping: value)
      case .text, .number: continue
      }
    }
    return nil
  }
}

/// The translations of one table.
struct TranslationCatalog: Sendable {
  /// A translation, which may be another one for one thing than for several.
  struct Format: Hashable, Sendable {
    var zero: String?
    var one: String?
    var other: String?
  }

  /// By language and key.
  private(set) var formats: [String: [String: Format]] = [:]
  /// In the order in which they are tried.
  private(set) var languages: [String] = []

  /// Reads the tables of some folders.
  init(table: String, in folders: [String]) {
    for folder in folders {
      for name in Translations.names(in: folder) {
        if name == "\(table).xcstrings" {
          readCatalog(at: "\(folder)/\(name)")
        } else if name.hasSuffix(".lproj") {
          readStrings(at: "\(folder)/\(name)/\(table).strings", of: String(name.dropLast(6)))
        }
      }
    }
    languages = formats.keys.sorted()
  }

  /// Returns the translation of `key` in the language of a locale; `nil`: there is none.
  func format(of key: String, in locale: String, number: Int64?) -> String? {
    guard !languages.isEmpty, let index = languageIndex(of: locale, among: languages),
      let found = formats[languages[index]]?[key]
    else { return nil }
    switch number {
    case 0: return found.zero ?? found.other
    case 1: return found.one ?? found.other
    default: return found.other
    }
  }

  /// Reads a `.strings`; one that cannot be read has no translations.
  private mutating func readStrings(at path: String, of language: String) {
    guard let entries = PropertyList.read(at: path) as? [String: String] else { return }
    for (key, text) in entries { formats[language, default: [:]][key] = Format(other: text) }
  }

  /// Reads a `.xcstrings`; one that cannot be read has no translations.
  private mutating func readCatalog(at path: String) {
    guard let root = Self.document(at: path) else { return }
    for entry in root["strings"]?.objectValue?.members ?? [] {
      for translation in entry.value["localizations"]?.objectValue?.members ?? [] {
        guard let format = Self.format(translation.value) else { continue }
        formats[translation.key, default: [:]][entry.key] = format
      }
    }
  }

  private static func format(_ translation: JSONValue) -> Format? {
    if let text = translation["stringUnit"]?["value"]?.stringValue { return Format(other: text) }
    guard let plural = translation["variations"]?["plural"] else { return nil }
    func text(_ name: String) -> String? { plural[name]?["stringUnit"]?["value"]?.stringValue }
    return Format(zero: text("zero"), one: text("one"), other: text("other"))
  }

  private static func document(at path: String) -> JSONValue? {
    guard let data = FileManager.default.contents(atPath: path), data.count <= Limits.fileBytesMax
    else { return nil }
    do {
      return try JSONValue(parsing: [UInt8](data))
    } catch {
      // Damaged: Xcode says so to its author.
      return nil
    }
  }
}
