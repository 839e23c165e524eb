import JSONRPC

/// Fuzzes the line framer.
///
/// It finds the same lines in any split of the same bytes, and never buffers more than the limit.
/// The first byte is the limit, the second seeds the splits, the rest is the stream.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 2 else { return 0 }
  let limit = Int(start[0]) + 1
  var random = UInt64(start[1])
  let stream = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))

  var whole = Record(framer: LineFramer(frameBytesMax: limit))
  whole.feed(stream)

  var parts = Record(framer: LineFramer(frameBytesMax: limit))
  var rest = stream[...]
  while !rest.isEmpty {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let size = Int(random >> 33) % 11
    parts.feed(Array(rest.prefix(size)))
    precondition(parts.framer.bufferedBytes <= limit, "more kept than the limit")
    rest = rest.dropFirst(size)
  }
  precondition(parts.events == whole.events, "another split, other lines")
  precondition(parts.framer.bufferedBytes == whole.framer.bufferedBytes)
  precondition(whole.events == expected(stream, limit: limit), "not the lines of the stream")
  return 0
}

/// A line, or `nil` for a line that was too long.
private typealias Event = [UInt8]?

private struct Record {
  var framer: LineFramer
  var events: [Event] = []

  mutating func feed(_ bytes: [UInt8]) {
    var seen: [Event] = []
    var oversizedCount = 0
    framer.feed(
      bytes,
      line: { line in
        seen.append(line.withUnsafeBufferPointer { Array($0) })
        precondition(!seen.isEmpty && seen.last??.contains(10) == false)
      },
      oversized: {
        oversizedCount += 1
        seen.append(nil)
      })
    precondition(oversizedCount <= bytes.count)
    events += seen
  }
}

/// Returns the expected lines of a stream, by the simplest implementation.
private func expected(_ stream: [UInt8], limit: Int) -> [Event] {
  var events: [Event] = []
  var lines = stream.split(separator: 10, omittingEmptySubsequences: false)
  let last = lines.removeLast()
  for var line in lines {
    if line.count > limit {
      events.append(nil)
      continue
    }
    if line.last == 13 { line.removeLast() }
    if !line.allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) { events.append(Array(line)) }
  }
  if last.count > limit { events.append(nil) }
  return events
}
