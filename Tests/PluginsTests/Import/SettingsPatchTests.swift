import JSON
import Testing

@testable import Plugins

/// Tests the changes that make a bar show what was imported of its modules.
@Suite struct SettingsPatchTests {
  private typealias Replacement = SettingsPatch.Replacement

  private func result(_ patch: SettingsPatch) -> String {
    String(decoding: patch.edits.result, as: UTF8.self)
  }

  @Test func `a module of Waybar keeps its place and what Waybar itself does`() {
    let text = """
      {
        "modules-left": ["custom/cpu", "clock"], // here
        "custom/cpu": {
          "exec": "~/cpu.sh", /* polls */
          "interval": 5,
          "format": "{} %",
          "rotate": 90,
          "on-click": "htop",
        },
        "clock": {}
      }

      """
    var patch = SettingsPatch(Array(text.utf8))
    patch.waybar([
      Replacement(module: "custom/cpu", line: 3, widget: "cpu", leftOut: ["rotate"])
    ])
    #expect(patch.kept.isEmpty)
    #expect(
      patch.edits.diff("config") == """
        --- config
        +++ config
        @@ -1,11 +1,15 @@
         {
           "modules-left": ["custom/cpu", "clock"], // here
           "custom/cpu": {
        -    "exec": "~/cpu.sh", /* polls */
        -    "interval": 5,
        -    "format": "{} %",
        -    "rotate": 90,
        -    "on-click": "htop",
        +    "exec": "intent-send bar waybar cpu",
        +    "return-type": "json",
        +    "restart-interval": 5,
        +    "on-click": "intent-send click cpu left",
        +    "on-click-middle": "intent-send click cpu middle",
        +    "on-click-right": "intent-send click cpu right",
        +    "on-scroll-up": "intent-send click cpu up",
        +    "on-scroll-down": "intent-send click cpu down",
        +    "rotate": 90
           },
           "clock": {}
         }

        """)
  }

  @Test func `settings on one line are patched too, and what is read of them is the same`() throws {
    let text = #"[{"custom/a":{"exec":"a"},"custom/b":{"exec":"b"}}]"#
    var patch = SettingsPatch(Array(text.utf8))
    patch.waybar(
      ["a", "b"].map {
        Replacement(module: "custom/\($0)", line: 1, widget: $0, leftOut: [])
      })
    let read = try CommentedJSON.read(patch.edits.result).json
    let bar = read.arrayValue?.first
    #expect(bar?["custom/a"]?["exec"] == "intent-send bar waybar a")
    #expect(bar?["custom/b"]?["exec"] == "intent-send bar waybar b")
    #expect(bar?.objectValue?.members.count == 2)
    let diff = patch.edits.diff("c")
    #expect(diff.hasPrefix("--- c\n+++ c\n@@ -1,1 +1,"), "\(diff)")
    #expect(diff.contains("\\ No newline at end of file"))
    #expect(patch.edits.diff("my dir/c").hasPrefix("--- my dir/c\t\n+++ my dir/c\t\n@@ "))
    // A name may not begin the diff of another file.
    let foreign = patch.edits.diff("d\n--- victim\n+++ victim\n@@ -0,0 +1 @@\n+x")
    #expect(foreign.hasPrefix(#"--- "d\012--- victim\012+++ victim"#), "\(foreign)")
  }

  @Test func `a module of polybar keeps its look`() {
    let text = """
      [bar/b]
      modules-left = cpu date

      [module/cpu]
      type = custom/script
      ; every now and then
      exec = ~/cpu.sh
      interval = 5
      click-left = htop
      label = %output%
      label-padding = 2

      [module/date]
      type = internal/date

      """
    var patch = SettingsPatch(Array(text.utf8))
    patch.polybar([
      Replacement(module: "cpu", line: 4, widget: "cpu", leftOut: ["label-padding"])
    ])
    #expect(patch.kept.isEmpty)
    #expect(
      result(patch) == """
        [bar/b]
        modules-left = cpu date

        [module/cpu]
        type = custom/script
        exec = intent-send bar polybar cpu
        tail = true
        ; every now and then
        label-padding = 2

        [module/date]
        type = internal/date

        """)
    #expect(patch.edits.diff("x").split(separator: "\n")[2] == "@@ -3,11 +3,9 @@")
  }

  @Test func `a module of polybar gets what it inherits, and goes on without its commands`() {
    let text = """
      [look]
      inherit = base
      label-padding = 2
      label = x %output%
      interval = 7
      click-right = top
      [base]
      label-padding = 9
      ; no setting
      ramp = ${colors.a}
      env-A = b
      [module/cpu]
      inherit = look "base"
      type = custom/script
      exec = ~/cpu.sh
      format-padding = 1
      [module/other]
      inherit = module/cpu

      """
    var patch = SettingsPatch(Array(text.utf8))
    patch.polybar([
      Replacement(
        module: "cpu", line: 12, widget: "cpu", leftOut: ["label-padding", "format-padding"]),
      Replacement(module: "other", line: 17, widget: "o", leftOut: ["format-padding"]),
    ])
    #expect(patch.kept.isEmpty)
    #expect(
      result(patch).hasSuffix(
        """
        [module/cpu]
        label-padding = 2
        ramp = ${colors.a}
        type = custom/script
        exec = intent-send bar polybar cpu
        tail = true
        format-padding = 1
        [module/other]
        type = custom/script
        exec = intent-send bar polybar o
        tail = true
        format-padding = 1
        ramp = ${colors.a}

        """))
  }

  @Test func `lines keep their colour, and what looks different is said`() {
    func patched(_ line: String, _ leftOut: String...) -> SettingsPatch {
      let text = "[module/a]\nexec = a\nformat-underline = #f00\n\(line)\n"
      var patch = SettingsPatch(Array(text.utf8))
      patch.polybar([Replacement(module: "a", line: 1, widget: "a", leftOut: leftOut)])
      return patch
    }
    let alone = patched("width = 1")
    #expect(result(alone).contains("format-underline = #f00") && alone.advice.isEmpty)
    let padded = patched("label-padding = 1", "label-padding")
    #expect(!result(padded).contains("format-underline"))
    #expect(padded.advice == ["a: its background and its lines no longer cover label-padding"])
    let prefixed = patched("label-font = 2\nformat-prefix = x", "label-font")
    #expect(
      prefixed.advice == ["a: label-font now also holds for what stands around its label"])
  }

  @Test func `sections that inherit in a circle are read once`() {
    let text = "[module/a]\ninherit = b\nexec = a\n[b]\ninherit = module/a b\nfont = 2\n"
    var patch = SettingsPatch(Array(text.utf8))
    patch.polybar([Replacement(module: "a", line: 1, widget: "a", leftOut: [])])
    #expect(
      result(patch).hasPrefix(
        "[module/a]\nfont = 2\ntype = custom/script\nexec = intent-send bar polybar a\n"))
  }

  @Test func `a module that inherits from elsewhere, or is not where it was, stays`() {
    let text = "[module/a]\ninherit = base\nexec = a\n"
    var patch = SettingsPatch(Array(text.utf8))
    patch.polybar([
      Replacement(module: "a", line: 1, widget: "a", leftOut: []),
      Replacement(module: "b", line: 2, widget: "b", leftOut: []),
      Replacement(module: "c", line: 9, widget: "c", leftOut: []),
    ])
    #expect(patch.kept.map(\.module) == ["a", "b", "c"])
    #expect(patch.kept.first?.reason.contains("[base], which is not in this file") == true)
    #expect(patch.edits.diff("x") == "")
    var other = SettingsPatch(Array("{".utf8))
    other.waybar([Replacement(module: "a", line: 1, widget: "a", leftOut: [])])
    #expect(other.kept.first?.reason.hasPrefix("line 1: ") == true)
  }

  @Test func `a genmon of its own file gets another command, and the panel has to be ended`() {
    let text = "UseLabel=1\r\nCommand=date\r\nUpdatePeriod=15000\n"
    var patch = SettingsPatch(Array(text.utf8))
    patch.genmon([Replacement(module: "genmon-7", line: 2, widget: "w", leftOut: ["label"])])
    #expect(patch.kept.isEmpty)
    #expect(
      result(patch)
        == "UseLabel=1\r\nCommand=intent-send bar genmon w --once\r\nUpdatePeriod=15000\n")
    #expect(patch.advice.count == 1 && patch.advice[0].contains("xfce4-panel -q"))
    var other = SettingsPatch(Array(text.utf8))
    other.genmon([Replacement(module: "genmon-7", line: 3, widget: "w", leftOut: [])])
    #expect(other.kept.map(\.module) == ["genmon-7"] && other.edits.isEmpty)
  }

  @Test(arguments: [
    "<?xml version=\"1.0\"?>\n<channel/>\n", "/plugins/plugin-7  genmon\n",
  ])
  func `what xfconf has is changed by a command that is named`(text: String) {
    var patch = SettingsPatch(Array(text.utf8))
    patch.genmon([Replacement(module: "genmon-7", line: 1, widget: "w", leftOut: [])])
    #expect(patch.edits.isEmpty && patch.advice.isEmpty)
    #expect(
      patch.kept.first?.reason.hasSuffix(
        "xfconf-query -c xfce4-panel -p /plugins/plugin-7/command"
          + " -s 'intent-send bar genmon w --once'") == true)
  }

  @Test func `every bar that runs i3blocks gets the widgets`() {
    let text =
      "bar {\n\tstatus_command SCRIPT_DIR=/x i3blocks -c ~/b.conf\n}\n# status_command i3blocks\n"
      + "bar {\n  status_command i3status\n}\n"
    var patch = SettingsPatch(Array(text.utf8))
    let isFound = patch.statusCommand(["cpu", "disk"])
    #expect(isFound)
    #expect(
      result(patch)
        == "bar {\n\tstatus_command intent-send bar i3bar cpu disk\n}\n# status_command i3blocks\n"
        + "bar {\n  status_command i3status\n}\n")
    var none = SettingsPatch(Array("bar {\n status_command i3status\n}\n".utf8))
    let isThere = none.statusCommand(["cpu"])
    #expect(!isThere)
  }

  @Test func `changes that are far apart are hunks of their own`() {
    let lines = (1...30).map { "\($0)\n" }
    var edits = TextEdits(Array(lines.joined().utf8))
    edits.replaceLines(1..<2, by: ["two\n", "more\n"])
    edits.replaceLines(19..<21, by: [])
    edits.replaceLines(22..<22, by: ["new\n"])
    #expect(
      edits.diff("f").split(separator: "\n").filter { !$0.hasPrefix(" ") }.joined(separator: "|")
        == "--- f|+++ f|@@ -1,5 +1,6 @@|-2|+two|+more|@@ -17,9 +18,8 @@|-20|-21|+new")
  }
}
