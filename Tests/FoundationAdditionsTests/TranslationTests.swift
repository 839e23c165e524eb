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

  @Test(arguments: [
    ("%5lld|", "    3|"), ("%05.1f|", "003.0|"), ("%123456789lld|", "3|"),
    ("%.999999999f|", "3.000000|"),
    ("%*d|", "3|"), ("%$lld|", "3|"), ("%٣lld|", "3|"),
  ])
  func `a width that nobody means is left out`(format: String, text: String) throws {
    let catalog = """
      {"strings": {"%lld": {"localizations": {"en": {"stringUnit": {"value": "\(format)"}}}}}}
      """
    let read = try #require(TranslationCatalog(catalog: Array(catalog.utf8)))
    #expect(read.text(of: "%lld", with: [.integer(3)], in: "en") == text)
  }

  /// A bundle with a table of `files`, by their paths.
  private func bundle(_ files: [String: String]) throws -> Bundle {
    let folder = NSTemporaryDirectory() + "texts-\(UUID().uuidString)"
    for (path, text) in files {
      let file = URL(fileURLWithPath: "\(folder)/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return try #require(Bundle(path: folder))
  }

  @Test(arguments: [
    (0, "brak dni"), (1, "1 dzień"), (2, "2 dni"), (5, "5 dni!"), (22, "22 dni"), (25, "25 dni!"),
  ])
  func `the plural forms are those of the language`(number: Int, text: String) throws {
    let forms = [
      "zero": "brak dni", "one": "%lld dzień", "few": "%lld dni", "many": "%lld dni!",
      "other": "%lld dnia",
    ].map { form in
      #""\#(form.key)": {"stringUnit": {"state": "translated", "value": "\#(form.value)"}}"#
    }
    let bundle = try bundle([
      "Localizable.xcstrings":
        #"{"sourceLanguage": "en", "strings": {"%lld days": {"localizations": {"pl": {"variations": {"plural": {\#(forms.joined(separator: ","))}}}}}}}"#
    ])
    let polish = Locale(identifier: "pl_PL")
    #expect(String(localized: "\(number) days", bundle: bundle, locale: polish) == text)
  }

  @Test func `a format may have several parts that depend on numbers`() throws {
    let bundle = try bundle([
      "ar.lproj/Localizable.stringsdict": """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>%lld of %lld in %@</key><dict>
        <key>NSStringLocalizedFormatKey</key><string>%3$@: %1$#@done@ / %2$#@all@</string>
        <key>done</key><dict>
          <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
          <key>NSStringFormatValueTypeKey</key><string>lld</string>
          <key>two</key><string>both</string><key>other</key><string>%lld</string></dict>
        <key>all</key><dict>
          <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
          <key>NSStringFormatValueTypeKey</key><string>lld</string>
          <key>few</key><string>few (%lld)</string><key>many</key><string>many (%lld)</string>
          <key>other</key><string>%lld%%</string></dict>
      </dict></dict></plist>
      """,
      "Localizable.xcstrings": """
      {"sourceLanguage": "en", "strings": {"%lld of %lld in %@": {"localizations": {"en": {
        "stringUnit": {"state": "translated", "value": "%3$@ has %#@done@ of %#@all@"},
        "substitutions": {
          "done": {"argNum": 1, "formatSpecifier": "lld", "variations": {"plural": {
            "one": {"stringUnit": {"value": "%arg thing"}},
            "other": {"stringUnit": {"value": "%arg things"}}}}},
          "all": {"argNum": 2, "formatSpecifier": "lld", "variations": {"plural": {
            "other": {"stringUnit": {"value": "%arg"}}}}}}}}}}}
      """,
    ])
    func text(_ done: Int, _ all: Int, _ language: String) -> String {
      String(
        localized: "\(done) of \(all) in \("x")", bundle: bundle,
        locale: Locale(identifier: language))
    }
    #expect(text(2, 5, "ar") == "x: both / few (5)")
    #expect(text(100, 11, "ar") == "x: 100 / many (11)")
    #expect(text(1, 100, "ar") == "x: 1 / 100%")
    #expect(text(1, 2, "en") == "x has 1 thing of 2")
    #expect(text(3, 3, "en") == "x has 3 things of 3")
  }

  @Test func `a translation may leave a value out, or take it for another type`() throws {
    let bundle = try bundle([
      "de.lproj/Localizable.strings": """
      "%lld of %@ at %lf" = "%2$@ (%1$@): %3$.1f%%"; "%@!" = "%d"; "%lld" = "%03d"; "%lf" = "%d";
      """
    ])
    let german = Locale(identifier: "de")
    func text(_ value: String.LocalizationValue) -> String {
      String(localized: value, bundle: bundle, locale: german)
    }
    #expect(text("\(3) of \("x") at \(2.25)") == "x (3): 2.2%")
    #expect(text("\("words")!") == "words")
    #expect(text("\(7)") == "007")
    #expect(text("\(7.0)") == "7")
  }

  @Test func `where a language has no text that of the code stands`() throws {
    let bundle = try bundle([
      "Localizable.xcstrings": """
      {"sourceLanguage": "en", "strings": {"widget.name": {"localizations": {
        "en": {"stringUnit": {"state": "translated", "value": "Tides"}}}},
        "other": {"localizations": {"fr": {"variations": {"device": {
          "iphone": {"stringUnit": {"value": "autre"}}, "ipad": {"stringUnit": {"value": "x"}}}}}}}}}
      """
    ])
    let french = Locale(identifier: "fr")
    #expect(String(localized: "widget.name", bundle: bundle, locale: french) == "Tides")
    #expect(String(localized: "other", bundle: bundle, locale: french) == "autre")
  }

  @Test func `a resource has a key of its own`() {
    let resource = LocalizedStringResource("title.key", defaultValue: "Hello \("Ada")")
    #expect(resource.key == "title.key")
    #expect(String(localized: resource) == "Hello Ada")
  }
}
