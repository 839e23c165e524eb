/// Cuts a byte stream into lines.
///
/// Bytes arrive in any split; the lines are the same for every split. A line ends at `\n`, a `\r`
/// before it is dropped, a line of nothing but spaces, tabs and `\r` is skipped. While no partial
/// line waits, lines are handed out directly over the bytes that came: the usual frame is never
/// copied.
///
/// A line is oversized when more than `frameBytesMax` bytes stand before its `\n` (a `\r` counts).
/// That is reported once, as soon as it is known; then the bytes up to that `\n` are dropped, and
/// the next line is read as usual. Never more than `frameBytesMax` bytes are kept.
package struct LineFramer {
  package let frameBytesMax: Int
  /// The start of a line whose end has not come; it has no `\n`.
  private var partial: [UInt8] = []
  /// The line being read was oversized and reported; skip to its end.
  private var isSkipping = false

  package init(frameBytesMax: Int) {
    precondition(frameBytesMax > 0, "a line needs room for a byte")
    self.frameBytesMax = frameBytesMax
  }

  /// Whether the next byte begins a line.
  package var isBetweenLines: Bool { partial.isEmpty && !isSkipping }

  /// Bytes of a partial line that wait for the rest.
  package var bufferedBytes: Int { partial.count }

  /// Takes the bytes that arrived; calls `line` for each line that is complete now, without its
  /// end.
  package mutating func feed(
    _ bytes: [UInt8], line: (Span<UInt8>) -> Void, oversized: () -> Void
  ) {
    feed(bytes.span, line: line, oversized: oversized)
  }

  /// Takes the bytes that arrived; calls `line` for each line that is complete now, without its
  /// end.
  package mutating func feed(
    _ bytes: Span<UInt8>, line: (Span<UInt8>) -> Void, oversized: () -> Void
  ) {
    let taken = take(
      bytes,
      line: {
        line($0)
        return true
      }, oversized: oversized)
    assert(taken == bytes.count)
  }

  /// Takes the bytes from `start` on until `line` returns `false`: the reader has had enough, and
  /// the bytes behind that line are not looked at.
  ///
  /// - Returns: the place behind the last byte that was taken.
  package mutating func take(
    _ bytes: Span<UInt8>, from start: Int = 0, line: (Span<UInt8>) -> Bool, oversized: () -> Void
  ) -> Int {
    var start = start
    var goesOn = true
    while goesOn, start < bytes.count {
      let end = firstLineFeed(in: bytes, from: start)
      let isComplete = end < bytes.count
      let length = end - start

      if isComplete, !isSkipping, partial.isEmpty, length <= frameBytesMax {
        goesOn = emit(bytes.extracting(start..<end), to: line)
      } else if isSkipping {
        isSkipping = !isComplete
      } else if partial.count + length > frameBytesMax {
        forgetPartial()
        isSkipping = !isComplete
        oversized()
      } else {
        // By a quarter: an array would double, and keep up to twice of what came.
        let needed = partial.count + length
        if needed > partial.capacity {
          partial.reserveCapacity(max(needed, partial.count + partial.count / 4))
        }
        bytes.extracting(start..<end).withUnsafeBufferPointer { partial.append(contentsOf: $0) }
        if isComplete {
          goesOn = emit(partial.span, to: line)
          forgetPartial()
        }
      }
      start = end + 1
    }
    assert(partial.count <= frameBytesMax)
    return min(start, bytes.count)
  }

  /// Drops the partial line, and its rest when it comes.
  package mutating func skipLine() {
    guard !isBetweenLines else { return }
    partial = []
    isSkipping = true
  }

  /// The stream has ended: hands out a last line that came without its `\n`, and starts over.
  package mutating func finish(line: (Span<UInt8>) -> Void) {
    if !partial.isEmpty {
      _ = emit(partial.span) {
        line($0)
        return true
      }
    }
    forgetPartial()
    isSkipping = false
  }

  /// Hands a line out unless it is blank; returns whether the next one is wanted.
  @inline(__always)
  private func emit(_ bytes: Span<UInt8>, to line: (Span<UInt8>) -> Bool) -> Bool {
    var count = bytes.count
    if count > 0, bytes[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    // Nearly every line ends this loop at its first byte, '{'.
    for index in 0..<count {
      let byte = bytes[index]
      guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
      else {
        return line(bytes.extracting(0..<count))
      }
    }
    return true
  }

  private mutating func forgetPartial() {
    if partial.capacity > RPCLimits.frameBytesKept {
      partial = []
    } else {
      partial.removeAll(keepingCapacity: true)
    }
  }
}

/// The next `\n` at or after `start`, or the end.
///
/// Eight bytes at a time.
package func firstLineFeed(in bytes: Span<UInt8>, from start: Int) -> Int {
  // The words below are loaded without a check of their own.
  precondition(start >= 0 && start <= bytes.count, "the search starts outside the bytes")
  return bytes.withUnsafeBytes { raw in
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = start
    while index + 8 <= raw.count {
      let word =
        UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        ^ (ones &* UInt64(UInt8(ascii: "\n")))
      // The lowest set bit marks the first byte that is zero, that is, was a line feed.
      let marks = (word &- ones) & ~word & (ones << 7)
      if marks != 0 { return index + marks.trailingZeroBitCount >> 3 }
      index += 8
    }
    while index < raw.count, raw[index] != UInt8(ascii: "\n") { index += 1 }
    return index
  }
}
