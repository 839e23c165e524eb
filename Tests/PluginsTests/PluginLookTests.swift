import JSON
import Plugins
import Testing

/// Text and colour of a module as its bar composes them of its settings and the output.
struct PluginLookTests {
  private static func content(
    _ text: String, _ format: PluginFormat, _ look: PluginLook
  ) -> String {
    let reading = PluginReader.read(Array(text.utf8), format, look: look)
    return JSONValue.object(reading.frame.content).serialized
  }

  private static func look(
    _ format: String? = nil, _ change: (inout PluginLook) -> Void = { _ in }
  ) -> PluginLook {
    var look = PluginLook()
    look.format = format
    change(&look)
    return look
  }

  @Test(arguments: [
    ("{text}", "a", #"{"title":"a"}"#), ("CPU {text}%", "7", #"{"title":"CPU 7%"}"#),
    (
      "<b>{text}</b>", #"{"text":"a &amp; b"}"#,
      #"{"title":{"runs":[{"text":"a & b","bold":true}]}}"#
    ),
    (
      "{alt}/{percentage}", #"{"text":"x","alt":"on","percentage":6.6}"#,
      #"{"title":"on/7","class":["on"],"percentage":6.6}"#
    ),
    ("[{percentage:3}]", #"{"text":"x","percentage":7}"#, #"{"title":"[  7]","percentage":7.0}"#),
    ("[{percentage:<3}]", "x", #"{"title":"[0  ]"}"#), ("[{text:4}]", "ab", #"{"title":"[ab  ]"}"#),
    ("[{text:*^4}]", "ab", #"{"title":"[*ab*]"}"#), ("[{text:>4.1}]", "ab", #"{"title":"[   a]"}"#),
    ("[{percentage:02}]", "x", #"{"title":"[00]"}"#),
    // Other braces are text.
    (
      "{text:5q} {text {foo} {} {text", "a",
      #"{"title":"{text:5q} {text {foo} {} {text"}"#
    ),
    ("{text:99999999999999999999}", "a", #"{"title":"{text:99999999999999999999}"}"#),
    // An empty text is nothing to show only where nothing stands beside it.
    ("M {text}", #"{"text":""}"#, #"{"title":"M "}"#), ("{text}", #"{"text":""}"#, "{}"),
    ("M {text}", "", "{}"), ("M {text}", "\n", "{}"),
  ]) func `a template of Waybar has the values of the output`(
    format: String, output: String, content: String
  ) {
    #expect(Self.content(output, .waybar, Self.look(format)) == content)
  }

  @Test(arguments: [
    (#"{"text":"x","percentage":0}"#, "low"), (#"{"text":"x","percentage":32}"#, "low"),
    (#"{"text":"x","percentage":33}"#, "half"), (#"{"text":"x","percentage":66}"#, "full"),
    (#"{"text":"x","percentage":100}"#, "full"), (#"{"text":"x","percentage":900}"#, "full"),
    (#"{"text":"x","percentage":80,"alt":"up"}"#, "up"),
    (#"{"text":"x","percentage":80,"alt":"other"}"#, "full"), ("x", "low"),
  ]) func `icons are chosen by alt, then by percentage`(output: String, icon: String) throws {
    let look = Self.look("{icon}") {
      $0.icons = ["default": ["low", "half", "full"], "up": ["up"]]
    }
    let reading = PluginReader.read(Array(output.utf8), .waybar, look: look)
    #expect(reading.frame.titles.first?.text.plain == icon)
  }

  @Test func `tooltips, lengths, colours and plain text are those of the settings`() {
    let output = #"{"text":"<b>long</b> text","tooltip":"tip","percentage":5}"#
    #expect(
      Self.content(output, .waybar, Self.look { $0.tooltip = .none })
        == #"{"title":{"runs":[{"text":"long","bold":true},{"text":" text"}]},"percentage":5.0}"#)
    #expect(
      Self.content(output, .waybar, Self.look { $0.tooltip = .format("{percentage} %\nof {text}") })
        .contains(#""tooltip":["5 %",{"runs":[{"text":"of "},{"text":"long","bold":true}"#))
    #expect(
      Self.content(output, .waybar, Self.look { $0.isPlain = true })
        == #"{"title":"<b>long</b> text","tooltip":"tip","percentage":5.0}"#)
    #expect(
      Self.content("a & long text", .i3blocks, Self.look { $0.lengthMax = 6 })
        == #"{"title":"a & l…","tooltip":"a & long text"}"#)
    #expect(
      Self.content("123456", .i3blocks, Self.look { $0.lengthMax = 6 }) == #"{"title":"123456"}"#)
    #expect(
      Self.content(#"{"text":"","alt":"a"}"#, .waybar, Self.look("{alt}") { $0.hidesEmpty = true })
        == "{}")
    let colored = Self.look {
      $0.color = PluginColor(light: "#111111")
      $0.background = PluginColor(light: "#222222")
    }
    #expect(
      Self.content("a\n", .i3blocks, colored)
        == ##"{"title":"a","color":"#111111","background":"#222222"}"##)
    #expect(
      Self.content("a\nb\n#FF0000\n", .i3blocks, colored)
        == ##"{"title":"a","color":"#ff0000","short":"b","background":"#222222"}"##)
  }

  @Test func `labels of a block and formats of polybar stand around the text`() {
    #expect(
      Self.content("5%\n5\n", .i3blocks, Self.look("CPU {text}"))
        == #"{"title":"CPU 5%","short":"5"}"#)
    #expect(Self.content("\n", .i3blocks, Self.look("CPU {text}")) == "{}")
    #expect(
      Self.content(
        ##"{"full_text":"<b>x</b>","markup":"pango"}"##, .i3blocks,
        Self.look("L {text}") { $0.isPlain = true })
        == #"{"title":{"runs":[{"text":"L "},{"text":"x","bold":true}]}}"#)
    #expect(
      Self.content("%{F#0f0}5%{F-}\n", .polybar, Self.look("%{F#f00}CPU%{F-} {text}"))
        == ##"{"title":{"runs":[{"text":"CPU","color":"#ff0000"},{"text":" "},{"text":"5","color":"#00ff00"}]}}"##
    )
    #expect(Self.content("\n", .polybar, Self.look("CPU {text}")) == "{}")
    // Families that say all in their output have no look.
    #expect(Self.content("a", .xbar, Self.look("CPU {text}")) == #"{"title":"a"}"#)
  }

  @Test func `a title is cut as it is shown, where a control character has several`() {
    let look = Self.look { $0.lengthMax = 4 }
    let reading = PluginReader.read(Array(#"{"text":"\u0007abc"}"#.utf8), .waybar, look: look)
    #expect(reading.frame.titles.first?.text.plain.count == 4)
    #expect(Self.content("abcd", .waybar, look) == #"{"title":"abcd"}"#)
  }

  @Test func `a template repeats a long text up to a limit`() {
    let look = Self.look(String(repeating: "{text}", count: 600))
    let text = String(repeating: "a", count: 60_000)
    let reading = PluginReader.read(Array(#"{"text":"\#(text)"}"#.utf8), .waybar, look: look)
    #expect(reading.frame.titles.first?.text.plain.count == PluginLimits.textBytesMax)
    // The end of a value is looked for near its beginning alone.
    let braces = String(repeating: "{", count: 4_000) + "text}"
    #expect(
      Self.content("a", .waybar, Self.look(braces))
        == #"{"title":"\#(String(repeating: "{", count: 3_999))a"}"#)
  }

  @Test func `a long character is cut whole, and nothing of it is left`() {
    // One character, of a letter and its marks.
    let long = "a" + String(repeating: "\u{301}", count: 4_000)
    for (text, shown) in [
      (long, 0), ("xy" + long, 2), (String(repeating: "é", count: 3_000), 2_048),
    ] {
      let reading = PluginReader.read(Array(text.utf8), .xbar)
      #expect(reading.frame.titles.first?.text.plain.count ?? 0 == shown)
    }
  }
}
