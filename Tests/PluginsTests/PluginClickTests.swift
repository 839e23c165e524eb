import JSON
import Testing

@testable import Plugins

/// Tests the variables of a click, and the actions of an entry's content.
@Suite struct PluginClickTests {
  @Test func `a click has the variables of i3blocks 1-4 and 1-5`() {
    var click = PluginClick(button: 3)
    func told(_ name: String) -> String? {
      click.variables(of: "volume").last { $0.name == name }?.value
    }
    #expect(told("BLOCK_NAME") == "volume")
    #expect(told("BLOCK_BUTTON") == "3")
    #expect(told("BLOCK_X") == "")
    #expect(told("x") == nil)
    click.modifiers = [.super, .control]
    click.measures = [.outputY: -4, .x: 7, .width: 30]
    #expect(told("BLOCK_X") == "7")
    #expect(told("x") == "7")
    #expect(told("output_y") == "-4")
    #expect(told("width") == "30")
    #expect(told("modifiers") == "Control,Mod4")
  }

  @Test func `a block of JSON reads its settings and what it printed, with the click`() throws {
    var click = PluginClick(button: 3)
    click.measures = [.x: 7]
    let settings = [
      PluginVariable("BLOCK_NAME", "volume"), PluginVariable("format", "json"),
      PluginVariable("color", "#ff0000"), PluginVariable("separator_block_width", "15"),
      PluginVariable("separator", "false"), PluginVariable("label", "[1]"),
      PluginVariable("button", "old"),
    ]
    let frame = Array(
      ##"{"full_text":"50 %\n","color":"#00ff00","_step":[5],"name":"x","button":9}"##.utf8)
    func line(_ settings: [PluginVariable], _ frame: [UInt8]?) -> String? {
      click.line(of: "volume", instance: "i", settings: settings, frame: frame)
    }
    let expected =
      ##"{"format":"json","color":"#00ff00","separator_block_width":15,"separator":false,"##
      + ##""label":"[1]","button":3,"full_text":"50 %\n","_step":[5],"name":"volume","##
      + ##""instance":"i","modifiers":[],"x":7}"##
    #expect(line(settings, frame) == expected)
    // Its settings say that it prints objects, also before it printed one.
    #expect(
      line([PluginVariable("format", "json")], nil)
        == ##"{"format":"json","name":"volume","instance":"i","button":3,"modifiers":[],"x":7}"##)
    #expect(line([PluginVariable("format", "raw")], frame) == "3")
    // Without settings its last frame says it.
    #expect(line([], frame)?.hasPrefix(##"{"full_text":"50 %\n","##) == true)
    #expect(line([], Array("50 %".utf8)) == "3")
    #expect(line([], nil) == "3")
  }

  @Test func `a block of JSON that is too long reads the click alone`() throws {
    let click = PluginClick(button: 1)
    let alone = #"{"name":"b","instance":"","button":1,"modifiers":[]}"#
    func line(_ count: Int) -> String? {
      click.line(of: "b", frame: Array(#"{"_s":"\#(String(repeating: "x", count: count))"}"#.utf8))
    }
    let room = PluginLimits.clickLineBytesMax - alone.utf8.count - #""_s":"","#.utf8.count
    #expect(line(room)?.utf8.count == PluginLimits.clickLineBytesMax)
    #expect(line(room + 1) == alone)
    let members = (0..<1_000).map { #""m\#($0)":1"# }.joined(separator: ",")
    let many = click.line(of: "b", frame: Array("{\(members)}".utf8))
    #expect(many?.contains(#""m255":1,"name""#) == true)
  }

  @Test func `an action that was written is read back`() throws {
    var action = PluginAction()
    action.url = "https://example.org/"
    action.exec = ["a", "b c", ""]
    action.isInTerminal = true
    action.stdin = "x"
    action.refreshes = true
    #expect(PluginAction(action.json) == action)
    #expect(PluginAction(nil).isEmpty)
    #expect(PluginAction(["url": "u"]).url == "u")
    let item = PluginAction(ofItem: ["text": "a", "url": "u", "refresh": true])
    #expect(item.url == "u")
    #expect(item.refreshes)
  }

  @Test(
    arguments: [
      #"{"exec":"rm -rf"}"#, #"{"exec":[]}"#, #"{"exec":[""]}"#, #"{"exec":["a",1]}"#,
      #"{"exec":["a\u0000b"]}"#, #"{"exec":{"0":"a"}}"#, #"{"terminal":"yes","refresh":1}"#,
      #"[]"#, #""a""#, "null",
    ])
  func `what is no action does nothing`(_ text: String) throws {
    #expect(PluginAction(try JSONValue(parsing: text)).isEmpty)
  }

  @Test func `too many arguments are none`() {
    let words = JSONValue.array(Array(repeating: "a", count: PluginLimits.argumentCountMax + 1))
    #expect(PluginAction(["exec": words]).isEmpty)
  }
}
