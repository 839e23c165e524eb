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
    let found = catalog(table ?? "Localizable", in: bundle).translation(
      of: key, in: locale.identifier)
    let translation = found?.translation ?? Translation(text.key)
    return translation.text(with: text.arguments) { number in
      PluralCategory.category(of: number, in: found?.language ?? locale.identifier)
    }
  }

  /// Returns the translations of `key` by language.
  package static func all(
    of key: String, table: String, bundle: Bundle? = nil
  ) -> [(language: String, text: String)] {
    let catalog = catalog(table, in: bundle)
    return catalog.languages.compactMap { language in
      catalog.translations[language]?[key]?.plainText.map { (language, $0) }
    }
  }

  /// The languages of a table of this program, that of the code first.
  package static func languages(table: String = "Localizable") -> [String] {
    // `developmentLocalization` of corelibs traps without an entry.
    let own = Bundle.main.infoDictionary?["CFBundleDevelopmentRegion"] as? String ?? "en"
    return [own] + catalog(table, in: nil).languages.filter { $0 != own && $0 != "Base" }
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
  static func names(in folder: String) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      // A program without resources has none of these folders.
      return []
    }
  }
}
