import Digests
import JSON
import Plugins
import Testing

/// Pictures of scripts: type and size by the header, kept by hash.
struct PictureTests {
  /// The first bytes of a PNG of this size, as far as its header goes.
  static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [width, height].flatMap { number in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
      } + [8, 6, 0, 0, 0]
  }

  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 6, 1, 2, 3, 4, 0xFF, 0xFF, 0xC4, 0, 2]
    + [0xFF, 0xC2, 0, 17, 8, 0, 20, 0, 30, 3]
  private static let gif = Array("GIF89a".utf8) + [40, 1, 50, 0]

  private static func webp(_ chunk: String, _ rest: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + [9, 9, 9, 9] + Array("WEBP".utf8) + Array(chunk.utf8) + [9, 9, 9, 9] + rest
  }

  static let files: [(bytes: [UInt8], form: PictureHeader.Form, width: Int, height: Int)] = [
    (png(16, 300), .png, 16, 300), (jpeg, .jpeg, 30, 20), (gif, .gif, 296, 50),
    (webp("VP8 ", [1, 2, 3, 0x9D, 1, 0x2A, 32, 0x40, 16, 0]), .webp, 32, 16),
    (webp("VP8L", [0x2F, 31, 0xC0, 3, 0]), .webp, 32, 16),
    (webp("VP8X", [0, 0, 0, 0, 31, 0, 0, 15, 0, 0]), .webp, 32, 16),
  ]

  @Test(arguments: files.indices) func `the header says type and size, whole and cut`(_ index: Int)
  {
    let file = Self.files[index]
    #expect(
      PictureHeader.read(file.bytes + [1, 2, 3])
        == PictureHeader.read(file.bytes))
    #expect(PictureHeader.read(file.bytes)?.form == file.form)
    #expect(PictureHeader.read(file.bytes)?.width == file.width)
    #expect(PictureHeader.read(file.bytes)?.height == file.height)
    for count in 0..<10 { #expect(PictureHeader.read(Array(file.bytes.prefix(count))) == nil) }
    // A header that is cut anywhere is none, or has a size all the same.
    for count in 10..<file.bytes.count {
      _ = PictureHeader.read(Array(file.bytes.prefix(count)))
    }
  }

  @Test(
    arguments: [
      (png(0, 5), "a picture is of a type that is not known"),
      (png(2_049, 5), "a picture has 2049 × 5 pixels"),
      (Array("%PDF-1.7".utf8), "a picture is PDF"),
      (Array("II*\0".utf8), "a picture is TIFF"),
      ([0xFF, 0xD8, 0xFF, 0xD9], "a picture is of a type"),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0], "a picture is of a type"), ([], "a picture is of a type"),
    ] as [([UInt8], String)]) func `others are refused with a warning`(
      bytes: [UInt8], reason: String
    )
  {
    guard case .failure(let refusal) = PluginPicture.read(bytes) else {
      Issue.record("it was taken")
      return
    }
    #expect(refusal.message.hasPrefix(reason))
    guard !bytes.isEmpty else { return }
    let reading = PluginReader.read(Array("T|image=\(Base64.encode(bytes))\n".utf8), .xbar)
    #expect(reading.frame.content == ["title": "T"])
    #expect(reading.frame.pictures == [])
    #expect(reading.warnings.map(\.message) == [refusal.message])
  }

  @Test func `content names a picture by its hash, and equal ones are one`() throws {
    let bytes = Self.png(16, 8)
    let text = Base64.encode(bytes)
    let reading = PluginReader.read(
      Array("T|templateImage=\(text)\n---\nA|image=\(text)\n--B|image=\(text)\n".utf8), .xbar)
    let pictures = reading.frame.pictures
    #expect(pictures.map(\.bytes) == [bytes])
    let hash = try #require(pictures.first?.hash)
    #expect(hash == "sha256-" + SHA256.digest(of: bytes))
    let image: JSONValue = [
      "hash": .string(hash), "type": "png", "width": 16, "height": 8, "template": true,
    ]
    #expect(reading.frame.content["image"] == image)
    let items = reading.frame.content["items"]?.arrayValue
    #expect(items?.first?["image"]?["hash"] == .string(hash))
    #expect(items?.first?["image"]?["template"] == nil)
    #expect(items?.first?["items"]?.arrayValue?.first?["image"]?["hash"] == .string(hash))
    #expect(reading.warnings == [])
  }

  @Test func `the pictures of a frame have a limit together`() {
    let lines = (0..<6).map { number in
      let bytes = Self.png(16, UInt32(number + 1)) + [UInt8](repeating: 0, count: 250_000)
      return "--\(number)|image=\(Base64.encode(bytes))\n"
    }
    let reading = PluginReader.read(Array(("T\n---\nM\n" + lines.joined()).utf8), .xbar)
    #expect(reading.frame.pictures.count == 4)
    #expect(reading.warnings.count == 1)
    #expect(reading.warnings.first?.message.contains("1048576 bytes") == true)
  }

  @Test func `a record keeps the bytes, and a damaged one is none`() throws {
    let picture = try PluginPicture.read(Self.png(3, 4)).get()
    #expect(PluginPicture(record: picture.record) == picture)
    for data: JSONValue in ["", "QUJD", "!", nil, 5] {
      var record = try #require(picture.record.objectValue)
      record["data"] = data
      #expect(PluginPicture(record: .object(record)) == nil)
    }
  }

  @Test func `Base64 is written as it is read`() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
      let text = Base64.encode(bytes)
      #expect(text.utf8.count == (count + 2) / 3 * 4)
      #expect(Base64.decode(text[...].utf8) == bytes)
    }
    #expect(Base64.encode(Array("foob".utf8)) == "Zm9vYg==")
  }
}
