import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// The page in a real browser.
@Suite(.serialized, .enabled(if: Browser.isInstalled, "skipped: no chromium"))
struct WebPageTests {
  private static let title = "document.querySelector('.tap')?.textContent"

  private func push(_ title: JSONValue, _ web: WebSandbox, _ more: JSONObject = JSONObject())
    throws
  {
    var content = more
    content["title"] = title
    try web.client.call(
      "widget.push",
      [
        "id": "weather",
        "timeline": [
          "entries": [["date": "2020-01-01T00:00:00Z", "content": .object(content)]],
          "policy": "never",
        ],
      ])
  }

  @Test func `content appears, changes, goes stale with the daemon and comes back`() throws {
    try withWeb { web in
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      try eventually("the widget is there") {
        try browser.value(Self.title, in: tab) == "Beijing"
      }
      #expect(try browser.value("location.href", in: tab).stringValue?.contains("code") == false)
      #expect(try browser.value("document.cookie", in: tab) == "", "scripts see no cookie")
      try push("Other", web)
      try eventually("it changes") { try browser.value(Self.title, in: tab) == "Other" }

      web.daemon.signal(SIGKILL)
      try web.daemon.waitUntilEnded()
      let isLost = "document.body.classList.contains('lost')"
      try eventually("nothing looks current") { try browser.value(isLost, in: tab) == true }
      #expect(
        try browser.value("document.getElementById('status').textContent", in: tab).stringValue?
          .hasPrefix("intentd is not running") == true)
      let next = try web.sandbox.startDaemon()
      try eventually("it is back") { try browser.value(isLost, in: tab) == false }
      try web.sandbox.stop(next)
    }
  }

  @Test func `the page says when its server is gone, and goes on when it is back`() throws {
    try withWeb { web in
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      try eventually("the widget is there") {
        try browser.value(Self.title, in: tab) == "Beijing"
      }
      web.program.signal(SIGKILL)
      try web.program.waitUntilEnded()
      let isLost = "document.body.classList.contains('lost')"
      try eventually("nothing looks current") { try browser.value(isLost, in: tab) == true }
      _ = try web.sandbox.start(Programs.web, ["--port", web.port])
      try eventually("it is back") { try browser.value(isLost, in: tab) == false }
    }
  }

  @Test func `text of widgets is never HTML, and nothing else is run`() throws {
    try withWeb { web in
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      let hostile =
        "<img src=x onerror=\"document.title='PWN'\"><script>document.title='PWN'</script>"
      try push(
        .string(hostile), web,
        ["text": .string(hostile), "items": [["text": .string(hostile), "url": "javascript:1"]]])
      try eventually("it is text") { try browser.value(Self.title, in: tab) == .string(hostile) }
      #expect(
        try browser.value("document.querySelectorAll('main img, main script').length", in: tab) == 0
      )
      #expect(
        try browser.value("document.querySelector('.item').textContent", in: tab)
          == .string(hostile))
      #expect(try browser.value("document.title", in: tab) == "Widgets")
      // The policy keeps a script from running that got into the page somehow.
      let inline =
        "(() => { const s = document.createElement('script'); "
        + "s.textContent = 'window.pwned = 1'; document.body.append(s); return window.pwned ?? 0 })()"
      #expect(try browser.value(inline, in: tab) == 0)
    }
  }

  @Test func `a widget that is hidden has no place, and is named below`() throws {
    try withWeb { web in
      let script = "cat \"$HOME/vpn\" 2>/dev/null || true"
      try web.sandbox.widget("vpn", script: script, provider: "protocol: i3blocks\nevery: once")
      try web.client.call("daemon.reloadConfiguration")
      try web.client.call("widget.add", ["kind": "vpn", "id": "vpn", "wait": true])
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      let places = "[...document.querySelectorAll('.widget')].map(one => one.dataset.id).join()"
      let below = "document.getElementById('hidden').textContent"
      try eventually("it is named") {
        try browser.value(below, in: tab).stringValue?.hasPrefix("Nothing to show now: ") == true
      }
      #expect(try browser.value(places, in: tab) == "weather")
      let home = try #require(web.sandbox.environment["HOME"])
      try "office\n".write(toFile: "\(home)/vpn", atomically: true, encoding: .utf8)
      try web.client.call("widget.reload", ["id": "vpn"])
      try eventually("it has a place") {
        try browser.value(places, in: tab).stringValue?.split(separator: ",").count == 2
      }
      #expect(try browser.value(below, in: tab) == "")
      try "".write(toFile: "\(home)/vpn", atomically: true, encoding: .utf8)
      try web.client.call("widget.reload", ["id": "vpn"])
      try eventually("it is gone") { try browser.value(places, in: tab) == "weather" }
    }
  }

  @Test func `a line has its own direction, and an empty widget says that nothing came yet`() throws
  {
    try withWeb { web in
      try web.sandbox.widget("slow", script: "exec sleep 600")
      try web.client.call("daemon.reloadConfiguration")
      try web.client.call("widget.add", ["kind": "slow", "id": "slow"])
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      let empty = "document.querySelector('[data-id=slow] .text')?.textContent"
      try eventually("it is there") { try browser.value(empty, in: tab) == "nothing yet" }
      let right: JSONValue = "\u{627}\u{644}\u{637}\u{642}\u{633}"
      try push(right, web, ["text": "left"])
      let title = "document.querySelector('[data-id=weather] .tap').textContent"
      try eventually("it changes") { try browser.value(title, in: tab) == right }
      func direction(_ selector: String) throws -> JSONValue {
        try browser.value(
          "getComputedStyle(document.querySelector('[data-id=weather] \(selector)')).direction",
          in: tab)
      }
      #expect(try direction("h2") == "rtl" && direction(".text") == "ltr")
    }
  }

  @Test func `the keyboard reaches a widget, and its tap arrives with what was seen`() throws {
    try withWeb { web in
      let script = """
        echo "$BLOCK_BUTTON" >> "$HOME/clicks"
        echo block
        """
      try web.sandbox.widget("block", script: script, provider: "protocol: i3blocks\nevery: once")
      try web.client.call("daemon.reloadConfiguration")
      try web.client.call("widget.add", ["kind": "block", "id": "block", "wait": true])
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      let place = "document.activeElement?.closest('.widget')?.dataset.id ?? ''"
      try eventually("both are there") {
        try browser.value("document.querySelectorAll('.widget').length", in: tab) == 2
      }
      var isThere = false
      for _ in 0..<12 where !isThere {
        try browser.press("Tab", code: 9, in: tab)
        isThere = try browser.value(place, in: tab) == "block"
      }
      #expect(isThere, "the tabulator reaches it")
      // The arrows go from widget to widget.
      let before = try browser.value(place, in: tab)
      try browser.press("ArrowUp", code: 38, in: tab)
      try browser.press("ArrowDown", code: 40, in: tab)
      if try browser.value(place, in: tab) != before {
        try browser.press("ArrowUp", code: 38, in: tab)
      }
      try browser.value("document.querySelector('[data-id=block] .tap').focus()", in: tab)
      try browser.press("Enter", code: 13, text: "\r", in: tab)
      let home = try #require(web.sandbox.environment["HOME"])
      try eventually("the tap arrived") {
        contents(of: "\(home)/clicks").split(separator: "\n").last == "1"
      }
    }
  }

  @Test func `seven tabs work, over one stream`() throws {
    try withWeb { web in
      let browser = try Browser(in: web.sandbox)
      var tabs = [try browser.open(try web.address())]
      try eventually("the first is there") {
        try browser.value(Self.title, in: tabs[0]) == "Beijing"
      }
      for _ in 0..<6 { tabs.append(try browser.open("http://127.0.0.1:\(web.port)/")) }
      try push("All", web)
      for tab in tabs {
        try eventually("every tab shows it") { try browser.value(Self.title, in: tab) == "All" }
      }
      // What the pages were loaded with ends after a while of silence; the one stream stays.
      let port = try #require(UInt16(web.port))
      try eventually("at most six") { (1...6).contains(connectionCount(to: port)) }
      try eventually("one connection is left", within: 90) { connectionCount(to: port) == 1 }
      try push("Still", web)
      for tab in tabs {
        try eventually("every tab shows it") { try browser.value(Self.title, in: tab) == "Still" }
      }
      try eventually("it is still one") { connectionCount(to: port) == 1 }
    }
  }

  @Test func `the page has landmarks, names and a live region, and no overflow at 200 percent`()
    throws
  {
    try withWeb { web in
      try push("Title", web, ["percentage": 40, "items": [["text": "row"]]])
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      try eventually("it is there") { try browser.value(Self.title, in: tab) == "Title" }
      let tree = try browser.call("Accessibility.getFullAXTree", in: tab)
      let nodes = tree["nodes"]?.arrayValue ?? []
      let found = nodes.map { node in
        (
          node["role"]?["value"]?.stringValue ?? "",
          node["name"]?["value"]?.stringValue ?? ""
        )
      }
      for (role, name) in [
        ("main", "Widgets"), ("navigation", "View"), ("heading", "Widgets"),
        ("heading", "Title"), ("button", "Title"), ("button", "row"),
        ("button", "Reload The weather"), ("progressbar", "40 %"),
      ] {
        #expect(found.contains { $0.0 == role && $0.1 == name }, "\(role) \(name)")
      }
      #expect(found.contains { $0.0 == "status" })
      #expect(try browser.value("document.getElementById('news').ariaLive", in: tab) == "polite")
      // 200 % of a window of 900 pixels.
      try browser.call(
        "Emulation.setDeviceMetricsOverride",
        ["width": 450, "height": 350, "deviceScaleFactor": 2, "mobile": false], in: tab)
      for view in ["stack", "grid"] {
        try browser.value("document.getElementById('\(view)').click()", in: tab)
        #expect(
          try browser.value(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth", in: tab)
            == true, "\(view)")
      }
    }
  }

  /// The connections that a server on a port of this machine has, as the kernel lists them.
  private func connectionCount(to port: UInt16) -> Int {
    let local = ":" + String(0x1_0000 + Int(port), radix: 16, uppercase: true).dropFirst()
    return contents(of: "/proc/net/tcp").split(separator: "\n").count { line in
      let fields = line.split(separator: " ")
      // State 01 is ESTABLISHED.
      return fields.count > 3 && fields[1].hasSuffix(local) && fields[3] == "01"
    }
  }
}
