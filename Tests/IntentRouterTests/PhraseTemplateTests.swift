import Testing

@testable import IntentRouter

private func chunks(_ source: String) throws -> [String] {
  guard case .sequence(let items) = try PhraseTemplate(parsing: source).root else { return [] }
  return items.compactMap { item in
    guard case .chunk(let text) = item else { return nil }
    return NormalizedText.string(text)
  }
}

@Suite struct PhraseTemplateTests {
  @Test(arguments: [
    ("turn on the", ["turn ", "on ", "the"]),
    ("  a  b ", ["a ", "b"]),
    ("a \\[b\\]", ["a [", "b]"]),
    ("5:30 A.C. 10%", ["5:30 ", "A.C. ", "10%"]),
  ])
  func `text is cut into chunks of one word`(source: String, expected: [String]) throws {
    #expect(try chunks(source) == expected)
  }

  @Test func `a group that is the whole template is the template`() throws {
    let inner = try PhraseTemplate(parsing: "a|b").root
    #expect(try PhraseTemplate(parsing: "(a|b)").root == inner)
    #expect(try PhraseTemplate(parsing: " (a|b) ").root == inner)
  }

  @Test func `an optional ends with nothing`() throws {
    guard case .alternative(let branches) = try PhraseTemplate(parsing: "[a|b]").root else {
      Issue.record("no alternative")
      return
    }
    #expect(branches.count == 3)
    #expect(branches.last == .nothing)
  }

  @Test func `a reference knows its slot, its capture and whether a word ends after it`() throws {
    func reference(_ source: String) throws -> ListReference? {
      guard case .sequence(let items) = try PhraseTemplate(parsing: source).root,
        case .list(let reference) = items[0]
      else { return nil }
      return reference
    }
    #expect(
      try reference("{a} x")
        == ListReference(name: "a", explicitSlot: nil, isCapture: false, endsWord: true))
    #expect(
      try reference("{a:b}x")
        == ListReference(name: "a", explicitSlot: "b", isCapture: false, endsWord: false))
    #expect(
      try reference("{a:@b}x")
        == ListReference(name: "a", explicitSlot: "b", isCapture: true, endsWord: false))
    #expect(
      try reference("{@a}x")
        == ListReference(name: "a", explicitSlot: nil, isCapture: true, endsWord: false))
  }

  @Test(arguments: [
    ("", "the template is empty"), ("a (b", "'(' is not closed"), ("a )b", "')' closes nothing"),
    ("a []", "'[]' is empty"), ("<>", "'<>' is empty"), ("{}", "'{}' is empty"),
    ("(a|b;c)", "';' follows '|' in one group"), ("a \\", "the template ends with '\\'"),
  ])
  func `a template with a mistake says what is wrong`(source: String, message: String) {
    #expect(throws: PhraseSyntaxError.self) { try PhraseTemplate(parsing: source) }
    do throws(PhraseSyntaxError) {
      _ = try PhraseTemplate(parsing: source)
    } catch {
      #expect(error.message == message)
      #expect(!error.expected.isEmpty)
    }
  }

  @Test func `length and depth have limits`() {
    let deep = String(repeating: "(", count: 40) + "a" + String(repeating: ")", count: 40)
    #expect(throws: PhraseSyntaxError.self) { try PhraseTemplate(parsing: deep) }
    let veryDeep = String(repeating: "[", count: 2_000) + "a" + String(repeating: "]", count: 2_000)
    #expect(throws: PhraseSyntaxError.self) { try PhraseTemplate(parsing: veryDeep) }
    let long = String(repeating: "a", count: Limits.templateScalarsMax)
    #expect(throws: Never.self) { try PhraseTemplate(parsing: long) }
    #expect(throws: PhraseSyntaxError.self) { try PhraseTemplate(parsing: long + "a") }
  }
}
