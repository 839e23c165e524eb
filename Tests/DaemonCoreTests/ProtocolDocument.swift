import Foundation

/// `docs/PROTOCOL.md` as the test needs it: headings, tables, and one session of examples.
///
/// In a fenced `json` block `→ ` is a line that the client sends and `← ` one that comes back. A line that
/// starts with `# ` says what happens in the world at this point of the session; the test knows each of them.
struct ProtocolDocument {
  static let path = projectFolder + "docs/PROTOCOL.md"

  struct Step: Equatable {
    /// 1-based line in the document.
    var line: Int
    /// The `###` heading it stands under, or the `##` one.
    var heading: String
    /// With its mark: `→ …` or `# …`.
    var text: String
    /// What follows, without the marks.
    var replies: [String]
  }

  private(set) var lines: [String]
  private(set) var steps: [Step] = []
  /// `###` headings in order.
  private(set) var subheadings: [String] = []

  init(text: String) {
    lines = text.components(separatedBy: "\n")
    var heading = ""
    var isInExample = false
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        isInExample = line == "```json"
      } else if isInExample {
        if line.hasPrefix("→ ") || line.hasPrefix("# ") {
          steps.append(Step(line: index + 1, heading: heading, text: line, replies: []))
        } else if line.hasPrefix("← "), !steps.isEmpty {
          steps[steps.count - 1].replies.append(String(line.dropFirst(2)))
        }
      } else if line.hasPrefix("### ") {
        heading = String(line.dropFirst(4))
        subheadings.append(heading)
      } else if line.hasPrefix("## ") {
        heading = String(line.dropFirst(3))
      }
    }
  }

  /// The rows of the table under `## heading`, each as its cells.
  func table(_ heading: String) -> [[String]] {
    guard let start = lines.firstIndex(of: "## \(heading)") else { return [] }
    let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
    return section.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
      line.dropFirst().dropLast().components(separatedBy: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
  }

  /// Every `noun.verb` in backticks outside of the examples, with whatever noun.
  var names: Set<String> {
    var found: Set<String> = []
    for line in lines where !line.hasPrefix("→ ") && !line.hasPrefix("← ") {
      for (index, piece) in line.components(separatedBy: "`").enumerated() where index % 2 == 1 {
        let words = piece.components(separatedBy: ".")
        let isName =
          words.count == 2
          && words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isLetter && $0.isASCII }
          }
        if isName { found.insert(piece) }
      }
    }
    return found
  }

  /// The document with these replies in place of its own, one list for each step.
  func updated(_ replies: [[String]]) -> String {
    let starts = Dictionary(uniqueKeysWithValues: zip(steps.map { $0.line - 1 }, replies))
    var result: [String] = []
    var isFenced = false
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") { isFenced = line == "```json" }
      if isFenced, line.hasPrefix("← ") { continue }
      result.append(line)
      for reply in starts[index] ?? [] { result.append("← " + reply) }
    }
    return result.joined(separator: "\n")
  }
}
