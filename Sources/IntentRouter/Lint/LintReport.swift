package import JSON

/// One mistake in a document, or a place that the author probably meant otherwise.
package struct LintFinding: Hashable, Sendable {
  /// The sort of a finding.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An issue that loading the document reports.
    case document
    /// A branch with nothing in it, which never matches.
    case emptyBranch
    /// A template that no sentence fits.
    case neverMatches
    /// A repeated template.
    case duplicate
    /// A template whose sentences all go to another one.
    case unreachable
    /// A sentence of two intents, with nothing to choose by.
    case sharedSentence
    /// A template that matches an example of another intent, or a sentence that must not match.
    case overMatch
    /// An example that is not understood.
    case example
    /// A sentence that fits the templates in more ways than are looked at.
    case tooComplex
  }

  package var kind: Kind
  package var issue: DocumentIssue
  /// The file of the other party, where there is one.
  var otherFile: String?

  package init(kind: Kind, issue: DocumentIssue, otherFile: String? = nil) {
    self.kind = kind
    self.issue = issue
    self.otherFile = otherFile
  }
}

/// A template and the number of its sentences.
package struct LintedTemplate: Hashable, Sendable {
  package var file: String
  /// 1-based.
  package var line: Int
  package var language: String
  package var intent: String
  package var template: String
  package var sentences: SentenceCount
  /// Sentences of it that were made and recognised.
  package var tried = 0
}

/// The findings about a catalogue's documents, and the number of sentences of each template.
package struct LintReport: Hashable, Sendable {
  /// By file and line; at most `Limits.lintedFindingsMax`.
  package var findings: [LintFinding] = []
  /// Findings beyond those.
  package var omitted = 0
  /// By language, then by file and line.
  package var templates: [LintedTemplate] = []
  /// Languages whose templates were not all tried, since they cost too much; sorted.
  package var languagesCutShort: [String] = []

  package init() {}

  /// Sentences of the templates that were made and recognised.
  package var sentencesTried: Int { templates.reduce(0) { $0 + $1.tried } }

  /// Sentences of all templates together.
  package var sentences: SentenceCount {
    templates.reduce(SentenceCount.none) { $0.adding($1.sentences) }
  }
}
