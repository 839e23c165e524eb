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
}
