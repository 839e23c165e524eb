import Documents
import Foundation
import IntentRouter
import JSON
import Testing

/// Tests that the examples of `docs/INTENTS.md` and `Intents/README.md` work as they stand there.
@Suite struct IntentsPageTests {
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the YAML blocks of a page, also of lists in it, without their indentation.
  private static func blocks(_ page: String) throws -> [String] {
    var blocks: [String] = []
    var block: [Substring]?
    var indent = 0
    for line in try text(page).split(separator: "\n", omittingEmptySubsequences: false) {
      let bare = line.drop { $0 == " " }
      if bare.hasPrefix("```") {
        if let lines = block { blocks.append(lines.joined(separator: "\n")) }
        block = bare == "```yaml" ? [] : nil
        indent = line.count - bare.count
      } else {
        block?.append(line.dropFirst(min(indent, line.count - bare.count)))
      }
    }
    return blocks
  }

  private static func source(
    _ text: String, _ kind: CatalogSource.Kind, _ file: String
  ) throws -> CatalogSource {
    let document = readYAML(text, file: file)
    #expect(document.issues.map(\.description) == [])
    return CatalogSource(file: file, document: try #require(document.value), kind: kind)
  }

  private static func loaded(_ sources: [CatalogSource]) -> IntentCatalog {
    let (catalog, issues) = IntentCatalog.load(sources)
    #expect(issues.map(\.description) == [])
    return catalog
  }

  /// Returns the sentences of the table below the document, with what they become.
  private static func sentences() throws -> [(sentence: String, intent: String)] {
    try text("docs/INTENTS.md").matches(of: #/(?m)^\| \*(.+?)\* \| `?(.+?)`? \|$/#)
      .map { (String($0.output.1), String($0.output.2)) }
  }

  @Test func `the parameters of the page load`() throws {
    let block = try #require(try Self.blocks("docs/INTENTS.md").first)
    let intent = "name: SetLamp\n\(block)\n"
    let catalog = Self.loaded([try Self.source(intent, .intent, "SetLamp/intent.yaml")])
    #expect(
      catalog.definition(named: "SetLamp")?.parameters.map(\.name)
        == ["room", "level", "mode", "until"])
  }

  @Test func `the sentences of the page become what it says`() throws {
    let block = try #require(
      try Self.blocks("docs/INTENTS.md").first { $0.hasPrefix("language: en\n") })
    let catalog = Self.loaded([
      try Self.source(
        "name: TakeNote\nparameters: [{name: note}]\n", .intent, "TakeNote/intent.yaml"),
      try Self.source(
        "name: SetLamp\nparameters: [{name: room}, {name: level, type: integer}]\n", .intent,
        "SetLamp/intent.yaml"),
      try Self.source(block, .sentences, "SetLamp/en.yaml"),
    ])
    let sentences = try Self.sentences()
    #expect(sentences.count == 5)
    for (sentence, expected) in sentences {
      var said = "none"
      if case .matched(let best, _) = catalog.recognize(sentence, languages: ["en"]) {
        let parameters = best.intent.parameters.sorted { $0.key < $1.key }
          .map { "\($0.key): \($0.value.serialized)" }
        said = "\(best.intent.name)(\(parameters.joined(separator: ", ")))"
      }
      #expect(said == expected, "\(sentence)")
    }
  }

  @Test func `the first intent of the step by step page loads and is understood`() throws {
    let blocks = try Self.blocks("Intents/README.md")
    let intent = try #require(blocks.first { $0.hasPrefix("name: ShowTide\n") })
    let sentences = try #require(blocks.first { $0.hasPrefix("language: en\n") })
    let catalog = Self.loaded([
      try Self.source(intent, .intent, "ShowTide/intent.yaml"),
      try Self.source(sentences, .sentences, "ShowTide/en.yaml"),
      try Self.source(
        try Self.text("Intents/lists/cities.yaml"), .list, "lists/cities.yaml"),
    ])
    for sentence in ["show me the tide in Lisbon", "when is high water in Lisbon?"] {
      guard case .matched(let best, _) = catalog.recognize(sentence, languages: ["en"]) else {
        Issue.record("'\(sentence)' is not understood")
        continue
      }
      #expect(best.intent == Intent(name: "ShowTide", parameters: ["city": "Lisbon"]))
    }
  }
}
