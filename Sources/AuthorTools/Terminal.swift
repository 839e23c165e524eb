import Glibc

/// Standard output of the tools for authors.
enum Terminal {
  /// Writes all of a text to standard output.
  static func emit(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        // Best effort: nobody reads the report.
        return
      }
      bytes = bytes.dropFirst(count)
    }
  }
}
