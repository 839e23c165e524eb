import Glibc
package import PlainText

/// The descriptors of standard input, output and error.
package enum StandardDescriptors {
  /// A descriptor that text is written to.
  package enum Output: Int32, Hashable, Sendable {
    /// Standard output: the answer, which another program may read.
    case data = 1
    /// Standard error: words for a person.
    case messages = 2
  }

  /// Opens the null device in the place of each one that is closed (`>&-` in a shell); call it
  /// before anything else is opened.
  ///
  /// The next socket or database would get the free number: what the program prints would go into
  /// it, and libuv ends a program that closes such a number. The null device is opened the wrong
  /// way round, so that reading and writing fail as they do on a closed descriptor.
  package static func fill() {
    for (descriptor, flags) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is given, which is this one. Without a null device it stays closed.
      _ = open("/dev/null", flags)
    }
  }

  /// Writes the whole text, and waits where the reader is slow; returns `errno` if that fails, else
  /// `nil`.
  ///
  /// All programs write here, and only here: `TerminalText` says why. A test bans `print`, and the
  /// numbers of these descriptors, everywhere else.
  package static func write(_ text: TerminalText, to output: Output) -> Int32? {
    var text = text.text
    return text.withUTF8 { write($0, to: output) }
  }

  /// Writes the bytes of a file, such as a picture, to standard output, which must not be a
  /// terminal: no byte of them is cleaned.
  ///
  /// Returns `errno` if that fails, else `nil`.
  package static func write(file bytes: [UInt8]) -> Int32? {
    precondition(isatty(STDOUT_FILENO) == 0, "the bytes of a file steer a terminal")
    return bytes.withUnsafeBufferPointer { write($0, to: .data) }
  }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to output: Output) -> Int32? {
    var written = 0
    while written < bytes.count {
      let count = Glibc.write(
        output.rawValue, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        var entry = pollfd(fd: output.rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// Writes to standard error as much as it takes without waiting: for a daemon, which a reader
  /// that stopped reading must not hold up.
  ///
  /// The rest of the text is lost, since a message that cannot be written cannot be reported
  /// either. The descriptor stays as it is, because others share it; so it is asked before each
  /// piece.
  package static func complainAtOnce(_ text: TerminalText) {
    var text = text.text
    text.withUTF8 { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        var entry = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        let isReady = poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLOUT) != 0
        guard isReady else { return }
        let piece = UnsafeBufferPointer(rebasing: rest.prefix(pieceBytesMax))
        let count = Glibc.write(STDERR_FILENO, piece.baseAddress, piece.count)
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// The bytes that a pipe which is ready takes without waiting.
  ///
  /// Source: pipe(7), `PIPE_BUF`.
  private static let pieceBytesMax = 4_096
}

/// Writes `text` and a line break to standard output, for the programs of developers.
///
/// Ends the program if it cannot be written: with status 0 if nobody reads any more, else with 1.
package func say(_ text: String) {
  guard let code = StandardDescriptors.write(TerminalText(text + "\n"), to: .data) else { return }
  exit(code == EPIPE ? 0 : 1)
}
