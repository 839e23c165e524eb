import Plugins
import Testing

struct MarkupTests {
  private func style(_ change: (inout TextStyle) -> Void) -> TextStyle {
    var style = TextStyle()
    change(&style)
    return style
  }

  @Test(arguments: [
    ("red", "#ff0000"), ("RebeccaPurple", "#663399"), ("#f00", "#ff0000"), ("#F008", "#ff000088"),
    ("#FF0000", "#ff0000"), ("#ff0000ff", "#ff0000"), ("#FF000080", "#ff000080"),
    ("#ff00ff00ff00", "#ffffff"), ("#fff000fff", "#ff00ff"), ("rgb(255, 0, 10)", "#ff000a"),
    ("rgba(255,0,0,0.5)", "#ff000080"), ("rgb(100% 0% 0% / 1)", "#ff0000"),
    ("transparent", "#00000000"), (" blue ", "#0000ff"),
  ])
  func `a colour has one form`(_ text: String, _ color: String) {
    #expect(ColorText.read(text) == PluginColor(light: color))
  }

  @Test(arguments: [
    "", "#", "#12", "#12345", "#gggggg", "reddish", "rgb(1,2)", "rgb(a,b,c)", "hsl(1,2,3)", "a,b,c",
    "red,", "rgb(1,2,3", "#ff0000; x",
  ])
  func `a text that is no colour gives none`(_ text: String) {
    #expect(ColorText.read(text) == nil)
  }

  @Test func `two colours are for light and dark`() {
    #expect(ColorText.read("black, #FFF") == PluginColor(light: "#000000", dark: "#ffffff"))
    #expect(ColorText.read("rgb(1,2,3),red") == PluginColor(light: "#010203", dark: "#ff0000"))
  }

  @Test func `the alpha of polybar stands first`() {
    #expect(ColorText.read("#80ff0000", hasAlphaFirst: true)?.light == "#ff000080")
    #expect(ColorText.read("#8f00", hasAlphaFirst: true)?.light == "#ff000088")
    #expect(ColorText.read("#ff0000", hasAlphaFirst: true)?.light == "#ff0000")
  }

  @Test func `markup becomes runs`() {
    let (text, warning) = Pango.read(
      "a <b>b</b> &amp; <span foreground='#F00' size=\"12pt\">c<i>d</i></span>&#x21;")
    var expected = StyledText("a ")
    expected.append("b", style { $0.isBold = true })
    expected.append(" & ")
    let span = style {
      $0.color = PluginColor(light: "#ff0000")
      $0.size = 12
    }
    expected.append("c", span)
    var inner = span
    inner.isItalic = true
    expected.append("d", inner)
    expected.append("!")
    #expect(text == expected)
    #expect(warning == nil)
  }

  @Test(arguments: [
    ("<b>x</b> & y", "x & y"), ("1 < 2", "1 < 2"), ("<b>open", "open"), ("a</b>", "a"),
    ("<b><i>x</b></i>", "x"), ("<blink>x</blink>", "<blink>x</blink>"), ("<b x", ""),
    ("<span color=red>x</span>", "x"), ("&unknown; <u>&lt;</u>", "&unknown; <"), ("<", "<"),
    ("<b class='x'>y</b>", "y"),
  ])
  func `broken markup is shown without styles, and its tags are not shown`(
    _ markup: String, _ plain: String
  ) {
    let (text, warning) = Pango.read(markup)
    #expect(text == StyledText(plain))
    #expect(warning != nil)
  }

  @Test func `an attribute that cannot be used is told and leaves the others`() {
    let (text, warning) = Pango.read("<span color='reddish' weight='700'>x</span>")
    #expect(text == StyledText("x", style { $0.isBold = true }))
    #expect(warning == "the markup has color='reddish', which is no colour; it is ignored")
  }

  @Test(
    arguments: [
      ("font='FontAwesome'", "FontAwesome", nil, false, false),
      ("font_desc='DejaVu Sans Mono Bold Italic 9'", "DejaVu Sans Mono", 9.0, true, true),
      ("face='monospace' size='large'", "monospace", 12.0, false, false),
      ("font_family='X' size='10240'", "X", 10.0, false, false),
      ("font='Sans, 12' size='50%'", "Sans", 6.0, false, false),
    ] as [(String, String, Double?, Bool, Bool)])
  func `a font has a family, a size and a weight`(
    _ attributes: String, _ font: String, _ size: Double?, _ isBold: Bool, _ isItalic: Bool
  ) {
    let expected = style {
      $0.font = font
      $0.size = size
      $0.isBold = isBold
      $0.isItalic = isItalic
    }
    #expect(Pango.read("<span \(attributes)>x</span>").text == StyledText("x", expected))
  }

