import FoundationAdditions
import Testing

/// Compares the table of symbols with the sources, and `docs/SWIFTUI.md` with the table.
///
/// `Symbols.txt` says of each public type, modifier and value of the environment whether its picture
/// is exact, `first`, or whether it is accepted without one, `second`. The page gets the sentence of
/// the symbol's documentation. `INTENTD_GOLDEN=write` writes the lists of the page anew.
struct SymbolTests {
  @Test func `the table lists the symbols of the sources and no others`() throws {
    let table = try Self.table()
    let symbols = try Self.symbols()
    let listed = Set(table.map(\.key))
    let declared = Set(symbols.map(\.key))
    #expect(declared.subtracting(listed).sorted() == [], "not in Symbols.txt")
    #expect(listed.subtracting(declared).sorted() == [], "not in the sources")
  }

  @Test func `a modifier that returns its view is of the second level`() throws {
    let table = Dictionary(uniqueKeysWithValues: try Self.table().map { ($0.key, $0.level) })
    let idle = Dictionary(grouping: try Self.symbols(), by: \.key)
      .filter { $0.value.allSatisfy(\.returnsItsView) }
    for key in idle.keys.sorted() { #expect(table[key] == "second", "\(key)") }
  }

  @Test func `the page has the lists of the table`() throws {
    let page = Self.root.appending(path: "docs/SWIFTUI.md")
    let old = try String(contentsOf: page, encoding: .utf8)
    var new = old
    let table = try Self.table()
    let summaries = Dictionary(try Self.symbols().map { ($0.key, $0.summary) }) { first, _ in first
    }
    for kind in ["type", "modifier", "environment"] {
      for level in ["first", "second"] {
        let rows = table.filter { $0.kind == kind && $0.level == level }.map { row in
          "| `\(row.name)` | \(summaries[row.key] ?? "") |"
        }
        let list = (["| | |", "|---|---|"] + rows).joined(separator: "\n")
        let mark = "\(kind) \(level)"
        let start = try #require(new.firstRange(of: "<!-- begin \(mark) -->\n"), "\(mark)")
        let end = try #require(new.firstRange(of: "<!-- end \(mark) -->"), "\(mark)")
        new.replaceSubrange(start.upperBound..<end.lowerBound, with: list + "\n")
      }
    }
    if ProcessInfo.processInfo.environment["INTENTD_GOLDEN"] == "write" {
      try Data(new.utf8).write(to: page)
    } else {
      #expect(new == old, "docs/SWIFTUI.md differs from the table")
    }
  }

  // MARK: The table

  private struct Row {
    var kind: String
    var name: String
    var level: String
    var key: String { "\(kind) \(name)" }
  }

  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func table() throws -> [Row] {
    let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "Symbols.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      try #require(words.count == 3, "\(line)")
      return Row(kind: words[0], name: words[1], level: words[2])
    }
  }

  // MARK: The sources

  private struct Symbol {
    var kind: String
    var name: String
    var summary: String
    var returnsItsView: Bool
    var key: String { "\(kind) \(name)" }
  }

  /// Finds the declarations in the sources, which `swift format` lays out in one way.
  private static func symbols() throws -> [Symbol] {
    let sources = root.appending(path: "Sources/SwiftUI").path(percentEncoded: false)
    let files = try #require(FileManager.default.enumerator(atPath: sources))
    var found: [Symbol] = []
    for case let path as String in files where path.hasSuffix(".swift") {
      // Widgets and bundles are described with the runtime.
      if path.hasPrefix("Widgets/") { continue }
      let text = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
      found += symbols(of: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
    return found
  }

  private static func symbols(of lines: [Substring]) -> [Symbol] {
    var found: [Symbol] = []
    var extended = ""
    var summary = ""
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("extension ") {
        extended = String(line.dropFirst(10).prefix { $0.isLetter })
      } else if line == "}" {
        extended = ""
      }
      let words = line.split(separator: " ")
      if words.first == "///" {
        if summary.isEmpty { summary = words.dropFirst().joined(separator: " ") }
        continue
      }
      if words.first?.hasPrefix("@") ?? false { continue }
      defer { summary = "" }
      guard let place = words.firstIndex(of: "public") else { continue }
      let rest = words[(place + 1)...].drop { ["nonisolated", "final", "static"].contains($0) }
      guard let keyword = rest.first, let second = rest.dropFirst().first else { continue }
      let name = String(second.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      if line.hasPrefix("public"), ["struct", "enum", "protocol", "class"].contains(keyword) {
        if name.hasPrefix("_") { continue }
        found.append(Symbol(kind: "type", name: name, summary: summary, returnsItsView: false))
      } else if extended == "View", keyword == "func", line.hasPrefix("  public") {
        let declaration = lines[index...].prefix { !$0.isEmpty }.joined(separator: " ")
        found.append(
          Symbol(
            kind: "modifier", name: name, summary: summary,
            returnsItsView: declaration.contains("{ self }")))
      } else if extended == "EnvironmentValues", keyword == "var", line.hasPrefix("  public") {
        found.append(
          Symbol(kind: "environment", name: name, summary: summary, returnsItsView: false))
      }
    }
    return found
  }
}
