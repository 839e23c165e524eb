import Documents
import Foundation
import JSON
import Testing
import Timekeeping
import ViewMarkup
import WidgetCenter

/// Tests that the examples of the pages for authors are what the schemas and the readers take.
@Suite struct PageTests {
  private static func text(_ page: String) throws -> String {
    let url = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: page)
    return try String(contentsOf: url, encoding: .utf8)
  }

  private static func blocks(_ page: String, _ language: String) throws -> [String] {
    try text(page).split(separator: "\n```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("\(language)\n") }
      .map { String($0.element.dropFirst(language.count + 1)) }
  }

  @Test func `every manifest of the page is read without a word`() throws {
    let schema = try JSONSchema(project: "docs/schema/manifest.json")
    let manifests = try Self.blocks("docs/WIDGETS.md", "yaml")
    #expect(manifests.count >= 2)
    for text in manifests {
      // A part of a manifest stands in a whole one.
      let whole = text.hasPrefix("kind:") || text.contains("\nkinds:")
      let provider = text.hasPrefix("provider:") ? "" : "provider: {exec: [a]}\n"
      let name = text.hasPrefix("name:") ? "" : "name: A\n"
      let rest = "kind: a\n\(name)families: [systemSmall]\n\(provider)intent: B\n"
      let document = readYAML((whole ? "" : rest) + text, file: "w.yaml")
      #expect(document.issues.isEmpty, "\(text)")
      let value = try #require(document.value)
      let read = ManifestReader.read(
        ManifestSource(file: "w.yaml", directory: "/", document: value))
      #expect(read.issues.map(\.description) == [], "\(text)")
      #expect(schema.mistakes(in: value.json) == [], "\(text)")
    }
  }

  @Test func `every request and answer of the page is valid`() throws {
    let answers = try JSONSchema(project: "docs/schema/answer.json")
    let requests = try JSONSchema(project: "docs/schema/request.json")
    var counts = (answers: 0, requests: 0, previews: 0, entries: 0, members: 0)
    var whole: JSONObject = [:]
    for text in try Self.blocks("docs/WIDGETS.md", "json") {
      let value = try JSONValue(parsing: text)
      if value["request"] != nil {
        counts.requests += 1
        whole = value.objectValue ?? [:]
        #expect(requests.mistakes(in: value) == [], "\(text)")
      } else if value["mode"] != nil {
        // Members of a request stand in the whole one.
        counts.members += 1
        for member in value.objectValue?.members ?? [] { whole[member.key] = member.value }
        #expect(requests.mistakes(in: .object(whole)) == [], "\(text)")
      } else if var entry = value.objectValue, entry["content"] != nil {
        // A preview is an entry without a date.
        if entry["date"] == nil { counts.previews += 1 } else { counts.entries += 1 }
        entry["date"] = "2026-11-21T07:28:29Z"
        #expect(answers.mistakes(in: ["entries": [.object(entry)]]) == [], "\(text)")
      } else {
        counts.answers += 1
        #expect(answers.mistakes(in: value) == [], "\(text)")
      }
    }
    #expect(counts.requests == 2)
    #expect(counts.answers >= 5)
    #expect(counts.previews == 1)
    #expect(counts.entries == 1)
    #expect(counts.members == 1)
  }

  @Test func `the views of the page are taken, and it names every word of their markup`() throws {
    var count = 0
    for text in try Self.blocks("docs/WIDGETS.md", "json") {
      guard let view = try JSONValue(parsing: text)["view"]?.stringValue, view != "html" else {
        continue
      }
      count += 1
      #expect(throws: Never.self) { try MarkupReader.read(view).get() }
    }
    #expect(count == 1)
    let page = try Self.text("docs/WIDGETS.md")
    let start = try #require(page.range(of: "### Views"))
    let section = page[start.upperBound...].prefix(4_000)
    // Those with the same word behind a prefix are named together.
    let combined = ["min-width", "max-width", "min-height", "max-height"]
    for word in MarkupTag.allCases.map(\.rawValue) + MarkupAttribute.allCases.map(\.rawValue)
      + MarkupProperty.allCases.map(\.rawValue) where !combined.contains(word)
    {
      #expect(section.contains("`\(word)`"), "\(word)")
    }
  }

  @Test func `the page says which keys the review knows`() throws {
    let now = WallTime(rfc3339: "2026-11-21T07:28:29Z") ?? WallTime(milliseconds: 0)
    let text = try #require(
      try Self.blocks("docs/WIDGETS.md", "json").first { $0.contains("\"relevance\"") })
    let answer = try JSONValue(parsing: text)
    let read = try Timeline.read(answer).get()
    #expect(read.warnings == [])
    #expect(AnswerReview.warnings(on: answer, read: read.timeline, arrivedAt: now) == [])
  }
}
