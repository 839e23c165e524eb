import EventLoop
import Glibc
import Testing
import Timekeeping

/// Runs `body`, and then the loop until it is stopped or idle.
///
/// Records an issue if the loop hangs.
func onLoop(_ body: (Loop) throws -> Void) throws {
  let loop = try Loop()
  defer { loop.close() }
  let watchdog = LoopTimer(loop: loop)
  watchdog.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 240_000)) {
    Issue.record("the loop was still waiting after four minutes")
    loop.stop()
  }
  try body(loop)
  loop.runUntilStopped()
}

/// Checks `condition` repeatedly until it holds, then calls `done`.
func eventually(_ loop: Loop, _ condition: @escaping () -> Bool, then done: @escaping () -> Void) {
  let timer = LoopTimer(loop: loop)
  func look() {
    if condition() {
      timer.close()
      done()
    } else {
      timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 2), look)
    }
  }
  look()
}

/// Runs `body` on a thread of its own, because tests block the threads of the pool.
func onThread(_ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let status = pthread_create(
    &thread, nil,
    { raw in
      Unmanaged<Box>.fromOpaque(raw!).takeRetainedValue().body()
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  precondition(status == 0)
  pthread_detach(thread)
}
