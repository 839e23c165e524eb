import Testing

@testable import DaemonRuntime

/// Tests which request a line that is no JSON is the answer of.
struct GarbledLineTests {
  @Test(
    arguments: [
      (#"{"jsonrpc":"2.0","id":7,"result":{"x":NaN}}"#, 7),
      (#"  {"result":{"entries":[{"id":1}],"x":NaN},"id" : 7}"#, 7),
      (#"{"result":{"id":1,"x":NaN}}"#, nil),
      (#"{"result":"\"id\":1","x":NaN,"id":7}"#, 7),
      (#"{"what":"id","id":7 x"#, 7),
      (#"{"result":"}","id":7,"x":NaN}"#, 7),
      (#"{"result":"it never ends, "id":7}"#, nil),
      (#"[{"id":7}, NaN]"#, nil),
      (#"debug: {"id":7}"#, 7),
      (#""id":7"#, nil),
      (#"{"id":"7","x":NaN}"#, nil),
      (#"{"id":99999999999999999999,"x":NaN}"#, nil),
      ("", nil),
    ] as [(String, UInt64?)])
  func `a line is of the request whose number its own object has`(_ line: String, _ id: UInt64?) {
    #expect(GarbledLine(line.utf8Span.span).id == id)
  }
}
