import JSON
import Plugins
import Testing

struct BarReaderTests {
  private func read(_ text: String, _ format: PluginFormat, _ exitStatus: Int32 = 0)
    -> PluginReading
  {
    PluginReader.read(Array(text.utf8), format, exitStatus: exitStatus)
  }

  private func content(_ text: String, _ format: PluginFormat, _ exitStatus: Int32 = 0) -> String {
    JSONValue.object(read(text, format, exitStatus).frame.content).serialized
  }

  @Test(arguments: [
    (
      PluginFormat.waybar, "12 updates\n12 packages\rto do\nneeds-updates big\n",
      #"{"title":"12 updates","tooltip":["12 packages","to do"],"class":["needs-updates","big"]}"#
    ),
    (
      .waybar, #"{"text":"a","alt":"b","tooltip":"c\rd","class":["x","y"],"percentage":40}"# + "\n",
      #"{"title":"a","tooltip":["c","d"],"class":["x","y","b"],"percentage":40.0}"#
    ),
    (
      .waybar, #"{"text":"<b>hot</b>","class":"crit"}"#,
      #"{"title":{"runs":[{"text":"hot","bold":true}]},"class":["crit"]}"#
    ),
    (.waybar, #"{"text":5,"class":null,"tooltip":null,"percentage":null}"#, #"{"title":"5"}"#),
    (.waybar, #"{"text":"","percentage":4,"tooltip":"x"}"#, "{}"),
    (.waybar, "\n", "{}"), (.waybar, "", "{}"),
    (
      .i3blocks, "full\nshort\n#FF0000\n#00FF00\n",
      ##"{"title":"full","color":"#ff0000","short":"short","background":"#00ff00"}"##
    ),
    (.i3blocks, "a & b < c\n", #"{"title":"a & b < c"}"#),
    (
      .i3blocks, "<span foreground='#FF0000'>5%</span>\n",
      ##"{"title":{"runs":[{"text":"5%","color":"#ff0000"}]}}"##
    ),
    (
      .i3blocks, ##"{"full_text":"<b>J</b>","markup":"none","color":"#0f0","urgent":true,"_n":1}"##,
      ##"{"title":"<b>J</b>","color":"#00ff00","urgent":true}"##
    ),
    (.i3blocks, "\n\n#00FF00\n", "{}"), (.i3blocks, #"{"_n":2}"#, "{}"),
    (
      .polybar, "%{F#f00}hot%{F-} %{A1:firefox:}web%{A}\n",
      ##"{"title":{"runs":[{"text":"hot","color":"#ff0000"},{"text":" web"}]},"clicks":{"1":{"exec":["firefox"]}}}"##
    ),
    (.polybar, "\nsecond\n", "{}"),
    (
      .polybar, "%{A3:a | b:}x%{A}\n",
      #"{"title":"x","clicks":{"3":{"exec":["/bin/sh","-c","a | b"]}}}"#
    ),
    (
      .genmon,
      "<img>/x.png</img><txt>42°C</txt><tool>Freq\n2400 MHz</tool><bar>42</bar><click>a b</click>"
        + "<icon>cpu</icon>",
      #"{"title":"42°C","icon":"cpu","tooltip":["Freq","2400 MHz"],"percentage":42.0,"clicks":{"1":{"exec":["a","b"]}}}"#
    ),
    (.genmon, "just text\nmore\n", #"{"title":"just text","text":"more"}"#),
    (.genmon, "<bar>140</bar>", #"{"title":"100%","percentage":100.0}"#),
    (.genmon, "<icon>cpu</icon>", #"{"icon":"cpu"}"#),
    (
      .text, "\nUp 3 days\n\u{1B}[31mload\u{1B}[0m 1\nx\n\n",
      ##"{"title":"Up 3 days","text":[{"runs":[{"text":"load","color":"#cd0000"},{"text":" 1"}]},"x"]}"##
    ),
  ])
  func `an output becomes content`(_ format: PluginFormat, _ output: String, _ content: String) {
    #expect(self.content(output, format) == content)
  }

  @Test(arguments: [
    (PluginFormat.waybar, "{\n \"text\": \"x\"\n}\n", "x", "stands in several lines"),
    (.waybar, "{\"text\":\"1\"}\n{\"text\":\"2\"}\n", "1", "only the first line"),
    (.waybar, "{\"text\":\n", "{\"text\":", "is no JSON"),
    (.waybar, #"{"text":"a","percentage":"40"}"#, "a", #"the percentage is "40" and no number"#),
    (.waybar, #"{"text":"a","percentage":400}"#, "a", "from 0 to 100"),
    (.waybar, #"{"text":"a","tooltp":"40"}"#, "a", "did you mean 'tooltip'?"),
    (.waybar, #"{"text":"<b>x</b> & y"}"#, "x & y", "begins no entity"),
    (.waybar, "a\nb\nc\nd\n", "a", "only three lines"),
    (.i3blocks, "a\nb\n#fff\n#000\nextra\n", "a", "only four lines"),
    (.i3blocks, "a\nb\nreddish\n", "a", "'reddish' is no colour"),
    (.i3blocks, "{\"full_text\":\n", "{\"full_text\":", "is no JSON"),
    (.polybar, "half", "half", "the line is not ended"),
    (.polybar, "1\n2\n", "1", "only the first line"),
    (.polybar, "%{A:'x:}a%{A}\n", "a", "cannot be read by a shell"),
    (.genmon, "<txt>open\n", "<txt>open", "not closed"),
    (.genmon, "<txt>x</txt><bar>full</bar>", "x", "is no number"),
    (.genmon, "<txt>x</txt><click>a</click><txtclick>b</txtclick>", "x", "more than one command"),
    (.text, "a\0b\n", "ab", "NUL"),
  ])
  func `a mistake is told, and something is shown`(
    _ format: PluginFormat, _ output: String, _ title: String, _ warning: String
  ) {
    let reading = read(output, format)
    #expect(reading.frame.titles.first?.text.plain == title)
    #expect(reading.warnings.count == 1)
    #expect(reading.warnings.first?.message.contains(warning) == true, "\(reading.warnings)")
  }

  @Test(arguments: [
    (
      PluginFormat.i3blocks, #"{"text":"a"}"#, 1,
      "i3blocks reads no member 'text'; it only goes back to the script with its next run;"
        + " did you mean 'full_text'?"
    ),
    (.i3blocks, "\n{\n\"full_text\":\"a\",\n\"colour\":\"#f00\"}", 4, "did you mean 'color'?"),
    (.i3blocks, "{\"full_text\":\"a\",\n\"color\":\"reddish\"}", 2, "'reddish' is no colour"),
    (.waybar, "{\"text\":\"a\",\n\"tooltp\":\"40\"}", 2, "did you mean 'tooltip'?"),
    (.waybar, #"{"full_text":"a"}"#, 1, "did you mean 'text'?"),
    (
      .genmon, "<txt>a <b>b</b></txt>\n<tooltip>c</tooltip>", 2,
      "genmon reads no element <tooltip>; it is ignored; did you mean 'tool'?"
    ),
    (
      .genmon, "<text>a</text>", 1,
      "genmon reads no element <text>; it is shown as text; did you mean 'txt'?"
    ),
    (.argos, "a | colr=red size=9\n", 1, "did you mean 'color'?"),
  ])
  func `an unknown key is told with its line and the nearest one`(
    _ format: PluginFormat, _ output: String, _ line: Int, _ warning: String
  ) {
    let warnings = read(output, format).warnings
      .filter { !$0.message.contains("in several lines") }
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.line == line)
    #expect(warnings.first?.message.contains(warning) == true, "\(warnings)")
  }

  @Test(arguments: [
    (PluginFormat.i3blocks, #"{"full_text":"1","text":"2","_color":"3","time":"4"}"#),
    (.genmon, "<txt><b>1</b></txt><tool><i>2</i></tool>"), (.genmon, "plain <b>text</b> <x>y</x>"),
    (.genmon, "2 < 3 > 1"),
  ])
  func `a member of the state, and markup, are no unknown keys`(
    _ format: PluginFormat, _ output: String
  ) {
    #expect(read(output, format).warnings == [])
  }

  @Test func `unknown members of a block are its state`() {
    let reading = read(#"{"full_text":"1:00","time":"60","name":"t","_n":1}"#, .i3blocks)
    #expect(reading.frame.state == ["time": "60", "_n": 1])
    #expect(read(#"{"full_text":"x"}"#, .i3blocks).frame.state == nil)
  }

  @Test func `the first command of the text wins over those of the picture`() {
    let frame = read(
      "<txt>x</txt><iconclick>c</iconclick><click>a</click><txtclick>b</txtclick>", .genmon
    ).frame
    #expect(frame.clicks[1]?.exec.last == "b")
  }

  @Test(arguments: PluginFormat.allCases)
  func `a run that ended badly is a failure, and one without output is hidden`(
    _ format: PluginFormat
  ) {
    #expect(PluginReader.judge(Array("x\n".utf8), format, exitStatus: 1) == .failed)
    guard case .shows(let reading) = PluginReader.judge([], format, exitStatus: 0) else {
      Issue.record("it failed")
      return
    }
    #expect(reading.frame.isHidden)
    #expect(reading.warnings == [])
  }

  @Test func `33 is the urgent status of i3blocks alone`() {
    let output = Array("5.00\n5.00\n#FF0000\n".utf8)
    #expect(PluginReader.judge(output, .waybar, exitStatus: 33) == .failed)
    guard case .shows(let reading) = PluginReader.judge(output, .i3blocks, exitStatus: 33) else {
      Issue.record("it failed")
      return
    }
    #expect(
      JSONValue.object(reading.frame.content).serialized
        == ##"{"title":"5.00","color":"#ff0000","short":"5.00","urgent":true}"##)
  }

  private func texts(of value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let values): values.flatMap(texts(of:))
    case .object(let object): object.members.flatMap { texts(of: $0.value) }
    default: []
    }
  }

  /// Commands to a terminal, hidden and reordering characters, by each way into a text.
  @Test(arguments: PluginFormat.allCases)
  func `nothing that steers, hides or reorders is shown`(_ format: PluginFormat) {
    let hostile = "a\u{1B}]52;c;AAAA\u{7}b\u{202E}c\u{E0041}\u{200B}d\u{9B}31me\u{7F}"
    let encoded = hostile.unicodeScalars.map { scalar in
      scalar.value < 0x20
        ? "\\u00" + (scalar.value < 16 ? "0" : "")
          + String(scalar.value, radix: 16) : String(scalar)
    }.joined()
    for output in [
      hostile, "&#x1b;[31m<b>&#x202e;x</b>", "%{T1}" + hostile,
      "<txt>\(hostile)</txt><tool>\(hostile)</tool>",
      #"{"text":"\#(encoded)","tooltip":"\#(encoded)","class":["\#(encoded)"],"full_text":"\#(encoded)"}"#,
      "x\n\(hostile)\n\(hostile)",
      "x | tooltip='\(hostile)' font='\(hostile)'\n---\n\(hostile)\n--\(hostile)",
    ] {
      let texts = texts(of: .object(read(output, format).frame.content))
      #expect(
        !texts.joined().unicodeScalars.contains { scalar in
          scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar == "\u{202E}"
            || scalar == "\u{200B}" || (0xE0000...0xE007F).contains(scalar.value)
        }, "\(texts)")
    }
  }

  @Test func `a frame has limits, and each is told`() {
    var reading = PluginReading()
    var deep = PluginItem("x")
    for _ in 0..<20 {
      var outer = PluginItem("x")
      outer.items = [deep]
      deep = outer
    }
    reading.frame.titles = Array(repeating: PluginItem("t"), count: 40)
    reading.frame.items = [deep] + Array(repeating: PluginItem("i"), count: 5_000)
    let cleaned = reading.cleaned()
    #expect(cleaned.frame.titles.count == PluginLimits.titleCountMax)
    var depth = 0
    var items = cleaned.frame.items
    while let first = items.first {
      depth += 1
      items = first.items
    }
    #expect(depth == PluginLimits.menuDepthMax)
    #expect(
      cleaned.frame.items.count == PluginLimits.itemCountMax - PluginLimits.menuDepthMax + 1)
    #expect(cleaned.warnings.count == 3)
  }

  @Test func `all texts together have a limit below that of an entry`() {
    var style = TextStyle()
    style.color = PluginColor(light: "#ff0000", dark: "#00ff00")
    style.background = PluginColor(light: "#ff0000ff", dark: "#00ff00ff")
    style.isBold = true
    style.isItalic = true
    style.isUnderlined = true
    style.isStruck = true
    style.font = String(repeating: "f", count: 500)
    style.size = 10.25
    var item = PluginItem()
    for index in 0..<1_000 {
      item.text.append("x", index.isMultiple(of: 2) ? style : TextStyle())
    }
    var reading = PluginReading()
    reading.frame.items = Array(repeating: item, count: 100)
    reading.frame.tooltip = StyledText(String(repeating: "0123456789\n", count: 100_000))
    let cleaned = reading.cleaned()
    let size = JSONValue.object(cleaned.frame.content).serialized.utf8.count
    #expect(size < 256 * 1_024)
    #expect(!cleaned.warnings.isEmpty)
  }

  @Test func `commands and addresses have room within the limit of all texts`() {
    var reading = PluginReading()
    reading.frame.titles = [PluginItem("x")]
    for button in 1...9 {
      var action = PluginAction()
      action.exec = Array(repeating: String(repeating: "a", count: 4_096), count: 16)
      reading.frame.clicks[button] = action
    }
    var item = PluginItem("y")
    item.action.exec = Array(repeating: String(repeating: "b", count: 4_096), count: 64)
    reading.frame.items = [item]
    let cleaned = reading.cleaned()
    let size = JSONValue.object(cleaned.frame.content).serialized.utf8.count
    #expect(size < 256 * 1_024)
    #expect(cleaned.frame.items.first?.action.exec == [])
    #expect(cleaned.frame.clicks.count == 2)
    #expect(cleaned.warnings.count == 1)
  }

  @Test func `an object of one line is read whatever comes after it`() {
    let rest = String(repeating: "later\n", count: 20_000)
    let reading = read(#"{"text":"a"}"# + "\n" + rest, .waybar)
    #expect(JSONValue.object(reading.frame.content).serialized == #"{"title":"a"}"#)
    #expect(reading.warnings.map(\.line) == [2])
  }

  @Test func `an action keeps its arguments as they are, within limits`() {
    var reading = PluginReading()
    var item = PluginItem("x")
    item.action.exec = ["/bin/echo", "a\u{1B}b"]
    item.action.url = "http://x/\u{202E}"
    reading.frame.items = [item]
    item.action.exec = Array(repeating: "x", count: 100)
    reading.frame.items.append(item)
    let cleaned = reading.cleaned()
    #expect(cleaned.frame.items.map(\.action.exec) == [["/bin/echo", "a\u{1B}b"], []])
    #expect(cleaned.frame.items.map(\.action.url) == [nil, nil])
    #expect(cleaned.warnings.count == 2)
  }
}
