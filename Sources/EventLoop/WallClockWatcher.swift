import CPosix

/// Calls back when the wall clock is set, and when the machine wakes from suspend.
///
/// A timerfd on the real-time clock that never expires but is cancelled whenever that clock jumps.
/// Slewing (NTP's usual way) is not a jump.
@safe
package final class WallClockWatcher {
  private let watcher: DescriptorWatcher

  package init(loop: Loop, onChange: @escaping () -> Void) throws(LoopError) {
    let descriptor = try check(cposix_wall_clock_open(), "watch", "the wall clock")
    watcher = try DescriptorWatcher(loop: loop, descriptor: descriptor) {
      // An error of the timer itself also means that nobody knows what the clock did.
      if cposix_wall_clock_changed(descriptor) != 0 { onChange() }
    }
  }

  package func close() { watcher.close() }
}
