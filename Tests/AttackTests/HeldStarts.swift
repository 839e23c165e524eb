import Glibc

/// Files whose programs do not get past `execve`, as on a disk or a network share that hangs.
///
/// By the kernel's fanotify, which asks this process before it opens one of them to run it, and
/// never gets an answer.
struct HeldStarts {
  private typealias Initialise = @convention(c) (UInt32, UInt32) -> Int32
  private typealias Mark =
    @convention(c) (
      Int32, UInt32, UInt64, Int32, UnsafePointer<CChar>
    ) -> Int32

  private let group: Int32

  /// Holds the starts of `files` from now on; `nil`: this machine or this user may not.
  init?(of files: [String]) {
    // Not in the header's module.
    guard let initialise = dlsym(nil, "fanotify_init"), let mark = dlsym(nil, "fanotify_mark")
    else { return nil }
    // FAN_CLASS_CONTENT with FAN_CLOEXEC.
    group = unsafeBitCast(initialise, to: Initialise.self)(0x5, 0)
    guard group >= 0 else { return nil }
    for file in files {
      // FAN_MARK_ADD of FAN_OPEN_EXEC_PERM.
      guard unsafeBitCast(mark, to: Mark.self)(group, 0x1, 0x4_0000, AT_FDCWD, file) == 0 else {
        close(group)
        return nil
      }
    }
  }

  /// Lets all of them start.
  func end() { close(group) }
}
