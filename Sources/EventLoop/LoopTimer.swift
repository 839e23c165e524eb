// swift-format-ignore-file: NeverForceUnwrap
// libuv passes non-null pointers to callbacks; pointers that may be null are tested.

import CLibUV
package import Timekeeping

/// Calls back once at a moment of the monotonic clock; can be armed any number of times.
///
/// A timer costs 168 bytes and a place in libuv's heap: keep one per queue of deadlines, not one
/// per deadline. The monotonic clock stops while the machine sleeps; `WallClockWatcher` reports
/// that.
@safe
package final class LoopTimer: LoopHandle {
  private var fire: (() -> Void)?
  private var timer: UnsafeMutablePointer<uv_timer_t> {
    unsafe memory.assumingMemoryBound(to: uv_timer_t.self)
  }

  package init(loop: Loop) {
    unsafe super.init(loop: loop, byteCount: MemoryLayout<uv_timer_t>.size)
    // uv_timer_init cannot fail.
    _ = unsafe uv_timer_init(loop.pointer, timer)
    adopt()
  }

  package var isArmed: Bool { fire != nil }

  /// Calls `fire` at `moment` or up to a millisecond later, never earlier.
  ///
  /// If `moment` has passed, calls it in the next iteration.
  ///
  /// Replaces an earlier arming. Does nothing after `close()`.
  package func arm(at moment: Instant, _ fire: @escaping () -> Void) {
    assert(loop.isCurrentThread)
    guard !isClosing else { return }
    self.fire = fire
    // libuv adds the timeout to the time that it cached at the start of the iteration, in whole
    // milliseconds of the same clock. So round up the sum, not the difference.
    let (whole, rest) = max(0, moment.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000)
    let due = UInt64(whole) + (rest > 0 ? 1 : 0)
    let cached = unsafe uv_now(loop.pointer)
    let status = unsafe uv_timer_start(
      timer,
      { raw in
        let timer = unsafe Unmanaged<LoopTimer>.fromOpaque(raw!.pointee.data).takeUnretainedValue()
        // Take the closure out first, because it may arm the timer again.
        guard let fire = timer.fire else { return }
        timer.fire = nil
        fire()
      }, due > cached ? due - cached : 0, 0)
    precondition(status == 0, "libuv refused a timer")
  }

  /// Undoes the last `arm`.
  package func disarm() {
    assert(loop.isCurrentThread)
    fire = nil
    guard !isClosing else { return }
    _ = unsafe uv_timer_stop(timer)
  }

  override func willClose() { fire = nil }
}
