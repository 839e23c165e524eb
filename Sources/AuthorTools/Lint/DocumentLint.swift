import IntentRouter
import JSON
import NumberWords
import PlainText

/// `intentd --lint FILE…` reports mistakes in sentence documents, and the number of sentences of
/// each template.
///
/// It is a tool for authors, as `--try` is: one process that ends, without a daemon and without a
/// store.
package struct DocumentLint {
  private let paths: [String]
  private let showsCounts: Bool

  /// Makes a linter.
  ///
  /// `showsCounts` lists each template with the number of its sentences; without it, only the
  /// templates of a single file are listed.
  package init(paths: [String], showsCounts: Bool) {
    self.paths = paths
    self.showsCounts = showsCounts
  }

  /// Returns the exit code: 0 when nothing was found, 1 for any error or warning.
  package func run(asJSON: Bool) -> Int32 {
    let files = LintFiles(paths)
    var whole = LintReport()
    whole.findings = files.issues.map { LintFinding(kind: .document, issue: $0) }
    for group in files.groups {
      let report = Lint.report(
        on: group.sources, only: group.files,
        spelling: { NumberWords.words(forTenths: $0, language: $1) })
      whole.findings += report.findings
      whole.omitted += report.omitted
      whole.templates += report.templates
      whole.languagesCutShort += report.languagesCutShort
    }
    if whole.findings.isEmpty, files.groups.allSatisfy(\.sources.isEmpty) {
      let issue = DocumentIssue(
        file: paths.first ?? ".", line: 0, message: "there is nothing to lint",
        expected: "a sentence document, or a folder of intents")
      whole.findings.append(LintFinding(kind: .document, issue: issue))
    }
    if asJSON {
      Terminal.emit(Terminal.line(of: Self.json(whole)))
    } else {
      let isOneFile = paths.count == 1 && files.groups.allSatisfy { $0.files?.count == 1 }
      Terminal.emit(TerminalText(Self.text(whole, withCounts: showsCounts || isOneFile)))
    }
    return whole.findings.isEmpty ? 0 : 1
  }

  // MARK: For people

  private static func text(_ report: LintReport, withCounts: Bool) -> String {
    var lines = report.findings.map(\.issue.description)
    if report.omitted > 0 { lines.append("… and \(report.omitted) more") }
    if withCounts, !report.templates.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines += table(report.templates)
      lines.append("")
    }
    for language in report.languagesCutShort {
      lines.append(
        "the \(language) templates cost too much to try them all; what was tried is said above")
    }
    lines.append(summary(report))
    // Keys and texts of documents are in it.
    return lines.flatMap(printableLines).map { $0 + "\n" }.joined()
  }

  /// Number, place and text of each template.
  private static func table(_ templates: [LintedTemplate]) -> [String] {
    let rows = templates.map { template in
      (
        number: template.sentences.numberText, note: template.sentences.note,
        place: "\(template.file):\(template.line)", text: template.template
      )
    }
    let numberWidth = rows.map(\.number.count).max() ?? 0
    let noteWidth = rows.map(\.note.count).max() ?? 0
    let placeWidth = rows.map(\.place.count).max() ?? 0
    return rows.map { row in
      var line = padding(row.number, numberWidth) + row.number
      if noteWidth > 0 { line += " " + row.note + padding(row.note, noteWidth) }
      return line + "  " + row.place + padding(row.place, placeWidth) + "  " + row.text
    }
  }

  /// `clean: 84 templates, 229,066,086 sentences (some × any text); 2444 of them tried`.
  private static func summary(_ report: LintReport) -> String {
    let errors = report.findings.count { $0.issue.severity == .error }
    let warnings = report.findings.count - errors + report.omitted
    let found =
      errors == 0 && warnings == 0
      ? "clean" : "\(plural(errors, "error")), \(plural(warnings, "warning"))"
    guard !report.templates.isEmpty else { return "\(found): no templates" }
    let count = report.sentences
    let note = count.note.isEmpty ? "" : " (some \(count.note))"
    return "\(found): \(plural(report.templates.count, "template")), \(count.numberText) "
      + (count.number == 1 ? "sentence" : "sentences") + note + "; \(report.sentencesTried) tried"
  }

  private static func plural(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func padding(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 0))
  }

  // MARK: For machines

  private static func json(_ report: LintReport) -> JSONValue {
    let findings = report.findings.map { finding -> JSONValue in
      let issue = finding.issue
      return [
        "kind": .string(finding.kind.rawValue), "severity": .string(issue.severity.rawValue),
        "file": .string(issue.file), "line": .int(Int64(issue.line)),
        "message": .string(issue.message), "expected": .string(issue.expected),
      ]
    }
    let templates = report.templates.map { template -> JSONValue in
      [
        "file": .string(template.file), "line": .int(Int64(template.line)),
        "language": .string(template.language), "intent": .string(template.intent),
        "template": .string(template.template),
        "sentences": .int(Int64(template.sentences.number)),
        "orMore": .bool(template.sentences.isSaturated),
        "anyText": .bool(template.sentences.hasAnyText),
        "anyName": .bool(template.sentences.hasRequestLists),
      ]
    }
    return [
      "ok": .bool(report.findings.isEmpty), "findings": .array(findings),
      "omitted": .int(Int64(report.omitted)), "templates": .array(templates),
      "tried": .int(Int64(report.sentencesTried)),
      "cutShort": .array(report.languagesCutShort.map { .string($0) }),
    ]
  }
}
