import Glibc

/// A pipe that brings the numbers of signals into a loop, one byte each.
///
/// A handler may hardly do anything; the loop that reads the pipe may do everything.
enum SignalPipe {
  /// Handles `signals` from now on; returns the descriptor from which their numbers are read, or
  /// `nil` if there is none left.
  ///
  /// To be called once: a program has one loop.
  static func begin(_ signals: [Int32]) -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    writingEnd = ends[1]
    for signal in signals { handle(signal) }
    return ends[0]
  }

  /// Handles a signal, which had its default action for a while.
  static func handle(_ signal: Int32) { setAction(signal) { note($0) } }

  /// Installs a handler; `nil` is the default action.
  static func setAction(_ signal: Int32, _ handler: (@convention(c) (Int32) -> Void)?) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    sigaction(signal, &action, nil)
  }
}

/// Where `note` writes; this program has one thread, which sets it before it installs a handler.
nonisolated(unsafe) private var writingEnd: Int32 = -1

/// Tells the loop of a signal.
private func note(_ signal: Int32) {
  let before = errno
  var number = UInt8(truncatingIfNeeded: signal)
  // Best effort: a full pipe has the same signal in it already.
  _ = write(writingEnd, &number, 1)
  errno = before
}
