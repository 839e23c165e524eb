import BarLines
import JSON
import Testing

struct BarClickTests {
  private let weather = ShownWidget(id: "weather", revision: 17)

  @Test func `a click of i3bar is read with its place and its keys`() {
    let line =
      #",{"name":"weather","instance":"17","button":3,"modifiers":["Shift","Mod4","Mod2"],"x":1821,"y":9,"relative_x":5,"relative_y":9,"output_x":541,"output_y":9,"width":44,"height":19}"#
    let click = I3barClicks.click(line: Array(line.utf8))
    #expect(
      click
        == BarClick(
          weather, button: 3, modifiers: ["shift", "super"],
          position: [
            "x": 1821, "y": 9, "relativeX": 5, "relativeY": 9, "outputX": 541, "outputY": 9,
            "width": 44, "height": 19,
          ]))
    #expect(
      JSONValue.object(click?.parameters ?? [:]).serialized
        == #"{"id":"weather","button":3,"modifiers":["shift","super"],"position":{"x":1821,"y":9,"relativeX":5,"relativeY":9,"outputX":541,"outputY":9,"width":44,"height":19},"revision":17}"#
    )
  }

  @Test(arguments: [
    #"[{"name":"weather","instance":"17","button":1}"#,
    #"{"name":"weather","instance":"17","button":1,"event":272,"scale":2}"#,
    "  ,{\"name\":\"weather\",\"instance\":\"17\",\"button\":1}\r",
  ])
  func `a click of swaybar is read, wherever the array is`(line: String) {
    #expect(I3barClicks.click(line: Array(line.utf8)) == BarClick(weather, button: 1))
  }

  @Test(arguments: [
    "", "[", ",", "]", "{}", "null", #"{"name":"weather","instance":"17","button":10}"#,
    #"{"name":"weather","instance":"17","button":0}"#, #"{"name":"","instance":"17","button":1}"#,
    #"{"name":"weather","instance":"-1","button":1}"#, #"{"name":"weather","button":1}"#,
    #"{"name":"weather","instance":"17","button":1"#, "\u{0}",
  ])
  func `a line without a click of ours is none`(line: String) {
    #expect(I3barClicks.click(line: Array(line.utf8)) == nil)
    #expect(LemonbarClicks.click(line: Array(line.utf8)) == nil)
  }

  @Test func `the tag of lemonbar comes back as a click`() throws {
    let shown = try line(.lemonbar, [widget("a b:}ü%", ["text": "t"])])
    let words = shown.split(separator: ":").filter { $0.hasPrefix("intentd/") }
    #expect(words.count == 5)
    let clicks = words.map { LemonbarClicks.click(line: Array($0.utf8)) }
    #expect(
      clicks == (1...5).map { BarClick(ShownWidget(id: "a b:}ü%", revision: 17), button: $0) })
  }

  @Test(arguments: [
    "intentd/", "intentd/1/", "intentd/1/weather", "intentd/0/weather@1", "intentd/12/weather@1",
    "intentd/1/@1", "intentd/1/a%4@1", "intentd/1/a%zz@1", "intentd/1/%ff@1", "intentd/1/a b@1",
    "intentd/1/a@-1", "other/1/a@1", "xintentd/1/a@1",
  ])
  func `a line that lemonbar did not get from us is no click`(line: String) {
    #expect(LemonbarClicks.click(line: Array(line.utf8)) == nil)
  }

  @Test func `buttons have names and numbers`() {
    #expect(BarButton.number("left") == 1)
    #expect(BarButton.number("right") == 3)
    #expect(BarButton.number("down") == 5)
    #expect(BarButton.number("9") == 9)
    #expect(BarButton.number("10") == nil)
    #expect(BarButton.number("Left") == nil)
  }

  @Test(arguments: ["", "-x", ".x", "a b", "ü", "a/b", "a:b", String(repeating: "x", count: 65)])
  func `a name that a bar could misread is none`(name: String) {
    #expect(BarName(name) == nil)
    #expect(BarName("left-bar_2.b")?.text == "left-bar_2.b")
  }
}
