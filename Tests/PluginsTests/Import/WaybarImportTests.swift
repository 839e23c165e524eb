import Plugins
import Testing

struct WaybarImportTests {
  @Test func `a module becomes a plugin with its time, signal, condition and clicks`() throws {
    let reading = imported(
      .waybar,
      """
      // a bar
      {
        "modules-left": ["custom/weather", "clock",],
        "custom/weather": {
          "exec": "~/bin/weather.sh --city 'New York'", /* words */
          "exec-if": "which curl", "interval": 600, "signal": 8, "return-type": "json",
          "on-click": "xdg-open https://x.example", "on-scroll-up": "pamixer -i 5 | true",
          "format": "{}", "tooltip": true, "escape": true,
        },
      }
      """)
    #expect(reading.problems == [])
    let module = try reading.module("custom/weather")
    #expect(module.line == 4)
    #expect(module.isShown)
    let plugin = try reading.plugin("custom/weather")
    #expect(plugin.exec == ["/h/bin/weather.sh", "--city", "New York"])
    var expected = PluginDeclaration(.waybar, .every(600_000))
    expected.signal = 8
    expected.condition = ["which", "curl"]
    expected.clicks = [
      .left: ["xdg-open", "https://x.example"],
      .scrollUp: ["/bin/sh", "-c", "pamixer -i 5 | true"],
    ]
    var look = PluginLook()
    look.isPlain = true
    expected.look = look
    #expect(plugin.declaration == expected)
    #expect(plugin.leftOut == [])
    #expect(reading.reasons == ["clock": "built into Waybar"])
  }

