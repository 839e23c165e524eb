import CPosix
import EventLoop
import Glibc
import Synchronization
import Testing
import Timekeeping

@Suite struct LoopTests {
  @Test func `timers fire in the order of their moments, never early`() throws {
    var fired: [Int64] = []
    var early = 0
    try onLoop { loop in
      // Start at the end of a millisecond, where rounding down would fire too early.
      let start = Instant(
        nanoseconds: loop.readNow().monotonic.nanoseconds / 1_000_000 * 1_000_000 + 999_999)
      for delay in [7, 3, 5, -4, 0, 3] as [Int64] {
        let moment = start.advanced(byMilliseconds: delay)
        let timer = LoopTimer(loop: loop)
        timer.arm(at: moment) {
          if loop.readNow().monotonic < moment { early += 1 }
          fired.append(delay)
          timer.close()
          if fired.count == 6 { loop.stop() }
        }
      }
    }
    #expect(fired == [-4, 0, 3, 3, 5, 7] || fired == [0, -4, 3, 3, 5, 7])
    #expect(early == 0)
  }

  @Test func `a timer can be armed again while it fires, and disarmed`() throws {
    var count = 0
    try onLoop { loop in
      let timer = LoopTimer(loop: loop)
      let other = LoopTimer(loop: loop)
      let now = loop.readNow().monotonic
      other.arm(at: now) { Issue.record("a disarmed timer fired") }
      other.disarm()
      #expect(!other.isArmed)
      func fire() {
        count += 1
        #expect(!timer.isArmed)
        if count < 5 { timer.arm(at: now, fire) } else { loop.stop() }
      }
      timer.arm(at: now, fire)
      // Arm the timer twice: only the second counts.
      timer.arm(at: now, fire)
    }
    #expect(count == 5)
  }

  @Test func `ten thousand timers leave nothing behind`() throws {
    final class Weak { weak var timer: LoopTimer? }
    var references: [Weak] = []
    let loop = try Loop()
    let far = loop.readNow().monotonic.advanced(byMilliseconds: 1_000_000)
    for _ in 0..<10_000 {
      let timer = LoopTimer(loop: loop)
      timer.arm(at: far) { _ = timer.isArmed }
      let reference = Weak()
      reference.timer = timer
      references.append(reference)
    }
    #expect(references.allSatisfy { $0.timer != nil })
    for reference in references.prefix(5_000) { reference.timer?.close() }
    // The loop closes the remaining timers.
    loop.close()
    #expect(references.allSatisfy { $0.timer == nil })
  }

  @Test func `the turn runs after the callbacks and before the loop waits`() throws {
    var trace: [String] = []
    try onLoop { loop in
      let (near, far) = socketPair()
      let stream = try PipeStream(loop: loop, descriptor: near)
      stream.startReading(onBytes: { _ in trace.append("bytes") }, onEnd: { _ in })
      #expect(send(far, "x", 1, 0) == 1)
      close(far)
      stream.onClosed = { trace.append("closed") }
      let timer = LoopTimer(loop: loop)
      timer.arm(at: Instant(nanoseconds: 0)) { trace.append("timer") }
      loop.onTurn {
        trace.append("turn")
        if trace.contains("bytes") { loop.stop() }
        return false
      }
    }
    #expect(trace == ["timer", "turn", "bytes", "turn", "closed"])
  }

  @Test func `a turn with work left is called again without waiting`() throws {
    var turns = 0
    try onLoop { loop in
      loop.onTurn {
        turns += 1
        if turns == 5 { loop.stop() }
        return true
      }
    }
    #expect(turns == 5)
  }

