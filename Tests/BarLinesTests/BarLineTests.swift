import BarLines
import JSON
import Testing
import Timekeeping

/// The lines of each format, written out.
struct BarLineTests {
  private static let rich = widget([
    "title": "Beijing",
    "short": ["runs": [["text": "3° "], ["text": "hot", "color": "#ff0000", "bold": true]]],
    "text": ["3° clear", "wind 5"], "percentage": 40.4, "class": ["clear"], "color": "#00ff00",
    "background": ["light": "#ffffff", "dark": "#00000080"], "symbol": "moon.stars",
  ])

  private static let lines: [(BarFormat, String)] = [
    (
      .waybar,
      ##"{"text":"<span foreground=\"#00ff00\" background=\"#000000\" bgalpha=\"32897\">3° </span><span foreground=\"#ff0000\" background=\"#000000\" bgalpha=\"32897\" weight=\"bold\">hot</span>","alt":"moon.stars","tooltip":"Beijing\n3° clear\nwind 5","class":["clear"],"percentage":40}"##
    ),
    (
      .i3bar,
      ##"[{"name":"weather","instance":"17","full_text":"3° clear","short_text":"3° <span foreground=\"#ff0000\" weight=\"bold\">hot</span>","markup":"pango","color":"#00ff00","background":"#00000080"}]"##
    ),
    (
      .polybar,
      "%{A1:intent-send click bar 1 --shown weather@17:}%{A2:intent-send click bar 2 --shown weather@17:}%{A3:intent-send click bar 3 --shown weather@17:}%{A4:intent-send click bar 4 --shown weather@17:}%{A5:intent-send click bar 5 --shown weather@17:}%{B#80000000}%{F#00ff00}3° %{F-}%{B-}%{B#80000000}%{F#ff0000}hot%{F-}%{B-}%{A}%{A}%{A}%{A}%{A}"
    ),
    (
      .lemonbar,
      "%{A1:intentd/1/weather@17:}%{A2:intentd/2/weather@17:}%{A3:intentd/3/weather@17:}%{A4:intentd/4/weather@17:}%{A5:intentd/5/weather@17:}%{B#80000000}%{F#00ff00}3° %{F-}%{B-}%{B#80000000}%{F#ff0000}hot%{F-}%{B-}%{A}%{A}%{A}%{A}%{A}"
    ),
    (
      .tmux,
      "#[range=user|bar]#[fg=#00ff00,bg=#000000]3° #[default]#[fg=#ff0000,bg=#000000,bold]hot#[default]#[norange]"
    ),
    (
      .genmon,
      "<txt><span foreground=\"#00ff00\" background=\"#000000\" bgalpha=\"32897\">3° </span><span foreground=\"#ff0000\" background=\"#000000\" bgalpha=\"32897\" weight=\"bold\">hot</span></txt><tool>Beijing&#10;3° clear&#10;wind 5</tool><txtclick>intent-send click bar left --shown weather@17</txtclick>"
    ),
    (.conky, "${color #00ff00}3° ${color}${color #ff0000}hot${color}"),
    (.text, "3° hot"),
  ]

  @Test(arguments: lines.indices)
  func `a widget becomes the line of each bar`(index: Int) throws {
    let (format, expected) = Self.lines[index]
    let shown = try line(format, [Self.rich])
    #expect(shown == expected)
  }

  @Test func `every format has its line in this test`() {
    #expect(Set(Self.lines.map(\.0)) == Set(BarFormat.allCases))
  }

  private static let texts: [(content: JSONValue, expected: String)] = [
    (["short": "s", "text": "t", "title": "h"], "s"), (["text": ["", "t"], "title": "h"], "t"),
    (["title": "h"], "h"), (["percentage": 7], "7%"), (["titles": ["a", "b"], "title": "h"], "a"),
    (["short": "", "title": " h "], "h"), (["text": 5], "5"), ([:], "Weather"),
    (["text": ["date": "2026-11-20T08:05:00Z"]], "in 5 min"),
  ]

  @Test(arguments: texts.indices)
  func `a bar shows the short text, else the text, else the title`(index: Int) throws {
    let (content, expected) = Self.texts[index]
    #expect(try line(.text, [widget(content)]) == expected)
  }

  private static let blocks: [(content: JSONValue, full: String, short: String?)] = [
    (["short": "s", "text": "t", "title": "h"], "t", "s"),
    (["short": "s", "title": "h"], "h", "s"),
    (["short": "s", "titles": ["a", "b"]], "a", "s"), (["short": "s"], "s", nil),
    (["short": "s", "percentage": 7], "s", nil), (["title": "h"], "h", nil),
    (["short": "h", "title": "h"], "h", nil), (["short": "", "title": "h"], "h", nil),
    (["short": "abcdef", "title": "ghijklm"], "ghij…", "abcd…"), ([:], "Weather", nil),
    (["short": ["runs": [["text": "s", "color": "#ff0000"]]], "title": "h"], "h", "s"),
  ]

