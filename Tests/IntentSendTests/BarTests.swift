import ArgumentParser
import BarLines
import JSON
import Testing

@testable import intent_send

/// The parts of `intent-send bar` that need no daemon and no bar.
struct BarTests {
  private func widget(_ id: String, _ text: String) -> JSONValue {
    ["id": .string(id), "entry": ["content": ["text": .string(text)]]]
  }

  @Test func `widgets stand in the order in which they were named`() {
    var widgets = BarWidgets(ids: ["b", "a"])
    #expect(widgets.parameters == ["widgets": ["b", "a"], "wants": []])
    widgets.attached(["widgets": [widget("a", "1"), widget("b", "1")]])
    #expect(widgets.inPlace == [widget("b", "1"), widget("a", "1")])
    widgets.updated(["widgets": [widget("a", "2")]])
    #expect(widgets.inPlace == [widget("b", "1"), widget("a", "2")])
    widgets.updated(["widgets": [], "removed": ["b"]])
    #expect(widgets.inPlace == [widget("a", "2")])
    // The next daemon names all widgets; another one was removed meanwhile.
    widgets.attached(["widgets": [widget("b", "3")]])
    #expect(widgets.inPlace == [widget("b", "3")])
  }

  @Test func `the top of the stack stands in its order`() {
    var widgets = BarWidgets(stack: 2)
    #expect(widgets.parameters == ["stack": true, "limit": 2, "wants": []])
    widgets.attached([
      "widgets": [widget("a", "1"), widget("b", "1"), widget("c", "1")], "stack": ["c", "a", "b"],
    ])
    #expect(widgets.inPlace == [widget("c", "1"), widget("a", "1")])
    // A hidden one takes no place.
    let hidden: JSONValue = ["id": "a", "hidden": "noOutput"]
    widgets.updated(["widgets": [hidden]])
    #expect(widgets.inPlace == [widget("c", "1"), widget("b", "1")])
    widgets.updated(["widgets": [widget("a", "1")]])
    widgets.updated(["widgets": [], "stack": ["b", "c", "a"]])
    #expect(widgets.inPlace == [widget("b", "1"), widget("c", "1")])
    widgets.updated(["widgets": [], "removed": ["b"], "stack": ["c", "a"]])
    #expect(widgets.inPlace == [widget("c", "1"), widget("a", "1")])
  }

  @Test func `lines of clicks are put together, and one that is too long is left out`() {
    var lines = ClickLines()
    #expect(lines.lines(adding: Array("[\n{\"a".utf8)[...]) == [Array("[".utf8)])
    #expect(lines.lines(adding: Array("\":1}\n\n".utf8)[...]) == [Array("{\"a\":1}".utf8), []])
    let long = [UInt8](repeating: 0x20, count: BarLimits.clickBytesMax + 1)
    #expect(lines.lines(adding: long[...]) == [])
    #expect(lines.lines(adding: Array("x\ny\n".utf8)[...]) == [Array("y".utf8)])
  }

  @Test func `tmux gets the text as one argument that ends no command`() throws {
    let name = try #require(BarName("weather"))
    #expect(
      BarSink.arguments(name, "a; b;")
        == ["tmux", "set-option", "-g", "--", "@intentd_weather", "a; b\\;"])
  }

  @Test func `a button and its command are read`() throws {
    #expect(try ClickOptions.command("right=foot -e a=b").button == 3)
    #expect(try ClickOptions.command("right=foot -e a=b").command == "foot -e a=b")
    for wrong in ["right", "right=", "=x", "rigth=x", "10=x"] {
      #expect(throws: Failure.self) { try ClickOptions.command(wrong) }
    }
  }

  @Test(arguments: BarFormat.allCases)
  func `the lines to paste run this bar and its clicks`(format: BarFormat) throws {
    let name = try #require(BarName("weather"))
    let text = BarSetup(format, name, arguments: ["weather", "--format", #"{title} "$x""#]).text
    let command = "intent-send bar \(format.rawValue) weather --format "
    if format != .tmux { #expect(text.contains(command)) }
    switch format {
    case .waybar:
      // The object is as a bar reads it: the command comes out as a shell takes it.
      let start = try #require(text.firstRange(of: "\"custom/weather\": "))
      let end = try #require(text.firstRange(of: "\n  }"))
      let object = try JSONValue(parsing: String(text[start.upperBound..<end.upperBound]))
      #expect(object["exec"]?.stringValue == command + #"'{title} "$x"'"#)
      #expect(object["on-click-right"] == "intent-send click weather right")
    case .tmux:
      #expect(text.contains(#"#{@intentd_weather}"#))
      #expect(!text.contains("E:"))
    case .lemonbar: #expect(text.contains("| intent-send click weather -"))
    case .i3bar, .polybar, .genmon, .conky, .text: break
    }
  }

  @Test(arguments: [
    ["bar", "waybar", "a", "--stack", "2"], ["bar", "waybar", "--stack", "0"],
    ["bar", "waybar", "--max", "0"], ["bar", "xbar"], ["bar"],
    ["bar", "waybar", "--then", "true"],
  ])
  func `a call that makes no sense is refused`(arguments: [String]) {
    #expect(throws: (any Error).self) { try IntentSend.parseAsRoot(arguments) }
  }
}
