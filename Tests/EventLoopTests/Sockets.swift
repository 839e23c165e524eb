import Glibc

/// Returns the two ends of a new stream connection; the caller closes them.
func socketPair() -> (Int32, Int32) {
  var ends: [Int32] = [-1, -1]
  let status = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
  precondition(status == 0)
  return (ends[0], ends[1])
}

/// Calls `body` with the address of `path`; a path that begins with `@` is an abstract name.
func withAddress<Result>(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  var length = socklen_t(MemoryLayout<sockaddr_un>.size)
  if path.hasPrefix("@") {
    withUnsafeMutableBytes(of: &address.sun_path) { $0[0] = 0 }
    length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
  }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
  }
}

/// Returns a connected socket, or -errno.
func connect(to path: String) -> Int32 {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  let status = withAddress(path) { Glibc.connect(descriptor, $0, $1) }
  guard status == 0 else {
    let error = errno
    close(descriptor)
    return -error
  }
  return descriptor
}

/// Returns a bound, non-blocking datagram socket.
func datagramSocket(at path: String) -> Int32 {
  let descriptor = socket(
    AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
  let status = withAddress(path) { bind(descriptor, $0, $1) }
  precondition(status == 0)
  return descriptor
}

/// Returns the number of open descriptors of this process, below 1,024.
func openDescriptors() -> Int {
  var count = 0
  for number in Int32(0)..<1024 where fcntl(number, F_GETFD) >= 0 { count += 1 }
  return count
}
