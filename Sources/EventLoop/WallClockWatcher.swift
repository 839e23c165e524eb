import CPosix

/// Calls back when the wall clock is set, and when the machine wakes from suspend.
///
/// It uses a timerfd on the real-time clock that never expires and that the kernel cancels when the
/// clock jumps. Slewing, NTP's usual way, is no jump.
@safe
package final class WallClockWatcher {
  private let watcher: DescriptorWatcher

  package init(loop: Loop, onChange: @escaping () -> Void) throws(LoopError) {
    let descriptor = try check(cposix_wall_clock_open(), "watch", "the wall clock")
    watcher = try DescriptorWatcher(loop: loop, descriptor: descriptor) {
      // Treat an error of the timer as a change too: the clock may have jumped unnoticed.
      if cposix_wall_clock_changed(descriptor) != 0 { onChange() }
    }
  }

  /// Stops watching; no callback comes afterwards.
  package func close() { watcher.close() }
}
