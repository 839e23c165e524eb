import JSON
import JSONRPC
import Testing
import Timekeeping
import WidgetExtension

@Suite struct MessageTests {
  private let kinds = KindNames(["City Widget", "org.example.day"])

  private func read(_ line: String) -> ExtensionMessage {
    ExtensionMessage.read(Array(line.utf8), kinds: kinds)
  }

  @Test func `a request has its kind, its surroundings and its moment`() throws {
    let message = read(
      """
      {"jsonrpc":"2.0","id":7,"method":"provider.timeline","params":{"kind":"org.example.day",\
      "family":"systemMedium","displaySize":{"width":329,"height":155},"isPreview":true,\
      "locale":"de_DE","textSize":"xLarge","intent":null,"view":"html","now":"2026-11-21T01:09:47Z"}}
      """)
    guard case .request(.integer(7), let request) = message else {
      Issue.record("\(message)")
      return
    }
    #expect(request.sort == .timeline)
    #expect(request.kind == "org.example.day")
    #expect(request.family == "systemMedium")
    #expect(request.width == 329)
    #expect(request.height == 155)
    #expect(request.isPreview)
    #expect(request.locale == "de_DE")
    #expect(request.textSize == "xLarge")
    #expect(request.intent == nil)
    #expect(request.wantsPicture)
    #expect(request.now == WallTime(rfc3339: "2026-11-21T01:09:47Z"))
  }

  @Test func `now may have fractions of a second`() {
    let message = read(
      #"{"id":1,"method":"provider.snapshot","params":{"kind":"org.example.day","now":"2026-11-21T01:09:47.977Z"}}"#
    )
    guard case .request(_, let request) = message else {
      Issue.record("\(message)")
      return
    }
    #expect(request.now == WallTime(rfc3339: "2026-11-21T01:09:47.977Z"))
  }

  @Test func `a kind of any text is meant by the name in the manifest too`() throws {
    #expect(KindNames.manifestName(of: "City Widget") == "City-Widget")
    #expect(KindNames.manifestName(of: "天气") == "--")
    #expect(try kinds.kind("City-Widget") == "City Widget")
    #expect(try kinds.kind("City Widget") == "City Widget")
  }

  @Test func `an unknown kind is refused with a suggestion`() {
    let message = read(
      #"{"id":1,"method":"provider.timeline","params":{"kind":"org.example.dya","now":"2026-11-21T01:09:47Z"}}"#
    )
    #expect(
      message
        == .refusal(
          id: .integer(1),
          ExtensionError(
            .invalidParams,
            "this program has no kind 'org.example.dya'; did you mean 'org.example.day'?")))
  }

  @Test func `an intent is performed without a kind`() {
    let message = read(
      #"{"id":"a","method":"provider.perform","params":{"now":"2026-11-21T01:09:47Z","intent":{"name":"Count","parameters":{}}}}"#
    )
    guard case .request(.string("a"), let request) = message else {
      Issue.record("\(message)")
      return
    }
    #expect(request.sort == .perform)
    #expect(request.kind == nil)
  }

  @Test func `a cancellation names the request`() {
    #expect(
      read(#"{"method":"provider.cancel","params":{"id":7}}"#) == .cancel(id: .integer(7)))
  }

  @Test func `another notification needs nothing`() {
    #expect(read(#"{"method":"provider.hello"}"#) == .ignored)
    #expect(read(#"{"method":"provider.cancel","params":{}}"#) == .ignored)
  }

  @Test(arguments: [
    (#"nonsense"#, -32700), (#"{"id":1}"#, -32600), (#"{"id":1,"method":"provider.fly"}"#, -32601),
    (#"{"id":1,"method":"timeline"}"#, -32601),
    (#"{"id":1,"method":"provider.timeline"}"#, -32602),
    (#"{"id":1,"method":"provider.timeline","params":{"kind":"org.example.day"}}"#, -32602),
    (
      #"{"id":1,"method":"provider.timeline","params":{"kind":"org.example.day","now":"noon"}}"#,
      -32602
    ),
    (#"{"id":1,"method":"provider.timeline","params":{"now":"2026-11-21T01:09:47Z"}}"#, -32602),
    (
      #"{"id":1,"method":"provider.perform","params":{"now":"2026-11-21T01:09:47Z","intent":{}}}"#,
      -32602
    ),
    (
      #"{"id":1,"method":"provider.options","params":{"kind":"org.example.day","now":"2026-11-21T01:09:47Z"}}"#,
      -32602
    ),
  ])
  func `what cannot be answered is refused`(line: String, code: Int) {
    guard case .refusal(_, let error) = read(line) else {
      Issue.record("not refused")
      return
    }
    #expect(error.code.rawValue == code)
  }
}

@Suite struct ClockDifferenceTests {
  private let clock = WallTime(seconds: 1_000_000)

  @Test(arguments: [-5_000, -1, 0, 300, 5_000])
  func `a request that is a little late means the clock's own time`(milliseconds: Int64) {
    let now = clock.advanced(byMilliseconds: milliseconds)
    #expect(ClockDifference.milliseconds(from: clock, to: now) == 0)
  }

  @Test(arguments: [-5_001, 5_001, 604_800_000])
  func `a request from another day puts the clock there`(milliseconds: Int64) {
    let now = clock.advanced(byMilliseconds: milliseconds)
    #expect(ClockDifference.milliseconds(from: clock, to: now) == milliseconds)
  }
}