  @Test(arguments: [
    (#""interval": 5"#, PluginSchedule.every(5_000), false, Int64?.none),
    (#""interval": "5""#, .every(5_000), false, nil),
    (#""interval": 0.001"#, .every(100), false, nil),
    (#""interval": 1.5"#, .every(1_500), false, nil), (#""interval": "once""#, .once, false, nil),
    (#""signal": 4"#, .once, false, nil),
    (#""interval": 1e300"#, .every(31_622_400_000), false, nil),
    (#""x": 1"#, .once, true, nil), (#""restart-interval": 3"#, .once, true, 3_000),
    (#""interval": 0"#, .once, true, nil),
    (#""interval": 5, "signal": 4"#, .every(5_000), false, nil),
  ])
  func `the interval says when it runs`(
    member: String, schedule: PluginSchedule, isStream: Bool, restart: Int64?
  ) throws {
    let reading = imported(.waybar, #"{"custom/a": {"exec": "a", \#(member)}}"#)
    let declaration = try reading.plugin("custom/a").declaration
    #expect(declaration.schedule == schedule)
    #expect(declaration.isStream == isStream)
    #expect(declaration.restart == restart)
  }

  @Test(arguments: [
    (
      #""interval": "5x""#,
      #"interval of custom/a is "5x", and may be a number of seconds or "once"; until it is "#
        + #"mended, the module runs as with "once""#
    ),
    (
      #""interval": true, "signal": 4"#,
      #"interval of custom/a is true, and may be a number of seconds or "once"; until it is "#
        + #"mended, the module runs as with "once""#
    ),
    (
      #""return-type": "jsn", "interval": "once""#,
      #"return-type of custom/a is "jsn", and may be "json" or ""; until it is mended, each "#
        + "output shows by itself whether it is JSON"
    ),
    (
      #""interval": "inf""#,
      #"interval of custom/a is "inf", and may be a number of seconds or "once"; until it is "#
        + #"mended, the module runs as with "once""#
    ),
    (
      #""restart-interval": "nan", "interval": "once""#,
      #"restart-interval of custom/a is "nan", and may be a number of seconds; until it is "#
        + "mended, the key is left out"
    ),
  ])
  func `a value that Waybar does not know is named, and no module stays running by it`(
    members: String, message: String
  ) throws {
    let bar = "{\"custom/a\": {\"exec\": \"a\",\n\(members)}}"
    let reading = imported(
      .waybar, "[\(bar), {\"include\": \"b\"}, {\"include\": \"b\"}]",
      files: [
        "/h/.config/bar/b": bar
      ])
    let declaration = try reading.plugin("custom/a").declaration
    #expect(declaration.schedule == .once)
    #expect(!declaration.isStream)
    #expect(declaration.restart == nil)
    #expect(
      reading.problems == [
        ImportProblem("/h/.config/bar/config", line: 2, message),
        ImportProblem("/h/.config/bar/b", line: 2, message),
      ])
  }

  @Test func `values that Waybar knows are no mistakes`() {
    let reading = imported(
      .waybar,
      #"{"custom/a": {"exec": "a", "return-type": "", "interval": 0, "restart-interval": "3"},"#
        + #""custom/b": {"exec": "b", "return-type": "json", "interval": "2.5"},"#
        + #""custom/c": {"format": "x", "interval": "5x"}}"#)
    #expect(reading.problems == [])
  }

  @Test func `modules that are not shown, not defined or without a command are told apart`() throws
  {
    let reading = imported(
      .waybar,
      """
      [{"modules-left": ["group/g", "custom/gone", "sway/mode", "battery#2"],
        "group/g": {"modules": ["custom/in", "cpu"]},
        "custom/in": {"exec": "a"}, "custom/out": {"exec": "b"}, "battery#2": {"bat": "1"},
        "custom/menu": {"format": "x", "on-click": "y"}, "custom/empty": {"exec": "  "},
        "custom/open": {"exec": "a 'b"}}]
      """)
    #expect(try reading.module("custom/in").isShown)
    #expect(try !reading.module("custom/out").isShown)
    #expect(
      reading.reasons == [
        "custom/gone": "the file does not define it", "sway/mode": "built into Waybar",
        "cpu": "built into Waybar", "battery#2": "built into Waybar",
        "custom/menu": "no exec, nothing to show",
        "custom/empty": "exec is empty, nothing to show",
        "custom/open": "refused: exec: a quote ' does not end",
      ])
  }

  @Test func `the same module of two bars is taken once, and another of its name beside it`() {
    let reading = imported(
      .waybar,
      """
      [{"custom/a": {"exec": "a"}}, {"custom/a": {"exec": "a"}}, {"custom/a": {"exec": "b"}}]
      """)
    #expect(reading.modules.compactMap(\.plugin?.exec) == [["a"], ["b"]])
  }

  @Test func `included files give what the file itself does not have`() throws {
    let reading = imported(
      .waybar, #"{"include": ["~/a.json", "b.json", "c.json"], "custom/a": {"exec": "own"}}"#,
      files: [
        "/h/a.json":
          #"{"custom/a": {"exec": "theirs"}, "custom/b": {"exec": "b"}, "include": "/h/a.json"}"#,
        "/h/.config/bar/b.json": "{\n\"custom/c\": {\"exec\": \"c\"\n}} x",
      ])
    #expect(try reading.plugin("custom/a").exec == ["own"])
    #expect(try reading.module("custom/b").file == "/h/a.json")
    #expect(
      reading.problems == [
        ImportProblem("/h/.config/bar/b.json", line: 3, "expected the end of the file, found 'x'"),
        ImportProblem(
          "/h/.config/bar/config", line: 1,
          "the included file /h/.config/bar/c.json is not read: no such file"),
      ])
  }

  @Test(arguments: [
    ("{\n\"a\": }", 2, "expected a value, found '}'"),
    ("{", 1, "the file ends before a name in quotes or '}'"),
    ("{\"a\": 1\n\"b\": 2}", 2, "expected ',' or '}', found '\"'"),
    ("[1]", 1, "a bar is a number, and no object"),
    ("\n/* x", 2, "a comment /* does not end"), ("{\"a\": \"b", 1, "a text does not end"),
    ("{\"a\": \u{1}}", 1, "expected a value, found another character"),
    ("{\"a\": nan}", 1, "expected a value, found 'n'"),
    (String(repeating: "[", count: 100), 1, "more than 64 brackets stand inside each other"),
    ("3", 1, "the settings are no object and no list"),
  ])
  func `a mistake is named with its line`(text: String, line: Int, message: String) {
    let reading = imported(.waybar, text)
    #expect(reading.modules == [])
    #expect(reading.problems == [ImportProblem("/h/.config/bar/config", line: line, message)])
  }

  @Test func `texts have the escapes of JSON, and halves of pairs do no harm`() throws {
    let reading = imported(
      .waybar, #"{"custom/a": {"exec": "x '\u00e9\ud83d\ude00\ud83d\t\/\q'"}}"#)
    #expect(try reading.plugin("custom/a").exec == ["x", "é😀\u{FFFD}\t/q"])
  }

  @Test func `modules beyond the limit are left out, and that is said once`() {
    let members = (0..<600).map { "\"custom/\($0)\": {\"exec\": \"a\($0)\"}" }
    let reading = imported(.waybar, "{\(members.joined(separator: ",\n"))}")
    #expect(reading.modules.count == 500)
    #expect(reading.problems.map(\.message) == ["only the first 500 modules are taken"])
  }
}
