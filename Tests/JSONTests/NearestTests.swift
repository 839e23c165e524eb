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
