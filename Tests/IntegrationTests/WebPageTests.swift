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

  /// A script for the page that counts each change below the widgets, as `window.changes`.
  private static let counter = """
    window.changes = [];
    new MutationObserver((records) => { for (const one of records) window.changes.push(
      `${one.type} ${one.target.nodeName} ${one.attributeName ?? ''}`); })
      .observe(document.getElementById('widgets'),
        { subtree: true, childList: true, attributes: true, characterData: true });
    true
    """

  /// A provider that counts its runs in a file, and answers everything that the page shows: a text,
  /// the content of `$HOME/row`, a bar, a picture that moves, items, one of them with a picture.
  private static let rich = """
    echo run >> "$HOME/runs"
    if [ -e "$HOME/nothing" ]; then printf '{"result":"noData"}'; exit; fi
    image='{"data":"\(gif)","alt":"a dot"}'
    printf '{"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"Rich","subtitle":"s",'
    printf '"text":["one","%s"],"percentage":40,"color":"#a00000","image":%s,' \
      "$(cat "$HOME/row" 2>/dev/null)" "$image"
    printf '"items":[{"text":"row","checked":true,"badge":"3","image":%s},' "$image"
    printf '{"separator":true},{"text":"more","items":[{"text":"inner"}]}]}}],"policy":"never"}'
    """

  /// Two frames of one pixel.
  private static let gif = Base64.encode(
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
      + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
      + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B])

  @Test func `a reload that brings nothing new changes no node, and one new text changes one`()
    throws
  {
    try withWeb { web in
      let home = try #require(web.sandbox.environment["HOME"])
      try web.sandbox.widget("rich", script: Self.rich)
      try web.client.call("daemon.reloadConfiguration")
      try web.client.call("widget.add", ["kind": "rich", "id": "rich", "wait": true])
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      let picture = "document.querySelector('[data-id=rich] article > picture > img')"
      try eventually("the picture is drawn") {
        try browser.value("\(picture)?.complete && \(picture).naturalWidth === 1", in: tab) == true
      }
      try browser.value(Self.counter, in: tab)
      func changes() throws -> [String] {
        (try browser.value("window.changes.splice(0)", in: tab).arrayValue ?? [])
          .compactMap(\.stringValue)
      }
      /// A change of another widget, after which everything before it has arrived.
      func barrier(_ title: String) throws {
        try push(.string(title), web)
        let shown = "document.querySelector('[data-id=weather] .tap').textContent"
        try eventually("it arrives") { try browser.value(shown, in: tab) == .string(title) }
      }
      for round in 1...3 {
        // The last round says so itself; before it the same content comes again.
        if round == 3 { try web.sandbox.write("home/nothing", "") }
        for _ in 1...3 { try web.client.call("widget.reload", ["id": "rich", "wait": true]) }
        try barrier("round \(round)")
        #expect(try changes() == ["characterData #text "], "only the other widget's title")
      }
      #expect(contents(of: "\(home)/runs").split(separator: "\n").count == 10, "it did run")
      try FileManager.default.removeItem(atPath: "\(home)/nothing")

      // The stream begins anew, as after a pause of the server: everything comes again.
      web.program.signal(SIGKILL)
      try web.program.waitUntilEnded()
      try eventually("the page noticed") {
        try browser.value("document.body.classList.contains('lost')", in: tab) == true
      }
      _ = try web.sandbox.start(Programs.web, ["--port", web.port])
      try eventually("it is back") {
        try browser.value("document.body.classList.contains('lost')", in: tab) == false
      }
      #expect(try changes() == [], "the same widgets again")

      try "new\n".write(toFile: "\(home)/row", atomically: true, encoding: .utf8)
      try web.client.call("widget.reload", ["id": "rich", "wait": true])
      let second = "document.querySelectorAll('[data-id=rich] .text')[2].textContent"
      try eventually("the text is there") { try browser.value(second, in: tab) == "new" }
      let all = try changes()
      #expect(all.count == 1, "\(all)")
      #expect(all.allSatisfy { $0.hasPrefix("characterData") || $0 == "childList P " }, "\(all)")
    }
  }

  @Test
  func
    `a picture has its words and its size, stands still where motion is unwanted, and is had once`()
    throws
  {
    try withWeb { web in
      try web.sandbox.widget("rich", script: Self.rich)
      try web.client.call("daemon.reloadConfiguration")
      try web.client.call("widget.add", ["kind": "rich", "id": "rich", "wait": true])
      let content = try web.client.widget("rich")["entry"]?["content"]
      let still = try #require(content?["image"]?["hash"]?.stringValue)
      let motion = try #require(content?["image"]?["motion"]?.stringValue)
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      let picture = "document.querySelector('[data-id=rich] article > picture > img')"
      func shown() throws -> String? {
        try browser.value("\(picture)?.currentSrc ?? ''", in: tab).stringValue
      }
      try eventually("it moves") { try shown()?.hasSuffix(motion) == true }
      #expect(
        try browser.value("[\(picture).alt, \(picture).width, \(picture).loading].join()", in: tab)
          == "a dot,1,lazy")
      #expect(
        try browser.value(
          "document.querySelectorAll('[data-id=rich] .item img[alt=\"a dot\"]').length", in: tab)
          == 1)
      try browser.call(
        "Emulation.setEmulatedMedia",
        ["features": [["name": "prefers-reduced-motion", "value": "reduce"]]], in: tab)
      try eventually("it stands still") { try shown()?.hasSuffix(still) == true }

      let got = try web.curl("/picture/\(still)")
      #expect(got.status == 403, "only for who is signed in")
      let first = try web.curl("/picture/\(still)", cookie: true)
      #expect(first.status == 200 && first.header("content-type") == "image/gif")
      let tag = try #require(first.header("etag"))
      #expect(tag == "\"\(still)\"")
      let second = try web.curl(
        "/picture/\(still)", cookie: true, "-H", "If-None-Match: \(tag)")
      #expect(second.status == 304 && second.size == 0)
    }
  }

  @Test func `a drawing is shown as a picture, and its policy lets nothing run`() throws {
    try withWeb { web in
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      let drawing =
        "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'><path d='M0 0H20V10H0z'/></svg>"
      try push(
        "Drawing", web,
        ["image": ["data": .string(Base64.encode(Array(drawing.utf8))), "alt": "b"]])
      let picture = "document.querySelector('article > img')"
      try eventually("it is drawn") {
        try browser.value("\(picture)?.complete && \(picture).naturalWidth === 20", in: tab) == true
      }
      let hash = try #require(
        try web.client.widget("weather")["entry"]?["content"]?["image"]?["hash"]?.stringValue)
      _ = try web.curl(try web.address(), "-c", web.sandbox.root + "/jar")
      let answer = try web.curl("/picture/\(hash)", cookie: true)
      #expect(answer.header("content-type") == "image/svg+xml")
      #expect(answer.header("content-security-policy")?.hasPrefix("default-src 'none'") == true)
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
