import Plugins
import Testing

struct BlocksImportTests {
  @Test func `a block has the properties before the first one, and its own`() throws {
    let reading = imported(
      .i3blocks,
      """
      # mine
      command=/usr/lib/i3blocks/$BLOCK_NAME
      interval=5
      color=#ff0000

      [cpu]
      interval=10
      signal=3
      instance=/dev/sda

      [mail]
      command=./mail 'a b'
      label= M
      bad-name=1
      """)
    #expect(reading.problems == [])
    #expect(try reading.module("cpu").line == 6)
    let cpu = try reading.plugin("cpu")
    #expect(cpu.exec == ["/bin/sh", "-c", "/usr/lib/i3blocks/$BLOCK_NAME"])
    var expected = PluginDeclaration(.i3blocks, .every(10_000))
    expected.signal = 3
    var look = PluginLook()
    look.color = PluginColor(light: "#ff0000")
    expected.look = look
    #expect(cpu.declaration == expected)
    #expect(
      cpu.environment == [
        PluginVariable("BLOCK_INSTANCE", "/dev/sda"), PluginVariable("BLOCK_NAME", "cpu"),
        PluginVariable("color", "#ff0000"), PluginVariable("instance", "/dev/sda"),
        PluginVariable("interval", "10"), PluginVariable("signal", "3"),
      ])
    let mail = try reading.plugin("mail")
    #expect(mail.exec == ["/h/.config/bar/mail", "a b"])
    #expect(mail.leftOut == [])
    // A key that 1.4 refuses: the label is a variable of the command.
    #expect(mail.declaration.look == look)
    #expect(mail.environment.contains(PluginVariable("label", " M")))
  }

  @Test(arguments: [
    ("", PluginSchedule.never, false), ("interval=0", .never, false),
    ("interval=once", .once, false),
    ("interval=-1", .once, false), ("interval=repeat", .every(100), false),
    ("interval=-2", .every(100), false), ("interval=persist", .once, true),
    ("interval=-3", .once, true), ("interval=7", .every(7_000), false),
  ])
  func `the interval says when it runs`(
    line: String, schedule: PluginSchedule, isStream: Bool
  ) throws {
    let declaration = try imported(.i3blocks, "[a]\ncommand=a\n\(line)\n").plugin("a").declaration
    #expect(declaration.schedule == schedule)
    #expect(declaration.isStream == isStream)
  }

  @Test func `blocks without a command, and lines that are nothing, are named`() {
    let reading = imported(
      .i3blocks, "[a]\n[b]\nfull_text=x\n[c\nfoo\n[d]\ncommand=a \"b\n[e]\ncommand=\u{FEFF}")
    #expect(
      reading.reasons == [
        "a": "no command, nothing to show", "b": "no command, its text never changes",
        "d": #"refused: command: a quote " does not end"#,
      ])
    #expect(reading.problems.map(\.line) == [4, 5])
  }

  @Test func `a command of the shell beside the settings runs in their folder`() throws {
    let reading = imported(
      .i3blocks, "[a]\ncommand=./a | tail -1\n", path: "/h/it's/config")
    #expect(
      try reading.plugin("a").exec == ["/bin/sh", "-c", "cd '/h/it'\\''s' && ./a | tail -1"])
  }

  @Test func `the texts of a block are shown where it prints none`() throws {
    let plugin = try imported(
      .i3blocks, "[off]\ncommand=wlogout\nfull_text=Power <off>\nshort_text=P\nlabel=L\n"
    ).plugin("off")
    let look = try #require(plugin.declaration.look)
    #expect(look.text == "Power <off>")
    #expect(look.shortText == "P")
    #expect(plugin.leftOut == [])
    func shown(_ output: String) -> [String?] {
      let frame = PluginReader.read(Array(output.utf8), .i3blocks, look: look).frame
      return [frame.titles.first?.text.plain, frame.short?.plain]
    }
    #expect(shown("") == ["L Power <off>", "P"])
    #expect(shown("on\n") == ["L on", "P"])
    #expect(shown("{\"color\": \"#ff0000\"}\n") == ["L Power <off>", "P"])
    #expect(shown("\n") == [nil, nil], "a text that was printed, and is empty")
  }

  @Test func `lines behind a broken name of a block belong to no block`() throws {
    let reading = imported(
      .i3blocks,
      "[lost\ncommand=a\ninterval=1\n[cpu]\ncommand=b\n[broken\ncommand=c\n[d]\ncommand=d\n")
    #expect(try reading.plugin("cpu").exec == ["b"])
    #expect(try reading.plugin("cpu").declaration.schedule == .never)
    #expect(reading.modules.map(\.name) == ["cpu", "d"])
    #expect(reading.problems.map(\.line) == [1, 6])
    #expect(
      reading.problems.first?.message
        == "the name of a section does not end with ']'; its lines up to the next section are left"
        + " out")
  }

  @Test func `a property near a known one is warned of with its line and that name`() throws {
    let reading = imported(
      .i3blocks,
      "[cpu]\ncommand=a\nlabel=L\ncolr=#ff0000\n[mail]\ncommand=b\ninstnace=x\nBorder_Top=1\n")
    func message(_ key: String, _ meant: String) -> String {
      "i3blocks knows no property '\(key)'; the command alone gets it, as a variable, and since only"
        + " 1.5 takes that, no label is shown; did you mean '\(meant)'?"
    }
    let file = "/h/.config/bar/config"
    #expect(
      reading.problems == [
        ImportProblem(file, line: 4, isWarning: true, message("colr", "color")),
        ImportProblem(file, line: 7, isWarning: true, message("instnace", "instance")),
        ImportProblem(file, line: 8, isWarning: true, message("Border_Top", "border_top")),
      ])
    let cpu = try reading.plugin("cpu")
    #expect(cpu.declaration.look == nil)
    #expect(cpu.environment.contains(PluginVariable("colr", "#ff0000")))
  }

  @Test func `labels are named with a slip only where they are hidden by it`() {
    for text in ["[a]\ncommand=a\ncolr=x\n", "[a]\ncommand=a\nlabel=L\ncolr=x\n[b]\nown=1\n"] {
      let messages = imported(.i3blocks, text).problems.map(\.message)
      #expect(
        messages == [
          "i3blocks knows no property 'colr'; the command alone gets it, as a variable; did you"
            + " mean 'color'?"
        ])
    }
  }

  @Test(arguments: [
    "interface", "min", "text", "label_on", "COLOR", "LABEL", "color1", "_color", "border_top",
    "names", "unit", String(repeating: "c", count: 100_000), "",
  ])
  func `variables of a script are no slips`(key: String) {
    #expect(imported(.i3blocks, "[a]\ncommand=a\n\(key)=1\n").problems == [])
  }

  @Test func `a property beside the one that it looks like is a variable`() {
    #expect(imported(.i3blocks, "[a]\ncommand=a\ncolor=#fff\ncolors=1\n").problems == [])
  }

  @Test func `a mistake is kept, also behind many slips`() {
    let slips = (0..<100).map { "[\($0)]\ncommand=a\ncolr=1\n" }.joined()
    let problems = imported(.i3blocks, slips + "[broken\n").problems
    #expect(problems.count { $0.isWarning } == 49)
    #expect(problems.count { !$0.isWarning } == 1)
  }
}
