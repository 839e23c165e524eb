import Glibc
import JSON
import NumberWords
import Testing

@Suite struct NumberWordsTests {
  @Test(arguments: [
    ("en", 42, ["forty-two", "forty two"]), ("de", 21, ["einundzwanzig", "ein und zwanzig"]),
    ("zh-TW", 52, ["五十二", "伍拾貳"]), ("tr", 3, ["üç"]), ("en-US", 7, ["seven"]),
  ])
  func `a number is spelled by every rule set of its language`(
    language: String, number: Int, expected: [String]
  ) throws {
    let texts = try #require(NumberWords.words(forTenths: [number * 10], language: language))
    // Hyphenation marks are no part of a word.
    #expect(!texts[0].contains { $0.unicodeScalars.contains("\u{AD}") })
    #expect(texts[0].contains(expected[0]), "\(texts[0])")
    if language == "en" { #expect(texts[0] == expected) }
  }

  @Test func `fractions and negative numbers are spelled`() throws {
    let texts = try #require(NumberWords.words(forTenths: [15, -50, -5], language: "en"))
    #expect(texts[0].contains("one point five"))
    #expect(texts[1].contains("minus five"))
    #expect(texts[2].contains("minus zero point five"))
  }

  @Test(arguments: ["eu", "bn", "kw", "xx", "tlh"])
  func `a language without rules has no words, not those of another`(language: String) {
    #expect(NumberWords.words(forTenths: [10], language: language) == nil)
  }

  @Test(arguments: ["", "../../x", "en\u{0}", "🙂", String(repeating: "e", count: 10_000)])
  func `a text that is no language has no words`(language: String) {
    #expect(NumberWords.words(forTenths: [10], language: language) == nil)
  }

  @Test func `a number that the rules write in digits has no words`() throws {
    let texts = try #require(NumberWords.words(forTenths: [275], language: "zh"))
    #expect(texts[0].contains("二十七点五"))
    #expect(!texts[0].contains { $0.unicodeScalars.contains { $0.value &- 0x30 < 10 } })
  }

  @Test(.enabled(if: getenv("INTENTD_CORPUS") != nil, "set INTENTD_CORPUS to run over its numbers"))
  func `nearly all numbers of the corpus are spelled as it says`() throws {
    let folder = try #require(getenv("INTENTD_CORPUS").map { String(cString: $0) })
    var same = 0
    var all = 0
    for language in ["ar", "de", "en", "es", "fr", "hi", "ja", "ko", "nl", "th", "tr", "vi"] {
      let path = "\(folder)/sentences/_numbers/\(language).json"
      let document = try JSONValue(parsing: contents(of: path))
      let words = try #require(document.objectValue?["words"]?.objectValue)
      let numbers = words.members.compactMap { Double($0.key).map { Int(($0 * 10).rounded()) } }
      let texts = try #require(NumberWords.words(forTenths: numbers, language: language))
      for (member, spelled) in zip(words.members, texts) {
        guard case .array(let expected) = member.value else { continue }
        all += 1
        same += Set(expected.compactMap(\.stringValue)) == Set(spelled) ? 1 : 0
      }
    }
    // Not all agree: the corpus was made with another release of the same rules.
    #expect(all > 5_000)
    #expect(Double(same) >= 0.97 * Double(all), "\(same) of \(all)")
  }

  private func contents(of path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "rb"), "\(path)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}
