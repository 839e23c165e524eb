import Foundation
import Glibc
package import Testing

/// A picture of a screen: three bytes a pixel, row by row.
package struct Picture: Equatable {
  package let width: Int
  package let height: Int
  package let bytes: [UInt8]

  /// The folder for pictures of the documentation; `nil`: nobody wants any.
  package static let folder = ProcessInfo.processInfo.environment["INTENTD_PICTURES"]

  /// Writes a picture for the documentation.
  package static func save(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder ?? ".")/\(name)"))
  }

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
  package func rows(_ range: Range<Int>) -> Picture { part(columns: 0..<width, rows: range) }

  /// Returns a part of the picture.
  package func part(columns: Range<Int>, rows: Range<Int>) -> Picture {
    let bytes = rows.flatMap { row in
      let start = row * width
      return self.bytes[((start + columns.lowerBound) * 3)..<((start + columns.upperBound) * 3)]
    }
    return Picture(width: columns.count, height: rows.count, bytes: bytes)
  }

  /// Returns this picture above another one of the same width, with white rows between them.
  package func above(_ other: Picture, gap: Int) -> Picture {
    let white = [UInt8](repeating: 255, count: gap * width * 3)
    return Picture(
      width: width, height: height + gap + other.height, bytes: bytes + white + other.bytes)
  }

  /// The picture as a file: `P6`, the size, 255, and the pixels.
  package var ppm: [UInt8] { Array("P6 \(width) \(height) 255\n".utf8) + bytes }

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
