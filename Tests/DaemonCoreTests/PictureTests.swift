import Foundation
import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// Pictures of answers and pushes on the wire: once by hash, still unless a surface wants motion.
@Suite struct PictureTests {
  /// Two frames of one pixel, and the first of them alone.
  private static let moving = gif(2)
  private static let still = gif(1)

  private static func gif(_ frames: Int) -> String {
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    return Base64.encode(
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
        + (0..<frames).flatMap { _ in frame } + [0x3B])
  }

  private static func timeline(_ image: JSONValue, title: String = "T") -> JSONValue {
    [
      "entries": [
        [
          "date": "2026-11-20T08:00:00Z",
          "content": [
            "title": .string(title), "image": image,
            "items": [["text": "row", "image": image]],
          ],
        ]
      ], "policy": "never",
    ]
  }

  private static func image(_ widget: JSONValue?) -> JSONValue? {
    widget?["entry"]?["content"]?["image"]
  }

  private static func harness(_ answer: JSONValue) -> Harness {
    Harness { run in
      run.kind == "org.example.clock" ? .answered(Array(answer.serialized.utf8)) : nil
    }
  }

  @Test func `an answer's picture is had by its hash, also after a restart, and goes with it`()
    throws
  {
    var harness = Self.harness(Self.timeline(["data": .string(Self.still), "alt": "red"]))
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: client)
    let listed = try harness.call("widget.list", from: client)
    let image = try #require(Self.image(listed["widgets"]?.arrayValue?.first))
    #expect(image["type"] == "gif" && image["width"] == 1 && image["alt"] == "red")
    #expect(image["data"] == nil, "no content has the bytes")
    let hash = try #require(image["hash"])
    #expect(
      try harness.call("image.get", ["hash": hash], from: client)["data"] == .string(Self.still))

    var next = Harness(stored: harness.stored)
    let again = next.connect()
    #expect(try next.call("image.get", ["hash": hash], from: again)["data"] == .string(Self.still))
    #expect(next.daemon.checkInvariants(isThorough: true) == [])
    try next.call(
      "widget.push", ["id": "clock", "timeline": Self.timeline(.null)], from: again)
    #expect(try next.refusal("image.get", ["hash": hash], from: again) == "-32029 unknownImage")
    #expect(next.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a surface gets the still picture, unless it wants motion`() throws {
    var harness = Self.harness(Self.timeline(["data": .string(Self.moving)]))
    let bar = harness.connect()
    let page = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: bar)
    let shown = Self.image(
      try harness.call("surface.attach", from: bar)["widgets"]?.arrayValue?.first)
    let moving = Self.image(
      try harness.call(
        "surface.attach", ["wants": ["images", "items", "motion"]], from: page)["widgets"]?
        .arrayValue?.first)
    let hash = try #require(shown?["hash"])
    #expect(shown?["motion"] == nil)
    #expect(moving?["hash"] == hash, "both have the still picture")
    let motion = try #require(moving?["motion"])
    #expect(try harness.call("image.get", ["hash": hash], from: bar)["data"] == .string(Self.still))
    #expect(
      try harness.call("image.get", ["hash": motion], from: page)["data"] == .string(Self.moving))

    // An update is cut the same way, in items too.
    _ = harness.received(by: bar)
    _ = harness.received(by: page)
    try harness.call(
      "widget.push",
      [
        "id": "clock",
        "timeline": Self.timeline(["hash": motion, "alt": "again"], title: "other"),
      ], from: bar)
    let told = harness.received(by: bar).joined()
    let toldPage = harness.received(by: page).joined()
    #expect(told.contains("\"again\"") && !told.contains("\"motion\""), "\(told)")
    #expect(toldPage.components(separatedBy: "\"motion\":\(motion.serialized)").count == 3)
  }

  @Test func `a push names a picture that its kind shows, and hears of one that it cannot`() throws
  {
    var harness = Self.harness(Self.timeline(["data": .string(Self.still)]))
    let client = harness.connect()
    for (kind, id) in [("org.example.clock", "clock"), ("org.example.agenda", "agenda")] {
      try harness.call("widget.add", ["kind": .string(kind), "id": .string(id)], from: client)
    }
    let hash = try #require(
      Self.image(
        try harness.call("widget.list", from: client)["widgets"]?
          .arrayValue?.first { $0["id"] == "clock" })?["hash"])
    func push(_ image: JSONValue, to id: String) throws -> [String] {
      let answer = try harness.call(
        "widget.push", ["id": .string(id), "timeline": Self.timeline(image)], from: client)
      return (answer["warnings"]?.arrayValue ?? []).compactMap(\.stringValue)
    }
    #expect(try push(["hash": hash, "alt": "a"], to: "clock") == [])
    let other = try push(["hash": hash, "alt": "a"], to: "agenda")
    #expect(other.count == 2)
    #expect(other.allSatisfy { $0.contains("no widget of this kind shows the picture") })
    let file = try push(["file": "/etc/passwd", "alt": "a"], to: "agenda")
    #expect(file.allSatisfy { $0.contains("the file is not read here") })
  }

  @Test func `a picture of the entry that stays until the next one begins stays with it`() throws {
    var harness = Self.harness(Self.timeline(["data": .string(Self.still)]))
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: client)
    let hash = try #require(
      Self.image(try harness.call("widget.list", from: client)["widgets"]?.arrayValue?.first)?[
        "hash"])
    var later = try #require(Self.timeline(.null).objectValue)
    later["entries"] = [["date": "2026-11-20T09:00:00Z", "content": ["title": "later"]]]
    try harness.call(
      "widget.push", ["id": "clock", "timeline": .object(later)], from: client)
    #expect(
      Self.image(try harness.call("widget.list", from: client)["widgets"]?.arrayValue?.first)?[
        "hash"] == hash)
    #expect(try harness.call("image.get", ["hash": hash], from: client)["width"] == 1)
  }
}
