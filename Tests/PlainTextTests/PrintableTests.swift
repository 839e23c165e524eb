import PlainText
import Testing

/// What is left of text that others wrote, before it is printed.
struct PrintableTests {
  private static let examples: [(text: String, printed: String)] = [
    ("", ""), ("plain ASCII", "plain ASCII"), ("3° klar, 北京 ☀️", "3° klar, 北京 ☀️"),
    // Line breaks and tabs.
    ("a\nb\tc", "a b c"), ("dos\r\nlines", "dos lines"), ("a\rb", "a b"), ("a\r\rb", "a  b"),
    ("a\u{0B}b\u{0C}c\u{85}d\u{2028}e\u{2029}f", "a b c d e f"),
    // C0, DEL and C1: colours, the clipboard, a bell, the eight-bit forms.
    ("\u{1B}[31mred\u{1B}[0m", "\\x1B[31mred\\x1B[0m"),
    ("\u{1B}]52;c;AAAA\u{7}", "\\x1B]52;c;AAAA\\x07"),
    ("a\u{0}b\u{7F}c\u{9B}31md\u{9F}", "a\\x00b\\x7Fc\\x9B31md\\x9F"),
    // Bidi controls, open and closed, and marks.
    ("exe.\u{202E}gpj", "exe.gpj"), ("\u{202A}a\u{202C}\u{202B}b\u{202C}\u{202D}c\u{202C}", "abc"),
    ("\u{2066}a\u{2069}\u{2067}b\u{2069}\u{2068}c", "abc"),
    ("\u{200E}a\u{200F}b\u{61C}c", "abc"), ("שלום 3°", "שלום 3°"),
    // Zero width, fillers, tags, annotation.
    ("pay\u{200B}pal\u{2060}\u{FEFF}\u{AD}\u{34F}\u{180E}", "paypal"),
    ("a\u{115F}\u{1160}\u{3164}\u{FFA0}b\u{2062}\u{2064}\u{206A}", "ab"),
    ("a\u{E0001}\u{E0041}\u{E007F}b", "ab"),
    // A flag of tags, and a text that hides behind one.
    (
      "🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}!",
      "🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}!"
    ),
    ("🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}", "🏴"),
    ("🏴\u{E0072}\u{E006D}\u{E007F}", "🏴"),
    // A code point that no Unicode has yet.
    ("\u{2FE0}", "\u{2FE0}"),
    ("a\u{FFF9}b\u{FFFA}c\u{FFFB}", "abc"),
    // Joiners and selectors: inside an emoji and where a script needs them.
    ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"), ("❤\u{FE0F}\u{200D}🔥", "❤\u{FE0F}\u{200D}🔥"),
    ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("क्\u{200D}ष", "क्\u{200D}ष"),
    ("葛\u{E0100}", "葛\u{E0100}"), ("1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}"),
    // Elsewhere, in a row, at the start, at the end.
    ("a\u{200D}b\u{200C}c", "abc"), ("\u{200D}👨\u{200D}\u{200D}👩\u{200D}", "👨\u{200D}👩"),
    ("☀\u{FE0F}\u{FE0F}\u{FE0F}", "☀\u{FE0F}"), ("\u{FE0F}a", "a"), ("a\u{E0100}b", "ab"),
    ("a\u{FE0F}b\u{FE00}", "ab"), ("👨\u{200D}\u{FE0F}", "👨\u{FE0F}"), ("👨\u{200D}\u{202E}👩", "👨👩"),
    ("م\u{200C}\u{61C}a", "مa"), ("\u{9}\u{FE0F}", " "), ("\u{9B}\u{FE0F}", "\\x9B"),
    // Signs that are drawn; marks up to the limit.
    ("\u{600}١٢", "\u{600}١٢"), ("e\u{301}\u{323}", "e\u{301}\u{323}"),
    (
      "a" + String(repeating: "\u{301}", count: 9) + "b\u{301}",
      "a" + String(repeating: "\u{301}", count: 8) + "b\u{301}"
    ),
    // The icons of patched fonts.
    ("\u{E0B0} \u{F015D}", "\u{E0B0} \u{F015D}"),
  ]

