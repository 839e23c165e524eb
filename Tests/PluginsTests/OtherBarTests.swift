import Plugins
import Testing

/// Tests that an object of Waybar or i3blocks is known where another family reads lines.
struct OtherBarTests {
  private func bar(_ output: String, _ format: PluginFormat = .xbar) -> PluginFormat? {
    PluginReader.otherBar(Array(output.utf8), readAs: format)
  }

  @Test(arguments: [PluginFormat.xbar, .swiftbar, .argos, .polybar, .genmon, .text])
  func `the members of an object say which bar reads it`(_ format: PluginFormat) {
    #expect(bar(#"{"text": "12%", "tooltip": "a"}"#, format) == .waybar)
    #expect(bar("\n" + #"{"alt": "low", "class": []}"# + "\nmore\n", format) == .waybar)
    #expect(bar("{\n  \"text\": \"12%\"\n}\n", format) == .waybar)
    #expect(bar(#"{"full_text": "a", "text": "b"}"#, format) == .i3blocks)
  }

  @Test func `other output, and an object where one is read, is nothing of the kind`() {
    for output in [
      "", "CPU 12%", "{", "{}", #"{"a": 1}"#, #"{"class": "low"}"#, #"["text"]"#,
      #"CPU {"text": 1}"#, #"{"text": 1} | color=red"#,
    ] { #expect(bar(output) == nil, "\(output)") }
    #expect(bar(#"{"text": "a"}"#, .waybar) == nil)
    #expect(bar(#"{"text": "a"}"#, .i3blocks) == nil)
  }
}
