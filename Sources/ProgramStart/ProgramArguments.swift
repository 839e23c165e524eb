import Glibc
import PlainText

/// The arguments that the program was started with.
package enum ProgramArguments {
  /// Returns the arguments behind the program's name, or ends the program with status 64, wrong
  /// usage, when they cannot be read.
  ///
  /// A program with Swift's runtime in it has them from `CArguments`. Elsewhere the runtime reads them
  /// from /proc/self/cmdline. Without /proc, as in a bare chroot, it gives an empty list and no error,
  /// and `intentd --version` would start the daemon. A list that was read has at least the program's
  /// name.
  package static func read(by program: String) -> [String] {
    let count = Int(CommandLine.argc)
    if count > 0 {
      var arguments: [String] = []
      arguments.reserveCapacity(count)
      for index in 1..<max(count, 1) {
        guard let argument = unsafe CommandLine.unsafeArgv[index] else { break }
        unsafe arguments.append(String(cString: argument))
      }
      return arguments
    }
    let text = """
      \(program): the arguments cannot be read, because /proc is not mounted
        mount it first: mount -t proc proc /proc

      """
    // Best effort: standard error may be closed, and the status says the same.
    _ = StandardDescriptors.write(TerminalText(text), to: .messages)
    exit(64)
  }
}
