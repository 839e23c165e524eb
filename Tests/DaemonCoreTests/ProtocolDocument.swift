import Foundation

/// Reads `docs/PROTOCOL.md`: its headings, its tables, and its examples, which are one session.
///
/// In a fenced `json` block, `→ ` marks a line that the client sends and `← ` a line that it gets.
/// A line with `# ` is an event around the daemon at this point of the session; the test knows
/// each.
struct ProtocolDocument {
  static let path = projectFolder + "docs/PROTOCOL.md"

  struct Step: Equatable {
    /// The line in the document, from 1.
    var line: Int
    /// The `###` heading above the step, or else the `##` heading.
    var heading: String
    /// The text with its mark: `→ …` or `# …`.
    var text: String
    /// The replies that follow, without their marks.
    var replies: [String]
  }

  private(set) var lines: [String]
  private(set) var steps: [Step] = []
  /// The `###` headings in order.
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

  /// Returns the rows of the table under `## heading`, each as its cells.
  func table(_ heading: String) -> [[String]] {
    guard let start = lines.firstIndex(of: "## \(heading)") else { return [] }
    let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
    return section.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
      line.dropFirst().dropLast().components(separatedBy: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
  }

  /// The names of the form `noun.verb` in backticks outside of the examples.
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

  /// Returns the document with these replies instead of its own, one list for each step.
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
