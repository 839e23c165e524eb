/// A request in the form that nearly every client writes:
/// `{"jsonrpc":"2.0","id":12,"method":"daemon.ping"}`, no blanks, an integer id, a plain name, and
/// behind the name `"params"` or nothing.
///
/// A few word comparisons recognise it, instead of a walk over the grammar. A line that differs in
/// one byte is no `PlainRequest` and goes to `Envelope`. Both read the same id, name and parameters
/// from the same line.
package struct PlainRequest {
  package let id: Int64
  /// The bytes of the method's name in the line: printable ASCII without quotes and backslashes.
  package let method: Range<Int>
  /// The bytes in the place of the parameters; they were not checked.
  ///
  /// Use them only where they equal bytes that `Envelope` read before as an object or array.
  package let params: Range<Int>?

  package init?(_ line: Span<UInt8>) {
    guard let read = line.withUnsafeBytes({ Self.read($0) }) else { return nil }
    self = read
  }

  /// Reads the id of a request whose bytes behind the id are exactly `tail`; `nil` for any other line.
  ///
  /// Faster than reading the request where its name is known: nothing behind the id is searched.
  package static func id(of line: Span<UInt8>, behindIt tail: [UInt8]) -> Int64? {
    assert(tail.last == UInt8(ascii: "}"), "behind the id stands the rest of an object")
    return line.withUnsafeBytes { line in
      let tailStart = line.count - tail.count
      guard let (id, end) = head(line), end == tailStart else { return nil }
      var index = 0
      while index + 8 <= tail.count {
        let isSame = tail.withUnsafeBytes { word($0, index) == word(line, tailStart + index) }
        guard isSame else { return nil }
        index += 8
      }
      while index < tail.count {
        guard tail[index] == line[tailStart + index] else { return nil }
        index += 1
      }
      return id
    }
  }

  private init(id: Int64, method: Range<Int>, params: Range<Int>?) {
    self.id = id
    self.method = method
    self.params = params
  }

  /// Reads the members before the method: the id, and the index behind it.
  @inline(__always)
  private static func head(_ line: UnsafeRawBufferPointer) -> (id: Int64, end: Int)? {
    // Long enough for every load below, with room for a one-digit id and a one-letter method.
    guard line.count >= 37,
      word(line, 0) == 0x70726e6f736a227b,  // {"jsonrp
      word(line, 8) == 0x22302e32223a2263,  // c":"2.0"
      word(line, 14) == 0x3a226469222c2230  // 0","id":
    else { return nil }
    var index = 22
    var id: Int64 = 0
    let digitsEnd = min(index + 18, line.count)
    while index < digitsEnd {
      let digit = line[index] &- 48
      guard digit <= 9 else { break }
      id = id &* 10 &+ Int64(digit)
      index += 1
    }
    // A number may not begin with a zero it does not end with.
    guard index > 22, line[22] != 48 || index == 23 else { return nil }
    return (id, index)
  }

  private static func read(_ line: UnsafeRawBufferPointer) -> PlainRequest? {
    guard let (id, idEnd) = head(line), idEnd + 14 <= line.count else { return nil }
    var index = idEnd
    guard
      word(line, index) == 0x646f6874656d222c,  // ,"method
      word(line, index + 3) == 0x223a22646f687465  // ethod":"
    else { return nil }
    let start = index + 11
    guard let end = nameEnd(line, start) else { return nil }
    index = end
    guard index > start, index + 1 < line.count, line[line.count - 1] == 125 else { return nil }
    if index + 2 == line.count {
      return PlainRequest(id: id, method: start..<index, params: nil)
    }
    // With room for two brackets.
    guard index + 14 <= line.count,
      word(line, index) == 0x6d61726170222c22,  // ","param
      word(line, index + 3) == 0x3a22736d61726170  // params":
    else { return nil }
    return PlainRequest(
      id: id, method: start..<index, params: (index + 11)..<(line.count - 1))
  }

  /// Finds the quote behind a plain name that begins at `start`; `nil` when another byte ends it.
  ///
  /// Looks at eight bytes at a time, in a line of at least eight.
  private static func nameEnd(_ line: UnsafeRawBufferPointer, _ start: Int) -> Int? {
    var index = start
    while index < line.count {
      // The last word of the line is shifted down; the zeros that come in from above end a name.
      let offset = min(index, line.count - 8)
      let marks = nameEndMarks(word(line, offset) >> UInt64((index - offset) * 8))
      if marks != 0 {
        let end = index + marks.trailingZeroBitCount >> 3
        return end < line.count && line[end] == UInt8(ascii: "\"") ? end : nil
      }
      index += 8
    }
    return nil
  }

  /// Marks the bytes of a word that no plain name has: blanks, control characters, `"`, `\`, and
  /// every byte outside ASCII; the lowest mark is exact (see `EightBytes` in JSON).
  @inline(__always)
  private static func nameEndMarks(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func places(of byte: UInt8) -> UInt64 {
      let rest = word ^ (ones &* UInt64(byte))
      return (rest &- ones) & ~rest
    }
    let blanks = (word &- (ones &* 33)) & ~word
    let quotes = places(of: UInt8(ascii: "\"")) | places(of: UInt8(ascii: "\\"))
    return (blanks | quotes | places(of: 127) | word) & (ones << 7)
  }

  /// Eight bytes as they stand in memory, the first in the lowest bits.
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
