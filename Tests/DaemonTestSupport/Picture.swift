import Glibc
package import Testing

/// A picture of a screen: three bytes a pixel, row by row.
package struct Picture: Equatable {
  package let width: Int
  package let height: Int
  package let bytes: [UInt8]

  package init(width: Int, height: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// Returns the places of the pixels of this colour, `0xRRGGBB`.
  package func places(of color: UInt32) -> [(x: Int, y: Int)] {
    let (red, green, blue) = (UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255))
    var found: [(x: Int, y: Int)] = []
    for index in 0..<(width * height)
    where bytes[index * 3] == red && bytes[index * 3 + 1] == green && bytes[index * 3 + 2] == blue {
      found.append((index % width, index / width))
    }
    return found
  }

  /// Returns the part of the picture with these rows.
  package func rows(_ range: Range<Int>) -> Picture {
    Picture(
      width: width, height: range.count,
      bytes: Array(bytes[(range.lowerBound * width * 3)..<(range.upperBound * width * 3)]))
  }

  /// The number of pixels that another picture of the same size has in another colour.
  package func differenceCount(from other: Picture) -> Int {
    guard width == other.width, height == other.height else { return max(width * height, 1) }
    return (0..<(width * height)).count { index in
      bytes[(index * 3)..<(index * 3 + 3)] != other.bytes[(index * 3)..<(index * 3 + 3)]
    }
  }

  /// Returns the picture that `take` takes once nothing in it has moved for a second.
  package static func unmoving(
    _ sourceLocation: SourceLocation = #_sourceLocation, _ take: () throws -> Picture
  ) throws -> Picture {
    var last = try take()
    var count = 0
    try eventually("the picture stays", sourceLocation) {
      usleep(100_000)
      let next = try take()
      count = next == last ? count + 1 : 0
      last = next
      return count > 10
    }
    return last
  }
}
