import JSON
import PlainText
import WidgetCenter

/// The values that a trial gives to a kind without an intent: `--set NAME=value`.
///
/// A plugin has variables, of its tags or its manifest, and a trial runs it with other values of
/// them. An intent has parameters, which its definition judges.
enum TrialValues {
  /// Gives a plugin the values of these assignments; returns a sentence for each that has no effect.
  ///
  /// A text without `=` is refused elsewhere.
  static func take(_ assignments: [String], into kind: inout WidgetKind) -> [String] {
    guard kind.intent == nil else { return [] }
    var sentences: [String] = []
    for assignment in assignments {
      guard let equals = assignment.firstIndex(of: "=") else { continue }
      let written = assignment[..<equals]
      let name = String(written.hasSuffix(":") ? written.dropLast() : written)
      let isPlugin = kind.provider.plugin != nil
      let names = isPlugin ? kind.provider.environment.map(\.name) : []
      if let index = names.firstIndex(of: name) {
        kind.provider.environment[index].value = String(
          assignment[assignment.index(after: equals)...])
        continue
      }
      let lack = isPlugin ? "no variable of \(kind.kind)" : "no parameter of \(kind.kind)"
      let near = didYouMean(nearest(to: name, among: names, countMax: 1))
      let rest =
        !near.isEmpty
        ? near : names.isEmpty ? "; it has none" : "; it has \(names.joined(separator: ", "))"
      sentences.append("--set: '\(printable(name))' is \(lack), and is ignored\(rest)")
    }
    return sentences
  }
}
