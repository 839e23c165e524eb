import JSON
import Plugins
import Testing

struct MenuReaderTests {
  private static func read(_ output: String, _ format: PluginFormat = .xbar) -> PluginReading {
    PluginReader.read(Array(output.utf8), format)
  }

  /// A tree of texts: `A(B C)`, `-` for a line between items, `A/B` for B as the alternate of A.
  private static func tree(_ items: [PluginItem]) -> String {
    items.map { item in
      guard !item.isSeparator else { return "-" }
      let below = item.items.isEmpty ? "" : "(\(tree(item.items)))"
      return item.text.plain + below + item.alternate.map { "/" + tree([$0]) }.joined()
    }
    .joined(separator: " ")
  }

  @Test(arguments: [
    ("T", "T", ""), ("T\r\n---\r\nA\r\n", "T", "A"), ("---\nA", "", "A"), ("T\n---", "T", ""),
    ("\n\nT\n\n---\n\nA\n\n", "T", "A"), ("T\n---\nA\n---\nB", "T", "A - B"),
    ("T\n---\nA\n--B\n----C\n--D\nE", "T", "A(B(C) D) E"),
    ("T\n---\nA\n--B\n-----\n--C", "T", "A(B - C)"),
    ("T\n---\nA\n----C\n----D\n--E\nF", "T", "A(C D E) F"), ("T\n---\n--A\nB", "T", "A B"),
    ("T\n---\nA\n---\n--B\nC", "T", "A(B) - C"),
    ("T\n---\nA\nB|alternate=true\n--C\nD", "T", "A/B(C) D"),
    ("T\n---\n- a\n-5\n-- b", "T", "- a -5(b)"), ("T\n---\n---\n---", "T", ""), ("", "", ""),
    ("\n \n", "", ""),
    ("a\nb|dropdown=false\nc\n---\nX", "a b c", "a c - X"), ("a\nb", "a b", "a b"),
    ("a|dropdown=false\nb|dropdown=false", "a b", ""), ("T\n---\nA|dropdown=false\nB", "T", "B"),
    ("T\n --- \nA", "T", "A"), ("T\n--- | color=red\nA", "T", "A"),
  ])
  func `lines become titles and a tree`(output: String, titles: String, menu: String) {
    let frame = Self.read(output).frame
    #expect(frame.titles.map(\.text.plain).joined(separator: " ") == titles)
    #expect(Self.tree(frame.items) == menu)
    #expect(frame.isHidden == (titles.isEmpty && menu.isEmpty))
  }

  @Test func `texts beyond those that a frame can have are not read`() {
    let line = String(repeating: ":a", count: 1_000) + " | emojize=true\n"
    let output = "t\n---\n" + String(repeating: line, count: 1_990)
    let reading = PluginReader.read(Array(output.utf8), .xbar)
    #expect(reading.frame.items.count <= PluginLimits.menuTextBytesMax / 2_000)
    #expect(reading.warnings.contains { $0.message.contains("the rest is left out") })
  }

  @Test func `each family knows the line that ends the titles otherwise`() {
    #expect(Self.tree(Self.read("T\n---More\nA", .swiftbar).frame.items) == "-More A")
    #expect(Self.read("T\n --- \nA", .swiftbar).frame.titles.count == 3)
    #expect(Self.tree(Self.read("T\n-----\nA", .argos).frame.items) == "A")
    #expect(Self.tree(Self.read("T\n---\nA|dropdown=false", .argos).frame.items) == "A")
  }

