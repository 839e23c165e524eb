import Glibc
import PlainText

/// The arguments that the program was started with.
package enum ProgramArguments {
  /// Returns the arguments behind the program's name, or ends the program with status 64, wrong
  /// usage, when they cannot be read.
  ///
  /// Swift reads them from /proc/self/cmdline. Without /proc, as in a bare chroot, it gives an
  /// empty list and no error, and `intentd --version` would start the daemon. A list that was read
  /// has at least the program's name.
  package static func read(by program: String) -> [String] {
    let all = CommandLine.arguments
    guard all.isEmpty else { return Array(all.dropFirst()) }
    let text = """
      \(program): the arguments cannot be read, because /proc is not mounted
        mount it first: mount -t proc proc /proc

      """
    // Best effort: standard error may be closed, and the status says the same.
    _ = StandardDescriptors.write(TerminalText(text), to: .messages)
    exit(64)
  }
}
