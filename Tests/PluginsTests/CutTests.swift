import JSON
import Testing

@testable import Plugins

/// Nothing is cut in silence: each limit of what is shown has a warning.
@Suite struct CutTests {
  private static func item(_ change: (inout PluginItem) -> Void) -> PluginFrame {
    var frame = PluginFrame()
    var item = PluginItem("a")
    change(&item)
    frame.items = [item]
    return frame
  }

  private static let frames: [(frame: PluginFrame, warning: String)] = {
    var classes = PluginFrame()
    classes.classes = (0...PluginLimits.classCountMax).map { "c\($0)" }
    var tooltip = PluginFrame()
    tooltip.tooltip = StyledText(
      String(repeating: "a\n", count: PluginLimits.lineCountMax) + "b")
    var state = PluginFrame()
    var members: JSONObject = [:]
    for number in 0...PluginLimits.variableCountMax { members["_\(number)"] = "x" }
    state.state = members
    var word = PluginFrame()
    word.classes = [String(repeating: "é", count: PluginLimits.wordBytesMax)]
    return [
      (classes, "more than 16 words for styling (class, alt); the first ones count"),
      (tooltip, "a text has more than 2000 lines; the rest is left out"),
      (state, "the state has more than 64 members; the next run gets the first ones"),
      (
        word,
        "a word for styling, a badge or the name of an icon or a font has more than 128 bytes; it is"
          + " cut"
      ),
      (
        item { $0.alternate = [PluginItem("b"), PluginItem("c")] },
        "an item has more than one alternate; the first one counts"
      ),
      (
        item { $0.action.stdin = "one\ntwo" },
        "a line for the standard input has line breaks, a NUL or more than 4096 bytes; they are left"
          + " out"
      ),
    ]
  }()

  @Test(arguments: frames) func `what is cut is told once`(
    _ one: (frame: PluginFrame, warning: String)
  ) {
    #expect(PluginReading(frame: one.frame).cleaned().warnings == [PluginWarning(one.warning)])
  }

  @Test func `what is at its limit is not cut`() {
    var frame = Self.item { item in
      item.alternate = [PluginItem("b")]
      item.action.stdin = String(repeating: "x", count: PluginLimits.textBytesMax)
    }
    frame.classes = (1...PluginLimits.classCountMax).map { "c\($0)" }
    frame.tooltip = StyledText(
      String(repeating: "a\n", count: PluginLimits.lineCountMax - 1) + "b")
    #expect(PluginReading(frame: frame).cleaned().warnings == [])
  }

  @Test func `a second alternate of an item is an item, and that is told`() {
    let output = "t\n---\na\nb | alternate=true\nc | alternate=true\n"
    let reading = PluginReader.read(Array(output.utf8), .xbar)
    #expect(reading.frame.items.map(\.text.plain) == ["a", "c"])
    #expect(
      reading.warnings == [
        PluginWarning(
          line: 5,
          "'alternate' has no item before it on its level, or that has one already; it is shown as"
            + " an item")
      ])
  }

  @Test func `tags and values beyond a limit are told`() {
    func warnings(_ text: String) -> [String] {
      PluginTags(PluginTagLines(in: Array(text.utf8))).warnings.map(\.message)
    }
    let names = (0...PluginLimits.variableCountMax).map { "V\($0)" }
    #expect(
      warnings(names.map { "# <xbar.var>string(\($0)=1): x</xbar.var>\n" }.joined())
        == ["more than 64 variables; the first ones are set"])
    let pairs = names.map { "\($0)=1" }.joined(separator: ",")
    #expect(
      warnings("# <swiftbar.environment>[\(pairs)]</swiftbar.environment>\n")
        == ["more than 64 variables; the first ones are set"])
    let programs = (0...PluginLimits.dependencyCountMax).map { "p\($0)" }.joined(separator: ",")
    #expect(
      warnings("# <xbar.dependencies>\(programs)</xbar.dependencies>\n")
        == ["more than 32 programs; the first ones are named"])
    let long = String(repeating: "x", count: PluginLimits.tagBytesMax + 1)
    #expect(
      warnings("# <xbar.desc>\(long)</xbar.desc>\n")
        == ["<xbar.desc> has 2049 bytes; it is cut after 2048"])
    let object = "{\(names.map { "\"\($0)\": 1" }.joined(separator: ","))}"
    let values = PluginVariables.values(of: [("v.json", Array(object.utf8))])
    #expect(
      values.warnings.map(\.message) == ["'v.json' has more than 64 values; the first ones count"])
    #expect(values.values.members.count == 64)
  }
}
