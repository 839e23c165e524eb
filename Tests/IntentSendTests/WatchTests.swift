import ClientTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// `intent-send watch` on a pseudo-terminal, against a scripted daemon.
struct WatchTests {
  private static func widget(_ id: String, _ text: JSONValue) -> JSONValue {
    ["id": .string(id), "kind": "k", "entry": ["content": ["text": text]]]
  }

  private static func script(_ text: JSONValue)
    -> @Sendable (FakeDaemon.Request) -> [FakeDaemon.Action]
  {
    { request in
      switch request.method {
      case "surface.attach":
        [
          .result([
            "surface": "s1", "stack": ["weather", "clock"],
            "widgets": [widget("weather", text), widget("clock", "noon")],
          ])
        ]
      case "widget.tap": [.result(["url": "clock://", "application": "Clock"])]
      case "stack.dismiss":
        [.refusal(code: -32020, message: "no widget \u{1B}[31m", data: ["suggestions": []])]
      default: [.result([:])]
      }
    }
  }

  @Test func `it draws the stack, takes keys, and gives the terminal back`() throws {
    let daemon = FakeDaemon(script: Self.script("3° clear"))
    defer { daemon.stop() }
    let terminal = try PseudoTerminal(socket: daemon.path, rows: 24, columns: 60)
    defer { terminal.end() }
    terminal.waitFor { $0.has("> weather") && $0.has("noon") && $0.has("? help") }
    #expect(terminal.screen.isAlternate)
    #expect(!terminal.isCooked)

    terminal.type("\u{1B}[B")
    terminal.waitFor { $0.has("> clock") }
    terminal.type("t")
    terminal.waitFor { $0.has("opened clock:// with Clock") }
    terminal.type("d")
    terminal.waitFor { $0.has("no widget \\x1B[31m") }
    terminal.type("?")
    terminal.waitFor { $0.has("reload every widget") }
    terminal.type("x")
    terminal.waitFor { $0.has("> clock") }
    daemon.notify(
      "surface.update", ["surface": "s1", "widgets": [Self.widget("weather", "4° windy")]])
    terminal.waitFor { $0.has("4° windy") }
    #expect(
      daemon.requests.map(\.method).filter { $0.hasPrefix("widget") || $0.hasPrefix("stack") }
        == ["widget.tap", "stack.dismiss"])

    terminal.type("q")
    #expect(terminal.exit() == "exit 0")
    #expect(!terminal.screen.isAlternate)
    #expect(terminal.isCooked)
  }

  @Test func `live dates tick without the daemon`() throws {
    let daemon = FakeDaemon(
      script: Self.script(["date": "2026-11-21T12:00:00Z", "style": "timer"]))
    defer { daemon.stop() }
    let terminal = try PseudoTerminal(socket: daemon.path, rows: 12, columns: 60)
    defer { terminal.end() }
    terminal.waitFor { $0.line(with: "> weather")?.contains(":") == true }
    let first = terminal.screen.line(with: "> weather")
    terminal.waitFor { $0.line(with: "> weather") != first }
    #expect(daemon.requests.count == 2)
    terminal.type("q")
    #expect(terminal.exit() == "exit 0")
  }

  @Test func `it waits for a daemon that restarts, and says so`() throws {
    let path = FakeDaemon.freshPath()
    let daemon = FakeDaemon(path: path, script: Self.script("old"))
    let terminal = try PseudoTerminal(socket: path, rows: 12, columns: 70)
    defer { terminal.end() }
    terminal.waitFor { $0.has("> weather") }
    daemon.stop()
    terminal.waitFor { $0.has("no daemon since") }
    terminal.type("r")
    terminal.waitFor { $0.has("no daemon is there to do it") }
    let next = FakeDaemon(path: path, script: Self.script("new"))
    defer { next.stop() }
    terminal.waitFor { $0.has("the daemon is back") && $0.has("new") && !$0.has("no daemon") }
    terminal.type("q")
    #expect(terminal.exit() == "exit 0")
  }

  @Test func `it draws anew when the terminal is resized`() throws {
    let daemon = FakeDaemon(script: Self.script("3° clear"))
    defer { daemon.stop() }
    let terminal = try PseudoTerminal(socket: daemon.path, rows: 12, columns: 70)
    defer { terminal.end() }
    terminal.waitFor { $0.lines.count == 12 && $0.has("> weather") }
    #expect(terminal.screen.has("0-9 item"))
    terminal.resize(rows: 20, columns: 30)
    terminal.waitFor { $0.lines.count == 20 && $0.has("? help  q quit") && !$0.has("0-9 item") }
    terminal.type("q")
    #expect(terminal.exit() == "exit 0")
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT])
  func `a signal ends it as any program, with the terminal given back`(signal: Int32) throws {
    let daemon = FakeDaemon(script: Self.script("3° clear"))
    defer { daemon.stop() }
    let terminal = try PseudoTerminal(socket: daemon.path, rows: 12, columns: 60)
    defer { terminal.end() }
    terminal.waitFor { $0.has("> weather") }
    terminal.send(signal)
    #expect(terminal.exit() == "signal \(signal)")
    #expect(!terminal.screen.isAlternate)
    #expect(terminal.isCooked)
  }
}

/// `intent-send watch` on a terminal of its own, and what it drew there.
private final class PseudoTerminal: @unchecked Sendable {
  // `process` and the descriptors are set once; `drawn` is behind `condition`, which is signalled
  // after every change of it.
  private let process = Process()
  private let master: Int32
  private let slave: Int32
  private let condition = NSCondition()
  private var drawn = TestScreen()

  /// Seconds after which a test fails that waits for the screen.
  private static let patience: TimeInterval = 240

  init(socket: String, rows: Int, columns: Int) throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    var size = winsize()
    size.ws_row = UInt16(rows)
    size.ws_col = UInt16(columns)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
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
    try process.run()
    Thread { [self] in readAll() }.start()
  }

  var screen: TestScreen { condition.withLock { drawn } }

  /// Whether the terminal is in its usual mode: it edits lines and makes signals of keys.
  var isCooked: Bool {
    var settings = termios()
    tcgetattr(slave, &settings)
    let usual = tcflag_t(ICANON | ECHO | ISIG)
    return settings.c_lflag & usual == usual
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(master, bytes, bytes.count) == bytes.count)
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  func resize(rows: Int, columns: Int) {
    var size = winsize()
    size.ws_row = UInt16(rows)
    size.ws_col = UInt16(columns)
    #expect(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
    // The test is no session leader, so the kernel has no group to tell.
    send(SIGWINCH)
  }

  /// Waits until the screen is as `isReached` wants it; fails after the patience of these tests.
  func waitFor(
    _ isReached: (TestScreen) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let end = Date(timeIntervalSinceNow: Self.patience)
    condition.lock()
    while !isReached(drawn), condition.wait(until: end) {}
    let isDone = isReached(drawn)
    condition.unlock()
    guard !isDone else { return }
    Issue.record("\(screen.lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
  }

  /// Waits for the end of the program, then for the last of what it wrote.
  func exit() -> String {
    process.waitUntilExit()
    waitFor { !$0.isAlternate }
    let how = process.terminationReason == .exit ? "exit" : "signal"
    return "\(how) \(process.terminationStatus)"
  }

  func end() {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    close(slave)
  }

  private func readAll() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { break }
      condition.withLock {
        drawn.feed(buffer[..<count])
        condition.broadcast()
      }
    }
    close(master)
  }
}

/// What a terminal would show: understands the sequences that `TerminalCanvas` writes.
private struct TestScreen {
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
