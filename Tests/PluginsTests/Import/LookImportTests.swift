import JSON
import Plugins
import Testing

/// Settings of text and colour become a look, and what has no effect is named.
struct LookImportTests {
  private func title(_ plugin: ImportedPlugin, _ output: String) -> String {
    let declaration = plugin.declaration
    let reading = PluginReader.read(
      Array(output.utf8), declaration.format, look: declaration.look)
    return JSONValue.object(reading.frame.content).serialized
  }

  private func waybar(_ members: String) throws -> ImportedPlugin {
    try imported(.waybar, #"{"custom/a": {"exec": "a", \#(members)}}"#).plugin("custom/a")
  }

  @Test func `formats, icons and tooltips of Waybar`() throws {
    let module = try waybar(
      """
      "format": "{icon} {}", "format-alt": "{alt}", "tooltip-format": "{{{percentage}}}",
      "format-icons": {"default": ["a", "b"], "on": "c"}, "max-length": 12,
      "hide-empty-text": true, "min-length": 3, "format-alt-click": "click-right", "align": 0
      """)
    var look = PluginLook()
    look.format = "{icon} {text}"
    look.tooltip = .format("{{percentage}}")
    look.icons = ["default": ["a", "b"], "on": ["c"]]
    look.lengthMax = 12
    look.lengthMin = 3
    look.alternate = "{alt}"
    look.alternateButton = .right
    look.hidesEmpty = true
    #expect(module.declaration.look == look)
    #expect(module.leftOut == [])
    #expect(
      title(module, #"{"text":"7","percentage":60}"#)
        == #"{"title":"b 7","tooltip":"{60}","percentage":60.0}"#)
  }

  @Test(arguments: [
    (#""format": "{}""#, String?.none, [String]()), (#""format": "{0}""#, nil, []),
    (#""format": "{text:>3} {{x}}""#, "{text:>3} {x}", []),
    (#""format": "{volume}""#, nil, ["format"]), (#""format": "{""#, nil, ["format"]),
    (#""format": "}""#, nil, ["format"]), (#""format": "{:x}""#, nil, ["format"]),
    (#""format": """#, nil, ["format"]), (#""max-length": -1"#, nil, ["max-length"]),
    (#""format-icons": [[1]]"#, nil, ["format-icons"]),
    (#""tooltip-format": "{t}""#, nil, ["tooltip-format"]),
    (#""format-alt": "{volume}""#, nil, ["format-alt"]),
    (#""format-alt": [], "format-alt-click": "x""#, nil, ["format-alt", "format-alt-click"]),
    (#""min-length": 0, "align": 1"#, nil, ["min-length", "align"]),
    (#""align": 0.5"#, nil, ["align"]),
    // Whatever has no counterpart is said, also what nobody knows.
    (
      #""rotate": 90, "justify": "left", "on-update": "a", "thing": 1"#, nil,
      [
        "rotate", "justify", "on-update", "thing",
      ]
    ),
    (#""//": "a comment", "cursor": true, "return-type": "", "exec-on-event": true"#, nil, []),
    // Nothing names an icon.
    (#""format-icons": ["a"]"#, nil, []),
  ]) func `a setting that cannot be taken is named`(
    members: String, format: String?, leftOut: [String]
  ) throws {
    let module = try waybar(members)
    #expect(module.declaration.look?.format == format)
    #expect(module.leftOut == leftOut)
    if format == nil { #expect(module.declaration.look == nil) }
  }

  @Test(arguments: [
    (#""min-length": 4"#, "[ 7  ]"), (#""min-length": 4, "align": 0"#, "[7   ]"),
    (#""min-length": 4, "align": 1"#, "[   7]"), (#""min-length": 1"#, "[7]"),
  ]) func `a short text of Waybar is filled up with blanks`(members: String, text: String) throws {
    let reading = PluginReader.read(
      Array("7".utf8), .waybar, look: try waybar(members).declaration.look)
    #expect("[\(reading.frame.titles[0].text.plain)]" == text)
  }

  @Test func `a click event of Waybar that is none is named`() throws {
    let module = try waybar(#""format-alt": "{alt}", "format-alt-click": "touch""#)
    #expect(module.leftOut == ["format-alt-click"])
    #expect(module.declaration.look?.alternateButton == .left)
    #expect(
      try waybar(#""format-alt": "a", "format-alt-click": "click-left""#).leftOut == [])
  }

  @Test(arguments: [
    ("min_width=100 %", "7    ", [String]()), ("min_width=100 %\nalign=right", "    7", []),
    ("min_width=abcd\nalign=center", " 7  ", []), ("min_width=300", "7", ["min_width"]),
    ("min_width=abcd\nalign=up", "7   ", ["align"]),
    ("border=#fff\nborder_left=2\nseparator=false", "7", ["border", "border_left", "separator"]),
  ]) func `the width of a block is that of its text`(
    lines: String, text: String, leftOut: [String]
  ) throws {
    let block = try imported(.i3blocks, "[a]\ncommand=a\n\(lines)\n").plugin("a")
    let reading = PluginReader.read(Array("7\n".utf8), .i3blocks, look: block.declaration.look)
    #expect(reading.frame.titles[0].text.plain == text)
    #expect(block.leftOut == leftOut)
  }

  @Test func `labels and colours of i3blocks`() throws {
    let reading = imported(
      .i3blocks,
      """
      color=#ff0000
      [a]
      command=a
      label=CPU
      background=blue
      align=right
      [b]
      command=b
      color=
      markup=none
      [c]
      command=c
      color=redd
      """)
    let block = try reading.plugin("a")
    #expect(block.leftOut == ["align"])
    #expect(
      title(block, "5%\n")
        == ##"{"title":"CPU 5%","color":"#ff0000","background":"#0000ff"}"##)
    let plain = try reading.plugin("b")
    #expect(title(plain, "<b>x</b>\n") == #"{"title":"<b>x</b>"}"#)
    let later = imported(.i3blocks, "[a]\ncommand=a\nlabel=CPU\nMY=1\n")
    #expect(title(try later.plugin("a"), "5%\n") == #"{"title":"5%"}"#)
    let wrong = try reading.plugin("c")
    #expect(wrong.leftOut == ["color"])
    #expect(wrong.declaration.look == nil)
  }

  private func polybar(_ lines: String) throws -> ImportedPlugin {
    try imported(
      .polybar, "[colors]\nred = #f00\n[module/a]\ntype = custom/script\nexec = a\n\(lines)\n"
    ).plugin("a")
  }

  @Test(arguments: [
    ("label = CPU %output%", #"{"title":"CPU 5%"}"#),
    ("format = <label>\nlabel = %output%", #"{"title":"5%"}"#),
    (
      "format-prefix = \"P \"\nformat-prefix-foreground = ${colors.red}",
      ##"{"title":{"runs":[{"text":"P ","color":"#ff0000"},{"text":"5%"}]}}"##
    ),
    ("format = [<label>]\nformat-suffix = \" S\"", #"{"title":"[5%] S"}"#),
    (
      "label-foreground = #80ff0000\nformat-foreground = #0f0\nformat-background = #000",
      ##"{"title":{"runs":[{"text":"5%","color":"#ff000080"}]},"color":"#00ff00","background":"#000000"}"##
    ),
    (
      "label-underline = #f00",
      #"{"title":{"runs":[{"text":"5%","underline":true}]}}"#
    ),
    ("label = %output:0:2:..%", #"{"title":"5%"}"#),
    ("label-maxlen = 1\nformat-prefix = \"P \"", #"{"title":"P …","tooltip":"P 5%"}"#),
    (
      "label-maxlen = 1\nformat-prefix = \"P \"\nlabel-ellipsis = false",
      #"{"title":"P 5","tooltip":"P 5%"}"#
    ),
    (
      "label-minlen = 4\nformat-prefix = \"P \"\nlabel-alignment = right", #"{"title":"  P 5%"}"#
    ),
  ]) func `formats and labels of polybar`(lines: String, content: String) throws {
    let module = try polybar(lines)
    #expect(title(module, "5%\n") == content)
    #expect(module.leftOut == [])
  }

  @Test func `settings of polybar without a counterpart are named`() throws {
    let module = try polybar(
      "label = %counter% %output%\nlabel-padding = 2\nformat-foreground = reed\nlabel-minlen = 0")
    #expect(module.leftOut == ["label-padding", "label", "format-foreground", "label-minlen"])
    #expect(module.declaration.look == nil)
    #expect(
      try polybar("label = %output:5:9%\nlabel-alignment = left").leftOut == [
        "label: the least length of %output%", "label-alignment",
      ])
  }

  @Test(arguments: [
    ("label-fail = offline", "x\n", #"{"title":"offline"}"#),
    ("label-fail = offline", "", #"{"title":"offline"}"#),
    ("format-fail = [<label-fail>]\nlabel-fail = no %output%", "x\n", #"{"title":"[no x]"}"#),
    (
      "format-fail = <label-fail>\nformat-fail-foreground = ${colors.red}\nformat-foreground = #0f0",
      "x\n", ##"{"title":{"runs":[{"text":"x","color":"#ff0000"}]}}"##
    ),
    (
      "format-fail-prefix = \"! \"\nlabel-fail = %output%\nlabel-maxlen = 2\nlabel = L %output%",
      "longer\n", #"{"title":"! longer"}"#
    ),
    ("format-fail = <output>", "", "{}"),
  ]) func `a script of polybar that fails is shown in the format for failures`(
    lines: String, output: String, content: String
  ) throws {
    let look = try polybar(lines).declaration.look
    guard
      case .shows(let reading) = PluginReader.judge(
        Array(output.utf8), .polybar, exitStatus: 1, look: look)
    else {
      Issue.record("it failed")
      return
    }
    #expect(JSONValue.object(reading.frame.content).serialized == content)
    #expect(reading.warnings == [])
    #expect(try polybar(lines).leftOut == [])
  }

  @Test func `without such a format a run that fails shows nothing`() throws {
    let look = try polybar("label = L %output%").declaration.look
    let judged = PluginReader.judge(Array("x\n".utf8), .polybar, exitStatus: 1, look: look)
    #expect(judged == .failed)
  }

  @Test func `a manifest has the look in quotes`() throws {
    let module = imported(
      .waybar,
      """
      {"custom/a": {"exec": "a", "interval": 5, "format": "\\"{icon}\\" {}\\n", "tooltip": false,
        "format-icons": {"b": ["x", "y"], "a: {": "z"}, "escape": true, "max-length": 9,
        "hide-empty-text": true, "format-alt": "{alt}", "format-alt-click": "scroll-up",
        "min-length": 5, "align": 1}}
      """)
    var declared = try module.plugin("custom/a")
    declared.declaration.look?.failFormat = "%{F#f00}no%{F-}"
    declared.declaration.look?.hasEllipsis = false
    declared.declaration.retry = 30_000
    declared.declaration.recheck = 10_000
    declared.declaration.condition = ["a"]
    declared.declaration.look?.color = PluginColor(light: "#ff0000")
    declared.declaration.look?.background = PluginColor(light: "#00ff00")
    let manifest = ImportedManifest(
      kind: "a", module: try module.module("custom/a"), plugin: declared)
    #expect(
      manifest.body.hasSuffix(
        ##"""
          every: 5s
          retry: 30s
          if: ["a"]
          recheck: 10s
          look:
            format: "\"{icon}\" {text}\n"
            alternate: "{alt}"
            alternateClick: scrollUp
            failFormat: "%{F#f00}no%{F-}"
            icons:
              "a: {": ["z"]
              "b": ["x", "y"]
            tooltip: false
            maxLength: 9
            ellipsis: false
            minLength: 5
            align: right
            color: "#ff0000"
            background: "#00ff00"
            plain: true
            hideEmpty: true

        """##))
  }
}
