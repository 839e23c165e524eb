import Testing

@testable import Plugins

/// The short way for an output of one plain line, which must show what the family's reader shows.
@Suite struct PlainOutputTests {
  /// Returns the reading that the family's reader makes.
  private func whole(_ output: [UInt8], _ format: PluginFormat) -> PluginReading {
    (format == .text
      ? PluginReader.readText(output)
      : PluginReader.readBlock(output, exitStatus: 0, PluginLook())).cleaned()
  }

  @Test(arguments: [PluginFormat.i3blocks, .text])
  func `a plain line means what the family's reader makes of it`(_ format: PluginFormat) {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array(
      "ab 0:;,.|/\\\"'`~^*()[]{}<>&#%$+-=_!?@\t\r\n\u{1b}\u{7f}é\0".utf8)
    var plainCount = 0
    for round in 0..<20_000 {
      var output: [UInt8] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        // Mostly plain: a line of twelve random bytes would seldom be.
        output.append(
          round % 2 == 0
            ? UInt8.random(in: 0x20...0x7E, using: &random)
            : alphabet[Int.random(in: alphabet.indices, using: &random)])
      }
      if Bool.random(using: &random) { output.append(UInt8(ascii: "\n")) }
      guard let plain = PluginReader.readPlain(output, format, exitStatus: 0, look: nil) else {
        continue
      }
      plainCount += 1
      #expect(plain == whole(output, format), "\(String(decoding: output, as: UTF8.self))")
    }
    #expect(plainCount > 2_000)
  }

  @Test func `what has something to read in it goes to the family's reader`() {
    for text in [
      "", "\n", " a", "a ", "a\nb", "a<b", "a&b", "{\"full_text\": \"a\"}", "\u{1b}[1ma", "é",
      "a\r\n",
    ] {
      #expect(PluginReader.plainLine(Array(text.utf8)) == nil, "\(text)")
    }
    #expect(PluginReader.plainLine(Array(repeating: UInt8(ascii: "a"), count: 256)) != nil)
    #expect(PluginReader.plainLine(Array(repeating: UInt8(ascii: "a"), count: 257)) == nil)
    #expect(PluginReader.plainLine(Array("12:00 [ok]\n".utf8)) == "12:00 [ok]")
    let output = Array("12:00\n".utf8)
    #expect(PluginReader.readPlain(output, .waybar, exitStatus: 0, look: nil) == nil)
    #expect(PluginReader.readPlain(output, .i3blocks, exitStatus: 33, look: nil) == nil)
    #expect(PluginReader.readPlain(output, .text, exitStatus: 0, look: PluginLook()) == nil)
  }
}
