import Documents
import JSON
import Testing

private func read(_ text: String) -> LoadedDocument { readYAML(text, file: "test.yaml") }

@Suite struct YAMLDocumentTests {
  @Test func `scalars mean what YAML 1.2 says`() {
    let text = """
      words: [yes, no, on, off, Yes, 12:30, 1_000, .inf, 0b1, hello]
      numbers: [0, -7, +3, 0x1F, 0o17, 1.5, .5, -2e3, 9223372036854775807]
      others: [true, False, null, ~, "true", '5', "null"]
      empty:
      """
    let document = read(text)
    #expect(document.issues.isEmpty)
    #expect(
      document.value?["words"]?.json
        == ["yes", "no", "on", "off", "Yes", "12:30", "1_000", ".inf", "0b1", "hello"])
    #expect(
      document.value?["numbers"]?.json
        == [0, -7, 3, 31, 15, 1.5, 0.5, -2000.0, .int(Int64.max)])
    #expect(
      document.value?["others"]?.json == [true, false, nil, nil, "true", "5", "null"])
    #expect(document.value?["empty"]?.json == .null)
  }

  @Test func `a byte order mark is no part of the document`() {
    let read = readYAML("\u{FEFF}kind: a\nname: b\n", file: "w.yaml")
    #expect(read.issues == [])
    #expect(read.value?["kind"]?.json == "a")
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\u{2028}"])
  func `a mistake quotes its line, however lines end`(end: String) {
    let document = read(["kind: a", "  name: }", "x: 1", ""].joined(separator: end))
    #expect(document.issues.map(\.line) == [2])
    #expect(document.issues.first?.message.hasSuffix("at 'name: }'") == true)
  }

  @Test(arguments: [
    "x: } a" + String(repeating: "\u{301}", count: 100_000),
    "!" + String(repeating: "a", count: 100_000) + " x",
    "*" + String(repeating: "a", count: 100_000),
  ])
  func `a mistake in a long line or a long character makes no long message`(text: String) throws {
    let issue = try #require(read(text).issues.first)
    #expect(issue.message.unicodeScalars.count < 200)
    #expect(issue.expected.unicodeScalars.count < 200)
  }

  @Test func `an integer too large for 64 bits is a number and not a crash`() {
    #expect(read("n: 9223372036854775808").value?["n"]?.json == 9_223_372_036_854_775_808.0)
    #expect(read("n: 1e999").value?["n"]?.json == "1e999")
  }

  @Test func `every value and key knows its line`() {
    let document = read("a: 1\nb:\n  - x\n  - y: z\n")
    #expect(document.value?.line == 1)
    #expect(document.value?["b"]?.line == 3)
    guard case .array(let elements) = document.value?["b"]?.node else {
      Issue.record("b is no array")
      return
    }
    #expect(elements.map(\.line) == [3, 4])
    #expect(elements[1]["y"]?.line == 4)
  }

  @Test(arguments: [
    ("a: 1\nb: [1, 2\nc: 3\n", 3, "valid YAML"),
    ("a: 1\nb: 2\na: 3\n", 3, "each key once"),
    ("a: *nothing\n", 1, "a value with '&nothing' before it"),
    ("a: &a [1, *a]\n", 1, "a value with '&a' before it"),
    ("a: 1\n---\nb: 2\n", 2, "one document in a file"),
    ("a: \u{1}\n", 1, "UTF-8 text without control characters"),
    ("a: !!binary abc\n", 1, "values without tags"),
    ("a: 1\n? [a, b]\n: c\n", 2, "a plain key"),
    ("a: \"\\q\"\n", 1, "valid YAML"),
  ])
  func `a mistake is named with its line and what was expected`(
    text: String, line: Int, expected: String
  ) {
    let document = read(text)
    #expect(document.value == nil)
    #expect(document.issues.count == 1)
    #expect(document.issues.first?.line == line)
    #expect(document.issues.first?.expected == expected)
    #expect(document.issues.first?.file == "test.yaml")
  }

  @Test func `a key written twice is named`() {
    let issue = read("sentences: 1\nother: 2\nsentences: 3\n").issues.first
    #expect(issue?.message == "the key 'sentences' is written more than once")
  }

  @Test func `anchors and aliases are written out`() {
    let document = read("base: &b {x: 1}\ncopy: *b\n")
    #expect(document.value?["copy"]?["x"]?.json == 1)
    #expect(document.issues.isEmpty)
  }

  @Test func `aliases of aliases that grow exponentially are refused`() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    let document = read(text)
    #expect(document.value == nil)
    #expect(document.issues.first?.message.contains("aliases") == true)
  }

  @Test(arguments: ["*z : v", "? *z\n  : v", "[*z]: v", "{a: *z}: v"])
  func `an alias in a key is refused`(key: String) {
    let document = read("z: &z x\nmap:\n  \(key)\n")
    #expect(document.value == nil)
    #expect(document.issues.first?.expected == "a plain key")
    #expect(document.issues.first?.line == 3)
  }

  @Test func `aliases count for the depth that they bring`() {
    func nested(_ depth: Int, _ inside: String) -> String {
      String(repeating: "[", count: depth) + inside + String(repeating: "]", count: depth)
    }
    #expect(read("a: &a \(nested(40, ""))\nb: \(nested(24, "*a"))").issues.isEmpty)
    #expect(
      read("a: &a \(nested(40, ""))\nb: \(nested(25, "*a"))").issues.first?.expected
        == "at most 64 levels")
  }

  @Test func `a tag that says text makes text`() {
    #expect(read("[!!str 5, !!str true, !!str x]").value?.json == ["5", "true", "x"])
  }

  @Test func `nesting has a limit`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(read(nested(64)).issues.isEmpty)
    #expect(read(nested(66)).issues.first?.expected == "at most 64 levels")
    #expect(read(nested(100_000)).value == nil)
  }

  @Test func `a file has a limit`() {
    let full = "a: " + String(repeating: "x", count: (1 << 20) - 3)
    #expect(read(full).issues.isEmpty)
    #expect(read(full + "x").issues.first?.expected == "at most 1048576 bytes")
  }

  @Test func `an empty file has no value and no issue`() {
    for text in ["", "\n\n", "# only a comment\n"] {
      let document = read(text)
      #expect(document.value == nil)
      #expect(document.issues.isEmpty)
    }
  }
}
