/// Writes paths into commands that a person may copy.
package enum ShellWord {
  /// Returns a path as a shell reads it, in quotes where it needs them.
  package static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "._-/+=:,@%~".utf8.contains(byte)
    }
    guard !isPlain || path.isEmpty else { return path }
    let parts = path.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(parts.joined(separator: "'\\''"))'"
  }
}
