import JSON
import Testing

/// Tests the one rule by which a language is chosen, for names, prompts and sentences.
@Suite struct LocalizedTextTests {
  /// What is wanted, the codes that there are, and the one that fits.
  private static let fits: [(String, [String], String?)] = [
    ("en", ["de", "en"], "en"),
    ("zh-CN", ["en", "zh-CN"], "zh-CN"),
    ("zh_CN.UTF-8", ["en", "zh-CN"], "zh-CN"),
    ("ZH-cn", ["en", "zh-CN"], "zh-CN"),
    ("zh_Hans_CN.UTF-8@pinyin", ["zh", "zh-Hans"], "zh-Hans"),
    ("zh-Hans-CN", ["en", "zh"], "zh"),
    ("zh", ["en", "zh-TW", "zh-CN"], "zh-TW"),
    ("zh-SG", ["en", "zh-CN"], "zh-CN"),
    ("de-AT", ["en", "de"], "de"),
    ("de", ["en", "den"], nil),
    ("fr", ["en", "de"], nil),
    ("", ["en"], nil),
    ("C", ["en"], nil),
  ]

  @Test(arguments: fits)
  func `a language fits by its code, without its region, then with another one`(
    wanted: String, codes: [String], fitting: String?
  ) {
    #expect(languageIndex(of: wanted, among: codes).map { codes[$0] } == fitting)
  }

  private static let weather = LocalizedText([
    .init(language: "de", text: "Wetter"), .init(language: "en", text: "Weather"),
    .init(language: "zh-CN", text: "天气"),
  ])

  /// The languages of a person, and what they see.
  private static let choices: [([String], String)] = [
    (["zh_CN"], "天气"), (["zh"], "天气"), (["zh-TW", "en"], "天气"), (["de-CH"], "Wetter"),
    (["fr", "de", "en"], "Wetter"), (["fr"], "Weather"), ([], "Weather"), (["en_US"], "Weather"),
    // Languages behind `*` were not named.
    (["fr", "*", "de"], "Weather"), (["C"], "Weather"),
  ]

  @Test(arguments: choices)
  func `the first language of a person that has a version counts, then English`(
    languages: [String], text: String
  ) {
    #expect(Self.weather.text(in: languages) == text)
    #expect(Self.weather.versions[Self.weather.index(in: languages)].text == text)
  }

  @Test func `without English the first version of the document is shown`() {
    let text = LocalizedText([
      .init(language: "de", text: "Wetter"), .init(language: "zh-CN", text: "天气"),
    ])
    #expect(text.text == "Wetter")
    #expect(text.text(in: ["fr"]) == "Wetter")
    #expect(text.text(in: ["fr", "zh"]) == "天气")
  }

  @Test func `a text in one language is that text for everybody`() {
    for text in [LocalizedText("Rain"), LocalizedText([.init(language: "zh-CN", text: "Rain")])] {
      #expect(!text.isLocalized)
      #expect(text.text(in: ["en"]) == "Rain")
      #expect(text.index(in: ["zh", "en"]) == 0)
    }
  }

  @Test(
    arguments: [
      ("en", true), ("zh-CN", true), ("zh-Hans-CN", true), ("gsw", true), ("es-419", true),
      ("", false), ("e", false), ("english", false), ("zh_CN", false), ("zh-", false),
      ("-CN", false), ("en-a", false), ("e1", false), ("*", false), ("en-a2-b3-c4-d5", false),
    ])
  func `a code of a language has two or three letters, then parts`(code: String, isOne: Bool) {
    #expect(LocalizedText.isLanguage(code) == isOne)
  }
}
