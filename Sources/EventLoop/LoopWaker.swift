import CPosix
import Glibc
import Synchronization

/// Lets other threads make a loop call back.
///
/// An eventfd rather than `uv_async_send`: a `uv_async_t` must not be touched after it is closed,
/// so every sender would need a lock against the close. A descriptor can simply outlive the loop,
/// with the last reference to its `WakeHandle`, and writing to it when nobody reads is harmless.
@safe
package final class LoopWaker {
  private let watcher: DescriptorWatcher
  /// What other threads hold.
  package let handleForThreads: WakeHandle

  /// Calls `onWake` on the loop's thread after one or more calls of `wake()`: wake-ups coalesce, so
  /// look at everything that may have happened.
  ///
  /// Made once, at start: that the process has no descriptor left then is a mistake, not an event.
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

  package func close() { watcher.close() }
}

/// Wakes a loop from any thread, also while or after the loop closes.
///
/// `Sendable` by its parts: a descriptor that stays open as long as this object, and an atomic.
package final class WakeHandle: Sendable {
  fileprivate let descriptor: Int32
  /// Set from the first wake-up until the loop has seen it; spares the system calls between.
  private let isPending = Atomic(false)

  fileprivate init() throws(LoopError) {
    descriptor = try check(cposix_event_open(), "watch", "for wake-ups of other threads")
  }

  deinit { _ = close(descriptor) }

  /// Makes the loop call back soon.
  ///
  /// Publish what it shall find before.
  package func wake() {
    guard !isPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var one: UInt64 = 1
    // Fails only when the counter is full, that is when the loop is already due to wake.
    _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Runs before the callback looks around: whoever publishes after that look wakes again.
  fileprivate func accept() {
    var count: UInt64 = 0
    _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    isPending.store(false, ordering: .sequentiallyConsistent)
  }
}
