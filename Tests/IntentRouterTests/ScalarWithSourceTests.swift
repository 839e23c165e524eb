import JSON
import Testing

@testable import IntentRouter

/// Where the words of a slot stand in what was said.
struct ScalarWithSourceTests {
  private func spans(
    _ sentence: String, _ templates: [String], lists: JSONValue = [:], skipWords: [String] = [],
    ignoresWhitespace: Bool = false
  ) throws -> [String: String] {
    let document: JSONValue = [
      "language": "xx",
      "settings": ["ignore_whitespace": .bool(ignoresWhitespace)],
      "skip_words": .array(skipWords.map { .string($0) }),
      "lists": lists,
      "intents": ["Do": ["data": [["sentences": .array(templates.map { .string($0) })]]]],
    ]
    let (grammar, issues) = SentenceGrammar.load(
      located(document), file: "x",
      spelling: { tenths, _ in tenths.map { $0 == 550 ? ["fifty-five", "fifty five"] : [] } })
    #expect(issues == [])
    let matches = try grammar.recognizeAll(sentence, .init(locates: true)).get()
    let best = try #require(matches.best(), "nothing matches")
    let scalars = Array(sentence.unicodeScalars)
    var found: [String: String] = [:]
    for entity in best.entities {
      guard let span = entity.span else { continue }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[span])
      found[entity.name] = String(view)
    }
    return found
  }

  private let rooms: JSONValue = [
    "room": ["values": ["Küche", "living room"]], "level": ["range": ["from": 0, "to": 100]],
    "any": ["wildcard": true],
  ]

  @Test func `the words of a slot are found behind spaces, punctuation and capitals`() throws {
    #expect(
      try spans("  Turn   on, the LIVING   ROOM!", ["turn on the {room}"], lists: rooms)
        == ["room": "LIVING   ROOM"])
    #expect(try spans("Küche?", ["{room}"], lists: rooms) == ["room": "Küche"])
    // In decomposed form a letter is two code points.
    #expect(
      try spans("light: Ku\u{308}che.", ["light {room}"], lists: rooms) == ["room": "Ku\u{308}che"])
  }

  @Test func `skip words before, inside and after it are passed over`() throws {
    let skip = ["please", "the"]
    #expect(
      try spans(
        "please turn on please the Küche please", ["turn on {room}"], lists: rooms, skipWords: skip)
        == ["room": "Küche"])
    #expect(
      try spans("show the the note", ["show {any}"], lists: rooms, skipWords: ["show"])["any"]
        == "the the note")
  }

  @Test func `numbers in words and what follows them have their places`() throws {
    #expect(
      try spans(
        "set fifty-five in the Küche", ["set {level} in the {room}"], lists: rooms)
        == ["level": "fifty-five", "room": "Küche"])
    #expect(
      try spans("set 55 % in Küche", ["set {level} % in {room}"], lists: rooms)
        == ["level": "55", "room": "Küche"])
  }

  @Test func `text after an earlier wildcard is its own`() throws {
    #expect(
      try spans("play hey, jude in Küche now", ["play {any} in {room} now"], lists: rooms)
        == ["any": "hey, jude", "room": "Küche"])
  }

  @Test func `scripts without spaces`() throws {
    let lists: JSONValue = [
      "room": ["values": ["客厅"]], "level": ["range": ["from": 0, "to": 100]],
    ]
    #expect(
      try spans(
        "请 把 客 厅 调到 50 度", ["把{room}调到{level}度"], lists: lists, skipWords: ["请"],
        ignoresWhitespace: true) == ["room": "客 厅", "level": "50"])
  }
}
