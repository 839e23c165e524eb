import Documents
import JSON
import Testing
import WidgetCenter

/// Tests `view: html` of a manifest.
@Suite struct ManifestViewTests {
  private func read(_ text: String) throws -> (kinds: [WidgetKind], issues: [String]) {
    let value = try #require(readYAML(text, file: "w.yaml").value)
    let read = ManifestReader.read(
      ManifestSource(file: "w.yaml", directory: "/home/me/widgets", document: value))
    return (read.kinds, read.issues.map(\.description))
  }

  private static let one = """
    kind: w
    name: W
    families: [systemSmall]
    provider: {exec: [w]}

    """

  @Test(arguments: [("", false), ("view: html", true), ("view:", false)])
  func `a kind asks for views if its manifest says so`(line: String, wants: Bool) throws {
    let read = try read(Self.one + line)
    #expect(read.issues == [])
    #expect(read.kinds.first?.wantsView == wants)
  }

  @Test func `a bundle says it for all kinds, or a kind for itself`() throws {
    func kinds(_ lines: String) throws -> [Bool] {
      let read = try read(
        "provider: {exec: [w], protocol: extension}\nfamilies: [systemSmall]\n" + lines)
      #expect(read.issues == [])
      return read.kinds.map(\.wantsView)
    }
    #expect(
      try kinds("view: html\nkinds:\n  - {kind: a, name: A}\n  - {kind: b, name: B, view: }")
        == [true, false])
    #expect(
      try kinds("kinds:\n  - {kind: a, name: A}\n  - {kind: b, name: B, view: html}")
        == [false, true])
  }

  @Test(arguments: [
    ("view: htm", "view is 'htm'; did you mean 'html'?"), ("view: svg", "view is 'svg'"),
    ("view: [html]", "view is a list of 1"), ("view: true", "view is 'true'"),
  ])
  func `any other value is a mistake with its line`(line: String, message: String) throws {
    let read = try read(Self.one + line)
    #expect(read.kinds == [])
    #expect(
      read.issues == [
        "w.yaml:5: error: \(message); expected html, where the provider sends a view beside the content of each entry, or no view"
      ])
  }

  @Test(arguments: ["provider: {exec: [w], protocol: xbar}\n", ""])
  func `nobody can be asked for the view of a plugin, or of a kind without a provider`(
    provider: String
  ) throws {
    let read = try read("kind: w\nname: W\nfamilies: [systemSmall]\n\(provider)view: html")
    #expect(read.kinds == [])
    #expect(read.issues.count == 1)
    #expect(
      read.issues.first?.contains("the kind has no provider that can be asked for it") == true)
  }
}
