import CPosix
import Glibc

/// A listening socket the service manager opened for us.
package struct InheritedSocket: Hashable, Sendable {
  package var descriptor: Int32
  /// `FileDescriptorName=` of the socket unit, `unknown` when it has none.
  package var name: String
}

/// Sockets of systemd's socket activation; empty if there are none, or they are meant for another
/// process.
///
/// Makes them close-on-exec and removes LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES from this
/// process' environment. Source: sd_listen_fds(3).
///
/// `firstDescriptor`: 3 by that protocol; tests have others.
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
    // Not open: whoever set the variables did not mean it.
    guard cposix_close_on_exec(descriptor) == 0 else { return nil }
    let name = names.indices.contains(Int(index)) ? String(names[Int(index)]) : ""
    return InheritedSocket(descriptor: descriptor, name: name.isEmpty ? "unknown" : name)
  }
}

/// More would be a mistake in the unit.
private let activatedSocketsMax: Int32 = 64

/// Tells the service manager something: `READY=1`, `STATUS=…`, `WATCHDOG=1`; several lines at once
/// if need be.
///
/// Does nothing without $NOTIFY_SOCKET. Source: sd_notify(3).
package func notifySystemd(_ state: String) {
  guard let variable = unsafe getenv("NOTIFY_SOCKET") else { return }
  // Best effort: a manager that does not listen is not our failure.
  _ = unsafe cposix_notify(variable, state, state.utf8.count)
}
