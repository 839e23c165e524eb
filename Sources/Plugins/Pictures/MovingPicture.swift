/// Finds out whether a file is a moving picture, and cuts a still one out of it.
///
/// Both are operations on bytes: nothing is decompressed. Sources: GIF89a (sections 20 and 23), the
/// PNG Specification, Third Edition (sections 5.3 and 11.3.2), RFC 9649 (section 2.7).
///
/// - GIF: everything as far as the end of the first image, and the trailer.
/// - PNG: all chunks but those of the animation. What stays is the picture that the file has for
///   readers without animations.
/// - WebP: the first frame as a file of its own, if it covers the canvas, as encoders write it.
package enum MovingPicture: Hashable, Sendable {
  /// The file shows one picture, or is damaged before it shows a second one.
  case isStill
  /// The file moves; these are the bytes of its still picture, which has the same size.
  case moves(still: [UInt8])
  /// The file moves, and its first frame is only a part of the picture.
  case hasNoStill
  /// An image of the file lies outside of the picture, of which readers make a larger picture, or
  /// another one.
  case reachesOutside

  /// Looks at a file whose header is known; O(bytes).
  package static func read(_ bytes: [UInt8], _ header: PictureHeader) -> MovingPicture {
    switch header.form {
    case .gif: GIFBlocks(bytes: bytes).verdict(header)
    case .png: pngVerdict(bytes)
    case .webp: webpVerdict(bytes, header)
    case .jpeg, .svg: .isStill
    }
  }

  // MARK: PNG

  private static let animationChunks = ["acTL", "fcTL", "fdAT"].map { Array($0.utf8) }

  private static func pngVerdict(_ bytes: [UInt8]) -> MovingPicture {
    var still = Array(bytes.prefix(8))
    var offset = 8
    var isMoving = false
    while let length = big(bytes, offset, 4), length <= bytes.count,
      offset + 12 + length <= bytes.count
    {
      let chunk = bytes[offset..<offset + 12 + length]
      let type = bytes[offset + 4..<offset + 8]
      if animationChunks.contains(where: { $0.elementsEqual(type) }) {
        isMoving = true
      } else {
        still += chunk
      }
      offset += chunk.count
      if type.elementsEqual("IEND".utf8) { break }
    }
    return isMoving ? .moves(still: still) : .isStill
  }

  // MARK: WebP

  private static func webpVerdict(_ bytes: [UInt8], _ header: PictureHeader) -> MovingPicture {
    guard bytes.count >= 21, bytes[12..<16].elementsEqual("VP8X".utf8), bytes[20] & 2 != 0 else {
      return .isStill
    }
    var offset = 12
    while let length = little(bytes, offset + 4, 4), offset + 8 + length <= bytes.count {
      let body = offset + 8
      if bytes[offset..<offset + 4].elementsEqual("ANMF".utf8) {
        return frame(bytes[body..<body + length], header)
      }
      offset = body + length + length & 1
    }
    // Without a frame there is nothing to show.
    return .hasNoStill
  }

  /// Makes a file of the frame in a chunk `ANMF`.
  private static func frame(_ chunk: ArraySlice<UInt8>, _ header: PictureHeader) -> MovingPicture {
    let bytes = Array(chunk)
    guard little(bytes, 0, 3) == 0, little(bytes, 3, 3) == 0,
      little(bytes, 6, 3) == header.width - 1, little(bytes, 9, 3) == header.height - 1
    else { return .hasNoStill }
    let data = bytes.dropFirst(16)
    let hasAlpha = data.starts(with: "ALPH".utf8)
    guard hasAlpha || data.starts(with: "VP8 ".utf8) || data.starts(with: "VP8L".utf8) else {
      return .hasNoStill
    }
    // With a chunk for its transparency a picture needs the extended header.
    var body = Array("WEBP".utf8)
    if hasAlpha {
      body += Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0] + bytes[6..<12]
    }
    body += data
    if body.count % 2 == 1 { body.append(0) }
    let size = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }
    let still = Array("RIFF".utf8) + size + body
    // The frame may say another size in its own header than the canvas has.
    guard let read = PictureHeader.read(still), read == header else { return .hasNoStill }
    return .moves(still: still)
  }

  // MARK: Numbers

  private static func big(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func little(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Walks through the blocks of a GIF.
private struct GIFBlocks {
  let bytes: [UInt8]

  /// The introducers of blocks.
  private static let image: UInt8 = 0x2C
  private static let `extension`: UInt8 = 0x21
  private static let trailer: UInt8 = 0x3B

  func verdict(_ header: PictureHeader) -> MovingPicture {
    if hasImage(outsideOf: header) { return .reachesOutside }
    guard let first = firstImageEnd else { return .isStill }
    var offset = first
    while offset < bytes.count {
      switch bytes[offset] {
      case Self.trailer: return .isStill
      case Self.extension:
        guard let end = subBlocksEnd(from: offset + 2) else { return .isStill }
        offset = end
      // A second image, or bytes of which no two readers think the same.
      default: return .moves(still: bytes[..<first] + [Self.trailer])
      }
    }
    return .isStill
  }

  /// Whether an image lies outside of the screen in part, as far as readers read.
  private func hasImage(outsideOf screen: PictureHeader) -> Bool {
    var offset = 13 + (bytes.count > 13 ? colorTableBytes(bytes[10]) : 0)
    while offset + 10 <= bytes.count {
      switch bytes[offset] {
      case Self.trailer: return false
      case Self.extension:
        guard let end = subBlocksEnd(from: offset + 2) else { return false }
        offset = end
      case Self.image:
        guard number(offset + 1) + number(offset + 5) <= screen.width,
          number(offset + 3) + number(offset + 7) <= screen.height
        else { return true }
        let data = offset + 10 + colorTableBytes(bytes[offset + 9]) + 1
        guard let end = subBlocksEnd(from: data) else { return false }
        offset = end
      // Some readers look for the next block behind bytes that are none.
      default: offset += 1
      }
    }
    return false
  }

  /// A number of two bytes, the lower one first, within the file.
  private func number(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }

  /// The place behind the first image; `nil`: the file has none, or it ends within it.
  private var firstImageEnd: Int? {
    guard bytes.count > 13 else { return nil }
    var offset = 13 + colorTableBytes(bytes[10])
    while offset < bytes.count {
      switch bytes[offset] {
      case Self.extension:
        guard let end = subBlocksEnd(from: offset + 2) else { return nil }
        offset = end
      case Self.image:
        guard offset + 10 < bytes.count else { return nil }
        // Its descriptor, its colours, the size of its codes, its data.
        return subBlocksEnd(from: offset + 10 + colorTableBytes(bytes[offset + 9]) + 1)
      default: return nil
      }
    }
    return nil
  }

  /// The bytes of the table of colours that a byte of flags announces.
  private func colorTableBytes(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  /// The place behind the empty block that ends a row of blocks; `nil`: the file ends before.
  private func subBlocksEnd(from start: Int) -> Int? {
    var offset = start
    while offset < bytes.count {
      let length = Int(bytes[offset])
      offset += 1 + length
      if length == 0 { return offset }
    }
    return nil
  }
}
