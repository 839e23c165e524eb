import Digests
import JSON
import Plugins
import Testing

/// Still pictures that are cut out of files that move.
struct MovingPictureTests {
  /// A GIF of 1 × 1 pixel with these blocks behind its table of two colours.
  static func gif(_ blocks: [UInt8]...) -> [UInt8] {
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [255, 0, 0, 0, 0, 255] + blocks.flatMap { $0 }
  }
  static let loop: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
  static let delay: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
  static let red: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
  /// With a table of colours of its own.
  static let blue: [UInt8] =
    [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 2, 2, 0x4C, 1, 0]
  static let end: [UInt8] = [0x3B]

  private static func verdict(_ bytes: [UInt8]) throws -> MovingPicture {
    MovingPicture.read(bytes, try #require(PictureHeader.read(bytes)))
  }

  @Test func `a GIF is cut after its first image, which stands alone then`() throws {
    let still = Self.gif(Self.loop, Self.delay, Self.blue, Self.end)
    let moving = Self.gif(Self.loop, Self.delay, Self.blue, Self.delay, Self.red, Self.end)
    #expect(try Self.verdict(moving) == .moves(still: still))
    #expect(try Self.verdict(still) == .isStill)
    #expect(try Self.verdict(Self.gif(Self.red, Self.loop, Self.end)) == .isStill)
    // Bytes behind the trailer are shown by nobody.
    #expect(try Self.verdict(Self.gif(Self.red, Self.end, Self.blue)) == .isStill)
    // Without a trailer a second image is shown all the same.
    #expect(
      try Self.verdict(Self.gif(Self.red, Self.blue))
        == .moves(still: Self.gif(Self.red, Self.end)))
  }

