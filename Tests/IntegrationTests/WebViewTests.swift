import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Views of widgets on the page, in a real browser.
@Suite(.serialized, .enabled(if: Browser.isInstalled, "skipped: no chromium"))
struct WebViewTests {
  private static let frame = "document.querySelector('[data-id=%] .view')"

  private func frame(_ id: String) -> String {
    Self.frame.replacingOccurrences(of: "%", with: id)
  }

  /// Gives the page what tells the test: the violations of its policy, its changes, and its taps.
  private static let spies = """
    window.violations = []; window.changes = []; window.taps = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`); });
    new MutationObserver((records) => { for (const one of records) window.changes.push(
      `${one.type} ${one.target.nodeName} ${one.target.className} ${one.attributeName ?? ''}`); })
      .observe(document.documentElement,
        { subtree: true, childList: true, attributes: true, characterData: true });
    const fetchBefore = window.fetch;
    window.fetch = (path, options) => { window.taps.push(path); return fetchBefore(path, options); };
    """

  private func open(_ web: WebSandbox, _ browser: Browser) throws -> Browser.Tab {
    let tab = try browser.open("about:blank")
    try browser.call("Page.enable", in: tab)
    // The window is a secure place for the observer only after the document is there.
    try browser.call(
      "Page.addScriptToEvaluateOnNewDocument",
      ["source": .string("document.addEventListener('DOMContentLoaded', () => {\(Self.spies)});")],
      in: tab)
    try browser.call("Page.navigate", ["url": .string(try web.address())], in: tab)
    return tab
  }

  private func list(_ name: String, _ browser: Browser, _ tab: Browser.Tab) throws -> [String] {
    (try browser.value("window.\(name).splice(0)", in: tab).arrayValue ?? [])
      .compactMap(\.stringValue)
  }

  private func setScheme(_ scheme: String, _ browser: Browser, _ tab: Browser.Tab) throws {
    try browser.call(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": .string(scheme)]]], in: tab)
  }

  /// A change of another widget, after which everything before it has arrived.
  private func barrier(_ title: String, _ web: WebSandbox, _ browser: Browser, _ tab: Browser.Tab)
    throws
  {
    try web.client.call(
      "widget.push",
      [
        "id": "weather",
        "timeline": [
          "entries": [["date": "2020-01-01T00:00:00Z", "content": ["title": .string(title)]]],
          "policy": "never",
        ],
      ])
    let shown = "document.querySelector('[data-id=weather] .tap').textContent"
    try eventually("it arrives") { try browser.value(shown, in: tab) == .string(title) }
  }

  @Test func `a widget written for iOS is its picture, and a button in it does what its item does`()
    throws
  {
    try withWeb { web in
      let configuration = web.sandbox.root + "/config/intentd"
      let made = try web.sandbox.run(Programs.views, ["manifest", "--into", configuration])
      try #require(made.ending == .exited(0), "\(made.errors)")
      try web.client.call("daemon.reloadConfiguration")
      for (id, family) in [("small", "systemSmall"), ("medium", "systemMedium")] {
        try web.client.call(
          "widget.add",
          [
            "kind": "forecast", "id": .string(id), "family": .string(family), "wait": true,
          ])
      }
      let browser = try Browser(in: web.sandbox)
      let tab = try open(web, browser)
      try setScheme("light", browser, tab)
      for id in ["small", "medium"] {
        try eventually("the picture of \(id) is there") {
          try browser.value("\(frame(id))?.textContent.includes('Beijing')", in: tab) == true
        }
      }
      // The picture has the size that the program drew, and its colours, by the properties alone.
      let size = "(() => { const r = \(frame("medium")).firstChild.getBoundingClientRect();"
      #expect(
        try browser.value(size + " return [r.width, r.height].join() })()", in: tab) == "338,158")
      let looks =
        "(() => { const s = getComputedStyle(\(frame("medium")).firstChild);"
        + " return [s.display, s.borderTopLeftRadius, s.backgroundImage].join(' ') })()"
      #expect(
        try browser.value(looks, in: tab).stringValue?.hasPrefix("grid 22px linear-gradient(")
          == true)
      #expect(
        try browser.value("\(frame("small")).querySelector('.sign').textContent", in: tab)
          == "☀\u{FE0E}")

