import Glibc

/// The two signals with which i3bar and swaybar say that the bar is hidden, and shown again.
///
/// Without signals of our own they stop the process, which then reads nothing from the daemon and
/// keeps its widgets watched although nobody sees them.
enum BarSignals {
  static let hidden = SIGUSR1
  static let shown = SIGUSR2

  /// Handles the two signals; returns a descriptor from which their numbers are read, one byte
  /// each, or `nil` if there is none left.
  static func begin() -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    barSignalPipe = ends[1]
    for signal in [hidden, shown] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { noteBarSignal($0) }
      sigaction(signal, &action, nil)
    }
    return ends[0]
  }
}

/// Where the handler writes; this program has one thread, which sets it before it installs the
/// handler.
nonisolated(unsafe) private var barSignalPipe: Int32 = -1

private func noteBarSignal(_ signal: Int32) {
  let before = errno
  var number = UInt8(truncatingIfNeeded: signal)
  // Best effort: a full pipe has the same signal in it already.
  _ = write(barSignalPipe, &number, 1)
  errno = before
}
