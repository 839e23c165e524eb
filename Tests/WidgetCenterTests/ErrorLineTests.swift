import Testing

@testable import WidgetCenter

/// Which line of a provider's standard error a person is shown.
@Suite struct ErrorLineTests {
  @Test(
    arguments: [
      ("", nil),
      ("\n \n\t\r\n", nil),
      ("one\ntwo\n", "two"),
      ("one\ntwo\n\n  \n", "two"),
      ("KeyError: 'city'\r\n", "KeyError: 'city'"),
      ("10 %\r50 %\rcannot go on", "cannot go on"),
      // Colours, titles of windows, a cursor that moves, bells.
      ("\u{1B}[31;1merror:\u{1B}[0m no key", "error: no key"),
      ("\u{1B}]0;title\u{07}no key", "no key"),
      ("\u{1B}]8;;https://evil.example\u{1B}\\no key\u{1B}]8;;\u{1B}\\", "no key"),
      ("\u{9B}2Jno\u{08}\u{07} key\u{7F}", "no key"),
      ("\u{1B}(Bno key", "no key"),
      ("a\tb", "a b"),
      // Text that shows in another order than it is written in.
      ("no \u{202E}yek\u{2066}", "no yek"),
      ("no\u{2028}key", "no key"),
      // An unfinished sequence swallows the rest, and no more.
      ("first\nlast \u{1B}[3", "last"),
      // GNU programs end with a hint that says nothing.
      (
        "date: invalid date 'x'\nTry 'date --help' for more information.",
        "date: invalid date 'x'"
      ),
      ("Try 'date --help' for more information.\n", "Try 'date --help' for more information."),
      ("天气：没有网络\n", "天气：没有网络"),
    ] as [(String, String?)])
  func `it is the last line that says something, without control characters`(
    _ diagnostics: String, _ line: String?
  ) {
    #expect(ErrorLine.last(of: diagnostics) == line)
  }

  @Test(arguments: ["x", "é", "天", "👩‍👩‍👧‍👦"])
  func `a long line is cut between characters`(_ character: String) throws {
    let longest = Limits.errorLineBytesMax / character.utf8.count
    let fits = String(repeating: character, count: longest)
    #expect(ErrorLine.last(of: fits) == fits)
    let cut = try #require(ErrorLine.last(of: fits + character))
    #expect(cut.utf8.count <= Limits.errorLineBytesMax)
    #expect(cut.hasSuffix("…"))
    #expect(fits.hasPrefix(cut.dropLast()))
  }

  @Test func `a flood of empty lines is not searched to its end`() {
    let flood = String(repeating: "\n \n", count: Limits.errorLineCountMax)
    #expect(ErrorLine.last(of: "far away" + flood + "near") == "near")
  }

  @Test func `the words of a Swift crash come before what was written behind them`() {
    #expect(
      ErrorLine.last(of: "start\nA/B.swift:9: Fatal error: no store\nother thread\n")
        == "A/B.swift:9: Fatal error: no store")
  }
}
