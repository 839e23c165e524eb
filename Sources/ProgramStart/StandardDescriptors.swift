import Glibc

/// The descriptors of standard input, output and error.
package enum StandardDescriptors {
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
}
