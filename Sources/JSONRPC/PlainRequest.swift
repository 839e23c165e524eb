/// A request in the form that nearly every client writes:
/// `{"jsonrpc":"2.0","id":12,"method":"daemon.ping"}`, no blanks, an integer id, a plain name, and behind
/// the name `"params"` or nothing.
///
/// Recognised with a few word comparisons instead of a walk over the grammar. Whatever differs in one
/// byte is no `PlainRequest` and goes to `Envelope`, which reads it to the same end: this is a short
/// cut, never a second opinion.
package struct PlainRequest {
  package let id: Int64
  /// The bytes of the method's name in the line: printable ASCII without quotes and backslashes.
  package let method: Range<Int>
  /// The bytes that stand where parameters do.
  ///
  /// Nobody read them: they count only for who knows them to be an object or array, since they equal bytes that were
  /// read before.
  package let params: Range<Int>?

  package init?(_ line: Span<UInt8>) {
    let read = line.withUnsafeBytes { Self.read($0) }
    guard let read else { return nil }
    self = read
  }

  private init(id: Int64, method: Range<Int>, params: Range<Int>?) {
    self.id = id
    self.method = method
    self.params = params
  }

  private static func read(_ line: UnsafeRawBufferPointer) -> PlainRequest? {
    // Long enough for every load below, with room for a one-digit id and a one-letter method.
    guard line.count >= 37,
      word(line, 0) == 0x70726e6f736a227b,  // {"jsonrp
      word(line, 8) == 0x22302e32223a2263,  // c":"2.0"
      word(line, 14) == 0x3a226469222c2230  // 0","id":
    else { return nil }
    var index = 22
    var id: Int64 = 0
    let end = min(index + 18, line.count)
    while index < end {
      let digit = line[index] &- 48
      guard digit <= 9 else { break }
      id = id &* 10 &+ Int64(digit)
      index += 1
    }
    // A number may not begin with a zero it does not end with.
    guard index > 22, line[22] != 48 || index == 23, index + 14 <= line.count,
      word(line, index) == 0x646f6874656d222c,  // ,"method
      word(line, index + 3) == 0x223a22646f687465  // ethod":"
    else { return nil }
    let start = index + 11
    index = start
    while index < line.count {
      let byte = line[index]
      if byte == 34 { break }
      guard byte > 32, byte < 127, byte != 92 else { return nil }
      index += 1
    }
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

  /// Eight bytes as they stand in memory, the first in the lowest bits.
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
