import Foundation
import Glibc
import Testing

/// `intent-send watch` on a terminal of its own, and what it drew there.
///
/// No wait is without end: after `patience` the test fails, and says what is on the screen. `end`
/// kills what is left of the program.
final class PseudoTerminal: @unchecked Sendable {
  // `process` and the slave's descriptor are set once; the rest is behind `condition`, which is
  // signalled after every change of it.
  private let process = Process()
  private let slave: Int32
  private let condition = NSCondition()
  private var drawn = TestScreen()
  /// How the program ended: "exit" or "signal", and the number; `nil` while it runs.
  private var ending: String?
  /// The end of the terminal that a person would see; -1 once the thread that reads it closed it.
  private var master: Int32
  /// Whether the test is over, so that nobody needs what the program still writes.
  private var isOver = false
  /// Whether the terminal is to read nothing, and whether the thread that reads knows it.
  private var isFrozen = false
  private var isPaused = false

  /// Seconds after which a test fails that waits for the program; it never takes as long.
  private static let patience: TimeInterval = 120
  /// Milliseconds after which the thread that reads looks whether the test is over.
  private static let lookMilliseconds: Int32 = 100
  /// Milliseconds in which the kernel makes room in a terminal that nobody reads, if it can.
  private static let settleMilliseconds: Int32 = 200

