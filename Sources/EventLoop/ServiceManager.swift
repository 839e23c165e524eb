import CPosix
import Glibc

/// A listening socket that the service manager opened for this process.
package struct InheritedSocket: Hashable, Sendable {
  package var descriptor: Int32
  /// The `FileDescriptorName=` of the socket unit; `unknown` if it has none.
  package var name: String
}

/// Returns the sockets that systemd passed to this process by socket activation, if any.
///
/// Makes them close-on-exec and removes LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES from this
/// process' environment. `firstDescriptor` is 3 by that protocol; tests use others. Source:
/// sd_listen_fds(3).
package func readSocketActivation(
  environment: [String: String], firstDescriptor: Int32 = 3
) -> [InheritedSocket] {
  for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { _ = unsafe unsetenv(name) }
  guard
    let pid = environment["LISTEN_PID"].flatMap({ Int32($0) }), pid == getpid(),
    let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...activatedSocketsMax) ~= count
  else { return [] }
  let names = (environment["LISTEN_FDNAMES"] ?? "")
    .split(separator: ":", omittingEmptySubsequences: false)
  return (0..<count).compactMap { index in
    let descriptor = firstDescriptor + index
    // The descriptor is not open: the variables are not for this process.
    guard cposix_close_on_exec(descriptor) == 0 else { return nil }
    let name = names.indices.contains(Int(index)) ? String(names[Int(index)]) : ""
    return InheritedSocket(descriptor: descriptor, name: name.isEmpty ? "unknown" : name)
  }
}

/// The largest number of sockets; more would be a mistake in the unit.
private let activatedSocketsMax: Int32 = 64

/// Sends the service manager a state: `READY=1`, `STATUS=…` or `WATCHDOG=1`, or several lines of
/// them.
///
/// Does nothing without $NOTIFY_SOCKET. Source: sd_notify(3).
package func notifySystemd(_ state: String) {
  guard let variable = unsafe getenv("NOTIFY_SOCKET") else { return }
  // Best effort: the daemon works without a manager that listens.
  _ = unsafe cposix_notify(variable, state, state.utf8.count)
}
