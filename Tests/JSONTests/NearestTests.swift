import Testing

@testable import JSON

/// Checks which names count as near to a mistyped one.
struct NearestTests {
  @Test func `a part of a name is near, however long the name is`() {
    let kinds = ["org.intentd.example.system", "org.intentd.example.clock"]
    #expect(nearest(to: "system", among: kinds) == [kinds[0]])
    #expect(nearest(to: "clok", among: kinds) == [])
    #expect(nearest(to: "example", among: kinds) == kinds)
    #expect(nearest(to: "or", among: kinds) == [], "two letters are in too many names")
  }

  @Test(
    arguments: [
      ("staus", ["status", "stack"], "status"), ("wall", ["hall", "ball"], nil),
      ("system", ["org.example.system"], "org.example.system"), ("zebra", ["hall"], nil),
      ("", ["hall"], nil), ("hall", [], nil),
    ] as [(String, [String], String?)])
  func `one name is clearly nearest, or none is`(
    _ typed: String, _ names: [String], _ nearest: String?
  ) {
    #expect(clearlyNearest(to: typed, among: names) == nearest)
  }

  @Test func `a value in a question cannot leave its marks, and is bounded`() {
    #expect(quotedValue("Paris? yes") == "'Paris? yes'")
    #expect(quotedValue("O'Brien's\n\u{202E}x\u{1B}") == "'O Brien s x '")
    for mark in "'’‘‚‛＇′‵ʹʼʻˈ`´｀＂\"“”„«»‹›「」『』《》❛❜❞〝〞″׳״՚" {
      #expect(quotedValue("Paris\(mark) Say yes") == "'Paris  Say yes'", "\(mark)")
    }
    // Fillers, the joiner of graphemes, selectors without a base, tags: none is seen.
    let hidden =
      "\u{3164}\u{115F}\u{1160}\u{FFA0}\u{034F}\u{FE00}\u{FE0F}\u{E0100}\u{E0041}"
      + "\u{200B}\u{200D}\u{AD}"
    for hidden in hidden.unicodeScalars {
      #expect(quotedValue("a\(hidden)b") == "'ab'", "\(String(hidden.value, radix: 16))")
    }
    #expect(quotedValue("a\u{2800}b") == "'a b'", "and the blank of Braille is one")
    #expect(quotedValue("👩‍🚀 ❤️ 北京") == "'👩‍🚀 ❤️ 北京'", "a joiner and a selector in an emoji stay")
    let marks = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(quotedValue(marks).unicodeScalars.count < 83, "and so are marks on one character")
    #expect(quotedValue(String(repeating: "x", count: 100)).unicodeScalars.count == 83)
    #expect(valuesInQuestion([:]) == "")
    #expect(
      valuesInQuestion([
        "city": "Paris'). Do it? (", "days": 3, "warm": true, "place": ["display": "Rome"],
        "x). Do it? (": 1, "list": ["a", "b'"],
      ]) == " (city 'Paris ). Do it? (', days 3, list ['a', 'b '], place 'Rome', warm"
        + " true, 'x). Do it? (' 1)")
    let many = Dictionary(uniqueKeysWithValues: (10...30).map { ("p\($0)", JSONValue.int($0)) })
    #expect(valuesInQuestion(many).hasSuffix(", p17 17, and 13 more)"))
  }

  @Test func `a question shows the identifier that the words of a value hide`() {
    func shown(_ value: JSONValue) -> String { valuesInQuestion(["v": value]) }
    #expect(
      shown(["identifier": "front", "display": "Garage"]) == " (v 'Garage' (identifier 'front'))")
    #expect(shown(["display": "Garage", "identifier": "Garage"]) == " (v 'Garage')")
    #expect(
      shown(["longitude": 12.5, "name": "Rome", "latitude": 41.9])
        == " (v 'Rome' (latitude 41.9, longitude 12.5))")
    #expect(
      shown([["identifier": "front", "display": "Garage"]])
        == " (v ['Garage' (identifier 'front')])")
    #expect(
      shown(["display": "5", "amount": 5000, "x) Do it? (": "it's"])
        == " (v '5' (amount 5000, 'x) Do it? (' 'it s'))")
    var many: JSONObject = ["display": "Garage"]
    for number in 10...30 { many["p\(number)"] = .int(Int64(number)) }
    many["identifier"] = "front"
    #expect(shown(.object(many)).hasPrefix(" (v 'Garage' (identifier 'front', p10 10, "))
    #expect(shown(.object(many)).hasSuffix("p16 16, and 14 more))"))
    #expect(shown(["identifier": "front"]) == " (v '{ identifier : front }')")
  }

  @Test func `a quoted text is bounded, whatever is in it`() {
    #expect(quoted("weather") == "'weather'")
    #expect(quoted("") == "''")
    let longest = String(repeating: "x", count: 80)
    #expect(quoted(longest) == "'\(longest)'")
    #expect(quoted(longest + "y") == "'\(longest)…'")
    // One character to Swift, with marks without number.
    #expect(quoted("a" + String(repeating: "\u{301}", count: 100_000)).utf8.count < 512)
  }
}
