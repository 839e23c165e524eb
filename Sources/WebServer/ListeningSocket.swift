import Glibc

/// An error of the server or of a socket.
package struct WebServerError: Error, Equatable, Sendable {
  /// The operation, in words that follow "cannot".
  package var operation: String
  package var context: String
  /// The system's error number; 0: the reason is in the context.
  package var errno: Int32

  package init(operation: String, context: String, errno: Int32) {
    self.operation = operation
    self.context = context
    self.errno = errno
  }

  /// A sentence for a person.
  package var message: String {
    guard errno != 0, let text = unsafe strerror(errno) else {
      return "cannot \(operation) \(context)"
    }
    return unsafe "cannot \(operation) \(context): \(String(cString: text))"
  }
}

/// A socket of TCP that listens.
@safe
package struct ListeningSocket: Hashable, Sendable {
  package let descriptor: Int32
  package let port: UInt16
  /// The address in figures.
  package let address: String
  /// Whether only programs of this machine reach it.
  package let isLoopback: Bool
  /// Whether the page is served on it, and not panels alone; by itself so at 127.0.0.1, the address
  /// of the page.
  package var servesPage: Bool

  /// Opens a socket at an address in figures, such as `127.0.0.1` or `::`; port 0 is any free one.
  package init(address: String, port: UInt16) throws(WebServerError) {
    let name = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(address, "\(port)", &hints, &list) == 0, let found = unsafe list else {
      throw WebServerError(
        operation: "listen on", context: "\(name): it is no address in figures", errno: 0)
    }
    defer { unsafe freeaddrinfo(found) }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = unsafe socket(found.pointee.ai_family, kind, 0)
    guard descriptor >= 0 else {
      throw WebServerError(operation: "listen on", context: name, errno: Glibc.errno)
    }
    var yes: Int32 = 1
    // Best effort: without it the port is taken for a minute after a restart.
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard unsafe bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
      listen(descriptor, 64) == 0
    else {
      let code = Glibc.errno
      _ = close(descriptor)
      throw WebServerError(operation: "listen on", context: name, errno: code)
    }
    try self.init(inherited: descriptor)
  }

  /// Takes a socket that another process made, such as the service manager.
  package init(inherited descriptor: Int32) throws(WebServerError) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = unsafe withUnsafeMutablePointer(to: &storage) { place in
      unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &length)
      }
    }
    guard status == 0 else {
      throw WebServerError(
        operation: "listen on", context: "descriptor \(descriptor)", errno: Glibc.errno)
    }
    self.descriptor = descriptor
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    switch Int32(storage.ss_family) {
    case AF_INET:
      var address = unsafe withUnsafePointer(to: &storage) { place in
        unsafe place.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { unsafe $0.pointee }
      }
      port = UInt16(bigEndian: address.sin_port)
      isLoopback = UInt32(bigEndian: address.sin_addr.s_addr) >> 24 == 127
      _ = unsafe inet_ntop(AF_INET, &address.sin_addr, &text, socklen_t(text.count))
    case AF_INET6:
      var address = unsafe withUnsafePointer(to: &storage) { place in
        unsafe place.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { unsafe $0.pointee }
      }
      port = UInt16(bigEndian: address.sin6_port)
      isLoopback = unsafe withUnsafeBytes(of: address.sin6_addr) {
        unsafe $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1
      }
      _ = unsafe inet_ntop(AF_INET6, &address.sin6_addr, &text, socklen_t(text.count))
    default:
      throw WebServerError(
        operation: "listen on", context: "descriptor \(descriptor): it is no socket of TCP",
        errno: 0)
    }
    address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    servesPage = address == "127.0.0.1"
  }
}
