// swift-format-ignore-file: NeverForceUnwrap
// What libuv hands to a callback is never null; where it may be, it is asked.

import CLibUV
package import Timekeeping

/// Calls back once at a moment of the monotonic clock; to be armed any number of times.
///
/// Costs 168 bytes and a place in libuv's heap: keep one per queue of deadlines, not one per
/// deadline. The monotonic clock stands still while the machine sleeps; `WallClockWatcher` tells.
@safe
package final class LoopTimer: LoopHandle {
  private var fire: (() -> Void)?
  private var timer: UnsafeMutablePointer<uv_timer_t> {
    unsafe memory.assumingMemoryBound(to: uv_timer_t.self)
  }

  package init(loop: Loop) {
    unsafe super.init(loop: loop, byteCount: MemoryLayout<uv_timer_t>.size)
    // Cannot fail.
    _ = unsafe uv_timer_init(loop.pointer, timer)
    adopt()
  }

  package var isArmed: Bool { fire != nil }

  /// Calls `fire` at `moment` or up to a millisecond later, never before; at once (in the next
  /// iteration) if it has passed.
  ///
  /// Replaces an earlier arming. Does nothing after `close()`.
  package func arm(at moment: Instant, _ fire: @escaping () -> Void) {
    guard !isClosing else { return }
    self.fire = fire
    // libuv adds the timeout to the clock it cached when the iteration began, in whole milliseconds
    // of the same clock: so the sum, not the difference, is what must be rounded up.
    let (whole, rest) = max(0, moment.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000)
    let due = UInt64(whole) + (rest > 0 ? 1 : 0)
    let cached = unsafe uv_now(loop.pointer)
    let status = unsafe uv_timer_start(
      timer,
      { raw in
        let timer = unsafe Unmanaged<LoopTimer>.fromOpaque(raw!.pointee.data).takeUnretainedValue()
        // Taken out first: `fire` may arm again.
        guard let fire = timer.fire else { return }
        timer.fire = nil
        fire()
      }, due > cached ? due - cached : 0, 0)
    precondition(status == 0, "libuv refused a timer")
  }

  /// Forgets the last `arm`.
  package func disarm() {
    fire = nil
    guard !isClosing else { return }
    _ = unsafe uv_timer_stop(timer)
  }

  override func willClose() { fire = nil }
}
