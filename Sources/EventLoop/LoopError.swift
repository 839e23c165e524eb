import CLibUV
import Glibc

/// Why something about the loop, a socket or a child did not work.
package struct LoopError: Error, Equatable, Sendable {
  /// What a caller can act on; everything else is `system`.
  package enum Code: Hashable, Sendable {
    /// Another process listens there.
    case addressInUse
    /// The path does not fit a Unix socket address.
    case pathTooLong
    case permissionDenied
    /// The file, folder or program does not exist.
    case notFound
    case system
  }

  package var code: Code
  /// What was tried, as it follows "cannot": `listen on`, `start`.
  package var operation: String
  /// What it was tried on: a path, a program, a descriptor.
  package var context: String
  /// The system's number for the reason, 0 if the reason is ours.
  package var errno: Int32
  /// A sentence for people: what happened, to what, and where possible what to do.
  package var message: String

  package init(
    code: Code, operation: String, context: String, errno: Int32 = 0, because reason: String
  ) {
    self.code = code
    self.operation = operation
    self.context = context
    self.errno = errno
    self.message = "cannot \(operation) \(context): \(reason)"
  }

  /// The code and the reason follow from `errno` (positive) unless `reason` knows better.
  init(operation: String, context: String, errno: Int32, because reason: String? = nil) {
    let code: Code =
      switch errno {
      case EADDRINUSE: .addressInUse
      case ENAMETOOLONG: .pathTooLong
      case EACCES, EPERM: .permissionDenied
      case ENOENT, ENOTDIR: .notFound
      default: .system
      }
    self.init(
      code: code, operation: operation, context: context, errno: errno,
      because: reason ?? LoopError.text(of: errno))
  }

  /// The system's words for `errno`.
  static func text(of errno: Int32) -> String {
    // libuv's error numbers are the negated ones of the system. Unlike strerror, it is thread safe.
    unsafe String(cString: uv_strerror(-errno))
  }
}

/// Turns the status of a libuv or CPosix call (negative: failed) into an error.
@inline(__always)
@discardableResult
func check(_ status: Int32, _ operation: String, _ context: @autoclosure () -> String)
  throws(LoopError) -> Int32
{
  if status < 0 { throw LoopError(operation: operation, context: context(), errno: -status) }
  return status
}