  /// Starts the program, with all signals blocked if `blocksSignals`.
  init(socket: String, rows: Int, columns: Int, blocksSignals: Bool = false) throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    var size = winsize()
    size.ws_row = UInt16(rows)
    size.ws_col = UInt16(columns)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (self.master, self.slave) = (master, slave)
    let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.executableURL = ProgramTests.executable
    process.arguments = ["watch"]
    process.environment = [
      "INTENTD_SOCKET": socket, "TZ": "UTC", "PATH": "/usr/bin:/bin", "TERM": "xterm",
    ]
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    process.terminationHandler = { [weak self] in self?.ended($0) }
    try Self.run(process, blocksSignals: blocksSignals)
    Thread { [self] in readAll() }.start()
  }

  /// Starts a process with no signal blocked, or with all: it inherits the mask of this thread,
  /// and a worker thread of libdispatch blocks most of them.
  private static func run(_ process: Process, blocksSignals: Bool) throws {
    var mask = sigset_t()
    var before = sigset_t()
    _ = blocksSignals ? sigfillset(&mask) : sigemptyset(&mask)
    pthread_sigmask(SIG_SETMASK, &mask, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
  }

  var screen: TestScreen { condition.withLock { drawn } }

  /// Whether the terminal is in its usual mode: it edits lines and makes signals of keys.
  var isCooked: Bool {
    var settings = termios()
    tcgetattr(slave, &settings)
    let usual = tcflag_t(ICANON | ECHO | ISIG)
    return settings.c_lflag & usual == usual
  }

  func type(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let bytes = Array(text.utf8)
    let count = condition.withLock { write(master, bytes, bytes.count) }
    #expect(count == bytes.count, "\(text) cannot be typed", sourceLocation: sourceLocation)
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  func resize(rows: Int, columns: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    var size = winsize()
    size.ws_row = UInt16(rows)
    size.ws_col = UInt16(columns)
    let result = ioctl(slave, UInt(TIOCSWINSZ), &size)
    #expect(result == 0, "the terminal cannot be resized", sourceLocation: sourceLocation)
    // The test is no session leader, so the kernel has no group to tell.
    send(SIGWINCH)
  }

  /// Waits until the screen is as `isReached` wants it.
  func waitFor(
    _ isReached: (TestScreen) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    wait("the screen is not as expected", sourceLocation) { isReached(drawn) }
  }

  /// Waits for the end of the program and for the last of what it wrote.
  func exit(sourceLocation: SourceLocation = #_sourceLocation) -> String {
    wait("the program does not end, or keeps the terminal", sourceLocation) {
      ending != nil && !drawn.isAlternate
    }
    return condition.withLock { ending } ?? "still running"
  }

  /// Waits for the end of the program.
  func waitForEnd(sourceLocation: SourceLocation = #_sourceLocation) {
    wait("the program does not end", sourceLocation) { ending != nil }
  }

  /// Makes the terminal read nothing, and fills it, so that the program cannot write to it.
  func freeze() throws {
    condition.withLock { isFrozen = true }
    wait("the terminal does not freeze", #_sourceLocation) { isPaused }
    // Another opening of the same terminal: the program's does not become non-blocking.
    let end = open("/proc/self/fd/\(slave)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    try #require(end >= 0)
    defer { close(end) }
    let filling = [UInt8](repeating: UInt8(ascii: "x"), count: 4_096)
    // The kernel moves what is written to the reader's side a little later, which makes room again.
    var entry = pollfd(fd: end, events: Int16(POLLOUT), revents: 0)
    while poll(&entry, 1, Self.settleMilliseconds) > 0 {
      let count = write(end, filling, filling.count)
      try #require(count > 0 || errno == EAGAIN)
    }
  }

  /// Makes the terminal read again.
  func thaw() {
    condition.withLock {
      isFrozen = false
      condition.broadcast()
    }
  }

  /// Takes the terminal away, as the end of its window does.
  func hangUp() {
    condition.withLock { isOver = true }
    wait("the terminal does not close", #_sourceLocation) { master == -1 }
  }

  /// Kills the program if it still runs, and gives the terminal up.
  func end() {
    if condition.withLock({ ending }) == nil { send(SIGKILL) }
    wait("the program does not even end by SIGKILL", #_sourceLocation) { ending != nil }
    condition.withLock {
      isOver = true
      condition.broadcast()
    }
    close(slave)
  }

  /// Waits until `isReached`, which is asked behind the lock; fails the test at the end of the
  /// patience.
  private func wait(
    _ complaint: String, _ sourceLocation: SourceLocation, until isReached: () -> Bool
  ) {
    let end = Date(timeIntervalSinceNow: Self.patience)
    condition.lock()
    while !isReached(), condition.wait(until: end) {}
    let isDone = isReached()
    let shown = drawn.lines.joined(separator: "\n")
    let state = ending ?? "still running"
    condition.unlock()
    guard !isDone else { return }
    Issue.record(
      "\(complaint); intent-send: \(state); screen:\n\(shown)", sourceLocation: sourceLocation)
  }

  private func ended(_ process: Process) {
    let how = process.terminationReason == .exit ? "exit" : "signal"
    condition.withLock {
      ending = "\(how) \(process.terminationStatus)"
      condition.broadcast()
    }
  }

  /// Reads what the program draws, until the test is over.
  private func readAll() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while shallRead() {
      var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, Self.lookMilliseconds) > 0 else { continue }
      let count = read(master, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      condition.withLock {
        drawn.feed(buffer[..<count])
        condition.broadcast()
      }
    }
    condition.withLock {
      close(master)
      master = -1
      condition.broadcast()
    }
  }

  /// Waits while the terminal is frozen; false once the test is over.
  private func shallRead() -> Bool {
    condition.withLock {
      while isFrozen, !isOver {
        isPaused = true
        condition.broadcast()
        condition.wait()
      }
      isPaused = false
      return !isOver
    }
  }
}

/// The screen that a terminal would show: understands the sequences that `TerminalCanvas` writes.
struct TestScreen {
  private(set) var isAlternate = false
  private(set) var lines: [String] = []
  private var pending: [UInt8] = []
  private var row = 0

  func has(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  func line(with text: String) -> String? { lines.first { $0.contains(text) } }

  mutating func feed(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while let end = endOfNext() {
      take(String(decoding: pending[..<end], as: UTF8.self))
      pending.removeFirst(end)
    }
  }

  /// Returns the end of the next whole sequence, or of the text before one.
  private func endOfNext() -> Int? {
    guard let first = pending.first else { return nil }
    guard first == 0x1B else { return pending.firstIndex(of: 0x1B) }
    return pending.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
  }

  private mutating func take(_ text: String) {
    guard text.first == "\u{1B}" else {
      if row < lines.count { lines[row] += text }
      return
    }
    switch text.dropFirst(2) {
    case "?1049h": isAlternate = true
    case "?1049l": isAlternate = false
    case "2J": lines = []
    case let place where place.hasSuffix(";1H"):
      row = (Int(place.dropLast(3)) ?? 1) - 1
      while lines.count <= row { lines.append("") }
      lines[row] = ""
    default: break
    }
  }
}
