import JSON
import JSONRPC
import Testing

/// Checks the envelope against JSON-RPC 2.0, including the examples of its §7.
struct EnvelopeTests {
  @Test func `a request shows its id, method and the bytes of its params`() {
    let line = #" {"jsonrpc":"2.0", "method":"subtract", "params": [42, 23] , "id":1} "#
    let seen = Seen(line)
    #expect(seen == Seen(kind: .request, id: .integer(1), method: "subtract", params: "[42, 23]"))
  }

  @Test func `members may come in any order, and unknown ones are ignored`() {
    let members = [
      #""jsonrpc":"2.0""#, #""id":"a""#, #""method":"m""#, #""params":{"x":[{}]}"#,
      #""extra":{"id":3,"method":5}"#,
    ]
    let expected = Seen(kind: .request, id: .string("a"), method: "m", params: #"{"x":[{}]}"#)
    for shift in members.indices {
      let turned = members[shift...] + members[..<shift]
      #expect(Seen("{" + turned.joined(separator: ",") + "}") == expected)
      #expect(Seen("{" + turned.reversed().joined(separator: " ,\t") + "}") == expected)
    }
  }

  @Test func `the last of two members with one name wins`() {
    let line =
      #"{"jsonrpc":"1.0","id":1,"method":7,"params":3,"jsonrpc":"2.0","id":2,"method":"b","params":[]}"#
    #expect(Seen(line) == Seen(kind: .request, id: .integer(2), method: "b", params: "[]"))
    let worse = #"{"jsonrpc":"2.0","id":1,"method":"b","id":{}}"#
    #expect(Seen(worse).code == RPCError.Code.invalidRequest)
  }

  @Test(arguments: [
    ("1", RequestID.integer(1)), ("-9223372036854775808", .integer(.min)),
    ("null", .null), (#""""#, .string("")), (#""a\n\u00e9""#, .string("a\né")),
    ("1.5", .other(Array("1.5".utf8))), ("1e3", .other(Array("1e3".utf8))),
    ("18446744073709551615", .other(Array("18446744073709551615".utf8))),
  ])
  func `an id is repeated as it came`(text: String, id: RequestID) throws {
    let envelope = read(#"{"jsonrpc":"2.0","id":\#(text) ,"method":"m"}"#)
    #expect(envelope.kind == .request)
    #expect(envelope.id == id)
    var buffer: [UInt8] = []
    id.write(into: &buffer)
    let value = try JSONValue(parsing: text)
    #expect(try JSONValue(parsing: buffer) == value)
    if case .other(let raw) = id { #expect(raw == Array(text.utf8)) }
  }

  @Test func `a call without an id is a notification, one with a null id is a request`() {
    #expect(
      Seen(#"{"jsonrpc":"2.0","method":"update"}"#) == Seen(kind: .notification, method: "update"))
    #expect(
      Seen(#"{"jsonrpc":"2.0","method":"update","id":null}"#)
        == Seen(kind: .request, id: .null, method: "update"))
  }

  @Test func `names written with escapes are the same names`() {
    let line =
      #"{"jsonr\u0070c":"2\u002e0","\u0069d":1,"m\u0065thod":"daemon.\u0070ing","par\u0061ms":{}}"#
    let envelope = read(line)
    #expect(envelope.kind == .request)
    #expect(envelope.id == .integer(1))
    #expect(envelope.methodText == "daemon.ping")
    #expect(envelope.params != nil)
    let response = read(#"{"jsonrpc":"2.0","id":1,"\u0072esult":2}"#)
    #expect(response.kind == .response)
    #expect(response.result != nil)
    #expect(read(#"{"jsonrpc":"2.0","id":1,"\u0065rror":{}}"#).error != nil)
  }

  @Test func `a name that only starts like a member is another name`() {
    let line = #"{"jsonrpc":"2.0","jsonrpcx":"1","idx":1,"method":"m","methods":1,"param":2}"#
    #expect(Seen(line) == Seen(kind: .notification, method: "m"))
    #expect(Seen(#"{"jsonrpc":"2.0","method":"m","i":1}"#).id == nil)
  }

  @Test func `a response shows the bytes of its result or error`() {
    #expect(
      Seen(#"{"jsonrpc":"2.0","result": 19 ,"id":4}"#)
        == Seen(kind: .response, id: .integer(4), result: "19"))
    #expect(
      Seen(#"{"jsonrpc":"2.0","error":{"code":-32601,"message":"x"},"id":"5"}"#)
        == Seen(
          kind: .response, id: .string("5"), error: #"{"code":-32601,"message":"x"}"#))
    #expect(
      Seen(#"{"jsonrpc":"2.0","result":null,"id":null}"#)
        == Seen(kind: .response, id: .null, result: "null"))
  }

  @Test(
    arguments: [
      // The text is no JSON, so the id is unknown, even if it could be guessed.
      ("", -32700, nil), ("   ", -32700, nil),
      (#"{"jsonrpc":"2.0","method":"foobar,"params":"bar"#, -32700, nil),
      (#"{"jsonrpc":"2.0","id":1,"method":"m"} x"#, -32700, nil),
      (#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":}}"#, -32700, nil),
      (#"{"jsonrpc":"2.0","id":1,"method":"m","params":[1e999]}"#, -32700, nil),
      (#"[{"jsonrpc":"2.0","method":"sum"},{"jsonrpc":"2.0","method"]"#, -32700, nil),
      // The text is JSON, but no message.
      ("1", -32600, nil), ("null", -32600, nil), (#""x""#, -32600, nil), ("[]", -32600, nil),
      ("[ ]", -32600, nil), ("{}", -32600, nil), (#"{"foo":"boo"}"#, -32600, nil),
      (#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, -32600, nil),
      (#"{"jsonrpc":"2.0","id":7}"#, -32600, .integer(7)),
      (#"{"id":7,"method":"m"}"#, -32600, .integer(7)),
      (#"{"jsonrpc":2.0,"id":7,"method":"m"}"#, -32600, .integer(7)),
      (#"{"jsonrpc":"1.0","id":7,"method":"m"}"#, -32600, .integer(7)),
      (#"{"jsonrpc":"2.00","id":7,"method":"m"}"#, -32600, .integer(7)),
      (#"{"jsonrpc":"2.","id":"7","method":"m"}"#, -32600, .string("7")),
      (#"{"jsonrpc":"2.0","id":7,"method":null}"#, -32600, .integer(7)),
      (#"{"jsonrpc":"2.0","id":7,"method":"m","params":null}"#, -32600, .integer(7)),
      (#"{"jsonrpc":"2.0","id":7,"method":"m","params":"x"}"#, -32600, .integer(7)),
      (#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, -32600, nil),
      (#"{"jsonrpc":"2.0","id":[1],"method":"m"}"#, -32600, nil),
      // The error for a broken response has no id: it would look like an answer to a request.
      (#"{"jsonrpc":"2.0","id":7,"result":1,"error":{}}"#, -32600, nil),
      (#"{"jsonrpc":"2.0","id":7,"error":"x"}"#, -32600, nil),
      (#"{"id":7,"result":1}"#, -32600, nil), (#"{"jsonrpc":"2.0","result":1}"#, -32600, nil),
    ] as [(String, Int, RequestID?)])
  func `an error has the standard's code and the id, if it could be read`(
    line: String, code: Int, id: RequestID?
  ) {
    let envelope = read(line)
    #expect(Seen(line).code == code)
    #expect(envelope.id == id)
    #expect(envelope.method.isEmpty)
    #expect(envelope.params == nil)
    #expect(envelope.result == nil)
    #expect(envelope.error == nil)
    #expect(envelope.elements.isEmpty)
  }

  @Test func `a parse error has a position`() {
    guard case .invalid(let error) = read(#"{"jsonrpc":"2.0" x"#).kind else {
      Issue.record("accepted")
      return
    }
    #expect(error.message == "parse error: expected ',' or '}' at byte 17, found 'x'")
    #expect(error.data == ["offset": 17])
  }

  @Test func `a batch shows where its messages are`() {
    let line = Array(
      #" [ {"jsonrpc":"2.0","method":"a"} , 1,[] , {"jsonrpc":"2.0","id":1,"method":"b"}]"#.utf8)
    let batch = Envelope(reading: line.span)
    #expect(batch.kind == .batch)
    #expect(batch.id == nil)
    let kinds = batch.elements.map { range in
      Seen(Envelope(readingElement: line.span.extracting(range)), in: Array(line[range]))
    }
    #expect(kinds.count == 4)
    #expect(kinds[0] == Seen(kind: .notification, method: "a"))
    #expect(kinds[1].code == RPCError.Code.invalidRequest)
    #expect(kinds[2].code == RPCError.Code.invalidRequest)
    #expect(kinds[3] == Seen(kind: .request, id: .integer(1), method: "b"))
  }

  @Test func `a batch inside a batch is no message`() {
    let inner = #"[{"jsonrpc":"2.0","id":1,"method":"a"}]"#
    let envelope = Envelope(readingElement: inner.utf8Span.span)
    #expect(Seen(envelope, in: Array(inner.utf8)).code == RPCError.Code.invalidRequest)
    #expect(envelope.elements.isEmpty)
    #expect(read(inner).kind == .batch)
  }

  @Test func `a batch holds as many messages as the limit, and not one more`() {
    func batch(_ count: Int) -> Envelope {
      read("[" + repeatElement("1", count: count).joined(separator: ",") + "]")
    }
    #expect(batch(RPCLimits.batchElementsMax).elements.count == RPCLimits.batchElementsMax)
    guard case .invalid(let error) = batch(RPCLimits.batchElementsMax + 1).kind else {
      Issue.record("accepted")
      return
    }
    #expect(error.code == RPCError.Code.invalidRequest)
  }

  @Test func `every prefix of a message is a parse error`() {
    let line = #"{"jsonrpc":"2.0","id":"a\u0041","method":"m","params":{"x":[1.5,"é"]}}"#
    let bytes = Array(line.utf8)
    for end in 0..<bytes.count {
      let envelope = Envelope(reading: bytes.span.extracting(0..<end))
      #expect(Seen(envelope, in: bytes).code == RPCError.Code.parse)
    }
  }
}

private func read(_ line: String) -> Envelope { Envelope(reading: line.utf8Span.span) }

/// An envelope with the text of its ranges, so that tests compare whole values.
private struct Seen: Equatable {
  var kind: Envelope.Kind
  var id: RequestID?
  var method = ""
  var params: String?
  var result: String?
  var error: String?

  var code: Int? {
    guard case .invalid(let error) = kind else { return nil }
    return error.code
  }

  init(
    kind: Envelope.Kind, id: RequestID? = nil, method: String = "", params: String? = nil,
    result: String? = nil, error: String? = nil
  ) {
    self.kind = kind
    self.id = id
    self.method = method
    self.params = params
    self.result = result
    self.error = error
  }

  init(_ line: String) { self.init(read(line), in: Array(line.utf8)) }

  init(_ envelope: Envelope, in line: [UInt8]) {
    func text(_ range: Range<Int>) -> String { String(decoding: line[range], as: UTF8.self) }
    kind = envelope.kind
    id = envelope.id
    method = envelope.methodText ?? text(envelope.method)
    params = envelope.params.map(text)
    result = envelope.result.map(text)
    error = envelope.error.map(text)
  }
}
