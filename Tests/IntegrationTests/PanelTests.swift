import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Panels and the way in, with the real program and curl.
@Suite(.enabled(if: Programs.isInstalled("curl"), "skipped: no curl")) struct PanelTests {
  @Test func `a panel is a picture that is sent once`() throws {
    try withWeb { web in
      let panel = try web.curl("/panel/weather.bmp", cookie: true, into: "panel.bmp")
      #expect(panel.status == 200 && panel.size == 48_062)
      let tag = try #require(panel.header("etag"))
      let again = try web.curl("/panel/weather.bmp", cookie: true, "-H", "If-None-Match: \(tag)")
      #expect(again.status == 304 && again.size == 0)
      let png = try web.curl("/panel/stack.png?w=600&h=448&depth=8", cookie: true)
      #expect(png.status == 200 && png.header("content-type") == "image/png")
      // Another content is another picture.
      try web.client.call(
        "widget.push",
        [
          "id": "weather",
          "timeline": [
            "entries": [["date": "2020-01-01T00:00:00Z", "content": ["title": "Other"]]],
            "policy": "never",
          ],
        ])
      let other = try web.curl("/panel/weather.bmp", cookie: true, "-H", "If-None-Match: \(tag)")
      #expect(other.status == 200 && other.header("etag") != tag)
      #expect(try web.curl("/panel/nothing.png", cookie: true).status == 404)
    }
  }

  @Test func `a panel says that nothing is current while the daemon is gone, and is right again`()
    throws
  {
    try withWeb { web in
      let before = try web.curl("/panel/weather.png", cookie: true).header("etag")
      web.daemon.signal(SIGKILL)
      try web.daemon.waitUntilEnded()
      let lost = try web.curl("/panel/weather.png", cookie: true)
      #expect(lost.status == 200 && lost.header("etag") != before)
      let next = try web.sandbox.startDaemon()
      try eventually("the panel is as before") {
        try web.curl("/panel/weather.png", cookie: true).header("etag") == before
      }
      try web.sandbox.stop(next)
    }
  }

  @Test func `a code opens the page once`() throws {
    try withWeb { web in
      let url = try web.address()
      #expect(try web.curl(url).status == 200)
      #expect(try web.curl(url).status == 403)
      let made = String(repeating: "a", count: 64)
      #expect(try web.curl("/?code=\(made)").status == 403)
      #expect(try web.curl("/").status == 403)
      #expect(try web.curl("/", cookie: true).status == 200)
      #expect(try web.curl("/", cookie: true, "-H", "Host: evil.example").status == 421)
      #expect(try web.curl("/", cookie: true, "-H", "Origin: http://evil.example").status == 403)
      #expect(try web.curl("/", cookie: true, "-X", "POST").status == 405)
    }
  }

  @Test func `a browser stays signed in when the program starts anew`() throws {
    try withWeb { web in
      web.program.signal(SIGTERM)
      let ending = try web.program.waitUntilEnded()
      #expect(ending == .exited(0))
      _ = try web.sandbox.start(Programs.web, ["--port", web.port])
      try eventually("it serves again") { try web.curl("/", cookie: true).status == 200 }
    }
  }

  @Test func `a TRMNL gets its token once, and its picture by hash`() throws {
    try withWeb { web in
      let made = try web.sandbox.send(
        "web", "--device", "desk", "--panel", "weather", "--id", "aa:bb:cc:dd:ee:ff")
      #expect(made.status == 0)
      let setup = try web.curl("/api/setup", "-H", "ID: AA:BB:CC:DD:EE:FF")
      let token = try #require(setup.json["api_key"]?.stringValue)
      #expect(try web.curl("/api/setup", "-H", "ID: AA:BB:CC:DD:EE:FF").status == 404)
      #expect(try web.curl("/api/setup", "-H", "ID: 11:22").status == 404)
      #expect(try web.curl("/api/display").status == 403)
      let display = try web.curl("/api/display", "-H", "Access-Token: \(token)")
      #expect(display.json["status"] == 0 && display.json["refresh_rate"]?.intValue ?? 0 >= 60)
      let address = try #require(display.json["image_url"]?.stringValue)
      let picture = try web.curl(address)
      #expect(picture.status == 200 && picture.size == 48_062)
      let name = try #require(display.json["filename"]?.stringValue)
      #expect(picture.header("etag") == "\"\(name)\"")
      let log = try web.curl(
        "/api/log", "-H", "Access-Token: \(token)", "-d", #"{"logs":["battery 3.1 V"]}"#)
      #expect(log.status == 204)
      let kept = try web.sandbox.send("web", "--log", "desk")
      #expect(kept.output.hasSuffix(#" {"logs":["battery 3.1 V"]}"# + "\n"))
      #expect(try web.sandbox.send("web", "--devices").output.contains("desk"))
      #expect(try web.sandbox.send("web", "--forget", "desk").status == 0)
      #expect(try web.sandbox.send("web", "--log", "desk").status == 1)
      #expect(try web.curl(address).status == 403)
    }
  }

  @Test func `content of many megabytes passes through, beside a browser that reads nothing`()
    throws
  {
    try withWeb { web in
      let events = "curl -sN -b '\(web.sandbox.root)/jar' http://127.0.0.1:\(web.port)/events"
      let slow = try web.sandbox.start("/bin/sh", ["-c", "\(events) | sleep 600"])
      let reader = try web.sandbox.start("/bin/sh", ["-c", events])
      try eventually("it listens") { reader.output.contains("event: all") }
      // More than the server reads from the daemon in one turn of its loop, several times.
      let row = String(repeating: "x", count: 1_000)
      let items = JSONValue.array((0..<200).map { _ in ["text": .string(row)] })
      for number in 0..<80 {
        try web.client.call(
          "widget.push",
          [
            "id": "weather",
            "timeline": [
              "entries": [
                [
                  "date": "2020-01-01T00:00:00Z",
                  "content": ["title": .string("number \(number)"), "items": items],
                ]
              ],
              "policy": "never",
            ],
          ])
      }
      try eventually("the reader has the last one") { reader.output.contains("number 79") }
      #expect(try web.curl("/panel/weather.png", cookie: true, "--max-time", "20").status == 200)
      slow.killGroup()
      reader.killGroup()
    }
  }

  @Test func `elsewhere than on loopback there are panels alone`() throws {
    try withWeb(["--listen", "0.0.0.0:0"]) { web in
      let ports = try web.sandbox.shell(
        "grep -l '' /proc/\(web.program.pid)/net/tcp >/dev/null; "
          + "awk '$4 == \"0A\" && $2 ~ /^00000000:/ {print $2}' /proc/\(web.program.pid)/net/tcp")
      let made = try web.sandbox.send("web", "--device", "hall", "--panel", "weather", "--json")
      let value = try JSONValue(parsing: made.output)
      let address = try #require(value["address"]?.stringValue)
      // Other programs of this machine listen on every address, too; ours answers a panel.
      let answered = try ports.lines.contains { line in
        let digits = line.split(separator: ":").last ?? ""
        guard let port = UInt16(digits, radix: 16) else { return false }
        let place = "http://127.0.0.1:\(port)"
        guard try web.curl(place + address, "--max-time", "5").status == 200 else { return false }
        #expect(try web.curl(place + "/", cookie: true).status == 404)
        #expect(try web.curl(place + "/events", cookie: true).status == 404)
        #expect(try web.curl(place + "/panel/weather.png", cookie: true).status == 403)
        return true
      }
      #expect(answered)
    }
  }
}
