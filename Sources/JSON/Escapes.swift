/// The meaning of the escapes in a string.

/// The value of a hexadecimal digit.
@inline(__always)
func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x41 + 10
  case 0x61...0x66: byte - 0x61 + 10
  default: nil
  }
}

/// Writes the text of a checked string with its escapes replaced, and returns its length in bytes.
func unescape(
  _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<UInt8>
) -> Int {
  var count = 0
  func put(_ byte: UInt8) {
    output[count] = byte
    count += 1
  }
  func unit(at index: Int) -> UInt32 {
    (index..<index + 4).reduce(0) { $0 << 4 | UInt32(hexDigit(raw[$1]) ?? 0) }
  }

  var index = 0
  while index < raw.count {
    let byte = raw[index]
    guard byte == ASCII.backslash else {
      put(byte)
      index += 1
      continue
    }
    index += 2
    switch raw[index - 1] {
    case ASCII.lowerB: put(0x08)
    case ASCII.lowerF: put(0x0C)
    case ASCII.lowerN: put(0x0A)
    case ASCII.lowerR: put(0x0D)
    case ASCII.lowerT: put(0x09)
    case ASCII.lowerU:
      var scalar = unit(at: index)
      index += 4
      if scalar >= 0xD800, scalar < 0xE000 {
        scalar = 0x1_0000 + (scalar - 0xD800) << 10 + (unit(at: index + 2) - 0xDC00)
        index += 6
      }
      switch scalar {
      case 0..<0x80: put(UInt8(scalar))
      case 0x80..<0x800:
        put(UInt8(0xC0 | scalar >> 6))
        put(UInt8(0x80 | scalar & 0x3F))
      case 0x800..<0x1_0000:
        put(UInt8(0xE0 | scalar >> 12))
        put(UInt8(0x80 | scalar >> 6 & 0x3F))
        put(UInt8(0x80 | scalar & 0x3F))
      default:
        put(UInt8(0xF0 | scalar >> 18))
        put(UInt8(0x80 | scalar >> 12 & 0x3F))
        put(UInt8(0x80 | scalar >> 6 & 0x3F))
        put(UInt8(0x80 | scalar & 0x3F))
      }
    default: put(raw[index - 1])
    }
  }
  return count
}
