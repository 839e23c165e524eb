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
      "hide-empty-text": true, "min-length": 3
      """)
    var look = PluginLook()
    look.format = "{icon} {text}"
    look.tooltip = .format("{{percentage}}")
    look.icons = ["default": ["a", "b"], "on": ["c"]]
    look.lengthMax = 12
    look.hidesEmpty = true
    #expect(module.declaration.look == look)
    #expect(module.leftOut == ["format-alt", "min-length"])
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
  ]) func `formats and labels of polybar`(lines: String, content: String) throws {
    let module = try polybar(lines)
    #expect(title(module, "5%\n") == content)
    #expect(module.leftOut == [])
  }

  @Test func `settings of polybar without a counterpart are named`() throws {
    let module = try polybar(
      "label = %counter% %output%\nlabel-padding = 2\nlabel-fail = x\nformat-foreground = reed")
    #expect(module.leftOut == ["label-fail", "label-padding", "label", "format-foreground"])
    #expect(module.declaration.look == nil)
  }

  @Test func `a manifest has the look in quotes`() throws {
    let module = imported(
      .waybar,
      """
      {"custom/a": {"exec": "a", "interval": 5, "format": "\\"{icon}\\" {}\\n", "tooltip": false,
        "format-icons": {"b": ["x", "y"], "a: {": "z"}, "escape": true, "max-length": 9,
        "hide-empty-text": true}}
      """)
    var declared = try module.plugin("custom/a")
    declared.declaration.look?.color = PluginColor(light: "#ff0000")
    declared.declaration.look?.background = PluginColor(light: "#00ff00")
    let manifest = ImportedManifest(
      kind: "a", module: try module.module("custom/a"), plugin: declared)
    #expect(
      manifest.body.hasSuffix(
        ##"""
          every: 5s
          look:
            format: "\"{icon}\" {text}\n"
            icons:
              "a: {": ["z"]
              "b": ["x", "y"]
            tooltip: false
            maxLength: 9
            color: "#ff0000"
            background: "#00ff00"
            plain: true
            hideEmpty: true

        """##))
  }
}
