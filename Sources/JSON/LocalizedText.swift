/// A text for people, in one language or in several.
///
/// In a document it is a text, or a mapping by language: `{en: Weather, zh-CN: 天气}`. Its version is
/// chosen where it is shown, by the languages of the person who looks.
package struct LocalizedText: Hashable, Sendable {
  /// The text in one language.
  package struct Version: Hashable, Sendable {
    /// A code such as `en` or `zh-CN`; empty in a text that names no language.
    package var language: String
    package var text: String

    package init(language: String, text: String) {
      self.language = language
      self.text = text
    }
  }

  /// In the order of the document; never empty.
  package let versions: [Version]
  /// The place of the version that is shown where no language decides: English, else the first.
  private let standard: Int

  /// Languages of one text: more than any project translates its programs into by hand.
  package static let languageCountMax = Limits.languageOfTextCountMax

  /// A text that names no language.
  package init(_ text: String) { self.init([Version(language: "", text: text)]) }

  /// A text in these languages; `versions` must not be empty.
  package init(_ versions: [Version]) {
    precondition(!versions.isEmpty, "a text has at least one version")
    self.versions = versions
    standard = languageIndex(of: "en", among: versions.lazy.map(\.language)) ?? 0
  }

  /// The text that is shown where no language decides.
  package var text: String { versions[standard].text }
  /// Whether there is more than one version to choose from.
  package var isLocalized: Bool { versions.count > 1 }

  /// Returns the version for a person who reads `languages`, the preferred one first.
  package func text(in languages: [String]) -> String { versions[index(in: languages)].text }

  /// Returns the place of that version in `versions`.
  ///
  /// The first language with a version counts, as with sentences. `*` ends the languages that the
  /// person named. Where none has a version it is English, then the first of the document.
  package func index(in languages: [String]) -> Int {
    for language in languages where isLocalized {
      if language == anyLanguage { break }
      if let index = languageIndex(of: language, among: versions.lazy.map(\.language)) {
        return index
      }
    }
    return standard
  }

  /// Whether a key of a document may name a language: `en`, `zh-CN`, `zh-Hans-CN`.
  ///
  /// Source: RFC 5646, as far as the codes of sentence documents use it.
  package static func isLanguage(_ code: String) -> Bool {
    let parts = code.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count <= 4, (2...3).contains(first.count),
      first.allSatisfy(isLetter)
    else { return false }
    return parts.dropFirst().allSatisfy { part in
      (2...8).contains(part.count) && part.allSatisfy { isLetter($0) || (48...57).contains($0) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }
}

/// The name that stands for every other language.
package let anyLanguage = "*"

/// Returns the place of the language that fits a wanted one best, among the codes of those there
/// are; `nil`: none fits.
///
/// An exact code fits first. Then the wanted one loses its parts from the end, in any case of
/// letters: `zh_Hans_CN.UTF-8` is looked for as `zh-hans-cn`, `zh-hans` and `zh`. A language without
/// a region fits the first one that has it with a region: `zh` finds `zh-CN`. This is the one rule of
/// sentences, names and prompts.
package func languageIndex<Codes: RandomAccessCollection<String>>(
  of wanted: String, among codes: Codes
) -> Codes.Index? {
  if let exact = codes.firstIndex(where: { $0 == wanted }) { return exact }
  // `zh_CN.UTF-8@pinyin` is `zh-cn`.
  let code = wanted.prefix { $0 != "." && $0 != "@" }.lowercased()
  var parts = code.split { $0 == "-" || $0 == "_" }.map(String.init)
  while !parts.isEmpty {
    let shorter = parts.joined(separator: "-")
    if let index = codes.firstIndex(where: { $0.lowercased() == shorter }) { return index }
    if parts.count == 1 {
      return codes.firstIndex { $0.lowercased().hasPrefix("\(shorter)-") }
    }
    parts.removeLast()
  }
  return nil
}
