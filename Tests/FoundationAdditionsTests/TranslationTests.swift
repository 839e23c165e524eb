import Foundation
import FoundationAdditions
import Testing

@Suite struct TranslationTests {
  private func bundle() throws -> Bundle {
    let folder = NSTemporaryDirectory() + "texts-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder + "/de.lproj", withIntermediateDirectories: true)
    try Data(#""Weather in %@" = "Wetter in %@"; "Save 5%" = "5 % sparen";"#.utf8)
      .write(to: URL(fileURLWithPath: folder + "/de.lproj/Localizable.strings"))
    let catalog = """
      {"sourceLanguage": "en", "version": "1.0", "strings": {"%lld stops": {"localizations": {
        "en": {"variations": {"plural": {
          "one": {"stringUnit": {"state": "translated", "value": "%lld stop"}},
          "other": {"stringUnit": {"state": "translated", "value": "%lld stops"}}}}},
        "de": {"stringUnit": {"state": "translated", "value": "%lld Halte"}}}}}}
      """
    try Data(catalog.utf8).write(to: URL(fileURLWithPath: folder + "/Localizable.xcstrings"))
    return try #require(Bundle(path: folder))
  }

  @Test func `a text without a translation is itself`() {
    #expect(String(localized: "100% sure") == "100% sure")
    #expect(String(localized: "\(3) of \(4)") == "3 of 4")
    #expect(String(localized: "\("a")% \(2.5, specifier: "%.1f")") == "a% 2.5")
  }

  @Test func `a table of the language is used`() throws {
    let bundle = try bundle()
    let german = Locale(identifier: "de_AT")
    #expect(
      String(localized: "Weather in \("Graz")", bundle: bundle, locale: german) == "Wetter in Graz")
    #expect(String(localized: "Save 5%", bundle: bundle, locale: german) == "5 % sparen")
    #expect(
      String(localized: "Weather in \("Graz")", bundle: bundle, locale: Locale(identifier: "fr"))
        == "Weather in Graz")
  }

  @Test func `a catalog tells one from several`() throws {
    let bundle = try bundle()
    let english = Locale(identifier: "en_GB")
    #expect(String(localized: "\(1) stops", bundle: bundle, locale: english) == "1 stop")
    #expect(String(localized: "\(2) stops", bundle: bundle, locale: english) == "2 stops")
    #expect(
      String(localized: "\(1) stops", bundle: bundle, locale: Locale(identifier: "de")) == "1 Halte"
    )
  }

  @Test func `a resource has a key of its own`() {
    let resource = LocalizedStringResource("title.key", defaultValue: "Hello \("Ada")")
    #expect(resource.key == "title.key")
    #expect(String(localized: resource) == "Hello Ada")
  }
}