  @Test(
    arguments: [
      [0x2C, 1, 0, 0, 0, 1, 0, 1, 0, 0], [0x2C, 0, 0, 0, 0, 1, 0, 2, 0, 0],
      [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0], [0x2C, 0xFF, 0xFF, 0, 0, 1, 0, 1, 0, 0],
    ] as [[UInt8]])
  func `a GIF with an image outside of its screen is refused`(descriptor: [UInt8]) throws {
    let outside = descriptor + [2, 2, 0x44, 1, 0]
    for bytes in [
      Self.gif(outside, Self.end), Self.gif(Self.loop, Self.delay, outside),
      Self.gif(Self.red, outside, Self.end), Self.gif(Self.red, Self.delay, outside, Self.red),
    ] {
      guard case .failure(let refusal) = PluginPicture.read(bytes) else {
        Issue.record("it is shown: \(bytes)")
        continue
      }
      #expect(refusal.message.contains("outside of it"), "\(refusal.message)")
    }
    // Behind the trailer nobody reads.
    #expect(throws: Never.self) {
      try PluginPicture.read(Self.gif(Self.red, Self.end, outside)).get()
    }
  }

  @Test func `a GIF that is cut anywhere is still, or has the same first image`() throws {
    let still = Self.gif(Self.loop, Self.delay, Self.blue, Self.end)
    let moving = Self.gif(Self.loop, Self.delay, Self.blue, Self.delay, Self.red, Self.end)
    for count in 10..<moving.count {
      let verdict = try Self.verdict(Array(moving.prefix(count)))
      #expect(verdict == .isStill || verdict == .moves(still: still), "\(count)")
    }
  }

  /// A PNG with these chunks behind its header; their sums are zero.
  private static func png(_ chunks: String...) -> [UInt8] {
    let header = PictureTests.png(3, 4) + [0, 0, 0, 0]
    return header + chunks.flatMap { [0, 0, 0, 2] + Array($0.utf8) + [7, 7, 0, 0, 0, 0] }
  }

  @Test func `a PNG loses the chunks of its animation alone`() throws {
    let moving = Self.png("acTL", "tEXt", "fcTL", "IDAT", "fcTL", "fdAT", "IEND")
    #expect(try Self.verdict(moving) == .moves(still: Self.png("tEXt", "IDAT", "IEND")))
    #expect(try Self.verdict(Self.png("tEXt", "IDAT", "IEND")) == .isStill)
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
      + [UInt8](repeating: 0, count: body.count % 2)
  }

  /// A WebP of 32 × 16 pixels whose first frame has this place and this size.
  private static func webp(x: UInt8 = 0, width: UInt8 = 31, _ frame: [UInt8]) -> [UInt8] {
    let size: [UInt8] = [width, 0, 0, 15, 0, 0]
    let frames = chunk("ANMF", [x, 0, 0, 0, 0, 0] + size + [100, 0, 0, 0] + frame)
    let body =
      Array("WEBP".utf8) + chunk("VP8X", [2, 0, 0, 0, 31, 0, 0, 15, 0, 0])
      + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + frames + frames
    return chunk("RIFF", body)
  }

  @Test func `the first frame of a WebP becomes a file, if it covers the picture`() throws {
    let lossless = Self.chunk("VP8L", [0x2F, 31, 0xC0, 3, 0])
    let still = Self.chunk("RIFF", Array("WEBP".utf8) + lossless)
    #expect(try Self.verdict(Self.webp(lossless)) == .moves(still: still))
    #expect(try Self.verdict(still) == .isStill)
    #expect(try Self.verdict(Self.webp(x: 1, lossless)) == .hasNoStill)
    #expect(try Self.verdict(Self.webp(width: 30, lossless)) == .hasNoStill)
    // Its own header says another size than the frame.
    #expect(
      try Self.verdict(Self.webp(Self.chunk("VP8L", [0x2F, 30, 0xC0, 3, 0]))) == .hasNoStill)
  }

  @Test func `the transparency of a WebP stays with its first frame`() throws {
    let frame =
      Self.chunk("ALPH", [1, 2]) + Self.chunk("VP8 ", [1, 2, 3, 0x9D, 1, 0x2A, 32, 0, 16, 0])
    guard case .moves(let still) = try Self.verdict(Self.webp(frame)) else {
      Issue.record("it has no still picture")
      return
    }
    #expect(
      PictureHeader.read(still) == PictureHeader(form: .webp, width: 32, height: 16))
    #expect(Array(still[12..<16]) == Array("VP8X".utf8))
    #expect(still[20] & 0x12 == 0x10, "transparent, and without an animation")
    #expect(Array(still.suffix(frame.count)) == frame)
  }

  @Test func `content names the still picture, and the file that moves beside it`() throws {
    let moving = Self.gif(Self.delay, Self.red, Self.delay, Self.blue, Self.end)
    let picture = try PluginPicture.read(moving).get()
    let still = Self.gif(Self.delay, Self.red, Self.end)
    #expect(picture.bytes == still)
    #expect(picture.motion?.bytes == moving)
    #expect(picture.hash == "sha256-" + SHA256.digest(of: still))
    #expect(picture.sourceHash == "sha256-" + SHA256.digest(of: moving))
    #expect(picture.byteCount == still.count + moving.count)
    #expect(picture.json(isTemplate: false)["motion"] == .string(picture.sourceHash))
    #expect(picture.file(picture.hash)?["data"] == .string(Base64.encode(still)))
    #expect(picture.file(picture.sourceHash)?["data"] == .string(Base64.encode(moving)))
    #expect(picture.file("sha256-0") == nil)
    #expect(PluginPicture(record: picture.record) == picture)
    // Two that begin alike are two.
    let other = try PluginPicture.read(Self.gif(Self.delay, Self.red, Self.red, Self.end)).get()
    #expect(other.hash == picture.hash && other.sourceHash != picture.sourceHash)
  }

  @Test func `a record of a daemon that cut nothing stays as it is`() throws {
    let moving = Self.gif(Self.red, Self.blue, Self.end)
    let hash = "sha256-" + SHA256.digest(of: moving)
    let read = PluginPicture(
      record: [
        "hash": .string(hash), "type": "gif", "width": 1, "height": 1,
        "data": .string(Base64.encode(moving)),
      ])
    let picture = try #require(read)
    #expect(picture.hash == hash && picture.bytes == moving && picture.motion == nil)
  }
}
