import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// `intent-send web`: addresses that can be pasted, and codes for nobody else.
@Suite(.enabled(if: Programs.isInstalled("curl"), "skipped: no curl")) struct WebCommandTests {
  @Test func `the address of a panel is whole, and another token is asked for`() throws {
    try withWeb(["--listen", "127.0.0.2:0"]) { web in
      let made = try web.sandbox.send("web", "--device", "kitchen", "--panel", "weather")
      let address = try #require(made.lines.first)
      #expect(made.status == 0 && made.lines.count == 1 && made.errors == "")
      #expect(address.hasPrefix("http://127.0.0.2:"))
      #expect(try web.curl(address).status == 200)

      let again = try web.sandbox.send("web", "--device", "kitchen", "--panel", "weather")
      #expect(again.status == 1 && again.output == "" && again.errors.contains("--replace"))
      #expect(try web.curl(address).status == 200, "nothing was changed")
      // It still shows what it showed.
      let replaced = try web.sandbox.send("web", "--device", "kitchen", "--replace")
      #expect(replaced.lines.first?.contains("/panel/weather.png") == true)
      #expect(replaced.errors.contains("the old token of kitchen is good no more"))
      #expect(try web.curl(address).status == 403)
      #expect(try web.curl(try #require(replaced.lines.first)).status == 200)
    }
  }

  @Test func `without a place for panels the address is this machine's, and the next step is said`()
    throws
  {
    try withWeb { web in
      let made = try web.sandbox.send("web", "--device", "hall", "--panel", "wether")
      let address = try #require(made.lines.first)
      #expect(made.status == 0 && address.hasPrefix("http://127.0.0.1:\(web.port)/panel/wether."))
      #expect(made.errors.contains("wether") && made.errors.contains("until it is placed"))
      #expect(made.errors.contains("intent-web --listen "))
      let known = try web.sandbox.send("web", "--device", "desk", "--panel", "weather")
      #expect(!known.errors.contains("until it is placed"))
    }
  }

  @Test func `panels at another address of loopback leave the page where it is`() throws {
    try withWeb(["--listen", "127.0.0.2:0"]) { web in
      #expect(contents(of: web.sandbox.socket + ".web/port") == "\(web.port)\n")
      let places = contents(of: web.sandbox.socket + ".web/panels")
      let words = places.split { $0 == " " || $0 == "\n" }
      try #require(words.count == 2 && words[0] == "127.0.0.2")
      let place = "http://127.0.0.2:\(words[1])"
      #expect(try web.curl(place + "/", cookie: true).status == 404)
      #expect(try web.curl(place + "/events", cookie: true).status == 404)
      #expect(try web.curl("/", cookie: true).status == 200)
    }
  }

  @Test func `a stranger on the port of the page gets no code`() throws {
    try withWeb { web in
      // A program of the same user that is not the server: this one.
      let (stranger, port) = try listenOnLoopback(port: 0)
      defer { close(stranger) }
      try "\(port)\n".write(
        toFile: web.sandbox.socket + ".web/port", atomically: true, encoding: .utf8)
      defer { endStarted(web.sandbox) }
      let printed = try web.address()
      #expect(printed.hasPrefix("http://127.0.0.1:"))
      #expect(!printed.contains(":\(port)/"), "it would have the code")
      let entered = try web.curl(printed, "--max-time", "60")
      #expect(entered.status == 200, "a server of ours was started")
    }
  }

  @Test func `the server that is started holds no pipe of the command`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("weather", script: Sandbox.answer(title: "Beijing"))
      let daemon = try sandbox.startDaemon()
      defer { endStarted(sandbox) }
      let outcome = try sandbox.shell("'\(Programs.client)' web --print 2>&1 | cat")
      #expect(outcome.lines.count == 1 && outcome.output.hasPrefix("http://127.0.0.1:"))
      try sandbox.stop(daemon)
    }
  }

  /// Ends the servers that `intent-send web` started for this sandbox; each would wait for an hour.
  private func endStarted(_ sandbox: Sandbox) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let process = pid_t(name),
        let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
      else { continue }
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      if words.contains("--idle"), words.contains(sandbox.socket) { kill(process, SIGTERM) }
    }
  }
}
