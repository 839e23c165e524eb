// swift-format-ignore-file: NeverForceUnwrap
// libuv passes non-null pointers to callbacks; pointers that may be null are tested.

import CLibUV
import CPosix
import Glibc
package import Timekeeping

/// One event loop: libuv's `uv_loop_t`, and the thread that runs it.
///
/// Ownership, in this module:
/// 1. One thread owns a loop and everything made on it. Nothing here is `Sendable`, so the compiler
///    keeps it there; the only thing another thread may hold is a `WakeHandle`.
/// 2. libuv owns the memory of a handle from its init to its close callback. The Swift object
///    (`LoopHandle`) is retained for exactly that span, and frees the memory when it goes.
/// 3. So an object lives until it is closed, even when no code refers to it. `close()` can be
///   called twice, drops the object's closures at once, and no closure is called after it (except
///   `PipeStream.onClosed`). A closure may close the object that calls it.
/// 4. A descriptor handed to an object belongs to it, also when the call fails.
/// 5. `Loop.close()` closes the remaining handles and waits until libuv has released them. A loop
///   must be closed; handles retain their loop, never the other way round.
/// 6. Bytes passed to a closure lie in a buffer all streams of the loop share: copy what you keep.
/// 7. Closures run inside libuv's callbacks: they must not run or close the loop.
@safe
package final class Loop {
  /// The largest read, in bytes: libuv's own suggestion, and the size of a pipe.
  static let readBytesMax = 64 * 1024
  /// Bytes that all streams read in one iteration, before each gets one small read only.
  ///
  /// Everything that was read is in memory until the turn. Without this bound a thousand streams
  /// could bring 2 GiB, since libuv reads from each 32 times.
  private static let iterationBytesMax = 8 * 1024 * 1024
  /// The bytes of such a small read: a usual request.
  private static let smallReadBytes = 4 * 1024

  let pointer: UnsafeMutablePointer<uv_loop_t>
  private let readBuffer: UnsafeMutableRawPointer
  private var thread: pthread_t
  private var turn: TurnHandle?
  private var isRunning = false
  private var iteration: UInt64 = 0
  private var readRoom = Loop.iterationBytesMax
  /// Whether `close()` has finished.
  package private(set) var isClosed = false

  /// Makes a loop on this thread.
  ///
  /// Also ignores SIGPIPE in this process, so that writing to a peer that has gone is an error and
  /// does not end the process, and gives SIGCHLD its default action, which exit statuses need.
  package init() throws(LoopError) {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGCHLD, SIG_DFL)
    let pointer = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    let status = unsafe uv_loop_init(pointer)
    guard status == 0 else {
      unsafe pointer.deallocate()
      throw LoopError(operation: "create", context: "an event loop", errno: -status)
    }
    unsafe self.pointer = unsafe pointer
    unsafe readBuffer = .allocate(byteCount: Loop.readBytesMax, alignment: 64)
    thread = pthread_self()
    unsafe pointer.pointee.data = unsafe readBuffer
  }

  deinit {
    precondition(isClosed, "a Loop was dropped without close()")
    unsafe readBuffer.deallocate()
    unsafe pointer.deallocate()
  }

  /// Makes all threads of the process use one heap that grows in steps of `step` bytes.
  ///
  /// By default a thread's heap grows by a system call for every few pages; with ten thousand
  /// widgets that was a third of the start-up time. Pages that are not touched cost no memory.
  package static func growHeap(by step: Int) {
    precondition(step > 0, "a heap grows by at least a byte")
    cposix_grow_heap_by(Int32(clamping: step))
  }

  /// Whether the caller is on the thread that runs this loop; before `run`, the thread that made
  /// it.
  package var isCurrentThread: Bool { pthread_equal(thread, pthread_self()) != 0 }

  /// Runs until `stop()`, or until no handle is left that could call back; then closes the loop.
  package func run() {
    runUntilStopped()
    close()
  }

  /// Runs as `run` does, but leaves the loop open, to be run again.
  package func runUntilStopped() {
    precondition(!isClosed, "a closed loop cannot run")
    precondition(!isRunning, "a loop's closures must not run the loop")
    thread = pthread_self()
    isRunning = true
    _ = unsafe uv_run(pointer, UV_RUN_DEFAULT)
    isRunning = false
  }

  /// Makes `run` return once the callbacks of this iteration are done.
  package func stop() {
    assert(isCurrentThread)
    unsafe uv_stop(pointer)
  }

  /// Reads both clocks.
  ///
  /// Call it once per turn and pass the result on.
  package func readNow() -> Now {
    var time = timespec()
    let status = unsafe clock_gettime(CLOCK_REALTIME, &time)
    precondition(status == 0, "the system has no wall clock")
    let wall = WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    return Now(monotonic: Instant(nanoseconds: Int64(clamping: uv_hrtime())), wall: wall)
  }

  /// Reads the time since the machine started, sleep included.
  package func readBootTime() -> Instant {
    var time = timespec()
    let status = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    precondition(status == 0, "the system has no clock of the time since boot")
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Returns the bytes that a stream may read now; 0: it waits for the next iteration.
  ///
  /// `lastSmallRead` is the iteration in which the stream had its last small read.
  func readSize(after lastSmallRead: inout UInt64) -> Int {
    if readRoom > 0 { return Loop.readBytesMax }
    guard lastSmallRead != iteration else { return 0 }
    lastSmallRead = iteration
    return Loop.smallReadBytes
  }

  /// Notes that a stream has read this many bytes.
  func noteRead(_ count: Int) { readRoom -= count }

  /// Begins an iteration: the streams may read again.
  fileprivate func beginIteration() {
    iteration += 1
    readRoom = Loop.iterationBytesMax
  }

  /// Sets the turn, which is called once per iteration: after the callbacks of ready handles, and
  /// just before the loop waits.
  ///
  /// If it returns true, work remains, and the next iteration polls without waiting.
  ///
  /// A loop with a turn runs until `stop()`. Calling again replaces the turn.
  package func onTurn(_ body: @escaping () -> Bool) {
    precondition(!isClosed, "a closed loop has no turns")
    assert(isCurrentThread)
    if let turn, !turn.isClosing {
      turn.body = body
    } else {
      turn = TurnHandle(loop: self, body: body)
    }
  }

  /// Closes all open handles and returns when libuv has released them.
  package func close() {
    precondition(!isRunning, "a loop's closures must not close the loop")
    guard !isClosed else { return }
    thread = pthread_self()
    // Repeat: `onClosed` of a stream may make new handles.
    var status: Int32
    repeat {
      unsafe uv_walk(pointer, { handle, _ in unsafe LoopHandle.of(handle!).close() }, nil)
      isRunning = true
      _ = unsafe uv_run(pointer, UV_RUN_DEFAULT)
      isRunning = false
      status = unsafe uv_loop_close(pointer)
    } while status == UV_EBUSY.rawValue
    precondition(status == 0, "libuv did not close the loop")
    turn = nil
    isClosed = true
  }
}