  @Test func `a turn without work lets the loop wait`() throws {
    var turns = 0
    try onLoop { loop in
      let timer = LoopTimer(loop: loop)
      timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 50)) { loop.stop() }
      loop.onTurn {
        turns += 1
        return turns < 3
      }
    }
    // Three turns without waiting, one before the timer, and perhaps more if the clock is coarse.
    #expect((3...6) ~= turns)
  }

  @Test func `other threads wake the loop and nothing they published is missed`() throws {
    let mailbox = MailboxOfNumbers()
    var seen: [Int] = []
    try onLoop { loop in
      let waker = LoopWaker(loop: loop) {
        #expect(loop.isCurrentThread)
        seen += mailbox.takeAll()
        if seen.count == 4_000 { loop.stop() }
      }
      let handle = waker.handleForThreads
      for thread in 0..<4 {
        onThread {
          for index in 0..<1_000 {
            mailbox.append(thread * 1_000 + index)
            handle.wake()
          }
        }
      }
    }
    #expect(seen.sorted() == Array(0..<4_000))
  }

  @Test func `wake-ups coalesce, and waking a closed loop does nothing`() throws {
    var wakeUps = 0
    var handle: WakeHandle?
    try onLoop { loop in
      let waker = LoopWaker(loop: loop) {
        wakeUps += 1
        loop.stop()
      }
      handle = waker.handleForThreads
      for _ in 0..<1_000 { waker.handleForThreads.wake() }
    }
    handle?.wake()
    #expect(wakeUps == 1)
  }

  @Test func `a signal calls back on the loop`() throws {
    var count = 0
    try onLoop { loop in
      let source = try SignalSource(loop: loop, signal: SIGUSR2) {
        count += 1
        loop.stop()
      }
      #expect(!source.isClosing)
      kill(getpid(), SIGUSR2)
    }
    #expect(count == 1)
    #expect(throws: LoopError.self) {
      let loop = try Loop()
      defer { loop.close() }
      _ = try SignalSource(loop: loop, signal: SIGKILL) {}
    }
  }

  @Test func `the wall clock watcher is armed to be cancelled when the clock is set`() throws {
    let descriptor = cposix_wall_clock_open()
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let description = readAll("/proc/self/fdinfo/\(descriptor)")
    // CLOCK_REALTIME; TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET.
    #expect(description.contains("clockid: 0\n"))
    #expect(description.contains("settime flags: 03\n"))
    #expect(cposix_wall_clock_changed(descriptor) == 0)

    var changes = 0
    try onLoop { loop in
      let watcher = try WallClockWatcher(loop: loop) { changes += 1 }
      let timer = LoopTimer(loop: loop)
      timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 5)) {
        watcher.close()
        watcher.close()
        loop.stop()
      }
    }
    #expect(changes == 0)
  }
}

/// Tests that end a process of their own; `make test` runs them apart (docs/TESTING.md).
@Suite struct LoopExitTests {
  @Test func `a handle on a closed loop is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      let loop = try Loop()
      loop.close()
      _ = LoopTimer(loop: loop)
    }
  }

  @Test func `descriptors and children come and go without a trace`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      func once() throws {
        try onLoop { loop in
          let path = folder.file("s")
          let listener = try PipeListener(loop: loop, path: path, backlog: 8) { stream in
            stream.write(Array(repeating: 7, count: 1_000_000))
          }
          #expect(throws: LoopError.self) {
            _ = try PipeListener(loop: loop, path: folder.file("s"), backlog: 8) { _ in }
          }
          let waker = LoopWaker(loop: loop) {}
          let watcher = try WallClockWatcher(loop: loop) {}
          let client = try PipeStream(loop: loop, descriptor: connect(to: folder.file("s")))
          client.startReading(onBytes: { _ in }, onEnd: { _ in })
          #expect(throws: LoopError.self) { try Transcript().start(loop, .shell("", in: "/none")) }
          try Transcript().start(loop, .shell("cat", wantsInput: true))
          try Transcript().start(loop, .shell("exit 3", wantsInput: true))
          _ = (listener, waker, watcher)
        }
      }
      do {
        // The first run opens descriptors that libuv keeps for the process.
        try once()
        let before = openDescriptors()
        for _ in 0..<20 { try once() }
        exit(openDescriptors() == before ? 0 : 1)
      } catch {
        exit(2)
      }
    }
  }
}

private final class MailboxOfNumbers: Sendable {
  private let numbers = Mutex<[Int]>([])

  func append(_ number: Int) { numbers.withLock { $0.append(number) } }

  func takeAll() -> [Int] {
    numbers.withLock {
      let all = $0
      $0 = []
      return all
    }
  }
}
