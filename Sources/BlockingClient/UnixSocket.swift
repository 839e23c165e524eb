import Glibc

/// A connected Unix stream socket for programs without an event loop: each call has a deadline.
///
/// One thread may read while others write. `shutDown` wakes the reader. `deinit` closes the
/// descriptor, so no thread can use its number after the kernel gave it to another file.
package final class UnixSocket: Sendable {
  package let path: String
  /// The socket, open until `deinit`.
  package let descriptor: Int32

  /// The longest path that fits into `sockaddr_un` with its final zero, in bytes.
  package static let pathBytesMax = 107

  /// Connects to the daemon's socket at `path`, if the place and the process that listens belong to
  /// the user `me`.
  ///
  /// A local connection succeeds or fails at once. It waits, until `deadline`, only while the
  /// daemon's queue of new connections is full, and then throws `.cannotConnect` with `EAGAIN`.
  /// Tests give another user than this one as `me`.
  package init(
    connectingTo path: String, before deadline: MonotonicDeadline, as me: UInt32 = geteuid()
  ) throws(ClientError) {
    guard path.utf8.count <= Self.pathBytesMax else {
      throw .pathTooLong(path: path, bytesMax: Self.pathBytesMax)
    }
    if let doubt = PeerDoubt.ofPlace(path, for: me) { throw .notTrusted(path: path, doubt) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .cannotConnect(path: path, errno: errno) }
    self.path = path
    self.descriptor = descriptor

    // The kernel limits a waiting connect by the send timeout. Best effort: without it the call
    // waits until there is room.
    var timeout = timeval()
    let milliseconds = max(1, deadline.millisecondsLeft)
    timeout.tv_sec = Int(milliseconds / 1000)
    timeout.tv_usec = Int(milliseconds % 1000) * 1000
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))

    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    var result: Int32
    repeat {
      result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    } while result != 0 && errno == EINTR
    guard result == 0 else {
      // `deinit` closes the descriptor: every stored property is set here.
      switch errno {
      case ENOENT, ECONNREFUSED: throw .noDaemon(path: path)
      case let code: throw .cannotConnect(path: path, errno: code)
      }
    }
    if let doubt = PeerDoubt.ofListener(descriptor, for: me) {
      throw .notTrusted(path: path, doubt)
    }
  }

  deinit { close(descriptor) }

  /// Sends all of `bytes`, or throws; then a part of them may have been sent.
  ///
  /// A connection that is gone raises no SIGPIPE, but throws `.connectionLost`.
  package func send(_ bytes: [UInt8], before deadline: MonotonicDeadline) throws(ClientError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        Glibc.send(
          descriptor, raw.baseAddress.map { $0 + sent }, raw.count - sent,
          Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count >= 0 {
        sent += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        guard try wait(for: Int16(POLLOUT), before: deadline) else { throw .sendTimedOut }
      default: throw .connectionLost(path: path)
      }
    }
  }

  /// The outcome of `receive`.
  package enum Received: Hashable, Sendable {
    case bytes(count: Int)
    /// Nothing came before the deadline.
    case timedOut
    /// The daemon closed the connection, or this side shut it down.
    case ended
  }

  /// Waits for bytes and copies as many as fit to the start of `buffer`.
  package func receive(
    into buffer: inout [UInt8], before deadline: MonotonicDeadline
  ) throws(ClientError) -> Received {
    precondition(!buffer.isEmpty, "there must be room for a byte")
    while true {
      let count = buffer.withUnsafeMutableBytes { raw in
        recv(descriptor, raw.baseAddress, raw.count, Int32(MSG_DONTWAIT))
      }
      if count > 0 { return .bytes(count: count) }
      if count == 0 { return .ended }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        guard try wait(for: Int16(POLLIN), before: deadline) else { return .timedOut }
      case ECONNRESET: return .ended
      default: throw .connectionLost(path: path)
      }
    }
  }

  /// Ends the connection in both directions; a thread that waits in `receive` gets `.ended`.
  package func shutDown() {
    // Best effort: it fails only when the other side has ended the connection already.
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Waits until the socket is ready; returns false if the deadline came first.
  private func wait(
    for events: Int16, before deadline: MonotonicDeadline
  ) throws(ClientError) -> Bool {
    while true {
      var entry = pollfd(fd: descriptor, events: events, revents: 0)
      let left = deadline.millisecondsLeft
      let ready = poll(&entry, 1, left == .max ? -1 : Int32(clamping: left))
      if ready > 0 { return true }
      if ready == 0 {
        if deadline.millisecondsLeft <= 0 { return false }
      } else if errno != EINTR {
        throw .connectionLost(path: path)
      }
    }
  }
}

/// The moment to stop waiting, on the monotonic clock, which nobody can set.
package struct MonotonicDeadline: Hashable, Sendable {
  /// Milliseconds of CLOCK_MONOTONIC; `nil` waits for ever.
  private let milliseconds: Int64?

  private init(milliseconds: Int64?) { self.milliseconds = milliseconds }

  /// A deadline that never passes.
  package static let never = MonotonicDeadline(milliseconds: nil)

  /// Returns the deadline so many milliseconds from now; a negative number is 0.
  package static func after(milliseconds: Int64) -> MonotonicDeadline {
    let (sum, overflow) = now().addingReportingOverflow(max(0, milliseconds))
    return overflow ? .never : MonotonicDeadline(milliseconds: sum)
  }

  /// The milliseconds that are left: 0 once the deadline has passed, `.max` for `.never`.
  package var millisecondsLeft: Int64 {
    guard let milliseconds else { return .max }
    return max(0, milliseconds - Self.now())
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
