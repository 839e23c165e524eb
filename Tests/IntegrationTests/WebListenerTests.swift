import DaemonTestSupport
import Foundation
import Glibc
import Testing

/// The sockets of `intent-web`: one that the service manager hands over, and one of IPv6.
@Suite(.enabled(if: Programs.isInstalled("curl"), "skipped: no curl")) struct WebListenerTests {
  @Test func `the browser that starts it by socket activation is answered`() throws {
    try withWeb { web in
      web.program.signal(SIGTERM)
      try web.program.waitUntilEnded()
      // The browser's cookie is for this port.
      let (listener, port) = try listenOnLoopback(port: UInt16(web.port) ?? 0)
      defer { close(listener) }
      let page = "http://127.0.0.1:\(port)"
      let browser = try web.sandbox.start(
        "/usr/bin/env", ["curl", "-s", "-b", web.sandbox.root + "/jar", page + "/"])
      // The kernel takes the connection, and nothing answers yet.
      #expect(!browser.hasEnded())
      let program = try web.sandbox.start(
        "/bin/sh",
        ["-c", #"export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0" "$@""#, Programs.web],
        descriptors: [(listener, 3)])
      #expect(try browser.waitUntilEnded() == .exited(0), "\(program.errors)")
      #expect(browser.output.contains("<html"))
      // The command finds the place, and the same checks hold as at a socket of its own.
      #expect(contents(of: web.sandbox.socket + ".web/port") == "\(port)\n")
      #expect(try web.address().hasPrefix(page + "/?code="))
      #expect(try web.curl(page + "/").status == 403)
      #expect(try web.curl(page + "/", cookie: true, "-H", "Host: evil.example").status == 421)
      program.signal(SIGTERM)
      #expect(try program.waitUntilEnded() == .exited(0))
      // The socket belongs to the service manager: the next browser starts the next program.
      let next = try web.sandbox.start(
        "/usr/bin/env", ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", page + "/"])
      let second = try web.sandbox.start(
        "/bin/sh",
        ["-c", #"export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0" "$@""#, Programs.web],
        descriptors: [(listener, 3)])
      #expect(try next.waitUntilEnded() == .exited(0), "\(second.errors)")
      #expect(next.output == "403")
      second.signal(SIGTERM)
      try second.waitUntilEnded()
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/net/if_inet6"), "no IPv6"))
  func `panels are served at an address of IPv6, and the page is not`() throws {
    try withWeb(["--listen", "[::1]:0"]) { web in
      let made = try web.sandbox.send("web", "--device", "kitchen", "--panel", "weather")
      let panel = try #require(made.lines.first)
      #expect(panel.hasPrefix("http://[::1]:"), "\(panel)")
      #expect(try web.curl(panel, "-g").status == 200)
      let place = panel.split(separator: "/panel").first.map(String.init) ?? ""
      #expect(try web.curl(place + "/", cookie: true, "-g").status == 404)
      #expect(try web.curl(place + "/panel/weather.png", "-g").status == 403)
    }
  }
}
