import Documents
import JSON
import Testing
import WidgetCenter

/// Tests the texts of manifests that are written by language.
@Suite struct ManifestLanguageTests {
  private func read(_ lines: String) throws -> ManifestReading {
    let document = readYAML(
      "kind: a\nfamilies: [systemSmall]\nprovider: {exec: [a]}\n" + lines, file: "w.yaml")
    #expect(document.issues.isEmpty)
    return ManifestReader.read(
      ManifestSource(file: "w.yaml", directory: "/", document: try #require(document.value)))
  }

  @Test func `a name and a description come in the language of who reads them`() throws {
    let kind = try #require(
      try read("name: {zh-CN: 天气, en: Weather}\ndescription: {en: Now, zh-CN: 现在}").kind)
    #expect(kind.name == "Weather" && kind.description == "Now")
    #expect(kind.name(in: ["zh_CN"]) == "天气" && kind.description(in: ["zh"]) == "现在")
    #expect(kind.name(in: ["fr"]) == "Weather")
  }

  @Test func `a text and a mapping of one language are the same for everybody`() throws {
    for lines in ["name: Weather", "name: {zh-CN: Weather}"] {
      let kind = try #require(try read(lines).kind)
      #expect(kind.names == nil)
      #expect(kind.name(in: ["de"]) == "Weather" && kind.description(in: ["de"]) == "")
    }
  }

  private static let mistakes: [(String, [String])] = [
    ("name: {}", ["4: name is a mapping of 0"]),
    (
      "name: {english: A, zh_CN: B}",
      ["4: name has the language 'english'", "4: name has the language 'zh_CN'"]
    ),
    ("name: {en: A, EN: B}", ["4: name has the language 'EN' twice"]),
    ("name: {en: A, de: 5, fr: }", ["4: name.de is '5'", "4: name.fr is missing"]),
    ("name: A\ndescription: {de: [x]}", ["5: description.de is a list of 1"]),
  ]

  @Test(arguments: mistakes)
  func `every mistake in a text has its line`(lines: String, issues: [String]) throws {
    let read = try read(lines)
    #expect(read.issues.map { "\($0.line): \($0.message)" } == issues)
    #expect(read.kind == nil)
  }

  @Test func `a text has at most 32 languages`() throws {
    for count in [32, 33] {
      let letters = (0..<count).map { number in
        "a\(Character(UnicodeScalar(UInt8(97 + number % 26))))\(number < 26 ? "" : "b"): A"
      }
      let read = try read("name: {\(letters.joined(separator: ", "))}")
      #expect(read.issues.count == (count == 32 ? 0 : 1), "\(read.issues)")
    }
  }
}
