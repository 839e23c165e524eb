/// Bytes to read, borrowed: a pointer and a count.
///
/// An `UnsafeRawBufferPointer` keeps two optional pointers and pays for that at each look at its
/// count, which a scanner takes at every byte. The bounds of single bytes and words are checked in
/// debug builds; those of a range always, because callers keep ranges.
struct ByteView {
  private let base: UnsafeRawPointer
  let count: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    // An empty buffer has no address; any address will do, because nothing is read.
    base = bytes.baseAddress ?? UnsafeRawPointer(("" as StaticString).utf8Start)
    count = bytes.count
  }

  @inline(__always)
  subscript(index: Int) -> UInt8 {
    assert(index >= 0 && index < count)
    return base.load(fromByteOffset: index, as: UInt8.self)
  }

  @inline(__always)
  subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range of another text")
    return UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// Eight bytes from `index`, the first in the lowest byte.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    assert(index >= 0 && index + 8 <= count)
    return UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }
}
