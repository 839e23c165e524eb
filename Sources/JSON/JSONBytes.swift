/// The functions that append JSON text to bytes; everything that writes JSON goes through them.

/// Appends `text` in quotes.
///
/// Escapes only `"`, `\` and control characters; so a line of JSON never holds a line break.
package func appendJSONString(_ text: String, to buffer: inout [UInt8]) {
  var text = text
  text.withUTF8 { appendJSONString(utf8: UnsafeRawBufferPointer($0), to: &buffer) }
}

/// Appends bytes that are already UTF-8 as a string in quotes.
package func appendJSONString(utf8 bytes: Span<UInt8>, to buffer: inout [UInt8]) {
  bytes.withUnsafeBytes { appendJSONString(utf8: $0, to: &buffer) }
}

/// Appends an integer; allocates only to grow the buffer.
package func appendJSON(_ value: Int64, to buffer: inout [UInt8]) {
  if value >= 0, value < 10 {
    buffer.append(ASCII.zero &+ UInt8(truncatingIfNeeded: value))
    return
  }
  // 19 digits and a sign, filled from the end.
  var digits = InlineArray<20, UInt8>(repeating: 0)
  var index = 20
  var rest = value.magnitude
  repeat {
    let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
    index -= 1
    digits[index] = ASCII.zero &+ UInt8(truncatingIfNeeded: digit)
    rest = quotient
  } while rest != 0
  if value < 0 {
    index -= 1
    digits[index] = ASCII.minus
  }
  digits.span.extracting(index..<20).withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
}

/// Appends the shortest decimal that reads back as the same double, always with a fraction or an
/// exponent so that it stays a double; `null` for infinities and NaN, which JSON cannot say.
package func appendJSON(_ value: Double, to buffer: inout [UInt8]) {
  guard value.isFinite else {
    appendASCII("null", to: &buffer)
    return
  }
  var text = value.description
  text.withUTF8 { buffer.append(contentsOf: $0) }
}

/// Appends text that is known when this is compiled.
@inline(__always)
package func appendASCII(_ text: StaticString, to buffer: inout [UInt8]) {
  buffer.append(
    contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
}

private func appendJSONString(utf8 bytes: UnsafeRawBufferPointer, to buffer: inout [UInt8]) {
  let plainEnd = plainRunEnd(bytes, from: 0)
  // Most strings have nothing to escape: one copy, between its quotes.
  guard plainEnd < bytes.count else {
    append(bytes, between: (nil, ASCII.quote), and: (ASCII.quote, nil), to: &buffer)
    return
  }
  buffer.append(ASCII.quote)
  var start = 0
  while start < bytes.count {
    let end = plainRunEnd(bytes, from: start)
    if end > start {
      buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
    guard end < bytes.count else { break }
    appendEscape(bytes[end], to: &buffer)
    start = end + 1
  }
  buffer.append(ASCII.quote)
}

/// Appends a key that needs no escapes, its colon, and before them the comma that may be due.
@inline(__always)
func appendKey(_ key: StaticString, comma: Bool, to buffer: inout [UInt8]) {
  let bytes = UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
  assert(plainRunEnd(bytes, from: 0) == bytes.count, "the key '\(key)' needs escapes")
  append(
    bytes, between: (comma ? ASCII.comma : nil, ASCII.quote), and: (ASCII.quote, ASCII.colon),
    to: &buffer)
}

/// Appends bytes between their quotes with one check of the buffer's room.
@inline(__always)
private func append(
  _ bytes: UnsafeRawBufferPointer, between start: (UInt8?, UInt8), and end: (UInt8, UInt8?),
  to buffer: inout [UInt8]
) {
  buffer.append(addingCapacity: bytes.count + 4) { output in
    output.withUnsafeMutableBufferPointer { room, count in
      if let first = start.0 {
        room[count] = first
        count += 1
      }
      room[count] = start.1
      count += 1
      UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[count...])
        .copyMemory(from: bytes)
      count += bytes.count
      room[count] = end.0
      count += 1
      if let last = end.1 {
        room[count] = last
        count += 1
      }
    }
  }
}

/// The first byte from `start` on that must be escaped, or the end.
@inline(__always)
private func plainRunEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
  var index = start
  while index + 8 <= bytes.count {
    let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    let marks = EightBytes.needingEscape(word)
    if marks != 0 { return index + marks.trailingZeroBitCount >> 3 }
    index += 8
  }
  while index < bytes.count {
    let byte = bytes[index]
    if byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash { return index }
    index += 1
  }
  return index
}

private func appendEscape(_ byte: UInt8, to buffer: inout [UInt8]) {
  buffer.append(ASCII.backslash)
  switch byte {
  case ASCII.quote, ASCII.backslash: buffer.append(byte)
  case 0x08: buffer.append(ASCII.lowerB)
  case 0x09: buffer.append(ASCII.lowerT)
  case 0x0A: buffer.append(ASCII.lowerN)
  case 0x0C: buffer.append(ASCII.lowerF)
  case 0x0D: buffer.append(ASCII.lowerR)
  default:
    appendASCII("u00", to: &buffer)
    buffer.append(ASCII.zero + byte >> 4)
    let low = byte & 0x0F
    buffer.append(low < 10 ? ASCII.zero + low : 0x61 + low - 10)
  }
}
