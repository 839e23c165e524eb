import Glibc
import PlainText
import Testing

/// The columns of a terminal that text takes.
struct DisplayWidthTests {
  private static let examples: [(text: String, columns: Int)] = [
    ("", 0), ("abc", 3), ("3° klar", 7), ("北京", 4), ("ｱ", 1), ("Ａ", 2), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("e\u{301}", 1), ("日本\u{3099}", 4), ("…", 1),
    // Emoji: one picture, a modifier, joined ones, flags, a selector, a keycap.
    ("☀", 1), ("☀\u{FE0F}", 2), ("🌧", 1), ("🌧\u{FE0F}", 2), ("⛅", 2), ("👍🏽", 2),
    ("👨\u{200D}👩\u{200D}👧", 2), ("❤\u{FE0F}\u{200D}🔥", 2), ("🇩🇪", 2), ("🇩🇪🇨🇳", 4),
    ("1\u{FE0F}\u{20E3}", 2), ("🔥🔥", 4), ("a🔥b", 4), ("1🏽", 3),
    ("क्षि", 3), ("می\u{200C}خواهم", 7), ("\u{E0B0}", 1),
    // The colours of a style are no columns.
    ("\u{1B}[1mab\u{1B}[0m", 2), ("\u{1B}[2m北\u{1B}[0m京", 4),
  ]

  @Test(arguments: examples.indices)
  func `columns are counted as a terminal counts them`(_ index: Int) {
    let example = Self.examples[index]
    #expect(displayWidth(example.text) == example.columns, "\(example.text.debugDescription)")
  }

  /// A locale of the C library that knows Unicode; `nil` where none is installed.
  private static var locale: locale_t? { newlocale(1 << LC_CTYPE, "C.UTF-8", nil) }

  /// The C library's `wcwidth`, which its headers hide from Swift.
  private static var wcwidth: (@convention(c) (wchar_t) -> Int32)? {
    dlsym(nil, "wcwidth").map { unsafeBitCast($0, to: (@convention(c) (wchar_t) -> Int32).self) }
  }

  @Test(.enabled("needs the locale C.UTF-8") { locale != nil })
  func `each scalar takes the columns that the C library says`() throws {
    let locale = try #require(Self.locale)
    let wcwidth = try #require(Self.wcwidth)
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    var differing: [String] = []
    for value in UInt32(0x20)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let theirs = Int(wcwidth(wchar_t(bitPattern: value)))
      // The C library may know a later or an earlier version of Unicode than Swift.
      guard theirs >= 0, scalar.properties.generalCategory != .unassigned else { continue }
      if columnsTaken(by: scalar) != theirs { differing.append(String(value, radix: 16)) }
    }
    // Later versions of Unicode made a few hundred symbols wide; the table may be ahead or behind.
    #expect(differing.count < 200, "\(differing.count): \(differing.prefix(40))")
  }

  @Test func `a text is cut between characters, never inside one`() {
    #expect(shortened("abc", columnsMax: 3) == "abc")
    #expect(shortened("abcd", columnsMax: 3) == "ab…")
    #expect(shortened("北京天气", columnsMax: 6) == "北京…")
    #expect(shortened("北京天气", columnsMax: 5) == "北京…")
    #expect(shortened("ab cd", columnsMax: 4) == "ab…")
    #expect(shortened("👨\u{200D}👩\u{200D}👧abc", columnsMax: 4) == "👨\u{200D}👩\u{200D}👧a…")
    #expect(shortened("abc", columnsMax: 1) == "…")
    #expect(shortened("abc", columnsMax: 0) == "")
    #expect(padded("北", columns: 4) == "北  ")
    #expect(padded("abcde", columns: 4) == "abcde")
  }

  @Test func `a text is broken between words, and between wide characters`() {
    #expect(wrapped("one two three", columnsMax: 20) == ["one two three"])
    #expect(wrapped("one two three", columnsMax: 7) == ["one two", "three"])
    #expect(wrapped("one two six ten", columnsMax: 8, hanging: 4) == ["one two", "six", "ten"])
    #expect(
      wrapped("see /a/very/long/path for it", columnsMax: 8)
        == ["see", "/a/very/long/path", "for it"])
    #expect(wrapped("天气预报 今天", columnsMax: 6) == ["天气预", "报", "今天"])
    #expect(wrapped("", columnsMax: 4) == [""])
    #expect(wrapped("16:00  Tea with cake", columnsMax: 12) == ["16:00  Tea", "with cake"])
  }
}
