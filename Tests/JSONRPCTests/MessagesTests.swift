import JSON
import JSONRPC
import Testing

/// Checks the bytes of the messages that are written, as whole lines.
struct MessagesTests {
  @Test func `a result is one line`() {
    #expect(
      written { appendResult(id: .integer(12), to: &$0) { $0.append(UInt8(ascii: "1")) } }
        == #"{"jsonrpc":"2.0","id":12,"result":1}"# + "\n")
    #expect(
      written { appendResult(id: .string("a\n"), ["ok": true], to: &$0) }
        == #"{"jsonrpc":"2.0","id":"a\n","result":{"ok":true}}"# + "\n")
    #expect(
      written { appendResult(id: .other(Array("1.50".utf8)), nil, to: &$0, newline: false) }
        == #"{"jsonrpc":"2.0","id":1.50,"result":null}"#)
  }

  @Test func `an error has null for an id that could not be read`() {
    #expect(
      written { appendError(id: nil, .parse("the line is too long"), to: &$0) }
        == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error: the line is too long"}}"#
        + "\n")
    #expect(
      written { appendError(id: .integer(1), .methodNotFound("x\"y"), to: &$0, newline: false) }
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown method 'x\"y'","data":{"method":"x\"y"}}}"#
    )
  }

  @Test func `calls are written with and without parameters`() {
    #expect(
      written { appendNotification(method: "surface.update", to: &$0) }
        == #"{"jsonrpc":"2.0","method":"surface.update"}"# + "\n")
    #expect(
      written { appendNotification(method: "a", params: ["x": 1], to: &$0) }
        == #"{"jsonrpc":"2.0","method":"a","params":{"x":1}}"# + "\n")
    #expect(
      written { appendNotification(method: "a", to: &$0) { appendASCII("[]", to: &$0) } }
        == #"{"jsonrpc":"2.0","method":"a","params":[]}"# + "\n")
    #expect(
      written { appendRequest(id: .integer(3), method: "b", params: [2], to: &$0) }
        == #"{"jsonrpc":"2.0","id":3,"method":"b","params":[2]}"# + "\n")
    #expect(
      written {
        appendRequest(id: .string("s"), method: "b", to: &$0, newline: false) {
          appendASCII("{}", to: &$0)
        }
      } == #"{"jsonrpc":"2.0","id":"s","method":"b","params":{}}"#)
  }

  @Test(arguments: [0, 9, 10, 42, -1, .max, .min] as [Int64])
  func `an integer id is written with all its digits`(id: Int64) {
    let empty = #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#
    #expect(written { appendEmptyResult(id: id, to: &$0) } == empty + "\n")
    #expect(
      written {
        appendResult(id: .integer(id), to: &$0, newline: false) { appendASCII("{}", to: &$0) }
      } == empty)
  }

  @Test(arguments: [.string("a\"b"), .null, .other(Array("1.50".utf8))] as [RequestID])
  func `a response in slices is the response`(id: RequestID) {
    let slices = written {
      beginResult(id: id, to: &$0)
      appendASCII("[1", to: &$0)
      appendASCII(",2]", to: &$0)
      endResult(&$0)
    }
    #expect(slices == written { appendResult(id: id, [1, 2], to: &$0) })
  }

  @Test func `written messages are read back as the same messages`() throws {
    let error = RPCError(code: -32000, message: "no \"room\"\n", data: [1, ["limit": 2]])
    let line = written { appendError(id: .integer(9), error, to: &$0, newline: false) }
    let envelope = Envelope(reading: line.utf8Span.span)
    #expect(envelope.kind == .response)
    #expect(envelope.id == .integer(9))
    let range = try #require(envelope.error)
    let value = try JSONValue(parsing: Array(Array(line.utf8)[range]))
    #expect(RPCError(value) == error)
  }

  @Test func `a value of another shape is no error object`() {
    #expect(RPCError(["code": "x", "message": "y"]) == nil)
    #expect(RPCError(["code": 1]) == nil)
    #expect(RPCError([1]) == nil)
    #expect(RPCError(["code": 1, "message": "y"]) == RPCError(code: 1, message: "y"))
  }
}

private func written(_ body: (inout [UInt8]) -> Void) -> String {
  var buffer: [UInt8] = []
  body(&buffer)
  return String(decoding: buffer, as: UTF8.self)
}