  @Test func `markup of a thousand levels is text`() {
    let (text, warning) = Pango.read(
      String(repeating: "<b>", count: 1_000) + "x" + String(repeating: "</b>", count: 1_000))
    #expect(text == StyledText("x"))
    #expect(warning?.contains("more than 64 levels") == true)
  }

  @Test func `the colours of a terminal become styles`() {
    let text = ANSI.read("a\u{1B}[1;31mb\u{1B}[0mc\u{1B}[38;5;196md\u{1B}[48:2::1:2:3me\u{1B}[39mf")
    var expected = StyledText("a")
    expected.append(
      "b",
      style {
        $0.isBold = true
        $0.color = PluginColor(light: "#cd0000")
      })
    expected.append("c")
    expected.append("d", style { $0.color = PluginColor(light: "#ff0000") })
    expected.append(
      "e",
      style {
        $0.color = PluginColor(light: "#ff0000")
        $0.background = PluginColor(light: "#010203")
      })
    expected.append("f", style { $0.background = PluginColor(light: "#010203") })
    #expect(text == expected)
  }

  @Test(arguments: [
    "a\u{1B}[2Jb", "a\u{1B}]0;title\u{7}b", "a\u{1B}]8;;http://x\u{1B}\\b", "a\u{1B}P1$r\u{1B}\\b",
    "a\u{1B}(Bb", "a\u{1B}=b", "a\u{9B}31m\u{9B}0mb", "a\u{1B}[?25lb", "ab\u{1B}", "ab\u{1B}[",
    "ab\u{1B}[38;5", "ab\u{1B}]52;c;AAAA", "a\u{1B}[>4mb", "a\u{1B}[999;;38;2;1mb",
  ])
  func `every other escape sequence is removed`(_ text: String) {
    #expect(ANSI.read(text).plain == "ab")
    #expect(ANSI.read(text).runs.count == 1)
  }

  @Test func `a reset goes back to the style around it`() {
    let base = style { $0.color = PluginColor(light: "#0000ff") }
    #expect(ANSI.read("\u{1B}[7;31mx\u{1B}[my", base: base).runs.last?.style == base)
  }

  @Test(arguments: [
    (":mushroom:", "🍄"), ("a :+1: b", "a 👍 b"), ("12:30:45", "12:30:45"),
    (":no_such:", ":no_such:"),
    ("::coffee::", ":☕:"), (":a:b:", "🅰️b:"), (":", ":"), ("x:de", "x:de"),
  ])
  func `an emoji code is its character`(_ text: String, _ result: String) {
    #expect(EmojiCodes.replaced(in: text) == result)
  }

  @Test func `the tags of polybar become runs and commands`() {
    let tags = PolybarTags.read(
      "%{F#f00 B#80000000}hot%{F- B-} %{A1:firefox 'http\\://x':}%{A3:menu:}%{+u}web%{-u}%{A}%{A}%{T2}!"
    )
    var expected = StyledText(
      "hot",
      style {
        $0.color = PluginColor(light: "#ff0000")
        $0.background = PluginColor(light: "#00000080")
      })
    expected.append(" ")
    expected.append("web", style { $0.isUnderlined = true })
    expected.append("!")
    #expect(tags.text == expected)
    #expect(tags.commands == [1: "firefox 'http://x'", 3: "menu"])
    #expect(tags.warnings == [])
  }

  @Test(arguments: [
    ("a%{F#12}b", "ab", "the tag %{F#12} has no colour; it is ignored"),
    (
      "a%{A:#date.toggle:}b%{A}", "ab",
      "the action #date.toggle is one of polybar itself; it is ignored"
    ),
    ("a%{A6:x:}b%{A}", "ab", "the command of a double click is ignored"),
    ("a%{x}b", "ab", "the tag %{x} is none of polybar; it is ignored"),
    ("a%{F#fff b", "a", "a tag %{…} is not closed; the text behind it is left out"),
    (
      "%{A:x:}a%{A} %{A:y:}b%{A}", "a b",
      "button 1 has more than one command; the first is taken for all of the text"
    ),
  ])
  func `a tag that cannot be used is told`(_ text: String, _ plain: String, _ warning: String) {
    let tags = PolybarTags.read(text)
    #expect(tags.text.plain == plain)
    #expect(tags.warnings.contains(warning))
  }
}
