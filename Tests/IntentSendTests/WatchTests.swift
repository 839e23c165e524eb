import ClientTestSupport
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

  @Test func `the question of a link is shown and answered`() throws {
    let daemon = FakeDaemon(script: Self.script("3° clear"))
    defer { daemon.stop() }
    let terminal = try PseudoTerminal(socket: daemon.path, rows: 12, columns: 40)
    defer { terminal.end() }
    terminal.waitFor { $0.has("> weather") }
    let question: JSONValue = [
      "token": "4711-2", "prompt": "A link asks\u{1B}]52;c;eA==\u{7} for: Lock the front door?",
      "link": true,
    ]
    daemon.notify("intent.question", question)
    terminal.waitFor { $0.has("A link asks\\x1B]52;c") && $0.has("…  y yes  n no") }
    terminal.type("y")
    terminal.waitFor { !$0.has("y yes") && $0.has("done") }
    let answer = daemon.requests.last { $0.method == "intent.send" }
    #expect(answer?.params["resume"] == "4711-2" && answer?.params["choice"] == "yes")
    let attach = daemon.requests.first { $0.method == "surface.attach" }
    #expect(attach?.params["questions"] == true)
    terminal.type("q")
    #expect(terminal.exit() == "exit 0")
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

  @Test(arguments: [false, true])
  func `it draws anew when the terminal is resized`(isBlockedByParent: Bool) throws {
    let daemon = FakeDaemon(script: Self.script("3° clear"))
    defer { daemon.stop() }
    let terminal = try PseudoTerminal(
      socket: daemon.path, rows: 12, columns: 70, blocksSignals: isBlockedByParent)
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
    try expectEnd(by: signal, blocksSignals: false)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
  func `a signal that its parent had blocked ends it as well`(signal: Int32) throws {
    try expectEnd(by: signal, blocksSignals: true)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGSEGV])
  func `a signal ends it while its terminal reads nothing`(signal: Int32) throws {
    let daemon = FakeDaemon(script: Self.script("3° clear"))
    defer { daemon.stop() }
    let terminal = try PseudoTerminal(socket: daemon.path, rows: 12, columns: 60)
    defer { terminal.end() }
    terminal.waitFor { $0.has("> weather") }
    try terminal.freeze()
    // It wants to draw anew, and cannot.
    terminal.resize(rows: 20, columns: 30)
    terminal.send(signal)
    terminal.waitForEnd()
    terminal.thaw()
    #expect(terminal.exit() == "signal \(signal)")
    #expect(terminal.isCooked)
  }

  @Test func `it ends when its terminal goes`() throws {
    let daemon = FakeDaemon(script: Self.script("3° clear"))
    defer { daemon.stop() }
    let terminal = try PseudoTerminal(socket: daemon.path, rows: 12, columns: 60)
    defer { terminal.end() }
    terminal.waitFor { $0.has("> weather") }
    terminal.hangUp()
    terminal.waitForEnd()
  }

  private func expectEnd(by signal: Int32, blocksSignals: Bool) throws {
    let daemon = FakeDaemon(script: Self.script("3° clear"))
    defer { daemon.stop() }
    let terminal = try PseudoTerminal(
      socket: daemon.path, rows: 12, columns: 60, blocksSignals: blocksSignals)
    defer { terminal.end() }
    terminal.waitFor { $0.has("> weather") }
    terminal.send(signal)
    #expect(terminal.exit() == "signal \(signal)")
    #expect(!terminal.screen.isAlternate)
    #expect(terminal.isCooked)
  }
}
