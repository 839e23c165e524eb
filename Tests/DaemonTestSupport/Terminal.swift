import Glibc
import Testing

/// A terminal with the program's end and the test's end.
package final class Terminal {
  package let program: Int32
  private let ours: Int32
  private var text: [UInt8] = []

  package init() throws {
    // Open the terminal as posix_openpt and its companions do; Swift's Glibc module lacks them.
    ours = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: CInt = 0
    var isLocked: CInt = 0
    let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
    let getNumber: UInt = 0x8004_5430  // TIOCGPTN
    try #require(
      ours >= 0 && ioctl(ours, unlock, &isLocked) == 0 && ioctl(ours, getNumber, &number) == 0)
    let name = "/dev/pts/\(number)"
    program = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(program >= 0)
  }

  deinit {
    close(program)
    close(ours)
  }

  /// The terminal as the standard input, output and error of a program.
  package var descriptors: [(ours: Int32, theirs: Int32)] {
    [(program, 0), (program, 1), (program, 2)]
  }

  /// Types a text; the terminal echoes it.
  package func type(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(ours, $0.baseAddress, $0.count) }
      try #require(count > 0)
      rest = rest.dropFirst(count)
    }
  }

  /// Returns the output so far, all of it, with line feeds alone at the ends of lines.
  package func output() -> String {
    var entry = pollfd(fd: ours, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, 0) == 1 {
      var chunk = [UInt8](repeating: 0, count: 4_096)
      let count = read(ours, &chunk, chunk.count)
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    return String(decoding: text.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }
}
