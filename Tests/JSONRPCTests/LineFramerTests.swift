import JSONRPC
import Testing

/// The framer gives the same lines for every split of the same bytes.
struct LineFramerTests {
  @Test func `lines arrive whole, without their ends, and blank ones not at all`() {
    #expect(events(["a\nbb\r\n\n\r\n \t \nccc\n"]) == [.line("a"), .line("bb"), .line("ccc")])
  }

  @Test func `a reader that has had enough gets the other lines later`() {
    let bytes = Array("a\n\nbb\nccc\ndd".utf8)
    var framer = LineFramer(frameBytesMax: 10)
    var lines: [String] = []
    var place = 0
    var places: [Int] = []
    while place < bytes.count {
      place = framer.take(
        bytes.span, from: place,
        line: {
          lines.append(text($0))
          return false
        }, oversized: { lines.append("!") })
      places.append(place)
    }
    #expect(lines == ["a", "bb", "ccc"])
    #expect(places == [2, 6, 10, 12])
    #expect(framer.bufferedBytes == 2)
  }

  @Test func `bytes without a line end wait for it`() {
    var framer = LineFramer(frameBytesMax: 10)
    var lines: [String] = []
    framer.feed(
      Array("abc".utf8), line: { lines.append(text($0)) }, oversized: { lines.append("!") })
    #expect(lines.isEmpty)
    #expect(framer.bufferedBytes == 3)
    framer.feed(
      Array("d\ne".utf8), line: { lines.append(text($0)) }, oversized: { lines.append("!") })
    #expect(lines == ["abcd"])
    #expect(framer.bufferedBytes == 1)
    framer.finish { lines.append(text($0)) }
    #expect(lines == ["abcd", "e"])
    #expect(framer.bufferedBytes == 0)
  }

  @Test(arguments: [
    "a\nbb\nccc\n", "\n\n\na\n\n", "a\r\nb\r\r\n\r\nc\n", "12345678\n123456789\n1\n",
    "1234567\r\n12345678\r\nx\n", "1234567890123456789012345\nok\n1234567890\n12345678\n",
    "\u{1F600}\né\n", "123456789", "12345678\r", "        \n         \nx\n", "tail",
  ])
  func `a stream split at any two bytes gives the same lines`(stream: String) {
    let bytes = Array(stream.utf8)
    let whole = events([bytes])
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let parts = [bytes[..<first], bytes[first..<second], bytes[second...]]
        #expect(events(parts.map(Array.init)) == whole, "split at \(first) and \(second)")
      }
    }
    #expect(events(bytes.map { [$0] }) == whole, "byte by byte")
  }

  @Test func `a line at the limit passes, and one byte more is refused once`() {
    #expect(events(["12345678\n"]) == [.line("12345678")])
    #expect(events(["123456789\nx\n"]) == [.oversized, .line("x")])
    #expect(events(["1234567\r\n"]) == [.line("1234567")])
    #expect(events(["12345678\r\nx\n"]) == [.oversized, .line("x")])
  }

  @Test func `an oversized line is known before its end and never kept`() {
    var framer = LineFramer(frameBytesMax: 8)
    var seen: [FramerEvent] = []
    func feed(_ part: String) {
      framer.feed(
        Array(part.utf8), line: { seen.append(.line(text($0))) },
        oversized: { seen.append(.oversized) })
      #expect(framer.bufferedBytes <= 8)
    }
    feed("12345678")
    #expect(seen.isEmpty)
    feed("9")
    #expect(seen == [.oversized])
    #expect(framer.bufferedBytes == 0)
    for _ in 0..<100 { feed("more of it, and more") }
    #expect(seen == [.oversized])
    feed("\nok\n")
    #expect(seen == [.oversized, .line("ok")])
  }

  @Test func `the end of a stream forgets an oversized line`() {
    var framer = LineFramer(frameBytesMax: 2)
    var seen: [FramerEvent] = []
    framer.feed(Array("abc".utf8), line: { _ in }, oversized: { seen.append(.oversized) })
    framer.finish { seen.append(.line(text($0))) }
    framer.feed(
      Array("ok\n".utf8), line: { seen.append(.line(text($0))) }, oversized: {})
    #expect(seen == [.oversized, .line("ok")])
  }

  @Test func `a line end is found at every distance`() {
    for length in 1...40 {
      let line = String(repeating: "x", count: length)
      #expect(events([Array("\(line)\ny\n".utf8)], max: 64) == [.line(line), .line("y")])
    }
  }
}

private enum FramerEvent: Equatable {
  case line(String)
  case oversized
  /// The number of bytes that wait for their line end.
  case rest(Int)
}

private func events(_ parts: [String]) -> [FramerEvent] { events(parts.map { Array($0.utf8) }) }

private func events(_ parts: [[UInt8]], max: Int = 8) -> [FramerEvent] {
  var framer = LineFramer(frameBytesMax: max)
  var seen: [FramerEvent] = []
  for part in parts {
    framer.feed(
      part, line: { seen.append(.line(text($0))) }, oversized: { seen.append(.oversized) })
  }
  if framer.bufferedBytes > 0 { seen.append(.rest(framer.bufferedBytes)) }
  return seen
}

private func text(_ span: Span<UInt8>) -> String {
  span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}