  @Test(arguments: examples.indices)
  func `text is printed without what steers, reorders or hides`(_ index: Int) {
    let example = Self.examples[index]
    let printed = printable(example.text)
    // Compared by scalars: strings are equal although their joiners and marks differ in order.
    #expect(Array(printed.unicodeScalars) == Array(example.printed.unicodeScalars))
    #expect(Array(printable(printed).unicodeScalars) == Array(printed.unicodeScalars))
  }

  @Test func `no scalar by itself prints a control or an invisible character`() {
    var wild: [String] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isTame = printable(String(scalar)).unicodeScalars.allSatisfy {
        !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control
          && !$0.properties.isBidiControl && $0 != "\u{2028}" && $0 != "\u{2029}"
      }
      if !isTame { wild.append(String(value, radix: 16)) }
    }
    #expect(wild == [])
  }

  /// Literals of Swift may not have them, but what comes from outside may.
  @Test(arguments: [0xFFFE, 0xFFFF, 0xFDD0, 0xFDEF, 0x10FFFF] as [UInt32])
  func `a noncharacter is shown as an escape`(value: UInt32) throws {
    let text = try String(#require(Unicode.Scalar(value)))
    #expect(printable(text) == "\\u{\(String(value, radix: 16, uppercase: true))}")
  }

  @Test func `lines are split at every kind of line break`() {
    #expect(
      printableLines("a\r\nb\n\nc\u{2028}d\u{7}") == ["a", "b", "", "c", "d\\x07"])
  }

  @Test(arguments: [
    (#"{"a":"plain"}"#, #"{"a":"plain"}"#), ("[\"北京 ☀️ שלום\"]\n", "[\"北京 ☀️ שלום\"]\n"),
    ("[\"\u{7F}\u{80}\u{9B}31m\u{9F}\u{A0}\"]", "[\"\\u007f\\u0080\\u009b31m\\u009f\u{A0}\"]"),
    ("[\"\u{61C}\u{200E}\u{200F}\u{2028}\"]", #"["\u061c\u200e\u200f\u2028"]"#),
    ("[\"\u{202A}\u{202E}\u{2066}\u{2069}\"]", #"["\u202a\u202e\u2066\u2069"]"#),
    ("[\"👨\u{200D}👩\"]", "[\"👨\u{200D}👩\"]"),
    ("{\"\u{200B}a\":1}\n[\"\u{FEFF}\"]\n", "{\"\\u200ba\":1}\n[\"\\ufeff\"]\n"),
    ("[\"a\u{E0041}\"]", #"["a\udb40\udc41"]"#),
  ])
  func `JSON has its own escapes for what would steer a terminal`(json: String, printed: String) {
    #expect(printableJSON(json) == printed)
  }

  @Test(arguments: [
    ("plain\n", "plain\n"), ("北京\t3°\n", "北京\t3°\n"),
    ("\u{1B}]52;c;AAAA\u{7}\r\n", "\\x1B]52;c;AAAA\\x07\\x0D\n"),
    ("a\u{202E}b\u{200B}c\u{E0041}", "a\\u{202E}b\\u{200B}c\\u{E0041}"),
    ("\u{1B}[31mred\u{1B}[0m", "\\x1B[31mred\\x1B[0m"),
  ])
  func `what is forgotten before is an escape at the edge`(text: String, written: String) {
    #expect(TerminalText(text).text == written)
    #expect(TerminalText(written).text == written)
  }

  @Test func `our colours pass where there are colours, and end with the text`() {
    let ours = "\u{1B}[31mred\u{1B}[0m\n"
    #expect(TerminalText(ours, hasColours: true).text == ours)
    #expect(TerminalText("\u{1B}[1mopen", hasColours: true).text == "\u{1B}[1mopen\u{1B}[0m")
    #expect(
      TerminalText("\u{1B}[5mblink\u{1B}[2J\u{9B}1m", hasColours: true).text
        == "\\x1B[5mblink\\x1B[2J\\x9B1m")
  }

  @Test func `a line for a bar keeps what breaks its commands, and nothing else that hides`() {
    let line = "%\u{200B}{A1:x:}\n$$\u{200B}{x}\u{1B}[31m\u{202E}\u{200C}\u{FEFF}\t"
    #expect(
      TerminalText(bar: line).text
        == "%\u{200B}{A1:x:}\n$$\u{200B}{x}\\x1B[31m\\u{202E}\\u{200C}\\u{FEFF}\\x09")
    #expect(TerminalText(line).text.contains("\\u{200B}"))
  }
}
