/// A picture of greys, and the files that panels read.
///
/// A grey becomes the nearest one that the depth has, so text stays sharp; only the places of
/// pictures are dithered before (`dither`).
package struct GrayPicture: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// 0 is black, 255 white; row by row from the top.
  package private(set) var pixels: [UInt8]

  package init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width > 0 && height > 0, "a picture has a pixel")
    precondition(pixels.count == width * height, "a pixel for each place")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Makes the greys of a part those that `depth` bits have, so that they look like the others from
  /// afar.
  ///
  /// Each pixel hands its error on to those beside and below it. Source: Floyd and Steinberg, "An
  /// Adaptive Algorithm for Spatial Grey Scale", 1976.
  package mutating func dither(
    columns: Range<Int>, rows: Range<Int>, depth: Int
  ) {
    let columns = columns.clamped(to: 0..<width)
    let rows = rows.clamped(to: 0..<height)
    guard depth < 8, !columns.isEmpty, !rows.isEmpty else { return }
    let levels = 1 << depth - 1
    // Errors in 16ths, of this row and the next, with one place more on each side.
    var here = [Int](repeating: 0, count: columns.count + 2)
    for row in rows {
      var below = [Int](repeating: 0, count: columns.count + 2)
      for column in columns {
        let place = column - columns.lowerBound + 1
        let wanted = Int(pixels[row * width + column]) + here[place] / 16
        let level = min(max((wanted * levels + 127) / 255, 0), levels)
        let grey = level * 255 / levels
        pixels[row * width + column] = UInt8(grey)
        let error = wanted - grey
        here[place + 1] += error * 7
        below[place - 1] += error * 3
        below[place] += error * 5
        below[place + 1] += error
      }
      here = below
    }
  }

  /// Appends a row with `depth` bits a pixel, the first one in the highest bits.
  private func appendRow(_ row: Int, depth: Int, to bytes: inout [UInt8]) {
    let start = row * width
    guard depth < 8 else { return bytes += pixels[start..<start + width] }
    let levels = 1 << depth - 1
    var byte = 0
    var bits = 0
    for column in 0..<width {
      byte = byte << depth | (Int(pixels[start + column]) * levels + 127) / 255
      bits += depth
      if bits == 8 {
        bytes.append(UInt8(byte))
        byte = 0
        bits = 0
      }
    }
    if bits > 0 { bytes.append(UInt8(byte << (8 - bits))) }
  }

  /// Returns the picture as a BMP of version 3 with a palette of greys.
  ///
  /// `depth` is 1, 4 or 8. One of 800 × 480 at 1 bit has 48,062 bytes, which TRMNL's firmware wants
  /// exactly. Source: Windows bitmaps, BITMAPFILEHEADER and BITMAPINFOHEADER.
  package func bmp(depth: Int) -> [UInt8] {
    precondition([1, 4, 8].contains(depth), "a BMP has no such depth")
    let colorCount = 1 << depth
    let rowBytes = (width * depth + 31) / 32 * 4
    let start = 14 + 40 + colorCount * 4
    var bytes: [UInt8] = Array("BM".utf8)
    bytes.reserveCapacity(start + rowBytes * height)
    func append(_ number: Int, _ count: Int) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
    append(start + rowBytes * height, 4)
    append(0, 4)
    append(start, 4)
    append(40, 4)
    append(width, 4)
    append(height, 4)
    append(1, 2)
    append(depth, 2)
    append(0, 4)
    append(rowBytes * height, 4)
    append(0, 4)
    append(0, 4)
    append(colorCount, 4)
    append(colorCount, 4)
    for color in 0..<colorCount {
      let grey = UInt8(color * 255 / (colorCount - 1))
      bytes += [grey, grey, grey, 0]
    }
    for row in (0..<height).reversed() {
      let rowStart = bytes.count
      appendRow(row, depth: depth, to: &bytes)
      while bytes.count - rowStart < rowBytes { bytes.append(0) }
    }
    return bytes
  }

  /// Returns the picture as a PNG of greys with `depth` bits a pixel: 1, 2, 4 or 8.
  ///
  /// `deflate` compresses as zlib does (RFC 1950). Source: PNG, third edition.
  package func png(depth: Int, deflate: ([UInt8]) -> [UInt8]) -> [UInt8] {
    precondition([1, 2, 4, 8].contains(depth), "a PNG of greys has no such depth")
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (1 + (width * depth + 7) / 8))
    for row in 0..<height {
      rows.append(0)
      appendRow(row, depth: depth, to: &rows)
    }
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header = bigEndian(width) + bigEndian(height) + [UInt8(depth), 0, 0, 0, 0]
    bytes += Self.chunk("IHDR", header)
    bytes += Self.chunk("IDAT", deflate(rows))
    bytes += Self.chunk("IEND", [])
    return bytes
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(data.count) + body + bigEndian(Int(checksum(body)))
  }

  /// Returns the checksum of a chunk.
  ///
  /// Source: PNG, "CRC algorithm".
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      value = checksums[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ (value >> 8)
    }
    return value ^ 0xFFFF_FFFF
  }

  private static let checksums: [UInt32] = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    return value
  }
}

private func bigEndian(_ number: Int) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
}
