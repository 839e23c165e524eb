package import JSON

/// One file after reading: its value, if it has a usable one, and its issues.
package struct LoadedDocument: Sendable {
  /// The name that messages use.
  package var file: String
  /// The value of the file; `nil` when the file is empty or an error leaves nothing usable.
  package var value: LocatedValue?
  package var issues: [DocumentIssue]

  package init(file: String, value: LocatedValue?, issues: [DocumentIssue]) {
    self.file = file
    self.value = value
    self.issues = issues
  }
}
