import CLibUV
import Glibc

/// An error of the loop, a socket or a child.
package struct LoopError: Error, Equatable, Sendable {
  /// The reasons on which a caller can act; any other reason is `system`.
  package enum Code: Hashable, Sendable {
    /// Another process listens at the path.
    case addressInUse
    /// The path does not fit a Unix socket address.
    case pathTooLong
    case permissionDenied
    /// The file, folder or program does not exist.
    case notFound
    case system
  }

  package var code: Code
  /// The operation, in words that follow "cannot": `listen on`, `start`.
  package var operation: String
  /// The object of the operation: a path, a program, a descriptor.
  package var context: String
  /// The system's error number; 0 if the reason is this module's own.
  package var errno: Int32
  /// A sentence for a person: the event, its object and, where possible, the remedy.
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

  /// Makes an error from a positive `errno`, which decides the code and, if `reason` is `nil`, the
  /// words.
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

  /// Returns the system's words for `errno`.
  static func text(of errno: Int32) -> String {
    // libuv's error numbers are the system's, negated. uv_strerror is thread-safe, unlike strerror.
    unsafe String(cString: uv_strerror(-errno))
  }
}

/// Throws if the status of a libuv or CPosix call is negative, which means that it failed.
@inline(__always)
@discardableResult
func check(_ status: Int32, _ operation: String, _ context: @autoclosure () -> String)
  throws(LoopError) -> Int32
{
  if status < 0 { throw LoopError(operation: operation, context: context(), errno: -status) }
  return status
}
