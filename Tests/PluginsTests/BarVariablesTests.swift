import JSON
import Plugins
import Testing

struct BarVariablesTests {
  private func written(_ variables: BarVariables, _ format: PluginFormat) -> [String] {
    variables.variables(format).map { "\($0.name)=\($0.value)" }
  }

  @Test func `a block has its variables without a click, too`() {
    #expect(
      written(BarVariables(name: "cpu"), .i3blocks) == [
        "BLOCK_NAME=cpu", "BLOCK_INSTANCE=", "BLOCK_BUTTON=", "BLOCK_X=", "BLOCK_Y=", "name=cpu",
        "instance=",
      ])
  }

  @Test func `a click has the names of both versions`() {
    var block = BarVariables(name: "cpu")
    block.instance = "0"
    var click = BarVariables.Click(3)
    click.x = 1_200
    click.y = 8
    click.relativeX = 4
    click.modifiers = ["Shift", "Mod1"]
    block.click = click
    #expect(
      written(block, .i3blocks) == [
        "BLOCK_NAME=cpu", "BLOCK_INSTANCE=0", "BLOCK_BUTTON=3", "BLOCK_X=1200", "BLOCK_Y=8",
        "name=cpu", "instance=0", "button=3", "x=1200", "y=8", "relative_x=4",
        "modifiers=Shift,Mod1",
      ])
    #expect(block.line(isObject: false) == "3")
    #expect(
      block.line(isObject: true)
        == #"{"name":"cpu","instance":"0","button":3,"modifiers":["Shift","Mod1"],"x":1200,"y":8,"relative_x":4}"#
    )
    #expect(BarVariables(name: "cpu").line(isObject: true) == nil)
  }

  @Test func `the state of a block comes back, but for names that load programs`() {
    var block = BarVariables(name: "t")
    block.state = [
      "_count": 5, "mode": "a b", "on": true, "none": nil, "LD_PRELOAD": "x", "PATH": "x",
      "a-b": 1, "BLOCK_NAME": "other", "deep": ["a": [1]],
    ]
    let variables = written(block, .i3blocks)
    #expect(
      Array(variables.prefix(5)) == [
        "_count=5", "mode=a b", "on=true", "BLOCK_NAME=other", #"deep={"a":[1]}"#,
      ])
    // The block's own name comes later and wins.
    #expect(variables.lastIndex(of: "BLOCK_NAME=t") == 5)
    #expect(!variables.contains { $0.hasPrefix("LD_") || $0.hasPrefix("PATH") })
  }

  @Test func `Waybar says the output, and polybar its settings`() {
    var module = BarVariables(name: "m")
    module.output = "eDP-1"
    module.settings = [PluginVariable("LC_ALL", "C"), PluginVariable("LD_PRELOAD", "x")]
    #expect(written(module, .waybar) == ["LC_ALL=C", "WAYBAR_OUTPUT_NAME=eDP-1"])
    #expect(written(module, .polybar) == ["LC_ALL=C"])
    #expect(written(module, .text) == ["LC_ALL=C"])
  }

  @Test func `no block gives more variables than the limit`() {
    var block = BarVariables(name: "t")
    block.state = JSONObject((0..<1_000).map { .init(key: "v\($0)", value: 1) })
    #expect(block.variables(.i3blocks).count == PluginLimits.variableCountMax + 7)
  }
}
