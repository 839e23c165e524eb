import JSONRPC
import Testing

@Suite struct PlainRequestTests {
  private static let usual = #"{"jsonrpc":"2.0","id":1207,"method":"daemon.ping"}"#

  @Test func `the usual form is recognised with its id and name`() throws {
    let line = Array(Self.usual.utf8)
    // A span cannot pass through the macro.
    let read = PlainRequest(line.span)
    let plain = try #require(read)
    #expect(plain.id == 1207)
    #expect(String(decoding: line[plain.method], as: UTF8.self) == "daemon.ping")
  }

  @Test func `what it accepts the envelope reads to the same end, for every changed byte`() {
    let usual = Array(Self.usual.utf8)
    for index in usual.indices {
      for byte in UInt8.min...UInt8.max {
        var line = usual
        line[index] = byte
        check(line)
      }
      var shorter = usual
      shorter.remove(at: index)
      check(shorter)
      check(Array(usual[..<index]))
    }
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","id":0,"method":"a"}"#, #"{"jsonrpc":"2.0","id":01,"method":"a"}"#,
    #"{"jsonrpc":"2.0","id":00,"method":"a"}"#, #"{"jsonrpc":"2.0","id":,"method":"aaaaa"}"#,
    #"{"jsonrpc":"2.0","id":-1,"method":"a"}"#, #"{"jsonrpc":"2.0","id":1.5,"method":"a"}"#,
    #"{"jsonrpc":"2.0","id":999999999999999999,"method":"a"}"#,
    #"{"jsonrpc":"2.0","id":9999999999999999999,"method":"a"}"#,
    #"{"jsonrpc":"2.0","id":1,"method":""}"#, #"{"jsonrpc":"2.0","id":1,"method":"a\n"}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"a"} "#, #"{"jsonrpc":"2.0","id":1,"method":"a"}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"ä"}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"a","params":{}}"#,
  ])
  func `both edges of the form agree with the envelope`(text: String) {
    check(Array(text.utf8))
  }

  private func check(_ line: [UInt8]) {
    guard let plain = PlainRequest(line.span) else { return }
    let envelope = Envelope(reading: line.span)
    #expect(envelope.kind == .request)
    #expect(envelope.id == .integer(plain.id))
    #expect(envelope.method == plain.method)
    #expect(envelope.methodText == nil)
    #expect(envelope.params == nil)
  }
}
