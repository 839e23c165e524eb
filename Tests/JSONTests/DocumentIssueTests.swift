import JSON
import Testing

@Suite struct DocumentIssueTests {
  @Test func `of a file with many mistakes the first are told, and that there are others`() {
    let many = (1...250).map { line in
      DocumentIssue(
        severity: line == 200 ? .error : .warning, file: "many.yaml", line: line, message: "odd",
        expected: "even")
    }
    let one = DocumentIssue(file: "one.yaml", line: 1, message: "odd", expected: "even")
    let bounded = (many + [one]).bounded()
    #expect(bounded.dropLast(2) == many.prefix(100)[...])
    #expect(
      bounded.suffix(2).map(\.description) == [
        "many.yaml: error: the file has more mistakes than are listed; "
          + "expected a file without the mistakes above",
        one.description,
      ])
    #expect(Array(many.prefix(100)).bounded() == Array(many.prefix(100)))
  }

  @Test func `a message that quotes a whole file is cut`() {
    let long = String(repeating: "\u{301}", count: 500_000)
    let issue = DocumentIssue(file: "a.yaml", line: 1, message: long, expected: "a" + long)
    #expect(issue.message.utf8.count <= DocumentIssue.textBytesMax)
    #expect(issue.expected.hasSuffix("…"))
    #expect(issue.expected.utf8.count <= DocumentIssue.textBytesMax)
    let short = String(repeating: "a", count: DocumentIssue.textBytesMax)
    #expect(DocumentIssue(file: "a.yaml", line: 1, message: short, expected: "").message == short)
  }
}
