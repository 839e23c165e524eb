import JSON
import JSONRPC
import Testing

@Suite struct PlainRequestTests {
  private static let usual = #"{"jsonrpc":"2.0","id":1207,"method":"daemon.ping"}"#

  private static let order =
    #"{"jsonrpc":"2.0","id":7,"method":"stack.order","params":{"limit":10}}"#

  @Test func `parameters are given as a range and are not parsed`() throws {
    let line = Array(Self.order.utf8)
    let read = PlainRequest(line.span)
    let plain = try #require(read)
    #expect(plain.id == 7)
    #expect(String(decoding: line[plain.method], as: UTF8.self) == "stack.order")
    #expect(plain.params.map { String(decoding: line[$0], as: UTF8.self) } == #"{"limit":10}"#)
  }

  @Test func `the usual form is recognised with its id and name`() throws {
    let line = Array(Self.usual.utf8)
    // `#require` cannot take a span.
    let read = PlainRequest(line.span)
    let plain = try #require(read)
    #expect(plain.id == 1207)
    #expect(String(decoding: line[plain.method], as: UTF8.self) == "daemon.ping")
  }

  @Test func `the id before a known tail is read, and any changed byte is refused or read alike`() {
    let tail = Array(#","method":"daemon.ping"}"#.utf8)
    let line = Array(Self.usual.utf8)
    #expect(PlainRequest.id(of: line.span, behindIt: tail) == 1207)
    #expect(PlainRequest.id(of: Array(Self.order.utf8).span, behindIt: tail) == nil)
    for index in line.indices {
      for byte in [UInt8(ascii: "0"), UInt8(ascii: " "), UInt8(ascii: "\""), line[index] ^ 1] {
        var changed = line
        changed[index] = byte
        guard let id = PlainRequest.id(of: changed.span, behindIt: tail) else { continue }
        #expect(PlainRequest(changed.span)?.id == id)
        #expect(Array(changed.suffix(tail.count)) == tail)
      }
      let cut = Array(line[..<index])
      #expect(PlainRequest.id(of: cut.span, behindIt: tail) == nil)
    }
  }

  @Test(arguments: [usual, order])
  func `the envelope reads each accepted request in the same way, for any changed byte`(
    text: String
  ) {
    let usual = Array(text.utf8)
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
    #"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"a","params":}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":[1]},"c":{}}"#,
  ])
  func `both edges of the form agree with the envelope`(text: String) {
    check(Array(text.utf8))
  }

  /// Returns whether the bytes are one JSON value.
  ///
  /// Callers read parameters of a plain request only after this check.
  private static func isValue(_ bytes: ArraySlice<UInt8>) -> Bool {
    do {
      let value = try JSONValue(parsing: Array(bytes))
      return value.objectValue != nil || value.arrayValue != nil
    } catch {
      return false
    }
  }

  private func check(_ line: [UInt8]) {
    guard let plain = PlainRequest(line.span) else { return }
    let envelope = Envelope(reading: line.span)
    if let params = plain.params, !Self.isValue(line[params]) { return }
    #expect(envelope.kind == .request)
    #expect(envelope.id == .integer(plain.id))
    #expect(envelope.method == plain.method)
    #expect(envelope.methodText == nil)
    #expect(envelope.params == plain.params)
  }
}
