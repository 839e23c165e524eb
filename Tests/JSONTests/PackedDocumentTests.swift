import JSON
import Testing

@Suite struct PackedDocumentTests {
  @Test(
    arguments: [
      .null, .bool(true), .bool(false), .int(0), .int(.min), .int(.max), .double(-0.5),
      .double(.infinity), .string(""), .string("天气 👩‍👩‍👧‍👦"), .array([]), .object([]),
      .array([LocatedValue(.null, line: 1_000_000), LocatedValue(.string("x"), line: 0)]),
      .object([
        .init(key: "a", line: 3, value: LocatedValue(.array([]), line: 4)),
        .init(key: "a", line: 200, value: LocatedValue(.int(-1), line: 16_384)),
      ]),
    ] as [LocatedValue.Node])
  func `a document comes back as it was packed, with its lines`(_ node: LocatedValue.Node) {
    let document = LocatedValue(node, line: 127)
    #expect(PackedDocument(document).document == document)
  }

  @Test func `a packed document is about as long as its text`() {
    let values = (1...1_000).map { LocatedValue(.string("value \($0)"), line: $0) }
    #expect(PackedDocument(LocatedValue(.array(values), line: 1)).byteCount < 16_000)
  }
}
