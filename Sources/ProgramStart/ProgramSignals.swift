import Glibc

/// The signals that the program takes.
package enum ProgramSignals {
  /// Unblocks every signal; call it before the first thread starts.
  ///
  /// A program inherits the mask of the thread that started it. The worker threads of libdispatch
  /// block most signals, and so do other launchers: a program that they start would hear neither
  /// SIGTERM, nor Ctrl-C, nor that its terminal has another size. Signals that the parent ignores
  /// stay ignored, as `nohup` wants it.
  package static func unblock() {
    var none = sigset_t()
    sigemptyset(&none)
    // Cannot fail: the set is valid, and so is the way to use it.
    sigprocmask(SIG_SETMASK, &none, nil)
  }
}
