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
  static func begin() -> Int32? { SignalPipe.begin([hidden, shown]) }
}
