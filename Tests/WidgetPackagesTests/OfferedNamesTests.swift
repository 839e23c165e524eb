import Foundation
import Testing

@testable import WidgetPackages

/// Compares the names that `--from` takes for offered with the sources of the SDK.
///
/// `INTENTD_GOLDEN=write swift test --filter OfferedNamesTests` writes the list anew.
struct OfferedNamesTests {
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `the list has the names of the sources`() throws {
    var types: Set<String> = []
    var members: Set<String> = []
    for module in OfferedModules.ofSDK + ["FoundationAdditions"] {
      let folder = Self.root.appending(path: "Sources/\(module)").path
      let files = try #require(FileManager.default.enumerator(atPath: folder))
      for case let path as String in files where path.hasSuffix(".swift") {
        read(
          try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8), &types, &members)
      }
    }
    let text = """
      // Written by OfferedNamesTests from the sources of the SDK.
      // swift-format-ignore-file

      extension OfferedNames {
        /// The types of the SDK.
        static let types: Set<Substring> = Set(
          \"""
      \(lines(types))
          \""".split { $0 == " " || $0 == "\\n" })

        /// The functions, properties and cases of the SDK.
        static let members: Set<Substring> = Set(
          \"""
      \(lines(members))
          \""".split { $0 == " " || $0 == "\\n" })
      }

      """
    let file = Self.root.appending(path: "Sources/WidgetPackages/OfferedNames+SDK.swift")
    if ProcessInfo.processInfo.environment["INTENTD_GOLDEN"] == "write" {
      try Data(text.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "OfferedNames+SDK.swift differs")
  }

  /// Each symbol of the page `docs/SWIFTUI.md` is offered.
  @Test func `the names of the page are offered`() throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "docs/SWIFTUI.md"), encoding: .utf8)
    let (_, listed) = try #require(page.split(separator: "## The first level: exact").splat)
    for row in listed.split(separator: "\n") where row.hasPrefix("| `") {
      let name = String(row.dropFirst(3).prefix { $0 != "`" })
      let isOffered =
        name.first?.isUppercase == true
        ? OfferedNames.hasType(name) : OfferedNames.hasMember(name)
      #expect(isOffered, "\(name)")
    }
  }

  private func lines(_ names: Set<String>) -> String {
    var lines: [String] = [""]
    for name in names.sorted() {
      if lines[lines.count - 1].count + name.count + 1 > 92 { lines.append("") }
      lines[lines.count - 1] += lines[lines.count - 1].isEmpty ? name : " \(name)"
    }
    return lines.map { "    \($0)" }.joined(separator: "\n")
  }

  /// Takes the declarations that `swift format` lays out in one way: each on a line of its own.
  private func read(_ text: String, _ types: inout Set<String>, _ members: inout Set<String>) {
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "typealias", "associatedtype", "actor",
    ]
    for line in text.split(separator: "\n") {
      let words = line.split { !($0.isLetter || $0.isNumber || "_@`".contains($0)) }
      let rest = words.drop { word in
        word.hasPrefix("@")
          || [
            "public", "open", "nonisolated", "unsafe", "final", "static", "class", "mutating",
            "convenience", "override", "indirect", "freestanding", "declaration", "package",
          ].contains(word) && !(word == "class" && words.contains("public") && words.count == 2)
      }
      let isPublic = words.contains("public") || words.contains("open")
      guard let keyword = rest.first else { continue }
      let name = rest.dropFirst().first?.filter { $0 != "`" } ?? ""
      if keyword == "case" {
        for name in line.drop(while: { $0 == " " }).dropFirst(5).split(separator: ",") {
          let word = name.drop { $0 == " " || $0 == "`" }.prefix { $0.isLetter || $0.isNumber }
          if word.first?.isLowercase == true { members.insert(String(word)) }
        }
      } else if kinds.contains(keyword), isPublic || keyword == "associatedtype" {
        if name.first?.isUppercase == true { types.insert(String(name)) }
      } else if isPublic, words.contains("class"), !["func", "var"].contains(keyword) {
        // `open class INIntent`: "class" was taken for the word of a member.
        types.insert(String(keyword))
      } else if ["func", "var", "let"].contains(keyword) {
        // Requirements of a protocol have no access level of their own.
        if name.first?.isLowercase == true { members.insert(String(name)) }
      }
    }
  }
}

extension Array {
  /// Two elements, if there are just two.
  fileprivate var splat: (Element, Element)? { count == 2 ? (self[0], self[1]) : nil }
}
