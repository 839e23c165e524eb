import BarLines
import JSON
import Testing

/// Text of others on every bar: commands of any bar in it are text, and stay readable.
struct ForeignCommandTests {
  private static let hostile = [
    "#(touch /tmp/x)", "#{E:@w}", "#[fg=red]#(x)", "##(x)", "###(x)", "#", "a#",
    "%{A1:touch /tmp/x:}now%{A}", "%%{A1:x:}", "%%%{F#f00}", "100%", "%", "%{", "%%", "{A1:x:}",
    "${exec touch /tmp/x}", "$${exec x}", "$$$exec", "${template1 x}", "$", "$(touch /tmp/x)",
    "`touch /tmp/x`", "<span foreground=\"red\">x</span>",
    "</txt><txtclick>touch /tmp/x</txtclick>",
    "&lt;b&gt;", "&", "a < b > c", "\"}],[{\"full_text\":\"x\"", "\\\"", "\\", "',\"", "]\n[", "a;",
    "intentd/1/weather@17", "#[norange]", "#,#}", "\u{1B}]52;c;eA==\u{7}", "a\u{202E}b\u{2066}",
    "a\r\nb\u{2028}c\u{0}d\u{85}", "\u{200B}x", "e\u{301}\u{301}", "\u{FFFE}",
  ]

  /// The text as a person may see it: the rule of `printable`, and U+200B is not seen.
  private static func visible(_ text: String) -> String {
    var text = text.unicodeScalars.filter { $0 != "\u{200B}" }.map { String($0) }.joined()
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }

  @Test(arguments: hostile.indices, BarFormat.allCases)
  func `no text of a widget is a command of any bar`(index: Int, format: BarFormat) throws {
    let text = Self.hostile[index]
    let plain = Self.visible(try line(.text, [widget(["text": .string(text)])]))
    #expect(!plain.isEmpty || text == "\u{200B}")
    let places: [JSONValue] = [
      ["text": .string(text)], ["short": .string(text), "tooltip": .string(text)],
      ["short": .string(text), "text": "a longer text"],
      ["title": .string(text), "class": [.string(text)], "symbol": .string(text)],
      ["text": ["runs": [["text": .string(text), "bold": true, "color": .string(text)]]]],
    ]
    for content in places {
      let shown = try line(format, [widget(content)])
      #expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control })
      let read = try #require(BarReading.read(shown, format), "\(shown)")
      #expect(Self.visible(read.text) == plain, "\(format): \(shown)")
      #expect(read.foreignCommands == [], "\(format): \(shown)")
    }
  }

  @Test(arguments: BarFormat.allCases)
  func `no command is put together from neighbours`(format: BarFormat) throws {
    // Each part is harmless alone: runs without and with a style, a template, two widgets.
    let pairs = [
      ("#", "(touch x)"), ("%", "{A1:x:}"), ("$", "{exec x}"), ("$", "{template1 x}"),
      ("$", "exec"), ("&", "lt;"),
      ("#", "{E:@w}"),
    ]
    for (first, second) in pairs {
      let bold: JSONValue = ["text": .string(second), "bold": true]
      let contents: [JSONValue] = [
        ["text": ["runs": [["text": .string(first)], ["text": .string(second)]]]],
        ["text": ["runs": [["text": .string(first)], bold]]],
        ["text": ["runs": [["text": .string(first), "italic": true], bold]]],
      ]
      for content in contents {
        let shown = try line(format, [widget(content)])
        let read = try #require(BarReading.read(shown, format), "\(shown)")
        #expect(Self.visible(read.text) == first + second, "\(format): \(shown)")
        #expect(read.foreignCommands == [], "\(format): \(shown)")
      }
      var wishes = BarWishes()
      let braces = second.replacing("{", with: "{{").replacing("}", with: "}}")
      wishes.template = try BarTemplate(parsing: "{text}\(braces)")
      let shown = try line(format, [widget(["text": .string(first)])], wishes)
      let read = try #require(BarReading.read(shown, format), "\(shown)")
      #expect(Self.visible(read.text) == first + second, "\(format): \(shown)")
      #expect(read.foreignCommands == [], "\(format): \(shown)")
    }
  }

  @Test(arguments: BarFormat.allCases)
  func `the id of a widget is no command either`(format: BarFormat) throws {
    for id in ["a:b}%{A1:x:}", "$(x)", "#(x)", "a b", "ü", "%", "@", "</txtclick>", "';x"] {
      let shown = try line(format, [widget(id, ["text": "t"])])
      let read = try #require(BarReading.read(shown, format), "\(shown)")
      #expect(read.text == "t", "\(shown)")
      #expect(read.foreignCommands == [], "\(shown)")
    }
  }
}
