/// Returns a path or a name as one word of a command that a person copies into a shell.
///
/// One with other characters than those of plain names is in quotes. Whatever `printable` replaces is
/// replaced, so a name with a line break or a control character names no file any more; the command
/// fails, and does nothing else. O(length).
package func shellWord(_ text: String) -> String {
  let isPlain =
    !text.isEmpty
    && text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "._-/+=:,@%".utf8.contains(byte)
    }
  return isPlain ? text : shellQuoted([printable(text)])
}

/// Returns `words` as one argument, quoted for a shell.
package func shellQuoted(_ words: some Sequence<String>) -> String {
  let text = words.joined(separator: " ")
  guard text.contains(where: { "\"$`\\!".contains($0) }) else { return "\"\(text)\"" }
  let escaped = text.split(separator: "'", omittingEmptySubsequences: false)
    .joined(separator: "'\\''")
  return "'\(escaped)'"
}
