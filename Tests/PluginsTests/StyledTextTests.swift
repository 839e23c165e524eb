import JSON
import Plugins
import Testing

struct StyledTextTests {
  @Test func `text without a style stays text`() {
    var text = StyledText("a")
    text.append("b")
    #expect(text.json == "ab")
    #expect(text.runs.count == 1)
  }

  @Test func `runs say their style`() {
    var style = TextStyle()
    style.isBold = true
    style.color = PluginColor(light: "#ff0000", dark: "#ff8080")
    var text = StyledText("a ")
    text.append("b", style)
    #expect(
      text.json.serialized
        == ##"{"runs":[{"text":"a "},{"text":"b","color":{"light":"#ff0000","dark":"#ff8080"},"bold":true}]}"##
    )
  }
}
