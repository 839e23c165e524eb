import JSON
import Plugins
import Testing
import Timekeeping
import WidgetCenter

/// Pictures of answers: taken out of the content, read, limited, and named by their hashes.
struct AnswerPicturesTests {
  /// The first bytes of a PNG of this size.
  static func png(_ width: Int, _ height: Int, _ rest: Int = 0) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [width, height].flatMap { number in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
      } + [8, 6, 0, 0, 0] + [UInt8](repeating: 0, count: rest)
  }

  private static func data(_ bytes: [UInt8]) -> JSONValue {
    ["data": .string(Base64.encode(bytes))]
  }

  private static func answer(_ contents: JSONValue...) -> JSONValue {
    [
      "entries": .array(
        contents.map { ["date": "2026-11-20T20:00:00Z", "content": $0] }), "policy": "never",
    ]
  }

  private static func content(_ taken: AnswerPictures.Taken, _ index: Int = 0) -> JSONValue {
    taken.answer["entries"]?.arrayValue?[index]["content"] ?? .null
  }

  @Test func `content names a picture by its hash, wherever it stands, and it is kept once`() throws
  {
    let bytes = Self.png(3, 4)
    let picture = try PluginPicture.read(bytes).get()
    var image = try #require(Self.data(bytes).objectValue)
    image["alt"] = "sunny"
    let item: JSONValue = [
      "text": "row", "image": .object(image),
      "items": [["text": "inner", "image": .object(image)]],
      "alternate": ["text": "other", "image": .object(image)],
    ]
    let taken = AnswerPictures.take(
      from: Self.answer(["image": .object(image), "items": [item]], ["title": "none"]))
    #expect(taken.pictures == [picture])
    #expect(taken.warnings == [])
    let named: JSONValue = [
      "hash": .string(picture.hash), "type": "png", "width": 3, "height": 4, "alt": "sunny",
    ]
    let row = Self.content(taken)["items"]?.arrayValue?.first
    #expect(Self.content(taken)["image"] == named)
    #expect(row?["image"] == named)
    #expect(row?["items"]?.arrayValue?.first?["image"] == named)
    #expect(row?["alternate"]?["image"] == named)
    #expect(Self.content(taken, 1) == ["title": "none"])
    // Given back as it is, with the hash that the kind shows, it is the same content.
    let again = AnswerPictures.take(from: taken.answer) { [picture] }
    #expect(again.answer == taken.answer && again.pictures == [picture])
    #expect(again.warnings == [])
  }

  @Test func `a picture that cannot be shown is left out with its place, and the rest is shown`()
    throws
  {
    for (image, words) in [
      (["data": "!"], "the data is not in Base64"), (["data": "QUJD"], "a picture is of a type"),
      (Self.data(Self.png(2_049, 1)), "a picture has 2049 × 1 pixels"),
      (["data": .string(String(repeating: "A", count: 400_000))], "a picture has more than 262144"),
      (["hash": "sha256-0"], "no widget of this kind shows the picture sha256-0"),
      (["file": "a.png"], "the file is not read here"),
      (["problem": "the picture file 'a' is not there"], "the picture file 'a' is not there"),
    ] as [(JSONValue, String)] {
      let taken = AnswerPictures.take(
        from: Self.answer(["title": "T", "items": [["text": "a"], ["text": "b", "image": image]]])
      ) { [] }
      #expect(Self.content(taken) == ["title": "T", "items": [["text": "a"], ["text": "b"]]])
      #expect(taken.pictures == [])
      #expect(taken.warnings.count == 1)
      #expect(
        taken.warnings[0].hasPrefix("entries[0].content.items[1].image: \(words)"),
        "\(taken.warnings)")
    }
    // The review tells of these.
    for image: JSONValue in [7, "a.png", [], ["alt": "x"], ["data": 5]] {
      #expect(Self.content(AnswerPictures.take(from: Self.answer(["image": image]))) == [:])
    }
  }

  @Test func `a hash is nobody's mistake where the pictures of the kind are not known`() {
    let answer = Self.answer(["image": ["hash": "sha256-0", "alt": "sun"]])
    let taken = AnswerPictures.take(from: answer)
    #expect(taken.warnings == [])
    #expect(taken.answer == answer)
  }

  @Test func `a mistake with a picture is one warning`() throws {
    let twice: JSONValue = ["file": "a.png", "data": "QUJD", "alt": ""]
    #expect(
      AnswerPictures.replacingFiles(in: Self.answer(["image": twice])) { _ in
        .failure(PluginPicture.Refusal(message: "it is not read"))
      } == Self.answer(["image": twice]))
    for (image, words) in [
      (twice, "says its picture 2 times; give one of file, data"),
      (["problem": "there is no file a.png", "alt": ""], nil),
    ] as [(JSONValue, String?)] {
      let answer = Self.answer(["title": "T", "image": image])
      let timeline = try Timeline.read(AnswerPictures.take(from: answer).answer).get().timeline
      let said = AnswerReview.warnings(
        on: answer, read: timeline, arrivedAt: timeline.entries[0].date
      ).filter { $0.contains("picture") }
      #expect(said == words.map { ["entries[0].content.image \($0)"] } ?? [])
    }
  }

  @Test func `files, bytes and pixels of one answer have a limit`() {
    func take(_ images: [JSONValue]) -> AnswerPictures.Taken {
      AnswerPictures.take(from: Self.answer(["items": .array(images.map { ["image": $0] })]))
    }
    let many = take((1...70).map { Self.data(Self.png($0, 1)) })
    #expect(many.pictures.count == Limits.timelinePictureCountMax)
    #expect(many.warnings.count == 6)
    let heavy = take((1...5).map { Self.data(Self.png($0, 1, 250_000)) })
    #expect(heavy.pictures.count == 4)
    let large = take((0..<5).map { Self.data(Self.png(2_048, 2_048 - $0)) })
    #expect(large.pictures.count == 4)
    #expect(large.warnings.count == 1)
    // The same one again takes no more room.
    #expect(take(Array(repeating: Self.data(Self.png(2_048, 2_048)), count: 9)).warnings == [])
  }

  @Test func `an alternative text that is too long is cut, and told`() throws {
    let image: JSONValue = [
      "data": .string(Base64.encode(Self.png(1, 1))),
      "alt": .string(String(repeating: "雨", count: 300)),
    ]
    let taken = AnswerPictures.take(from: Self.answer(["image": image]))
    let alt = try #require(Self.content(taken)["image"]?["alt"]?.stringValue)
    #expect(alt == String(repeating: "雨", count: 166))
    #expect(taken.warnings.count == 1)
  }

  @Test func `the shell puts the bytes of files in the place of their names, each read once`()
    throws
  {
    let answer = Array(
      Self.answer([
        "image": ["file": "a.png", "alt": "A"], "items": [["image": ["file": "a.png"]]],
      ])
      .serialized.utf8)
    var asked: [String] = []
    let filled = AnswerPictures.replacingFiles(in: answer) { name in
      asked.append(name)
      return .success(Self.png(5, 6))
    }
    #expect(asked == ["a.png"])
    let taken = AnswerPictures.take(from: try JSONValue(parsing: filled))
    #expect(Self.content(taken)["image"]?["width"] == 5)
    #expect(Self.content(taken)["image"]?["alt"] == "A")
    #expect(taken.warnings == [])
    let refused = AnswerPictures.replacingFiles(in: answer) { _ in
      .failure(PluginPicture.Refusal(message: "the picture file 'a.png' is not there"))
    }
    let left = AnswerPictures.take(from: try JSONValue(parsing: refused))
    #expect(left.warnings.count == 2)
    #expect(Self.content(left)["image"] == nil)
  }

  @Test(arguments: [
    "no JSON \"image\" \"file\"", "{\"entries\":[]}", "{\"image\":{\"file\":\"a\"}}",
  ])
  func `an answer without pictures stays as it was printed`(text: String) {
    let answer = Array(text.utf8)
    #expect(
      AnswerPictures.replacingFiles(in: answer) { _ in
        Issue.record("a file was read")
        return .success([])
      } == answer)
  }

  @Test func `an author hears of a picture without words, and of one that is said twice`() throws {
    func warnings(_ image: JSONValue) throws -> [String] {
      let answer = Self.answer(["image": image])
      let read = try ProviderAnswer.read(answer).get()
      return AnswerReview.warnings(
        on: answer, read: read, arrivedAt: WallTime(seconds: 1_795_161_600))
    }
    #expect(
      try warnings(["file": "a.png"]).contains { $0.contains("content.image.alt is missing") })
    #expect(try !warnings(["file": "a.png", "alt": ""]).contains { $0.contains("image") })
    #expect(
      try warnings(["file": "a", "data": "QQ==", "alt": ""]).contains {
        $0.contains("content.image says its picture 2 times")
      })
    #expect(
      try warnings(["alt": "a"]).contains { $0.contains("image says no picture; give its file") })
    #expect(
      try warnings("a.png").contains { $0.contains("did you mean {\"file\":\"a.png\"}?") })
    #expect(
      try warnings(["src": "a.png", "alt": ""]).contains { $0.contains("did you mean 'file'") })
  }
}
