import CPosix
import Glibc
import Synchronization

/// Lets other threads make a loop call back.
///
/// It uses an eventfd and not `uv_async_send`: a `uv_async_t` must not be touched after it is
/// closed, so each sender would need a lock against the close. A descriptor can outlive the loop,
/// as long as the last reference to its `WakeHandle`, and writing to it without a reader does no
/// harm.
@safe
package final class LoopWaker {
  private let watcher: DescriptorWatcher
  /// The handle to give to other threads.
  package let handleForThreads: WakeHandle

  /// Calls `onWake` on the loop's thread after one or more calls of `wake()`.
  ///
  /// Wake-ups coalesce, so `onWake` must look at everything that may have happened. A waker is made
  /// once, at start; a process without a free descriptor then is a programmer error and traps.
  package init(loop: Loop, _ onWake: @escaping () -> Void) {
    do throws(LoopError) {
      let handle = try WakeHandle()
      handleForThreads = handle
      watcher = try DescriptorWatcher(loop: loop, descriptor: handle.descriptor, isOwner: false) {
        handle.accept()
        onWake()
      }
    } catch {
      preconditionFailure(error.message)
    }
  }

  /// Ends the watching of the descriptor; no callback comes afterwards.
  package func close() { watcher.close() }
}

/// Wakes a loop from any thread, also while or after the loop closes.
///
/// `Sendable` by its parts: a descriptor that stays open as long as this object, and an atomic.
package final class WakeHandle: Sendable {
  fileprivate let descriptor: Int32
  /// Whether a wake-up is pending: a further one then needs no system call.
  private let isPending = Atomic(false)

  fileprivate init() throws(LoopError) {
    descriptor = try check(cposix_event_open(), "watch", "for wake-ups of other threads")
  }

  deinit { _ = close(descriptor) }

  /// Makes the loop call back soon.
  ///
  /// Publish the data for the callback before this call.
  package func wake() {
    guard !isPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var one: UInt64 = 1
    // The write fails only if the counter is full, and then the loop is due to wake anyway.
    _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Clears the pending mark before the callback looks at published data, so that later data wakes
  /// the loop again.
  fileprivate func accept() {
    var count: UInt64 = 0
    _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    isPending.store(false, ordering: .sequentiallyConsistent)
  }
}
