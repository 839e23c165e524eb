import JSON
import PanelPictures
import Testing
import WebPages

/// Tests the pictures of panels, drawn by Pango and Cairo.
@Suite struct PanelPictureTests {
  func request(_ width: Int, _ height: Int, depth: Int) -> PanelRequest {
    var request = PanelRequest(name: "stack", format: .png)
    request.width = width
    request.height = height
    request.depth = depth
    return request
  }

  func sheet(_ lines: [String], title: String = "", percentage: Int? = nil, note: String? = nil)
    -> PanelPage?
  {
    PanelPage(
      PanelRequest(name: "w", format: .png),
      widgets: [
        [
          "id": "w", "name": "W", "stale": .bool(note != nil),
          "entry": [
            "content": [
              "title": .string(title), "text": .array(lines.map { .string($0) }),
              "percentage": percentage.map { .int(Int64($0)) } ?? .null,
            ]
          ],
        ]
      ], isLost: false, clock: { _ in "" })
  }

  @Test func `at one bit there is black and white, and nothing in between`() throws {
    let page = try #require(sheet(["3° clear", "北京 مرحبا こんにちは"], title: "Beijing"))
    let picture = try #require(PanelPicture.draw(page, request(800, 480, depth: 1)))
    #expect(Set(picture.pixels) == [0, 255])
  }

  @Test func `the ground is white, also behind smooth text`() throws {
    let page = try #require(sheet(["3° clear"], note: "x"))
    let picture = try #require(PanelPicture.draw(page, request(600, 448, depth: 8)))
    let white = picture.pixels.count { $0 == 255 }
    #expect(white * 10 > picture.pixels.count * 8)
    #expect(Set(picture.pixels).count > 2, "edges are smooth")
  }

  @Test(arguments: [(64, 64), (64, 2_560), (2_560, 64), (800, 480), (1_872, 1_404)])
  func `every size is drawn, whatever the text`(width: Int, height: Int) throws {
    let long = String(repeating: "word ", count: 60)
    let page = try #require(
      sheet([long, String(repeating: "x", count: 300), ""], title: long, percentage: 100))
    for depth in [1, 2, 4, 8] {
      let bytes = try #require(PanelPicture.file(page, request(width, height, depth: depth)))
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
  }

  @Test func `the same content is the same picture, another one is not`() throws {
    let request = request(800, 480, depth: 1)
    let one = try #require(sheet(["3°"]))
    let two = try #require(sheet(["4°"]))
    #expect(PanelPicture.file(one, request) == PanelPicture.file(one, request))
    #expect(PanelPicture.file(one, request) != PanelPicture.file(two, request))
  }

  @Test func `all lines of a text are drawn`() throws {
    let request = request(800, 480, depth: 1)
    let one = try #require(sheet(["same"]))
    let two = try #require(sheet(["same", "second"]))
    #expect(PanelPicture.draw(one, request) != PanelPicture.draw(two, request))
  }

  /// A PNG of 8 × 8 pixels of one grey.
  private func png(_ grey: UInt8) throws -> [UInt8] {
    let square = GrayPicture(
      width: 8, height: 8, pixels: [UInt8](repeating: grey, count: 64))
    return square.png(depth: 8) { deflated($0) }
  }

  /// Stores bytes in a stream of zlib without packing them. Source: RFC 1950, RFC 1951 (3.2.4).
  private func deflated(_ bytes: [UInt8]) -> [UInt8] {
    let length = [UInt8(bytes.count & 255), UInt8(bytes.count >> 8)]
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return [0x78, 1, 1] + length + length.map { ~$0 } + bytes
      + [high >> 8, high & 255, low >> 8, low & 255].map { UInt8($0) }
  }

  private func pictured(width: Int = 8, type: String = "png") -> PanelPage? {
    PanelPage(
      PanelRequest(name: "w", format: .png),
      widgets: [
        [
          "id": "w", "name": "W",
          "entry": [
            "content": [
              "title": "T",
              "image": [
                "hash": "sha256-a", "type": .string(type), "width": .int(Int64(width)), "height": 8,
              ],
            ]
          ],
        ]
      ], isLost: false, clock: { _ in "" })
  }

  @Test func `a picture is drawn in its grey, and at one bit as dots of black and white`() throws {
    let page = try #require(pictured())
    #expect(page.pictureHashes == ["sha256-a"])
    let pictures = ["sha256-a": try png(0x80)]
    let smooth = try #require(
      PanelPicture.draw(page, request(800, 480, depth: 8), pictures: pictures))
    // Four times its size.
    #expect(smooth.pixels.count { $0 == 0x80 } >= 30 * 30)
    let sharp = try #require(
      PanelPicture.draw(page, request(800, 480, depth: 1), pictures: pictures))
    #expect(Set(sharp.pixels) == [0, 255])
    let without = try #require(PanelPicture.draw(page, request(800, 480, depth: 1)))
    let more = sharp.pixels.count { $0 == 0 } - without.pixels.count { $0 == 0 }
    #expect((300...700).contains(more), "about half of 32 × 32 are black: \(more)")
  }

  @Test func `a picture that cannot be drawn leaves no hole`() throws {
    let without = PanelPicture.draw(
      try #require(sheet([], title: "T")), request(800, 480, depth: 1))
    let whole = try png(0)
    for bytes in [[], Array(whole.prefix(40)), Array(whole.dropLast(20)), Array("GIF89a".utf8)] {
      let page = try #require(pictured())
      #expect(
        PanelPicture.draw(page, request(800, 480, depth: 1), pictures: ["sha256-a": bytes])
          == without)
    }
    // The header has to say the size that the content says.
    let wide = try #require(pictured(width: 9))
    #expect(
      PanelPicture.draw(wide, request(800, 480, depth: 1), pictures: ["sha256-a": whole])
        == without)
    #expect(try #require(pictured(type: "jpeg")).pictureHashes == [])
    var page = try #require(pictured())
    page.keepPictures([])
    #expect(page.pictureHashes == [])
  }
}