  @Test(arguments: [
    // The line as it is written, the title, the link, the warnings.
    ("x|href=a", "x", "a", 0), ("x | href=a", "x", "a", 0), ("x | color=red | href=a", "x", "a", 0),
    ("x|color=red|href=a", "x", "a", 0), ("x | HREF=a", "x", "a", 0),
    ("x | href='a b'", "x", "a b", 0),
    (#"x | href="a\"b" "#, "x", #"a"b"#, 0), (#"x | href="a\$b\\" "#, "x", #"a\$b\\"#, 0),
    ("x | href='a | b' color=red", "x", "a | b", 0),
    ("x | href=a|b color=red", "x", "a|b", 0), ("x | href='a b", "x", "a b", 0),
    ("a | b", "a | b", nil, 0), ("a | b | href=c", "a | b", "c", 0),
    ("a|{{.ID}}|href=c", "a|{{.ID}}", "c", 0),
    ("x |", "x", nil, 0), ("x | | href=a", "x", "a", 0),
    ("x | frob=1 href=a", "x", "a", 1), ("x | hrefs=a", "x", nil, 1),
    ("x | attempt=3", "x | attempt=3", nil, 1),
    ("x | href=a b href=c", "x", "c", 1), ("x | href=", "x", nil, 1),
    ("x | refresh= href=a", "x", "a", 1),
    ("x | color=rde href=a", "x", "a", 1), ("x | href=a=b?c=d", "x", "a=b?c=d", 0),
    ("x | href='a'b", "x", "ab", 0),
    ("x | =1", "x | =1", nil, 0), ("x | size=18' href=a", "x", "a", 1),
  ])
  func `parameters stand behind the pipe whose rest they are`(
    line: String, title: String?, link: String?, warnings: Int
  ) {
    let reading = Self.read(line)
    #expect(reading.frame.titles.first?.text.plain == title)
    #expect(reading.frame.titles.first?.action.url == link)
    #expect(reading.warnings.count == warnings)
    #expect(reading.warnings.allSatisfy { $0.line == 1 })
  }

  @Test(arguments: [
    ("T|colr=red", "did you mean 'color'"), ("T|color=purpel", "did you mean 'purple'"),
    ("T|refresh=", "not true or false"), ("T|length=x", "no number of characters"),
    ("T|image=%%%", "not in Base64"), ("T|eval='a()'", "never run"),
    ("T|sfimage=sun.max", "Apple's"),
    ("T|param1=a", "no program"), ("T|bash=/a b c", "quotes around"),
    ("T\n---\nA|color=red colour=blue", "did you mean 'color'"),
    ("T\n---\nA|alternate=true", "no item before it"),
    ("T\n---\n" + String(repeating: "--", count: 9) + "deep", "level 9"),
    (String(repeating: "T\n", count: 17), "first 16 lines"),
    (String(repeating: "x", count: 5_000), "cut after 4096"),
  ])
  func `an output that is read otherwise is warned about`(output: String, message: String) {
    let reading = Self.read(output)
    #expect(reading.warnings.count == 1)
    #expect(reading.warnings.first?.message.contains(message) == true)
    #expect(!reading.frame.isHidden)
  }

  @Test func `an output that shows nothing is hidden, and says why if it is not empty`() {
    for output in ["", "\n---\n", " | \n"] {
      #expect(Self.read(output).frame.isHidden)
      #expect(Self.read(output).warnings.isEmpty)
    }
    #expect(Self.read("|color=red").frame.isHidden)
    #expect(Self.read("|color=red").warnings.count == 1)
  }

  @Test func `code is refused once`() {
    #expect(Self.read("T|eval=a\n---\nA|eval=b\nB|onclick=c", .argos).warnings.count == 1)
  }

  @Test(arguments: [
    ("T|bash=/a/b param2=y param1='x z'", PluginFormat.xbar, ["/a/b", "x z", "y"]),
    ("T|shell=/a param3=c param1=a", .xbar, ["/a", "a", "", "c"]),
    ("T|shell=/a param3=c param1=a", .swiftbar, ["/a", "a", "c"]),
    ("T|bash=/a param10=j param9=i param0=z", .swiftbar, ["/a", "z", "i", "j"]),
    ("T|bash=/a param1=b param0=z", .xbar, ["/a", "z", "b"]),
    ("T|bash='/a b/c' param1=d", .xbar, ["/a b/c", "d"]), ("T|bash='/a b'", .swiftbar, ["/a b"]),
    ("T|bash='open -a X'", .xbar, ["open", "-a", "X"]),
    ("T|bash='ls | head'", .swiftbar, ["bash", "-c", "ls | head"]),
    ("T|bash=gedit", .argos, ["gedit"]), ("T|bash='top -b'", .argos, ["top", "-b"]),
    ("T|bash='echo $HOME; x'", .argos, ["bash", "-c", "echo $HOME; x"]),
    ("T|bash='echo $1' param1=\"it's\"", .argos, ["bash", "-c", #"echo $1 'it'\''s'"#]),
    ("T|bash='A=1 x'", .argos, ["bash", "-c", "A=1 x"]),
    (#"T|bash="x 'a b' \$c""#, .argos, ["bash", "-c", "x 'a b' $c"]),
    (#"T|bash="x 'a b'""#, .argos, ["x", "a b"]), ("T|bash=''", .argos, []),
  ])
  func `a click runs a program with its arguments`(
    output: String, format: PluginFormat, argv: [String]
  ) { #expect(Self.read(output, format).frame.titles.first?.action.exec == argv) }

  @Test func `an action has all that a line says`() {
    let item = Self.read("T|bash=/a href=b refresh=TRUE stdin='c d' terminal=true").frame.titles
      .first
    #expect(
      item?.action.json.serialized
        == #"{"url":"b","exec":["/a"],"terminal":true,"stdin":"c d","refresh":true}"#)
    #expect(Self.read("T|bash=/a href=b disabled=true").frame.titles.first?.action.isEmpty == true)
    // A terminal is the default of all but xbar.
    #expect(Self.read("T|bash=/a").frame.titles.first?.action.isInTerminal == false)
    #expect(Self.read("T|bash=/a", .swiftbar).frame.titles.first?.action.isInTerminal == true)
    #expect(Self.read("T|bash=/a", .argos).frame.titles.first?.action.isInTerminal == true)
    #expect(Self.read("T|href=/a", .argos).frame.titles.first?.action.isInTerminal == false)
  }

  @Test func `an item has its look`() {
    let line =
      "T|color=#F00,white checked=true badge=3 tooltip='a b' iconName=starred size=12 font=Mono"
    let item = Self.read(line).frame.titles.first
    #expect(item?.color == PluginColor(light: "#ff0000", dark: "#ffffff"))
    #expect(item?.isChecked == true)
    #expect(item?.badge == "3")
    #expect(item?.tooltip == "a b")
    #expect(item?.icon == "starred")
    #expect(item?.text.json.serialized == #"{"runs":[{"text":"T","font":"Mono","size":12.0}]}"#)
  }

  @Test func `a picture is decoded`() {
    let item = Self.read("|templateImage=iVBORw0KGgo=").frame.titles.first
    #expect(item?.image == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(item?.imageIsTemplate == true)
    #expect(Self.read("T|image=QUI").frame.titles.first?.image == [65, 66])
    #expect(Self.read("T|image=QQ==,Qg==").frame.titles.first?.image == [65])
    #expect(
      Self.read("T|image=data:image/png;base64,QUJD").frame.titles.first?.image == [65, 66, 67])
    for bad in ["Q", "QUJD=Q", "QQ===", "Q\u{e9}JD"] {
      #expect(Self.read("T|image=\(bad)").frame.titles.first?.image == nil)
    }
    let large = Self.read("T|color=red image=" + String(repeating: "QUJD", count: 90_000))
    #expect(large.frame.titles.first?.image == nil)
    #expect(large.warnings.map(\.message).first?.contains("262144 bytes") == true)
  }

  @Test(arguments: [
    (#"a\nb\\c"#, PluginFormat.xbar, #"a\nb\\c"#), (":mushroom:", .xbar, "🍄"),
    (":mushroom:|emojize=false", .xbar, ":mushroom:"), (":mushroom:", .swiftbar, ":mushroom:"),
    (":mushroom:|symbolize=false", .swiftbar, "🍄"), ("\u{1B}[31mred\u{1B}[0m", .xbar, "red"),
    ("\u{1B}[31mred\u{1B}[0m", .swiftbar, "red"), (#"\e[31mred"#, .swiftbar, "red"),
    (#"\e[31mred"#, .xbar, #"\e[31mred"#), ("<b>a</b> &amp; b", .argos, "a & b"),
    ("<b>a</b>|useMarkup=false", .argos, "<b>a</b>"), ("<b>a</b>", .xbar, "<b>a</b>"),
    ("  a  ", .xbar, "a"), ("  a  |trim=false", .xbar, "  a  "),
    ("12345|length=3", .xbar, "123…"), ("123|length=3", .xbar, "123"),
    ("👨‍👩‍👧‍👦 family|length=2", .xbar, "👨‍👩‍👧‍👦 …"), (#"a\x"#, .argos, #"a\x"#),
    (#"a\\b|unescape=false"#, .argos, #"a\\b"#), (#"a\\b"#, .argos, #"a\b"#),
  ])
  func `a text is read as its family does`(line: String, format: PluginFormat, text: String) {
    #expect(Self.read(line, format).frame.titles.first?.text.plain == text)
  }

  @Test func `a text that was cut is whole in its tooltip`() {
    #expect(Self.read("12345|length=3").frame.titles.first?.tooltip == "12345")
    #expect(Self.read("12345|length=3 tooltip=own").frame.titles.first?.tooltip == "own")
  }

  @Test func `colours of a terminal and of markup are styles`() {
    let ansi = Self.read("\u{1B}[1ma\u{1B}[0mb").frame.titles.first?.text
    #expect(ansi?.json.serialized == #"{"runs":[{"text":"a","bold":true},{"text":"b"}]}"#)
    #expect(Self.read("\u{1B}[1ma|ansi=false").frame.titles.first?.text.json == "a")
    let pango = Self.read("<i>a</i>\u{1B}[1mb", .argos).frame.titles.first?.text
    #expect(
      pango?.json.serialized == #"{"runs":[{"text":"a","italic":true},{"text":"b","bold":true}]}"#)
  }

  @Test func `a long output is cut with a warning`() {
    let output = "T\n---\n" + (0..<3_000).map { "line \($0)|href=a" }.joined(separator: "\n")
    let reading = Self.read(output)
    #expect((1_000...1_998).contains(reading.frame.items.count))
    #expect(reading.warnings.first?.line == 2_001)
  }

  @Test func `bytes that are no text are replaced`() {
    let reading = PluginReader.read([0x41, 0xFF, 0x00, 0x42], .xbar)
    #expect(reading.frame.titles.first?.text.plain == "A\u{FFFD}B")
    #expect(reading.warnings.count == 2)
  }
}
