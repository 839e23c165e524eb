import FoundationAdditions
import JSON
import SwiftUI
import Testing
import ViewMarkup

/// Compares what is made of the fixtures with the files in `Golden`.
///
/// `INTENTD_GOLDEN=write swift test --filter SwiftUITests` writes the files anew; look at the
/// difference before you commit it.
@MainActor
struct GoldenTests {
  @Test func `content and pictures of the fixtures are those of the files`() throws {
    for fixture in Fixture.all {
      try compare(text(of: fixture), with: "\(fixture.name).txt")
    }
  }

  @Test func `each picture is taken by the reader and read as it was made`() throws {
    for fixture in Fixture.all {
      let tree = ViewTree.evaluate(fixture.view, in: fixture.environment)
      for scheme in ColorScheme.allCases {
        let html = try #require(tree.html(in: scheme, at: Fixture.now).html)
        switch MarkupReader.read(html) {
        case .success(let element): #expect(element.html == html, "\(fixture.name)")
        case .failure(let error): Issue.record("\(fixture.name): \(error.message)\n\(html)")
        }
      }
    }
  }

  @Test func `two evaluations of a view agree`() {
    for fixture in Fixture.all {
      let first = ViewTree.evaluate(fixture.view, in: fixture.environment)
      let second = ViewTree.evaluate(fixture.view, in: fixture.environment)
      #expect(first == second, "\(fixture.name)")
    }
  }

  private func text(of fixture: Fixture) -> String {
    let tree = ViewTree.evaluate(fixture.view, in: fixture.environment)
    var content: [UInt8] = []
    JSONValue.object(tree.content(for: fixture.family)).writePretty(into: &content)
    var dark = fixture.environment
    dark.colorScheme = .dark
    let darkTree =
      tree.readsColorScheme ? ViewTree.evaluate(fixture.view, in: dark) : tree
    var sections = [
      "content", String(decoding: content, as: UTF8.self),
      "url", tree.url ?? "none",
      "warnings", tree.warnings.joined(separator: "\n"),
      "text", tree.ansi(columns: 44, hasColours: false, at: Fixture.now),
    ]
    for (scheme, tree) in [(ColorScheme.light, tree), (.dark, darkTree)] {
      let picture = tree.html(in: scheme, at: Fixture.now)
      sections += ["\(scheme)", lines(picture.html ?? "none")]
      if scheme == .light { sections += ["warnings of the picture", picture.warnings.joined()] }
    }
    return stride(from: 0, to: sections.count, by: 2)
      .map { "== \(sections[$0]) ==\n\(sections[$0 + 1])\n" }.joined()
  }

  /// Markup with an element a line, as people read it.
  private func lines(_ html: String) -> String { html.replacing("><", with: ">\n<") }

  private func compare(_ text: String, with name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden").appending(path: name)
    if ProcessInfo.processInfo.environment["INTENTD_GOLDEN"] == "write" {
      try Data(text.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(text == expected, "\(name) differs")
  }
}