      // The dark picture is another one, and follows the browser.
      #expect(try browser.value("\(frame("small")).textContent.includes('day')", in: tab) == true)
      try setScheme("dark", browser, tab)
      try eventually("it is the dark one") {
        try browser.value("\(frame("small")).textContent.includes('night')", in: tab) == true
      }
      try setScheme("light", browser, tab)
      try eventually("it is the light one") {
        try browser.value("\(frame("small")).textContent.includes('day')", in: tab) == true
      }
      #expect(try list("violations", browser, tab) == [])

      // A reload that brings nothing new changes nothing but the words of dates, which tick.
      _ = try list("changes", browser, tab)
      for _ in 1...3 {
        try web.client.call("widget.reload", ["id": "medium", "wait": true])
      }
      try barrier("round", web, browser, tab)
      let changes = try list("changes", browser, tab)
        .filter { !$0.hasPrefix("characterData") && !$0.hasPrefix("childList P unseen") }
      #expect(changes == [], "no node is made, moved or changed")

      // The button is the second item: the link is the first, and the toggle the third.
      let buttons = "[...\(frame("medium")).querySelectorAll('button')]"
      #expect(
        try browser.value("\(buttons).map((one) => one.dataset.key).join()", in: tab)
          == "item 0,item 1,item 2")
      #expect(try browser.value("\(buttons)[2].getAttribute('role')", in: tab) == "switch")
      try browser.value("\(buttons)[1].click()", in: tab)
      try eventually("the tap arrives") {
        try browser.value("window.taps.join()", in: tab).stringValue?.contains("item=1") == true
      }
      let item = try web.client.widget("medium")["entry"]?["content"]?["items"]?.arrayValue?[1]
      #expect(item?["intent"]?["name"] == "Ring")
      // A click beside the buttons taps the widget.
      _ = try list("taps", browser, tab)
      try browser.value("\(frame("medium")).firstChild.click()", in: tab)
      #expect(try list("taps", browser, tab).first?.contains("item=&key=") == true)
      #expect(try list("violations", browser, tab) == [])
    }
  }

  /// A shell script as a provider whose item sets a value; its view has one button for it.
  private static let script = """
    read -r request
    case "$request" in *'"rows":2'*) rows=2;; *) rows=1;; esac
    printf '{"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"Rows","items":['
    printf '{"text":"more","set":{"rows":2}},{"text":"off","disabled":true}]},'
    printf '"view":"<div style=\\\\"color:#a00000;padding:4px\\\\"><span>rows %s</span>' "$rows"
    printf '<button data-item=\\\\"0\\\\">more</button><button data-item=\\\\"1\\\\">off</button>'
    printf '<button data-item=\\\\"9\\\\">none</button><a href=\\\\"https://example.org/\\\\">out</a>'
    printf '<a href=\\\\"app:x\\\\">in</a></div>"}],"policy":"never"}'
    """

  @Test func `a shell script sends a view, whose button sets a value and whose colour changes`()
    throws
  {
    try withWeb { web in
      try web.sandbox.widget("rows", script: Self.script, settings: "view: html\n")
      try web.client.call("daemon.reloadConfiguration")
      try web.client.call("widget.add", ["kind": "rows", "id": "rows", "wait": true])
      let browser = try Browser(in: web.sandbox)
      let tab = try open(web, browser)
      let text = "\(frame("rows"))?.querySelector('span')?.textContent"
      try eventually("the view is there") { try browser.value(text, in: tab) == "rows 1" }
      let parts =
        "[...\(frame("rows")).firstChild.children].map((one) => `${one.nodeName} ${one.disabled ?? ''}"
        + " ${one.rel ?? ''}`.trim()).join()"
      #expect(
        try browser.value(parts, in: tab)
          == "SPAN,BUTTON false,BUTTON true,DIV,A  noopener noreferrer,SPAN")
      try browser.value("\(frame("rows")).querySelector('button').focus()", in: tab)
      try browser.press("Enter", code: 13, text: "\r", in: tab)
      try eventually("the value is set, and the view is new") {
        try browser.value(text, in: tab) == "rows 2"
      }
      #expect(
        try browser.value("document.activeElement.dataset.key", in: tab) == "item 0",
        "the focus stays")

      // Another colour is another property of the same node, and no attribute that is forbidden.
      func push(_ color: String) throws {
        try web.client.call(
          "widget.push",
          [
            "id": "rows",
            "timeline": [
              "entries": [
                [
                  "date": "2020-01-01T00:00:00Z", "content": ["title": "Rows"],
                  "view": .string("<div style=\"color:\(color)\"><span>c</span></div>"),
                ]
              ], "policy": "never",
            ],
          ])
      }
      let color = "getComputedStyle(\(frame("rows")).firstChild).color"
      try push("#00a000")
      try eventually("it is green") { try browser.value(color, in: tab) == "rgb(0, 160, 0)" }
      _ = try list("changes", browser, tab)
      try push("#0000a0")
      try eventually("it is blue") { try browser.value(color, in: tab) == "rgb(0, 0, 160)" }
      #expect(try list("changes", browser, tab) == ["attributes DIV  style"])
      #expect(try list("violations", browser, tab) == [])
    }
  }

  @Test func `a view leaves neither its frame nor the page, and is never read as HTML`() throws {
    try withWeb { web in
      let browser = try Browser(in: web.sandbox)
      let tab = try open(web, browser)
      let title = "document.querySelector('.tap')?.textContent"
      try eventually("the page is there") { try browser.value(title, in: tab) == "Beijing" }
      func push(_ view: String, title: String) throws -> JSONValue {
        try web.client.call(
          "widget.push",
          [
            "id": "weather",
            "timeline": [
              "entries": [
                [
                  "date": "2020-01-01T00:00:00Z", "content": ["title": .string(title)],
                  "view": .string(view),
                ]
              ], "policy": "never",
            ],
          ])
      }
      // Words that are HTML are words.
      _ = try push("<div>&lt;img src=x onerror=alert(1)&gt;</div>", title: "words")
      try eventually("they are words") {
        try browser.value("\(frame("weather"))?.textContent", in: tab)
          == "<img src=x onerror=alert(1)>"
      }
      #expect(try browser.value("document.querySelectorAll('main img').length", in: tab) == 0)
      // The largest size, moved and enlarged: nothing of it is outside of its frame.
      _ = try push(
        "<div style=\"position:absolute;inset:0;width:10000px;height:10000px;"
          + "transform:scale(10000,10000);background:#ff0000\"></div>", title: "large")
      try eventually("it is there") {
        try browser.value(
          "getComputedStyle(\(frame("weather")).firstChild).backgroundColor", in: tab)
          == "rgb(255, 0, 0)"
      }
      #expect(
        try browser.value(
          "document.elementFromPoint(30, 30)?.closest('.view') === null"
            + " && document.documentElement.scrollWidth <= document.documentElement.clientWidth",
          in: tab) == true)
      // One that is not listed is left out; the content is shown.
      let answer = try push("<script>document.title='PWN'</script>", title: "content")
      #expect(answer.serialized.contains("entries[0].view is left out: 'script' is no element"))
      try eventually("the content is shown") { try browser.value(title, in: tab) == "content" }
      #expect(try browser.value("\(frame("weather"))", in: tab) == .null)
      #expect(try browser.value("document.title", in: tab) == "Widgets")
      // As many elements as there may be, nested as deep as they may be.
      let deep =
        String(repeating: "<div>", count: 255) + "x" + String(repeating: "</div>", count: 255)
      let wide = String(repeating: "<a></a>", count: 3_800)
      _ = try push("<div>\(deep)\(wide)</div>", title: "many")
      try eventually("all are there") {
        try browser.value("\(frame("weather"))?.querySelectorAll('*').length", in: tab) == 4_056
      }
      #expect(try list("violations", browser, tab) == [])
    }
  }
}
