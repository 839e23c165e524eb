import Testing

@testable import IntentRouter

private func normalized(_ text: String) -> String {
  NormalizedText.string(NormalizedText(sentence: text).cased)
}

@Suite struct TextNormalizationTests {
  @Test(arguments: [
    ("  turn   on\u{3000}the\u{A0}light ", "turn on the light"),
    ("nell\u{2019}ufficio", "nell'ufficio"),
    ("cafe\u{301}", "caf\u{E9}"),
    ("What's the weather, please?", "What's the weather please"),
    ("¿Qué hora es?", "Qué hora es"),
    ("北京天气怎么样？", "北京天气怎么样"),
    ("turn on the A.C.", "turn on the A.C."),
    ("turn the A.C. off.", "turn the A.C. off"),
    ("St. next", "St next"),
    ("set .5 degrees", "set 5 degrees"),
    ("at 5:30, then 1,000.5!", "at 5:30 then 1,000.5"),
    ("a ... b", "a  b"),
    ("-5", "-5"),
    ("\"quoted\"", "\"quoted\""),
    ("...", ""),
  ])
  func `white space, composition and punctuation are normalised`(text: String, expected: String) {
    #expect(normalized(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test func `folding keeps positions and makes the four letters i one`() {
    let text = NormalizedText(value: "İSTANBUL ıΣςẞßK")
    #expect(text.cased.count == text.folded.count)
    #expect(NormalizedText.string(text.folded) == "istanbul iσσßßk")
  }

  @Test func `white space goes only between two ideographs`() {
    let scalars = normalizedScalars("打开 TV 和 灯")
    #expect(NormalizedText.string(strippingIdeographicSpaces(scalars)) == "打开 TV 和灯")
  }

  @Test(arguments: [
    (0x5F, true), (0x39, true), (0x4E00, true), (0x301, false), (0x2D, false), (0xBD, true),
  ])
  func `combining marks are no word characters`(scalar: UInt32, expected: Bool) {
    #expect(isWord(scalar) == expected)
  }
}