/// The turn's prepare handle, and the idle handle that keeps the poll from waiting.
///
/// *Prepare*, not *check*: a timer's callback may run after check (libuv 1.45) or before the poll
/// (1.44), and in both a turn in check goes to sleep with that timer's event in its inbox.
@safe
private final class TurnHandle: LoopHandle {
  var body: (() -> Bool)?
  private let idle: IdleHandle
  private var prepare: UnsafeMutablePointer<uv_prepare_t> {
    unsafe memory.assumingMemoryBound(to: uv_prepare_t.self)
  }

  init(loop: Loop, body: @escaping () -> Bool) {
    self.body = body
    idle = IdleHandle(loop: loop)
    unsafe super.init(loop: loop, byteCount: MemoryLayout<uv_prepare_t>.size)
    // These three calls cannot fail: see uv_prepare_init and uv_prepare_start.
    _ = unsafe uv_prepare_init(loop.pointer, prepare)
    adopt()
    _ = unsafe uv_prepare_start(prepare) { raw in
      let turn = unsafe Unmanaged<TurnHandle>.fromOpaque(raw!.pointee.data).takeUnretainedValue()
      turn.loop.beginIteration()
      guard let body = turn.body else { return }
      turn.idle.isActive = body()
    }
  }

  override func willClose() {
    body = nil
    idle.close()
  }
}

@safe
private final class IdleHandle: LoopHandle {
  private var idle: UnsafeMutablePointer<uv_idle_t> {
    unsafe memory.assumingMemoryBound(to: uv_idle_t.self)
  }

  init(loop: Loop) {
    unsafe super.init(loop: loop, byteCount: MemoryLayout<uv_idle_t>.size)
    _ = unsafe uv_idle_init(loop.pointer, idle)
    adopt()
  }

  var isActive = false {
    didSet {
      guard isActive != oldValue, !isClosing else { return }
      // The callback does nothing: an active idle handle keeps the poll from waiting.
      if isActive {
        _ = unsafe uv_idle_start(idle) { _ in }
      } else {
        _ = unsafe uv_idle_stop(idle)
      }
    }
  }
}
