import Glibc

/// The outputs of a program that is expected to end soon; nobody watches them until then.
///
/// It owns this side's ends of two pipes, and closes them.
@safe
final class UnwatchedOutputs {
  /// The bytes of one read: the size of a pipe.
  private static let readBytesMax = 64 * 1024

  var onStdout: (UnsafeRawBufferPointer) -> Void = { _ in }
  var onStderr: (UnsafeRawBufferPointer) -> Void = { _ in }
  /// -1: taken, or closed.
  private var output: Int32
  private var errors: Int32

  init(output: Int32, errors: Int32) {
    self.output = output
    self.errors = errors
  }

  /// Hands over both ends; -1 for one that has ended.
  func take() -> (output: Int32, errors: Int32) {
    defer { (output, errors) = (-1, -1) }
    return (output, errors)
  }

  /// Reads what is there, without waiting; false if an end is still open on the other side.
  func drain() -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.readBytesMax, alignment: 16) { buffer in
      let hasOutput = unsafe Self.drain(&output, buffer, onStdout)
      let hasErrors = unsafe Self.drain(&errors, buffer, onStderr)
      return hasOutput && hasErrors
    }
  }

  private static func drain(
    _ descriptor: inout Int32, _ buffer: UnsafeMutableRawBufferPointer,
    _ onBytes: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    guard descriptor >= 0 else { return true }
    // A writer that is left would make a read wait.
    guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { return false }
    while true {
      let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return false }
      guard count > 0 else { break }
      unsafe onBytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    close(descriptor)
    descriptor = -1
    return true
  }

  deinit {
    for descriptor in [output, errors] where descriptor >= 0 { close(descriptor) }
  }
}
