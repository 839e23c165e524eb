import EventLoop

/// The second role of the program: the daemon starts it once more to supervise runs.
package enum RunSupervision {
  /// Whether these arguments, and standard input, say that this process is to supervise.
  package static func isAsked(_ arguments: [String]) -> Bool { Supervisor.isAsked(arguments) }

  /// Supervises until the daemon has ended; returns the exit status.
  package static func serve() -> Int32 { Supervisor.serve() }

  /// Denies others of the user to read this process' memory; false if the kernel refuses.
  ///
  /// The memory holds what a person asked for, and the passwords of proxies.
  package static func denyInspection() -> Bool { Supervisor.denyInspection() }
}
