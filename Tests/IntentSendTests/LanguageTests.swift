import IntentProtocol
import Testing

@testable import intent_send

struct LanguageTests {
  private static let cases: [(environment: [String: String], text: String, order: [String])] = [
    ([:], "show weather", ["en", "*"]),
    (["LANG": "C"], "show weather", ["en", "*"]),
    (["LANG": "C.UTF-8"], "show weather", ["en", "*"]),
    (["LANG": "POSIX"], "show weather", ["en", "*"]),
    (["LANG": "en_US.UTF-8"], "show weather", ["en-US", "en", "*"]),
    (["LANG": "zh_CN.UTF-8"], "show weather", ["zh-CN", "en", "*"]),
    (["LANG": "zh_TW.UTF-8"], "show weather", ["zh-TW", "en", "*"]),
    (["LANG": "de_DE@euro"], "show weather", ["de-DE", "de", "en", "*"]),
    (["LANG": "fr"], "show weather", ["fr", "en", "*"]),
    // LC_ALL wins, then LC_MESSAGES; an empty variable counts as unset.
    (
      ["LC_ALL": "fr_FR", "LC_MESSAGES": "de_DE", "LANG": "zh_CN"], "a", ["fr-FR", "fr", "en", "*"]
    ),
    (["LC_MESSAGES": "de_DE", "LANG": "zh_CN"], "a", ["de-DE", "de", "en", "*"]),
    (["LC_ALL": "", "LANG": "zh_CN"], "a", ["zh-CN", "en", "*"]),
    (["LC_ALL": "C", "LANG": "zh_CN"], "a", ["en", "*"]),
    // A sentence with Han characters is tried as Chinese first.
    (["LANG": "en_US.UTF-8"], "北京天气", ["zh-CN", "en-US", "en", "*"]),
    ([:], "show 北京", ["zh-CN", "en", "*"]),
    (["LANG": "zh_CN.UTF-8"], "北京天气", ["zh-CN", "en", "*"]),
    (["LANG": "zh_TW.UTF-8"], "北京天氣", ["zh-CN", "zh-TW", "en", "*"]),
    (["LANG": "en_US"], "météo à Paris", ["en-US", "en", "*"]),
    // LANGUAGE has the order of a person with several, where there is a locale.
    (["LANG": "de_AT.UTF-8", "LANGUAGE": "de_AT:fr"], "a", ["de-AT", "de", "fr", "en", "*"]),
    (["LANG": "en_US", "LANGUAGE": "fr:x/y::de"], "a", ["fr", "de", "en-US", "en", "*"]),
    (["LANG": "C", "LANGUAGE": "fr"], "a", ["en", "*"]),
    // A text that is no locale's name is ignored.
    (["LANG": "../../etc"], "a", ["en", "*"]),
    (["LANG": "en_"], "a", ["en", "*"]),
  ]

  @Test(arguments: cases.indices)
  func `the locale and the characters make the order`(_ index: Int) {
    let example = Self.cases[index]
    #expect(
      languageOrder(for: example.text) { example.environment[$0] } == example.order,
      "\(example.environment), \(example.text)")
  }
}
