import JSON

/// Branches with nothing in them: `(a|)`.
///
/// The document format's parser makes them branches that never match, not even the empty text,
/// while most authors mean `[a]`. Real documents have them and rely on it, so they load; the linter
/// tells. `[a|]` is left alone: an optional has a branch for nothing of its own. `()` and `[]` do
/// not load.
struct EmptyBranchSearch {
  private(set) var findings: [LintFinding] = []
  let file: String

  /// Looks through a sentence document or a list document.
  static func findings(in source: CatalogSource) -> [LintFinding] {
    var search = EmptyBranchSearch(file: source.file)
    guard source.kind == .sentences || source.kind == .list else { return [] }
    search.look(atNamesOf: source.document)
    for intent in members(source.document["intents"]) {
      for block in elements(intent.value["data"]) {
        search.look(atNamesOf: block)
        for sentence in elements(block["sentences"]) { search.look(at: sentence, "the sentence") }
      }
    }
    return search.findings
  }

  private init(file: String) { self.file = file }

  private mutating func look(atNamesOf value: LocatedValue) {
    for rule in Self.members(value["expansion_rules"]) {
      look(at: rule.value, "the rule <\(rule.key)>")
    }
    for list in Self.members(value["lists"]) {
      for element in Self.elements(list.value["values"]) {
        let spoken = element["in"] ?? element
        guard let text = spoken.json.stringValue, PhraseTemplate.hasSyntax(text) else { continue }
        look(at: spoken, "the value")
      }
    }
  }

  private mutating func look(at value: LocatedValue, _ what: String) {
    guard let source = value.json.stringValue, let template = Self.parsed(source),
      Self.hasEmptyBranch(template.root)
    else { return }
    findings.append(
      LintFinding(
        kind: .emptyBranch,
        issue: DocumentIssue(
          severity: .warning, file: file, line: value.line,
          message: "\(what) \(quoted(source)) has an empty branch, "
            + "which never matches: not even when nothing is said",
          expected: "[a] or (a| ) where a may be left out, else (a) without the '|'")))
  }

  /// Parses a template; `nil` if it cannot be parsed, which the loader reports.
  private static func parsed(_ source: String) -> PhraseTemplate? {
    do throws(PhraseSyntaxError) { return try PhraseTemplate(parsing: source) } catch { return nil }
  }

  /// The parser's limits bound the depth.
  private static func hasEmptyBranch(_ item: PhraseItem) -> Bool {
    switch item {
    case .chunk, .list, .rule, .nothing: return false
    case .sequence(let items), .permutation(let items): return items.contains(where: hasEmptyBranch)
    case .alternative(let items):
      if items.last != .nothing, items.contains(.sequence([])) { return true }
      return items.contains(where: hasEmptyBranch)
    }
  }

  private static func members(_ value: LocatedValue?) -> [LocatedValue.Member] {
    guard case .object(let members)? = value?.node else { return [] }
    return members
  }

  private static func elements(_ value: LocatedValue?) -> [LocatedValue] {
    guard case .array(let elements)? = value?.node else { return [] }
    return elements
  }
}
