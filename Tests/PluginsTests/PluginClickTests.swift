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