  @Test(arguments: blocks.indices)
  func `i3bar gets the text, and the short text for little room`(index: Int) throws {
    let (content, full, short) = Self.blocks[index]
    var wishes = BarWishes()
    wishes.lengthMax = full.count
    let read = try JSONValue(parsing: line(.i3bar, [widget(content, isStale: true)], wishes))
    let block = try #require(read.arrayValue?.first)
    #expect(block["full_text"]?.stringValue == full)
    #expect(block["short_text"]?.stringValue == short)
    wishes.template = try BarTemplate(parsing: "{line}")
    let filled = try JSONValue(parsing: line(.i3bar, [widget(content)], wishes))
    #expect(filled.arrayValue?.first?["short_text"] == nil)
  }

  @Test func `a widget without an entry shows its name`() throws {
    #expect(try line(.text, [["id": "a", "name": "Clock", "revision": 0]]) == "Clock")
    #expect(try line(.text, [["id": "a"]]) == "a")
  }

  @Test func `several widgets stand on one line, and in blocks of their own`() throws {
    let two = [widget("a", ["text": "1 < 2"]), widget("b", ["text": "3"])]
    #expect(try line(.text, two) == "1 < 2 | 3")
    #expect(try line(.text, [widget(["text": "3°"], isStale: true)]) == "3° (stale)")
    #expect(try line(.conky, two) == "1 < 2 | 3")
    #expect(
      try line(.i3bar, two)
        == ##"[{"name":"a","instance":"17","full_text":"1 &lt; 2","markup":"pango"},{"name":"b","instance":"17","full_text":"3","markup":"pango"}]"##
    )
    #expect(
      try line(.tmux, two)
        == "#[range=user|bar]1 < 2#[norange] | #[range=user|bar.1]3#[norange]")
  }

  @Test func `a line keeps its limits`() throws {
    let long = String(repeating: "é", count: 10_000)
    let runs: [JSONValue] = (0..<500).map {
      ["text": "x", "color": .string("#0000\($0 % 2 == 0 ? "00" : "ff")")]
    }
    let many = (0..<100).map {
      widget(
        "w\($0)",
        [
          "text": .string(long),
          "tooltip": .array(
            Array(repeating: .string(long), count: 100)),
        ])
    }
    #expect(
      try line(.text, many).split(separator: " | ").map(\.count)
        == Array(repeating: BarLimits.textCharacterCountMax, count: BarLimits.widgetCountMax))
    let shown = try JSONValue(parsing: line(.waybar, [many[0]]))
    let tooltip = shown["tooltip"]?.stringValue?.split(separator: "\n") ?? []
    #expect(tooltip.count == BarLimits.tooltipLineCountMax - 2)
    #expect(tooltip.allSatisfy { $0.count == BarLimits.tooltipCharacterCountMax })
    let styled = try line(.conky, [widget(["text": ["runs": .array(runs)]])])
    #expect(styled.split(separator: "${color}").count == BarLimits.runCountMax)
  }

  @Test(arguments: [
    (5, "abcd…"), (6, "abcdef"), (1, "…"), (0, ""), (4, "abc…"),
  ])
  func `a text is cut between characters as a person counts them`(
    countMax: Int, expected: String
  ) throws {
    var wishes = BarWishes()
    wishes.lengthMax = countMax
    #expect(try line(.text, [widget(["text": "abcdef"])], wishes) == expected)
    wishes.lengthMax = 3
    #expect(try line(.text, [widget(["text": "👨‍👩‍👧e\u{301}🇩🇪x"])], wishes) == "👨‍👩‍👧e\u{301}…")
    #expect(try line(.text, [widget(["text": "ab cd"])], wishes) == "ab…")
  }

  @Test func `content that is not current looks so`() throws {
    let content: JSONValue = [
      "text": "3°", "color": "#ff0000", "background": "#0000ff", "urgent": true,
    ]
    let later = eight.advanced(bySeconds: 12 * 60)
    #expect(
      try line(.waybar, [widget(content, isStale: true, error: "no route")], at: later)
        == ##"{"text":"<span foreground=\"#c34444\">3°</span>","alt":"","tooltip":"no route\nstale: 12 min old","class":["urgent","stale"]}"##
    )
    #expect(
      try line(.waybar, [widget(["text": "3°", "asOf": "2026-11-20T07:00:00Z"])], isLost: true)
        == ##"{"text":"<span foreground=\"#888888\">3°</span>","alt":"","tooltip":"the daemon is not running\nstale: 1 h old","class":["stale"]}"##
    )
    #expect(
      try line(.i3bar, [widget(content, isStale: true)])
        == ##"[{"name":"weather","instance":"17","full_text":"3°","markup":"pango","color":"#c34444"}]"##
    )
    #expect(try line(.tmux, [widget(["text": "3°"])], isLost: true).contains("fg=#888888"))
    #expect(try line(.polybar, [widget(["text": "3°"])], isLost: true).contains("%{F#888888}3°"))
    #expect(
      try line(.conky, [widget(["text": "3°"])], isLost: true) == "${color #888888}3°${color}")
  }

  @Test func `a colour that is none is left out`() throws {
    let bad = ["red", "#ff0", "#ff00zz", "#ff0000}%{A1:x:}", "#ff0000\" x=\"", "", "#ff00001"]
    for text in bad {
      #expect(
        try line(.tmux, [widget(["text": "a", "color": .string(text)])])
          == "#[range=user|bar]a#[norange]")
    }
  }
}
